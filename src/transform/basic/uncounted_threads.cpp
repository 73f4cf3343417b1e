// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locals of the initial thread's procedure are *forgotten* if they decide how often a loop with a
// create or join is repeated, hold a handle or what a thread returned, or are computed from such. A
// condition on them becomes a choice, an assignment to them is left out; an action that needs one
// in another way is none that can be kept, and the program stays as it is. What is left out was
// private to the thread, and an assumption or a join that is left out keeps nobody from anything:
// every run of the source is one of the result, with the choices made as its conditions were.
#include "transform/basic/uncounted_threads.h"

#include "program/analyse/analyse.h"
#include "program/model/action_terms.h"
#include "program/model/control_flow.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::transform {
namespace {

using program::Action;
using program::Edge;
using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::SyncOp;
using program::Term;

bool is_sync(const Action& action, SyncOp op) {
  const auto* synchronize = std::get_if<program::Synchronize>(&action);
  return synchronize != nullptr && synchronize->op == op;
}

/// The objects an action may touch as memory; none if it touches no memory.
std::optional<program::ObjectSetId> touched_by(const Action& action) {
  if (const auto* load = std::get_if<program::Load>(&action))
    return load->access.may;
  if (const auto* store = std::get_if<program::Store>(&action))
    return store->access.may;
  if (const auto* load = std::get_if<program::LoadExclusive>(&action))
    return load->access.may;
  if (const auto* store = std::get_if<program::StoreExclusive>(&action))
    return store->access.may;
  if (const auto* update = std::get_if<program::ReadModifyWrite>(&action))
    return update->access.may;
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    return exchange->access.may;
  if (const auto* free = std::get_if<program::Free>(&action))
    return free->may;
  if (const auto* synchronize = std::get_if<program::Synchronize>(&action);
      synchronize != nullptr && synchronize->op != SyncOp::kCreate &&
      synchronize->op != SyncOp::kJoin && !synchronize->operands.empty())
    return synchronize->may;
  return std::nullopt;
}

class Forgetting {
public:
  explicit Forgetting(const program::Program& source)
      : result_(source), main_(source.templates[0].entry), procedure_(source.procedures[main_]) {}

  std::optional<program::Program> run() {
    if (!find_counters())
      return std::nullopt;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Edge& edge : procedure_.edges)
        changed |= spread(edge.action);
    }
    if (!are_places_private())
      return std::nullopt;
    if (!rewrite())
      return std::nullopt;
    result_.procedures[main_] = std::move(made_);
    program::tidy(result_.procedures[main_]);
    program::annotate(result_, program::AliasAnalysis::kPointsTo);
    return std::move(result_);
  }

