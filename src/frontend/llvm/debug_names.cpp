// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Places and the C types of globals, from debug information.
#include "frontend/llvm/debug_names.h"

#include "frontend/llvm/module_importer.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

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

namespace {

struct Scalar {
  std::uint8_t bits = 0;
  bool is_signed = false;
};

Scalar scalar_of(const llvm::DIType* type) {
  type = strip_qualifiers(type);
  if (type == nullptr || type->getSizeInBits() > 64) {
    return {};
  }
  const auto bits = static_cast<std::uint8_t>(type->getSizeInBits());
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
    const unsigned encoding = basic->getEncoding();
    if (encoding == llvm::dwarf::DW_ATE_float) {
      return {};
    }
    return {bits,
            encoding == llvm::dwarf::DW_ATE_signed || encoding == llvm::dwarf::DW_ATE_signed_char};
  }
  const bool is_enumeration = type->getTag() == llvm::dwarf::DW_TAG_enumeration_type;
  return is_enumeration || type->getTag() == llvm::dwarf::DW_TAG_pointer_type ? Scalar{bits, false}
                                                                              : Scalar{};
}

/// A variable with more parts than this is shown by offsets.
constexpr std::size_t kMostNamedParts = 256;

/// Reads the parts of a type out of debug information.
class PartReader {
public:
  std::vector<ir::Part> read(const llvm::DIType* type) {
    std::vector<ir::Part> parts;
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(type));
    if (composite == nullptr) {
      return parts;
    }
    switch (composite->getTag()) {
    case llvm::dwarf::DW_TAG_array_type:
      add_elements(*composite, parts);
      break;
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_union_type:
      add_fields(*composite, 0, parts);
      break;
    default:
      break;
    }
    return parts;
  }
  [[nodiscard]] bool is_too_large() const { return count_ > kMostNamedParts; }

private:
  ir::Part part_of(const llvm::DIType* type, std::uint64_t offset) {
    ++count_;
    ir::Part part;
    part.offset = offset;
    const llvm::DIType* bare = strip_qualifiers(type);
    part.size = bare == nullptr ? 0 : bare->getSizeInBits() / 8;
    const Scalar scalar = scalar_of(type);
    part.scalar_bits = scalar.bits;
    part.scalar_signed = scalar.is_signed;
    if (!is_too_large()) {
      part.parts = read(type);
    }
    return part;
  }

  void add_elements(const llvm::DICompositeType& array, std::vector<ir::Part>& parts) {
    std::vector<std::uint64_t> counts; // of the outermost dimension first
    for (const llvm::DINode* node : array.getElements()) {
      const auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
      const auto* count = range == nullptr
                              ? nullptr
                              : llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
      if (count == nullptr || count->getSExtValue() <= 0) {
        return; // of variable or unknown length
      }
      counts.push_back(count->getZExtValue());
    }
    ir::Part part = part_of(array.getBaseType(), 0);
    if (part.size == 0 || counts.empty()) {
      return;
    }
    part.count = counts.back();
    for (std::size_t i = counts.size() - 1; i > 0; --i) {
      ir::Part row;
      row.size = part.size * part.count;
      row.count = counts[i - 1];
      row.parts.push_back(std::move(part));
      part = std::move(row);
    }
    parts.push_back(std::move(part));
  }

  void add_fields(const llvm::DICompositeType& structure,
                  std::uint64_t offset,
                  std::vector<ir::Part>& parts) {
    for (const llvm::DINode* node : structure.getElements()) {
      const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (member == nullptr || member->getTag() != llvm::dwarf::DW_TAG_member ||
          member->isBitField()) {
        continue; // the bytes of bit-fields belong to several
      }
      // The inside of what the system's headers declare (pthread_mutex_t) is nobody's business.
      if (member->getName().starts_with("__")) {
        return;
      }
      const std::uint64_t at = offset + member->getOffsetInBits() / 8;
      if (member->getName().empty()) {
        if (const auto* inner = llvm::dyn_cast_or_null<llvm::DICompositeType>(
                strip_qualifiers(member->getBaseType()))) {
          add_fields(*inner, at, parts);
        }
        continue;
      }
      ir::Part part = part_of(member->getBaseType(), at);
      part.field = member->getName().str();
      if (part.size != 0) {
        parts.push_back(std::move(part));
      }
    }
  }

  std::size_t count_ = 0;
};

/// Does every part lie inside what it is a part of? Debug information is not checked by anybody
/// else.
bool fits(const std::vector<ir::Part>& parts, std::uint64_t size) {
  return std::all_of(parts.begin(), parts.end(), [&](const ir::Part& part) {
    return part.offset <= size && part.count <= (size - part.offset) / part.size &&
           fits(part.parts, part.size);
  });
}

} // namespace

std::vector<ir::Part> debug_parts(const llvm::DIType* type, std::uint64_t size) {
  PartReader reader;
  std::vector<ir::Part> parts = reader.read(type);
  if (reader.is_too_large() || !fits(parts, size)) {
    parts.clear();
  }
  return parts;
}

std::string other_type_of(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr || subprogram->getType() == nullptr) {
    return {};
  }
  const auto what_is = [](const llvm::DIType* type) -> std::string {
    type = strip_qualifiers(type);
    if (type == nullptr) {
      return {}; // void, or the end of what is variadic
    }
    if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
      const unsigned encoding = basic->getEncoding();
      if (encoding == llvm::dwarf::DW_ATE_float || encoding == llvm::dwarf::DW_ATE_complex_float) {
        return "a floating-point number";
      }
      return basic->getSizeInBits() > 64 ? "a number of more than 64 bits" : "";
    }
    switch (type->getTag()) {
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_union_type:
    case llvm::dwarf::DW_TAG_class_type:
      return "a structure";
    default:
      return {};
    }
  };
  bool is_result = true;
  for (const llvm::DIType* type : subprogram->getType()->getTypeArray()) {
    if (const std::string what = what_is(type); !what.empty()) {
      return (is_result ? "returns " : "takes ") + what;
    }
    is_result = false;
  }
  return {};
}

void ModuleImporter::describe_global(const llvm::GlobalVariable& source, ir::Global& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> entries;
  source.getDebugInfo(entries);
  if (entries.empty()) {
    return;
  }
  const llvm::DIGlobalVariable* variable = entries.front()->getVariable();
  global.loc = loc(variable->getFile(), variable->getLine(), 0);
  const Scalar scalar = scalar_of(variable->getType());
  global.scalar_bits = scalar.bits;
  global.scalar_signed = scalar.is_signed;
  global.parts = debug_parts(variable->getType(), global.size);
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
