// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/memory_formula.h"

#include "encode/order/unwritten.h"
#include "program/events/value_ranges.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;

} // namespace

MemoryFormula::MemoryFormula(program::EventSet& set,
                             const Skeleton& skeleton,
                             logic::Gates& gates,
                             NodeOrder& order)
    : MemoryEncoding(set, skeleton, gates), order_(order), locks_(set, skeleton, places_, guards_) {
}

Status MemoryFormula::encode() {
  collect();
  if (Status status = find_candidates(); !status)
    return status;
  add_conditional_arcs();
  exclude_sections();
  for (const program::StaticDefinition& definition : set_.definitions)
    blaster_.require(set_.terms.equal(definition.variable, definition.value));
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    if (Status status = go_on(); !status)
      return status;
    if (Status status = encode_read(reads_[i], candidates_[i]); !status)
      return status;
  }
  for (const Read& read : encoded_) {
    if (Status status = go_on(); !status)
      return status;
    order_after_reads(read);
  }
  Unwritten(set_, skeleton_, gates_, order_, *this).encode();
  for (const program::StaticSection& section : set_.sections)
    close_section(section);
  find_misuses();
  size_.nodes = skeleton_.nodes.size();
  return Done{};
}

void MemoryFormula::collect() {
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    if (set_.events[e].kind == Kind::kRead)
      reads_.push_back(e);
    else if (set_.events[e].kind == Kind::kWrite)
      writes_.push_back(e);
  }
}

void MemoryFormula::add_conditional_arcs() {
  for (const Arc& arc : skeleton_.arcs)
    if (!set_.terms.is_constant(arc.when))
      order_.arc(arc.from, arc.to, literal(arc.when));
}

/// Where a section of a lock is entered after another one, that one has been left before.
void MemoryFormula::exclude_sections() {
  for (const LockWords::Word& word : locks_.words())
    for (const LockWords::Section& one : word.sections)
      for (const LockWords::Section& other : word.sections) {
        const Node entry = skeleton_.node_of[other.take];
        const Literal is_before = order_.before(skeleton_.node_of[one.take], entry);
        if (set_.events[one.take].thread == set_.events[other.take].thread ||
            gates_.is_false(is_before))
          continue;
        std::vector<Literal> clause{
            ~is_before, ~executed(one.take), ~executed(other.take), ~literal(word.is_kept)};
        for (const EventIndex give : one.gives)
          clause.push_back(
              gates_.and_(executed(give), order_.before(skeleton_.node_of[give], entry)));
        gates_.require_any(clause);
      }
}

Status MemoryFormula::find_candidates() {
  std::vector<program::ReadValues> values;
  for (const EventIndex read : reads_) {
    if (Status status = go_on(); !status)
      return status;
    program::ReadValues entry{read, {}};
    if (const std::optional<EventIndex> same = same_read_before(read)) {
      candidates_.push_back({{}, false, same});
      entry.values.push_back(set_.events[*same].value);
      values.push_back(std::move(entry));
      continue;
    }
    candidates_.push_back(candidates(read));
    for (const EventIndex write : candidates_.back().writes)
      entry.values.push_back(set_.events[write].value);
    if (candidates_.back().initial) {
      const std::optional<Term> initial = places_.initial_value(read);
      if (!initial)
        continue; // any value
      entry.values.push_back(*initial);
    }
    values.push_back(std::move(entry));
  }
  ranges_ = program::value_ranges(set_, values);
  return Done{};
}

