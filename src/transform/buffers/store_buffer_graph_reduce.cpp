// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The transform: every procedure a thread may start with is replaced by its reduced one.
#include "program/analyse/analyse.h"
#include "transform/buffers/store_buffer_graph_lift.h"
#include "transform/buffers/store_buffer_graph_quiet.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::transform {

using program::Edge;
using program::Object;
using program::ObjectId;
using program::ObjectSetId;
using program::Procedure;
using program::ProcedureId;
using program::Program;

namespace {

/// A store to an object that has ended has no effect when it is flushed, and only the machine can
/// say that. So objects that may end while a store to them is pending are refused: blocks that are
/// freed, and locals and thread-locals of threads other than the initial one, whose end is the end
/// of the run.
class EndingObjects {
public:
  explicit EndingObjects(const Program& program)
      : program_(program), may_end_(program.objects.size(), false) {
    bool frees_anything = false;
    const ProcedureId initial = program.templates.front().entry;
    for (std::size_t i = 0; i < program.procedures.size(); ++i)
      for (const Edge& edge : program.procedures[ProcedureId{i}].edges) {
        if (const auto* free = std::get_if<program::Free>(&edge.action)) {
          if (!free->may.is_valid())
            frees_anything = true;
          else
            for (const ObjectId object : program.object_sets[free->may])
              may_end_[object.index()] = true;
        }
        if (const auto* allocate = std::get_if<program::Allocate>(&edge.action);
            allocate != nullptr && allocate->where == ir::Allocate::Where::kFrame &&
            (ProcedureId{i} != initial || initial_thread_exits(initial)))
          may_end_[allocate->site.index()] = true;
      }
    for (std::size_t i = 0; i < program.objects.size(); ++i) {
      const Object::Kind kind = program.objects[ObjectId{i}].kind;
      if (kind == Object::Kind::kThreadLocal || (kind == Object::Kind::kHeapSite && frees_anything))
        may_end_[i] = true;
    }
  }

  [[nodiscard]] bool may_end(ObjectSetId may) const {
    if (!may.is_valid())
      return std::ranges::find(may_end_, true) != may_end_.end();
    const std::vector<ObjectId>& objects = program_.object_sets[may];
    return std::ranges::any_of(objects, [&](ObjectId object) { return may_end_[object.index()]; });
  }

private:
  [[nodiscard]] bool initial_thread_exits(ProcedureId initial) const {
    return std::ranges::any_of(program_.procedures[initial].edges, [](const Edge& edge) {
      return std::holds_alternative<program::ThreadExit>(edge.action);
    });
  }

  const Program& program_;
  std::vector<bool> may_end_;
};

std::optional<Error> refuse_ending_objects(const Program& program, const Procedure& procedure) {
  const EndingObjects ending(program);
  for (const Edge& edge : procedure.edges) {
    const auto* store = std::get_if<program::Store>(&edge.action);
    if (store == nullptr || !store->access.is_visible || !ending.may_end(store->access.may))
      continue;
    return Error{ErrorKind::kUnsupported,
                 "SBG-003",
                 "a store to what may end while the store is pending (a block that is freed, a "
                 "local of another thread) has no store-buffer graph; use the machine (without "
                 "--via)",
                 edge.loc.file < program.files.size() ? program.files[edge.loc.file] : "",
                 edge.loc.line,
                 edge.loc.column};
  }
  return std::nullopt;
}

class StoreBufferTransform final : public Transform {
public:
  explicit StoreBufferTransform(const StoreBufferOptions& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "store-buffer-graph"; }
  [[nodiscard]] bool preserves(spec::Property property) const override {
    switch (property) {
    case spec::Property::kReach:
    case spec::Property::kDeadlock:
    case spec::Property::kOverflow:
      return true;
    // A flush is no access of the program's; what is pending at the end is in locals; executions
    // and cycles are the machine's.
    case spec::Property::kRace:
    case spec::Property::kMemory:
    case spec::Property::kCleanup:
    case spec::Property::kRobustness:
    case spec::Property::kLiveness:
      return false;
    }
    return false;
  }
  [[nodiscard]] Result<Transformed> apply(const Program& source,
                                          const spec::Bounds&) const override {
    Result<Reduction> reduction = reduce(source, options_);
    if (!reduction)
      return reduction.error();
    return std::move(reduction->transformed);
  }

private:
  StoreBufferOptions options_;
};

} // namespace

Result<Reduction> reduce(const Program& source, const StoreBufferOptions& options) {
  Reduction result;
  Program& made = result.transformed.program;
  made = source;
  IdVector<ProcedureId, std::vector<ReducedOrigin>> origins(source.procedures.size());
  const IdVector<ProcedureId, program::ObjectBits> written = written_by_others(source);
  for (const program::ThreadTemplate& thread : source.templates) {
    const ProcedureId id = thread.entry;
    if (!origins[id].empty())
      continue; // two templates with one entry
    if (options.machine != memory::MachineKind::kSequential)
      if (const std::optional<Error> refusal = refuse_ending_objects(source, source.procedures[id]))
        return *refusal;
    const Result<StoreBufferGraph> graph = build_graph(made, id, options);
    if (!graph)
      return graph.error();
    if (options.inspect)
      if (const Status status = options.inspect(made, id, *graph); !status)
        return status.error();
    ReducedProcedure reduced = program_of(made, id, *graph, options, &written[id]);
    result.size.nodes += graph->nodes.size();
    result.size.edges += graph->edges.size();
    result.size.early_reads += graph->count(GraphEdge::Kind::kEarlyRead);
    result.size.guarded += static_cast<std::size_t>(
        std::ranges::count_if(graph->edges, [](const GraphEdge& edge) { return edge.is_guarded; }));
    for (std::size_t i = 0; i < graph->operands.size(); ++i)
      if (!graph->operands[i].empty() &&
          (graph->stores.redefines_address[i] || graph->stores.redefines_value[i]))
        ++result.size.copied_stores;
    made.procedures[id] = std::move(reduced.procedure);
    origins[id] = std::move(reduced.origins);
  }
  // The lift outlives the caller's programs: it has its own.
  const auto map = std::make_shared<const BackMap>(
      BackMap{source, made, options.machine, std::move(origins), options.replay});
  result.transformed.lift = [map](const execution::Schedule& schedule) {
    return lift_to_machine(*map, schedule);
  };
  return result;
}

std::unique_ptr<Transform> store_buffer_graph(const StoreBufferOptions& options) {
  return std::make_unique<StoreBufferTransform>(options);
}

} // namespace heddle::transform
