// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Places and the C types of globals, from debug information.
#include "frontend/llvm/debug_names.h"

#include "frontend/llvm/module_importer.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::frontend {

SourceLoc ModuleImporter::loc(const llvm::DIFile* file, unsigned line, unsigned column) {
  if (file == nullptr || line == 0) {
    return {};
  }
  const std::string name = file->getFilename().str();
  const auto [place, is_new] =
      files_.try_emplace(name, static_cast<std::uint32_t>(imported_.module.files.size()));
  if (is_new) {
    imported_.module.files.push_back(name);
  }
  return {place->second, line, column};
}

SourceLoc ModuleImporter::loc(const llvm::DebugLoc& place) {
  if (!place) {
    return {};
  }
  return loc(place->getFile(), place.getLine(), place.getCol());
}

const llvm::DIType* strip_qualifiers(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_typedef:
    case llvm::dwarf::DW_TAG_const_type:
    case llvm::dwarf::DW_TAG_volatile_type:
    case llvm::dwarf::DW_TAG_restrict_type:
    case llvm::dwarf::DW_TAG_atomic_type:
      type = derived->getBaseType();
      break;
    default:
      return type;
    }
  }
  return type;
}

void ModuleImporter::describe_global(const llvm::GlobalVariable& source, ir::Global& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> entries;
  source.getDebugInfo(entries);
  if (entries.empty()) {
    return;
  }
  const llvm::DIGlobalVariable* variable = entries.front()->getVariable();
  global.loc = loc(variable->getFile(), variable->getLine(), 0);
  const llvm::DIType* type = strip_qualifiers(variable->getType());
  if (const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type)) {
    const unsigned encoding = basic->getEncoding();
    if (basic->getSizeInBits() <= 64 && encoding != llvm::dwarf::DW_ATE_float) {
      global.scalar_bits = static_cast<std::uint8_t>(basic->getSizeInBits());
      global.scalar_signed =
          encoding == llvm::dwarf::DW_ATE_signed || encoding == llvm::dwarf::DW_ATE_signed_char;
    }
  } else if (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) {
      global.scalar_bits = static_cast<std::uint8_t>(pointer_bits());
    }
  } else if (const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type)) {
    if (composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type &&
        composite->getSizeInBits() <= 64) {
      global.scalar_bits = static_cast<std::uint8_t>(composite->getSizeInBits());
    }
  }
}

namespace {
void note(LocalNames& names, const llvm::Value* address, const llvm::DILocalVariable* variable) {
  if (address != nullptr && variable != nullptr) {
    names.try_emplace(address, variable);
  }
}
} // namespace

LocalNames local_names(const llvm::Function& function) {
  LocalNames names;
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        if (record.isDbgDeclare()) {
          note(names, record.getAddress(), record.getVariable());
        }
      }
      if (const auto* declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction)) {
        note(names, declare->getAddress(), declare->getVariable());
      }
    }
  }
  return names;
}

} // namespace heddle::frontend
