// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/cell_contents.h"
#include "transform/sequential/shared_cells.h"
#include "unit/transform/built.h"

#include <gtest/gtest.h>

namespace heddle::transform {
namespace {

Result<SharedCells> cells_of(const program::Program& program) {
  const auto threads = find_threads(program);
  EXPECT_TRUE(threads);
  return SharedCells::find(program, *threads);
}

/// The address of the only access of that kind in the first procedure with that name.
template <class Access>
std::pair<program::ProcedureId, program::Term> address_in(const program::Program& program,
                                                          const std::string& name) {
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    if (program.procedures[program::ProcedureId{i}].name == name)
      for (const program::Edge& edge : program.procedures[program::ProcedureId{i}].edges)
        if (const auto* access = std::get_if<Access>(&edge.action))
          return {program::ProcedureId{i}, access->address};
  ADD_FAILURE() << "no such access in " << name;
  return {};
}

constexpr const char* kArray = R"(module lp64
global @array : 16 align 4
global @mine : 4 align 4 signed 32
global @index : 8 align 8
func @writer(%0 : ptr) -> ptr {
  reg %1 : i64
  reg %2 : i64
  reg %3 : ptr
block entry:
  %1 = load @index
  %2 = mul %1, i64 4
  %3 = ptradd @array, %2
  store i32 1, %3
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i32
block entry:
  store i32 5, @mine
  %0 = create(@writer, ptr 0)
  store i64 1, @index
  %1 = load @array
  ret %1
}
)";

TEST(CellWriters, AreThoseThatMayWriteTheCellAndEachEdgeOnce) {
  const program::Program program = built(kArray);
  const auto threads = find_threads(program);
  ASSERT_TRUE(threads);
  const auto cells = SharedCells::find(program, *threads);
  ASSERT_TRUE(cells) << cells.error().to_string();
  const std::vector<CellWriters> writers = writers_of(program, *threads, *cells);
  ASSERT_EQ(writers.size(), cells->count());
  for (const SharedBlock& block : cells->blocks()) {
    const bool is_array = program.objects[block.object].name == "array";
    for (std::size_t i = 0; i < block.cells.size(); ++i) {
      EXPECT_EQ(writers[block.first + i].threads, std::vector<std::uint32_t>{is_array ? 1U : 0U});
      EXPECT_EQ(writers[block.first + i].most_writes, 1U);
    }
  }
}

TEST(SharedCells, EveryPlaceThatIsAccessedIsACellAndPrivateMemoryIsNone) {
  const program::Program program = built(kArray);
  const auto cells = cells_of(program);
  ASSERT_TRUE(cells) << cells.error().to_string();
  ASSERT_EQ(cells->blocks().size(), 2U); // array and index, not mine
  EXPECT_EQ(cells->count(), 5U);
  const SharedBlock& array = cells->blocks()[0];
  ASSERT_EQ(array.cells.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(array.cells[i], (SharedBlock::Cell{4 * i, 4}));
  EXPECT_FALSE(array.is_allocated);
  EXPECT_EQ(cells->initial(array, array.cells[1]), 0U);
}

TEST(SharedCells, AComputedAddressHasAllPlacesAndAConstantOneHasOne) {
  const program::Program program = built(kArray);
  const auto cells = cells_of(program);
  ASSERT_TRUE(cells);
  const auto [writer, computed] = address_in<program::Store>(program, "writer");
  EXPECT_TRUE(cells->is_shared(writer, computed));
  EXPECT_EQ(cells->places(writer, computed, 0, 4).size(), 4U);
  EXPECT_TRUE(cells->places(writer, computed, 0, 8).empty());
  const auto [main, mine] = address_in<program::Store>(program, "main");
  EXPECT_FALSE(cells->is_shared(main, mine));
  const auto [same, first] = address_in<program::Load>(program, "main");
  EXPECT_EQ(cells->places(same, first, 0, 4).size(), 1U);
}

TEST(SharedCells, EveryAllocationOfEveryThreadHasItsOwnBlock) {
  const program::Program program = built(R"(module lp64
global @head : 8 align 8
func @maker(%0 : ptr) -> ptr {
  reg %1 : ptr
block entry:
  %1 = alloc heap i64 8
  store i32 1, %1
  store ptr %1, @head
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i64
  reg %2 : ptr
  reg %3 : i32
block entry:
  %0 = create(@maker, ptr 0)
  %1 = create(@maker, ptr 0)
  %2 = load @head
  %3 = load %2
  ret %3
}
)");
  const auto cells = cells_of(program);
  ASSERT_TRUE(cells) << cells.error().to_string();
  ASSERT_EQ(cells->blocks().size(), 3U);
  const SharedBlock& first = cells->blocks()[1];
  const SharedBlock& second = cells->blocks()[2];
  EXPECT_TRUE(first.is_allocated);
  EXPECT_FALSE(first.is_zeroed);
  EXPECT_EQ(first.object, second.object);
  EXPECT_GE(second.base, first.base + first.size);
  EXPECT_NE(first.first, second.first);
  EXPECT_EQ(cells->initial(first, first.cells[0]), std::nullopt); // arbitrary
  const std::uint32_t edge = [&] {
    const auto threads = find_threads(program);
    const auto& edges = program.procedures[(*threads)[1].procedure].edges;
    for (std::uint32_t i = 0; i < edges.size(); ++i)
      if (std::holds_alternative<program::Allocate>(edges[i].action))
        return i;
    return ~0U;
  }();
  EXPECT_EQ(cells->allocated(1, edge), &first);
  EXPECT_EQ(cells->allocated(2, edge), &second);
  EXPECT_EQ(cells->allocated(0, edge), nullptr);
}

TEST(SharedCells, PiecesOfDifferentSizesAreRefused) {
  const program::Program program = built(R"(module lp64
global @x : 4 align 4
func @writer(%0 : ptr) -> ptr {
block entry:
  store i8 1, @x
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i32
block entry:
  %0 = create(@writer, ptr 0)
  %1 = load @x
  ret %1
}
)");
  const auto cells = cells_of(program);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().code, "SEQ-012");
}

} // namespace
} // namespace heddle::transform
