// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/model_check.h"

#include "encode/program/unrolled.h"
#include "encode/relations/ended_blocks.h"
#include "encode/relations/execution_cycle.h"
#include "encode/relations/execution_stuck.h"
#include "encode/relations/lost_blocks.h"
#include "engine/axiomatic/freed_uses.h"
#include "engine/axiomatic/model_search.h"
#include "memory/event_options.h"
#include "memory/judge.h"
#include "memory/prefix_axioms.h"
#include "program/model/sync_kinds.h"
#include "spec/property.h"
#include "support/within_memory.h"
#include "transform/basic/idle.h"
#include "transform/basic/unroll.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

namespace heddle::engine::axiomatic {

namespace {

using logic::Literal;
using memory::Axiom;
using solve::Answer;
using verdict::Unknown;
using Found = ModelSearch::Found;
using Kind = program::StaticEvent::Kind;

/// How often loops are unrolled at first, and where growing ends if time does not end it.
constexpr std::uint32_t kFirstUnwind = 2;
constexpr std::uint32_t kLastUnwind = 64;
/// Edges of loops that are run out at once: formulas are quadratic in the number of events.
constexpr std::size_t kMostRunOutByAxioms = std::size_t{1} << 16U;
/// From so many events on the axioms narrow rf and co before there is a formula. Smaller formulas
/// are made in less time than that takes.
constexpr std::size_t kManyEvents = 150;

bool allocates_memory(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* allocate = std::get_if<program::Allocate>(&edge.action);
          allocate != nullptr && allocate->where == ir::Allocate::Where::kHeap)
        return true;
  return false;
}

/// May a pointer to a variable of a frame be used after that frame has ended?
bool may_use_ended_frames(const program::Program& program) {
  return std::any_of(
      program.objects.begin(), program.objects.end(), [](const program::Object& object) {
        return object.kind == program::Object::Kind::kFrameSite &&
               object.dangling != program::Object::Dangling::kNever;
      });
}

bool unlocks(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* sync = std::get_if<program::Synchronize>(&edge.action);
          sync != nullptr && (gives_exclusive_lock(sync->op) || is_condition_wait(sync->op)))
        return true;
  return false;
}

/// A turn of a loop that only reads can be left out if the model allows every execution with fewer
/// reads. (What a local was computed from stays: see IdleTurns::kNoneOfReads.)
bool may_skip_reads(const memory::Core& core) {
  return std::all_of(core.axioms.begin(), core.axioms.end(), [&](const Axiom& axiom) {
    return axiom.role != Axiom::Role::kRequire || memory::holds_without_reads(core, axiom);
  });
}

/// An access that races, or that is made after its block was freed, may be in such a turn. Then one
/// turn of each loop is kept, and leaving out the others must keep two accesses unordered.
bool may_skip_reads_between_pairs(const memory::Core& core) {
  const memory::NodeId happens_before = memory::find_happens_before(core);
  return may_skip_reads(core) &&
         (!happens_before.is_valid() || memory::only_gains_with_reads(core, happens_before)) &&
         std::all_of(core.axioms.begin(), core.axioms.end(), [&](const Axiom& axiom) {
           return !memory::tells_race(axiom) || memory::is_flagged_without_reads(core, axiom);
         });
}

/// The same of updates that write what they found. About pairs of accesses: an update may be one of
/// them, so that one turn with it is kept, too.
bool may_skip_equal_updates(const memory::Core& core, bool asks_about_pairs) {
  if (!memory::knows_no_dependencies(core) || !memory::holds_without_equal_updates(core))
    return false;
  if (!asks_about_pairs)
    return true;
  const memory::NodeId happens_before = memory::find_happens_before(core);
  return (!happens_before.is_valid() ||
          memory::only_gains_with_equal_updates(core, happens_before)) &&
         std::all_of(core.axioms.begin(), core.axioms.end(), [&](const Axiom& axiom) {
           return !memory::tells_race(axiom) ||
                  memory::is_flagged_without_equal_updates(core, axiom);
         });
}

