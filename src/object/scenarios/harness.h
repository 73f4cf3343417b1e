// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes a program out of the functions that implement an object: threads that call them in a given
// way, and cells in which the history of the calls stands when all threads have ended. A thread
// marks each response in a set of calls that have returned, and takes a copy of that set at each
// invocation: that is exactly the order histories are judged by, and it makes no difference to the
// calls (program/model/history_mark.h). Knows nothing of objects.
#pragma once

#include "ir/ir.h"
#include "program/model/program.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::object {

struct ScenarioCall {
  std::string function;
  std::optional<std::int64_t> argument = {};
  /// Only if the thread's call before it took place and returned something other than 0.
  bool if_succeeded = false;
};
struct Scenario {
  std::string init = {}; // a function that is called first, or empty
  std::vector<std::vector<ScenarioCall>> threads;
};

/// Where a call takes effect: the last one it passes counts.
struct EffectPlace {
  enum class How : std::uint8_t { kRead, kUpdate, kFlush };
  /// Only of calls that return that value, or only of the others.
  struct Returns {
    std::int64_t value = 0;
    bool is_other = false;
    bool operator==(const Returns&) const = default;
  };
  std::string function;
  std::uint32_t line = 0;
  How how = How::kRead;
  std::optional<Returns> returns = {};
  bool operator==(const EffectPlace&) const = default;
};

/// When a call counts as over.
enum class Responses : std::uint8_t {
  kAtReturn,
  /// When the last of its stores that wait in a store buffer has reached memory, if that is later:
  /// TSO linearizability (Derrick, Smith and Dongol, "Verifying linearizability on TSO
  /// architectures", iFM 2014). At most 8 calls, and only for buffers that are first in, first out.
  kAtLastFlush,
  /// At the return, and the history up to any moment of a run is one: the program may end while
  /// calls are under way. So calls that never return are seen as well.
  kAtReturnSoFar,
  /// A call begins just before, and is over just after, the last of the given accesses that it
  /// passes. So the order of those accesses is what is recorded (of stores: the order in which they
  /// are made, which is not that of their flushes).
  kAtEffect,
};
inline constexpr std::size_t kMaxCallsAtLastFlush = 8;

/// What is recorded of one call, in the order of threads and calls. At most 63 calls.
struct RecordedCall {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// The calls that were over when this one was made; kNever: it was not made. Bit i is call i, and
  /// with kAtLastFlush bit 8 * i.
  std::uint64_t before = kNever;
  std::int64_t result = 0;  // 0 for a function that returns nothing
  bool has_returned = true; // false only with kAtReturnSoFar
  bool had_effect = true;   // false only with kAtEffect: it has passed none of the accesses
  bool operator==(const RecordedCall&) const = default;
};

struct Harness {
  ir::Module module; // with the entry kHarnessEntry, and only what it reaches
  /// The globals that hold the history at the end: for each call `before`, then `result`. With
  /// kAtReturnSoFar also kHarnessReturned, and `before` has kMadeBit if the call was made. With
  /// kAtEffect `before` is kNoEffect if it passed none of the accesses.
  std::vector<std::string> cells;
};
inline constexpr std::uint64_t kMadeBit = std::uint64_t{1} << 63U;
inline constexpr std::uint64_t kNoEffect = kMadeBit;
inline constexpr const char* kHarnessEntry = "__heddle_scenario";
/// The set of calls that have returned; each call reads it once and then updates it.
inline constexpr const char* kHarnessReturned = "__heddle_returned";

/// With kAtEffect and a forbidden history: calls and returns touch it, so that a run shows them.
inline constexpr const char* kHarnessMoment = "__heddle_moment";

/// The origin of values that stand for what is known only later.
inline constexpr const char* kHarnessGuess = "__heddle_guess";

/// The text of the assertion that fails when the history is `forbidden`.
inline constexpr const char* kHarnessAssertion = "the history is not the one looked for";

/// With `forbidden`, an assertion at the end fails if that is the history: what finds the run
/// again. A run in which an assertion of the program itself fails does not count. `effects` are for
/// kAtEffect; all `returns` among them have one value. A function that cannot be called so is an
/// error (HAR-001 … HAR-003), as is a place without such an access (HAR-004).
[[nodiscard]] Result<Harness>
make_harness(const ir::Module& module,
             const Scenario& scenario,
             Responses responses = Responses::kAtReturn,
             const std::optional<std::vector<RecordedCall>>& forbidden = {},
             const std::vector<EffectPlace>& effects = {});

/// kAtLastFlush asks whether a call has made stores that can be delayed. The harness notes all
/// stores; when alias analysis has told which of them others can see, this drops the notes of those
/// that nobody can. To be called on an annotated program; leaves others as they are.
void drop_notes_of_private_stores(program::Program& program);

} // namespace heddle::object
