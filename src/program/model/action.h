// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a thread can do in one step: the closed family every engine, machine and transform works
// with. Operands are terms over the locals of the procedure (logic variable n is LocalId n;
// kSelfVariable is the running thread's index).
#pragma once

#include "ir/ir.h"
#include "logic/term.h"
#include "support/id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle::program {

using ObjectId = Id<struct ObjectTag>;
using ProcedureId = Id<struct ProcedureTag>;
using LocalId = Id<struct LocalTag>;         // within a procedure
using LocationId = Id<struct LocationTag>;   // within a procedure
using ObjectSetId = Id<struct ObjectSetTag>; // into Program::object_sets; none = any object
using ir::AccessKind;
using ir::Order;
using ir::RmwOp;
using ir::SyncOp;
using logic::Term;

/// The variable number that stands for the running thread's index (a 64-bit term) in every
/// procedure.
inline constexpr std::uint64_t kSelfVariable = 0xffff'fff0;

/// How memory is touched. `order`, `kind` and `tags` are what the source says; the rest is found
/// out later.
struct Access {
  std::uint8_t size = 0; // bytes
  AccessKind kind = AccessKind::kPlain;
  Order order = Order::kNone;
  std::vector<std::string> tags = {};
  bool drains = false;    // set by lower(): waits until the thread's store buffer is empty
  bool is_visible = true; // set by escape.cpp: another thread may reach what it touches
  ObjectSetId may = {};   // set by alias.cpp: the objects it may touch
  bool operator==(const Access&) const = default;
};

