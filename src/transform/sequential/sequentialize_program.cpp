// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is left to do when the one procedure of a sequential program has been written.
#include "program/analyse/analyse.h"
#include "support/overloaded.h"
#include "transform/sequential/sequentialize_writer.h"

namespace heddle::transform {

using program::LocationId;
using program::Procedure;
using program::ProcedureId;

namespace {

/// Nothing runs it any more; its address stays.
void clear(Procedure& procedure) {
  procedure.locals = {};
  procedure.parameters.clear();
  procedure.locations = {};
  procedure.edges.clear();
  procedure.entry = procedure.locations.push_back({});
  const LocationId end = procedure.locations.push_back({});
  program::add_edge(procedure, {procedure.entry, end, program::Return{}, procedure.loc});
  procedure.result_width = 0;
}

void spread_thread_locals(program::Program& program, std::size_t threads) {
  const std::size_t count = program.objects.size();
  for (std::size_t i = 0; i < count; ++i) {
    program::Object& first = program.objects[program::ObjectId{i}];
    if (first.kind != program::Object::Kind::kThreadLocal)
      continue;
    first.kind = program::Object::Kind::kGlobal;
    const std::uint64_t units = program.space().units_for(first.size);
    const program::Object copy = first; // pushing moves the objects
    for (std::size_t thread = 1; thread < threads; ++thread) {
      program::Object instance = copy;
      instance.unit += thread * units;
      program.objects.push_back(std::move(instance));
    }
  }
}

} // namespace

void finish_sequential(SequentialWriter& writer,
                       const program::Program& source,
                       const std::vector<SequentialThread>& threads) {
  program::Program& result = writer.program();
  const ProcedureId main = threads.front().procedure;
  Procedure procedure = std::move(writer.procedure());
  procedure.name = source.procedures[main].name;
  procedure.loc = source.procedures[main].loc;
  result.procedures[main] = std::move(procedure);
  // What comes behind them are the operations of an abstraction.
  for (std::size_t i = 0; i < source.procedures.size(); ++i)
    if (ProcedureId{i} != main)
      clear(result.procedures[ProcedureId{i}]);
  result.templates.resize(1);
  spread_thread_locals(result, threads.size());
  program::annotate(result, program::AliasAnalysis::kPointsTo);
}

program::LocalId read_by(const program::Action& action) {
  return std::visit(Overloaded{
                        [](const program::Load& a) { return a.dest; },
                        [](const program::ReadModifyWrite& a) { return a.dest; },
                        [](const program::CompareExchange& a) { return a.dest; },
                        [](const auto&) { return program::LocalId{}; },
                    },
                    action);
}

} // namespace heddle::transform
