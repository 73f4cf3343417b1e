// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Registers, folding and the checks of pure operations. The invariant of folding: a pending term,
// read with the locals' present values, is the register's value. It is kept by writing a pending
// register down before any local it speaks of changes; a folded register has one definition, so it
// is never itself the thing that changes.
#include "ir/operands.h"
#include "program/build/build_procedure.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::program {

namespace {

/// A folded term used more than once is written down if its tree has more nodes than this: terms
/// share, but what engines make of them may not.
constexpr std::size_t kLargestRepeatedTree = 6;

std::optional<logic::Op> binary_op(ir::Op op) {
  switch (op) {
  case ir::Op::kAdd:
  case ir::Op::kPtrAdd:
    return logic::Op::kAdd;
  case ir::Op::kSub:
    return logic::Op::kSub;
  case ir::Op::kMul:
    return logic::Op::kMul;
  case ir::Op::kUDiv:
    return logic::Op::kUDiv;
  case ir::Op::kSDiv:
    return logic::Op::kSDiv;
  case ir::Op::kURem:
    return logic::Op::kURem;
  case ir::Op::kSRem:
    return logic::Op::kSRem;
  case ir::Op::kShl:
    return logic::Op::kShl;
  case ir::Op::kLShr:
    return logic::Op::kLShr;
  case ir::Op::kAShr:
    return logic::Op::kAShr;
  case ir::Op::kAnd:
    return logic::Op::kBitAnd;
  case ir::Op::kOr:
    return logic::Op::kBitOr;
  case ir::Op::kXor:
    return logic::Op::kBitXor;
  case ir::Op::kULt:
    return logic::Op::kULt;
  case ir::Op::kULe:
    return logic::Op::kULe;
  case ir::Op::kSLt:
    return logic::Op::kSLt;
  case ir::Op::kSLe:
    return logic::Op::kSLe;
  case ir::Op::kCopy:
  case ir::Op::kEq:
  case ir::Op::kNe:
  case ir::Op::kZExt:
  case ir::Op::kSExt:
  case ir::Op::kTrunc:
  case ir::Op::kSelect:
    return std::nullopt;
  }
  return std::nullopt;
}

const char* operation_name(ir::Op op) {
  switch (op) {
  case ir::Op::kAdd:
    return "addition";
  case ir::Op::kSub:
    return "subtraction";
  case ir::Op::kMul:
    return "multiplication";
  case ir::Op::kShl:
    return "left shift";
  case ir::Op::kSDiv:
    return "division";
  case ir::Op::kSRem:
    return "remainder";
  case ir::Op::kCopy:
  case ir::Op::kUDiv:
  case ir::Op::kURem:
  case ir::Op::kLShr:
  case ir::Op::kAShr:
  case ir::Op::kAnd:
  case ir::Op::kOr:
  case ir::Op::kXor:
  case ir::Op::kEq:
  case ir::Op::kNe:
  case ir::Op::kULt:
  case ir::Op::kULe:
  case ir::Op::kSLt:
  case ir::Op::kSLe:
  case ir::Op::kZExt:
  case ir::Op::kSExt:
  case ir::Op::kTrunc:
  case ir::Op::kSelect:
  case ir::Op::kPtrAdd:
    return "operation";
  }
  return "operation";
}

} // namespace

unsigned ProcedureBuilder::width_of(ir::RegisterId id) const {
  return module_.bits(function_.registers[id].type);
}

unsigned ProcedureBuilder::width_of(const ir::Operand& operand) const {
  if (const auto* constant = std::get_if<ir::Constant>(&operand))
    return module_.bits(constant->type);
  if (const auto* id = std::get_if<ir::RegisterId>(&operand))
    return width_of(*id);
  return program_.pointer_bits();
}

LocalId ProcedureBuilder::local_of(ir::RegisterId id) {
  if (const auto found = retargeted_.find(id); found != retargeted_.end())
    return local_of(found->second);
  if (!locals_[id].is_valid()) {
    const ir::Register& reg = function_.registers[id];
    locals_[id] = procedure_.locals.push_back(
        Local{reg.name, static_cast<std::uint8_t>(width_of(id)), reg.loc});
  }
  return locals_[id];
}

LocalId ProcedureBuilder::temporary(unsigned width) {
  return procedure_.locals.push_back(Local{"", static_cast<std::uint8_t>(width), {}});
}

Term ProcedureBuilder::variable(LocalId local) {
  return terms_.variable(local.value, logic::Sort{procedure_.locals[local].width});
}

Term ProcedureBuilder::adapt(Term term, unsigned width) {
  const unsigned given = terms_.sort(term).width;
  if (given == width)
    return term;
  return given < width ? terms_.zero_extend(term, width) : terms_.extract(term, 0, width);
}

