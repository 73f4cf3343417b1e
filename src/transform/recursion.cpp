// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/recursion.h"

#include "program/control_flow.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

namespace heddle::transform {

namespace {

using program::Call;
using program::Edge;
using program::Procedure;
using program::ProcedureId;

/// More procedures or locations than this are refused rather than built.
constexpr std::size_t kMostProcedures = 1U << 12U;
constexpr std::size_t kMostLocations = 1U << 20U;

const Call* direct_call(const Edge& edge) {
  const auto* call = std::get_if<Call>(&edge.action);
  return call == nullptr || call->function || call->targets.size() != 1 ? nullptr : call;
}

/// For each procedure that is recursive: those it calls that lead back to it (itself among them).
std::map<ProcedureId, std::set<ProcedureId>> find_cycles(const program::Program& program) {
  const std::size_t count = program.procedures.size();
  IdVector<ProcedureId, std::set<ProcedureId>> reach(count);
  for (std::size_t i = 0; i < count; ++i)
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges)
      if (const Call* call = direct_call(edge))
        reach[ProcedureId{i}].insert(call->targets[0]);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = 0; i < count; ++i) {
      std::set<ProcedureId> more = reach[ProcedureId{i}];
      for (const ProcedureId callee : reach[ProcedureId{i}])
        more.insert(reach[callee].begin(), reach[callee].end());
      is_changed = is_changed || more.size() != reach[ProcedureId{i}].size();
      reach[ProcedureId{i}] = std::move(more);
    }
  }
  std::map<ProcedureId, std::set<ProcedureId>> cycles;
  for (std::size_t i = 0; i < count; ++i) {
    const ProcedureId id{i};
    if (!reach[id].contains(id))
      continue;
    for (const ProcedureId other : reach[id])
      if (reach[other].contains(id))
        cycles[id].insert(other);
  }
  return cycles;
}

} // namespace

Status bound_recursion(program::Program& program, std::uint32_t bound) {
  const std::map<ProcedureId, std::set<ProcedureId>> cycles = find_cycles(program);
  if (cycles.empty())
    return Done{};
  std::size_t locations = 0;
  for (const auto& [id, cycle] : cycles)
    locations += program.procedures[id].locations.size();
  const std::size_t copies = std::size_t{bound} + 1;
  if (program.procedures.size() + cycles.size() * copies > kMostProcedures ||
      locations * copies > kMostLocations)
    return Error{ErrorKind::kUnsupported,
                 "TRF-004",
                 fmt::format("recursion followed {} times makes the program too large; use a "
                             "smaller bound",
                             bound)};

  std::map<ProcedureId, std::vector<ProcedureId>> at_depth; // [source][depth]
  for (const auto& [id, cycle] : cycles)
    at_depth[id].push_back(id);
  for (std::uint32_t depth = 1; depth <= bound; ++depth)
    for (const auto& [id, cycle] : cycles)
      at_depth[id].push_back(program.procedures.push_back(Procedure(program.procedures[id])));

  for (const auto& [id, cycle] : cycles)
    for (std::uint32_t depth = 0; depth <= bound; ++depth) {
      Procedure& procedure = program.procedures[at_depth[id][depth]];
      for (Edge& edge : procedure.edges) {
        const Call* call = direct_call(edge);
        if (call == nullptr || !cycle.contains(call->targets[0]))
          continue;
        const ProcedureId target = call->targets[0];
        if (depth < bound) {
          std::get<Call>(edge.action).targets = {at_depth[target][depth + 1]};
          continue;
        }
        edge.action = program::Cut{fmt::format("recursion of {} at {} followed {} time{}",
                                               program.procedures[target].name,
                                               program.place(edge.loc),
                                               bound,
                                               bound == 1 ? "" : "s")};
        edge.to = procedure.locations.push_back(program::Location{});
      }
      program::tidy(procedure);
    }
  return Done{};
}

} // namespace heddle::transform
