// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Waiting in a loop changes nothing: a thread that comes back to a point of a loop with the same
// locals, having changed nothing that another thread could tell, might as well not have gone
// around. The run without that turn is a run, too, and breaks the same assertion, so that only runs
// without idle turns need to be looked at. An Assume in the loop says so. After unrolling a loop
// that only waits has no second copy; no bound is met in it.
//
// A turn is idle if, since the last visit to the point,
// - nothing was stored, allocated, created or posted, and every update, and every store to memory
//   of the thread's own, left the value it found (what nobody ever reads may be stored to, for
//   questions that do not look at memory at the end);
// - locks and atomic sections that were taken were given back, in this order, and nobody can ask
//   whether a lock is taken without waiting for it;
// - the locals that are read again (program/analyse/liveness.h) have the values they had.
// Dropping reads, fences and waits for the store buffer takes nothing from what other threads and
// the buffers can do (SC, TSO, PSO). Wake-ups may be spurious, so that signals do not matter.
//
// The points of a loop are its head; every wait on a condition, taken in its middle, where the
// mutex is free: there two waits become one; and where a lock was given back, for loops that give
// it back to let others in and take it again. Each point is right by itself: the shortest run to a
// violation has no idle turn at any of them.
//
// A deadlock is a state, too, but one in which it matters whether a thread was woken: then signals
// are no idling, and a turn around a wait is one only if nobody has signalled the condition between
// the two waits. That is for those to say who know the order of events
// (program/events/event_locks.cpp); they find the point by a hint.
//
// Models with axioms: what is left out are reads, fences and attempts to take a lock that fail,
// which are reads. An update that writes what it found is a write to most models: it can carry on
// or end what a release began, and hide whose write was read. Where the model cannot tell
// (memory::holds_without_equal_updates says why: rc11), it goes with the iteration, and whoever has
// read from it reads from where it has read, the same value. So runs of the program become runs of
// the program, since nothing but the values that others find decides on their way. Where an access
// is cut into pieces the argument fails (half of a wide read could be from a narrow update); who
// calls looks for that and has such updates count.
//
// For liveness the turns themselves are looked for. They are those at heads of loops without locks.
// Under models with axioms a turn in which an update has written what it found, or which leaves
// locals behind that are computed from something else than before, is a wait like any other, since
// the thread can go around like this for ever; but the model may tell an execution with it from one
// without. The hint says so with its operand, and the turn is kept as well.
//
// A data race is between two accesses, one of which may be in an idle turn: then one such turn of
// each loop is kept (those before and after it can still go).
//
// What is added is invisible and chooses nothing, so schedules are kept (rewrite.h).
#include "transform/basic/idle.h"

#include "program/analyse/liveness.h"
#include "program/model/control_flow.h"
#include "transform/basic/delays.h"
#include "transform/basic/idle_effects.h"
#include "transform/basic/rewrite.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace heddle::transform {

namespace {

using namespace program; // NOLINT: most of what is named here is from there

class Idling {
public:
  Idling(logic::TermStore& terms,
         Procedure& procedure,
         IdleTurns kept,
         bool locks_balance,
         const IdVector<ObjectSetId, bool>* unread,
         bool has_dependencies,
         EqualUpdates updates)
      : terms_(terms), procedure_(procedure), kept_(kept),
        effects_(terms,
                 procedure,
                 changed_,
                 {locks_balance && kept != IdleTurns::kTurning,
                  kept == IdleTurns::kSignalled || kept == IdleTurns::kTurning,
                  (kept != IdleTurns::kNoneOfReads && kept != IdleTurns::kOneOfReads) ||
                      updates == EqualUpdates::kAreNothing,
                  kept != IdleTurns::kTurning,
                  unread}),
        is_of_reads_(kept == IdleTurns::kNoneOfReads || kept == IdleTurns::kOneOfReads ||
                     kept == IdleTurns::kTurningOfReads),
        has_dependencies_(has_dependencies), drops_updates_(updates == EqualUpdates::kAreNothing) {}

