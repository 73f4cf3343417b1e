// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/execution_replay.h"

#include "check/assigned.h"
#include "memory/execution_values.h"
#include "program/event_set.h"
#include "program/sync_layout.h"
#include "spec/property.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::check {

using execution::Event;
using execution::Step;
using program::Request;
using program::StaticEvent;
using program::SyncOp;
using program::ThreadIndex;

namespace {

constexpr std::uint8_t kWord = 4;
/// A thread that does nothing but local steps for so long is taken to be in an endless loop.
constexpr std::uint64_t kMostLocalSteps = 1'000'000;

program::InterpreterOptions interpreter_options(const spec::Task& task) {
  program::InterpreterOptions options;
  options.reuse_freed_blocks = task.reuse_freed_blocks;
  options.exhaustive_bits = task.bounds.nondet_bits;
  options.keep_dead_locals = true;
  return options;
}

/// The interpreter knows no exclusive accesses: a load, and an exchange whose success is decided by
/// the claim, have the same operands.
program::Program without_exclusives(const program::Program& source) {
  program::Program program = source;
  for (program::Procedure& procedure : program.procedures)
    for (program::Edge& edge : procedure.edges) {
      if (const auto* load = std::get_if<program::LoadExclusive>(&edge.action)) {
        edge.action = program::Load{load->dest, load->address, load->access, {}};
      } else if (const auto* store = std::get_if<program::StoreExclusive>(&edge.action)) {
        const unsigned width = program.terms.sort(store->value).width;
        program::CompareExchange exchange;
        exchange.dest =
            procedure.locals.push_back(program::Local{"", static_cast<std::uint8_t>(width), {}});
        exchange.success = store->success;
        exchange.address = store->address;
        exchange.expected = program.terms.constant(0, width);
        exchange.desired = store->value;
        exchange.access = store->access;
        edge.action = std::move(exchange);
      }
    }
  return program;
}

StaticEvent form_of(StaticEvent::Kind kind, const program::Access& access) {
  StaticEvent form;
  form.kind = kind;
  form.access = access.kind;
  form.order = access.order;
  form.failure_order = access.order;
  // "R:x" marks only the read of an update, "W:x" only the write, "x" both.
  for (const std::string& tag : access.tags) {
    const bool is_of_half = tag.size() > 2 && tag[1] == ':' && (tag[0] == 'R' || tag[0] == 'W');
    if (!is_of_half)
      form.tags.push_back(tag);
    else if ((tag[0] == 'R') == (kind == StaticEvent::Kind::kRead))
      form.tags.push_back(tag.substr(2));
  }
  return form;
}

program::Access word_access(program::Order order, const std::vector<std::string>& tags) {
  program::Access access;
  access.size = kWord;
  access.kind = program::AccessKind::kAtomic;
  access.order = order;
  access.tags = tags;
  return access;
}

std::uint64_t masked(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

} // namespace

ExecutionReplay::ExecutionReplay(const spec::Task& task, const execution::Execution& claim)
    : task_(task), claim_(claim), program_(without_exclusives(*task.program)),
      interpreter_(program_, interpreter_options(task)), state_(interpreter_.initial()),
      initial_(state_.memory), made_(claim), is_known_(claim.events.size(), false),
      is_believed_(claim.events.size(), false), dependencies_(program_), namer_(interpreter_) {
  for (std::size_t p = 0; p < program_.procedures.size(); ++p)
    for (std::size_t e = 0; e < program_.procedures[program::ProcedureId{p}].edges.size(); ++e) {
      const program::Action& was =
          task.program->procedures[program::ProcedureId{p}].edges[e].action;
      if (std::holds_alternative<program::LoadExclusive>(was) ||
          std::holds_alternative<program::StoreExclusive>(was))
        exclusives_.insert(&program_.procedures[program::ProcedureId{p}].edges[e]);
    }
  const relation::BitMatrix none(claim.events.size());
  made_.po = none;
  made_.rmw = none;
  made_.synchronises = none;
  made_.addr = none;
  made_.data = none;
  made_.ctrl = none;
  made_.intra_data = none;
  made_.intra_control = none;
  for (EventIndex i = 0; i < claim.events.size(); ++i) {
    if (claim.events[i].kind != Event::Kind::kInitialWrite) {
      if (claim.events[i].thread >= events_.size())
        events_.resize(claim.events[i].thread + 1U);
      events_[claim.events[i].thread].push_back(i);
    }
    announces_ = announces_ || hidden_number(i).has_value();
  }
  sources_.resize(claim.events.size());
  for (const auto& [write, read] : claim.rf.pairs())
    sources_[read].push_back(write);
  threads_[0] = Thread{};
  dependencies_.start(0);
  starts_.push_back({program_.templates.front().entry});
}

Error ExecutionReplay::mismatch(ThreadIndex thread, const std::string& what) const {
  const auto known = threads_.find(thread);
  return Error{ErrorKind::kUnsupported,
               "CHECK-010",
               fmt::format("thread {} of the execution, event {}: {}",
                           known == threads_.end() ? thread : known->second.claimed,
                           known == threads_.end() ? 0 : known->second.next + 1,
                           what)};
}

std::size_t ExecutionReplay::left(ThreadIndex thread) const {
  const Thread& one = threads_.at(thread);
  return one.claimed < events_.size() ? events_[one.claimed].size() - one.next : 0;
}

ExecutionReplay::EventIndex ExecutionReplay::claimed_at(ThreadIndex thread,
                                                        std::size_t later) const {
  const Thread& one = threads_.at(thread);
  return events_[one.claimed][one.next + later];
}

std::optional<std::uint32_t> ExecutionReplay::hidden_number(EventIndex event) const {
  const std::uint64_t first = program::hidden_address(*task_.program, 0);
  const Event& one = claim_.events[event];
  if (one.size == 0 || one.address < first || one.kind == Event::Kind::kInitialWrite)
    return std::nullopt;
  return static_cast<std::uint32_t>((one.address - first) / 8);
}

bool ExecutionReplay::is_same_place(std::uint64_t made, std::uint64_t claimed) {
  const program::AddressSpace space = program_.space();
  const std::uint64_t unit = space.unit_of(made);
  const std::uint64_t other = space.unit_of(claimed);
  if (unit < program::AddressSpace::kFirstFrameUnit ||
      made >= program::hidden_address(*task_.program, 0))
    return made == claimed;
  const std::uint64_t mask = space.unit_size() - 1;
  if (other < program::AddressSpace::kFirstFrameUnit || (made & mask) != (claimed & mask))
    return false;
  return claim_of_unit_.try_emplace(unit, other).first->second == other &&
         unit_of_claim_.try_emplace(other, unit).first->second == unit;
}

bool ExecutionReplay::is_same_value(std::uint64_t made, std::uint64_t claimed, unsigned size) {
  if (made == claimed)
    return true;
  return size * 8 == program_.pointer_bits() &&
         program_.space().unit_of(made) >= program::AddressSpace::kFirstFrameUnit &&
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
    offset += form.size;
    ++self.next;
  }
  return Done{};
}

