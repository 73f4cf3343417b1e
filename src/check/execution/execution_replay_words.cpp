// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locks and their kin: which accesses of their words they are under models with axioms
// (sync_layout.h). What was found there is put into the interpreter's memory in its own form, and
// the interpreter then says what the operation does: the threads do not run in the order of the
// execution, so that what its memory holds otherwise means nothing.
#include "check/execution/execution_replay.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/check.h"

#include <utility>

namespace heddle::check {

using execution::Event;
using execution::Step;
using program::Order;
using program::Request;
using program::StaticEvent;
using program::SyncOp;
using program::ThreadIndex;

namespace {

using namespace program::sync_layout;

const program::Synchronize& action_of(const Request& request) {
  return std::get<program::Synchronize>(request.edge->action);
}

/// Whoever takes the mutex again after a wait waits for it as long as it takes.
bool is_timed_lock(const Request& request) {
  return request.kind != Request::Kind::kReacquire && is_timed(action_of(request).op);
}

std::uint64_t low_bits(std::uint64_t value, unsigned count) {
  return value & ((std::uint64_t{1} << count) - 1);
}

const std::vector<std::string> kNoTags;

std::uint64_t writer_of(std::uint64_t word) {
  return low_bits(word >> kReadWriteWriterBit, kReadWriteTurnBit - kReadWriteWriterBit);
}

} // namespace

void ExecutionReplay::set_word(std::uint64_t address, std::uint64_t value) {
  interpreter_.write(state_.memory, address, kWord, value);
}

/// Of a timed operation, as the claim has it; none beyond its choices.
std::optional<bool> ExecutionReplay::is_late(ThreadIndex thread) const {
  const Thread& self = threads_.at(thread);
  if (self.claimed >= claim_.choices.size() ||
      self.next_choice >= claim_.choices[self.claimed].size())
    return std::nullopt;
  return claim_.choices[self.claimed][self.next_choice] != 0;
}

/// What an operation has looked at decides, by a branch, what it writes.
void ExecutionReplay::decide(const Pieces& looked_at, const Pieces& writes) {
  for (const EventIndex read : looked_at)
    for (const EventIndex write : writes)
      made_.ctrl.insert(read, write);
}

Result<std::optional<ExecutionReplay::Updated>> ExecutionReplay::update_word(
    ThreadIndex thread,
    const Request& request,
    const Word& word,
    const std::function<std::optional<std::uint64_t>(std::uint64_t)>& next) {
  const program::Access how = word_access(word.order, word.tags);
  const Origins addr = dependencies_.of(thread, word.operand);
  Result<Pieces> reads = pieces(thread, Event::Kind::kRead, word.address, word.size);
  if (!reads)
    return reads.error();
  const Result<std::optional<std::uint64_t>> value = value_of(*reads, word.address);
  if (!value)
    return value.error();
  if (!*value)
    return std::optional<Updated>{};
  const std::optional<std::uint64_t> written = next(**value);
  begin_instruction(thread, request.edge->loc);
  Marks marks{form_of(StaticEvent::Kind::kRead, how)};
  if (word.fails_relaxed) {
    marks.form.failure_order = Order::kRelaxed;
    marks.has_succeeded = written.has_value();
  }
  const auto take_all = [&](const Pieces& events, const Marks& form, std::uint64_t all) -> Status {
    if (Status status = take(thread, events, word.address, form); !status)
      return status;
    unsigned offset = 0;
    for (const EventIndex event : events) {
      const std::uint8_t size = made_.events[event].size;
      if (Status status = set_value(event, masked(all >> (8 * offset), size)); !status)
        return status;
      offset += size;
    }
    depend(thread, events, addr, {});
    return Done{};
  };
  if (Status status = take_all(*reads, marks, **value); !status)
    return status.error();
  Updated result{**value, std::move(*reads)};
  const Pieces looked_before = threads_.at(thread).looked_at;
  Pieces& looked_at = threads_.at(thread).looked_at;
  looked_at.insert(looked_at.end(), result.events.begin(), result.events.end());
  if (!written)
    return std::optional(std::move(result));
  const Result<Pieces> writes = pieces(thread, Event::Kind::kWrite, word.address, word.size);
  if (!writes)
    return writes.error();
  if (Status status = take_all(*writes, {form_of(StaticEvent::Kind::kWrite, how)}, *written);
      !status)
    return status.error();
  decide(looked_before, *writes);
  if (Status status = relate_update(result.events, *writes); !status)
    return status.error();
  return std::optional(std::move(result));
}

Result<ExecutionReplay::Pieces> ExecutionReplay::write_word(ThreadIndex thread,
                                                            const Request& request,
                                                            const Word& word,
                                                            std::uint64_t value) {
  Result<Pieces> writes = pieces(thread, Event::Kind::kWrite, word.address, word.size);
  if (!writes)
    return writes.error();
  begin_instruction(thread, request.edge->loc);
  if (Status status =
          take(thread,
               *writes,
               word.address,
               {form_of(StaticEvent::Kind::kWrite, word_access(word.order, word.tags))});
      !status)
    return status.error();
  unsigned offset = 0;
  for (const EventIndex write : *writes) {
    const std::uint8_t size = made_.events[write].size;
    if (Status status = set_value(write, masked(value >> (8 * offset), size)); !status)
      return status.error();
    offset += size;
  }
  depend(thread, *writes, dependencies_.of(thread, word.operand), {});
  decide(threads_.at(thread).looked_at, *writes);
  return writes;
}

Result<ExecutionReplay::Progress> ExecutionReplay::perform(ThreadIndex thread,
                                                           const Request& request,
                                                           bool is_late,
                                                           const Pieces& events) {
  threads_.at(thread).part = 0;
  threads_.at(thread).kind = 0;
  threads_.at(thread).looked_at.clear();
  threads_.at(thread).operation = request.edge;
  std::uint64_t choice = 0;
  if (is_late) { // the last way there is
    std::vector<std::uint64_t> choices;
    interpreter_.choices(state_, thread, request, choices);
    choice = choices.empty() ? 0 : choices.back();
  }
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, choice);
      !fault.is_none())
    return stop(thread, fault);
  tell(thread, request, Step::What::kSynchronize, events);
  const program::Synchronize& action = action_of(request);
  const ir::SyncFacts& facts = facts_of(action.op);
  const bool is_try =
      facts.attempt == ir::SyncAttempt::kTries && facts.object != ir::SyncObject::kReadWriteLock;
  const bool tells = facts.role == ir::SyncRole::kLook || facts.role == ir::SyncRole::kDestroy ||
                     (is_try && dependencies_.merges() != Dependencies::Merges::kNothing);
  if (action.dest)
    dependencies_.assign(
        thread, *action.dest, {tells ? Reads(events.begin(), events.end()) : Reads{}, {}});
  moved(thread);
  return Progress::kMoved;
}

