// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The schedule: rounds, in each of which every thread is entered once, in the order of their
// numbers. A thread runs from the label where it stopped (pc) up to a label that is guessed (cs):
// what lies between two labels is run exactly if pc <= label < cs. Control that jumps over labels
// assumes that cs is none of them, since the thread could not stop there.
//
// A run can be cut into rounds in many ways. Only the one with fewest rounds is followed: a round
// begins with a thread that comes before the last one of the round before. So a run in which nobody
// moves in the last round has shown all it can, and one in which somebody does is where more rounds
// might show more. Behind the last round main, the first of all, is entered once more, as in the
// tools of the paper: it waits for the others and looks at what they did more often than not.
#include "program/analyse/analyse.h"
#include "program/analyse/destroyed_locks.h"
#include "program/model/run_ahead_locals.h"
#include "program/model/sync_kinds.h"
#include "support/check.h"
#include "support/overloaded.h"
#include "transform/basic/rewrite.h"
#include "transform/sequential/cell_contents.h"
#include "transform/sequential/fixed_values.h"
#include "transform/sequential/foreign_writes.h"
#include "transform/sequential/own_copies.h"
#include "transform/sequential/run_ahead.h"
#include "transform/sequential/sequentialize_lift.h"
#include "transform/sequential/sequentialize_memory.h"
#include "transform/sequential/sequentialize_search.h"
#include "transform/sequential/sequentialize_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <memory>

namespace heddle::transform {

namespace {

using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Synchronize;
using program::SyncOp;
using program::Term;

/// What a proof of memory safety would have to say something about, too.
constexpr const char* kLostMemory = "memory that is lost at the end is not looked for";

bool allocates(const program::Program& program) {
  for (const Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* allocate = std::get_if<program::Allocate>(&edge.action))
        if (allocate->where == ir::Allocate::Where::kHeap)
          return true;
  return false;
}

class Lazy {
public:
  Lazy(const program::Program& source, const LazyOptions& options)
      : source_(source), options_(options), result_(source), writer_(result_) {}

  Result<Transformed> run() {
    Result<std::vector<SequentialThread>> threads = find_threads(source_);
    if (!threads)
      return threads.error();
    if (options_.checks_memory)
      if (const std::optional<OutlivedLocal> local = find_outlived_local(source_, *threads))
        return Error{ErrorKind::kUnsupported,
                     "SEQ-016",
                     fmt::format("{}: the address of the local '{}' may be known when it is gone, "
                                 "which lazy sequentialization does not notice; use an engine for "
                                 "threads (without --via)",
                                 source_.place(source_.objects[local->object].loc),
                                 source_.objects[local->object].name)};
    const ForeignWrites foreign(source_, *threads);
    for (std::uint32_t thread = 0; thread < threads->size(); ++thread)
      if (Status status = add_thread(*threads, thread, foreign); !status)
        return status.error();
    if (options_.abstraction) {
      Result<SharedCells> cells = SharedCells::find(source_, *threads);
      if (!cells)
        return cells.error();
      cells_.emplace(std::move(*cells));
      memory_.emplace(writer_, source_, *threads, *cells_, *options_.abstraction);
      memory_->begin();
      memory_->create(0, std::nullopt);
    }
    for (const Thread& thread : threads_) {
      writer_.stand_for({}, thread.procedure->loc);
      thread.own->begin(source_);
    }
    if (memory_ && options_.guesses)
      run_ahead(*threads);
    add_round_locals();
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      if (round != 0)
        begin_round();
      for (std::uint32_t thread = 0; thread < threads_.size(); ++thread)
        write_slice(thread, round);
    }
    if (threads_.size() > 1) { // main's answer to the last round
      begin_round();
      write_slice(0, options_.rounds);
    }
    write_end();
    return finish(std::move(*threads));
  }

private:
  /// A thread of the source, and the locals of the result that belong to it.
  struct Thread {
    const Procedure* procedure = nullptr;
    SequentialThread source;
    std::vector<SliceLabel> labels;
    std::map<LocationId, std::uint32_t> before; // labels, by number
    std::map<LocationId, std::uint32_t> inside;
    std::vector<std::optional<unsigned>> sections; // open at a location
    LocalMap locals;
    std::unique_ptr<FixedValues> values;
    std::optional<OwnCopies> own;
    unsigned width = 1;                         // of labels
    LocalId pc;                                 // where it has stopped
    LocalId cs;                                 // where it is to stop
    LocalId is_active;                          // it has been created
    LocalId has_ended;                          // and is over
    LocalId is_joined;                          // or detached: joining it is undefined
    LocalId result;                             // what it has returned
    std::map<std::uint32_t, LocalId> kept = {}; // by edge
    std::optional<RunAhead> ahead = {};         // it has computed all it can before it moves
    std::optional<LocalId> argument = {};       // that was guessed for it
  };
  /// One copy of a thread's automaton.
  struct Slice {
    std::uint32_t thread = 0;
    std::vector<LocationId> tests;            // by label, then the end of the slice
    IdVector<LocationId, LocationId> bodies;  // by location of the source
    std::map<LocationId, LocationId> resumes; // of labels inside an edge
    const RunAhead::Step* step = nullptr;     // of a thread that has run ahead
    LocationId next = {};                     // where the step leads
  };

