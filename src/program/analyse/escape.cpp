// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// An object is shared if a thread other than the initial one may touch it, and two threads can know
// where it is: it is a global that is ever written, or its address was passed to a thread, returned
// by one, or stored in something shared. What only code of the initial thread touches is private,
// since that thread exists once; a created thread's code may run many times.
#include "program/analyse/escape.h"

#include "program/model/sync_kinds.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::program {

namespace {

std::vector<ProcedureId> started_or_called(const PointsTo& points_to,
                                           ProcedureId procedure,
                                           const Action& action,
                                           bool started) {
  if (const auto* call = std::get_if<Call>(&action); call != nullptr && !started)
    return call->function ? points_to.call_targets(procedure, *call->function, call->targets)
                          : call->targets;
  if (const auto* sync = std::get_if<Synchronize>(&action);
      sync != nullptr && started && sync->op == SyncOp::kCreate)
    return points_to.call_targets(procedure, sync->operands[0], sync->targets);
  return {};
}

/// Procedures that a created thread may run.
IdVector<ProcedureId, bool> run_by_created_threads(const Program& program,
                                                   const PointsTo& points_to) {
  IdVector<ProcedureId, bool> is_run(program.procedures.size(), false);
  std::vector<ProcedureId> pending;
  const auto add = [&](const std::vector<ProcedureId>& procedures) {
    for (const ProcedureId id : procedures)
      if (!is_run[id]) {
        is_run[id] = true;
        pending.push_back(id);
      }
  };
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges)
      add(started_or_called(points_to, ProcedureId{i}, edge.action, true));
  while (!pending.empty()) {
    const ProcedureId id = pending.back();
    pending.pop_back();
    for (const Edge& edge : program.procedures[id].edges)
      add(started_or_called(points_to, id, edge.action, false));
  }
  return is_run;
}

} // namespace

Touched touched(const PointsTo& points_to, ProcedureId procedure, const Action& action) {
  Touched result;
  const auto add = [&](Term address) {
    const AliasValue value = points_to.address(procedure, address);
    result.is_none = false;
    result.any = result.any || value.is_any();
    const std::vector<ObjectId> objects = value.objects();
    result.objects.insert(result.objects.end(), objects.begin(), objects.end());
  };
  std::visit(Overloaded{
                 [](const Skip&) {},
                 [](const Assign&) {},
                 [](const AssignSequence&) {},
                 [](const Nondet&) {},
                 [](const Assume&) {},
                 [](const Check&) {},
                 [](const CheckNeighbourhood&) {},
                 [&](const Load& a) { add(a.address); },
                 [&](const Store& a) { add(a.address); },
                 [&](const LoadExclusive& a) { add(a.address); },
                 [&](const StoreExclusive& a) { add(a.address); },
                 [&](const ReadModifyWrite& a) { add(a.address); },
                 [&](const CompareExchange& a) { add(a.address); },
                 [](const Fence&) {},
                 [](const Allocate&) {},
                 [&](const Free& a) { add(a.address); },
                 [&](const BlockSize& a) { add(a.address); },
                 [](const Call&) {},
                 [](const Return&) {},
                 [&](const Synchronize& a) {
                   for (std::size_t k = 0; k < objects_of(a.op).size(); ++k)
                     add(a.operands[k]);
                 },
                 [](const AtomicBegin&) {},
                 [](const AtomicEnd&) {},
                 [](const Hint&) {},
                 [](const ThreadExit&) {},
                 [](const Exit&) {},
                 [](const Cut&) {},
                 [](const Trap&) {},
             },
             action);
  std::sort(result.objects.begin(), result.objects.end());
  result.objects.erase(std::unique(result.objects.begin(), result.objects.end()),
                       result.objects.end());
  return result;
}

IdVector<ObjectId, bool> find_freed(const Program& program, const PointsTo& points_to) {
  IdVector<ObjectId, bool> is_freed(program.objects.size(), false);
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges)
      if (std::holds_alternative<Free>(edge.action)) {
        const Touched blocks = touched(points_to, ProcedureId{i}, edge.action);
        for (std::size_t o = 0; o < program.objects.size(); ++o)
          if (program.objects[ObjectId{o}].kind == Object::Kind::kHeapSite &&
              (blocks.any ||
               std::binary_search(blocks.objects.begin(), blocks.objects.end(), ObjectId{o})))
            is_freed[ObjectId{o}] = true;
      }
  return is_freed;
}

