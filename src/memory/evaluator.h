// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The value of a core on concrete executions, made for checking very many that differ only in rf,
// co and generated orders: everything has its place in one block of words, and a change recomputes
// only what depends on it. The reference for what the operators mean is bit_algebra.h.
#pragma once

#include "memory/core.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::memory {

/// When a node's value is fixed: by the events alone, by rf, by co, or by the n-th generated
/// relation (kGenerated + n).
enum class Stratum : std::uint8_t { kStatic, kReadsFrom, kCoherence, kGenerated };

class Evaluator final : public ConcreteValues {
public:
  /// Computes what the axioms need, and with `with_definitions` all named definitions as well.
  Evaluator(const Core& core, bool with_definitions);

  [[nodiscard]] const Core& core() const { return core_; }
  /// Begins with other events: all base values are empty.
  void start(std::size_t events);
  /// The words of a base set or relation to fill, or of a generated one: a row of stride() words
  /// for each event (one row for a set).
  [[nodiscard]] std::uint64_t* words(NodeId node) { return &arena_[offsets_[node]]; }
  [[nodiscard]] const std::uint64_t* words(NodeId node) const { return &arena_[offsets_[node]]; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  /// Base nodes that matter, with their names.
  struct Base {
    NodeId node;
    std::string_view name;
    bool is_set = false;
  };
  [[nodiscard]] const std::vector<Base>& bases() const { return bases_; }
  [[nodiscard]] NodeId rf() const { return rf_; } // not valid if nothing depends on it
  /// The base relation co, or what the coherence generator makes.
  [[nodiscard]] const std::vector<NodeId>& co() const { return co_; }
  [[nodiscard]] NodeId final_writes() const { return final_writes_; } // FW
  [[nodiscard]] unsigned stratum(NodeId node) const { return strata_[node]; }
  /// For this set of events, a generator that has just one choice, which depends on nothing else,
  /// is no choice.
  void settle_generator(std::size_t generator);

  /// Recomputes what has exactly that stratum; what it depends on is up to date. With
  /// `only_monotone`, only what axioms need that more of co can only break.
  void evaluate(unsigned stratum, bool only_monotone = false);
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
  struct Group {
    std::vector<NodeId> members;                      // in order; variables excluded
    std::vector<std::pair<NodeId, NodeId>> variables; // and bodies
    unsigned stratum = 0;
    bool is_for_monotone = false;
  };
  struct Step {
    NodeId node;
    std::optional<std::size_t> group;
    unsigned stratum = 0;
    bool is_for_monotone = false;
  };

  void find_needed(bool with_definitions);
  void find_strata();
  void make_schedule();
  void compute(NodeId node);
  void iterate(const Group& group);
  [[nodiscard]] std::size_t size_of(NodeId node) const {
    return core_.nodes[node].is_set ? stride_ : count_ * stride_;
  }
  void mark(NodeId root, IdVector<NodeId, bool>& marks) const;
  [[nodiscard]] bool is_acyclic(const std::uint64_t* rows) const;

  const Core& core_;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
  IdVector<NodeId, bool> needed_;
  IdVector<NodeId, bool> needed_for_monotone_;
  IdVector<NodeId, std::uint8_t> strata_;
  std::vector<bool> settled_;
  std::vector<Group> groups_;
  std::vector<Step> schedule_;
  IdVector<NodeId, std::size_t> offsets_;
  std::vector<std::uint64_t> arena_;
  std::vector<std::uint64_t> scratch_;
  std::vector<Base> bases_;
  NodeId rf_;
  std::vector<NodeId> co_;
  NodeId final_writes_;
  mutable std::map<NodeId, relation::BitSet> sets_;
  mutable std::map<NodeId, relation::BitMatrix> relations_;
};

} // namespace heddle::memory
