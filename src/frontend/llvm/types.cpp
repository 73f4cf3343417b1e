// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Types of LLVM as parts, their sizes, and calling conventions.
#include "frontend/llvm/module_importer.h"

#include <llvm/IR/DerivedTypes.h>

namespace heddle::frontend {

namespace {
/// More parts than this are not worth naming one by one; such values only occur in arrays passed by
/// value.
constexpr std::size_t kMostParts = 64;
} // namespace

std::optional<ir::Type> ModuleImporter::scalar(llvm::Type* type) const {
  if (const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    if (integer->getBitWidth() > 64) {
      return std::nullopt;
    }
    return ir::Type::integer(integer->getBitWidth());
  }
  if (type->isPointerTy()) {
    return ir::Type::pointer();
  }
  if (type->isFloatTy()) {
    return ir::Type::integer(32);
  }
  if (type->isDoubleTy()) {
    return ir::Type::integer(64);
  }
  if (type->isHalfTy() || type->isBFloatTy()) {
    return ir::Type::integer(16);
  }
  return std::nullopt;
}

bool ModuleImporter::add_parts(llvm::Type* type,
                               std::uint64_t offset,
                               std::vector<Part>& out) const {
  if (out.size() > kMostParts) {
    return false;
  }
  if (const auto one = scalar(type)) {
    out.push_back({*one, offset});
    return true;
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    if (structure->isOpaque()) {
      return false;
    }
    const llvm::StructLayout* fields = layout_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      if (!add_parts(structure->getElementType(i), offset + fields->getElementOffset(i), out)) {
        return false;
      }
    }
    return true;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = alloc_size(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      if (!add_parts(array->getElementType(), offset + i * stride, out)) {
        return false;
      }
    }
    return true;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const auto element = scalar(vector->getElementType());
    if (!element || imported_.module.bits(*element) % 8 != 0) {
      return false;
    }
    const std::uint64_t stride = imported_.module.bits(*element) / 8;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      out.push_back({*element, offset + i * stride});
    }
    return out.size() <= kMostParts;
  }
  if (type->isSized() && (type->isIntegerTy() || type->isFloatingPointTy())) {
    // Wider than 64 bits: pieces of 64 bits, the lowest first.
    std::uint64_t bits = layout_.getTypeSizeInBits(type);
    for (; bits > 0; offset += 8) {
      const std::uint64_t piece = bits < 64 ? bits : 64;
      out.push_back({ir::Type::integer(static_cast<unsigned>(piece)), offset});
      bits -= piece;
    }
    return out.size() <= kMostParts;
  }
  return false;
}

std::optional<std::vector<Part>> ModuleImporter::parts(llvm::Type* type) const {
  std::vector<Part> out;
  if (type->isVoidTy()) {
    return out;
  }
  if (!add_parts(type, 0, out) || out.size() > kMostParts) {
    return std::nullopt;
  }
  return out;
}

std::uint64_t ModuleImporter::store_size(llvm::Type* type) const {
  return layout_.getTypeStoreSize(type).getFixedValue();
}

std::uint64_t ModuleImporter::alloc_size(llvm::Type* type) const {
  return layout_.getTypeAllocSize(type).getFixedValue();
}

std::optional<Signature> ModuleImporter::signature(llvm::FunctionType* type) const {
  Signature out;
  const auto returned = parts(type->getReturnType());
  if (!returned) {
    return std::nullopt;
  }
  if (returned->size() == 1) {
    out.result = returned->front().type;
  } else if (returned->size() > 1) {
    out.returned = *returned;
    out.parameters.push_back(ir::Type::pointer());
  }
  for (llvm::Type* parameter : type->params()) {
    if (parameter->isMetadataTy()) {
      return std::nullopt;
    }
    const auto pieces = parts(parameter);
    if (!pieces) {
      return std::nullopt;
    }
    for (const Part& piece : *pieces) {
      out.parameters.push_back(piece.type);
    }
  }
  return out;
}

} // namespace heddle::frontend
