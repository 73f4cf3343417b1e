// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks proofs of solve/proof.h, forwards, and shares no code with the solver. A step is accepted
// if unit propagation over the clauses that are there refutes its negation (RUP), or, on a variable
// that neither the theory nor the conclusion uses, if it is RAT on its first literal. A lemma is
// accepted only if its certificate is a cycle of the order graphs and the clause contains the
// negation of every literal on it.
#pragma once

#include "logic/literal.h"
#include "solve/order_graph.h"
#include "support/budget.h"
#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace heddle::solve {

struct ProofQuestion {
  /// All clauses ever added, in any order.
  std::vector<std::vector<logic::Literal>> formula;
  /// The graphs of the ordering theory; may be null.
  const std::deque<OrderGraph>* graphs = nullptr;
  /// What the proof must show: that this clause follows. Empty: that there is no model. After an
  /// answer under assumptions: the negations of the failed ones.
  std::vector<logic::Literal> conclusion;
};

enum class ProofFormat : std::uint8_t { kText, kBinary };

struct ProofSize {
  std::size_t added = 0;
  std::size_t lemmas = 0;
  std::size_t deleted = 0;
};

/// Errors: PROOF-001 not a proof file, PROOF-002 a step does not follow, PROOF-003 a lemma whose
/// certificate is no cycle or does not fit the clause, PROOF-004 the conclusion is not reached;
/// and that of a budget that is used up, if there is one.
[[nodiscard]] Result<ProofSize> check_proof(const ProofQuestion& question,
                                            std::string_view proof,
                                            ProofFormat format,
                                            const Budget* budget = nullptr);

} // namespace heddle::solve
