// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/alias.h"

#include "program/analyse/liveness.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::program {

namespace {

/// Beyond this many, the cells of an object are merged by size.
constexpr std::size_t kMostCells = 96;

std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t offset, unsigned size) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < size; ++i)
    word |= std::uint64_t{bytes[offset + i]} << (8 * i);
  return word;
}

/// The index that build's check of a pointer step bounds: "index + limit <u 2 · limit + 1".
std::vector<Term> bounded_index(const logic::TermStore& terms, Term condition) {
  if (terms.node(condition).op != logic::Op::kULt ||
      !terms.is_constant(terms.arguments(condition)[1]))
    return {};
  const LinearForm form = linear_form(terms, terms.arguments(condition)[0]);
  if (form.coefficients.size() != 1 || form.coefficients.begin()->second != 1 ||
      terms.node(terms.arguments(condition)[1]).value != 2 * form.constant + 1)
    return {};
  return {form.coefficients.begin()->first};
}

} // namespace

PointsTo::PointsTo(const Program& program)
    : program_(program), constants_(program), locals_(program.procedures.size()),
      results_(program.procedures.size()), guards_(program.procedures.size()),
      bounded_indices_(program.procedures.size()), cells_(program.objects.size()),
      is_freed_(program.objects.size(), false) {
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    locals_[ProcedureId{i}].resize(program.procedures[ProcedureId{i}].locals.size());
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    if (program.objects[ObjectId{i}].kind == Object::Kind::kHeapSite)
      heap_sites_.emplace_back(i);
  find_guards();
  find_factors();
  read_initial_bytes();
  solve();
}

void PointsTo::find_guards() {
  for (std::size_t i = 0; i < program_.procedures.size(); ++i)
    for (const Edge& edge : program_.procedures[ProcedureId{i}].edges) {
      if (const auto* check = std::get_if<Check>(&edge.action))
        if (check->kind == CheckKind::kPointerArithmetic)
          for (const Term index : bounded_index(program_.terms, check->condition))
            bounded_indices_[ProcedureId{i}].insert(index);
      if (const auto* check = std::get_if<CheckNeighbourhood>(&edge.action)) {
        const LinearForm form = linear_form(program_.terms, check->result);
        const LinearForm base = linear_form(program_.terms, check->base);
        std::vector<Guard>& guards = guards_[ProcedureId{i}][form.variable_part()];
        const Guard guard{check->base, form, base.variable_part() == form.variable_part()};
        if (std::find(guards.begin(), guards.end(), guard) == guards.end())
          guards.push_back(guard);
      }
    }
}

void PointsTo::find_factors() {
  factors_.resize(program_.procedures.size());
  for (std::size_t i = 0; i < program_.procedures.size(); ++i) {
    const Procedure& procedure = program_.procedures[ProcedureId{i}];
    // 0 is what a local holds before it is given anything, and every number divides it.
    std::vector<std::uint64_t>& factors = factors_[ProcedureId{i}];
    factors.assign(procedure.locals.size(), 0);
    for (const LocalId parameter : procedure.parameters)
      factors[parameter.index()] = 1;
    const auto assign = [&](const Assign& one) {
      const LinearForm form = linear_form(program_.terms, one.value);
      std::uint64_t all = form.constant;
      for (const auto& [atom, coefficient] : form.coefficients)
        all |= coefficient;
      factors[one.dest.index()] |= all;
    };
    for (const Edge& edge : procedure.edges)
      if (const auto* one = std::get_if<Assign>(&edge.action))
        assign(*one);
      else if (const auto* sequence = std::get_if<AssignSequence>(&edge.action))
        for (const Assign& part : sequence->assignments)
          assign(part);
      else
        for (const std::uint32_t local : local_use(program_.terms, edge.action).writes)
          factors[local] |= 1;
    for (std::uint64_t& factor : factors)
      factor = factor == 0 ? 1 : factor & (~factor + 1);
  }
}

void PointsTo::read_initial_bytes() {
  const unsigned size = program_.pointer_bits() / 8;
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const Object& object = program_.objects[ObjectId{i}];
    const auto look = [&](std::size_t offset) {
      const AliasValue word =
          constants_.value(word_at(object.initial, offset, size), program_.pointer_bits());
      if (word.has_address())
        write_cell(ObjectId{i}, {static_cast<std::int64_t>(offset), 0}, size, word);
      return word.has_address();
    };
    // Addresses lie aligned; elsewhere (packed structs) only where they do not cross one that does.
    std::vector<bool> is_taken(object.initial.size(), false);
    for (std::size_t offset = 0; offset + size <= object.initial.size(); offset += size)
      if (look(offset))
        std::fill_n(is_taken.begin() + static_cast<std::ptrdiff_t>(offset), size, true);
    for (std::size_t offset = 0; offset + size <= object.initial.size(); ++offset)
      if (offset % size != 0 && !is_taken[offset] && !is_taken[offset + size - 1])
        look(offset);
  }
}

