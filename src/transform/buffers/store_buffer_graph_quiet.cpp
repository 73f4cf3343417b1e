// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/buffers/store_buffer_graph_quiet.h"

#include "logic/range.h"
#include "program/model/sync_kinds.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace heddle::transform {

using logic::Op;
using namespace program; // NOLINT: most of the family of actions is spelled out below

namespace {

/// More objects than a term should compare an address with.
constexpr std::size_t kMostCompared = 16;

void add(const Program& program, ObjectSetId may, ObjectBits& bits) {
  if (!may.is_valid())
    return bits.add_all();
  for (const ObjectId object : program.object_sets[may])
    bits.add(object);
}

ObjectBits written_by(const Program& program, const Procedure& procedure) {
  ObjectBits bits;
  for (const Edge& edge : procedure.edges) {
    if (const auto* store = std::get_if<Store>(&edge.action))
      add(program, store->access.may, bits);
    else if (const auto* modify = std::get_if<ReadModifyWrite>(&edge.action))
      add(program, modify->access.may, bits);
    else if (const auto* exchange = std::get_if<CompareExchange>(&edge.action))
      add(program, exchange->access.may, bits);
    else if (const auto* exclusive = std::get_if<StoreExclusive>(&edge.action))
      add(program, exclusive->access.may, bits);
    else if (const auto* free = std::get_if<Free>(&edge.action))
      add(program, free->may, bits);
    else if (const auto* sync = std::get_if<Synchronize>(&edge.action)) {
      if (!is_thread_operation(sync->op))
        add(program, sync->may, bits);
    } else if (std::holds_alternative<Call>(edge.action))
      bits.add_all();
  }
  return bits;
}

/// Can the edge be taken twice by one thread?
bool is_on_cycle(const Procedure& procedure, const Edge& edge) {
  std::vector<LocationId> open = {edge.to};
  std::set<LocationId> seen;
  while (!open.empty()) {
    const LocationId at = open.back();
    open.pop_back();
    if (!at.is_valid() || !seen.insert(at).second)
      continue;
    if (at == edge.from)
      return true;
    for (const std::uint32_t out : procedure.locations[at].out)
      open.push_back(procedure.edges[out].to);
  }
  return false;
}

/// Is it known that at most one thread ever runs the procedure? The initial thread's own is, unless
/// threads are created in it; so is one that the initial thread creates a thread in, once.
bool runs_once(const Program& program, ProcedureId id) {
  const ProcedureId initial = program.templates.front().entry;
  const auto creations_of = [&](ProcedureId wanted) {
    std::vector<std::pair<ProcedureId, const Edge*>> found;
    for (std::size_t i = 0; i < program.procedures.size(); ++i)
      for (const Edge& edge : program.procedures[ProcedureId{i}].edges)
        if (const auto* sync = std::get_if<Synchronize>(&edge.action);
            sync != nullptr && sync->op == SyncOp::kCreate &&
            (sync->targets.empty() ||
             std::ranges::find(sync->targets, wanted) != sync->targets.end()))
          found.emplace_back(ProcedureId{i}, &edge);
    return found;
  };
  if (!creations_of(initial).empty())
    return false;
  if (id == initial)
    return true;
  const auto creations = creations_of(id);
  return creations.size() == 1 && creations.front().first == initial &&
         !is_on_cycle(program.procedures[initial], *creations.front().second);
}

} // namespace

IdVector<ProcedureId, ObjectBits> written_by_others(const Program& program) {
  IdVector<ProcedureId, ObjectBits> written;
  for (const Procedure& procedure : program.procedures)
    written.push_back(written_by(program, procedure));
  IdVector<ProcedureId, ObjectBits> result(program.procedures.size());
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (std::size_t other = 0; other < program.procedures.size(); ++other)
      if (other != i || !runs_once(program, ProcedureId{i}))
        result[ProcedureId{i}].add(written[ProcedureId{other}]);
  return result;
}

QuietSteps::QuietSteps(Program& program,
                       const Procedure& source,
                       const PendingStores& stores,
                       const StoreBufferOptions& options,
                       const ObjectBits* written_by_others)
    : program_(program), source_(source), stores_(stores), options_(options),
      written_by_others_(written_by_others), is_head_(source.locations.size(), false) {
  mark_heads();
}

bool QuietSteps::is_surely_valid(Term address, const Access& access, bool writes) const {
  const logic::Range values = logic::RangeAnalysis(program_.terms).range(address);
  return std::ranges::any_of(program_.objects, [&](const Object& object) {
    const std::uint64_t base = program_.space().base_of(object.unit);
    return object.kind == Object::Kind::kGlobal && !(writes && object.is_constant) &&
           values.min >= base && values.max - base + access.size <= object.size;
  });
}

bool QuietSteps::is_surely_valid(const Store& store) const {
  return is_surely_valid(store.address, store.access, true);
}

std::optional<Term> QuietSteps::is_inside_globals(Term address, const Access& access, bool writes) {
  if (!access.may.is_valid() || program_.object_sets[access.may].size() > kMostCompared)
    return std::nullopt;
  logic::TermStore& terms = program_.terms;
  std::optional<Term> result;
  for (const ObjectId id : program_.object_sets[access.may]) {
    const Object& object = program_.objects[id];
    if (object.kind != Object::Kind::kGlobal || (writes && object.is_constant) ||
        object.size < access.size)
      continue;
    const unsigned width = program_.pointer_bits();
    const Term offset = terms.binary(
        Op::kSub, address, terms.constant(program_.space().base_of(object.unit), width));
    const Term is_inside =
        terms.binary(Op::kULe, offset, terms.constant(object.size - access.size, width));
    result = result ? terms.or_(*result, is_inside) : is_inside;
  }
  return result;
}

