// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/explicit.h"

#include "engine/explicit/state_search.h"
#include "support/check.h"
#include "transform/basic/uncounted_threads.h"

#include <variant>

namespace heddle::engine {
namespace {

/// Machines have no reservations.
bool has_exclusives(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (std::holds_alternative<program::LoadExclusive>(edge.action) ||
          std::holds_alternative<program::StoreExclusive>(edge.action))
        return true;
  return false;
}

class ExplicitEngine final : public Engine {
public:
  explicit ExplicitEngine(ExplicitOptions options) : options_(options) {}

  [[nodiscard]] std::string_view name() const override { return "explicit"; }
  [[nodiscard]] std::string_view description() const override {
    return "explores all states of an operational machine (sc, tso, pso)";
  }
  [[nodiscard]] std::optional<std::string> supports(const spec::Task& task) const override {
    if (task.program == nullptr)
      return "there is no program";
    if (!task.model.machine)
      return "the model '" + task.model.name + "' has no operational machine";
    if (has_exclusives(*task.program))
      return "the machines have no exclusive loads and stores";
    return std::nullopt;
  }
  [[nodiscard]] verdict::Verdict run(const spec::Task& task,
                                     const Context& context) const override {
    if (const auto why = supports(task)) {
      verdict::Verdict verdict;
      verdict.answer = verdict::Unknown{verdict::Unknown::Reason::kUnsupported, *why, ""};
      verdict.engine = name();
      return verdict;
    }
    if (std::optional<verdict::Verdict> proved = prove_for_any_number(task, context))
      return std::move(*proved);
    return Search(task, context, options_).run();
  }

private:
  [[nodiscard]] std::optional<verdict::Verdict> prove_for_any_number(const spec::Task& task,
                                                                     const Context& context) const {
    const auto proved = [&](const spec::Task& of) -> std::optional<verdict::Verdict> {
      Search crowd(of, context, options_, Search::Threads::kAnyNumber);
      if (!crowd.can_count_threads())
        return std::nullopt;
      verdict::Verdict verdict = crowd.run();
      if (!std::holds_alternative<verdict::Proved>(verdict.answer))
        return std::nullopt;
      return verdict;
    };
    if (std::optional<verdict::Verdict> verdict = proved(task))
      return verdict;
    const std::optional<program::Program> uncounted =
        transform::forget_thread_counts(*task.program);
    if (!uncounted)
      return std::nullopt;
    spec::Task without_counts = task;
    without_counts.program = &*uncounted;
    std::optional<verdict::Verdict> verdict = proved(without_counts);
    if (verdict)
      verdict->approximations.push_back(
          {Approximation::Kind::kAssumed, transform::kHandlesInBounds, {}});
    return verdict;
  }

  ExplicitOptions options_;
};

} // namespace

std::unique_ptr<Engine> make_explicit(ExplicitOptions options) {
  return std::make_unique<ExplicitEngine>(options);
}

} // namespace heddle::engine
