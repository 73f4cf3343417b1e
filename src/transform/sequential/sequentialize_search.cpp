// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// First the sequential program is stepped by the interpreter: for each thread this gives the steps
// it took, with their choices, what they read and when. Then a depth-first search over the states
// of the machine looks for an order of these steps that the machine has, in which every read
// returns what was recorded, and the failing step comes last. Steps are tried in the order of
// their times, then stores are flushed; where times are right nothing is ever taken back.
#include "transform/sequential/sequentialize_search.h"

#include "memory/machine/machine.h"
#include "program/model/sync_kinds.h"
#include "program/run/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::transform {

using execution::Schedule;
using execution::Transition;
using program::Request;
using program::ThreadIndex;

namespace {

/// What a thread did at an edge of the source, as far as the machine takes part.
struct Record {
  enum class Part : std::uint8_t { kWhole, kWakeUp, kRest };
  std::uint32_t edge = 0;
  Part part = Part::kWhole;
  std::uint64_t choice = 0;
  std::optional<std::uint64_t> value = {}; // that was read
  std::uint64_t time = 0;
};

/// Where the run ended.
struct Ending {
  std::uint32_t thread = 0;
  std::uint32_t edge = 0;
};

Error failure(const char* what, std::size_t steps) {
  return Error{ErrorKind::kUnsupported,
               "SEQ-006",
               fmt::format("a run of the sequential program is none of the threads: {} "
                           "(after {} steps)",
                           what,
                           steps)};
}

/// Steps the sequential program.
class Recording {
public:
  explicit Recording(const SequentialMap& map)
      : map_(map), interpreter_(map.sequential, with_all_locals(map.replay)),
        state_(interpreter_.initial()), is_interrupted_(map.threads.size(), false),
        records(map.threads.size()) {}

  Result<Ending> run(const Schedule& schedule) {
    run_local();
    for (const Transition& transition : schedule) {
      take(transition.choice);
      ++steps_;
      if (error_)
        return *error_;
      if (ending_)
        return *ending_;
    }
    return failure("it does not fail", steps_);
  }

private:
  static program::InterpreterOptions with_all_locals(program::InterpreterOptions options) {
    options.keep_dead_locals = true;
    return options;
  }
  struct Place {
    unsigned frames = 0;
    program::ProcedureId procedure;
    program::LocationId location;
    bool operator==(const Place&) const = default;
  };
  [[nodiscard]] Place place() const {
    const program::ThreadState& thread = state_.threads[0];
    return {thread.frame_count(), thread.procedure(0), thread.location(0)};
  }
  [[nodiscard]] bool is_over() const { return state_.has_ended || !state_.threads[0].is_live(); }

  /// As many steps as the machine takes in one transition.
  void run_local(unsigned limit = memory::Machine::kLocalStepLimit) {
    for (unsigned i = 0; i < limit && !is_over() && step_local(); ++i)
      ;
  }
  bool step_local() {
    const Request request = interpreter_.request(state_, 0);
    const Place before = place();
    if (request.edge == nullptr || !interpreter_.run_local(state_, 0, 1).is_none() ||
        (!is_over() && place() == before))
      return false;
    pass(request, 0);
    return true;
  }
  void take(std::uint64_t choice) {
    if (is_over()) {
      error_ = failure("the run has ended", steps_);
      return;
    }
    const Request request = interpreter_.request(state_, 0);
    if (step_local())
      return run_local(memory::Machine::kLocalStepLimit - 1);
    if (request.kind == Request::Kind::kLocal || request.kind == Request::Kind::kFault ||
        !interpreter_.execute(state_, 0, request, choice).is_none())
      return stop_at(request);
    pass(request, choice);
    run_local();
  }

  [[nodiscard]] SliceOrigin origin_of(const program::Edge* edge) const {
    const std::vector<program::Edge>& edges =
        map_.sequential.procedures[map_.threads.front().procedure].edges;
    // Operations of the abstraction stand for nothing of their own.
    if (edge == nullptr || std::less<>()(edge, edges.data()) ||
        !std::less<>()(edge, edges.data() + edges.size()))
      return {};
    return map_.origins[static_cast<std::size_t>(edge - edges.data())];
  }
  void stop_at(const Request& request) {
    const SliceOrigin origin = origin_of(request.edge);
    if (origin.kind == SliceOrigin::Kind::kNone)
      error_ = failure("the schedule itself ends the run", steps_);
    else
      ending_ = Ending{origin.thread, origin.edge};
  }

