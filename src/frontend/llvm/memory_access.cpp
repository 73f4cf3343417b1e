// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locals in memory, loads, stores, atomic accesses, fences, and copies of whole blocks.
#include "frontend/llvm/function_importer.h"

#include <llvm/IR/Operator.h>

#include <algorithm>

namespace heddle::frontend {

namespace {

ir::Order order_of(llvm::AtomicOrdering order) {
  switch (order) {
  case llvm::AtomicOrdering::NotAtomic:
    return ir::Order::kNone;
  case llvm::AtomicOrdering::Unordered:
  case llvm::AtomicOrdering::Monotonic:
    return ir::Order::kRelaxed;
  case llvm::AtomicOrdering::Acquire:
    return ir::Order::kAcquire;
  case llvm::AtomicOrdering::Release:
    return ir::Order::kRelease;
  case llvm::AtomicOrdering::AcquireRelease:
    return ir::Order::kAcqRel;
  case llvm::AtomicOrdering::SequentiallyConsistent:
    return ir::Order::kSeqCst;
  }
  return ir::Order::kSeqCst;
}

ir::Access access_of(llvm::AtomicOrdering order, bool is_volatile) {
  if (order != llvm::AtomicOrdering::NotAtomic) {
    return {ir::AccessKind::kAtomic, order_of(order)};
  }
  return {is_volatile ? ir::AccessKind::kVolatile : ir::AccessKind::kPlain, ir::Order::kNone};
}

std::optional<ir::RmwOp> rmw_op_of(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
  case llvm::AtomicRMWInst::Xchg:
    return ir::RmwOp::kExchange;
  case llvm::AtomicRMWInst::Add:
    return ir::RmwOp::kAdd;
  case llvm::AtomicRMWInst::Sub:
    return ir::RmwOp::kSub;
  case llvm::AtomicRMWInst::And:
    return ir::RmwOp::kAnd;
  case llvm::AtomicRMWInst::Nand:
    return ir::RmwOp::kNand;
  case llvm::AtomicRMWInst::Or:
    return ir::RmwOp::kOr;
  case llvm::AtomicRMWInst::Xor:
    return ir::RmwOp::kXor;
  case llvm::AtomicRMWInst::Max:
    return ir::RmwOp::kMax;
  case llvm::AtomicRMWInst::Min:
    return ir::RmwOp::kMin;
  case llvm::AtomicRMWInst::UMax:
    return ir::RmwOp::kUMax;
  case llvm::AtomicRMWInst::UMin:
    return ir::RmwOp::kUMin;
  default:
    return std::nullopt;
  }
}

constexpr const char* kWideAtomicHelp =
    "this atomic access is not supported; use a lock, or at most two words";

/// What a pointer is known to point to, from how it was made.
llvm::Type* pointee(const llvm::Value* pointer) {
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(pointer)) {
    return local->isArrayAllocation() ? nullptr : local->getAllocatedType();
  }
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
    return global->getValueType();
  }
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    return address->getResultElementType();
  }
  return nullptr;
}

} // namespace

/// Does the value go to memory only, and nowhere else? In the same block, so that it is imported
/// before its uses.
bool FunctionImporter::is_only_stored(const llvm::Instruction& value) const {
  return !value.use_empty() && std::ranges::all_of(value.users(), [&](const llvm::User* one) {
    const auto* user = llvm::cast<llvm::Instruction>(one);
    if (user->getParent() != value.getParent()) {
      return false;
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      const auto* local = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      return store->getValueOperand() == &value && !store->isAtomic() &&
             (local == nullptr || !promotion_.is_promoted.contains(local));
    }
    if (llvm::isa<llvm::ReturnInst>(user)) {
      return !returned_.empty();
    }
    return (llvm::isa<llvm::ExtractValueInst>(user) || llvm::isa<llvm::InsertValueInst>(user)) &&
           is_only_stored(*user);
  });
}

/// A struct passed on in registers, as the calling convention has it, is a copy like any other:
/// its padding was never written, and nobody looks at it.
std::optional<ir::RegisterId> FunctionImporter::marks_for(const llvm::Instruction& instruction,
                                                          ir::RegisterId part) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const llvm::Type* source = pointee(load->getPointerOperand());
    if (load->isAtomic() || (!load->getType()->isAggregateType() &&
                             (source == nullptr || !source->isAggregateType()))) {
      return std::nullopt;
    }
  }
  if (!is_only_stored(instruction)) {
    return std::nullopt;
  }
  return marks_.emplace(part, new_register(ir::Type::integer(8))).first->second;
}

