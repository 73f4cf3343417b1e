// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/known_turns.h"

#include "program/code_liveness.h"

#include <algorithm>
#include <variant>

namespace heddle::transform {

namespace {

using program::Action;
using program::Assign;
using program::AssignSequence;
using program::Assume;
using program::Edge;
using program::LocalId;
using program::LocationId;
using program::Loop;
using program::Procedure;

/// Loops that only compute are followed this far, in edges, and others this far: no program with
/// more of them could be looked at.
constexpr std::size_t kMostComputed = 1U << 22U;
constexpr std::size_t kMostCopied = 1U << 19U;

bool only_computes(const Action& action) {
  const auto* assume = std::get_if<Assume>(&action);
  const auto* hint = std::get_if<program::Hint>(&action);
  return std::holds_alternative<program::Skip>(action) || std::holds_alternative<Assign>(action) ||
         std::holds_alternative<AssignSequence>(action) ||
         (assume != nullptr && assume->is_branch) ||
         (hint != nullptr && hint->kind == ir::Hint::Kind::kLoopBound);
}

/// What holds on both ways.
void meet(std::optional<Constants>& known, const Constants& values) {
  if (!known) {
    known = values;
    return;
  }
  std::erase_if(*known, [&](const auto& entry) {
    const auto other = values.find(entry.first);
    return other == values.end() || other->second != entry.second;
  });
}

std::vector<LocationId> reverse_postorder(const Procedure& procedure) {
  std::vector<LocationId> order;
  std::vector<bool> is_seen(procedure.locations.size(), false);
  std::vector<std::pair<LocationId, std::size_t>> path{{procedure.entry, 0}};
  is_seen[procedure.entry.index()] = true;
  while (!path.empty()) {
    auto& [location, next] = path.back();
    const std::vector<std::uint32_t>& out = procedure.locations[location].out;
    if (next == out.size()) {
      order.push_back(location);
      path.pop_back();
      continue;
    }
    const LocationId target = procedure.edges[out[next++]].to;
    if (!is_seen[target.index()]) {
      is_seen[target.index()] = true;
      path.emplace_back(target, 0);
    }
  }
  std::ranges::reverse(order);
  return order;
}

/// Is the head the only way into the loop?
bool has_one_entry(const Procedure& procedure, const Loop& loop) {
  return std::ranges::none_of(procedure.edges, [&](const Edge& edge) {
    return !loop.body[edge.from.index()] && loop.body[edge.to.index()] && edge.to != loop.head;
  });
}

} // namespace

TurnCounter::TurnCounter(logic::TermStore& terms,
                         const Procedure& procedure,
                         const std::vector<Loop>& loops,
                         const Constants& parameters)
    : terms_(terms), procedure_(procedure), order_(reverse_postorder(procedure)),
      at_(procedure.locations.size()) {
  for (const Loop& loop : loops) {
    back_edges_.insert(loop.back_edges.begin(), loop.back_edges.end());
    changed_[loop.head];
  }
  for (const Edge& edge : procedure_.edges) {
    const program::LocalUse use = program::local_use(terms_, edge.action);
    if (use.writes.empty())
      continue;
    for (const Loop& loop : loops)
      if (loop.body[edge.from.index()] && loop.body[edge.to.index()])
        for (const std::uint32_t local : use.writes)
          changed_[loop.head].push_back(LocalId{std::size_t{local}});
  }
  choose_tracked();
  Constants first;
  for (const auto& [local, value] : parameters)
    if (tracked_[local.index()])
      first.emplace(local, value);
  (void)follow(order_, nullptr, first);
}

/// The locals that branches look at, and those they are computed from; and all that a loop changes
/// that only computes.
void TurnCounter::choose_tracked() {
  tracked_.assign(procedure_.locals.size(), false);
  std::vector<std::uint32_t> pending;
  const auto track = [&](std::uint32_t local) {
    if (!tracked_[local]) {
      tracked_[local] = true;
      pending.push_back(local);
    }
  };
  std::vector<std::vector<std::uint32_t>> from(procedure_.locals.size());
  for (const Edge& edge : procedure_.edges) {
    const program::LocalUse use = program::local_use(terms_, edge.action);
    if (std::holds_alternative<Assume>(edge.action) ||
        std::holds_alternative<program::Check>(edge.action))
      std::ranges::for_each(use.reads, track);
    if (only_computes(edge.action))
      for (const std::uint32_t local : use.writes)
        from[local].insert(from[local].end(), use.reads.begin(), use.reads.end());
  }
  for (const auto& [head, changed] : changed_)
    for (const LocalId local : changed)
      track(local.value);
  while (!pending.empty()) {
    const std::uint32_t local = pending.back();
    pending.pop_back();
    std::ranges::for_each(from[local], track);
  }
}

std::optional<std::uint64_t> TurnCounter::value_of(program::Term term, const Constants& values) {
  const program::Term known =
      terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) -> program::Term {
        if (number == program::kSelfVariable)
          return {};
        const auto value = values.find(LocalId{static_cast<std::size_t>(number)});
        if (value == values.end())
          return {};
        return sort.is_bool() ? terms_.boolean(value->second != 0)
                              : terms_.constant(value->second, sort.width);
      });
  if (!terms_.is_constant(known))
    return std::nullopt;
  return terms_.node(known).value;
}