/// Is an access cut into pieces?
bool has_pieces(const program::EventSet& set) {
  for (program::EventIndex e = 1; e < set.events.size(); ++e) {
    const program::StaticEvent& before = set.events[e - 1];
    const program::StaticEvent& event = set.events[e];
    if (set.is_memory(e - 1) && set.is_memory(e) && before.thread == event.thread &&
        before.kind == event.kind && before.instruction == event.instruction &&
        before.piece_of == event.piece_of)
      return true;
  }
  return false;
}

/// An axiom that may forbid a part of an execution that it allows.
const Axiom* find_axiom_of_whole_runs(const memory::Core& core) {
  const auto found = std::find_if(core.axioms.begin(), core.axioms.end(), [&](const Axiom& axiom) {
    return axiom.role == Axiom::Role::kRequire && !memory::holds_of_prefixes(core, axiom);
  });
  return found == core.axioms.end() ? nullptr : &*found;
}

std::string why_not_in_parts(const memory::Model& model, const Axiom& axiom) {
  return fmt::format("the model '{}' may forbid a part of an execution that it allows ('{}'), and "
                     "properties other than reach are looked for in parts; rc11 and imm for C, and "
                     "the models of processors, do not",
                     model.name,
                     axiom.name.empty() ? axiom.text : axiom.name);
}

/// Has main joined all other threads, whatever else happens, when it comes to the event?
bool is_after_all_threads(const program::EventSet& set, program::EventIndex event) {
  if (set.events[event].thread != 0)
    return false;
  const auto joins = [&](std::uint32_t thread) {
    const std::uint64_t end = program::hidden_address(*set.program, program::end_number(thread));
    const auto first = set.events.begin() + set.threads.front().first;
    return std::any_of(first, set.events.begin() + event, [&](const program::StaticEvent& one) {
      return one.kind == Kind::kRead && one.is_hidden && set.terms.is_constant(one.address) &&
             set.terms.node(one.address).value == end && set.terms.is_constant(one.guard) &&
             set.terms.node(one.guard).value != 0;
    });
  };
  for (std::uint32_t thread = 1; thread < set.threads.size(); ++thread)
    if (!joins(thread))
      return false;
  return true;
}

bool frees_memory(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (std::holds_alternative<program::Free>(edge.action))
        return true;
  return false;
}

/// Of a state in which threads wait for ever.
bool is_of_state(spec::Property property) {
  return property == spec::Property::kDeadlock || property == spec::Property::kLiveness;
}

/// Where main may end without ending the others: not in the function of a thread.
std::optional<SourceLoc> find_exit_of_main_thread(const program::Program& program) {
  std::set<program::ProcedureId> of_threads;
  for (std::size_t i = 1; i < program.templates.size(); ++i)
    of_threads.insert(program.templates[i].entry);
  of_threads.erase(program.templates.front().entry);
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    if (!of_threads.contains(program::ProcedureId{i}))
      for (const program::Edge& edge : program.procedures[program::ProcedureId{i}].edges)
        if (std::holds_alternative<program::ThreadExit>(edge.action))
          return edge.loc;
  return std::nullopt;
}

class CheckQuestion {
public:
  CheckQuestion(const spec::Task& task, const Context& context)
      : task_(task), context_(context), property_(std::get<spec::Check>(task.question).property),
        bounds_(task.bounds), may_grow_(task.bounds.unwind == 0 && task.bounds.loops.empty()),
        asks_about_pairs_(property_ == spec::Property::kRace || frees_memory(*task.program)),
        skips_updates_(may_skip_equal_updates(*task.model.core, asks_about_pairs_)),
        skip_idle_(skip_idle_turns()) {
    if (may_grow_)
      bounds_.unwind = kFirstUnwind;
    // A turn may be on the cycle.
    skips_idle_ = property_ != spec::Property::kRobustness &&
                  (asks_about_pairs_ ? may_skip_reads_between_pairs(*task.model.core)
                                     : may_skip_reads(*task.model.core));
  }

