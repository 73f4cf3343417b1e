// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "random_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace heddle::ir {

namespace {

class Generator {
public:
  explicit Generator(Rng& rng) : rng_(rng) {}

  Module run() {
    module_.data_model = coin() ? DataModel::kILP32 : DataModel::kLP64;
    for (std::uint64_t i = rng_.below(4); i > 0; --i)
      module_.files.push_back(text());
    const std::uint64_t globals = 1 + rng_.below(4);
    const std::uint64_t functions = 1 + rng_.below(3);
    // Ids first, so that anything may refer to anything.
    for (std::uint64_t i = 0; i < globals; ++i)
      module_.globals.push_back({});
    for (std::uint64_t i = 0; i < functions; ++i)
      module_.functions.push_back({});
    for (Global& global : module_.globals)
      fill(global);
    for (Function& function : module_.functions)
      fill(function);
    for (std::uint64_t i = rng_.below(3); i > 0; --i)
      module_.approximations.push_back(
          {static_cast<Approximation::Kind>(rng_.below(3)), text(), location()});
    return std::move(module_);
  }

private:
  bool coin() { return rng_.chance(1, 2); }

  std::string text() {
    constexpr std::array<std::string_view, 12> kPieces = {
        "x", "main", "a b", "\"", "\\", "\n", "\x01", "é", ".", "9", "block", "@%$!;"};
    std::string result;
    for (std::uint64_t i = rng_.below(4); i > 0; --i)
      result += kPieces[rng_.below(kPieces.size())];
    if (rng_.chance(1, 10))
      result += '\0';
    return result;
  }
  std::string unique(std::set<std::string>& used) {
    std::string name = text();
    while (name.empty() || !used.insert(name).second)
      name += fmt::format("_{}", rng_.below(100));
    return name;
  }
  SourceLoc location() {
    if (rng_.chance(1, 3))
      return {};
    return {static_cast<std::uint32_t>(rng_.below(module_.files.size())),
            static_cast<std::uint32_t>(rng_.next()),
            static_cast<std::uint32_t>(rng_.below(90))};
  }
  std::uint32_t alignment() { return 1U << rng_.below(32); }

  std::vector<Part> parts(std::uint64_t size, unsigned nesting) {
    std::vector<Part> list;
    for (std::uint64_t i = rng_.below(3); i > 0 && size > 0 && nesting < 3; --i) {
      Part part;
      part.offset = rng_.below(size);
      part.size = 1 + rng_.below(size - part.offset);
      if (coin())
        part.field = text() + "f";
      else
        part.count = 1 + rng_.below((size - part.offset) / part.size);
      part.scalar_bits = static_cast<std::uint8_t>(coin() ? 0 : rng_.below(65));
      part.scalar_signed = coin();
      part.parts = parts(part.size, nesting + 1);
      list.push_back(std::move(part));
    }
    return list;
  }

  void fill(Global& global) {
    global.name = unique(names_);
    global.size = rng_.below(24);
    global.parts = parts(global.size, 0);
    global.align = alignment();
    global.is_constant = coin();
    global.is_thread_local = coin();
    global.is_internal = coin();
    global.is_declaration = rng_.chance(1, 4);
    global.scalar_bits = static_cast<std::uint8_t>(coin() ? 0 : rng_.below(65));
    global.scalar_signed = coin();
    global.loc = location();
    if (global.is_declaration)
      return;
    if (coin())
      for (std::uint64_t i = 0; i < global.size; ++i)
        global.initial.push_back(static_cast<std::uint8_t>(rng_.next()));
    const std::uint64_t pointer = module_.pointer_bits() / 8;
    for (std::uint64_t i = rng_.below(3); i > 0 && global.size >= pointer; --i) {
      Relocation relocation;
      relocation.offset = rng_.below(global.size - pointer + 1);
      if (coin())
        relocation.target = global_address();
      else
        relocation.target = function_address();
      global.relocations.push_back(relocation);
    }
  }

  GlobalAddress global_address() {
    constexpr std::array<std::int64_t, 5> kOffsets = {0, 4, -1, INT64_MIN, INT64_MAX};
    return {GlobalId{rng_.below(module_.globals.size())}, kOffsets[rng_.below(kOffsets.size())]};
  }
  FunctionAddress function_address() { return {FunctionId{rng_.below(module_.functions.size())}}; }

