// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/llvm/index_checks.h"

#include "frontend/llvm/sanitizer_trap.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {

namespace {

/// Of the array that is indexed first in the block.
bool indexes_whole_object(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (element == nullptr)
      continue;
    llvm::Type* array = element->getSourceElementType();
    if (!array->isArrayTy())
      return false;
    const llvm::Value* base = element->getPointerOperand();
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base))
      return global->getValueType() == array;
    const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(base);
    return slot != nullptr && slot->getAllocatedType() == array;
  }
  return false;
}

/// Whether the block ended in a check, which it then no longer does.
bool join_one(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional() ||
      !is_trap_of(SanitizerHandler::kOutOfBounds, *branch->getSuccessor(1)))
    return false;
  llvm::BasicBlock* next = branch->getSuccessor(0);
  llvm::BasicBlock* trap = branch->getSuccessor(1);
  if (next->getSinglePredecessor() != &block || trap->getSinglePredecessor() != &block ||
      llvm::isa<llvm::PHINode>(next->front()))
    return false;
  if (!indexes_whole_object(*next)) {
    llvm::IRBuilder<> builder(branch);
    builder.CreateIntrinsic(llvm::Intrinsic::experimental_guard, {}, {branch->getCondition()});
  }
  branch->eraseFromParent();
  block.splice(block.end(), next);
  block.replaceSuccessorsPhiUsesWith(next, &block);
  next->eraseFromParent();
  trap->eraseFromParent();
  return true;
}

} // namespace

void join_index_checks(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      while (join_one(block)) { // what was joined may end in another one
      }
}

} // namespace heddle::frontend
