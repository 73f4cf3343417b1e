// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What nodes of a core are on a part of an execution, compared with what they are on the whole.
//
// Updates that write what they found. Let u be such an update, r its read, w its write, and w0 the
// write it reads from, of the same place and value. Without u, who has read from w reads from w0:
// rf gains (w0, r') where the whole has w0 rf r, r rmw w, w rf r'. Nothing else is new. That is
// still of the whole
// - in a closure of a union that has rf and one of co, po and rmw (w0 co w; r po w), and so in the
//   cycles of such a union;
// - behind a release sequence: x; rf, where x ends in (rf; rmw)* or (rf; rmw)+, which may go on
//   through u;
// - in rf^-1; co: what comes after w0, other than w, comes after w, since no write is between the
//   two.
// Of the last and of w0 co w the model must be sure (memory/coherence.h). Where it looks at rf in
// any other way (as rfe in most models of processors, where u can hide which thread has written),
// nothing is claimed. Of several such updates one is left out after the other.
#include "memory/prefix_axioms.h"

#include "memory/coherence.h"
#include "memory/growth.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::memory {

namespace {

/// Which events a part has; rf and co are those of the whole.
enum class Part : std::uint8_t {
  /// The initial writes, and with an event those before it in its thread, what it reads from, and
  /// the other parts of the same access.
  kPrefix,
  /// All but some reads and fences that belong to no update, and from which nothing is computed.
  kWithoutReads,
  /// All but some updates that write what they found, if no access is cut into pieces. rf is
  /// another one: see above.
  kWithoutEqualUpdates,
};

struct OnParts {
  Growth growth = Growth::kFixed; // from the part to the whole, between events of the part
  /// A pair whose target is in the part has its source there, and the other way round.
  bool keeps_sources = true;
  bool keeps_targets = true;
  /// Sources (targets) are in every part. Of a set: its elements are.
  bool has_sure_sources = true;
  bool has_sure_targets = true;
  bool operator==(const OnParts&) const = default;
};

OnParts plain(Growth growth) {
  return {growth, false, false, false, false};
}

/// Both of what is known of the one and the other.
OnParts meet(const OnParts& a, const OnParts& b) {
  return {both(a.growth, b.growth),
          a.keeps_sources && b.keeps_sources,
          a.keeps_targets && b.keeps_targets,
          a.has_sure_sources && b.has_sure_sources,
          a.has_sure_targets && b.has_sure_targets};
}

/// A pair is in both, so that what is known of either is known of it.
OnParts intersection(const OnParts& a, const OnParts& b) {
  return {both(a.growth, b.growth),
          a.keeps_sources || b.keeps_sources,
          a.keeps_targets || b.keeps_targets,
          a.has_sure_sources || b.has_sure_sources,
          a.has_sure_targets || b.has_sure_targets};
}

OnParts inverse(const OnParts& r) {
  return {r.growth, r.keeps_targets, r.keeps_sources, r.has_sure_targets, r.has_sure_sources};
}

/// Through an event that the part need not have, the whole relates more.
Growth through(bool keeps_middle, Growth growth) {
  return keeps_middle ? growth : both(growth, Growth::kIncreases);
}

OnParts composition(const OnParts& a, const OnParts& b) {
  return {through(a.keeps_targets || b.keeps_sources, both(a.growth, b.growth)),
          (a.keeps_sources && b.keeps_sources) || a.has_sure_sources,
          (a.keeps_targets && b.keeps_targets) || b.has_sure_targets,
          a.has_sure_sources,
          b.has_sure_targets};
}

OnParts with_identity(OnParts r) {
  r.has_sure_sources = false;
  r.has_sure_targets = false;
  return r;
}

OnParts closure(OnParts r) {
  r.growth = through(r.keeps_sources || r.keeps_targets, r.growth);
  return r;
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

OnParts base_set(Part part, std::string_view name) {
  constexpr std::array<std::string_view, 4> kNeverReads = {"W", "IW", "FW", "EX"};
  OnParts made = plain(Growth::kFixed);
  if (part == Part::kWithoutReads) {
    made.has_sure_sources = is_one_of(name, kNeverReads);
    return made;
  }
  if (part == Part::kWithoutEqualUpdates && name != "FW") {
    made.has_sure_sources = name == "IW";
    return made;
  }
  if (name == "FW") // which write is the last one changes
    made.growth = Growth::kAny;
  else if (name == "RMW" || name == "X") // its other half may be still to come
    made.growth = Growth::kIncreases;
  made.has_sure_sources = name == "IW";
  return made;
}

OnParts base_relation(Part part, std::string_view name) {
  constexpr std::array<std::string_view, 9> kFromEarlier = {
      "po", "rf", "addr", "data", "ctrl", "rmw", "lxsx", "iico_data", "iico_ctrl"};
  constexpr std::array<std::string_view, 3> kUpdates = {"rmw", "amo", "lxsx"};
  // A thread does not stop between the parts of an access, and they are left out together.
  const bool is_inside_access = name == "amo" || name == "sm";
  if (part == Part::kWithoutReads) {
    const bool is_kept = name == "co" || is_one_of(name, kUpdates);
    const bool has_source = is_kept || name == "rf";
    return {Growth::kFixed,
            has_source || is_inside_access,
            is_kept || is_inside_access,
            has_source,
            is_kept};
  }
  if (part == Part::kWithoutEqualUpdates) {
    const bool is_kept = is_inside_access || is_one_of(name, kUpdates);
    return {name == "rf" ? Growth::kAny : Growth::kFixed, is_kept, is_kept, false, false};
  }
  OnParts made = plain(Growth::kFixed);
  made.keeps_sources = is_inside_access || is_one_of(name, kFromEarlier);
  made.keeps_targets = is_inside_access;
  return made;
}

class PartAnalysis {
public:
  PartAnalysis(const Core& core, Part part)
      : core_(core), part_(part), found_(core.nodes.size()), is_empty_(core.nodes.size(), false) {
    if (part == Part::kWithoutEqualUpdates)
      find_empty();
  }

  /// From everything is known down to what is: recursions begin empty, and of the empty relation
  /// everything holds.
  const IdVector<NodeId, OnParts>& run() {
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
        const NodeId id{i};
        const OnParts now = meet(found_[id], compute(id));
        if (!(now == found_[id])) {
          found_[id] = now;
          changes = true;
        }
      }
    }
    return found_;
  }

