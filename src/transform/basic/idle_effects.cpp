// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/idle_effects.h"

#include "program/analyse/liveness.h"
#include "program/events/event_builder.h"
#include "program/events/event_pieces.h"
#include "program/model/sync_kinds.h"
#include "support/overloaded.h"

#include <algorithm>
#include <set>

namespace heddle::transform {

using namespace program; // NOLINT: the family of actions is spelled out below

IdVector<ObjectSetId, bool> unread_objects(const Program& program) {
  IdVector<ObjectSetId, bool> unread(program.object_sets.size(), true);
  std::set<ObjectId> read;
  bool is_any_read = false;
  const auto note = [&](ObjectSetId may) {
    if (!may.is_valid())
      is_any_read = true;
    else
      read.insert(program.object_sets[may].begin(), program.object_sets[may].end());
  };
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges) {
      if (const auto* load = std::get_if<Load>(&edge.action))
        note(load->access.may);
      else if (const auto* exclusive = std::get_if<LoadExclusive>(&edge.action))
        note(exclusive->access.may);
      else if (const auto* update = std::get_if<ReadModifyWrite>(&edge.action))
        note(update->access.may);
      else if (const auto* exchange = std::get_if<CompareExchange>(&edge.action))
        note(exchange->access.may);
      else if (const auto* sync = std::get_if<Synchronize>(&edge.action);
               sync != nullptr && !is_thread_operation(sync->op))
        // A wait on a condition reads its mutex, too.
        note(is_condition_wait(sync->op) ? ObjectSetId{} : sync->may);
    }
  for (std::size_t i = 0; i < unread.size(); ++i)
    unread[ObjectSetId{i}] =
        !is_any_read &&
        std::ranges::none_of(program.object_sets[ObjectSetId{i}],
                             [&](ObjectId object) { return read.contains(object); });
  return unread;
}

bool has_attempts(const Program& program) {
  for (const Procedure& procedure : program.procedures) {
    std::set<std::uint32_t> read;
    for (const Edge& edge : procedure.edges)
      for (const std::uint32_t local : local_use(program.terms, edge.action).reads)
        read.insert(local);
    for (const Edge& edge : procedure.edges) {
      const auto* sync = std::get_if<Synchronize>(&edge.action);
      if (sync == nullptr)
        continue;
      const ir::SyncFacts& facts = facts_of(sync->op);
      if (is_attempt(sync->op) && is_lock(facts.object))
        return true;
      // It fails if the lock is taken.
      if (facts.role == ir::SyncRole::kDestroy && sync->dest && read.contains(sync->dest->value))
        return true;
    }
  }
  return false;
}

Effect Effects::of(const Action& action) {
  const auto none = [](const auto&) { return Effect{}; };
  const auto some = [](const auto&) { return Effect{Effect::Kind::kSome}; };
  return std::visit(Overloaded{
                        [&](const Skip& a) { return none(a); },
                        [&](const Assign& a) { return none(a); },
                        [&](const AssignSequence& a) { return none(a); },
                        [&](const Nondet& a) { return none(a); },
                        [&](const Assume& a) { return none(a); },
                        [&](const Check& a) { return none(a); },
                        [&](const CheckNeighbourhood& a) { return none(a); },
                        [&](const Load& a) { return none(a); },
                        [&](const Store& a) { return of_store(a); },
                        [&](const LoadExclusive& a) { return some(a); },
                        [&](const StoreExclusive& a) { return some(a); },
                        [&](const ReadModifyWrite& a) { return of_update(a); },
                        [&](const CompareExchange& a) { return of_exchange(a); },
                        [&](const Fence& a) { return none(a); },
                        [&](const Allocate& a) { return some(a); },
                        [&](const Free& a) { return some(a); },
                        [&](const BlockSize& a) { return none(a); },
                        [&](const Call& a) { return some(a); },
                        [&](const Return& a) { return none(a); },
                        [&](const Synchronize& a) { return of_synchronisation(a); },
                        [&](const AtomicBegin&) { return Effect{Effect::Kind::kTake}; },
                        [&](const AtomicEnd&) { return Effect{Effect::Kind::kGive}; },
                        [&](const Hint& a) { return none(a); },
                        [&](const ThreadExit& a) { return none(a); },
                        [&](const Exit& a) { return none(a); },
                        [&](const Cut& a) { return none(a); },
                        [&](const Trap& a) { return none(a); },
                    },
                    action);
}

