// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each action does to a path.
#include "engine/bounded/walk.h"
#include "program/model/run_ahead_locals.h"
#include "spec/property.h"
#include "support/overloaded.h"

#include <algorithm>
#include <utility>

namespace heddle::engine::bounded {

using logic::Op;
using program::FaultKind;

namespace {

/// The widths of numbers in C; others are of the schedule of a sequentialization, or truth values.
bool is_number(unsigned width) {
  return width == 16 || width == 32 || width == 64;
}

} // namespace

bool Walker::is_true(Term term) const {
  return terms_.is_constant(term) && terms_.node(term).value != 0;
}

bool Walker::is_false(Term term) const {
  return terms_.is_constant(term) && terms_.node(term).value == 0;
}

Term Walker::widened(Term term, unsigned width) {
  const unsigned given = terms_.sort(term).width;
  if (given == width)
    return term;
  return given > width ? terms_.extract(term, 0, width) : terms_.zero_extend(term, width);
}

std::uint64_t Walker::what() const {
  return std::uint64_t{frames_.back().procedure.value} << 32U | edge_index_;
}

Term Walker::local(LocalId local) {
  const Term value = paths_.tables().get(path_.locals, local.value);
  return value.is_valid() ? value : terms_.constant(0, procedure().locals[local].width);
}

Term Walker::evaluate(Term term) {
  const logic::Node& node = terms_.node(term);
  if (node.op == Op::kConstant)
    return term;
  if (node.op == Op::kVariable && node.value < program::kSelfVariable)
    return local(LocalId{static_cast<std::size_t>(node.value)});
  return terms_.substitute(term, [this](std::uint64_t number, logic::Sort sort) {
    if (number == program::kSelfVariable)
      return terms_.constant(0, sort.width);
    return local(LocalId{static_cast<std::size_t>(number)});
  });
}

void Walker::assign(LocalId local, Term value) {
  path_.locals = paths_.tables().set(path_.locals, path_.owner, local.value, value);
}

Term Walker::choose(unsigned width, std::uint64_t which) {
  return symbols_.variable(terms_, context_, what(), which, width);
}

void Walker::decide(Term when, Term value) {
  if (!is_false(when))
    result_.decisions.push_back({when, value, frames_.back().procedure, edge_index_});
}

/// A choice that is followed at once by an assumption which limits it never needs a larger value:
/// such a run would be discarded before anything else happens.
void Walker::nondet(const program::Nondet& action, LocationId next) {
  const unsigned width = procedure().locals[action.dest].width;
  Term value = choose(width);
  logic::Range range = logic::Range::full(width);
  if (const std::optional<std::uint64_t> limit = assumed_limit(next, value, action.dest)) {
    range = logic::Range::of_unsigned(0, *limit, width);
    // With other bounds the limit here may be another one.
    value = choose(width, *limit + 1);
  }
  const bool is_guess = program::is_guessed(procedure().locals[action.dest]);
  const bool may_be_address = is_guess && width == program_.pointer_bits();
  if (options_.bits != 0 && options_.bits < width && is_number(width) && !may_be_address) {
    const auto most = static_cast<std::int64_t>(logic::mask_of(options_.bits - 1));
    const logic::Range small = logic::Range::of_signed(-most - 1, most, width);
    const logic::Range both = logic::meet(range, small).value_or(range);
    if (both != range && !is_guess)
      add_goal({Goal::Kind::kUnfit, guard()});
    range = both;
  }
  if (range != logic::Range::full(width))
    symbols_.restrict(value, range);
  if (range.min == 0 && range.max == 0)
    value = terms_.constant(0, width);
  assign(action.dest, value);
  decide(guard(), value);
}

std::optional<std::uint64_t> Walker::assumed_limit(LocationId next, Term variable, LocalId dest) {
  const std::vector<std::uint32_t>& out = procedure().locations[next].out;
  if (out.size() != 1)
    return std::nullopt;
  const auto* assume = std::get_if<program::Assume>(&procedure().edges[out.front()].action);
  if (assume == nullptr || assume->is_branch)
    return std::nullopt;
  const Term before = local(dest);
  assign(dest, variable);
  std::vector<Term> pending{evaluate(assume->condition)};
  assign(dest, before);
  std::optional<std::uint64_t> limit;
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    const logic::Node& node = terms_.node(term);
    const std::span<const Term> arguments = terms_.arguments(term);
    if (node.op == Op::kAnd) {
      pending.insert(pending.end(), arguments.begin(), arguments.end());
      continue;
    }
    // x < 1 is x = 0 for the terms.
    if (node.op == Op::kEqual && std::ranges::find(arguments, variable) != arguments.end() &&
        std::ranges::any_of(arguments, [&](Term one) { return is_false(one); }))
      limit = 0;
    if ((node.op != Op::kULe && node.op != Op::kULt) || arguments[0] != variable ||
        !terms_.is_constant(arguments[1]))
      continue;
    std::uint64_t most = terms_.node(arguments[1]).value;
    if (node.op == Op::kULt && most-- == 0)
      continue;
    limit = std::min(limit.value_or(most), most);
  }
  return limit;
}

