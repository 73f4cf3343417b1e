// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each action adds: events, the values they read and write, and what those were computed from.
#include "logic/range_where.h"
#include "program/events/event_builder.h"
#include "program/events/unwritten_objects.h"
#include "program/model/address_space.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::program {

void add_each(Sources& into, const Sources& more) {
  for (const Source& source : more)
    if (std::find(into.begin(), into.end(), source) == into.end())
      into.push_back(source);
}
namespace {

/// Every place in a block is one that an access may go to.
constexpr std::uint64_t kMostOfUnknownSize = 1024;

} // namespace

/// A new instruction begins unless the edge is a further part of the one at hand.
void EventBuilder::enter(const Edge& edge) {
  const bool continues = context_.options.groups_by_location && edge.loc.is_known() &&
                         edge.loc == state_.loc && state_.instruction != 0;
  state_.loc = edge.loc;
  if (continues)
    return;
  state_.instruction = ++instructions_;
  state_.register_reads.clear();
}

Term EventBuilder::evaluate(Term term) {
  const logic::Node& node = terms_.node(term);
  if (node.op == logic::Op::kConstant)
    return term;
  if (node.op == logic::Op::kVariable && node.value < kSelfVariable)
    return state_.locals[LocalId{static_cast<std::size_t>(node.value)}].value;
  return terms_.substitute(term, [this](std::uint64_t number, logic::Sort sort) {
    if (number == kSelfVariable) // where its thread-local variables are
      return terms_.constant(area_of(thread_.thread), sort.width);
    if (number >= kFirstEventVariable)
      return Term{};
    return state_.locals[LocalId{static_cast<std::size_t>(number)}].value;
  });
}

/// What the local holds and what that came from. With register events, a named one is read by an
/// event of its own, once in each instruction.
Known EventBuilder::read_local(LocalId local, bool is_quiet) {
  const Known& known = state_.locals[local];
  const Local& declared = procedure_.locals[local];
  const bool has_event = context_.options.register_events && !declared.name.empty() && !is_quiet &&
                         state_.loc.is_known() && known.written_by != state_.instruction;
  if (!has_event)
    return known;
  auto found = state_.register_reads.find(local);
  if (found == state_.register_reads.end()) {
    StaticEvent event;
    event.kind = StaticEvent::Kind::kRegisterRead;
    event.text = declared.name;
    found = state_.register_reads.emplace(local, add(std::move(event))).first;
  }
  return {known.value, {{found->second, terms_.boolean(true)}}, known.written_by, {}};
}

/// AArch64 tells what a value is computed from (data) from what only decided which value it is: the
/// condition of CSEL, the comparison of CAS. Models that follow registers see the latter as
/// iico_ctrl; where dependencies are worked out here, they are all data.
bool EventBuilder::tells_picks() const {
  return context_.options.register_events && context_.program.vocabulary == "aarch64";
}

/// The sources of a term. Of a choice between two values only the one that is taken counts, and the
/// condition picks. A choice between constants is a condition as a number, which is computed from
/// it.
void EventBuilder::add_sources(Term term, Term guard, bool picks, Sources& result) {
  const logic::Node node = terms_.node(term);
  if (node.op == logic::Op::kVariable) {
    if (node.value >= kSelfVariable)
      return;
    const LocalId local{static_cast<std::size_t>(node.value)};
    for (const Source& source : read_local(local, false).sources) {
      const Source taken{source.event, terms_.and_(source.guard, guard), source.picks || picks};
      if (std::find(result.begin(), result.end(), taken) == result.end())
        result.push_back(taken);
    }
    return;
  }
  const std::span<const Term> span = terms_.arguments(term);
  const std::vector<Term> arguments(span.begin(), span.end());
  const bool is_choice = node.op == logic::Op::kIte &&
                         !(terms_.is_constant(arguments[1]) && terms_.is_constant(arguments[2]));
  if (!is_choice) {
    for (const Term argument : arguments)
      add_sources(argument, guard, picks, result);
    return;
  }
  add_sources(arguments[0], guard, true, result);
  const Term condition = evaluate(arguments[0]);
  add_sources(arguments[1], terms_.and_(guard, condition), picks, result);
  add_sources(arguments[2], terms_.and_(guard, terms_.not_(condition)), picks, result);
}

