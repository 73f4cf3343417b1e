// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/shared/thread_builder.h"

#include "support/check.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::frontend::litmus {

namespace {

std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

bool is_comparison(ir::Op op) {
  switch (op) {
  case ir::Op::kEq:
  case ir::Op::kNe:
  case ir::Op::kULt:
  case ir::Op::kULe:
  case ir::Op::kSLt:
  case ir::Op::kSLe:
    return true;
  case ir::Op::kCopy:
  case ir::Op::kAdd:
  case ir::Op::kSub:
  case ir::Op::kMul:
  case ir::Op::kUDiv:
  case ir::Op::kSDiv:
  case ir::Op::kURem:
  case ir::Op::kSRem:
  case ir::Op::kShl:
  case ir::Op::kLShr:
  case ir::Op::kAShr:
  case ir::Op::kAnd:
  case ir::Op::kOr:
  case ir::Op::kXor:
  case ir::Op::kZExt:
  case ir::Op::kSExt:
  case ir::Op::kTrunc:
  case ir::Op::kSelect:
  case ir::Op::kPtrAdd:
    return false;
  }
  return false;
}

// Whether the low half of the result of a read-modify-write on zero-extended operands is not all of
// it.
bool depends_on_width(ir::RmwOp op) {
  switch (op) {
  case ir::RmwOp::kAdd:
  case ir::RmwOp::kSub:
  case ir::RmwOp::kNand:
  case ir::RmwOp::kMax:
  case ir::RmwOp::kMin:
    return true;
  case ir::RmwOp::kExchange:
  case ir::RmwOp::kAnd:
  case ir::RmwOp::kOr:
  case ir::RmwOp::kXor:
  case ir::RmwOp::kUMax:
  case ir::RmwOp::kUMin:
    return false;
  }
  return true;
}

ir::Access access_of(const ThreadBuilder::Marks& marks) {
  ir::Access access{ir::AccessKind::kAtomic, marks.order, marks.tags};
  std::sort(access.tags.begin(), access.tags.end());
  access.tags.erase(std::unique(access.tags.begin(), access.tags.end()), access.tags.end());
  return access;
}

// The order of the read of a compare-and-exchange that fails: it writes nothing, so it releases
// nothing.
ir::Order failure_order(ir::Order order) {
  switch (order) {
  case ir::Order::kRelease:
    return ir::Order::kRelaxed;
  case ir::Order::kAcqRel:
    return ir::Order::kAcquire;
  case ir::Order::kNone:
  case ir::Order::kRelaxed:
  case ir::Order::kConsume:
  case ir::Order::kAcquire:
  case ir::Order::kSeqCst:
    return order;
  }
  return order;
}

} // namespace

ThreadBuilder::ThreadBuilder(ir::Module& module, std::string function_name, unsigned width)
    : module_(module), width_(width) {
  ir::Function function;
  function.name = std::move(function_name);
  function.result = ir::Type::pointer();
  function.parameter_count = 1; // what `create` passes, unused
  function.registers.push_back({ir::Type::pointer(), {}, {}});
  function_ = module_.functions.push_back(std::move(function));
  (void)new_block("entry"); // filled by close
  last_ = new_block("end");
  block_ = new_block("code");
}

ir::RegisterId ThreadBuilder::temporary(unsigned bits) {
  return module_.functions[function_].registers.push_back({ir::Type::integer(bits), {}, loc_});
}

ir::RegisterId ThreadBuilder::architectural(const std::string& name) {
  if (const auto known = registers_.find(name); known != registers_.end())
    return known->second;
  const ir::RegisterId id = module_.functions[function_].registers.push_back(
      {ir::Type::integer(width_), name, SourceLoc{}});
  registers_.emplace(name, id);
  return id;
}

ir::BlockId ThreadBuilder::new_block(std::string name) {
  return module_.functions[function_].blocks.push_back({std::move(name), {}});
}

ir::BlockId ThreadBuilder::label_block(const std::string& name) {
  if (const auto known = labels_.find(name); known != labels_.end())
    return known->second;
  const ir::BlockId id = new_block("at." + name);
  labels_.emplace(name, id);
  return id;
}

