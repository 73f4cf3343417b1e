// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/reference.h"

#include <array>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;

/// A thread's program with nesting and loops flattened into jumps, one memory or synchronisation
/// effect per operation.
struct Micro {
  enum class Do : std::uint8_t {
    kLoad,
    kStore,
    kLoadVia,
    kStoreVia,
    kPointerLoad,
    kPointerStore,
    kModify,
    kCompareExchange,
    kFullFence,
    kStoreStoreFence,
    kSignal,
    kBroadcast,
    kSleep, // on the condition, until woken or a spurious wake-up
    kAssign,
    kChoose,
    kJumpUnless,
    kJump,
    kLock,
    kTryLock,
    kUnlock,
    kSpinLock,
    kSpinUnlock,
    kReadLock,
    kReadUnlock,
    kWriteLock,
    kWriteUnlock,
    kSemaphorePost,
    kSemaphoreWait,
    kBarrierArrive,
    kBarrierLeave,
    kAtomicBegin,
    kAtomicEnd,
    kAssume,
    kAssert,
    kPublish,
    kEnd,
  };
  Do what = Do::kEnd;
  const Statement* statement = nullptr;
  std::size_t target = 0;
};

bool is_release(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

/// Flattens one thread and puts in the fences the model's lowering asks for.
class Flattener {
public:
  explicit Flattener(Model model) : model_(model) {}

  std::vector<Micro> flatten(const std::vector<Statement>& statements) {
    sequence(statements);
    emit(Micro::Do::kPublish, nullptr);
    emit(Micro::Do::kEnd, nullptr);
    return std::move(code_);
  }

private:
  void emit(Micro::Do what, const Statement* statement) { code_.push_back({what, statement, 0}); }

  void sequence(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements)
      one(statement);
  }

  void store(Micro::Do what, const Statement& statement) {
    if (is_release(statement.order) && model_ == Model::kPSO)
      emit(Micro::Do::kStoreStoreFence, nullptr);
    emit(what, &statement);
    if (statement.order == Order::kSeqCst)
      emit(Micro::Do::kFullFence, nullptr);
  }

  void around(Micro::Do before, const Statement& statement, Micro::Do after) {
    emit(before, &statement);
    sequence(statement.body);
    emit(after, &statement);
  }

  void one(const Statement& statement) {
    switch (statement.kind) {
    case Kind::kLoad:
      return emit(Micro::Do::kLoad, &statement);
    case Kind::kDereferenceLoad:
      return emit(Micro::Do::kLoadVia, &statement);
    case Kind::kPointerLoad:
      return emit(Micro::Do::kPointerLoad, &statement);
    case Kind::kStore:
      return store(Micro::Do::kStore, statement);
    case Kind::kDereferenceStore:
      return store(Micro::Do::kStoreVia, statement);
    case Kind::kPointerStore:
      return store(Micro::Do::kPointerStore, statement);
    case Kind::kExchange:
    case Kind::kFetchAdd:
    case Kind::kFetchOr:
    case Kind::kFetchXor:
      return emit(Micro::Do::kModify, &statement);
    case Kind::kCompareExchange:
      return emit(Micro::Do::kCompareExchange, &statement);
    case Kind::kFence:
      if (statement.order == Order::kSeqCst)
        emit(Micro::Do::kFullFence, nullptr);
      else if (is_release(statement.order) && model_ == Model::kPSO)
        emit(Micro::Do::kStoreStoreFence, nullptr);
      return;
    case Kind::kAssign:
      return emit(Micro::Do::kAssign, &statement);
    case Kind::kChoose:
      return emit(Micro::Do::kChoose, &statement);
    case Kind::kIf: {
      const std::size_t branch = code_.size();
      emit(Micro::Do::kJumpUnless, &statement);
      sequence(statement.body);
      const std::size_t jump = code_.size();
      emit(Micro::Do::kJump, nullptr);
      code_[branch].target = code_.size();
      sequence(statement.other);
      code_[jump].target = code_.size();
      return;
    }
    case Kind::kRepeat:
      for (int round = 0; round < statement.count; ++round)
        sequence(statement.body);
      return;
    case Kind::kLock:
      return around(Micro::Do::kLock, statement, Micro::Do::kUnlock);
    case Kind::kTryLock: {
      emit(Micro::Do::kTryLock, &statement);
      const std::size_t branch = code_.size();
      emit(Micro::Do::kJumpUnless, nullptr); // on "not taken": see step()
      code_.back().statement = &statement;
      sequence(statement.body);
      emit(Micro::Do::kUnlock, &statement);
      code_[branch].target = code_.size();
      return;
    }
    case Kind::kSpinLock:
      return around(Micro::Do::kSpinLock, statement, Micro::Do::kSpinUnlock);
    case Kind::kReadLock:
      return around(Micro::Do::kReadLock, statement, Micro::Do::kReadUnlock);
    case Kind::kWriteLock:
      return around(Micro::Do::kWriteLock, statement, Micro::Do::kWriteUnlock);
    case Kind::kWait:
      emit(Micro::Do::kLock, &statement);
      emit(Micro::Do::kUnlock, &statement);
      emit(Micro::Do::kSleep, nullptr);
      emit(Micro::Do::kLock, &statement);
      return emit(Micro::Do::kUnlock, &statement);
    case Kind::kSignal:
      return emit(Micro::Do::kSignal, nullptr);
    case Kind::kBroadcast:
      return emit(Micro::Do::kBroadcast, nullptr);
    case Kind::kSemaphorePost:
      return emit(Micro::Do::kSemaphorePost, &statement);
    case Kind::kSemaphoreWait:
      return emit(Micro::Do::kSemaphoreWait, &statement);
    case Kind::kBarrier:
      emit(Micro::Do::kBarrierArrive, nullptr);
      return emit(Micro::Do::kBarrierLeave, nullptr);
    case Kind::kAtomic:
      return around(Micro::Do::kAtomicBegin, statement, Micro::Do::kAtomicEnd);
    case Kind::kAssume:
      return emit(Micro::Do::kAssume, &statement);
    case Kind::kAssert:
      return emit(Micro::Do::kAssert, &statement);
    }
  }

  Model model_;
  std::vector<Micro> code_;
};

