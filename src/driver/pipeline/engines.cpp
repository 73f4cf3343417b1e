// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/engines.h"

#include "engine/axiomatic/axiomatic.h"
#include "engine/bounded/bounded.h"
#include "engine/enumerate/enumerate.h"
#include "engine/explicit/explicit.h"
#include "engine/portfolio/portfolio.h"

namespace heddle::driver {

namespace {

engine::ExplicitOptions::Search search_of(const Options& options) {
  using Search = engine::ExplicitOptions::Search;
  if (options.search == "dfs")
    return Search::kDepthFirst;
  return options.search == "bfs" ? Search::kBreadthFirst : Search::kMixed;
}

} // namespace

engine::Registry all_engines(const Options& options) {
  engine::Registry registry;

  engine::ExplicitOptions explicit_options;
  explicit_options.search = search_of(options);
  explicit_options.reduction = !options.no_reduction;
  explicit_options.symmetry = !options.no_symmetry;
  registry.add(engine::make_portfolio());
  registry.add(engine::make_explicit(explicit_options));
  registry.add(engine::make_enumerate());
  registry.add(engine::make_axiomatic({}));
  engine::BoundedOptions bounded_options;
  bounded_options.bits = static_cast<unsigned>(options.bits);
  bounded_options.induction = !options.no_k_induction;
  registry.add(engine::make_bounded(bounded_options));

  return registry;
}

} // namespace heddle::driver
