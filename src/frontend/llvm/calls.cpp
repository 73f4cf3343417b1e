// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls of functions: arguments and results of several parts, structs by value, calls through
// pointers.
#include "frontend/llvm/function_importer.h"

namespace heddle::frontend {

void FunctionImporter::import_call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) {
    import_asm(call);
  } else if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    import_intrinsic(*intrinsic);
  } else {
    import_plain_call(call);
  }
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    // Nothing is thrown in C.
    emit(ir::Jump{edge(*invoke->getParent(), *invoke->getNormalDest())});
  } else if (llvm::isa<llvm::CallBrInst>(call)) {
    emit(ir::Unreachable{}); // "asm goto" has trapped above
  }
}

void FunctionImporter::import_plain_call(const llvm::CallBase& call) {
  const auto signature = module_.signature(call.getFunctionType());
  if (!signature) {
    return unsupported(call, "a call that passes or returns a large aggregate by value");
  }
  ir::Call out;
  out.callee = operand(call.getCalledOperand());
  ir::Operand result_slot;
  if (!signature->returned.empty()) {
    const std::uint64_t align = module_.layout().getABITypeAlign(call.getType()).value();
    result_slot = ir::SlotAddress{new_slot("result", module_.alloc_size(call.getType()), align)};
    out.arguments.push_back(result_slot);
  }
  const llvm::FunctionType* type = call.getFunctionType();
  const llvm::Function* named = call.getCalledFunction();
  const bool is_read = named == nullptr || !prints(*named);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value* argument = call.getArgOperand(i);
    if (is_read && type->getNumParams() > 0 && i >= type->getNumParams() &&
        (call.isByValArgument(i) || !module_.scalar(argument->getType()))) {
      return unsupported(
          call, "a variable argument of more than 64 bits", "pass its parts, or a pointer to it");
    }
    if (call.isByValArgument(i)) {
      llvm::Type* passed = call.getParamByValType(i);
      const std::uint64_t align = module_.layout().getABITypeAlign(passed).value();
      const std::uint64_t size = module_.alloc_size(passed);
      const ir::Operand copy = ir::SlotAddress{new_slot("argument", size, align)};
      const std::uint64_t source_align =
          std::min<std::uint64_t>(align, call.getParamAlign(i).valueOrOne().value());
      std::vector<Part> pieces = pieces_of(argument, size, source_align);
      copy_pieces(copy, operand(argument), pieces, false);
      out.arguments.push_back(copy);
      continue;
    }
    if (argument->getType()->isMetadataTy() || !module_.parts(argument->getType())) {
      return unsupported(call, "a call that passes a large aggregate by value");
    }
    for (const ir::Operand& value : operands_of(argument)) {
      out.arguments.push_back(value);
    }
  }
  if (!signature->result.is_void() && !call.use_empty()) {
    out.dest = register_of(call);
  }
  // Without a prototype there are no fixed parameters, and arguments are passed as they are.
  if (type->isVarArg() && type->getNumParams() > 0 &&
      !std::holds_alternative<ir::FunctionAddress>(out.callee)) {
    pack_further_arguments(out, signature->parameters.size());
  }
  emit(std::move(out));
  if (!signature->returned.empty() && !call.use_empty()) {
    const std::vector<ir::RegisterId> dest = registers_of(call);
    for (std::size_t i = 0; i < dest.size(); ++i) {
      emit(ir::Load{dest[i],
                    add_offset(result_slot, signature->returned[i].offset),
                    {},
                    marks_for(call, dest[i])});
    }
  }
}

} // namespace heddle::frontend
