// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which C variable an alloca holds, from debug information.
#pragma once

#include "ir/part.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::frontend {

using LocalNames = std::unordered_map<const llvm::Value*, const llvm::DILocalVariable*>;
[[nodiscard]] LocalNames local_names(const llvm::Function& function);

/// Elements and fields of a variable of that type and size; none where the type does not say.
[[nodiscard]] std::vector<ir::Part> debug_parts(const llvm::DIType* type, std::uint64_t size);

/// "returns a structure", "takes a floating-point number", where the C type of the function has
/// what is neither a number of up to 64 bits nor a pointer; otherwise empty.
[[nodiscard]] std::string other_type_of(const llvm::Function& function);

/// The type without typedefs and qualifiers.
[[nodiscard]] const llvm::DIType* strip_qualifiers(const llvm::DIType* type);

} // namespace heddle::frontend
