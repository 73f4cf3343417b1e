// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/bounded.h"

#include "engine/bounded/walk_search.h"
#include "support/resident_bytes.h"
#include "support/within_memory.h"
#include "transform/sequential/single_thread.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace heddle::engine {

namespace {

using bounded::BoundedPlace;
using bounded::Goal;
using bounded::Search;
using bounded::WalkOptions;
using solve::Answer;
using verdict::Unknown;

constexpr std::string_view kName = "bounded";
/// How often loops are repeated at first, and where growing ends if time does not end it.
constexpr std::uint64_t kFirstUnwind = 2;
constexpr std::uint64_t kLastUnwind = 1024;
/// Induction over more turns than this seldom succeeds where it has failed with fewer.
constexpr unsigned kLongestInduction = 4;
/// A walk for induction has about three times the steps of one with as many turns.
constexpr std::uint64_t kMostStepsForInduction = 20'000;
/// A run that a bound cuts is found soon, or not worth the time.
constexpr std::uint64_t kConflictsForOtherCuts = 20'000;

/// 2, 3, 6, 12, …: many errors need three turns, and what holds for six is worth saying.
std::uint64_t next_unwind(std::uint64_t unwind) {
  return unwind == 2 ? 3 : unwind * 2;
}

bool allocates(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* allocate = std::get_if<program::Allocate>(&edge.action))
        if (allocate->where == ir::Allocate::Where::kHeap)
          return true;
  return false;
}

