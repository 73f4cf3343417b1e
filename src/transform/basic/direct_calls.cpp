// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A call through a pointer becomes a choice between direct calls, by the value of the pointer; a
// pointer to none of the functions it can mean fails a check, as the call does in the source. Calls
// and branches are invisible, so schedules are kept. Calls without a known target stay.
#include "program/analyse/alias.h"
#include "program/model/control_flow.h"
#include "transform/basic/rewrite.h"

#include <utility>

namespace heddle::transform {

namespace {

using program::Call;
using program::Edge;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;

class DirectCalls final : public Transform {
public:
  [[nodiscard]] std::string_view name() const override { return "direct calls"; }
  [[nodiscard]] bool preserves(spec::Property) const override { return true; }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds&) const override {
    Transformed result{source, same_schedule(), {}};
    if (!has_pointer_calls(source))
      return result;
    const program::PointsTo points_to(source);
    for (std::size_t i = 0; i < source.procedures.size(); ++i) {
      const std::vector<Edge>& edges = source.procedures[ProcedureId{i}].edges;
      for (std::uint32_t edge = 0; edge < edges.size(); ++edge)
        if (const auto* call = std::get_if<Call>(&edges[edge].action);
            call != nullptr && call->function && !call->targets.empty())
          split(result.program,
                ProcedureId{i},
                edge,
                points_to.call_targets(ProcedureId{i}, *call->function, call->targets));
      program::tidy(result.program.procedures[ProcedureId{i}]);
    }
    return result;
  }

private:
  static bool has_pointer_calls(const program::Program& program) {
    for (const Procedure& procedure : program.procedures)
      for (const Edge& edge : procedure.edges)
        if (const auto* call = std::get_if<Call>(&edge.action); call != nullptr && call->function)
          return true;
    return false;
  }

  /// The edge of the call becomes one that leads to the choice.
  static void split(program::Program& program,
                    ProcedureId id,
                    std::uint32_t index,
                    const std::vector<ProcedureId>& targets) {
    Procedure& procedure = program.procedures[id];
    const Edge site = procedure.edges[index];
    const Call call = std::get<Call>(site.action);
    const auto add_location = [&] {
      return procedure.locations.push_back(program::Location{{}, site.loc, {}, false});
    };
    LocationId at = add_location();
    procedure.edges[index].to = at;
    procedure.edges[index].action = program::Skip{};
    for (const ProcedureId target : targets) {
      // With too few arguments it is undefined (program/run/interpreter): the check below.
      if (program.procedures[target].parameters.size() > call.arguments.size())
        continue;
      const unsigned width = program.terms.sort(*call.function).width;
      const logic::Term is_meant = program.terms.equal(
          *call.function,
          program.terms.constant(program.space().function_address(target.value), width));
      const LocationId here = add_location();
      const LocationId next = add_location();
      program::add_edge(procedure, {at, here, program::Assume{is_meant, true}, site.loc});
      program::add_edge(procedure,
                        {at, next, program::Assume{program.terms.not_(is_meant), true}, site.loc});
      Call direct = call;
      direct.function.reset();
      direct.targets = {target};
      program::add_edge(procedure, {here, site.to, std::move(direct), site.loc});
      at = next;
    }
    program::add_edge(procedure,
                      {at,
                       site.to,
                       program::Check{program.terms.boolean(false),
                                      program::CheckKind::kPointerArithmetic,
                                      "a call of something that is no function"},
                       site.loc});
  }
};

} // namespace

std::unique_ptr<Transform> direct_calls() {
  return std::make_unique<DirectCalls>();
}

} // namespace heddle::transform
