// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/single_thread.h"

#include "program/analyse/analyse.h"
#include "program/analyse/destroyed_locks.h"
#include "program/model/sync_kinds.h"
#include "transform/sequential/sequentialize_writer.h"

#include <algorithm>
#include <utility>

namespace heddle::transform {

namespace {

using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Synchronize;
using program::SyncOp;

bool has_words(const program::Action& action) {
  const auto* sync = std::get_if<Synchronize>(&action);
  return sync != nullptr && !is_thread_operation(sync->op);
}

/// The procedure again, with the same locals.
Procedure rewrite(program::Program& program,
                  const Procedure& source,
                  bool may_be_destroyed,
                  std::vector<SliceOrigin>& origins) {
  SequentialWriter writer(program);
  writer.procedure().locals = source.locals;
  IdVector<LocationId, LocationId> bodies;
  for (const program::Location& location : source.locations) {
    bodies.push_back(writer.location());
    program::Location& copy = writer.procedure().locations[bodies[LocationId{bodies.size() - 1}]];
    copy = location;
    copy.out.clear();
  }
  for (const program::Location& location : source.locations)
    for (const std::uint32_t index : location.out) {
      const program::Edge& edge = source.edges[index];
      writer.go_on_at(bodies[edge.from]);
      writer.stand_for({SliceOrigin::Kind::kStep, 0, index}, edge.loc);
      if (!has_words(edge.action)) {
        writer.step_to(edge.action, bodies[edge.to]);
        continue;
      }
      SequentialSync::Inside inside;
      inside.stop = inside.resume = writer.location();
      inside.kept = writer.local("", 32);
      inside.loc = edge.loc;
      SequentialSync(writer, 0, may_be_destroyed).write(std::get<Synchronize>(edge.action), inside);
      writer.jump(bodies[edge.to]);
    }
  origins = writer.origins();
  Procedure result = source;
  result.locals = std::move(writer.procedure().locals);
  result.locations = std::move(writer.procedure().locations);
  result.edges = std::move(writer.procedure().edges);
  result.entry = bodies[source.entry];
  return result;
}

} // namespace

bool synchronizes(const program::Program& program) {
  return std::ranges::any_of(program.procedures, [](const Procedure& procedure) {
    return std::ranges::any_of(procedure.edges,
                               [](const program::Edge& edge) { return has_words(edge.action); });
  });
}

SingleThread write_out_synchronisation(const program::Program& program) {
  SingleThread result{program, {}};
  const bool may_be_destroyed = program::DestroyedLocks(program).may_be_in(program, {});
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    const ProcedureId id{i};
    result.origins.push_back({});
    result.program.procedures[id] =
        rewrite(result.program, program.procedures[id], may_be_destroyed, result.origins[id]);
  }
  program::annotate(result.program, program::AliasAnalysis::kPointsTo);
  return result;
}

} // namespace heddle::transform
