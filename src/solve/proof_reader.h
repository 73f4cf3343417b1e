// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads the proofs that solve/proof.h writes, step by step.
#pragma once

#include "logic/literal.h"
#include "solve/proof_check.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::solve {

struct ProofStep {
  enum class Kind : std::uint8_t { kAdd, kLemma, kDelete };
  Kind kind = Kind::kAdd;
  std::vector<logic::Literal> clause;
  std::vector<std::uint32_t> certificate;
};

class ProofReader {
public:
  /// The text is kept alive by the caller.
  ProofReader(std::string_view text, ProofFormat format) : text_(text), format_(format) {}

  /// Nothing at the end, or where the text is malformed.
  [[nodiscard]] std::optional<ProofStep> next();
  [[nodiscard]] bool is_broken() const { return broken_; }
  /// Of the last step; 0 in a binary proof.
  [[nodiscard]] std::uint32_t line() const { return line_; }

private:
  std::optional<ProofStep> next_text();
  std::optional<ProofStep> next_binary();
  std::optional<std::uint64_t> number();
  /// Literals as numbers, ended by 0.
  bool read_clause(std::string_view line, std::vector<logic::Literal>& clause);

  std::string_view text_;
  ProofFormat format_;
  std::uint32_t line_ = 0;
  bool broken_ = false;
};

} // namespace heddle::solve
