// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Thread-local variables that are only read and written by name become locals of the procedures
// that threads start with, once all that a thread calls is in that procedure. A state then has no
// memory that belongs to one thread, so that threads of the same code are alike (symmetry, and any
// number of them), and a variable that is not read any more does not tell states apart.
//
// Such accesses are invisible, and so are the assignments that take their place: schedules are
// kept. What remains of the variable is a constant, which has no bytes in a state.
#include "program/analyse/alias.h"
#include "program/model/action_terms.h"
#include "program/model/control_flow.h"
#include "transform/basic/rewrite.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace heddle::transform {

namespace {

using program::Action;
using program::Edge;
using program::LocalId;
using program::LocationId;
using program::Object;
using program::ObjectId;
using program::Procedure;
using program::ProcedureId;
using program::Program;
using program::Term;

/// More than that is not worth having all calls inlined.
constexpr std::size_t kMaxEdges = 20'000;

bool is_thread_local(const Object& object) {
  return object.kind == Object::Kind::kThreadLocal;
}

class Registers {
public:
  explicit Registers(Program& program) : program_(program) {}

  /// All or none: one variable that has to stay in memory keeps threads apart as well as many.
  bool make() {
    find_reached();
    if (!are_all_by_name())
      return false;
    for (const ProcedureId id : reached_)
      rewrite(program_.procedures[id]);
    for (Object& object : program_.objects)
      if (is_thread_local(object)) {
        object.kind = Object::Kind::kGlobal;
        object.is_constant = true;
      }
    return true;
  }

private:
  void find_reached() {
    std::vector<ProcedureId> pending;
    for (const program::ThreadTemplate& thread : program_.templates) {
      pending.push_back(thread.entry);
      entries_.insert(thread.entry);
    }
    while (!pending.empty()) {
      const ProcedureId id = pending.back();
      pending.pop_back();
      if (!reached_.insert(id).second)
        continue;
      for (const Edge& edge : program_.procedures[id].edges)
        if (const auto* call = std::get_if<program::Call>(&edge.action)) {
          pending.insert(pending.end(), call->targets.begin(), call->targets.end());
          called_.insert(call->targets.begin(), call->targets.end());
        }
    }
  }

  [[nodiscard]] bool uses_self(Term term) const {
    const std::vector<std::uint64_t> variables = program_.terms.variables(term);
    return std::ranges::find(variables, program::kSelfVariable) != variables.end();
  }

  /// The variable that a load or store is all about, and whose value it takes or sets as a whole.
  [[nodiscard]] std::optional<ObjectId> variable_of(const Action& action) const {
    const auto of = [&](Term address, const program::Access& access) -> std::optional<ObjectId> {
      const std::optional<program::OwnPlace> place =
          program::own_place(program_, program::linear_form(program_.terms, address));
      if (!place || place->offset != 0 || access.size != program_.objects[place->object].size ||
          access.is_visible || access.drains)
        return std::nullopt;
      return place->object;
    };
    if (const auto* load = std::get_if<program::Load>(&action); load != nullptr && !load->marks)
      return of(load->address, load->access);
    if (const auto* store = std::get_if<program::Store>(&action);
        store != nullptr && !store->marks && !uses_self(store->value))
      return of(store->address, store->access);
    return std::nullopt;
  }

  /// Nothing else depends on where the variables are.
  [[nodiscard]] bool are_all_by_name() const {
    for (const ProcedureId id : reached_)
      for (const Edge& edge : program_.procedures[id].edges) {
        if (variable_of(edge.action)) {
          // A call that stays (of a recursive procedure) has locals of its own.
          if (!entries_.contains(id) || called_.contains(id))
            return false;
          continue;
        }
        if (std::ranges::any_of(program::terms_of(edge.action),
                                [&](Term term) { return uses_self(term); }))
          return false;
      }
    return true;
  }

  void rewrite(Procedure& procedure) {
    std::map<ObjectId, LocalId> registers;
    const auto register_of = [&](ObjectId object) {
      const auto found = registers.find(object);
      if (found != registers.end())
        return found->second;
      const Object& variable = program_.objects[object];
      const LocalId local = procedure.locals.push_back(program::Local{
          variable.name, static_cast<std::uint8_t>(8 * variable.size), variable.loc});
      registers.emplace(object, local);
      return local;
    };
    for (Edge& edge : procedure.edges) {
      const std::optional<ObjectId> object = variable_of(edge.action);
      if (!object)
        continue;
      const LocalId local = register_of(*object);
      if (const auto* load = std::get_if<program::Load>(&edge.action))
        edge.action = program::Assign{
            load->dest,
            program_.terms.variable(local.value, logic::Sort{procedure.locals[local].width})};
      else
        edge.action = program::Assign{local, std::get<program::Store>(edge.action).value};
    }
    if (!registers.empty())
      start_with_initial(procedure, registers);
  }

  void start_with_initial(Procedure& procedure, const std::map<ObjectId, LocalId>& registers) {
    program::AssignSequence initial;
    for (const auto& [object, local] : registers) {
      std::uint64_t value = 0;
      const std::vector<std::uint8_t>& bytes = program_.objects[object].initial;
      for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= std::uint64_t{bytes[i]} << (8 * i);
      initial.assignments.push_back(
          {local, program_.terms.constant(value, procedure.locals[local].width)});
    }
    const LocationId first = procedure.entry;
    const SourceLoc loc = procedure.locations[first].loc;
    procedure.entry = procedure.locations.push_back(program::Location{{}, loc, {}, false});
    program::add_edge(procedure, Edge{procedure.entry, first, std::move(initial), loc});
    program::tidy(procedure);
  }

  Program& program_;
  std::set<ProcedureId> reached_;
  std::set<ProcedureId> entries_;
  std::set<ProcedureId> called_;
};

class ThreadRegisters final : public Transform {
public:
  [[nodiscard]] std::string_view name() const override { return "thread registers"; }
  /// What a block is still known by is looked for in memory.
  [[nodiscard]] bool preserves(spec::Property property) const override {
    return property != spec::Property::kCleanup;
  }
  [[nodiscard]] Result<Transformed> apply(const Program& source,
                                          const spec::Bounds&) const override {
    const Transformed unchanged{source, same_schedule(), {}};
    const spec::Bounds none; // recursion is not cut here
    const Result<Transformed> direct = direct_calls()->apply(source, none);
    if (!direct)
      return unchanged;
    Result<Transformed> inlined = inline_calls()->apply(direct->program, none);
    if (!inlined)
      return unchanged;
    std::size_t edges = 0;
    for (const Procedure& procedure : inlined->program.procedures)
      edges += procedure.edges.size();
    if (edges > kMaxEdges || !Registers(inlined->program).make())
      return unchanged;
    return inlined;
  }
};

} // namespace

std::unique_ptr<Transform> thread_registers() {
  return std::make_unique<ThreadRegisters>();
}

} // namespace heddle::transform
