// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What all machines share: stepping threads through the interpreter, buffers, and the bytes a load
// sees.
#include "memory/machine/machine.h"

#include "memory/machine/machines.h"
#include "program/model/history_mark.h"
#include "support/check.h"

#include <algorithm>
#include <variant>

namespace heddle::memory {

using program::Request;

namespace {

/// A weak compare-exchange that fails although it need not (see Interpreter::choices).
bool is_spurious_failure(const Request& request, std::uint64_t choice, bool was_unwritten) {
  if (request.kind != Request::Kind::kCompareExchange ||
      !std::get<program::CompareExchange>(request.edge->action).weak)
    return false;
  return was_unwritten ? request.size <= 4 && (choice >> 63U) != 0 : choice == 1;
}

bool is_memory_access(Request::Kind kind) {
  return kind == Request::Kind::kLoad || kind == Request::Kind::kStore ||
         kind == Request::Kind::kReadModifyWrite || kind == Request::Kind::kCompareExchange;
}

/// After an entry has left: epochs start at 0 and have no gaps, so that equal buffers are equal.
void renumber_epochs(StoreBuffer& buffer) {
  std::uint32_t epoch = 0;
  std::uint32_t previous = buffer.stores.empty() ? 0 : buffer.stores.front().epoch;
  const bool has_open_fence = !buffer.stores.empty() && buffer.epoch > buffer.stores.back().epoch;
  for (PendingStore& store : buffer.stores) {
    if (store.epoch != previous) {
      previous = store.epoch;
      ++epoch;
    }
    store.epoch = epoch;
  }
  buffer.epoch = has_open_fence ? epoch + 1 : epoch;
}

} // namespace

std::unique_ptr<Machine> Machine::make(MachineKind kind, const program::Interpreter& interpreter) {
  switch (kind) {
  case MachineKind::kSequential:
    return make_sequential_machine(interpreter);
  case MachineKind::kTotalStoreOrder:
    return make_total_store_order_machine(interpreter);
  case MachineKind::kPartialStoreOrder:
    return make_partial_store_order_machine(interpreter);
  }
  HEDDLE_CHECK(false, "no such machine");
}

Fault Machine::initial(MachineState& state) const {
  state.core = interpreter_.initial();
  state.buffers.clear();
  if (has_buffers())
    state.buffers.resize(1);
  (void)interpreter_.run_local(state.core, 0, kLocalStepLimit);
  return {};
}

bool Machine::must_wait_for_buffer(const MachineState& state,
                                   ThreadIndex thread,
                                   const Request& request) const {
  if (!has_buffers() || state.buffers[thread].stores.empty())
    return false;
  switch (request.kind) {
  case Request::Kind::kReadModifyWrite:
    return request.drains ||
           (request.is_visible && !program::is_history_mark(request.edge->action));
  case Request::Kind::kCompareExchange:
    return request.is_visible || request.drains;
  case Request::Kind::kSynchronize:
  case Request::Kind::kAtomicBegin:
  case Request::Kind::kAtomicEnd:
  case Request::Kind::kThreadExit:
    return true;
  default:
    return request.drains;
  }
}

Machine::SeenBytes
Machine::seen(const MachineState& state, ThreadIndex thread, const Request& request) const {
  SeenBytes result;
  result.value = interpreter_.read(state.core.memory, request.address, request.size);
  result.unwritten = interpreter_.unwritten(state.core.memory, request.address, request.size);
  if (!request.is_visible || !has_buffers() ||
      (request.edge != nullptr && program::is_history_mark(request.edge->action)))
    return result;
  // Oldest first: a newer store of the same byte replaces it.
  for (const PendingStore& store : state.buffers[thread].stores) {
    if (store.address >= request.address + request.size ||
        request.address >= store.address + store.size)
      continue;
    for (unsigned i = 0; i < request.size; ++i) {
      const std::uint64_t offset = request.address + i - store.address;
      if (offset >= store.size)
        continue;
      const std::uint64_t byte = store.value >> (8 * offset) & 0xffU;
      const unsigned mark = store.marks >> offset & 1U;
      result.value = (result.value & ~(0xffULL << (8 * i))) | byte << (8 * i);
      result.from_buffer = static_cast<std::uint8_t>(result.from_buffer | 1U << i);
      result.unwritten = static_cast<std::uint8_t>((result.unwritten & ~(1U << i)) | mark << i);
    }
  }
  return result;
}

void Machine::fix_unwritten(MachineState& state,
                            ThreadIndex thread,
                            const Request& request,
                            const SeenBytes& bytes,
                            std::uint64_t value) const {
  for (unsigned i = 0; i < request.size; ++i) {
    if ((bytes.unwritten >> i & 1U) == 0)
      continue;
    const std::uint64_t byte = value >> (8 * i) & 0xffU;
    if ((bytes.from_buffer >> i & 1U) == 0) {
      interpreter_.write(state.core.memory, request.address + i, 1, byte);
      continue;
    }
    std::vector<PendingStore>& stores = state.buffers[thread].stores;
    const auto newest =
        std::find_if(stores.rbegin(), stores.rend(), [&](const PendingStore& store) {
          return request.address + i - store.address < store.size;
        });
    HEDDLE_CHECK(newest != stores.rend(), "a byte of the buffer that is not there");
    const std::uint64_t offset = request.address + i - newest->address;
    newest->value = (newest->value & ~(0xffULL << (8 * offset))) | byte << (8 * offset);
    newest->marks = static_cast<std::uint8_t>(newest->marks & ~(1U << offset));
  }
}

void Machine::add_unit_for_pending_pointers(const MachineState& state,
                                            ThreadIndex thread,
                                            const Request& request,
                                            std::vector<std::uint64_t>& choices) const {
  const program::AddressSpace space = interpreter_.program().space();
  for (const StoreBuffer& buffer : state.buffers)
    for (const PendingStore& store : buffer.stores)
      if (space.unit_of(store.value) >= program::AddressSpace::kFirstHeapUnit) {
        const auto unit = interpreter_.never_used_unit(state.core, thread, request.value);
        if (unit && std::find(choices.begin(), choices.end(), *unit) == choices.end())
          choices.push_back(*unit);
        return;
      }
}

bool Machine::steps(const MachineState& state,
                    ThreadIndex thread,
                    const Request& request,
                    std::vector<Transition>& out) const {
  const program::State& core = state.core;
  if (core.has_ended ||
      (core.atomic_owner >= 0 && core.atomic_owner != static_cast<std::int32_t>(thread)) ||
      must_wait_for_buffer(state, thread, request))
    return true;
  bool has_one_choice = request.kind == Request::Kind::kStore ||
                        request.kind == Request::Kind::kLocal ||
                        request.kind == Request::Kind::kFence || request.keeps_marks;
  const bool reads = request.kind == Request::Kind::kLoad ||
                     request.kind == Request::Kind::kReadModifyWrite ||
                     request.kind == Request::Kind::kCompareExchange;
  SeenBytes bytes;
  if (reads && !has_one_choice) {
    bytes = seen(state, thread, request);
    has_one_choice = request.kind == Request::Kind::kLoad && bytes.unwritten == 0;
  }
  if (has_one_choice) {
    out.push_back({Transition::Kind::kStep, thread, 0});
    return true;
  }
  std::vector<std::uint64_t> choices;
  const bool is_complete =
      reads ? interpreter_.read_choices(request, bytes.value, bytes.unwritten, choices)
            : interpreter_.choices(core, thread, request, choices);
  if (request.kind == Request::Kind::kAllocate && has_buffers())
    add_unit_for_pending_pointers(state, thread, request, choices);
  for (const std::uint64_t choice : choices)
    out.push_back({Transition::Kind::kStep, thread, choice});
  return is_complete;
}

void Machine::flushes(const MachineState& state,
                      ThreadIndex thread,
                      std::vector<Transition>& out) const {
  if (!has_buffers() || state.core.has_ended ||
      (state.core.atomic_owner >= 0 &&
       state.core.atomic_owner != static_cast<std::int32_t>(thread)))
    return;
  const StoreBuffer& buffer = state.buffers[thread];
  for (std::size_t i = 0; i < buffer.stores.size(); ++i)
    if (may_flush(buffer, i))
      out.push_back({Transition::Kind::kFlush, thread, i});
}

bool Machine::enabled(const MachineState& state, std::vector<Transition>& out) const {
  if (state.core.has_ended)
    return true;
  bool is_complete = true;
  for (ThreadIndex thread = 0; thread < state.core.threads.size(); ++thread) {
    if (!state.core.threads[thread].is_live())
      continue;
    const Request request = interpreter_.request(state.core, thread);
    is_complete = steps(state, thread, request, out) && is_complete;
    flushes(state, thread, out);
  }
  return is_complete;
}

bool Machine::is_enabled(const MachineState& state, const Transition& transition) const {
  if (state.core.has_ended || transition.thread >= state.core.threads.size() ||
      !state.core.threads[transition.thread].is_live())
    return false;
  std::vector<Transition> possible;
  if (transition.kind == Transition::Kind::kFlush) {
    flushes(state, transition.thread, possible);
    return std::find(possible.begin(), possible.end(), transition) != possible.end();
  }
  const Request request = interpreter_.request(state.core, transition.thread);
  const bool is_complete = steps(state, transition.thread, request, possible);
  return std::find(possible.begin(), possible.end(), transition) != possible.end() ||
         ((!is_complete || request.kind == Request::Kind::kNondet) &&
          is_beside_samples(state, transition, request));
}

/// Where only some of the values are tried, any other value is as possible.
bool Machine::is_beside_samples(const MachineState& state,
                                const Transition& transition,
                                const Request& request) const {
  switch (request.kind) {
  case Request::Kind::kNondet: {
    const auto& nondet = std::get<program::Nondet>(request.edge->action);
    const program::ProcedureId procedure = state.core.threads[transition.thread].procedure(0);
    const unsigned width = interpreter_.program().procedures[procedure].locals[nondet.dest].width;
    return (transition.choice & ~logic::mask_of(width)) == 0;
  }
  case Request::Kind::kLoad:
  case Request::Kind::kReadModifyWrite: {
    const SeenBytes bytes = seen(state, transition.thread, request);
    return ((transition.choice ^ bytes.value) & ~program::bytes_of_marks(bytes.unwritten) &
            logic::mask_of(8U * request.size)) == 0;
  }
  default:
    return false;
  }
}

void Machine::forget_stores(StoreBuffer& buffer, const program::Interpreter::Range& range) {
  for (PendingStore& store : buffer.stores)
    if (store.address >= range.first && store.address < range.last)
      store = PendingStore{0, 0, 0, store.epoch, 0};
}

void Machine::keep_pointed_to(MachineState& state,
                              ThreadIndex thread,
                              const program::Interpreter::Range& range) const {
  for (ThreadIndex other = 0; other < state.buffers.size(); ++other)
    if (other == thread || interpreter_.looks_at_other_threads())
      for (const PendingStore& store : state.buffers[other].stores)
        if (store.value >= range.first && store.value < range.last)
          interpreter_.keep_ended(state.core, thread, store.value);
}

Fault Machine::reuse_fault(const MachineState& state,
                           ThreadIndex thread,
                           ThreadIndex created) const {
  std::vector<std::uint64_t> pending;
  for (const StoreBuffer& buffer : state.buffers)
    for (const PendingStore& store : buffer.stores)
      pending.push_back(store.value);
  return interpreter_.reuse_fault(state.core, thread, created, pending);
}

Fault Machine::run_local(MachineState& state, ThreadIndex thread) const {
  const auto is_empty = [](const StoreBuffer& buffer) { return buffer.stores.empty(); };
  if (!has_buffers() || (interpreter_.looks_at_other_threads()
                             ? std::all_of(state.buffers.begin(), state.buffers.end(), is_empty)
                             : is_empty(state.buffers[thread])))
    return interpreter_.run_local(state.core, thread, kLocalStepLimit);
  // Where a return ends objects with pending stores, these must not land in what comes to lie there
  // next.
  constexpr unsigned kMostReturns = 10'000; // of an endless loop
  for (unsigned i = 0; i < kMostReturns; ++i) {
    if (Fault fault = interpreter_.run_local(state.core, thread, kLocalStepLimit, true);
        !fault.is_none())
      return fault;
    const auto ending = interpreter_.ends_objects(state.core, thread);
    if (!ending)
      return {};
    const Request request = interpreter_.request(state.core, thread);
    if (request.kind != Request::Kind::kLocal || request.is_visible)
      return {};
    forget_stores(state.buffers[thread], *ending);
    if (Fault fault = interpreter_.execute(state.core, thread, request, 0); !fault.is_none())
      return fault;
    keep_pointed_to(state, thread, *ending);
  }
  return {};
}

void Machine::flush(MachineState& state,
                    ThreadIndex thread,
                    std::size_t index,
                    StepDetail* detail) const {
  StoreBuffer& buffer = state.buffers[thread];
  const PendingStore store = buffer.stores[index];
  buffer.stores.erase(buffer.stores.begin() + static_cast<std::ptrdiff_t>(index));
  renumber_epochs(buffer);
  interpreter_.write(state.core.memory, store.address, store.size, store.value, store.marks);
  if (detail == nullptr)
    return;
  detail->buffer_index = index;
  detail->wrote = true;
  detail->value_written = store.value;
  detail->request.address = store.address;
  detail->request.size = static_cast<std::uint8_t>(store.size);
}

Fault Machine::access(MachineState& state,
                      ThreadIndex thread,
                      const Request& request,
                      std::uint64_t choice,
                      StepDetail* detail) const {
  program::State& core = state.core;
  if (Fault fault = interpreter_.check_access(core, thread, request); !fault.is_none())
    return fault;
  if (request.kind == Request::Kind::kStore) {
    if (request.is_visible && delays_stores()) {
      StoreBuffer& buffer = state.buffers[thread];
      const std::uint64_t mask = request.size >= 8 ? ~0ULL : (1ULL << (8U * request.size)) - 1;
      const auto marks =
          static_cast<std::uint8_t>(request.marks & ((1U << unsigned{request.size}) - 1));
      buffer.stores.push_back({request.address,
                               request.value & mask & ~program::bytes_of_marks(marks),
                               request.size,
                               buffer.epoch,
                               marks});
      if (request.size * 8U == interpreter_.program().pointer_bits())
        interpreter_.keep_if_ended(core, request.value);
    } else {
      interpreter_.write(core.memory, request.address, request.size, request.value, request.marks);
    }
    if (detail != nullptr) {
      detail->wrote = true;
      detail->value_written = request.value;
    }
    interpreter_.complete(core, thread, request, 0, true);
    return {};
  }
  // Reading a byte nobody has written fixes its value for everybody; copying it does not.
  const SeenBytes bytes = seen(state, thread, request);
  const bool was_unwritten = bytes.unwritten != 0 && !request.keeps_marks;
  const bool fails = is_spurious_failure(request, choice, was_unwritten);
  std::uint64_t value = bytes.value;
  if (was_unwritten) {
    const std::uint64_t chosen = fails ? choice & ~(1ULL << 63U) : choice;
    const std::uint64_t free_bits = program::bytes_of_marks(bytes.unwritten);
    value = (value & ~free_bits) | (chosen & free_bits);
    fix_unwritten(state, thread, request, bytes, value);
  }
  if (detail != nullptr)
    detail->from_own_buffer = bytes.from_buffer != 0;
  bool success = true;
  std::uint64_t written = 0;
  bool writes = false;
  if (request.kind == Request::Kind::kReadModifyWrite) {
    writes = true;
    written =
        program::Interpreter::modify(std::get<program::ReadModifyWrite>(request.edge->action).op,
                                     value,
                                     request.value,
                                     request.size);
  } else if (request.kind == Request::Kind::kCompareExchange) {
    success = value == request.expected && !fails;
    writes = success;
    written = request.value;
  }
  if (writes)
    interpreter_.write(core.memory, request.address, request.size, written);
  if (detail != nullptr) {
    detail->value_read = value;
    detail->wrote = writes;
    detail->value_written = written;
  }
  interpreter_.complete(core, thread, request, value, success, bytes.unwritten);
  return {};
}

Fault Machine::apply(MachineState& state, const Transition& transition, StepDetail* detail) const {
  const ThreadIndex thread = transition.thread;
  program::State& core = state.core;
  if (transition.kind == Transition::Kind::kFlush) {
    flush(state, thread, transition.choice, detail);
    return {};
  }
  const Request request = interpreter_.request(core, thread);
  if (detail != nullptr)
    detail->request = request;
  if (request.kind == Request::Kind::kLocal && !request.is_visible)
    return run_local(state, thread);
  if (is_memory_access(request.kind)) {
    if (Fault fault = access(state, thread, request, transition.choice, detail); !fault.is_none())
      return fault;
  } else if (request.kind == Request::Kind::kFence) {
    // A fence that only marks an order (lower.cpp) does nothing to the buffer.
    const auto* fence = std::get_if<program::Fence>(&request.edge->action);
    if (has_buffers() && fence->strength == program::Fence::Strength::kStoreStore)
      store_store_fence(state.buffers[thread]);
    interpreter_.complete(core, thread, request, 0, true);
  } else {
    const bool creates =
        request.kind == Request::Kind::kSynchronize &&
        std::get<program::Synchronize>(request.edge->action).op == program::SyncOp::kCreate;
    const ThreadIndex created = creates ? interpreter_.next_thread(core) : 0;
    if (creates)
      if (Fault fault = reuse_fault(state, thread, created); !fault.is_none())
        return fault;
    const auto ending = has_buffers() ? interpreter_.ends_objects(core, thread) : std::nullopt;
    if (Fault fault = interpreter_.execute(core, thread, request, transition.choice);
        !fault.is_none())
      return fault;
    if (ending) {
      if (request.kind == Request::Kind::kFree)
        for (StoreBuffer& buffer : state.buffers)
          forget_stores(buffer, *ending);
      else {
        forget_stores(state.buffers[thread], *ending);
        if (core.threads[thread].is_live())
          keep_pointed_to(state, thread, *ending);
      }
    }
    if (creates) {
      if (has_buffers())
        state.buffers.resize(core.threads.size());
      (void)interpreter_.run_local(core, created, kLocalStepLimit);
    }
  }
  if (core.has_ended)
    return {};
  if (!core.threads[thread].is_live()) {
    // The frames of the thread that gets its index come to lie where its own did.
    if (has_buffers())
      keep_pointed_to(state, thread, interpreter_.frames_of(thread));
    return {};
  }
  Fault fault = run_local(state, thread);
  // A fault changes nothing and stays the thread's next step, unless nobody else could move before
  // it.
  if (core.atomic_owner == static_cast<std::int32_t>(thread))
    return fault;
  return {};
}

} // namespace heddle::memory
