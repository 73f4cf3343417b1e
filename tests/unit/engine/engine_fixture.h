// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From ir text to a verdict, and a reference explorer without any cleverness to compare with.
#pragma once

#include "engine/explicit/explicit.h"
#include "memory/machine/machine.h"
#include "memory/model.h"
#include "program/model/program.h"
#include "spec/task.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <variant>

namespace heddle::engine_test {

/// A program lowered for a model, with the task about it.
struct Built {
  std::unique_ptr<program::Program> program;
  spec::Task task;
};

/// Fails the test if the text is no program.
[[nodiscard]] Built
build(const std::string& text, const std::string& model, spec::Question question);

/// Runs the engine; a violation must be confirmed by check/, else the test fails.
[[nodiscard]] verdict::Verdict
run(const Built& built, const engine::ExplicitOptions& options = {}, Budget budget = {});

/// "proved", "bounded", "violated", "unknown", "outcomes"
[[nodiscard]] std::string kind_of(const verdict::Verdict& verdict);
[[nodiscard]] std::uint64_t states_of(const verdict::Verdict& verdict);

/// What plain exploration finds.
struct Reference {
  std::set<verdict::Outcome> outcomes;
  std::set<program::FaultKind> faults;
  bool has_deadlock = false;
  bool leaks = false; // at the end of some run
  bool leaves_blocks = false;
  bool has_adjacent_race = false;
  std::uint64_t states = 0;
  bool is_complete = true; // within `max_states`
};
[[nodiscard]] Reference
explore(const Built& built, std::uint64_t max_states, const std::set<std::string>& observed);

/// Names of the globals an Enumerate without names observes.
[[nodiscard]] std::set<std::string> observed_globals(const program::Program& program);

} // namespace heddle::engine_test
