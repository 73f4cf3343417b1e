// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a schedule on the machine, one transition at a time, and keeps the books: what each step
// did, where each read comes from, which stores are pending, which locks are held, and which
// accesses race. Knows no engine.
#pragma once

#include "check/run/happens_before.h"
#include "check/run/locks.h"
#include "check/run/namer.h"
#include "check/run/provenance.h"
#include "execution/run.h"
#include "memory/machine/machine.h"
#include "spec/task.h"
#include "verdict/evidence.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::check {

/// The interpreter and the machine of a task: made once, used for many replays.
class Ground {
public:
  /// The task's program outlives it; its model has a machine.
  explicit Ground(const spec::Task& task);
  [[nodiscard]] const memory::Machine& machine() const { return *machine_; }
  [[nodiscard]] const program::Interpreter& interpreter() const { return interpreter_; }
  [[nodiscard]] const program::Program& program() const { return interpreter_.program(); }

private:
  program::Interpreter interpreter_;
  std::unique_ptr<memory::Machine> machine_;
};

/// How much a replay writes down.
enum class Detail : std::uint8_t {
  kSteps,  // what checking needs
  kReport, // and what people want to see: stacks, variables, names
};

class Replayer {
public:
  /// Starts at the initial state. The ground outlives the replayer. Happens-before is followed only
  /// where races are asked for: it costs more than the rest.
  Replayer(const Ground& ground, Detail detail, spec::Property property);

  [[nodiscard]] bool can_take(const execution::Transition& transition) const;
  /// Takes an enabled transition. Only while the run has not ended in a fault.
  void take(const execution::Transition& transition);
  /// The place in the thread's buffer of the store that a step put there, if it is still pending.
  [[nodiscard]] std::optional<std::size_t> pending_index(program::ThreadIndex thread,
                                                         std::uint32_t step) const;

  [[nodiscard]] const memory::MachineState& state() const { return state_; }
  [[nodiscard]] const execution::Run& run() const { return run_; }
  [[nodiscard]] const std::vector<RacingPair>& races() const { return happens_before_.races(); }
  [[nodiscard]] const Provenance& provenance() const { return provenance_; }
  /// Of each step: where its bytes come from; empty if it reads nothing.
  [[nodiscard]] const std::vector<Sources>& sources() const { return sources_; }
  [[nodiscard]] const HeldLocks& held_now() const { return held_; }
  /// Locks held by the stepping thread when it took that step.
  [[nodiscard]] const std::vector<HeldAddress>& held_at(std::uint32_t step) const {
    return held_at_[step];
  }
  /// The thread a step joined, if it did.
  [[nodiscard]] std::optional<program::ThreadIndex> joined_at(std::uint32_t step) const {
    return joined_at_[step];
  }
  [[nodiscard]] std::vector<std::string> thread_names() const;
  [[nodiscard]] const Namer& namer() const { return namer_; }
  /// How many threads there are is known at the end only, so that names of threads are put in here.
  [[nodiscard]] std::vector<verdict::StepText> texts() const;

private:
  void describe(execution::Step& step,
                const program::Request& request,
                const memory::MachineState& before,
                const memory::StepDetail& detail);
  void follow_stores(execution::Step& step, const memory::MachineState& before);
  void note_threads(execution::Step& step, const memory::MachineState& before);
  void add_text(const execution::Step& step,
                const program::Request& request,
                const memory::MachineState& before);

  const Ground& ground_;
  Detail detail_;
  bool follows_races_;
  memory::MachineState state_;
  execution::Run run_;
  Provenance provenance_;
  HappensBefore happens_before_;
  Namer namer_;
  HeldLocks held_;
  std::vector<Sources> sources_;
  std::vector<std::vector<HeldAddress>> held_at_;
  std::vector<std::optional<program::ThreadIndex>> joined_at_;
  std::vector<std::vector<program::ProcedureId>> starts_; // per thread; a slot may serve again
  struct NamedThread {
    std::size_t step = 0;
    program::ThreadIndex slot = 0;
    std::size_t number = 0; // among those of the slot
  };
  std::vector<verdict::StepText> texts_;
  std::vector<NamedThread> named_; // by steps that create or join
  bool is_reused_ = false;         // the block just allocated had been freed
};

} // namespace heddle::check
