// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/axiomatic.h"

#include "encode/program/unrolled.h"
#include "engine/axiomatic/model_question.h"
#include "engine/axiomatic/one_run.h"
#include "engine/axiomatic/program_search.h"
#include "program/analyse/section_depth.h"
#include "program/model/control_flow.h"
#include "support/resident_bytes.h"
#include "support/within_memory.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::engine {

namespace {

using axiomatic::ProgramSearch;
using encode::EventIndex;
using encode::Unrolled;
using solve::Answer;
using verdict::Unknown;
using Goal = encode::ProgramFormula::Goal;

constexpr std::string_view kName = "axiomatic";
/// How often loops are unrolled at first, and where growing ends if time does not end it.
constexpr std::uint32_t kFirstUnwind = 2;
constexpr std::uint32_t kLastUnwind = 64;
/// Loops that are cut in every execution grow without asking the solver up to here; without a limit
/// of time so do others where formulas stay small.
constexpr std::uint32_t kLongestCount = 1024;
constexpr std::size_t kSmallFormula = 20'000; // clauses
constexpr std::size_t kMostThreads = 8;

/// The checker finds out which steps it is.
verdict::ViolationKind kind_of(spec::Property property) {
  if (property == spec::Property::kRace)
    return verdict::Race{};
  if (property == spec::Property::kRobustness)
    return verdict::NotRobust{};
  if (property == spec::Property::kDeadlock || property == spec::Property::kLiveness)
    return verdict::Deadlock{};
  return verdict::FaultReached{};
}

bool ends_in_fault(spec::Property property) {
  return property != spec::Property::kCleanup &&
         std::holds_alternative<verdict::FaultReached>(kind_of(property));
}

/// 2, 3, 6, 12, …: many errors need three turns, and what holds for six is worth saying.
std::uint32_t next_unwind(std::uint32_t unwind) {
  return unwind == 2 ? 3 : unwind * 2;
}

bool is_decided(spec::Property property) {
  switch (property) {
  case spec::Property::kReach:
  case spec::Property::kRace:
  case spec::Property::kMemory:
  case spec::Property::kOverflow:
  case spec::Property::kRobustness:
  case spec::Property::kDeadlock:
  case spec::Property::kLiveness:
  case spec::Property::kCleanup:
    return true;
  }
  return false;
}

bool allocates(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* allocate = std::get_if<program::Allocate>(&edge.action))
        if (allocate->where == ir::Allocate::Where::kHeap)
          return true;
  return false;
}

/// The heads of loops that nothing leaves.
std::set<SourceLoc> endless_loops(const program::Program& program) {
  std::set<SourceLoc> heads;
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Loop& loop : program::find_loops(procedure))
      if (std::none_of(
              procedure.edges.begin(), procedure.edges.end(), [&](const program::Edge& edge) {
                return loop.body[edge.from.index()] && !loop.body[edge.to.index()];
              }))
        heads.insert(procedure.locations[loop.head].loc);
  return heads;
}

/// Is one of these bounds where the unrolled program itself is cut?
bool cuts_here(const program::Program& program, const std::vector<std::string>& bounds) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* cut = std::get_if<program::Cut>(&edge.action))
        if (std::find(bounds.begin(), bounds.end(), cut->bound) != bounds.end())
          return true;
  return false;
}

/// The search through growing bounds.
class Growth {
public:
  Growth(const spec::Task& task, const Context& context, const AxiomaticOptions& options)
      : task_(task), context_(context), options_(options),
        property_(std::get<spec::Check>(task.question).property), bounds_(task.bounds),
        may_grow_(task.bounds.unwind == 0 && task.bounds.loops.empty()),
        endless_(endless_loops(*task.program)),
        skip_idle_(encode::skip_idle_iterations(property_)) {
    if (may_grow_)
      bounds_.unwind = kFirstUnwind;
  }

  verdict::Verdict run() {
    verdict::Verdict verdict;
    std::optional<verdict::Answer> answer;
    while (!answer)
      answer = within_memory([&] { return round(verdict); },
                             [&] { return stopped(Exhausted::kMemory); });
    const bool holds = std::holds_alternative<verdict::Proved>(*answer) ||
                       std::holds_alternative<verdict::HoldsWithinBounds>(*answer);
    if (holds && asks_about_losses() && !frees_everything())
      answer = Unknown{Unknown::Reason::kUnsupported,
                       "accesses and frees are valid as far as was looked, but whether memory is "
                       "lost at the end is not known",
                       "another engine (--engine explicit)"};
    if (holds)
      verdict.never_reached = verdict::never_reached(*task_.program, reached_);
    verdict.answer = std::move(*answer);
    return verdict;
  }

private:
  [[nodiscard]] bool asks_about_losses() const {
    return property_ == spec::Property::kMemory && allocates(*task_.program);
  }

