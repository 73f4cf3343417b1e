// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/slices/slices.h"

#include "support/check.h"

#include <algorithm>

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;
using program::StaticEvent;

} // namespace

Status Slices::encode() {
  if (const std::optional<std::string> why = why_not_sliced(set_, skeleton_))
    return Error{ErrorKind::kUnsupported, "ENC-002", "memory cannot be sliced: " + *why};
  sliced_ = make_sliced_events(set_, skeleton_);
  values_ = std::make_unique<SliceValues>(
      set_,
      skeleton_,
      sliced_,
      gates_,
      SliceValues::Translation{[this](Term term) { return literal(term); },
                               [this](Literal literal) { return as_term(literal); }});
  find_needed_reads();
  make_order();
  for (const program::StaticDefinition& definition : set_.definitions)
    blaster_.require(set_.terms.equal(definition.variable, definition.value));
  make_words();
  for (const EventIndex read : needed_) {
    if (Status status = go_on(); !status)
      return status;
    attach(read, sources(read));
  }
  for (const program::StaticSection& section : set_.sections)
    close_section(section);
  order_->finish();
  size_.nodes = skeleton_.nodes.size();
  return Done{};
}

void Slices::make_order() {
  std::vector<SlotOrder::Writer> writers;
  relation::BitSet others(skeleton_.nodes.size());
  for (Node node = 0; node < skeleton_.nodes.size(); ++node) {
    std::vector<Literal> writes;
    for (const EventIndex e : sliced_.events[node]) {
      if (!sliced_.is_shared(e))
        continue;
      if (set_.events[e].kind == Kind::kWrite)
        writes.push_back(executed(e));
      if (set_.events[e].kind == Kind::kWrite || needed_.contains(e) || values_->remembers(e))
        others.insert(node);
    }
    if (const Literal any = gates_.or_(writes); !gates_.is_false(any))
      writers.push_back({node, any});
  }
  for (const Arc& arc : skeleton_.arcs)
    if (!set_.terms.is_constant(arc.when)) {
      others.insert(arc.from);
      others.insert(arc.to);
    }
  order_ = std::make_unique<SlotOrder>(skeleton_, gates_, std::move(writers), others);
  for (const Arc& arc : skeleton_.arcs)
    if (!set_.terms.is_constant(arc.when))
      order_->arc(arc.from, arc.to, literal(arc.when));
}

Term Slices::as_term(Literal literal) {
  if (gates_.is_constant(literal))
    return set_.terms.boolean(gates_.is_true(literal));
  const auto [entry, is_new] = as_terms_.try_emplace(literal);
  if (is_new) {
    entry->second = set_.terms.variable(kFirstSliceVariable + as_terms_.size() - 1, logic::Sort{0});
    blaster_.define(entry->second, std::vector{literal});
  }
  return entry->second;
}

Term Slices::value_in_step(EventIndex read, Term word, const std::map<EventIndex, Term>& written) {
  std::vector<std::pair<Term, Term>> maybe; // guards and values, the latest first
  Term result = word;
  for (auto write = written.rbegin(); write != written.rend(); ++write) {
    if (sliced_.place_of[write->first] != sliced_.place_of[read])
      continue;
    const Term guard = set_.events[write->first].guard;
    if (implies(set_.events[read].guard, guard)) {
      result = write->second;
      break;
    }
    maybe.emplace_back(guard, write->second);
  }
  for (auto one = maybe.rbegin(); one != maybe.rend(); ++one)
    result = set_.terms.ite(one->first, one->second, result);
  return result;
}

std::map<PlaceIndex, Slices::Effect> Slices::effects(Node node, std::size_t slot) {
  std::map<PlaceIndex, Effect> result;
  const Literal is_here = order_->at(node, slot);
  if (gates_.is_false(is_here))
    return result;
  std::map<EventIndex, Term> found; // by read
  std::map<EventIndex, Term> written;
  for (const EventIndex e : sliced_.events[node]) {
    const StaticEvent& event = set_.events[e];
    const PlaceIndex place = sliced_.place_of[e];
    if (event.kind == Kind::kRead) {
      if (sliced_.places[place].is_shared)
        found.emplace(e, value_in_step(e, words_[slot][place], written));
      continue;
    }
    const Term value = values_->value(e, found);
    written.emplace(e, value);
    if (!sliced_.places[place].is_shared)
      continue;
    const Literal happens = gates_.and_(is_here, executed(e));
    const auto [effect, is_new] = result.try_emplace(place, Effect{happens, value});
    if (!is_new) {
      effect->second.happens = gates_.or_(effect->second.happens, happens);
      effect->second.value = set_.terms.ite(event.guard, value, effect->second.value);
    }
  }
  return result;
}

