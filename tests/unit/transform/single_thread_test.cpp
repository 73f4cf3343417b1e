// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/single_thread.h"
#include "unit/transform/built.h"
#include "unit/transform/failing_run.h"

#include <gtest/gtest.h>

namespace heddle::transform {
namespace {

using program::FaultKind;

constexpr const char* kLocksTwice = R"(module lp64
global @mutex : 40 align 8
func @take() -> void {
block entry:
  mutex_lock(@mutex)
  ret void
}
func @main() -> i32 {
  reg %0 : i1
block entry:
  call @take()
  mutex_unlock(@mutex)
  call @take()
  MIDDLE
  assert i1 0, "reached"
  ret i32 0
}
)";

program::Program locking(const std::string& middle) {
  std::string text = kLocksTwice;
  return built(text.replace(text.find("MIDDLE"), 6, middle));
}

TEST(SingleThread, SynchronisationIsAccessesOfWords) {
  const program::Program program = locking("mutex_unlock(@mutex)");
  ASSERT_TRUE(synchronizes(program));
  const SingleThread written = write_out_synchronisation(program);
  EXPECT_FALSE(synchronizes(written.program));
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    const program::ProcedureId id{i};
    ASSERT_EQ(written.origins[id].size(), written.program.procedures[id].edges.size());
    for (const SliceOrigin& origin : written.origins[id])
      if (origin.kind == SliceOrigin::Kind::kStep) {
        EXPECT_LT(origin.edge, program.procedures[id].edges.size());
      }
  }
}

TEST(SingleThread, WhatIsReachedIsReached) {
  const SingleThread written = write_out_synchronisation(locking("mutex_unlock(@mutex)"));
  EXPECT_TRUE(find_run(written.program, FaultKind::kAssertion));
}

TEST(SingleThread, AWaitThatNobodyEndsEndsTheRun) {
  const SingleThread written = write_out_synchronisation(locking("mutex_lock(@mutex)"));
  EXPECT_FALSE(find_run(written.program, FaultKind::kAssertion));
}

} // namespace
} // namespace heddle::transform