Sources EventBuilder::sources_of(Term term, const std::vector<LocalId>& more) {
  Sources result;
  if (tells_picks()) {
    add_sources(term, terms_.boolean(true), false, result);
    for (const LocalId local : more)
      for (const Source& source : read_local(local, false).sources)
        if (std::find(result.begin(), result.end(), source) == result.end())
          result.push_back(source);
    return result;
  }
  const auto add_local = [&](LocalId local) {
    for (const Source& source : read_local(local, false).sources)
      if (std::find(result.begin(), result.end(), source) == result.end())
        result.push_back(source);
  };
  for (const std::uint64_t number : terms_.variables(term))
    if (number < kSelfVariable)
      add_local(LocalId{static_cast<std::size_t>(number)});
  for (const LocalId local : more)
    add_local(local);
  return result;
}

bool EventBuilder::merges() const {
  return context_.options.merges != EventSetOptions::Merges::kNothing;
}

Origins EventBuilder::origins_of(Term term, const std::vector<LocalId>& more) {
  Origins origins(sources_of(term, more));
  if (!merges())
    return origins;
  for (const std::uint64_t number : terms_.variables(term))
    if (number < kSelfVariable)
      add_each(origins.chosen, state_.locals[LocalId{static_cast<std::size_t>(number)}].chosen);
  for (const LocalId local : more)
    add_each(origins.chosen, state_.locals[local].chosen);
  return origins;
}

Origins EventBuilder::own_origins_of(Term term) {
  Origins origins;
  for (const std::uint64_t number : terms_.variables(term))
    if (number < kSelfVariable) {
      const Known known = read_local(LocalId{static_cast<std::size_t>(number)}, true);
      add_each(origins.from, known.sources);
      add_each(origins.chosen, known.chosen);
    }
  return origins;
}

Sources EventBuilder::reads_in(Term term) {
  Sources sources;
  for (const std::uint64_t number : terms_.variables(term)) {
    if (number < kFirstEventVariable || number >= kFirstDefinedVariable)
      continue;
    const auto event = static_cast<EventIndex>(number - kFirstEventVariable);
    if (set_.events[event].kind == StaticEvent::Kind::kRead)
      sources.push_back({event, terms_.boolean(true)});
  }
  return sources;
}

void EventBuilder::choose_place(Term address, const Sources& chosen, bool is_sure) {
  if (is_sure) // what was written there before is not read any more
    std::erase_if(state_.chosen_places,
                  [&](const ChosenPlace& place) { return place.address == address; });
  if (!chosen.empty())
    state_.chosen_places.push_back({address, chosen});
}

/// Only writes of its own thread matter: with what another thread has written there since, the read
/// comes after that write, which comes after the own one, and so after what that waits for.
Sources EventBuilder::chosen_at(Term address) {
  Sources result;
  for (const ChosenPlace& place : state_.chosen_places) {
    const Term is_here = terms_.equal(address, place.address);
    if (is_always_false(is_here))
      continue;
    for (const Source& source : place.chosen)
      add_each(result, {{source.event, terms_.and_(source.guard, is_here)}});
  }
  return result;
}

EventIndex EventBuilder::add(StaticEvent event) {
  event.thread = thread_.thread;
  if (!event.guard.is_valid())
    event.guard = state_.guard;
  event.instruction = state_.instruction;
  event.loc = state_.loc;
  set_.events.push_back(std::move(event));
  return static_cast<EventIndex>(set_.events.size() - 1);
}

void EventBuilder::relate(std::vector<StaticEdge>& relation,
                          const Sources& sources,
                          EventIndex to) {
  for (const Source& source : sources)
    if (source.event != to)
      relation.push_back({source.event, to, source.guard});
}