  void run(const Program& program) {
    const std::vector<Loop> loops = find_loops(procedure_);
    if (loops.empty())
      return;
    live_ = live_locals(program, procedure_, Liveness::kStrong);
    for (const Edge& edge : procedure_.edges)
      uses_.push_back(local_use(terms_, edge.action));
    after_.resize(procedure_.edges.size());
    for (const Loop& loop : loops)
      watch(loop);
    if (watched_.empty())
      return;
    insert();
    tidy(procedure_);
  }

private:
  /// A point of a loop at which turns are looked at.
  struct Point {
    LocationId at;
    std::optional<std::uint32_t> wait; // the edge of the wait in whose middle it is
  };
  /// What is added at a location.
  struct Watch {
    Term is_busy;      // Bool: the turn was not idle, or it is the first, or it is kept
    std::string name;  // of the point, if it is to be told
    Term is_kept = {}; // Bool, with a name: the turn is not left out although it was idle
    AssignSequence restart;
  };

  [[nodiscard]] bool is_inside(const Loop& loop, const Edge& edge) const {
    return loop.body[edge.from.index()] && loop.body[edge.to.index()];
  }

  /// Of reads only: whatever may write does something. Memory of the thread's own is like locals,
  /// and an attempt to take a lock is a read if it fails.
  [[nodiscard]] Effect effect_of(const Action& action) {
    const Effect effect = effects_.of(action);
    const bool can_be_kept = kept_ == IdleTurns::kTurningOfReads;
    const bool may_write =
        effect.kind != Effect::Kind::kNone &&
        (effect.kind != Effect::Kind::kOwn || (has_dependencies_ && !can_be_kept)) &&
        !std::holds_alternative<CompareExchange>(action) &&
        !(effect.kind == Effect::Kind::kUnless && std::holds_alternative<Synchronize>(action)) &&
        !((can_be_kept || drops_updates_) && std::holds_alternative<ReadModifyWrite>(action));
    return is_of_reads_ && may_write ? Effect{Effect::Kind::kSome} : effect;
  }
  /// A local that the loop assigns and reads again: what it was computed from changes with the
  /// turn.
  [[nodiscard]] bool leaves_something(const Point& point) const {
    for (std::size_t local = 0; local < changed_.size(); ++local)
      if (changed_[local] != 0 && live_[point.at.index()][local])
        return true;
    return false;
  }

  void watch(const Loop& loop) {
    changed_.assign(procedure_.locals.size(), 0);
    std::vector<Point> points{{loop.head, std::nullopt}};
    for (std::uint32_t i = 0; i < procedure_.edges.size(); ++i) {
      const Edge& edge = procedure_.edges[i];
      if (!is_inside(loop, edge))
        continue;
      for (const std::uint32_t local : uses_[i].writes)
        ++changed_[local];
    }
    for (std::uint32_t i = 0; i < procedure_.edges.size(); ++i) {
      const Edge& edge = procedure_.edges[i];
      if (!is_inside(loop, edge))
        continue;
      const Effect effect = effect_of(edge.action);
      if (kept_ == IdleTurns::kTurning)
        continue;
      if (effect.kind == Effect::Kind::kWait)
        points.push_back({edge.from, i});
      if (effect.kind == Effect::Kind::kGive && edge.to != loop.head)
        points.push_back({edge.to, std::nullopt});
    }
    for (const Point& point : points)
      if (can_be_idle(loop, point) &&
          (!is_of_reads_ || !has_dependencies_ || kept_ == IdleTurns::kTurningOfReads ||
           !leaves_something(point)))
        watch(loop, point);
  }