void ThreadBuilder::emit(ir::Operation operation) {
  module_.functions[function_].blocks[block_].instructions.push_back({std::move(operation), loc_});
}

void ThreadBuilder::end_block(ir::Operation terminator, ir::BlockId next) {
  emit(std::move(terminator));
  block_ = next;
}

unsigned ThreadBuilder::access_width(unsigned bits) {
  footprint_.access_bits.insert(bits);
  footprint_.bytes = std::max<std::uint64_t>(footprint_.bytes, (bits + 7) / 8);
  return std::max(bits, cell_bits_);
}

ThreadBuilder::Value ThreadBuilder::constant(std::uint64_t value, unsigned bits) const {
  return {ir::Constant{ir::Type::integer(bits), low_bits(value, bits)}, bits};
}

ThreadBuilder::Value ThreadBuilder::address_of(const std::string& location, std::int64_t offset) {
  std::optional<ir::GlobalId> global = module_.find_global(location);
  if (!global) {
    ir::Global fresh;
    fresh.name = location;
    global = module_.globals.push_back(std::move(fresh));
  }
  return {ir::GlobalAddress{*global, offset}, width_};
}

ThreadBuilder::Value ThreadBuilder::get(const std::string& name, unsigned bits) {
  const Value whole{architectural(name), width_};
  if (bits < width_)
    return truncate(whole, bits);
  // A copy: the register may be written before the value is used.
  const ir::RegisterId copy = temporary(width_);
  emit(ir::Compute{copy, ir::Op::kCopy, {whole.operand}, false});
  return {copy, width_};
}

void ThreadBuilder::set(const std::string& name, Value value) {
  const ir::RegisterId dest = architectural(name);
  if (value.bits < width_)
    emit(ir::Compute{dest, ir::Op::kZExt, {value.operand}, false});
  else
    emit(ir::Compute{dest, ir::Op::kCopy, {truncate(value, width_).operand}, false});
}

void ThreadBuilder::set_low(const std::string& name, Value value) {
  if (value.bits >= width_) {
    set(name, value);
    return;
  }
  const Value whole = get(name, width_);
  const std::uint64_t kept = ~low_bits(~std::uint64_t{0}, value.bits);
  const Value upper = compute(ir::Op::kAnd, whole, constant(kept, width_));
  set(name, compute(ir::Op::kOr, upper, zero_extend(value, width_)));
}

ThreadBuilder::Value ThreadBuilder::compute(ir::Op op, Value a, Value b) {
  HEDDLE_CHECK(a.bits == b.bits, "operands of different widths");
  const Value result{temporary(is_comparison(op) ? 1 : a.bits), is_comparison(op) ? 1 : a.bits};
  emit(ir::Compute{std::get<ir::RegisterId>(result.operand),
                   op,
                   {std::move(a.operand), std::move(b.operand)},
                   false});
  return result;
}

ThreadBuilder::Value ThreadBuilder::select(Value condition, Value yes, Value no) {
  HEDDLE_CHECK(condition.bits == 1 && yes.bits == no.bits, "operands of different widths");
  const ir::RegisterId dest = temporary(yes.bits);
  emit(ir::Compute{dest, ir::Op::kSelect, {condition.operand, yes.operand, no.operand}, false});
  return {dest, yes.bits};
}

ThreadBuilder::Value ThreadBuilder::zero_extend(Value value, unsigned bits) {
  if (bits <= value.bits)
    return truncate(value, bits);
  const ir::RegisterId dest = temporary(bits);
  emit(ir::Compute{dest, ir::Op::kZExt, {value.operand}, false});
  return {dest, bits};
}

ThreadBuilder::Value ThreadBuilder::sign_extend(Value value, unsigned bits) {
  if (bits <= value.bits)
    return truncate(value, bits);
  const ir::RegisterId dest = temporary(bits);
  emit(ir::Compute{dest, ir::Op::kSExt, {value.operand}, false});
  return {dest, bits};
}

