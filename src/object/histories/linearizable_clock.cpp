// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/linearizable_clock.h"

#include "history/explanations.h"
#include "history/quiescence.h"
#include "object/histories/linearizable_history.h"
#include "object/histories/linearizable_list.h"
#include "object/scenarios/harness_clock.h"
#include "report/headline.h"
#include "support/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace heddle::object {

namespace {

/// With what goes through store buffers the clock is dear: sets of more precedences are not looked
/// for, which the verdict says.
constexpr std::size_t kMostTogether = 2;
constexpr std::size_t kAll = 1'000;
/// Beyond these a scenario is too large for this way of asking.
constexpr std::size_t kMostExplanations = 5'000;
constexpr std::size_t kMostContradictions = 50'000;

class ClockChecking {
public:
  ClockChecking(const LinearizableQuestion& question,
                const PlannedScenario& planned,
                const driver::Options& options,
                const Budget& budget,
                const driver::Listener& listener)
      : question_(question), planned_(planned), options_(options), budget_(budget),
        listener_(listener) {}

  Result<ClockAnswer> run() {
    // Results first: what has no explanation at all needs no clock, and what every order explains
    // needs none either.
    for (const std::size_t together : {std::size_t{0}, std::size_t{1}, kMostTogether, kAll}) {
      const bool is_step = together == 1 || together == kMostTogether;
      if (is_step && !is_dear())
        continue;
      if (together == kAll && is_dear()) {
        if (largest() > kMostTogether)
          answer_.bounds.insert(fmt::format("at most {} precedences together", kMostTogether));
        break;
      }
      if (together != 0 && largest() == 0)
        break;
      together_ = together;
      if (const Status asked = options_.engine == "axiomatic" ? ask() : list(); !asked)
        return asked.error();
      if (is_over())
        break;
    }
    answer_.results = known_.size();
    if (known_.empty() && answer_.gaps.empty() && !answer_.found && !answer_.unconfirmed)
      answer_.gaps.push_back(answer_.bounds.empty() ? "no run comes to its end"
                                                    : fmt::format("no run comes to its end: {}",
                                                                  fmt::join(answer_.bounds, ", ")));
    return std::move(answer_);
  }

private:
  [[nodiscard]] bool is_over() const {
    return answer_.found || answer_.unconfirmed || !answer_.gaps.empty();
  }

  [[nodiscard]] bool is_dear() const {
    return question_.timing == history::Timing::kBuffered ||
           question_.timing == history::Timing::kLastFlush;
  }
  [[nodiscard]] bool notes_stores() const {
    return question_.timing == history::Timing::kLastFlush;
  }
  /// How many precedences are forbidden together at most.
  [[nodiscard]] std::size_t largest() const {
    std::size_t result = 0;
    for (const KnownResults& known : known_)
      for (const auto& together : known.forbidden)
        result = std::max(result, together.size());
    return result;
  }

  /// Without those that are not looked for now.
  [[nodiscard]] KnownResults looked_for(KnownResults known) const {
    std::erase_if(known.forbidden, [&](const std::vector<CallPrecedence>& together) {
      return together.size() > together_;
    });
    return known;
  }
  [[nodiscard]] ClockPlan plan(ClockPlan::Ask ask) const {
    ClockPlan plan{ask, {}, question_.effects, notes_stores()};
    for (const KnownResults& known : known_)
      plan.known.push_back(looked_for(known));
    return plan;
  }

  /// All results, by an engine that lists final states.
  Status list() {
    // To enumerate executions of what looks at all times costs more than to look at them here.
    // What goes through store buffers is seen by the clock itself.
    const bool by_axioms = options_.engine == "enumerate" && !is_dear();
    while (true) {
      const std::size_t before = known_.size();
      Result<ClockHarness> harness =
          make_clock_harness(question_.module,
                             planned_.scenario,
                             plan(by_axioms ? ClockPlan::Ask::kTimes : ClockPlan::Ask::kList));
      if (!harness)
        return harness.error();
      Result<Listing> listing =
          list_states(harness->module, harness->cells, question_, options_, budget_, listener_);
      if (!listing)
        return listing.error();
      answer_.states += listing->searched;
      answer_.assumptions.merge(listing->assumptions);
      answer_.bounds.merge(listing->bounds);
      for (const verdict::Outcome& state : listing->states) {
        const auto cell = [&](const std::string& name) -> std::optional<std::uint64_t> {
          return name.empty() ? std::nullopt : std::optional(state.at(name));
        };
        const std::vector<CallResult> results = results_of(*harness, cell);
        bool is_forbidden = !by_axioms && state.at(kHarnessForbidden) != 0;
        if (by_axioms && together_ != 0) {
          std::vector<std::optional<std::uint64_t>> times;
          for (const std::string& name : harness->times)
            times.push_back(cell(name));
          const auto known = std::ranges::find(known_, results, &KnownResults::calls);
          is_forbidden = known != known_.end() && saw_forbidden(*known, times);
        }
        if (const Status seen = see(results, is_forbidden);
            !seen || answer_.found || answer_.unconfirmed)
          return seen;
      }
      // A violation stands whatever else there may be.
      if (!listing->gaps.empty()) {
        answer_.gaps = std::move(listing->gaps);
        return Done{};
      }
      if (together_ == 0 || known_.size() == before)
        return Done{};
    }
  }

