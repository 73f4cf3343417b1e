// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Boolean circuits written as clauses. Every gate is made once: operands are brought into a normal
// form (commutative ones sorted, negations moved to the output where the gate allows it, constants
// and complements removed), and a gate known already is found by its operands (structural hashing).
// A gate is defined in both directions (Tseitin), so its literal may be used with either sign and
// as an assumption.
#pragma once

#include "logic/literal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::logic {

struct Sum {
  Literal sum;
  Literal carry;
};

/// The sink must outlive it. Other variables and clauses may be added to the sink in between.
class Gates {
public:
  explicit Gates(ClauseSink& sink);
  Gates(const Gates&) = delete;
  Gates& operator=(const Gates&) = delete;

  [[nodiscard]] Literal constant(bool value) const { return value ? true_ : ~true_; }
  [[nodiscard]] bool is_true(Literal a) const { return canonical(a) == true_; }
  [[nodiscard]] bool is_false(Literal a) const { return canonical(a) == ~true_; }
  [[nodiscard]] bool is_constant(Literal a) const {
    return canonical(a).variable() == true_.variable();
  }
  /// A variable of the sink that no gate defines.
  [[nodiscard]] Literal fresh();

  [[nodiscard]] Literal and_(Literal a, Literal b);
  [[nodiscard]] Literal or_(Literal a, Literal b) { return ~and_(~a, ~b); }
  [[nodiscard]] Literal implies(Literal a, Literal b) { return ~and_(a, ~b); }
  [[nodiscard]] Literal xor_(Literal a, Literal b);
  [[nodiscard]] Literal equal(Literal a, Literal b) { return ~xor_(a, b); }
  [[nodiscard]] Literal ite(Literal condition, Literal a, Literal b);
  /// One gate of any number of operands; none: true, respectively false.
  [[nodiscard]] Literal and_(std::span<const Literal> operands);
  [[nodiscard]] Literal or_(std::span<const Literal> operands);
  [[nodiscard]] Literal xor3(Literal a, Literal b, Literal c);
  [[nodiscard]] Literal majority(Literal a, Literal b, Literal c);
  /// xor3 and majority, with the clauses that relate the two outputs: then unit propagation finds
  /// everything that three inputs, sum and carry imply of each other.
  [[nodiscard]] Sum full_adder(Literal a, Literal b, Literal c);

  /// From now on true in every model; later gates are simplified by it.
  void require(Literal a);
  /// At least one of them. Constants, duplicates and tautologies never reach the sink.
  void require_any(std::span<const Literal> clause);
  /// By position: a literal given twice counts twice.
  void require_at_most_one(std::span<const Literal> operands);
  void require_exactly_one(std::span<const Literal> operands);

  [[nodiscard]] std::size_t gate_count() const { return gate_count_; }
  [[nodiscard]] std::size_t clause_count() const { return clause_count_; }

private:
  enum class Kind : std::uint8_t { kNone, kAnd, kXor, kIte, kXor3, kMajority };
  struct Gate {
    Kind kind = Kind::kNone;
    std::uint32_t first = 0; // into inputs_
    std::uint32_t count = 0;
  };

  /// The constant if the literal is required or refuted already.
  [[nodiscard]] Literal canonical(Literal a) const;
  [[nodiscard]] Gate gate(Literal a) const;
  [[nodiscard]] std::span<const Literal> inputs(const Gate& gate) const;
  [[nodiscard]] bool is_input(const Gate& gate, Literal a) const;
  /// The output of the gate, found or made; operands are in normal form.
  Literal output(Kind kind, std::span<const Literal> operands);
  void define(Kind kind, Literal out, std::span<const Literal> operands);
  void emit(std::span<const Literal> clause);
  void grow_table();
  [[nodiscard]] std::uint64_t hash(Kind kind, std::span<const Literal> operands) const;

  ClauseSink& sink_;
  Literal true_;
  std::vector<Gate> gates_;          // by variable; kNone for those that are not ours
  std::vector<std::int8_t> fixed_;   // by variable: 1 required, -1 refuted, 0 open
  std::vector<Literal> inputs_;      // of all gates
  std::vector<std::uint32_t> table_; // open addressing; variable + 1, 0 is free
  std::size_t gate_count_ = 0;
  std::size_t clause_count_ = 0;
};

} // namespace heddle::logic