private:
  /// What decides whether a loop with a create or join is left.
  bool find_counters() {
    bool creates_in_loop = false;
    for (const program::Loop& loop : program::find_loops(procedure_)) {
      const auto is_inside = [&](LocationId at) { return at.is_valid() && loop.body[at.index()]; };
      const auto has = [&](SyncOp op) {
        return std::ranges::any_of(procedure_.edges, [&](const Edge& edge) {
          return is_inside(edge.from) && is_inside(edge.to) && is_sync(edge.action, op);
        });
      };
      const bool creates = has(SyncOp::kCreate);
      creates_in_loop |= creates;
      if (!creates && !has(SyncOp::kJoin))
        continue;
      for (const Edge& edge : procedure_.edges)
        if (const auto* assume = std::get_if<program::Assume>(&edge.action);
            assume != nullptr && is_inside(edge.from) && !is_inside(edge.to)) {
          if (names_few(assume->condition))
            return false;
          for (const std::uint64_t variable : result_.terms.variables(assume->condition))
            forgotten_.insert(variable);
        }
    }
    for (const Edge& edge : procedure_.edges)
      if (const auto* synchronize = std::get_if<program::Synchronize>(&edge.action);
          synchronize != nullptr && synchronize->dest &&
          (synchronize->op == SyncOp::kCreate || synchronize->op == SyncOp::kJoin))
        forgotten_.insert(synchronize->dest->value);
    return creates_in_loop;
  }

  /// A loop that counts to a number of threads that a run can have is followed as it is.
  bool names_few(Term condition) const {
    return std::ranges::any_of(result_.terms.arguments(condition), [&](Term argument) {
      return names_few(argument) ||
             (result_.terms.is_constant(argument) && result_.terms.node(argument).value > 1 &&
              result_.terms.node(argument).value < program::kMaxThreads);
    });
  }

  bool spread(const Action& action) {
    bool changed = false;
    const auto spread_to = [&](const program::Assign& assign) {
      if (!is_known(assign.value))
        changed |= forgotten_.insert(assign.dest.value).second;
    };
    if (const auto* assign = std::get_if<program::Assign>(&action))
      spread_to(*assign);
    if (const auto* sequence = std::get_if<program::AssignSequence>(&action))
      for (const program::Assign& assign : sequence->assignments)
        spread_to(assign);
    if (const auto* allocate = std::get_if<program::Allocate>(&action);
        allocate != nullptr && is_uncertain(allocate->size))
      changed |= forgotten_.insert(allocate->dest.value).second;
    if (const auto* store = std::get_if<program::Store>(&action);
        store != nullptr && !is_known(store->value) && store->access.may.is_valid())
      for (const program::ObjectId object : result_.object_sets[store->access.may])
        changed |= places_.insert(object).second;
    if (const auto* load = std::get_if<program::Load>(&action);
        load != nullptr && touches_places(load->access.may))
      changed |= forgotten_.insert(load->dest.value).second;
    return changed;
  }

  /// Nobody but the initial thread's procedure touches where forgotten values are kept.
  bool are_places_private() const {
    for (std::size_t i = 0; i < result_.procedures.size(); ++i)
      if (program::ProcedureId{i} != main_)
        for (const Edge& edge : result_.procedures[program::ProcedureId{i}].edges)
          if (const auto may = touched_by(edge.action); may && touches_places(*may))
            return false;
    return true;
  }

  bool is_uncertain(Term term) const {
    return std::ranges::any_of(result_.terms.variables(term), [&](std::uint64_t variable) {
      return forgotten_.contains(variable);
    });
  }
  bool touches_places(program::ObjectSetId may) const {
    return !places_.empty() &&
           (!may.is_valid() || std::ranges::any_of(result_.object_sets[may], [&](auto object) {
             return places_.contains(object);
           }));
  }
  bool is_in_places(program::ObjectSetId may) const {
    return may.is_valid() && std::ranges::all_of(result_.object_sets[may], [&](auto object) {
             return places_.contains(object);
           });
  }

  /// Is the term's value one of few choices, whatever forgotten locals hold?
  bool is_known(Term term) const {
    if (!is_uncertain(term))
      return true;
    const logic::Node& node = result_.terms.node(term);
    if (node.sort.is_bool())
      return true;
    switch (node.op) {
    case logic::Op::kIte:
    case logic::Op::kZeroExtend:
    case logic::Op::kSignExtend:
      return std::ranges::all_of(result_.terms.arguments(term),
                                 [&](Term argument) { return is_known(argument); });
    default:
      return false;
    }
  }

  /// A known term with a choice for each condition on forgotten locals.
  Term with_choices(Term term) {
    if (!is_uncertain(term))
      return term;
    if (result_.terms.sort(term).is_bool())
      return choice();
    const std::span<const Term> span = result_.terms.arguments(term);
    std::vector<Term> arguments(span.begin(), span.end());
    for (Term& argument : arguments)
      argument = with_choices(argument);
    const logic::Op op = result_.terms.node(term).op;
    const unsigned width = result_.terms.sort(term).width;
    if (op == logic::Op::kIte)
      return result_.terms.ite(arguments[0], arguments[1], arguments[2]);
    return op == logic::Op::kZeroExtend ? result_.terms.zero_extend(arguments[0], width)
                                        : result_.terms.sign_extend(arguments[0], width);
  }

  /// Yes or no: the choice is made right before the action.
  Term choice() {
    const LocalId local = made_.locals.push_back(program::Local{"", 1, {}});
    choices_.push_back(local);
    return result_.terms.to_bool(result_.terms.variable(local.value, logic::Sort{1}));
  }

  bool rewrite() {
    made_ = procedure_;
    made_.edges.clear();
    for (program::Location& location : made_.locations)
      location.out.clear();
    for (std::size_t i = 0; i < procedure_.locations.size(); ++i)
      if (!rewrite_location(LocationId{i}))
        return false;
    return true;
  }

  bool rewrite_location(LocationId at) {
    const std::vector<std::uint32_t>& out = procedure_.locations[at].out;
    const auto is_open = [&](std::uint32_t index) {
      const auto* assume = std::get_if<program::Assume>(&procedure_.edges[index].action);
      return assume != nullptr && assume->is_branch && is_uncertain(assume->condition);
    };
    if (std::ranges::any_of(out, is_open)) {
      if (out.size() != 2)
        return false;
      const Term taken = choice();
      const LocationId chosen = after_choices(at, procedure_.edges[out[0]].loc);
      for (const std::uint32_t index : out) {
        const Edge& edge = procedure_.edges[index];
        const Term condition = index == out[0] ? taken : result_.terms.not_(taken);
        program::add_edge(made_, {chosen, edge.to, program::Assume{condition, true}, edge.loc});
      }
      return true;
    }
    for (const std::uint32_t index : out) {
      const Edge& edge = procedure_.edges[index];
      std::optional<Action> action = rewritten(edge.action);
      if (!action)
        return false;
      program::add_edge(made_,
                        {after_choices(at, edge.loc), edge.to, std::move(*action), edge.loc});
    }
    return true;
  }

  LocationId after_choices(LocationId at, SourceLoc loc) {
    for (const LocalId local : std::exchange(choices_, {})) {
      const LocationId next = made_.locations.push_back(program::Location{{}, loc, {}, false});
      program::add_edge(made_,
                        {at, next, program::Nondet{local, "how many threads there are"}, loc});
      at = next;
    }
    return at;
  }

  /// Nothing if the action cannot do without what is forgotten.
  std::optional<Action> rewritten(const Action& action) {
    const std::vector<Term> terms = program::terms_of(action);
    const bool is_certain =
        std::ranges::none_of(terms, [&](Term term) { return is_uncertain(term); });
    const auto touched = touched_by(action);
    if (std::holds_alternative<program::Free>(action) && is_certain)
      return action;
    if (touched && touches_places(*touched)) {
      const bool can_go = std::holds_alternative<program::Load>(action) ||
                          std::holds_alternative<program::Store>(action) ||
                          std::holds_alternative<program::Free>(action);
      return can_go && is_in_places(*touched) ? std::optional<Action>(program::Skip{})
                                              : std::nullopt;
    }
    if (const auto* synchronize = std::get_if<program::Synchronize>(&action)) {
      if (synchronize->op == SyncOp::kJoin)
        return program::Skip{};
      if (!is_certain)
        return std::nullopt;
      program::Synchronize kept = *synchronize;
      if (kept.op == SyncOp::kCreate)
        kept.dest.reset();
      return kept;
    }
    if (const auto* assign = std::get_if<program::Assign>(&action))
      return rewritten_assignments({*assign});
    if (const auto* sequence = std::get_if<program::AssignSequence>(&action))
      return rewritten_assignments(sequence->assignments);
    if (const auto* nondet = std::get_if<program::Nondet>(&action))
      return forgotten_.contains(nondet->dest.value) ? Action{program::Skip{}} : action;
    if (is_certain)
      return action;
    if (std::holds_alternative<program::Assume>(action) ||
        std::holds_alternative<program::CheckNeighbourhood>(action))
      return program::Skip{};
    if (const auto* check = std::get_if<program::Check>(&action)) {
      if (check->kind == program::CheckKind::kArrayIndex ||
          check->kind == program::CheckKind::kPointerArithmetic)
        return program::Skip{};
      program::Check kept = *check;
      kept.condition = with_choices(kept.condition);
      return kept;
    }
    if (const auto* allocate = std::get_if<program::Allocate>(&action))
      return places_.contains(allocate->site) ? std::optional<Action>(program::Skip{})
                                              : std::nullopt;
    if (const auto* store = std::get_if<program::Store>(&action)) {
      if (is_uncertain(store->address) || !is_known(store->value) || store->marks)
        return std::nullopt;
      program::Store kept = *store;
      kept.value = with_choices(kept.value);
      return kept;
    }
    if (const auto* call = std::get_if<program::Call>(&action)) {
      program::Call kept = *call;
      if (kept.function && is_uncertain(*kept.function))
        return std::nullopt;
      for (Term& argument : kept.arguments) {
        if (!is_known(argument))
          return std::nullopt;
        argument = with_choices(argument);
      }
      return kept;
    }
    return std::nullopt;
  }

  Action rewritten_assignments(const std::vector<program::Assign>& assignments) {
    program::AssignSequence kept;
    for (const program::Assign& assign : assignments)
      if (!forgotten_.contains(assign.dest.value))
        kept.assignments.push_back({assign.dest, with_choices(assign.value), {}});
    if (kept.assignments.empty())
      return program::Skip{};
    return kept.assignments.size() == 1 ? Action{kept.assignments[0]} : Action{kept};
  }

  program::Program result_;
  program::ProcedureId main_;
  const Procedure& procedure_;
  Procedure made_;
  std::set<std::uint64_t> forgotten_;  // numbers of locals
  std::set<program::ObjectId> places_; // where their values are stored
  std::vector<LocalId> choices_;       // to be made before the next edge
};

} // namespace

std::optional<program::Program> forget_thread_counts(const program::Program& program) {
  return Forgetting(program).run();
}

} // namespace heddle::transform