bool ExecutionReplay::comes_next(ThreadIndex thread, std::uint64_t address, bool is_write) const {
  if (left(thread) == 0)
    return false;
  const Event& event = claim_.events[claimed_at(thread, 0)];
  return event.address == address && event.size != 0 &&
         event.kind == (is_write ? Event::Kind::kWrite : Event::Kind::kRead);
}

Result<std::optional<ExecutionReplay::Updated>> ExecutionReplay::look(ThreadIndex thread,
                                                                      const Request& request,
                                                                      std::uint64_t address,
                                                                      program::Term operand) {
  return update_word(thread,
                     request,
                     {address, kWord, Order::kRelaxed, kNoTags, operand},
                     [](std::uint64_t) { return std::nullopt; });
}

/// An owner other than the thread is somebody else, whoever it is here.
void ExecutionReplay::set_mutex(ThreadIndex thread, std::uint64_t address, std::uint64_t depth) {
  const Thread& self = threads_.at(thread);
  const ThreadIndex other = (thread + 1U) % program::kMaxThreads;
  set_word(address + kMutexOwner,
           self.found == 0 || self.found == kGone ? self.found
           : self.found == self.claimed + 1U      ? thread + 1U
                                                  : other + 1U);
  if (self.kind == 0)
    return;
  set_word(address + kMutexDepth, depth);
  set_word(address + mutex_kind(program_.data_model), self.kind);
}

