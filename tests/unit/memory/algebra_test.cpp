// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The carriers against sets of pairs: every operator, closures in every polarity, and bounds that
// hold for everything between them.
#include "cat_helpers.h"
#include "memory/bound_algebra.h"
#include "memory/bound_evaluator.h"
#include "memory/evaluator.h"

#include <rapidcheck.h>

#include <algorithm>
#include <set>

namespace heddle::memory {
namespace {

using relation::BitMatrix;
using relation::BitSet;

constexpr std::size_t kEvents = 5;

/// The carrier to believe: sets of numbers and sets of pairs, each operator as in the book.
struct Naive {
  using Set = std::set<std::size_t>;
  using Relation = std::set<std::pair<std::size_t, std::size_t>>;
  std::map<std::string, Set> sets;
  std::map<std::string, Relation> relations;

  Set base_set(const std::string& name) { return sets[name]; }
  Relation base_relation(const std::string& name) { return relations[name]; }
  Set generated_set(std::size_t) { return {}; }
  Relation generated_relation(std::size_t) { return {}; }
  Set empty_set() { return {}; }
  Relation empty_relation() { return {}; }
  Set universe() {
    Set all;
    for (std::size_t i = 0; i < kEvents; ++i)
      all.insert(i);
    return all;
  }
  Relation identity() { return identity_on(universe()); }
  template <class Some>
  Some unite(const Some& a, const Some& b) {
    Some made = a;
    made.insert(b.begin(), b.end());
    return made;
  }
  template <class Some>
  Some intersect(const Some& a, const Some& b) {
    Some made;
    for (const auto& x : a)
      if (b.contains(x))
        made.insert(x);
    return made;
  }
  template <class Some>
  Some subtract(const Some& a, const Some& b) {
    Some made;
    for (const auto& x : a)
      if (!b.contains(x))
        made.insert(x);
    return made;
  }
  Set complement(const Set& a) { return subtract(universe(), a); }
  Relation complement(const Relation& a) { return subtract(product(universe(), universe()), a); }
  Relation compose(const Relation& a, const Relation& b) {
    Relation made;
    for (const auto& [x, y] : a)
      for (const auto& [z, w] : b)
        if (y == z)
          made.insert({x, w});
    return made;
  }
  Relation product(const Set& a, const Set& b) {
    Relation made;
    for (const std::size_t x : a)
      for (const std::size_t y : b)
        made.insert({x, y});
    return made;
  }
  Relation identity_on(const Set& a) {
    Relation made;
    for (const std::size_t x : a)
      made.insert({x, x});
    return made;
  }
  Relation inverse(const Relation& a) {
    Relation made;
    for (const auto& [x, y] : a)
      made.insert({y, x});
    return made;
  }
  Relation optional(const Relation& a) { return unite(a, identity()); }
  Relation transitive(const Relation& a) {
    Relation made = a;
    while (true) {
      Relation next = unite(made, compose(made, a));
      if (next == made)
        return made;
      made = std::move(next);
    }
  }
  Relation reflexive_transitive(const Relation& a) { return unite(transitive(a), identity()); }
  Set domain(const Relation& a) {
    Set made;
    for (const auto& [x, y] : a)
      made.insert(x);
    return made;
  }
  Set range(const Relation& a) { return domain(inverse(a)); }
  bool equal(const Set& a, const Set& b) { return a == b; }
  bool equal(const Relation& a, const Relation& b) { return a == b; }
  bool is_exact(const Set&) { return true; }
  bool is_exact(const Relation&) { return true; }
  Set unknown_set() { return {}; }
  Relation unknown_relation() { return {}; }
};

BitSet random_set() {
  BitSet made(kEvents);
  for (std::size_t i = 0; i < kEvents; ++i)
    if (*rc::gen::inRange(0, 2) == 1)
      made.insert(i);
  return made;
}
BitMatrix random_matrix() {
  BitMatrix made(kEvents);
  for (std::size_t i = 0; i < kEvents; ++i)
    for (std::size_t j = 0; j < kEvents; ++j)
      if (*rc::gen::inRange(0, 4) == 0)
        made.insert(i, j);
  return made;
}

std::string random_set_text(int depth);
/// An expression over the relations po, rf, co and the sets R, W; closures at any place.
std::string random_text(int depth) {
  if (depth == 0)
    return *rc::gen::element<std::string>("po", "rf", "co", "id", "0");
  const std::string a = random_text(depth - 1);
  switch (*rc::gen::inRange(0, 11)) {
  case 0:
    return "(" + a + " | " + random_text(depth - 1) + ")";
  case 1:
    return "(" + a + " & " + random_text(depth - 1) + ")";
  case 2:
    return "(" + a + " \\ " + random_text(depth - 1) + ")";
  case 3:
    return "(" + a + "; " + random_text(depth - 1) + ")";
  case 4:
    return "(~" + a + ")";
  case 5:
    return "(" + a + "+)";
  case 6:
    return "(" + a + "*)";
  case 7:
    return "(" + a + "?)";
  case 8:
    return "(" + a + "^-1)";
  case 9:
    return "[" + random_set_text(depth - 1) + "]";
  default:
    return "(" + random_set_text(depth - 1) + " * " + random_set_text(depth - 1) + ")";
  }
}
std::string random_set_text(int depth) {
  if (depth == 0)
    return *rc::gen::element<std::string>("R", "W", "_", "{}");
  switch (*rc::gen::inRange(0, 5)) {
  case 0:
    return "domain(" + random_text(depth - 1) + ")";
  case 1:
    return "range(" + random_text(depth - 1) + ")";
  case 2:
    return "(" + random_set_text(depth - 1) + " \\ " + random_set_text(depth - 1) + ")";
  case 3:
    return "(~" + random_set_text(0) + " & " + random_set_text(depth - 1) + ")";
  default:
    return "(" + random_set_text(depth - 1) + " | " + random_set_text(depth - 1) + ")";
  }
}

/// A model whose r0 and s0 are random, whose r1 and r2 are recursive.
std::string random_model() {
  const std::string first = random_text(*rc::gen::inRange(0, 4));
  const std::string second = random_text(*rc::gen::inRange(0, 3));
  return "let r0 = po | (" + first + ")\nlet s0 = R | " + random_set_text(2) +
         "\nlet rec r1 = rf | (" + second + ") | r1; r0 | r2; r1\nand r2 = (co \\ r0) | (r1 & " +
         second + ")\nempty r0 \\ (" + second + ")+\n~acyclic r1\nflag ~empty (" + first + ")+\n";
}

std::set<std::pair<std::size_t, std::size_t>> as_pairs(const BitMatrix& matrix) {
  const auto pairs = matrix.pairs();
  return {pairs.begin(), pairs.end()};
}
std::set<std::size_t> as_numbers(const BitSet& set) {
  const auto elements = set.elements();
  return {elements.begin(), elements.end()};
}

const std::vector<std::string> kSets = {"R", "W"};
const std::vector<std::string> kRelations = {"po", "rf", "co"};

TEST(Algebra, BitsAgreeWithSetsOfPairs) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = random_model();
    RC_LOG(text);
    const Core core = load_core(text);
    Naive naive;
    BitAlgebra bit_algebra(kEvents);
    Evaluator fast(core, true);
    fast.start(kEvents);
    for (const std::string& name : kSets) {
      const BitSet value = random_set();
      naive.sets[name] = as_numbers(value);
      bit_algebra.give(name, value);
    }
    for (const std::string& name : kRelations) {
      const BitMatrix value = random_matrix();
      naive.relations[name] = as_pairs(value);
      bit_algebra.give(name, value);
    }
    Fold<Naive> expected(core, naive);
    Fold<BitAlgebra> actual(core, bit_algebra);
    for (const auto& [name, node] : core.definitions) {
      if (core.nodes[node].is_set)
        RC_ASSERT(as_numbers(actual.set(node)) == expected.set(node));
      else
        RC_ASSERT(as_pairs(actual.relation(node)) == expected.relation(node));
    }
    // The fast evaluator, too.
    for (const Evaluator::Base& base : fast.bases()) {
      const std::string name(base.name);
      if (base.is_set)
        fast.store(base.node, std::make_shared<const BitSet>(bit_algebra.base_set(name)));
      else
        fast.store(base.node, std::make_shared<const BitMatrix>(bit_algebra.base_relation(name)));
    }
    if (fast.rf().is_valid())
      fast.store(fast.rf(), std::make_shared<const BitMatrix>(bit_algebra.base_relation("rf")));
    for (const NodeId co : fast.co())
      fast.store(co, std::make_shared<const BitMatrix>(bit_algebra.base_relation("co")));
    for (unsigned stratum = 0; stratum < 4; ++stratum)
      fast.evaluate(stratum);
    const FoldedValues<BitAlgebra> values(actual, bit_algebra);
    for (const Axiom& axiom : core.axioms) {
      RC_ASSERT(fast.is_satisfied(axiom) == is_satisfied(core, axiom, values));
      RC_ASSERT(as_pairs(fast.relation(axiom.node)) == expected.relation(axiom.node));
    }
  }));
}

