// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What writes write, as terms over the words at their slots (slices.h). A step computes from what
// it reads itself. Reads of earlier steps are remembered in latches. Writes of the same code become
// the same term, and so one circuit in each slot.
#pragma once

#include "encode/slices/sliced_events.h"
#include "encode/slices/slot_order.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::encode {

/// Variables of the set's terms from here on stand for operands of classes of writes.
inline constexpr std::uint64_t kFirstOperandVariable = 1ULL << 45U;

class SliceValues {
public:
  /// A Bool as a literal, and a literal as a Bool.
  struct Translation {
    std::function<Literal(Term)> literal;
    std::function<Term(Literal)> term;
  };
  /// All outlive it.
  SliceValues(program::EventSet& set,
              const Skeleton& skeleton,
              const SlicedEvents& sliced,
              logic::Gates& gates,
              Translation translation);

  /// The value of the read, a part of what the write writes, is computed here.
  [[nodiscard]] bool covers(EventIndex read, EventIndex write) const;
  /// It matters when the read happens.
  [[nodiscard]] bool remembers(EventIndex read) const {
    return latch_of_.contains(read) || operands_.contains(read);
  }
  /// To the next slot, given the words before it. The order is the same each time.
  void advance(const std::vector<Term>& words, SlotOrder& order);
  /// At the current slot; `found` is what the write's step itself has read there.
  [[nodiscard]] Term value(EventIndex write, const std::map<EventIndex, Term>& found);

private:
  /// What a thread remembers of a place: the value of the latest of some reads, none of which
  /// comes between another and a write that needs that.
  struct Latch {
    std::uint32_t thread = 0;
    PlaceIndex place = 0;
    std::vector<EventIndex> reads;
    EventIndex last_use = 0;
    Term word; // at the current slot
  };
  /// Delayed writes that differ only in what their threads have read: one of them is in a slot, and
  /// what it has read is selected before the operation.
  struct Class {
    Term value; // over variables for the operands and the places
    struct Member {
      EventIndex write = 0;
      std::vector<EventIndex> operands; // reads
    };
    std::vector<Member> members;
    std::optional<Term> current; // at the current slot
  };

  [[nodiscard]] bool is_before_in_thread(EventIndex a, EventIndex b) const {
    return set_.events[a].thread == set_.events[b].thread && a < b;
  }
  [[nodiscard]] bool is_delayed(EventIndex write) const {
    return skeleton_.nodes[skeleton_.node_of[write]].is_delayed_write;
  }
  [[nodiscard]] bool is_of_step(EventIndex read, EventIndex write) const {
    return skeleton_.node_of[read] == skeleton_.node_of[write] && sliced_.is_shared(read);
  }
  [[nodiscard]] bool reads_memory(EventIndex read) const;
  [[nodiscard]] bool is_there_at_commit(EventIndex read, EventIndex write) const;
  /// The reads in what it writes, but for those of its own step; nothing if one of them cannot be
  /// latched.
  [[nodiscard]] std::optional<std::set<EventIndex>> latchable_reads(EventIndex write) const;
  void make_latches();
  void make_classes();
  [[nodiscard]] Literal is_now(EventIndex event);
  [[nodiscard]] Term class_value(const Class& one);

  program::EventSet& set_;
  const Skeleton& skeleton_;
  const SlicedEvents& sliced_;
  logic::Gates& gates_;
  Translation translation_;
  std::vector<Latch> latches_;
  std::map<EventIndex, std::size_t> latch_of_; // by read
  std::set<EventIndex> latched_;               // writes that are computed from latches
  std::vector<Class> classes_;
  std::map<EventIndex, std::size_t> class_of_; // by write
  std::map<EventIndex, Term> operands_;        // by read, at the current slot
  SlotOrder* order_ = nullptr;                 // none: before the first slot
  std::size_t slot_ = 0;
  std::vector<Term> words_;
};

} // namespace heddle::encode
