// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/linearizable_history.h"

#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::object {

using history::History;

std::vector<RecordedCall>
recorded(const Harness& harness, Responses responses, const verdict::Outcome& outcome) {
  std::vector<RecordedCall> calls(harness.cells.size() / 2);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i].before = outcome.at(harness.cells[2 * i]);
    calls[i].result = static_cast<std::int64_t>(outcome.at(harness.cells[2 * i + 1]));
    if (responses == Responses::kAtEffect && calls[i].before == kNoEffect) {
      calls[i].before = 0;
      calls[i].had_effect = false;
    }
    if (harness.cells.size() % 2 == 0)
      continue;
    // With kAtReturnSoFar.
    calls[i].before =
        (calls[i].before & kMadeBit) == 0 ? RecordedCall::kNever : calls[i].before & ~kMadeBit;
    calls[i].has_returned = (outcome.at(harness.cells.back()) >> i & 1U) != 0;
  }
  return calls;
}

std::vector<std::size_t> made_calls(const std::vector<RecordedCall>& calls) {
  std::vector<std::size_t> made;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].before != RecordedCall::kNever)
      made.push_back(i);
  return made;
}

void note_return(const LinearizableQuestion& question,
                 history::Operation& operation,
                 std::int64_t result) {
  operation.has_returned = true;
  const auto id = question.module.find_function(question.space.functions.at(operation.method));
  HEDDLE_CHECK(id.has_value(), "an operation without its function");
  const ir::Type type = question.module.functions[*id].result;
  if (type.is_void())
    return;
  operation.result = result;
  operation.result_bits = question.module.bits(type);
  // Shown as the user wrote it, whatever the sign of its type.
  for (const std::optional<std::int64_t> code :
       {std::optional(question.codes.empty), question.codes.abort})
    if (code && has_returned_value(operation, *code))
      operation.result = *code;
}

History history_of(const LinearizableQuestion& question,
                   const PlannedScenario& planned,
                   const std::vector<RecordedCall>& calls) {
  History history;
  const std::vector<std::size_t> made = made_calls(calls);
  const std::size_t stride = question.responses == Responses::kAtLastFlush ? 8 : 1;
  for (const std::size_t i : made) {
    history::Operation operation = planned.operations[i];
    if (calls[i].has_returned)
      note_return(question, operation, calls[i].result);
    history::OperationSet before = 0;
    for (std::size_t j = 0; j < made.size(); ++j)
      if ((calls[i].before >> (stride * made[j]) & 1U) != 0)
        before |= history::OperationSet{1} << j;
    history.operations.push_back(std::move(operation));
    history.before.push_back(before);
  }
  return history;
}

std::string why_points_fail(const std::vector<history::Operation>& operations,
                            const std::vector<bool>& had_effect) {
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (!had_effect[i])
      return fmt::format("{} passes none of its linearization points in this history",
                         to_string(operations[i]));
  return "the order in which linearization points are passed does not explain this history";
}

namespace {

std::optional<std::uint64_t> address_of(const program::Program& program,
                                        const std::string& global) {
  for (const program::Object& object : program.objects)
    if (object.name == global)
      return program.space().base_of(object.unit);
  return std::nullopt;
}

/// A thread of the scenario, on its way through a run.
struct Caller {
  std::vector<std::uint32_t> left; // its operations, the next one last
  bool is_calling = false;
};

std::vector<Caller> callers_of(const std::vector<history::Operation>& operations) {
  std::vector<Caller> callers;
  for (auto i = static_cast<std::uint32_t>(operations.size()); i-- > 0;) {
    const std::uint32_t thread = operations[i].thread;
    callers.resize(std::max<std::size_t>(callers.size(), thread + 1));
    callers[thread].left.push_back(i);
  }
  return callers;
}

/// A step at which the caller calls or returns.
void see_moment(Caller& caller,
                const std::vector<history::Operation>& operations,
                std::uint32_t step,
                RunEvents& found) {
  using Kind = history::Event::Kind;
  HEDDLE_CHECK(!caller.left.empty(), "a call that nobody has made");
  history::Operation operation = operations[caller.left.back()];
  const history::Event event{caller.is_calling ? Kind::kResponse : Kind::kInvocation,
                             caller.left.back()};
  found.events.push_back(event);
  found.moments[step] = event;
  if (caller.is_calling) {
    found.marks[step] = "returns from " + to_string(operation);
    caller.left.pop_back();
  } else {
    operation.result.reset(); // not known yet
    found.marks[step] = "calls " + to_string(operation);
  }
  caller.is_calling = !caller.is_calling;
}

} // namespace

