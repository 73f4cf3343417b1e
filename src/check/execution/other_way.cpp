// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/execution/other_way.h"

#include <algorithm>

namespace heddle::check {

namespace {

using program::Assign;
using program::LocationId;
using program::Term;

/// A way with more steps is not walked.
constexpr unsigned kMostSteps = 1000;

class Walk {
public:
  Walk(const program::Interpreter& interpreter,
       const program::State& state,
       program::ThreadIndex thread)
      : interpreter_(interpreter), terms_(interpreter.program().terms), state_(state),
        thread_(thread),
        procedure_(interpreter.program().procedures[state.threads[thread].procedure(0)]) {
    for (std::size_t i = 0; i < procedure_.locals.size(); ++i)
      way_.locals.push_back(state.threads[thread].local(0, program::LocalId{i}));
  }

  std::optional<OtherWay> go(LocationId at, LocationId until) {
    for (unsigned steps = 0; steps < kMostSteps; ++steps) {
      if (at == until)
        return way_;
      // Another turn may be beyond what was unrolled.
      if (procedure_.locations[at].is_loop_head)
        return std::nullopt;
      const program::Edge* const edge = next(at);
      if (edge == nullptr || !act(edge->action))
        return std::nullopt;
      if (way_.has_returned)
        return until.is_valid() ? std::nullopt : std::optional(way_);
      at = edge->to;
    }
    return std::nullopt;
  }

private:
  [[nodiscard]] std::uint64_t value(Term term) const {
    return terms_.evaluate(term, [&](std::uint64_t number) -> std::uint64_t {
      return number == program::kSelfVariable
                 ? thread_
                 : way_.locals[program::LocalId{static_cast<std::size_t>(number)}];
    });
  }

  [[nodiscard]] const program::Edge* next(LocationId at) const {
    for (const std::uint32_t index : procedure_.locations[at].out) {
      const program::Edge& edge = procedure_.edges[index];
      const auto* assume = std::get_if<program::Assume>(&edge.action);
      if (assume == nullptr || value(assume->condition) != 0)
        return &edge;
    }
    return nullptr;
  }

  void assign(const Assign& one) { way_.locals[one.dest] = value(one.value); }

  [[nodiscard]] bool load(const program::Load& action) {
    if (action.access.is_visible || action.marks)
      return false;
    const std::uint64_t address = value(action.address);
    if (interpreter_.is_unwritten(state_.memory, address, action.access.size))
      return false;
    std::uint64_t result = interpreter_.read(state_.memory, address, action.access.size);
    for (unsigned i = 0; i < action.access.size; ++i)
      if (const auto found = way_.written.find(address + i); found != way_.written.end())
        result = (result & ~(0xffULL << (8 * i))) | std::uint64_t{found->second} << (8 * i);
    way_.locals[action.dest] = result;
    return true;
  }

  [[nodiscard]] bool store(const program::Store& action) {
    if (action.marks)
      return false;
    const std::uint64_t address = value(action.address);
    const std::uint64_t stored = value(action.value);
    for (unsigned i = 0; i < action.access.size; ++i)
      if (action.access.is_visible)
        way_.visible.insert(address + i);
      else
        way_.written[address + i] = static_cast<std::uint8_t>(stored >> (8 * i));
    return true;
  }

  /// False: the way is not walked any further.
  [[nodiscard]] bool act(const program::Action& action) {
    if (const auto* one = std::get_if<Assign>(&action)) {
      assign(*one);
      return true;
    }
    if (const auto* sequence = std::get_if<program::AssignSequence>(&action)) {
      for (const Assign& one : sequence->assignments)
        assign(one);
      return true;
    }
    if (const auto* check = std::get_if<program::Check>(&action))
      return value(check->condition) != 0;
    if (const auto* one = std::get_if<program::Load>(&action))
      return load(*one);
    if (const auto* one = std::get_if<program::Store>(&action))
      return store(*one);
    if (const auto* back = std::get_if<program::Return>(&action)) {
      if (back->value)
        way_.returned = value(*back->value);
      way_.has_returned = true;
      return true;
    }
    return std::holds_alternative<program::Skip>(action) ||
           std::holds_alternative<program::Assume>(action) || // it holds: see next
           std::holds_alternative<program::Fence>(action) ||
           std::holds_alternative<program::CheckNeighbourhood>(action) ||
           std::holds_alternative<program::Hint>(action);
  }

  const program::Interpreter& interpreter_;
  const logic::TermStore& terms_;
  const program::State& state_;
  program::ThreadIndex thread_;
  const program::Procedure& procedure_;
  OtherWay way_;
};

} // namespace

std::vector<OtherWay> other_ways(const program::Interpreter& interpreter,
                                 const program::State& state,
                                 program::ThreadIndex thread,
                                 const program::Edge& taken,
                                 LocationId until) {
  const program::ThreadState& self = state.threads[thread];
  const program::Procedure& procedure = interpreter.program().procedures[self.procedure(0)];
  std::vector<OtherWay> ways;
  for (const std::uint32_t index : procedure.locations[self.location(0)].out) {
    const program::Edge& edge = procedure.edges[index];
    if (&edge == &taken)
      continue;
    if (std::optional<OtherWay> way = Walk(interpreter, state, thread).go(edge.to, until))
      ways.push_back(std::move(*way));
  }
  return ways;
}

} // namespace heddle::check
