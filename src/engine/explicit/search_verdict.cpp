// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the search has found, as a verdict.
#include "engine/explicit/search.h"

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
  if (exhausted_) {
    const std::string seen = fmt::format("{} states were explored without a violation", expanded_);
    switch (*exhausted_) {
    case Exhausted::kTime:
      return Unknown{Unknown::Reason::kTime, "time is up: " + seen, "more time (--time)"};
    case Exhausted::kMemory:
      return Unknown{
          Unknown::Reason::kMemory, "memory is used up: " + seen, "more memory (--memory)"};
    case Exhausted::kInterrupted:
      return Unknown{Unknown::Reason::kInterrupted, "interrupted: " + seen, ""};
    }
  }
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
    verdict::HoldsWithinBounds holds;
    holds.bounds.assign(cuts_.begin(), cuts_.end());
    if (hit_max_states_)
      holds.bounds.push_back(fmt::format("at most {} states", max_states_));
    return holds;
  }
  return verdict::Proved{verdict::StateSpaceExhausted{store_.size(), crowd_.has_value()}};
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
  verdict::NeverReached result;
  result.no_run_completes = !some_run_completes_;
  const program::Program& program = *task_.program;
  std::set<SourceLoc> evaluated; // in some copy that unrolling or inlining has made
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    const program::Procedure& procedure = program.procedures[program::ProcedureId{p}];
    for (std::size_t e = 0; e < procedure.edges.size(); ++e) {
      // That an error call is never reached is what one hopes for.
      const auto* check = std::get_if<program::Check>(&procedure.edges[e].action);
      if (check == nullptr || check->kind != program::CheckKind::kAssertion)
        continue;
      if (evaluated_checks_[p][e])
        evaluated.insert(procedure.edges[e].loc);
      else
        result.assertions.push_back(procedure.edges[e].loc);
    }
  }
  std::sort(result.assertions.begin(), result.assertions.end());
  result.assertions.erase(std::unique(result.assertions.begin(), result.assertions.end()),
                          result.assertions.end());
  std::erase_if(result.assertions, [&](SourceLoc loc) { return evaluated.contains(loc); });
  for (std::size_t t = 1; t < program.templates.size(); ++t)
    if (!stepper_.started().contains(program.templates[t].entry.value))
      result.threads.push_back(program.templates[t].name);
  return result;
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