/// Is `path` the file that is meant by `name`, which may leave out folders in front?
bool is_file(std::string_view path, std::string_view name) {
  return path.ends_with(name) &&
         (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

/// The search through growing bounds, with numbers of so many bits.
class Growth {
public:
  Growth(const spec::Task& task,
         const Context& context,
         const bounded::Shape& shape,
         const BoundedOptions& options,
         const bounded::Asked& asked)
      : task_(task), context_(context), options_(options), asked_(asked),
        property_(std::get<spec::Check>(task.question).property),
        may_grow_(task.bounds.unwind == 0 && task.bounds.loops.empty()),
        search_(*task.program, shape) {}

  verdict::Verdict run() {
    verdict::Verdict verdict;
    std::optional<verdict::Answer> answer;
    while (!answer)
      answer = within_memory([&] { return round(verdict); },
                             [&] { return stopped(Exhausted::kMemory); });
    verdict.answer = std::move(*answer);
    search_.count(verdict.statistics);
    return verdict;
  }

  /// Does the answer hold for all numbers, and is it the last word on the bounds?
  [[nodiscard]] bool is_final(const verdict::Answer& answer) const {
    if (std::holds_alternative<verdict::Violated>(answer))
      return true;
    if (leaves_out_numbers_)
      return false;
    return std::holds_alternative<verdict::Proved>(answer) ||
           (std::holds_alternative<verdict::HoldsWithinBounds>(answer) && !may_grow_);
  }

private:
  [[nodiscard]] WalkOptions walk_options() {
    WalkOptions options;
    options.property = property_;
    options.bound = [this](const BoundedPlace& place) { return bound_of(place); };
    options.counts_freely = may_grow_;
    options.bits = options_.bits;
    options.budget = &context_.budget;
    return options;
  }

  [[nodiscard]] std::uint64_t bound_of(const BoundedPlace& place) const {
    if (const auto grown = grown_.find(place); grown != grown_.end())
      return grown->second;
    if (may_grow_)
      return kFirstUnwind;
    if (place.head.is_valid()) {
      const SourceLoc loc = task_.program->procedures[place.procedure].locations[place.head].loc;
      for (const spec::LoopBound& bound : task_.bounds.loops)
        if (loc.is_known() && loc.line == bound.line && loc.file < task_.program->files.size() &&
            is_file(task_.program->files[loc.file], bound.file))
          return bound.unwind;
    }
    return task_.bounds.unwind;
  }

  /// Nothing: with larger bounds again.
  std::optional<verdict::Answer> round(verdict::Verdict& verdict) {
    if (const std::optional<Exhausted> what = context_.budget.exhausted(0))
      return stopped(*what);
    if (Status status = search_.walk(walk_options()); !status) {
      if (const std::optional<Exhausted> what = context_.budget.exhausted(resident_bytes()))
        return stopped(*what);
      return too_large(status.error());
    }
    tell();
    verdict.approximations = search_.walked().approximations;
    switch (reach_violation()) {
    case Answer::kSatisfiable:
      return violated();
    case Answer::kUnknown:
      return stopped();
    case Answer::kUnsatisfiable:
      break;
    }
    if (leaves_out_numbers_ && !may_grow_)
      return verdict::out_of(Exhausted::kInterrupted, "larger numbers are still to be looked at");
    for (const Goal::Kind kind : {Goal::Kind::kTrap, Goal::Kind::kUndefined, Goal::Kind::kLeft}) {
      const Answer answer = search_.reach(kind, context_.budget);
      if (answer == Answer::kUnknown)
        return stopped();
      if (answer == Answer::kSatisfiable)
        return unclear(kind);
    }
    switch (search_.reach(Goal::Kind::kCut, context_.budget)) {
    case Answer::kUnsatisfiable:
      return verdict::Proved{verdict::NoExecution{search_.walked().steps}};
    case Answer::kUnknown:
      return stopped();
    case Answer::kSatisfiable:
      break;
    }
    std::optional<verdict::Answer> answer = grow();
    if (!answer)
      tell_established(verdict.approximations);
    return answer;
  }

  /// Small numbers alone establish nothing.
  void tell_established(const Approximations& approximations) const {
    if (!context_.established || leaves_out_numbers_)
      return;
    verdict::Verdict verdict;
    verdict.answer = stopped(Exhausted::kTime);
    verdict.approximations = approximations;
    verdict.engine = kName;
    context_.established(verdict);
  }

  /// One question answers all that is asked of a program without errors, if the answer is no:
  /// with few bits also that no number has more, since then nothing is left out.
  Answer reach_violation() {
    leaves_out_numbers_ = false;
    const std::vector<Goal::Kind> all{Goal::Kind::kViolation,
                                      Goal::Kind::kUnfit,
                                      Goal::Kind::kTrap,
                                      Goal::Kind::kUndefined,
                                      Goal::Kind::kLeft};
    const Answer any = ask(all);
    if (any != Answer::kSatisfiable || !search_.reached(Goal::Kind::kViolation).empty())
      return any;
    leaves_out_numbers_ = options_.bits != 0;
    return ask({all.data(), 1});
  }
  /// With bounds that grow there are many questions, and what one teaches helps the next.
  Answer ask(std::span<const Goal::Kind> kinds) {
    return may_grow_ ? search_.reach(kinds, context_.budget)
                     : search_.reach_alone(kinds, context_.budget);
  }

  verdict::Answer violated() {
    verdict::Violation violation;
    violation.property = property_;
    violation.kind = verdict::FaultReached{};
    violation.schedule = search_.schedule(asked_);
    return verdict::Violated{std::move(violation)};
  }

  [[nodiscard]] verdict::Answer unclear(Goal::Kind kind) const {
    const Goal& goal = search_.walked().goals[search_.reached(kind).front()];
    const std::string place = task_.program->place(goal.loc);
    if (kind == Goal::Kind::kTrap)
      return Unknown{Unknown::Reason::kUnsupported, fmt::format("{} at {}", goal.text, place), ""};
    if (kind == Goal::Kind::kLeft)
      return Unknown{Unknown::Reason::kUnsupported,
                     "accesses and frees are valid as far as was looked, but whether memory is "
                     "lost at the end is not known",
                     "another engine (--engine explicit)"};
    return Unknown{
        Unknown::Reason::kUndefinedBehaviour,
        fmt::format("undefined behaviour at {}: {}", place, program::to_string(goal.fault)),
        "correct it, or ask for property memory or overflow"};
  }

  /// Further, where runs were cut.
  std::optional<verdict::Answer> grow() {
    completed_.clear();
    std::vector<BoundedPlace> places;
    for (const std::size_t index : search_.reached(Goal::Kind::kCut)) {
      const Goal& goal = search_.walked().goals[index];
      completed_.push_back(goal.text);
      if (goal.bound)
        places.push_back(*goal.bound);
    }
    if (!may_grow_)
      name_other_cuts();
    std::sort(completed_.begin(), completed_.end());
    completed_.erase(std::unique(completed_.begin(), completed_.end()), completed_.end());
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (!may_grow_ || places.empty())
      return verdict::within_bounds(completed_);
    if (std::optional<verdict::Answer> proved = try_induction())
      return proved;
    for (const BoundedPlace& place : places) {
      const std::uint64_t next = next_unwind(bound_of(place));
      if (next > kLastUnwind && !grows_to_the_limit(context_))
        return verdict::within_bounds(
            completed_,
            {Unknown::Reason::kUnsupported, why_grown_enough(context_, kLastUnwind), ""});
      grown_[place] = next;
      largest_ = std::max(largest_, next);
    }
    return std::nullopt;
  }

  /// One run was cut by what has been noted; other runs may be cut by something else. Whoever lets
  /// bounds grow wants to know all of them, but what is known suffices for the answer.
  void name_other_cuts() {
    while (search_.reach_other(
               Goal::Kind::kCut, completed_, context_.budget, kConflictsForOtherCuts) ==
           Answer::kSatisfiable)
      for (const std::size_t index : search_.reached(Goal::Kind::kCut))
        completed_.push_back(search_.walked().goals[index].text);
  }

  /// Once for each number of turns, while it is cheap.
  std::optional<verdict::Answer> try_induction() {
    if (!options_.induction || options_.bits != 0 || turns_ > kLongestInduction ||
        search_.walked().steps > kMostStepsForInduction)
      return std::nullopt;
    WalkOptions options = walk_options();
    options.induction = turns_;
    options.counts_freely = false;
    turns_ = turns_ == 1 ? 2 : turns_ * 2;
    if (!search_.walk(options)) {
      turns_ = kLongestInduction + 1;
      return std::nullopt;
    }
    for (const Goal::Kind kind : {Goal::Kind::kViolation,
                                  Goal::Kind::kTrap,
                                  Goal::Kind::kUndefined,
                                  Goal::Kind::kLeft,
                                  Goal::Kind::kCut})
      if (search_.reach(kind, context_.budget) != Answer::kUnsatisfiable)
        return std::nullopt;
    return verdict::Proved{verdict::ByInduction{options.induction}};
  }

  /// It is the size that is in the way: what smaller bounds have shown stands.
  [[nodiscard]] verdict::Answer too_large(const Error& error) const {
    return verdict::within_bounds(
        completed_,
        {Unknown::Reason::kUnsupported, error.message, "another engine (--engine explicit)"});
  }

  [[nodiscard]] verdict::Answer stopped() const {
    return stopped(context_.budget.exhausted(0).value_or(Exhausted::kTime));
  }
  [[nodiscard]] verdict::Answer stopped(Exhausted what) const {
    return verdict::within_bounds(
        completed_, verdict::out_of(what, completed_.empty() ? "no bound was completed" : ""));
  }

  void tell() const {
    if (context_.progress)
      context_.progress(
          {fmt::format("{} steps, loops up to {}", search_.walked().steps, largest_)});
  }

  const spec::Task& task_;
  const Context& context_;
  BoundedOptions options_;
  bounded::Asked asked_;
  spec::Property property_;
  bool may_grow_;
  bool leaves_out_numbers_ = false; // runs with numbers of more bits than are followed
  Search search_;
  std::map<BoundedPlace, std::uint64_t> grown_;
  std::uint64_t largest_ = kFirstUnwind;
  unsigned turns_ = 1;
  std::vector<std::string> completed_; // what the last bounds that were gone through cut
};

class BoundedEngine final : public Engine {
public:
  explicit BoundedEngine(BoundedOptions options) : options_(options) {}

  [[nodiscard]] std::string_view name() const override { return kName; }
  [[nodiscard]] std::string_view description() const override {
    return "asks a solver for a run of a program with one thread (plain C, --via lazy)";
  }
  [[nodiscard]] std::optional<std::string> supports(const spec::Task& task) const override {
    if (task.program == nullptr)
      return "there is no program";
    if (!task.model.machine)
      return "the model '" + task.model.name + "' has no operational machine";
    const auto* check = std::get_if<spec::Check>(&task.question);
    if (check == nullptr)
      return "it does not list final states";
    if (check->property != spec::Property::kReach && check->property != spec::Property::kOverflow &&
        check->property != spec::Property::kMemory)
      return "it does not decide " + spec::to_string(check->property);
    if (task.program->templates.size() > 1)
      return "it takes programs with one thread only; --via lazy makes one of several";
    if (task.malloc_may_fail && allocates(*task.program))
      return "it knows only allocations that succeed";
    return std::nullopt;
  }

  [[nodiscard]] verdict::Verdict run(const spec::Task& task,
                                     const Context& context) const override {
    verdict::Verdict verdict;
    if (const auto why = supports(task)) {
      verdict.answer = Unknown{Unknown::Reason::kUnsupported, *why, ""};
    } else if (transform::synchronizes(*task.program)) {
      const transform::SingleThread written = transform::write_out_synchronisation(*task.program);
      spec::Task inner = task;
      inner.program = &written.program;
      verdict = search(inner, context, {&task, &written.origins});
    } else {
      verdict = search(task, context, {&task});
    }
    verdict.engine = name();
    return verdict;
  }

private:
  /// Small numbers first: they only leave out runs, so that a violation is one, but nothing else
  /// is believed unless no run was left out.
  [[nodiscard]] verdict::Verdict
  search(const spec::Task& task, const Context& context, const bounded::Asked& asked) const {
    const bounded::Shape shape(*task.program);
    constexpr unsigned kPercentForSmallNumbers = 50;
    if (options_.bits != 0) {
      Context part = context;
      part.budget = context.budget.with_part_of_time(kPercentForSmallNumbers);
      Growth growth(task, part, shape, options_, asked);
      verdict::Verdict small = growth.run();
      if (growth.is_final(small.answer))
        return small;
    }
    BoundedOptions all = options_;
    all.bits = 0;
    return Growth(task, context, shape, all, asked).run();
  }

  BoundedOptions options_;
};

} // namespace

std::unique_ptr<Engine> make_bounded(BoundedOptions options) {
  return std::make_unique<BoundedEngine>(options);
}

} // namespace heddle::engine
