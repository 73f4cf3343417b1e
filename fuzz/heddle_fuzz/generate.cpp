// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/generate.h"

#include <algorithm>
#include <array>
#include <span>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;

struct Weighted {
  Kind kind;
  unsigned weight;
};

/// Loads and stores dominate, since weak behaviour needs several of them in a row without a fence.
constexpr std::array kSimple = {Weighted{Kind::kLoad, 30},
                                Weighted{Kind::kStore, 34},
                                Weighted{Kind::kExchange, 2},
                                Weighted{Kind::kFetchAdd, 2},
                                Weighted{Kind::kFetchOr, 1},
                                Weighted{Kind::kFetchXor, 1},
                                Weighted{Kind::kCompareExchange, 3},
                                Weighted{Kind::kFence, 4},
                                Weighted{Kind::kAssign, 2},
                                Weighted{Kind::kPointerStore, 2},
                                Weighted{Kind::kPointerLoad, 2},
                                Weighted{Kind::kDereferenceLoad, 3},
                                Weighted{Kind::kDereferenceStore, 3}};
constexpr std::array kNested = {Weighted{Kind::kIf, 6},
                                Weighted{Kind::kRepeat, 2},
                                Weighted{Kind::kLock, 3},
                                Weighted{Kind::kTryLock, 1},
                                Weighted{Kind::kSpinLock, 1},
                                Weighted{Kind::kReadLock, 1},
                                Weighted{Kind::kWriteLock, 1}};
/// What makes a program compare addresses when it runs.
constexpr std::array kPointers = {Weighted{Kind::kPointerStore, 1},
                                  Weighted{Kind::kPointerLoad, 2},
                                  Weighted{Kind::kDereferenceLoad, 3},
                                  Weighted{Kind::kDereferenceStore, 4}};
/// What an abstraction has an operation for.
constexpr std::array kOperations = {Weighted{Kind::kLoad, 20},
                                    Weighted{Kind::kStore, 22},
                                    Weighted{Kind::kFence, 3},
                                    Weighted{Kind::kFetchAdd, 2},
                                    Weighted{Kind::kCompareExchange, 2}};
constexpr std::array kModelOnly = {Weighted{Kind::kChoose, 2},
                                   Weighted{Kind::kWait, 1},
                                   Weighted{Kind::kSignal, 1},
                                   Weighted{Kind::kBroadcast, 1},
                                   Weighted{Kind::kSemaphorePost, 2},
                                   Weighted{Kind::kSemaphoreWait, 1},
                                   Weighted{Kind::kAtomic, 3},
                                   Weighted{Kind::kAssume, 1},
                                   Weighted{Kind::kAssert, 1}};

class Generator {
public:
  Generator(Rng& rng, const GenerateOptions& options) : rng_(rng), options_(options) {}

  Program program() {
    if (options_.for_abstractions)
      return program_of_operations();
    Program program;
    program.objects = rng_.chance(5, 6) ? 2 : 3;
    objects_ = program.objects;
    // Random statements seldom meet in the few shapes that tell the models apart. So most programs
    // are mainly weak loads and stores, each into a register and with a value of its own, with
    // something else now and then.
    is_litmus_like_ = rng_.chance(4, 5);
    const std::uint64_t shape = rng_.below(10);
    const std::uint64_t threads = shape < 6 ? 2 : (shape < 9 ? 3 : 4);
    // The naive reference pays for every interleaving: the more threads, the shorter they are.
    budget_ = threads == 2 ? 5 : (threads == 3 ? 3 : 2);
    const std::uint64_t least = is_litmus_like_ ? (threads == 4 ? 1 : 2) : 1;
    mixed_sizes_ = rng_.chance(1, 5);
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
      next_register_ = 0;
      program.threads.push_back(
          body(least + rng_.below(static_cast<std::uint64_t>(budget_) + 1 - least), 0));
    }
    if (!options_.for_hardware && rng_.chance(1, 25)) {
      for (std::vector<Statement>& thread : program.threads)
        if (rng_.chance(2, 3))
          thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(rng_.below(thread.size() + 1)),
                        Statement{.kind = Kind::kBarrier});
    }
    return program;
  }