void ExecutionReplay::depend(ThreadIndex thread,
                             const Pieces& on,
                             const Reads& addr,
                             const Reads& data) {
  const Reads control = dependencies_.control(thread);
  for (const EventIndex event : on) {
    for (const EventIndex read : addr)
      made_.addr.insert(read, event);
    for (const EventIndex read : data)
      made_.data.insert(read, event);
    for (const EventIndex read : control)
      made_.ctrl.insert(read, event);
  }
}

Status ExecutionReplay::relate_update(const Pieces& reads, const Pieces& writes) {
  if (reads.size() != writes.size())
    return Error{ErrorKind::kUnsupported, "CHECK-013", "the halves of an update differ"};
  for (std::size_t i = 0; i < reads.size(); ++i)
    made_.rmw.insert(reads[i], writes[i]);
  return Done{};
}

void ExecutionReplay::moved(ThreadIndex thread) {
  dependencies_.arrive(thread, state_);
}

ExecutionReplay::Progress ExecutionReplay::stop(ThreadIndex thread, const program::Fault& fault) {
  threads_.at(thread).has_stopped = true;
  if (fault_.is_none() && left(thread) == 0 &&
      spec::violates(std::get<spec::Check>(task_.question).property, fault.kind)) {
    fault_ = fault;
    faulty_ = thread;
  }
  return Progress::kStopped;
}

