// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// `--linearization-point infer`: a smallest set of accesses with which every run of the scenarios
// is explained by the order in which they are passed. If there is none, one that depends on what a
// call returns: nothing, or something.
#pragma once

#include "object/histories/linearizable_check.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace heddle::object {

struct InferredPoints {
  std::vector<EffectPlace> points;   // empty: none were found
  std::vector<std::string> warnings; // about them
  std::string why_none;
  std::uint64_t tried = 0; // sets
  /// What came of the check with the points.
  LinearizableSummary summary;
};

/// Leaves the points in the question, if there are any; otherwise as it was.
[[nodiscard]] Result<std::variant<InferredPoints, driver::Unconfirmed>>
infer_points(LinearizableQuestion& question,
             const driver::Options& options,
             const Budget& budget,
             const driver::Listener& listener);

[[nodiscard]] std::string text_of(const InferredPoints& inferred, const ir::Module& module);
[[nodiscard]] nlohmann::ordered_json json_of(const InferredPoints& inferred,
                                             const ir::Module& module);

} // namespace heddle::object
