// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every thread is run once, where it is created, from its beginning to its end or to where it is
// interrupted; then its creator goes on (Tomasco 2017, figures 2.5 and 2.6, with the end of a child
// told to the abstraction). What the other threads do to memory in the meantime has been guessed
// by the abstraction. So a run may turn out to be none at its very end, when the guesses are
// checked, and nothing that is found out before counts: failures are noted, the thread stops
// there, and the failed step is repeated behind the check. Its locals are still what they were.
//
// A failure inside an atomic section leaves the section open for ever: others see nothing of what
// comes after, so it goes before all other failures.
#include "program/analyse/destroyed_locks.h"
#include "program/model/sync_kinds.h"
#include "support/check.h"
#include "support/overloaded.h"
#include "transform/basic/rewrite.h"
#include "transform/sequential/own_copies.h"
#include "transform/sequential/sequentialize_memory.h"
#include "transform/sequential/sequentialize_search.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>

namespace heddle::transform {

namespace {

using logic::Op;
using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Synchronize;
using program::SyncOp;
using program::Term;

class Eager {
public:
  Eager(const program::Program& source, const EagerOptions& options)
      : source_(source), options_(options), result_(source), writer_(result_) {}

  Result<Transformed> run() {
    Result<std::vector<SequentialThread>> threads = find_threads(source_);
    if (!threads)
      return threads.error();
    const ForeignWrites foreign(source_, *threads);
    for (const SequentialThread& thread : *threads)
      if (Status status = add_thread(thread, foreign); !status)
        return status.error();
    Result<SharedCells> cells = SharedCells::find(source_, *threads);
    if (!cells)
      return cells.error();
    cells_.emplace(std::move(*cells));
    memory_.emplace(writer_, source_, *threads, *cells_, *options_.abstraction);
    writer_.defer_failures([this](program::Action action) { note_failure(std::move(action)); });
    for (LocalId& local : failed_)
      local = writer_.local("", kFailureBits);
    writer_.stand_for({}, threads_.front().procedure->loc);
    for (const Thread& thread : threads_)
      thread.own->begin(source_);
    memory_->begin();
    memory_->create(0, std::nullopt);
    const LocationId after = writer_.location();
    write_thread(0, after);
    writer_.go_on_at(after);
    write_end();
    if (failures_.size() >= (1U << kFailureBits))
      return Error{ErrorKind::kUnsupported, "SEQ-014", "too many steps that can fail"};
    return finish(std::move(*threads));
  }

private:
  static constexpr unsigned kFailureBits = 16;
  struct Thread {
    const Procedure* procedure = nullptr;
    SequentialThread source;
    std::vector<std::optional<unsigned>> sections; // open at a location
    LocalMap locals;
    LocalId is_active; // it has been created
    LocalId has_ended; // by itself
    LocalId is_joined; // or detached
    LocalId result;
    IdVector<LocationId, LocationId> bodies = {}; // by location of the source
    LocationId over = {};                         // where it ends, or is interrupted
    std::map<std::uint32_t, LocalId> bases = {};  // of private blocks, by edge
    std::optional<OwnCopies> own = {};
  };
  /// In the order in which they count.
  enum Failing : std::uint8_t { kInSection, kCheck, kTrap, kCut, kFailings };
  struct Failure {
    Failing failing = kCheck;
    program::Action action;
    std::uint32_t thread = 0;
    std::uint32_t edge = 0;
  };
  /// Somebody has joined a thread that is run later: the value is guessed.
  struct Guess {
    LocalId is_made;
    LocalId value;
    std::uint32_t thread = 0;
  };

  [[nodiscard]] logic::TermStore& terms() { return result_.terms; }
  [[nodiscard]] Term is_set(LocalId flag) { return terms().to_bool(writer_.value(flag)); }
  void set(LocalId flag) { writer_.assign(flag, terms().constant(1, 1)); }

