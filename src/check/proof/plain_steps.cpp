// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data races are read off states by adjacency: two threads whose next accesses conflict. That finds
// every race by happens-before if whatever does not commute is ordered by happens-before. Let j be
// the first access of a run that races with an earlier one, i, and leave out everything that
// happens after i: what is left is a run, since none of it has read from, waited for or been
// created by what was left out (or there were a race before j), and at its end i and j stand side
// by side. It needs that synchronisation which does not commute is ordered (no attempts that may
// fail, no initialisation beside other threads), that atomics are sequentially consistent, and that
// no atomic section keeps j back. Under TSO and PSO a program without races under SC has its runs
// under SC only, and those are runs of the machine.
#include "check/proof/plain_steps.h"

#include "check/proof/recheck.h"
#include "memory/machine/standstill.h"
#include "spec/property.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::check {

namespace {

using program::FaultKind;
using program::Request;
using program::SyncOp;
using program::ThreadIndex;
using spec::Property;

/// What does not commute is ordered by happens-before.
constexpr std::array kOrders{SyncOp::kCreate,
                             SyncOp::kJoin,
                             SyncOp::kDetach,
                             SyncOp::kSelf,
                             SyncOp::kMutexLock,
                             SyncOp::kMutexUnlock,
                             SyncOp::kSpinLock,
                             SyncOp::kSpinUnlock,
                             SyncOp::kReadLock,
                             SyncOp::kWriteLock,
                             SyncOp::kReadWriteUnlock,
                             SyncOp::kSemaphoreWait,
                             SyncOp::kSemaphorePost,
                             SyncOp::kBarrierWait};
/// The same as long as there is no other thread.
constexpr std::array kOrdersAlone{
    SyncOp::kMutexInit, SyncOp::kMutexDestroy, SyncOp::kSemaphoreInit, SyncOp::kBarrierInit};

bool is_alone_only(const program::Action& action) {
  const auto* synchronize = std::get_if<program::Synchronize>(&action);
  return synchronize != nullptr &&
         std::ranges::find(kOrdersAlone, synchronize->op) != std::end(kOrdersAlone);
}

/// The order of an access that is atomic without being sequentially consistent, or of a fence.
bool is_ordered_otherwise(const program::Access& access) {
  return access.kind == program::AccessKind::kAtomic && access.order != program::Order::kSeqCst;
}

const program::Access* access_of(const program::Action& action) {
  if (const auto* load = std::get_if<program::Load>(&action))
    return &load->access;
  if (const auto* store = std::get_if<program::Store>(&action))
    return &store->access;
  if (const auto* modify = std::get_if<program::ReadModifyWrite>(&action))
    return &modify->access;
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    return &exchange->access;
  return nullptr;
}

/// Why adjacency does not find every race after this action, if it does not.
std::optional<std::string> why_not_by_adjacency(const program::Action& action) {
  if (std::holds_alternative<program::AtomicBegin>(action))
    return "an atomic section";
  if (const auto* synchronize = std::get_if<program::Synchronize>(&action))
    if (std::ranges::find(kOrders, synchronize->op) == std::end(kOrders) && !is_alone_only(action))
      return "an operation of synchronisation that orders nothing, or only sometimes";
  if (const auto* fence = std::get_if<program::Fence>(&action))
    // What lowering adds around an access (no order of C) is part of it.
    if (fence->access.kind == program::AccessKind::kAtomic &&
        (fence->access.order != program::Order::kNone || !fence->access.tags.empty()))
      return "a fence";
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    if (exchange->access.kind == program::AccessKind::kAtomic &&
        exchange->failure_order != program::Order::kSeqCst)
      return "an atomic access that is not sequentially consistent";
  if (const program::Access* access = access_of(action);
      access != nullptr && is_ordered_otherwise(*access))
    return "an atomic access that is not sequentially consistent";
  return std::nullopt;
}

/// An access that the thread is about to make.
struct NextAccess {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool writes = false;
  bool is_atomic = false;
};
std::optional<NextAccess> access_of(const Request& request) {
  const program::Access* access =
      request.edge == nullptr ? nullptr : access_of(request.edge->action);
  if (access == nullptr || !request.is_visible)
    return std::nullopt;
  return NextAccess{request.address,
                    request.size,
                    request.kind != Request::Kind::kLoad,
                    access->kind == program::AccessKind::kAtomic};
}

bool conflict(const NextAccess& a, const NextAccess& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size &&
         (a.writes || b.writes) && !(a.is_atomic && b.is_atomic);
}

} // namespace

