// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store-buffer graphs: the published sizes, what is refused, and drawings.
#include "unit/transform/listing.h"

namespace heddle::transform {
namespace {

using namespace transform_test; // NOLINT: makes programs
using Kind = GraphEdge::Kind;

constexpr MachineKind kMachines[] = {MachineKind::kTotalStoreOrder,
                                     MachineKind::kPartialStoreOrder};

using Size = std::pair<std::size_t, std::size_t>;

void expect_sizes(Listing& code, Size sc, Size tso, Size pso) {
  EXPECT_EQ(code.size(MachineKind::kSequential), sc);
  EXPECT_EQ(code.size(MachineKind::kTotalStoreOrder), tso);
  EXPECT_EQ(code.size(MachineKind::kPartialStoreOrder), pso);
}

TEST(StoreBufferGraphSize, StoreBufferingThread) {
  Listing code(3);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.load(code.local(32), code.maker.at(y), y));
  code.line(2, Return{});
  expect_sizes(code, {4, 3}, {6, 6}, {6, 6});
}

TEST(StoreBufferGraphSize, EarlyReadThread) {
  Listing code(4);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.load(code.local(32), code.maker.at(x), x));
  code.line(2, code.load(code.local(32), code.maker.at(y), y));
  code.line(3, Return{});
  expect_sizes(code, {5, 4}, {8, 9}, {8, 9});
  for (const MachineKind machine : kMachines)
    EXPECT_EQ(code.graph(machine).count(Kind::kEarlyRead), 1U);
}

TEST(StoreBufferGraphSize, MessagePassingWriter) {
  Listing code(3);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.store(code.maker.at(y), code.maker.number(1), y));
  code.line(2, Return{});
  expect_sizes(code, {4, 3}, {7, 7}, {8, 9});
}

TEST(StoreBufferGraphSize, WriteDefChain) {
  Listing code(4);
  write_def_chain(code);
  for (const MachineKind machine : kMachines) {
    EXPECT_EQ(code.size(machine), Size(7, 9));
    const StoreBufferGraph graph = code.graph(machine);
    EXPECT_TRUE(graph.stores.redefines_value[2]);
    EXPECT_FALSE(graph.stores.redefines_address[2]);
    ASSERT_EQ(graph.operands[2].size(), 1U);
    EXPECT_EQ(graph.operands[2][0].copies.size(), 1U);
  }
}

TEST(StoreBufferGraphSize, AFenceAfterTheStoreEndsTheChain) {
  Listing code(5);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  const LocalId r = code.local(32);
  code.line(0, code.load(r, code.maker.at(x), x));
  code.line(1, code.store(code.maker.at(y), code.value(r), y));
  code.line(2, Listing::full_fence());
  code.line(3, Skip{}, 0);
  const StoreBufferGraph graph = code.graph(MachineKind::kTotalStoreOrder);
  EXPECT_FALSE(graph.stores.redefines_value[1]);
  EXPECT_TRUE(graph.operands[1][0].copies.empty());
}

TEST(StoreBufferGraphSize, AnAddressThatIsAssignedAgainIsCopied) {
  Listing code(4);
  const ObjectId x = code.maker.global("x", 16);
  const LocalId p = code.local(64);
  code.line(0, Listing::full_fence());
  code.line(1, code.store(code.value(p), code.maker.number(1), x));
  code.line(2, Assign{p, code.maker.at(x, 4)});
  code.line(3, Skip{}, 0);
  const StoreBufferGraph graph = code.graph(MachineKind::kPartialStoreOrder);
  EXPECT_TRUE(graph.stores.redefines_address[1]);
  EXPECT_EQ(graph.operands[1][0].copies.size(), 1U);
}

TEST(StoreBufferGraphSize, AroraPushBottom) {
  Arora code(8);
  push_bottom(code, false);
  expect_sizes(code, {9, 8}, {13, 14}, {14, 16});
  Arora fenced(9);
  push_bottom(fenced, true);
  expect_sizes(fenced, {10, 9}, {13, 13}, {13, 13});
}

TEST(StoreBufferGraphSize, AroraPopTop) {
  Arora code(17);
  pop_top(code);
  expect_sizes(code, {18, 18}, {18, 18}, {18, 18});
}

