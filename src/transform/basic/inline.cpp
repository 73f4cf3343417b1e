// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Puts the bodies of called procedures into their callers. Calls through pointers and of recursive
// procedures stay, unless there is a bound: then recursion is followed to that depth. So do calls
// of procedures with frame slots: a slot ends with its frame, and a pointer to it dangles from then
// on. Where asked, slots whose end nobody notices move to the caller's frame (inline_slots.h), or
// are made again by every execution of the body.
//
// Call, and Return from a frame without slots, are invisible, and every other action of the callee
// is copied in order with its locals renamed: the thread's visible steps and choices are the same,
// so schedules are kept (rewrite.h).
#include "transform/basic/inline.h"

#include "program/analyse/liveness.h"
#include "program/model/control_flow.h"
#include "relation/bit_matrix.h"
#include "support/budget_watch.h"
#include "transform/basic/inline_slots.h"
#include "transform/basic/recursion.h"
#include "transform/basic/rewrite.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::transform {

namespace {

using program::Call;
using program::Edge;
using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Program;

/// A frame starts with zeros: a local that may be read before it is set must not keep what an
/// earlier execution of the inlined body left in it.
void set_to_zero(Program& program,
                 Procedure& caller,
                 LocationId from,
                 LocationId to,
                 const std::vector<LocalId>& locals,
                 SourceLoc loc) {
  program::AssignSequence zeros;
  for (const LocalId local : locals)
    zeros.assignments.push_back({local, program.terms.constant(0, caller.locals[local].width)});
  program::Action action = program::Skip{};
  if (!zeros.assignments.empty())
    action = std::move(zeros);
  program::add_edge(caller, Edge{from, to, std::move(action), loc});
}

class Inlining {
public:
  Inlining(Program& program, InlineSlots slots, const Budget* budget)
      : program_(program), moved_(program), watch_(budget) {
    const MovableSlots movable(program);
    for (const Procedure& procedure : program.procedures) {
      moved_slots_.push_back(slots_of(procedure));
      const bool may_move =
          slots == InlineSlots::kPrivate || slots == InlineSlots::kPrivateOrInPlace;
      const bool may_stay =
          slots == InlineSlots::kInPlace || slots == InlineSlots::kPrivateOrInPlace;
      const bool moves = may_move && movable.can_move(procedure);
      keeps_frame_.push_back(!moved_slots_.back().empty() && !moves && !may_stay);
      if (moves)
        continue;
      for (const program::Allocate& slot : moved_slots_.back())
        in_place_.insert(slot.site);
      moved_slots_.back().clear();
    }
  }

  Status run() {
    find_recursive();
    // Callees before callers, so that a body is complete when it is copied.
    for (const ProcedureId id : order_)
      inline_into(id);
    for (Procedure& procedure : program_.procedures)
      if (!watch_.is_used_up())
        program::tidy(procedure);
    if (watch_.is_used_up())
      return budget_used_up("calls are inlined");
    return Done{};
  }

private:
  static std::optional<ProcedureId> direct_target(const program::Action& action) {
    const auto* call = std::get_if<Call>(&action);
    if (call == nullptr || call->function || call->targets.size() != 1)
      return std::nullopt;
    return call->targets[0];
  }

  /// A procedure that reaches itself is recursive. Fills order_ with callees first.
  void find_recursive() {
    const std::size_t count = program_.procedures.size();
    is_recursive_ = IdVector<ProcedureId, bool>(count, false);
    relation::BitMatrix calls(count);
    for (std::size_t i = 0; i < count; ++i)
      for (const Edge& edge : program_.procedures[ProcedureId{i}].edges)
        if (const auto* call = std::get_if<Call>(&edge.action))
          for (const ProcedureId target : call->targets)
            calls.insert(i, target.index());
    const relation::BitMatrix reach = calls.transitive_closure();
    IdVector<ProcedureId, std::size_t> reached(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      is_recursive_[ProcedureId{i}] = reach.contains(i, i);
      reached[ProcedureId{i}] = reach.row(i).size();
      order_.emplace_back(i);
    }
    std::sort(order_.begin(), order_.end(), [&](ProcedureId a, ProcedureId b) {
      return std::pair(reached[a], a) < std::pair(reached[b], b);
    });
  }

  void inline_into(ProcedureId id) {
    const std::size_t count = program_.procedures[id].edges.size();
    for (std::size_t e = 0; e < count; ++e) {
      const Edge edge = program_.procedures[id].edges[e];
      const std::optional<ProcedureId> target = direct_target(edge.action);
      if (!target || *target == id || is_recursive_[*target])
        continue;
      if (keeps_frame_[target->index()])
        continue;
      if (watch_.is_used_up())
        return;
      copy_body(id, e, *target);
    }
  }

