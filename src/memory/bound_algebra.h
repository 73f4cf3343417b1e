// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The carrier of bounds, for executions that are only partly known: what is surely in (must) and
// what may be. Every operator keeps must ⊆ value ⊆ may for all values its operands may have,
// complement and difference included.
#pragma once

#include "memory/fold.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <map>

namespace heddle::memory {

template <class Value>
struct Bounds {
  Value may;
  Value must;
  bool operator==(const Bounds&) const = default;
};

class BoundAlgebra {
public:
  using Set = Bounds<relation::BitSet>;
  using Relation = Bounds<relation::BitMatrix>;

  /// `events` bounds the set of the events that take place.
  explicit BoundAlgebra(Set events) : events_(std::move(events)) {}
  /// All of so many events take place.
  explicit BoundAlgebra(std::size_t events)
      : events_{relation::BitSet::full(events), relation::BitSet::full(events)} {}
  /// A base set or relation that is not given is unknown.
  void give(const std::string& name, Set set) { sets_[name] = std::move(set); }
  void give(const std::string& name, Relation relation) { relations_[name] = std::move(relation); }
  void give_generated(std::size_t generator, Set set) { chosen_sets_[generator] = std::move(set); }
  void give_generated(std::size_t generator, Relation relation) {
    chosen_relations_[generator] = std::move(relation);
  }

  [[nodiscard]] Set base_set(const std::string& name) const;
  [[nodiscard]] Relation base_relation(const std::string& name) const;
  [[nodiscard]] Set generated_set(std::size_t generator) const;
  [[nodiscard]] Relation generated_relation(std::size_t generator) const;
  [[nodiscard]] Set empty_set() const;
  [[nodiscard]] Relation empty_relation() const;
  [[nodiscard]] Set universe() const { return events_; }
  [[nodiscard]] Relation identity() const { return identity_on(events_); }
  [[nodiscard]] static Set unite(const Set& a, const Set& b);
  [[nodiscard]] static Relation unite(const Relation& a, const Relation& b);
  [[nodiscard]] static Set intersect(const Set& a, const Set& b);
  [[nodiscard]] static Relation intersect(const Relation& a, const Relation& b);
  [[nodiscard]] static Set subtract(const Set& a, const Set& b);
  [[nodiscard]] static Relation subtract(const Relation& a, const Relation& b);
  [[nodiscard]] Set complement(const Set& a) const { return subtract(events_, a); }
  [[nodiscard]] Relation complement(const Relation& a) const {
    return subtract(product(events_, events_), a);
  }
  [[nodiscard]] static Relation compose(const Relation& a, const Relation& b);
  [[nodiscard]] static Relation product(const Set& a, const Set& b);
  [[nodiscard]] static Relation identity_on(const Set& a);
  [[nodiscard]] static Relation inverse(const Relation& a);
  [[nodiscard]] Relation optional(const Relation& a) const { return unite(a, identity()); }
  [[nodiscard]] static Relation transitive(const Relation& a);
  [[nodiscard]] Relation reflexive_transitive(const Relation& a) const {
    return unite(transitive(a), identity());
  }
  [[nodiscard]] static Set domain(const Relation& a);
  [[nodiscard]] static Set range(const Relation& a);
  [[nodiscard]] static bool equal(const Set& a, const Set& b) { return a == b; }
  [[nodiscard]] static bool equal(const Relation& a, const Relation& b) { return a == b; }
  [[nodiscard]] static bool is_exact(const Set& a) { return a.may == a.must; }
  [[nodiscard]] static bool is_exact(const Relation& a) { return a.may == a.must; }
  [[nodiscard]] Set unknown_set() const;
  [[nodiscard]] Relation unknown_relation() const;

private:
  Set events_;
  std::map<std::string, Set> sets_;
  std::map<std::string, Relation> relations_;
  std::map<std::size_t, Set> chosen_sets_;
  std::map<std::size_t, Relation> chosen_relations_;
};

/// What bounds say of an axiom.
enum class Truth : std::uint8_t { kNo, kMaybe, kYes };
[[nodiscard]] Truth holds(const Core& core, const Axiom& axiom, Fold<BoundAlgebra>& fold);

} // namespace heddle::memory
