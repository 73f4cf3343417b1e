// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A history of operations on one concurrent object: who called what, what came back, and which
// operations had returned when another was invoked. Only that order counts for linearizability and
// its relatives (Herlihy and Wing 1990, section 2), so it is kept instead of the sequence of
// events: histories that differ in nothing else are one. Knows no program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::history {

/// A set of operations of one history: bit i is operation i.
using OperationSet = std::uint64_t;
inline constexpr std::size_t kMaxOperations = 64;
[[nodiscard]] constexpr OperationSet only(std::size_t operation) {
  return OperationSet{1} << operation;
}

struct Operation {
  std::uint32_t thread = 0;
  std::string method;
  std::optional<std::int64_t> argument = {};
  bool has_returned = false; // otherwise it is pending
  /// What it returned; none for a function that returns nothing.
  std::optional<std::int64_t> result = {};
  /// How many bits of the result the function's type has: 255 and -1 are the same eight.
  unsigned result_bits = 64;
  /// For TSO linearizability: it has made stores, and is over when they are in memory.
  bool has_stored = false;
  bool operator==(const Operation&) const = default;
};

struct History {
  std::vector<Operation> operations; // at most kMaxOperations; those of one thread in their order
  /// For each operation those that had returned when it was invoked. A pending operation is in
  /// none.
  std::vector<OperationSet> before;
  bool operator==(const History&) const = default;
};

struct Event {
  enum class Kind : std::uint8_t { kInvocation, kResponse };
  Kind kind = Kind::kInvocation;
  std::uint32_t operation = 0;
  bool operator==(const Event&) const = default;
};

/// The history of a sequence of events. Operations without a response are marked as pending;
/// operations without an invocation must not be there.
[[nodiscard]] History from_events(std::vector<Operation> operations,
                                  const std::vector<Event>& events);
/// A sequence of events with that order: where only the order counts, invocations come early and
/// responses late.
[[nodiscard]] std::vector<Event> to_events(const History& history);

/// Which order of the history an explanation has to keep.
enum class Criterion : std::uint8_t {
  kLinearizable, // an operation that returned before another was invoked comes before it
  kQuiescent,    // … only if in between there was a moment without any operation under way
  kSequential,   // only the order of each thread
};
/// The same operations with the order that the criterion keeps.
[[nodiscard]] History with_order_of(History history, Criterion criterion);

/// Has it returned this value, as far as the type of its result can tell?
[[nodiscard]] bool has_returned_value(const Operation& operation, std::int64_t value);

/// "push(1)", "pop() = 1", "pop() pending"
[[nodiscard]] std::string to_string(const Operation& operation);

} // namespace heddle::history