/// With a limit on bits: the value as it is if it is a number that fits; runs in which it does not
/// are left out. What does not count is looked at again where it does.
Term Walker::fitted(Term value, bool counts) {
  const unsigned width = terms_.sort(value).width;
  if (options_.bits == 0 || options_.bits >= width || !is_number(width))
    return value;
  const Op op = terms_.node(value).op;
  if (op == Op::kZeroExtend || op == Op::kSignExtend) {
    const Term inner = fitted(terms_.arguments(value)[0], counts);
    return op == Op::kZeroExtend ? terms_.zero_extend(inner, width)
                                 : terms_.sign_extend(inner, width);
  }
  const bool is_arithmetic =
      op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kNegate || op == Op::kShl;
  if (!is_arithmetic || width == program_.pointer_bits())
    return value;
  const logic::Range range = sets_.range(value);
  if (range.signed_width() <= options_.bits)
    return value;
  // What is known not to be negative stays so: memory of wider cells would not remember it of
  // copies of a sign.
  const bool is_natural = options_.bits > 1 && range.max <= logic::mask_of(width - 1);
  const Term low = is_natural
                       ? terms_.zero_extend(terms_.extract(value, 0, options_.bits - 1), width)
                       : terms_.sign_extend(terms_.extract(value, 0, options_.bits), width);
  if (!counts)
    return low;
  const Term fits = terms_.equal(low, value);
  if (!paths_.is_known(path_, fits))
    add_goal({Goal::Kind::kUnfit, terms_.and_(guard(), terms_.not_(fits))});
  narrow(fits);
  return low;
}

/// What is read is a number that was guessed. A guess has few bits.
void Walker::check_guess(Term condition) {
  const std::span<const Term> sides = terms_.arguments(condition);
  if (options_.bits == 0 || terms_.node(condition).op != Op::kEqual)
    return;
  for (const unsigned side : {0U, 1U}) {
    const logic::Node& node = terms_.node(sides[side]);
    if (node.op != Op::kVariable ||
        !program::is_kept(procedure().locals[LocalId{static_cast<std::size_t>(node.value)}]))
      continue;
    const Term seen = evaluate(sides[1 - side]);
    const unsigned width = terms_.sort(seen).width;
    if (!is_number(width) || options_.bits >= width ||
        sets_.range(seen).signed_width() <= options_.bits ||
        sets_.range(evaluate(sides[side])).signed_width() > options_.bits)
      return;
    const Term low = terms_.sign_extend(terms_.extract(seen, 0, options_.bits), width);
    add_goal({Goal::Kind::kUnfit, terms_.and_(guard(), terms_.not_(terms_.equal(low, seen)))});
    return;
  }
}

void Walker::add_goal(Goal goal) {
  if (!goal.reached.is_valid())
    goal.reached = guard();
  if (!goal.loc.is_known() && edge_ != nullptr)
    goal.loc = edge_->loc;
  if (!is_false(goal.reached))
    result_.goals.push_back(std::move(goal));
}

void Walker::check(Term holds, FaultKind fault, const std::string& what) {
  if (paths_.is_known(path_, holds) || is_dead())
    return;
  const bool is_violation = spec::violates(options_.property, fault);
  if (!is_assuming_ && (is_violation || program::is_undefined_behaviour(fault))) {
    Goal goal;
    goal.kind = is_violation ? Goal::Kind::kViolation : Goal::Kind::kUndefined;
    goal.reached = terms_.and_(guard(), terms_.not_(holds));
    goal.fault = fault;
    goal.text = what;
    add_goal(std::move(goal));
  }
  narrow(holds);
}

/// The path ends here.
void Walker::stop(Goal::Kind kind, FaultKind fault, const std::string& what) {
  Goal goal;
  goal.kind = kind;
  goal.fault = fault;
  goal.text = what;
  add_goal(std::move(goal));
  Paths::kill(path_);
}

void Walker::trap_unless(Term holds, const std::string& what) {
  if (paths_.is_known(path_, holds))
    return;
  Goal goal;
  goal.kind = Goal::Kind::kTrap;
  goal.reached = terms_.and_(guard(), terms_.not_(holds));
  goal.fault = FaultKind::kTrap;
  goal.text = what;
  add_goal(std::move(goal));
  narrow(holds);
}

