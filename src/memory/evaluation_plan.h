// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What of a core has to be computed on executions, in which order, and what a change of rf or co
// touches: all that depends on the model alone (evaluator.h computes).
#pragma once

#include "memory/coherence.h"
#include "memory/core.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::memory {

/// When a node's value is fixed: by the events alone, by rf, by co, or by the n-th generated
/// relation (kGenerated + n).
enum class Stratum : std::uint8_t { kStatic, kReadsFrom, kCoherence, kGenerated };
/// As numbers, of which there are more.
inline constexpr unsigned kStatic = static_cast<unsigned>(Stratum::kStatic);
inline constexpr unsigned kReadsFrom = static_cast<unsigned>(Stratum::kReadsFrom);
inline constexpr unsigned kCoherence = static_cast<unsigned>(Stratum::kCoherence);
inline constexpr unsigned kFirstGenerated = static_cast<unsigned>(Stratum::kGenerated);

/// What a stratum is computed for: all that is needed, only what axioms need that more of co can
/// only break, or only what the orders the engine chooses as co have to contain.
enum class Purpose : std::uint8_t { kAll, kMonotone, kPartialOrder };

/// Made once for all evaluators of a core.
class EvaluationPlan {
public:
  /// What the axioms need, and with `with_definitions` all named definitions as well. The core must
  /// outlive it.
  EvaluationPlan(const Core& core, bool with_definitions);
  /// The plan for events with which the generator has just one choice that depends on nothing else.
  [[nodiscard]] EvaluationPlan settled(std::size_t generator) const;
  /// The same without what only those axioms need, by position in the core.
  [[nodiscard]] EvaluationPlan without(const std::vector<bool>& axioms) const;

  /// Base nodes that matter, with their names.
  struct Base {
    NodeId node;
    std::string_view name;
    bool is_set = false;
  };
  /// Recursive definitions that are solved together.
  struct Group {
    std::vector<NodeId> members;                      // in order; variables excluded
    std::vector<std::pair<NodeId, NodeId>> variables; // and bodies
    unsigned stratum = 0;
    bool is_for_monotone = false;
    bool is_for_partial = false;
  };
  struct Step {
    NodeId node;
    std::optional<std::size_t> group;
    unsigned stratum = 0;
    bool is_for_monotone = false;
    bool is_for_partial = false;

    [[nodiscard]] bool is_for(Purpose purpose) const {
      return purpose == Purpose::kAll ||
             (purpose == Purpose::kMonotone ? is_for_monotone : is_for_partial);
    }
  };

  [[nodiscard]] const Core& core() const { return core_; }
  [[nodiscard]] const Coherence& coherence() const { return coherence_; }
  [[nodiscard]] const std::vector<NodeId>& needed() const { return needed_nodes_; }
  [[nodiscard]] unsigned stratum(NodeId node) const { return strata_[node]; }
  [[nodiscard]] bool is_settled(std::size_t generator) const { return settled_[generator]; }
  /// In an order in which all can be computed, stratum by stratum.
  [[nodiscard]] const std::vector<Step>& steps() const { return schedule_; }
  [[nodiscard]] std::span<const Step> steps(unsigned stratum) const;
  [[nodiscard]] const Group& group(std::size_t index) const { return groups_[index]; }
  [[nodiscard]] const std::vector<Base>& bases() const { return bases_; }
  [[nodiscard]] NodeId rf() const { return rf_; }
  [[nodiscard]] const std::vector<NodeId>& co() const { return co_; }
  [[nodiscard]] NodeId final_writes() const { return final_writes_; }
  /// By generator: its node; not valid if it has none.
  [[nodiscard]] const std::vector<NodeId>& generated() const { return generated_; }

private:
  void mark(NodeId root, IdVector<NodeId, bool>& marks) const;
  void mark_needed(const std::vector<bool>& left_out);
  void find_needed(bool with_definitions);
  void find_strata();
  void make_schedule();

  const Core& core_;
  Coherence coherence_;
  IdVector<NodeId, bool> needed_;
  IdVector<NodeId, bool> needed_for_monotone_;
  IdVector<NodeId, bool> needed_for_partial_;
  std::vector<NodeId> needed_nodes_;
  IdVector<NodeId, std::uint8_t> strata_;
  std::vector<bool> settled_;
  std::vector<Group> groups_;
  std::vector<Step> schedule_;
  std::vector<std::size_t> first_steps_; // by stratum; and the end
  std::vector<Base> bases_;
  NodeId rf_;
  std::vector<NodeId> co_;
  NodeId final_writes_;
  std::vector<NodeId> generated_;
};

} // namespace heddle::memory
