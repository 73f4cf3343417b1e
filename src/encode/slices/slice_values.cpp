// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/slices/slice_values.h"

#include <algorithm>
#include <utility>

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;

} // namespace

SliceValues::SliceValues(program::EventSet& set,
                         const Skeleton& skeleton,
                         const SlicedEvents& sliced,
                         logic::Gates& gates,
                         Translation translation)
    : set_(set), skeleton_(skeleton), sliced_(sliced), gates_(gates),
      translation_(std::move(translation)) {
  make_latches();
  make_classes();
}

bool SliceValues::covers(EventIndex read, EventIndex write) const {
  return is_of_step(read, write) || class_of_.contains(write) ||
         (latched_.contains(write) && latch_of_.contains(read));
}

/// Whatever its thread has written has reached memory before.
bool SliceValues::reads_memory(EventIndex read) const {
  const SlicePlace& place = sliced_.places[sliced_.place_of[read]];
  return place.is_shared &&
         std::all_of(place.writes.begin(), place.writes.end(), [&](EventIndex write) {
           return !is_before_in_thread(write, read) || skeleton_.must_precede(write, read);
         });
}

/// Only its thread writes to the place, and when `write` reaches memory, exactly what the thread
/// wrote there before the read has done so, too: the read found what is there then.
bool SliceValues::is_there_at_commit(EventIndex read, EventIndex write) const {
  const SlicePlace& place = sliced_.places[sliced_.place_of[read]];
  return place.is_shared && is_before_in_thread(read, write) &&
         std::all_of(place.writes.begin(), place.writes.end(), [&](EventIndex other) {
           if (set_.events[other].thread != set_.events[write].thread)
             return false;
           if (other < read)
             return skeleton_.must_precede(other, write);
           return other == write || (other > write && skeleton_.must_precede(write, other));
         });
}

std::optional<std::set<EventIndex>> SliceValues::latchable_reads(EventIndex write) const {
  // Later reads of the thread would be in the way of a write that is delayed.
  if (is_delayed(write) || !sliced_.is_shared(write))
    return std::nullopt;
  std::set<EventIndex> reads = reads_in(set_, set_.events[write].value);
  std::erase_if(reads, [&](EventIndex read) { return is_of_step(read, write); });
  for (const EventIndex read : reads)
    if (!is_before_in_thread(read, write) || !reads_memory(read))
      return std::nullopt;
  return reads;
}

void SliceValues::make_latches() {
  std::map<EventIndex, EventIndex> last_use; // by read
  for (EventIndex e = 0; e < set_.events.size(); ++e)
    if (set_.events[e].kind == Kind::kWrite)
      if (const auto reads = latchable_reads(e); reads && !reads->empty()) {
        latched_.insert(e);
        for (const EventIndex read : *reads)
          last_use[read] = e;
      }
  for (const auto& [read, use] : last_use) {
    const std::uint32_t thread = set_.events[read].thread;
    auto latch = std::find_if(latches_.begin(), latches_.end(), [&](const Latch& one) {
      return one.thread == thread && one.place == sliced_.place_of[read] && one.last_use < read;
    });
    if (latch == latches_.end())
      latch = latches_.insert(latch, {thread, sliced_.place_of[read], {}, 0, {}});
    latch->reads.push_back(read);
    latch->last_use = use;
    latch_of_[read] = static_cast<std::size_t>(latch - latches_.begin());
  }
}