  Type value_type() {
    constexpr std::array<unsigned, 6> kUsual = {1, 8, 16, 32, 64, 7};
    if (rng_.chance(1, 4))
      return Type::pointer();
    return Type::integer(coin() ? kUsual[rng_.below(kUsual.size())]
                                : static_cast<unsigned>(1 + rng_.below(64)));
  }
  unsigned pointer_bits() { return module_.pointer_bits(); }

  /// A type of that width: pointers are integers of pointer width to the verifier.
  Type type_of_width(unsigned width) {
    return width == pointer_bits() && coin() ? Type::pointer() : Type::integer(width);
  }
  RegisterId reg(unsigned width) {
    std::vector<RegisterId> fitting;
    for (std::size_t i = 0; i < function_->registers.size(); ++i)
      if (module_.bits(function_->registers[RegisterId{i}].type) == width)
        fitting.push_back(RegisterId{i});
    if (!fitting.empty() && coin())
      return fitting[rng_.below(fitting.size())];
    return function_->registers.push_back({type_of_width(width), coin() ? text() : "", location()});
  }
  Operand operand(unsigned width) {
    if (width == pointer_bits() && coin()) {
      if (!function_->slots.empty() && coin())
        return SlotAddress{SlotId{rng_.below(function_->slots.size())}};
      if (coin())
        return function_address();
      return global_address();
    }
    if (coin())
      return reg(width);
    const std::uint64_t all = width == 64 ? ~0ULL : (1ULL << width) - 1;
    return Constant{type_of_width(width), (coin() ? rng_.next() : 0 - rng_.below(3)) & all};
  }
  Operand pointer() { return operand(pointer_bits()); }
  unsigned any_width() { return module_.bits(value_type()); }
  std::vector<Operand> operands(std::uint64_t count) {
    std::vector<Operand> result;
    for (std::uint64_t i = 0; i < count; ++i)
      result.push_back(operand(any_width()));
    return result;
  }
  std::optional<RegisterId> optional_result() {
    return coin() ? std::optional(reg(any_width())) : std::nullopt;
  }
  BlockId block() { return BlockId{rng_.below(block_count_)}; }
  Access access() {
    Access result;
    result.kind = static_cast<AccessKind>(rng_.below(3));
    result.order = static_cast<Order>(rng_.below(7));
    std::set<std::string> tags;
    for (std::uint64_t i = rng_.below(3); i > 0; --i)
      tags.insert(text());
    result.tags.assign(tags.begin(), tags.end());
    return result;
  }

  Operation compute() {
    Compute result;
    result.op = static_cast<Op>(rng_.below(25));
    result.no_signed_wrap = coin();
    const unsigned width = any_width();
    const bool is_comparison = result.op >= Op::kEq && result.op <= Op::kSLe;
    if (result.op == Op::kCopy) {
      result.operands = {operand(width)};
      result.dest = reg(width);
    } else if (result.op == Op::kZExt || result.op == Op::kSExt) {
      result.operands = {operand(static_cast<unsigned>(1 + rng_.below(width)))};
      result.dest = reg(width);
    } else if (result.op == Op::kTrunc) {
      result.operands = {operand(width)};
      result.dest = reg(static_cast<unsigned>(1 + rng_.below(width)));
    } else if (result.op == Op::kSelect) {
      result.operands = {operand(1), operand(width), operand(width)};
      result.dest = reg(width);
    } else if (result.op == Op::kPtrAdd) {
      result.operands = {pointer(), pointer()};
      result.dest = reg(pointer_bits());
    } else {
      result.operands = {operand(width), operand(width)};
      result.dest = reg(is_comparison ? 1 : width);
    }
    return result;
  }

  Operation compare_exchange() {
    const unsigned width = any_width();
    CompareExchange result;
    result.dest = reg(width);
    result.success = function_->registers.push_back({Type::integer(1)});
    result.address = pointer();
    result.expected = operand(width);
    result.desired = operand(width);
    result.access = access();
    result.failure_order = static_cast<Order>(rng_.below(7));
    result.weak = coin();
    return result;
  }

  Operation synchronize() {
    Synchronize result;
    result.op = static_cast<SyncOp>(rng_.below(34));
    result.dest = optional_result();
    if (result.op == SyncOp::kSelf)
      return result;
    result.operands = {pointer()};
    if (result.op == SyncOp::kCreate || result.op == SyncOp::kConditionWait ||
        result.op == SyncOp::kConditionTimedWait)
      result.operands.push_back(pointer());
    if (result.op == SyncOp::kMutexInit || result.op == SyncOp::kSemaphoreInit ||
        result.op == SyncOp::kBarrierInit)
      result.operands.push_back(operand(32));
    return result;
  }

