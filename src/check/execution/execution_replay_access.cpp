// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses, fences and branches of one thread: which claimed events they are, what they read and
// write, and what that was computed from.
#include "check/execution/execution_forms.h"
#include "check/execution/execution_replay.h"
#include "memory/execution_values.h"
#include "program/model/update_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::check {

using execution::Event;
using execution::Step;
using program::Request;
using program::StaticEvent;
using program::ThreadIndex;

/// What threads have for themselves: frames, blocks of the heap, thread-local variables.
bool ExecutionReplay::may_lie_elsewhere(std::uint64_t unit) const {
  if (unit >= program::AddressSpace::kFirstFrameUnit)
    return true;
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const program::Object& object = program_.objects[program::ObjectId{i}];
    if (object.kind == program::Object::Kind::kThreadLocal && unit >= object.unit &&
        unit < object.unit + program_.space().units_for(object.size) * program::kMaxThreads)
      return true;
  }
  return false;
}

/// Marks of handles are placed by them, and here the handle of a thread that is gone serves again.
Request ExecutionReplay::with_claimed_handle(Request request) const {
  if (request.address <= marks_ || request.address >= marks_ + size_of_marks_)
    return request;
  const auto marked = threads_.find(static_cast<ThreadIndex>(request.address - marks_ - 1));
  if (marked != threads_.end() && marked->second.claimed + 1U < size_of_marks_)
    request.address = marks_ + marked->second.claimed + 1U;
  return request;
}

bool ExecutionReplay::is_same_place(std::uint64_t made, std::uint64_t claimed) {
  const program::AddressSpace space = program_.space();
  const std::uint64_t unit = space.unit_of(made);
  const std::uint64_t other = space.unit_of(claimed);
  if (!may_lie_elsewhere(unit) || made >= program::hidden_address(*task_.program, 0))
    return made == claimed;
  const std::uint64_t mask = space.unit_size() - 1;
  if (!may_lie_elsewhere(other) || (made & mask) != (claimed & mask))
    return false;
  return claim_of_unit_.try_emplace(unit, other).first->second == other &&
         unit_of_claim_.try_emplace(other, unit).first->second == unit;
}

bool ExecutionReplay::is_same_value(std::uint64_t made, std::uint64_t claimed, unsigned size) {
  if (made == claimed || handles_.contains({made, claimed}))
    return true;
  return size * 8 == program_.pointer_bits() && may_lie_elsewhere(program_.space().unit_of(made)) &&
         is_same_place(made, claimed);
}

Status ExecutionReplay::set_value(EventIndex event, std::uint64_t value) {
  Event& one = made_.events[event];
  if (!is_same_value(value, claim_.events[event].value, one.size))
    return Error{
        ErrorKind::kUnsupported,
        "CHECK-011",
        fmt::format("event {} has the value {}, not {}", event, value, claim_.events[event].value)};
  one.value = value;
  is_known_[event] = true;
  return Done{};
}

Result<ExecutionReplay::Pieces> ExecutionReplay::pieces(
    ThreadIndex thread, Event::Kind kind, std::uint64_t address, unsigned size, std::size_t later) {
  Pieces found;
  unsigned covered = 0;
  while (covered < size) {
    if (left(thread) <= later + found.size())
      return mismatch(thread, "a part of an access is missing");
    const EventIndex index = claimed_at(thread, later + found.size());
    const Event& event = claim_.events[index];
    if (event.kind != kind || event.size == 0 || covered + event.size > size ||
        !is_same_place(address + covered, event.address))
      return mismatch(thread, "the program makes another access here");
    covered += event.size;
    found.push_back(index);
  }
  return found;
}

