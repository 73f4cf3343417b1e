// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Events, guards and terms as a formula whose models are the executions of the program under SC,
// TSO or PSO. memory_formula.h says who reads from whom and keeps the order free of cycles,
// slices.h follows what memory holds from write to write.
#pragma once

#include "encode/order/guards.h"
#include "encode/order/skeleton.h"
#include "encode/places.h"
#include "logic/bit_blast.h"
#include "program/events/event_set.h"
#include "support/budget.h"
#include "support/resident_bytes.h"
#include "support/result.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::encode {

using logic::Literal;

/// How large the formula became.
struct FormulaSize {
  std::size_t nodes = 0;
  std::size_t sources = 0; // pairs of a write and a read, or of a position and a read
};

class MemoryEncoding {
public:
  virtual ~MemoryEncoding() = default;
  MemoryEncoding(const MemoryEncoding&) = delete;
  MemoryEncoding& operator=(const MemoryEncoding&) = delete;

  /// A formula that is not ready within the budget, which outlives this, is given up.
  void obey(const Budget& budget) { budget_ = &budget; }
  /// Fails if memory cannot be followed, or the budget is used up.
  [[nodiscard]] virtual Status encode() = 0;

  [[nodiscard]] Literal executed(EventIndex event) { return literal(set_.events[event].guard); }
  [[nodiscard]] Literal literal(Term term) { return blaster_.literal(term); }
  /// Accesses to blocks that have been freed, with the literal that says so.
  struct Misuse {
    EventIndex access = 0;
    EventIndex free = 0;
    Literal happens;
  };
  [[nodiscard]] const std::vector<Misuse>& misuses() const { return misuses_; }
  /// Is there an atomic section that is not surely left once it was entered? Where a thread would
  /// wait in it the models have nothing of it, and where the run ends in it they have what others
  /// do after that.
  [[nodiscard]] bool has_unsure_sections() const { return has_unsure_sections_; }
  [[nodiscard]] const logic::BitBlaster& blaster() const { return blaster_; }
  [[nodiscard]] const FormulaSize& size() const { return size_; }

  /// The nodes for which `happens` holds, as they take effect in a model.
  [[nodiscard]] virtual std::vector<Node> linearise(const logic::LiteralValues& model,
                                                    const std::vector<bool>& happens) const = 0;

protected:
  /// The set, the skeleton and the gates outlive it. Terms are made in the set's store.
  MemoryEncoding(program::EventSet& set, const Skeleton& skeleton, logic::Gates& gates)
      : set_(set), skeleton_(skeleton), gates_(gates), places_(set), guards_(set.terms),
        blaster_(set.terms, gates, [this](Term variable) { return range_of(variable); }) {}

  [[nodiscard]] Status go_on() const {
    if (budget_ == nullptr || !budget_->exhausted(resident_bytes()))
      return Done{};
    return Error{ErrorKind::kUnsupported, "ENC-006", "no more time or memory for the formula"};
  }

  [[nodiscard]] bool is_before_in_thread(EventIndex a, EventIndex b) const {
    return set_.events[a].thread == set_.events[b].thread && a < b;
  }
  /// Where `a` happens, `b` does.
  [[nodiscard]] bool implies(Term a, Term b) { return guards_.implies(a, b); }
  /// While a section is open, nobody else does anything.
  void close_section(const program::StaticSection& section);

  [[nodiscard]] std::optional<logic::Range> range_of(Term variable) const {
    const auto range = ranges_.find(variable);
    return range == ranges_.end() ? std::nullopt : std::optional(range->second);
  }

  program::EventSet& set_;
  const Skeleton& skeleton_;
  logic::Gates& gates_;
  Places places_;
  Guards guards_;
  /// Of variables; complete before the first term becomes a circuit.
  std::unordered_map<Term, logic::Range> ranges_;
  logic::BitBlaster blaster_;
  std::vector<Misuse> misuses_;
  bool has_unsure_sections_ = false;
  FormulaSize size_;

private:
  const Budget* budget_ = nullptr;
};

} // namespace heddle::encode