void EventBuilder::mark_sources(const Sources& sources, bool is_address) {
  for (const Source& source : sources) {
    StaticEvent& event = set_.events[source.event];
    if (event.kind != StaticEvent::Kind::kRegisterRead)
      continue;
    (is_address ? event.feeds_address : event.feeds_data) = true;
  }
}

/// Writes down what an event depends on. With register events only what flows inside its
/// instruction: the model works out the rest.
void EventBuilder::depend(EventIndex event, const Origins& address, const Origins& data) {
  if (context_.options.register_events) {
    mark_sources(address.from, true);
    mark_sources(data.from, false);
    for (const Sources* sources : {&address.from, &data.from})
      for (const Source& source : *sources)
        if (set_.events[source.event].instruction == set_.events[event].instruction)
          relate(source.picks ? set_.intra_control : set_.intra_data, {source}, event);
    return;
  }
  relate(set_.addr, address.from, event);
  relate(set_.data, data.from, event);
  // With the branch kept the access is behind it, with a select its value or address waits for what
  // the branch looked at: control is what both have. (Of an address, everything that follows is
  // behind both under most models, but not under all.)
  const bool is_data = context_.options.merges == EventSetOptions::Merges::kData;
  relate(set_.ctrl, address.chosen, event);
  relate(is_data ? set_.data : set_.ctrl, data.chosen, event);
  for (const Decided& decided : state_.decided)
    relate(set_.ctrl, {decided.source}, event);
}

void EventBuilder::assign(LocalId local, Term value, Origins origins) {
  const bool has_event = context_.options.register_events &&
                         !procedure_.locals[local].name.empty() && state_.loc.is_known();
  if (has_event) {
    StaticEvent event;
    event.kind = StaticEvent::Kind::kRegisterWrite;
    event.text = procedure_.locals[local].name;
    const EventIndex index = add(std::move(event));
    for (const Source& source : origins.from)
      if (set_.events[source.event].instruction == state_.instruction)
        relate(source.picks ? set_.intra_control : set_.intra_data, {source}, index);
  }
  state_.locals[local] = {
      value, std::move(origins.from), state_.instruction, std::move(origins.chosen)};
}

StaticEvent EventBuilder::memory_event(StaticEvent::Kind kind, const Access& access, Term address) {
  StaticEvent event;
  event.kind = kind;
  event.guard = state_.guard;
  event.address = address;
  event.size = access.size;
  event.may = access.may;
  event.access = access.kind;
  event.order = access.order;
  event.tags = access.tags;
  return event;
}

/// Where an access of the thread may go, and how it is cut.
const AccessPlace& EventBuilder::place_of(Term address, const Access& access) const {
  return context_.pieces.place(thread_.entry, address, 0, access.size);
}

void EventBuilder::trap_where(Term condition, const char* what) {
  if (terms_.is_constant(condition) && terms_.node(condition).value == 0)
    return;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kTrap;
  event.guard = terms_.and_(state_.guard, condition);
  event.text = what;
  add(std::move(event));
}

/// Accesses that may go anywhere are cut as if they were at multiples of their size.
void EventBuilder::stop_misaligned(const AccessPlace& place, Term address) {
  if (!place.is_any || place.piece == 1)
    return;
  unsigned bits = 0;
  while (2U << bits <= place.size)
    ++bits;
  const Term is_aligned = terms_.equal(terms_.extract(address, 0, bits), terms_.constant(0, bits));
  trap_where(terms_.not_(is_aligned),
             "a misaligned access through a pointer that may point anywhere");
}

Origins EventBuilder::origins_of(const Reading& reading) const {
  return {from_events(reading.events, terms_.boolean(true)), reading.chosen};
}

Sources EventBuilder::from_events(const std::vector<EventIndex>& events, Term guard) {
  Sources sources;
  for (const EventIndex event : events)
    sources.push_back({event, guard});
  return sources;
}

