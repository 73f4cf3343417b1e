// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The small typed language every front end produces: functions as control-flow graphs of
// instructions over mutable registers (there are no phis and no SSA), byte-addressed globals, and
// one instruction for each thing a concurrent program can do. It knows nothing of LLVM, of memory
// models or of verification. `docs/ir.md` gives the text form and the meaning of each instruction;
// print.h, parse.h, verify.h and link.h work on it; program/build/build.h consumes it.
#pragma once

#include "ir/part.h"
#include "ir/sync_op.h"
#include "support/approximation.h"
#include "support/id.h"
#include "support/source_loc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle::ir {

using RegisterId = Id<struct RegisterTag>;
using SlotId = Id<struct SlotTag>;
using BlockId = Id<struct BlockTag>;
using GlobalId = Id<struct GlobalTag>;
using FunctionId = Id<struct FunctionTag>;

/// Nothing, an integer of 1 to 64 bits, or a pointer (as wide as the module's data model says).
struct Type {
  enum class Kind : std::uint8_t { kVoid, kInteger, kPointer };
  Kind kind = Kind::kVoid;
  std::uint8_t bits = 0; // integers only

  static constexpr Type none() { return {}; }
  static constexpr Type integer(unsigned bits) {
    return {Kind::kInteger, static_cast<std::uint8_t>(bits)};
  }
  static constexpr Type pointer() { return {Kind::kPointer, 0}; }
  [[nodiscard]] constexpr bool is_pointer() const { return kind == Kind::kPointer; }
  [[nodiscard]] constexpr bool is_void() const { return kind == Kind::kVoid; }
  constexpr auto operator<=>(const Type&) const = default;
};
inline constexpr Type kBit = Type::integer(1);
inline constexpr Type kByte = Type::integer(8);
inline constexpr Type kInt = Type::integer(32); // that of C

/// A literal; `value` is zero-extended from its type's width.
struct Constant {
  Type type;
  std::uint64_t value = 0;
  auto operator<=>(const Constant&) const = default;
};
/// The address of a global (of this thread's instance, if it is thread-local) plus a number of
/// bytes.
struct GlobalAddress {
  GlobalId global;
  std::int64_t offset = 0;
  auto operator<=>(const GlobalAddress&) const = default;
};
struct FunctionAddress {
  FunctionId function;
  auto operator<=>(const FunctionAddress&) const = default;
};
/// The address of a memory slot of the running function's frame.
struct SlotAddress {
  SlotId slot;
  auto operator<=>(const SlotAddress&) const = default;
};
using Operand = std::variant<Constant, RegisterId, GlobalAddress, FunctionAddress, SlotAddress>;

/// Pure operations. Comparisons give i1. Shift amounts and both operands of a binary operation have
/// the result's width.
enum class Op : std::uint8_t {
  kCopy, // a
  kAdd,
  kSub,
  kMul,
  kUDiv,
  kSDiv,
  kURem,
  kSRem,
  kShl,
  kLShr,
  kAShr,
  kAnd,
  kOr,
  kXor,
  kEq,
  kNe,
  kULt,
  kULe,
  kSLt,
  kSLe,
  // Between integers and/or pointers, by the width of the destination
  kZExt,
  kSExt,
  kTrunc,
  kSelect, // a ? b : c
  // A pointer plus an integer of pointer width: must stay in the neighbourhood of a's object
  kPtrAdd,
};

/// dest := op(operands). `no_signed_wrap` marks arithmetic that is signed overflow in C when it
/// wraps.
struct Compute {
  RegisterId dest;
  Op op = Op::kCopy;
  std::vector<Operand> operands;
  bool no_signed_wrap = false;
  bool operator==(const Compute&) const = default;
};

/// dest := any value of its type. `origin` says which ("__VERIFIER_nondet_int", "uninitialised x").
struct Nondet {
  RegisterId dest;
  std::string origin;
  bool operator==(const Nondet&) const = default;
};

enum class AccessKind : std::uint8_t { kPlain, kVolatile, kAtomic };
enum class Order : std::uint8_t { kNone, kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };

/// How memory is touched. `tags` are a vocabulary's own marks ("Mfence", "DMB.SY", "Rcu-lock"),
/// sorted, no duplicates.
struct Access {
  AccessKind kind = AccessKind::kPlain;
  Order order = Order::kNone;
  std::vector<std::string> tags = {};
  bool operator==(const Access&) const = default;
};

