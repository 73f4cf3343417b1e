// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Control flow, arithmetic, casts, addresses and aggregates.
#include "frontend/llvm/function_importer.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace heddle::frontend {

void FunctionImporter::import_instruction(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    import_call(*call);
  } else if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    import_binary(*binary);
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    import_cast(*cast);
  } else {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Alloca:
      return import_alloca(llvm::cast<llvm::AllocaInst>(instruction));
    case llvm::Instruction::Load:
      return import_load(llvm::cast<llvm::LoadInst>(instruction));
    case llvm::Instruction::Store:
      return import_store(llvm::cast<llvm::StoreInst>(instruction));
    case llvm::Instruction::Fence:
      return import_fence(llvm::cast<llvm::FenceInst>(instruction));
    case llvm::Instruction::AtomicRMW:
      return import_rmw(llvm::cast<llvm::AtomicRMWInst>(instruction));
    case llvm::Instruction::AtomicCmpXchg:
      return import_compare_exchange(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case llvm::Instruction::ICmp:
      return import_compare(llvm::cast<llvm::ICmpInst>(instruction));
    case llvm::Instruction::FCmp:
    case llvm::Instruction::FNeg:
      return import_floating_point(instruction);
    case llvm::Instruction::Select:
      return import_select(llvm::cast<llvm::SelectInst>(instruction));
    case llvm::Instruction::GetElementPtr:
      return import_address(llvm::cast<llvm::GetElementPtrInst>(instruction));
    case llvm::Instruction::ExtractValue:
      return import_extract(llvm::cast<llvm::ExtractValueInst>(instruction));
    case llvm::Instruction::InsertValue:
      return import_insert(llvm::cast<llvm::InsertValueInst>(instruction));
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
      return import_vector_element(instruction);
    case llvm::Instruction::Freeze:
      return pass_on(instruction, operands_of(instruction.getOperand(0)));
    case llvm::Instruction::PHI:
      return; // written on the edges
    case llvm::Instruction::Br:
      return import_branch(llvm::cast<llvm::BranchInst>(instruction));
    case llvm::Instruction::Switch:
      return import_switch(llvm::cast<llvm::SwitchInst>(instruction));
    case llvm::Instruction::Ret:
      return import_return(llvm::cast<llvm::ReturnInst>(instruction));
    case llvm::Instruction::Unreachable:
      return emit(ir::Unreachable{});
    default:
      unsupported(instruction,
                  std::string("the LLVM instruction '") + instruction.getOpcodeName() + "'");
      if (instruction.isTerminator()) {
        emit(ir::Unreachable{});
      }
    }
  }
}

namespace {
std::optional<ir::Op> op_of(llvm::Instruction::BinaryOps op) {
  switch (op) {
  case llvm::Instruction::Add:
    return ir::Op::kAdd;
  case llvm::Instruction::Sub:
    return ir::Op::kSub;
  case llvm::Instruction::Mul:
    return ir::Op::kMul;
  case llvm::Instruction::UDiv:
    return ir::Op::kUDiv;
  case llvm::Instruction::SDiv:
    return ir::Op::kSDiv;
  case llvm::Instruction::URem:
    return ir::Op::kURem;
  case llvm::Instruction::SRem:
    return ir::Op::kSRem;
  case llvm::Instruction::Shl:
    return ir::Op::kShl;
  case llvm::Instruction::LShr:
    return ir::Op::kLShr;
  case llvm::Instruction::AShr:
    return ir::Op::kAShr;
  case llvm::Instruction::And:
    return ir::Op::kAnd;
  case llvm::Instruction::Or:
    return ir::Op::kOr;
  case llvm::Instruction::Xor:
    return ir::Op::kXor;
  default:
    return std::nullopt;
  }
}
} // namespace

void FunctionImporter::import_binary(const llvm::BinaryOperator& instruction) {
  llvm::Type* type = instruction.getType();
  if (type->isFPOrFPVectorTy()) {
    return import_floating_point(instruction);
  }
  const auto op = op_of(instruction.getOpcode());
  if (type->isVectorTy()) {
    return unsupported(instruction, "arithmetic on vectors", "compile without vector types");
  }
  if (!op || !module_.scalar(type)) {
    return unsupported(
        instruction, "arithmetic on integers wider than 64 bits", "use at most 64 bits");
  }
  ir::Compute out;
  out.op = *op;
  out.operands = {operand(instruction.getOperand(0)), operand(instruction.getOperand(1))};
  if (const auto* flags = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
    out.no_signed_wrap = flags->hasNoSignedWrap();
  }
  out.dest = register_of(instruction);
  emit(std::move(out));
}