/// Nothing where a source is not there yet.
Result<std::optional<std::uint64_t>> ExecutionReplay::value_of(const Pieces& reads,
                                                               std::uint64_t address) {
  std::uint64_t value = 0;
  unsigned offset = 0;
  for (const EventIndex read : reads) {
    const std::vector<EventIndex>& sources = sources_[read];
    const Event& event = claim_.events[read];
    if (sources.size() != 1 || (claim_.events[sources[0]].kind != Event::Kind::kWrite &&
                                claim_.events[sources[0]].kind != Event::Kind::kInitialWrite))
      return Error{ErrorKind::kUnsupported,
                   "CHECK-012",
                   fmt::format("read {} does not read from one write", read)};
    const EventIndex source = sources[0];
    if (claim_.events[source].size != event.size || claim_.events[source].address != event.address)
      return Error{ErrorKind::kUnsupported,
                   "CHECK-012",
                   fmt::format("read {} reads from a write to another place", read)};
    std::uint64_t part = 0;
    if (claim_.events[source].kind == Event::Kind::kInitialWrite) {
      const std::uint64_t here = address + offset;
      part = here >= program::hidden_address(*task_.program, 0)
                 ? 0
                 : interpreter_.read(initial_, here, event.size);
      made_.events[source].address = here;
      if (const Status status = set_value(source, part); !status)
        return status.error();
    } else if (is_known_[source]) {
      part = made_.events[source].value;
    } else if (may_believe_) {
      part = event.value;
      is_believed_[read] = true;
    } else {
      return std::optional<std::uint64_t>{};
    }
    value |= masked(part, event.size) << (8 * offset);
    offset += event.size;
  }
  may_believe_ = false;
  return std::optional<std::uint64_t>{value};
}

Status ExecutionReplay::take(ThreadIndex thread,
                             const Pieces& pieces,
                             std::uint64_t address,
                             const Marks& marks) {
  Thread& self = threads_.at(thread);
  StaticEvent form = marks.form;
  form.thread = self.claimed;
  form.instruction = self.instruction;
  unsigned offset = 0;
  for (const EventIndex index : pieces) {
    form.size = claim_.events[index].size;
    form.loc = claim_.events[index].loc;
    form.piece_of = static_cast<std::uint32_t>(pieces.front());
    const std::uint64_t value = made_.events[index].value;
    made_.events[index] = memory::event_of(program_.vocabulary, form, marks.has_succeeded);
    made_.events[index].address = form.size == 0 ? 0 : address + offset;
    made_.events[index].value = value;
    procedures_[index] = procedure_of(thread);
    offset += form.size;
    ++self.next;
  }
  return Done{};
}

/// Steps of assembly with one place are parts of one instruction.
void ExecutionReplay::begin_instruction(ThreadIndex thread, SourceLoc loc) {
  Thread& self = threads_.at(thread);
  const bool continues =
      is_assembly_ && loc.is_known() && loc == self.instruction_at && self.instruction != 0;
  self.instruction_at = loc;
  if (!continues)
    ++self.instruction;
}

void ExecutionReplay::depend(ThreadIndex thread,
                             const Pieces& on,
                             const Origins& addr,
                             const Origins& data) {
  const Reads control = dependencies_.control(thread);
  const bool is_data = dependencies_.merges() == Dependencies::Merges::kData;
  for (const EventIndex event : on) {
    for (const EventIndex read : addr.from)
      made_.addr.insert(read, event);
    for (const EventIndex read : data.from)
      made_.data.insert(read, event);
    for (const EventIndex read : addr.chosen)
      made_.ctrl.insert(read, event);
    for (const EventIndex read : data.chosen)
      (is_data ? made_.data : made_.ctrl).insert(read, event);
    for (const EventIndex read : control)
      made_.ctrl.insert(read, event);
  }
}

/// A branch is an event in assembly.
Status ExecutionReplay::branch(ThreadIndex thread, SourceLoc loc) {
  const EventIndex index = claimed_at(thread, 0);
  if (claim_.events[index].kind != Event::Kind::kBranch)
    return mismatch(thread, "the program has a branch here");
  begin_instruction(thread, loc);
  StaticEvent form;
  form.kind = StaticEvent::Kind::kBranch;
  if (Status status = take(thread, {index}, 0, {form}); !status)
    return status;
  is_known_[index] = true;
  depend(thread, {index}, {}, {dependencies_.of_branch(thread, state_), {}});
  return Done{};
}

