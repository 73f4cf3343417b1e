// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The making of a procedure for SC from a store-buffer graph: nodes and choices in
// store_buffer_graph_program.cpp, loads and stores in store_buffer_graph_accesses.cpp.
#pragma once

#include "transform/buffers/store_buffer_graph.h"
#include "transform/buffers/store_buffer_graph_overlap.h"
#include "transform/buffers/store_buffer_graph_quiet.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::transform {

class Emission {
public:
  Emission(program::Program& program,
           program::ProcedureId source,
           const StoreBufferGraph& graph,
           const StoreBufferOptions& options,
           const program::ObjectBits* written_by_others);

  ReducedProcedure run();

private:
  using Origin = ReducedOrigin;
  using Action = program::Action;
  using LocalId = program::LocalId;
  using LocationId = program::LocationId;
  using Term = program::Term;

  // Building blocks.
  LocationId new_location(SourceLoc loc);
  void edge(LocationId from, LocationId to, Action action, SourceLoc loc, Origin origin = {});
  /// Two ways from a location; gives where the condition holds, and where it does not.
  std::pair<LocationId, LocationId> branch(LocationId from, Term condition, SourceLoc loc);
  /// A local for what is used up at once; one for each width.
  LocalId scratch(unsigned width);
  LocalId second_byte();
  Term value_of(LocalId local);
  /// Where a run has ended.
  LocationId end();
  [[nodiscard]] const program::Store& store_of(const SymbolicEntry& entry) const;
  [[nodiscard]] const EntryOperands& operands_of(const SymbolicEntry& entry) const;
  [[nodiscard]] ByteRange range_of(const SymbolicEntry& entry) const;
  [[nodiscard]] static Origin step_of(std::uint32_t index) {
    return {Origin::Kind::kStep, index, 0};
  }

  // Nodes.
  void emit_node(GraphNodeId at);
  /// One of the flushes, or the thread's own step if it can be taken.
  void choose(const GraphNode& node,
              LocationId here,
              const std::vector<const GraphEdge*>& flushes,
              const std::vector<const GraphEdge*>& steps,
              bool is_outside);
  void emit_flush(const GraphNode& node,
                  LocationId here,
                  const std::vector<const GraphEdge*>& flushes,
                  std::size_t way);
  /// `is_outside`: a store is known to lie outside all globals.
  void emit_steps(const GraphNode& node,
                  LocationId here,
                  const std::vector<const GraphEdge*>& steps,
                  bool is_outside = false);

  // Memory.
  /// Is the address one of an object that must not be written? Only asked where that can be.
  Term is_constant_object(const program::Store& store);
  void emit_store(
      const GraphNode& node, LocationId here, std::uint32_t index, LocationId to, bool is_outside);
  /// Enters the buffer: no step that anybody sees.
  void emit_buffering(const GraphNode& node, LocationId here, std::uint32_t index, LocationId to);
  [[nodiscard]] Action buffering(const Origin& origin) const;
  void emit_load(const GraphNode& node,
                 LocationId here,
                 std::uint32_t index,
                 const program::Load& load,
                 LocationId to);
  void emit_early(const SymbolicEntry& entry,
                  unsigned distance,
                  LocationId here,
                  std::uint32_t index,
                  const program::Load& load,
                  LocationId to);
  void assign(LocationId here,
              LocationId to,
              std::uint32_t index,
              const program::Load& load,
              Term value,
              Term marks,
              Origin origin);
  void emit_composed(const GraphNode& node,
                     LocationId here,
                     std::uint32_t index,
                     const program::Load& load,
                     LocationId to);
  struct Held {
    Term is_held;
    Term byte;
  };
  /// The i-th wanted byte in an entry, if it is there.
  Held byte_of(const SymbolicEntry& entry, const ByteRange& wanted, unsigned i);

  program::Program& program_;
  logic::TermStore& terms_;
  const program::Procedure source_; // a copy: the program's own is about to be replaced
  const StoreBufferGraph& graph_;
  const StoreBufferOptions& options_;
  QuietSteps quiet_;
  ReducedProcedure result_;
  std::vector<LocationId> places_;      // by node
  std::map<unsigned, LocalId> scratch_; // by width
  LocalId second_byte_;
  LocationId end_;
};

} // namespace heddle::transform