Term ProcedureBuilder::address_of(const ir::GlobalAddress& address) {
  const Object& object = program_.objects[symbols_.objects[address.global]];
  const AddressSpace space = program_.space();
  const unsigned width = program_.pointer_bits();
  const std::uint64_t base =
      space.base_of(object.unit) + static_cast<std::uint64_t>(address.offset);
  const Term constant = terms_.constant(base & logic::mask_of(width), width);
  if (object.kind == Object::Kind::kGlobal)
    return constant;
  // This thread's instance lies as many instances further as the thread's index says.
  const std::uint64_t stride = space.units_for(object.size) * space.unit_size();
  const Term self = adapt(terms_.variable(kSelfVariable, logic::Sort{64}), width);
  return terms_.binary(
      logic::Op::kAdd,
      terms_.binary(logic::Op::kMul, self, terms_.constant(stride & logic::mask_of(width), width)),
      constant);
}

Term ProcedureBuilder::value(const ir::Operand& operand) {
  return std::visit(
      Overloaded{
          [&](const ir::Constant& constant) {
            const unsigned width = module_.bits(constant.type);
            return terms_.constant(constant.value & logic::mask_of(width), width);
          },
          [&](const ir::RegisterId& id) {
            const auto found = pending_.find(id);
            return found == pending_.end() ? variable(local_of(id)) : found->second.value;
          },
          [&](const ir::GlobalAddress& address) { return address_of(address); },
          [&](const ir::FunctionAddress& address) {
            const ProcedureId procedure = symbols_.procedures[address.function];
            HEDDLE_CHECK(procedure.is_valid(), "the address of a function that was left out");
            return terms_.constant(program_.space().function_address(procedure.value),
                                   program_.pointer_bits());
          },
          [&](const ir::SlotAddress& address) { return variable(slots_[address.slot]); },
      },
      operand);
}

Term ProcedureBuilder::condition(const ir::Operand& operand) {
  const Term bit = value(operand);
  if (terms_.sort(bit).width == 1)
    return terms_.to_bool(bit);
  return terms_.not_(terms_.equal(bit, terms_.constant(0, terms_.sort(bit).width)));
}

std::size_t ProcedureBuilder::tree_size(const ir::Operand& operand) const {
  if (const auto* id = std::get_if<ir::RegisterId>(&operand))
    if (const auto found = pending_.find(*id); found != pending_.end())
      return found->second.tree_size;
  return 1;
}

void ProcedureBuilder::materialise(ir::RegisterId id) {
  const Pending pending = pending_.at(id);
  pending_.erase(id);
  if (pending.unchecked_from)
    emit(CheckNeighbourhood{*pending.unchecked_from, pending.value});
  emit(Assign{local_of(id), pending.value});
}

LocalId ProcedureBuilder::destination(ir::RegisterId id) {
  const LocalId local = local_of(id);
  std::vector<ir::RegisterId> affected;
  for (const auto& [reg, pending] : pending_) {
    if (uses_[reg].last_use <= index_)
      continue;
    std::vector<std::uint64_t> numbers = terms_.variables(pending.value);
    if (pending.unchecked_from) {
      const std::vector<std::uint64_t> more = terms_.variables(*pending.unchecked_from);
      numbers.insert(numbers.end(), more.begin(), more.end());
    }
    if (std::find(numbers.begin(), numbers.end(), local.value) != numbers.end())
      affected.push_back(reg);
  }
  for (const ir::RegisterId reg : affected)
    materialise(reg);
  return local;
}

void ProcedureBuilder::emit_check(Term holds, CheckKind kind, std::string what) {
  if (terms_.is_constant(holds) && terms_.node(holds).value != 0)
    return;
  emit(Check{holds, kind, std::move(what)});
}

void ProcedureBuilder::check_defined(const ir::Compute& instruction,
                                     const std::vector<Term>& operands) {
  const ir::Op op = instruction.op;
  const bool is_signed_division = op == ir::Op::kSDiv || op == ir::Op::kSRem;
  if (is_signed_division || op == ir::Op::kUDiv || op == ir::Op::kURem) {
    const Term zero = terms_.constant(0, terms_.sort(operands[1]).width);
    emit_check(terms_.not_(terms_.equal(operands[1], zero)),
               CheckKind::kDivisionByZero,
               "division by zero");
  }
  // The smallest number divided by -1 traps like a division by zero, asked or not.
  if (is_signed_division)
    emit_check(division_fits(terms_, operands[0], operands[1]),
               options_.check_overflow ? CheckKind::kSignedOverflow : CheckKind::kDivisionByZero,
               fmt::format("signed {} overflows", operation_name(op)));
  if (op == ir::Op::kShl || op == ir::Op::kLShr || op == ir::Op::kAShr)
    emit_check(shift_in_range(terms_, operands[1]),
               CheckKind::kOversizedShift,
               "shift by at least the width");
  if (instruction.no_signed_wrap && options_.check_overflow && !is_signed_division &&
      operands.size() == 2)
    emit_check(no_signed_overflow(terms_, op, operands[0], operands[1]),
               CheckKind::kSignedOverflow,
               fmt::format("signed {} overflows", operation_name(op)));
}

