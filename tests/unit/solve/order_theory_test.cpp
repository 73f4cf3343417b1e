// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The ordering theory inside the core, on random graphs: against trying all assignments, against a
// naive theory that searches for cycles in full assignments only, and against acyclicity as
// clauses.
#include "random_formula.h"
#include "solve/cadical.h"
#include "solve/core/make_core.h"
#include "solve/order_theory.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

namespace heddle::solve::test {
namespace {

struct Instance {
  std::size_t variables = 0;
  Clauses clauses;
  std::vector<OrderGraph> graphs;
};

Instance random_instance(Rng& rng) {
  Instance instance;
  instance.variables = 4 + rng.below(9);
  const std::size_t count = 1 + rng.below(2);
  for (std::size_t g = 0; g < count; ++g) {
    OrderGraph graph;
    const std::size_t chains = 1 + rng.below(4);
    for (std::uint32_t chain = 0; chain < chains; ++chain) {
      const std::size_t length = 1 + rng.below(4);
      for (std::uint32_t i = 0; i < length; ++i)
        graph.nodes.push_back({.chain = chain * 3, .position = i * 5 + 1});
    }
    const auto node = [&] { return OrderNodeId{rng.below(graph.nodes.size())}; };
    const std::size_t edges = rng.below(4 * instance.variables);
    for (std::size_t i = 0; i < edges; ++i) {
      OrderEdge edge{
          .from = node(), .to = node(), .when = {random_literal(rng, instance.variables)}};
      if (rng.chance(1, 3))
        edge.when[1] = random_literal(rng, instance.variables);
      if (rng.chance(1, 12))
        edge.when = {};
      if (edge.when[0] == edge.when[1])
        edge.when[1] = Literal();
      graph.edges.push_back(edge);
    }
    instance.graphs.push_back(graph);
  }
  instance.clauses =
      random_clauses(rng, instance.variables, instance.variables * (100 + rng.below(150)) / 100);
  return instance;
}

void fill(OrderTheory& theory, const std::vector<OrderGraph>& graphs) {
  for (const OrderGraph& graph : graphs) {
    const OrderGraphId id = theory.add_graph();
    for (const OrderNode& node : graph.nodes)
      (void)theory.add_node(id, node.chain, node.position);
    for (const OrderEdge& edge : graph.edges) {
      if (edge.is_static())
        theory.add_edge(id, edge.from, edge.to);
      else if (edge.when[1].is_valid())
        theory.add_edge(id, edge.from, edge.to, edge.when[0], edge.when[1]);
      else
        theory.add_edge(id, edge.from, edge.to, edge.when[0]);
    }
  }
}

/// A cycle of the edges that are there, by depth-first search; empty if there is none.
template <class IsTrue>
bool is_acyclic(const OrderGraph& graph, const IsTrue& is_true) {
  const std::size_t nodes = graph.nodes.size();
  std::vector<std::vector<std::size_t>> out(nodes);
  for (std::size_t a = 0; a < nodes; ++a)
    for (std::size_t b = 0; b < nodes; ++b)
      if (graph.nodes[OrderNodeId{a}].chain == graph.nodes[OrderNodeId{b}].chain &&
          graph.nodes[OrderNodeId{a}].position < graph.nodes[OrderNodeId{b}].position)
        out[a].push_back(b);
  for (const OrderEdge& edge : graph.edges)
    if (std::ranges::all_of(edge.when,
                            [&](Literal when) { return !when.is_valid() || is_true(when); }))
      out[edge.from.index()].push_back(edge.to.index());
  std::vector<int> color(nodes, 0);
  const std::function<bool(std::size_t)> visit = [&](std::size_t node) {
    color[node] = 1;
    for (const std::size_t next : out[node])
      if (color[next] == 1 || (color[next] == 0 && !visit(next)))
        return false;
    color[node] = 2;
    return true;
  };
  for (std::size_t node = 0; node < nodes; ++node)
    if (color[node] == 0 && !visit(node))
      return false;
  return true;
}

template <class IsTrue>
bool accepts(const Instance& instance, const IsTrue& is_true) {
  return std::ranges::all_of(
             instance.clauses,
             [&](const auto& clause) { return std::ranges::any_of(clause, is_true); }) &&
         std::ranges::all_of(instance.graphs,
                             [&](const OrderGraph& graph) { return is_acyclic(graph, is_true); });
}

/// Looks at full assignments only and then forbids exactly this one.
class NaiveTheory final : public Propagator {
public:
  explicit NaiveTheory(const Instance& instance) : instance_(instance) {
    for (std::size_t i = 0; i < instance.variables; ++i)
      observed_.emplace_back(i);
  }
  std::span<const Variable> observed() const override { return observed_; }
  void on_assign(std::span<const Literal> literals) override {
    trail_.insert(trail_.end(), literals.begin(), literals.end());
  }
  void on_new_level() override { levels_.push_back(trail_.size()); }
  void on_backtrack(std::size_t level) override {
    trail_.resize(levels_[level]);
    levels_.resize(level);
  }
  Consequence propagate() override { return {}; }
  const Lemma& reason(Literal /*literal*/) override { return lemma_; }
  std::vector<Lemma> check() override {
    EXPECT_EQ(trail_.size(), instance_.variables);
    const auto is_true = [&](Literal literal) {
      return std::ranges::find(trail_, literal) != trail_.end();
    };
    if (std::ranges::all_of(instance_.graphs,
                            [&](const OrderGraph& g) { return is_acyclic(g, is_true); }))
      return {};
    Lemma lemma;
    std::ranges::transform(trail_, std::back_inserter(lemma.clause), [](Literal l) { return ~l; });
    return {lemma};
  }

private:
  const Instance& instance_;
  std::vector<Variable> observed_;
  std::vector<Literal> trail_;
  std::vector<std::size_t> levels_;
  Lemma lemma_;
};

/// A variable for each ordered pair that says "before": transitive, irreflexive, implied by edges.
void encode_acyclicity(Sat& sat, const OrderGraph& graph) {
  const std::size_t nodes = graph.nodes.size();
  std::vector<std::vector<Literal>> before(nodes, std::vector<Literal>(nodes));
  for (auto& row : before)
    for (Literal& literal : row)
      literal = Literal::from(sat.new_variable(), false);
  for (std::size_t a = 0; a < nodes; ++a) {
    sat.add_clause(std::vector{~before[a][a]});
    for (std::size_t b = 0; b < nodes; ++b) {
      const OrderNode& from = graph.nodes[OrderNodeId{a}];
      const OrderNode& to = graph.nodes[OrderNodeId{b}];
      if (from.chain == to.chain && from.position < to.position)
        sat.add_clause(std::vector{before[a][b]});
      for (std::size_t c = 0; c < nodes; ++c)
        sat.add_clause(std::vector{~before[a][b], ~before[b][c], before[a][c]});
    }
  }
  for (const OrderEdge& edge : graph.edges) {
    std::vector clause{before[edge.from.index()][edge.to.index()]};
    for (const Literal when : edge.when)
      if (when.is_valid())
        clause.push_back(~when);
    sat.add_clause(clause);
  }
}

RC_GTEST_PROP(OrderTheory, AgreesWithTryingAllAssignments, (std::uint64_t seed)) {
  Rng rng(seed);
  const Instance instance = random_instance(rng);
  const bool expected = some_assignment(
      instance.variables, [&](const auto& is_true) { return accepts(instance, is_true); });

  CoreOptions options;
  options.reduce_interval = 1 + rng.below(5);
  options.probe_interval = rng.below(5);
  options.eliminate_interval = rng.below(5);
  options.mode_interval = 1 + rng.below(5);
  OrderTheory theory;
  fill(theory, instance.graphs);
  const auto core = make_core(options);
  add_variables(*core, instance.variables);
  add_all(*core, instance.clauses);
  RC_ASSERT(core->connect(theory));
  const Answer answer = core->solve();
  RC_ASSERT((answer == Answer::kSatisfiable) == expected);
  if (expected)
    RC_ASSERT(accepts(instance, [&](Literal literal) { return core->value(literal); }));

  NaiveTheory naive(instance);
  const auto other = make_core(options);
  add_variables(*other, instance.variables);
  add_all(*other, instance.clauses);
  RC_ASSERT(other->connect(naive));
  RC_ASSERT(other->solve() == answer);

  const auto eager = make_cadical();
  add_variables(*eager, instance.variables);
  add_all(*eager, instance.clauses);
  for (const OrderGraph& graph : instance.graphs)
    encode_acyclicity(*eager, graph);
  RC_ASSERT(eager->solve() == answer);
}

/// Clauses, nodes, edges and assumptions come between calls.
RC_GTEST_PROP(OrderTheory, AgreesIncrementally, (std::uint64_t seed)) {
  Rng rng(seed);
  Instance all = random_instance(rng);
  const Instance whole = all;
  OrderTheory theory;
  CoreOptions options;
  options.probe_interval = rng.below(5);
  options.eliminate_interval = rng.below(5);
  const auto core = make_core(options);
  add_variables(*core, all.variables);
  RC_ASSERT(core->connect(theory));
  std::vector<OrderGraphId> ids;
  for (OrderGraph& graph : all.graphs) {
    ids.push_back(theory.add_graph());
    for (const OrderNode& node : graph.nodes)
      (void)theory.add_node(ids.back(), node.chain, node.position);
    graph.edges.clear();
  }
  all.clauses.clear();
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t i = whole.clauses.size() * round / 3;
         i < whole.clauses.size() * (round + 1) / 3;
         ++i) {
      core->add_clause(whole.clauses[i]);
      all.clauses.push_back(whole.clauses[i]);
    }
    for (std::size_t g = 0; g < ids.size(); ++g) {
      const auto& edges = whole.graphs[g].edges;
      for (std::size_t i = edges.size() * round / 3; i < edges.size() * (round + 1) / 3; ++i) {
        all.graphs[g].edges.push_back(edges[i]);
        if (edges[i].is_static())
          theory.add_edge(ids[g], edges[i].from, edges[i].to);
        else if (edges[i].when[1].is_valid())
          theory.add_edge(ids[g], edges[i].from, edges[i].to, edges[i].when[0], edges[i].when[1]);
        else
          theory.add_edge(ids[g], edges[i].from, edges[i].to, edges[i].when[0]);
      }
    }
    std::vector<Literal> assumptions;
    for (std::size_t count = rng.below(3); count > 0; --count)
      assumptions.push_back(random_literal(rng, all.variables));
    const auto holds = [&](std::span<const Literal> given) {
      return some_assignment(all.variables, [&](const auto& is_true) {
        return std::ranges::all_of(given, is_true) && accepts(all, is_true);
      });
    };
    const bool expected = holds(assumptions);
    const Answer answer = core->solve(assumptions);
    RC_ASSERT((answer == Answer::kSatisfiable) == expected);
    if (expected) {
      RC_ASSERT(accepts(all, [&](Literal literal) { return core->value(literal); }));
      RC_ASSERT(satisfies(*core, assumptions));
    } else {
      const std::vector<Literal> failed(core->failed().begin(), core->failed().end());
      RC_ASSERT(!holds(failed));
    }
  }
}

