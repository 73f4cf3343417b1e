// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data races by adjacency: two threads whose next accesses conflict. A pair that stands side by
// side is made into a run in which both take place, and that run is watched by the happens-before
// monitor: only what it finds is reported.
//
// Side by side includes that one of them, a, is in an atomic section and the other, b, is only kept
// back by it. Then b can come first, before the section begins: nobody moves while it is open, so b
// had the same access ahead of it there. Until a meets what b touched its section goes as before;
// if the first access that meets it is not the race (both are atomic), the section may go another
// way, and the run in which b comes after the section is needed. That one does not exist where the
// section always ends the run, or is never left. So both are tried, the second in every way the
// section can go.
#include "engine/explicit/actions.h"
#include "engine/explicit/race_monitor.h"
#include "engine/explicit/state_search.h"
#include "program/analyse/section_depth.h"
#include "program/model/sync_kinds.h"
#include "support/check.h"

#include <fmt/format.h>

#include <set>
#include <variant>

namespace heddle::engine {
namespace {

/// So many states are followed from an access to the end of its atomic section before the verdict
/// says that it was not followed to the end.
constexpr std::size_t kMaxSectionStates = 10000;

/// Does it tell what another thread has done without being ordered after it? So do attempts that
/// fail.
bool may_look_without_order(const program::Action& action) {
  const auto* synchronize = std::get_if<program::Synchronize>(&action);
  if (synchronize == nullptr)
    return false;
  const ir::SyncRole role = facts_of(synchronize->op).role;
  return is_attempt(synchronize->op) || role == ir::SyncRole::kLook ||
         (role == ir::SyncRole::kDestroy && synchronize->dest);
}

/// Others find what it has written, and come after nobody for that.
bool is_initialisation(const program::Action& action) {
  const auto* synchronize = std::get_if<program::Synchronize>(&action);
  return synchronize != nullptr && is_initialisation(synchronize->op);
}

/// Where other threads may be there already: behind a create, by the graphs of control.
class Company {
public:
  explicit Company(const program::Program& program)
      : program_(program), creates_(program.procedures.size(), false),
        has_at_entry_(program.procedures.size(), false), has_at_(program.procedures.size()) {
    for (std::size_t i = 0; i < program.procedures.size(); ++i)
      has_at_[program::ProcedureId{i}].assign(
          program.procedures[program::ProcedureId{i}].locations.size(), false);
    for (std::size_t i = 1; i < program.templates.size(); ++i)
      has_at_entry_[program.templates[i].entry] = true;
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t i = 0; i < program.procedures.size(); ++i)
        is_changed = go_through(program::ProcedureId{i}) || is_changed;
    }
  }

  [[nodiscard]] bool may_have(program::ProcedureId procedure, program::LocationId location) const {
    return has_at_[procedure][location.index()];
  }

private:
  static bool set(std::vector<bool>::reference flag) {
    const bool is_new = !flag;
    flag = true;
    return is_new;
  }
  bool go_through(program::ProcedureId id) {
    const program::Procedure& procedure = program_.procedures[id];
    std::vector<bool>& has = has_at_[id];
    bool is_changed = has_at_entry_[id] && set(has[procedure.entry.index()]);
    for (const program::Edge& edge : procedure.edges) {
      bool after = has[edge.from.index()];
      const auto* synchronize = std::get_if<program::Synchronize>(&edge.action);
      const bool creates = synchronize != nullptr && synchronize->op == program::SyncOp::kCreate;
      if (const auto* call = std::get_if<program::Call>(&edge.action))
        for (const program::ProcedureId target : call->targets) {
          if (after && !has_at_entry_[target])
            is_changed = has_at_entry_[target] = true;
          after = after || creates_[target];
          if (creates_[target] && !creates_[id])
            is_changed = creates_[id] = true;
        }
      if (creates && !creates_[id])
        is_changed = creates_[id] = true;
      if (after || creates)
        is_changed = set(has[edge.to.index()]) || is_changed;
    }
    return is_changed;
  }

  const program::Program& program_;
  IdVector<program::ProcedureId, bool> creates_; // with what it calls
  IdVector<program::ProcedureId, bool> has_at_entry_;
  IdVector<program::ProcedureId, std::vector<bool>> has_at_;
};

bool is_relaxed(const program::Access& access) {
  return access.kind == program::AccessKind::kAtomic && access.order != program::Order::kSeqCst;
}

/// What orders, or is ordered by, what other threads do.
bool synchronises(const program::Action& action) {
  const auto* synchronize = std::get_if<program::Synchronize>(&action);
  if (synchronize != nullptr)
    return synchronize->op != program::SyncOp::kSelf;
  const program::Access* access = access_of(action);
  return access != nullptr && access->kind == program::AccessKind::kAtomic;
}

} // namespace

