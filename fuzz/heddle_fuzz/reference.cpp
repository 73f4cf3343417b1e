// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/reference.h"

#include "heddle_fuzz/flatten.h"
#include "heddle_fuzz/reference_state.h"

#include <array>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;

class Explorer {
public:
  Explorer(const Program& program, Model model, std::uint64_t limit)
      : program_(program), model_(model), limit_(limit) {
    for (const std::vector<Statement>& thread : program.threads)
      code_.push_back(flatten(thread, model, program.has_nodes));
  }

  std::optional<ReferenceResult> run() {
    State first;
    first.objects.resize(static_cast<std::size_t>(program_.objects));
    first.results.resize(program_.threads.size());
    first.threads.resize(program_.threads.size());
    first.readers.resize(program_.threads.size());
    if (program_.has_nodes) {
      first.locals.resize(program_.threads.size());
      first.nodes.resize(1 + program_.threads.size());
      for (std::uint32_t number = 0; number < kNodeNumbers; ++number)
        first.nodes[0].words[number] = kFirstNumber + number;
      first.nodes[0].words[kNodeNumbers] = pointer_to(0);
      if (!program_.starts_empty)
        first.node_pointer = pointer_to(kNodePlace);
    }
    visit(std::move(first));
    while (!work_.empty()) {
      if (result_.states > limit_)
        return std::nullopt;
      const State state = std::move(work_.back());
      work_.pop_back();
      expand(state);
    }
    return std::move(result_);
  }

private:
  static void put(std::string& key, std::uint64_t value) {
    key.append(reinterpret_cast<const char*>(&value), 4);
  }

  static std::string key_of(const State& state) {
    std::string key;
    for (const std::uint32_t value : state.objects)
      put(key, value);
    for (const std::uint32_t value : state.results)
      put(key, value);
    put(key, state.pointer);
    put(key, state.node_pointer);
    for (const std::uint32_t value : state.locals)
      put(key, value);
    put(key, state.nodes.size());
    for (const Node& node : state.nodes) {
      for (const std::uint32_t value : node.words)
        put(key, value);
      put(key, node.is_alive ? 1 : 0);
    }
    for (const int value : {state.mutex,
                            state.spin,
                            state.writer,
                            state.semaphore,
                            state.arrived,
                            state.generation,
                            state.atomic})
      put(key, static_cast<std::uint32_t>(value));
    for (const int count : state.readers)
      put(key, static_cast<std::uint32_t>(count));
    for (const Thread& thread : state.threads) {
      put(key, thread.pc);
      for (const std::uint32_t value : thread.regs)
        put(key, value);
      put(key, thread.pointer);
      put(key, thread.node);
      for (const int value : {thread.barrier_generation,
                              static_cast<int>(thread.has_returned),
                              static_cast<int>(thread.took_lock),
                              thread.atomic_depth,
                              thread.epoch})
        put(key, static_cast<std::uint32_t>(value));
      put(key, thread.buffer.size());
      for (const Pending& pending : thread.buffer) {
        for (const int value : {pending.place, pending.offset, pending.size, pending.epoch})
          put(key, static_cast<std::uint32_t>(value));
        put(key, pending.value);
      }
    }
    return key;
  }

  void visit(State state) {
    if (seen_.insert(key_of(state)).second) {
      ++result_.states;
      work_.push_back(std::move(state));
    }
  }

  static std::uint32_t mask(int size) {
    return size == 4 ? 0xffffffffU : (1U << (8 * static_cast<unsigned>(size))) - 1;
  }
  static std::uint32_t* cell(State& state, int place) {
    const auto index = [&](int first) { return static_cast<std::size_t>(place - first); };
    if (place >= kNodePlace)
      return &state.nodes[node_at(place)].words[index(kNodePlace) % kNodeWords];
    if (place >= kResultPlace)
      return &state.results[index(kResultPlace)];
    if (place >= kLocalPlace)
      return &state.locals[index(kLocalPlace)];
    if (place >= kPointerPlace)
      return place == kPointerPlace ? &state.pointer : &state.node_pointer;
    return &state.objects[index(0)];
  }
  static std::uint32_t overwritten(std::uint32_t value, const Pending& pending) {
    const unsigned shift = 8 * static_cast<unsigned>(pending.offset);
    const std::uint32_t bits = mask(pending.size) << shift;
    return (value & ~bits) | ((pending.value << shift) & bits);
  }
  static void write(State& state, const Pending& pending) {
    std::uint32_t* const target = cell(state, pending.place);
    *target = overwritten(*target, pending);
  }
  /// Each byte from the newest own pending store that covers it, else from memory.
  static std::uint32_t read(State& state, std::size_t thread, int place, int offset, int size) {
    std::uint32_t view = *cell(state, place);
    for (const Pending& pending : state.threads[thread].buffer)
      if (pending.place == place)
        view = overwritten(view, pending);
    return (view >> (8 * static_cast<unsigned>(offset))) & mask(size);
  }
  void store(State& state, std::size_t thread, Pending pending) const {
    pending.value &= mask(pending.size);
    if (model_ == Model::kSC) {
      write(state, pending);
      return;
    }
    pending.epoch = state.threads[thread].epoch;
    state.threads[thread].buffer.push_back(pending);
  }
  static std::uint32_t evaluate(const Thread& thread, const Expression& expression) {
    return (expression.reg < 0 ? 0 : thread.regs[static_cast<std::size_t>(expression.reg)]) +
           expression.constant;
  }