void Slices::make_words() {
  std::vector<Term> initial;
  for (const SlicePlace& place : sliced_.places) {
    const std::optional<Term> value =
        places_.initial_value(place.reads.empty() ? place.writes.front() : place.reads.front());
    HEDDLE_CHECK(value.has_value(), "one place has an initial value");
    initial.push_back(*value);
  }
  words_.push_back(std::move(initial));
  for (std::size_t slot = 0; slot < order_->slots(); ++slot) {
    values_->advance(words_.back(), *order_);
    // Steps that write the same are one.
    std::map<std::pair<PlaceIndex, Term>, std::vector<Literal>> by_value;
    for (const Node node : sliced_.writers)
      for (const auto& [place, effect] : effects(node, slot))
        by_value[{place, effect.value}].push_back(effect.happens);
    std::vector<Term> words = words_.back();
    for (const auto& [what, happens] : by_value) {
      const auto& [place, value] = what;
      words[place] = set_.terms.ite(as_term(gates_.or_(happens)), value, words[place]);
    }
    words_.push_back(std::move(words));
  }
}

void Slices::find_needed_reads() {
  std::set<EventIndex> found;
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    const StaticEvent& event = set_.events[e];
    found.merge(reads_in(set_, event.guard));
    if (event.kind == Kind::kRead || !event.value.is_valid())
      continue;
    std::set<EventIndex> reads = reads_in(set_, event.value);
    if (event.kind == Kind::kWrite)
      std::erase_if(reads, [&](EventIndex read) { return values_->covers(read, e); });
    found.merge(reads);
  }
  for (const program::StaticDefinition& definition : set_.definitions)
    found.merge(reads_in(set_, definition.value));
  for (const program::StaticJoin& join : set_.joins)
    found.merge(reads_in(set_, join.guard));
  // A read may find a write that is not in memory yet, and then what that was computed from.
  while (!found.empty()) {
    const EventIndex read = *found.begin();
    found.erase(found.begin());
    if (needed_.insert(read).second)
      for (const EventIndex write : own_sources(read))
        found.merge(reads_in(set_, set_.events[write].value));
  }
}

std::vector<EventIndex> Slices::own_sources(EventIndex read) {
  std::vector<EventIndex> result;
  const Node node = skeleton_.node_of[read];
  const std::vector<EventIndex>& writes = sliced_.places[sliced_.place_of[read]].writes;
  for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
    const Node other = skeleton_.node_of[*write];
    const bool may_be_in_memory = sliced_.is_shared(read) && other != node;
    if (!is_before_in_thread(*write, read) ||
        (may_be_in_memory && skeleton_.must[other].contains(node)))
      continue;
    result.push_back(*write);
    if (!may_be_in_memory && implies(set_.events[read].guard, set_.events[*write].guard))
      break;
  }
  return result;
}

/// An own write that is not in memory yet, otherwise the word at the position of the read.
std::vector<Slices::Source> Slices::sources(EventIndex read) {
  std::vector<Source> result;
  const Node node = skeleton_.node_of[read];
  Literal none = gates_.constant(true); // of the writes so far
  for (const EventIndex write : own_sources(read)) {
    const Node other = skeleton_.node_of[write];
    Literal is_found = implies(set_.events[read].guard, set_.events[write].guard)
                           ? gates_.constant(true)
                           : executed(write);
    if (sliced_.is_shared(read) && other != node)
      is_found = gates_.and_(is_found, order_->is_not_after(node, other));
    result.push_back({gates_.and_(none, is_found), set_.events[write].value});
    none = gates_.and_(none, ~is_found);
  }
  if (gates_.is_false(none))
    return result;
  const PlaceIndex place = sliced_.place_of[read];
  if (!sliced_.is_shared(read)) {
    result.push_back({none, words_.front()[place]});
    return result;
  }
  for (std::size_t position = order_->first(node); position <= order_->last(node); ++position)
    result.push_back({gates_.and_(none, order_->at(node, position)), words_[position][place]});
  return result;
}

void Slices::attach(EventIndex read, const std::vector<Source>& sources) {
  const Term variable = set_.events[read].value;
  std::vector<std::vector<Literal>> values;
  for (const Source& source : sources) {
    const std::span<const Literal> bits = blaster_.bits(source.value);
    values.emplace_back(bits.begin(), bits.end());
  }
  if (!blaster_.is_translated(variable)) {
    // Bits that are the same in all values, or copies of the bit below, are so in the variable.
    std::vector<Literal> bits;
    for (std::size_t bit = 0; bit < values.front().size(); ++bit) {
      const auto all = [&](const auto& predicate) {
        return std::all_of(values.begin(), values.end(), predicate);
      };
      if (all([&](const auto& value) { return value[bit] == values.front()[bit]; }))
        bits.push_back(values.front()[bit]);
      else if (bit > 0 && all([&](const auto& value) { return value[bit] == value[bit - 1]; }))
        bits.push_back(bits.back());
      else
        bits.push_back(gates_.fresh());
    }
    blaster_.define(variable, bits);
  }
  const std::span<const Literal> to = blaster_.bits(variable);
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t bit = 0; bit < to.size(); ++bit) {
      gates_.require_any(std::vector{~sources[i].is_taken, ~values[i][bit], to[bit]});
      gates_.require_any(std::vector{~sources[i].is_taken, values[i][bit], ~to[bit]});
    }
  size_.sources += sources.size();
}

} // namespace heddle::encode
