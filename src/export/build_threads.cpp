// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads, mutexes, spin locks and semaphores in an export. A thread is a process
// that waits until it is started; a lock is a cell with its owner's index plus one, as in
// program/model/sync_layout.h. Read-write locks: build_read_write.cpp; barriers, conditions and
// pthread_once: build_waiting.cpp.
#include "export/builder.h"
#include "program/model/sync_layout.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::exports {

using namespace program; // NOLINT: most of the family of actions is spelled out here
using logic::Op;

namespace {

constexpr std::uint64_t code(RunStatus status) {
  return static_cast<std::uint64_t>(status);
}

} // namespace

Statements Builder::create(const Synchronize& sync, std::uint32_t created) {
  Statements made;
  made.push_back(set(threads_[created].status, code(RunStatus::kRunning)));
  made.push_back(
      set(threads_[created].argument, fitted(own(sync.operands[1]), program_.pointer_bits())));
  if (sync.dest)
    made.push_back(assign(*sync.dest, number(created + 1ULL, 64)));
  return made;
}

void Builder::join(const Synchronize& sync, Step& step) {
  const Term handle = own(sync.operands[0]);
  const unsigned width = terms().sort(handle).width;
  Statements otherwise = failing("join of a thread that was never started", Fail::Kind::kUndefined);
  for (std::size_t t = threads_.size(); t-- > 0;) {
    const ThreadVariables& target = threads_[t];
    const Term is_it = terms().equal(handle, number(t + 1, width));
    step.guard = terms().and_(
        step.guard,
        terms().not_(terms().and_(is_it, is(target.status, code(RunStatus::kRunning)))));
    Statements take;
    if (sync.dest)
      take.push_back(assign(*sync.dest, value(target.result)));
    take.push_back(set(target.status, code(RunStatus::kJoined)));
    take.push_back(set(target.result, 0));
    Statements here;
    here.push_back({If{is(target.status, code(RunStatus::kEnded)),
                       std::move(take),
                       failing("join of a thread that was joined, detached or never started",
                               Fail::Kind::kUndefined)}});
    Statements chain;
    chain.push_back({If{is_it, std::move(here), std::move(otherwise)}});
    otherwise = std::move(chain);
  }
  step.effects = std::move(otherwise);
}

Statements Builder::detach(const Synchronize& sync) {
  const Term handle = own(sync.operands[0]);
  const unsigned width = terms().sort(handle).width;
  const auto refused = [&] {
    return failing("detach of a thread that was joined, detached or never started",
                   Fail::Kind::kUndefined);
  };
  Statements otherwise = refused();
  for (std::size_t t = threads_.size(); t-- > 0;) {
    const ThreadVariables& target = threads_[t];
    Statements leave;
    leave.push_back(set(target.status, code(RunStatus::kDetached)));
    Statements forget;
    forget.push_back(set(target.status, code(RunStatus::kJoined)));
    forget.push_back(set(target.result, 0));
    for (Statements* done : {&leave, &forget})
      if (sync.dest)
        done->push_back(assign(*sync.dest, number(0, 32)));
    Statements ended;
    ended.push_back({If{is(target.status, code(RunStatus::kEnded)), std::move(forget), refused()}});
    Statements here;
    here.push_back(
        {If{is(target.status, code(RunStatus::kRunning)), std::move(leave), std::move(ended)}});
    Statements chain;
    chain.push_back(
        {If{terms().equal(handle, number(t + 1, width)), std::move(here), std::move(otherwise)}});
    otherwise = std::move(chain);
  }
  return otherwise;
}

Statements Builder::end_of_frame() {
  Statements made;
  for (const Block& block : layout_.blocks)
    if (block.is_dynamic && block.is_frame && block.thread == thread_)
      for (std::uint32_t c = block.first_cell; c < block.first_cell + block.cell_count; ++c) {
        made.push_back({Put{memory_, number(c, 32), number(0, word_bits_)}});
        made.push_back({Put{status_,
                            number(c - layout_.first_dynamic, 32),
                            number(static_cast<std::uint64_t>(CellStatus::kEnded), 2)}});
      }
  return made;
}