  [[nodiscard]] logic::TermStore& terms() { return result_.terms; }
  [[nodiscard]] Term is_set(LocalId flag) { return terms().to_bool(writer_.value(flag)); }
  void set(LocalId flag, bool value = true) {
    writer_.assign(flag, terms().constant(value ? 1 : 0, 1));
  }
  [[nodiscard]] Term label(const Thread& thread, std::uint32_t number) {
    return terms().constant(number, thread.width);
  }

  Status add_thread(const std::vector<SequentialThread>& threads,
                    std::uint32_t index,
                    const ForeignWrites& foreign) {
    const SequentialThread& source = threads[index];
    Thread thread;
    thread.procedure = &source_.procedures[source.procedure];
    thread.source = source;
    Result<std::vector<SliceLabel>> labels = find_labels(source_, threads, index, foreign);
    if (!labels)
      return labels.error();
    thread.labels = std::move(*labels);
    thread.sections = *find_sections(source_, source.procedure);
    for (std::uint32_t i = 0; i < thread.labels.size(); ++i)
      (thread.labels[i].is_inside ? thread.inside : thread.before)
          .emplace(thread.labels[i].location, i);
    for (const program::Local& local : thread.procedure->locals)
      thread.locals.push_back(writer_.procedure().locals.push_back(local));
    thread.own.emplace(writer_, *thread.procedure, index, foreign);
    thread.values = std::make_unique<FixedValues>(
        source_, source.procedure, index, thread.locals, thread.own->copies(), terms());
    thread.width = static_cast<unsigned>(std::bit_width(thread.labels.size()));
    thread.pc = writer_.local("", thread.width);
    thread.cs = writer_.local("", thread.width);
    thread.is_active = writer_.local("", 1);
    thread.has_ended = writer_.local("", 1);
    thread.is_joined = writer_.local("", 1);
    thread.result = writer_.local("", 64);
    threads_.push_back(std::move(thread));
    return Done{};
  }

  /// Where the thread reads its own place, memory is not asked.
  bool read_own(const Slice& slice, std::uint32_t edge, const program::Action& action) {
    if (!threads_[slice.thread].own->read(edge, action))
      return false;
    if (memory_)
      note_done(slice, edge, action);
    return true;
  }

