// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The value of a core on concrete executions, made for checking very many that differ only in rf,
// co and generated orders: everything has its place in one block of words, and a change recomputes
// only what depends on it. The reference for what the operators mean is bit_algebra.h.
#pragma once

#include "memory/core.h"
#include "memory/evaluation_plan.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace heddle::memory {

class Evaluator final : public ConcreteValues {
public:
  explicit Evaluator(std::shared_ptr<const EvaluationPlan> plan);
  Evaluator(const Core& core, bool with_definitions)
      : Evaluator(std::make_shared<const EvaluationPlan>(core, with_definitions)) {}

  [[nodiscard]] const Core& core() const { return core_; }
  /// Begins with other events: all base values are empty.
  void start(std::size_t events);
  /// The words of a base set or relation to fill, or of a generated one: a row of stride() words
  /// for each event (one row for a set).
  [[nodiscard]] std::uint64_t* words(NodeId node) { return &arena_[offsets_[node]]; }
  [[nodiscard]] const std::uint64_t* words(NodeId node) const { return &arena_[offsets_[node]]; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  using Base = EvaluationPlan::Base;
  [[nodiscard]] const std::vector<Base>& bases() const { return plan_->bases(); }
  [[nodiscard]] NodeId rf() const { return plan_->rf(); } // not valid if nothing depends on it
  /// The base relation co, or what the coherence generator makes.
  [[nodiscard]] const std::vector<NodeId>& co() const { return plan_->co(); }
  [[nodiscard]] NodeId final_writes() const { return plan_->final_writes(); } // FW
  [[nodiscard]] unsigned stratum(NodeId node) const { return plan_->stratum(node); }
  /// For this set of events, a generator that has just one choice, which depends on nothing else,
  /// is no choice.
  void settle_generator(std::size_t generator);
  /// For these events, those of the axioms (by position) need not be computed any more.
  void leave_out(const std::vector<bool>& axioms);

  /// Recomputes what has exactly that stratum; what it depends on is up to date.
  void evaluate(unsigned stratum, Purpose purpose = Purpose::kAll);
  /// Does the test itself hold (not yet negated: `~empty r` asks this for `empty r`)?
  [[nodiscard]] bool test(const Axiom& axiom) const;
  [[nodiscard]] bool is_satisfied(const Axiom& axiom) const {
    return test(axiom) != axiom.is_negated;
  }

  [[nodiscard]] std::size_t event_count() const override { return count_; }
  [[nodiscard]] const relation::BitSet& set(NodeId node) const override;
  [[nodiscard]] const relation::BitMatrix& relation(NodeId node) const override;
  void store(NodeId node, const ConcreteValue& value);

private:
  friend class BoundEvaluator;
  /// Takes over events, plan and static values; all else is 0.
  void adopt(const Evaluator& other);
  void fill_all(NodeId node);
  void compute(NodeId node);
  template <std::size_t kStride>
  void compute_rows(NodeId node);
  void iterate(const EvaluationPlan::Group& group);
  [[nodiscard]] std::size_t size_of(NodeId node) const {
    return core_.nodes[node].is_set ? stride_ : count_ * stride_;
  }
  [[nodiscard]] bool is_acyclic(const std::uint64_t* rows) const;

  std::shared_ptr<const EvaluationPlan> general_; // for any events
  std::shared_ptr<const EvaluationPlan> plan_;    // for those at hand
  const Core& core_;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
  IdVector<NodeId, std::size_t> offsets_;
  std::vector<std::uint64_t> arena_;
  mutable std::map<NodeId, relation::BitSet> sets_;
  mutable std::map<NodeId, relation::BitMatrix> relations_;
};

} // namespace heddle::memory