/// A read of the same place in the same step, with nothing written there in between.
std::optional<EventIndex> MemoryFormula::same_read_before(EventIndex read) {
  // What a copy finds unwritten depends on the reads before it.
  if (!shares_reads_ || set_.events[read].marks.is_valid())
    return std::nullopt;
  const Node node = skeleton_.node_of[read];
  for (EventIndex e = read; e > skeleton_.nodes[node].first; --e) {
    const EventIndex before = e - 1;
    if (skeleton_.node_of[before] != node || !set_.is_memory(before) ||
        !places_.may_meet(before, read))
      continue;
    if (set_.events[before].kind == Kind::kWrite)
      return std::nullopt;
    if (set_.events[before].address == set_.events[read].address &&
        !set_.events[before].marks.is_valid() &&
        implies(set_.events[read].guard, set_.events[before].guard))
      return before;
  }
  return std::nullopt;
}

/// The writes a read may take its value from, as far as the order of the threads tells.
MemoryFormula::Candidates MemoryFormula::candidates(EventIndex read) {
  Candidates result;
  std::vector<EventIndex>& found = result.writes;
  std::vector<EventIndex> surely_before; // to the same place, and they happen if the read does
  for (const EventIndex write : writes_) {
    if (!places_.may_meet(write, read) || is_before_in_thread(read, write) ||
        skeleton_.must_precede(read, write) || locks_.hides(write, read))
      continue;
    found.push_back(write);
    if (places_.must_meet(write, read) &&
        (is_before_in_thread(write, read) || skeleton_.must_precede(write, read)) &&
        implies(set_.events[read].guard, set_.events[write].guard))
      surely_before.push_back(write);
  }
  result.initial = surely_before.empty();
  std::erase_if(found, [&](EventIndex write) {
    return std::any_of(surely_before.begin(), surely_before.end(), [&](EventIndex later) {
      return write != later && (skeleton_.must_precede(write, later) ||
                                // One step, or one place of one thread: in program order.
                                (is_before_in_thread(write, later) &&
                                 (skeleton_.node_of[write] == skeleton_.node_of[later] ||
                                  places_.must_meet(write, later))));
    });
  });
  return result;
}

void MemoryFormula::take_value(Literal when, EventIndex read, Term value) {
  const std::span<const Literal> to = blaster_.bits(set_.events[read].value);
  const std::span<const Literal> from = blaster_.bits(value);
  for (std::size_t bit = 0; bit < to.size(); ++bit) {
    gates_.require_any(std::vector{~when, ~from[bit], to[bit]});
    gates_.require_any(std::vector{~when, from[bit], ~to[bit]});
  }
}

void MemoryFormula::bind(EventIndex read, Term value) {
  const std::span<const Literal> bits = blaster_.bits(value);
  blaster_.define(set_.events[read].value, std::vector<Literal>(bits.begin(), bits.end()));
}

Status MemoryFormula::encode_read(EventIndex event, const Candidates& candidates) {
  const std::vector<EventIndex>& writes = candidates.writes;
  const bool initial = candidates.initial;
  const program::StaticEvent& read = set_.events[event];
  if (candidates.same) {
    if (const Term value = set_.events[*candidates.same].value; !blaster_.is_translated(read.value))
      bind(event, value);
    else
      take_value(gates_.constant(true), event, value);
    return Done{};
  }
  Read entry{event, {}};
  std::optional<Term> initial_value;
  if (initial) {
    initial_value = places_.initial_value(event);
    if (!initial_value)
      return Error{
          ErrorKind::kUnsupported,
          "ENC-001",
          fmt::format("{}: a read that may go to too many places", set_.program->place(read.loc))};
  }
  const bool is_bound = !blaster_.is_translated(read.value);
  if (writes.empty() && initial_value) {
    if (is_bound && set_.terms.is_constant(*initial_value))
      bind(event, *initial_value);
    else
      take_value(gates_.constant(true), event, *initial_value);
    initial_reads_.push_back({event, {{std::nullopt, executed(event)}}});
    return Done{};
  }
  // The only write there is, in the same thread: the value is that of the write.
  if (writes.size() == 1 && !initial && is_bound && is_before_in_thread(writes[0], event) &&
      places_.must_meet(writes[0], event)) {
    bind(event, set_.events[writes[0]].value);
    // Where the read does not happen, a write of another arm may come between.
    entry.sources.push_back({writes[0], executed(event)});
    encoded_.push_back(std::move(entry));
    return Done{};
  }
  const Literal happens = executed(event);
  std::vector<Literal> some{~happens};
  for (const EventIndex write : writes) {
    const Literal taken = gates_.fresh();
    gates_.require_any(std::vector{~taken, executed(write)});
    gates_.require_any(std::vector{~taken, literal(places_.same(write, event))});
    take_value(taken, event, set_.events[write].value);
    const bool is_own = is_before_in_thread(write, event);
    if (!is_own)
      order_.arc(skeleton_.node_of[write], skeleton_.node_of[event], taken);
    entry.sources.push_back({write, taken});
    some.push_back(taken);
  }
  if (initial_value) {
    const Literal taken = gates_.fresh();
    take_value(taken, event, *initial_value);
    entry.sources.push_back({std::nullopt, taken});
    some.push_back(taken);
  }
  gates_.require_any(some);
  size_.sources += entry.sources.size();
  encoded_.push_back(std::move(entry));
  return Done{};
}

