// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/llvm/shift_checks.h"

#include "frontend/llvm/sanitizer_trap.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {

namespace {

/// Blocks as clang makes them: `start` goes to `look` if the amount is less than the width, and
/// past it to `meet` otherwise; `meet` goes to `shift` or to a trap.
struct ShiftCheck {
  llvm::BasicBlock* look = nullptr;
  llvm::BasicBlock* meet = nullptr;
  llvm::BasicBlock* trap = nullptr;
  llvm::BasicBlock* shift = nullptr;
};

const llvm::BranchInst* conditional_end(const llvm::BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch != nullptr && branch->isConditional() ? branch : nullptr;
}

bool find_check(llvm::BasicBlock& start, ShiftCheck& found) {
  const llvm::BranchInst* amount = conditional_end(start);
  if (amount == nullptr)
    return false;
  found.look = amount->getSuccessor(0);
  found.meet = amount->getSuccessor(1);
  const llvm::BranchInst* decides = conditional_end(*found.meet);
  if (decides == nullptr ||
      !is_trap_of(SanitizerHandler::kShiftOutOfBounds, *decides->getSuccessor(1)))
    return false;
  found.shift = decides->getSuccessor(0);
  found.trap = decides->getSuccessor(1);
  return found.look->getSinglePredecessor() == &start &&
         found.look->getSingleSuccessor() == found.meet && found.meet->hasNPredecessors(2) &&
         found.shift->getSinglePredecessor() == found.meet &&
         found.trap->getSinglePredecessor() == found.meet &&
         !llvm::isa<llvm::PHINode>(found.shift->front());
}

/// Whether the block ended in a check, which it then no longer does.
bool take_away_one(llvm::BasicBlock& start) {
  ShiftCheck check;
  if (!find_check(start, check))
    return false;
  for (llvm::Instruction& instruction : *check.shift)
    if (instruction.getOpcode() == llvm::Instruction::Shl) {
      instruction.setHasNoSignedWrap(true);
      break;
    }
  start.getTerminator()->eraseFromParent();
  start.splice(start.end(), check.shift);
  start.replaceSuccessorsPhiUsesWith(check.shift, &start);
  for (llvm::BasicBlock* block : {check.shift, check.trap, check.meet, check.look})
    block->dropAllReferences();
  for (llvm::BasicBlock* block : {check.shift, check.trap, check.meet, check.look})
    block->eraseFromParent();
  return true;
}

} // namespace

void mark_signed_shifts(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      while (take_away_one(block)) { // what was joined may end in another one
      }
}

} // namespace heddle::frontend
