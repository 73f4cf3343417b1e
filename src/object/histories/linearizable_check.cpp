// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/linearizable_check.h"

#include "history/linearize.h"
#include "object/histories/linearizable_clock.h"
#include "object/histories/linearizable_history.h"
#include "report/headline.h"
#include "support/budget_watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace heddle::object {

namespace {

using history::History;

class Checking {
public:
  Checking(const LinearizableQuestion& question,
           const driver::Options& options,
           const Budget& budget,
           const driver::Listener& listener)
      : question_(question), options_(options), budget_(budget), listener_(listener) {
    // The marks of a history mean something to the machines only.
    if (!question_.by_clock || options_.engine == "auto")
      options_.engine = "explicit";
    // Then a mark depends on the flushes of its own thread, which the reduction takes for
    // independent of the thread's steps.
    if (question_.responses == Responses::kAtLastFlush)
      options_.no_reduction = true;
  }

  Result<std::variant<LinearizableSummary, driver::Unconfirmed>> run() {
    const auto goes_on = [&](const PlannedScenario& planned) {
      const Status checked = check(planned);
      if (!checked && is_budget_used_up(checked.error()))
        summary_.exhausted = budget_.exhausted(0).value_or(Exhausted::kTime);
      else if (!checked)
        error_ = checked.error();
      return !is_over();
    };
    std::set<std::string> was_first;
    for (const PlannedScenario& planned : question_.first)
      if (was_first.insert(to_string(planned)).second && !goes_on(planned))
        break;
    if (!is_over())
      for_each_scenario(question_.space, [&](const PlannedScenario& planned) {
        return was_first.contains(to_string(planned)) || goes_on(planned);
      });
    if (error_)
      return *error_;
    if (unconfirmed_)
      return std::variant<LinearizableSummary, driver::Unconfirmed>(std::move(*unconfirmed_));
    return std::variant<LinearizableSummary, driver::Unconfirmed>(std::move(summary_));
  }

private:
  [[nodiscard]] bool is_over() const {
    return error_ || unconfirmed_ || summary_.found || summary_.exhausted;
  }

  Status check(const PlannedScenario& planned) {
    const std::size_t most = question_.responses == Responses::kAtLastFlush
                                 ? kMaxCallsAtLastFlush
                                 : history::kMaxOperations - 1;
    if (planned.operations.size() > most)
      return Error{ErrorKind::kUsage,
                   "USE-024",
                   fmt::format("a scenario has at most {} operations for --notion {}",
                               most,
                               options_.notion)};
    if (listener_.progress)
      listener_.progress(
          fmt::format("scenario {}: {}", summary_.scenarios + 1, to_string(planned)));
    if (question_.by_clock)
      return check_clock(planned);
    Result<Harness> harness = make_harness(
        question_.module, planned.scenario, question_.responses, {}, question_.effects);
    if (!harness)
      return harness.error();
    driver::Asked asked = question_.asked;
    asked.question = spec::Enumerate{harness->cells};
    Result<driver::Prepared> prepared =
        driver::prepare(std::move(harness->module), asked, options_, budget_, listener_);
    if (!prepared)
      return prepared.error();
    auto answered = driver::answer(asked, options_, *prepared, budget_, listener_);
    if (!answered)
      return answered.error();
    const auto& verdict = std::get<verdict::Verdict>(*answered);
    ++summary_.scenarios;
    for (const std::string& assumed : report::assumptions(verdict))
      summary_.assumptions.insert(assumed);
    if (const auto states = verdict.statistics.counters.find("states");
        states != verdict.statistics.counters.end())
      summary_.states += states->second;
    const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
    if (outcomes == nullptr) {
      const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
      summary_.gaps.push_back(fmt::format(
          "{}: {}", to_string(planned), unknown != nullptr ? unknown->why : "no answer"));
      return Done{};
    }
    note_gaps(planned, verdict, *outcomes);
    for (const verdict::Outcome& outcome : outcomes->states) {
      const std::vector<RecordedCall> calls = recorded(*harness, question_.responses, outcome);
      const History history = history_of(question_, planned, calls);
      ++summary_.histories;
      const bool is_explained =
          has_effects(calls) &&
          history::linearize(history::with_order_of(history, question_.criterion),
                             *question_.object)
              .has_value();
      if (const std::optional<Error> error = question_.object->error())
        return *error;
      if (!is_explained)
        return find_run(planned, history, calls);
    }
    return Done{};
  }

