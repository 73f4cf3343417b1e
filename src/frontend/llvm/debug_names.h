// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which C variable an alloca holds, from debug information.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <unordered_map>

namespace heddle::frontend {

using LocalNames = std::unordered_map<const llvm::Value*, const llvm::DILocalVariable*>;
[[nodiscard]] LocalNames local_names(const llvm::Function& function);

/// The type without typedefs and qualifiers.
[[nodiscard]] const llvm::DIType* strip_qualifiers(const llvm::DIType* type);

} // namespace heddle::frontend
