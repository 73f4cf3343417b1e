// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Words that are used as locks, be they mutexes or variables of the program: taken only where they
// were found free, in one step, and given back by who took them. What lies between taking and
// giving back, a section, excludes the other sections of the word. That follows from the values; a
// solver that has to find out searches through the orders in which all sections can be, so it is
// said to it, and writes that no read can find because of it are left out.
//
// Why sections exclude each other. The free value is the initial one. A step that takes the word
// reads the free value, so that the last write to the word before it is one that gives it back, or
// there is none: between two steps that take it there is one that gives it back. Each step that
// gives it back has a step of its own thread before it that took it, and no two have the same one.
// So if n steps have taken the word before another one does, then n have given it back in between,
// each of them what one of the n took.
#pragma once

#include "encode/order/guards.h"
#include "encode/order/skeleton.h"
#include "encode/places.h"
#include "program/events/event_set.h"

#include <optional>
#include <vector>

namespace heddle::encode {

class LockWords {
public:
  struct Section {
    EventIndex take = 0; // a write
    /// Writes of its thread that may give back what it took; at most one does.
    std::vector<EventIndex> gives;
  };
  struct Word {
    /// Bool: nobody gives back what he has not taken. Sections exclude each other where it holds.
    Term is_kept;
    std::vector<Section> sections;
  };

  /// All outlive it. Terms are made in the set's store.
  LockWords(program::EventSet& set, const Skeleton& skeleton, Places& places, Guards& guards);

  [[nodiscard]] const std::vector<Word>& words() const { return words_; }
  /// Can the read not find what was written because the two are in sections that exclude each
  /// other, and it was overwritten in the one, or the reader has written before in the other?
  [[nodiscard]] bool hides(EventIndex write, EventIndex read) const;
  /// Does the read come before `later` if it comes before another write, to the same place, that
  /// comes before `later` in the same section and after `source` if `later` does? The three are in
  /// sections of one word; without a source, the other two.
  [[nodiscard]] bool
  follows(std::optional<EventIndex> source, EventIndex read, EventIndex later) const;

private:
  /// An event lies in a section. What it wrote is overwritten before the section ends; the place it
  /// reads was written in the section before.
  struct Inside {
    std::size_t word = 0;
    bool is_settled = false;
    bool is_repeated = false; // a write: the place was surely written in the section before
  };

  void look_at(const std::vector<EventIndex>& accesses);
  [[nodiscard]] bool takes(EventIndex write, Term free);
  [[nodiscard]] Term gives_its_own(EventIndex give,
                                   const std::vector<EventIndex>& takes,
                                   const std::vector<EventIndex>& gives);
  [[nodiscard]] Section section_of(EventIndex take,
                                   const std::vector<EventIndex>& takes,
                                   const std::vector<EventIndex>& gives);
  void find_insides();
  [[nodiscard]] Inside inside(std::size_t word, const Section& section, EventIndex event);
  [[nodiscard]] bool is_inside(EventIndex event, const Section& section);
  [[nodiscard]] bool is_overwritten(EventIndex write, const Section& section);
  [[nodiscard]] bool was_written(EventIndex event, const Section& section);

  [[nodiscard]] bool are_of_one_thread(EventIndex a, EventIndex b) const {
    return set_.events[a].thread == set_.events[b].thread;
  }
  /// Where `a` happens, `b` does.
  [[nodiscard]] bool implied(EventIndex a, EventIndex b);
  [[nodiscard]] bool is_in(std::size_t word, EventIndex event) const;
  /// In one step, or one after the other.
  [[nodiscard]] bool is_not_after(EventIndex a, EventIndex b) const {
    return skeleton_.node_of[a] == skeleton_.node_of[b] || skeleton_.must_precede(a, b);
  }
  [[nodiscard]] bool exclude_each_other(EventIndex a, EventIndex b);

  program::EventSet& set_;
  const Skeleton& skeleton_;
  Places& places_;
  Guards& guards_;
  bool delays_writes_ = false;
  std::vector<Word> words_;
  std::vector<std::vector<Inside>> insides_; // by event
};

} // namespace heddle::encode