RunEvents events_of(const History& history,
                    const std::vector<std::size_t>& made,
                    const program::Program& program,
                    const verdict::Violation& violation) {
  using What = execution::Step::What;
  using Kind = history::Event::Kind;
  const std::uint64_t mark = address_of(program, kHarnessReturned).value_or(0);
  std::vector<Caller> callers = callers_of(history.operations);
  RunEvents found;
  for (std::uint32_t i = 0; i < violation.run->steps.size(); ++i) {
    const execution::Step& step = violation.run->steps[i];
    // Thread 0 is the harness itself; the scenario's threads follow in order.
    if (step.address < mark || step.address >= mark + 8 || step.transition.thread == 0)
      continue;
    if (step.what == What::kFlush) {
      const auto call = std::ranges::find(made, step.address - mark);
      const auto operation = static_cast<std::uint32_t>(call - made.begin());
      found.events.push_back({Kind::kResponse, operation});
      found.marks[i] = history.operations[operation].method + " is over: its stores are in memory";
      continue;
    }
    Caller& caller = callers.at(step.transition.thread - 1);
    if (caller.left.empty())
      break;
    history::Operation operation = history.operations[caller.left.back()];
    if (!caller.is_calling) {
      found.events.push_back({Kind::kInvocation, caller.left.back()});
      operation.result.reset(); // not known yet
      found.marks[i] = "calls " + to_string(operation);
    } else {
      if (step.what == What::kReadModifyWrite)
        found.events.push_back({Kind::kResponse, caller.left.back()});
      found.marks[i] = "returns from " + to_string(operation);
      caller.left.pop_back();
    }
    caller.is_calling = !caller.is_calling;
  }
  if (history::from_events(history.operations, found.events) != history)
    found.events = history::to_events(history);
  return found;
}

RunEvents events_with_effects(const std::vector<history::Operation>& operations,
                              const program::Program& program,
                              const verdict::Violation& violation) {
  const std::optional<std::uint64_t> moment = address_of(program, kHarnessMoment);
  const std::optional<std::uint64_t> over = address_of(program, kHarnessReturned);
  HEDDLE_CHECK(moment.has_value(), "a harness that does not show its calls");
  std::vector<Caller> callers = callers_of(operations);
  RunEvents found;
  for (std::uint32_t i = 0; i < violation.run->steps.size(); ++i) {
    const execution::Step& step = violation.run->steps[i];
    // Thread 0 is the harness itself, which sets and reads everything.
    if (step.transition.thread == 0 || step.what != execution::Step::What::kReadModifyWrite)
      continue;
    if (step.address == *moment)
      see_moment(callers.at(step.transition.thread - 1), operations, i, found);
    else if (over && step.address == *over)
      found.marks[i] =
          operations[callers.at(step.transition.thread - 1).left.back()].method + " took effect";
  }
  return found;
}

RunEvents events_by_clock(const std::vector<history::Operation>& operations,
                          bool has_markers,
                          const program::Program& program,
                          const verdict::Violation& violation) {
  const std::optional<std::uint64_t> clock = address_of(program, kHarnessClock);
  HEDDLE_CHECK(clock.has_value(), "a harness without its clock");
  std::vector<Caller> callers = callers_of(operations);
  std::vector<std::vector<std::uint32_t>> operations_by_thread;
  for (const Caller& caller : callers)
    operations_by_thread.emplace_back(caller.left.rbegin(), caller.left.rend());
  RunEvents found;
  for (std::uint32_t i = 0; i < violation.run->steps.size(); ++i) {
    const execution::Step& step = violation.run->steps[i];
    const std::uint32_t thread = step.transition.thread;
    if (step.what == execution::Step::What::kFlush && has_markers && step.address > *clock &&
        step.address <= *clock + callers.size()) {
      // Markers of a thread count up, two for each call; only calls at its end are not made.
      const std::size_t number = (step.value_written - 1) / 2;
      const std::vector<std::uint32_t>& own = operations_by_thread[step.address - *clock - 1];
      if (number < own.size())
        found.marks[i] = fmt::format("the {} of {} reaches memory",
                                     step.value_written % 2 == 1 ? "call" : "return",
                                     operations[own[number]].method);
      continue;
    }
    // Readings of the clock within an operation have no place in the program.
    if (step.what != execution::Step::What::kRead || step.address != *clock || thread == 0 ||
        thread > callers.size() || !step.loc.is_known())
      continue;
    see_moment(callers[thread - 1], operations, i, found);
  }
  return found;
}

std::optional<std::uint64_t> value_at_end(const program::Program& program,
                                          const verdict::Violation& violation,
                                          const std::string& global) {
  const std::optional<std::uint64_t> address =
      global.empty() ? std::nullopt : address_of(program, global);
  std::optional<std::uint64_t> value;
  for (const execution::Step& step : violation.run->steps)
    if (address && step.what == execution::Step::What::kRead && step.address == *address &&
        step.transition.thread == 0)
      value = step.value_read;
  return value;
}

} // namespace heddle::object
