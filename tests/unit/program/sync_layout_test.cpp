// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/sync_facts.h"
#include "program/model/sync_layout.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle::program {
namespace {

using ir::DataModel;
using ir::SyncObject;

TEST(SyncLayout, ObjectsHaveTheSizesOfTheirWords) {
  const std::map<SyncObject, std::uint64_t> expected = {{SyncObject::kThread, 0},
                                                        {SyncObject::kMutex, 20},
                                                        {SyncObject::kSpinLock, 4},
                                                        {SyncObject::kReadWriteLock, 24},
                                                        {SyncObject::kCondition, 4},
                                                        {SyncObject::kSemaphore, 4},
                                                        {SyncObject::kBarrier, 12},
                                                        {SyncObject::kOnce, 4}};
  for (const auto& [object, bytes] : expected)
    EXPECT_EQ(sync_layout::size_of(object, DataModel::kLP64), bytes);
  EXPECT_EQ(sync_layout::size_of(SyncObject::kMutex, DataModel::kILP32), 16U);
}

} // namespace
} // namespace heddle::program