  /// Threads that have nothing but locals and cells compute what they can before they move.
  void run_ahead(const std::vector<SequentialThread>& sources) {
    for (std::uint32_t index = 1; index < threads_.size(); ++index) {
      Thread& thread = threads_[index];
      const ProcedureId id = thread.source.procedure;
      if (!RunAhead::takes(source_, id, *cells_, *thread.values, terms()))
        continue;
      if (contents_.empty()) // which takes a while where there are many accesses
        contents_ = contents_of(source_, sources, *cells_);
      for (const LocalId local : thread.locals)
        writer_.procedure().locals[local].name = program::kGuessedName;
      for (const auto* copies : {&thread.own->copies().taken, &thread.own->copies().renewed})
        for (const auto& [edge, local] : *copies)
          writer_.procedure().locals[local].name = program::kGuessedName;
      if (!thread.procedure->parameters.empty())
        pass_ahead(thread);
      thread.ahead.emplace(
          RunAhead::Shared{writer_, source_, *cells_, contents_}, id, *thread.values, *thread.own);
      thread.ahead->write(*topological_order(*thread.procedure));
    }
  }
  /// What the thread is given is known where its creator has only one number for it.
  void pass_ahead(Thread& thread) {
    const LocalId parameter = thread.locals[thread.procedure->parameters.front()];
    const program::Action action =
        threads_[*thread.source.creator].values->action(thread.source.edge);
    const Term given = writer_.fitted(std::get<Synchronize>(action).operands[1], parameter);
    if (terms().is_constant(given))
      return writer_.assign(parameter, given);
    const unsigned width = writer_.procedure().locals[parameter].width;
    const LocalId guess = writer_.local(std::string(program::kGuessedName), width);
    writer_.step(program::Nondet{guess, "what the thread is given"});
    thread.argument = writer_.local(std::string(program::kKeptName), width);
    writer_.assign(*thread.argument, writer_.value(guess));
    writer_.assign(parameter, writer_.value(guess));
  }

  void add_round_locals() {
    const auto width = static_cast<unsigned>(std::bit_width(threads_.size()));
    last_ = writer_.local("", width);
    last_before_ = writer_.local("", width);
    has_moved_ = writer_.local("", 1);
    had_moved_ = writer_.local("", 1);
  }
  void begin_round() {
    writer_.stand_for({}, threads_.front().procedure->loc);
    writer_.assign(last_before_, writer_.value(last_));
    writer_.assign(had_moved_, writer_.value(has_moved_));
    set(has_moved_, false);
  }
  /// The thread is about to run up to its cs, if it has chosen to move at all.
  void note_move(const Thread& thread, std::uint32_t index, std::uint32_t round) {
    const Term moves =
        terms().not_(terms().equal(writer_.value(thread.pc), writer_.value(thread.cs)));
    const Term number = terms().constant(index, writer_.procedure().locals[last_].width);
    if (round != 0) {
      const Term is_needed = terms().and_(
          is_set(had_moved_), terms().binary(logic::Op::kULt, number, writer_.value(last_before_)));
      writer_.assume(terms().or_(terms().not_(moves), terms().or_(is_set(has_moved_), is_needed)));
    }
    writer_.assign(last_, terms().ite(moves, number, writer_.value(last_)));
    writer_.assign(has_moved_, terms().to_bit(terms().or_(is_set(has_moved_), moves)));
  }

  void write_slice(std::uint32_t index, std::uint32_t round) {
    Thread& thread = threads_[index];
    const auto size = static_cast<std::uint32_t>(thread.labels.size());
    Slice slice;
    slice.thread = index;
    for (std::uint32_t i = 0; i <= size; ++i)
      slice.tests.push_back(writer_.location());
    for (std::size_t i = 0; i < thread.procedure->locations.size(); ++i)
      slice.bodies.push_back(writer_.location());
    const LocationId after = writer_.location();

    writer_.stand_for({}, thread.procedure->loc);
    if (index != 0)
      writer_.branch(is_set(thread.is_active), after);
    writer_.step(program::Nondet{thread.cs, "where the thread stops"});
    const Term pc = writer_.value(thread.pc);
    const Term cs = writer_.value(thread.cs);
    writer_.assume(terms().and_(terms().binary(logic::Op::kULe, pc, cs),
                                terms().binary(logic::Op::kULe, cs, label(thread, size))));
    note_move(thread, index, round);
    if (thread.ahead) {
      write_steps(slice);
      writer_.assign(thread.pc, cs);
      writer_.jump(after);
      return;
    }
    writer_.jump(slice.tests[round != 0 && index == 0 ? labels_alone() : 0]);
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto [location, is_inside] = thread.labels[i];
      LocationId body = slice.bodies[location];
      if (is_inside)
        body = slice.resumes[location] = writer_.location();
      writer_.go_on_at(slice.tests[i]);
      writer_.stand_for({}, thread.procedure->locations[location].loc);
      const Term runs = terms().and_(terms().binary(logic::Op::kULe, pc, label(thread, i)),
                                     terms().binary(logic::Op::kULt, label(thread, i), cs));
      writer_.branch(runs, slice.tests[i + 1]);
      writer_.jump(body);
    }
    for (const program::Location& location : thread.procedure->locations)
      for (const std::uint32_t edge : location.out)
        if (thread.values->may_happen(edge))
          write_edge(slice, edge);
    writer_.go_on_at(slice.tests.back());
    writer_.assign(thread.pc, cs);
    writer_.jump(after);
  }

