// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The sequential program is stepped by the interpreter, one edge at a time. Whenever it passes an
// edge that stands for one of a thread, and that thread stands at the edge in the source, the
// thread takes it. What threads do by themselves (local steps) needs nothing.
#include "transform/sequential/sequentialize_lift.h"

#include "memory/machine/machine.h"
#include "program/model/sync_kinds.h"
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
  explicit Walk(const SequentialMap& map)
      : map_(map), sequential_(map.sequential, map.replay), source_(map.source, map.replay),
        machine_(memory::Machine::make(memory::MachineKind::kSequential, source_)),
        state_(sequential_.initial()) {
    (void)machine_->initial(original_);
    indices_[0] = 0;
  }

  Result<Schedule> run(const Schedule& schedule) {
    run_local();
    for (const Transition& transition : schedule) {
      take(transition.choice);
      if (failure_)
        return *failure_;
    }
    return std::move(lifted_);
  }

private:
  /// As many steps as the machine takes in one transition.
  void run_local(unsigned limit = memory::Machine::kLocalStepLimit) {
    for (unsigned i = 0;
         i < limit && !failure_ && !state_.has_ended && state_.threads[0].is_live() && step_local();
         ++i)
      ;
  }

  /// A step that needs no choice, if that is what comes next. One that ends the run is left to the
  /// next transition.
  bool step_local() {
    const Request request = sequential_.request(state_, 0);
    const program::LocationId before = state_.threads[0].location(0);
    if (request.edge == nullptr || !sequential_.run_local(state_, 0, 1).is_none() ||
        state_.threads[0].location(0) == before)
      return false;
    pass(request, 0);
    return true;
  }

  void take(std::uint64_t choice) {
    if (state_.has_ended || !state_.threads[0].is_live())
      return fail("the run has ended");
    const Request request = sequential_.request(state_, 0);
    if (step_local())
      return run_local(memory::Machine::kLocalStepLimit - 1);
    // Either a choice is to be made, or the run ends here.
    if (request.kind == Request::Kind::kLocal || request.kind == Request::Kind::kFault)
      return stop_at(request);
    if (!sequential_.execute(state_, 0, request, choice).is_none())
      return stop_at(request);
    pass(request, choice);
    run_local();
  }

  [[nodiscard]] SliceOrigin origin_of(const program::Edge* edge) const {
    const std::vector<program::Edge>& edges =
        map_.sequential.procedures[map_.threads.front().procedure].edges;
    return map_.origins[static_cast<std::size_t>(edge - edges.data())];
  }

  /// The step of a thread that ends the run.
  void stop_at(const Request& request) {
    if (request.edge == nullptr)
      return fail("a step of nobody ends the run");
    const SliceOrigin origin = origin_of(request.edge);
    if (origin.kind == SliceOrigin::Kind::kNone)
      return fail("the schedule itself ends the run");
    emit(indices_.at(origin.thread), 0);
  }

  void pass(const Request& request, std::uint64_t choice) {
    if (request.edge == nullptr)
      return fail("a wait of the sequential program");
    const SliceOrigin origin = origin_of(request.edge);
    if (origin.kind == SliceOrigin::Kind::kNone)
      return;
    const auto known = indices_.find(origin.thread);
    if (known == indices_.end())
      return fail("a thread moves that has not been created");
    const ThreadIndex thread = known->second;
    if (original_.core.has_ended || thread >= original_.core.threads.size() ||
        !original_.core.threads[thread].is_live())
      return fail("a thread moves that has ended");
    if (origin.kind == SliceOrigin::Kind::kRest)
      return emit(thread, 0);
    const program::Procedure& procedure =
        map_.source.procedures[map_.threads[origin.thread].procedure];
    const program::Edge* const edge = &procedure.edges[origin.edge];
    const Request there = source_.request(original_.core, thread);
    if (there.edge != edge)
      return; // a local step, which has been taken already
    note_created(origin);
    if (there.kind == Request::Kind::kAllocate)
      choice = block_for(thread, there, choice);
    const bool waits = is_wait(*edge);
    emit(thread, waits ? 0 : choice);
    // A thread that waits on a condition wakes at once, and then waits for the mutex.
    if (waits && !failure_)
      emit(thread, choice);
  }
  [[nodiscard]] static bool is_wait(const program::Edge& edge) {
    const auto* sync = std::get_if<program::Synchronize>(&edge.action);
    return sync != nullptr && is_condition_wait(sync->op);
  }

  /// If the edge creates a thread, it is going to have this index.
  void note_created(const SliceOrigin& origin) {
    const program::Edge& edge =
        map_.source.procedures[map_.threads[origin.thread].procedure].edges[origin.edge];
    const auto* sync = std::get_if<program::Synchronize>(&edge.action);
    if (sync == nullptr || sync->op != program::SyncOp::kCreate)
      return;
    const ThreadIndex index = source_.next_thread(original_.core);
    if (index >= program::kMaxThreads && !failure_)
      failure_ = lift_lacks_room();
    const Request request = source_.request(original_.core, indices_.at(origin.thread));
    for (std::uint32_t i = 0; i < map_.threads.size(); ++i)
      if (map_.threads[i].creator == origin.thread && map_.threads[i].edge == origin.edge &&
          map_.source.space().function_address(map_.threads[i].procedure.value) == request.address)
        indices_[i] = index;
  }

  /// Blocks of the source lie elsewhere: those of each thread have a place of their own. One that
  /// is used again there is used again here.
  std::uint64_t block_for(ThreadIndex thread, const Request& request, std::uint64_t unit) {
    std::vector<std::uint64_t> choices;
    (void)source_.choices(original_.core, thread, request, choices);
    const auto known = blocks_.find(unit);
    if (known != blocks_.end() && std::ranges::find(choices, known->second) != choices.end())
      return known->second;
    if (std::ranges::find(choices, unit) == choices.end() && !choices.empty())
      for (const std::uint64_t choice : choices)
        if (std::ranges::none_of(blocks_,
                                 [&](const auto& entry) { return entry.second == choice; })) {
          blocks_[unit] = choice;
          return choice;
        }
    blocks_[unit] = unit;
    return unit;
  }

  void emit(ThreadIndex thread, std::uint64_t choice) {
    const Transition transition{Transition::Kind::kStep, thread, choice};
    lifted_.push_back(transition);
    if (!machine_->is_enabled(original_, transition))
      return fail("the thread cannot take the step");
    (void)machine_->apply(original_, transition);
  }
  void fail(const char* what) {
    if (!failure_)
      failure_ = Error{ErrorKind::kUnsupported,
                       "SEQ-006",
                       fmt::format("a run of the sequential program is none of the threads: {} "
                                   "(after {} steps)",
                                   what,
                                   lifted_.size())};
  }

  const SequentialMap& map_;
  program::Interpreter sequential_;
  program::Interpreter source_;
  std::unique_ptr<memory::Machine> machine_;
  program::State state_;
  memory::MachineState original_;
  Schedule lifted_;
  std::map<std::uint32_t, ThreadIndex> indices_; // by thread of the list
  std::map<std::uint64_t, std::uint64_t> blocks_;
  std::optional<Error> failure_;
};

} // namespace

Result<Schedule> lift_to_threads(const SequentialMap& map, const Schedule& schedule) {
  return Walk(map).run(schedule);
}

} // namespace heddle::transform
