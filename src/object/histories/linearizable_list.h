// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The final states of a harness's cells, by the explicit engine or, from the axioms of the model,
// by the enumerating one.
#pragma once

#include "driver/pipeline/pipeline.h"
#include "object/histories/linearizable_question.h"
#include "support/budget.h"
#include "verdict/verdict.h"

#include <set>
#include <string>
#include <vector>

namespace heddle::object {

struct Listing {
  std::vector<verdict::Outcome> states;
  std::vector<std::string> gaps; // why not all were seen
  std::set<std::string> bounds;  // loops that were not followed further
  std::set<std::string> assumptions;
  double searched = 0; // states of the search
};

/// `options.engine` says by whom.
[[nodiscard]] Result<Listing> list_states(const ir::Module& module,
                                          const std::vector<std::string>& cells,
                                          const LinearizableQuestion& question,
                                          const driver::Options& options,
                                          const Budget& budget,
                                          const driver::Listener& listener);

} // namespace heddle::object