/// Also the second half of a condition wait. A mutex that may be of another kind than the normal
/// one has its kind read first, and a recursive one its depth after the owner.
Result<ExecutionReplay::Progress> ExecutionReplay::lock(ThreadIndex thread,
                                                        const Request& request) {
  Thread& self = threads_.at(thread);
  const SyncOp op = action_of(request).op;
  const bool is_timed = is_timed_lock(request);
  const std::optional<bool> late = is_timed ? is_late(thread) : false;
  if (!late)
    return stop(thread, {});
  locks_.insert(request.address);
  const bool is_again = request.kind == Request::Kind::kReacquire;
  const program::Term operand = action_of(request).operands[is_again ? 1 : 0];
  if (self.part == 0 &&
      comes_next(thread, request.address + mutex_kind(program_.data_model), false)) {
    const Result<std::optional<Updated>> kind =
        look(thread, request, request.address + mutex_kind(program_.data_model), operand);
    if (!kind)
      return kind.error();
    if (!*kind)
      return Progress::kWaits;
    self.kind = (*kind)->found;
    self.part = 1;
    return Progress::kMoved;
  }
  if (self.part == 2)
    return lock_deeper(thread, request, operand);
  Result<std::optional<Updated>> done = update_word(
      thread,
      request,
      {request.address, kWord, Order::kAcquire, program_.synchronization.lock, operand, true},
      [&](std::uint64_t found) -> std::optional<std::uint64_t> {
        if (found != 0 || *late)
          return std::nullopt;
        return self.claimed + 1U;
      });
  if (!done)
    return done.error();
  if (!*done)
    return Progress::kWaits;
  self.found = (*done)->found;
  const bool is_own = self.found == self.claimed + 1U;
  if (is_own && self.kind == kMutexRecursive && !*late) {
    self.part = 2;
    return Progress::kMoved;
  }
  if (is_timed)
    ++self.next_choice;
  const bool is_try = facts_of(op).attempt == ir::SyncAttempt::kTries;
  const bool is_refused = is_own && self.kind == kMutexErrorCheck;
  if (self.found != 0 && self.found != kGone && !is_refused && !is_try && !*late)
    return stop(thread, {}); // it waits
  set_mutex(thread, request.address, 0);
  return perform(thread, request, *late, (*done)->events);
}

Result<ExecutionReplay::Progress>
ExecutionReplay::lock_deeper(ThreadIndex thread, const Request& request, program::Term operand) {
  Thread& self = threads_.at(thread);
  const std::uint64_t at = request.address + kMutexDepth;
  const Result<std::optional<Updated>> depth = look(thread, request, at, operand);
  if (!depth)
    return depth.error();
  if (!*depth)
    return Progress::kWaits;
  const Result<Pieces> deeper = write_word(thread,
                                           request,
                                           {at, kWord, Order::kRelaxed, kNoTags, operand},
                                           masked((*depth)->found + 1, kWord));
  if (!deeper)
    return deeper.error();
  if (is_timed_lock(request))
    ++self.next_choice;
  set_mutex(thread, request.address, (*depth)->found);
  return perform(thread, request, false, *deeper);
}

Result<ExecutionReplay::Progress> ExecutionReplay::unlock(ThreadIndex thread,
                                                          const Request& request) {
  return give_back(thread, request, 0);
}

/// What is read first depends on what is not known otherwise: the kind, the owner, the depth.
Result<ExecutionReplay::Progress>
ExecutionReplay::give_back(ThreadIndex thread, const Request& request, std::size_t operand) {
  Thread& self = threads_.at(thread);
  const program::Term from = action_of(request).operands[operand];
  const std::uint64_t mutex = operand == 0 ? request.address : request.value;
  const bool needs_owner = operand != 0;
  // Parts: nothing read yet (of a wait, the condition was), the kind, the owner, the depth is 0.
  const unsigned first = needs_owner ? 1 : 0;
  const auto looked = [&](std::uint64_t offset) {
    return look(thread, request, mutex + offset, from);
  };
  if (self.part == first && comes_next(thread, mutex + mutex_kind(program_.data_model), false)) {
    const Result<std::optional<Updated>> kind = looked(mutex_kind(program_.data_model));
    if (!kind)
      return kind.error();
    if (!*kind)
      return Progress::kWaits;
    self.kind = (*kind)->found;
    self.part = first + 1;
    return Progress::kMoved;
  }
  if (self.part <= first + 1 && comes_next(thread, mutex + kMutexOwner, false)) {
    const Result<std::optional<Updated>> owner = looked(kMutexOwner);
    if (!owner)
      return owner.error();
    if (!*owner)
      return Progress::kWaits;
    self.found = (*owner)->found;
    const bool is_own = self.found == self.claimed + 1U;
    const bool is_special = self.kind == kMutexRecursive || self.kind == kMutexErrorCheck;
    if (self.found == kGone || (!is_own && (needs_owner || is_special))) {
      set_mutex(thread, mutex, 0);
      return perform(thread, request, false, (*owner)->events);
    }
    self.part = is_own && self.kind == kMutexRecursive ? first + 2 : first + 3;
    return Progress::kMoved;
  }
  if (self.part <= first + 1)
    self.found = self.claimed + 1U; // of the normal kind: whoever holds it, it is free now
  if (self.part == first + 2) {
    const Result<std::optional<Updated>> depth = looked(kMutexDepth);
    if (!depth)
      return depth.error();
    if (!*depth)
      return Progress::kWaits;
    if ((*depth)->found == 0) {
      self.part = first + 3;
      return Progress::kMoved;
    }
    const Result<Pieces> less =
        write_word(thread,
                   request,
                   {mutex + kMutexDepth, kWord, Order::kRelaxed, kNoTags, from},
                   (*depth)->found - 1);
    if (!less)
      return less.error();
    set_mutex(thread, mutex, (*depth)->found);
    return perform(thread, request, false, *less);
  }
  const Result<Pieces> writes = write_word(
      thread,
      request,
      {mutex + kMutexOwner, kWord, Order::kRelease, program_.synchronization.release, from},
      0);
  if (!writes)
    return writes.error();
  set_mutex(thread, mutex, 0);
  return perform(thread, request, false, *writes);
}