  Status add_thread(const SequentialThread& source, const ForeignWrites& foreign) {
    Thread thread;
    thread.procedure = &source_.procedures[source.procedure];
    thread.source = source;
    Result<std::vector<std::optional<unsigned>>> sections =
        find_sections(source_, source.procedure);
    if (!sections)
      return sections.error();
    thread.sections = std::move(*sections);
    for (const program::Local& local : thread.procedure->locals)
      thread.locals.push_back(writer_.procedure().locals.push_back(local));
    thread.is_active = writer_.local("", 1);
    thread.has_ended = writer_.local("", 1);
    thread.is_joined = writer_.local("", 1);
    thread.result = writer_.local("", 64);
    thread.own.emplace(
        writer_, *thread.procedure, static_cast<std::uint32_t>(threads_.size()), foreign);
    threads_.push_back(std::move(thread));
    return Done{};
  }

  void write_thread(std::uint32_t index, LocationId after) {
    Thread& thread = threads_[index];
    for (std::size_t i = 0; i < thread.procedure->locations.size(); ++i)
      thread.bodies.push_back(writer_.location());
    thread.over = writer_.location();
    writer_.jump(thread.bodies[thread.procedure->entry]);
    for (std::size_t i = 0; i < thread.procedure->locations.size(); ++i)
      if (thread.sections[i])
        for (const std::uint32_t edge : thread.procedure->locations[LocationId{i}].out)
          write_edge(index, edge);
    writer_.go_on_at(thread.over);
    writer_.stand_for({}, thread.procedure->loc);
    memory_->terminate(index);
    writer_.jump(after);
  }

  /// The thread may be interrupted here.
  void ask_stop(std::uint32_t thread) {
    writer_.branch(terms().not_(memory_->stops(thread)), threads_[thread].over);
  }
  [[nodiscard]] bool can_stop_before(const program::Action& action) const {
    if (memory_->is_coarse() && is_access(action)) // it does no harm if the thread is interrupted
      return false;
    // Nobody sees whether a thread has still read something before it is interrupted.
    if (std::holds_alternative<program::Load>(action) ||
        std::holds_alternative<program::Fence>(action))
      return false;
    if (const auto* assume = std::get_if<program::Assume>(&action))
      return !assume->is_branch;
    return program::is_visible(action) || std::holds_alternative<program::Check>(action) ||
           std::holds_alternative<program::CheckNeighbourhood>(action) ||
           std::holds_alternative<program::Return>(action) ||
           std::holds_alternative<program::Cut>(action) ||
           std::holds_alternative<program::Trap>(action);
  }

  [[nodiscard]] static bool is_access(const program::Action& action) {
    return std::holds_alternative<program::Load>(action) ||
           std::holds_alternative<program::Store>(action) ||
           std::holds_alternative<program::ReadModifyWrite>(action) ||
           std::holds_alternative<program::CompareExchange>(action) ||
           std::holds_alternative<program::Fence>(action);
  }

  void note_failure(program::Action action) {
    const std::uint32_t thread = current_.thread;
    if (memory_->is_coarse()) // what an interrupted thread finds does not count
      ask_stop(thread);
    Failing failing = kCheck;
    if (std::holds_alternative<program::Trap>(action))
      failing = kTrap;
    if (std::holds_alternative<program::Cut>(action))
      failing = kCut;
    if (current_.section != 0 || memory_->is_in_step()) {
      memory_->end_section(thread);
      failing = kInSection;
      writer_.assume(
          terms().equal(writer_.value(failed_[kInSection]), terms().constant(0, kFailureBits)));
    }
    writer_.assume(memory_->stops(thread)); // nobody joins it
    failures_.push_back({failing, std::move(action), thread, current_.edge});
    writer_.assign(failed_[failing], terms().constant(failures_.size(), kFailureBits));
    writer_.jump(threads_[thread].over);
  }

