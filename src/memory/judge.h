// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a memory model says of one execution, computed on the execution itself: the second opinion
// on everything a solver finds.
#pragma once

#include "execution/execution.h"
#include "memory/evaluator.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::memory {

struct Judgement {
  bool is_allowed = false;
  std::vector<std::string> flags = {}; // one for each axiom that raises one, if it is allowed
  std::optional<Error> error = {};     // the model makes no sense on it; nothing else counts
  /// By flag, a pair of events that raises it, if it is about pairs.
  std::vector<std::optional<std::pair<std::size_t, std::size_t>>> flagged = {};
};

/// Does the axiom tell a data race, or that a program has no meaning?
[[nodiscard]] bool tells_race(const Axiom& axiom);

/// The relation `hb` of a model of a language: one that knows of races, and whose hb is a closure.
/// (Models of processors give the name to other things.) None if there is no such thing.
[[nodiscard]] NodeId find_happens_before(const Core& core);

/// The name an axiom that does not forbid is reported by.
[[nodiscard]] std::string flag_name(const Axiom& axiom);

/// Why the model cannot be judged execution by execution, if it cannot.
[[nodiscard]] std::optional<std::string> why_not_judged(const EvaluationPlan& plan);

class Judge {
public:
  explicit Judge(std::shared_ptr<const EvaluationPlan> plan)
      : plan_(std::move(plan)), evaluator_(plan_) {}
  /// Relations that the model chooses are tried one by one.
  [[nodiscard]] Judgement judge(const execution::Execution& execution);
  /// On the execution that was judged last.
  [[nodiscard]] relation::BitMatrix relation(NodeId node) const {
    return evaluator_.relation(node);
  }

private:
  [[nodiscard]] bool extends_partial_orders(const execution::Execution& execution) const;
  void choose(std::size_t generator);
  void decide();
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>>
  pair_of(const Axiom& axiom) const;

  std::shared_ptr<const EvaluationPlan> plan_;
  Evaluator evaluator_;
  Judgement result_;
};

} // namespace heddle::memory