Result<ExecutionReplay::Progress> ExecutionReplay::step_locally(ThreadIndex thread,
                                                                const Request& request) {
  std::uint64_t choice = 0;
  if (request.kind == Request::Kind::kNondet) {
    Thread& self = threads_.at(thread);
    // Beyond the choices of the claim nothing depends on it any more.
    const bool is_given = self.claimed < claim_.choices.size() &&
                          self.next_choice < claim_.choices[self.claimed].size();
    if (!is_given)
      return stop(thread, {});
    choice = claim_.choices[self.claimed][self.next_choice++];
  } else if (request.kind == Request::Kind::kAllocate) {
    std::vector<std::uint64_t> choices;
    interpreter_.choices(state_, thread, request, choices);
    if (choices.empty())
      return stop(thread, {});
    choice = choices.front();
  }
  dependencies_.before(thread, state_, request);
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, choice);
      !fault.is_none())
    return stop(thread, fault);
  if (request.kind == Request::Kind::kNondet)
    tell(thread, request, Step::What::kNondet, {});
  moved(thread);
  return Progress::kMoved;
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
    ++threads_.at(thread).instruction;
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
  const auto* const store = std::get_if<program::Store>(&action);
  const auto* const update = std::get_if<program::ReadModifyWrite>(&action);
  const auto* const exchange = std::get_if<program::CompareExchange>(&action);
  const program::Access& how = load != nullptr     ? load->access
                               : store != nullptr  ? store->access
                               : update != nullptr ? update->access
                                                   : exchange->access;
  const Reads addr = dependencies_.of(thread,
                                      load != nullptr     ? load->address
                                      : store != nullptr  ? store->address
                                      : update != nullptr ? update->address
                                                          : exchange->address);
  const Reads data = load != nullptr     ? Reads{}
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
  ++threads_.at(thread).instruction;
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
    if (!reads.empty())
      if (Status status = relate_update(reads, made); !status)
        return status.error();
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
  Reads from(reads.begin(), reads.end());
  if (load != nullptr)
    dependencies_.assign(thread, load->dest, from);
  else if (update != nullptr)
    dependencies_.assign(thread, update->dest, from);
  else if (exchange != nullptr) {
    dependencies_.assign(thread, exchange->dest, from);
    dependencies_.assign(thread, exchange->success, from);
  }
  moved(thread);
  return Progress::kMoved;
}

/// It succeeds where the claim says so and has reserved the place.
Result<ExecutionReplay::Progress> ExecutionReplay::exclusive_store(ThreadIndex thread,
                                                                   const Request& request) {
  const auto& action = std::get<program::CompareExchange>(request.edge->action);
  Thread& self = threads_.at(thread);
  const Reads addr = dependencies_.of(thread, action.address);
  const Reads data = dependencies_.of(thread, action.desired);
  const bool is_reserved =
      !self.reserved.empty() && made_.events[self.reserved.front()].address == request.address;
  const EventIndex next = claimed_at(thread, 0);
  const bool succeeds = is_reserved && claim_.events[next].kind == Event::Kind::kWrite &&
                        claim_.rmw.contains(self.reserved.front(), next);
  if (succeeds) {
    Result<Pieces> found = pieces(thread, Event::Kind::kWrite, request.address, request.size);
    if (!found)
      return found.error();
    ++self.instruction;
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
    if (Status status = relate_update(self.reserved, *found); !status)
      return status.error();
    tell(thread, request, Step::What::kWrite, *found);
  }
  self.reserved.clear();
  interpreter_.complete(state_, thread, request, 0, succeeds);
  dependencies_.assign(thread, action.dest, {});
  dependencies_.assign(thread, action.success, succeeds ? together(addr, data) : Reads{});
  moved(thread);
  return Progress::kMoved;
}