TEST(Algebra, BoundsHoldForEverythingBetween) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = random_model();
    RC_LOG(text);
    const Core core = load_core(text);
    BitAlgebra concrete(kEvents);
    BoundAlgebra bounds(kEvents);
    for (const std::string& name : kSets) {
      const BitSet value = random_set();
      concrete.give(name, value);
      bounds.give(name, BoundAlgebra::Set{value | random_set(), value & random_set()});
    }
    for (const std::string& name : kRelations) {
      const BitMatrix value = random_matrix();
      concrete.give(name, value);
      bounds.give(name, BoundAlgebra::Relation{value | random_matrix(), value & random_matrix()});
    }
    for (const std::string name : {"loc", "int", "ext"})
      bounds.give(name, bounds.empty_relation());
    Fold<BitAlgebra> values(core, concrete);
    Fold<BoundAlgebra> limits(core, bounds);
    for (const auto& [name, node] : core.definitions) {
      if (core.nodes[node].is_set) {
        RC_ASSERT(limits.set(node).must.is_subset_of(values.set(node)));
        RC_ASSERT(values.set(node).is_subset_of(limits.set(node).may));
      } else {
        RC_ASSERT(limits.relation(node).must.is_subset_of(values.relation(node)));
        RC_ASSERT(values.relation(node).is_subset_of(limits.relation(node).may));
      }
    }
    const FoldedValues<BitAlgebra> folded(values, concrete);
    for (const Axiom& axiom : core.axioms) {
      const Truth truth = holds(core, axiom, limits);
      if (truth != Truth::kMaybe)
        RC_ASSERT((truth == Truth::kYes) == is_satisfied(core, axiom, folded));
    }
  }));
}

