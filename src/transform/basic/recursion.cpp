// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/recursion.h"

#include "program/model/control_flow.h"
#include "transform/basic/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Visits the calls of a procedure that lead back to it.
template <typename Visit>
void for_each_recursive_call(const program::Program& program,
                             ProcedureId id,
                             const std::set<ProcedureId>& cycle,
                             const Visit& visit) {
  for (const Edge& edge : program.procedures[id].edges)
    if (const Call* call = direct_call(edge); call != nullptr && cycle.contains(call->targets[0]))
      visit(edge.loc);
}

/// How deep each is followed that is cut at all: as deep as those it calls that lead back to it.
std::map<ProcedureId, std::uint32_t>
find_depths(const program::Program& program,
            const std::map<ProcedureId, std::set<ProcedureId>>& cycles,
            const spec::Bounds& bounds) {
  std::map<ProcedureId, std::uint32_t> depths;
  for (const auto& [id, cycle] : cycles) {
    std::uint32_t depth = bounds.unwind;
    for (const ProcedureId member : cycle)
      for_each_recursive_call(program, member, cycle, [&](SourceLoc loc) {
        for (const spec::LoopBound& bound : bounds.loops)
          if (is_at(program, loc, bound))
            depth = std::max(depth, bound.unwind);
      });
    if (depth != 0)
      depths[id] = depth;
  }
  return depths;
}

} // namespace

Status bound_recursion(program::Program& program, const spec::Bounds& bounds) {
  const std::map<ProcedureId, std::set<ProcedureId>> cycles = find_cycles(program);
  const std::map<ProcedureId, std::uint32_t> depth_of = find_depths(program, cycles, bounds);
  if (depth_of.empty())
    return Done{};
  std::size_t locations = 0;
  std::size_t procedures = program.procedures.size();
  std::uint32_t deepest = 0;
  for (const auto& [id, bound] : depth_of) {
    locations += program.procedures[id].locations.size() * (std::size_t{bound} + 1);
    procedures += std::size_t{bound} + 1;
    deepest = std::max(deepest, bound);
  }
  if (procedures > kMostProcedures || locations > kMostLocations)
    return Error{ErrorKind::kUnsupported,
                 "TRF-004",
                 fmt::format("recursion followed {} times makes the program too large; use a "
                             "smaller bound",
                             deepest)};

  std::map<ProcedureId, std::vector<ProcedureId>> at_depth; // [source][depth]
  for (const auto& [id, bound] : depth_of) {
    at_depth[id].push_back(id);
    for (std::uint32_t depth = 1; depth <= bound; ++depth)
      at_depth[id].push_back(program.procedures.push_back(Procedure(program.procedures[id])));
  }

  for (const auto& [id, bound] : depth_of) {
    const std::set<ProcedureId>& cycle = cycles.at(id);
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
  }
  return Done{};
}

bool is_recursive_call(const program::Program& program, const spec::LoopBound& bound) {
  bool is_one = false;
  for (const auto& [id, cycle] : find_cycles(program))
    for_each_recursive_call(
        program, id, cycle, [&](SourceLoc loc) { is_one = is_one || is_at(program, loc, bound); });
  return is_one;
}

} // namespace heddle::transform