/// A write or read of a location that stands for the start or the end of a thread.
Status ExecutionReplay::hidden(ThreadIndex thread, std::uint32_t number, bool is_write) {
  const std::uint64_t address = program::hidden_address(*task_.program, number);
  const Result<Pieces> found =
      pieces(thread, is_write ? Event::Kind::kWrite : Event::Kind::kRead, address, kWord);
  if (!found)
    return found.error();
  std::uint64_t value = 1;
  if (!is_write) {
    const Result<std::optional<std::uint64_t>> read = value_of(*found, address);
    if (!read)
      return read.error();
    if (!*read)
      return mismatch(thread, "a thread has not been created, or has not ended");
    value = **read;
    // What it waits for has not happened: it does nothing more.
    if (value != 1)
      threads_.at(thread).has_stopped = true;
  }
  ++threads_.at(thread).instruction;
  const program::Access how =
      is_write ? word_access(program::Order::kRelease, program_.synchronization.release)
               : word_access(program::Order::kAcquire, program_.synchronization.acquire);
  if (Status status =
          take(thread,
               *found,
               address,
               {form_of(is_write ? StaticEvent::Kind::kWrite : StaticEvent::Kind::kRead, how)});
      !status)
    return status;
  depend(thread, *found, {}, {});
  return set_value(found->front(), value);
}

Result<ExecutionReplay::Progress> ExecutionReplay::create(ThreadIndex thread,
                                                          const Request& request) {
  std::uint32_t claimed = ++created_;
  if (announces_) {
    if (left(thread) == 0)
      return stop(thread, {});
    const std::optional<std::uint32_t> number = hidden_number(claimed_at(thread, 0));
    if (!number || *number % 2 != 0)
      return mismatch(thread, "the program creates a thread here");
    claimed = *number / 2;
    for (const auto& [other, known] : threads_)
      if (known.claimed == claimed)
        return mismatch(thread, "a thread is created twice");
    if (Status status = hidden(thread, *number, true); !status)
      return status.error();
  }
  const ThreadIndex child = interpreter_.next_thread(state_);
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
      !fault.is_none())
    return stop(thread, fault);
  if (const auto before = threads_.find(child); before != threads_.end() && left(child) != 0)
    return mismatch(child, "the thread has ended before");
  Thread started;
  started.claimed = claimed;
  started.awaits_start = announces_;
  threads_[child] = std::move(started);
  dependencies_.start(child);
  if (child >= starts_.size())
    starts_.resize(child + 1U);
  starts_[child].push_back(state_.threads[child].procedure(0));
  tell(thread, request, Step::What::kSynchronize, {});
  steps_.steps.back().created = child;
  moved(thread);
  return Progress::kMoved;
}

Result<ExecutionReplay::Progress> ExecutionReplay::join(ThreadIndex thread,
                                                        const Request& request) {
  const std::uint64_t target = request.address - 1;
  if (announces_ && left(thread) == 0)
    return stop(thread, {});
  const auto joined = threads_.find(static_cast<ThreadIndex>(target));
  const bool waits_for_ever = announces_ && claim_.events[claimed_at(thread, 0)].value == 0;
  if (!waits_for_ever && interpreter_.blocked(state_, thread, request))
    return Progress::kWaits;
  if (announces_ && joined != threads_.end()) {
    if (Status status = hidden(thread, 2 * joined->second.claimed + 1, false); !status)
      return status.error();
    if (threads_.at(thread).has_stopped)
      return Progress::kStopped;
  }
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
      !fault.is_none())
    return stop(thread, fault);
  tell(thread, request, Step::What::kSynchronize, {});
  if (const std::vector<std::string> names = thread_names(); target < names.size())
    texts_.back().target = names[target];
  moved(thread);
  return Progress::kMoved;
}

