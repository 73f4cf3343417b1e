// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The way to a violation as both witness formats tell it: places of the source that threads pass,
// in the order of the run, and where the violation is. What makes it a witness:
//
//   Every item is an event of the replayed run, and the items are in the order of the run. A thread
//   passes the beginning of a statement between its last visible action before the statement and
//   the first one in it; all it does in between is local, so the time can be chosen: just before
//   the first visible action. A validator that takes each item at the first occasion is never later
//   than the run, so the run is among the executions the witness describes. Items that demand a
//   value must not be met at an occasion before the one that is meant. So all creations of threads
//   and all choices of values at a place are in, not some; with them the first occasion is the
//   right one. No values are demanded at statements.
#pragma once

#include "report/subject.h"
#include "report/witness/witness.h"
#include "report/witness/witness_source.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct WitnessPlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0; // 0: the first place of the line that is suitable
  std::string function;
  bool operator==(const WitnessPlace&) const = default;
};

struct PathItem {
  enum class Kind : std::uint8_t {
    kStatement, // the thread reaches the statement
    kCreate,    // the thread creates another one; the place is the call
    kReturn,    // a call returns a value that was chosen; the place is the call
  };
  Kind kind = Kind::kStatement;
  unsigned thread = 0; // 0 is the initial thread, k the k-th that was created in the run
  WitnessPlace place = {};
  unsigned created = 0;      // kCreate
  std::string function = {}; // kCreate: what the new thread runs; kReturn: which was called
  std::string value = {};    // kReturn: a C constant
};

/// One thread of the violation and where it stands.
struct PathTarget {
  unsigned thread = 0;
  WitnessPlace place = {};
};

struct ViolationPath {
  std::vector<PathItem> items = {};
  std::vector<PathTarget> targets = {}; // one; a race: two; a deadlock: each thread that waits
  bool has_threads = false;             // some were created
  std::size_t flushes = 0; // writes that waited in a store buffer: no format can tell of them
};

/// Of a confirmed violation. Fails if its place in the source is not known, or that of a creation.
[[nodiscard]] Result<ViolationPath> violation_path(const verdict::Violation& violation,
                                                   const Subject& subject,
                                                   const WitnessTask& task);

} // namespace heddle::report
