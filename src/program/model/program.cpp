// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/model/program.h"

#include "support/overloaded.h"

#include <fmt/format.h>

namespace heddle::program {

std::string Program::place(SourceLoc loc) const {
  if (!loc.is_known() || loc.file >= files.size())
    return "unknown place";
  return fmt::format("{}:{}", files[loc.file], loc.line);
}

bool is_visible(const Action& action) {
  return std::visit(
      Overloaded{
          [](const Skip&) { return false; },
          [](const Assign&) { return false; },
          [](const AssignSequence&) { return false; },
          [](const Nondet&) { return false; },
          [](const Assume&) { return false; },
          [](const Check&) { return false; },
          [](const CheckNeighbourhood&) { return false; },
          [](const Load& load) { return load.access.is_visible; },
          [](const Store& store) { return store.access.is_visible; },
          [](const LoadExclusive& load) { return load.access.is_visible; },
          [](const StoreExclusive& store) { return store.access.is_visible; },
          // What waits for the store buffer is a step of the machine even if nobody else reaches
          // the place.
          [](const ReadModifyWrite& update) {
            return update.access.is_visible || update.access.drains;
          },
          [](const CompareExchange& update) {
            return update.access.is_visible || update.access.drains;
          },
          [](const Fence& fence) { return fence.strength != Fence::Strength::kNone; },
          [](const Allocate& allocate) { return allocate.is_visible; },
          [](const Free& free) { return free.is_visible; },
          // If another thread frees the block meanwhile, the free that follows (realloc) meets it.
          [](const BlockSize&) { return false; },
          [](const Call&) { return false; },
          // The return of a thread's outermost frame is visible: only the interpreter knows which
          // one that is.
          [](const Return&) { return false; },
          [](const Synchronize& sync) { return sync.op != SyncOp::kSelf; },
          [](const AtomicBegin&) { return true; },
          [](const AtomicEnd&) { return true; },
          [](const Hint&) { return false; },
          [](const ThreadExit&) { return true; },
          [](const Exit&) { return true; },
          [](const Cut&) { return false; },
          [](const Trap&) { return false; },
      },
      action);
}

} // namespace heddle::program