void FunctionImporter::import_compare(const llvm::ICmpInst& instruction) {
  if (!module_.scalar(instruction.getOperand(0)->getType())) {
    return unsupported(instruction,
                       instruction.getOperand(0)->getType()->isVectorTy()
                           ? "a comparison of vectors"
                           : "a comparison of integers wider than 64 bits");
  }
  ir::Operand a = operand(instruction.getOperand(0));
  ir::Operand b = operand(instruction.getOperand(1));
  ir::Op op = ir::Op::kEq;
  bool swap = false;
  switch (instruction.getPredicate()) {
  case llvm::CmpInst::ICMP_EQ:
    break;
  case llvm::CmpInst::ICMP_NE:
    op = ir::Op::kNe;
    break;
  case llvm::CmpInst::ICMP_UGT:
    swap = true;
    [[fallthrough]];
  case llvm::CmpInst::ICMP_ULT:
    op = ir::Op::kULt;
    break;
  case llvm::CmpInst::ICMP_UGE:
    swap = true;
    [[fallthrough]];
  case llvm::CmpInst::ICMP_ULE:
    op = ir::Op::kULe;
    break;
  case llvm::CmpInst::ICMP_SGT:
    swap = true;
    [[fallthrough]];
  case llvm::CmpInst::ICMP_SLT:
    op = ir::Op::kSLt;
    break;
  case llvm::CmpInst::ICMP_SGE:
    swap = true;
    [[fallthrough]];
  default:
    op = ir::Op::kSLe;
    break;
  }
  if (swap) {
    std::swap(a, b);
  }
  compute_into(register_of(instruction), op, {a, b});
}

void FunctionImporter::import_cast(const llvm::CastInst& instruction) {
  const llvm::Value* source = instruction.getOperand(0);
  const auto from = module_.scalar(source->getType());
  const auto to = module_.scalar(instruction.getType());
  const bool is_float =
      source->getType()->isFPOrFPVectorTy() || instruction.getType()->isFPOrFPVectorTy();
  switch (instruction.getOpcode()) {
  case llvm::Instruction::BitCast: {
    const auto old_parts = module_.parts(source->getType());
    const auto new_parts = module_.parts(instruction.getType());
    if (old_parts && new_parts && *old_parts == *new_parts) {
      return pass_on(instruction, operands_of(source));
    }
    return unsupported(instruction, "a cast between a vector and another type");
  }
  case llvm::Instruction::AddrSpaceCast:
    return pass_on(instruction, operands_of(source));
  case llvm::Instruction::Trunc:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
    break;
  default:
    return import_floating_point(instruction);
  }
  if (is_float || source->getType()->isVectorTy()) {
    return unsupported(instruction, "a conversion of a vector");
  }
  const Values values = operands_of(source);
  const bool is_signed = instruction.getOpcode() == llvm::Instruction::SExt;
  if (from && to) {
    const bool shrinks = module_.module().bits(*to) < module_.module().bits(*from);
    const ir::Op op = shrinks ? ir::Op::kTrunc : (is_signed ? ir::Op::kSExt : ir::Op::kZExt);
    return compute_into(register_of(instruction), op, {values.front()});
  }
  if (to) { // from a wider one: its lowest piece
    return pass_on(instruction, {convert(values.front(), *to)});
  }
  const auto parts = module_.parts(instruction.getType());
  if (!from || !parts || is_signed) {
    return unsupported(instruction, "a conversion to an integer wider than 64 bits");
  }
  Values wide;
  for (const Part& part : *parts) {
    wide.push_back(wide.empty() ? convert(values.front(), part.type)
                                : ir::Operand{ir::Constant{part.type, 0}});
  }
  pass_on(instruction, wide);
}

