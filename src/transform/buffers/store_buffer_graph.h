// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store-buffer graphs (O. Travkin, Weak2SC, 2017): a thread under TSO or PSO becomes a thread under
// SC whose program counter is a pair (location, symbolic buffer). A store becomes a step without
// effect on memory, a flush becomes a store, a load of what is pending becomes an assignment.
//
// The published method compares addresses by the names of registers, which is unsound both ways;
// here entries whose addresses cannot be compared statically are compared when the program runs,
// byte by byte. It also wants registers that are assigned once; here an entry whose operands are
// assigned again while it is pending holds them in locals of its own.
//
// The graph is the picture (counts, drawings); program_of makes the procedure engines run.
#pragma once

#include "memory/model.h"
#include "program/analyse/future_effects.h"
#include "program/model/program.h"
#include "program/run/interpreter.h"
#include "support/result.h"
#include "transform/basic/transform.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::transform {

/// A store that waits: the edge that issued it, which of the edge's entries it is (more than one at
/// a time only under a bound on pending stores), and how many store-store fences came before.
struct SymbolicEntry {
  std::uint32_t store = 0;
  std::uint32_t instance = 0;
  std::uint32_t epoch = 0;
  auto operator<=>(const SymbolicEntry&) const = default;
};
struct SymbolicBuffer {
  std::vector<SymbolicEntry> entries; // oldest first
  std::uint32_t epoch = 0;            // of the next store; 0 whenever empty
  auto operator<=>(const SymbolicBuffer&) const = default;
};

/// The instance the next entry of the store gets.
[[nodiscard]] std::uint32_t next_instance(const SymbolicBuffer& buffer, std::uint32_t store);

using GraphNodeId = Id<struct GraphNodeTag>;

struct GraphNode {
  program::LocationId location;
  SymbolicBuffer buffer;
  std::vector<std::uint32_t> out = {}; // indices into StoreBufferGraph::edges
};

struct GraphEdge {
  enum class Kind : std::uint8_t {
    kLocal,
    kLoad,         // from memory
    kEarlyRead,    // from `entry`
    kComposedLoad, // some bytes from entries, the others from memory
    kStore,        // into the buffer
    kFlush,        // of `entry`
    kFence,        // whatever waits for an empty buffer
    kAllocate,
    kCut, // the bound on pending stores
  };
  GraphNodeId from;
  GraphNodeId to;
  Kind kind = Kind::kLocal;
  std::uint32_t origin = 0; // the procedure's edge; kFlush: of the store
  std::uint32_t entry = 0;  // index into the buffer of `from`
  bool is_guarded = false;  // taken only if addresses compare so when the program runs
};

/// The operands of an entry, as terms that keep their values while it is pending.
struct EntryOperands {
  program::Term address;
  program::Term value;                      // of 8 * size bits
  std::vector<program::Assign> copies = {}; // made when the store is issued
};

/// What is known of the stores of a procedure before any graph is built.
struct PendingStores {
  /// By edge; false for all that are no delayed store.
  std::vector<bool> is_delayed;
  /// An operand is assigned again, on some path, while the store may be pending (a write-def
  /// chain).
  std::vector<bool> redefines_address;
  std::vector<bool> redefines_value;
  /// On a cycle that never empties the buffer, with the edges of one such cycle, itself first.
  std::vector<std::vector<std::uint32_t>> cycle;
};
[[nodiscard]] PendingStores find_pending_stores(const program::Program& program,
                                                const program::Procedure& procedure);
/// Does the machine carry the action out only on an empty buffer?
[[nodiscard]] bool waits_for_empty_buffer(const program::Action& action);

struct StoreBufferGraph {
  IdVector<GraphNodeId, GraphNode> nodes; // 0 is the entry
  std::vector<GraphEdge> edges;
  PendingStores stores;
  /// [edge of a delayed store][instance]
  std::vector<std::vector<EntryOperands>> operands;
  [[nodiscard]] std::size_t count(GraphEdge::Kind kind) const;
};

struct StoreBufferOptions {
  memory::MachineKind machine = memory::MachineKind::kTotalStoreOrder;
  /// Stores that may be pending in one thread; a run that needs more is cut there. 0: any number,
  /// and a loop that stores without ever emptying the buffer is refused.
  std::uint32_t pending = 0;
  /// Offer flushes in the program only where another thread could tell; otherwise at every
  /// location, as published. (The graph has them everywhere.)
  bool defers_flushes = true;
  /// Where the graph starts, and what is pending there: edges of the procedure that store. Invalid:
  /// at the entry with nothing. (Of one procedure only: for build_graph.)
  program::LocationId start = {};
  std::vector<std::uint32_t> pending_at_start = {};
  /// Is given each graph that is made, with the program whose procedure it is of; an error ends the
  /// transform.
  std::function<Status(const program::Program&, program::ProcedureId, const StoreBufferGraph&)>
      inspect = {};
  /// How runs are replayed: which steps a schedule speaks of depends on it.
  program::InterpreterOptions replay = {};
};

/// Of a procedure without calls. Adds locals for copied operands to the procedure, and terms to the
/// program; all else stays.
[[nodiscard]] Result<StoreBufferGraph> build_graph(program::Program& program,
                                                   program::ProcedureId procedure,
                                                   const StoreBufferOptions& options);

/// Colours as in the literature: grey local, green load, red store, brown flush, blue fence, yellow
/// allocation; entry and exit blue. A graph of its own, or a part of one (then names of nodes are
/// unique by the procedure's).
enum class DotForm : std::uint8_t { kGraph, kCluster };
[[nodiscard]] std::string to_dot(const program::Program& program,
                                 const program::Procedure& procedure,
                                 const StoreBufferGraph& graph,
                                 DotForm form = DotForm::kGraph);
struct LegendEntry {
  std::string_view html_colour;
  std::string_view meaning;
};
[[nodiscard]] std::vector<LegendEntry> legend();

/// Where an edge of the reduced program comes from.
struct ReducedOrigin {
  enum class Kind : std::uint8_t { kNone, kStep, kFlush };
  Kind kind = Kind::kNone;
  std::uint32_t edge = 0;     // of the source; kFlush: of the store
  std::uint32_t instance = 0; // of a store
};
struct ReducedProcedure {
  program::Procedure procedure;
  std::vector<ReducedOrigin> origins; // by edge
};
/// The thread under SC. Flushes are offered where another thread could tell, that is before what is
/// visible, before the end of a run, and once around every loop. `written_by_others`: objects that
/// other threads may write; null is all.
[[nodiscard]] ReducedProcedure program_of(program::Program& program,
                                          program::ProcedureId source,
                                          const StoreBufferGraph& graph,
                                          const StoreBufferOptions& options,
                                          const program::ObjectBits* written_by_others = nullptr);

/// How much of the method a program needed.
struct ReductionSize {
  std::size_t nodes = 0;
  std::size_t edges = 0;
  std::size_t early_reads = 0;
  std::size_t guarded = 0;       // edges that compare addresses when the program runs
  std::size_t copied_stores = 0; // with an operand that is assigned again while pending
};

/// The code of the refusal of a loop that stores without ever emptying the buffer.
inline constexpr const char* kUnfencedLoopCode = "SBG-001";

/// Programs for the machine, without calls (transform/basic/inline), to programs for SC.
[[nodiscard]] std::unique_ptr<Transform> store_buffer_graph(const StoreBufferOptions& options);
/// The same, with what it took.
struct Reduction {
  Transformed transformed;
  ReductionSize size;
};
[[nodiscard]] Result<Reduction> reduce(const program::Program& source,
                                       const StoreBufferOptions& options);

} // namespace heddle::transform
