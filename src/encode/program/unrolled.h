// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program without loops and calls, of which events can be made, and the way back.
#pragma once

#include "execution/run.h"
#include "program/model/program.h"
#include "spec/task.h"
#include "support/budget.h"
#include "support/result.h"
#include "transform/basic/inline.h"
#include "transform/basic/transform.h"
#include "transform/basic/unroll.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace heddle::encode {

/// The program unrolled and without calls (but those of procedures whose locals in memory stay),
/// and the way back.
struct Unrolled {
  std::vector<transform::Transformed> stages; // in the order in which they were applied
  [[nodiscard]] const program::Program& program() const { return stages.back().program; }
  [[nodiscard]] Result<execution::Schedule> lift(execution::Schedule schedule) const;
};
[[nodiscard]] Result<Unrolled> unroll(const program::Program& program,
                                      const spec::Bounds& bounds,
                                      const Budget& budget,
                                      const transform::Transform* before_unrolling = nullptr,
                                      transform::InlineSlots slots = transform::InlineSlots::kNone,
                                      std::size_t most_run_out = transform::kMostRunOut);

/// Iterations of loops that only wait can be left out, as far as the property does not see them.
[[nodiscard]] std::unique_ptr<transform::Transform> skip_idle_iterations(spec::Property property);

} // namespace heddle::encode