  /// Whether every call that was made has taken effect where it should.
  [[nodiscard]] static bool has_effects(const std::vector<RecordedCall>& calls) {
    return std::ranges::all_of(calls, &RecordedCall::had_effect);
  }

  Status check_clock(const PlannedScenario& planned) {
    Result<ClockAnswer> answered = check_by_clock(question_, planned, options_, budget_, listener_);
    if (!answered)
      return answered.error();
    ++summary_.scenarios;
    summary_.histories += answered->results;
    summary_.states += answered->states;
    summary_.assumptions.merge(answered->assumptions);
    summary_.bounds.merge(answered->bounds);
    for (const std::string& gap : answered->gaps)
      summary_.gaps.push_back(fmt::format("{}: {}", to_string(planned), gap));
    summary_.exhausted = budget_.exhausted(0);
    summary_.found = std::move(answered->found);
    unconfirmed_ = std::move(answered->unconfirmed);
    return Done{};
  }

  void note_gaps(const PlannedScenario& planned,
                 const verdict::Verdict& verdict,
                 const verdict::Outcomes& outcomes) {
    summary_.exhausted = budget_.exhausted(0);
    if (!outcomes.complete) {
      std::set<std::string> reasons;
      for (const Approximation& approximation : verdict.approximations)
        if (approximation.kind == Approximation::Kind::kUnder)
          reasons.insert(approximation.what);
      summary_.gaps.push_back(fmt::format(
          "{}: not all runs were seen: {}", to_string(planned), fmt::join(reasons, "; ")));
    } else if (outcomes.states.empty()) {
      summary_.gaps.push_back(
          fmt::format("{}: no run comes to its end; where operations wait for others, --unfinished "
                      "looks at what has happened until then",
                      to_string(planned)));
    }
  }

  Status find_run(const PlannedScenario& planned,
                  const History& history,
                  const std::vector<RecordedCall>& calls) {
    Result<Harness> harness = make_harness(question_.marked ? *question_.marked : question_.module,
                                           planned.scenario,
                                           question_.responses,
                                           calls,
                                           question_.effects);
    if (!harness)
      return harness.error();
    driver::Asked asked = question_.asked;
    asked.question = spec::Check{spec::Property::kReach};
    Result<driver::Prepared> prepared =
        driver::prepare(std::move(harness->module), asked, options_, budget_, listener_);
    if (!prepared)
      return prepared.error();
    auto answered = driver::answer(asked, options_, *prepared, budget_, listener_);
    if (!answered)
      return answered.error();
    if (auto* unconfirmed = std::get_if<driver::Unconfirmed>(&*answered)) {
      unconfirmed_ = std::move(*unconfirmed);
      return Done{};
    }
    auto& verdict = std::get<verdict::Verdict>(*answered);
    auto* violated = std::get_if<verdict::Violated>(&verdict.answer);
    if (violated == nullptr) {
      summary_.exhausted = budget_.exhausted(0);
      if (!summary_.exhausted)
        unconfirmed_ = driver::Unconfirmed{
            fmt::format("no run has the history that was found in the scenario {}",
                        to_string(planned)),
            {}};
      return Done{};
    }
    const std::vector<std::size_t> made = made_calls(calls);
    const bool has_points = question_.responses == Responses::kAtEffect;
    RunEvents events =
        has_points
            ? events_with_effects(history.operations, prepared->ground(), violated->violation)
            : events_of(history, made, prepared->ground(), violated->violation);
    std::vector<bool> had_effect;
    for (const std::size_t i : made)
      had_effect.push_back(calls[i].had_effect);
    summary_.found = UnexplainedHistory{
        planned,
        // What is shown is when operations were called and returned.
        has_points ? history::from_events(history.operations, events.events) : history,
        has_points ? why_points_fail(history.operations, had_effect) : kNoOrder,
        std::move(events.events),
        std::move(events.marks),
        std::move(events.moments),
        std::make_unique<driver::Prepared>(std::move(*prepared)),
        std::move(verdict)};
    return Done{};
  }

  const LinearizableQuestion& question_;
  driver::Options options_;
  const Budget& budget_;
  const driver::Listener& listener_;
  LinearizableSummary summary_;
  std::optional<Error> error_;
  std::optional<driver::Unconfirmed> unconfirmed_;
};

} // namespace

Result<std::variant<LinearizableSummary, driver::Unconfirmed>>
check_scenarios(const LinearizableQuestion& question,
                const driver::Options& options,
                const Budget& budget,
                const driver::Listener& listener) {
  return Checking(question, options, budget, listener).run();
}

} // namespace heddle::object
