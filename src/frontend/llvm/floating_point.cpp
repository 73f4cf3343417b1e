// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Floating point: a number is its bits, and an operation is a call of the runtime
// (runtime/heddle_floating.c). float and double are computed; long double and vectors are not.
#include "frontend/llvm/function_importer.h"

#include <llvm/IR/InstrTypes.h>

namespace heddle::frontend {

namespace {
using ir::kInt;
const ir::Type kDouble = ir::Type::integer(64);

bool is_computed(const llvm::Type* type) {
  return type->isFloatTy() || type->isDoubleTy();
}

const char* function_of(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::FAdd:
    return "__heddle_f64_add";
  case llvm::Instruction::FSub:
    return "__heddle_f64_sub";
  case llvm::Instruction::FMul:
    return "__heddle_f64_mul";
  case llvm::Instruction::FDiv:
    return "__heddle_f64_div";
  default:
    return nullptr;
  }
}
} // namespace

/// Whether nothing depends on a value: it only flows into other such values, into locals that do,
/// or into the variable arguments of a call of a function without a body, which only prints.
bool FunctionImporter::is_irrelevant(const llvm::Value& start) const {
  std::unordered_set<const llvm::Value*> seen = {&start};
  std::vector<const llvm::Value*> open = {&start};
  const auto follow = [&](const llvm::Value* value) {
    if (seen.insert(value).second) {
      open.push_back(value);
    }
  };
  while (!open.empty()) {
    const llvm::Value* value = open.back();
    open.pop_back();
    for (const llvm::Use& use : value->uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        const auto* local = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
        if (local == nullptr || !promotion_.is_promoted.contains(local)) {
          return false;
        }
        for (const llvm::User* access : local->users()) {
          if (llvm::isa<llvm::LoadInst>(access)) {
            follow(access);
          }
        }
      } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        const unsigned fixed = call->getFunctionType()->getNumParams();
        const llvm::Function* callee = call->getCalledFunction();
        if (callee == nullptr || !prints(*callee) || !call->isArgOperand(&use) ||
            call->getArgOperandNo(&use) < fixed) {
          return false;
        }
      } else if (user->getType()->isFPOrFPVectorTy() && !llvm::isa<llvm::LoadInst>(user)) {
        follow(user);
      } else {
        return false;
      }
    }
  }
  return true;
}

ir::Operand FunctionImporter::call_floating(const char* name,
                                            ir::Type result,
                                            const std::vector<ir::Operand>& arguments) {
  std::vector<ir::Type> types;
  for (const ir::Operand& argument : arguments) {
    types.push_back(type_of(argument));
  }
  const ir::RegisterId dest = new_register(result);
  emit(ir::Call{
      dest, ir::FunctionAddress{module_.runtime_function(name, result, types)}, arguments});
  return dest;
}

ir::Operand FunctionImporter::as_double(const llvm::Value* value) {
  const ir::Operand bits = operand(value);
  return value->getType()->isDoubleTy() ? bits
                                        : call_floating("__heddle_f64_from_f32", kDouble, {bits});
}

ir::Operand FunctionImporter::from_double(const ir::Operand& value, const llvm::Type* type) {
  return type->isDoubleTy() ? value : call_floating("__heddle_f64_to_f32", kInt, {value});
}

