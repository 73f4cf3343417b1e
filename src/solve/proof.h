// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Proofs of the core: what was added to and deleted from its clauses, in DRAT (Wetzler, Heule,
// Hunt: DRAT-trim, SAT 2014) extended by lemmas of the theory, which carry a certificate. Without a
// theory the text and binary forms are plain DRAT.
#pragma once

#include "logic/literal.h"

#include <cstdint>
#include <ostream>
#include <span>

namespace heddle::solve {

/// Hears of each step of a solver, in order. The clauses of the formula are not steps.
class ProofSink {
public:
  virtual ~ProofSink() = default;
  /// Follows from the clauses that are there now.
  virtual void add(std::span<const logic::Literal> clause) = 0;
  /// Holds in the theory; `certificate` says why.
  virtual void lemma(std::span<const logic::Literal> clause,
                     std::span<const std::uint32_t> certificate) = 0;
  /// Not needed any more.
  virtual void remove(std::span<const logic::Literal> clause) = 0;
};

/// Text: `1 -2 0` adds, `d 1 -2 0` deletes, and a lemma is added by a clause line that comes after
/// `c lemma NUMBER ...` with the certificate's numbers.
class TextProof final : public ProofSink {
public:
  /// The caller keeps the stream alive.
  explicit TextProof(std::ostream& out) : out_(out) {}
  void add(std::span<const logic::Literal> clause) override;
  void lemma(std::span<const logic::Literal> clause,
             std::span<const std::uint32_t> certificate) override;
  void remove(std::span<const logic::Literal> clause) override;

private:
  void write(std::span<const logic::Literal> clause);
  std::ostream& out_;
};

/// Binary: 'a' and 'd' steps as DRAT-trim reads them; a lemma is an 'l' step: the certificate's
/// numbers plus one, a 0, and then its 'a' step.
class BinaryProof final : public ProofSink {
public:
  explicit BinaryProof(std::ostream& out) : out_(out) {}
  void add(std::span<const logic::Literal> clause) override;
  void lemma(std::span<const logic::Literal> clause,
             std::span<const std::uint32_t> certificate) override;
  void remove(std::span<const logic::Literal> clause) override;

private:
  void write(char kind, std::span<const logic::Literal> clause);
  void number(std::uint64_t value);
  std::ostream& out_;
};

} // namespace heddle::solve