TEST(OrderTheory, CoherenceOfThreeWritesLeavesSixOrders) {
  // Three nodes on chains of their own; a literal for each unordered pair.
  OrderTheory theory;
  const OrderGraphId graph = theory.add_graph();
  const auto core = make_core();
  std::vector<OrderNodeId> nodes;
  for (std::uint32_t i = 0; i < 3; ++i)
    nodes.push_back(theory.add_node(graph, i, 0));
  std::vector<Literal> pairs;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = a + 1; b < 3; ++b) {
      pairs.push_back(Literal::from(core->new_variable(), false));
      theory.add_edge(graph, nodes[a], nodes[b], pairs.back());
      theory.add_edge(graph, nodes[b], nodes[a], ~pairs.back());
    }
  }
  ASSERT_TRUE(core->connect(theory));
  int orders = 0;
  while (core->solve() == Answer::kSatisfiable) {
    ++orders;
    std::vector<Literal> other;
    for (const Literal pair : pairs)
      other.push_back(core->value(pair) ? ~pair : pair);
    core->add_clause(other);
  }
  EXPECT_EQ(orders, 6);
}

TEST(OrderTheory, StaticCycleHasNoModel) {
  OrderTheory theory;
  const OrderGraphId graph = theory.add_graph();
  const OrderNodeId first = theory.add_node(graph, 0, 1);
  const OrderNodeId second = theory.add_node(graph, 0, 2);
  const auto core = make_core();
  ASSERT_TRUE(core->connect(theory));
  EXPECT_EQ(core->solve(), Answer::kSatisfiable);
  theory.add_edge(graph, second, first);
  EXPECT_EQ(core->solve(), Answer::kUnsatisfiable);
}

