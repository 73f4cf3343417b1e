// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The validator of store-buffer graphs accepts what build_graph makes, and finds what was changed
// in it.
#include "check/proof/validate_graph.h"
#include "unit/transform/listing.h"

#include <functional>

namespace heddle::check {
namespace {

using namespace transform_test; // NOLINT: makes programs
using transform::GraphEdge;
using transform::GraphNode;
using transform::GraphNodeId;
using Kind = GraphEdge::Kind;

constexpr MachineKind kTso = MachineKind::kTotalStoreOrder;
constexpr MachineKind kPso = MachineKind::kPartialStoreOrder;

void expect_valid(Listing& code) {
  for (const MachineKind machine : {MachineKind::kSequential, kTso, kPso}) {
    Program program = code.maker.program;
    const StoreBufferGraph graph = code.graph(program, machine);
    const Status status = validate_graph(program, code.id, graph, {machine});
    EXPECT_TRUE(status) << status.error().to_string();
  }
}

TEST(StoreBufferValidation, PublishedGraphsAreValid) {
  Listing chain(4);
  write_def_chain(chain);
  expect_valid(chain);
  for (const bool has_fence : {false, true}) {
    const std::size_t more = has_fence ? 1 : 0;
    Arora push(static_cast<unsigned>(8 + more));
    push_bottom(push, has_fence);
    expect_valid(push);
    Arora pop(static_cast<unsigned>(29 + more));
    pop_bottom(pop, has_fence);
    expect_valid(pop);
  }
  Arora steal(17);
  pop_top(steal);
  expect_valid(steal);
}

/// What is changed in the graph; the program goes with it.
using Change = std::function<void(StoreBufferGraph&)>;

void expect_caught(Listing& code, MachineKind machine, const Change& change, const char* text) {
  Program program = code.maker.program;
  StoreBufferGraph graph = code.graph(program, machine);
  ASSERT_TRUE(validate_graph(program, code.id, graph, {machine}));
  change(graph);
  const Status status = validate_graph(program, code.id, graph, {machine});
  ASSERT_FALSE(status) << "not caught: " << text;
  EXPECT_EQ(status.error().code, "SBG-007");
  EXPECT_NE(status.error().message.find(text), std::string::npos) << status.error().message;
}

/// The edge goes from its node, and stays in the table.
void remove(StoreBufferGraph& graph, std::uint32_t edge) {
  std::erase(graph.nodes[graph.edges[edge].from].out, edge);
}
std::uint32_t find(const StoreBufferGraph& graph,
                   const std::function<bool(const GraphEdge&)>& wanted) {
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i)
    if (wanted(graph.edges[i]))
      return i;
  ADD_FAILURE() << "no such edge";
  return 0;
}
std::size_t pending(const StoreBufferGraph& graph, GraphNodeId node) {
  return graph.nodes[node].buffer.entries.size();
}
auto is(const StoreBufferGraph& graph, Kind kind, std::size_t entries) {
  return [&graph, kind, entries](const GraphEdge& edge) {
    return edge.kind == kind && pending(graph, edge.from) == entries;
  };
}

/// x = 1; y = 2; r = x; fence; end
struct TwoStores : Listing {
  TwoStores() : Listing(5) {
    x = maker.global("x");
    y = maker.global("y");
    line(0, store(maker.at(x), maker.number(1), x));
    line(1, store(maker.at(y), maker.number(2), y));
    line(2, load(local(32), maker.at(x), x));
    line(3, full_fence());
    line(4, Return{});
  }
  ObjectId x, y;
};

TEST(StoreBufferValidation, TheOrderOfFlushesIsTheMachines) {
  TwoStores code;
  // Under TSO the second store must not be flushed first.
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        const std::uint32_t flush = find(graph, is(graph, Kind::kFlush, 2));
        graph.edges[flush].entry = 1;
        graph.edges[flush].origin = 1;
      },
      "has no flush");
  // Under PSO it may, and must not be forgotten.
  expect_caught(
      code,
      kPso,
      [](StoreBufferGraph& graph) {
        remove(graph, find(graph, [&](const GraphEdge& edge) {
                 return edge.kind == Kind::kFlush && edge.entry == 1;
               }));
      },
      "has no flush");
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        graph.edges[find(graph, is(graph, Kind::kFlush, 2))].origin = 1;
      },
      "another store than it says");
}

TEST(StoreBufferValidation, AnAddedFlushMustBePossible) {
  TwoStores code;
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        GraphEdge flush = graph.edges[find(graph, is(graph, Kind::kFlush, 2))];
        flush.entry = 1;
        flush.origin = 1;
        graph.nodes[flush.from].out.push_back(static_cast<std::uint32_t>(graph.edges.size()));
        graph.edges.push_back(flush);
      },
      "waits for an older one");
}