/// Known without running: the base is the address of a global or of a slot, and the result a
/// constant away from it.
bool ProcedureBuilder::stays_in_neighbourhood(Term base, Term result) const {
  const AddressSpace space = program_.space();
  const auto quarter = static_cast<std::int64_t>(space.unit_size() / 4);
  const auto close = [&](std::int64_t offset, std::uint64_t size) {
    return offset >= -quarter / 2 && offset <= static_cast<std::int64_t>(size) + quarter / 2;
  };
  if (terms_.is_constant(base) && terms_.is_constant(result)) {
    const std::uint64_t unit = space.unit_of(terms_.node(base).value);
    for (const Object& object : program_.objects)
      if (object.kind == Object::Kind::kGlobal && unit >= object.unit &&
          unit < object.unit + space.units_for(object.size))
        return close(
            static_cast<std::int64_t>(terms_.node(result).value - space.base_of(object.unit)),
            object.size);
    return false;
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const LocalId slot = slots_[ir::SlotId{i}];
    const logic::Node& node = terms_.node(base);
    if (node.op != logic::Op::kVariable || node.value != slot.value)
      continue;
    if (result == base)
      return true;
    const logic::Node& sum = terms_.node(result);
    if (sum.op != logic::Op::kAdd)
      return false;
    std::optional<std::int64_t> offset;
    for (const Term argument : terms_.arguments(result))
      if (terms_.is_constant(argument))
        offset = logic::sign_extended(terms_.node(argument).value, terms_.sort(argument).width);
    const auto arguments = terms_.arguments(result);
    const bool has_base = std::find(arguments.begin(), arguments.end(), base) != arguments.end();
    return arguments.size() == 2 && has_base && offset &&
           close(*offset, function_.slots[ir::SlotId{i}].size);
  }
  return false;
}

/// An index times a size that is no power of two could wrap around the address space and come out
/// between two elements. C has no such pointers; saying so keeps the elements' fields apart
/// (alias.h). Short numbers cannot wrap.
void ProcedureBuilder::check_index(Term distance) {
  const LinearForm form = linear_form(terms_, distance);
  for (const auto& [index, coefficient] : form.coefficients) {
    const std::int64_t factor = logic::sign_extended(coefficient, form.width);
    const auto size = static_cast<std::uint64_t>(factor < 0 ? -factor : factor);
    const logic::Op op = terms_.node(index).op;
    const bool is_short = (op == logic::Op::kSignExtend || op == logic::Op::kZeroExtend) &&
                          form.width == 64 && terms_.sort(terms_.arguments(index)[0]).width <= 32;
    if ((size & (size - 1)) == 0 || is_short || size >= program_.space().unit_size())
      continue;
    const std::uint64_t limit =
        (1ULL << (form.width - 1)) / (size * form.coefficients.size() + form.coefficients.size()) -
        1;
    emit_check(
        terms_.binary(logic::Op::kULt,
                      terms_.binary(logic::Op::kAdd, index, terms_.constant(limit, form.width)),
                      terms_.constant(2 * limit + 1, form.width)),
        CheckKind::kPointerArithmetic,
        "an index leaves the address space");
  }
}

/// A constant step that only serves as an address goes unchecked as long as the steps since the
/// last checked pointer stay within the free quarter beside every object: it can then reach nothing
/// but its own object or the gap next to it. Any other step, and any that is kept, is checked
/// against where the steps began.
Term ProcedureBuilder::pointer_step(const ir::Compute& instruction,
                                    Term base,
                                    Term index,
                                    Pending& result) {
  Term from = base;
  if (const auto* id = std::get_if<ir::RegisterId>(&instruction.operands[0]))
    if (const auto found = pending_.find(*id);
        found != pending_.end() && found->second.unchecked_from)
      from = *found->second.unchecked_from;
  Term sum = terms_.binary(logic::Op::kAdd, base, index);
  if (sum == from || stays_in_neighbourhood(from, sum))
    return sum;
  const Term distance = terms_.binary(logic::Op::kSub, sum, from);
  if (terms_.is_constant(distance)) {
    const std::int64_t bytes =
        logic::sign_extended(terms_.node(distance).value, terms_.sort(distance).width);
    const auto reach = static_cast<std::int64_t>(program_.space().unit_size() / 8);
    const RegisterUse& use = uses_[instruction.dest];
    if (bytes >= -reach && bytes <= reach && use.is_foldable && use.is_only_address) {
      result.unchecked_from = from;
      return sum;
    }
  }
  if (integer_sums_.contains(linear_form(terms_, sum).variable_part())) {
    const LocalId apart = temporary(terms_.sort(from).width);
    emit(Assign{apart, from});
    sum = terms_.binary(logic::Op::kAdd, variable(apart), distance);
    from = variable(apart);
  }
  pointer_sums_.insert(linear_form(terms_, sum).variable_part());
  check_index(distance);
  emit(CheckNeighbourhood{from, sum});
  return sum;
}

