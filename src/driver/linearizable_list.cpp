// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/linearizable_list.h"

#include "driver/litmus.h"
#include "driver/models.h"
#include "engine/enumerate/enumerate.h"
#include "program/analyse.h"
#include "program/build.h"
#include "report/headline.h"
#include "transform/transform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <utility>

namespace heddle::driver {

namespace {

/// How often loops are unrolled for the enumerating engine, as long as that cuts executions.
constexpr std::uint32_t kFirstUnwind = 2;
constexpr std::uint32_t kLastUnwind = 12;

void note_incomplete(const verdict::Verdict& verdict, Listing& listing) {
  std::set<std::string> reasons;
  for (const Approximation& approximation : verdict.approximations)
    if (approximation.kind == Approximation::Kind::kUnder)
      reasons.insert(approximation.what);
  listing.gaps.push_back(fmt::format("not all runs were seen: {}", fmt::join(reasons, "; ")));
}

Result<Listing> list_by_machine(const ir::Module& module,
                                const std::vector<std::string>& cells,
                                const LinearizableQuestion& question,
                                const Options& options,
                                const Budget& budget,
                                const Listener& listener) {
  Asked asked = question.asked;
  asked.question = spec::Enumerate{cells};
  Result<Prepared> prepared = prepare(module, asked, options, listener);
  if (!prepared)
    return prepared.error();
  auto answered = answer(asked, options, *prepared, budget, listener);
  if (!answered)
    return answered.error();
  const auto& verdict = std::get<verdict::Verdict>(*answered);
  Listing listing;
  for (const std::string& assumed : report::assumptions(verdict))
    listing.assumptions.insert(assumed);
  if (const auto states = verdict.statistics.counters.find("states");
      states != verdict.statistics.counters.end())
    listing.searched = states->second;
  const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
  if (outcomes == nullptr) {
    const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
    listing.gaps.emplace_back(unknown != nullptr ? unknown->why : "no answer");
    return listing;
  }
  listing.states = outcomes->states;
  if (!outcomes->complete)
    note_incomplete(verdict, listing);
  return listing;
}

/// Executions are of programs without calls and loops. A turn of a loop that changes nothing is
/// left out: nobody can tell.
Result<program::Program> unrolled(const program::Program& source, std::uint32_t unwind) {
  spec::Bounds bounds;
  bounds.unwind = unwind;
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
  show_accesses(program, false);
  return program;
}

Result<Listing> list_by_axioms(const ir::Module& module,
                               const std::vector<std::string>& cells,
                               const LinearizableQuestion& question,
                               const Options& options,
                               const Budget& budget) {
  AxiomaticModels models({}, {});
  const auto found = models.find(question.asked.model.name, memory::Vocabulary::kC11);
  if (const auto* errors = std::get_if<std::vector<Error>>(&found))
    return errors->front();
  program::BuildOptions build;
  build.entry = question.asked.load.entry;
  build.keep_registers = true;
  Result<program::Program> built = program::build(module, build);
  if (!built)
    return built.error();
  built->vocabulary = "c11";
  const bool is_given = options.unwind != 0;
  std::uint32_t unwind = is_given ? static_cast<std::uint32_t>(options.unwind) : kFirstUnwind;
  while (true) {
    Result<program::Program> program = unrolled(*built, unwind);
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
    for (const std::string& assumed : report::assumptions(verdict))
      listing.assumptions.insert(assumed);
    if (const auto candidates = verdict.statistics.counters.find("candidates");
        candidates != verdict.statistics.counters.end())
      listing.searched = candidates->second;
    const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
    if (outcomes == nullptr) {
      const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
      listing.gaps.emplace_back(unknown != nullptr ? unknown->why : "no answer");
      return listing;
    }
    listing.states = outcomes->states;
    if (outcomes->complete)
      return listing;
    bool is_cut_by_loops = !budget.exhausted(0);
    for (const Approximation& approximation : verdict.approximations)
      if (approximation.kind == Approximation::Kind::kUnder) {
        const bool is_loop = approximation.what.find("unrolled") != std::string::npos;
        is_cut_by_loops = is_cut_by_loops && is_loop;
        if (is_loop)
          listing.bounds.insert(approximation.what);
      }
    if (!is_cut_by_loops) {
      note_incomplete(verdict, listing);
      return listing;
    }
    if (is_given || unwind >= kLastUnwind)
      return listing;
    unwind = unwind == 2 ? 3 : unwind * 2;
  }
}

} // namespace

Result<Listing> list_states(const ir::Module& module,
                            const std::vector<std::string>& cells,
                            const LinearizableQuestion& question,
                            const Options& options,
                            const Budget& budget,
                            const Listener& listener) {
  if (options.engine == "enumerate")
    return list_by_axioms(module, cells, question, options, budget);
  return list_by_machine(module, cells, question, options, budget, listener);
}

} // namespace heddle::driver
