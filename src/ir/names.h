// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The words of the text form: one table per enumeration, read by the printer one way and by the
// parser the other way. Internal to ir/.
#pragma once

#include "ir/ir.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace heddle::ir {

/// The words of an enumeration whose values are 0, 1, 2, …, in that order.
template <std::size_t Count>
using Words = std::array<std::string_view, Count>;

inline constexpr Words<25> kOpWords = {"copy", "add",   "sub",    "mul",   "udiv", "sdiv", "urem",
                                       "srem", "shl",   "lshr",   "ashr",  "and",  "or",   "xor",
                                       "eq",   "ne",    "ult",    "ule",   "slt",  "sle",  "zext",
                                       "sext", "trunc", "select", "ptradd"};
inline constexpr Words<3> kAccessKindWords = {"plain", "volatile", "atomic"};
inline constexpr Words<7> kOrderWords = {
    "none", "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
inline constexpr Words<11> kRmwWords = {
    "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin"};
inline constexpr Words<2> kWhereWords = {"heap", "frame"};
inline constexpr Words<kSyncOps> kSyncWords = {
#define HEDDLE_SYNC_OP(enumerator, word, said, object, role, attempt, operands, addresses) word,
#include "ir/sync_ops.def"
};
inline constexpr Words<5> kHintWords = {
    "loop_bound", "spin_start", "spin_end", "operation_begin", "operation_end"};
inline constexpr Words<3> kApproximationWords = {"under", "over", "assumed"};
inline constexpr Words<2> kDataModelWords = {"ilp32", "lp64"};

static_assert(static_cast<std::size_t>(Op::kPtrAdd) + 1 == kOpWords.size());
static_assert(static_cast<std::size_t>(Order::kSeqCst) + 1 == kOrderWords.size());
static_assert(static_cast<std::size_t>(RmwOp::kUMin) + 1 == kRmwWords.size());
static_assert(static_cast<std::size_t>(Hint::Kind::kOperationEnd) + 1 == kHintWords.size());

/// The word of an enumeration's value; "?" for a value out of range.
template <std::size_t Count, class Enumeration>
constexpr std::string_view word_of(const Words<Count>& words, Enumeration value) {
  const auto index = static_cast<std::size_t>(value);
  return index < Count ? words[index] : std::string_view("?");
}

template <class Enumeration, std::size_t Count>
constexpr std::optional<Enumeration> from_word(const Words<Count>& words, std::string_view word) {
  for (std::size_t i = 0; i < Count; ++i)
    if (words[i] == word)
      return static_cast<Enumeration>(i);
  return std::nullopt;
}

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What a word (a mnemonic, a block's name) may contain without quotes.
constexpr bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '.';
}
/// What a name after `@` may contain without quotes.
constexpr bool is_name_character(char c) {
  return is_word_character(c) || c == '$';
}

} // namespace heddle::ir