  /// Of a thread that has run ahead: each step by itself, if control comes there in this slice. The
  /// thread can only stop where control comes.
  void write_steps(Slice& slice) {
    Thread& thread = threads_[slice.thread];
    const Term pc = writer_.value(thread.pc);
    const Term cs = writer_.value(thread.cs);
    const auto lies_before = [&](std::uint32_t number, Term place) {
      return terms().binary(logic::Op::kULt, label(thread, number), place);
    };
    // Of a choice, though nothing depends on it, a transition begins: how many steps of operations
    // fit into one depends on whether they are inlined.
    const LocalId tick = writer_.local("", 1);
    std::uint32_t last = 0; // label
    for (const RunAhead::Step& step : thread.ahead->steps()) {
      const program::Edge& edge = thread.procedure->edges[step.edge];
      const Term is_reached = is_set(step.is_reached);
      const auto found = thread.before.find(edge.from);
      writer_.stand_for({}, edge.loc);
      if (found != thread.before.end() && found->second != 0) {
        last = found->second;
        writer_.assume(
            terms().or_(terms().or_(terms().not_(lies_before(last - 1, cs)), lies_before(last, cs)),
                        is_reached));
      }
      slice.step = &step;
      slice.next = writer_.location();
      writer_.branch(
          terms().and_(is_reached,
                       terms().and_(terms().not_(lies_before(last, pc)), lies_before(last, cs))),
          slice.next);
      writer_.step(program::Nondet{tick, "a step is taken"});
      slice.bodies[edge.from] = writer_.at();
      write_edge(slice, step.edge);
      writer_.go_on_at(slice.next);
    }
    slice.step = nullptr;
  }
  /// The end of a step that read what was guessed.
  void check_guesses(const RunAhead::Step& step) {
    for (const auto& [seen, guess] : step.reads)
      writer_.assume(terms().equal(writer_.value(seen), writer_.value(guess)));
  }

  /// How many labels of main lie before any thread can have been created. Who has stopped at one of
  /// them is alone, and goes on in the same round or never: nobody begins another round.
  [[nodiscard]] std::uint32_t labels_alone() const {
    const Thread& main = threads_.front();
    std::uint32_t first = static_cast<std::uint32_t>(main.labels.size());
    for (const Thread& thread : threads_) {
      if (thread.source.creator != 0 || &thread == &main)
        continue;
      const auto found = main.before.find(main.procedure->edges[thread.source.edge].from);
      if (found == main.before.end())
        return 0; // somewhere behind a label
      first = std::min(first, found->second + 1);
    }
    return threads_.size() == 1 ? 0 : first;
  }

  /// Control of the thread comes to that location of the source.
  void arrive(const Slice& slice, LocationId location) {
    if (slice.step != nullptr) {
      check_guesses(*slice.step);
      return writer_.jump(slice.next);
    }
    Thread& thread = threads_[slice.thread];
    const auto number = thread.before.find(location);
    if (number == thread.before.end())
      return writer_.jump(slice.bodies[location]);
    writer_.assume(
        terms().binary(logic::Op::kULe, label(thread, number->second), writer_.value(thread.cs)));
    writer_.jump(slice.tests[number->second]);
  }

