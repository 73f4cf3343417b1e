// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which locals become registers, and how values flow into and out of them. Registers are mutable,
// so promotion needs no phis and never folds an uninitialised value away: a local that may be read
// before it is written gets one arbitrary value when the function is entered.
#pragma once

#include "frontend/llvm/module_importer.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heddle::frontend {

struct Promotion {
  std::vector<const llvm::AllocaInst*> locals; // promoted, in order
  std::unordered_set<const llvm::AllocaInst*> is_promoted;
  /// Locals that take over the register of a parameter that is only stored into them, on entry.
  std::unordered_map<const llvm::AllocaInst*, const llvm::Argument*> parameters;
  /// Values whose only use is a store into a promoted local, which they may be written to directly.
  std::unordered_map<const llvm::Instruction*, const llvm::AllocaInst*> written_directly;
  /// Loads of promoted locals that may stand for the register itself: no write comes between them
  /// and their last use.
  std::unordered_set<const llvm::LoadInst*> read_directly;
  /// Promoted locals that some path reads before writing.
  std::unordered_set<const llvm::AllocaInst*> maybe_uninitialised;
};

[[nodiscard]] Promotion promote(const llvm::Function& function, const ModuleImporter& module);

} // namespace heddle::frontend
