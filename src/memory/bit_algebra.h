// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The carrier of concrete values: bit sets and bit matrices. The reference for what the operators
// mean; evaluator.h is the fast one.
#pragma once

#include "memory/core.h"
#include "memory/fold.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <functional>
#include <map>

namespace heddle::memory {

class BitAlgebra {
public:
  using Set = relation::BitSet;
  using Relation = relation::BitMatrix;

  explicit BitAlgebra(std::size_t events) : events_(events) {}
  /// A base set or relation that is not given is empty.
  void give(const std::string& name, Set set) { sets_[name] = std::move(set); }
  void give(const std::string& name, Relation relation) { relations_[name] = std::move(relation); }
  void choose(std::size_t generator, ConcreteValue value) { chosen_[generator] = std::move(value); }

  [[nodiscard]] std::size_t event_count() const { return events_; }
  [[nodiscard]] Set base_set(const std::string& name) const;
  [[nodiscard]] Relation base_relation(const std::string& name) const;
  [[nodiscard]] Set generated_set(std::size_t generator) const;
  [[nodiscard]] Relation generated_relation(std::size_t generator) const;
  [[nodiscard]] Set empty_set() const { return Set(events_); }
  [[nodiscard]] Relation empty_relation() const { return Relation(events_); }
  [[nodiscard]] Set universe() const { return Set::full(events_); }
  [[nodiscard]] Relation identity() const { return Relation::identity(events_); }
  [[nodiscard]] static Set unite(const Set& a, const Set& b) { return a | b; }
  [[nodiscard]] static Relation unite(const Relation& a, const Relation& b) { return a | b; }
  [[nodiscard]] static Set intersect(const Set& a, const Set& b) { return a & b; }
  [[nodiscard]] static Relation intersect(const Relation& a, const Relation& b) { return a & b; }
  [[nodiscard]] static Set subtract(const Set& a, const Set& b) { return a - b; }
  [[nodiscard]] static Relation subtract(const Relation& a, const Relation& b) { return a - b; }
  [[nodiscard]] static Set complement(const Set& a) { return a.complement(); }
  [[nodiscard]] static Relation complement(const Relation& a) { return a.complement(); }
  [[nodiscard]] static Relation compose(const Relation& a, const Relation& b) {
    return a.compose(b);
  }
  [[nodiscard]] static Relation product(const Set& a, const Set& b) {
    return Relation::product(a, b);
  }
  [[nodiscard]] static Relation identity_on(const Set& a) { return Relation::identity_on(a); }
  [[nodiscard]] static Relation inverse(const Relation& a) { return a.inverse(); }
  [[nodiscard]] static Relation optional(const Relation& a) { return a.reflexive_closure(); }
  [[nodiscard]] static Relation transitive(const Relation& a) { return a.transitive_closure(); }
  [[nodiscard]] static Relation reflexive_transitive(const Relation& a) {
    return a.transitive_closure().reflexive_closure();
  }
  [[nodiscard]] static Set domain(const Relation& a) { return a.domain(); }
  [[nodiscard]] static Set range(const Relation& a) { return a.range(); }
  [[nodiscard]] static bool equal(const Set& a, const Set& b) { return a == b; }
  [[nodiscard]] static bool equal(const Relation& a, const Relation& b) { return a == b; }
  [[nodiscard]] static bool is_exact(const Set&) { return true; }
  [[nodiscard]] static bool is_exact(const Relation&) { return true; }
  [[nodiscard]] Set unknown_set() const { return universe(); } // never asked for
  [[nodiscard]] Relation unknown_relation() const { return empty_relation().complement(); }
  [[nodiscard]] static ConcreteValue opaque(const Opaque& computation,
                                            const ConcreteValues& values) {
    return computation.compute(values);
  }

private:
  std::size_t events_;
  std::map<std::string, Set> sets_;
  std::map<std::string, Relation> relations_;
  std::map<std::size_t, ConcreteValue> chosen_;
};

/// Does the axiom hold (negated ones taken into account)?
[[nodiscard]] bool is_satisfied(const Core& core, const Axiom& axiom, const ConcreteValues& values);

} // namespace heddle::memory
