// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of small programs for a solver, and a way to look for those that matter.
#pragma once

#include "event_set_fixture.h"
#include "program/events/event_print.h"

namespace heddle::program_test {

/// Without lowering: what drains does not matter to most tests.
inline Events solver_events(const std::string& text) {
  Events made;
  const Result<ir::Module> module = ir::parse(text, "test.hir");
  if (!module) {
    ADD_FAILURE() << module.error().to_string();
    return made;
  }
  Result<Program> program = build(*module, {});
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return made;
  }
  made.program = std::make_unique<Program>(std::move(*program));
  annotate(*made.program, AliasAnalysis::kPointsTo);
  EventSetOptions options;
  options.for_solver = true;
  made.set = make_events(*made.program, options);
  if (!made.set)
    ADD_FAILURE() << made.set.error().to_string();
  return made;
}

/// The events of one kind in a thread, as text.
inline std::vector<std::string> texts(const Events& made, std::uint32_t thread, Kind kind) {
  std::vector<std::string> result;
  for (const EventIndex event : made.of(thread, kind))
    result.push_back(to_text(*made.set, made.at(event)));
  return result;
}

/// The value of a Bool over what events read and chose.
inline bool holds(const Events& made,
                  Term term,
                  const std::map<EventIndex, std::uint64_t>& values,
                  const std::map<std::uint64_t, std::uint64_t>& defined = {}) {
  return made.set->terms.evaluate(term, [&](std::uint64_t number) -> std::uint64_t {
    if (number >= kFirstDefinedVariable) {
      const auto found = defined.find(number - kFirstDefinedVariable);
      return found == defined.end() ? 0 : found->second;
    }
    const auto found = values.find(static_cast<EventIndex>(number - kFirstEventVariable));
    return found == values.end() ? 0 : found->second;
  }) != 0;
}

} // namespace heddle::program_test
