// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/schedule_of_execution.h"

#include "memory/machine/standstill.h"
#include "program/run/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace heddle::engine::axiomatic {

namespace {

using execution::Schedule;
using execution::Transition;
using memory::MachineState;
using program::EventSet;
using program::Request;
using program::StaticEvent;
using program::ThreadIndex;
using Kind = StaticEvent::Kind;

program::InterpreterOptions interpreter_options(const spec::Task& task) {
  program::InterpreterOptions options;
  options.malloc_may_fail = task.malloc_may_fail;
  options.reuse_freed_blocks = task.reuse_freed_blocks;
  options.exhaustive_bits = task.bounds.nondet_bits;
  return options;
}

/// An edge of the program as a thread takes it: a procedure may be called several times.
struct Place {
  program::ProcedureId procedure;
  std::uint32_t edge = 0;
  auto operator<=>(const Place&) const = default;
};

/// Turns that only wait are discarded by assumptions, unless something of conditions is to be seen
/// of them (encode/order/stuck.h): the solver knows which to keep, the machine is not to ask.
program::Program without_discards(const program::Program& program) {
  program::Program result = program;
  for (program::Procedure& procedure : result.procedures)
    for (std::size_t i = 0; i < procedure.edges.size(); ++i) {
      const auto* hint = std::get_if<program::Hint>(&procedure.edges[i].action);
      if (hint == nullptr || hint->kind != ir::Hint::Kind::kSpinEnd || hint->name.empty())
        continue;
      for (const std::uint32_t next : procedure.locations[procedure.edges[i].to].out)
        if (std::holds_alternative<program::Assume>(procedure.edges[next].action))
          procedure.edges[next].action = program::Skip{};
    }
  return result;
}

/// What is left of a thread's way to the loop it waits in has no place in the order: a few choices.
constexpr unsigned kMostStepsToALoop = 1000;

class Walk {
public:
  Walk(const SolvedExecution& solved, memory::MachineKind kind, const spec::Task& task)
      : solved_(solved), set_(*solved.set), program_(without_discards(*set_.program)),
        interpreter_(program_, interpreter_options(task)),
        machine_(memory::Machine::make(kind, interpreter_)), threads_(set_.threads.size()),
        visit_of_(set_.events.size(), 0) {
    for (EventIndex e = 0; e < set_.events.size(); ++e)
      if (set_.events[e].edge && solved_.happens(e))
        note_visit(e);
    threads_[0].index = 0;
  }

  /// It was met that there is no room for another thread.
  [[nodiscard]] bool lacks_room() const { return lacks_room_; }

  Schedule run() {
    if (!machine_->initial(state_).is_none())
      return schedule_;
    if (!solved_.end) {
      for (const Node node : solved_.order)
        if (!take_effect(node))
          break;
      for (const EventIndex last : solved_.last_steps)
        if (!advance(last))
          return std::move(schedule_);
      while (solved_.ending && step(*solved_.ending)) {
      }
      for (const std::uint32_t stuck : solved_.stuck)
        while (!waits(stuck) && step(stuck)) {
        }
      for (const std::uint32_t turning : solved_.turning)
        for (unsigned i = 0; i < kMostStepsToALoop && !turns(turning) && step(turning); ++i) {
        }
      return std::move(schedule_);
    }
    const std::uint32_t thread = set_.events[*solved_.end].thread;
    std::size_t left = 0; // steps of the thread that meets the end, before it
    for (const Node node : solved_.order)
      left += is_before_end(node) ? 1 : 0;
    for (auto node = solved_.order.begin(); left > 0 && node != solved_.order.end(); ++node) {
      if (!take_effect(*node))
        return std::move(schedule_);
      left -= is_before_end(*node) ? 1 : 0;
    }
    // Whatever is left of the thread's way is its own.
    while (step(thread)) {
    }
    return std::move(schedule_);
  }

private:
  struct PendingStore {
    Place place;
    std::size_t visit = 0;
    bool operator==(const PendingStore&) const = default;
  };
  struct Thread {
    std::optional<ThreadIndex> index;                             // of the machine
    std::map<Place, std::vector<std::vector<EventIndex>>> visits; // the events of each
    std::map<Place, std::size_t> made;                            // how many
    std::optional<Place> last;
    std::vector<PendingStore> pending; // oldest first
    bool is_before_fault = false;      // its next step would end the run
  };

