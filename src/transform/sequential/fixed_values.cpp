// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/fixed_values.h"

#include "support/overloaded.h"

#include <utility>

namespace heddle::transform {

using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::Term;

namespace {

/// Locals that the action gives values to.
std::vector<LocalId> written_by(const program::Action& action) {
  std::vector<LocalId> result;
  std::visit(Overloaded{
                 [&](const program::Assign& a) { result = {a.dest}; },
                 [&](const program::AssignSequence& a) {
                   for (const program::Assign& one : a.assignments)
                     result.push_back(one.dest);
                 },
                 [&](const program::Nondet& a) { result = {a.dest}; },
                 [&](const program::Load& a) {
                   result = {a.dest};
                   if (a.marks)
                     result.push_back(*a.marks);
                 },
                 [&](const program::LoadExclusive& a) { result = {a.dest}; },
                 [&](const program::StoreExclusive& a) { result = {a.success}; },
                 [&](const program::ReadModifyWrite& a) { result = {a.dest}; },
                 [&](const program::CompareExchange& a) { result = {a.dest, a.success}; },
                 [&](const program::Allocate& a) { result = {a.dest}; },
                 [&](const program::BlockSize& a) { result = {a.dest}; },
                 [&](const program::Call& a) {
                   if (a.dest)
                     result = {*a.dest};
                 },
                 [&](const program::Synchronize& a) {
                   if (a.dest)
                     result = {*a.dest};
                 },
                 [](const auto&) {},
             },
             action);
  return result;
}

} // namespace

FixedValues::FixedValues(const program::Program& source,
                         program::ProcedureId id,
                         std::uint32_t thread,
                         LocalMap locals,
                         Copies copies,
                         logic::TermStore& terms)
    : procedure_(source.procedures[id]), pointer_bits_(source.pointer_bits()),
      locals_(std::move(locals)), copies_(std::move(copies)), terms_(terms),
      self_(terms.constant(thread, 64)), at_(procedure_.locations.size()) {
  const Procedure& procedure = procedure_;
  std::vector<std::size_t> incoming(procedure.locations.size(), 0);
  std::vector<LocationId> pending{procedure.entry};
  std::vector<bool> is_reached(procedure.locations.size(), false);
  is_reached[procedure.entry.index()] = true;
  const auto for_each_successor = [&](LocationId at, auto&& visit) {
    for (const std::uint32_t edge : procedure.locations[at].out)
      visit(edge, procedure.edges[edge].to);
  };
  while (!pending.empty()) {
    const LocationId at = pending.back();
    pending.pop_back();
    for_each_successor(at, [&](std::uint32_t, LocationId to) {
      ++incoming[to.index()];
      if (!is_reached[to.index()]) {
        is_reached[to.index()] = true;
        pending.push_back(to);
      }
    });
  }
  at_[procedure.entry.index()] = std::make_shared<const Values>();
  pending.push_back(procedure.entry);
  while (!pending.empty()) {
    const LocationId at = pending.back();
    pending.pop_back();
    for_each_successor(at, [&](std::uint32_t edge, LocationId to) {
      if (may_happen(edge))
        meet(at_[to.index()], after(edge));
      if (--incoming[to.index()] == 0)
        pending.push_back(to);
    });
  }
}

/// What all ways agree on.
void FixedValues::meet(std::shared_ptr<const Values>& known, Values values) {
  if (known)
    std::erase_if(values, [&](const auto& entry) {
      const auto other = known->find(entry.first);
      return other == known->end() || other->second != entry.second;
    });
  known = std::make_shared<const Values>(std::move(values));
}

bool FixedValues::may_happen(std::uint32_t edge) const {
  const auto& [from, to, action, loc] = procedure_.edges[edge];
  const std::shared_ptr<const Values>& known = at_[from.index()];
  if (!known)
    return false;
  const auto* assume = std::get_if<program::Assume>(&action);
  return assume == nullptr || renamed(assume->condition, *known) != terms_.boolean(false);
}

FixedValues::Values FixedValues::after(std::uint32_t edge) const {
  const auto& [from, to, action, loc] = procedure_.edges[edge];
  Values values = *at_[from.index()];
  if (const auto* one = std::get_if<program::Assign>(&action)) {
    assign(*one, values);
  } else if (const auto* more = std::get_if<program::AssignSequence>(&action)) {
    for (const program::Assign& one_of_them : more->assignments)
      assign(one_of_them, values);
  } else {
    for (const LocalId local : written_by(action))
      values.erase(local);
  }
  if (const auto renewed = copies_.renewed.find(edge); renewed != copies_.renewed.end())
    std::erase_if(values, [&](const auto& entry) {
      const logic::Node& node = terms_.node(entry.second);
      return node.op == logic::Op::kVariable && node.value == renewed->second.value;
    });
  if (const auto taken = copies_.taken.find(edge); taken != copies_.taken.end()) {
    const LocalId dest = std::get<program::Load>(action).dest;
    values[dest] = terms_.variable(taken->second.value, logic::Sort{procedure_.locals[dest].width});
  }
  return values;
}

void FixedValues::assign(const program::Assign& assign, Values& values) const {
  const Term value = renamed(assign.value, values);
  if (terms_.is_constant(value))
    values[assign.dest] = value;
  else
    values.erase(assign.dest);
}

Term FixedValues::renamed(Term term, const Values& values) const {
  return terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) {
    if (number == program::kSelfVariable)
      return self_;
    const LocalId local{static_cast<std::size_t>(number)};
    if (const auto known = values.find(local); known != values.end())
      return known->second;
    return terms_.variable(locals_[local].value, sort);
  });
}

program::Action FixedValues::action(std::uint32_t edge) const {
  const auto& [from, to, source, loc] = procedure_.edges[edge];
  program::Action result = rename_locals(source, locals_, terms_, self_);
  if (!at_[from.index()])
    return result; // nothing comes here
  Values values = *at_[from.index()];
  if (auto* sequence = std::get_if<program::AssignSequence>(&result)) {
    const auto& assignments = std::get<program::AssignSequence>(source).assignments;
    for (std::size_t i = 0; i < assignments.size(); ++i) {
      sequence->assignments[i].value = renamed(assignments[i].value, values);
      assign(assignments[i], values);
    }
    return result;
  }
  std::vector<Term> terms;
  program::Action copy = source;
  for_each_term(copy, [&](Term& term) { terms.push_back(term); });
  std::size_t next = 0;
  for_each_term(result, [&](Term& term) {
    const Term value = renamed(terms[next++], values);
    // The check of a pointer's steps and its use must stay about the same sum.
    if (terms_.sort(term).width < pointer_bits_ || terms_.is_constant(value))
      term = value;
  });
  return result;
}

} // namespace heddle::transform
