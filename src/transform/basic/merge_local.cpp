// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs of assignments become one edge, and what only spoke to the unroller goes. Assignments are
// invisible and need no choice, so schedules are kept (rewrite.h).
#include "program/model/control_flow.h"
#include "transform/basic/rewrite.h"

#include <optional>
#include <vector>

namespace heddle::transform {

namespace {

using program::Assign;
using program::AssignSequence;
using program::Edge;
using program::LocationId;
using program::Procedure;

bool is_assignment(const program::Action& action) {
  return std::holds_alternative<Assign>(action) || std::holds_alternative<AssignSequence>(action);
}

void append(AssignSequence& sequence, const program::Action& action) {
  if (const auto* one = std::get_if<Assign>(&action))
    sequence.assignments.push_back(*one);
  if (const auto* more = std::get_if<AssignSequence>(&action))
    sequence.assignments.insert(
        sequence.assignments.end(), more->assignments.begin(), more->assignments.end());
}

void drop_loop_bounds(Procedure& procedure) {
  for (Edge& edge : procedure.edges)
    if (const auto* hint = std::get_if<program::Hint>(&edge.action))
      if (hint->kind == ir::Hint::Kind::kLoopBound)
        edge.action = program::Skip{};
}

void merge(Procedure& procedure) {
  IdVector<LocationId, unsigned> entries(procedure.locations.size(), 0);
  ++entries[procedure.entry];
  for (const Edge& edge : procedure.edges)
    ++entries[edge.to];
  /// The assignment that is the only thing that happens at a location that nothing else leads to.
  const auto continuation = [&](LocationId at) -> std::optional<std::uint32_t> {
    const std::vector<std::uint32_t>& out = procedure.locations[at].out;
    if (entries[at] != 1 || out.size() != 1 || !is_assignment(procedure.edges[out[0]].action))
      return std::nullopt;
    return out[0];
  };
  // A run starts where an assignment cannot continue another one. A cycle of nothing but
  // assignments has an entry from outside, so one of its locations is entered twice.
  for (std::size_t i = 0; i < procedure.edges.size(); ++i) {
    if (!is_assignment(procedure.edges[i].action))
      continue;
    AssignSequence sequence;
    append(sequence, procedure.edges[i].action);
    LocationId end = procedure.edges[i].to;
    while (const std::optional<std::uint32_t> next = continuation(end)) {
      if (*next == i)
        break;
      append(sequence, procedure.edges[*next].action);
      end = procedure.edges[*next].to;
    }
    if (sequence.assignments.size() > 1) {
      procedure.edges[i].action = std::move(sequence);
      procedure.edges[i].to = end;
    }
  }
}

class MergeLocal final : public Transform {
public:
  [[nodiscard]] std::string_view name() const override { return "merge-local"; }
  [[nodiscard]] bool preserves(spec::Property) const override { return true; }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds&) const override {
    Transformed result{source, same_schedule(), {}};
    for (Procedure& procedure : result.program.procedures) {
      drop_loop_bounds(procedure);
      program::remove_skips(procedure);
      merge(procedure);
      program::tidy(procedure);
    }
    return result;
  }
};

} // namespace

std::unique_ptr<Transform> merge_local() {
  return std::make_unique<MergeLocal>();
}

} // namespace heddle::transform
