// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Read-write locks in an export: one cell, which is 0 if the lock is free, the mark with the
// writer's index, or a bit for each thread that reads.
#include "export/builder.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"

#include <utility>

namespace heddle::exports {

using logic::Op;
using program::SyncOp;

namespace {

constexpr std::uint64_t kWriter = 0x8000'0000U;
/// The mark takes the bit of one more.
constexpr std::uint32_t kMostLockThreads = 31;

} // namespace

Status Builder::read_write_operation(const program::Synchronize& sync, Step& step) {
  if (threads_.size() > kMostLockThreads)
    return refusal("EXP-021", "a read-write lock of more than 31 threads");
  const Place where = lock_place(sync);
  const Term written = number(kWriter | thread_, 32); // by this thread
  const Term own_bit = number(std::uint64_t{1} << thread_, 32);
  const Term word = fitted(value(word_), 32);
  const auto is_free = [&](Term cell) { return terms().equal(cell, number(0, 32)); };
  const auto is_written = [&](Term cell) {
    return terms().not_(is_free(terms().binary(Op::kBitAnd, cell, number(kWriter, 32))));
  };
  const auto is_mine = [&](Term cell) { return terms().equal(cell, written); };
  const auto answering = [&](Statements made, std::uint64_t result) {
    if (sync.dest)
      made.push_back(assign(*sync.dest, number(result, 32)));
    return made;
  };
  const bool waits = takes(sync.op) && !is_attempt(sync.op);
  const bool reads = facts_of(sync.op).role == ir::SyncRole::kTakeShared;
  // Who has it for writing is told so and does not wait.
  if (waits)
    wait_until(step, where, [&](Term cell) {
      return terms().or_(is_mine(cell), reads ? terms().not_(is_written(cell)) : is_free(cell));
    });
  step.effects = on_lock(where, false, [&](Term cell, std::optional<VariableId> status) {
    Statements made;
    made.push_back({Get{word_, memory_, cell}});
    const auto holds_bit = terms().not_(is_free(terms().binary(Op::kBitAnd, word, own_bit)));
    const std::uint64_t refused =
        waits ? program::sync_layout::kErrorDeadlock : program::sync_layout::kErrorBusy;
    if (sync.op == SyncOp::kReadWriteUnlock) {
      Statements reader;
      reader.push_back(
          {If{terms().and_(terms().not_(is_written(word)), holds_bit),
              answering(put(cell, status, terms().binary(Op::kBitXor, word, own_bit)), 0),
              failing("a read-write lock is released that the thread does not hold",
                      Fail::Kind::kUndefined)}});
      made.push_back(
          {If{is_mine(word), answering(put(cell, status, number(0, 32)), 0), std::move(reader)}});
    } else if (reads) {
      Statements taken;
      taken.push_back(
          {If{holds_bit,
              failing("a thread has a read-write lock for reading twice", Fail::Kind::kNotModelled),
              answering(put(cell, status, terms().binary(Op::kBitOr, word, own_bit)), 0)}});
      made.push_back({If{is_written(word), answering({}, refused), std::move(taken)}});
    } else {
      made.push_back(
          {If{is_free(word), answering(put(cell, status, written), 0), answering({}, refused)}});
    }
    return made;
  });
  return Done{};
}

} // namespace heddle::exports