ThreadBuilder::Value ThreadBuilder::truncate(Value value, unsigned bits) {
  if (bits >= value.bits)
    return value;
  if (const auto* literal = std::get_if<ir::Constant>(&value.operand))
    return constant(literal->value, bits);
  const ir::RegisterId dest = temporary(bits);
  emit(ir::Compute{dest, ir::Op::kTrunc, {value.operand}, false});
  return {dest, bits};
}

ThreadBuilder::Value ThreadBuilder::load(Value address, unsigned bits, const Marks& marks) {
  const unsigned wide = access_width(bits);
  const ir::RegisterId dest = temporary(wide);
  emit(ir::Load{dest, address.operand, access_of(marks), std::nullopt});
  return truncate({dest, wide}, bits);
}

void ThreadBuilder::store(Value address, Value value, const Marks& marks) {
  const unsigned wide = access_width(value.bits);
  const Value stored = zero_extend(value, wide);
  emit(ir::Store{
      address.operand, stored.operand, ir::Type::integer(wide), access_of(marks), std::nullopt});
}

ThreadBuilder::Value
ThreadBuilder::load_exclusive(Value address, unsigned bits, const Marks& marks) {
  const unsigned wide = access_width(bits);
  const ir::RegisterId dest = temporary(wide);
  emit(ir::LoadExclusive{dest, address.operand, access_of(marks)});
  return truncate({dest, wide}, bits);
}

ThreadBuilder::Value
ThreadBuilder::store_exclusive(Value address, Value value, const Marks& marks) {
  const unsigned wide = access_width(value.bits);
  const Value stored = zero_extend(value, wide);
  const ir::RegisterId success = temporary(1);
  emit(ir::StoreExclusive{
      success, address.operand, stored.operand, ir::Type::integer(wide), access_of(marks)});
  return {success, 1};
}

ThreadBuilder::Value
ThreadBuilder::read_modify_write(ir::RmwOp op, Value address, Value value, const Marks& marks) {
  const unsigned wide = access_width(value.bits);
  if (depends_on_width(op))
    footprint_.arithmetic_bits.insert(value.bits);
  const Value operand = zero_extend(value, wide);
  const ir::RegisterId dest = temporary(wide);
  emit(ir::ReadModifyWrite{dest, address.operand, op, operand.operand, access_of(marks)});
  return truncate({dest, wide}, value.bits);
}

ThreadBuilder::Exchanged
ThreadBuilder::compare_exchange(Value address, Value expected, Value desired, const Marks& marks) {
  HEDDLE_CHECK(expected.bits == desired.bits, "operands of different widths");
  const unsigned bits = expected.bits;
  const unsigned wide = access_width(bits);
  const Value compared = zero_extend(expected, wide);
  const Value stored = zero_extend(desired, wide);
  const ir::RegisterId dest = temporary(wide);
  const ir::RegisterId success = temporary(1);
  emit(ir::CompareExchange{dest,
                           success,
                           address.operand,
                           compared.operand,
                           stored.operand,
                           access_of(marks),
                           failure_order(marks.order),
                           false});
  return {truncate({dest, wide}, bits), {success, 1}};
}

void ThreadBuilder::fence(const Marks& marks) {
  emit(ir::Fence{access_of(marks)});
}

void ThreadBuilder::label(const std::string& name) {
  const ir::BlockId block = label_block(name);
  HEDDLE_CHECK(placed_.insert(name).second, "a label placed twice");
  unplaced_.erase(name);
  end_block(ir::Jump{block}, block);
}

void ThreadBuilder::jump(const std::string& label_name) {
  const ir::BlockId target = label_block(label_name);
  if (!placed_.contains(label_name))
    unplaced_.emplace(label_name, loc_);
  end_block(ir::Jump{target}, new_block(fmt::format("after.{}", anonymous_blocks_++)));
}

void ThreadBuilder::branch_if(Value condition, const std::string& label_name) {
  HEDDLE_CHECK(condition.bits == 1, "a condition of more than one bit");
  const ir::BlockId target = label_block(label_name);
  if (!placed_.contains(label_name))
    unplaced_.emplace(label_name, loc_);
  const ir::BlockId next = new_block(fmt::format("after.{}", anonymous_blocks_++));
  end_block(ir::Branch{condition.operand, target, next}, next);
}