  void write_edge(const Slice& slice, std::uint32_t index) {
    Thread& thread = threads_[slice.thread];
    const program::Edge& edge = thread.procedure->edges[index];
    const program::Action action =
        slice.step != nullptr ? slice.step->action : thread.values->action(index);
    writer_.go_on_at(slice.bodies[edge.from]);
    if (slice.step != nullptr && slice.step->is_computation) {
      writer_.step(action);
      return writer_.jump(slice.next);
    }
    writer_.stand_for({SliceOrigin::Kind::kStep, slice.thread, index}, edge.loc);
    bool goes_on = true;
    const auto end_run = [&](program::Action last) {
      writer_.step_to(std::move(last), writer_.end());
      goes_on = false;
    };
    const auto end_program = [&](const program::Exit& exit) {
      write_back();
      end_run(end_of_program(exit));
    };
    const auto end_thread = [&](const std::optional<Term>& value) {
      goes_on = false;
      if (memory_)
        memory_->terminate(slice.thread);
      if (slice.thread == 0)
        return end_program(program::Exit{});
      writer_.assume(
          terms().equal(writer_.value(thread.cs),
                        label(thread, static_cast<std::uint32_t>(thread.labels.size()))));
      set(thread.has_ended);
      writer_.assign(thread.result,
                     value ? terms().zero_extend(*value, 64) : terms().constant(0, 64));
      writer_.jump(slice.step != nullptr ? slice.next : slice.tests.back());
    };
    if (slice.step != nullptr && slice.step->known.is_valid()) {
      writer_.assign(read_by(action), writer_.value(slice.step->known));
      note_done(slice, index, action);
      return arrive(slice, edge.to);
    }
    if (slice.step == nullptr && read_own(slice, index, action))
      return arrive(slice, edge.to);
    if (memory_ && memory_->write_action(action, edge.action, context_of(slice, index))) {
      if (slice.step == nullptr)
        thread.own->renew(index, action);
      note_done(slice, index, action);
      return arrive(slice, edge.to);
    }
    std::visit(Overloaded{
                   [&](const program::Synchronize& a) { synchronize(slice, index, a); },
                   [&](const program::AtomicBegin&) { writer_.step(program::Skip{}); },
                   [&](const program::AtomicEnd&) { writer_.step(program::Skip{}); },
                   [&](const program::Fence&) { writer_.step(program::Skip{}); },
                   [&](const program::Return& a) { end_thread(a.value); },
                   [&](const program::ThreadExit& a) {
                     if (slice.thread == 0) { // the others go on
                       if (memory_)
                         memory_->terminate(0);
                       set(thread.has_ended);
                       goes_on = false;
                       writer_.assume(terms().equal(
                           writer_.value(thread.cs),
                           label(thread, static_cast<std::uint32_t>(thread.labels.size()))));
                       writer_.jump(slice.tests.back());
                     } else {
                       end_thread(a.value);
                     }
                   },
                   [&](const program::Exit& a) { end_program(a); },
                   [&](const program::Cut& a) { end_run(a); },
                   [&](const program::Trap& a) { end_run(a); },
                   [&](const auto& a) { writer_.step(a); },
               },
               action);
    if (slice.step == nullptr)
      thread.own->renew(index, action);
    if (goes_on)
      arrive(slice, edge.to);
  }

  [[nodiscard]] SequentialMemory::Context context_of(const Slice& slice, std::uint32_t edge) const {
    const Thread& thread = threads_[slice.thread];
    const LocationId from = thread.procedure->edges[edge].from;
    return {slice.thread, thread.source.procedure, edge, thread.sections[from.index()].value_or(0)};
  }
  void note_done(const Slice& slice, std::uint32_t index, const program::Action& action) {
    writer_.stand_for({SliceOrigin::Kind::kDone, slice.thread, index, read_by(action)},
                      threads_[slice.thread].procedure->edges[index].loc);
    writer_.step(program::Skip{});
  }
  /// Where memory safety is asked for, the run is discarded: what lies in memory then may be
  /// reached by locals of threads that are over, so nothing can be said about what is lost.
  [[nodiscard]] program::Action end_of_program(const program::Exit& exit) {
    if (options_.checks_memory)
      return program::Assume{terms().boolean(false)};
    return exit;
  }
  void write_back() {
    if (memory_ && options_.observes)
      memory_->write_back(0);
  }