std::optional<std::string> why_not_by_states(const spec::Task& task) {
  const auto* check = std::get_if<spec::Check>(&task.question);
  if (check == nullptr)
    return "final states are not a property";
  if (!task.model.machine)
    return fmt::format("the model '{}' has no machine", task.model.name);
  for (const program::Procedure& procedure : task.program->procedures)
    for (const program::Edge& edge : procedure.edges) {
      if (std::holds_alternative<program::LoadExclusive>(edge.action) ||
          std::holds_alternative<program::StoreExclusive>(edge.action))
        return "machines have no exclusive accesses";
      if (check->property == Property::kRace)
        if (const auto why = why_not_by_adjacency(edge.action))
          return fmt::format("data races are not a matter of states where there is {} ({})",
                             *why,
                             task.program->place(edge.loc));
    }
  if (check->property == Property::kRobustness &&
      *task.model.machine != memory::MachineKind::kSequential)
    return "robustness is a matter of runs, not of states";
  return std::nullopt;
}

PlainSteps::PlainSteps(const spec::Task& task)
    : property_(std::get<spec::Check>(task.question).property), ground_(task) {}

memory::MachineState PlainSteps::initial() const {
  memory::MachineState state;
  HEDDLE_CHECK(ground_.machine().initial(state).is_none(), "the initial state is a fault");
  return state;
}

Status
PlainSteps::take_all(const memory::MachineState& state,
                     const std::function<Status(const memory::MachineState&)>& successor) const {
  std::vector<execution::Transition> transitions;
  if (!ground_.machine().enabled(state, transitions))
    return not_certifiable("some nondeterministic values are only sampled");
  for (const execution::Transition& transition : transitions) {
    memory::MachineState next = state;
    const program::Fault fault = ground_.machine().apply(next, transition);
    if (const Status status = fault.is_none() ? successor(next) : judge_fault(fault); !status)
      return status;
  }
  return judge_state(state, transitions.empty());
}

Status PlainSteps::judge_fault(const program::Fault& fault) const {
  const auto at = [&](const std::string& what) {
    return fmt::format("{} at {}", what, ground_.program().place(fault.loc));
  };
  if (spec::violates(property_, fault.kind))
    return contradicted(at(program::to_string(fault.kind)));
  // A solver may know more values and threads than the machine.
  if (fault.kind == FaultKind::kCut || fault.kind == FaultKind::kTrap)
    return not_certifiable(at(fault.what));
  if (program::is_undefined_behaviour(fault.kind))
    return contradicted(at("undefined behaviour: " + program::to_string(fault.kind)));
  return Done{}; // the run ends there, as it may
}

Status PlainSteps::judge_state(const memory::MachineState& state, bool is_terminal) const {
  const memory::Machine& machine = ground_.machine();
  const program::Interpreter& interpreter = ground_.interpreter();
  switch (property_) {
  case Property::kReach:
  case Property::kOverflow:
  case Property::kRobustness: // without buffers every run is one of SC
    return Done{};
  case Property::kRace:
    return judge_races(state);
  case Property::kDeadlock:
    if (machine.deadlocked(state) != 0)
      return contradicted("threads that wait for each other for ever");
    return Done{};
  case Property::kLiveness:
    if (!state.core.has_ended && memory::find_standstill(machine, state).turning != 0)
      return contradicted("a loop that waits for ever");
    return Done{};
  case Property::kMemory:
  case Property::kCleanup:
    if (is_terminal && machine.is_final(state) &&
        !interpreter.leaked_blocks(state.core, property_ == Property::kCleanup).empty())
      return contradicted("memory that is not freed at the end");
    return Done{};
  }
  HEDDLE_CHECK(false, "no such property");
  return Done{};
}

Status PlainSteps::judge_races(const memory::MachineState& state) const {
  const auto& threads = state.core.threads;
  const auto live = std::ranges::count_if(
      threads, [](const program::ThreadState& thread) { return thread.is_live(); });
  if (live < 2 || state.core.has_ended)
    return Done{};
  std::vector<std::pair<NextAccess, SourceLoc>> next;
  for (ThreadIndex thread = 0; thread < threads.size(); ++thread) {
    if (!threads[thread].is_live())
      continue;
    const Request request = ground_.interpreter().request(state.core, thread);
    if (request.edge != nullptr && is_alone_only(request.edge->action))
      return not_certifiable(
          fmt::format("data races are not a matter of states where a lock is initialised or "
                      "destroyed beside other threads ({})",
                      ground_.program().place(request.edge->loc)));
    const std::optional<NextAccess> access = access_of(request);
    if (!access)
      continue;
    for (const auto& [other, loc] : next)
      if (conflict(*access, other))
        return not_certifiable(fmt::format("the accesses at {} and {} stand side by side",
                                           ground_.program().place(loc),
                                           ground_.program().place(request.edge->loc)));
    next.emplace_back(*access, request.edge->loc);
  }
  return Done{};
}

} // namespace heddle::check