  void write_edge(std::uint32_t index, std::uint32_t edge_index) {
    Thread& thread = threads_[index];
    const program::Edge& edge = thread.procedure->edges[edge_index];
    const program::Action action =
        rename_locals(edge.action, thread.locals, terms(), terms().constant(index, 64));
    current_ = {
        index, thread.source.procedure, edge_index, thread.sections[edge.from.index()].value_or(0)};
    const SequentialMemory::Context at = current_;
    writer_.go_on_at(thread.bodies[edge.from]);
    writer_.stand_for({}, edge.loc);
    if (can_stop_before(action))
      ask_stop(index);
    writer_.stand_for({SliceOrigin::Kind::kStep, index, edge_index}, edge.loc);
    if (thread.own->read(edge_index, action) || memory_->write_action(action, edge.action, at)) {
      thread.own->renew(edge_index, action);
      note_done(at, read_by(action), edge.loc);
      return writer_.jump(thread.bodies[edge.to]);
    }
    bool goes_on = true;
    const auto end_thread = [&](const std::optional<Term>& value) {
      goes_on = false;
      writer_.step(program::Skip{});
      if (index == 0)
        observe();
      set(thread.has_ended);
      writer_.assign(thread.result,
                     value ? terms().zero_extend(*value, 64) : terms().constant(0, 64));
      writer_.jump(thread.over);
    };
    const auto fail = [&](program::Action last) {
      goes_on = false;
      writer_.fail(std::move(last));
    };
    std::visit(
        Overloaded{
            [&](const Synchronize& a) { synchronize(at, a); },
            [&](const program::Check& a) { check(a); },
            [&](const program::CheckNeighbourhood& a) { check_neighbourhood(a); },
            [&](const program::Load& a) {
              guard(at, std::get<program::Load>(edge.action).address, a.address, a.access.size);
              writer_.step(a);
            },
            [&](const program::Store& a) {
              guard(at, std::get<program::Store>(edge.action).address, a.address, a.access.size);
              writer_.step(a);
            },
            [&](const program::ReadModifyWrite& a) {
              guard(at,
                    std::get<program::ReadModifyWrite>(edge.action).address,
                    a.address,
                    a.access.size);
              writer_.step(a);
            },
            [&](const program::CompareExchange& a) {
              guard(at,
                    std::get<program::CompareExchange>(edge.action).address,
                    a.address,
                    a.access.size);
              writer_.step(a);
            },
            [&](const program::Allocate& a) { allocate(at, a); },
            [&](const program::Free&) { writer_.step(program::Skip{}); },
            [&](const program::Return& a) { end_thread(a.value); },
            [&](const program::ThreadExit& a) { end_thread(a.value); },
            [&](const program::Exit&) { exit(index), goes_on = false; },
            [&](const program::Cut& a) { fail(a); },
            [&](const program::Trap& a) { fail(a); },
            [&](const auto& a) { writer_.step(a); }, // the thread's own affair
        },
        action);
    thread.own->renew(edge_index, action);
    if (goes_on)
      writer_.jump(thread.bodies[edge.to]);
  }

  void note_done(const SequentialMemory::Context& at, LocalId value, SourceLoc loc) {
    const LocalId time = memory_->now(at.thread);
    writer_.stand_for({SliceOrigin::Kind::kDone, at.thread, at.edge, value, time}, loc);
    writer_.step(program::Skip{});
  }

  void check(const program::Check& action) {
    const LocationId bad = writer_.location();
    writer_.branch(action.condition, bad);
    const LocationId good = writer_.at();
    writer_.go_on_at(bad);
    writer_.fail(action);
    writer_.go_on_at(good);
  }

  /// Objects of more than one unit are left to the accesses.
  void check_neighbourhood(const program::CheckNeighbourhood& action) {
    for (const program::Object& object : source_.objects)
      if (source_.space().units_for(object.size) > 1)
        return writer_.step(program::Skip{});
    const unsigned width = terms().sort(action.base).width;
    const Term shift = terms().constant(source_.space().unit_shift, width);
    writer_.trap_unless(terms().equal(terms().binary(Op::kLShr, action.base, shift),
                                      terms().binary(Op::kLShr, action.result, shift)),
                        "pointer arithmetic that leaves its object");
    writer_.step(program::Skip{});
  }

