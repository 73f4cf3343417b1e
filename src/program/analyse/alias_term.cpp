// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a term may be an address of. A plain copy keeps what it copies; sums are looked at as linear
// forms; bits taken out of an address are "any", which is harmless until somebody uses it as an
// address.
#include "program/analyse/alias.h"
#include "support/check.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace heddle::program {

namespace {

/// Deeper terms count as "any".
constexpr unsigned kDeepest = 200;
/// A guarded sum whose base is a guarded sum, and so on, is followed a few times only.
constexpr unsigned kGuardDepth = 40;
/// Constant addresses that close to the end of the address space lie in the gap behind the last
/// block there can be.
constexpr std::uint64_t kErrorNumbers = 4096;

/// How far apart the multiples of a coefficient are. Modulo 2^w only a power of two is kept, unless
/// the product cannot wrap: its factor is a shorter number, or a check has bounded it.
std::uint64_t stride_of(const logic::TermStore& terms,
                        Term atom,
                        std::uint64_t coefficient,
                        unsigned width,
                        bool is_bounded) {
  const std::int64_t factor = logic::sign_extended(coefficient, width);
  const std::uint64_t size =
      factor < 0 ? ~static_cast<std::uint64_t>(factor) + 1 : static_cast<std::uint64_t>(factor);
  const logic::Node& node = terms.node(atom);
  const bool is_extension = node.op == logic::Op::kZeroExtend || node.op == logic::Op::kSignExtend;
  // Larger elements than the smallest unit are not checked (build_compute.cpp).
  if (is_bounded && size < (1ULL << 16U))
    return size;
  if (is_extension && width == 64 && terms.sort(terms.arguments(atom)[0]).width <= 32 &&
      size < (1ULL << 30U))
    return size;
  return size & (~size + 1);
}

} // namespace

ConstantAddresses::ConstantAddresses(const Program& program) : program_(program) {
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const Object& object = program.objects[ObjectId{i}];
    if (object.kind == Object::Kind::kGlobal || object.kind == Object::Kind::kThreadLocal)
      by_unit_.emplace(object.unit, ObjectId{i});
  }
}

AliasValue ConstantAddresses::value(std::uint64_t number, unsigned width) const {
  const unsigned bits = program_.pointer_bits();
  if (width < bits)
    return AliasValue::number();
  const std::uint64_t address = number & logic::mask_of(bits);
  const AddressSpace space = program_.space();
  const std::uint64_t unit = space.unit_of(address);
  if (unit == 0 || address >= logic::mask_of(bits) - kErrorNumbers)
    return AliasValue::number();
  if (unit == AddressSpace::kCodeUnit) {
    for (std::size_t i = 0; i < program_.procedures.size(); ++i)
      if (space.function_address(static_cast<std::uint32_t>(i)) == address)
        return AliasValue::procedure(ProcedureId{i});
    return AliasValue::number();
  }
  if (unit < AddressSpace::kFirstFrameUnit) {
    auto entry = by_unit_.upper_bound(unit);
    if (entry == by_unit_.begin())
      return AliasValue::number();
    const ObjectId id = std::prev(entry)->second;
    const Object& object = program_.objects[id];
    const std::uint64_t units = space.units_for(object.size);
    const std::uint64_t instances = object.kind == Object::Kind::kGlobal ? 1 : kMaxThreads;
    if (unit < object.unit + units * instances) {
      const std::uint64_t base = space.base_of(object.unit + (unit - object.unit) / units * units);
      return AliasValue::object(id, {static_cast<std::int64_t>(address - base), 0});
    }
    return AliasValue::number();
  }
  // Frames and the heap: who knows the number may touch what is there.
  const std::uint64_t end =
      AddressSpace::kFirstHeapUnit + kMaxThreads * AddressSpace::kHeapUnitsPerThread;
  return unit < end ? AliasValue::any() : AliasValue::number();
}

std::optional<OwnPlace> own_place(const Program& program, const LinearForm& address) {
  if (address.coefficients.size() != 1)
    return std::nullopt;
  const auto& [atom, coefficient] = *address.coefficients.begin();
  Term self = atom;
  if (program.terms.node(self).op == logic::Op::kExtract && program.terms.node(self).value == 0)
    self = program.terms.arguments(self)[0];
  const logic::Node& node = program.terms.node(self);
  if (node.op != logic::Op::kVariable || node.value != kSelfVariable)
    return std::nullopt;
  const AddressSpace space = program.space();
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const Object& object = program.objects[ObjectId{i}];
    const std::uint64_t units = space.units_for(object.size);
    const std::uint64_t unit = space.unit_of(address.constant);
    if (object.kind == Object::Kind::kThreadLocal && unit >= object.unit &&
        unit < object.unit + units &&
        coefficient == ((units * space.unit_size()) & logic::mask_of(address.width)))
      return OwnPlace{ObjectId{i},
                      static_cast<std::int64_t>(address.constant - space.base_of(object.unit))};
  }
  return std::nullopt;
}

