// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/portfolio/portfolio.h"

#include "support/within_memory.h"

#include <utility>

namespace heddle::engine {

namespace {

using verdict::Unknown;
using verdict::Verdict;

constexpr std::string_view kExplicit = "explicit";
constexpr std::string_view kAxiomatic = "axiomatic";
constexpr std::string_view kBounded = "bounded";
/// About as many states as the explicit engine visits in the time a solver needs for a small
/// program.
constexpr std::uint64_t kFewStates = 30'000;
/// Of the time that is left, for the axiomatic engine: what it has not decided by then it seldom
/// does, and the explicit one may.
constexpr unsigned kPercentForSolver = 65;
/// For the explicit engine with few states: where it makes no progress (a state may have very many
/// successors, or long ways to them), the others have their turn all the same.
constexpr unsigned kPercentForFewStates = 20;
/// The same for the bounded one, after which the axiomatic has its turn, too: each knows loops that
/// the other only unrolls.
constexpr unsigned kPercentForBounded = 25;

/// How much an answer says.
enum class Strength : std::uint8_t { kNothing, kWithinBounds, kSure };

Strength strength_of(const Verdict& verdict) {
  if (std::holds_alternative<verdict::HoldsWithinBounds>(verdict.answer))
    return Strength::kWithinBounds;
  return std::holds_alternative<Unknown>(verdict.answer) ? Strength::kNothing : Strength::kSure;
}

bool is_undefined(const Verdict& verdict) {
  const auto* unknown = std::get_if<Unknown>(&verdict.answer);
  return unknown != nullptr && unknown->reason == Unknown::Reason::kUndefinedBehaviour;
}

/// That behaviour is not defined says more than that time or memory are used up.
bool says_more(const Verdict& next, const Verdict& best) {
  if (strength_of(next) != strength_of(best))
    return strength_of(next) > strength_of(best);
  return !is_undefined(best);
}

/// May another engine know more? Not where this one has seen everything, unless there were too many
/// values.
bool is_worth_going_on(const Verdict& verdict, const Budget& budget) {
  const auto states = verdict.statistics.counters.find("states");
  if (states != verdict.statistics.counters.end() &&
      states->second > static_cast<double>(kFewStates))
    return true;
  const auto* unknown = std::get_if<Unknown>(&verdict.answer);
  if (unknown == nullptr)
    return false;
  switch (unknown->reason) {
  case Unknown::Reason::kTime: // of a part
    return !budget.exhausted(0);
  case Unknown::Reason::kInterrupted:
  case Unknown::Reason::kUndefinedBehaviour:
    return false;
  case Unknown::Reason::kMemory:
  case Unknown::Reason::kUnsupported:
  case Unknown::Reason::kRefused:
  case Unknown::Reason::kNondeterminism:
  case Unknown::Reason::kApproximation:
  case Unknown::Reason::kNoEngine:
    return true;
  }
  return false;
}

class Portfolio final : public Engine {
public:
  [[nodiscard]] std::string_view name() const override { return "portfolio"; }
  [[nodiscard]] std::string_view description() const override {
    return "explicit with few states, then a solver (bounded for one thread, axiomatic), then "
           "explicit; believes the first that is "
           "sure";
  }
  /// Where the user bounds the search, the engine that is asked first keeps to it.
  [[nodiscard]] std::optional<std::string> supports(const spec::Task& task) const override {
    if (!std::holds_alternative<spec::Check>(task.question))
      return "it only checks properties";
    if (task.program == nullptr || !task.model.machine)
      return "the model '" + task.model.name + "' has no operational machine";
    if (task.bounds.max_states != 0)
      return "the number of states is bounded";
    return std::nullopt;
  }

  [[nodiscard]] Verdict run(const spec::Task& task, const Context& context) const override {
    Verdict best = first(task, context);
    if (strength_of(best) == Strength::kSure || !is_worth_going_on(best, context.budget))
      return best;
    for (const std::string_view name : {kBounded, kAxiomatic, kExplicit}) {
      const Engine* engine = context.registry->find(name);
      if (engine == nullptr || engine->supports(task))
        continue;
      if (name == kAxiomatic && best.engine == kBounded && is_undefined(best))
        continue;
      if (context.budget.exhausted(0))
        break;
      Context part = context;
      if (name != kExplicit && has_turn_after(task, context)) {
        part.budget = context.budget.with_part_of_time(name == kBounded ? kPercentForBounded
                                                                        : kPercentForSolver);
        part.has_successor = true;
      }
      // What was seen with few states is no bound worth naming.
      if (context.established && best.engine != kExplicit &&
          strength_of(best) == Strength::kWithinBounds)
        context.established(best);
      Verdict next = ask(*engine, task, part);
      if (strength_of(next) == Strength::kSure)
        return next;
      // What the explicit engine has seen with few states is no bound worth naming.
      if (name == kBounded || (name == kAxiomatic && best.engine == kExplicit) ||
          says_more(next, best))
        best = std::move(next);
    }
    return best;
  }

private:
  static Verdict ask(const Engine& engine, const spec::Task& task, const Context& context) {
    // What others have shown stands.
    Verdict verdict = within_memory([&] { return engine.run(task, context); },
                                    [] {
                                      Verdict out;
                                      out.answer =
                                          Unknown{Unknown::Reason::kMemory,
                                                  "out of memory",
                                                  "a higher --memory, or a smaller program"};
                                      return out;
                                    });
    verdict.engine = engine.name();
    return verdict;
  }

  static bool has_turn_after(const spec::Task& task, const Context& context) {
    const Engine* engine = context.registry->find(kExplicit);
    return engine != nullptr && !engine->supports(task);
  }

  static Verdict first(const spec::Task& task, const Context& context) {
    const Engine* engine = context.registry->find(kExplicit);
    Verdict verdict;
    verdict.answer = Unknown{Unknown::Reason::kNoEngine, "the explicit engine is missing", ""};
    if (engine == nullptr)
      return verdict;
    if (const std::optional<std::string> why = engine->supports(task)) {
      verdict.answer = Unknown{Unknown::Reason::kUnsupported, *why, ""};
      return verdict;
    }
    spec::Task small = task;
    small.bounds.max_states = kFewStates;
    Context part = context;
    part.budget = context.budget.with_part_of_time(kPercentForFewStates);
    return ask(*engine, small, part);
  }
};

} // namespace

std::unique_ptr<Engine> make_portfolio() {
  return std::make_unique<Portfolio>();
}

} // namespace heddle::engine