/// MemoryMap::are_neighbours as a term: both in one unit, or in the units of one object that has
/// several.
void Walker::check_neighbourhood(const program::CheckNeighbourhood& action) {
  const Term base = evaluate(action.base);
  const Term result = evaluate(action.result);
  const program::AddressSpace space = program_.space();
  const unsigned width = terms_.sort(base).width;
  const unsigned shift = space.unit_shift;
  if (base == result || width <= shift)
    return;
  const auto unit = [&](Term address) { return terms_.extract(address, shift, width - shift); };
  Term holds = terms_.equal(unit(base), unit(result));
  if (paths_.is_known(path_, holds))
    return;
  // Where both are few addresses or small steps away from one, their units are known.
  const std::vector<std::uint64_t>* units = sets_.of(unit(base));
  if (units != nullptr && units->size() == 1) {
    const std::uint64_t only = units->front();
    if (const std::vector<std::uint64_t>* others = sets_.of(unit(result));
        others != nullptr && others->size() == 1 && others->front() == only)
      return;
    const logic::Range& range = sets_.range(result);
    if (space.unit_of(range.min) == only && space.unit_of(range.max) == only)
      return;
  }
  for (std::size_t i = 0; i < program_.objects.size(); ++i)
    for (const Span& span : spans_of(ObjectId{i})) {
      const std::uint64_t count = space.units_for(span.size);
      if (count == 1)
        continue;
      const Term first = terms_.constant(space.unit_of(span.address) << shift, width);
      const Term size = terms_.constant(count << shift, width);
      const auto is_near = [&](Term address) {
        return terms_.binary(Op::kULt, terms_.binary(Op::kSub, address, first), size);
      };
      const Term is_base = is_near(base);
      const Term is_result = is_near(result);
      holds = terms_.or_(holds, terms_.and_(is_base, is_result));
    }
  check(holds, FaultKind::kPointerArithmetic, "a pointer leaves its object");
}

void Walker::synchronize(const program::Synchronize& action) {
  if (action.op != program::SyncOp::kSelf)
    return stop(Goal::Kind::kTrap, FaultKind::kTrap, "synchronisation in a program of one thread");
  if (action.dest)
    assign(*action.dest, terms_.constant(1, procedure().locals[*action.dest].width));
}

/// Memory that is still there is asked for where nothing may be lost.
void Walker::end_run() {
  if (options_.property == spec::Property::kMemory)
    for (const Block& block : blocks_) {
      if (program_.objects[block.site].kind != program::Object::Kind::kHeapSite)
        continue;
      Goal goal;
      goal.kind = Goal::Kind::kLeft;
      const Term is_left = terms_.not_(cell_value(ended_cell(block.address)));
      goal.reached = terms_.and_(terms_.and_(guard(), block.allocated), is_left);
      add_goal(std::move(goal));
    }
  Paths::kill(path_);
}

Status Walker::act(const program::Edge& edge) {
  std::optional<Error> wrong;
  const auto trap = [&](const std::string& why) { stop(Goal::Kind::kTrap, FaultKind::kTrap, why); };
  const auto assign_one = [&](const program::Assign& a) {
    const program::Local& dest = procedure().locals[a.dest];
    if (program::is_kept(dest) && a.value == terms_.constant(1, 1))
      assign(a.dest, terms_.to_bit(guard()));
    else
      assign(a.dest,
             fitted(evaluate(a.value), !program::is_guessed(dest) && !program::is_kept(dest)));
  };
  std::visit(Overloaded{
                 [](const program::Skip&) {},
                 [&](const program::Assign& a) { assign_one(a); },
                 [&](const program::AssignSequence& sequence) {
                   for (const program::Assign& a : sequence.assignments)
                     assign_one(a);
                 },
                 [&](const program::Nondet& a) { nondet(a, edge.to); },
                 [&](const program::Assume& a) {
                   check_guess(a.condition);
                   narrow(condition(a.condition));
                 },
                 [&](const program::Check& a) {
                   check(condition(a.condition), program::fault_of(a.kind), a.what);
                 },
                 [&](const program::CheckNeighbourhood& a) { check_neighbourhood(a); },
                 [&](const program::Load& a) { load(a); },
                 [&](const program::Store& a) { store(a); },
                 [&](const program::LoadExclusive&) { trap("exclusive load or store"); },
                 [&](const program::StoreExclusive&) { trap("exclusive load or store"); },
                 [&](const program::ReadModifyWrite& a) { read_modify_write(a); },
                 [&](const program::CompareExchange& a) { compare_exchange(a); },
                 [](const program::Fence&) {},
                 [&](const program::Allocate& a) { allocate(a); },
                 [&](const program::Free& a) { free_block(a); },
                 [&](const program::BlockSize& a) { block_size(a); },
                 [&](const program::Call& a) {
                   if (Status status = call(a); !status)
                     wrong = status.error();
                 },
                 [&](const program::Return& a) {
                   if (frames_.size() == 1)
                     return end_run();
                   path_.result =
                       a.value ? widened(evaluate(*a.value), 64) : terms_.constant(0, 64);
                   frames_.back().returns.push_back(path_);
                   Paths::kill(path_);
                 },
                 [&](const program::Synchronize& a) { synchronize(a); },
                 [](const program::AtomicBegin&) {},
                 [](const program::AtomicEnd&) {},
                 [](const program::Hint&) {},
                 [&](const program::ThreadExit&) { end_run(); },
                 [&](const program::Exit&) { end_run(); },
                 [&](const program::Cut& a) { stop(Goal::Kind::kCut, FaultKind::kCut, a.bound); },
                 [&](const program::Trap& a) { trap(a.what); },
             },
             edge.action);
  if (wrong)
    return *wrong;
  return Done{};
}

} // namespace heddle::engine::bounded