TEST(StoreBufferGraphSize, AroraPopBottom) {
  Arora code(29);
  pop_bottom(code, false);
  expect_sizes(code, {30, 33}, {64, 98}, {70, 114});
  Arora fenced(30);
  pop_bottom(fenced, true);
  expect_sizes(fenced, {31, 34}, {49, 67}, {52, 75});
}

// Loops.

TEST(StoreBufferGraphSize, WhatIsPendingAtTheStart) {
  // x = 1; y = 1; r = z; end
  Listing code(4);
  const ObjectId x = code.maker.global("x"), y = code.maker.global("y");
  const ObjectId z = code.maker.global("z");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.store(code.maker.at(y), code.maker.number(1), y));
  code.line(2, code.load(code.local(32), code.maker.at(z), z));
  code.line(3, Return{});
  for (const MachineKind machine : kMachines) {
    const StoreBufferGraph whole = code.graph(machine);
    StoreBufferOptions options{.machine = machine};
    options.start = LocationId{1};
    options.pending_at_start = {0};
    Program program = code.maker.program;
    const Result<StoreBufferGraph> rest = build_graph(program, code.id, options);
    ASSERT_TRUE(rest.has_value());
    // All but the first node and the store that leaves it.
    EXPECT_EQ(rest->nodes.size() + 1, whole.nodes.size());
    EXPECT_EQ(rest->edges.size() + 1, whole.edges.size());
    EXPECT_EQ(rest->nodes[GraphNodeId{0}].buffer.entries.size(), 1U);
  }
}

TEST(StoreBufferGraphLoop, AStoreInALoopWithoutAFenceIsRefusedWithItsCycle) {
  Listing code(3);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.maker.program.files = {"", "f.c"};
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.store(code.maker.at(y), code.maker.number(1), y));
  code.line(2, Skip{}, 0);
  const Result<StoreBufferGraph> refused =
      build_graph(code.maker.program, code.id, {MachineKind::kTotalStoreOrder});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, kUnfencedLoopCode);
  EXPECT_EQ(refused.error().line, 1U);
  EXPECT_NE(refused.error().message.find("the stores at f.c:1 and f.c:2 (around f.c:1, f.c:2, "
                                         "f.c:3, f.c:1)"),
            std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().message.find("--pending N"), std::string::npos);
  const Result<StoreBufferGraph> bounded =
      build_graph(code.maker.program, code.id, {MachineKind::kTotalStoreOrder, 3});
  ASSERT_TRUE(bounded.has_value());
  EXPECT_GT(bounded->count(Kind::kCut), 0U);
}

TEST(StoreBufferGraphLoop, AFenceOnOneBranchIsNotEnough) {
  Listing code(4);
  const ObjectId x = code.maker.global("x");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.branch(1, 2, 3);
  code.line(2, Listing::full_fence());
  code.line(3, Skip{}, 0);
  const Result<StoreBufferGraph> refused =
      build_graph(code.maker.program, code.id, {MachineKind::kTotalStoreOrder});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, kUnfencedLoopCode);
}

TEST(StoreBufferGraphLoop, ReadingLoopsAndCompareExchangeLoopsAreFine) {
  Listing code(4);
  const ObjectId x = code.maker.global("x");
  code.line(0, code.load(code.local(32), code.maker.at(x), x));
  code.branch(1, 0, 2);
  code.line(2, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(3, code.compare_exchange(code.maker.at(x), x), 0);
  EXPECT_TRUE(
      build_graph(code.maker.program, code.id, {MachineKind::kPartialStoreOrder}).has_value());
}

TEST(StoreBufferGraphDot, HasTheColoursOfTheKinds) {
  Listing code(4);
  write_def_chain(code);
  Program program = code.maker.program;
  const Result<StoreBufferGraph> graph =
      build_graph(program, code.id, {MachineKind::kTotalStoreOrder});
  ASSERT_TRUE(graph.has_value());
  const std::string dot = to_dot(program, program.procedures[code.id], *graph);
  for (const char* text : {"f: 7 nodes, 9 edges",
                           "color=green4",
                           "color=red",
                           "color=brown",
                           "color=blue",
                           "color=gray50",
                           "flush &y = "})
    EXPECT_NE(dot.find(text), std::string::npos) << text << " in\n" << dot;
}

} // namespace
} // namespace heddle::transform