void PointsTo::solve() {
  // The initial thread's parameters, if no action sets them, are zero.
  do {
    is_changed_ = false;
    for (std::size_t i = 0; i < program_.procedures.size(); ++i)
      for (const Edge& edge : program_.procedures[ProcedureId{i}].edges)
        transfer(ProcedureId{i}, edge.action);
  } while (is_changed_);
}

void PointsTo::join(AliasValue& into, const AliasValue& value) {
  is_changed_ = into.join(value) || is_changed_;
}

void PointsTo::join_local(ProcedureId procedure, LocalId local, const AliasValue& value) {
  join(locals_[procedure][local.index()], value);
}

AliasValue PointsTo::address(ProcedureId procedure, Term term) const {
  return evaluate(procedure, term, Role::kAddress, 0);
}

AliasValue PointsTo::value(ProcedureId procedure, Term term) const {
  return evaluate(procedure, term, Role::kValue, 0);
}

AliasValue PointsTo::contents(ObjectId object) const {
  AliasValue all = written_anywhere_;
  for (const Cell& cell : cells_[object])
    all.join(cell.value);
  return all;
}

std::vector<ObjectId> PointsTo::held(ObjectId object) const {
  std::vector<ObjectId> all = written_anywhere_.objects();
  for (const Cell& cell : cells_[object])
    for (const ObjectId inside : cell.value.objects())
      all.push_back(inside);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void PointsTo::note_freed(const AliasValue& address) {
  for (const ObjectId site : heap_sites_) {
    if (is_freed_[site] ||
        (!address.is_any() && !address.targets().contains({Target::Kind::kObject, site.value})))
      continue;
    is_freed_[site] = true;
    is_any_freed_ = true;
    is_changed_ = true;
  }
}

AliasValue PointsTo::with_reused_blocks(const AliasValue& address) const {
  AliasValue result = address;
  if (!is_any_freed_)
    return result;
  for (const auto& [target, offsets] : address.targets())
    if (target.kind == Target::Kind::kObject && is_freed_[ObjectId{std::size_t{target.index}}])
      for (const ObjectId site : heap_sites_)
        result.join(AliasValue::object(site, offsets));
  return result;
}

AliasValue PointsTo::read(const AliasValue& given, std::uint64_t size) const {
  if (given.is_any())
    return AliasValue::any();
  const AliasValue address = with_reused_blocks(given);
  AliasValue result = written_anywhere_;
  for (const auto& [target, offsets] : address.targets()) {
    if (target.kind != Target::Kind::kObject)
      continue;
    for (const Cell& cell : cells_[ObjectId{std::size_t{target.index}}]) {
      const Overlap how = overlap(offsets, size, cell.offsets, cell.size);
      if (how == Overlap::kSame || (how == Overlap::kPartial && !cell.value.has_address()))
        result.join(cell.value);
      else if (how == Overlap::kPartial)
        return AliasValue::any(); // bytes of an address put together with others
    }
  }
  return result;
}

void PointsTo::write(const AliasValue& given, std::uint64_t size, const AliasValue& stored) {
  if (given.is_any()) {
    join(written_anywhere_, stored.has_address() ? AliasValue::any() : stored);
    return;
  }
  const AliasValue address = with_reused_blocks(given);
  for (const auto& [target, offsets] : address.targets())
    if (target.kind == Target::Kind::kObject)
      write_cell(ObjectId{std::size_t{target.index}}, offsets, size, stored);
}

void PointsTo::write_cell(ObjectId object,
                          Offsets offsets,
                          std::uint64_t size,
                          const AliasValue& stored) {
  std::vector<Cell>& cells = cells_[object];
  for (Cell& cell : cells)
    if (cell.size == size) {
      // A cell that covers the place takes the value in; so merged cells stay merged.
      const Offsets both = cell.offsets.join(offsets);
      if (both == cell.offsets) {
        join(cell.value, stored);
        return;
      }
    }
  is_changed_ = true;
  if (cells.size() < kMostCells) {
    cells.push_back({offsets, size, stored});
    return;
  }
  std::vector<Cell> merged;
  cells.push_back({offsets, size, stored});
  for (const Cell& cell : cells) {
    const auto same = std::find_if(
        merged.begin(), merged.end(), [&](const Cell& one) { return one.size == cell.size; });
    if (same == merged.end()) {
      merged.push_back(cell);
      continue;
    }
    same->offsets = same->offsets.join(cell.offsets);
    same->value.join(cell.value);
  }
  cells = std::move(merged);
}

std::vector<ProcedureId> PointsTo::call_targets(ProcedureId procedure,
                                                Term function,
                                                const std::vector<ProcedureId>& candidates) const {
  const AliasValue callee = address(procedure, function);
  if (callee.is_any())
    return candidates;
  std::vector<ProcedureId> targets;
  for (const ProcedureId candidate : candidates)
    if (callee.targets().contains({Target::Kind::kProcedure, candidate.value}))
      targets.push_back(candidate);
  return targets;
}

void PointsTo::transfer_call(ProcedureId caller, const Call& call) {
  const std::vector<ProcedureId> targets =
      call.function ? call_targets(caller, *call.function, call.targets) : call.targets;
  for (const ProcedureId target : targets) {
    const Procedure& callee = program_.procedures[target];
    const std::size_t count = std::min(callee.parameters.size(), call.arguments.size());
    for (std::size_t i = 0; i < count; ++i) {
      const AliasValue argument = value(caller, call.arguments[i]);
      const bool is_cut = program_.terms.sort(call.arguments[i]).width >
                              callee.locals[callee.parameters[i]].width &&
                          callee.locals[callee.parameters[i]].width < program_.pointer_bits();
      join_local(target, callee.parameters[i], is_cut ? AliasValue::any() : argument);
    }
    if (call.dest)
      join_local(caller, *call.dest, results_[target]);
  }
}

void PointsTo::transfer_synchronize(ProcedureId procedure, const Synchronize& sync) {
  if (sync.op == SyncOp::kCreate) {
    for (const ProcedureId target : call_targets(procedure, sync.operands[0], sync.targets)) {
      const Procedure& callee = program_.procedures[target];
      if (!callee.parameters.empty() && sync.operands.size() > 1)
        join_local(target, callee.parameters[0], value(procedure, sync.operands[1]));
      join(thread_results_, results_[target]);
    }
  }
  if (!sync.dest)
    return;
  // Handles, error numbers and counts are small numbers; only a join gives what a thread returned.
  join_local(
      procedure, *sync.dest, sync.op == SyncOp::kJoin ? thread_results_ : AliasValue::number());
}

void PointsTo::transfer(ProcedureId procedure, const Action& action) {
  const auto assign = [&](const Assign& a) {
    join_local(procedure, a.dest, value(procedure, a.value));
  };
  std::visit(
      Overloaded{
          [](const Skip&) {},
          [&](const Assign& a) { assign(a); },
          [&](const AssignSequence& a) {
            for (const Assign& one : a.assignments)
              assign(one);
          },
          [&](const Nondet& a) { join_local(procedure, a.dest, AliasValue::any()); },
          [](const Assume&) {},
          [](const Check&) {},
          [](const CheckNeighbourhood&) {},
          [&](const Load& a) {
            join_local(procedure, a.dest, read(address(procedure, a.address), a.access.size));
            if (a.marks)
              join_local(procedure, *a.marks, AliasValue::number());
          },
          [&](const Store& a) {
            write(address(procedure, a.address), a.access.size, value(procedure, a.value));
          },
          [&](const LoadExclusive& a) {
            join_local(procedure, a.dest, read(address(procedure, a.address), a.access.size));
          },
          [&](const StoreExclusive& a) {
            write(address(procedure, a.address), a.access.size, value(procedure, a.value));
            join_local(procedure, a.success, AliasValue::number());
          },
          [&](const ReadModifyWrite& a) {
            const AliasValue place = address(procedure, a.address);
            join_local(procedure, a.dest, read(place, a.access.size));
            write(place,
                  a.access.size,
                  a.op == RmwOp::kExchange ? value(procedure, a.value) : AliasValue::any());
          },
          [&](const CompareExchange& a) {
            const AliasValue place = address(procedure, a.address);
            join_local(procedure, a.dest, read(place, a.access.size));
            join_local(procedure, a.success, AliasValue::number());
            write(place, a.access.size, value(procedure, a.desired));
          },
          [](const Fence&) {},
          [&](const Allocate& a) {
            AliasValue block = AliasValue::object(a.site, {});
            if (a.where == ir::Allocate::Where::kHeap)
              block.join(AliasValue::number()); // null, if there is no memory left
            join_local(procedure, a.dest, block);
          },
          [&](const Free& a) { note_freed(address(procedure, a.address)); },
          [&](const BlockSize& a) { join_local(procedure, a.dest, AliasValue::any()); },
          [&](const Call& a) { transfer_call(procedure, a); },
          [&](const Return& a) {
            if (a.value)
              join(results_[procedure], value(procedure, *a.value));
          },
          [&](const Synchronize& a) { transfer_synchronize(procedure, a); },
          [](const AtomicBegin&) {},
          [](const AtomicEnd&) {},
          [](const Hint&) {},
          [&](const ThreadExit& a) {
            if (a.value)
              join(thread_results_, value(procedure, *a.value));
          },
          [](const Exit&) {},
          [](const Cut&) {},
          [](const Trap&) {},
      },
      action);
}

} // namespace heddle::program