bool FunctionImporter::compute_floating(const llvm::Instruction& instruction) {
  const llvm::Value* first = instruction.getOperand(0);
  llvm::Type* type = instruction.getType();
  const unsigned opcode = instruction.getOpcode();
  if (const char* name = function_of(opcode)) {
    if (!is_computed(type)) {
      return false;
    }
    const ir::Operand a = as_double(first);
    const ir::Operand b = as_double(instruction.getOperand(1));
    pass_on(instruction, {from_double(call_floating(name, kDouble, {a, b}), type)});
    return true;
  }
  const auto integer_bits = [&](llvm::Type* one) -> unsigned {
    return one->isIntegerTy() && module_.scalar(one) ? one->getIntegerBitWidth() : 0;
  };
  switch (opcode) {
  case llvm::Instruction::FCmp: {
    if (!is_computed(first->getType())) {
      return false;
    }
    // The runtime's answer is one of the bits a predicate of LLVM is made of.
    const auto predicate = llvm::cast<llvm::FCmpInst>(instruction).getPredicate();
    const ir::Operand a = as_double(first);
    const ir::Operand b = as_double(instruction.getOperand(1));
    const ir::Operand order = call_floating("__heddle_f64_compare", kInt, {a, b});
    const ir::Operand chosen = compute(
        kInt, ir::Op::kAnd, {order, ir::Constant{kInt, static_cast<std::uint64_t>(predicate)}});
    compute_into(register_of(instruction), ir::Op::kNe, {chosen, ir::Constant{kInt, 0}});
    return true;
  }
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
    if (!is_computed(first->getType()) || !is_computed(type)) {
      return false;
    }
    pass_on(instruction, {from_double(as_double(first), type)});
    return true;
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP: {
    const bool is_signed = opcode == llvm::Instruction::SIToFP;
    const unsigned bits = integer_bits(first->getType());
    // A float from more than 53 bits would be rounded twice.
    if (bits == 0 || !is_computed(type) || (type->isFloatTy() && bits > 53)) {
      return false;
    }
    ir::Operand number = operand(first);
    if (bits < 64) {
      number = compute(kDouble, is_signed ? ir::Op::kSExt : ir::Op::kZExt, {number});
    }
    const char* name = is_signed ? "__heddle_f64_from_signed" : "__heddle_f64_from_unsigned";
    pass_on(instruction, {from_double(call_floating(name, kDouble, {number}), type)});
    return true;
  }
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI: {
    const unsigned bits = integer_bits(type);
    if (bits == 0 || !is_computed(first->getType())) {
      return false;
    }
    const char* name =
        opcode == llvm::Instruction::FPToSI ? "__heddle_f64_to_signed" : "__heddle_f64_to_unsigned";
    const ir::Operand whole =
        call_floating(name, kDouble, {as_double(first), ir::Constant{kInt, bits}});
    pass_on(instruction, {convert(whole, *module_.scalar(type))});
    return true;
  }
  default:
    return false;
  }
}

bool FunctionImporter::import_rounding(const llvm::IntrinsicInst& call) {
  const char* name = nullptr;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::floor:
    name = "__heddle_f64_floor";
    break;
  case llvm::Intrinsic::ceil:
    name = "__heddle_f64_ceil";
    break;
  case llvm::Intrinsic::trunc:
    name = "__heddle_f64_trunc";
    break;
  default:
    return false;
  }
  if (!is_computed(call.getType())) {
    return false;
  }
  const ir::Operand rounded = call_floating(name, kDouble, {as_double(call.getArgOperand(0))});
  pass_on(call, {from_double(rounded, call.getType())});
  return true;
}

void FunctionImporter::import_floating_point(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() == llvm::Instruction::FNeg && module_.scalar(instruction.getType())) {
    const ir::Type type = *module_.scalar(instruction.getType());
    const ir::Constant sign{type, std::uint64_t{1} << (type.bits - 1U)};
    return compute_into(
        register_of(instruction), ir::Op::kXor, {operand(instruction.getOperand(0)), sign});
  }
  if (is_irrelevant(instruction)) {
    // Then any value will do, and a fixed one is the cheapest to explore.
    for (const ir::RegisterId dest : std::vector<ir::RegisterId>(registers_of(instruction))) {
      compute_into(dest, ir::Op::kCopy, {ir::Constant{out_.registers[dest].type, 0}});
    }
    return;
  }
  if (!compute_floating(instruction)) {
    unsupported(instruction,
                std::string("floating-point arithmetic on this type ('") +
                    instruction.getOpcodeName() + "')",
                "use float, double or integers where the value matters");
  }
}

} // namespace heddle::frontend