/// With `marks` it only copies: bytes that were never written are read as 0, and bit i of the i8
/// says that byte i is one of them. Without, reading such a byte gives an arbitrary value.
struct Load {
  RegisterId dest; // as many bytes as its type has, rounded up
  Operand address;
  Access access;
  std::optional<RegisterId> marks = {};
  bool operator==(const Load&) const = default;
};
/// With `marks` (an i8), the bytes whose bit is set become unwritten instead.
struct Store {
  Operand address;
  Operand value;
  Type type; // of the value
  Access access;
  std::optional<Operand> marks = {};
  bool operator==(const Store&) const = default;
};
/// Load-linked and store-conditional, for vocabularies that have them. `success` gets 1 when the
/// store took place.
struct LoadExclusive {
  RegisterId dest;
  Operand address;
  Access access;
  bool operator==(const LoadExclusive&) const = default;
};
struct StoreExclusive {
  RegisterId success;
  Operand address;
  Operand value;
  Type type;
  Access access;
  bool operator==(const StoreExclusive&) const = default;
};
enum class RmwOp : std::uint8_t {
  kExchange,
  kAdd,
  kSub,
  kAnd,
  kNand,
  kOr,
  kXor,
  kMax,
  kMin,
  kUMax,
  kUMin,
};
struct ReadModifyWrite {
  RegisterId dest; // the old value
  Operand address;
  RmwOp op = RmwOp::kExchange;
  Operand value;
  Access access;
  bool operator==(const ReadModifyWrite&) const = default;
};
/// dest := *address; success := (dest == expected); if success, *address := desired. A weak one may
/// also fail.
struct CompareExchange {
  RegisterId dest;
  RegisterId success; // i1
  Operand address;
  Operand expected;
  Operand desired;
  Access access; // of the successful read-modify-write
  Order failure_order = Order::kSeqCst;
  bool weak = false;
  bool operator==(const CompareExchange&) const = default;
};
/// `access.kind` is kAtomic for fences of the machine and kPlain for a compiler barrier (which
/// orders nothing here).
struct Fence {
  Access access;
  bool operator==(const Fence&) const = default;
};

/// A block of `size` bytes on the heap, or (kFrame) one that lives until the running function
/// returns.
struct Allocate {
  enum class Where : std::uint8_t { kHeap, kFrame };
  RegisterId dest;
  Operand size;
  Where where = Where::kHeap;
  bool zeroed = false;
  bool operator==(const Allocate&) const = default;
};
struct Free {
  Operand address;
  bool operator==(const Free&) const = default;
};
/// dest := the size in bytes of the live heap block that starts at `address` (for realloc).
struct BlockSize {
  RegisterId dest;
  Operand address;
  bool operator==(const BlockSize&) const = default;
};

struct Call {
  std::optional<RegisterId> dest;
  Operand callee; // a FunctionAddress for a direct call
  std::vector<Operand> arguments;
  bool operator==(const Call&) const = default;
};

/// Threads and their synchronisation (sync_ops.def). Results: 0 or a POSIX error number where C
/// gives one (dest is optional everywhere). The state of a lock lies in the object's own bytes
/// (program/model/sync_layout.h), all zero being "free".
struct Synchronize {
  std::optional<RegisterId> dest;
  SyncOp op = SyncOp::kSelf;
  std::vector<Operand> operands;
  bool operator==(const Synchronize&) const = default;
};

/// While a section is open no other thread steps. Sections nest.
struct AtomicBegin {
  bool operator==(const AtomicBegin&) const = default;
};
struct AtomicEnd {
  bool operator==(const AtomicEnd&) const = default;
};

/// A run in which the condition (i1) is false does not count.
struct Assume {
  Operand condition;
  bool operator==(const Assume&) const = default;
};
/// The property "reach" is violated where the condition (i1) is false. `what` is its text or the
/// function called. An index check is none of the program's: the access that follows is out of the
/// bounds of an array, maybe inside a larger object, where the condition is false.
struct Assert {
  Operand condition;
  std::string what;
  bool is_index_check = false;
  bool operator==(const Assert&) const = default;
};

/// What the source says about a loop or an operation; engines may use it, the meaning of the
/// program does not change.
struct Hint {
  enum class Kind : std::uint8_t {
    kLoopBound,      // __VERIFIER_loop_bound(value) for the loop that follows
    kSpinStart,      // an iteration of a waiting loop starts
    kSpinEnd,        // … and ends; the operand (i1) says whether the loop is left
    kOperationBegin, // of a concurrent object; `name` is the operation
    kOperationEnd,
  };
  Kind kind = Kind::kLoopBound;
  std::string name = {};
  std::vector<Operand> operands = {};
  bool operator==(const Hint&) const = default;
};

/// Something unsupported stands here. A verdict that can reach it is `unknown` and says `what` and
/// `help`.
struct Trap {
  std::string what;
  std::string help;
  bool operator==(const Trap&) const = default;
};