  void allocate(const SequentialMemory::Context& at, const program::Allocate& action) {
    Thread& thread = threads_[at.thread];
    writer_.step(action);
    const LocalId base =
        thread.bases.try_emplace(at.edge, writer_.local("", source_.pointer_bits())).first->second;
    writer_.assign(base, writer_.fitted(writer_.value(action.dest), base));
  }

  /// An access of private memory is made only where it is one: with wrong guesses addresses are
  /// anything.
  void guard(const SequentialMemory::Context& at,
             Term source_address,
             Term address,
             std::uint64_t size) {
    const program::AliasValue value = cells_->targets(at.procedure, source_address);
    if (value.is_any())
      return;
    const unsigned width = terms().sort(address).width;
    Term is_inside = terms().boolean(false);
    const auto add = [&](Term base, std::uint64_t bytes) {
      if (bytes < size)
        return;
      is_inside = terms().or_(is_inside,
                              terms().binary(Op::kULe,
                                             terms().binary(Op::kSub, address, base),
                                             terms().constant(bytes - size, width)));
    };
    for (const program::ObjectId id : value.objects()) {
      const program::Object& object = source_.objects[id];
      switch (object.kind) {
      case program::Object::Kind::kGlobal:
        add(terms().constant(source_.space().base_of(object.unit), width), object.size);
        break;
      case program::Object::Kind::kThreadLocal:
        add(terms().constant(source_.space().base_of(
                                 object.unit + at.thread * source_.space().units_for(object.size)),
                             width),
            object.size);
        break;
      case program::Object::Kind::kHeapSite:
      case program::Object::Kind::kFrameSite:
        if (object.size == 0)
          return; // a block of unknown size is checked by the access itself
        for (const Thread& thread : threads_)
          for (const auto& [edge, base] : thread.bases) {
            const auto& allocation =
                std::get<program::Allocate>(thread.procedure->edges[edge].action);
            if (allocation.site == id)
              add(writer_.value(base), object.size);
          }
        break;
      }
    }
    writer_.trap_unless(is_inside, "an access of memory that is none of the program's");
  }

  /// Everything ends. Others may have gone on only in runs in which this does not come yet.
  void exit(std::uint32_t thread) {
    if (options_.observes)
      return writer_.fail(program::Trap{"the values of globals at the call of exit()", ""});
    writer_.assume(memory_->stops(thread));
    writer_.jump(threads_[thread].over);
  }

  /// What the globals hold when main ends is what they hold in the end only if nobody else is left.
  void observe() {
    if (!options_.observes)
      return;
    Term is_alone = terms().boolean(true);
    for (std::uint32_t i = 1; i < threads_.size(); ++i) {
      const Thread& thread = threads_[i];
      is_alone = terms().and_(
          is_alone,
          terms().or_(terms().not_(is_set(thread.is_active)),
                      terms().and_(is_set(thread.has_ended), is_set(thread.is_joined))));
    }
    writer_.trap_unless(is_alone,
                        "the values of globals when main ends before threads that it did not join");
    memory_->write_back(0);
    if (memory_->is_coarse()) // it may have been interrupted there
      writer_.assume(terms().not_(memory_->stops(0)));
  }