std::optional<ir::Operand> FunctionImporter::marks_of(const ir::Operand& value) const {
  const auto* part = std::get_if<ir::RegisterId>(&value);
  const auto found = part == nullptr ? marks_.end() : marks_.find(*part);
  if (found == marks_.end()) {
    return std::nullopt;
  }
  return found->second;
}

void FunctionImporter::import_alloca(const llvm::AllocaInst& instruction) {
  if (promotion_.is_promoted.contains(&instruction)) {
    return;
  }
  llvm::Type* type = instruction.getAllocatedType();
  const auto named = names_.find(&instruction);
  std::string name = instruction.getName().str();
  if (named != names_.end() && named->second != nullptr) {
    name = named->second->getName().str();
    loc_ = module_.loc(named->second->getFile(), named->second->getLine(), 0);
  }
  const auto* count = llvm::dyn_cast<llvm::ConstantInt>(instruction.getArraySize());
  if (instruction.isStaticAlloca() && count != nullptr) {
    const std::uint64_t size = module_.alloc_size(type) * count->getZExtValue();
    const ir::SlotId slot = new_slot(name, size, instruction.getAlign().value());
    if (named != names_.end() && named->second != nullptr) {
      out_.slots[slot].parts = debug_parts(named->second->getType(), size);
    }
    values_.insert_or_assign(&instruction, Values{ir::SlotAddress{slot}});
    return;
  }
  ir::Operand size = convert(operand(instruction.getArraySize()), module_.word());
  if (module_.alloc_size(type) != 1) {
    size = compute(module_.word(), ir::Op::kMul, {size, word(module_.alloc_size(type))});
  }
  const ir::RegisterId dest = register_of(instruction);
  if (out_.registers[dest].name.empty() && named != names_.end()) {
    out_.registers[dest].name = name;
  }
  emit(ir::Allocate{dest, size, ir::Allocate::Where::kFrame, false});
}

void FunctionImporter::import_load(const llvm::LoadInst& instruction) {
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(instruction.getPointerOperand());
  if (local != nullptr && promotion_.is_promoted.contains(local)) {
    const ir::RegisterId source = locals_.at(local);
    if (promotion_.read_directly.contains(&instruction)) {
      values_.insert_or_assign(&instruction, Values{source});
    } else if (!instruction.use_empty()) {
      compute_into(register_of(instruction), ir::Op::kCopy, {source});
    }
    return;
  }
  if (instruction.isAtomic() && is_two_words(instruction.getType())) {
    return pass_on(instruction,
                   load_words(operand(instruction.getPointerOperand()), instruction.getOrdering()));
  }
  const auto parts = module_.parts(instruction.getType());
  if (!parts || (parts->size() > 1 && instruction.isAtomic())) {
    return unsupported(instruction,
                       instruction.isAtomic() ? "an atomic load of more than 8 bytes"
                                              : "a load of a large aggregate",
                       kWideAtomicHelp);
  }
  const ir::Access access = access_of(instruction.getOrdering(), instruction.isVolatile());
  const ir::Operand address = operand(instruction.getPointerOperand());
  const std::vector<ir::RegisterId> dest = registers_of(instruction);
  for (std::size_t i = 0; i < dest.size(); ++i) {
    emit(ir::Load{
        dest[i], add_offset(address, (*parts)[i].offset), access, marks_for(instruction, dest[i])});
  }
}

void FunctionImporter::import_store(const llvm::StoreInst& instruction) {
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(instruction.getPointerOperand());
  const llvm::Value* value = instruction.getValueOperand();
  if (local != nullptr && promotion_.is_promoted.contains(local)) {
    const auto parameter = promotion_.parameters.find(local);
    const auto* source = llvm::dyn_cast<llvm::Instruction>(value);
    if (parameter != promotion_.parameters.end() && parameter->second == value) {
      return; // the local is the parameter's register
    }
    if (source != nullptr && promotion_.written_directly.contains(source)) {
      return; // already there
    }
    if (!names_.contains(local) && std::ranges::none_of(local->users(), [](const llvm::User* user) {
          return llvm::isa<llvm::LoadInst>(user);
        })) {
      return; // the compiler's own, and never read
    }
    if (llvm::isa<llvm::UndefValue>(value)) {
      return emit(ir::Nondet{locals_.at(local), "undefined value"});
    }
    return compute_into(locals_.at(local), ir::Op::kCopy, {operand(value)});
  }
  if (instruction.isAtomic() && is_two_words(value->getType())) {
    return store_words(
        operand(instruction.getPointerOperand()), operands_of(value), instruction.getOrdering());
  }
  const auto parts = module_.parts(value->getType());
  if (!parts || (parts->size() > 1 && instruction.isAtomic())) {
    return unsupported(instruction,
                       instruction.isAtomic() ? "an atomic store of more than 8 bytes"
                                              : "a store of a large aggregate",
                       kWideAtomicHelp);
  }
  const ir::Access access = access_of(instruction.getOrdering(), instruction.isVolatile());
  const ir::Operand address = operand(instruction.getPointerOperand());
  const Values values = operands_of(value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    emit(ir::Store{add_offset(address, (*parts)[i].offset),
                   values[i],
                   (*parts)[i].type,
                   access,
                   marks_of(values[i])});
  }
}

