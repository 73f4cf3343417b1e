// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/thread_evaluator.h"

#include <algorithm>
#include <array>

namespace heddle::engine::enumerate {

using logic::Term;
using program::EventIndex;
using program::EventSet;

std::vector<Term> conditions_of(const EventSet& set, std::uint32_t thread) {
  std::vector<Term> conditions;
  const auto add = [&](Term guard) {
    if (guard.is_valid() && !set.terms.is_constant(guard) &&
        std::find(conditions.begin(), conditions.end(), guard) == conditions.end())
      conditions.push_back(guard);
  };
  for (const auto* edges :
       {&set.addr, &set.data, &set.ctrl, &set.intra_data, &set.intra_control, &set.exclusive})
    for (const program::StaticEdge& edge : *edges)
      if (set.events[edge.to].thread == thread)
        add(edge.guard);
  for (EventIndex i = set.threads[thread].first; i < set.threads[thread].last; ++i)
    add(set.events[i].success);
  return conditions;
}

ThreadEvaluator::ThreadEvaluator(const EventSet& set, std::uint32_t thread)
    : set_(set), first_(set.threads[thread].first) {
  const EventIndex last = set.threads[thread].last;
  variables_.resize(last - first_);
  const auto variable = [&](EventIndex event) {
    const auto slot = static_cast<std::uint32_t>(initial_.size());
    initial_.push_back(0);
    variables_[event - first_] = slot;
    slots_.emplace(set.events[event].value, slot);
  };
  for (EventIndex i = first_; i < last; ++i) {
    const program::StaticEvent& event = set.events[i];
    segments_.push_back(operations_.size());
    need(event.guard);
    if (event.address.is_valid())
      need(event.address);
    if (event.kind == program::StaticEvent::Kind::kRead ||
        event.kind == program::StaticEvent::Kind::kChoice)
      variable(i);
    else if (event.value.is_valid())
      need(event.value);
  }
  segments_.push_back(operations_.size());
  for (const program::PrivateFinal& final : set.threads[thread].finals)
    need(final.value);
  conditions_ = conditions_of(set, thread);
  for (const Term condition : conditions_)
    need(condition);
  segments_.push_back(operations_.size());
  values_ = initial_;
}

void ThreadEvaluator::reset() {
  values_ = initial_;
}

void ThreadEvaluator::need(Term term) {
  if (slots_.contains(term))
    return;
  const logic::Node node = set_.terms.node(term);
  std::vector<std::uint32_t> arguments;
  for (const Term argument : set_.terms.arguments(term)) {
    need(argument);
    arguments.push_back(slots_.at(argument));
  }
  const auto slot = static_cast<std::uint32_t>(initial_.size());
  slots_.emplace(term, slot);
  initial_.push_back(node.op == logic::Op::kConstant ? node.value : 0);
  if (node.op == logic::Op::kConstant || node.op == logic::Op::kVariable)
    return;
  Operation operation;
  operation.op = node.op;
  operation.result = node.sort;
  operation.argument = set_.terms.sort(set_.terms.arguments(term)[0]);
  operation.value = node.value;
  operation.dest = slot;
  operation.first_argument = static_cast<std::uint32_t>(arguments_.size());
  operation.argument_count = static_cast<std::uint32_t>(arguments.size());
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  operations_.push_back(operation);
}

void ThreadEvaluator::run_segment(std::size_t segment) {
  std::array<std::uint64_t, 4> small{};
  std::vector<std::uint64_t> large;
  for (std::size_t i = segments_[segment]; i < segments_[segment + 1]; ++i) {
    const Operation& operation = operations_[i];
    std::uint64_t* values = small.data();
    if (operation.argument_count > small.size()) {
      large.resize(operation.argument_count);
      values = large.data();
    }
    for (std::uint32_t k = 0; k < operation.argument_count; ++k)
      values[k] = values_[arguments_[operation.first_argument + k]];
    values_[operation.dest] =
        logic::apply(operation.op,
                     operation.result,
                     operation.argument,
                     operation.value,
                     std::span<const std::uint64_t>(values, operation.argument_count));
  }
}

} // namespace heddle::engine::enumerate