  [[nodiscard]] Place place_of(EventIndex event) const {
    return {set_.events[event].procedure, *set_.events[event].edge};
  }

  /// Events with one instruction number are of one visit. A wait that takes several steps has
  /// several visits of its edge.
  void note_visit(EventIndex e) {
    auto& visits = threads_[set_.events[e].thread].visits[place_of(e)];
    if (visits.empty() ||
        set_.events[visits.back().front()].instruction != set_.events[e].instruction)
      visits.emplace_back();
    visits.back().push_back(e);
    visit_of_[e] = visits.size() - 1;
  }

  [[nodiscard]] bool is_before_end(Node node) const {
    return is_step_before(
        solved_.skeleton->nodes[node], set_.events[*solved_.end].thread, *solved_.end);
  }

  /// False: the walk is over.
  bool take_effect(Node node) {
    const encode::NodeInfo& info = solved_.skeleton->nodes[node];
    const StaticEvent& first = set_.events[info.first];
    if (first.section != 0)
      return run_section(info.thread, first.section);
    // The start or end of a thread, or the end of a frame. The end of main would end all others.
    if (!first.edge)
      return info.thread == 0 || set_.threads[info.thread].end != info.first ||
             run_to_end(info.thread);
    // Nothing waits for a store-store fence: its place in the order is that of the writes before
    // it.
    if (first.kind == Kind::kFence && first.strength == program::Fence::Strength::kStoreStore)
      return true;
    return advance(info.first) && (!info.is_delayed_write || flush(info.first));
  }

  /// Memory of its own that a thread touches may have events; the machine makes no steps of them.
  [[nodiscard]] bool has_step(EventIndex event) const {
    const StaticEvent& what = set_.events[event];
    return program::is_visible(set_.program->procedures[what.procedure].edges[*what.edge].action);
  }

  /// The thread's steps up to and including the one the event comes from.
  bool advance(EventIndex event) {
    if (!has_step(event))
      return true;
    const std::uint32_t thread = set_.events[event].thread;
    const Place place = place_of(event);
    while (threads_[thread].made[place] <= visit_of_[event])
      if (!step(thread))
        return waits(thread) || threads_[thread].is_before_fault;
    return true;
  }

  [[nodiscard]] bool meets_end(std::uint32_t thread) const {
    return solved_.end && set_.events[*solved_.end].thread == thread;
  }
  /// Misused synchronisation fails in the step that looks at its words. In another thread than the
  /// one that meets the end, that step waits: nobody sees what it only reads.
  [[nodiscard]] bool ends_run(const Transition& transition) const {
    MachineState after = state_;
    return !machine_->apply(after, transition).is_none();
  }

  /// For a lock, say: the model has the read that finds it taken, the machine has no step for that.
  [[nodiscard]] bool waits(std::uint32_t thread) const {
    if (!is_live(thread))
      return false;
    const ThreadIndex index = *threads_[thread].index;
    return interpreter_.blocked(state_.core, index, interpreter_.request(state_.core, index))
        .has_value();
  }

  [[nodiscard]] bool turns(std::uint32_t thread) const {
    return !is_live(thread) ||
           !memory::idle_turn(*machine_, state_, *threads_[thread].index).steps.empty();
  }

  bool run_section(std::uint32_t thread, std::uint32_t section) {
    std::optional<EventIndex> last;
    for (EventIndex e = set_.threads[thread].first; e < set_.threads[thread].last; ++e)
      if (set_.events[e].section == section && set_.events[e].edge && solved_.happens(e) &&
          solved_.skeleton->node_of[e] != encode::kNoNode)
        last = e;
    return (!last || advance(*last)) && leave_lock(thread, section);
  }

  /// Others find the lock free, so it is given back before anybody else moves: by one of the steps
  /// that do, whichever the thread comes to. (What it goes by need not be in the model.)
  bool leave_lock(std::uint32_t thread, std::uint32_t number) {
    for (const encode::LockSection& section : *solved_.lock_sections) {
      if (section.number != number || std::ranges::none_of(section.gives, [&](EventIndex give) {
            return solved_.happens(give);
          }))
        continue;
      const auto is_given = [&](EventIndex give) {
        return threads_[thread].made[place_of(give)] > 0;
      };
      while (std::ranges::none_of(section.gives, is_given))
        if (!step(thread))
          return false;
    }
    return true;
  }

