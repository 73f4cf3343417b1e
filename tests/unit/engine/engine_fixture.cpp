// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "unit/engine/engine_fixture.h"

#include "check/confirm.h"
#include "ir/parse.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/run/interpreter.h"
#include "transform/basic/transform.h"

#include <gtest/gtest.h>

#include <deque>
#include <variant>

namespace heddle::engine_test {
namespace {

using memory::MachineState;

std::vector<std::uint64_t> words_of(const MachineState& state) {
  std::vector<std::uint64_t> words;
  const auto add = [&](const std::vector<std::uint64_t>& more) {
    words.push_back(more.size());
    words.insert(words.end(), more.begin(), more.end());
  };
  add(state.core.memory.words);
  for (const program::ThreadState& thread : state.core.threads)
    add(thread.words);
  for (const memory::StoreBuffer& buffer : state.buffers) {
    words.push_back(buffer.epoch);
    words.push_back(buffer.stores.size());
    for (const memory::PendingStore& store : buffer.stores)
      words.insert(words.end(), {store.address, store.value, store.size, store.epoch});
  }
  words.push_back(static_cast<std::uint64_t>(state.core.atomic_owner + 1));
  words.push_back(state.core.has_ended ? 1 : 0);
  return words;
}

/// Two plain accesses (the generator makes no others where this is used) that are next to each
/// other.
bool has_adjacent_race(const memory::Machine& machine, const MachineState& state) {
  std::vector<program::Request> next;
  for (program::ThreadIndex t = 0; t < state.core.threads.size(); ++t) {
    if (!state.core.threads[t].is_live())
      continue;
    const program::Request request = machine.interpreter().request(state.core, t);
    using Kind = program::Request::Kind;
    if ((request.kind != Kind::kLoad && request.kind != Kind::kStore) || !request.is_visible)
      continue;
    const program::Action& action = request.edge->action;
    const bool atomic =
        std::holds_alternative<program::Load>(action)
            ? std::get<program::Load>(action).access.kind == ir::AccessKind::kAtomic
            : std::get<program::Store>(action).access.kind == ir::AccessKind::kAtomic;
    for (const program::Request& other : next)
      if (!atomic && (other.kind == Kind::kStore || request.kind == Kind::kStore) &&
          other.address < request.address + request.size &&
          request.address < other.address + other.size)
        return true;
    if (!atomic)
      next.push_back(request);
  }
  return false;
}

} // namespace

Built build(const std::string& text, const std::string& model, spec::Question question) {
  Built built;
  auto module = ir::parse(text, "test.ir");
  if (!module) {
    ADD_FAILURE() << module.error().to_string() << "\n" << text;
    return built;
  }
  program::BuildOptions options;
  if (const auto* check = std::get_if<spec::Check>(&question))
    options.check_overflow = check->property == spec::Property::kOverflow;
  auto program = program::build(*module, options);
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return built;
  }
  program::annotate(*program, program::AliasAnalysis::kPointsTo);
  auto found = memory::find_model(model);
  if (!found) {
    ADD_FAILURE() << found.error().to_string();
    return built;
  }
  auto lowered = transform::lower(*found)->apply(*program, {});
  if (!lowered) {
    ADD_FAILURE() << lowered.error().to_string();
    return built;
  }
  built.program = std::make_unique<program::Program>(std::move(lowered->program));
  built.task.program = built.program.get();
  built.task.model = *found;
  built.task.question = std::move(question);
  return built;
}

verdict::Verdict run(const Built& built, const engine::ExplicitOptions& options, Budget budget) {
  const auto explicit_engine = engine::make_explicit(options);
  EXPECT_FALSE(explicit_engine->supports(built.task).has_value());
  engine::Context context;
  context.budget = budget;
  verdict::Verdict verdict = explicit_engine->run(built.task, context);
  if (const auto* violated = std::get_if<verdict::Violated>(&verdict.answer)) {
    const auto confirmed = check::confirm(built.task, violated->violation);
    EXPECT_TRUE(confirmed.has_value()) << confirmed.error().to_string();
  }
  return verdict;
}

std::string kind_of(const verdict::Verdict& verdict) {
  static constexpr const char* kNames[] = {"proved", "bounded", "violated", "unknown", "outcomes"};
  return kNames[verdict.answer.index()];
}

std::uint64_t states_of(const verdict::Verdict& verdict) {
  return static_cast<std::uint64_t>(verdict.statistics.counters.at("states"));
}

std::set<std::string> observed_globals(const program::Program& program) {
  std::set<std::string> names;
  for (const program::Object& object : program.objects)
    if (object.kind == program::Object::Kind::kGlobal && !object.is_constant &&
        object.scalar_bits != 0)
      names.insert(object.name);
  return names;
}

Reference
explore(const Built& built, std::uint64_t max_states, const std::set<std::string>& observed) {
  program::InterpreterOptions options;
  options.reuse_freed_blocks = built.task.reuse_freed_blocks;
  options.malloc_may_fail = built.task.malloc_may_fail;
  const program::Interpreter interpreter(*built.program, options);
  const auto machine = memory::Machine::make(*built.task.model.machine, interpreter);
  Reference result;
  MachineState first;
  if (const program::Fault fault = machine->initial(first); !fault.is_none()) {
    result.faults.insert(fault.kind);
    return result;
  }
  std::set<std::vector<std::uint64_t>> seen = {words_of(first)};
  std::deque<MachineState> pending = {first};
  while (!pending.empty()) {
    const MachineState state = std::move(pending.front());
    pending.pop_front();
    if (++result.states > max_states) {
      result.is_complete = false;
      return result;
    }
    if (machine->is_final(state)) {
      verdict::Outcome outcome;
      for (const program::Object& object : built.program->objects)
        if (object.kind == program::Object::Kind::kGlobal && observed.contains(object.name))
          outcome[object.name] = interpreter.read(state.core.memory,
                                                  built.program->space().base_of(object.unit),
                                                  object.scalar_bits / 8U);
      result.outcomes.insert(outcome);
      result.leaks |= !interpreter.leaked_blocks(state.core, false).empty();
      result.leaves_blocks |= !interpreter.leaked_blocks(state.core, true).empty();
      continue;
    }
    result.has_deadlock |= machine->deadlocked(state) != 0;
    result.has_adjacent_race |= has_adjacent_race(*machine, state);
    std::vector<memory::Transition> transitions;
    (void)machine->enabled(state, transitions);
    for (const memory::Transition& transition : transitions) {
      MachineState next = state;
      const program::Fault fault = machine->apply(next, transition);
      if (!fault.is_none())
        result.faults.insert(fault.kind);
      else if (seen.insert(words_of(next)).second)
        pending.push_back(std::move(next));
    }
  }
  return result;
}

} // namespace heddle::engine_test
