// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The executions of a litmus test as a page for the viewer: those a model allows, and candidates it
// forbids with the axiom that does.
#pragma once

#include "driver/pipeline/litmus.h"
#include "report/page/html.h"

namespace heddle::driver {

struct LitmusPageLimits {
  std::size_t allowed = 500;
  std::size_t forbidden = 100; // those that satisfy the condition first
  /// Candidates looked at for forbidden ones, and seconds for finding them.
  std::size_t candidates = 5000;
  double seconds = 5;
};

/// Refused for a model without axioms.
[[nodiscard]] Result<report::Page> litmus_page(const frontend::litmus::Test& test,
                                               const program::Program& program,
                                               const memory::Model& model,
                                               const LitmusOptions& options,
                                               const LitmusPageLimits& limits = {});

} // namespace heddle::driver