/// In a section other accesses may stand between what synchronises and the place where another
/// thread can come: they never stand side by side with the other's, and are not ordered.
bool is_adjacency_enough(const program::Program& program) {
  const Company company(program);
  const program::SectionDepths sections = program::section_depths(program);
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const program::Edge& edge : program.procedures[program::ProcedureId{i}].edges) {
      if (may_look_without_order(edge.action))
        return false;
      if (sections[program::ProcedureId{i}][edge.from.index()] > 0 && synchronises(edge.action))
        return false;
      if (is_initialisation(edge.action) && company.may_have(program::ProcedureId{i}, edge.from))
        return false;
      const program::Access* access = access_of(edge.action);
      if (access == nullptr)
        continue;
      if (std::holds_alternative<program::Fence>(edge.action)) {
        // What lowering adds around a store (no order of C) is part of the store; a compiler
        // barrier orders nothing.
        if (access->kind == program::AccessKind::kAtomic &&
            (access->order != program::Order::kNone || !access->tags.empty()))
          return false;
        continue;
      }
      if (is_relaxed(*access))
        return false;
      if (const auto* exchange = std::get_if<program::CompareExchange>(&edge.action))
        if (access->kind == program::AccessKind::kAtomic &&
            exchange->failure_order != program::Order::kSeqCst)
          return false;
    }
  return true;
}

/// A run with the monitor beside it.
class Search::WatchedRun {
public:
  WatchedRun(const memory::Machine& machine, const Monitor& monitor)
      : machine_(&machine), monitor_(&monitor), words_(monitor.initial()) {
    HEDDLE_CHECK(machine.initial(state_).is_none(), "a schedule for a run that does not start");
  }
  /// False if the run cannot go on from there. A race counts all the same.
  bool take(const Transition& transition) {
    if (hit_ || !machine_->is_enabled(state_, transition))
      return false;
    const memory::MachineState before = state_;
    memory::StepDetail detail;
    const Fault fault = machine_->apply(state_, transition, &detail);
    hit_ = monitor_->update(words_, before, state_, transition, detail);
    schedule_.push_back(transition);
    return fault.is_none() && !hit_;
  }
  /// The thread's next step, in the first way it can go.
  bool step(ThreadIndex thread) {
    const std::vector<Transition> ways = moves(thread, false);
    return !ways.empty() && take(ways.front());
  }
  [[nodiscard]] std::vector<Transition> moves(ThreadIndex thread, bool with_flushes) const {
    std::vector<Transition> result;
    if (state_.core.has_ended || !state_.core.threads[thread].is_live())
      return result;
    machine_->steps(state_, thread, machine_->interpreter().request(state_.core, thread), result);
    if (with_flushes)
      machine_->flushes(state_, thread, result);
    return result;
  }
  [[nodiscard]] bool is_section_of(ThreadIndex thread) const {
    return state_.core.atomic_owner == static_cast<std::int32_t>(thread);
  }
  /// Everything that decides how it can go on.
  [[nodiscard]] std::vector<std::uint64_t> key() const {
    std::vector<std::uint64_t> key = words_;
    const auto add = [&](const std::vector<std::uint64_t>& words) {
      key.push_back(words.size());
      key.insert(key.end(), words.begin(), words.end());
    };
    add(state_.core.memory.words);
    for (const program::ThreadState& thread : state_.core.threads)
      add(thread.words);
    for (const memory::StoreBuffer& buffer : state_.buffers) {
      add({buffer.epoch});
      for (const memory::PendingStore& store : buffer.stores)
        add({store.address, store.value, store.size, store.epoch, store.marks});
    }
    return key;
  }
  [[nodiscard]] const std::optional<MonitorHit>& hit() const { return hit_; }
  [[nodiscard]] const execution::Schedule& schedule() const { return schedule_; }

private:
  const memory::Machine* machine_;
  const Monitor* monitor_;
  memory::MachineState state_;
  std::vector<std::uint64_t> words_;
  execution::Schedule schedule_;
  std::optional<MonitorHit> hit_;
};

void Search::judge_races(StateId id) {
  const std::uint32_t count = tuple_.thread_count();
  if (count < 2 || tuple_.has_ended())
    return;
  for (ThreadIndex a = 0; a < count; ++a) {
    if (!stepper_.view(a).is_access || (stepper_.view(a).drains && stepper_.pending(a) != 0))
      continue;
    for (ThreadIndex b = a + 1; b < count; ++b) {
      const StepView& first = stepper_.view(a);
      const StepView& second = stepper_.view(b);
      if (!second.is_access || (second.drains && stepper_.pending(b) != 0))
        continue;
      if (first.address >= second.address + second.size ||
          second.address >= first.address + first.size)
        continue;
      if ((!first.writes_memory && !second.writes_memory) ||
          (first.is_atomic && second.is_atomic) || !may_conflict(a, b))
        continue;
      if (counter_abstraction_) {
        is_doubtful_ = true;
        return;
      }
      if (report_race(id, a, b) || report_race(id, b, a))
        return;
    }
  }
}

