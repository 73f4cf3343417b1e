// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "program/analyse/liveness.h"

#include "program/model/action_terms.h"
#include "support/overloaded.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>

namespace heddle::program {

LocalUse local_use(const logic::TermStore& terms, const Action& action) {
  LocalUse use;
  // A local assigned before it is read in a sequence counts as read: harmless, since the set only
  // grows.
  for (const Term term : terms_of(action))
    for (const std::uint64_t number : terms.variables(term))
      if (number != kSelfVariable)
        use.reads.push_back(static_cast<std::uint32_t>(number));
  const auto writes = [&](LocalId local) {
    if (local.is_valid())
      use.writes.push_back(local.value);
  };
  const auto writes_optional = [&](const std::optional<LocalId>& local) {
    if (local)
      writes(*local);
  };
  std::visit(Overloaded{
                 [](const auto&) {},
                 [&](const Assign& assign) { writes(assign.dest); },
                 [&](const AssignSequence& sequence) {
                   for (const Assign& assign : sequence.assignments)
                     writes(assign.dest);
                 },
                 [&](const Nondet& nondet) { writes(nondet.dest); },
                 [&](const Load& load) {
                   writes(load.dest);
                   writes_optional(load.marks);
                 },
                 [&](const LoadExclusive& load) { writes(load.dest); },
                 [&](const StoreExclusive& store) { writes(store.success); },
                 [&](const ReadModifyWrite& modify) { writes(modify.dest); },
                 [&](const CompareExchange& exchange) {
                   writes(exchange.dest);
                   writes(exchange.success);
                 },
                 [&](const Allocate& allocate) { writes(allocate.dest); },
                 [&](const BlockSize& size) { writes(size.dest); },
                 [&](const Call& call) { writes_optional(call.dest); },
                 [&](const Synchronize& sync) { writes_optional(sync.dest); },
             },
             action);
  return use;
}

namespace {

/// Takes the set from behind the assignment to before it.
void step_back(const logic::TermStore& terms, const Assign& assign, std::span<std::uint64_t> set) {
  constexpr std::size_t kBits = LiveLocals::kBits;
  const std::uint32_t dest = assign.dest.value;
  const std::uint64_t bit = std::uint64_t{1} << (dest % kBits);
  if ((set[dest / kBits] & bit) == 0)
    return;
  set[dest / kBits] &= ~bit;
  const auto read = [&](std::uint64_t local) {
    set[local / kBits] |= std::uint64_t{1} << (local % kBits);
  };
  for (const std::uint64_t local : terms.variables(assign.value))
    if (local != kSelfVariable)
      read(local);
  for (const LocalId local : assign.also_from)
    read(local.value);
}

} // namespace

LiveLocals
live_locals_by_word(const Program& program, const Procedure& procedure, Liveness liveness) {
  std::vector<LocalUse> uses;
  uses.reserve(procedure.edges.size());
  for (const Edge& edge : procedure.edges)
    uses.push_back(local_use(program.terms, edge.action));
  // Sets of locals as words, one behind the other: unrolled procedures have tens of thousands of
  // locations.
  constexpr std::size_t kBits = LiveLocals::kBits;
  const std::size_t words = (procedure.locals.size() + kBits - 1) / kBits;
  std::vector<std::uint64_t> sets(procedure.locations.size() * words, 0);
  std::vector<std::uint64_t> before(words);
  std::vector<std::vector<std::uint32_t>> in(procedure.locations.size()); // edges into a location
  for (std::uint32_t i = 0; i < procedure.edges.size(); ++i)
    if (procedure.edges[i].to.is_valid())
      in[procedure.edges[i].to.index()].push_back(i);
  std::vector<std::uint32_t> pending;
  for (std::uint32_t i = 0; i < procedure.edges.size(); ++i)
    pending.push_back(i);
  std::vector<bool> is_pending(procedure.edges.size(), true);
  while (!pending.empty()) {
    const std::uint32_t index = pending.back();
    pending.pop_back();
    is_pending[index] = false;
    const Edge& edge = procedure.edges[index];
    if (edge.to.is_valid())
      std::copy_n(sets.begin() + static_cast<std::ptrdiff_t>(edge.to.index() * words),
                  words,
                  before.begin());
    else
      std::ranges::fill(before, 0);
    const auto* const assign = std::get_if<Assign>(&edge.action);
    const auto* const sequence = std::get_if<AssignSequence>(&edge.action);
    if (liveness == Liveness::kStrong && assign != nullptr) {
      step_back(program.terms, *assign, before);
    } else if (liveness == Liveness::kStrong && sequence != nullptr) {
      for (std::size_t i = sequence->assignments.size(); i-- > 0;)
        step_back(program.terms, sequence->assignments[i], before);
    } else {
      for (const std::uint32_t local : uses[index].writes)
        before[local / kBits] &= ~(std::uint64_t{1} << (local % kBits));
      for (const std::uint32_t local : uses[index].reads)
        before[local / kBits] |= std::uint64_t{1} << (local % kBits);
    }
    std::uint64_t* const now = sets.data() + edge.from.index() * words;
    bool is_changed = false;
    for (std::size_t word = 0; word < words; ++word) {
      is_changed = is_changed || (before[word] & ~now[word]) != 0;
      now[word] |= before[word];
    }
    if (!is_changed)
      continue;
    for (const std::uint32_t previous : in[edge.from.index()])
      if (!is_pending[previous]) {
        is_pending[previous] = true;
        pending.push_back(previous);
      }
  }
  return {words, std::move(sets)};
}

std::vector<std::vector<bool>>
live_locals(const Program& program, const Procedure& procedure, Liveness liveness) {
  const LiveLocals found = live_locals_by_word(program, procedure, liveness);
  std::vector<std::vector<bool>> live(procedure.locations.size(),
                                      std::vector<bool>(procedure.locals.size(), false));
  for (std::size_t location = 0; location < live.size(); ++location)
    for (std::size_t word = 0; word < found.words; ++word)
      for (std::uint64_t left = found.rows[location * found.words + word]; left != 0;
           left &= left - 1)
        live[location]
            [word * LiveLocals::kBits + static_cast<std::size_t>(std::countr_zero(left))] = true;
  return live;
}

} // namespace heddle::program