  void synchronize(const Slice& slice, std::uint32_t index, const Synchronize& action) {
    Thread& thread = threads_[slice.thread];
    const SourceLoc loc = thread.procedure->edges[index].loc;
    switch (action.op) {
    case SyncOp::kCreate:
      return create(slice, index, action);
    case SyncOp::kJoin:
      return join(slice, action);
    case SyncOp::kDetach:
      return detach(action);
    case SyncOp::kSelf:
      return give(action, terms().constant(slice.thread + 1ULL, 64));
    default:
      break;
    }
    if (is_timed(action.op))
      writer_.stand_for({SliceOrigin::Kind::kTimed, slice.thread, index}, loc);
    SequentialSync::Inside inside;
    const LocationId from = thread.procedure->edges[index].from;
    if (const auto number = thread.inside.find(from); number != thread.inside.end()) {
      inside.stop = slice.tests[number->second];
      inside.resume = slice.resumes.at(from);
      const auto [kept, is_new] = thread.kept.try_emplace(index);
      if (is_new)
        kept->second = writer_.local("", 32);
      inside.kept = kept->second;
      inside.rest = {SliceOrigin::Kind::kRest, slice.thread, index};
      inside.loc = loc;
    }
    if (!memory_)
      return SequentialSync(writer_, slice.thread, may_be_destroyed_).write(action, inside);
    const SequentialMemory::Context at = context_of(slice, index);
    const auto& source = std::get<Synchronize>(thread.procedure->edges[index].action);
    SequentialSync(
        writer_, slice.thread, *memory_, at.procedure, source, at.section != 0, may_be_destroyed_)
        .write(action, inside);
    note_done(slice, index, action);
  }

  void give(const Synchronize& action, Term value) {
    if (!action.dest) {
      writer_.step(program::Skip{});
      return;
    }
    const unsigned width = writer_.procedure().locals[*action.dest].width;
    writer_.assign(*action.dest, width < 64 ? terms().extract(value, 0, width) : value);
  }

