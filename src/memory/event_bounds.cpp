// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/event_bounds.h"

#include "execution/execution.h"
#include "memory/coherence.h"
#include "memory/excluded_pairs.h"
#include "memory/execution_values.h"
#include "program/events/event_regions.h"
#include "support/budget_watch.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace heddle::memory {

namespace {

using execution::Event;
using execution::is_write;
using logic::Term;
using program::EventIndex;
using program::EventSet;
using program::StaticEdge;
using program::StaticEvent;
using relation::BitMatrix;
using relation::BitSet;

/// An access that may be to more places has an initial write of its own. All elements are numbered
/// in matrices, so that places are not listed without end.
constexpr std::size_t kMostPieces = 64;
constexpr std::size_t kMostPlaces = 256;

/// What one pass excludes can decide more in the next one; mostly the second finds nothing.
constexpr int kMostPasses = 4;

class Bounder {
public:
  Bounder(const Core& core, const EventSet& set, Accesses accesses, const Budget* budget)
      : core_(core), set_(set), accesses_(accesses), terms_(set.terms), regions_(set),
        coherence_(find_coherence(core)), watch_(budget) {}

  EventBounds run(Narrowed narrowed) {
    make_elements();
    make_static_relations();
    make_places();
    make_communication();
    if (narrowed == Narrowed::kByAxioms)
      narrow_by_axioms();
    if (watch_.is_used_up()) {
      result_.is_complete = false;
      return std::move(result_);
    }
    BoundAlgebra algebra(events_);
    for (std::size_t i = 0; i < core_.nodes.size(); ++i)
      give(
          algebra,
          core_.nodes[NodeId{i}],
          [this](const std::string& name) { return set(name); },
          [this](const std::string& name) { return relation(name); });
    Fold<BoundAlgebra> fold(core_, algebra);
    for (std::size_t i = 0; i < core_.nodes.size() && result_.is_complete; ++i) {
      result_.is_complete = !watch_.is_used_up();
      if (core_.nodes[NodeId{i}].is_set)
        result_.values.push_back(fold.set(NodeId{i}));
      else
        result_.values.push_back(fold.relation(NodeId{i}));
    }
    return std::move(result_);
  }

private:
  [[nodiscard]] const std::string& vocabulary() const { return set_.program->vocabulary; }
  [[nodiscard]] bool is_true(logic::Term term) const {
    return terms_.is_constant(term) && terms_.node(term).value != 0;
  }
  [[nodiscard]] bool is_false(logic::Term term) const {
    return terms_.is_constant(term) && terms_.node(term).value == 0;
  }
  [[nodiscard]] std::optional<std::uint64_t> known_address(const StaticEvent& event) const {
    if (!event.address.is_valid() || !terms_.is_constant(event.address))
      return std::nullopt;
    return terms_.node(event.address).value;
  }
  [[nodiscard]] std::size_t count() const { return result_.elements.size(); }

  void add_element(EventBounds::Element element, Event event, bool is_sure) {
    sure_.push_back(is_sure);
    result_.elements.push_back(std::move(element));
    must_.events.push_back(event);
    may_.events.push_back(std::move(event));
  }

  using Place = std::pair<std::uint64_t, std::uint8_t>; // address and size

  /// An access that can happen, to an address that is not known.
  [[nodiscard]] bool is_computed(EventIndex event) const {
    return set_.is_memory(event) && !is_false(set_.events[event].guard) &&
           !known_address(set_.events[event]);
  }

  /// All places an access may be to, if they are known and few.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> pieces_of(EventIndex event) const {
    return accesses_ == Accesses::kInRegions ? regions_.pieces(event, kMostPieces) : std::nullopt;
  }

  /// Places that accesses are to, or may be to where these are few; with whether they surely are.
  [[nodiscard]] std::map<Place, bool> initial_places() const {
    std::map<Place, bool> places;
    for (const StaticEvent& event : set_.events)
      if (event.kind == StaticEvent::Kind::kRead || event.kind == StaticEvent::Kind::kWrite)
        if (const auto address = known_address(event)) {
          bool& is_sure = places[{*address, event.size}];
          is_sure = is_sure || is_true(event.guard);
        }
    for (std::size_t i = 0; i < set_.events.size(); ++i) {
      const auto event = static_cast<EventIndex>(i);
      if (!is_computed(event))
        continue;
      const auto pieces = pieces_of(event);
      if (!pieces || places.size() + pieces->size() > kMostPlaces)
        continue;
      for (const std::uint64_t address : *pieces)
        places.try_emplace({address, set_.events[i].size}, false);
    }
    return places;
  }