private:
  Program program_of_operations() {
    Program program;
    program.objects = objects_ = rng_.chance(7, 8) ? 2 : 3;
    is_litmus_like_ = rng_.chance(5, 6);
    const std::uint64_t threads = rng_.chance(5, 6) ? 2 : 3;
    writes_left_ = 3 + rng_.below(rng_.chance(1, 6) ? 3 : 2);
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
      next_register_ = 0;
      last_object_ = static_cast<int>(rng_.below(static_cast<std::uint64_t>(objects_)));
      program.threads.push_back(
          operations(threads == 2 ? 2 + rng_.below(rng_.chance(1, 4) ? 3 : 2) : 1 + rng_.below(2)));
    }
    return program;
  }

  /// Some of them may be in a lock or an atomic section, which is a pair of brackets among them.
  /// Buffers show where a thread writes and then reads, or writes twice, and another one looks.
  std::vector<Statement> operations(std::uint64_t length) {
    const std::uint64_t shape = rng_.below(10);
    const bool writes_first = shape < 7;
    const bool writes_last = shape >= 4 && shape < 8;
    std::vector<Statement> statements;
    for (std::uint64_t index = 0; index < length; ++index)
      statements.push_back(operation(2 * index < length ? writes_first : writes_last));
    const bool has_lock = rng_.chance(1, 12) && take_writes(2);
    if (!has_lock && !rng_.chance(1, 10))
      return statements;
    const std::uint64_t first = rng_.below(length);
    const std::uint64_t count = 1 + rng_.below(length - first);
    const auto begin = statements.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    Statement brackets{.kind = has_lock ? Kind::kLock : Kind::kAtomic, .body = {begin, end}};
    statements.insert(statements.erase(begin, end), std::move(brackets));
    return statements;
  }

  bool take_writes(std::uint64_t count) {
    if (writes_left_ < count)
      return false;
    writes_left_ -= count;
    return true;
  }

  Statement operation(bool writes) {
    Statement result;
    if (is_weak())
      result.kind = rng_.chance(writes ? 6 : 1, 7) ? Kind::kStore : Kind::kLoad;
    else
      result.kind = pick(kOperations);
    const bool may_write = result.kind != Kind::kLoad && result.kind != Kind::kFence;
    if (may_write && !take_writes(1))
      result.kind = Kind::kLoad;
    result.object = last_object_;
    if (rng_.chance(5, 6))
      result.object = (last_object_ + 1 +
                       static_cast<int>(rng_.below(static_cast<std::uint64_t>(objects_ - 1)))) %
                      objects_;
    last_object_ = result.object;
    result.value.constant =
        1 + (is_litmus_like_ ? next_value_++ % 3 : static_cast<std::uint32_t>(rng_.below(2)));
    if (result.kind == Kind::kLoad || result.kind == Kind::kFetchAdd ||
        result.kind == Kind::kCompareExchange)
      result.reg = next_register_++ % kRegisters;
    if (result.kind == Kind::kLoad) {
      result.order = load_order();
    } else if (result.kind == Kind::kStore) {
      result.order = store_order();
      if (next_register_ != 0 && rng_.chance(1, 6))
        result.value.reg = static_cast<int>(
            rng_.below(static_cast<std::uint64_t>(std::min(next_register_, kRegisters))));
    } else {
      result.order = any_atomic_order();
      result.expected.constant = static_cast<std::uint32_t>(rng_.below(2));
    }
    return result;
  }

  Kind pick(std::span<const Weighted> table) {
    unsigned total = 0;
    for (const Weighted& entry : table)
      total += entry.weight;
    std::uint64_t ticket = rng_.below(total);
    for (const Weighted& entry : table) {
      if (ticket < entry.weight)
        return entry.kind;
      ticket -= entry.weight;
    }
    return Kind::kLoad;
  }

  std::vector<Statement> body(std::uint64_t length, int depth) {
    std::vector<Statement> statements;
    for (std::uint64_t index = 0; index < length; ++index)
      statements.push_back(statement(depth));
    return statements;
  }

  Kind bare_kind() {
    if (options_.for_reduction && rng_.chance(1, 2))
      return pick(kPointers);
    return rng_.chance(1, 2) ? Kind::kLoad : Kind::kStore;
  }

  bool is_weak() { return is_litmus_like_ && rng_.chance(9, 10); }

  Order load_order() {
    if (is_weak())
      return rng_.chance(1, 2) ? Order::kPlain : Order::kRelaxed;
    constexpr std::array kOrders = {Order::kPlain,
                                    Order::kPlain,
                                    Order::kVolatile,
                                    Order::kRelaxed,
                                    Order::kRelaxed,
                                    Order::kAcquire,
                                    Order::kSeqCst};
    return kOrders[rng_.below(kOrders.size())];
  }
  Order store_order() {
    if (is_weak())
      return rng_.chance(1, 2) ? Order::kPlain : Order::kRelaxed;
    constexpr std::array kOrders = {Order::kPlain,
                                    Order::kPlain,
                                    Order::kVolatile,
                                    Order::kRelaxed,
                                    Order::kRelaxed,
                                    Order::kRelaxed,
                                    Order::kRelease,
                                    Order::kSeqCst};
    return kOrders[rng_.below(kOrders.size())];
  }
  Order any_atomic_order() {
    constexpr std::array kOrders = {
        Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel, Order::kSeqCst};
    return kOrders[rng_.below(kOrders.size())];
  }

  void choose_place(Statement& statement) {
    statement.object = static_cast<int>(rng_.below(static_cast<std::uint64_t>(objects_)));
    statement.size = 4;
    if (mixed_sizes_ && rng_.chance(1, 2)) {
      statement.size = rng_.chance(1, 2) ? 1 : 2;
      statement.offset =
          statement.size *
          static_cast<int>(rng_.below(static_cast<std::uint64_t>(4 / statement.size)));
    }
  }
  int any_register() { return static_cast<int>(rng_.below(kRegisters)); }
  Expression expression() {
    if (rng_.chance(2, 3))
      return {.reg = -1, .constant = 1 + static_cast<std::uint32_t>(rng_.below(3))};
    return {.reg = any_register(), .constant = static_cast<std::uint32_t>(rng_.below(2))};
  }

  Statement statement(int depth) {
    Statement result;
    const std::uint64_t family = rng_.below(100);
    const bool is_bare = is_litmus_like_ && rng_.chance(9, 10);
    if (is_bare)
      result.kind = bare_kind();
    else if (family < 80 || depth >= 2)
      result.kind = pick(kSimple);
    else if (family < 92 || options_.for_hardware)
      result.kind = pick(kNested);
    else
      result.kind = pick(kModelOnly);
    result.reg = any_register();
    result.constant = static_cast<std::uint32_t>(rng_.below(3));
    result.value = expression();
    if (is_bare) {
      result.reg = next_register_++ % kRegisters;
      result.value = {.reg = -1, .constant = ++next_value_};
      if (options_.for_reduction && rng_.chance(1, 4))
        result.value.reg = any_register();
    }
    choose_place(result);
    switch (result.kind) {
    case Kind::kLoad:
    case Kind::kDereferenceLoad:
    case Kind::kPointerLoad:
      result.order = load_order();
      break;
    case Kind::kStore:
    case Kind::kDereferenceStore:
    case Kind::kPointerStore:
      result.order = store_order();
      break;
    case Kind::kExchange:
    case Kind::kFetchAdd:
    case Kind::kFetchOr:
    case Kind::kFetchXor:
      result.order = any_atomic_order();
      break;
    case Kind::kCompareExchange:
      result.order = any_atomic_order();
      result.failure = rng_.chance(1, 2) ? Order::kRelaxed : Order::kAcquire;
      result.expected = {.reg = -1, .constant = static_cast<std::uint32_t>(rng_.below(3))};
      result.weak = !options_.for_hardware && rng_.chance(1, 4);
      break;
    case Kind::kFence:
      result.order = any_atomic_order();
      break;
    case Kind::kIf:
      result.body = body(1, depth + 1);
      if (rng_.chance(1, 2))
        result.other = body(1, depth + 1);
      break;
    case Kind::kRepeat:
      result.count = 2;
      result.body = body(1, depth + 1);
      if (options_.for_reduction && rng_.chance(5, 6))
        result.body.insert(result.body.begin() + (rng_.chance(1, 2) ? 0 : 1),
                           Statement{.kind = Kind::kFence, .order = Order::kSeqCst});
      break;
    case Kind::kLock:
    case Kind::kTryLock:
    case Kind::kSpinLock:
    case Kind::kReadLock:
    case Kind::kWriteLock:
    case Kind::kAtomic:
      // Locks do not nest here: a nested one would mostly be a deadlock, which other tests cover.
      // Depth 2 makes what is inside simple.
      result.body = body(1 + rng_.below(2), 2);
      break;
    case Kind::kAssign:
    case Kind::kChoose:
    case Kind::kWait:
    case Kind::kSignal:
    case Kind::kBroadcast:
    case Kind::kSemaphorePost:
    case Kind::kSemaphoreWait:
    case Kind::kBarrier:
    case Kind::kAssume:
    case Kind::kAssert:
      break;
    // Of generate_nodes.cpp.
    case Kind::kPlaceLoad:
    case Kind::kPlaceStore:
    case Kind::kPlaceFetchAdd:
    case Kind::kPointAt:
    case Kind::kHoldNode:
    case Kind::kSamePlace:
    case Kind::kPointerPublish:
    case Kind::kNodePublish:
    case Kind::kNodeTake:
    case Kind::kNodeSwap:
    case Kind::kNodeCompareExchange:
    case Kind::kAllocate:
    case Kind::kFree:
    case Kind::kFieldLoad:
    case Kind::kFieldStore:
    case Kind::kIfPlace:
    case Kind::kIfNode:
      break;
    }
    return result;
  }

  Rng& rng_;
  GenerateOptions options_;
  int objects_ = 2;
  int budget_ = 5;
  bool mixed_sizes_ = false;
  bool is_litmus_like_ = false;
  int next_register_ = 0;
  std::uint32_t next_value_ = 0;
  // Of programs for abstractions:
  std::uint64_t writes_left_ = 0;
  int last_object_ = 0;
};

} // namespace

Program generate(Rng& rng, const GenerateOptions& options) {
  return options.with_nodes ? generate_with_nodes(rng) : Generator(rng, options).program();
}

} // namespace heddle::fuzz