  verdict::Verdict run() {
    verdict_.approximations = task_.program->approximations;
    const auto assume = [&](const char* what) {
      verdict_.approximations.push_back({Approximation::Kind::kAssumed, what, {}});
    };
    if (may_use_ended_frames(*task_.program))
      assume("no variable is used after its function has returned");
    if (unlocks(*task_.program))
      assume("a lock is released by the thread that holds it");
    if (frees_memory(*task_.program) && allocates_memory(*task_.program))
      assume("freed memory is not used again");
    verdict::Answer answer = find_answer();
    if (holds(answer) && may_be_misused_in_turns())
      answer = unless_misused(std::move(answer));
    if (holds(answer) && may_lose_memory())
      answer = Unknown{Unknown::Reason::kUnsupported,
                       "accesses are valid as far as was looked, but whether memory is lost at the "
                       "end, or used after its function has returned, is not known",
                       "a model with a machine (sc, tso, pso)"};
    if (holds(answer) && property_ == spec::Property::kCleanup &&
        allocates_memory(*task_.program) && may_lose_blocks_)
      answer = Unknown{Unknown::Reason::kUnsupported,
                       "all blocks are freed as far as was looked, but whether threads that main "
                       "has not joined free theirs before the end is not known",
                       "join them, or a model with a machine (sc, tso, pso)"};
    if (holds(answer))
      verdict_.never_reached = verdict::never_reached(*task_.program, reached_);
    verdict_.answer = std::move(answer);
    return std::move(verdict_);
  }

private:
  [[nodiscard]] bool asks_about_blocks() const {
    return property_ == spec::Property::kMemory || property_ == spec::Property::kCleanup;
  }

  [[nodiscard]] static bool holds(const verdict::Answer& answer) {
    return std::holds_alternative<verdict::Proved>(answer) ||
           std::holds_alternative<verdict::HoldsWithinBounds>(answer);
  }

  [[nodiscard]] bool may_be_misused_in_turns() const {
    return property_ == spec::Property::kLiveness && asks_about_pairs_;
  }
  [[nodiscard]] bool may_lose_memory() const {
    return property_ == spec::Property::kMemory &&
           ((allocates_memory(*task_.program) && may_lose_blocks_) ||
            may_use_ended_frames(*task_.program));
  }

  /// What is asked at the end only is not known yet.
  void tell_established() const {
    if (!context_.established || may_be_misused_in_turns() || may_lose_memory())
      return;
    verdict::Verdict verdict;
    verdict.answer = out_of_budget(verdict::out_of(Exhausted::kTime));
    verdict.approximations = verdict_.approximations;
    verdict.never_reached = verdict::never_reached(*task_.program, reached_);
    verdict.engine = "axiomatic";
    context_.established(verdict);
  }

  [[nodiscard]] verdict::Answer find_answer() {
    std::optional<verdict::Answer> answer;
    while (!answer)
      answer = within_memory([&] { return ask(); },
                             [&] { return out_of_budget(verdict::out_of(Exhausted::kMemory)); });
    return std::move(*answer);
  }

  /// For liveness every turn that waits is left out. An access in one may be to memory that another
  /// thread frees later, which is looked for with these turns.
  [[nodiscard]] verdict::Answer unless_misused(verdict::Answer answer) const {
    spec::Task task = task_;
    task.question = spec::Check{spec::Property::kMemory};
    const Context context = for_part_of_question(context_);
    verdict::Answer misused = CheckQuestion(task, context).find_answer();
    if (std::holds_alternative<verdict::Violated>(misused))
      return Unknown{Unknown::Reason::kUndefinedBehaviour,
                     "memory is used that nothing keeps from being freed before",
                     "ask for property memory"};
    const bool is_sure = std::holds_alternative<verdict::Proved>(misused) ||
                         (holds(misused) && !std::holds_alternative<verdict::Proved>(answer));
    return is_sure ? std::move(answer) : std::move(misused);
  }

