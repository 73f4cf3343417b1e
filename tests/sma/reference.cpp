// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace heddle::sma {
namespace {

constexpr unsigned kNobody = ~0u;

struct Entry {
  unsigned cell = 0;
  unsigned value = 0;
  bool is_store_fence = false;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

struct State {
  std::vector<unsigned> at;
  std::vector<unsigned> registers;
  std::vector<unsigned> memory;
  std::vector<std::vector<Entry>> buffers;
  std::vector<bool> created;
  unsigned section = kNobody;
  friend auto operator<=>(const State&, const State&) = default;
};

class Machine {
public:
  Machine(const Program& program, Model model) : program_(program), model_(model) {}

  Outcomes run(bool complete) {
    const std::size_t threads = program_.threads.size();
    State start{.at = std::vector<unsigned>(threads),
                .registers = std::vector<unsigned>(program_.registers.size()),
                .memory = std::vector<unsigned>(program_.cells.size()),
                .buffers = std::vector<std::vector<Entry>>(threads),
                .created = std::vector<bool>(threads)};
    start.created[0] = true;
    add(start);
    Outcomes outcomes;
    while (!todo_.empty()) {
      const State state = todo_.back();
      todo_.pop_back();
      if (complete ? has_ended(state) : state.section == kNobody)
        outcomes.insert(outcome(state));
      for (unsigned t = 0; t < threads; ++t) {
        if (state.section != kNobody && state.section != t)
          continue;
        flushes(state, t);
        if (state.created[t] && state.at[t] < program_.threads[t].size())
          step(state, t);
      }
    }
    return outcomes;
  }

private:
  void add(const State& state) {
    if (seen_.insert(state).second)
      todo_.push_back(state);
  }

  bool has_ended(const State& state) const {
    for (std::size_t t = 0; t < state.at.size(); ++t)
      if (state.at[t] != program_.threads[t].size())
        return false;
    return true;
  }

  static Outcome outcome(const State& state) {
    Outcome result;
    for (const auto* numbers : {&state.at, &state.registers})
      for (const unsigned number : *numbers)
        result.push_back(static_cast<unsigned char>(number));
    return result;
  }

  // An entry of the buffer can go when nothing before it must go first. Store fences in front
  // vanish.
  void flushes(const State& state, unsigned t) {
    const std::vector<Entry>& buffer = state.buffers[t];
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      if (buffer[i].is_store_fence) {
        if (i != 0)
          return;
        State next = state;
        next.buffers[t].erase(next.buffers[t].begin());
        add(next);
        return;
      }
      const bool overtakes =
          std::any_of(buffer.begin(),
                      buffer.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Entry& earlier) {
                        return model_ == Model::Tso || earlier.cell == buffer[i].cell;
                      });
      if (overtakes)
        continue;
      State next = state;
      next.memory[buffer[i].cell] = buffer[i].value;
      next.buffers[t].erase(next.buffers[t].begin() + static_cast<std::ptrdiff_t>(i));
      add(next);
    }
  }

  unsigned seen_value(const State& state, unsigned t, unsigned cell) const {
    const std::vector<Entry>& buffer = state.buffers[t];
    for (auto entry = buffer.rbegin(); entry != buffer.rend(); ++entry)
      if (!entry->is_store_fence && entry->cell == cell)
        return entry->value;
    return state.memory[cell];
  }

  void step(const State& state, unsigned t) {
    const Operation& operation = program_.threads[t][state.at[t]];
    State next = state;
    ++next.at[t];
    const bool drained = state.buffers[t].empty();
    const unsigned in_memory = state.memory.empty() ? 0 : state.memory[operation.cell];
    switch (operation.kind) {
    case Kind::Read:
    case Kind::ReadIndirect:
      next.registers[operation.target] = seen_value(state, t, operation.cell);
      break;
    case Kind::Write:
    case Kind::WriteIndirect: {
      const unsigned value =
          operation.value +
          (operation.source == kNoRegister ? 0 : state.registers[operation.source]);
      if (model_ == Model::Sc)
        next.memory[operation.cell] = value;
      else
        next.buffers[t].push_back({.cell = operation.cell, .value = value});
      break;
    }
    case Kind::Fence:
      if (!drained)
        return;
      break;
    case Kind::StoreFence:
      if (model_ == Model::Pso && !drained)
        next.buffers[t].push_back({.is_store_fence = true});
      break;
    case Kind::Lock:
    case Kind::Unlock: {
      const bool locks = operation.kind == Kind::Lock;
      if (!drained || in_memory != (locks ? 0 : t + 1))
        return;
      next.memory[operation.cell] = locks ? t + 1 : 0;
      break;
    }
    case Kind::Exchange:
      if (!drained)
        return;
      next.registers[operation.target] =
          operation.tells_success ? (in_memory == operation.expected ? 1U : 0U) : in_memory;
      if (in_memory == operation.expected)
        next.memory[operation.cell] = operation.value;
      break;
    case Kind::Add:
      if (!drained)
        return;
      next.registers[operation.target] = in_memory;
      next.memory[operation.cell] = in_memory + operation.value;
      break;
    case Kind::SectionBegin:
    case Kind::SectionEnd:
      if (!drained)
        return;
      next.section = operation.kind == Kind::SectionBegin ? t : kNobody;
      break;
    case Kind::Create:
      if (!drained)
        return;
      next.created[operation.thread] = true;
      break;
    case Kind::Join:
      if (state.at[operation.thread] != program_.threads[operation.thread].size())
        return;
      break;
    case Kind::Assume:
      if (state.registers[operation.source] != operation.value)
        return;
      break;
    case Kind::Terminate:
      if (!drained)
        return;
      break;
    }
    add(next);
  }

  const Program& program_;
  const Model model_;
  std::set<State> seen_;
  std::vector<State> todo_;
};

} // namespace

Outcomes reference_outcomes(const Program& program, Model model, bool complete) {
  return Machine(program, model).run(complete);
}

} // namespace heddle::sma
