// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/freed_uses.h"

#include "memory/event_options.h"
#include "memory/judge.h"
#include "program/events/ended_places.h"
#include "program/events/event_regions.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::engine::axiomatic {

namespace {

using execution::Event;
using logic::Literal;
using program::EventIndex;
using program::EventSet;
using solve::Answer;
using Kind = program::StaticEvent::Kind;
using Ended = program::EndedPlace;
using Is = FreedUse::Is;

/// Variables of what the stores write; no other event and no local has them.
constexpr std::uint64_t kFirstStoreVariable = program::kFirstEventVariable / 4 * 3;
/// More places are not looked at.
constexpr std::size_t kMostPieces = 4096;
constexpr std::size_t kMostPlaces = 64;

const EventSet::Block* heap_block_at(const EventSet& set, std::uint64_t address) {
  const auto found =
      std::find_if(set.blocks.begin(), set.blocks.end(), [&](const EventSet::Block& one) {
        return address >= one.address && address - one.address < one.size;
      });
  return found != set.blocks.end() &&
                 set.program->objects[found->site].kind == program::Object::Kind::kHeapSite
             ? &*found
             : nullptr;
}

/// The places of open uses, as far as candidates of executions tell. None: they are too many, or
/// time is up.
std::optional<std::vector<Ended>> find_places(ModelSearch& search,
                                              const std::vector<encode::WrongFree>& frees) {
  const EventSet& set = search.set();
  const program::EventRegions regions(set);
  std::map<Ended, std::vector<Literal>> possible;
  for (const encode::WrongFree& one : frees) {
    const Literal is_open = search.gates().and_(one.is_met, ~one.is_sure);
    if (!one.other || search.gates().is_false(is_open))
      continue;
    const program::StaticEvent& access = set.events[*one.other];
    const std::optional<std::vector<std::uint64_t>> pieces =
        set.terms.is_constant(access.address)
            ? std::optional(std::vector{set.terms.node(access.address).value})
            : regions.pieces(*one.other, kMostPieces);
    if (!pieces)
      return std::nullopt;
    for (const std::uint64_t address : *pieces) {
      const EventSet::Block* const block = heap_block_at(set, address);
      if (block == nullptr)
        continue;
      const std::size_t element = search.executions().bounds().element_of[*one.other];
      const Literal is_used =
          search.gates().and_(is_open, search.executions().is_at(element, address));
      if (!search.gates().is_false(is_used))
        possible[{block->address, address, access.size}].push_back(is_used);
    }
  }
  std::vector<std::pair<Ended, Literal>> pending;
  for (const auto& [place, uses] : possible)
    pending.emplace_back(place, search.gates().or_(uses));
  std::vector<Ended> found;
  while (found.size() <= kMostPlaces) {
    std::vector<Literal> some;
    for (const auto& [place, is_used] : pending)
      some.push_back(is_used);
    const Answer answer = search.ask(search.gates().or_(some));
    if (answer == Answer::kUnknown)
      return std::nullopt;
    if (answer == Answer::kUnsatisfiable) {
      std::sort(found.begin(), found.end());
      return found;
    }
    std::erase_if(pending, [&](const auto& one) {
      const bool is_there = search.holds(one.second);
      if (is_there)
        found.push_back(one.first);
      return is_there;
    });
  }
  return std::nullopt;
}

/// A block of a computed size ends where it ends.
void keep_within_blocks(EventSet& set, const std::vector<EventIndex>& stores) {
  for (const EventIndex store : stores) {
    program::StaticEvent& event = set.events[store];
    const std::uint64_t address = set.terms.node(event.address).value;
    const EventSet::Block* const block = heap_block_at(set, address);
    if (block == nullptr || !block->length.is_valid())
      continue;
    const program::Term end = set.terms.constant(address + event.size - block->address,
                                                 set.terms.sort(block->length).width);
    event.guard =
        set.terms.and_(event.guard, set.terms.binary(logic::Op::kULe, end, block->length));
  }
}

/// What was there before, so that who finds it goes on as if there were no store.
void write_what_was_there(EventSet& set, const std::vector<EventIndex>& stores) {
  for (const EventIndex store : stores)
    set.events[store].value =
        set.terms.variable(kFirstStoreVariable + store,
                           logic::Sort{static_cast<std::uint8_t>(8U * set.events[store].size)});
}

/// By event of an execution of the search: which of the set it is; initial writes are none.
std::vector<std::optional<EventIndex>> events_of_execution(ModelSearch& search,
                                                           const execution::Execution& made) {
  std::vector<std::optional<EventIndex>> events;
  while (events.size() < made.events.size() &&
         made.events[events.size()].kind == Event::Kind::kInitialWrite)
    events.emplace_back();
  const auto& elements = search.executions().bounds().elements;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (!elements[i].is_initial && search.holds(search.executions().happens(i)))
      events.emplace_back(elements[i].event);
  return events;
}

/// The part of an execution with these events, in their order.
execution::Execution part_of(const execution::Execution& whole,
                             const std::vector<std::size_t>& kept) {
  execution::Execution part;
  for (const std::size_t event : kept)
    part.events.push_back(whole.events[event]);
  part.choices = whole.choices;
  using Relation = relation::BitMatrix execution::Execution::*;
  for (const Relation one : {&execution::Execution::po,
                             &execution::Execution::rf,
                             &execution::Execution::co,
                             &execution::Execution::rmw,
                             &execution::Execution::synchronises,
                             &execution::Execution::addr,
                             &execution::Execution::data,
                             &execution::Execution::ctrl,
                             &execution::Execution::intra_data,
                             &execution::Execution::intra_control}) {
    part.*one = relation::BitMatrix(kept.size());
    for (std::size_t a = 0; a < kept.size(); ++a)
      for (std::size_t b = 0; b < kept.size(); ++b)
        if ((whole.*one).contains(kept[a], kept[b]))
          (part.*one).insert(a, b);
  }
  return part;
}

/// What is left without the stores that are frees. Who has found one reads what was there before,
/// which is the same value.
execution::Execution without_stores(execution::Execution made, const std::vector<bool>& is_store) {
  const std::size_t count = made.events.size();
  for (std::size_t store = 0; store < count; ++store) {
    if (!is_store[store])
      continue;
    std::size_t source = count;
    for (std::size_t i = 0; i < count; ++i)
      if (!is_store[i] && made.co.contains(i, store) &&
          (source == count || made.co.contains(source, i)))
        source = i;
    for (std::size_t read = 0; read < count; ++read)
      if (source != count && made.rf.contains(store, read)) {
        made.rf.erase(store, read);
        made.rf.insert(source, read);
      }
  }
  // Initial writes are of places where something is left.
  std::set<std::uint64_t> places;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_store[i] &&
        (made.events[i].kind == Event::Kind::kRead || made.events[i].kind == Event::Kind::kWrite))
      places.insert(made.events[i].address);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_store[i] && (made.events[i].kind != Event::Kind::kInitialWrite ||
                         places.contains(made.events[i].address)))
      kept.push_back(i);
  return part_of(made, kept);
}