  [[nodiscard]] transform::IdleTurns kept_turns() const {
    if (property_ == spec::Property::kLiveness)
      return transform::IdleTurns::kTurningOfReads;
    return asks_about_pairs_ ? transform::IdleTurns::kOneOfReads
                             : transform::IdleTurns::kNoneOfReads;
  }

  [[nodiscard]] std::unique_ptr<transform::Transform> skip_idle_turns() const {
    if (!memory::knows_no_dependencies(*task_.model.core))
      return transform::skip_idle_turns(kept_turns());
    return transform::skip_turns_without_dependencies(
        kept_turns(),
        skips_updates_ ? transform::EqualUpdates::kAreNothing : transform::EqualUpdates::kCount);
  }

  /// Nothing: with larger bounds again.
  std::optional<verdict::Answer> ask() {
    // Calls have no events, so that a callee's locals become the caller's. That they are not used
    // after it has returned is assumed where somebody could.
    const Result<encode::Unrolled> unrolled =
        encode::unroll(*task_.program,
                       bounds_,
                       context_.budget,
                       skips_idle_ ? skip_idle_.get() : nullptr,
                       transform::InlineSlots::kPrivateOrInPlace,
                       kMostRunOutByAxioms);
    if (!unrolled)
      return given_up(unrolled.error());
    Result<program::EventSet> set = events_of(
        *task_.model.core, unrolled->program(), context_.budget, is_of_state(property_), true);
    if (!set)
      return given_up(set.error());
    verdict_.approximations.insert(
        verdict_.approximations.end(), set->approximations.begin(), set->approximations.end());
    if (skips_idle_ && skips_updates_ && has_pieces(*set)) {
      skips_updates_ = false;
      skip_idle_ = skip_idle_turns();
      return std::nullopt;
    }
    // A model that allows prefixes of what it allows need not be asked about all of them.
    const bool needs_all_prefixes =
        find_axiom_of_whole_runs(*task_.model.core) != nullptr && !fails_only_at_the_end(*set);
    // Axioms tell of parts of executions what they tell of the whole only if they hold of both.
    const std::size_t events = set->events.size();
    const bool is_narrowed =
        events >= kManyEvents && find_axiom_of_whole_runs(*task_.model.core) == nullptr;
    stop_threads(*set,
                 needs_all_prefixes ? Stops::kAnywhere
                 : is_narrowed && !is_of_state(property_) && !asks_about_blocks()
                     ? Stops::kBeforeThreads
                     : Stops::kWhereTheyMust);
    invalid_ = stop_at_invalid_accesses(*set);
    if (context_.progress)
      context_.progress({fmt::format("{} events, loops up to {}", events, largest())});
    ModelSearch search(task_.model,
                       std::move(*set),
                       context_.budget,
                       memory::Accesses::kInRegions,
                       is_narrowed ? memory::Narrowed::kByAxioms : memory::Narrowed::kByPlace);
    std::optional<verdict::Answer> answer = decide(search, unrolled->program(), events);
    search.count(verdict_.statistics);
    return answer;
  }

  /// Then every execution that violates the property is a whole one.
  [[nodiscard]] bool fails_only_at_the_end(const program::EventSet& set) const {
    for (program::EventIndex e = 0; e < set.events.size(); ++e)
      if (set.events[e].kind == Kind::kCheck && spec::violates(property_, set.events[e].fault) &&
          !is_after_all_threads(set, e))
        return false;
    return true;
  }

  /// What smaller bounds have shown stands where time, memory or patience end.
  [[nodiscard]] verdict::Answer out_of_budget(Unknown why) const {
    return verdict::within_bounds(completed_, std::move(why));
  }
  /// Nobody knows what is behind what cannot be judged.
  [[nodiscard]] verdict::Answer refused(const std::string& why) const {
    return verdict::refused({Unknown::Reason::kRefused, why, ""}, completed_);
  }

  [[nodiscard]] verdict::Answer given_up(const Error& error) const {
    if (context_.budget.exhausted(0))
      return out_of_budget(stopped(context_.budget));
    return transform::is_too_large(error) ? out_of_budget(unsupported(error.message))
                                          : refused(error.message);
  }

