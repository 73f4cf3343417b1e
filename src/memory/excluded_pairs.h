// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What no execution that a model allows has, found from the axioms before any execution is chosen:
// sources of reads and orders of writes that close a cycle, or a pair, which an axiom forbids, with
// pairs that are there anyway. Where threads run one after the other nearly everything is decided
// so (a thread reads what the one before it wrote), and a formula need not say it pair by pair.
//
// Few events happen in every execution: what follows a join happens only where the join came
// through. So pairs are looked at that are there whenever both of their events happen. A pair of a
// composition is one of these only if the event in the middle happens, too, which `implies` tells.
#pragma once

#include "memory/bound_algebra.h"
#include "memory/core.h"
#include "memory/fold.h"
#include "relation/bit_matrix.h"

#include <cstddef>

namespace heddle::memory {

/// Bounds whose `must` are the pairs (elements) that are there whenever their events happen.
class RelativeBoundAlgebra : public BoundAlgebra {
public:
  /// `implies` is reflexive and transitive: where the first event happens, the second one does.
  explicit RelativeBoundAlgebra(const relation::BitMatrix& implies);

  [[nodiscard]] Relation compose(const Relation& a, const Relation& b) const;
  [[nodiscard]] Relation transitive(const Relation& a) const;
  [[nodiscard]] Relation reflexive_transitive(const Relation& a) const {
    return unite(transitive(a), identity());
  }
  [[nodiscard]] Set domain(const Relation& a) const;
  [[nodiscard]] Set range(const Relation& a) const;

  [[nodiscard]] const relation::BitMatrix& implies() const { return implies_; }
  /// `implies`, turned round.
  [[nodiscard]] const relation::BitMatrix& implied_by() const { return implied_by_; }

private:
  [[nodiscard]] relation::BitMatrix surely_composed(const relation::BitMatrix& a,
                                                    const relation::BitMatrix& b) const;

  relation::BitMatrix implies_;
  relation::BitMatrix implied_by_;
};

/// Pairs that no execution has in which every required axiom holds.
struct ExcludedPairs {
  relation::BitMatrix rf;
  relation::BitMatrix co;
};
[[nodiscard]] ExcludedPairs exclude_by_axioms(const Core& core,
                                              const RelativeBoundAlgebra& algebra,
                                              Fold<RelativeBoundAlgebra>& fold);

} // namespace heddle::memory
