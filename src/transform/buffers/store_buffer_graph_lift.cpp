// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The reduced program is stepped by the interpreter, one edge at a time, since a store that enters
// the buffer is no step of its own there. Whenever it passes an edge that stands for an edge of the
// source, and the machine's thread stands at that edge, the machine takes it; what the machine does
// by itself (local steps) needs nothing. Choices are the same but for those between flushes.
#include "transform/buffers/store_buffer_graph_lift.h"

#include "memory/machine/machine.h"
#include "program/run/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::transform {

using execution::Schedule;
using execution::Transition;
using program::Request;
using program::ThreadIndex;

namespace {

class Walk {
public:
  explicit Walk(const BackMap& map)
      : map_(map), reduced_(map.reduced, map.replay), source_(map.source, map.replay),
        machine_(memory::Machine::make(map.machine, source_)), state_(reduced_.initial()) {
    (void)machine_->initial(original_);
  }

  Result<Schedule> run(const Schedule& schedule) {
    run_local(0);
    for (const Transition& transition : schedule) {
      take(transition);
      if (failure_)
        return *failure_;
    }
    return std::move(lifted_);
  }

private:
  /// What a local step of the reduced program did. Not every request says whether it is one.
  enum class Local : std::uint8_t { kTaken, kNotLocal, kEndsTheRun };
  Local step_local(ThreadIndex thread) {
    const Request request = reduced_.request(state_, thread);
    if (request.edge == nullptr)
      return Local::kNotLocal;
    const program::LocationId before = state_.threads[thread].location(0);
    if (!reduced_.run_local(state_, thread, 1).is_none())
      return Local::kEndsTheRun;
    if (state_.threads[thread].location(0) == before)
      return Local::kNotLocal;
    pass(thread, request, 0);
    return Local::kTaken;
  }

  /// Local steps of the reduced program up to what is visible, needs a choice or would end the run.
  void run_local(ThreadIndex thread) {
    for (unsigned i = 0; i < memory::Machine::kLocalStepLimit && !failure_; ++i)
      if (!state_.threads[thread].is_live() || step_local(thread) != Local::kTaken)
        return;
  }

  void take(const Transition& transition) {
    const ThreadIndex thread = transition.thread;
    if (state_.has_ended || thread >= state_.threads.size() || !state_.threads[thread].is_live())
      return fail("a thread moves that is not there");
    switch (step_local(thread)) {
    case Local::kTaken:
      return run_local(thread);
    case Local::kEndsTheRun:
      return emit({Transition::Kind::kStep, thread, 0});
    case Local::kNotLocal:
      break;
    }
    const Request request = reduced_.request(state_, thread);
    const program::ThreadIndex created = reduced_.next_thread(state_);
    const std::size_t threads = live_threads();
    if (request.kind == Request::Kind::kFence)
      reduced_.complete(state_, thread, request, 0, true);
    else if (program::Fault fault = reduced_.execute(state_, thread, request, transition.choice);
             !fault.is_none())
      return emit({Transition::Kind::kStep, thread, transition.choice});
    pass(thread, request, transition.choice);
    if (state_.has_ended)
      return;
    if (live_threads() > threads)
      run_local(created);
    if (state_.threads[thread].is_live())
      run_local(thread);
  }

  [[nodiscard]] std::size_t live_threads() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        state_.threads, [](const program::ThreadState& thread) { return thread.is_live(); }));
  }

  /// The reduced program has taken the request's edge.
  void pass(ThreadIndex thread, const Request& request, std::uint64_t choice) {
    if (request.edge == nullptr) // woken, or out of a barrier: the machine does the same
      return emit({Transition::Kind::kStep, thread, choice});
    const auto [procedure, index] = edge_in(map_.reduced, request.edge);
    const std::vector<ReducedOrigin>& origins = map_.origins[procedure];
    ReducedOrigin origin{ReducedOrigin::Kind::kStep, index, 0};
    if (!origins.empty())
      origin = origins[index];
    std::vector<std::pair<std::uint32_t, std::uint32_t>>& pending = pending_[thread];
    const std::pair entry{origin.edge, origin.instance};
    switch (origin.kind) {
    case ReducedOrigin::Kind::kNone:
      return;
    case ReducedOrigin::Kind::kFlush: {
      const auto found = std::ranges::find(pending, entry);
      if (found == pending.end())
        return fail("a flush of what is not pending");
      const auto position = static_cast<std::uint64_t>(found - pending.begin());
      pending.erase(found);
      return emit({Transition::Kind::kFlush, thread, position});
    }
    case ReducedOrigin::Kind::kStep: {
      if (original_.core.has_ended || thread >= original_.core.threads.size() ||
          !original_.core.threads[thread].is_live())
        return fail("the machine's thread has ended");
      const program::Edge* const edge = &map_.source.procedures[procedure].edges[origin.edge];
      const Request there = source_.request(original_.core, thread);
      if (there.edge != edge)
        return; // a local step, which the machine has taken already
      if (there.kind == Request::Kind::kStore && there.is_visible)
        pending.push_back(entry);
      return emit({Transition::Kind::kStep, thread, choice});
    }
    }
  }

  [[nodiscard]] static std::pair<program::ProcedureId, std::uint32_t>
  edge_in(const program::Program& program, const program::Edge* edge) {
    for (std::size_t i = 0; i < program.procedures.size(); ++i) {
      const std::vector<program::Edge>& edges = program.procedures[program::ProcedureId{i}].edges;
      if (!edges.empty() && !std::less<>{}(edge, edges.data()) &&
          std::less<>{}(edge, edges.data() + edges.size()))
        return {program::ProcedureId{i}, static_cast<std::uint32_t>(edge - edges.data())};
    }
    HEDDLE_CHECK(false, "an edge of no procedure");
  }

  void emit(const Transition& transition) {
    if (failure_)
      return;
    lifted_.push_back(transition);
    if (!machine_->is_enabled(original_, transition))
      return fail("the machine cannot take the step");
    (void)machine_->apply(original_, transition);
  }
  void fail(const char* what) {
    if (!failure_)
      failure_ = Error{ErrorKind::kUnsupported,
                       "SBG-006",
                       fmt::format("a run of the reduced program is none of the machine: {} (after "
                                   "{} steps)",
                                   what,
                                   lifted_.size())};
  }

  const BackMap& map_;
  program::Interpreter reduced_;
  program::Interpreter source_;
  std::unique_ptr<memory::Machine> machine_;
  program::State state_;
  memory::MachineState original_;
  Schedule lifted_;
  std::map<ThreadIndex, std::vector<std::pair<std::uint32_t, std::uint32_t>>> pending_;
  std::optional<Error> failure_;
};

} // namespace

Result<Schedule> lift_to_machine(const BackMap& map, const Schedule& schedule) {
  return Walk(map).run(schedule);
}

} // namespace heddle::transform
