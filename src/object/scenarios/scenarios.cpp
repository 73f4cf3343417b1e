// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/scenarios.h"

#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::object {

namespace {

using history::Method;
using history::Unit;

/// A unit with its keys chosen; unique arguments are given later.
struct Choice {
  const Unit* unit = nullptr;
  std::uint32_t key = 0;
};
using Line = std::vector<Choice>; // what one thread does

bool has_key(const Unit& unit) {
  return std::ranges::any_of(unit.calls, [](const Unit::Call& call) {
    return call.method.argument == Method::Argument::kKey;
  });
}

std::vector<Choice> choices_of(const std::vector<Unit>& units, std::uint32_t keys) {
  std::vector<Choice> choices;
  for (const Unit& unit : units)
    for (std::uint32_t key = 1; key <= (has_key(unit) ? keys : 1); ++key)
      choices.push_back({&unit, key});
  return choices;
}

/// All sequences of that length, the first choice changing slowest.
std::vector<Line> lines_of(const std::vector<Choice>& choices, std::uint32_t length) {
  std::vector<Line> lines = {{}};
  for (std::uint32_t i = 0; i < length; ++i) {
    std::vector<Line> longer;
    for (const Line& line : lines)
      for (const Choice& choice : choices) {
        longer.push_back(line);
        longer.back().push_back(choice);
      }
    lines = std::move(longer);
  }
  return lines;
}

PlannedScenario plan(const ScenarioSpace& space, const std::vector<const Line*>& lines) {
  PlannedScenario planned;
  planned.scenario.init = space.init;
  planned.threads = static_cast<std::uint32_t>(lines.size());
  std::int64_t next_value = space.first_value;
  for (std::uint32_t thread = 0; thread < lines.size(); ++thread) {
    auto& calls = planned.scenario.threads.emplace_back();
    for (const Choice& choice : *lines[thread])
      for (const Unit::Call& call : choice.unit->calls) {
        history::Operation operation;
        operation.thread = thread;
        operation.method = call.method.name;
        if (call.method.argument == Method::Argument::kUnique)
          operation.argument = next_value++;
        else if (call.method.argument == Method::Argument::kKey)
          operation.argument = choice.key;
        calls.push_back(
            {space.functions.at(call.method.name), operation.argument, call.if_succeeded});
        planned.operations.push_back(std::move(operation));
      }
  }
  return planned;
}

/// The scenarios of one shape. Threads of one role take lines in ascending order.
bool visit_shape(const ScenarioSpace& space,
                 std::uint32_t threads,
                 std::uint32_t length,
                 const std::function<bool(const PlannedScenario&)>& visit) {
  std::vector<std::vector<Line>> lines; // per role
  for (const std::vector<Unit>& units : space.roles)
    lines.push_back(lines_of(choices_of(units, space.keys), length));
  const auto role_of = [&](std::size_t thread) { return std::min(thread, lines.size() - 1); };
  std::vector<std::size_t> chosen(threads, 0);
  while (true) {
    std::vector<const Line*> picked;
    for (std::size_t t = 0; t < threads; ++t)
      picked.push_back(&lines[role_of(t)][chosen[t]]);
    if (!visit(plan(space, picked)))
      return false;
    std::size_t t = threads;
    while (t > 0 && chosen[t - 1] + 1 == lines[role_of(t - 1)].size())
      --t;
    if (t == 0)
      return true;
    ++chosen[t - 1];
    for (std::size_t later = t; later < threads; ++later)
      chosen[later] = role_of(later) == role_of(later - 1) ? chosen[later - 1] : 0;
  }
}

} // namespace

void for_each_scenario(const ScenarioSpace& space,
                       const std::function<bool(const PlannedScenario&)>& visit) {
  HEDDLE_CHECK(!space.roles.empty() && space.threads > 0 && space.units > 0, "no scenario");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shapes;
  for (std::uint32_t threads = 1; threads <= space.threads; ++threads)
    for (std::uint32_t length = 1; length <= space.units; ++length)
      shapes.emplace_back(threads, length);
  std::ranges::sort(shapes, {}, [](const auto& shape) {
    return std::pair(shape.first * shape.second, shape.first);
  });
  for (const auto& [threads, length] : shapes)
    if (!visit_shape(space, threads, length, visit))
      return;
}

std::string to_string(const PlannedScenario& planned) {
  std::string text;
  std::uint32_t thread = 0;
  for (std::size_t i = 0; i < planned.operations.size(); ++i) {
    const history::Operation& operation = planned.operations[i];
    if (i > 0)
      text += operation.thread == thread ? "; " : " || ";
    thread = operation.thread;
    text += fmt::format(
        "{}({})", operation.method, operation.argument ? fmt::to_string(*operation.argument) : "");
  }
  return text;
}

} // namespace heddle::object