  /// Is every place it may be to among these?
  [[nodiscard]] bool is_listed(EventIndex event, const std::map<Place, bool>& places) const {
    const auto pieces = pieces_of(event);
    return pieces && std::all_of(pieces->begin(), pieces->end(), [&](std::uint64_t address) {
             return places.contains({address, set_.events[event].size});
           });
  }

  void make_elements() {
    const std::map<Place, bool> initial = initial_places();
    Event first;
    first.kind = Event::Kind::kInitialWrite;
    for (const auto& [place, is_sure] : initial) {
      first.address = place.first;
      add_element({true, 0, place.first, place.second}, first, is_sure);
    }
    first.address = 0;
    for (std::size_t i = 0; i < set_.events.size(); ++i)
      if (const auto event = static_cast<EventIndex>(i);
          is_computed(event) && !is_listed(event, initial))
        add_element({true, event, std::nullopt, set_.events[i].size}, first, false);
    result_.element_of.assign(set_.events.size(), EventBounds::kNone);
    for (std::size_t i = 0; i < set_.events.size(); ++i) {
      const StaticEvent& from = set_.events[i];
      const std::optional<Event::Kind> kind = event_kind(from.kind);
      if (!kind || is_false(from.guard))
        continue;
      result_.element_of[i] = count();
      Event event;
      event.kind = *kind;
      event.thread = static_cast<program::ThreadIndex>(from.thread);
      event.size = from.size;
      event.is_atomic = from.access == program::AccessKind::kAtomic;
      event.order = from.order;
      event.tags = from.tags;
      event.loc = from.loc;
      event.instruction = from.instruction;
      event.access = from.piece_of;
      event.feeds_address = from.feeds_address;
      event.feeds_data = from.feeds_data;
      if (*kind == Event::Kind::kRegisterRead || *kind == Event::Kind::kRegisterWrite)
        event.register_name = from.text;
      const std::uint8_t size = set_.is_memory(static_cast<EventIndex>(i)) ? from.size : 0;
      add_element({false, static_cast<EventIndex>(i), known_address(from), size},
                  event,
                  is_true(from.guard));
      add_tags(from);
    }
    events_ = {BitSet::full(count()), BitSet(count())};
    for (std::size_t i = 0; i < count(); ++i)
      if (sure_[i])
        events_.must.insert(i);
  }

  /// Tags that follow from what else is known of the last element. Where its order depends on
  /// success, it may have those of both, and surely has what is in both.
  void add_tags(const StaticEvent& from) {
    const std::vector<const char*> tags = implied_tags(vocabulary(), from, from.order);
    const bool depends = from.success.is_valid() && from.failure_order != from.order;
    const std::vector<const char*> others =
        depends ? implied_tags(vocabulary(), from, from.failure_order) : tags;
    for (const char* tag : tags) {
      add_tag(may_.events.back(), tag);
      const auto is_same = [&](const char* other) { return std::string_view(tag) == other; };
      if (std::any_of(others.begin(), others.end(), is_same))
        add_tag(must_.events.back(), tag);
    }
    for (const char* tag : others)
      add_tag(may_.events.back(), tag);
  }

  [[nodiscard]] BoundAlgebra::Relation nothing() const {
    return {BitMatrix(count()), BitMatrix(count())};
  }
  void insert(BoundAlgebra::Relation& into, std::size_t from, std::size_t to, bool is_sure) const {
    into.may.insert(from, to);
    if (is_sure && sure_[from] && sure_[to])
      into.must.insert(from, to);
  }
  [[nodiscard]] BoundAlgebra::Relation
  from_edges(std::initializer_list<const std::vector<StaticEdge>*> lists) const {
    BoundAlgebra::Relation made = nothing();
    for (const std::vector<StaticEdge>* edges : lists)
      for (const StaticEdge& edge : *edges) {
        const std::size_t from = result_.element_of[edge.from];
        const std::size_t to = result_.element_of[edge.to];
        if (from != EventBounds::kNone && to != EventBounds::kNone && !is_false(edge.guard))
          insert(made, from, to, is_true(edge.guard));
      }
    return made;
  }
  [[nodiscard]] bool exclude_each_other(EventIndex a, EventIndex b) {
    return is_false(terms_.and_(set_.events[a].guard, set_.events[b].guard));
  }