Status ExecutionReplay::relate_update(const Pieces& reads, const Pieces& writes) {
  if (reads.size() != writes.size())
    return Error{ErrorKind::kUnsupported, "CHECK-013", "the halves of an update differ"};
  for (std::size_t i = 0; i < reads.size(); ++i)
    made_.rmw.insert(reads[i], writes[i]);
  return Done{};
}

Result<ExecutionReplay::Progress> ExecutionReplay::fence(ThreadIndex thread,
                                                         const Request& request) {
  const auto& action = std::get<program::Fence>(request.edge->action);
  if (action.access.kind != program::AccessKind::kPlain || !action.access.tags.empty()) {
    if (left(thread) == 0)
      return stop(thread, {});
    const EventIndex index = claimed_at(thread, 0);
    if (claim_.events[index].kind != Event::Kind::kFence)
      return mismatch(thread, "the program has a fence here");
    begin_instruction(thread, request.edge->loc);
    if (Status status =
            take(thread, {index}, 0, {form_of(StaticEvent::Kind::kFence, action.access)});
        !status)
      return status.error();
    is_known_[index] = true;
    depend(thread, {index}, {}, {});
    tell(thread, request, Step::What::kFence, {index});
  }
  if (request.kind == Request::Kind::kFence)
    interpreter_.complete(state_, thread, request, 0, true);
  else if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
           !fault.is_none())
    return stop(thread, fault);
  moved(thread);
  return Progress::kMoved;
}

/// A fence that is of one place.
Result<ExecutionReplay::Progress> ExecutionReplay::grace_period(ThreadIndex thread,
                                                                const Request& request) {
  const auto& action = std::get<program::Load>(request.edge->action);
  const EventIndex index = claimed_at(thread, 0);
  if (claim_.events[index].kind != Event::Kind::kFence)
    return mismatch(thread, "the program has a fence here");
  begin_instruction(thread, request.edge->loc);
  const std::uint8_t size = claim_.events[index].size;
  if (Status status = take(
          thread, {index}, request.address, {form_of(StaticEvent::Kind::kFence, action.access)});
      !status)
    return status.error();
  made_.events[index].address = request.address;
  made_.events[index].size = size;
  is_known_[index] = true;
  depend(thread, {index}, dependencies_.of(thread, action.address), {});
  tell(thread, request, Step::What::kFence, {index});
  interpreter_.complete(state_, thread, request, 0, false);
  moved(thread);
  return Progress::kMoved;
}

/// What the value comes from that the compare-exchange, if it is one, expects.
Reads ExecutionReplay::expected_by(ThreadIndex thread, const program::CompareExchange* exchange) {
  if (exchange == nullptr)
    return {};
  const Origins expected = dependencies_.of(thread, exchange->expected);
  return together(expected.from, expected.chosen);
}