Statements Builder::end_thread(Term result) {
  Statements made = end_of_frame();
  const ThreadVariables& self = threads_[thread_];
  If detached{is(self.status, code(RunStatus::kDetached)), {}, {}};
  detached.yes.push_back(set(self.status, code(RunStatus::kJoined)));
  detached.no.push_back(set(self.result, fitted(result, program_.pointer_bits())));
  detached.no.push_back(set(self.status, code(RunStatus::kEnded)));
  if (detaches_)
    made.push_back({std::move(detached)});
  else
    append(made, std::move(detached.no));
  if (has_sections_) {
    If open{is(section_, thread_ + 1ULL), {}, {}};
    open.yes.push_back(set(section_, 0));
    open.yes.push_back(set(depth_, 0));
    made.push_back({std::move(open)});
  }
  return made;
}

void Builder::wait_until(Step& step,
                         const Place& where,
                         const std::function<Term(Term word)>& condition) {
  const VariableId seen =
      temporary(word_bits_, fmt::format("seen_{}", system_.variables.size()).c_str());
  const Term nothing = terms().equal(where.cell, number(kNoCell, 32));
  step.look = Look{seen, memory_, terms().ite(nothing, number(0, 32), where.cell)};
  const Term word = fitted(value(seen), 32);
  Term goes = terms().or_(nothing, condition(word));
  if (may_be_destroyed_) // it goes on into the failure
    goes = terms().or_(goes, terms().equal(word, number(sync_layout::kGone, 32)));
  step.guard = terms().and_(step.guard, goes);
}

Statements Builder::on_lock(const Place& where, bool initialises, const OnCell& work) {
  return on_cell(where, false, [&](Term cell, std::optional<VariableId> status) {
    Statements made = work(cell, status);
    if (initialises)
      return made;
    if (may_be_destroyed_) {
      Statements kept;
      kept.push_back({Get{word_, memory_, cell}});
      kept.push_back({If{terms().equal(fitted(value(word_), 32), number(sync_layout::kGone, 32)),
                         failing("use of a lock that was destroyed", Fail::Kind::kUndefined),
                         std::move(made)}});
      made = std::move(kept);
    }
    if (!status)
      return made;
    Statements checked;
    checked.push_back(
        {If{is(*status, static_cast<std::uint64_t>(CellStatus::kUnwritten)),
            failing("use of a lock that was never initialised", Fail::Kind::kUndefined),
            std::move(made)}});
    return checked;
  });
}