  static bool overlap(const Pending& a, const Pending& b) {
    return a.place == b.place && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
  }
  bool may_flush(const std::vector<Pending>& buffer, std::size_t index) const {
    if (model_ == Model::kTSO)
      return index == 0;
    for (std::size_t older = 0; older < index; ++older)
      if (overlap(buffer[older], buffer[index]) || buffer[older].epoch < buffer[index].epoch)
        return false;
    return true;
  }

  void expand(const State& state) {
    bool moved = false;
    bool all_ended = true;
    for (std::size_t thread = 0; thread < state.threads.size(); ++thread) {
      const bool ended = code_[thread][state.threads[thread].pc].what == Micro::Do::kEnd &&
                         state.threads[thread].buffer.empty();
      all_ended = all_ended && ended;
      if (state.atomic >= 0 && state.atomic != static_cast<int>(thread))
        continue;
      const std::vector<Pending>& buffer = state.threads[thread].buffer;
      for (std::size_t index = 0; index < buffer.size(); ++index) {
        if (!may_flush(buffer, index))
          continue;
        State next = state;
        std::vector<Pending>& rest = next.threads[thread].buffer;
        write(next, rest[index]);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(index));
        if (rest.empty())
          next.threads[thread].epoch = 0;
        visit(std::move(next));
        moved = true;
      }
      moved = step(state, thread) || moved;
    }
    if (all_ended) {
      FinalState final_state = state.objects;
      final_state.insert(final_state.end(), state.results.begin(), state.results.end());
      if (program_.has_nodes) {
        std::uint32_t packed = 0;
        for (std::size_t number = 0; number < kNodeNumbers; ++number)
          packed |= (state.nodes[0].words[number] & 0xffU) << (8 * number);
        final_state.push_back(packed);
        result_.memory_fails = result_.memory_fails || leaks(state);
      }
      result_.final_states.insert(std::move(final_state));
    } else if (!moved) {
      result_.can_deadlock = true;
    }
  }

  /// All ways the thread's next operation can go; false if it has to wait.
  bool step(const State& state, std::size_t index) {
    const Micro& micro = code_[index][state.threads[index].pc];
    const Statement* const s = micro.statement;
    State next = state;
    Thread& thread = next.threads[index];
    const int self = static_cast<int>(index);
    const bool drained = thread.buffer.empty();
    ++thread.pc;
    switch (micro.what) {
    case Micro::Do::kEnd:
      return false;
    case Micro::Do::kLoad:
      thread.regs[static_cast<std::size_t>(s->reg)] =
          read(next, index, s->object, s->offset, s->size);
      break;
    case Micro::Do::kLoadVia:
      if (!may_access(next, thread.pointer))
        return fault();
      thread.regs[static_cast<std::size_t>(s->reg)] =
          read(next, index, place_of(thread.pointer), 0, 4);
      break;
    case Micro::Do::kPointerLoad:
      thread.pointer = read(next, index, kPointerPlace, 0, 4);
      break;
    case Micro::Do::kStore:
      store(next, index, {s->object, s->offset, s->size, evaluate(thread, s->value), 0});
      break;
    case Micro::Do::kStoreVia:
      if (!may_access(next, thread.pointer))
        return fault();
      store(next, index, {place_of(thread.pointer), 0, 4, evaluate(thread, s->value), 0});
      break;
    case Micro::Do::kPointerStore:
      store(next, index, {kPointerPlace, 0, 4, pointer_to(s->object), 0});
      break;
    case Micro::Do::kPublish: {
      std::uint32_t packed = 0;
      for (std::size_t reg = 0; reg < kRegisters; ++reg)
        packed |= (thread.regs[reg] & 0xffU) << (8 * reg);
      store(next, index, {kResultPlace + self, 0, 4, packed, 0});
      break;
    }
    case Micro::Do::kModify: {
      if (!drained)
        return false;
      const std::uint32_t old_value = read(next, index, s->object, s->offset, s->size);
      const std::uint32_t operand = evaluate(thread, s->value);
      std::uint32_t fresh = operand;
      if (s->kind == Kind::kFetchAdd)
        fresh = old_value + operand;
      else if (s->kind == Kind::kFetchOr)
        fresh = old_value | operand;
      else if (s->kind == Kind::kFetchXor)
        fresh = old_value ^ operand;
      write(next, {s->object, s->offset, s->size, fresh & mask(s->size), 0});
      thread.regs[static_cast<std::size_t>(s->reg)] = old_value;
      break;
    }
    case Micro::Do::kCompareExchange: {
      if (!drained)
        return false;
      if (s->weak) {
        State failed = next;
        failed.threads[index].regs[static_cast<std::size_t>(s->reg)] = 0;
        visit(std::move(failed));
      }
      const bool success = read(next, index, s->object, s->offset, s->size) ==
                           (evaluate(thread, s->expected) & mask(s->size));
      if (success)
        write(next, {s->object, s->offset, s->size, evaluate(thread, s->value) & mask(s->size), 0});
      thread.regs[static_cast<std::size_t>(s->reg)] = success ? 1 : 0;
      break;
    }
    case Micro::Do::kFullFence:
      if (!drained)
        return false;
      break;
    case Micro::Do::kSleep:
      // A spurious wake-up: it happens, but nobody may count on it, so it is no progress.
      visit(std::move(next));
      return false;
    case Micro::Do::kSignal:
    case Micro::Do::kBroadcast: {
      if (!drained)
        return false;
      bool is_heard = false;
      for (std::size_t other = 0; other < next.threads.size(); ++other) {
        if (other == index || code_[other][next.threads[other].pc].what != Micro::Do::kSleep)
          continue;
        is_heard = true;
        if (micro.what == Micro::Do::kBroadcast) {
          ++next.threads[other].pc;
          continue;
        }
        State woken = next;
        ++woken.threads[other].pc;
        visit(std::move(woken));
      }
      if (is_heard && micro.what == Micro::Do::kSignal)
        return true;
      break;
    }
    case Micro::Do::kStoreStoreFence:
      if (!drained)
        ++thread.epoch;
      break;
    case Micro::Do::kAssign:
      thread.regs[static_cast<std::size_t>(s->reg)] = evaluate(thread, s->value);
      break;
    case Micro::Do::kChoose: {
      State other = next;
      other.threads[index].regs[static_cast<std::size_t>(s->reg)] = 0;
      visit(std::move(other));
      thread.regs[static_cast<std::size_t>(s->reg)] = 1;
      break;
    }
    case Micro::Do::kJumpUnless: {
      const bool taken = s->kind == Kind::kTryLock   ? thread.took_lock
                         : s->kind == Kind::kIfPlace ? thread.pointer != 0
                         : s->kind == Kind::kIfNode
                             ? thread.node != 0
                             : thread.regs[static_cast<std::size_t>(s->reg)] == s->constant;
      if (s->kind == Kind::kTryLock)
        thread.took_lock = false;
      if (!taken)
        thread.pc = micro.target;
      break;
    }
    case Micro::Do::kJump:
      thread.pc = micro.target;
      break;
    case Micro::Do::kLock:
      if (!drained || next.mutex >= 0)
        return false;
      next.mutex = self;
      break;
    case Micro::Do::kTryLock:
      if (!drained)
        return false;
      thread.took_lock = next.mutex < 0;
      if (thread.took_lock)
        next.mutex = self;
      thread.regs[static_cast<std::size_t>(s->reg)] = thread.took_lock ? 1 : 0;
      break;
    case Micro::Do::kUnlock:
      if (!drained)
        return false;
      next.mutex = -1;
      break;
    case Micro::Do::kSpinLock:
      if (!drained || next.spin >= 0)
        return false;
      next.spin = self;
      break;
    case Micro::Do::kSpinUnlock:
      if (!drained)
        return false;
      next.spin = -1;
      break;
    case Micro::Do::kReadLock:
      if (!drained || next.writer >= 0)
        return false;
      ++next.readers[index];
      break;
    case Micro::Do::kReadUnlock:
      if (!drained)
        return false;
      --next.readers[index];
      break;
    case Micro::Do::kWriteLock: {
      if (!drained || next.writer >= 0)
        return false;
      for (const int count : next.readers)
        if (count > 0)
          return false;
      next.writer = self;
      break;
    }
    case Micro::Do::kWriteUnlock:
      if (!drained)
        return false;
      next.writer = -1;
      break;
    case Micro::Do::kSemaphorePost:
      if (!drained)
        return false;
      ++next.semaphore;
      break;
    case Micro::Do::kSemaphoreWait:
      if (!drained || next.semaphore == 0)
        return false;
      --next.semaphore;
      break;
    case Micro::Do::kBarrierArrive:
      if (!drained)
        return false;
      thread.barrier_generation = next.generation;
      if (++next.arrived == program_.barrier_count()) {
        next.arrived = 0;
        ++next.generation;
      }
      break;
    case Micro::Do::kBarrierLeave:
      if (thread.barrier_generation == next.generation)
        return false;
      break;
    case Micro::Do::kAtomicBegin:
      if (!drained)
        return false;
      ++thread.atomic_depth;
      next.atomic = self;
      break;
    case Micro::Do::kAtomicEnd:
      if (!drained)
        return false;
      if (--thread.atomic_depth == 0)
        next.atomic = -1;
      break;
    case Micro::Do::kAssume:
      if (thread.regs[static_cast<std::size_t>(s->reg)] == s->constant)
        return true; // the run does not count, and that is not a deadlock
      break;
    case Micro::Do::kAssert:
      if (thread.regs[static_cast<std::size_t>(s->reg)] == s->constant) {
        result_.assertion_fails = true;
        return true;
      }
      break;
    case Micro::Do::kNode:
      return step_node(std::move(next), index, *s);
    case Micro::Do::kReturn:
      thread.has_returned = true;
      if (!program_.locals_in_main) {
        next.nodes[1 + index].is_alive = false;
        drop(thread, kLocalPlace + self, 1);
        drop(thread, first_place_of_node(1 + index), kNodeWords);
      }
      break;
    }
    visit(std::move(next));
    return true;
  }

  bool fault() {
    result_.memory_fails = true;
    result_.has_fault = true;
    return true;
  }

  [[nodiscard]] bool may_access(const State& state, Pointer pointer) const {
    const int place = place_of(pointer);
    if (pointer == 0 || place == kWildPlace)
      return false;
    if (place >= kNodePlace)
      return state.nodes[node_at(place)].is_alive;
    return place < kLocalPlace || program_.locals_in_main ||
           !state.threads[static_cast<std::size_t>(place - kLocalPlace)].has_returned;
  }

  static void drop(Thread& thread, int place, int count) {
    std::erase_if(thread.buffer, [&](const Pending& pending) {
      return pending.place >= place && pending.place < place + count;
    });
    if (thread.buffer.empty())
      thread.epoch = 0;
  }

  static Pointer address_of(const Thread& thread, std::size_t self, const Address& address) {
    Pointer node = 0;
    switch (address.of) {
    case Address::Of::kNowhere:
      return 0;
    case Address::Of::kGlobal:
      return pointer_to(address.object);
    case Address::Of::kLocal:
      return pointer_to(kLocalPlace + static_cast<int>(self));
    case Address::Of::kGlobalNode:
      node = pointer_to(kNodePlace);
      break;
    case Address::Of::kLocalNode:
      node = pointer_to(first_place_of_node(1 + self));
      break;
    case Address::Of::kHeldNode:
      node = thread.node;
      break;
    }
    if (!address.in_array)
      return node;
    return node == 0 ? pointer_to(kWildPlace) : node + 1 + (evaluate(thread, address.index) & 1U);
  }

  /// Some heap block that nothing points into, when only globals are left.
  static bool leaks(const State& state) {
    std::vector<bool> is_reached(state.nodes.size());
    std::vector<Pointer> work = {
        state.pointer, state.node_pointer, state.nodes[0].words[kNodeNumbers]};
    while (!work.empty()) {
      const int place = place_of(work.back());
      work.pop_back();
      if (place < kNodePlace || place == kWildPlace || is_reached[node_at(place)] ||
          !state.nodes[node_at(place)].is_alive || node_at(place) <= state.threads.size())
        continue;
      is_reached[node_at(place)] = true;
      work.push_back(state.nodes[node_at(place)].words[kNodeNumbers]);
    }
    for (std::size_t node = 1 + state.threads.size(); node < state.nodes.size(); ++node)
      if (state.nodes[node].is_alive && !is_reached[node])
        return true;
    return false;
  }

  /// Any freed block, or a new one.
  void allocate(const State& next, std::size_t index) {
    const std::size_t first = 1 + next.threads.size();
    for (std::size_t node = first; node <= next.nodes.size(); ++node) {
      State chosen = next;
      if (node == chosen.nodes.size())
        chosen.nodes.emplace_back();
      else if (chosen.nodes[node].is_alive)
        continue;
      chosen.nodes[node] = Node{};
      chosen.threads[index].node = pointer_to(first_place_of_node(node));
      visit(std::move(chosen));
    }
  }

  bool step_node(State next, std::size_t index, const Statement& s) {
    Thread& thread = next.threads[index];
    const bool drained = thread.buffer.empty();
    std::uint32_t& reg = thread.regs[static_cast<std::size_t>(s.reg)];
    const auto chosen = [&] {
      return address_of(
          thread, index, s.is_conditional && reg != s.constant ? s.otherwise : s.address);
    };
    const Pointer at = address_of(thread, index, s.address);
    switch (s.kind) {
    case Kind::kPlaceLoad:
      if (!may_access(next, at))
        return fault();
      reg = read(next, index, place_of(at), 0, 4);
      break;
    case Kind::kPlaceStore:
      if (!may_access(next, at))
        return fault();
      store(next, index, {place_of(at), 0, 4, evaluate(thread, s.value), 0});
      break;
    case Kind::kPlaceFetchAdd: {
      if (!drained)
        return false;
      if (!may_access(next, at))
        return fault();
      const std::uint32_t old_value = read(next, index, place_of(at), 0, 4);
      write(next, {place_of(at), 0, 4, old_value + evaluate(thread, s.value), 0});
      reg = old_value;
      break;
    }
    case Kind::kPointAt:
      thread.pointer = chosen();
      break;
    case Kind::kHoldNode:
      thread.node = chosen();
      break;
    case Kind::kSamePlace:
      reg = thread.pointer == at ? 1 : 0;
      break;
    case Kind::kPointerPublish:
      store(next, index, {kPointerPlace, 0, 4, thread.pointer, 0});
      break;
    case Kind::kNodePublish:
      store(next, index, {kNodePointerPlace, 0, 4, thread.node, 0});
      break;
    case Kind::kNodeTake:
      thread.node = read(next, index, kNodePointerPlace, 0, 4);
      break;
    case Kind::kNodeSwap:
      if (!drained)
        return false;
      thread.node = std::exchange(next.node_pointer, at);
      break;
    case Kind::kNodeCompareExchange:
      if (!drained)
        return false;
      reg = next.node_pointer == at ? 1 : 0;
      if (reg != 0)
        next.node_pointer = thread.node;
      break;
    case Kind::kAllocate:
      allocate(next, index);
      return true;
    case Kind::kFree: {
      if (thread.node == 0)
        break;
      const std::size_t node = node_at(place_of(thread.node));
      if (node <= next.threads.size() || !next.nodes[node].is_alive)
        return fault();
      next.nodes[node].is_alive = false;
      for (Thread& each : next.threads)
        drop(each, first_place_of_node(node), kNodeWords);
      break;
    }
    case Kind::kFieldLoad:
      if (!may_access(next, at))
        return fault();
      thread.pointer = read(next, index, place_of(at) + kNodeNumbers, 0, 4);
      break;
    case Kind::kFieldStore:
      if (!may_access(next, at))
        return fault();
      store(next, index, {place_of(at) + kNodeNumbers, 0, 4, thread.pointer, 0});
      break;
    default:
      break; // no statement of a node
    }
    visit(std::move(next));
    return true;
  }

  const Program& program_;
  Model model_;
  std::uint64_t limit_;
  std::vector<std::vector<Micro>> code_;
  std::unordered_set<std::string> seen_;
  std::vector<State> work_;
  ReferenceResult result_;
};

} // namespace

std::optional<ReferenceResult>
explore(const Program& program, Model model, std::uint64_t state_limit) {
  return Explorer(program, model, state_limit).run();
}

} // namespace heddle::fuzz