/// A pending store. Places: objects are 0…, the shared pointer is kPointerPlace, a thread's result
/// kResultPlace + thread.
constexpr int kPointerPlace = 100;
constexpr int kResultPlace = 200;
struct Pending {
  int place = 0;
  int offset = 0;
  int size = 4;
  std::uint32_t value = 0;
  int epoch = 0;
};

struct Thread {
  std::size_t pc = 0;
  std::array<std::uint32_t, kRegisters> regs{};
  int pointer = 0; // the object q points to
  int barrier_generation = 0;
  bool took_lock = false; // result of the last trylock
  int atomic_depth = 0;
  int epoch = 0;
  std::vector<Pending> buffer;
};

struct State {
  std::vector<std::uint32_t> objects;
  int pointer = 0;
  std::vector<std::uint32_t> results;
  std::vector<Thread> threads;
  int mutex = -1;
  int spin = -1;
  int writer = -1;
  std::vector<int> readers; // how often each thread holds the read-write lock for reading
  int semaphore = 0;
  int arrived = 0;
  int generation = 0;
  int atomic = -1;
};

class Explorer {
public:
  Explorer(const Program& program, Model model, std::uint64_t limit)
      : program_(program), model_(model), limit_(limit) {
    for (const std::vector<Statement>& thread : program.threads)
      code_.push_back(Flattener(model).flatten(thread));
  }

  std::optional<ReferenceResult> run() {
    State first;
    first.objects.resize(static_cast<std::size_t>(program_.objects));
    first.results.resize(program_.threads.size());
    first.threads.resize(program_.threads.size());
    first.readers.resize(program_.threads.size());
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
    for (const int value : {state.pointer,
                            state.mutex,
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
      for (const int value : {thread.pointer,
                              thread.barrier_generation,
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
    if (place >= kResultPlace)
      return &state.results[static_cast<std::size_t>(place - kResultPlace)];
    return &state.objects[static_cast<std::size_t>(place)];
  }
  static std::uint32_t overwritten(std::uint32_t value, const Pending& pending) {
    const unsigned shift = 8 * static_cast<unsigned>(pending.offset);
    const std::uint32_t bits = mask(pending.size) << shift;
    return (value & ~bits) | ((pending.value << shift) & bits);
  }
  static void write(State& state, const Pending& pending) {
    if (pending.place == kPointerPlace) {
      state.pointer = static_cast<int>(pending.value);
      return;
    }
    std::uint32_t* const target = cell(state, pending.place);
    *target = overwritten(*target, pending);
  }
  /// Each byte from the newest own pending store that covers it, else from memory.
  static std::uint32_t read(State& state, std::size_t thread, int place, int offset, int size) {
    std::uint32_t view =
        place == kPointerPlace ? static_cast<std::uint32_t>(state.pointer) : *cell(state, place);
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
      thread.regs[static_cast<std::size_t>(s->reg)] = read(next, index, thread.pointer, 0, 4);
      break;
    case Micro::Do::kPointerLoad:
      thread.pointer = static_cast<int>(read(next, index, kPointerPlace, 0, 4));
      break;
    case Micro::Do::kStore:
      store(next, index, {s->object, s->offset, s->size, evaluate(thread, s->value), 0});
      break;
    case Micro::Do::kStoreVia:
      store(next, index, {thread.pointer, 0, 4, evaluate(thread, s->value), 0});
      break;
    case Micro::Do::kPointerStore:
      store(next, index, {kPointerPlace, 0, 4, static_cast<std::uint32_t>(s->object), 0});
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
      const bool taken = s->kind == Kind::kTryLock
                             ? thread.took_lock
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
