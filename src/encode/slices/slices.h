// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory from write to write: a word for each shared place after each slot (slot_order.h), reads
// attached to positions. What an atomic step writes is computed from the words before its slot, so
// that steps of the same code are one circuit in each slot, whichever of them is there: values flow
// forward through the slots, and the solver chooses who moves. This is memory unwinding (Tomasco,
// Inverso, Fischer, La Torre, Parlato, "Verifying concurrent programs by memory unwinding", TACAS
// 2015) at the level of the formula.
//
// The nodes, the arcs and the literals of guards are those of the other encodings. It is exact
// under SC, TSO and PSO: a read finds the thread's own latest write to its place as long as that
// has not reached memory, otherwise the word at its position.
#pragma once

#include "encode/order/memory_encoding.h"
#include "encode/slices/slice_values.h"
#include "encode/slices/sliced_events.h"
#include "encode/slices/slot_order.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace heddle::encode {

/// Variables of the set's terms from here on stand for literals of slices.
inline constexpr std::uint64_t kFirstSliceVariable = 1ULL << 43U;

class Slices final : public MemoryEncoding {
public:
  /// The set, the skeleton and the gates outlive it.
  Slices(program::EventSet& set, const Skeleton& skeleton, logic::Gates& gates)
      : MemoryEncoding(set, skeleton, gates) {}

  /// Fails if the events cannot be sliced.
  [[nodiscard]] Status encode() override;
  [[nodiscard]] std::vector<Node> linearise(const logic::LiteralValues& model,
                                            const std::vector<bool>& happens) const override {
    return order_->linearise(model, happens);
  }

private:
  /// What a node writes to a place.
  struct Effect {
    Literal happens;
    Term value;
  };
  /// Where a read may find its value.
  struct Source {
    Literal is_taken;
    Term value;
  };

  void make_order();
  void make_words();
  /// What the node does to the words if it takes the slot.
  [[nodiscard]] std::map<PlaceIndex, Effect> effects(Node node, std::size_t slot);
  /// What the read finds in its own node, over the word before the slot.
  [[nodiscard]] Term
  value_in_step(EventIndex read, Term word, const std::map<EventIndex, Term>& written);
  /// The reads whose values something but the words needs.
  void find_needed_reads();
  /// The own writes that it may find before they reach memory, the latest first.
  [[nodiscard]] std::vector<EventIndex> own_sources(EventIndex read);
  [[nodiscard]] std::vector<Source> sources(EventIndex read);
  void attach(EventIndex read, const std::vector<Source>& sources);
  [[nodiscard]] Term as_term(Literal literal);

  SlicedEvents sliced_;
  std::set<EventIndex> needed_; // reads
  std::unique_ptr<SlotOrder> order_;
  std::unique_ptr<SliceValues> values_;
  std::vector<std::vector<Term>> words_; // by position, then by place
  std::map<Literal, Term> as_terms_;
};

} // namespace heddle::encode
