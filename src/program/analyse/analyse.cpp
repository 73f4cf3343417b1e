// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/analyse.h"

#include "program/analyse/escape.h"
#include "support/overloaded.h"

#include <algorithm>
#include <map>

namespace heddle::program {

namespace {

/// What the analyses say about one action.
struct Finding {
  bool is_visible = true;
  ObjectSetId may = {};
};

class Annotation {
public:
  explicit Annotation(Program& program, AliasAnalysis analysis)
      : program_(program), analysis_(analysis) {}

  void run() {
    program_.object_sets = {};
    const bool has_free = std::any_of(
        program_.procedures.begin(), program_.procedures.end(), [](const Procedure& procedure) {
          return std::any_of(procedure.edges.begin(), procedure.edges.end(), [](const Edge& edge) {
            return std::holds_alternative<Free>(edge.action);
          });
        });
    // Without a free, a block's address depends on nothing that another thread does.
    are_allocations_visible_ = has_free || analysis_ == AliasAnalysis::kNone;
    // Findings first: the analysis looks at the program while it is asked.
    std::vector<std::vector<Finding>> findings;
    std::vector<std::vector<std::vector<ProcedureId>>> targets;
    IdVector<ObjectId, Object::Dangling> dangling(program_.objects.size(),
                                                  Object::Dangling::kAnyThread);
    if (analysis_ == AliasAnalysis::kPointsTo) {
      const PointsTo points_to(program_);
      const IdVector<ObjectId, bool> is_shared = find_shared(program_, points_to);
      const IdVector<ObjectId, bool> is_freed = find_freed(program_, points_to);
      dangling = find_dangling(program_, points_to, is_shared);
      std::vector<std::vector<Touched>> memory;
      for (std::size_t i = 0; i < program_.procedures.size(); ++i) {
        memory.emplace_back();
        targets.emplace_back();
        for (const Edge& edge : program_.procedures[ProcedureId{i}].edges) {
          memory.back().push_back(
              with_reused_blocks(touched(points_to, ProcedureId{i}, edge.action), is_freed));
          targets.back().push_back(narrowed(points_to, ProcedureId{i}, edge.action));
        }
      }
      const IdVector<ObjectId, bool> is_seen = find_seen(memory, is_shared);
      for (const std::vector<Touched>& of_procedure : memory) {
        findings.emplace_back();
        for (const Touched& one : of_procedure)
          findings.back().push_back(judge(one, is_seen));
      }
    }
    for (std::size_t i = 0; i < program_.objects.size(); ++i)
      program_.objects[ObjectId{i}].dangling = dangling[ObjectId{i}];
    for (std::size_t i = 0; i < program_.procedures.size(); ++i) {
      std::vector<Edge>& edges = program_.procedures[ProcedureId{i}].edges;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if (analysis_ == AliasAnalysis::kNone) {
          apply(edges[e].action, Finding{}, {});
          continue;
        }
        apply(edges[e].action, findings[i][e], targets[i][e]);
      }
    }
  }

private:
  /// A pointer into a freed block may go to a block of any site.
  Touched with_reused_blocks(Touched memory, const IdVector<ObjectId, bool>& is_freed) const {
    std::vector<ObjectId>& objects = memory.objects;
    const auto dangles = [&](ObjectId object) { return is_freed[object]; };
    if (memory.any || std::none_of(objects.begin(), objects.end(), dangles))
      return memory;
    for (std::size_t i = 0; i < program_.objects.size(); ++i)
      if (program_.objects[ObjectId{i}].kind == Object::Kind::kHeapSite)
        objects.emplace_back(i);
    std::sort(objects.begin(), objects.end());
    objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
    return memory;
  }