EventBuilder::Reading EventBuilder::emit_read(const AccessPlace& place,
                                              const Access& access,
                                              Term address,
                                              const Origins& address_origins) {
  stop_misaligned(place, address);
  const std::uint8_t piece = place.piece;
  const auto first = static_cast<std::uint32_t>(set_.events.size());
  Reading reading;
  reading.chosen = address_origins.chosen;
  for (unsigned offset = 0; offset < access.size; offset += piece) {
    const Term here = terms_.binary(
        logic::Op::kAdd, address, terms_.constant(offset, terms_.sort(address).width));
    StaticEvent event = memory_event(StaticEvent::Kind::kRead, access, here);
    event.size = piece;
    event.piece_of = first;
    const EventIndex index = add(std::move(event));
    const Term value = terms_.variable(EventSet::variable_of(index),
                                       logic::Sort{static_cast<std::uint8_t>(8U * piece)});
    set_.events[index].value = value;
    depend(index, address_origins, {});
    add_each(reading.chosen, chosen_at(here));
    reading.events.push_back(index);
    reading.value = offset == 0 ? value : terms_.concat(value, reading.value);
  }
  return reading;
}

std::vector<EventIndex> EventBuilder::emit_write(const AccessPlace& place,
                                                 const Access& access,
                                                 Term address,
                                                 Term value,
                                                 const Origins& address_origins,
                                                 const Origins& data_origins,
                                                 Term guard) {
  stop_misaligned(place, address);
  const std::uint8_t piece = place.piece;
  const auto first = static_cast<std::uint32_t>(set_.events.size());
  std::vector<EventIndex> events;
  // A read of it by the thread itself finds what these have chosen. What the value is computed from
  // needs no mention: models follow data through memory.
  Sources chosen;
  if (merges()) {
    chosen = choosing_branches(state_.decided);
    add_each(chosen, address_origins.chosen);
    add_each(chosen, data_origins.chosen);
  }
  for (unsigned offset = 0; offset < access.size; offset += piece) {
    const Term here = terms_.binary(
        logic::Op::kAdd, address, terms_.constant(offset, terms_.sort(address).width));
    StaticEvent event = memory_event(StaticEvent::Kind::kWrite, access, here);
    event.guard = guard;
    event.size = piece;
    event.piece_of = first;
    event.value = piece == access.size ? value : terms_.extract(value, 8 * offset, 8U * piece);
    const EventIndex index = add(std::move(event));
    depend(index, address_origins, data_origins);
    if (merges())
      choose_place(here, chosen, guard == state_.guard);
    events.push_back(index);
  }
  return events;
}

/// "R:x" marks only the read of an update, "W:x" only the write, "x" both.
Access EventBuilder::half_of(const Access& access, char half) {
  Access result = access;
  result.tags.clear();
  for (const std::string& tag : access.tags) {
    const bool is_of_half = tag.size() > 2 && tag[1] == ':' && (tag[0] == 'R' || tag[0] == 'W');
    if (!is_of_half)
      result.tags.push_back(tag);
    else if (tag[0] == half)
      result.tags.push_back(tag.substr(2));
  }
  return result;
}

Term EventBuilder::fresh_choice(unsigned width) {
  StaticEvent event;
  event.kind = StaticEvent::Kind::kChoice;
  event.width = static_cast<std::uint8_t>(width);
  const EventIndex index = add(std::move(event));
  const Term value =
      terms_.variable(EventSet::variable_of(index), logic::Sort{static_cast<std::uint8_t>(width)});
  set_.events[index].value = value;
  return value;
}

void EventBuilder::assume(Term condition) {
  if (terms_.is_constant(condition) && terms_.node(condition).value != 0)
    return;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kAssume;
  event.value = condition;
  add(std::move(event));
}

bool EventBuilder::is_always_true(Term condition) const {
  return terms_.is_constant(condition) && terms_.node(condition).value != 0;
}
bool EventBuilder::is_always_false(Term condition) const {
  return terms_.is_constant(condition) && terms_.node(condition).value == 0;
}