void ThreadBuilder::finish() {
  end_block(ir::Jump{last_}, new_block(fmt::format("after.{}", anonymous_blocks_++)));
}

ThreadBuilder::Value ThreadBuilder::address_of_label(const std::string& name) {
  if (!placed_.contains(name))
    unplaced_.emplace(name, loc_);
  addressed_.insert(name);
  const ir::GlobalId code =
      find_code(module_, name_of_code(module_.functions[function_].name, name));
  return {ir::GlobalAddress{code, 0}, width_};
}

void ThreadBuilder::jump_to_held(const Value& address) {
  const std::set<std::string> labels = held_;
  for (const std::string& name : labels)
    branch_if(compute(ir::Op::kEq, address, address_of_label(name)), name);
}

void ThreadBuilder::jump_to(Value address) {
  jump_to_held(address);
  emit(ir::Trap{"a jump to an address that is no label of this thread",
                "jump to labels of the same thread only"});
  finish();
}

void ThreadBuilder::return_by(const std::string& link_register) {
  if (!held_.empty())
    jump_to_held(get(link_register, width_));
  finish();
}

std::pair<std::string, bool> ThreadBuilder::label_after() const {
  if (!following_.empty())
    return {following_, false};
  return {fmt::format("after {}:{}", loc_.line, loc_.column), true};
}

void ThreadBuilder::call(const std::string& link_register, const std::string& label_name) {
  const auto [after, is_fresh] = label_after();
  set(link_register, address_of_label(after));
  jump(label_name);
  if (is_fresh)
    label(after);
}

void ThreadBuilder::call_to(const std::string& link_register, Value address) {
  const auto [after, is_fresh] = label_after();
  set(link_register, address_of_label(after));
  jump_to(std::move(address));
  if (is_fresh)
    label(after);
}

Status ThreadBuilder::close(const std::vector<ObservedRegister>& observed,
                            const std::map<std::string, ir::Operand>& initial_registers) {
  if (!unplaced_.empty()) {
    const auto& [name, loc] = *unplaced_.begin();
    return Error{ErrorKind::kInput,
                 "LIT-034",
                 fmt::format("no label '{}' in this thread", name),
                 {},
                 loc.line,
                 loc.column};
  }
  loc_ = SourceLoc{};
  end_block(ir::Jump{last_}, last_);
  for (const ObservedRegister& seen : observed) {
    const Value value = get(seen.name, seen.bits);
    emit(ir::Store{ir::GlobalAddress{seen.global, 0},
                   value.operand,
                   ir::Type::integer(value.bits),
                   ir::Access{},
                   std::nullopt});
  }
  emit(ir::Return{ir::Constant{ir::Type::pointer(), 0}});
  for (const auto& [name, value] : initial_registers)
    (void)architectural(name);
  block_ = ir::BlockId{0};
  for (const auto& [name, id] : registers_) {
    const auto initial = initial_registers.find(name);
    const ir::Operand value =
        initial == initial_registers.end() ? constant(0, width_).operand : initial->second;
    emit(ir::Compute{id, ir::Op::kCopy, {value}, false});
  }
  emit(ir::Jump{ir::BlockId{2}});
  return Done{};
}

namespace {

constexpr std::string_view kCode = "label:\"";

} // namespace

std::string name_of_code(std::string_view thread, std::string_view label) {
  return fmt::format("{}{}:{}\"", kCode, thread, label);
}

bool is_name_of_code(std::string_view name) {
  return name.starts_with(kCode);
}

std::optional<std::pair<std::string, std::string>> thread_and_label(std::string_view name) {
  if (!is_name_of_code(name) || !name.ends_with('"'))
    return std::nullopt;
  name.remove_prefix(kCode.size());
  name.remove_suffix(1);
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  return std::pair(std::string(name.substr(0, colon)), std::string(name.substr(colon + 1)));
}

ir::GlobalId find_code(ir::Module& module, const std::string& name) {
  if (const std::optional<ir::GlobalId> known = module.find_global(name))
    return *known;
  ir::Global code;
  code.name = name;
  code.align = 8;
  return module.globals.push_back(std::move(code));
}

} // namespace heddle::frontend::litmus