  void pass(const Request& request, std::uint64_t choice) {
    const SliceOrigin origin = origin_of(request.edge);
    if (origin.kind == SliceOrigin::Kind::kNone)
      return;
    if (is_interrupted_[origin.thread])
      return;
    std::vector<Record>& mine = records[origin.thread];
    if (origin.kind == SliceOrigin::Kind::kDone) {
      finish(mine, origin);
      return;
    }
    Record record;
    record.edge = origin.edge;
    record.choice = choice;
    record.time = clock_++;
    if (map_.is_coarse) // until the time is known: when the thread has come so far
      record.time = mine.empty() ? 0 : mine.back().time;
    if (origin.kind == SliceOrigin::Kind::kRest) {
      record.part = Record::Part::kRest;
      mine.push_back(record);
      return;
    }
    mine.push_back(record);
    const program::Edge& edge =
        map_.source.procedures[map_.threads[origin.thread].procedure].edges[origin.edge];
    const auto* sync = std::get_if<program::Synchronize>(&edge.action);
    if (sync != nullptr && is_condition_wait(sync->op)) {
      // A thread that waits on a condition wakes at once, and then waits for the mutex.
      mine.back().choice = 0;
      record.part = Record::Part::kWakeUp;
      mine.push_back(record);
    }
  }
  void finish(std::vector<Record>& mine, const SliceOrigin& origin) {
    const std::uint64_t time = origin.time.is_valid() ? state_.threads[0].local(0, origin.time) : 0;
    if (map_.is_coarse && time == kNever) {
      is_interrupted_[origin.thread] = true;
      while (!mine.empty() && mine.back().edge == origin.edge)
        mine.pop_back();
      return;
    }
    for (auto record = mine.rbegin(); record != mine.rend() && record->edge == origin.edge;
         ++record) {
      if (origin.value.is_valid() && record->part == Record::Part::kWhole)
        record->value = state_.threads[0].local(0, origin.value);
      // At equal times writes come before reads.
      if (origin.time.is_valid() && map_.is_coarse)
        record->time = time << 32U | clock_++;
      else if (origin.time.is_valid())
        record->time = 2 * time + (origin.value.is_valid() ? 1 : 0);
    }
  }

  static constexpr std::uint64_t kNever = 0xffff'ffff; // SMA_NEVER
  const SequentialMap& map_;
  program::Interpreter interpreter_;
  program::State state_;
  std::vector<bool> is_interrupted_; // by thread
  std::optional<Error> error_;
  std::optional<Ending> ending_;
  std::size_t steps_ = 0;
  std::uint64_t clock_ = 0;

public:
  std::vector<std::vector<Record>> records; // by thread
};

/// States looked at before giving up.
constexpr std::size_t kMostStates = 2'000'000;

class Search {
public:
  Search(const SequentialMap& map,
         const std::vector<std::vector<Record>>& records,
         const Ending& ending)
      : map_(map), records_(records), ending_(ending), interpreter_(map.source, map.replay),
        machine_(memory::Machine::make(map.machine, interpreter_)) {}