  [[nodiscard]] verdict::Answer failed(const ModelSearch& search) const {
    return search.error() ? refused(search.error()->to_string())
                          : out_of_budget(stopped(context_.budget));
  }

  std::optional<verdict::Answer>
  decide(ModelSearch& search, const program::Program& program, std::size_t events) {
    if (const Status status = search.encode(); !status)
      return given_up(status.error());
    // What is met on the way is in a part of an execution, of which the axioms may be wrong.
    const bool asks_before_axioms = find_axiom_of_whole_runs(*task_.model.core) != nullptr;
    ModelSearch::Obstacles obstacles = search.find_traps();
    if (asks_before_axioms)
      search.find_cuts(obstacles);
    else
      search.require_axioms();
    std::vector<Literal> violations;
    std::vector<Literal> undefined;
    for (const program::StaticEvent& event : search.set().events) {
      if (event.kind != Kind::kCheck)
        continue;
      const Literal fails = search.gates().and_(search.executions().literal(event.guard),
                                                ~search.executions().literal(event.value));
      if (spec::violates(property_, event.fault))
        violations.push_back(fails);
      else if (program::is_undefined_behaviour(event.fault))
        undefined.push_back(fails);
    }
    for (const InvalidAccess& one : invalid_)
      (property_ == spec::Property::kMemory ? violations : undefined)
          .push_back(search.executions().literal(one.is_met));
    if (property_ == spec::Property::kRace)
      for (const Axiom& axiom : task_.model.core->axioms)
        if (memory::tells_race(axiom))
          violations.push_back(search.formula().is_raised(axiom));
    if (property_ == spec::Property::kRobustness)
      violations.push_back(encode::has_cycle(search.set(), search.executions(), search.gates()));
    if (is_of_state(property_))
      violations.push_back(encode::ExecutionStuck(search.set(), search.executions(), search.gates())
                               .encode(property_ == spec::Property::kDeadlock
                                           ? encode::ExecutionStuck::Question::kDeadlock
                                           : encode::ExecutionStuck::Question::kLiveness));
    if (search.formula().is_given_up())
      return failed(search);
    encode::EndedBlocks ended(
        search.set(), *task_.model.core, search.executions(), search.formula(), search.gates());
    wrong_frees_ = ended.find();
    std::optional<FreedUse> freed_use;
    if (!ended.knows_order() && !asks_before_axioms) {
      freed_use = look_for_freed_use(search, program);
      if (!freed_use)
        return failed(search);
      if (freed_use->is == FreedUse::Is::kNotThere)
        for (encode::WrongFree& one : wrong_frees_)
          one.is_met = one.is_sure;
      else if (freed_use->is == FreedUse::Is::kThere && property_ == spec::Property::kMemory)
        return violated_by(std::move(freed_use->execution));
    }
    std::vector<Literal> misused;
    std::vector<Literal> surely_misused;
    for (const encode::WrongFree& one : wrong_frees_) {
      misused.push_back(one.is_met);
      surely_misused.push_back(one.is_sure);
    }
    std::optional<encode::LostBlocks> blocks;
    if (asks_about_blocks() && !find_exit_of_main_thread(*task_.program)) {
      blocks.emplace(search.set(),
                     search.executions(),
                     search.gates(),
                     property_ == spec::Property::kCleanup ? encode::LostBlocks::Asks::kForLeft
                                                           : encode::LostBlocks::Asks::kForLost);
      violations.push_back(blocks->is_lost());
    }
    // What comes of memory that is used after its free is no violation of something else.
    if (!misused.empty()) {
      const Literal is_misused = search.gates().or_(misused);
      violations = {search.gates().and_(search.gates().or_(violations), ~is_misused)};
      if (property_ == spec::Property::kMemory)
        violations.push_back(search.gates().or_(surely_misused));
      undefined.push_back(is_misused);
      if (search.formula().is_given_up())
        return failed(search);
      if (ended.knows_order() && !search.formula().is_exact())
        return refused("whether memory is used after its free is not known exactly");
    }
    Found found;
    Answer is_undefined = Answer::kUnsatisfiable;
    if (asks_before_axioms) {
      is_undefined = search.ask(search.gates().or_(undefined));
      if (is_undefined == Answer::kSatisfiable)
        undefined_at_ = undefined_at(search);
      search.require_axioms();
    }
    if (const Answer answer = find_violation(search, violations, found);
        answer == Answer::kSatisfiable)
      return violated(search, std::move(found));
    else if (answer == Answer::kUnknown)
      return failed(search);
    if (obstacles.trap)
      return verdict::refused(unsupported(*obstacles.trap), completed_);
    if (!asks_before_axioms) {
      is_undefined = find(search, undefined, found);
      if (is_undefined == Answer::kSatisfiable)
        undefined_at_ = undefined_at(search);
    }
    if (is_undefined == Answer::kSatisfiable && is_open_) {
      if (!freed_use || freed_use->is != FreedUse::Is::kThere)
        return unsupported(undefined_at_ + ", as far as starts and ends of threads tell");
      undefined_at_ = undefined_text(freed_use->used, access_to_freed(freed_use->freed));
    }
    if (is_undefined == Answer::kSatisfiable)
      return Unknown{Unknown::Reason::kUndefinedBehaviour,
                     undefined_at_,
                     is_misused_ ? "order the access before the free"
                                 : "correct it, or ask for property memory or overflow"};
    if (is_undefined == Answer::kUnknown || !obstacles.is_known)
      return failed(search);
    if (!asks_before_axioms)
      search.find_cuts(obstacles);
    if (!obstacles.is_known)
      return failed(search);
    may_lose_blocks_ = !blocks || search.ask(blocks->may_be_lost()) != Answer::kUnsatisfiable;
    search.note_reached(reached_);
    if (obstacles.cuts.empty())
      return verdict::Proved{verdict::NoExecution{events}};
    completed_.assign(obstacles.cuts.begin(), obstacles.cuts.end());
    if (!may_grow_ || obstacles.cut_at.empty())
      return verdict::within_bounds(completed_);
    raise(search, obstacles.cut_at);
    if (largest() <= kLastUnwind || grows_to_the_limit(context_)) {
      tell_established();
      return std::nullopt;
    }
    return out_of_budget(unsupported(why_grown_enough(context_, kLastUnwind)));
  }