  /// One result after the other, by an engine that looks for one that is not known.
  Status ask() {
    while (true) {
      Result<ClockHarness> harness =
          make_clock_harness(question_.module, planned_.scenario, plan(ClockPlan::Ask::kOther));
      if (!harness)
        return harness.error();
      Result<std::optional<Run>> run = find_run(harness->module, options_);
      if (!run)
        return run.error();
      if (!*run)
        return Done{};
      const auto cell = [&](const std::string& name) {
        return value_at_end((*run)->prepared.ground(), (*run)->violation(), name);
      };
      // The entry reads every cell, and another thread writes it: a step that can be seen.
      for (const auto& names :
           {harness->times, harness->results, harness->effects, harness->stores})
        for (const std::string& name : names)
          HEDDLE_CHECK(name.empty() || cell(name).has_value(), "a run that hides its results");
      const std::vector<CallResult> results = results_of(*harness, cell);
      const bool is_known =
          std::ranges::find(known_, results, &KnownResults::calls) != known_.end();
      if (const Status seen = see(results, is_known); !seen)
        return seen;
      if (is_over())
        return Done{};
    }
  }

  struct Run {
    driver::Prepared prepared;
    verdict::Verdict verdict;
    [[nodiscard]] const verdict::Violation& violation() const {
      return std::get<verdict::Violated>(verdict.answer).violation;
    }
  };

  using Answered = std::variant<verdict::Verdict, driver::Unconfirmed>;
  struct Asking {
    driver::Prepared prepared;
    Answered answered;
  };
  Result<Asking> ask_for_run(const ir::Module& module, const driver::Options& options) {
    driver::Asked asked = question_.asked;
    asked.question = spec::Check{spec::Property::kReach};
    Result<driver::Prepared> prepared = driver::prepare(module, asked, options, budget_, listener_);
    if (!prepared)
      return prepared.error();
    Result<Answered> answered = driver::answer(asked, options, *prepared, budget_, listener_);
    if (!answered)
      return answered.error();
    return Asking{std::move(*prepared), std::move(*answered)};
  }

  /// A run in which the harness's assertion fails. Operations seldom go round a loop more than
  /// twice: if that is all there is, or all that it takes, it need not be asked with more turns.
  Result<std::optional<Run>> find_run(const ir::Module& module, const driver::Options& options) {
    const bool has_bounds = options.unwind != 0 || !options.unwind_loops.empty();
    driver::Options first = options;
    if (options.engine == "axiomatic" && !has_bounds && is_enough_)
      first.unwind = 1;
    Result<Asking> asking = ask_for_run(module, first);
    const auto* verdict = asking ? std::get_if<verdict::Verdict>(&asking->answered) : nullptr;
    if (first.unwind != options.unwind && verdict != nullptr &&
        std::holds_alternative<verdict::HoldsWithinBounds>(verdict->answer)) {
      is_enough_ = false;
      asking = ask_for_run(module, options);
    }
    if (!asking)
      return asking.error();
    return run_of(std::move(*asking));
  }

  Result<std::optional<Run>> run_of(Asking asking) {
    if (auto* unconfirmed = std::get_if<driver::Unconfirmed>(&asking.answered)) {
      answer_.unconfirmed = std::move(*unconfirmed);
      return std::optional<Run>();
    }
    auto& verdict = std::get<verdict::Verdict>(asking.answered);
    for (const std::string& assumed : report::assumptions(verdict))
      answer_.assumptions.insert(assumed);
    if (const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer))
      answer_.gaps.push_back(unknown->why);
    if (const auto* bounded = std::get_if<verdict::HoldsWithinBounds>(&verdict.answer))
      answer_.bounds.insert(bounded->bounds().begin(), bounded->bounds().end());
    if (!std::holds_alternative<verdict::Violated>(verdict.answer))
      return std::optional<Run>();
    return std::optional<Run>(Run{std::move(asking.prepared), std::move(verdict)});
  }

  template <typename Cell>
  [[nodiscard]] static std::vector<CallResult> results_of(const ClockHarness& harness,
                                                          const Cell& cell) {
    std::vector<CallResult> results;
    for (std::size_t i = 0; i < harness.times.size(); ++i)
      results.push_back(call_result(cell(harness.times[i]),
                                    cell(harness.results[i]),
                                    cell(harness.effects[i]),
                                    cell(harness.stores[i])));
    return results;
  }