/// A load, store, update or compare-exchange that others can see.
Result<ExecutionReplay::Progress> ExecutionReplay::access(ThreadIndex thread,
                                                          const Request& request) {
  if (const program::Fault fault = interpreter_.check_access(state_, thread, request);
      !fault.is_none())
    return stop(thread, fault);
  if (left(thread) == 0)
    return stop(thread, {});
  const program::Action& action = request.edge->action;
  const bool is_exclusive = exclusives_.contains(request.edge);
  if (is_exclusive && request.kind == Request::Kind::kCompareExchange)
    return exclusive_store(thread, request);
  const auto* const load = std::get_if<program::Load>(&action);
  if (load != nullptr &&
      std::find(load->access.tags.begin(), load->access.tags.end(), "sync-srcu") !=
          load->access.tags.end())
    return grace_period(thread, request);
  const auto* const store = std::get_if<program::Store>(&action);
  const auto* const update = std::get_if<program::ReadModifyWrite>(&action);
  const auto* const exchange = std::get_if<program::CompareExchange>(&action);
  const program::Access& how = load != nullptr     ? load->access
                               : store != nullptr  ? store->access
                               : update != nullptr ? update->access
                                                   : exchange->access;
  const Origins addr = dependencies_.of(thread,
                                        load != nullptr     ? load->address
                                        : store != nullptr  ? store->address
                                        : update != nullptr ? update->address
                                                            : exchange->address);
  Origins data = load != nullptr     ? Origins{}
                 : store != nullptr  ? dependencies_.of(thread, store->value)
                 : update != nullptr ? dependencies_.of(thread, update->value)
                                     : dependencies_.of(thread, exchange->desired);
  Pieces reads;
  std::uint64_t read_value = 0;
  if (store == nullptr) {
    Result<Pieces> found = pieces(thread, Event::Kind::kRead, request.address, request.size);
    if (!found)
      return found.error();
    reads = std::move(*found);
    Result<std::optional<std::uint64_t>> value = value_of(reads, request.address);
    if (!value)
      return value.error();
    if (!*value)
      return Progress::kWaits;
    read_value = **value;
  }
  // Does it write, and what?
  std::uint64_t written = request.value;
  bool writes = store != nullptr || update != nullptr;
  if (update != nullptr)
    written = program::Interpreter::modify(update->op, read_value, request.value, request.size);
  if (exchange != nullptr) {
    writes = masked(read_value, request.size) == masked(request.expected, request.size);
    // A weak one may fail all the same: the claim decides.
    if (writes && exchange->weak)
      writes = !claim_.rmw.row(reads.front()).empty();
  }
  Pieces made;
  if (writes) {
    Result<Pieces> found =
        pieces(thread, Event::Kind::kWrite, request.address, request.size, reads.size());
    if (!found)
      return found.error();
    made = std::move(*found);
  }
  begin_instruction(thread, request.edge->loc);
  if (!reads.empty()) {
    Marks marks{form_of(StaticEvent::Kind::kRead, how)};
    marks.form.is_exclusive = is_exclusive;
    if (exchange != nullptr) {
      if (std::find(marks.form.tags.begin(), marks.form.tags.end(), "X") == marks.form.tags.end())
        marks.form.tags.emplace_back("X");
      marks.form.failure_order = exchange->failure_order;
      marks.has_succeeded = writes;
    }
    if (Status status = take(thread, reads, request.address, marks); !status)
      return status.error();
    unsigned offset = 0;
    for (const EventIndex read : reads) {
      const std::uint8_t size = made_.events[read].size;
      if (Status status = set_value(read, masked(read_value >> (8 * offset), size)); !status)
        return status.error();
      offset += size;
    }
    depend(thread, reads, addr, {});
  }
  // What the read half finds may have been chosen by an own write there; so is what is made of it.
  Reads chosen = addr.chosen;
  if (!reads.empty() && dependencies_.merges() != Dependencies::Merges::kNothing)
    chosen = together(chosen, dependencies_.chosen_at(thread, request.address, request.size));
  if (exchange != nullptr || (update != nullptr && update->op != program::RmwOp::kExchange))
    data.chosen = together(data.chosen, chosen);
  if (!made.empty()) {
    if (Status status =
            take(thread, made, request.address, {form_of(StaticEvent::Kind::kWrite, how)});
        !status)
      return status.error();
    unsigned offset = 0;
    for (const EventIndex write : made) {
      const std::uint8_t size = made_.events[write].size;
      if (Status status = set_value(write, masked(written >> (8 * offset), size)); !status)
        return status.error();
      offset += size;
    }
    depend(thread, made, addr, data);
    const Reads compared = expected_by(thread, exchange);
    dependencies_.write(thread,
                        request.address,
                        request.size,
                        together(compared, together(addr.chosen, data.chosen)));
    const bool is_data = dependencies_.merges() == Dependencies::Merges::kData;
    if (is_data || program::compares_decide_writes(program_))
      for (const EventIndex read : compared)
        for (const EventIndex write : made)
          (is_data ? made_.data : made_.ctrl).insert(read, write);
    if (!reads.empty())
      if (Status status = relate_update(reads, made); !status)
        return status.error();
  }
  if (exchange != nullptr && program::compares_with_what_was_read(program_)) {
    const Origins expected = dependencies_.of(thread, exchange->expected);
    for (const EventIndex from : expected.from)
      for (const EventIndex read : reads)
        made_.intra_control.insert(from, read);
  }
  if (is_exclusive)
    threads_.at(thread).reserved = reads;
  Pieces both = reads;
  both.insert(both.end(), made.begin(), made.end());
  tell(thread,
       request,
       store != nullptr  ? Step::What::kWrite
       : load != nullptr ? Step::What::kRead
       : writes          ? Step::What::kReadModifyWrite
                         : Step::What::kFailedCompareExchange,
       both);
  interpreter_.complete(state_, thread, request, read_value, writes);
  Origins from{Reads(reads.begin(), reads.end()), chosen};
  if (load != nullptr)
    dependencies_.assign(thread, load->dest, from);
  else if (update != nullptr)
    dependencies_.assign(thread, update->dest, from);
  else if (exchange != nullptr) {
    dependencies_.assign(thread, exchange->dest, from);
    if (dependencies_.merges() != Dependencies::Merges::kNothing)
      from.chosen = together(from.chosen, expected_by(thread, exchange));
    dependencies_.assign(thread, exchange->success, from);
  }
  moved(thread);
  return Progress::kMoved;
}

