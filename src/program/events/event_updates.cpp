// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Updates of memory: exclusive loads and stores, read-modify-writes and compare-exchanges, with
// what relates their halves.
#include "program/events/event_builder.h"
#include "program/model/update_rules.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

void EventBuilder::load_exclusive(const LoadExclusive& action) {
  const Term address = evaluate(action.address);
  const Reading reading = emit_read(
      place_of(action.address, action.access), action.access, address, origins_of(action.address));
  for (const EventIndex event : reading.events)
    set_.events[event].is_exclusive = true;
  Sources loads = from_events(reading.events, terms_.boolean(true));
  state_.reservation = {
      terms_.boolean(true), address, terms_.constant(action.access.size, 8), loads};
  assign(action.dest, reading.value, {std::move(loads), reading.chosen});
}

void EventBuilder::store_exclusive(const StoreExclusive& action) {
  const Term address = evaluate(action.address);
  const Term value = evaluate(action.value);
  const Origins address_origins = origins_of(action.address);
  const Origins data_origins = origins_of(action.value);
  const Term is_reserved = terms_.equal(address, state_.reservation.address);
  // What a store of another size than the load does is left open by the architectures; like herd,
  // it fails.
  const Term is_of_size =
      terms_.equal(terms_.constant(action.access.size, 8), state_.reservation.size);
  const Term may_succeed =
      reservations_cover_memory(context_.program)
          ? state_.reservation.is_held
          : terms_.and_(state_.reservation.is_held, terms_.and_(is_reserved, is_of_size));
  Term succeeds = may_succeed;
  if (!terms_.is_constant(may_succeed) || terms_.node(may_succeed).value != 0)
    succeeds = terms_.and_(may_succeed, terms_.to_bool(fresh_choice(1)));
  const std::vector<EventIndex> events = emit_write(place_of(action.address, action.access),
                                                    action.access,
                                                    address,
                                                    value,
                                                    address_origins,
                                                    data_origins,
                                                    terms_.and_(state_.guard, succeeds));
  for (const EventIndex event : events) {
    set_.events[event].is_exclusive = true;
    for (const Source& load : state_.reservation.loads)
      set_.exclusive.push_back({load.event, event, terms_.and_(load.guard, is_reserved)});
  }
  state_.reservation.is_held = terms_.boolean(false);
  state_.reservation.loads.clear();
  Sources result_sources;
  for (const Sources* some : {&address_origins.from, &data_origins.from})
    for (const Source& source : *some)
      result_sources.push_back({source.event, terms_.and_(source.guard, succeeds)});
  assign(action.success,
         terms_.zero_extend(terms_.to_bit(succeeds), procedure_.locals[action.success].width),
         std::move(result_sources));
}

void EventBuilder::read_modify_write(const ReadModifyWrite& action) {
  const AccessPlace& place = place_of(action.address, action.access);
  const Term address = evaluate(action.address);
  const Term operand = evaluate(action.value);
  if (!action.access.is_visible) {
    const Origins at = own_origins_of(action.address);
    Known known = fix_private(place, address, at);
    Origins stored = own_origins_of(action.value);
    if (action.op != RmwOp::kExchange) {
      add_each(stored.from, known.sources);
      add_each(stored.chosen, known.chosen);
    }
    store_private(place, address, rmw_result(terms_, action.op, known.value, operand), at, stored);
    assign(action.dest, known.value, {std::move(known.sources), std::move(known.chosen)});
    return;
  }
  const Origins address_origins = origins_of(action.address);
  Origins data_origins = origins_of(action.value);
  const Reading reading = emit_read(place, half_of(action.access, 'R'), address, address_origins);
  if (action.op != RmwOp::kExchange)
    add_each(data_origins.chosen, reading.chosen);
  const std::vector<EventIndex> writes =
      emit_write(place,
                 half_of(action.access, 'W'),
                 address,
                 rmw_result(terms_, action.op, reading.value, operand),
                 address_origins,
                 data_origins,
                 state_.guard);
  for (std::size_t i = 0; i < writes.size(); ++i)
    set_.amo.push_back({reading.events[i], writes[i], terms_.boolean(true)});
  const Sources read = from_events(reading.events, terms_.boolean(true));
  if (action.op != RmwOp::kExchange)
    for (const EventIndex write : writes) {
      if (context_.options.register_events)
        relate(set_.intra_data, read, write);
      else if (updates_carry_data(context_.program))
        relate(set_.data, read, write);
    }
  assign(action.dest, reading.value, {read, reading.chosen});
}

/// A choice of yes or no that there is only under a condition.
Term EventBuilder::choice_if(Term condition) {
  const Term choice = fresh_choice(1);
  set_.events.back().guard = terms_.and_(state_.guard, condition);
  return terms_.to_bool(choice);
}