Result<ExecutionReplay::Progress> ExecutionReplay::init_mutex(ThreadIndex thread,
                                                              const Request& request) {
  Pieces first;
  const auto write = [&](std::uint64_t offset, std::uint64_t value) -> Status {
    const Result<Pieces> writes = write_word(
        thread,
        request,
        {request.address + offset, kWord, Order::kRelaxed, kNoTags, action_of(request).operands[0]},
        value);
    if (!writes)
      return writes.error();
    if (first.empty())
      first = *writes;
    return Done{};
  };
  if (Status status = write(kMutexOwner, 0); !status)
    return status.error();
  if (comes_next(thread, request.address + kMutexDepth, true)) {
    if (Status status = write(kMutexDepth, 0); !status)
      return status.error();
    if (Status status = write(mutex_kind(program_.data_model), masked(request.value, kWord));
        !status)
      return status.error();
  }
  return perform(thread, request, false, first);
}

Result<ExecutionReplay::Progress> ExecutionReplay::destroy_mutex(ThreadIndex thread,
                                                                 const Request& request) {
  Thread& self = threads_.at(thread);
  const program::Term operand = action_of(request).operands[0];
  const Result<std::optional<Updated>> owner =
      look(thread, request, request.address + kMutexOwner, operand);
  if (!owner)
    return owner.error();
  if (!*owner)
    return Progress::kWaits;
  self.found = (*owner)->found;
  if (self.found == 0)
    if (const Result<Pieces> writes =
            write_word(thread,
                       request,
                       {request.address + kMutexOwner, kWord, Order::kRelaxed, kNoTags, operand},
                       kGone);
        !writes)
      return writes.error();
  set_mutex(thread, request.address, 0);
  return perform(thread, request, false, (*owner)->events);
}

/// A read of a condition. Where it is done the operation is.
Result<ExecutionReplay::Progress> ExecutionReplay::probe(ThreadIndex thread,
                                                         const Request& request) {
  const Result<std::optional<Updated>> done =
      look(thread, request, request.address, action_of(request).operands[0]);
  if (!done)
    return done.error();
  if (!*done)
    return Progress::kWaits;
  set_word(request.address, (*done)->found);
  return Progress::kMoved;
}

Result<ExecutionReplay::Progress> ExecutionReplay::begin_wait(ThreadIndex thread,
                                                              const Request& request) {
  Thread& self = threads_.at(thread);
  if (self.part != 0)
    return give_back(thread, request, 1);
  Result<Progress> done = probe(thread, request);
  if (!done || *done != Progress::kMoved)
    return done;
  if (interpreter_.read(state_.memory, request.address, kWord) == kGone)
    return perform(thread, request, false, {}); // it was destroyed
  self.part = 1;
  return done;
}

Result<ExecutionReplay::Progress> ExecutionReplay::wake_up(ThreadIndex thread,
                                                           const Request& request) {
  const bool is_timed = ir::is_timed(action_of(request).op);
  const std::optional<std::uint64_t> late =
      is_timed ? next_choice(thread) : std::optional<std::uint64_t>(0);
  if (!late)
    return stop(thread, {});
  return perform(thread, request, *late != 0, {});
}