  /// Results that a run has, and whether it has precedences that are forbidden with them.
  Status see(const std::vector<CallResult>& results, bool is_forbidden) {
    const auto known = std::ranges::find(known_, results, &KnownResults::calls);
    if (known != known_.end())
      return is_forbidden ? show(*known) : Status(Done{});
    std::vector<std::size_t> made;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i].was_made)
        made.push_back(i);
    const std::vector<history::Operation> operations = operations_of(made, results);
    KnownResults learnt{results, {}};
    std::optional<std::vector<history::Precedences>> contradictions;
    if (question_.timing == history::Timing::kQuiescent)
      contradictions =
          history::quiescent_contradictions_of(operations, *question_.object, kMostContradictions);
    else if (const auto explanations = history::explanations_of(
                 operations, *question_.object, question_.timing, kMostExplanations))
      contradictions = history::contradictions_of(operations, *explanations, kMostContradictions);
    if (const std::optional<Error> error = question_.object->error())
      return *error;
    if (!contradictions) {
      answer_.gaps.emplace_back("there are too many orders of its operations");
      return Done{};
    }
    for (const history::Precedences& together : *contradictions) {
      auto& forbidden = learnt.forbidden.emplace_back();
      for (const history::Precedence& one : together)
        forbidden.push_back({moment_of(one.first, made), moment_of(one.second, made)});
    }
    known_.push_back(learnt);
    const bool has_no_effect = std::ranges::any_of(
        results, [](const CallResult& one) { return one.was_made && !one.had_effect; });
    if (has_no_effect)
      known_.back().forbidden = {{}};
    return std::ranges::any_of(known_.back().forbidden, &std::vector<CallPrecedence>::empty)
               ? show(known_.back())
               : Status(Done{});
  }

  [[nodiscard]] std::vector<history::Operation>
  operations_of(const std::vector<std::size_t>& made,
                const std::vector<CallResult>& results) const {
    std::vector<history::Operation> operations;
    for (const std::size_t i : made) {
      history::Operation operation = planned_.operations[i];
      note_return(question_, operation, results[i].value);
      operation.has_stored = results[i].has_stored;
      operations.push_back(std::move(operation));
    }
    return operations;
  }
  [[nodiscard]] static CallMoment moment_of(const history::Moment& moment,
                                            const std::vector<std::size_t>& made) {
    using From = history::Moment::What;
    using To = CallMoment::What;
    const auto call = static_cast<std::uint32_t>(made[moment.operation]);
    switch (moment.what) {
    case From::kCall:
      return {call, To::kCall};
    case From::kReturn:
      return {call, To::kReturn};
    case From::kCallFlushed:
      return {call, To::kCallFlushed};
    case From::kReturnFlushed:
      return {call, To::kReturnFlushed};
    case From::kEffect:
      return {call, To::kEffect};
    }
    HEDDLE_CHECK(false, "no such moment");
    return {};
  }

  /// Looks for a run again in which all calls and returns can be seen. The enumerating engine has
  /// no runs.
  Status show(const KnownResults& results) {
    const ClockPlan plan{
        ClockPlan::Ask::kShow, {looked_for(results)}, question_.effects, notes_stores()};
    Result<ClockHarness> harness = make_clock_harness(question_.module, planned_.scenario, plan);
    if (!harness)
      return harness.error();
    driver::Options options = options_;
    if (options.engine == "enumerate")
      options.engine = "explicit";
    Result<std::optional<Run>> run = find_run(harness->module, options);
    if (!run)
      return run.error();
    if (!*run) {
      if (!answer_.unconfirmed && answer_.gaps.empty() && !budget_.exhausted(0))
        answer_.unconfirmed = driver::Unconfirmed{
            fmt::format("no run has the history that was found in the scenario {}",
                        to_string(planned_)),
            {}};
      return Done{};
    }
    answer_.gaps.clear();
    std::vector<std::size_t> made;
    for (std::size_t i = 0; i < results.calls.size(); ++i)
      if (results.calls[i].was_made)
        made.push_back(i);
    const std::vector<history::Operation> operations = operations_of(made, results.calls);
    RunEvents events =
        events_by_clock(operations, is_dear(), (*run)->prepared.ground(), (*run)->violation());
    history::History history = history::from_events(operations, events.events);
    answer_.found =
        UnexplainedHistory{planned_,
                           std::move(history),
                           why(operations, results),
                           std::move(events.events),
                           std::move(events.marks),
                           std::move(events.moments),
                           std::make_unique<driver::Prepared>(std::move((*run)->prepared)),
                           std::move((*run)->verdict)};
    return Done{};
  }

  [[nodiscard]] std::string why(const std::vector<history::Operation>& operations,
                                const KnownResults& results) const {
    if (question_.timing != history::Timing::kFixed)
      return kNoOrder;
    std::vector<bool> had_effect;
    for (const CallResult& one : results.calls)
      if (one.was_made)
        had_effect.push_back(one.had_effect);
    return why_points_fail(operations, had_effect);
  }

  const LinearizableQuestion& question_;
  const PlannedScenario& planned_;
  const driver::Options& options_;
  const Budget& budget_;
  const driver::Listener& listener_;
  std::size_t together_ = 0; // how many precedences together are looked for now
  std::vector<KnownResults> known_;
  bool is_enough_ = true; // one more turn of each loop
  ClockAnswer answer_;
};

} // namespace

Result<ClockAnswer> check_by_clock(const LinearizableQuestion& question,
                                   const PlannedScenario& planned,
                                   const driver::Options& options,
                                   const Budget& budget,
                                   const driver::Listener& listener) {
  return ClockChecking(question, planned, options, budget, listener).run();
}

} // namespace heddle::object