Effect Effects::of_store(const Store& store) const {
  if (!store.access.is_visible && !store.marks)
    return {Effect::Kind::kOwn};
  const bool is_unread =
      seen_.unread != nullptr && store.access.may.is_valid() && (*seen_.unread)[store.access.may];
  return {is_unread ? Effect::Kind::kNone : Effect::Kind::kSome};
}

Effect Effects::of_update(const ReadModifyWrite& update) {
  const std::vector<std::uint64_t> variables = terms_.variables(update.value);
  if (!update.dest.is_valid() ||
      std::binary_search(variables.begin(), variables.end(), update.dest.value) ||
      procedure_.locals[update.dest].width != terms_.sort(update.value).width)
    return {Effect::Kind::kSome};
  const Term old_value = value_of(update.dest);
  return {Effect::Kind::kUnless,
          terms_.equal(old_value, rmw_result(terms_, update.op, old_value, update.value))};
}

/// It fails, or writes what it found.
Effect Effects::of_exchange(const CompareExchange& exchange) {
  if (!exchange.success.is_valid())
    return {Effect::Kind::kSome};
  Term is_idle = terms_.not_(terms_.to_bool(value_of(exchange.success)));
  const std::vector<std::uint64_t> variables = terms_.variables(exchange.desired);
  const auto is_assigned = [&](LocalId local) {
    return std::binary_search(variables.begin(), variables.end(), local.value);
  };
  if (seen_.equal_exchanges && exchange.dest.is_valid() && !is_assigned(exchange.dest) &&
      !is_assigned(exchange.success) &&
      procedure_.locals[exchange.dest].width == terms_.sort(exchange.desired).width)
    is_idle = terms_.or_(is_idle, terms_.equal(value_of(exchange.dest), exchange.desired));
  return {Effect::Kind::kUnless, is_idle};
}

Effect Effects::of_synchronisation(const Synchronize& sync) {
  if (seen_.attempts && is_attempt(sync.op) && sync.dest) {
    const unsigned width = procedure_.locals[*sync.dest].width;
    const Term fails = terms_.not_(terms_.equal(value_of(*sync.dest), terms_.constant(0, width)));
    return {Effect::Kind::kUnless, fails};
  }
  const auto on_lock = [&](Effect::Kind kind, std::size_t operand) {
    const Term lock = sync.operands[operand];
    const std::vector<std::uint64_t> variables = terms_.variables(lock);
    const bool is_fixed = std::all_of(variables.begin(), variables.end(), [&](std::uint64_t local) {
      return local == kSelfVariable || changed_[static_cast<std::size_t>(local)] == 0;
    });
    return seen_.locks_balance && is_fixed ? Effect{kind, {}, lock} : Effect{Effect::Kind::kSome};
  };
  const ir::SyncFacts& facts = facts_of(sync.op);
  switch (facts.role) {
  case ir::SyncRole::kTake:
  case ir::SyncRole::kTakeShared:
    if (is_attempt(sync.op) || !is_lock(facts.object))
      return {Effect::Kind::kSome};
    return on_lock(Effect::Kind::kTake, 0);
  case ir::SyncRole::kGive:
    return on_lock(Effect::Kind::kGive, 0);
  case ir::SyncRole::kWait:
    return on_lock(Effect::Kind::kWait, 1);
  case ir::SyncRole::kSignal:
  case ir::SyncRole::kBroadcast:
    return seen_.signals ? Effect{Effect::Kind::kSome} : Effect{};
  case ir::SyncRole::kSelf:
  case ir::SyncRole::kLook:
    return {};
  case ir::SyncRole::kCreate:
  case ir::SyncRole::kJoin:
  case ir::SyncRole::kDetach:
  case ir::SyncRole::kInitialise:
  case ir::SyncRole::kDestroy:
  case ir::SyncRole::kPost:
  case ir::SyncRole::kArrive:
  case ir::SyncRole::kEnter:
  case ir::SyncRole::kLeave:
    return {Effect::Kind::kSome};
  }
  return {Effect::Kind::kSome};
}

} // namespace heddle::transform
