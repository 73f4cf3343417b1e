// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/relations/execution_formula.h"

#include "encode/relations/acyclic_graph.h"
#include "memory/execution_values.h"
#include "program/events/value_ranges.h"
#include "support/budget_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::encode {

namespace {

using EventKind = execution::Event::Kind;
using program::StaticEdge;
using program::StaticEvent;
using program::Term;

bool is_register(EventKind kind) {
  return kind == EventKind::kRegisterRead || kind == EventKind::kRegisterWrite;
}

} // namespace

ExecutionFormula::ExecutionFormula(program::EventSet& set,
                                   const memory::Core& core,
                                   logic::Gates& gates,
                                   solve::OrderTheory& theory,
                                   memory::Accesses accesses,
                                   const Budget* budget,
                                   memory::Narrowed narrowed)
    : set_(set), core_(core), gates_(gates), theory_(theory),
      bounds_(memory::bounds(core, set, accesses, budget, narrowed)), places_(set),
      blaster_(set.terms, gates, [this](Term variable) { return range_of(variable); }) {}

Status ExecutionFormula::encode() {
  if (!bounds_.is_complete)
    return budget_used_up("events are compared");
  make_variants();
  find_ranges();
  find_happening();
  find_edges();
  if (Status status = choose_sources(); !status)
    return status;
  order_writes();
  forbid_circular_values();
  find_misplaced();
  for (const program::StaticEvent& one : set_.events)
    if ((one.kind == program::StaticEvent::Kind::kRead ||
         one.kind == program::StaticEvent::Kind::kChoice) &&
        one.value.is_valid())
      variables_.emplace(set_.terms.node(one.value).value, one.value);
  return Done{};
}

bool ExecutionFormula::is_write(Element element) const {
  return kind(element) == EventKind::kWrite || kind(element) == EventKind::kInitialWrite;
}

bool ExecutionFormula::is_memory(Element element) const {
  return kind(element) == EventKind::kRead || is_write(element);
}

void ExecutionFormula::make_variants() {
  for (Element i = 0; i < count(); ++i) {
    execution::Event made;
    if (is_initial(i)) {
      made.kind = EventKind::kInitialWrite;
      plain_.events.push_back(made);
      failed_.events.push_back(std::move(made));
      continue;
    }
    plain_.events.push_back(memory::event_of(vocabulary(), event(i), true));
    failed_.events.push_back(
        memory::event_of(vocabulary(), event(i), !event(i).success.is_valid()));
  }
  updating_ = plain_;
  failed_updating_ = failed_;
  for (execution::Execution* one : {&updating_, &failed_updating_})
    for (execution::Event& half : one->events)
      for (const char* tag : memory::update_tags(vocabulary()))
        memory::add_tag(half, tag);
}

/// Memory that is arbitrary at first is taken as 0 (choose_sources).
std::optional<logic::Range> ExecutionFormula::range_of(Term variable) const {
  if (const auto range = ranges_.find(variable); range != ranges_.end())
    return range->second;
  if (set_.terms.node(variable).value < kFirstInitialVariable)
    return std::nullopt;
  return logic::Range::constant(0, set_.terms.sort(variable).width);
}

/// A value is not computed from itself (forbid_circular_values), so that what a read can find lies
/// between what its candidates can write. Conditions may well depend on what they decide: that is
/// the model's business, and nothing is concluded from them.
void ExecutionFormula::find_ranges() {
  const relation::BitMatrix bound = bound_of("rf");
  std::vector<program::ReadValues> reads;
  for (Element read = 0; read < count(); ++read) {
    if (kind(read) != EventKind::kRead)
      continue;
    const EventIndex at = bounds_.elements[read].event;
    program::ReadValues values{at, {}};
    bool has_initial = false;
    for (Element write = 0; write < count(); ++write) {
      if (!is_write(write) || !bound.contains(write, read))
        continue;
      if (is_initial(write))
        has_initial = true;
      else if (places_.may_meet(bounds_.elements[write].event, at))
        values.values.push_back(event(write).value);
    }
    if (has_initial) {
      const std::optional<Term> initial = places_.initial_value(at);
      if (!initial)
        continue; // any value
      values.values.push_back(*initial);
    }
    reads.push_back(std::move(values));
  }
  ranges_ = program::value_ranges(
      set_,
      reads,
      [this](Term variable) { return range_of(variable); },
      logic::Conditions::kArbitrary);
}