  Result<Schedule> run() {
    Node first;
    first.positions.resize(records_.size(), 0);
    first.indices.resize(records_.size());
    first.indices[0] = 0;
    (void)machine_->initial(first.state);
    std::vector<Node> stack{std::move(first)};
    expand(stack.back());
    while (!stack.empty()) {
      Node& node = stack.back();
      if (node.is_goal) {
        Schedule schedule;
        for (const Node& one : stack)
          if (one.by)
            schedule.push_back(*one.by);
        schedule.push_back({Transition::Kind::kStep, *node.indices[ending_.thread], 0});
        return schedule;
      }
      if (node.next == node.moves.size()) {
        stack.pop_back();
        continue;
      }
      std::optional<Node> child = follow(node, node.moves[node.next++]);
      if (!child || !seen_.insert(key_of(*child)).second)
        continue;
      if (seen_.size() > kMostStates)
        return failure("the search for an order of the steps was given up", seen_.size());
      expand(*child);
      stack.push_back(std::move(*child));
    }
    if (lacks_room_)
      return lift_lacks_room();
    return failure("the machine has no such order of the steps", seen_.size());
  }

private:
  struct Move {
    Transition transition;
    std::optional<std::uint32_t> thread = {}; // whose next record it is; none: a flush
    std::uint64_t time = 0;
  };
  struct Node {
    memory::MachineState state;
    std::vector<std::size_t> positions;              // of each thread in its records
    std::vector<std::optional<ThreadIndex>> indices; // in the machine
    std::optional<Transition> by;                    // what led here
    std::vector<Move> moves;
    std::size_t next = 0;
    bool is_goal = false;
  };

  [[nodiscard]] const program::Edge* edge_of(std::uint32_t thread, std::uint32_t edge) const {
    return &map_.source.procedures[map_.threads[thread].procedure].edges[edge];
  }

  static std::vector<std::uint64_t> key_of(const Node& node) {
    std::vector<std::uint64_t> key(node.positions.begin(), node.positions.end());
    key.insert(key.end(), node.state.core.memory.words.begin(), node.state.core.memory.words.end());
    for (const program::ThreadState& thread : node.state.core.threads) {
      key.push_back(thread.words.size());
      key.insert(key.end(), thread.words.begin(), thread.words.end());
    }
    for (const memory::StoreBuffer& buffer : node.state.buffers) {
      key.push_back(buffer.stores.size());
      key.push_back(buffer.epoch);
      for (const memory::PendingStore& store : buffer.stores) {
        key.push_back(store.address);
        key.push_back(store.value);
        key.push_back(std::uint64_t{store.size} << 32U | store.epoch);
      }
    }
    return key;
  }

  [[nodiscard]] bool is_live(const Node& node, std::uint32_t thread) const {
    return node.indices[thread] && !node.state.core.has_ended &&
           *node.indices[thread] < node.state.core.threads.size() &&
           node.state.core.threads[*node.indices[thread]].is_live();
  }

  /// The record of what the thread does next; none if it does nothing more.
  [[nodiscard]] const Record* next_record(Node& node, std::uint32_t thread) const {
    const Request request = interpreter_.request(node.state.core, *node.indices[thread]);
    const std::vector<Record>& mine = records_[thread];
    for (std::size_t i = node.positions[thread]; i < mine.size(); ++i) {
      const bool is_it =
          request.edge == nullptr
              ? (request.kind == Request::Kind::kWakeUp ? mine[i].part == Record::Part::kWakeUp
                                                        : mine[i].part == Record::Part::kRest)
              : mine[i].part == Record::Part::kWhole &&
                    edge_of(thread, mine[i].edge) == request.edge;
      if (is_it) {
        node.positions[thread] = i; // what lies before are steps that nobody sees
        return &mine[i];
      }
    }
    return nullptr;
  }

  void expand(Node& node) {
    if (is_live(node, ending_.thread) &&
        interpreter_.request(node.state.core, *node.indices[ending_.thread]).edge ==
            edge_of(ending_.thread, ending_.edge)) {
      node.is_goal = true;
      return;
    }
    std::vector<Move> steps;
    for (std::uint32_t thread = 0; thread < records_.size(); ++thread) {
      if (!is_live(node, thread))
        continue;
      const Record* const record = next_record(node, thread);
      if (record == nullptr)
        continue;
      for (const std::uint64_t choice : choices_for(node, thread, *record))
        steps.push_back(
            {{Transition::Kind::kStep, *node.indices[thread], choice}, thread, record->time});
    }
    std::ranges::sort(steps, {}, [](const Move& move) {
      return std::tuple(move.time, *move.thread, move.transition.choice);
    });
    std::vector<Transition> flushes;
    for (ThreadIndex thread = 0; thread < node.state.core.threads.size(); ++thread)
      if (machine_->has_buffers())
        machine_->flushes(node.state, thread, flushes);
    if (!steps.empty())
      node.moves.push_back(steps.front());
    for (const Transition& flush : flushes)
      node.moves.push_back({flush});
    for (std::size_t i = 1; i < steps.size(); ++i)
      node.moves.push_back(steps[i]);
  }

