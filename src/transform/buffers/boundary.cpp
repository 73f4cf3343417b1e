// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A fence before every call, or before every return from one. The literature's store-buffer graphs
// are made of single methods that start and end with an empty buffer (O. Travkin, Weak2SC, 2017,
// section 3.3.3); machines empty nothing there, so runs are missing, and the verdict says so.
#include "transform/buffers/boundary.h"

#include "memory/machine/machine.h"
#include "program/model/control_flow.h"
#include "program/run/interpreter.h"

#include <memory>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::transform {

using program::Edge;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;

namespace {

/// Where the fences are.
struct Boundaries {
  program::Program program;
  std::set<std::pair<ProcedureId, std::uint32_t>> fences = {}; // procedure, edge
};

/// A thread's own end empties its buffer anyway: only what is called has returns that matter.
IdVector<ProcedureId, bool> find_called(const program::Program& program) {
  IdVector<ProcedureId, bool> is_called(program.procedures.size(), false);
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges)
      if (const auto* call = std::get_if<program::Call>(&edge.action))
        for (const ProcedureId target : call->targets)
          is_called[target] = true;
  return is_called;
}

program::Fence full_fence() {
  program::Fence fence;
  fence.access.kind = program::AccessKind::kAtomic;
  fence.strength = program::Fence::Strength::kFull;
  return fence;
}

Boundaries with_fences(const program::Program& source, Boundary boundary) {
  Boundaries result{source};
  const IdVector<ProcedureId, bool> is_called = find_called(source);
  const auto is_boundary = [&](ProcedureId id, const program::Action& action) {
    return boundary == Boundary::kCalls
               ? std::holds_alternative<program::Call>(action)
               : is_called[id] && std::holds_alternative<program::Return>(action);
  };
  for (std::size_t i = 0; i < source.procedures.size(); ++i) {
    Procedure& procedure = result.program.procedures[ProcedureId{i}];
    const std::size_t count = procedure.edges.size();
    for (std::uint32_t e = 0; e < count; ++e) {
      if (!is_boundary(ProcedureId{i}, procedure.edges[e].action))
        continue;
      // The boundary moves to a location of its own, and the fence takes its place.
      const SourceLoc loc = procedure.edges[e].loc;
      const LocationId before =
          procedure.locations.push_back(program::Location{{}, loc, {}, false});
      Edge moved = procedure.edges[e];
      moved.from = before;
      procedure.edges[e].to = before;
      procedure.edges[e].action = full_fence();
      result.fences.emplace(ProcedureId{i}, e);
      program::add_edge(procedure, std::move(moved));
    }
  }
  return result;
}

/// The same run without the steps of the fences.
Result<execution::Schedule> without_fences(const Boundaries& boundaries,
                                           memory::MachineKind kind,
                                           const program::InterpreterOptions& replay,
                                           const execution::Schedule& schedule) {
  const program::Interpreter interpreter(boundaries.program, replay);
  const std::unique_ptr<memory::Machine> machine = memory::Machine::make(kind, interpreter);
  memory::MachineState state;
  (void)machine->initial(state);
  execution::Schedule kept;
  for (const execution::Transition& transition : schedule) {
    if (!machine->is_enabled(state, transition))
      return Error{ErrorKind::kUnsupported, "SBG-008", "a run with fences at boundaries is none"};
    bool is_fence = false;
    if (transition.kind == execution::Transition::Kind::kStep) {
      const program::Request request = interpreter.request(state.core, transition.thread);
      for (const auto& [procedure, edge] : boundaries.fences)
        is_fence =
            is_fence || request.edge == &boundaries.program.procedures[procedure].edges[edge];
    }
    if (!is_fence)
      kept.push_back(transition);
    (void)machine->apply(state, transition);
  }
  return kept;
}

class EmptyAtBoundaries final : public Transform {
public:
  EmptyAtBoundaries(Boundary boundary,
                    memory::MachineKind kind,
                    const program::InterpreterOptions& replay)
      : boundary_(boundary), kind_(kind), replay_(replay) {}
  [[nodiscard]] std::string_view name() const override { return "boundary"; }
  [[nodiscard]] bool preserves(spec::Property property) const override {
    // A thread that is kept back by a fence waits for nobody, so that a run that fails is one of
    // the program; but one that goes on for ever, or that SC has not, is about all runs.
    return property != spec::Property::kRobustness && property != spec::Property::kLiveness;
  }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds&) const override {
    const auto made = std::make_shared<const Boundaries>(with_fences(source, boundary_));
    Transformed result{made->program,
                       [made, kind = kind_, replay = replay_](const execution::Schedule& schedule) {
                         return without_fences(*made, kind, replay, schedule);
                       },
                       {}};
    if (!made->fences.empty())
      result.approximations.push_back({Approximation::Kind::kUnder,
                                       boundary_ == Boundary::kCalls
                                           ? "store buffers are emptied at calls"
                                           : "store buffers are emptied at returns",
                                       {}});
    return result;
  }

private:
  Boundary boundary_;
  memory::MachineKind kind_;
  program::InterpreterOptions replay_;
};

} // namespace

std::unique_ptr<Transform> empty_at_boundaries(Boundary boundary,
                                               memory::MachineKind kind,
                                               const program::InterpreterOptions& replay) {
  return std::make_unique<EmptyAtBoundaries>(boundary, kind, replay);
}

} // namespace heddle::transform
