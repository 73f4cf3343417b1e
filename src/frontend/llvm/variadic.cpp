// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Variable arguments. They lie one after the other in a block of the caller's frame, in words (of
// 32 bits two for what is wider), and the function has a last parameter more: the address of that
// block. va_start makes the va_list of x86-64 say that registers are used up and that the
// arguments in memory start there; that of 32 bits is the address itself. What clang makes of
// va_arg then reads them. Calls by name are packed when all files are linked
// (frontend/c/complete.h), since the function may be defined in another one or be the library's;
// those through pointers here.
#include "frontend/llvm/function_importer.h"

#include <algorithm>
#include <string_view>

namespace heddle::frontend {

bool prints(const llvm::Function& function) {
  static constexpr std::string_view kNames[] = {
      "printf", "fprintf", "dprintf", "syslog", "vprintf", "vfprintf", "vdprintf", "vsyslog"};
  return function.isDeclaration() &&
         std::ranges::find(kNames, std::string_view(function.getName())) != std::end(kNames);
}

namespace {

/// Whether a va_list is only handed to functions that print, which nothing can observe.
bool is_only_printed(const llvm::Value* list) {
  for (const llvm::User* user : list->users()) {
    // Where va_list is a plain pointer, its value is passed on.
    if (llvm::isa<llvm::GetElementPtrInst, llvm::LoadInst>(user)) {
      if (!is_only_printed(user)) {
        return false;
      }
      continue;
    }
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr) {
      return false;
    }
    const llvm::Intrinsic::ID id = callee->getIntrinsicID();
    if (!prints(*callee) && id != llvm::Intrinsic::vastart && id != llvm::Intrinsic::vaend &&
        id != llvm::Intrinsic::lifetime_start && id != llvm::Intrinsic::lifetime_end) {
      return false;
    }
  }
  return true;
}

/// The fields of a va_list: two numbers and two pointers, or one pointer.
std::vector<Part> fields(unsigned pointer_bits) {
  const ir::Type number = ir::Type::integer(32);
  const ir::Type pointer = ir::Type::pointer();
  if (pointer_bits == 32) {
    return {{pointer, 0}};
  }
  return {{number, 0}, {number, 4}, {pointer, 8}, {pointer, 16}};
}

} // namespace

void FunctionImporter::import_variadic_start(const llvm::IntrinsicInst& call) {
  const llvm::Value* list = call.getArgOperand(0);
  if (is_only_printed(list->stripInBoundsConstantOffsets())) {
    return;
  }
  if (!ModuleImporter::takes_further_arguments(source_)) {
    return unsupported(call,
                       "the variable arguments of a function that has no other (va_start)",
                       "give the function a first parameter");
  }
  // 6 registers of 8 bytes for numbers, then 8 of 16 for floating point: none is left.
  constexpr std::uint64_t kNumbersUsed = 48;
  constexpr std::uint64_t kAllUsed = 176;
  const ir::Operand arguments = ir::RegisterId{out_.parameter_count - 1};
  const ir::Operand null = ir::Constant{ir::Type::pointer(), 0};
  const ir::Type number = ir::Type::integer(32);
  const Values values = module_.pointer_bits() == 32 ? Values{arguments}
                                                     : Values{ir::Constant{number, kNumbersUsed},
                                                              ir::Constant{number, kAllUsed},
                                                              arguments,
                                                              null};
  const ir::Operand target = operand(list);
  const std::vector<Part> parts = fields(module_.pointer_bits());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    emit(ir::Store{add_offset(target, parts[i].offset), values[i], parts[i].type, {}});
  }
}

void FunctionImporter::import_variadic_copy(const llvm::IntrinsicInst& call) {
  if (is_only_printed(call.getArgOperand(0)->stripInBoundsConstantOffsets())) {
    return;
  }
  copy_pieces(operand(call.getArgOperand(0)),
              operand(call.getArgOperand(1)),
              fields(module_.pointer_bits()),
              false);
}

void FunctionImporter::pack_further_arguments(ir::Call& call, std::size_t fixed) {
  const std::uint64_t word_size = module_.pointer_bits() / 8;
  std::uint64_t size = 0;
  std::vector<std::uint64_t> offsets;
  for (std::size_t i = fixed; i < call.arguments.size(); ++i) {
    offsets.push_back(size);
    const unsigned bits = module_.module().bits(type_of(call.arguments[i]));
    size += bits > module_.pointer_bits() ? 2 * word_size : word_size;
  }
  const ir::Operand block =
      ir::SlotAddress{new_slot("arguments", std::max(size, word_size), word_size)};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const ir::Operand value = call.arguments[fixed + i];
    emit(ir::Store{add_offset(block, offsets[i]), value, type_of(value), {}});
  }
  call.arguments.resize(fixed);
  call.arguments.push_back(block);
}

} // namespace heddle::frontend
