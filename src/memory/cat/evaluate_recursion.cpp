// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// let rec: functions that call each other, and simultaneous least fixpoints.
#include "memory/cat/evaluate.h"
#include "memory/cat/influence.h"

#include <algorithm>

namespace heddle::memory::cat {

const Scope*
Evaluator::bind_recursive(const std::vector<Binding>& bindings, const Scope* scope, SourceLoc loc) {
  for (const Binding& binding : bindings) {
    if (binding.pattern.is_tuple) {
      complain(binding.loc, "CAT-017", "a recursive definition needs one name, not a tuple");
      return nullptr;
    }
  }
  const bool are_functions = std::all_of(bindings.begin(), bindings.end(), [](const Binding& b) {
    return b.value->kind == ExprKind::kFunction;
  });
  return are_functions ? bind_closures(bindings, scope) : bind_fixpoint(bindings, scope, loc);
}

const Scope* Evaluator::bind_closures(const std::vector<Binding>& bindings, const Scope* scope) {
  std::vector<Scope*> made;
  for (const Binding& binding : bindings) {
    session_->scopes.push_back({binding.pattern.names[0], {Bad{}}, scope});
    made.push_back(&session_->scopes.back());
    scope = made.back();
  }
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    auto closure = std::make_shared<Closure>();
    closure->function = bindings[i].value.get();
    closure->scope = scope;
    closure->name = bindings[i].pattern.names[0];
    made[i]->value = {ClosurePtr(std::move(closure))};
  }
  return scope;
}

namespace {

enum class Kind : std::uint8_t { kUnknown, kSet, kRelation };

} // namespace

const Scope*
Evaluator::bind_fixpoint(const std::vector<Binding>& bindings, const Scope* scope, SourceLoc loc) {
  evaluated_recursions_.insert(&bindings);
  const std::size_t count = bindings.size();
  std::vector<Kind> kinds(count, Kind::kUnknown);
  std::vector<NodeId> variables;
  std::vector<Value> bodies;
  const Scope* inner = scope;
  const std::size_t errors_before = errors_.size();
  // The kinds of the variables first: a round finds those that follow from the ones known.
  bool is_last = false;
  while (true) {
    errors_.resize(errors_before);
    std::vector<bool> are_sets;
    for (const Kind kind : kinds)
      are_sets.push_back(kind == Kind::kSet);
    variables = builder_.open_recursion(are_sets);
    inner = scope;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_known = kinds[i] != Kind::kUnknown || is_last;
      inner = bind(
          inner, bindings[i].pattern.names[0], is_known ? Value{variables[i]} : Value{Nothing{}});
    }
    bodies.clear();
    bool is_new = false;
    bool is_complete = true;
    for (std::size_t i = 0; i < count; ++i) {
      bodies.push_back(eval(*bindings[i].value, inner));
      if (kinds[i] == Kind::kUnknown && bodies[i].is<NodeId>()) {
        kinds[i] = builder_.is_set(bodies[i].as<NodeId>()) ? Kind::kSet : Kind::kRelation;
        is_new = true;
      }
      is_complete = is_complete && kinds[i] != Kind::kUnknown;
    }
    if (is_new)
      continue;
    if (is_complete || is_last)
      break;
    is_last = true; // what is left is empty whatever it is; a relation then
    for (Kind& kind : kinds)
      kind = kind == Kind::kUnknown ? Kind::kRelation : kind;
  }
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < count; ++i) {
    const SourceLoc place = bindings[i].value->loc;
    const std::optional<NodeId> node =
        kinds[i] == Kind::kSet ? to_set(bodies[i], place) : to_relation(bodies[i], place);
    if (!node) {
      inner = scope;
      for (const Binding& binding : bindings)
        inner = bind(inner, binding.pattern.names[0], {Bad{}});
      return inner;
    }
    nodes.push_back(*node);
  }
  bool is_monotone = true;
  std::vector<bool> grows;
  std::vector<NodeId> results;
  const bool hides = std::any_of(
      nodes.begin(), nodes.end(), [&](NodeId node) { return builder_.hides(node, variables); });
  if (hides)
    complain(loc,
             "CAT-018",
             "recursion through what is computed element by element on an execution is not "
             "supported; use a recursive function");
  else if (!is_well_founded(variables, nodes, is_monotone, grows))
    complain(loc,
             "CAT-018",
             "this recursion is not well founded: a name depends on its own absence (through '~' "
             "or the right side of '\\'), and not every cycle of names has one that only grows "
             "(x = x | ...)");
  else
    results = builder_.close_recursion(variables, nodes, is_monotone, grows);
  inner = scope;
  for (std::size_t i = 0; i < count; ++i)
    inner = bind(
        inner, bindings[i].pattern.names[0], results.empty() ? Value{Bad{}} : Value{results[i]});
  return inner;
}

