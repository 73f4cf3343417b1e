// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The interface of every engine. An engine never throws, exits or prints; what it cannot do it says
// in supports or in an Unknown.
#pragma once

#include "program/model/fact.h"
#include "spec/task.h"
#include "support/budget.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::engine {

class Registry;

/// A line of progress: what is being done and how far it is.
struct Progress {
  std::string what;
};

struct Context {
  Budget budget;
  std::function<void(const Progress&)> progress; // may be empty; called a few times a second
  /// May be empty; called where bounds were gone through to their end and larger ones are tried:
  /// the answer if nothing came of those. Whoever ends the engine from outside gives it.
  std::function<void(const verdict::Verdict&)> established = {};
  const Registry* registry = nullptr; // only for the portfolio and refinement engines
  program::Facts facts;
  unsigned jobs = 1;          // threads the engine may use; the answer does not depend on it
  bool has_deadline = false;  // the budget has a limit of time, so that nothing goes on for ever
  bool has_successor = false; // another engine has its turn afterwards, with the time that is left
};

/// Do bounds grow until time or memory is used up? Without a limit of time they would for ever, and
/// where another engine has its turn they would take its time.
[[nodiscard]] inline bool grows_to_the_limit(const Context& context) {
  return context.has_deadline && !context.has_successor;
}
/// For a question that is asked on the way to the answer of another: what it comes to is nobody
/// else's.
[[nodiscard]] Context for_part_of_question(const Context& context);
/// Why a search ends that does not.
[[nodiscard]] std::string why_grown_enough(const Context& context, std::uint64_t largest);

class Engine {
public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view description() const = 0;
  /// Nothing if it can take the task; otherwise why not, as a sentence.
  [[nodiscard]] virtual std::optional<std::string> supports(const spec::Task& task) const = 0;
  [[nodiscard]] virtual verdict::Verdict run(const spec::Task& task,
                                             const Context& context) const = 0;
};

/// The engines there are, in the order `--engine auto` tries them.
class Registry {
public:
  void add(std::unique_ptr<Engine> engine) { engines_.push_back(std::move(engine)); }
  [[nodiscard]] const Engine* find(std::string_view name) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Engine>>& engines() const { return engines_; }

private:
  std::vector<std::unique_ptr<Engine>> engines_;
};

} // namespace heddle::engine
