// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A harness that records moments of calls by ordinary accesses, so that every engine can run it:
// one more thread turns a clock, and a thread that calls or returns reads it. A load is never
// delayed, waits for nothing in a store buffer and empties none; later accesses of the thread come
// later. So it happens when the call does, under SC, TSO and PSO alike. What is read tells too
// little at times (two moments between two ticks), never too much; and for every run there is one
// whose clock ticks where it matters. That is enough for questions that get no easier to answer
// with yes when less is known of the order.
//
// A marker of a call in the store buffer is a store to a byte of the thread's own beside the clock.
// A tick is one atomic step that also tells which markers are in memory.
#pragma once

#include "ir/ir.h"
#include "object/scenarios/harness.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::object {

/// A moment of a call, by the number of the call.
struct CallMoment {
  enum class What : std::uint8_t { kCall, kReturn, kCallFlushed, kReturnFlushed, kEffect };
  std::uint32_t call = 0;
  What what = What::kCall;
  bool operator==(const CallMoment&) const = default;
};
struct CallPrecedence {
  CallMoment first;
  CallMoment second;
  bool operator==(const CallPrecedence&) const = default;
};
struct CallResult {
  bool was_made = true;
  /// With effects: whether it has passed one of the places.
  bool had_effect = true;
  /// If stores are noted: whether it has made some that others can see.
  bool has_stored = false;
  std::int64_t value = 0; // 0 for a function that returns nothing
  bool operator==(const CallResult&) const = default;
};
/// Results that are known, and which precedences must not be seen with them: all of one set.
struct KnownResults {
  std::vector<CallResult> calls;
  std::vector<std::vector<CallPrecedence>> forbidden;
};

struct ClockPlan {
  enum class Ask : std::uint8_t {
    kList,  // no assertion: the cells tell
    kTimes, // nor is anything looked at: whoever reads the cells does that (saw_forbidden)
    kOther, // an assertion fails if the results are not known, or with precedences forbidden
    kShow,  // it fails if they are the first ones known with precedences forbidden
  };
  Ask ask = Ask::kList;
  std::vector<KnownResults> known;
  std::vector<EffectPlace> effects; // if not empty, effects are recorded
  bool notes_stores = false;        // whether calls have stored is recorded
};

struct ClockHarness {
  ir::Module module; // with the entry kHarnessEntry, and only what it reaches
  /// For each call the globals with its times and its result. An empty name: always made, and 0.
  std::vector<std::string> times;
  std::vector<std::string> results;
  std::vector<std::string> effects;
  std::vector<std::string> stores;
  std::vector<std::string> cells; // all of them; with kList also kHarnessForbidden
};
inline constexpr const char* kHarnessClock = "__heddle_clock";
/// 1 if precedences were seen that are forbidden with the results.
inline constexpr const char* kHarnessForbidden = "__heddle_forbidden";
inline constexpr std::size_t kMaxThreadsWithMarkers = 7; // bytes of a word, less the clock

/// Errors as those of make_harness; HAR-004 for a place without such an access.
[[nodiscard]] Result<ClockHarness>
make_clock_harness(const ir::Module& module, const Scenario& scenario, const ClockPlan& plan);

/// What kHarnessForbidden would be, from what the cells with times hold. For precedences of calls
/// and returns.
[[nodiscard]] bool saw_forbidden(const KnownResults& known,
                                 const std::vector<std::optional<std::uint64_t>>& times);

/// What the cells say of a call.
[[nodiscard]] CallResult call_result(std::optional<std::uint64_t> times,
                                     std::optional<std::uint64_t> result,
                                     std::optional<std::uint64_t> effect,
                                     std::optional<std::uint64_t> stored = {});

} // namespace heddle::object
