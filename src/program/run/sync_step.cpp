// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation: which operation is undefined, blocked, open to choice, and what it does, all as
// the rules (sync_rules.h) say of what it finds.
#include "program/run/interpreter_code.h"
#include "support/check.h"

namespace heddle::program {

namespace {

bool is_synchronisation(Request::Kind kind) {
  return kind == Request::Kind::kSynchronize || kind == Request::Kind::kWakeUp ||
         kind == Request::Kind::kReacquire || kind == Request::Kind::kLeaveBarrier;
}

} // namespace

Did<Concrete> Interpreter::Code::sync_did(const SyncLook& look) {
  Concrete numbers;
  return rule(numbers, look.op, look.stage, look.found, look.given);
}

Fault Interpreter::Code::misuse_fault(Misuse misuse, const ThreadState& thread) const {
  const MisuseText text = describe(misuse);
  return fault(text.kind, text.what, thread);
}

Fault Interpreter::Code::sync_fault(const State& state,
                                    ThreadIndex thread,
                                    const Request& request) const {
  const SyncLook look = sync_look(state, thread, request);
  if (look.missing != 0)
    return access_fault(state, thread, look.object, look.missing, true);
  const Misuse misuse = first_misuse(sync_did(look));
  return is_of_object(misuse) ? misuse_fault(misuse, state.threads[thread]) : Fault{};
}

Wait Interpreter::Code::wait_of(const State& state,
                                ThreadIndex thread,
                                const Request& request,
                                const SyncLook& look,
                                WaitsFor what) const {
  const auto bit_of = [](std::uint64_t handle) {
    return handle == 0 || handle > kMaxThreads ? 0ULL : 1ULL << (handle - 1);
  };
  const auto others = [&] {
    std::uint64_t mask = 0;
    for (ThreadIndex i = 0; i < state.threads.size(); ++i)
      if (i != thread && state.threads[i].is_live())
        mask |= 1ULL << i;
    return mask;
  };
  const std::uint64_t address = request.address;
  switch (what) {
  case WaitsFor::kOwner:
    return {Wait::Reason::kMutex, address, bit_of(look.found.field[sync_field::kOwner])};
  case WaitsFor::kWriter:
    return {Wait::Reason::kReadWriteLock, address, bit_of(look.found.field[sync_field::kWriter])};
  case WaitsFor::kWriterAndReaders:
    return {Wait::Reason::kReadWriteLock,
            address,
            bit_of(look.found.field[sync_field::kWriter]) | look.found.field[sync_field::kReaders]};
  case WaitsFor::kSignal:
    return {Wait::Reason::kCondition, address, others()};
  case WaitsFor::kPost:
    return {Wait::Reason::kSemaphore, address, others()};
  case WaitsFor::kArrivals:
    return {Wait::Reason::kBarrier, address, others()};
  case WaitsFor::kOnce:
    return {Wait::Reason::kOnce, address, others()};
  case WaitsFor::kThread:
    return {Wait::Reason::kJoin, address, bit_of(address)};
  case WaitsFor::kNothing:
    break;
  }
  HEDDLE_CHECK(false, "an operation waits that never does");
}

std::optional<Wait> Interpreter::Code::sync_blocked(const State& state,
                                                    ThreadIndex thread,
                                                    const Request& request) const {
  if (!is_synchronisation(request.kind))
    return std::nullopt;
  const SyncLook look = sync_look(state, thread, request);
  if (look.missing != 0)
    return std::nullopt; // it can go on: into the fault
  const Did<Concrete> did = sync_did(look);
  if (first_misuse(did) != Misuse::kNone || did.goes || did.may_be_late)
    return std::nullopt;
  return wait_of(state, thread, request, look, did.waits);
}

void Interpreter::Code::sync_choices(const State& state,
                                     ThreadIndex thread,
                                     const Request& request,
                                     std::vector<std::uint64_t>& out) const {
  SyncLook look = sync_look(state, thread, request);
  if (look.missing != 0) {
    out.push_back(0);
    return;
  }
  const Did<Concrete> did = sync_did(look);
  const bool is_undefined = first_misuse(did) != Misuse::kNone;
  if (did.wakes == Wakes::kOne && !is_undefined) {
    const std::size_t before = out.size();
    for (ThreadIndex i = 0; i < state.threads.size(); ++i)
      if (is_waiting_on(state, i, request.address))
        out.push_back(i);
    if (out.size() == before)
      out.push_back(0); // nobody waits: nothing happens
    return;
  }
  if (is_undefined || did.goes || did.may_be_woken)
    out.push_back(0);
  // A timed operation goes through if it can, and may run out of time in any case.
  if (did.may_be_late) {
    look.given.late = true;
    if (first_misuse(sync_did(look)) == Misuse::kNone)
      out.push_back(kChoiceFails);
  }
}

Fault Interpreter::Code::sync_execute(State& state,
                                      ThreadIndex thread,
                                      const Request& request,
                                      std::uint64_t choice) const {
  SyncLook look = sync_look(state, thread, request);
  if (look.missing != 0)
    return access_fault(state, thread, look.object, look.missing, true);
  look.given.late = choice == kChoiceFails;
  Did<Concrete> did = sync_did(look);
  if (const Misuse misuse = first_misuse(did); misuse != Misuse::kNone)
    return misuse_fault(misuse, state.threads[thread]);
  HEDDLE_CHECK(did.goes || did.may_be_woken, "a synchronisation went on that has to wait");
  const CompiledEdge& at = edge(state.threads[thread]);
  const bool begins = look.stage == first_stage(look.op);
  if (options.check_analyses && begins && sync_size(look.op) != 0)
    check_touch(state, thread, request.address, at.may, true, true);
  if (look.op == SyncOp::kCreate) {
    const auto created = static_cast<ThreadIndex>(look.given.argument - 1);
    if (Fault found = create(state, thread, at, created); !found.is_none())
      return found;
  }
  if (did.opens)
    did.after[sync_field::kGeneration] =
        free_generation(state, look.object, look.found.field[sync_field::kGeneration]);
  write_fields(state, look, did);
  if (did.wakes != Wakes::kNobody)
    wake(state, request.address, did.wakes, choice);
  ThreadState& self = state.threads[thread];
  count_holds(self, did);
  if (did.more) {
    begin_stage(self, request, did);
    if (begins)
      zero_dead_locals(self); // it x
    return {};
  }
  if (!begins) {
    layout::set_status(self, ThreadStatus::kRunning);
    self.words[layout::kHeader] &= ~layout::kTimedOut;
    self.words[layout::kExtra] = 0;
  }
  set_local(self, at, did.result);
  advance(self, at);
  return {};
}

/// A thread's index does not serve again while a lock names it: the header counts those it holds.
void Interpreter::Code::count_holds(ThreadState& self, const Did<Concrete>& did) {
  std::uint64_t& header = self.words[layout::kHeader];
  if (did.begins_to_hold)
    header += layout::kHeldOne;
  if (did.ceases_to_hold && (header & layout::kHeldMask) != 0)
    header -= layout::kHeldOne;
}

void Interpreter::Code::begin_stage(ThreadState& self,
                                    const Request& request,
                                    const Did<Concrete>& did) {
  switch (did.next) {
  case Stage::kWoken:
    layout::set_status(self, ThreadStatus::kWaitingOnCondition);
    self.words[layout::kExtra] = request.address;
    return;
  case Stage::kAgain:
    layout::set_status(self, ThreadStatus::kReacquiring);
    self.words[layout::kExtra] = 0;
    if (did.kept != 0)
      self.words[layout::kHeader] |= layout::kTimedOut;
    return;
  case Stage::kLeave:
    layout::set_status(self, ThreadStatus::kWaitingAtBarrier);
    self.words[layout::kExtra] = did.kept;
    return;
  case Stage::kOnly:
  case Stage::kGive:
  case Stage::kArrive:
    break;
  }
  HEDDLE_CHECK(false, "a stage that follows none");
}

} // namespace heddle::program