Term ProcedureBuilder::compute_term(const ir::Compute& instruction,
                                    const std::vector<Term>& operands) {
  const unsigned width = width_of(instruction.dest);
  switch (instruction.op) {
  case ir::Op::kCopy:
  case ir::Op::kZExt:
  case ir::Op::kTrunc:
    return adapt(operands[0], width);
  case ir::Op::kSExt:
    return terms_.sort(operands[0]).width < width ? terms_.sign_extend(operands[0], width)
                                                  : adapt(operands[0], width);
  case ir::Op::kEq:
    return terms_.to_bit(terms_.equal(operands[0], operands[1]));
  case ir::Op::kNe:
    return terms_.to_bit(terms_.not_(terms_.equal(operands[0], operands[1])));
  case ir::Op::kSelect:
    return terms_.ite(terms_.to_bool(operands[0]), operands[1], operands[2]);
  case ir::Op::kULt:
  case ir::Op::kULe:
  case ir::Op::kSLt:
  case ir::Op::kSLe:
    return terms_.to_bit(terms_.binary(*binary_op(instruction.op), operands[0], operands[1]));
  case ir::Op::kAdd:
  case ir::Op::kSub: {
    Term sum = terms_.binary(*binary_op(instruction.op), operands[0], operands[1]);
    if (width != program_.pointer_bits() || terms_.is_constant(sum))
      return sum;
    if (pointer_sums_.contains(linear_form(terms_, sum).variable_part())) {
      const LocalId apart = temporary(width);
      emit(Assign{apart, operands[0]});
      sum = terms_.binary(*binary_op(instruction.op), variable(apart), operands[1]);
    }
    integer_sums_.insert(linear_form(terms_, sum).variable_part());
    return sum;
  }
  case ir::Op::kMul:
  case ir::Op::kUDiv:
  case ir::Op::kSDiv:
  case ir::Op::kURem:
  case ir::Op::kSRem:
  case ir::Op::kShl:
  case ir::Op::kLShr:
  case ir::Op::kAShr:
  case ir::Op::kAnd:
  case ir::Op::kOr:
  case ir::Op::kXor:
  case ir::Op::kPtrAdd:
    return terms_.binary(*binary_op(instruction.op), operands[0], operands[1]);
  }
  HEDDLE_CHECK(false, "an operation that is none");
  return {};
}

namespace {

/// The locals of the operands that rewriting has removed from the result.
std::vector<LocalId>
lost_sources(const logic::TermStore& terms, const std::vector<Term>& operands, Term result) {
  if (operands.size() == 1 && operands.front() == result)
    return {}; // a copy
  const std::vector<std::uint64_t> kept = terms.variables(result);
  std::vector<LocalId> lost;
  for (const Term operand : operands)
    for (const std::uint64_t number : terms.variables(operand))
      if (number != kSelfVariable && !std::binary_search(kept.begin(), kept.end(), number) &&
          std::find(lost.begin(), lost.end(), LocalId{number}) == lost.end())
        lost.push_back(LocalId{number});
  return lost;
}

} // namespace

void ProcedureBuilder::compute(const ir::Compute& instruction) {
  // The register is already what this copies (retarget_copies).
  if (instruction.op == ir::Op::kCopy)
    if (const auto* source = std::get_if<ir::RegisterId>(&instruction.operands[0]))
      if (retargeted_.contains(*source))
        return;
  std::vector<Term> operands;
  Pending result;
  for (const ir::Operand& operand : instruction.operands) {
    operands.push_back(value(operand));
    result.tree_size += tree_size(operand);
  }
  check_defined(instruction, operands);
  result.value = instruction.op == ir::Op::kPtrAdd
                     ? pointer_step(instruction, operands[0], operands[1], result)
                     : compute_term(instruction, operands);
  const RegisterUse& use = uses_[instruction.dest];
  if (use.is_foldable) {
    if (use.uses == 0)
      return;
    pending_[instruction.dest] = result;
    if (use.uses > 1 && result.tree_size > kLargestRepeatedTree &&
        !terms_.is_constant(result.value))
      materialise(instruction.dest);
    return;
  }
  std::vector<LocalId> lost;
  if (options_.keep_registers)
    lost = lost_sources(terms_, operands, result.value);
  const LocalId dest = destination(instruction.dest);
  if (result.value != variable(dest) || !lost.empty())
    emit(Assign{dest, result.value, std::move(lost)});
}

} // namespace heddle::program