  [[nodiscard]] verdict::Answer violated(const ModelSearch& search, Found found) {
    // What lies inside an object but across its pieces is no error of the program.
    for (const InvalidAccess& one : invalid_)
      if (property_ == spec::Property::kMemory && search.holds(one.is_met) &&
          is_inside_object(search, one))
        return unsupported("an access that is not aligned");
    verdict::Violation violation;
    violation.property = property_;
    if (property_ == spec::Property::kRace)
      violation.kind = verdict::Race{};
    else if (property_ == spec::Property::kRobustness)
      violation.kind = verdict::NotRobust{};
    else if (is_of_state(property_))
      violation.kind = verdict::Deadlock{};
    else
      violation.kind = verdict::FaultReached{};
    violation.execution = std::move(found.execution);
    return verdict::Violated{std::move(violation)};
  }

  [[nodiscard]] static verdict::Answer violated_by(execution::Execution execution) {
    verdict::Violation violation;
    violation.property = spec::Property::kMemory;
    violation.kind = verdict::FaultReached{};
    violation.execution = std::move(execution);
    return verdict::Violated{std::move(violation)};
  }

  /// Where starts and ends of threads leave open what comes before a free. None: time is up.
  [[nodiscard]] std::optional<FreedUse> look_for_freed_use(ModelSearch& search,
                                                           const program::Program& program) {
    std::vector<Literal> open;
    for (const encode::WrongFree& one : wrong_frees_)
      open.push_back(search.gates().and_(one.is_met, ~one.is_sure));
    const Answer answer = search.ask(search.gates().or_(open));
    if (answer == Answer::kUnknown)
      return std::nullopt;
    if (answer == Answer::kUnsatisfiable)
      return FreedUse{FreedUse::Is::kNotThere};
    return find_freed_use(
        task_.model, program, search, wrong_frees_, context_.budget, verdict_.statistics);
  }