namespace {

class Polarity {
public:
  Polarity(const CoreBuilder& builder, const Core& core, NodeId variable)
      : builder_(builder), core_(core), variable_(variable), memo_(core.nodes.size()) {}

  Influence of(NodeId id) {
    if (!id.is_valid())
      return {};
    if (id == variable_)
      return {true, false};
    Entry& entry = memo_[id];
    if (entry.is_known)
      return entry.influence;
    entry.is_known = true;
    const Influence found = compute(builder_.node(id));
    memo_[id].influence = found;
    return found;
  }

private:
  struct Entry {
    bool is_known = false;
    Influence influence = {};
  };
  static Influence both(Influence a, Influence b) {
    return {a.positive || b.positive, a.negative || b.negative};
  }
  static Influence turned(Influence a) { return {a.negative, a.positive}; }

  Influence compute(const Node& node) {
    switch (node.op) {
    case NodeOp::kDifference:
      return both(of(node.left), turned(of(node.right)));
    case NodeOp::kComplement:
      return turned(of(node.left));
    case NodeOp::kOpaque: {
      Influence all;
      for (const NodeId input : core_.opaques[node.index].inputs)
        all = both(all, of(input));
      return all.positive || all.negative ? Influence{true, true} : all;
    }
    case NodeOp::kRecursive: {
      // An inner recursion: what its bodies say, in whatever polarity if it is not monotone.
      const Recursion& inner = core_.recursions[node.index];
      Influence all;
      for (const NodeId body : inner.bodies)
        all = both(all, of(body));
      if (!inner.is_monotone && (all.positive || all.negative))
        return {true, true};
      return all;
    }
    default:
      return both(of(node.left), of(node.right));
    }
  }

  const CoreBuilder& builder_;
  const Core& core_;
  NodeId variable_;
  IdVector<NodeId, Entry> memo_;
};

bool has_operand(const CoreBuilder& builder, NodeId id, NodeId wanted) {
  if (id == wanted)
    return true;
  const Node& node = builder.node(id);
  return node.op == NodeOp::kUnion &&
         (has_operand(builder, node.left, wanted) || has_operand(builder, node.right, wanted));
}

} // namespace

bool has_cycle(const InfluenceGraph& edges, const std::vector<bool>& skipped, bool only_negative) {
  const std::size_t count = edges.size();
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
  const auto is_edge = [&](std::size_t a, std::size_t b) {
    return !skipped[a] && !skipped[b] && edges[a][b].is_any();
  };
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      reaches[a][b] = is_edge(a, b);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        if (reaches[a][k] && reaches[k][b])
          reaches[a][b] = true;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      if (is_edge(a, b) && (edges[a][b].negative || !only_negative) && (a == b || reaches[b][a]))
        return true;
  return false;
}

bool Evaluator::is_well_founded(const std::vector<NodeId>& variables,
                                const std::vector<NodeId>& bodies,
                                bool& is_monotone,
                                std::vector<bool>& grows) const {
  const std::size_t count = variables.size();
  InfluenceGraph edges(count, std::vector<Influence>(count));
  for (std::size_t v = 0; v < count; ++v) {
    Polarity polarity(builder_, builder_.core(), variables[v]);
    for (std::size_t b = 0; b < count; ++b)
      edges[b][v] = polarity.of(bodies[b]);
  }
  is_monotone = !has_cycle(edges, std::vector<bool>(count, false), true);
  if (is_monotone)
    return true;
  // The variables that only grow must break every cycle: what is left is then computed from them
  // in a fixed number of rounds, and the iteration ends when they stop growing.
  grows.assign(count, false);
  for (std::size_t i = 0; i < count; ++i)
    grows[i] = has_operand(builder_, bodies[i], variables[i]);
  return !has_cycle(edges, grows, false);
}

} // namespace heddle::memory::cat