TEST(OrderTheory, ConflictsAreCyclesWithFewestLiterals) {
  // a -> b by one literal or by three in a row; b -> a closes either.
  OrderTheory theory;
  const OrderGraphId graph = theory.add_graph();
  std::vector<OrderNodeId> nodes;
  for (std::uint32_t i = 0; i < 4; ++i)
    nodes.push_back(theory.add_node(graph, i, 0));
  const auto literal = [](std::size_t i) { return Literal::from(Variable{i}, false); };
  theory.add_edge(graph, nodes[0], nodes[1], literal(0));
  theory.add_edge(graph, nodes[1], nodes[2], literal(1));
  theory.add_edge(graph, nodes[2], nodes[3], literal(2));
  theory.add_edge(graph, nodes[0], nodes[3], literal(3));
  theory.add_edge(graph, nodes[3], nodes[0], literal(4));
  theory.on_new_level();
  theory.on_assign(std::vector{literal(0), literal(1), literal(2), literal(3), literal(4)});
  Consequence found;
  do
    found = theory.propagate();
  while (found.kind == Consequence::Kind::kImplied);
  ASSERT_EQ(found.kind, Consequence::Kind::kConflict);
  EXPECT_EQ(found.conflict->clause, (std::vector{~literal(3), ~literal(4)}));
  EXPECT_EQ(found.conflict->certificate, (std::vector<std::uint32_t>{0, 3, 4}));
}

} // namespace
} // namespace heddle::solve::test
