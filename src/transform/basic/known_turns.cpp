// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/known_turns.h"

#include "program/analyse/linear.h"
#include "program/analyse/liveness.h"

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

/// Loops that only compute are followed this far, in edges.
constexpr std::size_t kMostComputed = 1U << 22U;
/// Loops around loops that only compute are followed this far.
constexpr std::size_t kMostRunAlone = 1U << 19U;
/// What an edge counts that does more.
constexpr std::size_t kWeight = 32;
/// The longest way through an object, in turns.
constexpr std::uint64_t kMostTurnsInObjects = 4096;

const program::Access* access_of(const Action& action, program::Term& address) {
  if (const auto* load = std::get_if<program::Load>(&action)) {
    address = load->address;
    return &load->access;
  }
  if (const auto* store = std::get_if<program::Store>(&action)) {
    address = store->address;
    return &store->access;
  }
  return nullptr;
}

bool computes_or_hints(const Action& action) {
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

/// Is the head the only way into the loop? The body of one that is entered elsewhere may go back to
/// where the procedure begins.
bool has_one_entry(const Procedure& procedure, const Loop& loop) {
  return (procedure.entry == loop.head || !loop.body[procedure.entry.index()]) &&
         std::ranges::none_of(procedure.edges, [&](const Edge& edge) {
           return !loop.body[edge.from.index()] && loop.body[edge.to.index()] &&
                  edge.to != loop.head;
         });
}

} // namespace

TurnCounter::TurnCounter(program::Program& program,
                         const Procedure& procedure,
                         const std::vector<Loop>& loops,
                         const Constants& parameters,
                         const Budget* budget)
    : program_(program), terms_(program.terms), procedure_(procedure),
      order_(reverse_postorder(procedure)), at_(procedure.locations.size()), watch_(budget) {
  for (const Loop& loop : loops) {
    back_edges_.insert(loop.back_edges.begin(), loop.back_edges.end());
    changed_[loop.head];
    if (!has_one_entry(procedure_, loop))
      passed_by_.insert(loop.head);
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
    if (computes_or_hints(edge.action))
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

program::Term TurnCounter::with(program::Term term, const Constants& values) {
  return terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) -> program::Term {
    if (number == program::kSelfVariable)
      return {};
    const auto value = values.find(LocalId{static_cast<std::size_t>(number)});
    if (value == values.end())
      return {};
    return sort.is_bool() ? terms_.boolean(value->second != 0)
                          : terms_.constant(value->second, sort.width);
  });
}