  [[nodiscard]] Growth growth_of(NodeId id) const { return found_[id].growth; }
  /// Of the cycles of the node.
  [[nodiscard]] Growth growth_of_cycles(NodeId id) const {
    return part_ == Part::kWithoutEqualUpdates && is_closed_over_updates(id) ? Growth::kIncreases
                                                                             : found_[id].growth;
  }

private:
  [[nodiscard]] OnParts of(NodeId id) const { return id.is_valid() ? found_[id] : OnParts{}; }

  // For updates that write what they found.

  [[nodiscard]] bool is_base(NodeId id, std::string_view name) const {
    const Node& node = core_.nodes[id];
    return node.op == NodeOp::kBaseRelation && core_.base_names[node.index] == name;
  }
  [[nodiscard]] bool is_co(NodeId id) const {
    const Node& node = core_.nodes[id];
    return is_base(id, "co") ||
           (node.op == NodeOp::kGenerated &&
            std::holds_alternative<Generator::Coherence>(core_.generators[node.index].how));
  }

  /// Where no access is cut into pieces.
  void find_empty() {
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
        const Node& node = core_.nodes[NodeId{i}];
        const auto is_empty = [&](NodeId id) { return id.is_valid() && is_empty_[id]; };
        bool now = false;
        if (node.op == NodeOp::kDifference)
          now = is_empty(node.left) ||
                (is_base(node.left, "sm") && core_.nodes[node.right].op == NodeOp::kIdentity);
        else if (node.op == NodeOp::kCompose || node.op == NodeOp::kIntersection)
          now = is_empty(node.left) || is_empty(node.right);
        else if (node.op == NodeOp::kUnion)
          now = is_empty(node.left) && is_empty(node.right);
        changes = changes || (now && !is_empty_[NodeId{i}]);
        is_empty_[NodeId{i}] = is_empty_[NodeId{i}] || now;
      }
    }
  }

  void add_factors(NodeId id, std::vector<NodeId>& factors) const {
    const Node& node = core_.nodes[id];
    if (node.op != NodeOp::kCompose) {
      factors.push_back(id);
      return;
    }
    add_factors(node.left, factors);
    add_factors(node.right, factors);
  }
  [[nodiscard]] std::vector<NodeId> factors_of(NodeId id) const {
    std::vector<NodeId> factors;
    add_factors(id, factors);
    return factors;
  }
  /// (rf; rmw)* or (rf; rmw)+.
  [[nodiscard]] bool is_chain_of_updates(NodeId id) const {
    const Node& node = core_.nodes[id];
    if (node.op != NodeOp::kTransitive && node.op != NodeOp::kReflexiveTrans)
      return false;
    const std::vector<NodeId> factors = factors_of(node.left);
    return factors.size() == 2 && is_base(factors[0], "rf") && is_base(factors[1], "rmw");
  }
  /// A union that has rf and a way through the update, and is as much on the whole otherwise.
  [[nodiscard]] bool is_closed_over_updates(NodeId id) const {
    bool has_rf = false;
    bool has_way = false;
    std::vector<NodeId> pending{id};
    while (!pending.empty()) {
      const NodeId part = pending.back();
      pending.pop_back();
      if (core_.nodes[part].op == NodeOp::kUnion) {
        pending.push_back(core_.nodes[part].left);
        pending.push_back(core_.nodes[part].right);
        continue;
      }
      const bool is_rf = is_base(part, "rf");
      has_rf = has_rf || is_rf;
      has_way = has_way || is_co(part) || is_base(part, "po") || is_base(part, "rmw");
      if (!is_rf && !only_gains(found_[part].growth))
        return false;
    }
    return has_rf && has_way;
  }
  [[nodiscard]] OnParts compute_composition(NodeId id) const {
    const std::vector<NodeId> factors = factors_of(id);
    OnParts made = with_identity({});
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const Node& node = core_.nodes[factors[i]];
      OnParts next = found_[factors[i]];
      if (node.op == NodeOp::kInverse && is_base(node.left, "rf") && i + 1 < factors.size() &&
          is_co(factors[i + 1])) {
        next = plain(Growth::kIncreases);
        ++i;
      } else if (is_base(factors[i], "rf") && i > 0 && is_chain_of_updates(factors[i - 1])) {
        next = plain(Growth::kIncreases);
      }
      made = composition(made, next);
    }
    return made;
  }

  [[nodiscard]] OnParts compute(NodeId id) const {
    const Node& node = core_.nodes[id];
    if (part_ == Part::kWithoutEqualUpdates) {
      if (is_empty_[id])
        return {};
      if (node.op == NodeOp::kCompose)
        return compute_composition(id);
      if ((node.op == NodeOp::kTransitive || node.op == NodeOp::kReflexiveTrans) &&
          (is_chain_of_updates(id) || is_closed_over_updates(node.left)))
        return plain(Growth::kIncreases);
    }
    return compute(node);
  }

  [[nodiscard]] OnParts compute(const Node& node) const {
    const OnParts left = of(node.left);
    const OnParts right = of(node.right);
    switch (node.op) {
    case NodeOp::kBaseSet:
      return base_set(part_, core_.base_names[node.index]);
    case NodeOp::kBaseRelation:
      return base_relation(part_, core_.base_names[node.index]);
    case NodeOp::kEmptySet:
    case NodeOp::kEmptyRelation:
      return {};
    case NodeOp::kUniverse:
      return plain(Growth::kFixed);
    case NodeOp::kIdentity:
      return with_identity({});
    case NodeOp::kUnion:
      return meet(left, right);
    case NodeOp::kIntersection:
      return intersection(left, right);
    case NodeOp::kDifference: {
      OnParts made = left;
      made.growth = both(left.growth, turned(right.growth));
      return made;
    }
    case NodeOp::kComplement:
      return plain(turned(left.growth));
    case NodeOp::kProduct:
      return {both(left.growth, right.growth),
              left.has_sure_sources,
              right.has_sure_sources,
              left.has_sure_sources,
              right.has_sure_sources};
    case NodeOp::kIdentityOn:
      return {left.growth, true, true, left.has_sure_sources, left.has_sure_sources};
    case NodeOp::kInverse:
      return inverse(left);
    case NodeOp::kOptional:
      return with_identity(left);
    case NodeOp::kCompose:
      return composition(left, right);
    case NodeOp::kTransitive:
      return closure(left);
    case NodeOp::kReflexiveTrans:
      return with_identity(closure(left));
    case NodeOp::kDomain:
      return elements(left.keeps_targets, left.growth, left.has_sure_sources);
    case NodeOp::kRange:
      return elements(left.keeps_sources, left.growth, left.has_sure_targets);
    case NodeOp::kRecursive:
      return recursive(core_.recursions[node.index], node.position);
    case NodeOp::kGenerated:
      return std::holds_alternative<Generator::Coherence>(core_.generators[node.index].how)
                 ? base_relation(part_, "co")
                 : plain(Growth::kAny);
    case NodeOp::kOpaque:
      return plain(Growth::kAny);
    }
    return plain(Growth::kAny);
  }

  [[nodiscard]] static OnParts elements(bool keeps_others, Growth growth, bool are_sure) {
    OnParts made = plain(through(keeps_others, growth));
    made.has_sure_sources = are_sure;
    return made;
  }

  [[nodiscard]] OnParts recursive(const Recursion& recursion, std::uint32_t position) const {
    OnParts made = of(recursion.bodies[position]);
    for (const NodeId body : recursion.bodies)
      made.growth = both(made.growth, of(body).growth);
    if (!recursion.is_monotone && made.growth != Growth::kFixed)
      made.growth = Growth::kAny;
    return made;
  }

  const Core& core_;
  Part part_;
  IdVector<NodeId, OnParts> found_;
  IdVector<NodeId, bool> is_empty_;
};

