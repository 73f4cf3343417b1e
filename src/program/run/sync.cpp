// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a synchronisation finds: the words of its object, which lie in the object's bytes
// (sync_fields.h), or the thread that a handle names. And writing them.
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "program/run/interpreter_code.h"
#include "support/check.h"

#include <cstring>

namespace heddle::program {

namespace {

using ir::SyncObject;

Stage stage_of(const Request& request, SyncOp op) {
  switch (request.kind) {
  case Request::Kind::kWakeUp:
    return Stage::kWoken;
  case Request::Kind::kReacquire:
    return Stage::kAgain;
  case Request::Kind::kLeaveBarrier:
    return Stage::kLeave;
  default:
    return first_stage(op);
  }
}

FieldPlaces places_of(SyncObject object, ir::DataModel model, ThreadIndex thread) {
  switch (object) {
  case SyncObject::kMutex:
    return sync_fields::mutex(model);
  case SyncObject::kReadWriteLock:
    return sync_fields::read_write_lock(thread);
  case SyncObject::kBarrier:
    return sync_fields::kBarrier;
  case SyncObject::kSpinLock:
  case SyncObject::kCondition:
  case SyncObject::kSemaphore:
  case SyncObject::kOnce:
    return sync_fields::kOneWord;
  case SyncObject::kThread:
    return {};
  }
  HEDDLE_CHECK(false, "no such object");
}

} // namespace

std::uint64_t Interpreter::Code::sync_size(SyncOp op) const {
  return sync_layout::size_of(ir::facts_of(op).object, program.data_model);
}

void Interpreter::Code::read_fields(const State& state, SyncLook& look, std::uint64_t size) const {
  Concrete numbers;
  const MemoryTarget target = memory.find(state.memory, look.object);
  const std::uint8_t* const bytes = memory.live_bytes(state.memory, target, look.object, size);
  if (bytes == nullptr)
    look.missing = static_cast<std::uint16_t>(size);
  const bool is_written = bytes != nullptr && memory.is_written(state.memory, target);
  for (std::size_t i = 0; i < kSyncFields; ++i) {
    const FieldPlace& place = look.places[i];
    if (place.bytes == 0)
      continue;
    std::uint32_t word = 0;
    if (bytes == nullptr)
      word = static_cast<std::uint32_t>(
          memory.read(state.memory, look.object + place.offset, place.bytes));
    else if (place.bytes == sizeof(word))
      std::memcpy(&word, bytes + place.offset, sizeof(word));
    else
      word = bytes[place.offset];
    look.found.field[i] = unpack(numbers, place, word);
    look.found.unwritten[i] =
        !is_written && memory.unwritten(state.memory, look.object + place.offset, place.bytes) != 0;
  }
  look.found.gone = look.found.field[0] == sync_layout::kGone && !look.found.unwritten[0];
}

void Interpreter::Code::look_at_thread(const State& state,
                                       ThreadIndex thread,
                                       SyncLook& look) const {
  if (look.op == SyncOp::kCreate) {
    const ThreadState& self = state.threads[thread];
    look.given.argument = next_thread(state) + 1ULL;
    look.given.callable = function_at(evaluate(edge(self).a, self, thread)).has_value();
    return;
  }
  ThreadPhase phase = ThreadPhase::kNone;
  if (look.object != 0 && look.object <= state.threads.size()) {
    const ThreadState& target = state.threads[look.object - 1];
    phase = target.is_live()                                 ? ThreadPhase::kRuns
            : layout::status(target) == ThreadStatus::kEnded ? ThreadPhase::kEnded
                                                             : ThreadPhase::kGone;
    look.found.field[sync_field::kDetached] =
        (target.words[layout::kHeader] & layout::kDetached) != 0 ? 1 : 0;
    look.found.field[sync_field::kReturned] = target.words[layout::kExtra];
  }
  look.found.field[sync_field::kPhase] = static_cast<std::uint64_t>(phase);
}

Interpreter::Code::SyncLook
Interpreter::Code::sync_look(const State& state, ThreadIndex thread, const Request& request) const {
  const ThreadState& self = state.threads[thread];
  const SyncOp op = edge(self).sync;
  const Stage stage = stage_of(request, op);
  const SyncObject object = stage == Stage::kAgain ? SyncObject::kMutex : ir::facts_of(op).object;
  SyncLook look(op, stage, request.address, thread);
  look.places = places_of(object, program.data_model, thread);
  look.given.argument = static_cast<std::uint32_t>(request.value);
  switch (stage) {
  case Stage::kWoken:
    return look;
  case Stage::kAgain:
    look.given.kept = (self.words[layout::kHeader] & layout::kTimedOut) != 0 ? 1 : 0;
    read_fields(state, look, sync_size(SyncOp::kMutexLock));
    look.missing = 0; // it was there when the operation began; it is not judged again
    return look;
  case Stage::kLeave:
    look.given.kept = self.words[layout::kExtra];
    read_fields(state, look, sync_size(op));
    look.missing = 0;
    return look;
  case Stage::kOnly:
  case Stage::kGive:
  case Stage::kArrive:
    break;
  }
  if (object == SyncObject::kThread) {
    look_at_thread(state, thread, look);
    return look;
  }
  read_fields(state, look, sync_size(op));
  if (stage != Stage::kGive || look.missing != 0 || look.found.gone)
    return look;
  // The condition is there; what else matters is the mutex.
  look.object = request.value;
  look.places = sync_fields::mutex(program.data_model);
  read_fields(state, look, sync_size(SyncOp::kMutexLock));
  look.found.gone = false;
  return look;
}

void Interpreter::Code::write_fields(State& state,
                                     const SyncLook& look,
                                     const Did<Concrete>& did) const {
  if (ir::facts_of(look.op).object == SyncObject::kThread) {
    if (look.op != SyncOp::kCreate && look.op != SyncOp::kSelf)
      write_thread(state.threads[look.object - 1], did);
    return;
  }
  Concrete numbers;
  for (std::size_t i = 0; i < kSyncFields; ++i) {
    if (!did.written[i])
      continue;
    const FieldPlace& place = look.places[i];
    const std::uint64_t address = look.object + place.offset;
    const std::uint64_t word =
        place.width == 8 * place.bytes ? 0 : memory.read(state.memory, address, place.bytes);
    memory.write(state.memory, address, place.bytes, pack(numbers, place, word, did.after[i]));
  }
}

/// A thread that somebody joins or detaches.
void Interpreter::Code::write_thread(ThreadState& target, const Did<Concrete>& did) {
  if (did.written[sync_field::kPhase])
    layout::set_status(target, ThreadStatus::kJoined);
  if (did.written[sync_field::kReturned])
    target.words[layout::kExtra] = did.after[sync_field::kReturned];
  if (did.written[sync_field::kDetached])
    target.words[layout::kHeader] |= layout::kDetached;
}

} // namespace heddle::program
