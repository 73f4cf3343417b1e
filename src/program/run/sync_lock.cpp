// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mutexes, spin locks and read-write locks, as glibc behaves where POSIX leaves it open.
#include "program/model/sync_layout.h"
#include "program/run/interpreter_code.h"

namespace heddle::program {

using namespace sync_layout;

std::uint32_t Interpreter::Code::mutex_kind(const State& state, std::uint64_t mutex) const {
  return word(state, mutex + sync_layout::mutex_kind(program.data_model));
}

Interpreter::Code::Taken Interpreter::Code::mutex_outcome(const State& state,
                                                          ThreadIndex thread,
                                                          std::uint64_t mutex,
                                                          bool is_spin) const {
  const std::uint32_t owner = word(state, mutex + kMutexOwner);
  if (owner == 0)
    return Taken::kYes;
  if (is_spin || owner != thread + 1)
    return Taken::kHeld;
  switch (mutex_kind(state, mutex)) {
  case kMutexRecursive:
    return Taken::kAgain;
  case kMutexErrorCheck:
    return Taken::kDeadlockError;
  default:
    return Taken::kHeld; // waits for itself
  }
}

std::uint64_t Interpreter::Code::mutex_unlock(State& state,
                                              ThreadIndex thread,
                                              std::uint64_t mutex,
                                              bool is_spin) const {
  const std::uint32_t owner = word(state, mutex + kMutexOwner);
  const std::uint32_t kind = is_spin ? kMutexNormal : mutex_kind(state, mutex);
  if (owner != thread + 1 && (kind == kMutexRecursive || kind == kMutexErrorCheck))
    return kErrorPerm;
  if (kind == kMutexRecursive) {
    const std::uint32_t depth = word(state, mutex + kMutexDepth);
    if (depth > 0) {
      set_word(state, mutex + kMutexDepth, depth - 1ULL);
      return 0;
    }
  }
  if (owner == thread + 1)
    count_given(state, thread);
  set_word(state, mutex + kMutexOwner, 0);
  return 0;
}

// A thread's index does not serve again while a lock names it: the header counts those it holds.

void Interpreter::Code::count_taken(State& state, ThreadIndex thread) const {
  state.threads[thread].words[layout::kHeader] += layout::kHeldOne;
}

void Interpreter::Code::count_given(State& state, ThreadIndex thread) const {
  std::uint64_t& header = state.threads[thread].words[layout::kHeader];
  if ((header & layout::kHeldMask) != 0)
    header -= layout::kHeldOne;
}

void Interpreter::Code::mutex_take(State& state, ThreadIndex thread, std::uint64_t mutex) const {
  if (word(state, mutex + kMutexOwner) == thread + 1)
    set_word(state, mutex + kMutexDepth, word(state, mutex + kMutexDepth) + 1ULL);
  else {
    set_word(state, mutex + kMutexOwner, thread + 1ULL);
    count_taken(state, thread);
  }
}

bool Interpreter::Code::can_read_lock(const State& state, std::uint64_t lock) const {
  return word(state, lock + kReadWriteWriter) == 0;
}

bool Interpreter::Code::can_write_lock(const State& state, std::uint64_t lock) const {
  return word(state, lock + kReadWriteWriter) == 0 && word(state, lock + kReadWriteReaders) == 0;
}

// Half a byte per thread: how often it holds the lock for reading beyond the first time.
unsigned
Interpreter::Code::extra_reads(const State& state, ThreadIndex thread, std::uint64_t lock) const {
  const std::uint64_t byte =
      memory.read(state.memory, lock + kReadWriteReadersExtra + thread / 2, 1);
  return static_cast<unsigned>(byte >> (4 * (thread % 2)) & 0xfU);
}

void Interpreter::Code::set_extra_reads(State& state,
                                        ThreadIndex thread,
                                        std::uint64_t lock,
                                        unsigned count) const {
  const std::uint64_t address = lock + kReadWriteReadersExtra + thread / 2;
  const std::uint64_t byte = memory.read(state.memory, address, 1);
  const unsigned shift = 4 * (thread % 2);
  memory.write(state.memory,
               address,
               1,
               (byte & ~(0xfULL << shift)) | static_cast<std::uint64_t>(count) << shift);
}

void Interpreter::Code::read_lock(State& state, ThreadIndex thread, std::uint64_t lock) const {
  const std::uint32_t readers = word(state, lock + kReadWriteReaders);
  if ((readers >> thread & 1U) != 0)
    set_extra_reads(state, thread, lock, extra_reads(state, thread, lock) + 1);
  else {
    set_word(state, lock + kReadWriteReaders, readers | 1ULL << thread);
    count_taken(state, thread);
  }
}

bool Interpreter::Code::read_write_unlock(State& state,
                                          ThreadIndex thread,
                                          std::uint64_t lock) const {
  if (word(state, lock + kReadWriteWriter) == thread + 1) {
    set_word(state, lock + kReadWriteWriter, 0);
    count_given(state, thread);
    return true;
  }
  const std::uint32_t readers = word(state, lock + kReadWriteReaders);
  if ((readers >> thread & 1U) == 0)
    return false;
  if (const unsigned extra = extra_reads(state, thread, lock); extra > 0)
    set_extra_reads(state, thread, lock, extra - 1);
  else {
    set_word(state, lock + kReadWriteReaders, readers & ~(1ULL << thread));
    count_given(state, thread);
  }
  return true;
}

} // namespace heddle::program
