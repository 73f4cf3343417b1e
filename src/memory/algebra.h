// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a carrier must offer so that a core can be folded over it (fold.h): values for sets and
// relations, and the operators on them.
#pragma once

#include "memory/core.h"

#include <concepts>
#include <string>

namespace heddle::memory {

template <class A>
concept RelationAlgebra = requires(A& algebra,
                                   const typename A::Set& set,
                                   const typename A::Relation& relation,
                                   const std::string& name,
                                   std::size_t generator) {
  { algebra.base_set(name) } -> std::convertible_to<typename A::Set>;
  { algebra.base_relation(name) } -> std::convertible_to<typename A::Relation>;
  // What Core::generators[generator] has chosen
  { algebra.generated_set(generator) } -> std::convertible_to<typename A::Set>;
  { algebra.generated_relation(generator) } -> std::convertible_to<typename A::Relation>;
  { algebra.empty_set() } -> std::convertible_to<typename A::Set>;
  { algebra.empty_relation() } -> std::convertible_to<typename A::Relation>;
  { algebra.universe() } -> std::convertible_to<typename A::Set>;
  { algebra.identity() } -> std::convertible_to<typename A::Relation>;
  { algebra.unite(set, set) } -> std::convertible_to<typename A::Set>;
  { algebra.unite(relation, relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.intersect(set, set) } -> std::convertible_to<typename A::Set>;
  { algebra.intersect(relation, relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.subtract(set, set) } -> std::convertible_to<typename A::Set>;
  { algebra.subtract(relation, relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.complement(set) } -> std::convertible_to<typename A::Set>;
  { algebra.complement(relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.compose(relation, relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.product(set, set) } -> std::convertible_to<typename A::Relation>;
  { algebra.identity_on(set) } -> std::convertible_to<typename A::Relation>;
  { algebra.inverse(relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.optional(relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.transitive(relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.reflexive_transitive(relation) } -> std::convertible_to<typename A::Relation>;
  { algebra.domain(relation) } -> std::convertible_to<typename A::Set>;
  { algebra.range(relation) } -> std::convertible_to<typename A::Set>;
  // For fixpoints
  { algebra.equal(set, set) } -> std::convertible_to<bool>;
  { algebra.equal(relation, relation) } -> std::convertible_to<bool>;
  // A recursion that is not monotone is computed only while every value is exact; else its
  // variables are unknown.
  { algebra.is_exact(set) } -> std::convertible_to<bool>;
  { algebra.is_exact(relation) } -> std::convertible_to<bool>;
  { algebra.unknown_set() } -> std::convertible_to<typename A::Set>;
  { algebra.unknown_relation() } -> std::convertible_to<typename A::Relation>;
};

} // namespace heddle::memory