Term ExecutionFormula::address_of(Element element) {
  const memory::EventBounds::Element& one = bounds_.elements[element];
  if (!one.is_initial || !one.address)
    return set_.events[one.event].address;
  return set_.terms.constant(*one.address, set_.program->pointer_bits());
}

/// Events happen where their guards hold; the initial writes are those of the places they touch.
void ExecutionFormula::find_happening() {
  happens_.assign(count(), gates_.constant(false));
  succeeds_.assign(count(), gates_.constant(true));
  std::vector<Element> accesses;
  for (Element i = 0; i < count(); ++i) {
    if (is_initial(i))
      continue;
    happens_[i] = blaster_.literal(event(i).guard);
    if (event(i).success.is_valid())
      succeeds_[i] = blaster_.literal(event(i).success);
    if (is_memory(i))
      accesses.push_back(i);
  }
  std::vector<Element> known;
  for (Element i = 0; i < count() && is_initial(i); ++i) {
    const memory::EventBounds::Element& one = bounds_.elements[i];
    std::vector<Literal> some;
    if (one.address) {
      known.push_back(i);
      for (const Element access : accesses)
        if (!one.has_other_size(bounds_.elements[access]))
          some.push_back(gates_.and_(happens_[access], is_at(access, *one.address)));
      happens_[i] = gates_.or_(some);
      continue;
    }
    // Of an address that nothing known has, and no such access before.
    some.push_back(happens_[bounds_.element_of[one.event]]);
    const Element own = bounds_.element_of[one.event];
    for (const Element other : known)
      if (!one.has_other_size(bounds_.elements[other]))
        some.push_back(~is_at(own, *bounds_.elements[other].address));
    for (const Element access : accesses)
      if (access < own && !set_.terms.is_constant(event(access).address))
        some.push_back(~gates_.and_(happens_[access], same_place(access, own)));
    happens_[i] = gates_.and_(some);
  }
}

Literal ExecutionFormula::is_at(Element element, std::uint64_t address) {
  const memory::EventBounds::Element& one = bounds_.elements[element];
  if (one.address)
    return gates_.constant(*one.address == address);
  if (one.is_initial) // beyond the known ones
    for (Element i = 0; i < count() && is_initial(i); ++i)
      if (bounds_.elements[i].address == address)
        return gates_.constant(false);
  if (!places_.piece_at(one.event, address))
    return gates_.constant(false);
  const unsigned width = set_.terms.sort(event(element).address).width;
  return blaster_.literal(
      set_.terms.equal(event(element).address, set_.terms.constant(address, width)));
}

Literal ExecutionFormula::same_place(Element a, Element b) {
  if (a > b)
    std::swap(a, b);
  const auto [entry, is_new] = same_.try_emplace(key(a, b));
  if (!is_new)
    return entry->second;
  const auto decide = [&]() -> Literal {
    const Literal no = gates_.constant(false);
    if (is_register(kind(a)) || is_register(kind(b)))
      return gates_.constant(is_register(kind(a)) && is_register(kind(b)) &&
                             plain_.events[a].thread == plain_.events[b].thread &&
                             plain_.events[a].register_name == plain_.events[b].register_name);
    const memory::EventBounds::Element& first = bounds_.elements[a];
    const memory::EventBounds::Element& second = bounds_.elements[b];
    const auto has_place = [this](const memory::EventBounds::Element& one) {
      return one.is_initial || set_.events[one.event].address.is_valid();
    };
    if (!has_place(first) || !has_place(second) || first.has_other_size(second))
      return no;
    if (first.address && second.address)
      return gates_.constant(*first.address != 0 && *first.address == *second.address);
    const auto is_beyond = [](const memory::EventBounds::Element& one) {
      return one.is_initial && !one.address;
    };
    if ((is_beyond(first) && (second.address || (is_beyond(second) && a != b))) ||
        (is_beyond(second) && first.address))
      return no;
    if (is_memory(a) && is_memory(b)) {
      // An initial write goes where the access goes that it is for.
      if (first.address)
        return is_at(b, *first.address);
      if (second.address)
        return is_at(a, *second.address);
      if (!places_.may_meet(first.event, second.event))
        return no;
    }
    const Term left = address_of(a);
    const Literal equal = blaster_.literal(set_.terms.equal(left, address_of(b)));
    if (is_memory(a) || is_memory(b))
      return equal; // no access is at 0
    const Term zero = set_.terms.constant(0, set_.terms.sort(left).width);
    return gates_.and_(equal, ~blaster_.literal(set_.terms.equal(left, zero)));
  };
  const Literal made = decide();
  same_[key(a, b)] = made;
  return made;
}