/// CAS of AArch64: an event of its own compares what was read with what was expected and decides on
/// the write. Where they are equal, the register may get its value from either: from memory, or
/// from itself, because it is the same. Both ways are executions of their own, as in herd.
/// Where they differ and something is written all the same, it is what was read.
void EventBuilder::pick_by_comparison(const Reading& reading,
                                      const Sources& expected,
                                      const std::vector<EventIndex>& writes,
                                      Term succeeds,
                                      Known& result) {
  StaticEvent event;
  event.kind = StaticEvent::Kind::kBranch;
  event.tags = {"PRED"};
  const EventIndex comparison = add(std::move(event));
  const Sources read = from_events(reading.events, terms_.boolean(true));
  relate(set_.intra_data, read, comparison);
  relate(set_.intra_data, expected, comparison);
  for (const EventIndex write : writes) {
    relate(set_.intra_control, {{comparison, terms_.boolean(true)}}, write);
    relate(set_.intra_data, from_events(reading.events, terms_.not_(succeeds)), write);
  }
  mark_sources(expected, false);
  const Term stays = terms_.and_(succeeds, choice_if(succeeds));
  result.sources = from_events(reading.events, terms_.not_(stays));
  for (const Source& source : expected)
    result.sources.push_back({source.event, terms_.and_(source.guard, stays)});
  result.sources.push_back({comparison, stays, true});
}

void EventBuilder::compare_exchange(const CompareExchange& action) {
  const AccessPlace& place = place_of(action.address, action.access);
  const Term address = evaluate(action.address);
  const Term expected = evaluate(action.expected);
  const Term desired = evaluate(action.desired);
  const bool is_visible = action.access.is_visible;
  const auto origins = [&](Term term) {
    return is_visible ? origins_of(term) : own_origins_of(term);
  };
  const Origins address_origins = origins(action.address);
  const Origins expected_origins = origins(action.expected);
  const Sources& expected_sources = expected_origins.from;
  Origins written_origins = origins(action.desired);
  Reading reading;
  Known known;
  if (is_visible) {
    reading = emit_read(place, half_of(action.access, 'R'), address, address_origins);
    known = {reading.value, from_events(reading.events, terms_.boolean(true)), 0, reading.chosen};
    add_each(written_origins.chosen, reading.chosen);
  } else {
    known = fix_private(place, address, address_origins);
  }
  Term succeeds = terms_.equal(known.value, expected);
  if (action.weak)
    succeeds = terms_.and_(succeeds, choice_if(succeeds));
  if (is_visible) {
    // One that fails may write back what it read (Arm). No state comes of that which does not come
    // without it, so that it is left out where executions need not be told apart as herd does.
    Term is_written = succeeds;
    Term written = desired;
    if (tells_picks()) {
      const Term fails = terms_.not_(succeeds);
      is_written = terms_.or_(succeeds, choice_if(fails));
      written = terms_.ite(succeeds, desired, known.value);
      for (Source& source : written_origins.from)
        source.guard = terms_.and_(source.guard, succeeds);
    }
    const std::vector<EventIndex> writes = emit_write(place,
                                                      half_of(action.access, 'W'),
                                                      address,
                                                      written,
                                                      address_origins,
                                                      written_origins,
                                                      terms_.and_(state_.guard, is_written));
    for (std::size_t i = 0; i < writes.size(); ++i)
      set_.amo.push_back({reading.events[i], writes[i], terms_.boolean(true)});
    if (tells_picks())
      pick_by_comparison(reading, expected_sources, writes, succeeds, known);
    else if (context_.options.register_events)
      for (const EventIndex write : writes) {
        relate(set_.intra_control, known.sources, write);
        relate(set_.intra_control, expected_sources, write);
      }
    else if (compares_decide_writes(context_.program))
      for (const EventIndex write : writes) {
        relate(set_.ctrl, known.sources, write);
        relate(set_.ctrl, expected_sources, write);
        relate(set_.ctrl, expected_origins.chosen, write);
      }
    else if (context_.options.merges == EventSetOptions::Merges::kData)
      for (const EventIndex write : writes) {
        relate(set_.data, expected_sources, write);
        relate(set_.data, expected_origins.chosen, write);
      }
    // What is expected chooses whether it is written.
    if (merges())
      for (const EventIndex write : writes) {
        choose_place(set_.events[write].address, expected_sources, false);
        choose_place(set_.events[write].address, expected_origins.chosen, false);
      }
    if (compares_with_what_was_read(context_.program))
      for (const EventIndex read : reading.events)
        relate(set_.intra_control, expected_sources, read);
    // Machines with buffers empty them for a failing one, too.
    for (const EventIndex event : reading.events) {
      std::vector<std::string>& tags = set_.events[event].tags;
      if (std::find(tags.begin(), tags.end(), "X") == tags.end())
        tags.emplace_back("X");
    }
    // A failing one has only the order it has on failure.
    if (action.failure_order != action.access.order)
      for (const EventIndex event : reading.events) {
        set_.events[event].success = succeeds;
        set_.events[event].failure_order = action.failure_order;
      }
  } else {
    // It is one of the two values, which what is compared chooses.
    if (merges()) {
      add_each(written_origins.chosen, known.sources);
      add_each(written_origins.chosen, known.chosen);
      add_each(written_origins.chosen, expected_sources);
      add_each(written_origins.chosen, expected_origins.chosen);
    }
    add_each(written_origins.from, known.sources);
    store_private(place,
                  address,
                  terms_.ite(succeeds, desired, known.value),
                  address_origins,
                  written_origins);
  }
  assign(action.dest, known.value, {known.sources, known.chosen});
  Origins compared{known.sources, known.chosen};
  if (merges()) {
    add_each(compared.chosen, expected_sources);
    add_each(compared.chosen, expected_origins.chosen);
  }
  assign(action.success,
         terms_.zero_extend(terms_.to_bit(succeeds), procedure_.locals[action.success].width),
         std::move(compared));
}

} // namespace heddle::program
