// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What memory holds at the end of an execution: the value of the last write to each place.
#pragma once

#include "encode/relations/execution_formula.h"
#include "spec/observed.h"

#include <cstdint>
#include <vector>

namespace heddle::encode {

class FinalState {
public:
  /// All outlive it.
  FinalState(const program::EventSet& set,
             ExecutionFormula& executions,
             const std::vector<spec::ObservedPlace>& observed,
             logic::Gates& gates);

  /// Of an observed place, lowest first.
  [[nodiscard]] const std::vector<Literal>& bits(std::size_t place) const { return bits_[place]; }
  /// By observed place.
  [[nodiscard]] std::vector<std::uint64_t> values(const logic::LiteralValues& model) const;
  /// A clause that no execution with these values satisfies.
  [[nodiscard]] std::vector<Literal> differs_from(const std::vector<std::uint64_t>& values) const;

private:
  [[nodiscard]] std::vector<Literal> byte_at(std::uint64_t address);
  [[nodiscard]] std::vector<Literal> byte_at_end_of_thread(std::uint64_t address);
  [[nodiscard]] Literal is_last(Element write, std::uint64_t piece);

  const program::EventSet& set_;
  ExecutionFormula& executions_;
  logic::Gates& gates_;
  std::vector<std::vector<Literal>> bits_; // by observed place, lowest first
};

} // namespace heddle::encode