  void synchronize(const SequentialMemory::Context& at, const Synchronize& action) {
    Thread& thread = threads_[at.thread];
    const program::Edge& edge = thread.procedure->edges[at.edge];
    switch (action.op) {
    case SyncOp::kCreate:
      return create(at, action);
    case SyncOp::kJoin:
      return join(at, action);
    case SyncOp::kDetach: {
      const Term handle = terms().zero_extend(action.operands[0], 64);
      Term is_known = terms().boolean(false);
      for (std::uint32_t i = 0; i < threads_.size(); ++i) {
        const Term is_there = i == 0 ? terms().boolean(true) : is_set(threads_[i].is_active);
        is_known = terms().or_(
            is_known,
            terms().and_(terms().equal(handle, terms().constant(i + 1ULL, 64)),
                         terms().and_(is_there, terms().not_(is_set(threads_[i].is_joined)))));
      }
      writer_.trap_unless(is_known, kBadDetach);
      for (std::uint32_t i = 0; i < threads_.size(); ++i) {
        const LocalId flag = threads_[i].is_joined;
        const Term is_meant = terms().equal(handle, terms().constant(i + 1ULL, 64));
        writer_.assign(flag, terms().to_bit(terms().or_(is_set(flag), is_meant)));
      }
      return give(action, terms().constant(0, 64));
    }
    case SyncOp::kSelf:
      return give(action, terms().constant(at.thread + 1ULL, 64));
    default:
      break;
    }
    if (is_timed(action.op))
      writer_.stand_for({SliceOrigin::Kind::kTimed, at.thread, at.edge}, edge.loc);
    SequentialSync::Inside inside;
    if (has_two_steps(action.op)) {
      const LocationId here = writer_.at();
      inside.stop = writer_.location();
      inside.kept = writer_.local("", 32);
      inside.rest = {SliceOrigin::Kind::kRest, at.thread, at.edge};
      inside.loc = edge.loc;
      writer_.go_on_at(inside.stop);
      // The step that comes next stands for the beginning of the wait, not this.
      writer_.stand_for({}, edge.loc);
      ask_stop(at.thread);
      inside.resume = writer_.at();
      writer_.go_on_at(here);
      writer_.stand_for({is_timed(action.op) ? SliceOrigin::Kind::kTimed : SliceOrigin::Kind::kStep,
                         at.thread,
                         at.edge},
                        edge.loc);
    }
    SequentialSync(writer_,
                   at.thread,
                   *memory_,
                   at.procedure,
                   std::get<Synchronize>(edge.action),
                   at.section != 0,
                   may_be_destroyed_)
        .write(action, inside);
    note_done(at, {}, edge.loc);
  }

  void give(const Synchronize& action, Term value) {
    if (action.dest)
      writer_.assign(*action.dest, writer_.fitted(value, *action.dest));
    else
      writer_.step(program::Skip{});
  }

  /// The child runs here, up to its end.
  void create(const SequentialMemory::Context& at, const Synchronize& action) {
    writer_.step(program::Skip{});
    const LocationId done = writer_.location();
    const SourceLoc loc = threads_[at.thread].procedure->edges[at.edge].loc;
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      Thread& created = threads_[i];
      if (created.source.creator != at.thread || created.source.edge != at.edge)
        continue;
      const Term function = action.operands[0];
      const Term is_meant = terms().equal(
          function,
          terms().constant(result_.space().function_address(created.source.procedure.value),
                           terms().sort(function).width));
      const LocationId other = writer_.location();
      writer_.branch(is_meant, other);
      memory_->create(i, at.thread);
      note_done(at, {}, loc);
      give(action, terms().constant(i + 1ULL, 64));
      set(created.is_active);
      if (!created.procedure->parameters.empty()) {
        const LocalId parameter = created.locals[created.procedure->parameters.front()];
        writer_.assign(parameter, writer_.fitted(action.operands[1], parameter));
      }
      const LocationId after = writer_.location();
      write_thread(i, after);
      current_ = at;
      writer_.go_on_at(after);
      writer_.stand_for({}, loc);
      writer_.jump(done);
      writer_.go_on_at(other);
    }
    writer_.trap_unless(terms().boolean(false), "a thread starts at something that is no function");
    writer_.jump(done);
  }

  void join(const SequentialMemory::Context& at, const Synchronize& action) {
    writer_.step(program::Skip{});
    const Term handle = terms().zero_extend(action.operands[0], 64);
    const LocationId done = writer_.location();
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      if (i == at.thread)
        continue;
      Thread& joined = threads_[i];
      const LocationId other = writer_.location();
      writer_.branch(terms().equal(handle, terms().constant(i + 1ULL, 64)), other);
      writer_.trap_unless(terms().not_(is_set(joined.is_joined)),
                          "join of a thread that was joined or detached");
      memory_->join(i, at.thread);
      set(joined.is_joined);
      if (action.dest)
        give(action, joined_value(i));
      writer_.jump(done);
      writer_.go_on_at(other);
    }
    writer_.trap_unless(terms().boolean(false), "join of a thread that is not there");
    writer_.jump(done);
    note_done(at, {}, threads_[at.thread].procedure->edges[at.edge].loc);
  }

