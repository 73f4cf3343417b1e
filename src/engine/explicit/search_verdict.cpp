// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the search has found, as a verdict.
#include "engine/explicit/state_search.h"
#include "verdict/reached.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace heddle::engine {

using verdict::Unknown;

verdict::Answer Search::answer() const {
  if (violation_)
    return verdict::Violated{*violation_};
  if (is_doubtful_)
    return Unknown{Unknown::Reason::kApproximation,
                   "a state that stands for any number of threads may violate it",
                   ""};
  const program::Program& program = *task_.program;
  if (!property_) {
    verdict::Outcomes outcomes;
    outcomes.states.assign(outcomes_.begin(), outcomes_.end());
    outcomes.complete = !stopped_ && !hit_max_states_ && !trap_ && !undefined_ && cuts_.empty() &&
                        !stepper_.has_sampled();
    return outcomes;
  }
  if (exhausted_)
    return verdict::out_of(*exhausted_,
                           fmt::format("{} states were explored without a violation", expanded_));
  if (trap_)
    return Unknown{Unknown::Reason::kUnsupported,
                   fmt::format("{} at {}", trap_->what, program.place(trap_->loc)),
                   trap_->help};
  if (undefined_)
    return Unknown{Unknown::Reason::kUndefinedBehaviour,
                   fmt::format("undefined behaviour at {}: {}{}{}",
                               program.place(undefined_->loc),
                               program::to_string(undefined_->kind),
                               undefined_->what.empty() ? "" : ", ",
                               undefined_->what),
                   "correct it, or ask for property memory or overflow"};
  if (stepper_.has_sampled())
    return Unknown{Unknown::Reason::kNondeterminism,
                   "some nondeterministic values were only sampled",
                   "a larger number of bits that are tried exhaustively (--nondet-bits N)"};
  if (hit_max_states_ || !cuts_.empty()) {
    std::vector<std::string> bounds(cuts_.begin(), cuts_.end());
    if (hit_max_states_)
      bounds.push_back(fmt::format("at most {} states", max_states_));
    return verdict::within_bounds(std::move(bounds));
  }
  return verdict::Proved{
      verdict::StateSpaceExhausted{store_.size(), counter_abstraction_.has_value()}};
}

void Search::add_reasons(Approximations& approximations) const {
  const auto add = [&](std::string what, SourceLoc where) {
    approximations.push_back({Approximation::Kind::kUnder, std::move(what), where});
  };
  if (exhausted_)
    add("the search ran out of time or memory", {});
  if (hit_max_states_)
    add(fmt::format("at most {} states", max_states_), {});
  if (trap_)
    add(trap_->what, trap_->loc);
  if (undefined_)
    add("undefined behaviour: " + program::to_string(undefined_->kind) + " " + undefined_->what,
        undefined_->loc);
  for (const std::string& cut : cuts_)
    add(cut, {});
  if (stepper_.has_sampled())
    add("some nondeterministic values were only sampled", {});
}

verdict::NeverReached Search::never_reached() const {
  verdict::Reached reached;
  reached.some_run_completes = some_run_completes_;
  const program::Program& program = *task_.program;
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    const program::Procedure& procedure = program.procedures[program::ProcedureId{p}];
    for (std::size_t e = 0; e < procedure.edges.size(); ++e)
      if (const auto* check = std::get_if<program::Check>(&procedure.edges[e].action);
          check != nullptr && check->kind == program::CheckKind::kAssertion &&
          evaluated_checks_[p][e])
        reached.assertions.insert(procedure.edges[e].loc);
  }
  for (const program::ThreadTemplate& one : program.templates)
    if (stepper_.started().contains(one.entry.value))
      reached.threads.insert(one.name);
  return verdict::never_reached(program, reached);
}

verdict::Statistics Search::statistics() const {
  verdict::Statistics statistics;
  const double seconds = static_cast<double>(std::clock() - started_) / CLOCKS_PER_SEC;
  const auto states = static_cast<double>(store_.size());
  auto& counters = statistics.counters;
  counters["states"] = states;
  counters["expanded states"] = static_cast<double>(expanded_);
  counters["reduced states"] = static_cast<double>(reduced_);
  counters["transitions"] = static_cast<double>(transitions_);
  counters["depth"] = static_cast<double>(depth_);
  counters["bytes"] = static_cast<double>(store_.bytes());
  counters["bytes per state"] = states > 0 ? static_cast<double>(store_.bytes()) / states : 0;
  counters["seconds"] = seconds;
  counters["states per second"] = seconds > 0 ? states / seconds : 0;
  counters["symmetry"] = symmetry_.is_active() ? 1 : 0;
  counters["distinct memories"] = static_cast<double>(store_.memories.size());
  counters["distinct threads"] = static_cast<double>(store_.threads.size());
  counters["distinct buffers"] = static_cast<double>(store_.buffers.size());
  return statistics;
}

} // namespace heddle::engine