Result<ExecutionReplay::Progress> ExecutionReplay::end(ThreadIndex thread, const Request& request) {
  if (announces_) {
    if (left(thread) == 0)
      return stop(thread, {});
    if (Status status = hidden(thread, 2 * threads_.at(thread).claimed + 1, true); !status)
      return status.error();
  }
  // The end of the initial thread is the end of all: nothing depends on it, and the others may
  // have come before it.
  if (request.kind == Request::Kind::kThreadExit)
    if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
        !fault.is_none())
      return stop(thread, fault);
  stop(thread, {});
  return Progress::kMoved; // others may have waited for it
}

Result<ExecutionReplay::Progress>
ExecutionReplay::lock(ThreadIndex thread, const Request& request, bool is_try) {
  const program::Access how = word_access(program::Order::kAcquire, program_.synchronization.lock);
  const Reads addr =
      dependencies_.of(thread, std::get<program::Synchronize>(request.edge->action).operands[0]);
  const Result<Pieces> reads = pieces(thread, Event::Kind::kRead, request.address, kWord);
  if (!reads)
    return reads.error();
  const Result<std::optional<std::uint64_t>> value = value_of(*reads, request.address);
  if (!value)
    return value.error();
  if (!*value)
    return Progress::kWaits;
  const bool is_free = **value == 0;
  if (reads->size() != 1)
    return mismatch(thread, "a lock whose word is cut into pieces");
  ++threads_.at(thread).instruction;
  if (Status status =
          take(thread, *reads, request.address, {form_of(StaticEvent::Kind::kRead, how)});
      !status)
    return status.error();
  if (Status status = set_value(reads->front(), **value); !status)
    return status.error();
  depend(thread, *reads, addr, {});
  if (is_free) {
    const Result<Pieces> writes = pieces(thread, Event::Kind::kWrite, request.address, kWord);
    if (!writes)
      return writes.error();
    if (Status status =
            take(thread, *writes, request.address, {form_of(StaticEvent::Kind::kWrite, how)});
        !status)
      return status.error();
    if (Status status = set_value(writes->front(), threads_.at(thread).claimed + 1U); !status)
      return status.error();
    depend(thread, *writes, addr, {});
    if (Status status = relate_update(*reads, *writes); !status)
      return status.error();
  } else if (!is_try) {
    return stop(thread, {}); // it waits
  }
  // Who has it here does not matter: the threads do not run in the order of the execution.
  interpreter_.write(
      state_.memory, request.address + program::sync_layout::kMutexOwner, kWord, **value);
  interpreter_.write(state_.memory, request.address + program::sync_layout::kMutexDepth, kWord, 0);
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
      !fault.is_none())
    return stop(thread, fault);
  tell(thread, request, Step::What::kSynchronize, *reads);
  moved(thread);
  return Progress::kMoved;
}

Result<ExecutionReplay::Progress> ExecutionReplay::synchronize(ThreadIndex thread,
                                                               const Request& request) {
  const auto& action = std::get<program::Synchronize>(request.edge->action);
  switch (action.op) {
  case SyncOp::kCreate:
    return create(thread, request);
  case SyncOp::kJoin:
    return join(thread, request);
  case SyncOp::kMutexLock:
  case SyncOp::kSpinLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kSpinTryLock:
    if (left(thread) == 0)
      return stop(thread, {});
    return lock(
        thread, request, action.op == SyncOp::kMutexTryLock || action.op == SyncOp::kSpinTryLock);
  case SyncOp::kMutexInit:
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinUnlock: {
    if (left(thread) == 0)
      return stop(thread, {});
    const Result<Pieces> writes = pieces(thread, Event::Kind::kWrite, request.address, kWord);
    if (!writes)
      return writes.error();
    ++threads_.at(thread).instruction;
    const program::Access how =
        word_access(program::Order::kRelease, program_.synchronization.release);
    if (Status status =
            take(thread, *writes, request.address, {form_of(StaticEvent::Kind::kWrite, how)});
        !status)
      return status.error();
    for (const EventIndex write : *writes)
      if (Status status = set_value(write, 0); !status)
        return status.error();
    depend(thread, *writes, dependencies_.of(thread, action.operands[0]), {});
    if (action.op != SyncOp::kMutexInit) {
      interpreter_.write(
          state_.memory, request.address + program::sync_layout::kMutexOwner, kWord, thread + 1U);
      interpreter_.write(
          state_.memory, request.address + program::sync_layout::kMutexDepth, kWord, 0);
    }
    if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
        !fault.is_none())
      return stop(thread, fault);
    tell(thread, request, Step::What::kSynchronize, *writes);
    moved(thread);
    return Progress::kMoved;
  }
  case SyncOp::kMutexDestroy:
    interpreter_.write(
        state_.memory, request.address + program::sync_layout::kMutexOwner, kWord, 0);
    [[fallthrough]];
  case SyncOp::kDetach:
  case SyncOp::kSelf:
    if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
        !fault.is_none())
      return stop(thread, fault);
    moved(thread);
    return Progress::kMoved;
  default: // what has no events
    break;
  }
  return mismatch(thread, "a synchronisation that has no events");
}

