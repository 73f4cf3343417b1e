// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is answered, with evidence: the result of every engine. A verdict is only as strong as its
// approximations allow (settle.h decides), and says what was never reached so that a vacuous proof
// is seen.
#pragma once

#include "execution/execution.h"
#include "execution/run.h"
#include "program/model/fact.h"
#include "spec/task.h"
#include "support/approximation.h"
#include "support/budget.h"
#include "verdict/certificate.h"
#include "verdict/evidence.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::verdict {

/// Two accesses of one run, unordered by happens-before: indices of steps.
struct Race {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};
/// The threads (bit mask) that wait for each other at the end of the run.
struct Deadlock {
  std::uint64_t threads = 0;
  bool is_partial = false;
};
/// The run's execution has a cycle in po ∪ rf ∪ co ∪ fr.
struct NotRobust {};
/// The run ends in a fault of the property.
struct FaultReached {};
using ViolationKind = std::variant<FaultReached, Race, Deadlock, NotRobust>;

struct Violation {
  spec::Property property = spec::Property::kReach;
  ViolationKind kind;
  execution::Schedule schedule;
  /// Filled by check/ when it has replayed the schedule; nothing is printed before that.
  std::optional<execution::Run> run;
  Evidence evidence; // with it, for reports
  /// Instead of a schedule, under a model that has no machine.
  std::optional<execution::Execution> execution = {};
};

struct Proved {
  Proof proof;
  std::optional<Certification> certification = {};
};
/// No violation within bounds that were gone through to their end. It names what they cut, which is
/// never nothing: only `within_bounds` and `settle` (settle.h) make one.
class HoldsWithinBounds {
public:
  /// Which bound stopped what; not empty.
  [[nodiscard]] const std::vector<std::string>& bounds() const { return bounds_; }
  /// Why larger bounds were not gone through; empty where nobody asked for them.
  [[nodiscard]] const std::string& ended() const { return ended_; }

private:
  friend class BoundedAnswer; // settle.cpp
  HoldsWithinBounds(std::vector<std::string> bounds, std::string ended)
      : bounds_(std::move(bounds)), ended_(std::move(ended)) {}

  std::vector<std::string> bounds_;
  std::string ended_;
};
struct Violated {
  Violation violation;
};
struct Unknown {
  enum class Reason : std::uint8_t {
    kTime,
    kMemory,
    kInterrupted,
    kUnsupported, // a run comes to something that is not supported
    kRefused,     // the program itself, or with these bounds, cannot be asked about
    kUndefinedBehaviour,
    kNondeterminism,
    kApproximation,
    kNoEngine,
  };
  Reason reason = Reason::kUnsupported;
  std::string why;
  std::string help;
};
/// One final state: the value of each observed global.
using Outcome = std::map<std::string, std::uint64_t>;
struct Outcomes {
  std::vector<Outcome> states; // sorted, each once
  bool complete = false;
  /// How many executions end in each of the states; empty if they were not counted.
  std::vector<std::uint64_t> executions = {};
  /// Flags a model raised, with the number of executions that raise them.
  std::map<std::string, std::uint64_t> flags = {};
  /// Executions in full, as many as were asked for, each with the index of its state.
  struct Kept {
    execution::Execution execution;
    std::size_t state = 0;
    std::vector<std::string> flags = {};
  };
  std::vector<Kept> kept = {};
};
using Answer = std::variant<Proved, HoldsWithinBounds, Violated, Unknown, Outcomes>;

/// What an exhausted search never saw.
struct NeverReached {
  std::vector<SourceLoc> assertions;
  std::vector<std::string> threads; // templates never started
  bool no_run_completes = false;
  /// There are some, and it is all of them.
  bool no_assertion = false;
  bool no_thread = false;

  void forget_assertions() {
    assertions.clear();
    no_assertion = false;
  }
};

struct Statistics {
  std::map<std::string, double> counters; // "states", "transitions", "bytes per state", …
};

struct [[nodiscard]] Verdict {
  Answer answer;
  Approximations approximations;
  program::Facts facts;
  std::optional<NeverReached> never_reached;
  Statistics statistics;
  std::string engine;
};

} // namespace heddle::verdict