/// Readers and writers other than the thread are somebody else, whoever it is here.
void ExecutionReplay::set_read_write_lock(ThreadIndex thread,
                                          std::uint64_t address,
                                          std::uint64_t word) {
  const std::uint32_t claimed = threads_.at(thread).claimed;
  const ThreadIndex other = (thread + 1U) % program::kMaxThreads;
  const std::uint64_t writer = writer_of(word);
  const std::uint64_t mine = std::uint64_t{1} << claimed;
  const std::uint64_t readers = low_bits(word, kReadWriteWriterBit);
  set_word(address + kReadWriteWriter,
           word == kGoneWide        ? kGone
           : writer == 0            ? 0
           : writer == claimed + 1U ? thread + 1U
                                    : other + 1U);
  set_word(address + kReadWriteReaders,
           ((readers & mine) != 0 ? std::uint64_t{1} << thread : 0) |
               ((readers & ~mine) != 0 ? std::uint64_t{1} << other : 0));
  for (std::uint64_t i = 0; i < program::kMaxThreads / 2; i += kWord)
    set_word(address + kReadWriteReadersExtra + i, 0);
}

Result<ExecutionReplay::Progress> ExecutionReplay::read_write_lock(ThreadIndex thread,
                                                                   const Request& request) {
  Thread& self = threads_.at(thread);
  const program::Synchronize& action = action_of(request);
  const bool is_read = facts_of(action.op).role == ir::SyncRole::kTakeShared;
  const bool is_timed = ir::is_timed(action.op);
  const bool blocks = !is_attempt(action.op);
  if (self.part == 0) {
    const std::optional<bool> late = is_timed ? is_late(thread) : false;
    if (!late)
      return stop(thread, {});
    const auto can_take = [&](std::uint64_t word) {
      return is_read ? writer_of(word) == 0 : low_bits(word, kReadWriteTurnBit) == 0;
    };
    const Result<std::optional<Updated>> done =
        update_word(thread,
                    request,
                    {request.address,
                     8,
                     is_read ? Order::kRelaxed : Order::kAcquire,
                     program_.synchronization.lock,
                     action.operands[0],
                     !is_read},
                    [&](std::uint64_t word) -> std::optional<std::uint64_t> {
                      if (!can_take(word) || *late)
                        return std::nullopt;
                      return is_read ? word | std::uint64_t{1} << self.claimed
                                     : word | (self.claimed + 1ULL) << kReadWriteWriterBit;
                    });
    if (!done)
      return done.error();
    if (!*done)
      return Progress::kWaits;
    if (is_timed)
      ++self.next_choice;
    self.found = (*done)->found;
    const bool takes = can_take(self.found) && !*late;
    const bool is_own = writer_of(self.found) == self.claimed + 1U;
    if (!takes && !*late && self.found != kGoneWide && (is_timed || (blocks && !is_own)))
      return stop(thread, {}); // it waits
    if (!takes || !is_read) {
      set_read_write_lock(thread, request.address, self.found);
      return perform(thread, request, *late, (*done)->events);
    }
    self.part = 1;
    return Progress::kMoved;
  }
  const Result<std::optional<Updated>> told =
      update_word(thread,
                  request,
                  {request.address + kReadWriteTold,
                   kWord,
                   Order::kAcquire,
                   program_.synchronization.acquire,
                   action.operands[0]},
                  [](std::uint64_t) { return std::nullopt; });
  if (!told)
    return told.error();
  if (!*told)
    return Progress::kWaits;
  if (low_bits((*told)->found, 64 - kReadWriteTurnBit) != self.found >> kReadWriteTurnBit)
    return stop(thread, {}); // it has not come to it yet
  set_read_write_lock(thread, request.address, self.found);
  return perform(thread, request, false, (*told)->events);
}