std::optional<std::uint64_t> TurnCounter::value_of(program::Term term, const Constants& values) {
  const program::Term known = with(term, values);
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
    // What it was also computed from matters: a branch on it orders what follows.
    const std::optional<std::uint64_t> value =
        one.also_from.empty() ? value_of(one.value, values) : std::nullopt;
    if (value) {
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
    is_known = computes_or_hints(action);
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
      // Who comes around may have come in elsewhere, with other values of what the loop leaves.
      if (passed_by_.contains(location))
        values->clear();
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
  std::size_t staying = 0;
  for (const std::uint32_t index : out) {
    const Edge& edge = procedure_.edges[index];
    pass.steps += computes_or_hints(edge.action) ? 1 : kWeight;
    const bool leaves = part != nullptr && !part->body[edge.to.index()];
    // An assumption that fails is no way that is not taken: the run ends in it, and who asks what
    // waits must see that (idle.cpp).
    if (const auto* assume = std::get_if<Assume>(&edge.action);
        assume != nullptr && assume->is_branch) {
      const std::optional<std::uint64_t> holds = value_of(assume->condition, values);
      if (holds && *holds == 0) {
        pass.closed.push_back(index);
        pass.is_decided = pass.is_decided || (leaves && !terms_.is_constant(assume->condition));
        continue;
      }
    }
    ++open;
    staying += leaves ? 0 : 1;
    if (program::Term address; part != nullptr && access_of(edge.action, address) != nullptr)
      pass.accesses.emplace_back(index, with(address, values));
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
  pass.is_straight = pass.is_straight && staying <= 1;
}

/// The head first.
std::vector<LocationId> TurnCounter::order_of(const Loop& loop) const {
  std::vector<LocationId> order{loop.head};
  for (const LocationId location : order_)
    if (loop.body[location.index()] && location != loop.head)
      order.push_back(location);
  return order;
}

/// The edge that a run takes from there; nothing if that depends on what is not known.
std::optional<std::uint32_t> TurnCounter::only_way(LocationId location, const Constants& values) {
  std::optional<std::uint32_t> way;
  for (const std::uint32_t index : procedure_.locations[location].out) {
    const Action& action = procedure_.edges[index].action;
    if (const auto* assume = std::get_if<Assume>(&action)) {
      const std::optional<std::uint64_t> holds = value_of(assume->condition, values);
      if (!holds)
        return std::nullopt;
      if (*holds == 0)
        continue;
    }
    if (way)
      return std::nullopt;
    way = index;
  }
  return way;
}

std::optional<KnownTurns::Result> TurnCounter::run_alone(const Loop& loop, Constants values) {
  LocationId at = loop.head;
  std::optional<Constants> at_head;
  for (std::size_t steps = 0; steps < kMostRunAlone; ++steps) {
    if (at == loop.head) {
      if (at_head == values)
        return std::nullopt; // it never ends
      at_head = values;
    }
    if (!loop.body[at.index()]) {
      const std::vector<LocalId>& changed = changed_.at(loop.head);
      std::erase_if(values, [&](const auto& one) {
        return std::ranges::find(changed, one.first) == changed.end();
      });
      return KnownTurns::Result{std::move(values), at};
    }
    const std::optional<std::uint32_t> way = only_way(at, values);
    if (!way)
      return std::nullopt;
    // Hints say nothing of a loop that ends, and an assumption that is taken holds.
    const Action& action = procedure_.edges[*way].action;
    if (!std::holds_alternative<program::Hint>(action) && !std::holds_alternative<Assume>(action) &&
        !compute(action, values))
      return std::nullopt;
    at = procedure_.edges[*way].to;
  }
  return std::nullopt;
}

std::optional<KnownTurns> TurnCounter::count(const Loop& loop, std::size_t most_edges) {
  const auto entry = at_entry_.find(loop.head);
  if (entry == at_entry_.end() || passed_by_.contains(loop.head))
    return std::nullopt;
  const std::vector<LocationId> order = order_of(loop);
  KnownTurns known;
  if (std::optional<KnownTurns::Result> result = run_alone(loop, entry->second)) {
    known.result = std::move(result);
    known.edges = 1;
    return known;
  }
  Constants values = entry->second;
  bool is_single = true;
  while (known.edges < (is_single ? kMostComputed : most_edges)) {
    if (watch_.is_used_up())
      return std::nullopt;
    Pass pass = follow(order, &loop, values);
    if (known.closed.empty() && !pass.is_decided && pass.back)
      return std::nullopt;
    is_single = is_single && pass.is_single;
    known.edges += std::max<std::size_t>(pass.steps, 1);
    known.closed.push_back(std::move(pass.closed));
    if (!pass.back) {
      if (is_single && pass.left) {
        known.result = std::move(pass.left);
        const std::vector<LocalId>& changed = changed_.at(loop.head);
        std::erase_if(known.result->values, [&](const auto& one) {
          return std::ranges::find(changed, one.first) == changed.end();
        });
        known.edges = 1;
      }
      return known.edges <= most_edges ? std::optional(std::move(known)) : std::nullopt;
    }
    if (*pass.back == values)
      return std::nullopt;
    values = std::move(*pass.back);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> TurnCounter::largest_object(const program::Access& access) const {
  if (!access.may.is_valid())
    return std::nullopt;
  std::uint64_t largest = 0;
  for (const program::ObjectId id : program_.object_sets[access.may]) {
    const program::Object& object = program_.objects[id];
    if (object.size == 0)
      return std::nullopt;
    largest = std::max(largest, object.size);
  }
  return largest;
}

std::optional<std::uint64_t> TurnCounter::last_turn_in_objects(const Loop& loop) {
  const auto entry = at_entry_.find(loop.head);
  if (entry == at_entry_.end() || passed_by_.contains(loop.head))
    return std::nullopt;
  const std::vector<LocationId> order = order_of(loop);
  const std::vector<LocalId>& changed = changed_.at(loop.head);
  const auto is_fixed = [&](program::Term term) {
    return std::ranges::none_of(terms_.variables(term), [&](std::uint64_t number) {
      return number != program::kSelfVariable &&
             std::ranges::find(changed, LocalId{static_cast<std::size_t>(number)}) != changed.end();
    });
  };
  std::map<std::uint32_t, program::LinearForm> first; // by edge: where it was in the first turn
  Constants values = entry->second;
  for (std::uint64_t turn = 0; turn <= kMostTurnsInObjects; ++turn) {
    if (watch_.is_used_up())
      return std::nullopt;
    const Pass pass = follow(order, &loop, values);
    if (!pass.is_straight || !pass.back || *pass.back == values)
      return std::nullopt;
    for (const auto& [index, address] : pass.accesses) {
      program::LinearForm form = program::linear_form(terms_, address);
      if (turn == 0) {
        if (is_fixed(address))
          first.emplace(index, std::move(form));
        continue;
      }
      const auto start = first.find(index);
      if (start == first.end())
        continue;
      program::Term unused;
      const auto size = largest_object(*access_of(procedure_.edges[index].action, unused));
      if (!size || !is_fixed(address) || form.variable_part() != start->second.variable_part()) {
        first.erase(start);
        continue;
      }
      // It was in an object in the first turn, so that it is not any more.
      const std::int64_t distance = form.offset() - start->second.offset();
      if (static_cast<std::uint64_t>(distance < 0 ? -distance : distance) >= *size)
        return turn;
    }
    if (first.empty())
      return std::nullopt;
    values = *pass.back;
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