void FunctionImporter::import_select(const llvm::SelectInst& instruction) {
  if (instruction.getCondition()->getType()->isVectorTy() ||
      !module_.parts(instruction.getType())) {
    return unsupported(instruction, "a choice between vectors");
  }
  const ir::Operand condition = operand(instruction.getCondition());
  const Values yes = operands_of(instruction.getTrueValue());
  const Values no = operands_of(instruction.getFalseValue());
  const std::vector<ir::RegisterId> dest = registers_of(instruction);
  for (std::size_t i = 0; i < dest.size(); ++i) {
    compute_into(dest[i], ir::Op::kSelect, {condition, yes[i], no[i]});
  }
}

ir::Operand FunctionImporter::address_of(const llvm::GEPOperator& address) {
  ir::Operand base = operand(address.getPointerOperand());
  std::uint64_t constant = 0;
  std::optional<ir::Operand> variable;
  const llvm::DataLayout& layout = module_.layout();
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    const llvm::Value* index = step.getOperand();
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      constant += layout.getStructLayout(structure)->getElementOffset(
          static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue()));
      continue;
    }
    const std::uint64_t stride = step.getSequentialElementStride(layout).getFixedValue();
    if (const auto* literal = llvm::dyn_cast<llvm::ConstantInt>(index)) {
      constant += stride * static_cast<std::uint64_t>(literal->getSExtValue());
      continue;
    }
    if (stride == 0) {
      continue;
    }
    ir::Operand count = operand(index);
    const unsigned bits = module_.module().bits(type_of(count));
    if (bits < module_.pointer_bits()) {
      count = compute(module_.word(), ir::Op::kSExt, {count});
    } else if (bits > module_.pointer_bits()) {
      count = compute(module_.word(), ir::Op::kTrunc, {count});
    }
    if (stride != 1) {
      count = compute(module_.word(), ir::Op::kMul, {count, word(stride)});
    }
    variable = variable ? compute(module_.word(), ir::Op::kAdd, {*variable, count}) : count;
  }
  if (!variable) {
    return add_offset(base, constant);
  }
  if (std::holds_alternative<ir::GlobalAddress>(base)) {
    base = add_offset(base, constant);
  } else if (constant != 0) {
    variable = compute(module_.word(), ir::Op::kAdd, {*variable, word(constant)});
  }
  return compute(ir::Type::pointer(), ir::Op::kPtrAdd, {base, *variable});
}

void FunctionImporter::import_address(const llvm::GetElementPtrInst& instruction) {
  if (instruction.getType()->isVectorTy()) {
    return unsupported(instruction, "a vector of addresses");
  }
  pass_on(instruction, {address_of(llvm::cast<llvm::GEPOperator>(instruction))});
}

std::pair<std::size_t, std::size_t>
FunctionImporter::part_range(llvm::Type* type, llvm::ArrayRef<unsigned> indices) const {
  std::size_t first = 0;
  for (const unsigned index : indices) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < index; ++i) {
        first += module_.parts(structure->getElementType(i))->size();
      }
      type = structure->getElementType(index);
    } else {
      type = type->getArrayElementType();
      first += index * module_.parts(type)->size();
    }
  }
  return {first, module_.parts(type)->size()};
}

void FunctionImporter::import_extract(const llvm::ExtractValueInst& instruction) {
  const llvm::Value* whole = instruction.getAggregateOperand();
  if (!module_.parts(whole->getType())) {
    return unsupported(instruction, "a large aggregate used as one value");
  }
  const auto [first, count] = part_range(whole->getType(), instruction.getIndices());
  const Values values = operands_of(whole);
  pass_on(instruction,
          Values(values.begin() + static_cast<std::ptrdiff_t>(first),
                 values.begin() + static_cast<std::ptrdiff_t>(first + count)));
}

void FunctionImporter::import_insert(const llvm::InsertValueInst& instruction) {
  const llvm::Value* whole = instruction.getAggregateOperand();
  if (!module_.parts(whole->getType())) {
    return unsupported(instruction, "a large aggregate used as one value");
  }
  const auto [first, count] = part_range(whole->getType(), instruction.getIndices());
  Values values = operands_of(whole);
  const Values inserted = operands_of(instruction.getInsertedValueOperand());
  std::copy_n(inserted.begin(), count, values.begin() + static_cast<std::ptrdiff_t>(first));
  pass_on(instruction, values);
}