void EventBuilder::wait_until(Term condition, StaticWait wait) {
  const bool may_wait = !is_always_true(condition);
  if (context_.options.keeps_waits && may_wait) {
    wait.thread = thread_.thread;
    wait.waits = terms_.and_(state_.guard, terms_.not_(condition));
    wait.next = static_cast<EventIndex>(set_.events.size());
    wait.loc = state_.loc;
    set_.waits.push_back(std::move(wait));
  }
  assume(condition);
}

/// Where a turn of a loop was idle, the thread may go around for ever. A turn that is kept may also
/// be one of many: a choice says which of the two it is.
void EventBuilder::assume_at(const Edge& edge, Term condition) {
  const auto point = turn_at_.find(edge.from);
  if (!context_.options.keeps_waits || point == turn_at_.end()) {
    assume(condition);
    return;
  }
  const auto now = static_cast<EventIndex>(set_.events.size());
  const auto [begin, is_first] = turns_.try_emplace(point->second.name, now);
  StaticWait wait;
  wait.what = StaticWait::For::kChange;
  for (EventIndex e = begin->second; e < now; ++e) {
    const StaticEvent::Kind kind = set_.events[e].kind;
    if (kind == StaticEvent::Kind::kRead)
      wait.reads.push_back(e);
    else if (kind == StaticEvent::Kind::kChoice)
      wait.choices.push_back(e);
    wait.writes = wait.writes || kind == StaticEvent::Kind::kWrite;
  }
  if (is_first) {
    assume(condition);
  } else {
    const Term has_both = terms_.and_(point->second.is_kept, terms_.not_(condition));
    if (!is_always_false(has_both))
      condition = terms_.or_(condition, terms_.and_(has_both, choice_if(has_both)));
    wait_until(condition, std::move(wait));
  }
  begin->second = static_cast<EventIndex>(set_.events.size());
}

// The actions.

void EventBuilder::load(const Load& action) {
  const Term address = evaluate(action.address);
  // A grace period of sleepable RCU is written as a load because it has a place; it reads nothing.
  const std::vector<std::string>& tags = action.access.tags;
  if (std::find(tags.begin(), tags.end(), "sync-srcu") != tags.end()) {
    const Sources sources = sources_of(action.address);
    StaticEvent event = memory_event(StaticEvent::Kind::kFence, action.access, address);
    depend(add(std::move(event)), sources, {});
    assign(action.dest, terms_.constant(0, procedure_.locals[action.dest].width), {});
    return;
  }
  const AccessPlace& place = place_of(action.address, action.access);
  if (action.access.is_visible) {
    const Reading reading = emit_read(place, action.access, address, origins_of(action.address));
    assign(action.dest, reading.value, origins_of(reading));
    if (action.marks)
      assign(*action.marks, terms_.constant(0, 8), {});
    return;
  }
  if (!action.marks) {
    Known known = fix_private(place, address, own_origins_of(action.address));
    assign(action.dest, known.value, {std::move(known.sources), std::move(known.chosen)});
    return;
  }
  Private found = load_private(place, address, own_origins_of(action.address));
  const Term nothing = terms_.constant(0, 8U * action.access.size);
  assign(action.dest,
         with_marked_bytes(terms_, found.known.value, nothing, found.marks),
         {std::move(found.known.sources), std::move(found.known.chosen)});
  assign(*action.marks, terms_.zero_extend(found.marks, 8), {});
}

/// What shared memory holds where nobody has written is 0 here, which is not all it may be.
void EventBuilder::stop_marked_store(const Access& access, Term marks) {
  const Term is_written = terms_.equal(marks, terms_.constant(0, access.size));
  StaticEvent event;
  event.kind = StaticEvent::Kind::kTrap;
  event.guard = terms_.and_(state_.guard, terms_.not_(is_written));
  event.text = "a copy of memory that nobody has written to where other threads can see it";
  if (!terms_.is_constant(event.guard) || terms_.node(event.guard).value != 0)
    add(std::move(event));
}

