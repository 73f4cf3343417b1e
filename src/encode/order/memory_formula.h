// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Events, guards and terms as a formula whose models are the executions of the program under SC,
// TSO or PSO: each read that happens takes its value from one write that may precede it, and the
// order in which events take effect has no cycle. The model is that of the axioms in
// models/{sc,tso,pso}.cat, with every write at the moment it reaches memory; that the two agree is
// tested.
#pragma once

#include "encode/order/lock_words.h"
#include "encode/order/memory_encoding.h"
#include "encode/order/node_order.h"

#include <optional>
#include <vector>

namespace heddle::encode {

class MemoryFormula final : public MemoryEncoding {
public:
  /// The set, the gates and the order outlive it. Terms are made in the set's store.
  MemoryFormula(program::EventSet& set,
                const Skeleton& skeleton,
                logic::Gates& gates,
                NodeOrder& order);

  /// Fails if memory cannot be followed: a read that may go anywhere. The order is not finished, so
  /// that properties can add to it.
  [[nodiscard]] Status encode() override;
  /// Reads of one place in one step find the same. Then only the first of them has sources, which
  /// is not for those who ask for all sources of reads. Before `encode`.
  void share_reads() { shares_reads_ = true; }
  [[nodiscard]] std::vector<Node> linearise(const logic::LiteralValues& model,
                                            const std::vector<bool>& happens) const override {
    return order_.linearise(model, happens);
  }

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
  /// Those with sources to choose from.
  [[nodiscard]] const std::vector<Read>& reads() const { return encoded_; }
  /// Those that always find the initial value.
  [[nodiscard]] const std::vector<Read>& initial_reads() const { return initial_reads_; }
  [[nodiscard]] const std::vector<FromRead>& from_reads() const { return from_reads_; }
  [[nodiscard]] const std::vector<EventIndex>& writes() const { return writes_; }
  /// `first` reaches memory before `second`.
  [[nodiscard]] Literal coherence(EventIndex first, EventIndex second);
  [[nodiscard]] Places& places() { return places_; }

private:
  void collect();
  void add_conditional_arcs();
  void exclude_sections();
  [[nodiscard]] Status find_candidates();
  struct Candidates {
    std::vector<EventIndex> writes;
    bool initial = false;           // it may also find what was there at first
    std::optional<EventIndex> same; // it finds what this read found
  };
  [[nodiscard]] Candidates candidates(EventIndex read);
  [[nodiscard]] std::optional<EventIndex> same_read_before(EventIndex read);
  Status encode_read(EventIndex event, const Candidates& candidates);
  void bind(EventIndex read, Term value);
  void take_value(Literal when, EventIndex read, Term value);
  void order_after_reads(const Read& read);
  void find_misuses();

  NodeOrder& order_;
  LockWords locks_;
  bool shares_reads_ = false;
  std::vector<EventIndex> reads_;
  std::vector<Candidates> candidates_; // by position in reads_
  std::vector<EventIndex> writes_;
  std::vector<Read> encoded_;
  std::vector<Read> initial_reads_;
  std::vector<FromRead> from_reads_;
};

} // namespace heddle::encode
