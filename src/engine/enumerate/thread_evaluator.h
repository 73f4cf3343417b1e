// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The terms of one thread's events as a list of operations in the order in which their values
// become known, so that trying the next value of a read recomputes only what comes after it.
#pragma once

#include "program/events/event_set.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle::engine::enumerate {

class ThreadEvaluator {
public:
  ThreadEvaluator(const program::EventSet& set, std::uint32_t thread);

  void reset();
  /// Computes what the event's guard, address and value need beyond what earlier events needed.
  void run(program::EventIndex event) { run_segment(event - first_); }
  /// Computes the finals and the conditions, after the last event.
  void run_rest() { run_segment(segments_.size() - 2); }
  void set_variable(program::EventIndex event, std::uint64_t value) {
    values_[variables_[event - first_]] = value;
  }
  [[nodiscard]] std::uint64_t value(logic::Term term) const { return values_[slots_.at(term)]; }
  /// Guards of dependencies, and success of updates whose order depends on it, that are not
  /// constant: in a fixed order.
  [[nodiscard]] const std::vector<logic::Term>& conditions() const { return conditions_; }

private:
  struct Operation {
    logic::Op op = logic::Op::kConstant;
    logic::Sort result;
    logic::Sort argument;
    std::uint64_t value = 0;
    std::uint32_t dest = 0;
    std::uint32_t first_argument = 0;
    std::uint32_t argument_count = 0;
  };
  void need(logic::Term term);
  void run_segment(std::size_t segment);

  const program::EventSet& set_;
  program::EventIndex first_;
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> arguments_;
  std::vector<std::size_t> segments_; // segment i is [segments_[i], segments_[i + 1])
  std::vector<std::uint32_t> variables_;
  std::unordered_map<logic::Term, std::uint32_t> slots_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> initial_;
  std::vector<logic::Term> conditions_;
};

/// The conditions of a thread, as Tape::conditions orders them.
[[nodiscard]] std::vector<logic::Term> conditions_of(const program::EventSet& set,
                                                     std::uint32_t thread);

} // namespace heddle::engine::enumerate