  Operation hint() {
    Hint result;
    result.kind = static_cast<Hint::Kind>(rng_.below(5));
    result.name = text();
    if (result.kind == Hint::Kind::kLoopBound)
      result.operands = operands(1);
    else if (result.kind == Hint::Kind::kSpinEnd)
      result.operands = {operand(1)};
    else if (result.kind != Hint::Kind::kSpinStart)
      result.operands = operands(rng_.below(3));
    return result;
  }

  Load load(unsigned width) {
    Load result{reg(width), pointer(), access()};
    if (const RegisterId marks = reg(8); coin() && marks != result.dest)
      result.marks = marks;
    return result;
  }

  Operation plain_operation() {
    const Type type = value_type();
    const unsigned width = module_.bits(type);
    switch (rng_.below(20)) {
    case 0:
      return Nondet{reg(width), text()};
    case 1:
      return load(width);
    case 2:
      return Store{pointer(),
                   operand(width),
                   type,
                   access(),
                   coin() ? std::optional(operand(8)) : std::nullopt};
    case 3:
      return LoadExclusive{reg(width), pointer(), access()};
    case 4:
      return StoreExclusive{reg(1), pointer(), operand(width), type, access()};
    case 5:
      return ReadModifyWrite{
          reg(width), pointer(), static_cast<RmwOp>(rng_.below(11)), operand(width), access()};
    case 6:
      return compare_exchange();
    case 7:
      return Fence{access()};
    case 8:
      return Allocate{
          reg(pointer_bits()), pointer(), static_cast<Allocate::Where>(rng_.below(2)), coin()};
    case 9:
      return Free{pointer()};
    case 10:
      return BlockSize{reg(pointer_bits()), pointer()};
    case 11:
      return Call{optional_result(), pointer(), operands(rng_.below(4))};
    case 12:
      return synchronize();
    case 13:
      return AtomicBegin{};
    case 14:
      return AtomicEnd{};
    case 15:
      return Assume{operand(1)};
    case 16:
      return Assert{operand(1), text()};
    case 17:
      return hint();
    case 18:
      return Trap{text(), text()};
    default:
      return compute();
    }
  }

  Operation terminator() {
    switch (rng_.below(7)) {
    case 0:
      return Jump{block()};
    case 1:
      return Branch{operand(1), block(), block()};
    case 2: {
      Switch result{operand(16), {}, block()};
      for (std::uint64_t i = rng_.below(3); i > 0; --i)
        result.cases.push_back({i * 1000, block()});
      return result;
    }
    case 3:
      return ThreadExit{coin() ? std::optional(operand(any_width())) : std::nullopt};
    case 4:
      return Exit{};
    case 5:
      return Unreachable{};
    default:
      if (function_->result.is_void())
        return Return{};
      return Return{operand(module_.bits(function_->result))};
    }
  }

  void fill(Function& function) {
    function_ = &function;
    function.name = unique(names_);
    function.result = rng_.chance(1, 3) ? Type::none() : value_type();
    function.parameter_count = static_cast<std::uint32_t>(rng_.below(3));
    function.is_variadic = coin();
    function.is_internal = coin();
    function.loc = location();
    for (std::uint32_t i = 0; i < function.parameter_count; ++i)
      function.registers.push_back({value_type(), text(), location()});
    block_count_ = rng_.below(4);
    if (block_count_ == 0)
      return;
    for (std::uint64_t i = rng_.below(3); i > 0; --i) {
      Slot slot{text(), rng_.next(), alignment(), location()};
      slot.parts = parts(slot.size % 24, 0);
      function.slots.push_back(std::move(slot));
    }
    std::set<std::string> names;
    for (std::uint64_t i = 0; i < block_count_; ++i) {
      Block made;
      made.name = text();
      while (!names.insert(made.name).second)
        made.name += fmt::format(".{}", rng_.below(100));
      for (std::uint64_t k = rng_.below(8); k > 0; --k)
        made.instructions.push_back({plain_operation(), location()});
      made.instructions.push_back({terminator(), location()});
      function.blocks.push_back(std::move(made));
    }
  }

  Rng& rng_; // outlives this: both live for one call of random_module
  Module module_;
  std::set<std::string> names_;
  Function* function_ = nullptr;
  std::uint64_t block_count_ = 0;
};

} // namespace

Module random_module(Rng& rng) {
  return Generator(rng).run();
}

} // namespace heddle::ir