  /// What is freed in every run is not lost in any.
  [[nodiscard]] bool frees_everything() const {
    spec::Task task = task_;
    task.question = spec::Check{spec::Property::kCleanup};
    const Context context = for_part_of_question(context_);
    const verdict::Verdict verdict = Growth(task, context, options_).run();
    return std::holds_alternative<verdict::Proved>(verdict.answer);
  }

  /// Nothing: with larger bounds again.
  std::optional<verdict::Answer> round(verdict::Verdict& verdict) {
    if (const std::optional<Exhausted> what = context_.budget.exhausted(0))
      return stopped(*what);
    Result<Unrolled> unrolled =
        encode::unroll(*task_.program,
                       bounds_,
                       context_.budget,
                       skip_idle_->preserves(property_) ? skip_idle_.get() : nullptr);
    if (!unrolled) {
      if (const std::optional<Exhausted> what = context_.budget.exhausted(resident_bytes()))
        return stopped(*what);
      if (transform::is_too_large(unrolled.error()))
        if (std::optional<verdict::Answer> found = try_one_run())
          return found;
      return not_unrolled(unrolled.error());
    }
    ProgramSearch formula(task_, property_, options_.ordering);
    const auto given_up = [&](const Error& error) {
      const std::optional<Exhausted> what = context_.budget.exhausted(resident_bytes());
      return what ? stopped(*what) : not_unrolled(error);
    };
    if (Status status = formula.make_events(unrolled->program(), context_.budget); !status)
      return given_up(status.error());
    if (may_grow_ && counts_to_a_constant(formula)) {
      raise(formula, formula.certain_cuts());
      return std::nullopt;
    }
    if (largest() >= kLongestCount)
      if (std::optional<verdict::Answer> found = try_one_run())
        return found;
    if (Status status = formula.encode(context_.budget); !status)
      return given_up(status.error());
    tell(formula);
    verdict.approximations = formula.set().approximations;
    std::optional<verdict::Answer> answer = judge(formula, *unrolled);
    formula.count(verdict.statistics);
    if (!answer)
      tell_established(verdict.approximations);
    return answer;
  }

  /// Whether memory is lost is asked at the end.
  void tell_established(const Approximations& approximations) const {
    if (!context_.established || asks_about_losses())
      return;
    verdict::Verdict verdict;
    verdict.answer = stopped(Exhausted::kTime);
    verdict.approximations = approximations;
    verdict.never_reached = verdict::never_reached(*task_.program, reached_);
    verdict.engine = kName;
    context_.established(verdict);
  }

  /// A loop that is always cut and is not one without an end.
  [[nodiscard]] bool counts_to_a_constant(const ProgramSearch& formula) const {
    return largest() < kLongestCount && formula.set().threads.size() <= kMostThreads &&
           std::any_of(
               formula.certain_cuts().begin(),
               formula.certain_cuts().end(),
               [&](EventIndex cut) { return !endless_.contains(formula.set().events[cut].loc); });
  }

  /// Once, where loops are longer than formulas can be.
  std::optional<verdict::Answer> try_one_run() {
    if (std::exchange(has_tried_run_, true) || !ends_in_fault(property_))
      return std::nullopt;
    std::optional<execution::Schedule> run =
        axiomatic::find_violating_run(task_, property_, context_.budget);
    if (!run)
      return std::nullopt;
    verdict::Violation violation;
    violation.property = property_;
    violation.kind = verdict::FaultReached{};
    violation.schedule = std::move(*run);
    return verdict::Violated{std::move(violation)};
  }

  [[nodiscard]] verdict::Answer unsupported(const Error& error) const {
    return verdict::refused(
        {Unknown::Reason::kRefused, error.message, "another engine (--engine explicit)"},
        completed_);
  }
  /// Where only the size is in the way, what smaller bounds have shown stands.
  [[nodiscard]] verdict::Answer not_unrolled(const Error& error) const {
    if (!transform::is_too_large(error))
      return unsupported(error);
    return verdict::within_bounds(
        completed_,
        {Unknown::Reason::kUnsupported, error.message, "another engine (--engine explicit)"});
  }

