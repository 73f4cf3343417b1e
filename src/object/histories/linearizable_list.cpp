// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/linearizable_list.h"

#include "driver/options/models.h"
#include "driver/pipeline/counted_loops.h"
#include "driver/pipeline/litmus.h"
#include "engine/enumerate/enumerate.h"
#include "object/scenarios/harness.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "report/headline.h"
#include "transform/basic/transform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace heddle::object {

namespace {

/// How often loops are unrolled for the enumerating engine. It does not grow: whether an execution
/// goes beyond it is known of single threads only, each with all values that could be there.
constexpr std::uint32_t kUnwind = 2;
/// Loops that count to a constant are unrolled as often as they turn, up to this: one that fills an
/// array before the threads start would let no run come to its end.
constexpr std::uint32_t kMostTurns = 64;

/// The states, what is assumed of them, and why there may be others.
void take_states(const verdict::Verdict& verdict, Listing& listing) {
  for (const std::string& assumed : report::assumptions(verdict))
    listing.assumptions.insert(assumed);
  const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
  if (outcomes == nullptr) {
    const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
    listing.gaps.emplace_back(unknown != nullptr ? unknown->why : "no answer");
    return;
  }
  listing.states = outcomes->states;
  if (outcomes->complete)
    return;
  std::set<std::string> reasons;
  for (const Approximation& approximation : verdict.approximations)
    if (approximation.kind == Approximation::Kind::kUnder)
      reasons.insert(approximation.what);
  // Loops that were cut are a bound like that of threads and operations.
  const bool is_bound =
      !reasons.empty() && std::ranges::all_of(reasons, [](const std::string& one) {
        return one.starts_with("loop at ");
      });
  if (is_bound)
    listing.bounds = std::move(reasons);
  else
    listing.gaps.push_back(fmt::format("not all runs were seen: {}", fmt::join(reasons, "; ")));
}

Result<Listing> list_by_machine(const ir::Module& module,
                                const std::vector<std::string>& cells,
                                const LinearizableQuestion& question,
                                const driver::Options& options,
                                const Budget& budget,
                                const driver::Listener& listener) {
  driver::Asked asked = question.asked;
  asked.question = spec::Enumerate{cells};
  Result<driver::Prepared> prepared = driver::prepare(module, asked, options, budget, listener);
  if (!prepared)
    return prepared.error();
  auto answered = driver::answer(asked, options, *prepared, budget, listener);
  if (!answered)
    return answered.error();
  const auto& verdict = std::get<verdict::Verdict>(*answered);
  Listing listing;
  if (const auto states = verdict.statistics.counters.find("states");
      states != verdict.statistics.counters.end())
    listing.searched = states->second;
  take_states(verdict, listing);
  return listing;
}

/// Executions are of programs without calls and loops. A turn of a loop that changes nothing is
/// left out: nobody can tell. `counted`: loops of which it is known how often they turn.
Result<program::Program> unrolled(const program::Program& source,
                                  const driver::Options& options,
                                  const std::vector<spec::LoopBound>& counted) {
  spec::Bounds bounds;
  bounds.unwind = options.unwind != 0 ? static_cast<std::uint32_t>(options.unwind) : kUnwind;
  // Of two bounds for a loop the second counts: the user's.
  if (options.unwind == 0)
    std::ranges::copy_if(counted, std::back_inserter(bounds.loops), [](const spec::LoopBound& one) {
      return one.unwind <= kMostTurns;
    });
  bounds.loops.insert(bounds.loops.end(), options.unwind_loops.begin(), options.unwind_loops.end());
  std::vector<std::unique_ptr<transform::Transform>> transforms;
  transforms.push_back(transform::inline_calls());
  transforms.push_back(transform::skip_idle_turns(transform::IdleTurns::kNone));
  transforms.push_back(transform::unroll());
  program::Program program = source;
  for (const std::unique_ptr<transform::Transform>& transform : transforms) {
    program::annotate(program, program::AliasAnalysis::kPointsTo);
    Result<transform::Transformed> next = transform->apply(program, bounds);
    if (!next)
      return next.error();
    program = std::move(next->program);
  }
  program::annotate(program, program::AliasAnalysis::kPointsTo);
  driver::show_accesses(program, false);
  return program;
}

Result<Listing> list_by_axioms(const ir::Module& module,
                               const std::vector<std::string>& cells,
                               const LinearizableQuestion& question,
                               const driver::Options& options,
                               const Budget& budget) {
  driver::AxiomaticModels models({}, {});
  const auto found = models.find(question.asked.model.name, memory::Vocabulary::kC11);
  if (const auto* errors = std::get_if<std::vector<Error>>(&found))
    return errors->front();
  program::BuildOptions build;
  build.entry = question.asked.load.entry;
  // With registers kept, what a loop counts is a register of its own each time.
  const Result<program::Program> plain = program::build(module, build);
  if (!plain)
    return plain.error();
  build.keep_registers = true;
  Result<program::Program> built = program::build(module, build);
  if (!built)
    return built.error();
  built->vocabulary = "c11";
  program::annotate(*built, program::AliasAnalysis::kPointsTo);
  drop_notes_of_private_stores(*built);
  Result<program::Program> program = unrolled(*built, options, driver::counted_loops(*plain));
  if (!program)
    return program.error();
  spec::Task task;
  task.program = &*program;
  task.model = std::get<memory::Model>(found);
  task.question = spec::Enumerate{cells};
  task.bounds.nondet_bits = static_cast<std::uint32_t>(options.nondet_bits);
  const std::unique_ptr<engine::Engine> engine = engine::make_enumerate();
  Listing listing;
  if (const std::optional<std::string> why = engine->supports(task)) {
    listing.gaps.push_back(fmt::format("engine enumerate: {}", *why));
    return listing;
  }
  engine::Context context;
  context.budget = budget;
  const verdict::Verdict verdict = engine->run(task, context);
  if (const auto candidates = verdict.statistics.counters.find("candidates");
      candidates != verdict.statistics.counters.end())
    listing.searched = candidates->second;
  take_states(verdict, listing);
  if (budget.exhausted(0))
    listing.gaps.emplace_back("time or memory is used up");
  return listing;
}

} // namespace

Result<Listing> list_states(const ir::Module& module,
                            const std::vector<std::string>& cells,
                            const LinearizableQuestion& question,
                            const driver::Options& options,
                            const Budget& budget,
                            const driver::Listener& listener) {
  if (options.engine == "enumerate")
    return list_by_axioms(module, cells, question, options, budget);
  return list_by_machine(module, cells, question, options, budget, listener);
}

} // namespace heddle::object