void EventBuilder::store(const Store& action) {
  const AccessPlace& place = place_of(action.address, action.access);
  const Term address = evaluate(action.address);
  Term value = evaluate(action.value);
  Term marks;
  if (action.marks) {
    marks = terms_.extract(evaluate(*action.marks), 0, action.access.size);
    if (action.access.is_visible)
      stop_marked_store(action.access, marks);
    else if (!terms_.is_constant(marks) || terms_.node(marks).value != 0)
      value = with_marked_bytes(terms_, value, fresh_choice(8U * action.access.size), marks);
  }
  if (!action.access.is_visible) {
    store_private(
        place, address, value, own_origins_of(action.address), own_origins_of(action.value), marks);
    return;
  }
  const Origins address_origins = origins_of(action.address);
  const Origins data_origins = origins_of(action.value);
  emit_write(place, action.access, address, value, address_origins, data_origins, state_.guard);
}

void EventBuilder::note_point(std::optional<SourceLoc> assertion) {
  set_.points.push_back(
      {assertion, thread_.thread, static_cast<EventIndex>(set_.events.size()), state_.guard});
}

/// Enough for objects of one unit, which all but huge ones are: a pointer beyond is a bound.
void EventBuilder::check_neighbourhood(const CheckNeighbourhood& action) {
  const Term base = evaluate(action.base);
  const Term result = evaluate(action.result);
  const unsigned width = terms_.sort(base).width;
  const unsigned shift = context_.program.space().unit_shift;
  if (base == result || width <= shift)
    return;
  const Term stays = terms_.equal(terms_.extract(base, shift, width - shift),
                                  terms_.extract(result, shift, width - shift));
  if (terms_.is_constant(stays) && terms_.node(stays).value != 0)
    return;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kCheck;
  event.value = stays;
  event.text = "a pointer leaves its object";
  event.fault = FaultKind::kPointerArithmetic;
  add(std::move(event));
}

/// A bound on a size that is not constant; what is larger is cut.
std::uint64_t EventBuilder::most_bytes(Term size) {
  logic::RangeAnalysis ranges(terms_, logic::ranges_where(terms_, state_.guard));
  const std::uint64_t most = std::min(kMostOfUnknownSize, ranges.range(size).max);
  const Term fits =
      terms_.binary(logic::Op::kULe, size, terms_.constant(most, terms_.sort(size).width));
  if (!is_always_true(fits)) {
    StaticEvent event;
    event.kind = StaticEvent::Kind::kCut;
    event.guard = terms_.and_(state_.guard, terms_.not_(fits));
    event.text = fmt::format("blocks of at most {} bytes where the size is computed", most);
    event.fault = FaultKind::kCut; // no loop: unrolling further does not help
    add(std::move(event));
  }
  return most;
}

/// A block of its own at a place of its own; freed blocks are not used again here.
void EventBuilder::allocate(const Allocate& action) {
  const AddressSpace space = context_.program.space();
  const Term size = evaluate(action.size);
  const bool has_constant_size = terms_.is_constant(size);
  const std::uint64_t bytes = has_constant_size ? terms_.node(size).value : most_bytes(size);
  const Term length =
      has_constant_size ? Term{} : terms_.zero_extend(size, context_.program.pointer_bits());
  const bool is_heap = action.where == ir::Allocate::Where::kHeap;
  const auto [first, units] = units_of_area(thread_.thread, is_heap);
  std::uint64_t unit = first;
  for (const EventSet::Block& block : set_.blocks) {
    const std::uint64_t used = space.unit_of(block.address);
    if (used >= first && used < first + units)
      unit = std::max(unit, used + space.units_for(block.size));
  }
  if (bytes > kMaxBlockSize) { // the machines do not go on from there
    StaticEvent event;
    event.kind = StaticEvent::Kind::kCut;
    event.text = fmt::format("objects of at most {} bytes", kMaxBlockSize);
    add(std::move(event));
    state_.guard = terms_.boolean(false);
    assign(action.dest, terms_.constant(0, procedure_.locals[action.dest].width), {});
    return;
  }
  if (unit + space.units_for(bytes) > first + units) {
    error_ = refuse(state_.loc, "memory that is allocated so often");
    return;
  }
  set_.blocks.push_back({space.base_of(unit), bytes, action.zeroed, action.site, length});
  if (context_.options.keeps_frees && is_heap)
    set_.allocations.push_back({thread_.thread,
                                state_.guard,
                                static_cast<EventIndex>(set_.events.size()),
                                space.base_of(unit)});
  assign(
      action.dest, terms_.constant(space.base_of(unit), procedure_.locals[action.dest].width), {});
}