  /// Objects whose accesses are visible: what is shared, and what an access may touch that may also
  /// touch such an object. A store that others see may wait in a buffer, or be an event that reads
  /// take their value from; a load of the same bytes that goes by neither would miss it.
  [[nodiscard]] IdVector<ObjectId, bool> find_seen(const std::vector<std::vector<Touched>>& memory,
                                                   IdVector<ObjectId, bool> is_seen) const {
    IdVector<ObjectId, bool> is_written(program_.objects.size(), false);
    std::vector<const std::vector<ObjectId>*> together;
    for (std::size_t i = 0; i < memory.size(); ++i)
      for (std::size_t e = 0; e < memory[i].size(); ++e) {
        const std::vector<ObjectId>& objects = memory[i][e].objects;
        const Action& action = program_.procedures[ProcedureId{i}].edges[e].action;
        if (std::holds_alternative<Free>(action))
          continue;
        if (!std::holds_alternative<Load>(action))
          for (const ObjectId object : objects)
            is_written[object] = true;
        // Locks are taken and given back where others can see it, whoever uses them.
        if (std::holds_alternative<Synchronize>(action))
          for (const ObjectId object : objects)
            is_seen[object] = true;
        if (objects.size() > 1)
          together.push_back(&objects);
      }
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const std::vector<ObjectId>* objects : together) {
        if (std::none_of(
                objects->begin(), objects->end(), [&](ObjectId one) { return is_seen[one]; }))
          continue;
        for (const ObjectId object : *objects)
          if (!is_seen[object] && is_written[object] && !program_.objects[object].is_constant) {
            is_seen[object] = true;
            is_changed = true;
          }
      }
    }
    return is_seen;
  }

  Finding judge(const Touched& memory, const IdVector<ObjectId, bool>& is_seen) {
    // No object at all means that the access is a fault, or that the value comes out of unwritten
    // memory.
    if (memory.is_none || memory.any || memory.objects.empty())
      return {};
    const bool is_visible = std::any_of(memory.objects.begin(),
                                        memory.objects.end(),
                                        [&](ObjectId object) { return is_seen[object]; });
    const auto [entry, is_new] = sets_.try_emplace(memory.objects, program_.object_sets.next_id());
    if (is_new)
      program_.object_sets.push_back(memory.objects);
    return {is_visible, entry->second};
  }

  static std::vector<ProcedureId>
  narrowed(const PointsTo& points_to, ProcedureId procedure, const Action& action) {
    if (const auto* call = std::get_if<Call>(&action); call != nullptr && call->function)
      return points_to.call_targets(procedure, *call->function, call->targets);
    if (const auto* sync = std::get_if<Synchronize>(&action);
        sync != nullptr && sync->op == SyncOp::kCreate)
      return points_to.call_targets(procedure, sync->operands[0], sync->targets);
    return {};
  }

  void
  apply(Action& action, const Finding& finding, const std::vector<ProcedureId>& targets) const {
    const auto access = [&](Access& a) {
      a.is_visible = finding.is_visible;
      a.may = finding.may;
    };
    // A pointer that can be no candidate is null or garbage: the candidates stay, the call is a
    // fault anyway.
    const auto narrow = [&](std::vector<ProcedureId>& candidates) {
      if (!targets.empty())
        candidates = targets;
    };
    std::visit(Overloaded{
                   [](Skip&) {},
                   [](Assign&) {},
                   [](AssignSequence&) {},
                   [](Nondet&) {},
                   [](Assume&) {},
                   [](Check&) {},
                   [](CheckNeighbourhood&) {},
                   [&](Load& a) { access(a.access); },
                   [&](Store& a) { access(a.access); },
                   [&](LoadExclusive& a) { access(a.access); },
                   [&](StoreExclusive& a) { access(a.access); },
                   [&](ReadModifyWrite& a) { access(a.access); },
                   [&](CompareExchange& a) { access(a.access); },
                   [](Fence&) {},
                   [&](Allocate& a) {
                     a.is_visible =
                         a.where == ir::Allocate::Where::kHeap && are_allocations_visible_;
                   },
                   [&](Free& a) {
                     a.is_visible = true;
                     a.may = finding.may;
                   },
                   [](BlockSize&) {},
                   [&](Call& a) {
                     if (a.function)
                       narrow(a.targets);
                   },
                   [](Return&) {},
                   [&](Synchronize& a) {
                     a.may = finding.may;
                     if (a.op == SyncOp::kCreate)
                       narrow(a.targets);
                   },
                   [](AtomicBegin&) {},
                   [](AtomicEnd&) {},
                   [](Hint&) {},
                   [](ThreadExit&) {},
                   [](Exit&) {},
                   [](Cut&) {},
                   [](Trap&) {},
               },
               action);
  }

  Program& program_;
  AliasAnalysis analysis_;
  bool are_allocations_visible_ = true;
  std::map<std::vector<ObjectId>, ObjectSetId> sets_;
};

} // namespace

void annotate(Program& program, AliasAnalysis analysis) {
  Annotation(program, analysis).run();
}

} // namespace heddle::program
