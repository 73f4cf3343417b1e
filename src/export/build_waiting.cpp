// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// pthread_once, barriers and conditions in an export. Whoever waits at a barrier or condition goes
// on in a second step, from a location of its own.
//
// A wait on a condition may end at any time (POSIX: spurious wakeups; docs/semantics.md), so that
// it gives the mutex back and takes it again, and a signal changes nothing: exact for what a run
// can come to, which is all that an export asks.
#include "export/builder.h"
#include "program/model/sync_layout.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::exports {

using namespace program; // NOLINT: most of the family of actions is spelled out here
using logic::Op;

namespace {

// The cell of a barrier: how many it waits for in the low half, how many are there in the high one.
constexpr std::uint64_t kMostAtBarrier = 0xffff;
constexpr unsigned kArrivedShift = 16;

} // namespace

Step& Builder::second_step(Step& first) {
  Step second{go()};
  second.to = first.to;
  second.loc = first.loc;
  second.note = first.note + ", and goes on";
  // Behind the location at which the thread waits to be started.
  first.to = static_cast<std::uint32_t>(procedure_->locations.size() + 1 + second_steps_.size());
  second_steps_.push_back(std::move(second));
  return second_steps_.back();
}

Status Builder::once_operation(const Synchronize& sync, Step& step) {
  const Place where = lock_place(sync);
  const auto answer = [&](Statements& to, std::uint64_t result) {
    if (sync.dest)
      to.push_back(assign(*sync.dest, number(result, 32)));
  };
  if (sync.op == SyncOp::kOnceLeave) {
    step.effects = on_lock(where, false, [&](Term cell, std::optional<VariableId> status) {
      Statements made = put(cell, status, number(2, 32));
      answer(made, 0);
      return made;
    });
    return Done{};
  }
  wait_until(
      step, where, [&](Term word) { return terms().not_(terms().equal(word, number(1, 32))); });
  step.effects = on_lock(where, false, [&](Term cell, std::optional<VariableId> status) {
    Statements made;
    made.push_back({Get{word_, memory_, cell}});
    If first{terms().equal(fitted(value(word_), 32), number(0, 32)),
             put(cell, status, number(1, 32)),
             {}};
    answer(first.yes, 1);
    answer(first.no, 0);
    made.push_back({std::move(first)});
    return made;
  });
  return Done{};
}

Status Builder::barrier_operation(const Synchronize& sync, Step& step) {
  const Place where = lock_place(sync);
  const auto answer = [&](Statements& to, std::uint64_t result) {
    if (sync.dest)
      to.push_back(assign(*sync.dest, number(result, 32)));
  };
  if (sync.op == SyncOp::kBarrierInit) {
    const Term count = fitted(own(sync.operands[1]), 32);
    step.effects = on_lock(where, true, [&](Term cell, std::optional<VariableId> status) {
      If some{terms().equal(count, number(0, 32)), {}, {}};
      answer(some.yes, sync_layout::kErrorInvalid);
      If few{terms().binary(Op::kULe, count, number(kMostAtBarrier, 32)),
             put(cell, status, count),
             failing("a barrier for so many threads", Fail::Kind::kNotModelled)};
      answer(few.yes, 0);
      // Destroyed: for nobody. Who waits for others has his own mark.
      If gone{terms().equal(count, number(sync_layout::kGone, 32)),
              put(cell, status, number(0, 32)),
              {}};
      answer(gone.yes, 0);
      gone.no.push_back({std::move(few)});
      some.no.push_back({std::move(gone)});
      Statements made;
      made.push_back({std::move(some)});
      return made;
    });
    return Done{};
  }
  const VariableId own_wait = threads_[thread_].waits_at;
  Step& second = second_step(step);
  second.guard = terms().and_(second.guard, is(own_wait, 0));
  step.effects = on_lock(where, false, [&](Term cell, std::optional<VariableId> status) {
    const Term word = fitted(value(word_), 32);
    const Term awaited = terms().binary(Op::kBitAnd, word, number(kMostAtBarrier, 32));
    const Term arrived = terms().binary(
        Op::kAdd, terms().binary(Op::kLShr, word, number(kArrivedShift, 32)), number(1, 32));
    const Term name = terms().binary(Op::kAdd, fitted(cell, 32), number(1, 32));
    Statements made;
    made.push_back({Get{word_, memory_, cell}});
    If waits{terms().binary(Op::kULt, arrived, awaited), {}, {}};
    waits.yes =
        put(cell,
            status,
            terms().binary(
                Op::kBitOr, awaited, terms().binary(Op::kShl, arrived, number(kArrivedShift, 32))));
    waits.yes.push_back(set(own_wait, name));
    answer(waits.yes, 0);
    // The last one lets all others go.
    waits.no = put(cell, status, awaited);
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (t == thread_)
        continue;
      If is_here{terms().equal(value(threads_[t].waits_at), name), {}, {}};
      is_here.yes.push_back(set(threads_[t].waits_at, 0));
      waits.no.push_back({std::move(is_here)});
    }
    answer(waits.no, 0xffffffffU); // PTHREAD_BARRIER_SERIAL_THREAD
    If usable{terms().equal(awaited, number(0, 32)),
              failing("use of a lock that was never initialised", Fail::Kind::kUndefined),
              {}};
    usable.no.push_back({std::move(waits)});
    made.push_back({std::move(usable)});
    return made;
  });
  return Done{};
}

/// Of a condition only matters whether it was destroyed.
Statements Builder::unless_destroyed(const Synchronize& sync, Statements then) {
  if (!may_be_destroyed_)
    return then;
  return on_cell(place(own(sync.operands[0]), 4, sync.may, true),
                 false,
                 [&](Term cell, std::optional<VariableId>) {
                   Statements made;
                   made.push_back({Get{word_, memory_, cell}});
                   made.push_back(
                       {If{terms().equal(fitted(value(word_), 32), number(sync_layout::kGone, 32)),
                           failing("use of a lock that was destroyed", Fail::Kind::kUndefined),
                           then}});
                   return made;
                 });
}

Status Builder::condition_operation(const Synchronize& sync, Step& step) {
  if (sync.op != SyncOp::kConditionWait) { // signal, broadcast
    Statements done;
    if (sync.dest)
      done.push_back(assign(*sync.dest, number(0, 32)));
    step.effects = unless_destroyed(sync, std::move(done));
    return Done{};
  }
  const Place mutex = lock_place(sync, 1);
  step.effects = on_lock(mutex, false, [&](Term cell, std::optional<VariableId> status) {
    Statements made;
    made.push_back({Get{word_, memory_, cell}});
    made.push_back(
        {If{terms().equal(fitted(value(word_), 32), number(thread_ + 1ULL, 32)),
            put(cell, status, number(0, 32)),
            failing("a condition wait without holding the mutex", Fail::Kind::kUndefined)}});
    return made;
  });
  step.effects = unless_destroyed(sync, std::move(step.effects));
  Step& second = second_step(step);
  wait_until(second, mutex, [&](Term word) { return terms().equal(word, number(0, 32)); });
  second.effects = on_lock(mutex, false, [&](Term cell, std::optional<VariableId> status) {
    Statements made = put(cell, status, number(thread_ + 1ULL, 32));
    if (sync.dest)
      made.push_back(assign(*sync.dest, number(0, 32)));
    return made;
  });
  return Done{};
}

} // namespace heddle::exports