/// Are all pairs of the node of two threads, by the way it is written?
bool is_between_threads(const Core& core, NodeId id) {
  const Node& node = core.nodes[id];
  switch (node.op) {
  case NodeOp::kBaseRelation:
    return core.base_names[node.index] == "ext";
  case NodeOp::kIntersection:
    return is_between_threads(core, node.left) || is_between_threads(core, node.right);
  case NodeOp::kUnion:
    return is_between_threads(core, node.left) && is_between_threads(core, node.right);
  case NodeOp::kDifference:
  case NodeOp::kInverse:
    return is_between_threads(core, node.left);
  default:
    return false;
  }
}

/// Is the base relation one of those whose union the node is?
bool is_part_of_union(const Core& core, NodeId id, std::string_view name) {
  const Node& node = core.nodes[id];
  if (node.op == NodeOp::kUnion)
    return is_part_of_union(core, node.left, name) || is_part_of_union(core, node.right, name);
  return node.op == NodeOp::kBaseRelation && core.base_names[node.index] == name;
}

bool is_flagged_without(Part part, const Core& core, const Axiom& axiom) {
  const bool flags_what_is_there = axiom.is_negated == (axiom.role == Axiom::Role::kFlag);
  return axiom.kind == Axiom::Kind::kEmpty && flags_what_is_there &&
         is_between_threads(core, axiom.node) &&
         only_gains(turned(PartAnalysis(core, part).run()[axiom.node].growth));
}

} // namespace

