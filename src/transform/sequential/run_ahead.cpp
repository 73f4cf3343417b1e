// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/run_ahead.h"

#include "program/model/run_ahead_locals.h"
#include "support/check.h"
#include "support/overloaded.h"
#include "transform/basic/rewrite.h"

#include <algorithm>
#include <utility>

namespace heddle::transform {

using logic::Op;
using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::Term;

namespace {

bool is_branch(const program::Action& action) {
  const auto* assume = std::get_if<program::Assume>(&action);
  return assume != nullptr && assume->is_branch;
}

bool ends_thread(const program::Action& action) {
  return std::holds_alternative<program::Return>(action) ||
         std::holds_alternative<program::ThreadExit>(action) ||
         std::holds_alternative<program::Exit>(action) ||
         std::holds_alternative<program::Cut>(action) ||
         std::holds_alternative<program::Trap>(action);
}

/// Can the number need more bits than those it is made of?
bool is_arithmetic(const logic::TermStore& terms, Term term) {
  const Op op = terms.node(term).op;
  if (op == Op::kZeroExtend || op == Op::kSignExtend)
    return is_arithmetic(terms, terms.arguments(term)[0]);
  return op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kNegate || op == Op::kShl;
}

std::optional<Term> address_of(const program::Action& action) {
  if (const auto* load = std::get_if<program::Load>(&action))
    return load->address;
  if (const auto* store = std::get_if<program::Store>(&action))
    return store->address;
  if (const auto* update = std::get_if<program::ReadModifyWrite>(&action))
    return update->address;
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    return exchange->address;
  return std::nullopt;
}

unsigned size_of(const program::Action& action) {
  if (const auto* load = std::get_if<program::Load>(&action))
    return load->access.size;
  if (const auto* update = std::get_if<program::ReadModifyWrite>(&action))
    return update->access.size;
  return std::get<program::CompareExchange>(action).access.size;
}

} // namespace

bool RunAhead::takes(const program::Program& source,
                     program::ProcedureId procedure,
                     const SharedCells& cells,
                     const FixedValues& values,
                     const logic::TermStore& terms) {
  const auto is_taken = [&](const program::Edge& edge) {
    if (const std::optional<Term> address = address_of(edge.action))
      return cells.is_shared(procedure, *address);
    return std::visit(Overloaded{
                          [](const program::LoadExclusive&) { return false; },
                          [](const program::StoreExclusive&) { return false; },
                          [](const program::Allocate&) { return false; },
                          [](const program::Free&) { return false; },
                          [](const program::BlockSize&) { return false; },
                          [](const program::Call&) { return false; },
                          [](const program::Synchronize& a) {
                            return a.op == program::SyncOp::kMutexLock ||
                                   a.op == program::SyncOp::kMutexUnlock;
                          },
                          [](const auto&) { return true; },
                      },
                      edge.action);
  };
  const std::vector<program::Edge>& edges = source.procedures[procedure].edges;
  bool has_choices = false;
  for (std::uint32_t i = 0; i < edges.size() && !has_choices; ++i)
    if (is_branch(edges[i].action)) {
      const program::Action action = values.action(i);
      has_choices = !terms.is_constant(std::get<program::Assume>(action).condition);
    }
  return has_choices && std::ranges::all_of(edges, is_taken);
}

RunAhead::RunAhead(const Shared& shared,
                   program::ProcedureId procedure,
                   const FixedValues& values,
                   const OwnCopies& own)
    : shared_(shared), id_(procedure), procedure_(shared.source.procedures[procedure]),
      values_(values), own_(own) {
  for (std::uint32_t edge = 0; edge < procedure_.edges.size(); ++edge) {
    program::Action action = values_.action(edge);
    const auto note = [&](Term term) {
      for (const std::uint64_t variable : terms().variables(term))
        read_.insert(variable);
    };
    if (const auto* sequence = std::get_if<program::AssignSequence>(&action))
      for (const program::Assign& one : sequence->assignments)
        note(one.value);
    else
      for_each_term(action, [&](Term& term) { note(term); });
  }
}

void RunAhead::write(const std::vector<LocationId>& order) {
  SequentialWriter& writer = shared_.writer;
  for (std::size_t i = 0; i < procedure_.locations.size(); ++i)
    bodies_.push_back(writer.location());
  after_ = writer.location();
  writer.stand_for({}, procedure_.loc);
  writer.jump(bodies_[procedure_.entry]);
  for (const LocationId at : order)
    for (const std::uint32_t edge : procedure_.locations[at].out)
      write_edge(edge);
  writer.go_on_at(after_);
}

void RunAhead::write_edge(std::uint32_t index) {
  SequentialWriter& writer = shared_.writer;
  const program::Edge& edge = procedure_.edges[index];
  const program::Action action = values_.action(index);
  writer.go_on_at(bodies_[edge.from]);
  writer.stand_for({}, edge.loc);
  if (const auto* one = std::get_if<program::Assign>(&action)) {
    compute(index, *one);
  } else if (const auto* sequence = std::get_if<program::AssignSequence>(&action)) {
    for (const program::Assign& part : sequence->assignments)
      compute(index, part);
  } else if (is_branch(action) || std::holds_alternative<program::Skip>(action) ||
             std::holds_alternative<program::Hint>(action)) {
    writer.step(action);
  } else {
    leave(index, action);
  }
  own_.renew(index, action);
  writer.jump(ends_thread(action) ? after_ : bodies_[edge.to]);
}

void RunAhead::compute(std::uint32_t edge, const program::Assign& action) {
  if (is_arithmetic(terms(), action.value)) {
    Step& step = add_step(edge, action);
    std::get<program::Assign>(step.action).dest = temporary(action.dest);
    step.is_computation = true;
  }
  shared_.writer.step(action);
}

LocalId RunAhead::temporary(LocalId like) {
  return shared_.writer.local("", shared_.writer.procedure().locals[like].width);
}

LocalId RunAhead::kept(Term value) {
  SequentialWriter& writer = shared_.writer;
  const LocalId local = writer.local(std::string(program::kKeptName), terms().sort(value).width);
  writer.assign(local, value);
  return local;
}

RunAhead::Step& RunAhead::add_step(std::uint32_t edge, const program::Action& action) {
  Step step;
  step.edge = edge;
  step.action = action;
  step.is_reached = kept(terms().constant(1, 1));
  std::map<std::uint64_t, Term> operands;
  const auto keep = [&](Term& term) {
    term = terms().substitute(term, [&](std::uint64_t number, logic::Sort sort) {
      const auto [operand, is_new] = operands.try_emplace(number);
      if (is_new)
        operand->second = shared_.writer.value(kept(terms().variable(number, sort)));
      return operand->second;
    });
  };
  for_each_term(step.action, keep);
  steps_.push_back(std::move(step));
  return steps_.back();
}

/// Of all cells that the edge may read.
std::optional<logic::Range> RunAhead::contents(std::uint32_t edge) const {
  const program::Action& action = procedure_.edges[edge].action;
  std::optional<logic::Range> result;
  for (const CellPlace& place :
       shared_.cells.places(id_, *address_of(action), 0, size_of(action))) {
    const logic::Range& range = shared_.contents[place.cell];
    result = result ? hull(*result, range) : range;
  }
  return result;
}

void RunAhead::guess(Step& step,
                     LocalId dest,
                     LocalId seen,
                     const std::optional<logic::Range>& range) {
  SequentialWriter& writer = shared_.writer;
  const unsigned width = writer.procedure().locals[dest].width;
  unsigned bits = width;
  bool is_signed = false;
  if (range) {
    is_signed = range->signed_width() < range->unsigned_width();
    bits = std::max(1U, is_signed ? range->signed_width() : range->unsigned_width());
    is_signed = is_signed && range->width == width; // wider destinations are filled with zeros
    if (bits > width || (!is_signed && range->signed_width() < range->unsigned_width()))
      bits = width;
  }
  const LocalId any = writer.local(std::string(program::kGuessedName), bits);
  writer.step(program::Nondet{any, "what is going to be read"});
  const Term value = writer.value(any);
  const Term extended =
      is_signed ? terms().sign_extend(value, width) : terms().zero_extend(value, width);
  const LocalId guess = kept(extended);
  writer.assign(dest, writer.value(guess));
  step.reads.push_back({seen, guess});
}

void RunAhead::leave(std::uint32_t edge, const program::Action& action) {
  SequentialWriter& writer = shared_.writer;
  Step& step = add_step(edge, action);
  const auto redirected = [&](LocalId& dest) { // to a local of the step; what it was before
    return std::exchange(dest, temporary(dest));
  };
  const auto read = [&](LocalId& dest, const std::optional<logic::Range>& range) {
    const LocalId before = redirected(dest);
    if (read_.contains(before.value))
      guess(step, before, dest, range);
  };
  if (own_.copies().taken.contains(edge)) {
    auto& load = std::get<program::Load>(step.action);
    const LocalId dest = redirected(load.dest);
    (void)own_.read(edge, action);
    step.known = kept(writer.value(dest));
    return;
  }
  std::visit(Overloaded{
                 [&](program::Nondet& a) { read(a.dest, std::nullopt); },
                 [&](program::Load& a) {
                   read(a.dest, contents(edge));
                   if (a.marks)
                     writer.assign(redirected(*a.marks), terms().constant(0, 8));
                 },
                 [&](program::ReadModifyWrite& a) { read(a.dest, contents(edge)); },
                 [&](program::CompareExchange& a) {
                   const LocalId dest = redirected(a.dest);
                   const LocalId success = redirected(a.success);
                   const auto& before = std::get<program::CompareExchange>(action);
                   const unsigned width = 8U * before.access.size;
                   // The operand may be one of the destinations.
                   const Term expected =
                       writer.value(kept(terms().sort(before.expected).width > width
                                             ? terms().extract(before.expected, 0, width)
                                             : terms().zero_extend(before.expected, width)));
                   guess(step, dest, a.dest, contents(edge));
                   const unsigned flag = writer.procedure().locals[success].width;
                   if (a.weak)
                     return guess(step, success, a.success, logic::Range::of_unsigned(0, 1, flag));
                   const Term old = writer.value(step.reads.back().guess);
                   const Term seen =
                       terms().sort(old).width > width ? terms().extract(old, 0, width) : old;
                   HEDDLE_CHECK(terms().sort(seen).width == width, "a destination that has room");
                   writer.assign(
                       success,
                       terms().zero_extend(terms().to_bit(terms().equal(seen, expected)), flag));
                 },
                 [&](program::Synchronize& a) {
                   if (a.dest)
                     read(*a.dest, std::nullopt);
                 },
                 [](auto&) {},
             },
             step.action);
}

} // namespace heddle::transform
