// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The one program model: procedures as control-flow automata over actions, objects of bytes, and
// the thread that runs first. Loops, recursion and creation of threads are intact; engines and
// transforms bound them. Built by build.h.
#pragma once

#include "program/model/action.h"
#include "program/model/address_space.h"
#include "support/approximation.h"
#include "support/source_loc.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::program {

/// Memory with a name: a global (one instance), a thread-local (one per thread), or what an
/// allocation site or a frame slot makes (any number; such an object only names the site).
struct Object {
  enum class Kind : std::uint8_t { kGlobal, kThreadLocal, kHeapSite, kFrameSite };
  std::string name;
  Kind kind = Kind::kGlobal;
  std::uint64_t size = 0; // sites: 0 if not constant
  std::uint32_t align = 1;
  std::vector<std::uint8_t> initial = {}; // `size` bytes with addresses resolved; empty for sites
  bool is_constant = false;
  /// Globals: the unit it starts in. Thread-locals: the unit of thread 0's instance (thread t: unit
  /// + t * units_for(size)).
  std::uint64_t unit = 0;
  /// Frame sites: who may know the address after the frame has ended. Set by program/alias.
  enum class Dangling : std::uint8_t { kNever, kOwnThread, kAnyThread };
  Dangling dangling = Dangling::kAnyThread;
  std::uint8_t scalar_bits = 0; // for printing values; 0 = not a scalar
  bool scalar_signed = false;
  std::vector<ir::Part> parts = {}; // elements and fields, for printing addresses
  SourceLoc loc = {};
};

struct Local {
  std::string name; // the C variable, or empty
  std::uint8_t width = 64;
  SourceLoc loc = {};
};

struct Edge {
  LocationId from;
  LocationId to;
  Action action;
  SourceLoc loc;
};

struct Location {
  std::vector<std::uint32_t> out = {}; // indices into Procedure::edges, in order
  SourceLoc loc = {};
  /// Stable across edits elsewhere: procedure, normalised text, ordinal. Empty until assign_keys
  /// (control_flow.h) is called, for results that carry over to edited programs.
  std::string key = {};
  bool is_loop_head = false;
};

/// ProcedureId n is at address AddressSpace::function_address(n). A location without out-edges is
/// the end: nothing stands there any more (its in-edges are returns, exits, cuts and the like).
struct Procedure {
  std::string name;
  std::vector<LocalId> parameters;
  std::uint8_t result_width = 0; // 0: void
  IdVector<LocalId, Local> locals;
  IdVector<LocationId, Location> locations;
  std::vector<Edge> edges;
  LocationId entry;
  SourceLoc loc = {};
};

/// A thread that can be started: by the system (the initial one) or by a create.
struct ThreadTemplate {
  ProcedureId entry;
  std::string name;
};

/// The tags of the accesses that synchronisations make: the update of a lock, the release write of
/// an unlock, a create or the end of a thread, the acquire read of a start or a join, the update
/// that gives something back (a semaphore, a read-write lock), the one that meets others at a
/// barrier. Machines with store buffers empty them at X.
struct SynchronizationTags {
  std::vector<std::string> lock = {"X"};
  std::vector<std::string> release = {"X"};
  std::vector<std::string> acquire = {"X"};
  std::vector<std::string> give = {"X"};
  std::vector<std::string> meet = {"X"};
};

struct Program {
  ir::DataModel data_model = ir::DataModel::kLP64;
  std::vector<std::string> files = {""};
  logic::TermStore terms;
  IdVector<ObjectId, Object> objects;
  IdVector<ProcedureId, Procedure> procedures;
  std::vector<ThreadTemplate>
      templates; // 0 is the initial thread's; one per procedure a create may start
  /// Sorted sets of objects, interned; Access::may points here.
  IdVector<ObjectSetId, std::vector<ObjectId>> object_sets;
  std::string vocabulary = "c11"; // of memory::Vocabulary
  bool is_lowered = false;        // lower() made it from C; otherwise it was written as it is
  /// C that is still to be compiled: which dependencies of it remain is up to the compiler, where
  /// those of a litmus test are those of the text. Set by whoever reads files.
  bool is_compiled = false;
  /// May it matter which number a thread has got? (It only can where handles serve again.)
  bool tells_handles = true;
  SynchronizationTags synchronization = {};
  Approximations approximations = {};

  [[nodiscard]] AddressSpace space() const { return AddressSpace::of(data_model); }
  [[nodiscard]] unsigned pointer_bits() const {
    return data_model == ir::DataModel::kILP32 ? 32 : 64;
  }
  /// "file.c:12" or "unknown place".
  [[nodiscard]] std::string place(SourceLoc loc) const;
};

/// May the action affect another thread, or be affected by one? The others are local and need no
/// interleaving.
[[nodiscard]] bool is_visible(const Action& action);

} // namespace heddle::program