namespace {

bool is_tagged(const Event& event, std::string_view tag) {
  return std::find(event.tags.begin(), event.tags.end(), tag) != event.tags.end();
}

} // namespace

/// It succeeds where the claim says so and has reserved the place. Where a reservation covers all
/// of memory, a store to another place succeeds that the claim has as one of an exclusive store: no
/// other store of the thread has its tag, and none succeeds after one that failed.
Result<ExecutionReplay::Progress> ExecutionReplay::exclusive_store(ThreadIndex thread,
                                                                   const Request& request) {
  const auto& action = std::get<program::CompareExchange>(request.edge->action);
  Thread& self = threads_.at(thread);
  const Origins addr = dependencies_.of(thread, action.address);
  const Origins data = dependencies_.of(thread, action.desired);
  const bool is_reserved =
      !self.reserved.empty() && made_.events[self.reserved.front()].address == request.address;
  const EventIndex next = claimed_at(thread, 0);
  const bool is_update = is_reserved && claim_.rmw.contains(self.reserved.front(), next);
  const bool is_elsewhere = !is_reserved && !self.reserved.empty() &&
                            program::reservations_cover_memory(program_) &&
                            is_tagged(claim_.events[next], "EX");
  const bool succeeds =
      claim_.events[next].kind == Event::Kind::kWrite && (is_update || is_elsewhere);
  if (succeeds) {
    Result<Pieces> found = pieces(thread, Event::Kind::kWrite, request.address, request.size);
    if (!found)
      return found.error();
    begin_instruction(thread, request.edge->loc);
    Marks marks{form_of(StaticEvent::Kind::kWrite, action.access)};
    marks.form.is_exclusive = true;
    if (Status status = take(thread, *found, request.address, marks); !status)
      return status.error();
    unsigned offset = 0;
    for (const EventIndex write : *found) {
      const std::uint8_t size = made_.events[write].size;
      if (Status status = set_value(write, masked(request.value >> (8 * offset), size)); !status)
        return status.error();
      offset += size;
    }
    depend(thread, *found, addr, data);
    dependencies_.write(thread, request.address, request.size, together(addr.chosen, data.chosen));
    if (is_update)
      if (Status status = relate_update(self.reserved, *found); !status)
        return status.error();
    tell(thread, request, Step::What::kWrite, *found);
  }
  self.reserved.clear();
  interpreter_.complete(state_, thread, request, 0, succeeds);
  dependencies_.assign(thread, action.dest, {});
  dependencies_.assign(
      thread, action.success, succeeds ? Origins{together(addr.from, data.from), {}} : Origins{});
  moved(thread);
  return Progress::kMoved;
}

} // namespace heddle::check
