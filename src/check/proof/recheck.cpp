// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/proof/recheck.h"

#include "check/proof/closed_states.h"
#include "support/budget_watch.h"
#include "support/overloaded.h"
#include "support/within_memory.h"

#include <variant>

namespace heddle::check {

Result<verdict::Certificate> certify(const spec::Task& task, const Budget& budget) {
  using Answer = Result<verdict::Certificate>;
  return within_memory(
      [&]() -> Answer {
        Result<verdict::ClosedStates> states = collect_states(task, budget);
        if (!states)
          return states.error();
        return verdict::Certificate{std::move(*states)};
      },
      [] { return Answer(budget_used_up("a certificate is made")); });
}

Result<Rechecked>
recheck(const spec::Task& task, const verdict::Certificate& certificate, const Budget& budget) {
  using Answer = Result<Rechecked>;
  return within_memory(
      [&] {
        return std::visit(
            Overloaded{
                [&](const verdict::ClosedStates& states) {
                  return recheck_states(task, states, budget);
                },
            },
            certificate);
      },
      [] { return Answer(budget_used_up("a certificate is checked")); });
}

} // namespace heddle::check