IdVector<ObjectId, bool> find_shared(const Program& program, const PointsTo& points_to) {
  const IdVector<ProcedureId, bool> is_run = run_by_created_threads(program, points_to);
  IdVector<ObjectId, bool> is_touched(program.objects.size(), false); // by a created thread
  IdVector<ObjectId, bool> is_changed(program.objects.size(), false); // by any thread
  bool is_anything_touched = false;
  // Not joined: an arbitrary number that one thread gets must not hide the address that another
  // does.
  std::vector<ObjectId> passed = points_to.thread_results().objects();
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges) {
      const Touched memory = touched(points_to, ProcedureId{i}, edge.action);
      is_anything_touched = is_anything_touched || memory.any;
      if (!std::holds_alternative<Load>(edge.action))
        for (const ObjectId object : memory.objects)
          is_changed[object] = true;
      if (is_run[ProcedureId{i}])
        for (const ObjectId object : memory.objects)
          is_touched[object] = true;
      if (const auto* sync = std::get_if<Synchronize>(&edge.action))
        if (sync->op == SyncOp::kCreate && sync->operands.size() > 1)
          for (const ObjectId object : points_to.value(ProcedureId{i}, sync->operands[1]).objects())
            passed.push_back(object);
    }
  IdVector<ObjectId, bool> is_shared(program.objects.size(), false);
  std::vector<ObjectId> pending;
  const auto share = [&](ObjectId object) {
    // A global that nobody changes is as good as constant. A block comes and goes, which is a
    // change.
    const bool can_change =
        is_changed[object] || program.objects[object].kind != Object::Kind::kGlobal;
    if (!is_shared[object] && is_touched[object] && can_change) {
      is_shared[object] = true;
      pending.push_back(object);
    }
  };
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    if (is_anything_touched)
      is_shared[ObjectId{i}] = true;
    else if (program.objects[ObjectId{i}].kind == Object::Kind::kGlobal)
      share(ObjectId{i});
  for (const ObjectId object : passed)
    share(object);
  while (!pending.empty()) {
    const ObjectId object = pending.back();
    pending.pop_back();
    for (const ObjectId inside : points_to.held(object))
      share(inside);
  }
  // A freed block's memory comes back as a block of another site, while somebody may still know the
  // address.
  const IdVector<ObjectId, bool> is_freed = find_freed(program, points_to);
  bool is_shared_memory_freed = false;
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    is_shared_memory_freed =
        is_shared_memory_freed || (is_freed[ObjectId{i}] && is_shared[ObjectId{i}]);
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const Object& object = program.objects[ObjectId{i}];
    if (is_shared_memory_freed && object.kind == Object::Kind::kHeapSite)
      is_shared[ObjectId{i}] = true;
    if (object.is_constant)
      is_shared[ObjectId{i}] = false;
  }
  return is_shared;
}

IdVector<ObjectId, Object::Dangling> find_dangling(const Program& program,
                                                   const PointsTo& points_to,
                                                   const IdVector<ObjectId, bool>& is_shared) {
  using Dangling = Object::Dangling;
  IdVector<ObjectId, Dangling> result(program.objects.size(), Dangling::kNever);
  const auto raise = [&](const AliasValue& value, Dangling to) {
    if (value.is_any())
      for (std::size_t i = 0; i < program.objects.size(); ++i)
        result[ObjectId{i}] = std::max(result[ObjectId{i}], to);
    for (const ObjectId object : value.objects())
      result[object] = std::max(result[object], to);
  };
  // Locals of callers get it from a callee's result or from memory; arguments go the other way.
  raise(points_to.thread_results(), Dangling::kAnyThread);
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    raise(points_to.contents(ObjectId{i}),
          is_shared[ObjectId{i}] ? Dangling::kAnyThread : Dangling::kOwnThread);
  IdVector<ProcedureId, bool> ends_early(program.procedures.size(), false);
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    raise(points_to.results(ProcedureId{i}), Dangling::kOwnThread);
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges) {
      const auto* sync = std::get_if<Synchronize>(&edge.action);
      const bool creates = sync != nullptr && sync->op == SyncOp::kCreate;
      if (creates && sync->operands.size() > 1)
        raise(points_to.value(ProcedureId{i}, sync->operands[1]), Dangling::kAnyThread);
      for (const ProcedureId target :
           started_or_called(points_to, ProcedureId{i}, edge.action, creates))
        ends_early[target] = true;
    }
  }
  // The frame of main ends with the program.
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges)
      if (const auto* allocate = std::get_if<Allocate>(&edge.action))
        if (allocate->where == ir::Allocate::Where::kFrame && !ends_early[ProcedureId{i}])
          result[allocate->site] = Dangling::kNever;
  return result;
}

} // namespace heddle::program
