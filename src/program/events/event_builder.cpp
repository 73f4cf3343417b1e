// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Control flow: the order in which locations are visited, what is known where paths meet, and which
// reads a branch has looked at.
#include "program/events/event_builder.h"

#include "support/budget_watch.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

EventBuilder::EventBuilder(EventContext& context, const EventContext::Created& thread)
    : context_(context), set_(context.set), terms_(context.set.terms), thread_(thread),
      procedure_(context.program.procedures[thread.entry]), incoming_(procedure_.locations.size()),
      postdominator_(procedure_.locations.size()) {
  state_.guard = thread.guard;
  state_.locals = IdVector<LocalId, Known>(procedure_.locals.size());
  Term zero; // most locals have the width of the one before
  for (std::size_t i = 0; i < procedure_.locals.size(); ++i) {
    const unsigned width = procedure_.locals[LocalId{i}].width;
    if (!zero.is_valid() || terms_.sort(zero).width != width)
      zero = terms_.constant(0, width);
    state_.locals[LocalId{i}].value = zero;
  }
  for (std::size_t i = 0; i < procedure_.parameters.size() && i < thread.arguments.size(); ++i) {
    const LocalId parameter = procedure_.parameters[i];
    const unsigned width = procedure_.locals[parameter].width;
    const Term given = thread.arguments[i];
    state_.locals[parameter].value = terms_.sort(given).width > width
                                         ? terms_.extract(given, 0, width)
                                         : terms_.zero_extend(given, width);
  }
  state_.result.value = terms_.constant(0, 8U * kResultBytes);
  state_.reservation.is_held = terms_.boolean(false);
  state_.reservation.address = terms_.constant(0, context.program.pointer_bits());
  state_.reservation.size = terms_.constant(0, 8);
}

