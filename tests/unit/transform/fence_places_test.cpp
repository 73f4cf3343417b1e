// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/parse.h"
#include "ir/verify.h"
#include "transform/basic/fence_places.h"

#include <gtest/gtest.h>

namespace heddle::transform {
namespace {

using Where = FencePlace::Where;

/// Two stores in a row; then paths that meet, one of which calls.
ir::Module module_of_stores() {
  Result<ir::Module> parsed = ir::parse(R"(module lp64
global @x : 4 align 4 signed 32
global @y : 4 align 4 signed 32
func @leaf() -> void {
block entry:
  ret void
}
func @f(%0 : i1) -> void {
block entry:
  store i32 1, @x
  store i32 1, @y
  branch %0, long, end
block long:
  call @leaf()
  jump end
block end:
  ret void
}
)",
                                        "stores.hir");
  EXPECT_TRUE(parsed) << parsed.error().to_string();
  return *parsed;
}

std::size_t count_fences(const ir::Module& module, ir::Order order) {
  std::size_t count = 0;
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.instructions)
        if (const auto* fence = std::get_if<ir::Fence>(&instruction.operation))
          count += fence->access.order == order ? 1 : 0;
  return count;
}

TEST(FencePlaces, AreWhereAFenceMakesADifference) {
  std::vector<Where> found;
  for (const FencePlace& place : fence_places(module_of_stores()))
    found.push_back(place.where);
  // Before the first store is also the start of f; between the two is behind the first.
  EXPECT_EQ(found,
            (std::vector<Where>{Where::kBeforeStore,
                                Where::kAfterStore,
                                Where::kAfterStore,
                                Where::kMeeting,
                                Where::kAfterCall,
                                Where::kStart}));
}

TEST(FencePlaces, FencesAndMarksArePutThere) {
  const ir::Module module = module_of_stores();
  const std::vector<FencePlace> places = fence_places(module);
  std::vector<FenceKind> kinds(places.size(), FenceKind::kNone);
  kinds[1] = FenceKind::kFull;
  kinds[2] = FenceKind::kStoreStore;
  const ir::Module fenced = with_fences(module, places, kinds, false);
  EXPECT_TRUE(ir::verify(fenced));
  EXPECT_EQ(count_fences(fenced, ir::Order::kSeqCst), 1U);
  EXPECT_EQ(count_fences(fenced, ir::Order::kRelease), 1U);
  EXPECT_EQ(count_fences(fenced, ir::Order::kAcquire), 0U);
  const auto& entry = fenced.functions[places[1].function].blocks[ir::BlockId{0}].instructions;
  EXPECT_TRUE(std::holds_alternative<ir::Store>(entry[0].operation));
  EXPECT_TRUE(std::holds_alternative<ir::Fence>(entry[1].operation));
  EXPECT_TRUE(std::holds_alternative<ir::Store>(entry[2].operation));
  const ir::Module marked = with_fences(module, places, kinds, true);
  EXPECT_TRUE(ir::verify(marked));
  EXPECT_EQ(count_fences(marked, ir::Order::kAcquire), places.size() - 2);
}

TEST(FencePlaces, AMarkTellsItsPlace) {
  EXPECT_EQ(marked_place({"fence-place-12"}), 12U);
  EXPECT_EQ(marked_place({}), std::nullopt);
  EXPECT_EQ(marked_place({"mfence"}), std::nullopt);
}

} // namespace
} // namespace heddle::transform