  bool run_to_end(std::uint32_t thread) {
    while (is_live(thread))
      if (!step(thread))
        return false;
    return true;
  }

  [[nodiscard]] bool is_live(std::uint32_t thread) const {
    const std::optional<ThreadIndex>& index = threads_[thread].index;
    return index && *index < state_.core.threads.size() && state_.core.threads[*index].is_live();
  }

  /// Where the request comes from. The later steps of a wait have no edge of their own.
  [[nodiscard]] std::optional<Place> place_of(std::uint32_t thread, const Request& request) const {
    if (request.edge == nullptr)
      return threads_[thread].last;
    const program::ProcedureId procedure =
        state_.core.threads[*threads_[thread].index].procedure(0);
    const program::Edge* first = program_.procedures[procedure].edges.data();
    return Place{procedure, static_cast<std::uint32_t>(request.edge - first)};
  }

  /// One step of the thread, as the model chose. False: it cannot be taken, or it ended the run.
  bool step(std::uint32_t thread) {
    if (!is_live(thread))
      return false;
    Thread& mover = threads_[thread];
    const ThreadIndex index = *mover.index;
    const Request request = interpreter_.request(state_.core, index);
    const std::optional<Place> place = place_of(thread, request);
    std::vector<Transition> possible;
    bool is_complete = machine_->steps(state_, index, request, possible);
    if (possible.empty() && flush_section(thread))
      is_complete = machine_->steps(state_, index, request, possible);
    if (possible.empty())
      return false;
    Transition chosen = possible.front();
    if (place && (possible.size() > 1 || !is_complete))
      chosen.choice = choice(mover, *place, request, possible);
    const ThreadIndex next = interpreter_.next_thread(state_.core);
    if (next >= program::kMaxThreads && creates(request)) {
      lacks_room_ = true;
      return false;
    }
    if (request.kind == Request::Kind::kSynchronize && !meets_end(thread) && ends_run(chosen)) {
      mover.is_before_fault = true;
      return false;
    }
    const std::size_t before = pending_count(index);
    schedule_.push_back(chosen);
    if (!machine_->apply(state_, chosen).is_none())
      return false;
    if (!place || request.kind == Request::Kind::kWakeUp)
      return true;
    if (pending_count(index) > before)
      mover.pending.push_back({*place, mover.made[*place]});
    note_creation(thread, *place, request, next);
    const bool is_kept = is_kept_waiting(mover, *place);
    ++mover.made[*place];
    mover.last = *place;
    if (is_live(thread) && !is_kept &&
        interpreter_.request(state_.core, index).kind == Request::Kind::kWakeUp)
      return step(thread);
    return true;
  }

  [[nodiscard]] bool is_kept_waiting(const Thread& mover, Place place) const {
    const auto visits = mover.visits.find(place);
    const auto made = mover.made.find(place);
    const std::size_t visit = made == mover.made.end() ? 0 : made->second;
    return visits != mover.visits.end() && visit < visits->second.size() &&
           std::ranges::any_of(
               visits->second[visit],
               [&](EventIndex e) { return solved_.kept_waiting.contains(e); });
  }

  [[nodiscard]] static bool creates(const Request& request) {
    const auto* sync = request.edge == nullptr
                           ? nullptr
                           : std::get_if<program::Synchronize>(&request.edge->action);
    return sync != nullptr && sync->op == program::SyncOp::kCreate;
  }

  void note_creation(std::uint32_t thread, Place place, const Request& request, ThreadIndex index) {
    if (!creates(request))
      return;
    for (std::uint32_t child = 0; child < set_.threads.size(); ++child)
      if (const std::optional<EventIndex>& at = set_.threads[child].created_at;
          at && set_.events[*at].thread == thread && place_of(*at) == place &&
          visit_of_[*at] == threads_[thread].made[place] &&
          solved_.happens(set_.threads[child].start))
        threads_[child].index = index;
  }