TEST(StoreBufferValidation, LoadsReadWhatTheMachineReads) {
  TwoStores code;
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        graph.edges[find(graph, is(graph, Kind::kEarlyRead, 2))].kind = Kind::kLoad;
      },
      "does not read what the machine reads");
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        graph.edges[find(graph, is(graph, Kind::kEarlyRead, 2))].entry = 1;
      },
      "does not read what the machine reads");
  expect_caught(
      code,
      kPso,
      [](StoreBufferGraph& graph) { remove(graph, find(graph, is(graph, Kind::kLoad, 1))); },
      "is missing");
}

TEST(StoreBufferValidation, FencesWait) {
  TwoStores code;
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        const std::uint32_t fence = find(graph, is(graph, Kind::kFence, 0));
        GraphEdge early = graph.edges[fence];
        early.from = GraphNodeId{};
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
          if (graph.nodes[GraphNodeId{i}].location ==
                  graph.nodes[graph.edges[fence].from].location &&
              pending(graph, GraphNodeId{i}) == 1)
            early.from = GraphNodeId{i};
        ASSERT_TRUE(early.from.is_valid());
        graph.nodes[early.from].out.push_back(static_cast<std::uint32_t>(graph.edges.size()));
        graph.edges.push_back(early);
      },
      "waits for an empty buffer");
}

TEST(StoreBufferValidation, PendingStoresAreKept) {
  TwoStores code;
  // A store is lost on the way.
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        const std::uint32_t store = find(graph, is(graph, Kind::kStore, 1));
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
          if (graph.nodes[GraphNodeId{i}].location == graph.nodes[graph.edges[store].to].location &&
              pending(graph, GraphNodeId{i}) == 1)
            graph.edges[store].to = GraphNodeId{i};
      },
      "another number of pending stores");
  // They have changed places.
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        GraphNode& node = graph.nodes[graph.edges[find(graph, is(graph, Kind::kStore, 1))].to];
        std::swap(node.buffer.entries[0], node.buffer.entries[1]);
      },
      "change their order");
  // The step leads elsewhere.
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        graph.edges[find(graph, is(graph, Kind::kStore, 0))].to = GraphNodeId{0};
      },
      "another location");
  // Another value is kept.
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) { graph.operands[0][0].value = graph.operands[1][0].value; },
      "changes while it waits");
}

TEST(StoreBufferValidation, AStaleRegisterIsFound) {
  Listing code(4);
  write_def_chain(code);
  // The entry holds the register, which is loaded again while the store waits.
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        for (std::vector<transform::EntryOperands>& operands : graph.operands)
          for (transform::EntryOperands& one : operands)
            if (!one.copies.empty()) {
              one.value = one.copies.front().value;
              one.copies.clear();
            }
      },
      "changes while it waits");
  // The copy is never made.
  expect_caught(
      code,
      kPso,
      [](StoreBufferGraph& graph) {
        for (std::vector<transform::EntryOperands>& operands : graph.operands)
          for (transform::EntryOperands& one : operands)
            one.copies.clear();
      },
      "changes while it waits");
}

TEST(StoreBufferValidation, AliasingIsAskedForAtRunTime) {
  // *p = 1; r = *q; end, where both may point to x.
  Listing code(3);
  const ObjectId x = code.maker.global("x");
  const LocalId p = code.local(64), q = code.local(64);
  code.line(0, code.store(code.value(p), code.maker.number(1), x));
  code.line(1, code.load(code.local(32), code.value(q), x));
  code.line(2, Return{});
  expect_valid(code);
  // By the names of registers it would be a load from memory.
  expect_caught(
      code,
      kTso,
      [](StoreBufferGraph& graph) {
        GraphEdge& load = graph.edges[find(graph, is(graph, Kind::kLoad, 1))];
        load.is_guarded = false;
      },
      "does not read what the machine reads");
  for (const Kind kind : {Kind::kLoad, Kind::kComposedLoad})
    expect_caught(
        code,
        kTso,
        [&](StoreBufferGraph& graph) { remove(graph, find(graph, is(graph, kind, 1))); },
        "a load can read what no edge reads");
}

TEST(StoreBufferValidation, StoreStoreFencesKeepTheirOrder) {
  // x = 1; store-store fence; y = 2; end
  Listing code(4);
  const ObjectId x = code.maker.global("x"), y = code.maker.global("y");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, Fence{{}, Fence::Strength::kStoreStore});
  code.line(2, code.store(code.maker.at(y), code.maker.number(2), y));
  code.line(3, Return{});
  expect_valid(code);
  expect_caught(
      code,
      kPso,
      [](StoreBufferGraph& graph) {
        for (GraphNode& node : graph.nodes)
          if (node.buffer.entries.size() == 2) {
            node.buffer.entries[1].epoch = 0;
            node.buffer.epoch = 0;
          }
      },
      "another number of pending stores or fences");
}

} // namespace
} // namespace heddle::check
