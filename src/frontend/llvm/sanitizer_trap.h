// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where clang's checks lead that were compiled to traps.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::frontend {

/// The numbers of clang's SanitizerHandler.
enum class SanitizerHandler : unsigned { kOutOfBounds = 18, kShiftOutOfBounds = 20 };

[[nodiscard]] inline bool is_trap_of(SanitizerHandler handler, const llvm::BasicBlock& block) {
  const auto* trap = llvm::dyn_cast<llvm::IntrinsicInst>(block.getFirstNonPHIOrDbg());
  return trap != nullptr && trap->getIntrinsicID() == llvm::Intrinsic::ubsantrap &&
         llvm::cast<llvm::ConstantInt>(trap->getArgOperand(0))
             ->equalsInt(static_cast<unsigned>(handler));
}

} // namespace heddle::frontend