  void make_static_relations() {
    BoundAlgebra::Relation po = nothing();
    for (std::size_t i = 0; i < count() && !watch_.is_used_up(); ++i)
      for (std::size_t j = i + 1; j < count(); ++j) {
        const EventBounds::Element& a = result_.elements[i];
        const EventBounds::Element& b = result_.elements[j];
        const Event& first = may_.events[i];
        const Event& second = may_.events[j];
        if (a.is_initial || b.is_initial || first.thread != second.thread)
          continue;
        if (are_in_program_order(vocabulary(), first, second) &&
            !exclude_each_other(a.event, b.event))
          insert(po, i, j, true);
      }
    if (watch_.is_used_up())
      return;
    const auto keep = [this](BitMatrix execution::Execution::* where,
                             const BoundAlgebra::Relation& bounds) {
      may_.*where = bounds.may;
      must_.*where = bounds.must;
    };
    keep(&execution::Execution::po, po);
    keep(&execution::Execution::addr, from_edges({&set_.addr}));
    keep(&execution::Execution::data, from_edges({&set_.data}));
    keep(&execution::Execution::ctrl, from_edges({&set_.ctrl}));
    keep(&execution::Execution::intra_data, from_edges({&set_.intra_data}));
    keep(&execution::Execution::intra_control, from_edges({&set_.intra_control}));
    keep(&execution::Execution::rmw, from_edges({&set_.amo, &set_.exclusive}));
    for (execution::Execution* one : {&may_, &must_})
      for (const auto& [read, write] : one->rmw.pairs())
        for (const std::size_t half : {read, write})
          for (const char* tag : update_tags(vocabulary()))
            add_tag(one->events[half], tag);
  }

  /// Are the two at one place: surely, maybe (nothing) or never?
  [[nodiscard]] std::optional<bool> is_same_place(std::size_t i, std::size_t j) const {
    const Event& first = may_.events[i];
    const Event& second = may_.events[j];
    const auto is_register = [](const Event& event) {
      return event.kind == Event::Kind::kRegisterRead || event.kind == Event::Kind::kRegisterWrite;
    };
    if (is_register(first) || is_register(second))
      return is_register(first) && is_register(second) && first.thread == second.thread &&
             first.register_name == second.register_name;
    const EventBounds::Element& a = result_.elements[i];
    const EventBounds::Element& b = result_.elements[j];
    const auto has_place = [this](const EventBounds::Element& one) {
      return one.is_initial || set_.events[one.event].address.is_valid();
    };
    if (!has_place(a) || !has_place(b) || a.has_other_size(b))
      return false;
    if (a.address && b.address)
      return *a.address != 0 && *a.address == *b.address;
    // Initial writes beyond the known ones are of addresses that no known one has.
    const auto is_beyond = [](const EventBounds::Element& one) {
      return one.is_initial && !one.address;
    };
    if ((is_beyond(a) && b.address) || (is_beyond(b) && a.address) ||
        (is_beyond(a) && is_beyond(b) && i != j))
      return false;
    // No access goes where its points-to set does not lead, but to where nothing is.
    const auto is_memory = [this](const EventBounds::Element& one) {
      return !one.is_initial && set_.is_memory(one.event);
    };
    if (is_memory(a) && is_memory(b) && !regions_.may_meet(a.event, b.event))
      return false;
    if ((a.is_initial && a.address && is_memory(b) && !regions_.piece_at(b.event, *a.address)) ||
        (b.is_initial && b.address && is_memory(a) && !regions_.piece_at(a.event, *b.address)))
      return false;
    return std::nullopt;
  }

  void make_places() {
    if (watch_.is_used_up())
      return;
    loc_ = nothing();
    for (std::size_t i = 0; i < count() && !watch_.is_used_up(); ++i)
      for (std::size_t j = 0; j < count(); ++j)
        if (const std::optional<bool> same = is_same_place(i, j); !same || *same)
          insert(loc_, i, j, same.has_value());
  }