  std::optional<verdict::Answer> judge(ProgramSearch& formula, const Unrolled& unrolled) {
    const program::Program& program = unrolled.program();
    switch (formula.reach(Goal::kViolation, context_.budget)) {
    case Answer::kSatisfiable:
      return violated(formula, unrolled);
    case Answer::kUnknown:
      return stopped(context_.budget.exhausted(0).value_or(Exhausted::kTime));
    case Answer::kUnsatisfiable:
      break;
    }
    for (const Goal goal : {Goal::kTrap, Goal::kUndefined}) {
      const Answer answer = formula.reach(goal, context_.budget);
      if (answer == Answer::kUnknown)
        return stopped(context_.budget.exhausted(0).value_or(Exhausted::kTime));
      if (answer == Answer::kSatisfiable)
        return unclear(formula, program, goal);
    }
    const Answer is_cut = formula.reach(Goal::kCut, context_.budget);
    const std::vector<EventIndex> cuts =
        is_cut == Answer::kSatisfiable ? formula.reached(Goal::kCut) : std::vector<EventIndex>();
    if (is_cut != Answer::kUnknown)
      formula.note_reached(reached_, context_.budget);
    switch (is_cut) {
    case Answer::kUnsatisfiable:
      return verdict::Proved{verdict::NoExecution{formula.set().events.size(), bounds_}};
    case Answer::kUnknown:
      return stopped(context_.budget.exhausted(0).value_or(Exhausted::kTime));
    case Answer::kSatisfiable:
      break;
    }
    const std::vector<std::string> before = std::move(completed_);
    completed_.clear();
    for (const EventIndex cut : cuts)
      completed_.push_back(formula.set().events[cut].text);
    std::sort(completed_.begin(), completed_.end());
    completed_.erase(std::unique(completed_.begin(), completed_.end()), completed_.end());
    // Where only other bounds than those of loops and recursion are met (the number of threads),
    // and larger ones have changed nothing.
    const std::size_t events = formula.set().events.size();
    const bool is_same = std::exchange(completed_events_, events) == events &&
                         completed_ == before && !cuts_here(program, completed_);
    if (!may_grow_ || is_same)
      return verdict::within_bounds(completed_);
    raise(formula, cuts);
    if (grows_to_the_limit(context_))
      return std::nullopt;
    const std::uint32_t last = formula.clauses() < kSmallFormula ? kLongestCount : kLastUnwind;
    if (largest() <= last)
      return std::nullopt;
    return verdict::within_bounds(
        completed_, {Unknown::Reason::kUnsupported, why_grown_enough(context_, last), ""});
  }

  verdict::Answer violated(const ProgramSearch& formula, const Unrolled& unrolled) const {
    verdict::Violation violation;
    violation.property = property_;
    violation.kind = kind_of(property_);
    const Result<execution::Schedule> schedule = formula.schedule();
    if (!schedule)
      return Unknown{
          Unknown::Reason::kUnsupported, schedule.error().message, "fewer threads at a time"};
    Result<execution::Schedule> lifted = unrolled.lift(*schedule);
    // A schedule that cannot be lifted will not replay, and is reported as our bug there.
    violation.schedule = lifted ? std::move(*lifted) : *schedule;
    return verdict::Violated{std::move(violation)};
  }

  [[nodiscard]] verdict::Answer
  unclear(const ProgramSearch& formula, const program::Program& program, Goal goal) const {
    const program::StaticEvent& event = formula.set().events[formula.reached(goal).front()];
    if (goal == Goal::kTrap)
      return Unknown{Unknown::Reason::kUnsupported,
                     fmt::format("{} at {}", event.text, program.place(event.loc)),
                     ""};
    // An access as such is no fault: it is one to what has ended.
    program::FaultKind fault = event.fault;
    if (fault == program::FaultKind::kNone)
      fault = event.kind == program::StaticEvent::Kind::kFree ? program::FaultKind::kDoubleFree
                                                              : program::FaultKind::kUseAfterFree;
    return Unknown{Unknown::Reason::kUndefinedBehaviour,
                   fmt::format("undefined behaviour at {}: {}",
                               program.place(event.loc),
                               program::to_string(fault)),
                   "correct it, or ask for property memory or overflow"};
  }

