// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs from ir text, as transforms are given them.
#pragma once

#include "ir/parse.h"
#include "ir/verify.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace heddle::transform {

inline program::Program built(const std::string& text, const program::BuildOptions& options = {}) {
  const Result<ir::Module> module = ir::parse(text, "test.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  const Status status = ir::verify(*module);
  EXPECT_TRUE(status.has_value()) << status.error().to_string();
  Result<program::Program> program = program::build(*module, options);
  EXPECT_TRUE(program.has_value()) << program.error().to_string();
  program::annotate(*program, program::AliasAnalysis::kPointsTo);
  return std::move(program).value();
}

} // namespace heddle::transform