  void make_communication() {
    if (watch_.is_used_up())
      return;
    rf_ = nothing();
    co_ = nothing();
    const bool is_coherent = coherence_.is_per_location;
    for (std::size_t i = 0; i < count() && !watch_.is_used_up(); ++i) {
      const Event& from = may_.events[i];
      if (!is_write(from))
        continue;
      for (std::size_t j = 0; j < count(); ++j) {
        const Event& to = may_.events[j];
        if (i == j || !loc_.may.contains(i, j))
          continue;
        const bool is_later =
            is_coherent && !result_.elements[j].is_initial && may_.po.contains(j, i);
        if (to.kind == Event::Kind::kRead && !is_later && !must_.rmw.contains(j, i) &&
            !(is_coherent && is_overwritten(i, j)))
          rf_.may.insert(i, j);
        if (to.kind != Event::Kind::kWrite || is_later)
          continue;
        const bool is_first = from.kind == Event::Kind::kInitialWrite;
        insert(co_,
               i,
               j,
               loc_.must.contains(i, j) && (is_first || (is_coherent && is_surely_ordered(i, j))));
      }
    }
    if (watch_.is_used_up())
      return;
    // A read that has but one possible source has that.
    const BitMatrix sources = rf_.may.inverse();
    for (std::size_t i = 0; i < count(); ++i)
      if (may_.events[i].kind == Event::Kind::kRead && sure_[i] && sources.row(i).size() == 1)
        if (const std::size_t source = sources.row(i).elements().front(); sure_[source])
          rf_.must.insert(source, i);
  }
  /// Whenever both happen, are they in program order and at one place? (Program order depends on
  /// nothing but that both happen.)
  [[nodiscard]] bool is_surely_ordered(std::size_t first, std::size_t second) const {
    const std::optional<bool> same = is_same_place(first, second);
    return may_.po.contains(first, second) && same && *same;
  }
  /// Does a write of the reader's own thread surely come between?
  [[nodiscard]] bool is_overwritten(std::size_t write, std::size_t read) const {
    for (std::size_t i = 0; i < count(); ++i)
      if (i != write && sure_[i] && may_.events[i].kind == Event::Kind::kWrite &&
          is_surely_ordered(i, read) &&
          (may_.events[write].kind == Event::Kind::kInitialWrite || is_surely_ordered(write, i)))
        return true;
    return false;
  }

  [[nodiscard]] BoundAlgebra::Set final_writes() const {
    BoundAlgebra::Set made{BitSet(count()), BitSet(count())};
    for (std::size_t i = 0; i < count(); ++i) {
      if (!is_write(may_.events[i]))
        continue;
      if (co_.must.row(i).empty())
        made.may.insert(i);
      if (sure_[i] && co_.may.row(i).empty())
        made.must.insert(i);
    }
    return made;
  }

  /// `algebra` gets the base value, with sets and relations by name from these.
  template <class SetOf, class RelationOf>
  void give(BoundAlgebra& algebra,
            const Node& node,
            const SetOf& set_of,
            const RelationOf& relation_of) const {
    if (node.op == NodeOp::kBaseSet)
      algebra.give(core_.base_names[node.index], set_of(core_.base_names[node.index]));
    if (node.op == NodeOp::kBaseRelation)
      algebra.give(core_.base_names[node.index], relation_of(core_.base_names[node.index]));
    if (node.op == NodeOp::kGenerated &&
        std::holds_alternative<Generator::Coherence>(core_.generators[node.index].how))
      algebra.give_generated(node.index, relation_of("co"));
  }

  [[nodiscard]] BoundAlgebra::Set set(const std::string& name) const {
    if (name == "FW")
      return final_writes();
    return {base_set(may_, name), base_set(must_, name) & events_.must};
  }

  [[nodiscard]] static bool is_location(const std::string& name) {
    return name == "loc" || name == "same-loc" || name == "scl";
  }
  [[nodiscard]] BoundAlgebra::Relation different_values() const {
    const BitSet memory = base_set(may_, "M");
    return {BitMatrix::product(memory, memory) - BitMatrix::identity(count()), BitMatrix(count())};
  }

