// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/dependencies.h"

#include <algorithm>
#include <iterator>

namespace heddle::check {

using program::LocationId;
using program::Term;
using program::ThreadIndex;

Reads together(const Reads& a, const Reads& b) {
  Reads all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

void Dependencies::start(ThreadIndex thread) {
  frames_[thread].assign(1, Frame{});
}

Reads Dependencies::of(ThreadIndex thread, Term term) const {
  Reads reads;
  const Frame& frame = frames_.at(thread).back();
  for (const std::uint64_t number : program_.terms.variables(term)) {
    if (number >= program::kSelfVariable)
      continue;
    const auto found = frame.locals.find(program::LocalId{static_cast<std::size_t>(number)});
    if (found != frame.locals.end())
      reads = together(reads, found->second);
  }
  return reads;
}

Reads Dependencies::control(ThreadIndex thread) const {
  Reads reads;
  for (const Frame& frame : frames_.at(thread))
    for (const Decided& decided : frame.decided)
      reads = together(reads, decided.reads);
  return reads;
}

void Dependencies::assign(ThreadIndex thread, program::LocalId local, Reads reads) {
  frames_.at(thread).back().locals[local] = std::move(reads);
}

/// The nearest location that all ways from the branch to the end pass; none if that is only the
/// end.
LocationId Dependencies::meeting_point(program::ProcedureId id, LocationId branch) {
  const program::Procedure& procedure = program_.procedures[id];
  const std::size_t count = procedure.locations.size();
  auto [entry, is_new] = passed_.try_emplace(id);
  std::vector<std::vector<bool>>& passed = entry->second;
  if (is_new) {
    // The largest solution of passed(l) = {l} ∪ ⋂ passed(successors).
    passed.assign(count, std::vector<bool>(count, true));
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t at = count; at-- > 0;) {
        const std::vector<std::uint32_t>& out = procedure.locations[LocationId{at}].out;
        std::vector<bool> now(count, !out.empty());
        for (const std::uint32_t index : out)
          for (std::size_t i = 0; i < count; ++i)
            now[i] = now[i] && passed[procedure.edges[index].to.index()][i];
        now[at] = true;
        if (now != passed[at]) {
          passed[at] = std::move(now);
          changes = true;
        }
      }
    }
  }
  const auto size_of = [&](std::size_t at) {
    return std::count(passed[at].begin(), passed[at].end(), true);
  };
  LocationId nearest;
  for (std::size_t i = 0; i < count; ++i)
    if (i != branch.index() && passed[branch.index()][i] &&
        !procedure.locations[LocationId{i}].out.empty() &&
        (!nearest.is_valid() || size_of(i) > size_of(nearest.index())))
      nearest = LocationId{i};
  return nearest;
}

Reads Dependencies::of_branch(ThreadIndex thread, const program::State& state) const {
  const program::ThreadState& self = state.threads[thread];
  const program::Procedure& procedure = program_.procedures[self.procedure(0)];
  Reads reads;
  for (const std::uint32_t index : procedure.locations[self.location(0)].out)
    if (const auto* assume = std::get_if<program::Assume>(&procedure.edges[index].action))
      reads = together(reads, of(thread, assume->condition));
  return reads;
}

void Dependencies::branch(ThreadIndex thread, const program::State& state) {
  Reads reads = of_branch(thread, state);
  if (reads.empty())
    return;
  const program::ThreadState& self = state.threads[thread];
  const LocationId until =
      control_ends_at_join_ ? meeting_point(self.procedure(0), self.location(0)) : LocationId{};
  frames_.at(thread).back().decided.push_back({std::move(reads), until});
}

void Dependencies::before(ThreadIndex thread,
                          const program::State& state,
                          const program::Request& request) {
  if (request.edge == nullptr)
    return;
  std::vector<Frame>& frames = frames_.at(thread);
  const program::ThreadState& self = state.threads[thread];
  const program::Action& action = request.edge->action;
  const auto assign_one = [&](const program::Assign& one) {
    Reads reads = of(thread, one.value);
    for (const program::LocalId more : one.also_from)
      if (const auto found = frames.back().locals.find(more); found != frames.back().locals.end())
        reads = together(reads, found->second);
    frames.back().locals[one.dest] = std::move(reads);
  };
  const auto bytes = [&](std::uint64_t address, unsigned size) {
    Reads reads;
    for (unsigned i = 0; i < size; ++i)
      if (const auto found = private_bytes_.find(address + i); found != private_bytes_.end())
        reads = together(reads, found->second);
    return reads;
  };
  const auto keep = [&](std::uint64_t address, unsigned size, const Reads& reads) {
    for (unsigned i = 0; i < size; ++i)
      private_bytes_[address + i] = reads;
  };
  if (const auto* one = std::get_if<program::Assign>(&action)) {
    assign_one(*one);
  } else if (const auto* sequence = std::get_if<program::AssignSequence>(&action)) {
    for (const program::Assign& part : sequence->assignments)
      assign_one(part);
  } else if (const auto* assume = std::get_if<program::Assume>(&action);
             assume != nullptr && assume->is_branch) {
    branch(thread, state);
  } else if (const auto* load = std::get_if<program::Load>(&action)) {
    frames.back().locals[load->dest] = bytes(request.address, request.size);
  } else if (const auto* store = std::get_if<program::Store>(&action)) {
    keep(request.address, request.size, of(thread, store->value));
  } else if (const auto* update = std::get_if<program::ReadModifyWrite>(&action)) {
    frames.back().locals[update->dest] = bytes(request.address, request.size);
  } else if (const auto* exchange = std::get_if<program::CompareExchange>(&action)) {
    frames.back().locals[exchange->dest] = bytes(request.address, request.size);
    frames.back().locals[exchange->success] = bytes(request.address, request.size);
  } else if (const auto* nondet = std::get_if<program::Nondet>(&action)) {
    frames.back().locals.erase(nondet->dest);
  } else if (const auto* allocate = std::get_if<program::Allocate>(&action)) {
    frames.back().locals.erase(allocate->dest);
  } else if (const auto* call = std::get_if<program::Call>(&action)) {
    if (call->targets.empty())
      return;
    Frame inner;
    const program::Procedure& callee = program_.procedures[call->targets.front()];
    for (std::size_t i = 0; i < callee.parameters.size() && i < call->arguments.size(); ++i)
      inner.locals[callee.parameters[i]] = of(thread, call->arguments[i]);
    frames.push_back(std::move(inner));
  } else if (const auto* back = std::get_if<program::Return>(&action);
             back != nullptr && frames.size() > 1) {
    const Reads result = back->value ? of(thread, *back->value) : Reads{};
    frames.pop_back();
    const program::Procedure& caller = program_.procedures[self.procedure(1)];
    for (const std::uint32_t index : caller.locations[self.location(1)].out)
      if (const auto* from = std::get_if<program::Call>(&caller.edges[index].action);
          from != nullptr && from->dest)
        frames.back().locals[*from->dest] = result;
  }
}

void Dependencies::arrive(ThreadIndex thread, const program::State& state) {
  if (!state.threads[thread].is_live() || state.threads[thread].frame_count() == 0)
    return;
  const LocationId at = state.threads[thread].location(0);
  std::erase_if(frames_.at(thread).back().decided,
                [&](const Decided& one) { return one.until == at; });
}

} // namespace heddle::check
