// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the nodes of a core depend on, and how.
#include "memory/core.h"

#include "memory/growth.h"
#include "support/overloaded.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::memory {

namespace {

Dependence join(const Dependence& a, const Dependence& b) {
  return {a.rf || b.rf, a.co || b.co, a.generators | b.generators};
}
bool operator!=(const Dependence& a, const Dependence& b) {
  return a.rf != b.rf || a.co != b.co || a.generators != b.generators;
}

class Dependences {
public:
  explicit Dependences(const Core& core) : core_(core), found_(core.nodes.size()) {}

  IdVector<NodeId, Dependence> run() {
    // Recursions make cycles: until nothing changes.
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
        const NodeId id{i};
        const Dependence now = compute(core_.nodes[id]);
        if (now != found_[id]) {
          found_[id] = now;
          changes = true;
        }
      }
    }
    return std::move(found_);
  }

private:
  [[nodiscard]] Dependence of(NodeId id) const { return id.is_valid() ? found_[id] : Dependence{}; }

  [[nodiscard]] Dependence compute(const Node& node) const {
    Dependence all = join(of(node.left), of(node.right));
    if (node.op == NodeOp::kBaseRelation) {
      const std::string& name = core_.base_names[node.index];
      all.rf = name == "rf" || name == "rf-reg";
      all.co = name == "co";
    } else if (node.op == NodeOp::kBaseSet) {
      all.co = core_.base_names[node.index] == "FW";
    } else if (node.op == NodeOp::kRecursive) {
      for (const NodeId body : core_.recursions[node.index].bodies)
        all = join(all, of(body));
    } else if (node.op == NodeOp::kOpaque) {
      for (const NodeId input : core_.opaques[node.index].inputs)
        all = join(all, of(input));
    } else if (node.op == NodeOp::kGenerated) {
      all.generators |= 1U << std::min(node.index, 31U);
      std::visit(Overloaded{[&](const Generator::Coherence& how) {
                              all = join(all, join(of(how.writes), of(how.partial)));
                              all.co = true;
                            },
                            [&](const Generator::Listed& how) {
                              for (const NodeId input : how.values.inputs)
                                all = join(all, of(input));
                            }},
                 core_.generators[node.index].how);
    }
    return all;
  }

  const Core& core_;
  IdVector<NodeId, Dependence> found_;
};

} // namespace

IdVector<NodeId, Dependence> dependences(const Core& core) {
  return Dependences(core).run();
}

namespace {

/// Base relations that say something of two events and nothing else: they stay as they are when
/// other events come.
bool is_fixed_relation(std::string_view name) {
  constexpr std::array<std::string_view, 12> kFixed = {"loc",
                                                       "int",
                                                       "ext",
                                                       "po",
                                                       "addr",
                                                       "data",
                                                       "same-instance",
                                                       "same-instr",
                                                       "sm",
                                                       "si",
                                                       "same-gpr",
                                                       "amo"};
  return std::find(kFixed.begin(), kFixed.end(), name) != kFixed.end();
}

enum class Grows : std::uint8_t {
  kCoherence,
  kEdges,
  kEvents,
};

class Growths {
public:
  Growths(const Core& core, Grows grows)
      : core_(core), with_events_(grows != Grows::kCoherence && grows != Grows::kEdges),
        with_rf_(grows != Grows::kCoherence), found_(core.nodes.size(), Growth::kFixed) {}

  const IdVector<NodeId, Growth>& run() {
    // Recursions make cycles; each step only loses precision, so this ends.
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
        const NodeId id{i};
        const Growth now = both(found_[id], compute(core_.nodes[id]));
        if (now != found_[id]) {
          found_[id] = now;
          changes = true;
        }
      }
    }
    return found_;
  }

private:
  [[nodiscard]] Growth of(NodeId id) const { return id.is_valid() ? found_[id] : Growth::kFixed; }

  [[nodiscard]] Growth compute(const Node& node) const {
    switch (node.op) {
    case NodeOp::kBaseSet: // tags and kinds stay; which writes are final does not
      return core_.base_names[node.index] == "FW" ? Growth::kAny : Growth::kFixed;
    case NodeOp::kBaseRelation: {
      const std::string& name = core_.base_names[node.index];
      if (name == "co" || (name == "rf" && with_rf_))
        return Growth::kIncreases;
      return is_fixed_relation(name) || !with_events_ ? Growth::kFixed : Growth::kAny;
    }
    case NodeOp::kEmptySet:
    case NodeOp::kEmptyRelation:
    case NodeOp::kUniverse:
    case NodeOp::kIdentity:
      return Growth::kFixed;
    case NodeOp::kDifference:
      return both(of(node.left), turned(of(node.right)));
    case NodeOp::kComplement:
      return turned(of(node.left));
    case NodeOp::kUnion:
    case NodeOp::kIntersection:
    case NodeOp::kProduct:
    case NodeOp::kIdentityOn:
    case NodeOp::kInverse:
    case NodeOp::kOptional:
      return both(of(node.left), of(node.right));
    // A new event in the middle adds to what was between the old ones; it never takes away.
    case NodeOp::kCompose:
    case NodeOp::kTransitive:
    case NodeOp::kReflexiveTrans:
    case NodeOp::kDomain:
    case NodeOp::kRange:
      return both(both(of(node.left), of(node.right)),
                  with_events_ ? Growth::kIncreases : Growth::kFixed);
    case NodeOp::kRecursive: {
      Growth all = with_events_ ? Growth::kIncreases : Growth::kFixed;
      const Recursion& recursion = core_.recursions[node.index];
      for (const NodeId body : recursion.bodies)
        all = both(all, of(body));
      return recursion.is_monotone || all == Growth::kFixed ? all : Growth::kAny;
    }
    case NodeOp::kGenerated:
      return std::holds_alternative<Generator::Coherence>(core_.generators[node.index].how)
                 ? Growth::kIncreases
                 : Growth::kAny;
    case NodeOp::kOpaque: {
      Growth all = with_events_ ? Growth::kAny : Growth::kFixed;
      for (const NodeId input : core_.opaques[node.index].inputs)
        all = both(all, of(input));
      return all == Growth::kFixed ? all : Growth::kAny;
    }
    }
    return Growth::kAny;
  }

  const Core& core_;
  bool with_events_;
  bool with_rf_;
  IdVector<NodeId, Growth> found_;
};

} // namespace

void analyse_core(Core& core) {
  Growths with_coherence(core, Grows::kCoherence);
  Growths with_edges(core, Grows::kEdges);
  Growths with_events(core, Grows::kEvents);
  const IdVector<NodeId, Growth>& coherence = with_coherence.run();
  const IdVector<NodeId, Growth>& edges = with_edges.run();
  const IdVector<NodeId, Growth>& events = with_events.run();
  for (Axiom& axiom : core.axioms) {
    const bool can_break = axiom.role == Axiom::Role::kRequire && !axiom.is_negated;
    axiom.is_monotone = can_break && only_gains(edges[axiom.node]);
    axiom.is_monotone_in_co = can_break && only_gains(coherence[axiom.node]);
    axiom.is_monotone_in_events = can_break && only_gains(events[axiom.node]);
  }
}

} // namespace heddle::memory
