// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/execution/dependencies.h"

#include <algorithm>
#include <iterator>

namespace heddle::check {

using program::LocationId;
using program::Term;
using program::ThreadIndex;

namespace {

constexpr std::uint64_t kFirstSymbol = 1ULL << 40U;
/// What takes more steps is a symbol again, so that terms do not grow for ever.
constexpr unsigned kDeepest = 64;
constexpr unsigned kMostBytes = 8; // of an access

} // namespace

Reads together(const Reads& a, const Reads& b) {
  Reads all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

Origins together(const Origins& a, const Origins& b) {
  return {together(a.from, b.from), together(a.chosen, b.chosen)};
}

void Dependencies::start(ThreadIndex thread) {
  threads_[thread] = Thread{};
  threads_[thread].frames.resize(1);
}

Term Dependencies::symbol(const Origins& origins, logic::Sort sort) {
  symbols_.push_back(origins);
  return terms_.variable(kFirstSymbol + symbols_.size() - 1, sort);
}

Dependencies::Known Dependencies::known(ThreadIndex thread, Term term) {
  Frame& frame = threads_.at(thread).frames.back();
  Known result;
  result.term = terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) -> Term {
    if (number >= program::kSelfVariable)
      return {};
    Known& local = frame.locals[program::LocalId{static_cast<std::size_t>(number)}];
    if (!local.term.is_valid() || terms_.sort(local.term) != sort) {
      local.term = symbol(local.origins, sort);
      local.depth = 0;
    }
    result.depth = std::max(result.depth, local.depth + 1);
    return local.term;
  });
  for (const std::uint64_t number : terms_.variables(result.term))
    if (number >= kFirstSymbol)
      result.origins = together(result.origins, symbols_[number - kFirstSymbol]);
  if (result.depth > kDeepest) {
    result.term = symbol(result.origins, terms_.sort(result.term));
    result.depth = 0;
  }
  return result;
}

Origins Dependencies::of(ThreadIndex thread, Term term) {
  return known(thread, term).origins;
}

Reads Dependencies::control(ThreadIndex thread) const {
  Reads reads = threads_.at(thread).lasting;
  for (const Frame& frame : threads_.at(thread).frames)
    for (const Decided& decided : frame.decided)
      reads = together(reads, decided.reads);
  return reads;
}

void Dependencies::assign(ThreadIndex thread, program::LocalId local, Origins origins) {
  threads_.at(thread).frames.back().locals[local] = {std::move(origins)};
}

void Dependencies::forget_value(ThreadIndex thread, program::LocalId local) {
  threads_.at(thread).frames.back().locals[local].term = {};
}

Reads Dependencies::chosen_at(ThreadIndex thread, std::uint64_t address, unsigned size) const {
  Reads reads;
  const std::map<std::uint64_t, Reads>& chosen = threads_.at(thread).chosen_bytes;
  for (unsigned i = 0; i < size; ++i)
    if (const auto found = chosen.find(address + i); found != chosen.end())
      reads = together(reads, found->second);
  return reads;
}

void Dependencies::write(ThreadIndex thread,
                         std::uint64_t address,
                         unsigned size,
                         const Reads& chosen) {
  if (merges_ == Merges::kNothing)
    return;
  Thread& self = threads_.at(thread);
  Reads reads = chosen;
  for (const Frame& frame : self.frames)
    for (const Decided& decided : frame.decided)
      reads = together(reads, decided.reads);
  for (unsigned i = 0; i < size; ++i)
    self.chosen_bytes[address + i] = reads;
}

Dependencies::Known Dependencies::bytes(std::uint64_t address, unsigned size) const {
  if (const auto found = stored_.find(address);
      found != stored_.end() && found->second.size == size)
    return found->second.known;
  Known known;
  for (unsigned i = 0; i < size; ++i)
    if (const auto found = private_bytes_.find(address + i); found != private_bytes_.end())
      known.origins = together(known.origins, found->second);
  return known;
}

void Dependencies::forget_stored(std::uint64_t address, unsigned size) {
  auto at = stored_.lower_bound(address < kMostBytes ? 0 : address - kMostBytes + 1);
  while (at != stored_.end() && at->first < address + size)
    at = at->first + at->second.size > address ? stored_.erase(at) : std::next(at);
}

void Dependencies::keep(std::uint64_t address, unsigned size, const Known& known) {
  for (unsigned i = 0; i < size; ++i)
    private_bytes_[address + i] = known.origins;
  forget_stored(address, size);
  stored_[address] = {size, known};
}

