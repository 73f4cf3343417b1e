// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/relevance.h"

#include "encode/places.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::encode {

namespace {

using program::EventSet;
using program::StaticEvent;
using Kind = StaticEvent::Kind;

class Relevance {
public:
  Relevance(EventSet& set, ThreadOrder order, const IsAsked& is_asked)
      : set_(set), order_(order), is_asked_(is_asked), places_(set),
        is_relevant_(set.events.size(), false), is_known_(set.terms.size(), false) {}

  std::size_t leave_out() {
    // Every access may be one to a block that was freed, which ends the run.
    if (std::any_of(set_.events.begin(), set_.events.end(), [](const StaticEvent& event) {
          return event.kind == Kind::kFree;
        }))
      return 0;
    find_updates_and_pieces();
    for (const program::StaticDefinition& definition : set_.definitions)
      definitions_.emplace(set_.terms.node(definition.variable).value, definition.value);
    for (const program::StaticJoin& join : set_.joins)
      need(join.guard);
    for (EventIndex e = 0; e < set_.events.size(); ++e)
      if (is_root(e))
        need_event(e);
    while (!pending_.empty()) {
      const EventIndex event = pending_.back();
      pending_.pop_back();
      follow(event);
    }
    std::size_t count = 0;
    for (EventIndex e = 0; e < set_.events.size(); ++e)
      if ((set_.is_memory(e) || set_.events[e].kind == Kind::kEndpoint) && !is_relevant_[e]) {
        set_.events[e].kind = Kind::kBranch;
        ++count;
      }
    return count;
  }

private:
  void find_updates_and_pieces() {
    for (const program::StaticEdge& pair : set_.amo)
      read_of_[pair.to].push_back(pair.from);
    for (EventIndex e = 0; e < set_.events.size(); ++e)
      if (set_.is_memory(e))
        pieces_[key_of(e)].push_back(e);
    for (EventIndex e = 0; e < set_.events.size(); ++e)
      if (set_.events[e].kind == Kind::kWrite && set_.events[e].marks.is_valid() &&
          !(set_.terms.is_constant(set_.events[e].marks) &&
            set_.terms.node(set_.events[e].marks).value == 0))
        marking_.push_back(e);
  }

  using PieceKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Kind>;
  [[nodiscard]] PieceKey key_of(EventIndex e) const {
    const StaticEvent& event = set_.events[e];
    return {event.thread, event.instruction, event.piece_of, event.kind};
  }

  [[nodiscard]] bool is_root(EventIndex e) {
    const StaticEvent& event = set_.events[e];
    switch (event.kind) {
    case Kind::kCheck:
      return is_asked_(event);
    case Kind::kCut:
    case Kind::kTrap:
      return true;
    case Kind::kEndpoint:
      return is_endpoint_needed(e);
    case Kind::kFence:
      return order_.delays_writes;
    case Kind::kWrite:
      // A store that is left out would still be in the way of others in its buffer.
      return order_.delays_writes;
    case Kind::kRead:
      return (order_.delays_writes && (event.drains || event.section != 0)) || is_arbitrary(e) ||
             may_find_marks(e);
    case Kind::kBranch:
    case Kind::kRegisterRead:
    case Kind::kRegisterWrite:
    case Kind::kChoice:
    case Kind::kFound:
    case Kind::kAssume:
    case Kind::kFree:
      return false;
    }
    return true;
  }

  /// The end of a thread, unless somebody waits for it, is nothing to anybody.
  [[nodiscard]] bool is_endpoint_needed(EventIndex e) const {
    const std::uint32_t thread = set_.events[e].thread;
    return set_.events[e].section != 0 || set_.threads[thread].end != e ||
           std::any_of(set_.joins.begin(), set_.joins.end(), [&](const program::StaticJoin& join) {
             return join.thread == thread;
           });
  }

