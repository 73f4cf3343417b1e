// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/llvm/promote.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {

namespace {

/// Scans of straight code stop here: a longer distance only costs a copy.
constexpr int kLongestScan = 200;

/// A register holds a pointer as the number it is: clang keeps pointers in such locals on their way
/// to and from atomic accesses, which are of integers.
bool is_held_as(const llvm::AllocaInst& local, llvm::Type* type) {
  llvm::Type* const held = local.getAllocatedType();
  if (type == held) {
    return true;
  }
  const llvm::DataLayout& layout = local.getModule()->getDataLayout();
  return type->isIntOrPtrTy() && held->isIntOrPtrTy() &&
         layout.getTypeSizeInBits(type) == layout.getTypeSizeInBits(held);
}

bool is_promotable(const llvm::AllocaInst& local, const ModuleImporter& module) {
  if (local.isArrayAllocation() || !local.isStaticAlloca() ||
      !module.scalar(local.getAllocatedType())) {
    return false;
  }
  for (const llvm::User* user : local.users()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (!load->isSimple() || !is_held_as(local, load->getType())) {
        return false;
      }
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (!store->isSimple() || store->getPointerOperand() != &local ||
          store->getValueOperand() == &local ||
          !is_held_as(local, store->getValueOperand()->getType())) {
        return false;
      }
    } else {
      return false;
    }
  }
  return true;
}

const llvm::AllocaInst* promoted_local(const llvm::Value* address, const Promotion& promotion) {
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(address);
  return local != nullptr && promotion.is_promoted.contains(local) ? local : nullptr;
}

/// The promoted local this instruction reads or writes.
const llvm::AllocaInst* accessed(const llvm::Instruction& instruction, const Promotion& promotion) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return promoted_local(load->getPointerOperand(), promotion);
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return promoted_local(store->getPointerOperand(), promotion);
  }
  return nullptr;
}

/// A kind of instruction whose import writes its one result by one instruction, last.
bool has_single_write(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    return !call->isInlineAsm() && (callee == nullptr || !callee->isIntrinsic());
  }
  return llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::LoadInst>(instruction) &&
         instruction.getType()->isIntOrPtrTy();
}

void find_direct_writes(const llvm::Function& function, Promotion& promotion) {
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (!has_single_write(instruction) || !instruction.hasOneUse() ||
          accessed(instruction, promotion) != nullptr) {
        continue;
      }
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(*instruction.user_begin());
      if (store == nullptr || store->getParent() != &block) {
        continue;
      }
      const llvm::AllocaInst* local = promoted_local(store->getPointerOperand(), promotion);
      if (local == nullptr) {
        continue;
      }
      int steps = 0;
      const llvm::Instruction* between = instruction.getNextNode();
      while (between != store && steps < kLongestScan && accessed(*between, promotion) != local) {
        between = between->getNextNode();
        ++steps;
      }
      if (between == store) {
        promotion.written_directly.emplace(&instruction, local);
      }
    }
  }
}

bool writes(const llvm::Instruction& instruction,
            const llvm::AllocaInst* local,
            const Promotion& promotion) {
  const auto direct = promotion.written_directly.find(&instruction);
  if (direct != promotion.written_directly.end() && direct->second == local) {
    return true;
  }
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store != nullptr && store->getPointerOperand() == local;
}

void find_direct_reads(const llvm::Function& function, Promotion& promotion) {
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const llvm::AllocaInst* local = load == nullptr ? nullptr : accessed(*load, promotion);
      if (local == nullptr) {
        continue;
      }
      std::size_t uses_left = load->getNumUses();
      bool is_direct = true;
      int steps = 0;
      for (const llvm::Instruction* next = load->getNextNode();
           next != nullptr && uses_left > 0 && steps < kLongestScan;
           next = next->getNextNode(), ++steps) {
        // A phi elsewhere copies at the end of this block; a use in another block never brings the
        // count to 0.
        for (const llvm::Use& use : next->operands()) {
          uses_left -= use.get() == load ? 1U : 0U;
        }
        if (uses_left > 0 && writes(*next, local, promotion)) {
          is_direct = false;
          break;
        }
      }
      if (is_direct && uses_left == 0) {
        promotion.read_directly.insert(load);
      }
    }
  }
}

void find_parameters(const llvm::Function& function, Promotion& promotion) {
  if (function.empty()) {
    return;
  }
  // Only if entry is left for good: a loop back to it would store the parameter again.
  const llvm::BasicBlock& entry = function.getEntryBlock();
  std::unordered_set<const llvm::AllocaInst*> seen;
  for (const llvm::Instruction& instruction : entry) {
    const llvm::AllocaInst* local = accessed(instruction, promotion);
    if (local == nullptr) {
      continue;
    }
    const bool is_first = seen.insert(local).second;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!is_first || store == nullptr) {
      continue;
    }
    const auto* argument = llvm::dyn_cast<llvm::Argument>(store->getValueOperand());
    if (argument != nullptr && argument->hasOneUse()) {
      promotion.parameters.emplace(local, argument);
    }
  }
}

/// Must-assign, forward: which locals are written on every path to a block.
void find_uninitialised(const llvm::Function& function, Promotion& promotion) {
  std::unordered_map<const llvm::AllocaInst*, unsigned> number;
  for (const llvm::AllocaInst* local : promotion.locals) {
    number.emplace(local, static_cast<unsigned>(number.size()));
  }
  const auto count = static_cast<unsigned>(number.size());
  std::unordered_map<const llvm::BasicBlock*, llvm::BitVector> at_end;
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  for (const llvm::BasicBlock* block : order) {
    at_end.emplace(block, llvm::BitVector(count, true));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order) {
      const bool is_entry = block == &function.getEntryBlock();
      llvm::BitVector assigned(count, !is_entry);
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
        if (!is_entry && at_end.contains(before)) {
          assigned &= at_end[before];
        }
      }
      for (const llvm::Instruction& instruction : *block) {
        const llvm::AllocaInst* local = accessed(instruction, promotion);
        if (local == nullptr) {
          continue;
        }
        if (llvm::isa<llvm::StoreInst>(instruction)) {
          assigned.set(number.at(local));
        } else if (!assigned.test(number.at(local))) {
          promotion.maybe_uninitialised.insert(local);
        }
      }
      if (assigned != at_end[block]) {
        at_end[block] = std::move(assigned);
        changed = true;
      }
    }
  }
}

} // namespace

Promotion promote(const llvm::Function& function, const ModuleImporter& module) {
  Promotion promotion;
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (local != nullptr && is_promotable(*local, module)) {
        promotion.locals.push_back(local);
        promotion.is_promoted.insert(local);
      }
    }
  }
  find_direct_writes(function, promotion);
  find_direct_reads(function, promotion);
  find_parameters(function, promotion);
  find_uninitialised(function, promotion);
  return promotion;
}

} // namespace heddle::frontend
