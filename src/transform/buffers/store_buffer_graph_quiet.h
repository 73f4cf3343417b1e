// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Before which steps of its own thread a flush need not be offered. A flush commutes with
// everything its own thread does that neither reads what others write, nor waits, nor may end the
// run; it can be put off until after those steps, as long as every cycle offers it once.
#pragma once

#include "program/analyse/future_effects.h"
#include "transform/buffers/store_buffer_graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::transform {

/// By procedure: the objects that threads other than one that runs the procedure may write. A
/// procedure that more than one thread may run counts among the others.
[[nodiscard]] IdVector<program::ProcedureId, program::ObjectBits>
written_by_others(const program::Program& program);

class QuietSteps {
public:
  /// All outlive it. `written_by_others` may be null: then anything may be written.
  QuietSteps(program::Program& program,
             const program::Procedure& source,
             const PendingStores& stores,
             const StoreBufferOptions& options,
             const program::ObjectBits* written_by_others);

  /// Does a flush commute with the edge, whatever other threads do in between?
  [[nodiscard]] bool is_quiet(std::uint32_t edge) const;
  /// If not always: where the condition holds it does.
  [[nodiscard]] std::optional<program::Term> quiet_if(std::uint32_t edge);
  /// Where a cycle of edges at which nothing is offered offers it once.
  [[nodiscard]] bool is_head(program::LocationId location) const {
    return is_head_[location.index()];
  }
  /// Is it known without looking that the store is one to live memory? Inside a global it is.
  [[nodiscard]] bool is_surely_valid(const program::Store& store) const;
  /// Holds only where the store lies inside a global that may be written; nothing where that says
  /// nothing.
  [[nodiscard]] std::optional<program::Term> is_inside_globals(const program::Store& store);

private:
  [[nodiscard]] bool
  is_surely_valid(program::Term address, const program::Access& access, bool writes) const;
  [[nodiscard]] std::optional<program::Term>
  is_inside_globals(program::Term address, const program::Access& access, bool writes);
  [[nodiscard]] std::optional<program::Term>
  is_in_same_global(const program::CheckNeighbourhood& check);
  /// Is what it reads the same whenever it reads?
  [[nodiscard]] bool reads_own(const program::Load& load) const;
  [[nodiscard]] bool may_be_quiet(std::uint32_t edge) const;
  void mark_heads();

  program::Program& program_;
  const program::Procedure& source_;
  const PendingStores& stores_;
  const StoreBufferOptions& options_;
  const program::ObjectBits* written_by_others_;
  std::vector<bool> is_head_; // by location
};

} // namespace heddle::transform