/// The nearest location that all ways from the branch to the end pass; none if that is only the
/// end.
LocationId Dependencies::meeting_point(program::ProcedureId id, LocationId branch) {
  const program::Procedure& procedure = program_.procedures[id];
  const std::size_t count = procedure.locations.size();
  auto [entry, is_new] = passed_.try_emplace(id);
  std::vector<std::vector<bool>>& passed = entry->second;
  if (is_new) {
    // Where no way leads to an end, ways meet at the latest where a loop begins again.
    std::vector<bool> ends(count, false);
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t at = count; at-- > 0;) {
        const std::vector<std::uint32_t>& out = procedure.locations[LocationId{at}].out;
        if (!ends[at] && (out.empty() || std::any_of(out.begin(), out.end(), [&](auto index) {
                            return ends[procedure.edges[index].to.index()];
                          }))) {
          ends[at] = true;
          changes = true;
        }
      }
    }
    // The largest solution of passed(l) = {l} ∪ ⋂ passed(successors).
    passed.assign(count, std::vector<bool>(count, true));
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t at = count; at-- > 0;) {
        const std::vector<std::uint32_t>& out = procedure.locations[LocationId{at}].out;
        std::vector<bool> now(count, !out.empty());
        for (const std::uint32_t index : out) {
          const std::size_t to = procedure.edges[index].to.index();
          const bool begins_again = !ends[at] && procedure.locations[LocationId{to}].is_loop_head;
          for (std::size_t i = 0; i < count; ++i)
            now[i] = now[i] && (begins_again ? i == to : passed[to][i]);
        }
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

Reads Dependencies::of_branch(ThreadIndex thread, const program::State& state) {
  const program::ThreadState& self = state.threads[thread];
  const program::Procedure& procedure = program_.procedures[self.procedure(0)];
  Reads reads;
  for (const std::uint32_t index : procedure.locations[self.location(0)].out)
    if (const auto* assume = std::get_if<program::Assume>(&procedure.edges[index].action)) {
      const Origins origins = of(thread, assume->condition);
      reads = together(reads, together(origins.from, origins.chosen));
    }
  return reads;
}

void Dependencies::branch(ThreadIndex thread,
                          const program::State& state,
                          const program::Edge& taken) {
  Reads reads = of_branch(thread, state);
  if (reads.empty())
    return;
  Thread& one = threads_.at(thread);
  const program::ThreadState& self = state.threads[thread];
  const program::Procedure& procedure = program_.procedures[self.procedure(0)];
  const std::vector<std::uint32_t>& out = procedure.locations[self.location(0)].out;
  const bool lasts = std::any_of(out.begin(), out.end(), [&](std::uint32_t index) {
    const auto* assume = std::get_if<program::Assume>(&procedure.edges[index].action);
    return assume != nullptr && assume->lasts;
  });
  if (merges_ != Merges::kNothing && lasts) {
    one.lasting = together(one.lasting, reads);
    return;
  }
  const LocationId until =
      control_ends_at_join_ ? meeting_point(self.procedure(0), self.location(0)) : LocationId{};
  Decided decided{std::move(reads), until};
  if (merges_ != Merges::kNothing)
    decided.others = other_ways(interpreter_, state, thread, taken, until);
  one.frames.back().decided.push_back(std::move(decided));
}

/// The arms of the branch have met: what would be different now was chosen by it.
void Dependencies::choose(ThreadIndex thread, const program::State& state, const Decided& decided) {
  Thread& one = threads_.at(thread);
  const program::ThreadState& self = state.threads[thread];
  const auto add = [&](Origins& origins) {
    origins.chosen = together(origins.chosen, decided.reads);
  };
  const auto choose_local = [&](program::LocalId local) {
    Known& known = one.frames.back().locals[local];
    add(known.origins);
    known.term = {}; // not what this way has computed, but one of both
  };
  for (const OtherWay& way : decided.others) {
    for (std::size_t i = 0; i < way.locals.size() && !way.has_returned; ++i)
      if (const program::LocalId local{i}; self.local(0, local) != way.locals[local])
        choose_local(local);
    for (const auto& [address, value] : way.written)
      if (interpreter_.read(state.memory, address, 1) != value) {
        add(private_bytes_[address]);
        forget_stored(address, 1);
      }
    for (const std::uint64_t address : way.visible)
      one.chosen_bytes[address] = together(one.chosen_bytes[address], decided.reads);
  }
}

void Dependencies::before(ThreadIndex thread,
                          const program::State& state,
                          const program::Request& request) {
  if (request.edge == nullptr)
    return;
  std::vector<Frame>& frames = threads_.at(thread).frames;
  const program::ThreadState& self = state.threads[thread];
  const program::Action& action = request.edge->action;
  const auto assign_one = [&](const program::Assign& one) {
    Known value = known(thread, one.value);
    for (const program::LocalId more : one.also_from)
      if (const auto found = frames.back().locals.find(more); found != frames.back().locals.end())
        value = {together(value.origins, found->second.origins)};
    frames.back().locals[one.dest] = std::move(value);
  };
  if (const auto* one = std::get_if<program::Assign>(&action)) {
    assign_one(*one);
  } else if (const auto* sequence = std::get_if<program::AssignSequence>(&action)) {
    for (const program::Assign& part : sequence->assignments)
      assign_one(part);
  } else if (const auto* assume = std::get_if<program::Assume>(&action)) {
    if (assume->is_branch) {
      branch(thread, state, *request.edge);
    } else if (assume->lasts && merges_ != Merges::kNothing) {
      const Origins origins = of(thread, assume->condition);
      Reads& lasting = threads_.at(thread).lasting;
      lasting = together(lasting, together(origins.from, origins.chosen));
    }
  } else if (const auto* load = std::get_if<program::Load>(&action)) {
    frames.back().locals[load->dest] = bytes(request.address, request.size);
    if (load->marks)
      frames.back().locals.erase(*load->marks);
  } else if (const auto* size = std::get_if<program::BlockSize>(&action)) {
    frames.back().locals.erase(size->dest);
  } else if (const auto* store = std::get_if<program::Store>(&action)) {
    keep(request.address, request.size, known(thread, store->value));
  } else if (const auto* update = std::get_if<program::ReadModifyWrite>(&action)) {
    const Known old = bytes(request.address, request.size);
    const Known operand = known(thread, update->value);
    keep(request.address,
         request.size,
         update->op == program::RmwOp::kExchange ? operand
                                                 : Known{together(old.origins, operand.origins)});
    frames.back().locals[update->dest] = old;
  } else if (const auto* exchange = std::get_if<program::CompareExchange>(&action)) {
    const Known old = bytes(request.address, request.size);
    const bool succeeds =
        interpreter_.read(state.memory, request.address, request.size) == request.expected;
    if (succeeds)
      keep(request.address, request.size, {together(old.origins, of(thread, exchange->desired))});
    frames.back().locals[exchange->dest] = old;
    frames.back().locals[exchange->success] = {old.origins};
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
      inner.locals[callee.parameters[i]] = known(thread, call->arguments[i]);
    frames.push_back(std::move(inner));
  } else if (const auto* back = std::get_if<program::Return>(&action);
             back != nullptr && frames.size() > 1) {
    Known result = back->value ? known(thread, *back->value) : Known{};
    // The arms of what has not met yet meet here.
    for (const Decided& decided : frames.back().decided) {
      if (!decided.until.is_valid())
        choose(thread, state, decided);
      for (const OtherWay& way : decided.others)
        if (back->value && way.has_returned && way.returned != returned_value(thread, state, *back))
          result = {{result.origins.from, together(result.origins.chosen, decided.reads)}};
    }
    frames.pop_back();
    const program::Procedure& caller = program_.procedures[self.procedure(1)];
    for (const std::uint32_t index : caller.locations[self.location(1)].out)
      if (const auto* from = std::get_if<program::Call>(&caller.edges[index].action);
          from != nullptr && from->dest)
        frames.back().locals[*from->dest] = result;
  }
}

std::uint64_t Dependencies::returned_value(ThreadIndex thread,
                                           const program::State& state,
                                           const program::Return& action) const {
  return program_.terms.evaluate(*action.value, [&](std::uint64_t number) -> std::uint64_t {
    return number == program::kSelfVariable
               ? thread
               : state.threads[thread].local(0, program::LocalId{static_cast<std::size_t>(number)});
  });
}

void Dependencies::arrive(ThreadIndex thread, const program::State& state) {
  if (!state.threads[thread].is_live() || state.threads[thread].frame_count() == 0)
    return;
  const LocationId at = state.threads[thread].location(0);
  std::vector<Decided>& decided = threads_.at(thread).frames.back().decided;
  for (const Decided& one : decided)
    if (one.until == at)
      choose(thread, state, one);
  std::erase_if(decided, [&](const Decided& one) { return one.until == at; });
}

} // namespace heddle::check