Result<ExecutionReplay::Progress> ExecutionReplay::read_write_unlock(ThreadIndex thread,
                                                                     const Request& request) {
  Thread& self = threads_.at(thread);
  const program::Term operand = action_of(request).operands[0];
  if (self.part == 0) {
    const auto writes = [&](std::uint64_t word) { return writer_of(word) == self.claimed + 1U; };
    const std::uint64_t mine = std::uint64_t{1} << self.claimed;
    const Result<std::optional<Updated>> done =
        update_word(thread,
                    request,
                    {request.address, 8, Order::kRelease, program_.synchronization.give, operand},
                    [&](std::uint64_t word) -> std::optional<std::uint64_t> {
                      if (writes(word))
                        return ((word >> kReadWriteTurnBit) + 1) << kReadWriteTurnBit;
                      if ((word & mine) == 0)
                        return std::nullopt;
                      return word & ~mine;
                    });
    if (!done)
      return done.error();
    if (!*done)
      return Progress::kWaits;
    self.found = (*done)->found;
    if (!writes(self.found)) {
      set_read_write_lock(thread, request.address, self.found);
      return perform(thread, request, false, (*done)->events);
    }
    self.part = 1;
    return Progress::kMoved;
  }
  const Result<Pieces> told =
      write_word(thread,
                 request,
                 {request.address + kReadWriteTold,
                  kWord,
                  Order::kRelease,
                  program_.synchronization.release,
                  operand},
                 low_bits((self.found >> kReadWriteTurnBit) + 1, 64 - kReadWriteTurnBit));
  if (!told)
    return told.error();
  set_read_write_lock(thread, request.address, self.found);
  return perform(thread, request, false, *told);
}

Result<ExecutionReplay::Progress> ExecutionReplay::semaphore(ThreadIndex thread,
                                                             const Request& request) {
  const program::Synchronize& action = action_of(request);
  const bool is_timed = ir::is_timed(action.op);
  const bool posts = action.op == SyncOp::kSemaphorePost;
  const bool looks = action.op == SyncOp::kSemaphoreValue;
  const std::optional<bool> late = is_timed ? is_late(thread) : false;
  if (!late)
    return stop(thread, {});
  const Result<std::optional<Updated>> done =
      update_word(thread,
                  request,
                  {request.address,
                   kWord,
                   posts   ? Order::kRelease
                   : looks ? Order::kRelaxed
                           : Order::kAcquire,
                   posts   ? program_.synchronization.give
                   : looks ? kNoTags
                           : program_.synchronization.lock,
                   action.operands[0],
                   !posts && !looks},
                  [&](std::uint64_t count) -> std::optional<std::uint64_t> {
                    if (posts)
                      return masked(count + 1, kWord);
                    if (looks || count == 0 || *late)
                      return std::nullopt;
                    return count - 1;
                  });
  if (!done)
    return done.error();
  if (!*done)
    return Progress::kWaits;
  if (is_timed)
    ++threads_.at(thread).next_choice;
  const bool may_fail = posts || looks || action.op == SyncOp::kSemaphoreTryWait;
  if ((*done)->found == 0 && !may_fail && !*late)
    return stop(thread, {}); // it waits
  set_word(request.address + kSemaphoreCount, (*done)->found);
  return perform(thread, request, *late, (*done)->events);
}

Result<ExecutionReplay::Progress> ExecutionReplay::init_barrier(ThreadIndex thread,
                                                                const Request& request) {
  const std::uint64_t threshold = masked(request.value, kWord);
  if (threshold == 0)
    return perform(thread, request, false, {});
  const Result<Pieces> writes =
      write_word(thread,
                 request,
                 {request.address, 8, Order::kRelaxed, kNoTags, action_of(request).operands[0]},
                 threshold == kGone ? 0 : threshold);
  if (!writes)
    return writes.error();
  return perform(thread, request, false, *writes);
}

namespace {

struct BarrierState {
  std::uint64_t threshold = 0;
  std::uint64_t arrived = 0;
  std::uint64_t generation = 0;

  explicit BarrierState(std::uint64_t word)
      : threshold(low_bits(word, kBarrierArrivedBit)),
        arrived(low_bits(word >> kBarrierArrivedBit, kBarrierGenerationBit - kBarrierArrivedBit)),
        generation(word >> kBarrierGenerationBit) {}
  [[nodiscard]] bool is_last() const { return arrived + 1 >= threshold; }
  /// After one more has arrived, or all have.
  [[nodiscard]] std::uint64_t counted() const {
    return generation << kBarrierGenerationBit | (arrived + 1) << kBarrierArrivedBit | threshold;
  }
  [[nodiscard]] std::uint64_t opened() const {
    return (generation + 1) << kBarrierGenerationBit | threshold;
  }
};

} // namespace