class FreesAsStores {
public:
  FreesAsStores(const memory::Model& model, program::EndedEvents events, const Budget& budget)
      : model_(model), stores_(std::move(events.stores)),
        search_(
            model, prepared(std::move(events.set), stores_), budget, memory::Accesses::kInRegions) {
  }

  FreedUse find() {
    if (!search_.encode())
      return {};
    search_.require_axioms();
    keep_values();
    std::vector<Literal> some;
    for (EventIndex e = 0; e < search_.set().events.size(); ++e) {
      const std::vector<Literal> before = stores_before(e);
      if (before.empty())
        continue;
      uses_.push_back({e, search_.gates().or_(before)});
      some.push_back(uses_.back().is_late);
    }
    const Literal goal = search_.gates().or_(some);
    if (search_.formula().is_given_up())
      return {};
    if (search_.gates().is_false(goal))
      return {Is::kNotThere};
    ModelSearch::Found found;
    const Answer answer =
        search_.find(goal, true, [](const ModelSearch::Found&) { return true; }, found);
    if (answer != Answer::kSatisfiable)
      return {answer == Answer::kUnsatisfiable ? Is::kNotThere : Is::kUnknown};
    return use_in(std::move(found.execution));
  }

  void count(verdict::Statistics& statistics) const { search_.count(statistics); }

private:
  /// An access, and that it comes after a store that is a free.
  struct Use {
    EventIndex access = 0;
    Literal is_late;
  };