/// A pointer moved by a known number of bytes. As an address it stays in the gap around its object
/// (build.h checks any larger step). As a value it might be moved again and again: only one exact
/// step from an exact place is followed.
AliasValue PointsTo::stepped(const AliasValue& from, std::int64_t distance, Role role) const {
  if (from.is_any() || distance == 0)
    return from;
  const auto quarter = static_cast<std::int64_t>(program_.space().unit_size() / 4);
  if (distance > quarter || distance < -quarter)
    return from.has_address() || role == Role::kValue ? AliasValue::any() : from;
  AliasValue result;
  for (const auto& [target, offsets] : from.targets()) {
    if (role == Role::kValue) {
      if (target.kind != Target::Kind::kObject || offsets.stride != 0)
        return AliasValue::any();
      const auto size =
          static_cast<std::int64_t>(program_.objects[ObjectId{std::size_t{target.index}}].size);
      const std::int64_t place = offsets.first + distance;
      if (place < -quarter || place > size + quarter)
        return AliasValue::any();
    }
    result.add(target, offsets.shifted(distance));
  }
  return result;
}

std::uint64_t PointsTo::factor_of(ProcedureId procedure, Term atom) const {
  const logic::Node& node = program_.terms.node(atom);
  const std::vector<std::uint64_t>& factors = factors_[procedure];
  // More than an element's size is of no use, and could wrap around.
  constexpr std::uint64_t kLargest = 1U << 16U;
  return node.op == logic::Op::kVariable && node.value < factors.size()
             ? std::min(factors[node.value], kLargest)
             : 1;
}

AliasValue PointsTo::guarded(ProcedureId procedure,
                             const Guard& guard,
                             const LinearForm& form,
                             unsigned depth) const {
  const LinearForm base = linear_form(program_.terms, guard.base);
  // What was added since the base: the difference of the forms.
  std::map<Term, std::uint64_t> added = form.coefficients;
  const std::uint64_t mask = logic::mask_of(form.width);
  for (const auto& [atom, coefficient] : base.coefficients)
    added[atom] = (added[atom] - coefficient) & mask;
  std::uint64_t stride = 0;
  for (const auto& [atom, coefficient] : added)
    if (coefficient != 0)
      stride = std::gcd(stride,
                        factor_of(procedure, atom) *
                            stride_of(program_.terms,
                                      atom,
                                      coefficient,
                                      form.width,
                                      bounded_indices_[procedure].contains(atom)));
  const std::int64_t distance =
      logic::sign_extended((form.constant - base.constant) & mask, form.width);
  const AliasValue from = evaluate(procedure, guard.base, Role::kAddress, depth);
  if (from.is_any())
    return from;
  AliasValue result;
  for (const auto& [target, offsets] : from.targets())
    result.add(target, offsets.shifted(distance).with_stride(stride));
  return result;
}

AliasValue PointsTo::sum(ProcedureId procedure, Term term, Role role, unsigned depth) const {
  const LinearForm form = linear_form(program_.terms, term);
  if (form.width != program_.pointer_bits())
    return AliasValue::any();
  if (form.coefficients.empty())
    return constants_.value(form.constant, form.width);
  if (const std::optional<OwnPlace> own = own_place(program_, form))
    return AliasValue::object(own->object, {own->offset, 0});
  const auto& [atom, coefficient] = *form.coefficients.begin();
  const auto found = guards_[procedure].find(form.variable_part());
  const bool is_guarded = found != guards_[procedure].end();
  // One variable and a number: a pointer moved by some bytes. (One variable and an address is an
  // indexed global.)
  const bool is_step = form.coefficients.size() == 1 && coefficient == 1 && atom != term &&
                       !constants_.value(form.constant, form.width).has_address();
  if (is_step) {
    const AliasValue from = evaluate(procedure, atom, role, depth);
    if (is_guarded && !from.is_any())
      for (const Guard& guard : found->second)
        if (guard.is_step && guard.result == form) {
          AliasValue result;
          for (const auto& [target, offsets] : from.targets())
            result.add(target, offsets.shifted(form.offset()));
          return result;
        }
    return stepped(from, form.offset(), role);
  }
  AliasValue result;
  bool has_guard = false;
  const std::uint64_t mask = logic::mask_of(form.width);
  const auto quarter = static_cast<std::int64_t>(program_.space().unit_size() / 4);
  if (is_guarded)
    for (const Guard& guard : found->second) {
      // The same variables may be an index into several objects: the guard of this one is close by.
      const std::int64_t distance =
          logic::sign_extended((form.constant - guard.result.constant) & mask, form.width);
      if (guard.is_step || distance > quarter || distance < -quarter)
        continue;
      has_guard = true;
      result.join(guarded(procedure, guard, form, depth + kGuardDepth));
    }
  return has_guard ? result : AliasValue::any();
}