struct Skip {
  bool operator==(const Skip&) const = default;
};
struct Assign {
  LocalId dest;
  Term value;
  /// Locals the source computes it from although the value does not depend on them (x ^ x): what a
  /// processor sees as a dependency. Only kept where BuildOptions::keep_registers asks for it.
  std::vector<LocalId> also_from = {};
  bool operator==(const Assign&) const = default;
};
/// Several assignments in sequence, made by transform/basic/merge_local out of a run of Assign
/// edges.
struct AssignSequence {
  std::vector<Assign> assignments;
  bool operator==(const AssignSequence&) const = default;
};
struct Nondet {
  LocalId dest;
  std::string origin;
  bool operator==(const Nondet&) const = default;
};
/// The edge can be taken only if the condition holds. The out-edges of a location are either Assume
/// edges made from a branch (`is_branch`: exactly one of them holds), or one edge of another kind.
/// A false Assume that is no branch ends the run: it does not count.
struct Assume {
  Term condition;
  bool is_branch = false;
  /// What it looks at decides about all that follows, not only up to where the arms of a branch
  /// meet. Set by program/control_reach.
  bool lasts = false;
  bool operator==(const Assume&) const = default;
};
enum class CheckKind : std::uint8_t {
  kAssertion,      // assert, __VERIFIER_assert
  kErrorCall,      // reach_error and its kin
  kSignedOverflow, // checked only when overflow is asked for
  kDivisionByZero, // undefined behaviour, from here on
  kOversizedShift,
  kPointerArithmetic, // left the neighbourhood of its object: `base` and `condition`'s term are
                      // compared by the interpreter
  kArrayIndex,        // an array's own bounds: the object it is part of may be larger
  kUnreachable,       // control reached the impossible
};
/// A violation where the condition is false.
struct Check {
  Term condition;
  CheckKind kind = CheckKind::kAssertion;
  std::string what;
  bool operator==(const Check&) const = default;
};
/// Undefined unless both pointers lie in the neighbourhood of one object (address_space.h).
struct CheckNeighbourhood {
  Term base;
  Term result;
  bool operator==(const CheckNeighbourhood&) const = default;
};
/// With `marks` a copy: unwritten bytes are read as 0, and their bits are set in the 8-bit local.
struct Load {
  LocalId dest;
  Term address;
  Access access;
  std::optional<LocalId> marks = {};
  bool operator==(const Load&) const = default;
};
/// With `marks` (8 bits), the bytes whose bits are set become unwritten.
struct Store {
  Term address;
  Term value;
  Access access;
  std::optional<Term> marks = {};
  bool operator==(const Store&) const = default;
};
struct LoadExclusive {
  LocalId dest;
  Term address;
  Access access;
  bool operator==(const LoadExclusive&) const = default;
};
struct StoreExclusive {
  LocalId success;
  Term address;
  Term value;
  Access access;
  bool operator==(const StoreExclusive&) const = default;
};
struct ReadModifyWrite {
  LocalId dest;
  Term address;
  RmwOp op = RmwOp::kExchange;
  Term value;
  Access access;
  bool operator==(const ReadModifyWrite&) const = default;
};
struct CompareExchange {
  LocalId dest;
  LocalId success;
  Term address;
  Term expected;
  Term desired;
  Access access;
  Order failure_order = Order::kSeqCst;
  bool weak = false;
  bool operator==(const CompareExchange&) const = default;
};
/// In the machine vocabulary (after transform/basic/lower) only the strength matters: kNone does
/// nothing at all; kMark does nothing to memory but is a step, since it may take part in
/// happens-before; kStoreStore and kFull are the machine's.
struct Fence {
  enum class Strength : std::uint8_t { kNone, kMark, kStoreStore, kFull };
  Access access;
  Strength strength = Strength::kNone;
  bool operator==(const Fence&) const = default;
};
struct Allocate {
  LocalId dest;
  Term size;
  ir::Allocate::Where where = ir::Allocate::Where::kHeap;
  bool zeroed = false;
  ObjectId site;
  bool is_visible = true; // false if no other thread can tell when it happens
  bool operator==(const Allocate&) const = default;
};
struct Free {
  Term address;
  bool is_visible = true;
  ObjectSetId may = {};
  bool operator==(const Free&) const = default;
};
struct BlockSize {
  LocalId dest;
  Term address;
  bool operator==(const BlockSize&) const = default;
};
/// A direct call has one target and no `function` term; a call through a pointer carries both.
struct Call {
  std::optional<LocalId> dest;
  std::optional<Term> function;
  std::vector<ProcedureId> targets;
  std::vector<Term> arguments;
  bool operator==(const Call&) const = default;
};
struct Return {
  std::optional<Term> value;
  bool operator==(const Return&) const = default;
};
/// SyncOp::kCreate has `targets` like a call; operand 0 is the function, 1 the argument. `drains`
/// as in Access; `may` covers all objects whose addresses are operands (the mutex of a condition
/// wait, too), and is none for threads' own operations.
struct Synchronize {
  std::optional<LocalId> dest;
  SyncOp op = SyncOp::kSelf;
  std::vector<Term> operands;
  std::vector<ProcedureId> targets = {};
  bool drains = false;
  ObjectSetId may = {};
  bool operator==(const Synchronize&) const = default;
};
struct AtomicBegin {
  bool drains = false;
  bool operator==(const AtomicBegin&) const = default;
};
struct AtomicEnd {
  bool drains = false;
  bool operator==(const AtomicEnd&) const = default;
};
struct Hint {
  ir::Hint::Kind kind = ir::Hint::Kind::kLoopBound;
  std::string name;
  std::vector<Term> operands;
  bool operator==(const Hint&) const = default;
};
struct ThreadExit {
  std::optional<Term> value;
  bool drains = false;
  bool operator==(const ThreadExit&) const = default;
};
/// Ends all threads: exit, abort, return from main.
struct Exit {
  bool operator==(const Exit&) const = default;
};
/// A bound ended this run here; `bound` is a phrase for the verdict ("loop at f.c:12 unrolled 4
/// times").
struct Cut {
  std::string bound;
  bool operator==(const Cut&) const = default;
};
/// Something unsupported was met here.
struct Trap {
  std::string what;
  std::string help;
  bool operator==(const Trap&) const = default;
};

using Action = std::variant<Skip,
                            Assign,
                            AssignSequence,
                            Nondet,
                            Assume,
                            Check,
                            CheckNeighbourhood,
                            Load,
                            Store,
                            LoadExclusive,
                            StoreExclusive,
                            ReadModifyWrite,
                            CompareExchange,
                            Fence,
                            Allocate,
                            Free,
                            BlockSize,
                            Call,
                            Return,
                            Synchronize,
                            AtomicBegin,
                            AtomicEnd,
                            Hint,
                            ThreadExit,
                            Exit,
                            Cut,
                            Trap>;

} // namespace heddle::program
