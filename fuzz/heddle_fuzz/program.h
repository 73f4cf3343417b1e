// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A random small concurrent program, as a tree of statements: the form the generator makes, the
// shrinker edits, the reference explores, and the printers turn into C, C litmus and ir. It is
// deliberately not built on src/: what it means is defined a second time, in reference.cpp, so that
// a mistake in the tool cannot hide in both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::fuzz {

/// Each thread has this many 32-bit registers, all 0 at first, and a pointer register q, at first
/// &x0. Where programs have nodes, each thread also has a register h for a node, at first &g.
inline constexpr int kRegisters = 4;
/// Numbers in a node: n and the elements of a. Those of g are kFirstNumber, kFirstNumber + 1, … at
/// first, so that g is told from a new node.
inline constexpr int kNodeNumbers = 3;
inline constexpr std::uint32_t kFirstNumber = 5;

enum class Order : std::uint8_t {
  kPlain,
  kVolatile,
  kRelaxed,
  kAcquire,
  kRelease,
  kAcqRel,
  kSeqCst
};

/// (register or 0) + constant
struct Expression {
  int reg = -1;
  std::uint32_t constant = 0;
  bool operator==(const Expression&) const = default;
};

/// A word or a node. A node is `struct node { unsigned n; unsigned a[2]; unsigned *p; }`.
struct Address {
  enum class Of : std::uint8_t {
    kNowhere,    // the null pointer
    kGlobal,     // x0, x1, …
    kLocal,      // the thread's own word l
    kGlobalNode, // g
    kLocalNode,  // the thread's own node
    kHeldNode,   // where h points
  };
  Of of = Of::kGlobal;
  int object = 0;
  /// Of a node, as a word: n, or a[index & 1].
  bool in_array = false;
  Expression index = {};
  bool operator==(const Address&) const = default;
};

struct Statement {
  enum class Kind : std::uint8_t {
    kLoad,  // reg := [object + offset, size]
    kStore, // [object + offset, size] := value
    kExchange,
    kFetchAdd,
    kFetchOr,
    kFetchXor,        // reg := old
    kCompareExchange, // reg := success (1/0); weak if `weak`
    kFence,
    kAssign,   // reg := value
    kChoose,   // reg := 0 or 1
    kIf,       // reg == constant ? body : other
    kRepeat,   // body, `count` times
    kLock,     // lock m; body; unlock m
    kTryLock,  // if trylock m succeeds: body; unlock m. reg := 1/0
    kSpinLock, // lock s; body; unlock s
    kReadLock,
    kWriteLock, // read-write lock around body
    kWait,      // lock m; condition wait; unlock m (it may always wake up spuriously)
    kSignal,
    kBroadcast,
    kSemaphorePost,
    kSemaphoreWait,
    kBarrier,
    kAtomic,           // atomic section around body
    kPointerStore,     // p := &object
    kPointerLoad,      // q := p
    kDereferenceLoad,  // reg := *q
    kDereferenceStore, // *q := value
    kAssume,           // reg != constant
    kAssert,           // reg != constant
    // Of programs with nodes:
    kPlaceLoad,           // reg := [address]
    kPlaceStore,          // [address] := value
    kPlaceFetchAdd,       // reg := [address], [address] := reg + value
    kPointAt,             // q := address; if conditional, `otherwise` unless reg == constant
    kHoldNode,            // h := address, a node; likewise
    kSamePlace,           // reg := (q == address)
    kPointerPublish,      // p := q
    kNodePublish,         // s := h
    kNodeTake,            // h := s
    kNodeSwap,            // h := s, s := address (h or null)
    kNodeCompareExchange, // if s == address (g or null): s := h; reg := success
    kAllocate,            // h := a new node of zeros
    kFree,                // of h
    kFieldLoad,           // q := [node at address].p
    kFieldStore,          // [node at address].p := q
    kIfPlace,             // q != 0 ? body : other
    kIfNode,              // h != 0 ? body : other
  };
  Kind kind = Kind::kAssign;
  Order order = Order::kPlain;
  Order failure = Order::kRelaxed; // compare-exchange
  int reg = 0;
  int object = 0;
  int offset = 0;
  int size = 4;
  Expression value = {};
  Expression expected = {};
  std::uint32_t constant = 0;
  int count = 0;
  bool weak = false;
  Address address = {};
  Address otherwise = {};
  bool is_conditional = false;
  std::vector<Statement> body = {};
  std::vector<Statement> other = {};
  bool operator==(const Statement&) const = default;
};

struct Program {
  int objects = 2; // x0, x1, …: 4 bytes each, 0 at first
  std::vector<std::vector<Statement>> threads;
  /// There is a node g, a shared pointer s to nodes, and each thread has a word and a node.
  bool has_nodes = false;
  bool starts_empty = false;   // s is null at first, else &g
  bool locals_in_main = false; // the threads' own words and nodes are main's, and outlive them
  [[nodiscard]] int barrier_count() const; // threads that have a barrier statement
  bool operator==(const Program&) const = default;
};

/// What a run leaves behind: x0, x1, …, then o0, o1, … (each thread's registers, 8 bits each); with
/// nodes, then og (the numbers of g, 8 bits each).
using FinalState = std::vector<std::uint32_t>;
[[nodiscard]] std::vector<std::string> observed_names(const Program& program);
/// The number of statements, nested ones included.
[[nodiscard]] int size_of(const Program& program);

enum class Model : std::uint8_t { kSC, kTSO, kPSO };
[[nodiscard]] const char* name_of(Model model);

} // namespace heddle::fuzz
