// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The ways in which threads may use an object, up to a number of threads and of operations each,
// small ones first. Threads are interchangeable: of scenarios that differ only in which thread does
// what, one is made.
#pragma once

#include "history/history.h"
#include "history/object.h"
#include "object/scenarios/harness.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heddle::object {

struct ScenarioSpace {
  /// What threads may do: thread i does the units of roles[i], or of the last role if there are
  /// fewer. Threads of one role are interchangeable.
  std::vector<std::vector<history::Unit>> roles;
  std::map<std::string, std::string> functions; // of methods
  std::string init;
  std::uint32_t threads = 2;
  std::uint32_t units = 2;      // of each thread
  std::uint32_t keys = 2;       // values of arguments that are keys
  std::int64_t first_value = 1; // of arguments that are unique
};

struct PlannedScenario {
  Scenario scenario;
  /// The operations in the order of the harness's calls, not returned yet.
  std::vector<history::Operation> operations;
  std::uint32_t threads = 0;
};

/// Calls `visit` for each, until it says false.
void for_each_scenario(const ScenarioSpace& space,
                       const std::function<bool(const PlannedScenario&)>& visit);

/// "push(1); pop() || pop()"
[[nodiscard]] std::string to_string(const PlannedScenario& planned);

} // namespace heddle::object