std::optional<Term> QuietSteps::is_inside_globals(const Store& store) {
  return is_inside_globals(store.address, store.access, true);
}

bool QuietSteps::reads_own(const Load& load) const {
  if (written_by_others_ == nullptr || load.access.drains || load.marks ||
      !load.access.may.is_valid())
    return false;
  return std::ranges::all_of(program_.object_sets[load.access.may], [&](ObjectId object) {
    return program_.objects[object].kind == Object::Kind::kGlobal &&
           !written_by_others_->has(object);
  });
}

bool QuietSteps::is_quiet(std::uint32_t index) const {
  const Action& action = source_.edges[index].action;
  if (!options_.defers_flushes || waits_for_empty_buffer(action))
    return false;
  if (stores_.is_delayed[index])
    return options_.pending == 0 && is_surely_valid(std::get<Store>(action)) &&
           !std::get<Store>(action).marks;
  if (const auto* store = std::get_if<Store>(&action)) // of memory no other thread reaches
    return is_surely_valid(*store);
  if (const auto* load = std::get_if<Load>(&action))
    return (!load->access.is_visible || reads_own(*load)) &&
           is_surely_valid(load->address, load->access, false);
  if (const auto* assume = std::get_if<Assume>(&action))
    return assume->is_branch;
  if (const auto* allocate = std::get_if<Allocate>(&action))
    return allocate->where == ir::Allocate::Where::kFrame;
  return std::holds_alternative<Skip>(action) || std::holds_alternative<Assign>(action) ||
         std::holds_alternative<AssignSequence>(action) || std::holds_alternative<Nondet>(action) ||
         std::holds_alternative<Fence>(action) || std::holds_alternative<Hint>(action) ||
         (std::holds_alternative<Synchronize>(action) &&
          std::get<Synchronize>(action).op == SyncOp::kSelf);
}

bool QuietSteps::may_be_quiet(std::uint32_t index) const {
  const Action& action = source_.edges[index].action;
  if (!options_.defers_flushes || waits_for_empty_buffer(action))
    return false;
  if (const auto* assume = std::get_if<Assume>(&action))
    return !assume->is_branch;
  if (stores_.is_delayed[index])
    return options_.pending == 0 && !std::get<Store>(action).marks;
  if (const auto* load = std::get_if<Load>(&action))
    return load->access.is_visible && reads_own(*load);
  return std::holds_alternative<Check>(action) ||
         std::holds_alternative<CheckNeighbourhood>(action);
}

/// Both in one global, as far as a term can say it: from a fixed place in it.
std::optional<Term> QuietSteps::is_in_same_global(const CheckNeighbourhood& check) {
  logic::TermStore& terms = program_.terms;
  if (!terms.is_constant(check.base))
    return std::nullopt;
  const std::uint64_t from = terms.node(check.base).value;
  for (const Object& object : program_.objects) {
    const std::uint64_t base = program_.space().base_of(object.unit);
    if (object.kind != Object::Kind::kGlobal || from < base || from - base > object.size)
      continue;
    const unsigned width = program_.pointer_bits();
    return terms.binary(Op::kULe,
                        terms.binary(Op::kSub, check.result, terms.constant(base, width)),
                        terms.constant(object.size, width));
  }
  return std::nullopt;
}

std::optional<Term> QuietSteps::quiet_if(std::uint32_t index) {
  if (!may_be_quiet(index))
    return std::nullopt;
  const Action& action = source_.edges[index].action;
  // A failing one ends the run, one that holds is quiet.
  if (const auto* assume = std::get_if<Assume>(&action))
    return assume->condition;
  if (const auto* check = std::get_if<Check>(&action))
    return check->condition;
  if (const auto* check = std::get_if<CheckNeighbourhood>(&action))
    return is_in_same_global(*check);
  if (const auto* load = std::get_if<Load>(&action))
    return is_inside_globals(load->address, load->access, false);
  return is_inside_globals(std::get<Store>(action));
}

/// The targets of the back edges of a depth-first search over the edges before which nothing is
/// offered, or not always.
void QuietSteps::mark_heads() {
  enum class Colour : std::uint8_t { kNew, kOpen, kDone };
  std::vector<Colour> colour(source_.locations.size(), Colour::kNew);
  for (std::size_t root = 0; root < source_.locations.size(); ++root) {
    if (colour[root] != Colour::kNew)
      continue;
    std::vector<std::pair<std::size_t, std::size_t>> stack = {{root, 0}};
    colour[root] = Colour::kOpen;
    while (!stack.empty()) {
      const std::size_t at = stack.back().first;
      const std::vector<std::uint32_t>& out = source_.locations[LocationId{at}].out;
      if (stack.back().second == out.size()) {
        colour[at] = Colour::kDone;
        stack.pop_back();
        continue;
      }
      const std::uint32_t index = out[stack.back().second++];
      const LocationId to = source_.edges[index].to;
      if (!to.is_valid() || !(is_quiet(index) || may_be_quiet(index)))
        continue;
      if (colour[to.index()] == Colour::kOpen)
        is_head_[to.index()] = true;
      if (colour[to.index()] == Colour::kNew) {
        colour[to.index()] = Colour::kOpen;
        stack.emplace_back(to.index(), 0);
      }
    }
  }
}

} // namespace heddle::transform