Result<ExecutionReplay::Progress> ExecutionReplay::arrive_at_barrier(ThreadIndex thread,
                                                                     const Request& request) {
  const Result<std::optional<Updated>> done =
      update_word(thread,
                  request,
                  {request.address,
                   8,
                   Order::kAcqRel,
                   program_.synchronization.meet,
                   action_of(request).operands[0]},
                  [](std::uint64_t word) -> std::optional<std::uint64_t> {
                    const BarrierState state(word);
                    if (state.threshold == 0)
                      return std::nullopt;
                    return state.is_last() ? state.opened() : state.counted();
                  });
  if (!done)
    return done.error();
  if (!*done)
    return Progress::kWaits;
  threads_.at(thread).found = (*done)->found;
  const BarrierState state((*done)->found);
  set_word(request.address + kBarrierThreshold, state.threshold);
  set_word(request.address + kBarrierArrived, state.arrived);
  set_word(request.address + kBarrierGeneration, state.generation);
  return perform(thread, request, false, (*done)->events);
}

Result<ExecutionReplay::Progress> ExecutionReplay::leave_barrier(ThreadIndex thread,
                                                                 const Request& request) {
  const Result<std::optional<Updated>> done =
      update_word(thread,
                  request,
                  {request.address,
                   8,
                   Order::kAcquire,
                   program_.synchronization.acquire,
                   action_of(request).operands[0]},
                  [](std::uint64_t) { return std::nullopt; });
  if (!done)
    return done.error();
  if (!*done)
    return Progress::kWaits;
  const BarrierState before(threads_.at(thread).found);
  if ((*done)->found != before.opened())
    return stop(thread, {}); // it waits
  set_word(request.address + kBarrierGeneration, before.generation + 1);
  return perform(thread, request, false, (*done)->events);
}

Result<ExecutionReplay::Progress> ExecutionReplay::once(ThreadIndex thread,
                                                        const Request& request) {
  const Word word{request.address,
                  kWord,
                  Order::kAcquire,
                  program_.synchronization.lock,
                  action_of(request).operands[0]};
  const Result<std::optional<Updated>> done =
      update_word(thread, request, word, [](std::uint64_t state) -> std::optional<std::uint64_t> {
        if (state != 0)
          return std::nullopt;
        return 1;
      });
  if (!done)
    return done.error();
  if (!*done)
    return Progress::kWaits;
  if ((*done)->found == 1)
    return stop(thread, {}); // it waits
  set_word(request.address + kOnceState, (*done)->found);
  return perform(thread, request, false, (*done)->events);
}

Result<ExecutionReplay::Progress> ExecutionReplay::synchronize_by_words(ThreadIndex thread,
                                                                        const Request& request) {
  const program::Synchronize& action = action_of(request);
  const auto write = [&](Order order, std::uint64_t value) -> Result<Progress> {
    const Result<Pieces> writes =
        write_word(thread,
                   request,
                   {request.address,
                    kWord,
                    order,
                    order == Order::kRelease ? program_.synchronization.release : kNoTags,
                    action.operands[0]},
                   value);
    if (!writes)
      return writes.error();
    return perform(thread, request, false, *writes);
  };
  switch (action.op) {
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock:
    return lock(thread, request);
  case SyncOp::kMutexInit:
    return init_mutex(thread, request);
  case SyncOp::kMutexDestroy:
    return destroy_mutex(thread, request);
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinUnlock:
    return unlock(thread, request);
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
    return read_write_lock(thread, request);
  case SyncOp::kReadWriteUnlock:
    return read_write_unlock(thread, request);
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
    return begin_wait(thread, request);
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast: {
    const Result<Progress> done = probe(thread, request);
    if (!done || *done != Progress::kMoved)
      return done;
    return perform(thread, request, false, {});
  }
  case SyncOp::kSemaphoreInit:
    return write(Order::kRelaxed, masked(request.value, kWord));
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait:
  case SyncOp::kSemaphorePost:
  case SyncOp::kSemaphoreValue:
    return semaphore(thread, request);
  case SyncOp::kBarrierInit:
    return init_barrier(thread, request);
  case SyncOp::kBarrierWait:
    return arrive_at_barrier(thread, request);
  case SyncOp::kOnceEnter:
    return once(thread, request);
  case SyncOp::kOnceLeave:
    return write(Order::kRelease, 2);
  case SyncOp::kCreate:
  case SyncOp::kJoin:
  case SyncOp::kDetach:
  case SyncOp::kSelf:
    break;
  }
  HEDDLE_CHECK(false, "a synchronisation that is no access of words");
}

} // namespace heddle::check
