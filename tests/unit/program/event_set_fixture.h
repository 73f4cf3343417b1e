// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of small programs: litmus tests, a few lines of assembly, or ir text.
#pragma once

#include "driver/pipeline/litmus.h"
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/test.h"
#include "ir/parse.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/events/event_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

namespace heddle::program_test {

using namespace program; // NOLINT(google-build-using-namespace)
using Kind = StaticEvent::Kind;

/// The events of a program that it keeps alive.
struct Events {
  std::unique_ptr<Program> program;
  Result<EventSet> set = Error{};

  [[nodiscard]] std::vector<EventIndex> of(std::uint32_t thread, Kind kind) const {
    std::vector<EventIndex> found;
    for (EventIndex i = set->threads[thread].first; i < set->threads[thread].last; ++i)
      if (set->events[i].kind == kind)
        found.push_back(i);
    return found;
  }
  [[nodiscard]] const StaticEvent& at(EventIndex event) const { return set->events[event]; }
  [[nodiscard]] bool is_certain(EventIndex event) const {
    return is_constant(at(event).guard, true);
  }
  [[nodiscard]] bool is_constant(Term term, bool value) const {
    return set->terms.is_constant(term) && (set->terms.node(term).value != 0) == value;
  }
  /// Can both happen in one run, as far as the terms tell?
  [[nodiscard]] bool may_both(EventIndex a, EventIndex b) {
    return !is_constant(set->terms.and_(at(a).guard, at(b).guard), false);
  }
  [[nodiscard]] std::uint64_t address(EventIndex event) const {
    EXPECT_TRUE(set->terms.is_constant(at(event).address));
    return set->terms.node(at(event).address).value;
  }
};

using Pairs = std::set<std::pair<EventIndex, EventIndex>>;
inline Pairs pairs(const std::vector<StaticEdge>& edges) {
  Pairs result;
  for (const StaticEdge& edge : edges)
    result.emplace(edge.from, edge.to);
  return result;
}

inline Events from_litmus(const std::string& text,
                          bool with_registers = false,
                          EventSetOptions::Merges merges = EventSetOptions::Merges::kNothing) {
  Events made;
  auto parsed = frontend::litmus::parse(text, "test.litmus");
  if (const auto* wrong = std::get_if<frontend::litmus::Diagnostics>(&parsed)) {
    ADD_FAILURE() << wrong->errors.front().to_string();
    return made;
  }
  const auto& test = std::get<frontend::litmus::Test>(parsed);
  Result<Program> program = driver::litmus_program(test, 2);
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return made;
  }
  made.program = std::make_unique<Program>(std::move(*program));
  EventSetOptions options;
  options.groups_by_location = test.architecture != "C";
  options.control_ends_at_join = !options.groups_by_location;
  options.register_events = with_registers;
  options.merges = merges;
  made.set = make_events(*made.program, options);
  if (!made.set)
    ADD_FAILURE() << made.set.error().to_string();
  return made;
}

/// An AArch64 test whose first thread is these lines, and whose second writes x, y and z.
inline Events from_lines(const std::vector<std::string>& lines, bool with_registers = false) {
  const std::vector<std::string> other = {
      "STR W0,[X1]", "STR W0,[X2]", "STR W0,[X3]", "", "", "", "", "", "", ""};
  std::string text =
      "AArch64 test\n{ 0:X1=x; 0:X2=y; 0:X3=z; 1:X1=x; 1:X2=y; 1:X3=z; }\n P0 | P1 ;\n";
  for (std::size_t i = 0; i < std::max<std::size_t>(lines.size(), 3); ++i)
    text += " " + (i < lines.size() ? lines[i] : "") + " | " + (i < 3 ? other[i] : "") + " ;\n";
  return from_litmus(text + "exists (0:X4=0 /\\ 0:X5=0 /\\ 0:X6=0)\n", with_registers);
}

inline Events from_ir(const std::string& text) {
  Events made;
  const Result<ir::Module> module = ir::parse(text, "test.hir");
  if (!module) {
    ADD_FAILURE() << module.error().to_string();
    return made;
  }
  BuildOptions build_options;
  build_options.keep_registers = true;
  Result<Program> program = build(*module, build_options);
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return made;
  }
  made.program = std::make_unique<Program>(std::move(*program));
  annotate(*made.program, AliasAnalysis::kPointsTo);
  EventSetOptions options;
  options.control_ends_at_join = true;
  made.set = make_events(*made.program, options);
  return made;
}

} // namespace heddle::program_test