Result<ExecutionReplay::Progress> ExecutionReplay::advance(ThreadIndex thread) {
  Thread& self = threads_.at(thread);
  if (self.has_stopped || !state_.threads[thread].is_live())
    return Progress::kStopped;
  if (self.awaits_start) {
    if (left(thread) == 0)
      return stop(thread, {});
    self.awaits_start = false;
    if (Status status = hidden(thread, 2 * self.claimed, false); !status)
      return status.error();
    return Progress::kMoved;
  }
  const Request request = interpreter_.request(state_, thread);
  if (request.edge != nullptr && std::holds_alternative<program::Fence>(request.edge->action))
    return fence(thread, request);
  switch (request.kind) {
  case Request::Kind::kLoad:
  case Request::Kind::kStore:
  case Request::Kind::kReadModifyWrite:
  case Request::Kind::kCompareExchange:
    return request.is_visible ? access(thread, request) : step_locally(thread, request);
  case Request::Kind::kSynchronize:
    return synchronize(thread, request);
  case Request::Kind::kThreadExit:
  case Request::Kind::kExit:
    // What the thread had in its frames may be used by others before.
    if (!may_end_blocks_ && (left(thread) == 0 || request.kind == Request::Kind::kThreadExit))
      return Progress::kWaits;
    may_end_blocks_ = false;
    return end(thread, request);
  case Request::Kind::kLocal:
    if (request.is_visible && !may_end_blocks_)
      return Progress::kWaits;
    may_end_blocks_ = may_end_blocks_ && !request.is_visible;
    return step_locally(thread, request);
  case Request::Kind::kNondet:
  case Request::Kind::kAllocate:
  case Request::Kind::kFault:
    return step_locally(thread, request);
  case Request::Kind::kFence:
  case Request::Kind::kLoadExclusive:
  case Request::Kind::kStoreExclusive:
  case Request::Kind::kFree:
  case Request::Kind::kWakeUp:
  case Request::Kind::kReacquire:
  case Request::Kind::kLeaveBarrier:
  case Request::Kind::kAtomicBegin:
  case Request::Kind::kAtomicEnd:
    break;
  }
  return mismatch(thread, "a step that has no events");
}

Status ExecutionReplay::run() {
  std::uint64_t local_steps = 0;
  for (;;) {
    bool moves = false;
    std::vector<ThreadIndex> all;
    for (const auto& [thread, known] : threads_)
      all.push_back(thread);
    for (const ThreadIndex thread : all)
      for (;;) {
        const std::size_t before = left(thread);
        Result<Progress> progress = advance(thread);
        if (!progress)
          return progress.error();
        if (*progress != Progress::kMoved)
          break;
        moves = true;
        local_steps = left(thread) == before ? local_steps + 1 : 0;
        if (local_steps > kMostLocalSteps)
          return mismatch(thread, "it does not come to its next event");
      }
    if (moves) {
      may_end_blocks_ = false;
      may_believe_ = false;
    } else if (!may_end_blocks_ && !may_believe_) {
      may_end_blocks_ = true;
    } else if (!may_believe_) {
      may_end_blocks_ = false;
      may_believe_ = true;
    } else {
      break;
    }
  }
  if (Status status = take_unborn(); !status)
    return status;
  if (!announces_)
    take_last_fences();
  if (Status status = check_end(); !status)
    return status;
  complete_relations();
  return Done{};
}