void EventBuilder::block_size(const BlockSize& action) {
  const Term address = evaluate(action.address);
  const unsigned width = terms_.sort(address).width;
  const unsigned result_width = procedure_.locals[action.dest].width;
  Term is_known = terms_.boolean(false);
  Term result = terms_.constant(0, result_width);
  for (const EventSet::Block& block : set_.blocks) {
    const Term is_this = terms_.equal(address, terms_.constant(block.address, width));
    if (is_always_false(is_this) ||
        context_.program.objects[block.site].kind != Object::Kind::kHeapSite)
      continue;
    is_known = terms_.or_(is_known, is_this);
    const Term size = block.length.is_valid() ? terms_.zero_extend(block.length, result_width)
                                              : terms_.constant(block.size, result_width);
    result = terms_.ite(is_this, size, result);
  }
  trap_where(terms_.not_(is_known), "the size of a block that another thread may have allocated");
  assign(action.dest, result, {});
}

void EventBuilder::free_block(const Free& action) {
  const Term address = evaluate(action.address);
  if (terms_.is_constant(address) && terms_.node(address).value == 0)
    return;
  state_.freed.emplace_back(address, state_.guard);
  if (!context_.options.keeps_frees)
    return;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kFree;
  event.address = address;
  add(std::move(event));
  write_ended_places(action.address, address);
}

/// As a store through the pointer to each of the places.
void EventBuilder::write_ended_places(Term pointer, Term address) {
  if (context_.ended_places.empty())
    return;
  const unsigned width = terms_.sort(address).width;
  const Origins origins = origins_of(pointer);
  for (const EndedPlace& place : context_.ended_places) {
    const Term is_ended = terms_.equal(address, terms_.constant(place.block, width));
    if (is_always_false(is_ended))
      continue;
    state_.instruction = ++instructions_;
    StaticEvent event;
    event.kind = StaticEvent::Kind::kWrite;
    event.guard = terms_.and_(state_.guard, is_ended);
    event.address = terms_.constant(place.address, width);
    event.value = terms_.constant(0, 8U * place.size);
    event.size = place.size;
    event.piece_of = static_cast<std::uint32_t>(set_.events.size());
    const EventIndex index = add(std::move(event));
    depend(index, origins, {});
    context_.stores_of_frees.push_back(index);
  }
}