  [[nodiscard]] BoundAlgebra::Relation relation(const std::string& name) const {
    if (name == "rf")
      return rf_;
    if (name == "co")
      return co_;
    if (is_location(name))
      return loc_;
    if (name == "different-values")
      return different_values();
    // Whether a pair of an update is of one instruction, and all else, depends on no choice.
    return {base_relation(may_, name),
            base_relation(must_, name).restrict(events_.must, events_.must)};
  }

  // For narrow_by_axioms: what is so whenever the events happen.

  struct WhenBothHappen {
    execution::Execution execution; // po, dependencies and tags
    BitMatrix loc;
    BitMatrix rf;
    BitMatrix co;
    BitMatrix implies; // where the first happens, the second one does
  };

  [[nodiscard]] BitMatrix
  edges_when_both_happen(std::initializer_list<const std::vector<StaticEdge>*> lists) const {
    BitMatrix made(count());
    for (const std::vector<StaticEdge>* edges : lists)
      for (const StaticEdge& edge : *edges) {
        const std::size_t from = result_.element_of[edge.from];
        const std::size_t to = result_.element_of[edge.to];
        if (from != EventBounds::kNone && to != EventBounds::kNone && is_true(edge.guard))
          made.insert(from, to);
      }
    return made;
  }

  void add_conjuncts(Term term, std::vector<Term>& conjuncts) const {
    std::vector<Term> pending{term};
    while (!pending.empty()) {
      const Term next = pending.back();
      pending.pop_back();
      if (terms_.node(next).op == logic::Op::kAnd)
        for (const Term part : terms_.arguments(next))
          pending.push_back(part);
      else if (!is_true(next))
        conjuncts.push_back(next);
    }
    std::sort(conjuncts.begin(), conjuncts.end());
    conjuncts.erase(std::unique(conjuncts.begin(), conjuncts.end()), conjuncts.end());
  }

  /// By element, of its guard.
  [[nodiscard]] std::vector<std::vector<Term>> conjuncts_of_guards() const {
    std::vector<std::vector<Term>> made(count());
    for (std::size_t i = 0; i < count(); ++i)
      if (!result_.elements[i].is_initial)
        add_conjuncts(set_.events[result_.elements[i].event].guard, made[i]);
    return made;
  }

  /// A part of what the second's guard says is all that the first's says, or the first is an access
  /// to the place whose initial write the second is.
  [[nodiscard]] BitMatrix implied_by_guards(const std::vector<std::vector<Term>>& conjuncts) const {
    BitMatrix made = BitMatrix::identity(count());
    for (std::size_t i = 0; i < count(); ++i) {
      const EventBounds::Element& a = result_.elements[i];
      for (std::size_t j = 0; j < count(); ++j) {
        const EventBounds::Element& b = result_.elements[j];
        if (b.is_initial
                ? b.address && a.address == b.address && !a.has_other_size(b)
                : sure_[j] || (!a.is_initial && may_.events[i].thread == may_.events[j].thread &&
                               std::includes(conjuncts[i].begin(),
                                             conjuncts[i].end(),
                                             conjuncts[j].begin(),
                                             conjuncts[j].end())))
          made.insert(i, j);
      }
    }
    return made;
  }

  /// A read that waits happens only where it has found something else than is there at first: a
  /// create or the end of a thread.
  void exclude_what_guards_deny(const std::vector<std::vector<Term>>& conjuncts) {
    for (std::size_t j = 0; j < count(); ++j) {
      const EventBounds::Element& read = result_.elements[j];
      if (read.is_initial || may_.events[j].kind != Event::Kind::kRead ||
          !set_.events[read.event].is_hidden)
        continue;
      const Term value = set_.events[read.event].value;
      const Term has_found =
          terms_.not_(terms_.equal(value, terms_.constant(0, terms_.sort(value).width)));
      if (!std::binary_search(conjuncts[j].begin(), conjuncts[j].end(), has_found))
        continue;
      for (std::size_t i = 0; i < count(); ++i)
        if (may_.events[i].kind == Event::Kind::kInitialWrite)
          rf_.may.erase(i, j);
    }
  }

