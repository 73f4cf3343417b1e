// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/enumerate.h"

#include "engine/enumerate/execution_search.h"
#include "engine/enumerate/traces.h"
#include "memory/event_options.h"
#include "program/events/event_set.h"
#include "support/within_memory.h"

#include <algorithm>
#include <set>
#include <thread>

namespace heddle::engine {

namespace {

using verdict::Unknown;
using verdict::Verdict;

bool uses_values(const memory::Core& core) {
  return std::find(core.base_names.begin(), core.base_names.end(), "different-values") !=
         core.base_names.end();
}

/// Combinations of thread runs from which on it is worth sharing them out.
constexpr std::uint64_t kManyRuns = 64;

class Enumerate final : public Engine {
public:
  explicit Enumerate(EnumerateOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string_view name() const override { return "enumerate"; }
  [[nodiscard]] std::string_view description() const override {
    return "every execution that an axiomatic model allows, for litmus tests and small programs";
  }

  [[nodiscard]] std::optional<std::string> supports(const spec::Task& task) const override {
    if (!std::holds_alternative<spec::Enumerate>(task.question))
      return "it lists executions and final states, and checks no property";
    if (task.model.core == nullptr)
      return "the memory model has no axioms";
    return program::why_no_events(*task.program);
  }

  [[nodiscard]] Verdict run(const spec::Task& task, const Context& context) const override {
    const auto& question = std::get<spec::Enumerate>(task.question);
    const memory::Core& core = *task.model.core;
    Verdict verdict;
    verdict.engine = std::string(name());
    verdict.approximations = task.program->approximations;
    const auto fail = [&](const Error& error) {
      verdict.answer = Unknown{Unknown::Reason::kUnsupported, error.message, ""};
      return verdict;
    };
    Result<program::EventSetOptions> options = memory::event_options(core, *task.program);
    if (!options)
      return fail(options.error());
    options->budget = &context.budget;
    const Result<program::EventSet> set = program::make_events(*task.program, *options);
    if (!set)
      return fail(set.error());
    verdict.approximations.insert(
        verdict.approximations.end(), set->approximations.begin(), set->approximations.end());
    enumerate::TraceOptions trace_options;
    trace_options.choice_bits = task.bounds.nondet_bits;
    trace_options.splits_by_value = uses_values(core);
    const std::shared_ptr<const memory::EvaluationPlan> plan =
        task.model.plan != nullptr && &task.model.plan->core() == &core
            ? task.model.plan
            : std::make_shared<const memory::EvaluationPlan>(core, false);
    trace_options.is_coherent = plan->coherence().is_per_location;
    trace_options.is_grounded = plan->coherence().is_grounded;
    const Result<enumerate::Traces> traces =
        enumerate::find_traces(*set, trace_options, context.budget);
    if (!traces)
      return fail(traces.error());
    if (!traces->traps.empty())
      return fail({ErrorKind::kUnsupported, "ENU-002", *traces->traps.begin()});
    const std::vector<spec::ObservedPlace> observed =
        spec::observed_places(*task.program, question);
    enumerate::SearchOptions search_options;
    search_options.counts = question.what == spec::Enumerate::What::kExecutions;
    search_options.kept = question.kept_executions;
    if (options_.admits)
      search_options.admits = [&](const enumerate::Found::Values& values) {
        return options_.admits(named(observed, values));
      };
    enumerate::Found found = search(*set, *traces, plan, observed, search_options, context);
    if (found.error) {
      // The place is in the model, not in the program.
      verdict.answer = Unknown{Unknown::Reason::kUnsupported, found.error->to_string(), ""};
      return verdict;
    }

    verdict::Outcomes outcomes;
    std::set<std::string> cuts = traces->cuts;
    if (found.reads_fresh)
      cuts.insert("what allocated memory holds at first is taken as 0");
    outcomes.complete = found.is_complete && cuts.empty();
    for (const std::string& cut : cuts)
      verdict.approximations.push_back({Approximation::Kind::kUnder, cut, {}});
    std::vector<std::pair<verdict::Outcome, std::uint64_t>> states;
    states.reserve(found.states.size());
    for (const auto& [values, state] : found.states)
      states.emplace_back(named(observed, values), state.executions);
    std::sort(states.begin(), states.end());
    outcomes.states.reserve(states.size());
    for (auto& [state, count] : states) {
      outcomes.states.push_back(std::move(state));
      if (search_options.counts)
        outcomes.executions.push_back(count);
    }
    outcomes.flags = std::move(found.flags);
    for (enumerate::Found::Kept& kept : found.kept) {
      const verdict::Outcome state = named(observed, kept.values);
      const auto at = std::find(outcomes.states.begin(), outcomes.states.end(), state);
      outcomes.kept.push_back({std::move(kept.execution),
                               static_cast<std::size_t>(at - outcomes.states.begin()),
                               std::move(kept.flags)});
    }
    verdict.statistics.counters["candidates"] = static_cast<double>(found.candidates);
    verdict.statistics.counters["prefixes"] = static_cast<double>(found.prefixes);
    verdict.statistics.counters["cut by bounds"] = static_cast<double>(found.cut);
    verdict.statistics.counters["failed assertions"] = static_cast<double>(found.failed_checks);
    verdict.answer = std::move(outcomes);
    return verdict;
  }

private:
  /// By several threads at once if the context allows it and there is enough to do.
  static enumerate::Found search(const program::EventSet& set,
                                 const enumerate::Traces& traces,
                                 const std::shared_ptr<const memory::EvaluationPlan>& plan,
                                 const std::vector<spec::ObservedPlace>& observed,
                                 const enumerate::SearchOptions& options,
                                 const Context& context) {
    std::uint64_t combinations = 1;
    for (const enumerate::ThreadTraces& thread : traces.threads)
      combinations = std::min<std::uint64_t>(combinations * thread.traces.size(), kManyRuns);
    if (context.jobs <= 1 || options.kept != 0 || combinations < kManyRuns)
      return enumerate::Search(set, traces, plan, observed, options, context.budget).run();
    std::vector<enumerate::Found> parts(context.jobs);
    {
      std::vector<std::jthread> workers;
      for (unsigned i = 0; i < context.jobs; ++i)
        workers.emplace_back([&, i] {
          enumerate::SearchOptions mine = options;
          mine.part = i;
          mine.parts = context.jobs;
          parts[i] = within_memory(
              [&] {
                return enumerate::Search(set, traces, plan, observed, mine, context.budget).run();
              },
              [] {
                enumerate::Found nothing;
                nothing.error = Error{ErrorKind::kUnsupported, "ENU-001", "out of memory"};
                return nothing;
              });
        });
    }
    enumerate::Found found = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i)
      enumerate::Search::add(found, parts[i]);
    return found;
  }

  static verdict::Outcome named(const std::vector<spec::ObservedPlace>& observed,
                                const enumerate::Found::Values& values) {
    verdict::Outcome outcome;
    for (std::size_t i = 0; i < observed.size(); ++i)
      outcome[observed[i].name] = values[i];
    return outcome;
  }

  EnumerateOptions options_;
};

} // namespace

std::unique_ptr<Engine> make_enumerate(EnumerateOptions options) {
  return std::make_unique<Enumerate>(std::move(options));
}

} // namespace heddle::engine