  /// Blocks lie elsewhere in the machine, and what was never written is chosen where it is read.
  [[nodiscard]] std::vector<std::uint64_t>
  choices_for(const Node& node, std::uint32_t thread, const Record& record) const {
    const ThreadIndex index = *node.indices[thread];
    const Request request = interpreter_.request(node.state.core, index);
    if (request.kind == Request::Kind::kAllocate) {
      std::vector<std::uint64_t> all;
      (void)interpreter_.choices(node.state.core, index, request, all);
      std::erase(all, 0); // no failure
      if (all.empty())
        return {record.choice};
      return {*std::ranges::max_element(all)}; // one that was never used comes last
    }
    if (record.value &&
        (request.kind == Request::Kind::kLoad || request.kind == Request::Kind::kReadModifyWrite) &&
        !request.keeps_marks &&
        interpreter_.is_unwritten(node.state.core.memory, request.address, request.size))
      return {*record.value, 0};
    return {record.choice};
  }

  /// Addresses of blocks and names of threads differ.
  [[nodiscard]] bool is_same(std::uint64_t recorded, std::uint64_t value) const {
    if (recorded == value)
      return true;
    const program::AddressSpace space = map_.source.space();
    const std::uint64_t in_unit = space.unit_size() - 1;
    if ((recorded & in_unit) == (value & in_unit) &&
        space.unit_of(value) >= program::AddressSpace::kFirstFrameUnit &&
        space.unit_of(recorded) >= program::AddressSpace::kFirstGlobalUnit)
      return true;
    const std::uint64_t threads = map_.threads.size();
    return recorded >= 1 && recorded <= threads && value >= 1 && value <= threads;
  }

  [[nodiscard]] std::optional<Node> follow(const Node& from, const Move& move) {
    if (!machine_->is_enabled(from.state, move.transition))
      return std::nullopt;
    Node node;
    node.state = from.state;
    node.positions = from.positions;
    node.indices = from.indices;
    node.by = move.transition;
    memory::StepDetail detail;
    if (move.thread) {
      const Record& record = records_[*move.thread][node.positions[*move.thread]];
      note_created(node, *move.thread, record);
      if (!machine_->apply(node.state, move.transition, &detail).is_none())
        return std::nullopt;
      if (record.value && !is_same(*record.value, detail.value_read))
        return std::nullopt;
      ++node.positions[*move.thread];
    } else if (!machine_->apply(node.state, move.transition, &detail).is_none()) {
      return std::nullopt;
    }
    return node;
  }

  /// If the step creates a thread, it is going to have this index.
  void note_created(Node& node, std::uint32_t thread, const Record& record) {
    const auto* sync = std::get_if<program::Synchronize>(&edge_of(thread, record.edge)->action);
    if (sync == nullptr || sync->op != program::SyncOp::kCreate)
      return;
    lacks_room_ = lacks_room_ || interpreter_.next_thread(node.state.core) >= program::kMaxThreads;
    const Request request = interpreter_.request(node.state.core, *node.indices[thread]);
    for (std::uint32_t i = 0; i < map_.threads.size(); ++i)
      if (map_.threads[i].creator == thread && map_.threads[i].edge == record.edge &&
          map_.source.space().function_address(map_.threads[i].procedure.value) == request.address)
        node.indices[i] = interpreter_.next_thread(node.state.core);
  }

  const SequentialMap& map_;
  const std::vector<std::vector<Record>>& records_;
  Ending ending_;
  program::Interpreter interpreter_;
  std::unique_ptr<memory::Machine> machine_;
  std::set<std::vector<std::uint64_t>> seen_;
  bool lacks_room_ = false; // for a thread, in a state that was come to
};

} // namespace

Result<Schedule> lift_by_search(const SequentialMap& map, const Schedule& schedule) {
  Recording recording(map);
  const Result<Ending> ending = recording.run(schedule);
  if (!ending)
    return ending.error();
  return Search(map, recording.records, *ending).run();
}

} // namespace heddle::transform