void SliceValues::make_classes() {
  // Of a class, at most one write has the slot: the pieces of one write are in different ones.
  std::map<std::pair<Term, std::size_t>, Class> by_value;
  std::map<std::pair<Node, Term>, std::size_t> pieces;
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    if (set_.events[e].kind != Kind::kWrite || !is_delayed(e) || !sliced_.is_shared(e))
      continue;
    Class::Member member{e, {}};
    std::map<EventIndex, std::uint64_t> variables;
    bool is_possible = true;
    for (const EventIndex read : reads_in(set_, set_.events[e].value)) {
      if (is_there_at_commit(read, e)) {
        variables[read] = kFirstPlaceVariable + sliced_.place_of[read];
      } else {
        is_possible = is_possible && is_before_in_thread(read, e) && reads_memory(read);
        variables[read] = kFirstOperandVariable + member.operands.size();
        member.operands.push_back(read);
      }
    }
    if (!is_possible || variables.empty())
      continue;
    const Term value =
        set_.terms.substitute(set_.events[e].value, [&](std::uint64_t number, logic::Sort sort) {
          const std::optional<EventIndex> event = event_of(number);
          const auto variable = event ? variables.find(*event) : variables.end();
          return variable == variables.end() ? Term{} : set_.terms.variable(variable->second, sort);
        });
    Class& one = by_value[{value, pieces[{skeleton_.node_of[e], value}]++}];
    one.value = value;
    one.members.push_back(std::move(member));
  }
  for (auto& [key, one] : by_value) {
    if (one.members.size() < 2) // nothing to share
      continue;
    for (const Class::Member& member : one.members) {
      class_of_[member.write] = classes_.size();
      for (const EventIndex read : member.operands)
        operands_[read] = {};
    }
    classes_.push_back(std::move(one));
  }
}

/// Events that do not happen have positions, too, but leave no trace.
Literal SliceValues::is_now(EventIndex event) {
  return gates_.and_(order_->at(skeleton_.node_of[event], slot_),
                     translation_.literal(set_.events[event].guard));
}

void SliceValues::advance(const std::vector<Term>& words, SlotOrder& order) {
  const bool is_first = order_ == nullptr;
  order_ = &order;
  slot_ = is_first ? 0 : slot_ + 1;
  words_ = words;
  // What is remembered before the first read does not matter.
  for (Latch& latch : latches_) {
    std::vector<Literal> now;
    for (const EventIndex read : latch.reads)
      now.push_back(is_now(read));
    const Term word = words_[latch.place];
    latch.word =
        is_first ? word : set_.terms.ite(translation_.term(gates_.or_(now)), word, latch.word);
  }
  for (auto& [read, operand] : operands_) {
    const Term word = words_[sliced_.place_of[read]];
    operand = is_first ? word : set_.terms.ite(translation_.term(is_now(read)), word, operand);
  }
  for (Class& one : classes_)
    one.current.reset();
}

Term SliceValues::class_value(const Class& one) {
  std::vector<Term> operands;
  for (const Class::Member& member : one.members) {
    const Term is_here = translation_.term(is_now(member.write));
    if (is_here == set_.terms.boolean(false))
      continue;
    for (std::size_t i = 0; i < member.operands.size(); ++i) {
      const Term operand = operands_[member.operands[i]];
      if (i < operands.size())
        operands[i] = set_.terms.ite(is_here, operand, operands[i]);
      else
        operands.push_back(operand);
    }
  }
  return set_.terms.substitute(one.value, [&](std::uint64_t number, logic::Sort) {
    if (number >= kFirstOperandVariable)
      return operands[number - kFirstOperandVariable];
    return number >= kFirstPlaceVariable ? words_[number - kFirstPlaceVariable] : Term{};
  });
}

Term SliceValues::value(EventIndex write, const std::map<EventIndex, Term>& found) {
  if (const auto known = class_of_.find(write); known != class_of_.end()) {
    Class& one = classes_[known->second];
    if (!one.current)
      one.current = class_value(one);
    return *one.current;
  }
  const bool is_latched = latched_.contains(write);
  return set_.terms.substitute(set_.events[write].value, [&](std::uint64_t number, logic::Sort) {
    const std::optional<EventIndex> read = event_of(number);
    if (!read)
      return Term{};
    if (const auto here = found.find(*read); here != found.end())
      return here->second;
    const auto latch = latch_of_.find(*read);
    return is_latched && latch != latch_of_.end() ? latches_[latch->second].word : Term{};
  });
}

} // namespace heddle::encode
