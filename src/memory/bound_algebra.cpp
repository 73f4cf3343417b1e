// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/bound_algebra.h"

namespace heddle::memory {

using relation::BitMatrix;
using relation::BitSet;
static_assert(RelationAlgebra<BoundAlgebra>);

BoundAlgebra::Set BoundAlgebra::base_set(const std::string& name) const {
  const auto given = sets_.find(name);
  return given == sets_.end() ? unknown_set() : given->second;
}

BoundAlgebra::Relation BoundAlgebra::base_relation(const std::string& name) const {
  const auto given = relations_.find(name);
  return given == relations_.end() ? unknown_relation() : given->second;
}

BoundAlgebra::Set BoundAlgebra::generated_set(std::size_t generator) const {
  const auto given = chosen_sets_.find(generator);
  return given == chosen_sets_.end() ? unknown_set() : given->second;
}

BoundAlgebra::Relation BoundAlgebra::generated_relation(std::size_t generator) const {
  const auto given = chosen_relations_.find(generator);
  return given == chosen_relations_.end() ? unknown_relation() : given->second;
}

BoundAlgebra::Set BoundAlgebra::empty_set() const {
  return {BitSet(events_.may.bound()), BitSet(events_.may.bound())};
}

BoundAlgebra::Relation BoundAlgebra::empty_relation() const {
  return {BitMatrix(events_.may.bound()), BitMatrix(events_.may.bound())};
}

BoundAlgebra::Set BoundAlgebra::unknown_set() const {
  return {events_.may, BitSet(events_.may.bound())};
}

BoundAlgebra::Relation BoundAlgebra::unknown_relation() const {
  return {BitMatrix::product(events_.may, events_.may), BitMatrix(events_.may.bound())};
}

BoundAlgebra::Set BoundAlgebra::unite(const Set& a, const Set& b) {
  return {a.may | b.may, a.must | b.must};
}
BoundAlgebra::Relation BoundAlgebra::unite(const Relation& a, const Relation& b) {
  return {a.may | b.may, a.must | b.must};
}
BoundAlgebra::Set BoundAlgebra::intersect(const Set& a, const Set& b) {
  return {a.may & b.may, a.must & b.must};
}
BoundAlgebra::Relation BoundAlgebra::intersect(const Relation& a, const Relation& b) {
  return {a.may & b.may, a.must & b.must};
}
// What is surely taken away may not stay; what may be taken away does not surely stay.
BoundAlgebra::Set BoundAlgebra::subtract(const Set& a, const Set& b) {
  return {a.may - b.must, a.must - b.may};
}
BoundAlgebra::Relation BoundAlgebra::subtract(const Relation& a, const Relation& b) {
  return {a.may - b.must, a.must - b.may};
}
BoundAlgebra::Relation BoundAlgebra::compose(const Relation& a, const Relation& b) {
  return {a.may.compose(b.may), a.must.compose(b.must)};
}
BoundAlgebra::Relation BoundAlgebra::product(const Set& a, const Set& b) {
  return {BitMatrix::product(a.may, b.may), BitMatrix::product(a.must, b.must)};
}
BoundAlgebra::Relation BoundAlgebra::identity_on(const Set& a) {
  return {BitMatrix::identity_on(a.may), BitMatrix::identity_on(a.must)};
}
BoundAlgebra::Relation BoundAlgebra::inverse(const Relation& a) {
  return {a.may.inverse(), a.must.inverse()};
}
BoundAlgebra::Relation BoundAlgebra::transitive(const Relation& a) {
  return {a.may.transitive_closure(), a.must.transitive_closure()};
}
BoundAlgebra::Set BoundAlgebra::domain(const Relation& a) {
  return {a.may.domain(), a.must.domain()};
}
BoundAlgebra::Set BoundAlgebra::range(const Relation& a) {
  return {a.may.range(), a.must.range()};
}

Truth holds(const Core& core, const Axiom& axiom, Fold<BoundAlgebra>& fold) {
  bool surely = false;
  bool possibly = false;
  if (core.nodes[axiom.node].is_set) {
    surely = fold.set(axiom.node).may.empty();
    possibly = fold.set(axiom.node).must.empty();
  } else {
    const BoundAlgebra::Relation& bounds = fold.relation(axiom.node);
    const auto test = [&](const BitMatrix& matrix) {
      switch (axiom.kind) {
      case Axiom::Kind::kAcyclic:
        return matrix.is_acyclic();
      case Axiom::Kind::kIrreflexive:
        return matrix.is_irreflexive();
      case Axiom::Kind::kEmpty:
        return matrix.empty();
      }
      return false;
    };
    surely = test(bounds.may);
    possibly = test(bounds.must);
  }
  if (surely == possibly)
    return surely != axiom.is_negated ? Truth::kYes : Truth::kNo;
  return Truth::kMaybe;
}

} // namespace heddle::memory
