// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Terms in the infix syntax of C and Promela, exact for every width: a bit-vector of n bits is the
// number 0 … 2^n - 1, in C of type unsigned int (up to 32 bits) or unsigned long long, in Promela
// an int, whose 32 bits are the vector's. Nothing depends on how the language divides or shifts
// beyond what it defines; Promela's ints are taken to wrap around, as those of the C compiler do
// with -fwrapv.
#pragma once

#include "logic/term.h"

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::exports {

enum class Dialect : std::uint8_t { kC, kPromela };

/// How a variable is spelled.
using Names = std::function<std::string(std::uint64_t number)>;

/// Fully bracketed. Bool is a condition, not a number.
[[nodiscard]] std::string
to_infix(const logic::TermStore& terms, logic::Term term, Dialect dialect, const Names& names);

/// For a comment or a text in quotation marks.
[[nodiscard]] std::string plain(const std::string& text);

/// The blanks at the beginning of a line.
[[nodiscard]] std::string indented(unsigned depth);

/// The text in one pair of brackets, not in two.
[[nodiscard]] std::string in_brackets(const std::string& text);

/// How many nodes it has when spelled out, at most `limit`.
[[nodiscard]] std::size_t
spelled_size(const logic::TermStore& terms, logic::Term term, std::size_t limit);

} // namespace heddle::exports