  /// What the model took where the machine leaves a choice.
  [[nodiscard]] std::uint64_t choice(const Thread& mover,
                                     Place place,
                                     const Request& request,
                                     const std::vector<Transition>& possible) const {
    std::optional<std::uint64_t> chosen;
    std::optional<std::uint64_t> read;
    std::optional<std::uint64_t> woken;
    const auto visits = mover.visits.find(place);
    const auto made = mover.made.find(place);
    std::size_t visit = made == mover.made.end() ? 0 : made->second;
    if (request.kind == Request::Kind::kWakeUp)
      --visit; // still of the step that began to wait
    if (visits != mover.visits.end() && visit < visits->second.size()) {
      unsigned shift = 0;
      for (const EventIndex e : visits->second[visit]) {
        const StaticEvent& event = set_.events[e];
        if (const auto signal = solved_.woken.find(e); signal != solved_.woken.end())
          woken = threads_[signal->second].index;
        if (event.kind == Kind::kChoice) {
          chosen = solved_.value(event.value);
        } else if (event.kind == Kind::kFound) {
          read = solved_.value(event.value);
        } else if (event.kind == Kind::kRead) {
          read = read.value_or(0) | solved_.value(event.value) << shift;
          shift += 8U * event.size;
        }
      }
    }
    switch (request.kind) {
    case Request::Kind::kNondet:
      return chosen.value_or(possible.front().choice);
    case Request::Kind::kLoad:
    case Request::Kind::kReadModifyWrite:
      return read.value_or(possible.front().choice);
    case Request::Kind::kCompareExchange: { // chosen is 1: it does not fail by itself
      const bool fails = chosen && *chosen == 0;
      if (!interpreter_.is_unwritten(state_.core.memory, request.address, request.size))
        return fails ? possible.back().choice : possible.front().choice;
      // Beside the value of at most four bytes (Interpreter::choices).
      return read.value_or(0) | (fails && request.size <= 4 ? 1ULL << 63U : 0);
    }
    default: // a thread; 1: it runs out of time
      if (woken)
        return *woken;
      return chosen && *chosen != 0 ? possible.back().choice : possible.front().choice;
    }
  }

  [[nodiscard]] std::size_t pending_count(ThreadIndex index) const {
    return index < state_.buffers.size() ? state_.buffers[index].stores.size() : 0;
  }

  /// An atomic section ends on an empty buffer, and nobody sees when in it stores reach memory.
  bool flush_section(std::uint32_t thread) {
    const ThreadIndex index = *threads_[thread].index;
    if (state_.core.atomic_owner != static_cast<std::int32_t>(index) || pending_count(index) == 0)
      return false;
    while (pending_count(index) != 0) {
      const Transition transition{Transition::Kind::kFlush, index, 0};
      schedule_.push_back(transition);
      if (!machine_->apply(state_, transition).is_none())
        return false;
    }
    threads_[thread].pending.clear();
    return true;
  }

  /// The pending store that the event is.
  bool flush(EventIndex write) {
    Thread& mover = threads_[set_.events[write].thread];
    const auto found = std::find(mover.pending.begin(),
                                 mover.pending.end(),
                                 PendingStore{place_of(write), visit_of_[write]});
    if (found == mover.pending.end())
      return true;
    const Transition transition{Transition::Kind::kFlush,
                                *mover.index,
                                static_cast<std::uint64_t>(found - mover.pending.begin())};
    if (!machine_->is_enabled(state_, transition))
      return false;
    mover.pending.erase(found);
    schedule_.push_back(transition);
    return machine_->apply(state_, transition).is_none();
  }

  const SolvedExecution& solved_;
  const EventSet& set_;
  const program::Program program_;
  program::Interpreter interpreter_;
  std::unique_ptr<memory::Machine> machine_;
  MachineState state_;
  Schedule schedule_;
  std::vector<Thread> threads_;       // by thread of the set
  std::vector<std::size_t> visit_of_; // by event that happens: which visit of its edge it is
  bool lacks_room_ = false;
};

} // namespace

bool is_step_before(const encode::NodeInfo& node, std::uint32_t thread, EventIndex event) {
  return node.thread == thread && node.first <= event && !node.is_delayed_write;
}

Result<Schedule>
make_schedule(const SolvedExecution& solved, memory::MachineKind machine, const spec::Task& task) {
  Walk walk(solved, machine, task);
  Schedule schedule = walk.run();
  if (walk.lacks_room())
    return Error{ErrorKind::kUnsupported,
                 "AXI-001",
                 fmt::format("there is an execution that violates it, but it has more than {} "
                             "threads at a time, and runs do not",
                             program::kMaxThreads)};
  return schedule;
}

} // namespace heddle::engine::axiomatic