/// rf and co within bounds, all else known: the two ways to compute bounds give the same.
TEST(Algebra, FastBoundsAgreeWithTheReference) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = random_model();
    RC_LOG(text);
    const Core core = load_core(text);
    BoundAlgebra reference(kEvents);
    const auto plan = std::make_shared<const EvaluationPlan>(core, true);
    Evaluator known(plan);
    known.start(kEvents);
    for (const Evaluator::Base& base : known.bases()) {
      const std::string name(base.name);
      if (std::find(kSets.begin(), kSets.end(), name) != kSets.end()) {
        const BitSet value = random_set();
        reference.give(name, BoundAlgebra::Set{value, value});
        known.store(base.node, std::make_shared<const BitSet>(value));
      } else if (name == "po") {
        const BitMatrix value = random_matrix();
        reference.give(name, BoundAlgebra::Relation{value, value});
        known.store(base.node, std::make_shared<const BitMatrix>(value));
      } else if (base.is_set) {
        reference.give(name, reference.empty_set());
      } else {
        reference.give(name, reference.empty_relation());
      }
    }
    reference.give("FW", reference.empty_set());
    known.evaluate(0);
    BoundEvaluator fast(plan);
    fast.start(known);
    const auto give = [&](const std::string& name, NodeId node) {
      const BitMatrix must = random_matrix();
      const BitMatrix may = must | random_matrix();
      reference.give(name, BoundAlgebra::Relation{may, must});
      for (std::size_t i = 0; i < kEvents; ++i) {
        fast.may(node)[i] = may.row(i).words()[0];
        fast.must(node)[i] = must.row(i).words()[0];
      }
    };
    if (known.rf().is_valid())
      give("rf", known.rf());
    for (const NodeId co : known.co())
      give("co", co);
    fast.evaluate();
    Fold<BoundAlgebra> expected(core, reference);
    for (const auto& [name, node] : core.definitions) {
      const std::size_t rows = core.nodes[node].is_set ? 1 : kEvents;
      for (std::size_t i = 0; i < rows; ++i) {
        const BitSet may =
            core.nodes[node].is_set ? expected.set(node).may : expected.relation(node).may.row(i);
        const BitSet must =
            core.nodes[node].is_set ? expected.set(node).must : expected.relation(node).must.row(i);
        RC_ASSERT(fast.may(node)[i] == may.words()[0]);
        RC_ASSERT(fast.must(node)[i] == must.words()[0]);
      }
    }
    for (const Axiom& axiom : core.axioms)
      RC_ASSERT(fast.holds(axiom) == holds(core, axiom, expected));
  }));
}

