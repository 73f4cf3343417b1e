// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/invariants/abstract_state.h"

#include "program/analyse/liveness.h"
#include "program/model/proof_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace heddle::object {

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

/// What belongs to the proof alone.
class ProofState {
public:
  ProofState(const Program& program, std::string name, std::string owners)
      : program_(program), name_(std::move(name)), owners_(std::move(owners)) {}

  enum class Take : std::uint8_t { kAccessed, kWritten };
  void add(const std::vector<ProcedureId>& procedures, Take take) {
    for (const ProcedureId id : procedures)
      for (const Edge& edge : program_.procedures[id].edges)
        if (const Touch touch = touch_of(edge.action);
            touch.access != nullptr && (touch.writes || take == Take::kAccessed))
          add(*touch.access);
  }

  /// These must not touch it.
  [[nodiscard]] Status keep_out(const std::vector<ProcedureId>& procedures) const {
    for (const ProcedureId id : procedures)
      for (const Edge& edge : program_.procedures[id].edges)
        if (const Touch touch = touch_of(edge.action);
            touch.access != nullptr && may_be_it(*touch.access))
          return program::refuse_in_proof(
              program_,
              edge.loc,
              "OBL-006",
              fmt::format("an access to {}, which is for {} only", name_, owners_));
    return Done{};
  }

  Status check(const Procedure& client) {
    find_dependent(client);
    for (const Edge& edge : client.edges) {
      const Touch touch = touch_of(edge.action);
      if (touch.writes && may_be_it(*touch.access))
        return program::refuse_in_proof(
            program_,
            edge.loc,
            "OBL-006",
            fmt::format("an operation writes what belongs to {}, which only {} "
                        "may change",
                        name_,
                        owners_));
      if (!may_depend(edge.action) && !follows_check(client, edge) && reads_dependent(edge.action))
        return program::refuse_in_proof(
            program_,
            edge.loc,
            "OBL-006",
            fmt::format("what an operation does depends on {}, which is there for the proof only; "
                        "it may be looked at in assumptions and assertions, each a single "
                        "condition",
                        name_));
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
  /// A branch on what has just been asserted goes one way only: that is how assert() ends the run.
  [[nodiscard]] bool follows_check(const Procedure& client, const Edge& branch) const {
    const auto* assumed = std::get_if<program::Assume>(&branch.action);
    if (assumed == nullptr)
      return false;
    std::size_t checks = 0;
    for (const Edge& edge : client.edges) {
      if (edge.to != branch.from)
        continue;
      const auto* check = std::get_if<program::Check>(&edge.action);
      if (check == nullptr)
        return false;
      const bool is_same = check->condition == assumed->condition ||
                           is_opposite(check->condition, assumed->condition);
      if (!is_same)
        return false;
      ++checks;
    }
    return checks != 0;
  }
  [[nodiscard]] bool is_opposite(program::Term one, program::Term other) const {
    const auto is_not = [&](program::Term a, program::Term b) {
      return program_.terms.node(a).op == logic::Op::kNot && program_.terms.arguments(a)[0] == b;
    };
    return is_not(one, other) || is_not(other, one);
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
  std::string name_;
  std::string owners_;
  std::set<ObjectId> objects_;
  bool is_any_ = false;
  std::set<std::uint32_t> dependent_;
};

} // namespace

Status check_abstract_state(const Program& program, const ClientPlan& plan) {
  std::vector<ProcedureId> abstract;
  std::vector<ProcedureId> auxiliary;
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    const std::string& name = program.procedures[ProcedureId{i}].name;
    if (std::ranges::find(plan.operations, name, &ClientOperation::abstract) !=
        plan.operations.end())
      abstract.emplace_back(i);
    if (std::ranges::find(plan.auxiliary, name, &AuxiliaryUpdate::function) != plan.auxiliary.end())
      auxiliary.emplace_back(i);
  }
  ProofState state(program, "the abstract state", "the abstract operations");
  state.add(abstract, ProofState::Take::kAccessed);
  if (const Status apart = state.keep_out(auxiliary); !apart)
    return apart;
  ProofState variables(program, "the auxiliary variables", "the auxiliary functions");
  variables.add(auxiliary, ProofState::Take::kWritten);
  for (const program::ThreadTemplate& thread : program.templates)
    if (const Procedure& procedure = program.procedures[thread.entry];
        program::is_client(procedure))
      for (ProofState* one : {&state, &variables})
        if (const Status checked = one->check(procedure); !checked)
          return checked;
  return Done{};
}

} // namespace heddle::object