void FunctionImporter::import_fence(const llvm::FenceInst& instruction) {
  const bool is_compiler_barrier = instruction.getSyncScopeID() == llvm::SyncScope::SingleThread;
  emit(ir::Fence{is_compiler_barrier
                     ? ir::Access{ir::AccessKind::kPlain, ir::Order::kNone}
                     : ir::Access{ir::AccessKind::kAtomic, order_of(instruction.getOrdering())}});
}

void FunctionImporter::import_rmw(const llvm::AtomicRMWInst& instruction) {
  if (is_two_words(instruction.getType())) {
    if (const auto old = update_words(operand(instruction.getPointerOperand()),
                                      instruction.getOperation(),
                                      operands_of(instruction.getValOperand()),
                                      instruction.getOrdering())) {
      return pass_on(instruction, *old);
    }
  }
  const auto op = rmw_op_of(instruction.getOperation());
  if (!op || !module_.scalar(instruction.getType()) || instruction.getType()->isFloatingPointTy()) {
    return unsupported(instruction,
                       "the atomic operation '" +
                           llvm::AtomicRMWInst::getOperationName(instruction.getOperation()).str() +
                           "' on " + std::to_string(8 * module_.store_size(instruction.getType())) +
                           " bits",
                       kWideAtomicHelp);
  }
  const ir::Operand address = operand(instruction.getPointerOperand());
  const ir::Operand value = operand(instruction.getValOperand());
  emit(ir::ReadModifyWrite{
      register_of(instruction), address, *op, value, access_of(instruction.getOrdering(), false)});
}

void FunctionImporter::import_compare_exchange(const llvm::AtomicCmpXchgInst& instruction) {
  if (is_two_words(instruction.getNewValOperand()->getType())) {
    auto [values, success] = exchange_words(operand(instruction.getPointerOperand()),
                                            operands_of(instruction.getCompareOperand()),
                                            operands_of(instruction.getNewValOperand()),
                                            instruction.getSuccessOrdering(),
                                            instruction.getFailureOrdering(),
                                            instruction.isWeak());
    values.push_back(success);
    return pass_on(instruction, values);
  }
  if (!module_.scalar(instruction.getNewValOperand()->getType())) {
    return unsupported(
        instruction, "a compare-exchange of more than 8 bytes (double width)", kWideAtomicHelp);
  }
  const ir::Operand address = operand(instruction.getPointerOperand());
  const ir::Operand expected = operand(instruction.getCompareOperand());
  const ir::Operand desired = operand(instruction.getNewValOperand());
  const std::vector<ir::RegisterId> dest = registers_of(instruction);
  emit(ir::CompareExchange{dest[0],
                           dest[1],
                           address,
                           expected,
                           desired,
                           access_of(instruction.getSuccessOrdering(), false),
                           order_of(instruction.getFailureOrdering()),
                           instruction.isWeak()});
}

namespace {

/// Adds the largest aligned pieces, up to `word` bytes, for the bytes from `begin` to `end`.
void fill(std::vector<Part>& out,
          std::uint64_t begin,
          std::uint64_t end,
          std::uint64_t align,
          std::uint64_t word) {
  while (begin < end) {
    std::uint64_t size = std::min(word, align);
    while (begin % size != 0 || begin + size > end) {
      size /= 2;
    }
    out.push_back({ir::Type::integer(static_cast<unsigned>(8 * size)), begin});
    begin += size;
  }
}

} // namespace

/// The accesses a copy of `size` bytes is made of: field by field where the type is known, else the
/// largest aligned words. Every byte is covered, padding too: in a union it may be another member's
/// data.
std::vector<Part>
FunctionImporter::pieces_of(const llvm::Value* pointer, std::uint64_t size, std::uint64_t align) {
  const std::uint64_t word = module_.pointer_bits() / 8;
  std::vector<Part> out;
  llvm::Type* type = pointee(pointer);
  std::uint64_t done = 0;
  if (type != nullptr && type->isSized() && module_.alloc_size(type) == size) {
    if (auto fields = module_.parts(type)) {
      std::ranges::sort(*fields, {}, &Part::offset);
      for (const Part& field : *fields) {
        const unsigned bits = module_.module().bits(field.type);
        if (bits % 8 != 0) {
          continue; // copied as bytes
        }
        fill(out, done, field.offset, align, word);
        out.push_back(field);
        done = field.offset + bits / 8;
      }
    }
  }
  fill(out, done, size, align, word);
  return out;
}