TEST(Algebra, ExactBoundsAreExact) {
  EXPECT_TRUE(rc::check([] {
    const Core core = load_core("let r = (po; rf)+ \\ co\nlet s = ~(r*)\n"
                                "let rec m = m | (rf \\ (po; [domain(m)]))");
    BitAlgebra concrete(kEvents);
    BoundAlgebra bounds(kEvents);
    for (const std::string& name : kRelations) {
      const BitMatrix value = random_matrix();
      concrete.give(name, value);
      bounds.give(name, BoundAlgebra::Relation{value, value});
    }
    Fold<BitAlgebra> values(core, concrete);
    Fold<BoundAlgebra> limits(core, bounds);
    for (const std::string name : {"r", "s", "m"}) {
      for (const auto& [known, node] : core.definitions) {
        if (known == name) {
          RC_ASSERT(limits.relation(node).may == values.relation(node));
          RC_ASSERT(limits.relation(node).must == values.relation(node));
        }
      }
    }
  }));
}

TEST(Algebra, EventsThatMayNotTakePlace) {
  // ~r and r* are about the events that take place.
  const Core core = load_core("let r = ~rf\nlet s = rf*");
  BoundAlgebra bounds(BoundAlgebra::Set{bits(2, {0, 1}), bits(2, {0})});
  bounds.give("rf", bounds.empty_relation());
  Fold<BoundAlgebra> fold(core, bounds);
  for (const auto& [name, node] : core.definitions) {
    if (name == "r") {
      EXPECT_EQ(fold.relation(node).may.size(), 4U);
      EXPECT_EQ(fold.relation(node).must.pairs(), (Pairs{{0, 0}}));
    }
    if (name == "s") {
      EXPECT_EQ(fold.relation(node).must.pairs(), (Pairs{{0, 0}}));
      EXPECT_EQ(fold.relation(node).may.pairs(), (Pairs{{0, 0}, {1, 1}}));
    }
  }
}

} // namespace
} // namespace heddle::memory