/// Depth-first postorder, reversed; empty if there is a cycle.
std::vector<LocationId> EventBuilder::topological_order() {
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  IdVector<LocationId, Mark> marks(procedure_.locations.size(), Mark::kNew);
  std::vector<std::pair<LocationId, std::size_t>> path;
  path.reserve(procedure_.locations.size());
  path.emplace_back(procedure_.entry, 0);
  marks[procedure_.entry] = Mark::kOpen;
  std::vector<LocationId> order;
  order.reserve(procedure_.locations.size());
  while (!path.empty()) {
    auto& [location, next] = path.back();
    const std::vector<std::uint32_t>& out = procedure_.locations[location].out;
    if (next == out.size()) {
      marks[location] = Mark::kDone;
      order.push_back(location);
      path.pop_back();
      continue;
    }
    const Edge& edge = procedure_.edges[out[next++]];
    if (marks[edge.to] == Mark::kOpen) {
      error_ = refuse(edge.loc, "a loop");
      return {};
    }
    if (marks[edge.to] == Mark::kNew) {
      marks[edge.to] = Mark::kOpen;
      path.emplace_back(edge.to, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Immediate postdominators, by intersecting the successors' chains (Cooper, Harvey, Kennedy, "A
/// Simple, Fast Dominance Algorithm"); one pass is enough without cycles. Of a program that is
/// compiled, ways that a bound cuts do not count: the loop goes on there, and where it is left the
/// ways meet.
void EventBuilder::find_postdominators(const std::vector<LocationId>& order) {
  IdVector<LocationId, std::size_t> position(procedure_.locations.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  IdVector<LocationId, bool> is_cut(procedure_.locations.size(), false); // whatever way it takes
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const std::vector<std::uint32_t>& out = procedure_.locations[*it].out;
    is_cut[*it] =
        merges() && !out.empty() && std::all_of(out.begin(), out.end(), [&](std::uint32_t index) {
          const Edge& edge = procedure_.edges[index];
          return std::holds_alternative<Cut>(edge.action) || is_cut[edge.to];
        });
    LocationId common;
    bool is_first = true;
    for (const std::uint32_t index : out) {
      LocationId other = procedure_.edges[index].to;
      if (!is_cut[*it] && is_cut[other])
        continue;
      if (is_first) {
        is_first = false;
        common = other;
        continue;
      }
      while (common.is_valid() && other.is_valid() && common != other) {
        if (position[common] < position[other])
          common = postdominator_[common];
        else
          other = postdominator_[other];
      }
      if (!common.is_valid() || !other.is_valid())
        common = LocationId{};
    }
    postdominator_[*it] = common;
  }
}

namespace {

/// What holds if it holds in one of the states, each under its guard.
template <class Item, class Sourceful>
void add_guarded(logic::TermStore& terms,
                 std::vector<Item>& into,
                 const std::vector<Item>& from,
                 Term guard,
                 Sourceful source_of) {
  for (Item item : from) {
    source_of(item).guard = terms.and_(guard, source_of(item).guard);
    const auto same = std::find_if(into.begin(), into.end(), [&](Item& other) {
      Item copy = other;
      source_of(copy).guard = source_of(item).guard;
      return copy == item;
    });
    if (same == into.end())
      into.push_back(item);
    else
      source_of(*same).guard = terms.or_(source_of(*same).guard, source_of(item).guard);
  }
}

Source& source_of(Source& source) {
  return source;
}
Source& source_of(Decided& decided) {
  return decided.source;
}

template <class Item>
std::vector<Item> join_sources(logic::TermStore& terms,
                               const std::vector<PathState>& states,
                               const std::vector<const std::vector<Item>*>& lists) {
  const bool are_equal = std::all_of(
      lists.begin() + 1, lists.end(), [&](const auto* list) { return *list == *lists.front(); });
  if (are_equal)
    return *lists.front();
  std::vector<Item> result;
  for (std::size_t i = 0; i < lists.size(); ++i)
    add_guarded(terms, result, *lists[i], states[i].guard, [](Item& item) -> Source& {
      return source_of(item);
    });
  return result;
}

Term join_values(logic::TermStore& terms,
                 const std::vector<PathState>& states,
                 const std::vector<Term>& values) {
  Term result = values[0];
  for (std::size_t i = 1; i < values.size(); ++i)
    result = terms.ite(states[i].guard, values[i], result);
  return result;
}

/// `choosers` are what the branches looked at whose arms meet.
Known join_known(logic::TermStore& terms,
                 const std::vector<PathState>& states,
                 const std::vector<const Known*>& known,
                 const Sources& choosers) {
  const bool are_equal = std::all_of(
      known.begin() + 1, known.end(), [&](const Known* one) { return *one == *known.front(); });
  if (are_equal)
    return *known.front();
  Known result;
  std::vector<Term> values;
  std::vector<const Sources*> sources;
  std::vector<const Sources*> chosen;
  for (const Known* one : known) {
    values.push_back(one->value);
    sources.push_back(&one->sources);
    chosen.push_back(&one->chosen);
  }
  result.value = join_values(terms, states, values);
  result.sources = join_sources<Source>(terms, states, sources);
  result.chosen = join_sources<Source>(terms, states, chosen);
  // Arms that leave the same value have chosen nothing.
  if (std::any_of(values.begin(), values.end(), [&](Term one) { return one != values[0]; }))
    add_each(result.chosen, choosers);
  return result;
}

} // namespace

PathState EventBuilder::join(std::vector<PathState>& incoming) {
  if (incoming.size() == 1)
    return std::move(incoming.front());
  // A private piece that one path has not touched still has its first value there.
  std::map<std::uint64_t, std::uint8_t> pieces;
  for (const PathState& state : incoming)
    for (const auto& [address, cell] : state.privates)
      pieces[address] = cell.size;
  if (!pieces.empty())
    for (PathState& state : incoming) {
      std::swap(state_, state);
      for (const auto& [address, size] : pieces)
        private_piece(address, size);
      std::swap(state_, state);
    }
  PathState result;
  std::vector<const std::vector<Decided>*> decided;
  for (const PathState& state : incoming)
    decided.push_back(&state.decided);
  result.decided = join_sources<Decided>(terms_, incoming, decided);
  // Branches of which no arm has ended yet are among them. That does no harm: what a value is used
  // for in their arms depends on them anyway, and after that they have chosen it, too.
  const Sources choosers = choosing_branches(result.decided);
  result.locals = IdVector<LocalId, Known>(incoming.front().locals.size());
  std::vector<const Known*> known(incoming.size());
  for (std::size_t local = 0; local < result.locals.size(); ++local) {
    for (std::size_t i = 0; i < incoming.size(); ++i)
      known[i] = &incoming[i].locals[LocalId{local}];
    result.locals[LocalId{local}] = join_known(terms_, incoming, known, choosers);
  }
  for (std::size_t i = 0; i < incoming.size(); ++i)
    known[i] = &incoming[i].result;
  result.result = join_known(terms_, incoming, known, choosers);
  for (const auto& [address, size] : pieces) {
    for (std::size_t i = 0; i < incoming.size(); ++i)
      known[i] = &incoming[i].privates.at(address).known;
    result.privates[address] = {size, join_known(terms_, incoming, known, choosers), {}};
    for (std::size_t i = 0; i < incoming.size(); ++i)
      known[i] = &incoming[i].privates.at(address).marks;
    result.privates[address].marks = join_known(terms_, incoming, known, {});
  }
  std::vector<const Sources*> loads;
  std::vector<Term> held;
  std::vector<Term> addresses;
  std::vector<Term> sizes;
  for (const PathState& state : incoming) {
    loads.push_back(&state.reservation.loads);
    held.push_back(state.reservation.is_held);
    addresses.push_back(state.reservation.address);
    sizes.push_back(state.reservation.size);
  }
  result.reservation = {join_values(terms_, incoming, held),
                        join_values(terms_, incoming, addresses),
                        join_values(terms_, incoming, sizes),
                        join_sources<Source>(terms_, incoming, loads)};
  // All arms of one branch?
  const std::vector<PathState::Turn>& turns = incoming.front().turns;
  bool are_all_arms =
      !turns.empty() && procedure_.locations[turns.back().branch].out.size() == incoming.size();
  for (std::size_t i = 1; i < incoming.size() && are_all_arms; ++i) {
    const std::vector<PathState::Turn>& other = incoming[i].turns;
    are_all_arms = other.size() == turns.size() && other.back().branch == turns.back().branch &&
                   std::equal(turns.begin(), turns.end() - 1, other.begin());
    for (std::size_t j = 0; j < i && are_all_arms; ++j)
      are_all_arms = incoming[j].turns.back().edge != other.back().edge;
  }
  if (are_all_arms) {
    result.guard = turns.back().before;
    result.turns.assign(turns.begin(), turns.end() - 1);
  } else {
    result.guard = incoming.front().guard;
    for (std::size_t i = 1; i < incoming.size(); ++i)
      result.guard = terms_.or_(result.guard, incoming[i].guard);
  }
  result.kept_threads = incoming.front().kept_threads;
  for (const PathState& state : incoming) {
    result.kept_threads = std::min(result.kept_threads, state.kept_threads);
    result.instruction = std::max(result.instruction, state.instruction);
    for (const auto& freed : state.freed)
      if (std::find(result.freed.begin(), result.freed.end(), freed) == result.freed.end())
        result.freed.push_back(freed);
    // A place that one arm writes is chosen on the other way, too.
    for (const ChosenPlace& place : state.chosen_places)
      if (std::find(result.chosen_places.begin(), result.chosen_places.end(), place) ==
          result.chosen_places.end())
        result.chosen_places.push_back(place);
  }
  return result;
}

Sources EventBuilder::choosing_branches(const std::vector<Decided>& decided) const {
  Sources sources;
  if (merges())
    for (const Decided& one : decided)
      if (one.until.is_valid()) // the others reach everything anyway
        add_each(sources, {one.source});
  return sources;
}

void EventBuilder::control_all(const Sources& sources) {
  if (!merges())
    return;
  for (const Source& source : sources)
    if (const Decided decided{source, {}};
        std::find(state_.decided.begin(), state_.decided.end(), decided) == state_.decided.end())
      state_.decided.push_back(decided);
}

/// The out-edges are the arms of a branch.
void EventBuilder::branch(LocationId location) {
  const std::vector<std::uint32_t>& out = procedure_.locations[location].out;
  enter(procedure_.edges[out.front()]);
  Sources sources;
  bool lasts = false;
  for (const std::uint32_t index : out) {
    const auto& assume = std::get<Assume>(procedure_.edges[index].action);
    lasts = lasts || (assume.lasts && merges());
    const Origins origins = origins_of(assume.condition);
    add_each(sources, origins.from);
    add_each(sources, origins.chosen);
  }
  if (context_.options.groups_by_location) {
    StaticEvent event;
    event.kind = StaticEvent::Kind::kBranch;
    const EventIndex index = add(std::move(event));
    depend(index, {}, sources);
  }
  if (!context_.options.register_events)
    for (const Source& source : sources) {
      const Decided decided{source,
                            context_.options.control_ends_at_join && !lasts
                                ? postdominator_[location]
                                : LocationId{}};
      if (std::find(state_.decided.begin(), state_.decided.end(), decided) == state_.decided.end())
        state_.decided.push_back(decided);
    }
  for (const std::uint32_t index : out) {
    const Edge& edge = procedure_.edges[index];
    const Term condition = evaluate(std::get<Assume>(edge.action).condition);
    PathState arm = state_;
    arm.guard = terms_.and_(state_.guard, condition);
    if (arm.guard != state_.guard) // the only way there is needs no turn
      arm.turns.push_back({location, index, state_.guard});
    if (terms_.is_constant(arm.guard) && terms_.node(arm.guard).value == 0)
      continue;
    incoming_[edge.to].push_back(std::move(arm));
  }
}

Status EventBuilder::visit(LocationId location, LocationId next) {
  if (!std::exchange(goes_on_, false)) {
    std::vector<PathState>& incoming = incoming_[location];
    if (incoming.empty())
      return Done{};
    state_ = join(incoming);
    incoming.clear();
  }
  std::erase_if(state_.decided, [&](const Decided& one) { return one.until == location; });
  const std::vector<std::uint32_t>& out = procedure_.locations[location].out;
  if (out.empty()) {
    ends_.push_back(std::move(state_));
    return Done{};
  }
  const auto* assume = std::get_if<Assume>(&procedure_.edges[out.front()].action);
  if (assume != nullptr && assume->is_branch) {
    branch(location);
    return Done{};
  }
  const Edge& edge = procedure_.edges[out.front()];
  enter(edge);
  if (Status status = act(edge); !status)
    return status;
  if (error_)
    return *error_;
  const bool ends = std::holds_alternative<Cut>(edge.action) ||
                    std::holds_alternative<Trap>(edge.action) ||
                    (std::holds_alternative<Exit>(edge.action) && thread_.thread != 0);
  if (ends)
    return Done{};
  // All that leads to the next location has been visited by now.
  goes_on_ = edge.to == next && incoming_[next].empty();
  if (!goes_on_)
    incoming_[edge.to].push_back(std::move(state_));
  return Done{};
}

void EventBuilder::end_thread() {
  if (ends_.empty())
    return;
  state_ = join(ends_);
  state_.loc = {};
  if (context_.announces)
    announce(end_number(thread_.thread),
             tells_result(thread_.thread) ? std::optional(state_.result) : std::nullopt);
  for (const auto& [address, cell] : state_.privates)
    set_.threads[thread_.thread].finals.push_back({address, cell.size, cell.known.value});
}

void EventBuilder::begin_thread() {
  const EventIndex start = await(start_number(thread_.thread), thread_.is_told_argument);
  if (!thread_.is_told_argument || procedure_.parameters.empty())
    return;
  const LocalId parameter = procedure_.parameters.front();
  state_.locals[parameter] = {
      terms_.extract(told_number(start), 0, procedure_.locals[parameter].width),
      from_events({start}, terms_.boolean(true)),
      0};
}

Status EventBuilder::build() {
  const std::vector<LocationId> order = topological_order();
  if (error_)
    return *error_;
  if (context_.options.control_ends_at_join)
    find_postdominators(order);
  set_.threads[thread_.thread].first = static_cast<EventIndex>(set_.events.size());
  if (thread_.announced_at)
    begin_thread();
  goes_on_ = true;                            // to the entry
  BudgetWatch watch(context_.options.budget); // a state with much private memory is long to copy
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (watch.is_used_up())
      return Error{
          ErrorKind::kUnsupported, "PRG-013", "the budget is used up while events are made"};
    if (Status status = visit(order[i], i + 1 < order.size() ? order[i + 1] : LocationId{});
        !status)
      return status;
  }
  end_thread();
  if (error_)
    return *error_;
  set_.threads[thread_.thread].last = static_cast<EventIndex>(set_.events.size());
  return Done{};
}

} // namespace heddle::program