void ExecutionReplay::complete_relations() {
  const std::string& vocabulary = program_.vocabulary;
  for (EventIndex i = 0; i < made_.events.size(); ++i) {
    Event& event = made_.events[i];
    if (event.kind == Event::Kind::kInitialWrite) {
      // In the places of the blocks here.
      const program::AddressSpace space = program_.space();
      const std::uint64_t claimed = claim_.events[i].address;
      const auto unit = unit_of_claim_.find(space.unit_of(claimed));
      if (unit != unit_of_claim_.end())
        event.address = (unit->second << space.unit_shift) + (claimed & (space.unit_size() - 1));
      continue;
    }
    for (EventIndex j = i + 1; j < made_.events.size(); ++j)
      if (made_.events[j].kind != Event::Kind::kInitialWrite &&
          made_.events[j].thread == event.thread &&
          memory::are_in_program_order(vocabulary, event, made_.events[j]))
        made_.po.insert(i, j);
  }
  for (const auto& [read, write] : made_.rmw.pairs())
    for (const EventIndex half : {read, write})
      for (const char* tag : memory::update_tags(vocabulary))
        memory::add_tag(made_.events[half], tag);
  // Only now every source has its step.
  for (const auto& [write, read] : made_.rf.pairs())
    if (made_.events[write].kind == Event::Kind::kWrite &&
        made_.events[read].step < steps_.steps.size())
      steps_.steps[made_.events[read].step].reads_from = made_.events[write].step;
  if (fault_.is_none())
    return;
  // The thread with the fault has the last step.
  const auto last = std::find_if(steps_.steps.rbegin(), steps_.steps.rend(), [&](const Step& one) {
    return one.transition.thread == faulty_;
  });
  if (last == steps_.steps.rend())
    return;
  const auto from = static_cast<std::uint32_t>(steps_.steps.rend() - last - 1);
  const auto end = static_cast<std::uint32_t>(steps_.steps.size() - 1);
  std::rotate(steps_.steps.begin() + from, steps_.steps.begin() + from + 1, steps_.steps.end());
  std::rotate(texts_.begin() + from, texts_.begin() + from + 1, texts_.end());
  const auto moved_to = [&](std::uint32_t step) {
    return step == from ? end : step > from ? step - 1 : step;
  };
  for (Step& step : steps_.steps)
    if (step.reads_from)
      step.reads_from = moved_to(*step.reads_from);
  for (Event& event : made_.events)
    event.step = moved_to(event.step);
}

/// Where create and join have no events, the claim may have a thread go on to fences after a join
/// that still waits. They are the end of the thread: an execution without them is allowed if it is
/// with them.
void ExecutionReplay::take_last_fences() {
  for (auto& [thread, known] : threads_) {
    bool are_fences = true;
    for (std::size_t later = 0; later < left(thread); ++later)
      are_fences =
          are_fences && claim_.events[claimed_at(thread, later)].kind == Event::Kind::kFence;
    for (; are_fences && left(thread) != 0; ++known.next)
      is_known_[claimed_at(thread, 0)] = true;
  }
}

/// A thread that is never created may have looked whether it is.
Status ExecutionReplay::take_unborn() {
  for (std::uint32_t claimed = 0; claimed < events_.size(); ++claimed) {
    const bool is_born = std::any_of(threads_.begin(), threads_.end(), [&](const auto& one) {
      return one.second.claimed == claimed;
    });
    if (is_born || events_[claimed].size() != 1 ||
        claim_.events[events_[claimed].front()].value != 0)
      continue;
    const ThreadIndex stand_in = program::kMaxThreads + claimed;
    threads_[stand_in].claimed = claimed;
    dependencies_.start(stand_in);
    if (Status status = hidden(stand_in, 2 * claimed, false); !status)
      return status;
  }
  return Done{};
}