bool holds_of_prefixes(const Core& core, const Axiom& axiom) {
  return !axiom.is_negated &&
         only_gains(PartAnalysis(core, Part::kPrefix).run()[axiom.node].growth);
}

bool holds_without_reads(const Core& core, const Axiom& axiom) {
  return !axiom.is_negated &&
         only_gains(PartAnalysis(core, Part::kWithoutReads).run()[axiom.node].growth);
}

bool only_gains_with_reads(const Core& core, NodeId node) {
  return only_gains(PartAnalysis(core, Part::kWithoutReads).run()[node].growth);
}

bool is_flagged_without_reads(const Core& core, const Axiom& axiom) {
  return is_flagged_without(Part::kWithoutReads, core, axiom);
}

bool holds_without_equal_updates(const Core& core) {
  const Coherence coherence = find_coherence(core);
  if (!coherence.is_per_location || !coherence.updates)
    return false;
  const Node& updates = core.nodes[*coherence.updates];
  if (updates.op != NodeOp::kBaseRelation || core.base_names[updates.index] != "rmw")
    return false;
  PartAnalysis analysis(core, Part::kWithoutEqualUpdates);
  analysis.run();
  return std::all_of(core.axioms.begin(), core.axioms.end(), [&](const Axiom& axiom) {
    return axiom.role != Axiom::Role::kRequire ||
           (!axiom.is_negated &&
            only_gains(axiom.kind == Axiom::Kind::kAcyclic ? analysis.growth_of_cycles(axiom.node)
                                                           : analysis.growth_of(axiom.node)));
  });
}

bool only_gains_with_equal_updates(const Core& core, NodeId node) {
  return only_gains(PartAnalysis(core, Part::kWithoutEqualUpdates).run()[node].growth);
}

bool is_flagged_without_equal_updates(const Core& core, const Axiom& axiom) {
  return is_flagged_without(Part::kWithoutEqualUpdates, core, axiom);
}

bool knows_no_dependencies(const Core& core) {
  constexpr std::array<std::string_view, 9> kOfOrderAndPlace = {
      "po", "rf", "co", "loc", "int", "ext", "rmw", "sm", "id"};
  const bool asks_for_none =
      std::all_of(core.nodes.begin(), core.nodes.end(), [&](const Node& node) {
        return node.op != NodeOp::kBaseRelation ||
               is_one_of(core.base_names[node.index], kOfOrderAndPlace);
      });
  return asks_for_none &&
         std::any_of(core.axioms.begin(), core.axioms.end(), [&](const Axiom& axiom) {
           return axiom.kind == Axiom::Kind::kAcyclic && axiom.role == Axiom::Role::kRequire &&
                  !axiom.is_negated && is_part_of_union(core, axiom.node, "po") &&
                  is_part_of_union(core, axiom.node, "rf");
         });
}

} // namespace heddle::memory