// Terminators: the last instruction of each block, and only that.
struct Jump {
  BlockId target;
  bool operator==(const Jump&) const = default;
};
struct Branch {
  Operand condition; // i1
  BlockId if_true;
  BlockId if_false;
  bool operator==(const Branch&) const = default;
};
struct SwitchCase {
  std::uint64_t value = 0;
  BlockId target;
  bool operator==(const SwitchCase&) const = default;
};
struct Switch {
  Operand value;
  std::vector<SwitchCase> cases;
  BlockId otherwise;
  bool operator==(const Switch&) const = default;
};
struct Return {
  std::optional<Operand> value;
  bool operator==(const Return&) const = default;
};
/// This thread ends, with that value (pthread_exit).
struct ThreadExit {
  std::optional<Operand> value;
  bool operator==(const ThreadExit&) const = default;
};
/// The whole program ends (exit, abort).
struct Exit {
  bool operator==(const Exit&) const = default;
};
/// Control cannot come here unless the program has undefined behaviour.
struct Unreachable {
  bool operator==(const Unreachable&) const = default;
};

using Operation = std::variant<Compute,
                               Nondet,
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
                               Synchronize,
                               AtomicBegin,
                               AtomicEnd,
                               Assume,
                               Assert,
                               Hint,
                               Trap,
                               Jump,
                               Branch,
                               Switch,
                               Return,
                               ThreadExit,
                               Exit,
                               Unreachable>;

struct Instruction {
  Operation operation;
  SourceLoc loc;
  bool operator==(const Instruction&) const = default;
};

[[nodiscard]] bool is_terminator(const Operation& operation);

struct Register {
  Type type;
  std::string name = {}; // the C variable it holds, or empty for a temporary
  SourceLoc loc = {};
  bool operator==(const Register&) const = default;
};

/// Memory of a frame: a local whose address is taken, an array, a struct. Fresh (arbitrary bytes)
/// at each call.
struct Slot {
  std::string name;
  std::uint64_t size = 0;
  std::uint32_t align = 1;
  SourceLoc loc = {};
  std::vector<Part> parts = {}; // as in Global
  bool operator==(const Slot&) const = default;
};

struct Block {
  std::string name; // unique in its function
  std::vector<Instruction> instructions;
  bool operator==(const Block&) const = default;
};

/// A function without blocks is only declared; reaching a call of it is a trap (the front end maps
/// the ones it knows to instructions). Registers [0, parameter_count) are the parameters.
struct Function {
  std::string name; // unique in its module
  Type result;
  std::uint32_t parameter_count = 0;
  bool is_variadic = false;
  bool is_internal = false; // not visible to other modules when linking
  IdVector<RegisterId, Register> registers;
  IdVector<SlotId, Slot> slots;
  IdVector<BlockId, Block> blocks; // the first is the entry
  SourceLoc loc = {};
  bool operator==(const Function&) const = default;
  [[nodiscard]] bool is_declaration() const { return blocks.empty(); }
};

/// A pointer stored in a global's initial bytes, at `offset`.
struct Relocation {
  std::uint64_t offset = 0;
  std::variant<GlobalAddress, FunctionAddress> target;
  bool operator==(const Relocation&) const = default;
};

struct Global {
  std::string name; // unique in its module
  std::uint64_t size = 0;
  std::uint32_t align = 1;
  std::vector<std::uint8_t> initial = {}; // `size` bytes, or empty for all zero
  std::vector<Relocation> relocations = {};
  bool is_constant = false;
  bool is_thread_local = false;
  bool is_internal = false;
  bool is_declaration = false; // extern, defined in no module so far
  /// The scalar type of the C variable if it is one, for printing values: width in bits, signed; 0
  /// = aggregate.
  std::uint8_t scalar_bits = 0;
  bool scalar_signed = false;
  std::vector<Part> parts = {}; // the aggregate's, for printing addresses
  SourceLoc loc = {};
  bool operator==(const Global&) const = default;
};

enum class DataModel : std::uint8_t { kILP32, kLP64 };

struct Module {
  DataModel data_model = DataModel::kLP64;
  std::vector<std::string> files = {""}; // names for SourceLoc::file; 0 is unknown
  IdVector<GlobalId, Global> globals;
  IdVector<FunctionId, Function> functions;
  Approximations approximations = {}; // what the front end had to assume

  [[nodiscard]] unsigned pointer_bits() const { return data_model == DataModel::kILP32 ? 32 : 64; }
  [[nodiscard]] unsigned bits(Type type) const {
    return type.is_pointer() ? pointer_bits() : type.bits;
  }
  [[nodiscard]] std::optional<FunctionId> find_function(const std::string& name) const;
  [[nodiscard]] std::optional<GlobalId> find_global(const std::string& name) const;
  bool operator==(const Module&) const = default;
};

} // namespace heddle::ir
