// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bounds of all nodes of a core on the events of one execution whose rf and co are only partly
// chosen: what is surely in (must) and what may be. The same as Fold<BoundAlgebra>, which is the
// reference, on the blocks of words of two evaluators; for asking very often.
#pragma once

#include "memory/bound_algebra.h"
#include "memory/evaluator.h"

#include <cstdint>
#include <memory>

namespace heddle::memory {

class BoundEvaluator {
public:
  explicit BoundEvaluator(const std::shared_ptr<const EvaluationPlan>& plan)
      : may_(plan), must_(plan) {}

  /// Begins with the events, the plan and the static values of the evaluator. All else is 0.
  void start(const Evaluator& values);
  /// To fill: rf, co (those of Evaluator::co) and FW.
  [[nodiscard]] std::uint64_t* may(NodeId node) { return may_.words(node); }
  [[nodiscard]] std::uint64_t* must(NodeId node) { return must_.words(node); }
  [[nodiscard]] const std::uint64_t* may(NodeId node) const { return may_.words(node); }
  [[nodiscard]] const std::uint64_t* must(NodeId node) const { return must_.words(node); }
  [[nodiscard]] std::size_t stride() const { return may_.stride(); }

  /// Computes all that is not static from them.
  void evaluate();
  /// Of an axiom the plan computes.
  [[nodiscard]] Truth holds(const Axiom& axiom) const;

private:
  void compute(NodeId node);
  void iterate(const EvaluationPlan::Group& group);
  void forget(NodeId node);

  Evaluator may_;
  Evaluator must_;
};

} // namespace heddle::memory