  static EventSet prepared(EventSet set, const std::vector<EventIndex>& stores) {
    keep_within_blocks(set, stores);
    write_what_was_there(set, stores);
    stop_threads(set, Stops::kWhereTheyMust);
    static_cast<void>(stop_at_invalid_accesses(set));
    return set;
  }

  /// Each store writes what the last write before it in coherence has written.
  void keep_values() {
    encode::ExecutionFormula& executions = search_.executions();
    for (const EventIndex index : stores_) {
      const std::size_t store = executions.bounds().element_of[index];
      if (store == memory::EventBounds::kNone)
        continue;
      for (std::size_t write = 0; write < executions.count(); ++write) {
        std::vector<Literal> is_last{executions.co(write, store)};
        if (search_.gates().is_false(is_last.front()))
          continue;
        for (std::size_t between = 0; between < executions.count(); ++between)
          is_last.push_back(
              ~search_.gates().and_(executions.co(write, between), executions.co(between, store)));
        search_.gates().require_any(std::vector{~search_.gates().and_(is_last),
                                                executions.have_equal_values(write, store)});
      }
    }
  }

  /// As the access finds what the store has written, or is later in coherence.
  [[nodiscard]] std::vector<Literal> stores_before(EventIndex access) {
    const EventSet& set = search_.set();
    const std::vector<std::size_t>& element_of = search_.executions().bounds().element_of;
    std::vector<Literal> some;
    if (!set.is_memory(access) || set.events[access].is_hidden ||
        element_of[access] == memory::EventBounds::kNone ||
        std::binary_search(stores_.begin(), stores_.end(), access))
      return some;
    for (const EventIndex e : stores_)
      if (element_of[e] != memory::EventBounds::kNone)
        some.push_back(set.events[access].kind == Kind::kRead
                           ? search_.executions().rf(element_of[e], element_of[access])
                           : search_.executions().co(element_of[e], element_of[access]));
    std::erase_if(some, [this](Literal one) { return search_.gates().is_false(one); });
    return some;
  }

  [[nodiscard]] FreedUse use_in(execution::Execution made) {
    const EventSet& set = search_.set();
    FreedUse found{Is::kThere};
    const std::vector<std::optional<EventIndex>> events = events_of_execution(search_, made);
    std::vector<bool> is_store;
    for (const std::optional<EventIndex>& event : events)
      is_store.push_back(event && std::binary_search(stores_.begin(), stores_.end(), *event));
    for (const Use& use : uses_)
      if (search_.holds(use.is_late))
        found.used = set.events[use.access].loc;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (is_store[i] && (!made.rf.row(i).empty() || !made.co.row(i).empty()))
        found.freed = set.events[*events[i]].loc;
    found.execution = without_stores(std::move(made), is_store);
    memory::Judge judge(plan_of(model_));
    return judge.judge(found.execution).is_allowed ? found : FreedUse{};
  }

  const memory::Model& model_;
  std::vector<EventIndex> stores_;
  ModelSearch search_;
  std::vector<Use> uses_;
};

} // namespace

FreedUse find_freed_use(const memory::Model& model,
                        const program::Program& program,
                        ModelSearch& search,
                        const std::vector<encode::WrongFree>& frees,
                        const Budget& budget,
                        verdict::Statistics& statistics) {
  const std::optional<std::vector<Ended>> places = find_places(search, frees);
  if (!places)
    return {};
  if (places->empty())
    return {Is::kNotThere};
  Result<program::EventSetOptions> options = memory::event_options(*model.core, program);
  if (!options)
    return {};
  options->budget = &budget;
  options->keeps_frees = true;
  Result<program::EndedEvents> events = program::make_ended_events(program, *options, *places);
  if (!events)
    return {};
  FreesAsStores question(model, std::move(*events), budget);
  FreedUse found = question.find();
  question.count(statistics);
  return found;
}

} // namespace heddle::engine::axiomatic
