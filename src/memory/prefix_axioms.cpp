// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What nodes of a core are on a part of an execution, compared with what they are on the whole.
#include "memory/prefix_axioms.h"

#include "memory/growth.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::memory {

namespace {

/// Which events a part has; rf and co are those of the whole.
enum class Part : std::uint8_t {
  /// The initial writes, and with an event those before it in its thread, what it reads from, and
  /// the other parts of the same access.
  kPrefix,
  /// All but some reads and fences that belong to no update, and from which nothing is computed.
  kWithoutReads,
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
  OnParts made = plain(Growth::kFixed);
  made.keeps_sources = is_inside_access || is_one_of(name, kFromEarlier);
  made.keeps_targets = is_inside_access;
  return made;
}

class PartAnalysis {
public:
  PartAnalysis(const Core& core, Part part) : core_(core), part_(part), found_(core.nodes.size()) {}

  /// From everything is known down to what is: recursions begin empty, and of the empty relation
  /// everything holds.
  const IdVector<NodeId, OnParts>& run() {
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
        const NodeId id{i};
        const OnParts now = meet(found_[id], compute(core_.nodes[id]));
        if (!(now == found_[id])) {
          found_[id] = now;
          changes = true;
        }
      }
    }
    return found_;
  }

private:
  [[nodiscard]] OnParts of(NodeId id) const { return id.is_valid() ? found_[id] : OnParts{}; }

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
  const bool flags_what_is_there = axiom.is_negated == (axiom.role == Axiom::Role::kFlag);
  return axiom.kind == Axiom::Kind::kEmpty && flags_what_is_there &&
         is_between_threads(core, axiom.node) &&
         only_gains(turned(PartAnalysis(core, Part::kWithoutReads).run()[axiom.node].growth));
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
