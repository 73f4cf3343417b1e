// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Events, guards and terms as a formula whose models are the executions of the program under SC,
// TSO or PSO: each read that happens takes its value from one write that may precede it, and the
// order in which events take effect has no cycle. The model is that of the axioms in
// models/{sc,tso,pso}.cat, with every write at the moment it reaches memory; that the two agree is
// tested.
#pragma once

#include "encode/order_graph.h"
#include "encode/places.h"
#include "encode/skeleton.h"
#include "logic/bit_blast.h"
#include "program/event_set.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::encode {

/// How large the formula became.
struct FormulaSize {
  std::size_t nodes = 0;
  std::size_t sources = 0; // pairs of a write and a read
};

class MemoryFormula {
public:
  /// The set, the gates and the order outlive it. Terms are made in the set's store.
  MemoryFormula(program::EventSet& set,
                const Skeleton& skeleton,
                logic::Gates& gates,
                OrderGraph& order);

  /// Fails if memory cannot be followed: a read that may go anywhere. The order is not finished, so
  /// that properties can add to it.
  [[nodiscard]] Status encode();

  [[nodiscard]] Literal executed(EventIndex event) { return literal(set_.events[event].guard); }
  [[nodiscard]] Literal literal(Term term) { return blaster_.literal(term); }
  /// Accesses to blocks that have been freed, with the literal that says so.
  struct Misuse {
    EventIndex access = 0;
    EventIndex free = 0;
    Literal happens;
  };
  [[nodiscard]] const std::vector<Misuse>& misuses() const { return misuses_; }
  /// A write a read may take its value from; no write: the initial value.
  struct Source {
    std::optional<EventIndex> write;
    Literal is_taken;
  };
  struct Read {
    EventIndex event = 0;
    std::vector<Source> sources;
  };
  /// The read comes before the write, which overwrites what it took, where both literals hold.
  struct FromRead {
    EventIndex read = 0;
    EventIndex write = 0;
    Literal is_taken;
    Literal is_overwritten;
  };
  /// Those with sources to choose from; other reads find the initial value.
  [[nodiscard]] const std::vector<Read>& reads() const { return encoded_; }
  [[nodiscard]] const std::vector<FromRead>& from_reads() const { return from_reads_; }
  [[nodiscard]] const std::vector<EventIndex>& writes() const { return writes_; }
  /// `first` reaches memory before `second`.
  [[nodiscard]] Literal coherence(EventIndex first, EventIndex second);
  /// Is there an atomic section that is not surely left once it was entered? Where a thread would
  /// wait in it the models have nothing of it, and where the run ends in it they have what others
  /// do after that.
  [[nodiscard]] bool has_unsure_sections() const { return has_unsure_sections_; }
  [[nodiscard]] Places& places() { return places_; }
  [[nodiscard]] const logic::BitBlaster& blaster() const { return blaster_; }
  [[nodiscard]] const FormulaSize& size() const { return size_; }

  /// Who reads from whom in a solver's model: by read, the write, or nothing for the initial value;
  /// reads that do not happen have no entry worth anything.
  [[nodiscard]] std::vector<std::optional<EventIndex>>
  sources(const logic::LiteralValues& model) const;

private:
  void collect();
  void add_conditional_arcs();
  [[nodiscard]] bool is_before_in_thread(EventIndex a, EventIndex b) const {
    return set_.events[a].thread == set_.events[b].thread && a < b;
  }
  /// Where `a` happens, `b` does.
  [[nodiscard]] bool implies(Term a, Term b) const;
  [[nodiscard]] std::vector<EventIndex> candidates(EventIndex read, bool& initial);
  Status encode_read(EventIndex event);
  void bind(EventIndex read, Term value);
  void take_value(Literal when, EventIndex read, Term value);
  void order_after_reads(const Read& read);
  void close_section(const program::StaticSection& section);
  void find_misuses();

  program::EventSet& set_;
  const Skeleton& skeleton_;
  logic::Gates& gates_;
  OrderGraph& order_;
  Places places_;
  logic::BitBlaster blaster_;
  std::vector<EventIndex> reads_;
  std::vector<EventIndex> writes_;
  std::vector<Read> encoded_;
  std::vector<FromRead> from_reads_;
  std::vector<Misuse> misuses_;
  bool has_unsure_sections_ = false;
  FormulaSize size_;
};

} // namespace heddle::encode