/// As far as the accesses themselves say: one that faults does not take place (and is found as what
/// it is), and a compare-exchange that fails does not write.
bool Search::may_conflict(ThreadIndex a, ThreadIndex b) {
  const memory::MachineState& state = stepper_.state();
  bool writes = false;
  for (const ThreadIndex thread : {a, b}) {
    const program::Request request = interpreter_.request(state.core, thread);
    if (!interpreter_.check_access(state.core, thread, request).is_none())
      return false;
    const program::MemoryState& memory = state.core.memory;
    const bool fails = request.kind == program::Request::Kind::kCompareExchange &&
                       !interpreter_.is_unwritten(memory, request.address, request.size) &&
                       interpreter_.read(memory, request.address, request.size) != request.expected;
    writes = writes || (stepper_.view(thread).writes_memory && !fails);
  }
  return writes;
}

/// The index of the access the monitor remembers: the last one of that thread that fits.
std::uint32_t Search::earlier_access(const execution::Schedule& schedule,
                                     const MonitorHit& hit) const {
  memory::MachineState state;
  HEDDLE_CHECK(machine_->initial(state).is_none(), "a schedule for a run that does not start");
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    memory::StepDetail detail;
    HEDDLE_CHECK(machine_->apply(state, schedule[i], &detail).is_none(),
                 "a rebuilt schedule does not run");
    const program::Request& request = detail.request;
    if (schedule[i].kind == Transition::Kind::kStep && schedule[i].thread == hit.thread &&
        request.size != 0 && request.address == hit.address && request.size == hit.size &&
        detail.wrote == hit.writes)
      first = i;
  }
  HEDDLE_CHECK(first.has_value(), "the race monitor remembers an access that never happened");
  return *first;
}

/// b before the section of a that is open at the end of the schedule.
bool Search::races_before_section(const execution::Schedule& schedule,
                                  ThreadIndex a,
                                  ThreadIndex b,
                                  WatchedRun& run) const {
  std::size_t begins = schedule.size();
  memory::MachineState state;
  HEDDLE_CHECK(machine_->initial(state).is_none(), "a schedule for a run that does not start");
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const bool was_open = state.core.atomic_owner >= 0;
    HEDDLE_CHECK(machine_->apply(state, schedule[i]).is_none(), "a rebuilt schedule does not run");
    if (!was_open && state.core.atomic_owner == static_cast<std::int32_t>(a))
      begins = i;
  }
  bool goes_on = true;
  for (std::size_t i = 0; goes_on && i < begins; ++i)
    goes_on = run.take(schedule[i]);
  goes_on = goes_on && run.step(b);
  for (std::size_t i = begins; goes_on && i < schedule.size(); ++i)
    goes_on = run.take(schedule[i]);
  if (goes_on)
    (void)run.step(a);
  return run.hit().has_value();
}

/// b after a's access and, if that is in an atomic section, after its end. Leaves the run that
/// shows the race in `run`.
bool Search::races_after(ThreadIndex a, ThreadIndex b, WatchedRun& run) {
  if (!run.is_section_of(a)) {
    if (run.step(a))
      (void)run.step(b);
    return run.hit().has_value();
  }
  std::set<std::vector<std::uint64_t>> seen;
  std::vector<WatchedRun> open{run};
  while (!open.empty()) {
    const WatchedRun now = std::move(open.back());
    open.pop_back();
    if (!seen.insert(now.key()).second)
      continue;
    if (seen.size() > kMaxSectionStates) {
      cuts_.insert(fmt::format("an atomic section with an access that may race is followed for {} "
                               "states",
                               kMaxSectionStates));
      return false;
    }
    const ThreadIndex mover = now.is_section_of(a) ? a : b;
    for (const Transition& transition : now.moves(mover, mover == a)) {
      WatchedRun next = now;
      const bool goes_on = next.take(transition);
      if (next.hit()) {
        run = std::move(next);
        return true;
      }
      if (goes_on && mover == a)
        open.push_back(std::move(next));
    }
  }
  return false;
}

bool Search::report_race(StateId id, ThreadIndex first, ThreadIndex second) {
  Permutation permutation;
  const execution::Schedule schedule = schedule_to(id, permutation);
  const ThreadIndex a = permutation[first];
  const ThreadIndex b = permutation[second];
  const std::unique_ptr<Monitor> monitor = make_race_monitor(interpreter_);
  WatchedRun run(*machine_, *monitor);
  bool goes_on = true;
  for (std::size_t i = 0; goes_on && i < schedule.size(); ++i)
    goes_on = run.take(schedule[i]);
  bool is_race = run.hit().has_value();
  if (!is_race && run.is_section_of(a)) {
    WatchedRun earlier(*machine_, *monitor);
    is_race = races_before_section(schedule, a, b, earlier);
    if (is_race)
      run = std::move(earlier);
  }
  is_race = is_race || (goes_on && races_after(a, b, run));
  if (!is_race) {
    Tuple tuple;
    store_.read(id, tuple);
    stepper_.begin(tuple); // the caller goes on with this state
    return false;
  }
  verdict::Violation violation;
  violation.property = spec::Property::kRace;
  violation.schedule = run.schedule();
  const Transition last = violation.schedule.back();
  violation.schedule.pop_back();
  const auto later = static_cast<std::uint32_t>(violation.schedule.size());
  violation.kind = verdict::Race{earlier_access(violation.schedule, *run.hit()), later};
  violation.schedule.push_back(last);
  violation_ = std::move(violation);
  return true;
}

} // namespace heddle::engine