/// Is it below the first unit that holds anything, whatever its variables are?
bool PointsTo::is_small(Term term) const {
  const logic::TermStore& terms = program_.terms;
  const logic::Node& node = terms.node(term);
  const std::uint64_t limit = program_.space().unit_size();
  const auto arguments = terms.arguments(term);
  const auto constant_argument = [&](std::size_t i) -> std::optional<std::uint64_t> {
    if (i < arguments.size() && terms.is_constant(arguments[i]))
      return terms.node(arguments[i]).value;
    return std::nullopt;
  };
  if (node.sort.width <= program_.space().unit_shift)
    return true;
  if (node.op == logic::Op::kConstant)
    return node.value < limit;
  if (node.op == logic::Op::kZeroExtend)
    return is_small(arguments[0]);
  if (node.op == logic::Op::kBitAnd)
    return (constant_argument(0) && *constant_argument(0) < limit) ||
           (constant_argument(1) && *constant_argument(1) < limit);
  if (node.op == logic::Op::kURem)
    return constant_argument(1) && *constant_argument(1) != 0 && *constant_argument(1) <= limit;
  if (node.op == logic::Op::kLShr)
    return constant_argument(1) &&
           *constant_argument(1) + program_.space().unit_shift >= node.sort.width;
  return false;
}

AliasValue PointsTo::extended(ProcedureId procedure, Term term, Role role, unsigned depth) const {
  const logic::TermStore& terms = program_.terms;
  const Term inner = terms.arguments(term)[0];
  const unsigned given = terms.sort(inner).width;
  const bool is_signed = terms.node(term).op == logic::Op::kSignExtend;
  if (given >= program_.pointer_bits())
    return evaluate(procedure, inner, role, depth);
  // Short numbers lie in null's unit, or (signed) at the end of the address space, where nothing
  // is: beyond all units for LP64, and in the last gap for ILP32 if they are bytes.
  const unsigned harmless = !is_signed                      ? program_.space().unit_shift
                            : program_.pointer_bits() == 64 ? 32U
                                                            : 8U;
  return given <= harmless ? AliasValue::number() : AliasValue::any();
}

/// Low bits set, cleared or flipped: tags and alignment.
AliasValue PointsTo::masked(ProcedureId procedure, Term term, unsigned depth) const {
  const logic::TermStore& terms = program_.terms;
  constexpr std::uint64_t kTagBits = 4096;
  const unsigned width = terms.sort(term).width;
  for (std::size_t i = 0; i < 2; ++i) {
    const Term mask = terms.arguments(term)[i];
    if (!terms.is_constant(mask))
      continue;
    std::uint64_t bits = terms.node(mask).value;
    if (terms.node(term).op == logic::Op::kBitAnd)
      bits = ~bits & logic::mask_of(width);
    if (bits >= kTagBits)
      return AliasValue::any();
    const AliasValue from = evaluate(procedure, terms.arguments(term)[1 - i], Role::kValue, depth);
    if (from.is_any())
      return from;
    AliasValue result;
    for (const auto& [target, offsets] : from.targets())
      result.add(target, Offsets::anywhere());
    return result;
  }
  return AliasValue::any();
}

AliasValue PointsTo::evaluate(ProcedureId procedure, Term term, Role role, unsigned depth) const {
  if (depth >= kDeepest)
    return AliasValue::any();
  const logic::TermStore& terms = program_.terms;
  const logic::Node& node = terms.node(term);
  switch (node.op) {
  case logic::Op::kConstant:
    return constants_.value(node.value, node.sort.width);
  case logic::Op::kVariable:
    if (node.value == kSelfVariable)
      return AliasValue::number();
    return locals_[procedure][node.value];
  case logic::Op::kIte: {
    AliasValue both = evaluate(procedure, terms.arguments(term)[1], role, depth + 1);
    both.join(evaluate(procedure, terms.arguments(term)[2], role, depth + 1));
    return both;
  }
  case logic::Op::kAdd:
  case logic::Op::kSub:
  case logic::Op::kMul:
  case logic::Op::kShl:
  case logic::Op::kNegate:
    return is_small(term) ? AliasValue::any() : sum(procedure, term, role, depth + 1);
  case logic::Op::kZeroExtend:
  case logic::Op::kSignExtend:
    return extended(procedure, term, role, depth + 1);
  case logic::Op::kExtract:
    if (node.value == 0 && node.sort.width >= program_.pointer_bits())
      return evaluate(procedure, terms.arguments(term)[0], role, depth + 1);
    return AliasValue::any();
  case logic::Op::kBitAnd:
  case logic::Op::kBitOr:
  case logic::Op::kBitXor:
    if (node.sort.width == program_.pointer_bits() && is_small(term))
      return AliasValue::number();
    return masked(procedure, term, depth + 1);
  case logic::Op::kURem:
  case logic::Op::kLShr:
    return node.sort.width == program_.pointer_bits() && is_small(term) ? AliasValue::number()
                                                                        : AliasValue::any();
  case logic::Op::kNot:
  case logic::Op::kAnd:
  case logic::Op::kOr:
  case logic::Op::kEqual:
  case logic::Op::kULt:
  case logic::Op::kULe:
  case logic::Op::kSLt:
  case logic::Op::kSLe:
  case logic::Op::kUDiv:
  case logic::Op::kSDiv:
  case logic::Op::kSRem:
  case logic::Op::kBitNot:
  case logic::Op::kAShr:
  case logic::Op::kConcat:
    return AliasValue::any();
  }
  return AliasValue::any();
}

} // namespace heddle::program