  /// Is there a way around that is not surely busy?
  [[nodiscard]] bool can_be_idle(const Loop& loop, const Point& point) {
    std::vector<bool> seen(procedure_.locations.size(), false);
    std::vector<LocationId> pending{point.at};
    while (!pending.empty()) {
      const LocationId at = pending.back();
      pending.pop_back();
      for (const std::uint32_t index : procedure_.locations[at].out) {
        const Edge& edge = procedure_.edges[index];
        if (!is_inside(loop, edge) || is_surely_busy(edge, index, point))
          continue;
        if (edge.to == point.at)
          return true;
        if (!seen[edge.to.index()]) {
          seen[edge.to.index()] = true;
          pending.push_back(edge.to);
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool is_surely_busy(const Edge& edge, std::uint32_t index, const Point& point) {
    const Effect effect = effect_of(edge.action);
    if (effect.kind == Effect::Kind::kSome)
      return true;
    if (effect.kind == Effect::Kind::kWait && point.wait != index)
      return true;
    // A counter.
    const auto* assign = std::get_if<Assign>(&edge.action);
    if (assign == nullptr || changed_[assign->dest.value] != 1 ||
        !live_[point.at.index()][assign->dest.index()])
      return false;
    const logic::Node& node = terms_.node(assign->value);
    return node.op == logic::Op::kAdd &&
           std::any_of(terms_.arguments(assign->value).begin(),
                       terms_.arguments(assign->value).end(),
                       [&](Term argument) {
                         return terms_.node(argument).op == logic::Op::kVariable &&
                                terms_.node(argument).value == assign->dest.value;
                       }) &&
           std::any_of(terms_.arguments(assign->value).begin(),
                       terms_.arguments(assign->value).end(),
                       [&](Term argument) { return terms_.is_constant(argument); });
  }

  void watch(const Loop& loop, const Point& point) {
    const LocalId was_here = new_local(1);
    const LocalId is_busy = new_local(1);
    std::map<Term, LocalId> held;
    Watch watch;
    if (kept_ == IdleTurns::kTurning || kept_ == IdleTurns::kTurningOfReads ||
        (kept_ == IdleTurns::kSignalled && point.wait))
      watch.name =
          (point.wait ? "wait " : "turn ") + procedure_.name + " " + std::to_string(was_here.value);
    watch.is_busy = terms_.or_(terms_.not_(is_set(was_here)), is_set(is_busy));
    assign(watch.restart, was_here, terms_.constant(1, 1));
    assign(watch.restart, is_busy, terms_.constant(0, 1));
    for (std::size_t local = 0; local < changed_.size(); ++local) {
      if (changed_[local] == 0 || !live_[point.at.index()][local])
        continue;
      const LocalId now{local};
      const LocalId before = new_local(procedure_.locals[now].width);
      watch.is_busy =
          terms_.or_(watch.is_busy, terms_.not_(terms_.equal(value_of(now), value_of(before))));
      assign(watch.restart, before, value_of(now));
    }
    if (kept_ == IdleTurns::kTurningOfReads)
      watch.is_kept = keep_turn(loop, point, watch.restart);
    const auto held_of = [&](Term lock) {
      const auto [entry, is_new] = held.try_emplace(lock, LocalId{});
      if (is_new)
        entry->second = new_local(kHeldBits);
      return entry->second;
    };
    if (point.wait)
      held_of(effect_of(procedure_.edges[*point.wait].action).lock);
    const std::size_t count = after_.size();
    const std::optional<LocalId> has_idled =
        kept_ == IdleTurns::kOne || kept_ == IdleTurns::kOneOfReads ? std::optional(new_local(1))
                                                                    : std::nullopt;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Edge& edge = procedure_.edges[i];
      if (!loop.body[edge.from.index()] && loop.body[edge.to.index()]) {
        assign(after_[i], was_here, terms_.constant(0, 1));
        if (has_idled)
          assign(after_[i], *has_idled, terms_.constant(0, 1));
      }
      if (is_inside(loop, edge) && point.wait != i)
        note(i, is_busy, held_of);
    }
    for (const auto& [lock, local] : held) {
      // In the middle of a wait the mutex is free; just before it, where the point is, it is held.
      const bool is_waited_with =
          point.wait && effect_of(procedure_.edges[*point.wait].action).lock == lock;
      const Term at_point = terms_.constant(is_waited_with ? 1 : 0, kHeldBits);
      watch.is_busy =
          terms_.or_(watch.is_busy, terms_.not_(terms_.equal(value_of(local), at_point)));
      assign(watch.restart, local, at_point);
    }
    if (has_idled) {
      const Term now = terms_.to_bit(terms_.or_(is_set(*has_idled), terms_.not_(watch.is_busy)));
      watch.restart.assignments.insert(watch.restart.assignments.begin(), {*has_idled, now, {}});
      watch.is_busy = terms_.or_(watch.is_busy, terms_.not_(is_set(*has_idled)));
    }
    watched_[point.at].push_back(std::move(watch));
  }

  /// Whether a turn that was idle is looked at, and not left out.
  [[nodiscard]] Term keep_turn(const Loop& loop, const Point& point, AssignSequence& restart) {
    bool leaves_own = leaves_something(point);
    std::optional<LocalId> has_written;
    if (drops_updates_ && !has_dependencies_)
      return terms_.boolean(false);
    for (std::uint32_t i = 0; i < procedure_.edges.size(); ++i) {
      const Edge& edge = procedure_.edges[i];
      if (!is_inside(loop, edge))
        continue;
      leaves_own = leaves_own || effect_of(edge.action).kind == Effect::Kind::kOwn;
      const auto* exchange = std::get_if<CompareExchange>(&edge.action);
      if (!std::holds_alternative<ReadModifyWrite>(edge.action) && exchange == nullptr)
        continue;
      if (!has_written) {
        has_written = new_local(1);
        assign(restart, *has_written, terms_.constant(0, 1));
      }
      const Term writes = exchange == nullptr ? terms_.boolean(true) : is_set(exchange->success);
      assign(after_[i], *has_written, terms_.to_bit(terms_.or_(is_set(*has_written), writes)));
    }
    if (has_dependencies_ && leaves_own)
      return terms_.boolean(true);
    return has_written ? is_set(*has_written) : terms_.boolean(false);
  }

  /// Writes down what the step does to the turn.
  template <class HeldOf>
  void note(std::uint32_t index, LocalId is_busy, const HeldOf& held_of) {
    const Effect effect = effect_of(procedure_.edges[index].action);
    AssignSequence& after = after_[index];
    const auto busy_if = [&](Term condition) {
      assign(after, is_busy, terms_.to_bit(terms_.or_(is_set(is_busy), condition)));
    };
    switch (effect.kind) {
    case Effect::Kind::kNone:
      return;
    case Effect::Kind::kSome:
    case Effect::Kind::kWait:
      assign(after, is_busy, terms_.constant(1, 1));
      return;
    case Effect::Kind::kUnless:
      busy_if(terms_.not_(effect.condition));
      return;
    case Effect::Kind::kOwn:
      busy_if(changes_own(index));
      return;
    case Effect::Kind::kTake:
    case Effect::Kind::kGive:
      break;
    }
    const LocalId held = held_of(effect.lock);
    const Term one = terms_.constant(1, kHeldBits);
    const bool takes = effect.kind == Effect::Kind::kTake;
    const Term none =
        terms_.equal(value_of(held), terms_.constant(takes ? kMostHeld : 0, kHeldBits));
    busy_if(terms_.or_(none, failed(index)));
    assign(
        after, held, terms_.binary(takes ? logic::Op::kAdd : logic::Op::kSub, value_of(held), one));
  }

  /// What the store overwrites is loaded before it, as a copy: never written bytes are no fault.
  Term changes_own(std::uint32_t index) {
    const auto& store = std::get<Store>(procedure_.edges[index].action);
    const unsigned width = terms_.sort(store.value).width;
    const auto [entry, is_new] = overwritten_.try_emplace(index);
    if (is_new)
      entry->second = Load{new_local(width), store.address, store.access, new_local(8)};
    const Load& load = entry->second;
    const Term is_written = terms_.equal(value_of(*load.marks), terms_.constant(0, 8));
    return terms_.not_(terms_.and_(is_written, terms_.equal(value_of(load.dest), store.value)));
  }

  /// An operation on a lock that did not do what it is for.
  Term failed(std::uint32_t index) {
    auto* sync = std::get_if<Synchronize>(&procedure_.edges[index].action);
    if (sync == nullptr)
      return terms_.boolean(false);
    if (!sync->dest)
      sync->dest = new_local(32);
    const unsigned width = procedure_.locals[*sync->dest].width;
    return terms_.not_(terms_.equal(value_of(*sync->dest), terms_.constant(0, width)));
  }

  void insert() {
    for (auto& [index, load] : overwritten_) {
      Edge& store = procedure_.edges[index];
      const SourceLoc loc = store.loc;
      const LocationId target = store.to;
      const LocationId middle = procedure_.locations.push_back(Location{{}, loc, {}, false});
      Action action = std::exchange(store.action, std::move(load));
      store.to = middle;
      add_edge(procedure_, Edge{middle, target, std::move(action), loc});
      // What comes after the store is noted after its new edge.
      after_.resize(procedure_.edges.size());
      std::swap(after_[index], after_.back());
    }
    for (std::size_t i = 0; i < after_.size(); ++i) {
      if (after_[i].assignments.empty())
        continue;
      Edge& edge = procedure_.edges[i];
      const SourceLoc loc = edge.loc;
      const LocationId target = edge.to;
      const LocationId middle = procedure_.locations.push_back(Location{{}, loc, {}, false});
      edge.to = middle;
      add_edge(procedure_, Edge{middle, target, std::move(after_[i]), loc});
    }
    for (auto& [at, watches] : watched_) {
      const SourceLoc loc = procedure_.locations[at].loc;
      const LocationId rest = procedure_.locations.push_back(Location{{}, loc, {}, false});
      procedure_.locations[rest].out = std::exchange(procedure_.locations[at].out, {});
      for (const std::uint32_t index : procedure_.locations[rest].out)
        procedure_.edges[index].from = rest;
      Term is_busy = terms_.boolean(true);
      AssignSequence restart;
      LocationId last = at;
      const auto add = [&](Action action) {
        const LocationId next = procedure_.locations.push_back(Location{{}, loc, {}, false});
        add_edge(procedure_, Edge{last, next, std::move(action), loc});
        last = next;
      };
      for (Watch& watch : watches) {
        if (watch.name.empty()) {
          is_busy = terms_.and_(is_busy, watch.is_busy);
        } else {
          std::vector<Term> operands;
          if (watch.is_kept.is_valid())
            operands.push_back(terms_.to_bit(watch.is_kept));
          add(Hint{ir::Hint::Kind::kSpinEnd, watch.name, std::move(operands)});
          add(Assume{watch.is_busy, false});
        }
        restart.assignments.insert(restart.assignments.end(),
                                   watch.restart.assignments.begin(),
                                   watch.restart.assignments.end());
      }
      if (!terms_.is_constant(is_busy))
        add(Assume{is_busy, false});
      add_edge(procedure_, Edge{last, rest, std::move(restart), loc});
    }
  }

  LocalId new_local(unsigned width) {
    return procedure_.locals.push_back(Local{"", static_cast<std::uint8_t>(width), {}});
  }
  [[nodiscard]] Term value_of(LocalId local) {
    return terms_.variable(local.value, logic::Sort{procedure_.locals[local].width});
  }
  [[nodiscard]] Term is_set(LocalId bit) { return terms_.to_bool(value_of(bit)); }
  static void assign(AssignSequence& sequence, LocalId dest, Term value) {
    sequence.assignments.push_back({dest, value, {}});
  }

  static constexpr unsigned kHeldBits = 8;
  static constexpr std::uint64_t kMostHeld = 255;

  logic::TermStore& terms_;
  Procedure& procedure_;
  IdleTurns kept_;
  std::vector<std::vector<bool>> live_;
  std::vector<LocalUse> uses_;         // by edge
  std::vector<std::uint32_t> changed_; // by local: how many steps of the loop at hand assign it
  std::vector<AssignSequence> after_;  // by edge
  std::map<std::uint32_t, Load> overwritten_; // by edge, of a store: what it overwrites
  std::map<LocationId, std::vector<Watch>> watched_;
  Effects effects_;
  bool is_of_reads_;      // turns that write something are none
  bool has_dependencies_; // it matters what a local was computed from, not only its value
  bool drops_updates_;    // that write what they found
};

class SkipIdleTurns final : public Transform {
public:
  SkipIdleTurns(IdleTurns kept,
                bool is_of_steps,
                bool has_dependencies = true,
                EqualUpdates updates = EqualUpdates::kCount)
      : kept_(kept), is_of_steps_(is_of_steps), has_dependencies_(has_dependencies),
        updates_(updates) {}

  [[nodiscard]] std::string_view name() const override { return "skip-idle-turns"; }
  /// Safety of states: what a run ends in, not how it came there or whether it goes on. The run
  /// without a turn comes to the same state, unless signals found the thread elsewhere.
  [[nodiscard]] bool preserves(spec::Property property) const override {
    return property == spec::Property::kReach || property == spec::Property::kOverflow ||
           ((property == spec::Property::kMemory || property == spec::Property::kCleanup) &&
            !is_of_steps_) ||
           (property == spec::Property::kRace &&
            (kept_ == IdleTurns::kOne || kept_ == IdleTurns::kOneOfReads)) ||
           (property == spec::Property::kDeadlock && kept_ == IdleTurns::kSignalled) ||
           (property == spec::Property::kLiveness && kept_ == IdleTurns::kTurning);
  }
  [[nodiscard]] Result<Transformed> apply(const Program& source,
                                          const spec::Bounds& bounds) const override {
    Transformed result{source, same_schedule(), {}};
    const bool locks_balance = !has_attempts(source);
    const IdVector<ObjectSetId, bool> unread = unread_objects(source);
    for (Procedure& procedure : result.program.procedures) {
      if (drops_delays())
        drop_delays(result.program, procedure, bounds);
      Idling(result.program.terms,
             procedure,
             kept_,
             locks_balance,
             is_of_steps_ ? &unread : nullptr,
             has_dependencies_,
             updates_)
          .run(source);
    }
    return result;
  }

private:
  /// The turns that liveness looks for come back to the same locals, those of a delay too.
  [[nodiscard]] bool drops_delays() const {
    const bool is_of_reads = kept_ == IdleTurns::kNoneOfReads || kept_ == IdleTurns::kOneOfReads;
    return kept_ != IdleTurns::kTurning && kept_ != IdleTurns::kTurningOfReads &&
           (!is_of_reads || !has_dependencies_);
  }

  IdleTurns kept_;
  bool is_of_steps_;      // nobody asks what memory holds at the end
  bool has_dependencies_; // of the model
  EqualUpdates updates_;
};

} // namespace

std::unique_ptr<Transform> skip_idle_turns(IdleTurns kept) {
  return std::make_unique<SkipIdleTurns>(kept, false);
}

std::unique_ptr<Transform> skip_unseen_turns() {
  return std::make_unique<SkipIdleTurns>(IdleTurns::kNone, true);
}

std::unique_ptr<Transform> skip_turns_without_dependencies(IdleTurns kept, EqualUpdates updates) {
  return std::make_unique<SkipIdleTurns>(kept, false, false, updates);
}

} // namespace heddle::transform
