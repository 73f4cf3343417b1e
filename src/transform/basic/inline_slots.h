// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which locals in memory (frame slots) can move to the frame of a caller, and what is left of them
// in an inlined body. Not for slots whose end somebody could notice: those keep their frames.
#pragma once

#include "program/model/program.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::transform {

/// A slot moves if its address is gone with its frame, and no other thread ever has it: then all
/// steps on it are local, nothing waits for it in a store buffer, and the only trace of its end is
/// that the next call finds it unwritten.
class MovableSlots {
public:
  /// Looks at the whole program, which must be annotated and have no body inlined yet.
  explicit MovableSlots(const program::Program& program);

  /// Have all slots of the procedure a place before its first other step, and can they move?
  [[nodiscard]] bool can_move(const program::Procedure& callee) const;

private:
  std::vector<bool> is_fixed_; // by object
};

/// The slots of procedures that were inlined, in the frames of those that now contain them. Two
/// activations of one procedure without recursion are never alive together in a thread: a frame has
/// each slot once.
class MovedSlots {
public:
  explicit MovedSlots(program::Program& program) : program_(program) {}

  /// The local of `caller` that holds the address of the slot; allocated at its entry when it is
  /// asked for the first time.
  program::LocalId
  address(program::ProcedureId caller, const program::Allocate& slot, SourceLoc loc);

  /// Edges that make the slots unwritten again, from a new location to `to`; returns that location
  /// (`to` itself if there are no slots). They are copies of memory that was never written, so that
  /// no engine needs to know more than how those are made.
  program::LocationId forget(program::ProcedureId caller,
                             const std::vector<program::Allocate>& slots,
                             program::LocationId to,
                             SourceLoc loc);

private:
  program::ObjectSetId only(program::ObjectId object);
  program::LocalId local(program::ProcedureId caller, const char* name, unsigned width);

  program::Program& program_;
  std::map<std::pair<program::ProcedureId, program::ObjectId>, program::LocalId> addresses_;
  std::map<std::tuple<program::ProcedureId, std::string, unsigned>, program::LocalId> locals_;
  program::ObjectId blank_ = {}; // a slot that nobody ever writes
};

/// The slots that the procedure allocates.
[[nodiscard]] std::vector<program::Allocate> slots_of(const program::Procedure& procedure);

} // namespace heddle::transform
