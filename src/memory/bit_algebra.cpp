// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/bit_algebra.h"

namespace heddle::memory {

static_assert(RelationAlgebra<BitAlgebra>);

BitAlgebra::Set BitAlgebra::base_set(const std::string& name) const {
  const auto given = sets_.find(name);
  return given == sets_.end() ? empty_set() : given->second;
}

BitAlgebra::Relation BitAlgebra::base_relation(const std::string& name) const {
  const auto given = relations_.find(name);
  return given == relations_.end() ? empty_relation() : given->second;
}

BitAlgebra::Set BitAlgebra::generated_set(std::size_t generator) const {
  const auto chosen = chosen_.find(generator);
  HEDDLE_CHECK(chosen != chosen_.end(), "the generated set has not been chosen");
  return *std::get<0>(chosen->second);
}

BitAlgebra::Relation BitAlgebra::generated_relation(std::size_t generator) const {
  const auto chosen = chosen_.find(generator);
  HEDDLE_CHECK(chosen != chosen_.end(), "the generated relation has not been chosen");
  return *std::get<1>(chosen->second);
}

bool is_satisfied(const Core& core, const Axiom& axiom, const ConcreteValues& values) {
  bool holds = false;
  if (core.nodes[axiom.node].is_set) {
    holds = values.set(axiom.node).empty();
  } else {
    const relation::BitMatrix& relation = values.relation(axiom.node);
    switch (axiom.kind) {
    case Axiom::Kind::kAcyclic:
      holds = relation.is_acyclic();
      break;
    case Axiom::Kind::kIrreflexive:
      holds = relation.is_irreflexive();
      break;
    case Axiom::Kind::kEmpty:
      holds = relation.empty();
      break;
    }
  }
  return holds != axiom.is_negated;
}

} // namespace heddle::memory