  void copy_body(ProcedureId caller_id, std::size_t call_edge, ProcedureId callee_id) {
    Procedure& caller = program_.procedures[caller_id];
    const Procedure& callee = program_.procedures[callee_id];
    const Edge site = caller.edges[call_edge];
    const Call call = std::get<Call>(site.action);
    LocalMap locals(callee.locals.size());
    for (std::size_t i = 0; i < callee.locals.size(); ++i)
      locals[LocalId{i}] = caller.locals.push_back(callee.locals[LocalId{i}]);
    IdVector<LocationId, LocationId> locations(callee.locations.size());
    for (std::size_t i = 0; i < callee.locations.size(); ++i) {
      program::Location location = callee.locations[LocationId{i}];
      location.out.clear();
      locations[LocationId{i}] = caller.locations.push_back(std::move(location));
    }
    // The call becomes the passing of the arguments: they are over the caller's locals, which the
    // callee's are not among.
    const std::vector<std::vector<bool>> is_live = program::live_locals(program_, callee);
    std::vector<LocalId> unset;
    program::AssignSequence passing;
    for (std::size_t i = 0; i < callee.locals.size(); ++i) {
      const auto parameter =
          std::find(callee.parameters.begin(), callee.parameters.end(), LocalId{i});
      const auto position = static_cast<std::size_t>(parameter - callee.parameters.begin());
      if (parameter != callee.parameters.end() && position < call.arguments.size())
        passing.assignments.push_back(
            {locals[LocalId{i}],
             fitted(call.arguments[position], callee.locals[LocalId{i}].width)});
      else if (is_live[callee.entry.index()][i])
        unset.push_back(locals[LocalId{i}]);
    }
    const LocationId before_body =
        caller.locations.push_back(program::Location{{}, site.loc, {}, false});
    caller.edges[call_edge].to = before_body;
    caller.edges[call_edge].action = program::Skip{};
    if (!passing.assignments.empty())
      caller.edges[call_edge].action = std::move(passing);
    set_to_zero(program_, caller, before_body, locations[callee.entry], unset, site.loc);
    for (const program::Allocate& slot : slots_of(callee))
      if (!in_place_.contains(slot.site))
        (void)moved_.address(caller_id, slot, site.loc);
    const LocationId after_body =
        moved_.forget(caller_id, moved_slots_[callee_id.index()], site.to, site.loc);
    for (const Edge& edge : callee.edges) {
      Edge copy{locations[edge.from],
                locations[edge.to],
                rename_locals(edge.action, locals, program_.terms),
                edge.loc};
      if (const auto* result = std::get_if<program::Return>(&copy.action)) {
        copy.to = after_body;
        program::Action action = program::Skip{};
        if (call.dest) {
          const unsigned width = caller.locals[*call.dest].width;
          action = program::Assign{*call.dest,
                                   result->value ? fitted(*result->value, width)
                                                 : program_.terms.constant(0, width)};
        }
        copy.action = std::move(action);
      } else if (const auto* slot = std::get_if<program::Allocate>(&copy.action);
                 slot != nullptr && slot->where == ir::Allocate::Where::kFrame &&
                 !in_place_.contains(slot->site)) {
        const LocalId address = moved_.address(caller_id, *slot, site.loc);
        const logic::Term value =
            program_.terms.variable(address.value, logic::Sort{caller.locals[address].width});
        copy.action = program::Assign{slot->dest, value};
      }
      program::add_edge(caller, std::move(copy));
    }
  }

  logic::Term fitted(logic::Term term, unsigned width) {
    const unsigned given = program_.terms.sort(term).width;
    if (given == width)
      return term;
    return given < width ? program_.terms.zero_extend(term, width)
                         : program_.terms.extract(term, 0, width);
  }

  Program& program_;
  MovedSlots moved_;
  /// By procedure: those of its own that move.
  std::vector<std::vector<program::Allocate>> moved_slots_;
  std::set<program::ObjectId> in_place_;
  std::vector<bool> keeps_frame_;
  IdVector<ProcedureId, bool> is_recursive_;
  std::vector<ProcedureId> order_;
  BudgetWatch watch_;
};

class InlineCalls final : public Transform {
public:
  InlineCalls(InlineSlots slots, const Budget* budget) : slots_(slots), budget_(budget) {}
  [[nodiscard]] std::string_view name() const override { return "inline"; }
  [[nodiscard]] bool preserves(spec::Property) const override { return true; }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds& bounds) const override {
    Transformed result{source, same_schedule(), {}};
    if (const Status status = bound_recursion(result.program, bounds); !status)
      return status.error();
    if (const Status status = Inlining(result.program, slots_, budget_).run(); !status)
      return status.error();
    return result;
  }

private:
  InlineSlots slots_;
  const Budget* budget_;
};

} // namespace

std::unique_ptr<Transform> inline_calls(InlineSlots slots) {
  return inline_calls(slots, nullptr);
}

std::unique_ptr<Transform> inline_calls(InlineSlots slots, const Budget* budget) {
  return std::make_unique<InlineCalls>(slots, budget);
}

} // namespace heddle::transform
