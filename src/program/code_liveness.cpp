// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "program/code_liveness.h"

#include "support/overloaded.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace heddle::program {

LocalUse local_use(const logic::TermStore& terms, const Action& action) {
  LocalUse use;
  const auto reads = [&](Term term) {
    for (const std::uint64_t number : terms.variables(term))
      if (number != kSelfVariable)
        use.reads.push_back(static_cast<std::uint32_t>(number));
  };
  const auto writes = [&](LocalId local) { use.writes.push_back(local.value); };
  std::visit(Overloaded{
                 [&](const Skip&) {},
                 [&](const Assign& assign) {
                   reads(assign.value);
                   writes(assign.dest);
                 },
                 [&](const AssignSequence& sequence) {
                   // A local assigned before it is read in the sequence counts as read: harmless,
                   // since the set only grows.
                   for (const Assign& assign : sequence.assignments) {
                     reads(assign.value);
                     writes(assign.dest);
                   }
                 },
                 [&](const Nondet& nondet) { writes(nondet.dest); },
                 [&](const Assume& assume) { reads(assume.condition); },
                 [&](const Check& check) { reads(check.condition); },
                 [&](const CheckNeighbourhood& check) {
                   reads(check.base);
                   reads(check.result);
                 },
                 [&](const Load& load) {
                   reads(load.address);
                   writes(load.dest);
                   if (load.marks)
                     writes(*load.marks);
                 },
                 [&](const Store& store) {
                   reads(store.address);
                   reads(store.value);
                   if (store.marks)
                     reads(*store.marks);
                 },
                 [&](const LoadExclusive& load) {
                   reads(load.address);
                   writes(load.dest);
                 },
                 [&](const StoreExclusive& store) {
                   reads(store.address);
                   reads(store.value);
                   writes(store.success);
                 },
                 [&](const ReadModifyWrite& rmw) {
                   reads(rmw.address);
                   reads(rmw.value);
                   if (rmw.dest.is_valid())
                     writes(rmw.dest);
                 },
                 [&](const CompareExchange& exchange) {
                   reads(exchange.address);
                   reads(exchange.expected);
                   reads(exchange.desired);
                   if (exchange.dest.is_valid())
                     writes(exchange.dest);
                   if (exchange.success.is_valid())
                     writes(exchange.success);
                 },
                 [&](const Fence&) {},
                 [&](const Allocate& allocate) {
                   reads(allocate.size);
                   writes(allocate.dest);
                 },
                 [&](const Free& free) { reads(free.address); },
                 [&](const BlockSize& size) {
                   reads(size.address);
                   writes(size.dest);
                 },
                 [&](const Call& call) {
                   if (call.function)
                     reads(*call.function);
                   for (const Term argument : call.arguments)
                     reads(argument);
                   if (call.dest)
                     writes(*call.dest);
                 },
                 [&](const Return& give) {
                   if (give.value)
                     reads(*give.value);
                 },
                 [&](const Synchronize& sync) {
                   for (const Term operand : sync.operands)
                     reads(operand);
                   if (sync.dest)
                     writes(*sync.dest);
                 },
                 [&](const AtomicBegin&) {},
                 [&](const AtomicEnd&) {},
                 [&](const Hint&) {}, // hints are not evaluated
                 [&](const ThreadExit& leave) {
                   if (leave.value)
                     reads(*leave.value);
                 },
                 [&](const Exit&) {},
                 [&](const Cut&) {},
                 [&](const Trap&) {},
             },
             action);
  return use;
}

LiveLocals live_locals_by_word(const Program& program, const Procedure& procedure) {
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
    for (const std::uint32_t local : uses[index].writes)
      before[local / kBits] &= ~(std::uint64_t{1} << (local % kBits));
    for (const std::uint32_t local : uses[index].reads)
      before[local / kBits] |= std::uint64_t{1} << (local % kBits);
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

std::vector<std::vector<bool>> live_locals(const Program& program, const Procedure& procedure) {
  const LiveLocals found = live_locals_by_word(program, procedure);
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