void FunctionImporter::import_vector_element(const llvm::Instruction& instruction) {
  const bool inserts = instruction.getOpcode() == llvm::Instruction::InsertElement;
  const auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(inserts ? 2 : 1));
  const llvm::Value* whole = instruction.getOperand(0);
  const auto parts = module_.parts(whole->getType());
  if (index == nullptr || !parts || index->getZExtValue() >= parts->size()) {
    return unsupported(instruction, "an element of a vector", "compile without vector types");
  }
  Values values = operands_of(whole);
  if (!inserts) {
    return pass_on(instruction, {values[index->getZExtValue()]});
  }
  values[index->getZExtValue()] = operand(instruction.getOperand(1));
  pass_on(instruction, values);
}

void FunctionImporter::import_return(const llvm::ReturnInst& instruction) {
  const llvm::Value* value = instruction.getReturnValue();
  if (value == nullptr) {
    return emit(ir::Return{});
  }
  const Values values = operands_of(value);
  if (returned_.empty()) {
    return emit(values.empty() ? ir::Return{} : ir::Return{values.front()});
  }
  for (std::size_t i = 0; i < returned_.size(); ++i) {
    const ir::Operand address = add_offset(hidden_result_, returned_[i].offset);
    emit(ir::Store{address, values[i], returned_[i].type, {}, marks_of(values[i])});
  }
  emit(ir::Return{});
}

void FunctionImporter::copy_phis(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::vector<std::pair<ir::RegisterId, ir::Operand>> copies;
  std::unordered_set<ir::RegisterId> written;
  for (const llvm::PHINode& phi : to.phis()) {
    const Values values = operands_of(phi.getIncomingValueForBlock(&from));
    const std::vector<ir::RegisterId>& dest = registers_of(phi);
    for (std::size_t i = 0; i < dest.size(); ++i) {
      copies.emplace_back(dest[i], values[i]);
      written.insert(dest[i]);
    }
  }
  // The copies are parallel: a phi that reads another phi of the same block wants its old value.
  for (auto& [dest, value] : copies) {
    const auto* id = std::get_if<ir::RegisterId>(&value);
    if (copies.size() > 1 && id != nullptr && written.contains(*id)) {
      value = compute(type_of(value), ir::Op::kCopy, {value});
    }
  }
  for (const auto& [dest, value] : copies) {
    compute_into(dest, ir::Op::kCopy, {value});
  }
}

ir::BlockId FunctionImporter::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const ir::BlockId target = blocks_.at(&to);
  if (to.phis().empty()) {
    return target;
  }
  if (from.getSingleSuccessor() != nullptr) {
    copy_phis(from, to);
    return target;
  }
  const ir::BlockId saved = block_;
  const ir::BlockId between =
      new_block(out_.blocks[saved].name + ".to." + out_.blocks[target].name);
  block_ = between;
  copy_phis(from, to);
  emit(ir::Jump{target});
  block_ = saved;
  return between;
}

void FunctionImporter::import_branch(const llvm::BranchInst& instruction) {
  const llvm::BasicBlock& here = *instruction.getParent();
  if (instruction.isUnconditional()) {
    const ir::BlockId target = edge(here, *instruction.getSuccessor(0));
    return emit(ir::Jump{target});
  }
  const ir::Operand condition = operand(instruction.getCondition());
  const ir::BlockId yes = edge(here, *instruction.getSuccessor(0));
  const ir::BlockId no = edge(here, *instruction.getSuccessor(1));
  emit(ir::Branch{condition, yes, no});
}

void FunctionImporter::import_switch(const llvm::SwitchInst& instruction) {
  if (!module_.scalar(instruction.getCondition()->getType())) {
    trap("a switch over an integer wider than 64 bits", "use at most 64 bits");
    return emit(ir::Unreachable{});
  }
  const llvm::BasicBlock& here = *instruction.getParent();
  ir::Switch out;
  out.value = operand(instruction.getCondition());
  for (const auto& one : instruction.cases()) {
    out.cases.push_back({one.getCaseValue()->getZExtValue(), edge(here, *one.getCaseSuccessor())});
  }
  out.otherwise = edge(here, *instruction.getDefaultDest());
  emit(std::move(out));
}

} // namespace heddle::frontend