Status EventBuilder::act(const Edge& edge) {
  return std::visit(
      Overloaded{
          [](const Skip&) -> Status { return Done{}; },
          [&](const Assign& a) -> Status {
            Origins origins = origins_of(a.value, a.also_from);
            assign(a.dest, evaluate(a.value), std::move(origins));
            return Done{};
          },
          [&](const AssignSequence& sequence) -> Status {
            for (const Assign& a : sequence.assignments) {
              Origins origins = origins_of(a.value, a.also_from);
              assign(a.dest, evaluate(a.value), std::move(origins));
            }
            return Done{};
          },
          [&](const Nondet& a) -> Status {
            const Term value = fresh_choice(procedure_.locals[a.dest].width);
            // The program asks for this one; others are made up on the way.
            set_.events.back().text = a.origin.empty() ? "nondet" : a.origin;
            assign(a.dest, value, {});
            return Done{};
          },
          [&](const Assume& a) -> Status {
            assume_at(edge, evaluate(a.condition));
            if (a.lasts && merges()) {
              const Origins origins = origins_of(a.condition);
              control_all(origins.from);
              control_all(origins.chosen);
            }
            return Done{};
          },
          [&](const Check& a) -> Status {
            StaticEvent event;
            event.kind = StaticEvent::Kind::kCheck;
            event.value = evaluate(a.condition);
            event.text = a.what;
            event.fault = fault_of(a.kind);
            if (a.kind == CheckKind::kAssertion)
              note_point(edge.loc);
            if (!terms_.is_constant(event.value) || terms_.node(event.value).value == 0)
              add(std::move(event));
            return Done{};
          },
          [&](const CheckNeighbourhood& a) -> Status {
            check_neighbourhood(a);
            return Done{};
          },
          [&](const Load& a) -> Status {
            load(a);
            return Done{};
          },
          [&](const Store& a) -> Status {
            store(a);
            return Done{};
          },
          [&](const LoadExclusive& a) -> Status {
            load_exclusive(a);
            return Done{};
          },
          [&](const StoreExclusive& a) -> Status {
            store_exclusive(a);
            return Done{};
          },
          [&](const ReadModifyWrite& a) -> Status {
            read_modify_write(a);
            return Done{};
          },
          [&](const CompareExchange& a) -> Status {
            compare_exchange(a);
            return Done{};
          },
          [&](const Fence& a) -> Status {
            if (a.access.kind == AccessKind::kPlain && a.access.tags.empty())
              return Done{}; // a compiler barrier
            if (has_loose_read_ && context_.program.vocabulary == "c11" &&
                a.access.order != Order::kRelaxed && a.access.order != Order::kRelease)
              trap_where(terms_.boolean(true),
                         "an acquire fence after a lock was taken for reading, or a semaphore "
                         "looked at");
            StaticEvent event;
            event.kind = StaticEvent::Kind::kFence;
            event.access = a.access.kind;
            event.order = a.access.order;
            event.tags = a.access.tags;
            depend(add(std::move(event)), {}, {});
            return Done{};
          },
          [&](const Allocate& a) -> Status {
            allocate(a);
            return Done{};
          },
          [&](const Free& a) -> Status {
            free_block(a);
            return Done{};
          },
          [&](const BlockSize& a) -> Status {
            block_size(a);
            return Done{};
          },
          [&](const Call&) -> Status { return refuse(edge.loc, "a call that was not inlined"); },
          [&](const Return& a) -> Status {
            if (thread_.thread == 0)
              note_point({});
            keep_result(a.value);
            return Done{};
          },
          [&](const Synchronize& a) -> Status { return synchronize(a, edge.loc); },
          [&](const AtomicBegin&) -> Status { return refuse(edge.loc, "an atomic section"); },
          [](const AtomicEnd&) -> Status { return Done{}; },
          [&](const Hint& a) -> Status {
            if (a.kind == ir::Hint::Kind::kSpinEnd && a.name.starts_with("turn "))
              turn_at_[edge.to] = {a.name,
                                   a.operands.empty() ? terms_.boolean(false)
                                                      : terms_.to_bool(evaluate(a.operands[0]))};
            return Done{};
          },
          [&](const ThreadExit& a) -> Status {
            if (thread_.thread == 0)
              note_point({});
            keep_result(a.value);
            return Done{};
          },
          [&](const Exit&) -> Status {
            if (thread_.thread == 0) {
              note_point({});
              return Done{};
            }
            // Others would stop wherever they are. After a failed assertion that does not matter.
            StaticEvent event;
            event.kind = StaticEvent::Kind::kTrap;
            event.text = "an exit of the whole program from a thread it created";
            add(std::move(event));
            return Done{};
          },
          [&](const Cut& a) -> Status {
            StaticEvent event;
            event.kind = StaticEvent::Kind::kCut;
            event.text = a.bound;
            add(std::move(event));
            return Done{};
          },
          [&](const Trap& a) -> Status {
            StaticEvent event;
            event.kind = StaticEvent::Kind::kTrap;
            event.text = a.what;
            add(std::move(event));
            return Done{};
          },
      },
      edge.action);
}

} // namespace heddle::program