Status Builder::lock_operation(const Synchronize& sync, Step& step) {
  const Place where = lock_place(sync);
  const Term self = number(thread_ + 1ULL, 32);
  const auto answer = [&](Statements& to, std::uint64_t result) {
    if (sync.dest)
      to.push_back(assign(*sync.dest, number(result, 32)));
  };
  const auto free_word = [&](Term word) { return terms().equal(word, number(0, 32)); };
  OnCell work;
  bool initialises = false;
  switch (sync.op) {
  case SyncOp::kMutexInit:
    if (!terms().is_constant(sync.operands[1]) ||
        terms().node(sync.operands[1]).value != sync_layout::kMutexNormal)
      return refusal("EXP-020", "a mutex that is not of the normal kind");
    initialises = true;
    work = [&](Term cell, std::optional<VariableId> status) {
      Statements made = put(cell, status, number(0, 32));
      answer(made, 0);
      return made;
    };
    break;
  case SyncOp::kMutexDestroy:
    initialises = true;
    work = [&](Term cell, std::optional<VariableId> status) {
      const Term word = fitted(value(word_), 32);
      Statements made;
      made.push_back({Get{word_, memory_, cell}});
      Term is_free = free_word(word);
      if (status) // or nobody has written it
        is_free =
            terms().or_(is_free, is(*status, static_cast<std::uint64_t>(CellStatus::kUnwritten)));
      If held{is_free, put(cell, status, number(sync_layout::kGone, 32)), {}};
      answer(held.yes, 0);
      If gone{terms().equal(word, number(sync_layout::kGone, 32)),
              failing("use of a lock that was destroyed", Fail::Kind::kUndefined),
              {}};
      answer(gone.no, sync_layout::kErrorBusy);
      held.no.push_back({std::move(gone)});
      made.push_back({std::move(held)});
      return made;
    };
    break;
  case SyncOp::kMutexLock:
  case SyncOp::kSpinLock:
    wait_until(step, where, free_word);
    work = [&](Term cell, std::optional<VariableId> status) {
      Statements made = put(cell, status, self);
      answer(made, 0);
      return made;
    };
    break;
  case SyncOp::kMutexTryLock:
  case SyncOp::kSpinTryLock:
    work = [&](Term cell, std::optional<VariableId> status) {
      Statements made;
      made.push_back({Get{word_, memory_, cell}});
      If taken{free_word(fitted(value(word_), 32)), put(cell, status, self), {}};
      answer(taken.yes, 0);
      answer(taken.no, sync_layout::kErrorBusy);
      made.push_back({std::move(taken)});
      return made;
    };
    break;
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinUnlock:
    work = [&](Term cell, std::optional<VariableId> status) {
      Statements made = put(cell, status, number(0, 32));
      answer(made, 0);
      return made;
    };
    break;
  case SyncOp::kSemaphoreInit:
    initialises = true;
    work = [&](Term cell, std::optional<VariableId> status) {
      Statements made = put(cell, status, fitted(own(sync.operands[1]), 32));
      answer(made, 0);
      return made;
    };
    break;
  case SyncOp::kSemaphoreWait:
    wait_until(step, where, [&](Term word) { return terms().not_(free_word(word)); });
    work = [&](Term cell, std::optional<VariableId> status) {
      Statements made;
      made.push_back({Get{word_, memory_, cell}});
      append(made,
             put(cell, status, terms().binary(Op::kSub, fitted(value(word_), 32), number(1, 32))));
      answer(made, 0);
      return made;
    };
    break;
  case SyncOp::kSemaphoreTryWait:
    work = [&](Term cell, std::optional<VariableId> status) {
      const Term word = fitted(value(word_), 32);
      Statements made;
      made.push_back({Get{word_, memory_, cell}});
      If none{
          free_word(word), {}, put(cell, status, terms().binary(Op::kSub, word, number(1, 32)))};
      answer(none.yes, sync_layout::kErrorAgain);
      answer(none.no, 0);
      made.push_back({std::move(none)});
      return made;
    };
    break;
  case SyncOp::kSemaphorePost:
    work = [&](Term cell, std::optional<VariableId> status) {
      Statements made;
      made.push_back({Get{word_, memory_, cell}});
      append(made,
             put(cell, status, terms().binary(Op::kAdd, fitted(value(word_), 32), number(1, 32))));
      answer(made, 0);
      return made;
    };
    break;
  case SyncOp::kSemaphoreValue:
    work = [&](Term cell, std::optional<VariableId>) {
      Statements made;
      made.push_back({Get{word_, memory_, cell}});
      if (sync.dest)
        made.push_back(assign(*sync.dest, fitted(value(word_), 32)));
      return made;
    };
    break;
  default:
    return refusal(
        "EXP-021",
        "a synchronisation other than threads, locks, semaphores, barriers, conditions and "
        "pthread_once: one with a time limit");
  }
  step.effects = on_lock(where, initialises, work);
  return Done{};
}

Status Builder::synchronize(const Synchronize& sync, std::uint32_t edge, Step& step) {
  switch (sync.op) {
  case SyncOp::kCreate:
    step.effects = create(sync, layout_.threads[thread_].created.at(edge));
    return Done{};
  case SyncOp::kJoin:
    join(sync, step);
    return Done{};
  case SyncOp::kDetach:
    step.effects = detach(sync);
    return Done{};
  case SyncOp::kSelf:
    if (sync.dest)
      step.effects.push_back(assign(*sync.dest, number(thread_ + 1ULL, 64)));
    return Done{};
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kReadWriteUnlock:
    return read_write_operation(sync, step);
  case SyncOp::kOnceEnter:
  case SyncOp::kOnceLeave:
    return once_operation(sync, step);
  case SyncOp::kBarrierInit:
  case SyncOp::kBarrierWait:
    return barrier_operation(sync, step);
  case SyncOp::kConditionWait:
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast:
    return condition_operation(sync, step);
  default:
    return lock_operation(sync, step);
  }
}

} // namespace heddle::exports