/// Gives whether all that it assigns is known.
bool TurnCounter::compute(const Action& action, Constants& values) {
  bool is_known = true;
  const auto assign = [&](const Assign& one) {
    if (!tracked_[one.dest.index()]) {
      is_known = false;
      return;
    }
    if (const std::optional<std::uint64_t> value = value_of(one.value, values)) {
      values[one.dest] = *value;
    } else {
      values.erase(one.dest);
      is_known = false;
    }
  };
  if (const auto* one = std::get_if<Assign>(&action)) {
    assign(*one);
  } else if (const auto* sequence = std::get_if<AssignSequence>(&action)) {
    std::ranges::for_each(sequence->assignments, assign);
  } else if (const auto* check = std::get_if<program::Check>(&action)) {
    is_known = value_of(check->condition, values).value_or(0) != 0;
  } else {
    for (const std::uint32_t local : program::local_use(terms_, action).writes)
      values.erase(LocalId{std::size_t{local}});
    is_known = only_computes(action);
  }
  return is_known;
}

TurnCounter::Pass TurnCounter::follow(const std::vector<LocationId>& order,
                                      const Loop* part,
                                      const Constants& first) {
  Pass pass;
  at_[order.front().index()] = first;
  for (const LocationId location : order) {
    std::optional<Constants> values = std::exchange(at_[location.index()], std::nullopt);
    if (!values)
      continue;
    const auto inner = changed_.find(location);
    if (inner != changed_.end() && (part == nullptr || location != part->head)) {
      if (part == nullptr)
        at_entry_[location] = *values;
      for (const LocalId local : inner->second)
        values->erase(local);
      pass.is_single = false;
    }
    leave(location, part, *values, pass);
  }
  return pass;
}

void TurnCounter::leave(LocationId location,
                        const Loop* part,
                        const Constants& values,
                        Pass& pass) {
  const std::vector<std::uint32_t>& out = procedure_.locations[location].out;
  std::size_t open = 0;
  bool leads_out = false;
  for (const std::uint32_t index : out) {
    const Edge& edge = procedure_.edges[index];
    ++pass.steps;
    const bool leaves = part != nullptr && !part->body[edge.to.index()];
    if (const auto* assume = std::get_if<Assume>(&edge.action)) {
      const std::optional<std::uint64_t> holds = value_of(assume->condition, values);
      if (holds && *holds == 0) {
        pass.closed.push_back(index);
        pass.is_decided = pass.is_decided || (leaves && !terms_.is_constant(assume->condition));
        continue;
      }
    }
    ++open;
    leads_out = leads_out || leaves;
    Constants after = values;
    pass.is_single = compute(edge.action, after) && pass.is_single;
    if (leaves)
      pass.left = KnownTurns::Result{std::move(after), edge.to};
    else if (part != nullptr && edge.to == part->head)
      meet(pass.back, after);
    else if (!back_edges_.contains(index))
      meet(at_[edge.to.index()], after);
  }
  pass.is_single = pass.is_single && open == 1;
}

std::optional<KnownTurns> TurnCounter::count(const Loop& loop) {
  const auto entry = at_entry_.find(loop.head);
  if (entry == at_entry_.end() || !has_one_entry(procedure_, loop))
    return std::nullopt;
  std::vector<LocationId> order{loop.head};
  for (const LocationId location : order_)
    if (loop.body[location.index()] && location != loop.head)
      order.push_back(location);
  KnownTurns known;
  Constants values = entry->second;
  bool is_single = true;
  for (std::size_t steps = 0; steps < (is_single ? kMostComputed : kMostCopied);) {
    Pass pass = follow(order, &loop, values);
    if (known.closed.empty() && !pass.is_decided && pass.back)
      return std::nullopt;
    is_single = is_single && pass.is_single;
    steps += std::max<std::size_t>(pass.steps, 1);
    known.closed.push_back(std::move(pass.closed));
    if (!pass.back) {
      if (is_single && pass.left) {
        known.result = std::move(pass.left);
        const std::vector<LocalId>& changed = changed_.at(loop.head);
        std::erase_if(known.result->values, [&](const auto& one) {
          return std::ranges::find(changed, one.first) == changed.end();
        });
      }
      return known;
    }
    if (*pass.back == values)
      return std::nullopt;
    values = std::move(*pass.back);
  }
  return std::nullopt;
}

std::vector<Constants> constant_parameters(const program::Program& program) {
  std::vector<std::optional<Constants>> met(program.procedures.size());
  const auto call = [&](program::ProcedureId target, const std::vector<program::Term>& arguments) {
    const Procedure& callee = program.procedures[target];
    Constants values;
    for (std::size_t i = 0; i < callee.parameters.size() && i < arguments.size(); ++i)
      if (program.terms.is_constant(arguments[i]))
        values.emplace(callee.parameters[i],
                       program.terms.node(arguments[i]).value &
                           logic::mask_of(callee.locals[callee.parameters[i]].width));
    meet(met[target.index()], values);
  };
  for (const program::ThreadTemplate& one : program.templates)
    call(one.entry, {});
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges) {
      if (const auto* action = std::get_if<program::Call>(&edge.action))
        for (const program::ProcedureId target : action->targets)
          call(target, action->arguments);
      if (const auto* action = std::get_if<program::Synchronize>(&edge.action))
        for (const program::ProcedureId target : action->targets)
          call(target, {});
    }
  std::vector<Constants> result;
  for (std::optional<Constants>& one : met)
    result.push_back(one ? std::move(*one) : Constants{});
  return result;
}

} // namespace heddle::transform