ExecutionFormula::Pairs
ExecutionFormula::edge_literals(std::initializer_list<const std::vector<StaticEdge>*> lists) {
  Pairs made;
  for (const std::vector<StaticEdge>* edges : lists)
    for (const StaticEdge& edge : *edges) {
      const Element from = bounds_.element_of[edge.from];
      const Element to = bounds_.element_of[edge.to];
      if (from == memory::EventBounds::kNone || to == memory::EventBounds::kNone)
        continue;
      const Literal holds = gates_.and_(both_happen(from, to), blaster_.literal(edge.guard));
      const auto [entry, is_new] = made.try_emplace(key(from, to), holds);
      if (!is_new)
        entry->second = gates_.or_(entry->second, holds);
    }
  return made;
}

void ExecutionFormula::find_edges() {
  edges_["addr"] = edge_literals({&set_.addr});
  edges_["data"] = edge_literals({&set_.data});
  edges_["ctrl"] = edge_literals({&set_.ctrl});
  edges_["iico_data"] = edge_literals({&set_.intra_data});
  edges_["iico_ctrl"] = edge_literals({&set_.intra_control});
  rmw_ = edge_literals({&set_.amo, &set_.exclusive});
  std::vector<std::vector<Literal>> halves(count());
  for (Element read = 0; read < count(); ++read)
    for (Element write = 0; write < count(); ++write)
      if (const Literal pair = find(rmw_, read, write); !gates_.is_false(pair)) {
        halves[read].push_back(pair);
        halves[write].push_back(pair);
      }
  for (const std::vector<Literal>& pairs : halves)
    updates_.push_back(gates_.or_(pairs));
}

/// Is the pair in the may bound of the relation of that name, as far as the model speaks of it?
/// Orders of writes that the model chooses are co.
relation::BitMatrix ExecutionFormula::bound_of(const std::string& name) const {
  relation::BitMatrix bound = relation::BitMatrix(count()).complement();
  for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
    const memory::Node& node = core_.nodes[memory::NodeId{i}];
    const bool is_base =
        node.op == memory::NodeOp::kBaseRelation && core_.base_names[node.index] == name;
    const bool is_chosen =
        name == "co" && node.op == memory::NodeOp::kGenerated &&
        std::holds_alternative<memory::Generator::Coherence>(core_.generators[node.index].how);
    if (is_base || is_chosen)
      bound &= bounds_.relation(memory::NodeId{i}).may;
  }
  return bound;
}

Term ExecutionFormula::initial_value_of(Element element) {
  const memory::EventBounds::Element& one = bounds_.elements[element];
  if (one.address)
    return places_.initial_at(*one.address, one.size);
  return places_.initial_value(one.event).value_or(Term{});
}

Term ExecutionFormula::value_of(Element element) {
  return is_initial(element) ? initial_value_of(element) : event(element).value;
}

void ExecutionFormula::take_value(Literal when, Term to, Term from) {
  const std::span<const Literal> target = blaster_.bits(to);
  const std::span<const Literal> source = blaster_.bits(from);
  for (std::size_t bit = 0; bit < target.size(); ++bit) {
    gates_.require_any(std::vector{~when, ~source[bit], target[bit]});
    gates_.require_any(std::vector{~when, source[bit], ~target[bit]});
  }
}

/// Every read that happens has exactly one source: a write to its place, with its value. Not the
/// write of its own update.
Status ExecutionFormula::choose_sources() {
  const relation::BitMatrix bound = bound_of("rf");
  for (Element read = 0; read < count(); ++read) {
    if (kind(read) != EventKind::kRead)
      continue;
    struct Source {
      Element write;
      Literal is_same;
    };
    std::vector<Source> sources;
    for (Element write = 0; write < count(); ++write) {
      if (!is_write(write) || !bound.contains(write, read) || gates_.is_false(happens_[write]))
        continue;
      const Literal is_same = same_place(write, read);
      if (!gates_.is_false(is_same))
        sources.push_back({write, is_same});
    }
    const Literal reads = happens_[read];
    std::vector<Literal> taken;
    for (const Source& source : sources) {
      const Literal takes = sources.size() == 1 ? reads : gates_.fresh();
      taken.push_back(takes);
      rf_[key(source.write, read)] = takes;
      for (const Literal needed :
           {reads, happens_[source.write], source.is_same, ~find(rmw_, read, source.write)})
        gates_.require_any(std::vector{~takes, needed});
      Term value = event(source.write).value;
      if (is_initial(source.write)) {
        const std::optional<Term> initial =
            bounds_.elements[source.write].address
                ? std::optional(initial_value_of(source.write))
                : places_.initial_value(bounds_.elements[read].event);
        if (!initial)
          return Error{ErrorKind::kUnsupported,
                       "ENC-001",
                       fmt::format("{}: a read that may go to too many places",
                                   set_.program->place(event(read).loc))};
        value = *initial;
        bool is_fresh = false;
        for (const std::uint64_t number : set_.terms.variables(value))
          is_fresh = is_fresh || number >= kFirstInitialVariable;
        if (is_fresh && !event(read).is_probe)
          fresh_reads_.push_back(gates_.and_(
              takes, literal(places_.is_arbitrary_at_first(bounds_.elements[read].event, 0))));
      }
      take_value(takes, event(read).value, value);
    }
    gates_.require_at_most_one(taken);
    taken.push_back(~reads);
    gates_.require_any(taken);
  }
  return Done{};
}