void FunctionImporter::copy_pieces(const ir::Operand& target,
                                   const ir::Operand& source,
                                   const std::vector<Part>& pieces,
                                   bool is_volatile) {
  const ir::Access access{is_volatile ? ir::AccessKind::kVolatile : ir::AccessKind::kPlain,
                          ir::Order::kNone};
  // All loads come first, so that overlapping blocks are moved as memmove does.
  std::vector<ir::RegisterId> values;
  std::vector<ir::RegisterId> marks;
  for (const Part& piece : pieces) {
    const ir::RegisterId value = new_register(piece.type);
    const ir::RegisterId mark = new_register(ir::Type::integer(8));
    emit(ir::Load{value, add_offset(source, piece.offset), access, mark});
    values.push_back(value);
    marks.push_back(mark);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    emit(ir::Store{
        add_offset(target, pieces[i].offset), values[i], pieces[i].type, access, marks[i]});
  }
}

void FunctionImporter::copy_block(const llvm::Value* target,
                                  const llvm::Value* source,
                                  std::uint64_t size,
                                  std::uint64_t align,
                                  bool is_volatile) {
  // The side whose fields make fewer accesses is the one that is declared with its real type.
  std::vector<Part> pieces = pieces_of(source, size, align);
  std::vector<Part> others = pieces_of(target, size, align);
  if (others.size() < pieces.size()) {
    pieces = std::move(others);
  }
  copy_pieces(operand(target), operand(source), pieces, is_volatile);
}

namespace {
/// Longer blocks are copied by a loop of the runtime.
constexpr std::uint64_t kLongestExpansion = 256;
} // namespace

void FunctionImporter::import_copy(const llvm::MemTransferInst& instruction) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
  const std::uint64_t align = std::min(instruction.getDestAlign().valueOrOne().value(),
                                       instruction.getSourceAlign().valueOrOne().value());
  if (size != nullptr && size->getZExtValue() <= kLongestExpansion) {
    return copy_block(instruction.getDest(),
                      instruction.getSource(),
                      size->getZExtValue(),
                      align,
                      instruction.isVolatile());
  }
  const bool may_overlap = llvm::isa<llvm::MemMoveInst>(instruction);
  // Word by word where all that is copied is known to be aligned words.
  const std::uint64_t word = module_.pointer_bits() / 8;
  const bool by_words = !may_overlap && size != nullptr && align >= word;
  const std::string name =
      may_overlap ? "__heddle_memmove" : (by_words ? "__heddle_memcpy_words" : "__heddle_memcpy");
  const ir::Type pointer = ir::Type::pointer();
  const ir::FunctionId callee =
      module_.runtime_function(name, pointer, {pointer, pointer, module_.word()});
  emit(ir::Call{std::nullopt,
                ir::FunctionAddress{callee},
                {operand(instruction.getDest()),
                 operand(instruction.getSource()),
                 convert(operand(instruction.getLength()), module_.word())}});
}

void FunctionImporter::import_fill(const llvm::MemSetInst& instruction) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getLength());
  const auto* byte = llvm::dyn_cast<llvm::ConstantInt>(instruction.getValue());
  if (size != nullptr && byte != nullptr && size->getZExtValue() <= kLongestExpansion) {
    const ir::Operand target = operand(instruction.getDest());
    const ir::Access access{instruction.isVolatile() ? ir::AccessKind::kVolatile
                                                     : ir::AccessKind::kPlain,
                            ir::Order::kNone};
    for (const Part& piece : pieces_of(instruction.getDest(),
                                       size->getZExtValue(),
                                       instruction.getDestAlign().valueOrOne().value())) {
      const unsigned bits = module_.module().bits(piece.type);
      const std::uint64_t all = byte->getZExtValue() * 0x0101010101010101ULL;
      const std::uint64_t value = bits >= 64 ? all : all & ((std::uint64_t{1} << bits) - 1);
      emit(ir::Store{
          add_offset(target, piece.offset), ir::Constant{piece.type, value}, piece.type, access});
    }
    return;
  }
  const ir::Type pointer = ir::Type::pointer();
  const ir::FunctionId callee = module_.runtime_function(
      "__heddle_memset", pointer, {pointer, ir::Type::integer(32), module_.word()});
  emit(ir::Call{std::nullopt,
                ir::FunctionAddress{callee},
                {operand(instruction.getDest()),
                 convert(operand(instruction.getValue()), ir::Type::integer(32)),
                 convert(operand(instruction.getLength()), module_.word())}});
}

} // namespace heddle::frontend
