// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/proof/recheck.h"

#include "check/proof/closed_states.h"
#include "check/proof/refuted_formulas.h"
#include "support/budget_watch.h"
#include "support/overloaded.h"
#include "support/within_memory.h"

#include <variant>

namespace heddle::check {

Result<verdict::Certificate>
certify(const spec::Task& task, const verdict::Proof& claim, const Budget& budget) {
  using Answer = Result<verdict::Certificate>;
  const auto by_states = [&]() -> Answer {
    Result<verdict::ClosedStates> states = collect_states(task, budget);
    if (!states)
      return states.error();
    return verdict::Certificate{std::move(*states)};
  };
  const auto by_formulas = [&](const spec::Bounds& bounds) -> Answer {
    Result<verdict::RefutedFormulas> refuted = refute_formulas(task, bounds, budget);
    if (!refuted)
      return refuted.error();
    return verdict::Certificate{std::move(*refuted)};
  };
  return within_memory(
      [&] {
        return std::visit(Overloaded{
                              [&](const verdict::StateSpaceExhausted&) { return by_states(); },
                              [&](const verdict::NoExecution& none) {
                                if (!none.bounds)
                                  return by_states();
                                Answer refuted = by_formulas(*none.bounds);
                                return refuted || refuted.error().code != kNotCertifiable
                                           ? refuted
                                           : by_states();
                              },
                              [&](const verdict::ByInduction&) { return by_states(); },
                          },
                          claim);
      },
      [] { return Answer(budget_used_up("a certificate is made")); });
}

Result<Rechecked>
recheck(const spec::Task& task, const verdict::Certificate& certificate, const Budget& budget) {
  using Answer = Result<Rechecked>;
  return within_memory(
      [&] {
        return std::visit(Overloaded{
                              [&](const verdict::ClosedStates& states) {
                                return recheck_states(task, states, budget);
                              },
                              [&](const verdict::RefutedFormulas& refuted) {
                                return recheck_formulas(task, refuted, budget);
                              },
                          },
                          certificate);
      },
      [] { return Answer(budget_used_up("a certificate is checked")); });
}

} // namespace heddle::check