  [[nodiscard]] static bool is_inside_object(const ModelSearch& search, const InvalidAccess& one) {
    const program::EventSet& set = search.set();
    const program::StaticEvent& event = set.events[one.event];
    const std::uint64_t address = search.value(event.address);
    const auto is_inside = [&](std::uint64_t base, std::uint64_t size) {
      return address >= base && address + event.size <= base + size;
    };
    const program::AddressSpace space = set.program->space();
    for (const program::Object& object : set.program->objects)
      if (object.kind == program::Object::Kind::kGlobal &&
          is_inside(space.base_of(object.unit), object.size))
        return true;
    return std::any_of(
        set.blocks.begin(), set.blocks.end(), [&](const program::EventSet::Block& block) {
          return is_inside(block.address,
                           block.length.is_valid() ? search.value(block.length) : block.size);
        });
  }

  [[nodiscard]] std::string undefined_text(SourceLoc loc, const std::string& what) const {
    return fmt::format("undefined behaviour at {}: {}", task_.program->place(loc), what);
  }
  [[nodiscard]] std::string access_to_freed(SourceLoc freed) const {
    return fmt::format("an access to memory that is freed at {}", task_.program->place(freed));
  }

  [[nodiscard]] std::string undefined_at(const ModelSearch& search) {
    const program::EventSet& set = search.set();
    const auto text = [this](SourceLoc loc, const std::string& what) {
      return undefined_text(loc, what);
    };
    for (const InvalidAccess& one : invalid_)
      if (search.holds(one.is_met))
        return text(set.events[one.event].loc, "an access to where nothing is");
    for (const encode::WrongFree& one : wrong_frees_)
      if (search.holds(one.is_met)) {
        is_misused_ = true;
        is_open_ = !search.holds(one.is_sure);
        if (!one.other)
          return text(set.events[one.free].loc, "a free of something that was not allocated");
        const program::StaticEvent& other = set.events[*one.other];
        const SourceLoc freed = set.events[one.free].loc;
        return text(other.loc,
                    other.kind == Kind::kFree ? fmt::format("a free of memory that is freed at {}",
                                                            task_.program->place(freed))
                                              : access_to_freed(freed));
      }
    for (const program::StaticEvent& event : set.events)
      if (event.kind == Kind::kCheck && program::is_undefined_behaviour(event.fault) &&
          search.holds(event.guard) && !search.holds(event.value))
        return text(event.loc, program::to_string(event.fault));
    return "undefined behaviour can be reached";
  }

  static Answer find(ModelSearch& search, const std::vector<Literal>& goals, Found& found) {
    const Literal goal = search.gates().or_(goals);
    if (search.formula().is_given_up())
      return Answer::kUnknown;
    if (search.gates().is_false(goal))
      return Answer::kUnsatisfiable;
    return search.find(goal, true, [](const Found&) { return true; }, found);
  }

  /// A race is one if the axioms say so of the execution itself.
  Answer
  find_violation(ModelSearch& search, const std::vector<Literal>& goals, Found& found) const {
    const Literal goal = search.gates().or_(goals);
    if (property_ != spec::Property::kRace || search.formula().is_given_up() ||
        search.gates().is_false(goal))
      return find(search, goals, found);
    const auto is_racy = [&](const Found& one) {
      return std::any_of(task_.model.core->axioms.begin(),
                         task_.model.core->axioms.end(),
                         [&](const Axiom& axiom) {
                           return memory::tells_race(axiom) &&
                                  std::find(one.flags.begin(),
                                            one.flags.end(),
                                            memory::flag_name(axiom)) != one.flags.end();
                         });
    };
    return search.find(goal, search.formula().is_exact(), is_racy, found);
  }