Status ExecutionReplay::check_end() const {
  const auto wrong = [](std::string what) {
    return Error{ErrorKind::kUnsupported, "CHECK-014", std::move(what)};
  };
  // Others may only wait for one that has stopped.
  for (const bool has_stopped : {true, false})
    for (const auto& [thread, known] : threads_)
      if (left(thread) != 0 && known.has_stopped == has_stopped)
        return mismatch(thread,
                        fmt::format("the program does not come to this event, at {}",
                                    program_.place(claim_.events[claimed_at(thread, 0)].loc)));
  for (EventIndex i = 0; i < claim_.events.size(); ++i) {
    const Event& event = made_.events[i];
    if (event.kind != Event::Kind::kInitialWrite && !is_known_[i])
      return wrong(fmt::format("event {} is of a thread that is never created", i));
    // What was believed has turned out to be so.
    for (const EventIndex read : claim_.rf.row(i).elements())
      if (is_believed_[read] && made_.events[read].value != event.value)
        return wrong(fmt::format("read {} does not read what event {} writes", read, i));
  }
  // The writes to a place are in one order, its initial write first, and no others are.
  const auto is_write = [&](EventIndex i) {
    return claim_.events[i].kind == Event::Kind::kWrite ||
           claim_.events[i].kind == Event::Kind::kInitialWrite;
  };
  for (EventIndex a = 0; a < claim_.events.size(); ++a)
    for (EventIndex b = 0; b < claim_.events.size(); ++b) {
      const bool are_one_place = a != b && is_write(a) && is_write(b) &&
                                 claim_.events[a].address == claim_.events[b].address;
      const bool before = claim_.co.contains(a, b);
      if (!are_one_place ? before : before == claim_.co.contains(b, a))
        return wrong(fmt::format("events {} and {} are not in a coherent order", a, b));
      if (before && claim_.events[b].kind == Event::Kind::kInitialWrite)
        return wrong("an initial write comes after another one");
      if (before)
        for (const EventIndex c : claim_.co.row(b).elements())
          if (!claim_.co.contains(a, c))
            return wrong("the order of the writes is not transitive");
    }
  return Done{};
}

void ExecutionReplay::tell(ThreadIndex thread,
                           const Request& request,
                           Step::What what,
                           const Pieces& events) {
  const auto index = static_cast<std::uint32_t>(steps_.steps.size());
  Step step;
  step.transition.thread = thread;
  step.what = what;
  step.edge = nullptr; // of a program that goes away
  step.loc = request.edge != nullptr ? request.edge->loc : SourceLoc{};
  step.address = request.address;
  step.size = request.size;
  verdict::StepText text;
  text.operation = operation_of(request);
  if (what == Step::What::kRead || what == Step::What::kWrite || what == Step::What::kNondet)
    text.operation.clear();
  unsigned read_offset = 0;
  unsigned write_offset = 0;
  for (const EventIndex event : events) {
    Event& one = made_.events[event];
    one.step = index;
    step.is_atomic = one.is_atomic;
    if (one.kind == Event::Kind::kRead) {
      step.value_read |= one.value << (8 * read_offset);
      read_offset += one.size;
    } else if (one.kind == Event::Kind::kWrite) {
      step.value_written |= one.value << (8 * write_offset);
      write_offset += one.size;
    }
  }
  const bool is_thread_operation = what == Step::What::kSynchronize && events.empty();
  if (what != Step::What::kFence && what != Step::What::kNondet && !is_thread_operation)
    text.target = namer_.name(
        state_.memory, request.address, what == Step::What::kSynchronize ? 1 : request.size);
  if (read_offset != 0 && what != Step::What::kSynchronize)
    text.value_read = namer_.value(state_.memory, step.value_read, step.size, step.address);
  if (write_offset != 0 && what != Step::What::kSynchronize)
    text.value_written = namer_.value(state_.memory, step.value_written, step.size, step.address);
  steps_.steps.push_back(std::move(step));
  texts_.push_back(std::move(text));
}

std::vector<std::string> ExecutionReplay::thread_names() const {
  return check::thread_names(program_, starts_);
}

} // namespace heddle::check