/// The writes to one place are in a total order, the initial one first: between two there is one
/// direction, and directions make no cycle.
void ExecutionFormula::order_writes() {
  const relation::BitMatrix bound = bound_of("co");
  relation::BitMatrix open(count());
  for (Element a = 0; a < count(); ++a) {
    if (!is_write(a))
      continue;
    for (Element b = a + 1; b < count(); ++b) {
      if (!is_write(b) || is_initial(b))
        continue;
      const Literal meet = gates_.and_(both_happen(a, b), same_place(a, b));
      if (gates_.is_false(meet))
        continue;
      if (is_initial(a)) {
        co_[key(a, b)] = meet;
        continue;
      }
      const bool forward = bound.contains(a, b);
      const bool backward = bound.contains(b, a);
      if (!forward && !backward) {
        gates_.require(~meet);
        continue;
      }
      const Literal is_first = forward && backward ? gates_.fresh() : gates_.constant(forward);
      co_[key(a, b)] = gates_.and_(meet, is_first);
      co_[key(b, a)] = gates_.and_(meet, ~is_first);
      if (forward)
        open.insert(a, b);
      if (backward)
        open.insert(b, a);
    }
  }
  AcyclicGraph graph(theory_, gates_, open);
  for (const auto& [a, b] : open.pairs())
    graph.add(a, b, co(a, b));
}

/// What a write writes is not computed from what is read from it. (What decides whether it happens,
/// or which of several values it writes, is another question, which is the model's. The two can be
/// told apart where dependencies are known, that is unless the model computes them from registers.)
void ExecutionFormula::forbid_circular_values() {
  relation::BitMatrix may(count());
  Pairs computed;
  const bool has_registers =
      std::any_of(set_.events.begin(), set_.events.end(), [](const StaticEvent& one) {
        return one.kind == StaticEvent::Kind::kRegisterRead ||
               one.kind == StaticEvent::Kind::kRegisterWrite;
      });
  const auto takes_part = [&](Element read, Element write) {
    if (has_registers || event(read).instruction == event(write).instruction)
      return gates_.constant(true);
    return gates_.or_(std::vector{find(edges_["data"], read, write),
                                  find(edges_["addr"], read, write),
                                  find(rmw_, read, write)});
  };
  for (Element write = 0; write < count(); ++write) {
    if (kind(write) != EventKind::kWrite)
      continue;
    for (const Term term : {event(write).address, event(write).value})
      for (const std::uint64_t number : set_.terms.variables(term)) {
        if (number < program::kFirstEventVariable)
          continue;
        const Element read = bounds_.element_of[number - program::kFirstEventVariable];
        if (read == memory::EventBounds::kNone)
          continue;
        const Literal takes = takes_part(read, write);
        if (gates_.is_false(takes))
          continue;
        computed[key(read, write)] = takes;
        may.insert(read, write);
      }
    for (Element read = 0; read < count(); ++read)
      if (!gates_.is_false(rf(write, read)))
        may.insert(write, read);
  }
  AcyclicGraph graph(theory_, gates_, may);
  for (const auto& [from, to] : may.pairs())
    if (graph.matters(from, to))
      graph.add(from, to, is_write(from) ? rf(from, to) : find(computed, from, to));
}

void ExecutionFormula::find_misplaced() {
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    if (!set_.is_memory(e) || bounds_.element_of[e] == memory::EventBounds::kNone)
      continue;
    const Literal is_met =
        gates_.and_(happens_[bounds_.element_of[e]], ~blaster_.literal(places_.is_valid(e)));
    if (!gates_.is_false(is_met))
      misplaced_.push_back({e, is_met});
  }
}

} // namespace heddle::encode