  /// Twice as far where executions were cut.
  void raise(const ModelSearch& search, const std::set<SourceLoc>& cuts) {
    const program::Program& program = *search.set().program;
    for (const SourceLoc loc : cuts) {
      if (!loc.is_known() || loc.file >= program.files.size()) {
        bounds_.unwind *= 2;
        continue;
      }
      const std::string& file = program.files[loc.file];
      const auto known = std::find_if(
          bounds_.loops.begin(), bounds_.loops.end(), [&](const spec::LoopBound& bound) {
            return bound.file == file && bound.line == loc.line;
          });
      if (known != bounds_.loops.end())
        known->unwind *= 2;
      else
        bounds_.loops.push_back({file, loc.line, bounds_.unwind * 2});
    }
  }

  [[nodiscard]] std::uint32_t largest() const {
    std::uint32_t result = bounds_.unwind;
    for (const spec::LoopBound& bound : bounds_.loops)
      result = std::max(result, bound.unwind);
    return result;
  }

  const spec::Task& task_;
  const Context& context_;
  spec::Property property_;
  spec::Bounds bounds_;
  bool may_grow_;
  /// About two accesses, or an access and a free: each may be in a turn that only reads.
  bool asks_about_pairs_;
  bool skips_updates_; // that write what they found
  std::unique_ptr<transform::Transform> skip_idle_;
  bool skips_idle_ = false;
  std::vector<InvalidAccess> invalid_;
  std::vector<encode::WrongFree> wrong_frees_;
  bool is_misused_ = false;
  bool is_open_ = false; // as far as was looked
  bool may_lose_blocks_ = true;
  std::string undefined_at_;
  std::vector<std::string> completed_; // what the last bounds that were gone through cut
  verdict::Reached reached_;           // and what executions came to within them
  verdict::Verdict verdict_;
};

std::string ends_before_others(const spec::Task& task, SourceLoc loc) {
  return fmt::format(
      "{}: main ends before other threads, and from axioms it does not decide {} then",
      task.program->place(loc),
      spec::to_string(std::get<spec::Check>(task.question).property));
}

} // namespace

std::optional<std::string> why_not_checked(const spec::Task& task) {
  const spec::Property property = std::get<spec::Check>(task.question).property;
  const memory::Core& core = *task.model.core;
  switch (property) {
  case spec::Property::kReach:
  case spec::Property::kOverflow:
  case spec::Property::kMemory:
    break;
  case spec::Property::kRace:
    if (std::none_of(core.axioms.begin(), core.axioms.end(), memory::tells_race))
      return fmt::format("the model '{}' has no flag for data races", task.model.name);
    break;
  case spec::Property::kLiveness:
    if (!may_skip_reads(core))
      return fmt::format("the model '{}' may forbid an execution for what was not read in it, and "
                         "waiting in loops is then not understood",
                         task.model.name);
    [[fallthrough]];
  case spec::Property::kDeadlock:
    if (const std::optional<SourceLoc> loc = find_exit_of_main_thread(*task.program))
      return ends_before_others(task, *loc);
    break;
  case spec::Property::kRobustness:
    break;
  case spec::Property::kCleanup:
    if (const std::optional<SourceLoc> loc = find_exit_of_main_thread(*task.program))
      return ends_before_others(task, *loc);
    break;
  }
  if (task.malloc_may_fail && allocates_memory(*task.program))
    return "from axioms it does not follow allocations that fail";
  if (core.computes_dependencies && memory::is_assembly(*task.program))
    return "the model works out dependencies from registers, which violations are not checked by";
  // A failing assertion ends the run, so that all parts of executions are runs.
  if (const Axiom* const axiom = find_axiom_of_whole_runs(core);
      axiom != nullptr && property != spec::Property::kReach)
    return why_not_in_parts(task.model, *axiom);
  return std::nullopt;
}

verdict::Verdict check_by_axioms(const spec::Task& task, const Context& context) {
  return CheckQuestion(task, context).run();
}

} // namespace heddle::engine::axiomatic
