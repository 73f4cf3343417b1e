// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/destroyed_locks.h"

#include "program/model/sync_layout.h"

#include <algorithm>
#include <set>

namespace heddle::program {

namespace {

bool is_gone(const Program& program, Term value) {
  if (!program.terms.is_constant(value))
    return false;
  const std::uint64_t number = program.terms.node(value).value;
  return number == sync_layout::kGone || number == sync_layout::kGoneWide;
}

/// Locals that the constant is put into, where registers are kept.
std::set<std::uint64_t> gone_locals(const Program& program, const Procedure& procedure) {
  std::set<std::uint64_t> locals;
  const auto add = [&](const Assign& assign) {
    if (is_gone(program, assign.value))
      locals.insert(assign.dest.value);
  };
  for (const Edge& edge : procedure.edges) {
    if (const auto* assign = std::get_if<Assign>(&edge.action))
      add(*assign);
    if (const auto* sequence = std::get_if<AssignSequence>(&edge.action))
      std::ranges::for_each(sequence->assignments, add);
  }
  return locals;
}

} // namespace

DestroyedLocks::DestroyedLocks(const Program& program)
    : may_hold_one_(program.objects.size(), false) {
  for (const Procedure& procedure : program.procedures) {
    const std::set<std::uint64_t> locals = gone_locals(program, procedure);
    // The runtime destroys all but mutexes and barriers by a store of the constant.
    const auto destroys = [&](const Store& store) {
      return is_gone(program, store.value) ||
             std::ranges::any_of(program.terms.variables(store.value),
                                 [&](std::uint64_t local) { return locals.contains(local); });
    };
    for (const Edge& edge : procedure.edges) {
      if (const auto* sync = std::get_if<Synchronize>(&edge.action);
          sync != nullptr && sync->op == SyncOp::kMutexDestroy)
        add(program, sync->may);
      if (const auto* store = std::get_if<Store>(&edge.action);
          store != nullptr && destroys(*store))
        add(program, store->access.may);
    }
  }
}

void DestroyedLocks::add(const Program& program, ObjectSetId objects) {
  if (!objects.is_valid()) {
    is_any_ = true;
    return;
  }
  for (const ObjectId object : program.object_sets[objects])
    may_hold_one_[object] = true;
}

bool DestroyedLocks::may_be_in(const Program& program, ObjectSetId objects) const {
  if (is_any_)
    return true;
  if (!objects.is_valid())
    return std::ranges::find(may_hold_one_, true) != may_hold_one_.end();
  return std::ranges::any_of(program.object_sets[objects],
                             [&](ObjectId object) { return may_hold_one_[object]; });
}

} // namespace heddle::program
