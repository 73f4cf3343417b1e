// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/abstract_state.h"

#include "program/code_liveness.h"
#include "transform/atomic_steps.h"

#include <algorithm>
#include <optional>
#include <set>

namespace heddle::transform {

namespace {

using program::Action;
using program::Edge;
using program::ObjectId;
using program::Procedure;
using program::ProcedureId;
using program::Program;

struct Touch {
  const program::Access* access = nullptr; // null: the action touches no memory
  bool writes = false;
};

Touch touch_of(const Action& action) {
  if (const auto* load = std::get_if<program::Load>(&action))
    return {&load->access, false};
  if (const auto* store = std::get_if<program::Store>(&action))
    return {&store->access, true};
  if (const auto* rmw = std::get_if<program::ReadModifyWrite>(&action))
    return {&rmw->access, true};
  if (const auto* cas = std::get_if<program::CompareExchange>(&action))
    return {&cas->access, true};
  return {};
}

class AbstractState {
public:
  AbstractState(const Program& program, const std::vector<ProcedureId>& operations)
      : program_(program) {
    for (const ProcedureId id : operations)
      for (const Edge& edge : program.procedures[id].edges)
        if (const Touch touch = touch_of(edge.action); touch.access != nullptr)
          add(*touch.access);
  }

  Status check(const Procedure& client) {
    find_dependent(client);
    for (const Edge& edge : client.edges) {
      const Touch touch = touch_of(edge.action);
      if (touch.writes && may_be_it(*touch.access))
        return refuse_in_proof(program_,
                               edge.loc,
                               "OBL-006",
                               "an operation writes what belongs to the abstract state, which only "
                               "the abstract operations may change");
      if (!may_depend(edge.action) && reads_dependent(edge.action))
        return refuse_in_proof(
            program_,
            edge.loc,
            "OBL-006",
            "what an operation does depends on the abstract state, which is there "
            "for the proof only; it may be looked at in assumptions and "
            "assertions, each a single condition");
    }
    return Done{};
  }

private:
  void add(const program::Access& access) {
    if (!access.may.is_valid()) {
      is_any_ = true;
      return;
    }
    for (const ObjectId object : program_.object_sets[access.may])
      if (!program_.objects[object].is_constant)
        objects_.insert(object);
  }
  [[nodiscard]] bool may_be_it(const program::Access& access) const {
    if (is_any_ || !access.may.is_valid())
      return is_any_ || !objects_.empty();
    return std::ranges::any_of(program_.object_sets[access.may],
                               [&](ObjectId object) { return objects_.contains(object); });
  }
  /// Only computes, assumes or asserts.
  static bool may_depend(const Action& action) {
    if (const auto* assumed = std::get_if<program::Assume>(&action))
      return !assumed->is_branch;
    return std::holds_alternative<program::Check>(action) ||
           std::holds_alternative<program::Assign>(action) ||
           std::holds_alternative<program::AssignSequence>(action);
  }
  [[nodiscard]] bool reads_dependent(const Action& action) const {
    // A hint is not evaluated by the program, but is how arguments and results are known.
    if (const auto* hint = std::get_if<program::Hint>(&action))
      return std::ranges::any_of(hint->operands, [&](program::Term operand) {
        return std::ranges::any_of(program_.terms.variables(operand), [&](std::uint64_t number) {
          return dependent_.contains(static_cast<std::uint32_t>(number));
        });
      });
    return std::ranges::any_of(program::local_use(program_.terms, action).reads,
                               [&](std::uint32_t local) { return dependent_.contains(local); });
  }
  /// The locals that may hold something of the abstract state, at any time.
  void find_dependent(const Procedure& client) {
    dependent_.clear();
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      const auto depends = [&](std::uint32_t local) {
        is_changed = dependent_.insert(local).second || is_changed;
      };
      for (const Edge& edge : client.edges) {
        const Touch touch = touch_of(edge.action);
        const bool is_source = touch.access != nullptr && may_be_it(*touch.access);
        if (!is_source && !reads_dependent(edge.action))
          continue;
        if (const auto* sequence = std::get_if<program::AssignSequence>(&edge.action)) {
          for (const program::Assign& one : sequence->assignments)
            if (reads_dependent(one))
              depends(one.dest.value);
        } else {
          for (const std::uint32_t local : program::local_use(program_.terms, edge.action).writes)
            depends(local);
        }
      }
    }
  }

  const Program& program_;
  std::set<ObjectId> objects_;
  bool is_any_ = false;
  std::set<std::uint32_t> dependent_;
};

} // namespace

Status check_abstract_state(const Program& program, const ClientPlan& plan) {
  std::vector<ProcedureId> abstract;
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    if (std::ranges::find(plan.operations,
                          program.procedures[ProcedureId{i}].name,
                          &ClientOperation::abstract) != plan.operations.end())
      abstract.emplace_back(i);
  AbstractState state(program, abstract);
  for (const program::ThreadTemplate& thread : program.templates)
    if (const Procedure& procedure = program.procedures[thread.entry]; is_client(procedure))
      if (const Status checked = state.check(procedure); !checked)
        return checked;
  return Done{};
}

} // namespace heddle::transform