Literal MemoryFormula::coherence(EventIndex first, EventIndex second) {
  if (set_.events[first].thread == set_.events[second].thread)
    return gates_.constant(first < second);
  return order_.before(skeleton_.node_of[first], skeleton_.node_of[second]);
}

/// A read comes before every write to its place that comes after the one it took.
void MemoryFormula::order_after_reads(const Read& read) {
  const Node node = skeleton_.node_of[read.event];
  for (const EventIndex later : writes_) {
    if (!places_.may_meet(later, read.event))
      continue;
    const bool is_own_past = is_before_in_thread(later, read.event);
    if (!is_own_past &&
        (skeleton_.node_of[later] == node || is_before_in_thread(read.event, later) ||
         skeleton_.must_precede(read.event, later)))
      continue;
    const Literal is_there = gates_.and_(executed(later), literal(places_.same(later, read.event)));
    if (gates_.is_false(is_there))
      continue;
    for (const Source& source : read.sources) {
      if (source.write == later || locks_.follows(source.write, read.event, later))
        continue;
      const Literal overwrites =
          source.write ? gates_.and_(coherence(*source.write, later), is_there) : is_there;
      if (gates_.is_false(overwrites) || gates_.is_false(source.is_taken))
        continue;
      if (is_own_past) {
        gates_.require_any(std::vector{~source.is_taken, ~overwrites});
        continue;
      }
      order_.arc(node, skeleton_.node_of[later], source.is_taken, overwrites);
      from_reads_.push_back({read.event, later, source.is_taken, overwrites});
    }
  }
}

void MemoryFormula::find_misuses() {
  std::vector<EventIndex> frees;
  for (EventIndex e = 0; e < set_.events.size(); ++e)
    if (set_.events[e].kind == Kind::kFree)
      frees.push_back(e);
  for (EventIndex access = 0; access < set_.events.size() && !frees.empty(); ++access) {
    const Kind kind = set_.events[access].kind;
    if (kind != Kind::kRead && kind != Kind::kWrite && kind != Kind::kFree)
      continue;
    for (const EventIndex free : frees) {
      const Node step = skeleton_.step_of[access];
      const Node end = skeleton_.node_of[free];
      if (free == access || is_before_in_thread(access, free) || skeleton_.must[step].contains(end))
        continue;
      const Term is_in_block = places_.is_in_block(access, free);
      if (set_.terms.is_constant(is_in_block) && set_.terms.node(is_in_block).value == 0)
        continue;
      const Literal is_after =
          is_before_in_thread(free, access) ? gates_.constant(true) : order_.before(end, step);
      const Literal happens = gates_.and_(
          std::vector{executed(access), executed(free), literal(is_in_block), is_after});
      if (!gates_.is_false(happens))
        misuses_.push_back({access, free, happens});
    }
  }
}

} // namespace heddle::encode