  /// Further, where executions were cut. A loop is known by its line, so that all its copies
  /// grow together; without a line all loops grow.
  void raise(const ProgramSearch& formula, const std::vector<EventIndex>& cuts) {
    const program::Program& program = *formula.set().program;
    std::set<SourceLoc> grown;
    for (const EventIndex cut : cuts)
      if (const SourceLoc loc = formula.set().events[cut].loc; grown.insert(loc).second)
        grow_at(program, loc);
  }

  void grow_at(const program::Program& program, SourceLoc loc) {
    if (!loc.is_known() || loc.file >= program.files.size()) {
      bounds_.unwind = next_unwind(bounds_.unwind);
      return;
    }
    const std::string& file = program.files[loc.file];
    for (spec::LoopBound& bound : bounds_.loops)
      if (bound.file == file && bound.line == loc.line) {
        bound.unwind = next_unwind(bound.unwind);
        return;
      }
    bounds_.loops.push_back({file, loc.line, next_unwind(bounds_.unwind)});
  }

  [[nodiscard]] std::uint32_t largest() const {
    std::uint32_t result = bounds_.unwind;
    for (const spec::LoopBound& bound : bounds_.loops)
      result = std::max(result, bound.unwind);
    return result;
  }

  [[nodiscard]] verdict::Answer stopped(Exhausted what) const {
    return verdict::within_bounds(
        completed_, verdict::out_of(what, completed_.empty() ? "no bound was completed" : ""));
  }

  void tell(const ProgramSearch& formula) const {
    if (context_.progress)
      context_.progress(
          {fmt::format("{} events, loops up to {}", formula.set().events.size(), largest())});
  }

  const spec::Task& task_;
  const Context& context_;
  AxiomaticOptions options_;
  spec::Property property_;
  spec::Bounds bounds_;
  bool may_grow_;
  std::set<SourceLoc> endless_;
  std::unique_ptr<transform::Transform> skip_idle_;
  std::vector<std::string> completed_; // what the last bounds that were gone through cut
  verdict::Reached reached_;           // and what executions came to within them
  std::size_t completed_events_ = 0;   // how many events there were then
  bool has_tried_run_ = false;
};

/// May a loop turn while an atomic section is open?
bool may_turn_in_section(const program::Program& program) {
  const program::SectionDepths open = program::section_depths(program);
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    const auto& locations = program.procedures[program::ProcedureId{i}].locations;
    for (std::size_t at = 0; at < locations.size(); ++at)
      if (open[program::ProcedureId{i}][at] > 0 && locations[program::LocationId{at}].is_loop_head)
        return true;
  }
  return false;
}

class AxiomaticEngine final : public Engine {
public:
  explicit AxiomaticEngine(AxiomaticOptions options) : options_(options) {}

  [[nodiscard]] std::string_view name() const override { return kName; }
  [[nodiscard]] std::string_view description() const override {
    return "asks a solver for an execution of the unrolled program (sc, tso, pso)";
  }
  [[nodiscard]] std::optional<std::string> supports(const spec::Task& task) const override {
    if (task.program == nullptr)
      return "there is no program";
    if (axiomatic::is_about_axioms(task))
      return axiomatic::why_not_by_axioms(task);
    if (!task.model.machine)
      return "the model '" + task.model.name + "' has no operational machine";
    const auto* check = std::get_if<spec::Check>(&task.question);
    if (check == nullptr)
      return "it does not list final states";
    if (!is_decided(check->property))
      return "it does not decide " + std::string(spec::to_string(check->property));
    if (task.malloc_may_fail && allocates(*task.program))
      return "it knows only allocations that succeed";
    if (check->property == spec::Property::kLiveness && may_turn_in_section(*task.program))
      return "it does not see who waits in a loop of an atomic section";
    return std::nullopt;
  }
  [[nodiscard]] verdict::Verdict run(const spec::Task& task,
                                     const Context& context) const override {
    verdict::Verdict verdict;
    if (const auto why = supports(task))
      verdict.answer = Unknown{Unknown::Reason::kUnsupported, *why, ""};
    else if (axiomatic::is_about_axioms(task))
      verdict = axiomatic::answer_by_axioms(task, context, options_.admits);
    else
      verdict = Growth(task, context, options_).run();
    verdict.engine = name();
    return verdict;
  }

private:
  AxiomaticOptions options_;
};

} // namespace

std::unique_ptr<Engine> make_axiomatic(AxiomaticOptions options) {
  return std::make_unique<AxiomaticEngine>(std::move(options));
}

} // namespace heddle::engine