  void create(const Slice& slice, std::uint32_t index, const Synchronize& action) {
    Term handle = terms().constant(0, 64);
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      Thread& created = threads_[i];
      if (created.source.creator != slice.thread || created.source.edge != index)
        continue;
      const Term function = action.operands[0];
      const Term is_meant = terms().equal(
          function,
          terms().constant(result_.space().function_address(created.source.procedure.value),
                           terms().sort(function).width));
      handle = terms().ite(is_meant, terms().constant(i + 1ULL, 64), handle);
      if (memory_)
        create_in_memory(i, slice.thread, is_meant);
      writer_.assign(created.is_active, terms().to_bit(is_meant));
      if (!created.procedure->parameters.empty()) {
        const LocalId parameter = created.locals[created.procedure->parameters.front()];
        const Term given = writer_.fitted(action.operands[1], parameter);
        if (!created.ahead)
          writer_.assign(parameter, given);
        else if (created.argument)
          check_argument(given, *created.argument);
      }
    }
    writer_.trap_unless(terms().not_(terms().equal(handle, terms().constant(0, 64))),
                        "a thread starts at something that is no function");
    give(action, handle);
  }
  void check_argument(Term given, LocalId guess) {
    const LocalId seen = writer_.local("", writer_.procedure().locals[guess].width);
    writer_.assign(seen, given);
    writer_.assume(terms().equal(writer_.value(seen), writer_.value(guess)));
  }
  void create_in_memory(std::uint32_t child, std::uint32_t parent, Term is_meant) {
    const LocationId after = writer_.location();
    writer_.branch(is_meant, after);
    memory_->create(child, parent);
    writer_.jump(after);
  }

  void join(const Slice& slice, const Synchronize& action) {
    const Term handle = terms().zero_extend(action.operands[0], 64);
    Term is_known = terms().boolean(false);
    Term is_over = terms().boolean(false);
    Term value = terms().constant(0, 64);
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      const Thread& thread = threads_[i];
      const Term is_meant = terms().equal(handle, terms().constant(i + 1ULL, 64));
      const Term is_there = i == 0 ? terms().boolean(true) : is_set(thread.is_active);
      is_known = terms().or_(
          is_known,
          terms().and_(is_meant, terms().and_(is_there, terms().not_(is_set(thread.is_joined)))));
      is_over = terms().or_(is_over, terms().and_(is_meant, is_set(thread.has_ended)));
      value = terms().ite(is_meant, writer_.value(thread.result), value);
    }
    writer_.trap_unless(is_known, "join of a thread that is not there, or was joined or detached");
    writer_.assume(is_over);
    if (memory_)
      join_in_memory(handle, slice.thread);
    give(action, value);
    mark_joined(handle);
  }
  void join_in_memory(Term handle, std::uint32_t joiner) {
    const LocationId after = writer_.location();
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      const LocationId other = writer_.location();
      writer_.branch(terms().equal(handle, terms().constant(i + 1ULL, 64)), other);
      memory_->join(i, joiner);
      writer_.jump(after);
      writer_.go_on_at(other);
    }
    writer_.jump(after);
  }
  void detach(const Synchronize& action) {
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
    give(action, terms().constant(0, 64));
    mark_joined(handle);
  }
  void mark_joined(Term handle) {
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      const LocalId flag = threads_[i].is_joined;
      const Term is_meant = terms().equal(handle, terms().constant(i + 1ULL, 64));
      writer_.assign(flag, terms().to_bit(terms().or_(is_set(flag), is_meant)));
    }
  }

  /// A run in which a thread has not come to its end might go on.
  void write_end() {
    Term is_over = terms().boolean(true);
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      const Thread& thread = threads_[i];
      const Term is_idle = i == 0 ? terms().boolean(false) : terms().not_(is_set(thread.is_active));
      is_over = terms().and_(is_over, terms().or_(is_idle, is_set(thread.has_ended)));
    }
    const LocationId more = writer_.location();
    writer_.stand_for({}, threads_.front().procedure->loc);
    // Main moves behind the last round only if somebody has moved in it.
    const LocalId in_last_round = threads_.size() > 1 ? had_moved_ : has_moved_;
    writer_.assume(terms().or_(is_over, is_set(in_last_round)));
    writer_.branch(is_over, more);
    write_back();
    writer_.step_to(end_of_program({}), writer_.end());
    writer_.go_on_at(more);
    writer_.step_to(
        program::Cut{fmt::format("{} rounds of {} threads", options_.rounds, threads_.size())},
        writer_.end());
  }

  Result<Transformed> finish(std::vector<SequentialThread> threads) {
    finish_sequential(writer_, source_, threads);
    auto map = std::make_shared<SequentialMap>(SequentialMap{source_,
                                                             result_,
                                                             std::move(threads),
                                                             writer_.origins(),
                                                             options_.machine,
                                                             options_.replay});
    Lift lift;
    if (memory_)
      lift = [map](const execution::Schedule& schedule) { return lift_by_search(*map, schedule); };
    else
      lift = [map](const execution::Schedule& schedule) { return lift_to_threads(*map, schedule); };
    Approximations approximations = assumed_of_locals(source_, map->threads);
    if (memory_)
      std::ranges::move(approximations_of(source_, *cells_, map->threads),
                        std::back_inserter(approximations));
    if (options_.checks_memory && allocates(source_))
      approximations.push_back({Approximation::Kind::kUnder, kLostMemory, {}});
    return Transformed{std::move(result_), std::move(lift), std::move(approximations)};
  }

  const program::Program& source_;
  const bool may_be_destroyed_ = program::DestroyedLocks(source_).may_be_in(source_, {}); // a lock
  LazyOptions options_;
  program::Program result_;
  SequentialWriter writer_;
  std::optional<SharedCells> cells_;
  std::vector<logic::Range> contents_; // by cell; if threads run ahead
  std::optional<SequentialMemory> memory_;
  std::vector<Thread> threads_;
  LocalId last_;        // the thread that moved last in this round
  LocalId last_before_; // and in the round before
  LocalId has_moved_;   // somebody has moved in this round
  LocalId had_moved_;   // and in the round before
};

class LazySequentialization final : public Transform {
public:
  explicit LazySequentialization(const LazyOptions& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "lazy sequentialization"; }
  [[nodiscard]] bool preserves(spec::Property property) const override {
    // In cells, what is freed is still there.
    return property == spec::Property::kReach || property == spec::Property::kOverflow ||
           (property == spec::Property::kMemory && !options_.abstraction);
  }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds&) const override {
    return Lazy(source, options_).run();
  }

private:
  LazyOptions options_;
};

} // namespace

std::unique_ptr<Transform> sequentialize_lazily(const LazyOptions& options) {
  return std::make_unique<LazySequentialization>(options);
}

} // namespace heddle::transform