  [[nodiscard]] WhenBothHappen when_both_happen() {
    const std::vector<std::vector<Term>> conjuncts = conjuncts_of_guards();
    exclude_what_guards_deny(conjuncts);
    WhenBothHappen made{
        must_, BitMatrix(count()), BitMatrix(count()), BitMatrix(count()), BitMatrix(count())};
    made.execution.po = may_.po;
    made.execution.addr = edges_when_both_happen({&set_.addr});
    made.execution.data = edges_when_both_happen({&set_.data});
    made.execution.ctrl = edges_when_both_happen({&set_.ctrl});
    made.execution.intra_data = edges_when_both_happen({&set_.intra_data});
    made.execution.intra_control = edges_when_both_happen({&set_.intra_control});
    made.execution.rmw = edges_when_both_happen({&set_.amo, &set_.exclusive});
    made.implies = implied_by_guards(conjuncts);
    for (std::size_t i = 0; i < count(); ++i)
      for (std::size_t j = 0; j < count(); ++j)
        if (loc_.may.contains(i, j) && is_same_place(i, j) == std::optional(true))
          made.loc.insert(i, j);
    return made;
  }

  /// A read that happens has a source, and two writes to one place are in an order.
  void decide_what_is_left(WhenBothHappen& known) {
    const BitMatrix sources = rf_.may.inverse();
    for (std::size_t read = 0; read < count(); ++read)
      if (may_.events[read].kind == Event::Kind::kRead && sources.row(read).size() == 1) {
        const std::size_t source = sources.row(read).elements().front();
        known.rf.insert(source, read);
        known.implies.insert(read, source);
        if (sure_[read] && sure_[source])
          rf_.must.insert(source, read);
      }
    known.implies = known.implies.transitive_closure();
    for (const auto& [first, second] : co_.may.pairs())
      if (known.loc.contains(first, second) && !co_.may.contains(second, first)) {
        known.co.insert(first, second);
        if (sure_[first] && sure_[second])
          co_.must.insert(first, second);
      }
  }

  void narrow_by_axioms() {
    if (watch_.is_used_up())
      return;
    WhenBothHappen known = when_both_happen();
    for (int pass = 0; pass < kMostPasses && !watch_.is_used_up(); ++pass) {
      decide_what_is_left(known);
      RelativeBoundAlgebra algebra(known.implies);
      for (std::size_t i = 0; i < core_.nodes.size(); ++i)
        give(
            algebra,
            core_.nodes[NodeId{i}],
            [&](const std::string& name) {
              return name == "FW" ? BoundAlgebra::Set{final_writes().may, BitSet(count())}
                                  : BoundAlgebra::Set{base_set(may_, name), base_set(must_, name)};
            },
            [&](const std::string& name) -> BoundAlgebra::Relation {
              if (name == "rf")
                return {rf_.may, known.rf};
              if (name == "co")
                return {co_.may, known.co};
              if (is_location(name))
                return {loc_.may, known.loc};
              if (name == "different-values")
                return different_values();
              return {base_relation(may_, name), base_relation(known.execution, name)};
            });
      Fold<RelativeBoundAlgebra> fold(core_, algebra);
      const ExcludedPairs excluded = exclude_by_axioms(core_, algebra, fold);
      const std::size_t before = rf_.may.size() + co_.may.size();
      rf_.may -= excluded.rf;
      co_.may -= excluded.co;
      if (rf_.may.size() + co_.may.size() == before)
        break;
    }
    decide_what_is_left(known);
  }

  const Core& core_;
  const EventSet& set_;
  Accesses accesses_;
  logic::TermStore terms_; // a copy: conjunctions of guards are made in it
  program::EventRegions regions_;
  Coherence coherence_;
  EventBounds result_;
  BudgetWatch watch_;
  std::vector<bool> sure_; // by element: it happens in every execution
  BoundAlgebra::Set events_;
  /// All elements as if they happened together, and with what they may or must have.
  execution::Execution may_;
  execution::Execution must_;
  BoundAlgebra::Relation loc_;
  BoundAlgebra::Relation rf_;
  BoundAlgebra::Relation co_;
};

} // namespace

EventBounds bounds(const Core& core,
                   const EventSet& set,
                   Accesses accesses,
                   const Budget* budget,
                   Narrowed narrowed) {
  return Bounder(core, set, accesses, budget).run(narrowed);
}

} // namespace heddle::memory