  /// What is there at first is chosen when it is read first.
  [[nodiscard]] bool is_arbitrary(EventIndex read) {
    const StaticEvent& event = set_.events[read];
    const auto look = [&] {
      const std::optional<Term> initial = places_.initial_value(read);
      return !initial || !set_.terms.variables(*initial).empty();
    };
    if (set_.terms.is_constant(event.address) || !event.may.is_valid())
      return look();
    const auto [known, is_new] = is_arbitrary_.try_emplace({event.may, event.size}, true);
    // Accesses that may be to the same objects find the same there at first.
    if (is_new)
      known->second = look();
    return known->second;
  }

  /// The same of bytes that a copy has left unwritten.
  [[nodiscard]] bool may_find_marks(EventIndex read) {
    return set_.events[read].marks.is_valid() ||
           std::ranges::any_of(marking_,
                               [&](EventIndex write) { return places_.may_meet(write, read); });
  }

  void need_event(EventIndex e) {
    if (is_relevant_[e])
      return;
    is_relevant_[e] = true;
    pending_.push_back(e);
  }

  void follow(EventIndex e) {
    const StaticEvent& event = set_.events[e];
    need(event.guard);
    if (!set_.is_memory(e)) {
      if (event.kind == Kind::kCheck)
        need(event.value);
      return;
    }
    need(event.address);
    for (const EventIndex piece : pieces_[key_of(e)])
      need_event(piece);
    if (event.kind == Kind::kWrite) {
      need(event.value);
      if (const auto reads = read_of_.find(e); reads != read_of_.end())
        for (const EventIndex read : reads->second)
          need_event(read);
      return;
    }
    for (EventIndex write = 0; write < set_.events.size(); ++write)
      if (set_.events[write].kind == Kind::kWrite && !is_relevant_[write] &&
          !(set_.events[write].thread == event.thread && write > e) && places_.may_meet(write, e))
        need_event(write);
  }

  void need(Term root) {
    if (!root.is_valid())
      return;
    std::vector<Term> terms{root};
    while (!terms.empty()) {
      const Term term = terms.back();
      terms.pop_back();
      if (is_known(term))
        continue;
      if (set_.terms.node(term).op == logic::Op::kVariable)
        need_variable(set_.terms.node(term).value, terms);
      for (const Term part : set_.terms.arguments(term))
        terms.push_back(part);
    }
  }

  /// Asks once.
  [[nodiscard]] bool is_known(Term term) {
    if (term.index() >= is_known_.size())
      is_known_.resize(set_.terms.size(), false);
    const bool result = is_known_[term.index()];
    is_known_[term.index()] = true;
    return result;
  }

  void need_variable(std::uint64_t number, std::vector<Term>& terms) {
    if (const auto definition = definitions_.find(number); definition != definitions_.end()) {
      terms.push_back(definition->second);
    } else if (number >= program::kFirstEventVariable && number < program::kFirstDefinedVariable) {
      const auto event = static_cast<EventIndex>(number - program::kFirstEventVariable);
      if (set_.events[event].kind == Kind::kRead)
        need_event(event);
    }
  }

  EventSet& set_;
  ThreadOrder order_;
  const IsAsked& is_asked_;
  Places places_;
  std::vector<bool> is_relevant_; // by event
  std::vector<bool> is_known_;    // by term
  std::vector<EventIndex> pending_;
  std::map<EventIndex, std::vector<EventIndex>> read_of_; // by the write of an update
  std::map<PieceKey, std::vector<EventIndex>> pieces_;
  std::map<std::uint64_t, Term> definitions_; // by variable
  std::vector<EventIndex> marking_;           // writes that may leave bytes unwritten
  std::map<std::pair<program::ObjectSetId, std::uint8_t>, bool> is_arbitrary_;
};

} // namespace

std::size_t leave_out_irrelevant(EventSet& set, ThreadOrder order, const IsAsked& is_asked) {
  return Relevance(set, order, is_asked).leave_out();
}

} // namespace heddle::encode
