// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a litmus test gives under a model, in the log format of herd that comparison tools read, and
// as JSON. Not concerned with how the states were found.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::report {

/// The name under which an execution that makes the program undefined is flagged.
inline constexpr std::string_view kUndefinedFlag = "*undef*";
/// The name of the flag for a data race in the kernel's model.
inline constexpr std::string_view kRaceFlag = "data-race";

struct LitmusState {
  std::vector<std::pair<std::string, std::string>> values; // "0:EAX" → "1", in the order of the log
  std::uint64_t executions = 1;
  bool satisfies = false; // the proposition, whatever the quantifier says about it
};

struct LitmusResult {
  enum class Quantifier : std::uint8_t { kNone, kExists, kNotExists, kForall };
  std::string test;
  std::string model = {}; // JSON only: the log does not name it
  Quantifier quantifier = Quantifier::kNone;
  std::string condition = {}; // with the quantifier; if empty, "forall (true)"
  std::vector<LitmusState> states = {};
  std::map<std::string, std::uint64_t> flags = {}; // with the number of executions that raise them
  bool complete = true; // false: states may be missing, because a bound on loops was reached
  /// Executions that end with a failed assertion (of a C program) and have no state.
  std::uint64_t failing = 0;
  double seconds = 0; // the log only
  std::optional<std::string> hash = {};
  /// What the test's author says that it gives under this model.
  struct Expected {
    std::string observation; // "Never", "Sometimes", "Always", "DEADLOCK"
    bool has_race = false;
  };
  std::optional<Expected> expected = {};
};

/// How many executions satisfy the proposition, and how many do not.
struct LitmusCount {
  std::uint64_t satisfying = 0;
  std::uint64_t others = 0;
};
[[nodiscard]] LitmusCount count(const LitmusResult& result);
/// "Never", "Sometimes" or "Always" does the proposition hold.
[[nodiscard]] std::string observation(const LitmusResult& result);
/// What was found that contradicts what is expected; nothing if it does not, or if states that are
/// missing might mend it.
[[nodiscard]] std::optional<std::string> contradiction(const LitmusResult& result);
/// Is what the quantifier says true?
[[nodiscard]] bool holds(const LitmusResult& result);
/// Has no execution come to its end, because bounds or limits cut all of them?
[[nodiscard]] bool is_nothing_known(const LitmusResult& result);
/// By the values in their order, as numbers where both are.
void sort_states(std::vector<LitmusState>& states);

/// One test's part of a log, with the empty line after it.
[[nodiscard]] std::string litmus_log(const LitmusResult& result);
[[nodiscard]] nlohmann::ordered_json litmus_json(const LitmusResult& result);

} // namespace heddle::report