  [[nodiscard]] Term joined_value(std::uint32_t joined) {
    const Guess guess{writer_.local("", 1), writer_.local("", 64), joined};
    const LocationId later = writer_.location();
    const LocationId done = writer_.location();
    writer_.branch(is_set(threads_[joined].has_ended), later);
    writer_.assign(guess.value, writer_.value(threads_[joined].result));
    writer_.jump(done);
    writer_.go_on_at(later);
    writer_.step(program::Nondet{guess.value, "what a thread returns"});
    set(guess.is_made);
    writer_.jump(done);
    guesses_.push_back(guess);
    return writer_.value(guess.value);
  }

  void write_end() {
    writer_.stand_for({}, threads_.front().procedure->loc);
    memory_->finish();
    for (const Guess& guess : guesses_)
      writer_.assume(terms().or_(
          terms().not_(is_set(guess.is_made)),
          terms().equal(writer_.value(guess.value), writer_.value(threads_[guess.thread].result))));
    for (unsigned failing = kInSection; failing < kFailings; ++failing)
      for (std::size_t i = 0; i < failures_.size(); ++i) {
        const Failure& failure = failures_[i];
        if (failure.failing != failing)
          continue;
        const program::Edge& edge = threads_[failure.thread].procedure->edges[failure.edge];
        const LocationId other = writer_.location();
        writer_.stand_for({}, edge.loc);
        writer_.branch(
            terms().equal(writer_.value(failed_[failing]), terms().constant(i + 1, kFailureBits)),
            other);
        writer_.stand_for({SliceOrigin::Kind::kStep, failure.thread, failure.edge}, edge.loc);
        writer_.step_to(failure.action, writer_.end());
        writer_.go_on_at(other);
      }
    writer_.stand_for({}, threads_.front().procedure->loc);
    if (options_.observes)
      writer_.assume(is_set(threads_.front().has_ended));
    writer_.step_to(program::Exit{}, writer_.end());
  }

  Result<Transformed> finish(std::vector<SequentialThread> threads) {
    finish_sequential(writer_, source_, threads);
    auto map = std::make_shared<SequentialMap>(SequentialMap{source_,
                                                             result_,
                                                             std::move(threads),
                                                             writer_.origins(),
                                                             options_.machine,
                                                             options_.replay,
                                                             memory_->is_coarse()});
    Approximations approximations = approximations_of(source_, *cells_, map->threads);
    std::ranges::move(assumed_of_locals(source_, map->threads), std::back_inserter(approximations));
    return Transformed{
        std::move(result_),
        [map](const execution::Schedule& schedule) { return lift_by_search(*map, schedule); },
        std::move(approximations)};
  }

  const program::Program& source_;
  const bool may_be_destroyed_ = program::DestroyedLocks(source_).may_be_in(source_, {}); // a lock
  EagerOptions options_;
  program::Program result_;
  SequentialWriter writer_;
  std::optional<SharedCells> cells_;
  std::optional<SequentialMemory> memory_;
  std::deque<Thread> threads_;
  SequentialMemory::Context current_; // what is being written
  std::array<LocalId, kFailings> failed_ = {};
  std::vector<Failure> failures_;
  std::vector<Guess> guesses_;
};

class EagerSequentialization final : public Transform {
public:
  explicit EagerSequentialization(EagerOptions options) : options_(std::move(options)) {}
  [[nodiscard]] std::string_view name() const override { return "eager sequentialization"; }
  [[nodiscard]] bool preserves(spec::Property property) const override {
    return property == spec::Property::kReach || property == spec::Property::kOverflow;
  }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds&) const override {
    return Eager(source, options_).run();
  }

private:
  EagerOptions options_;
};

} // namespace

std::unique_ptr<Transform> sequentialize_eagerly(const EagerOptions& options) {
  return std::make_unique<EagerSequentialization>(options);
}

} // namespace heddle::transform
