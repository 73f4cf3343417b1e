// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "program/run/compiled_expression.h"

#include "program/model/action.h"
#include "support/check.h"

#include <span>
#include <unordered_map>

namespace heddle::program {

namespace {

using logic::Op;

enum class Table : std::uint32_t { kLocal, kTemporary, kConstant, kSelf };
constexpr unsigned kTableShift = 30;
constexpr std::uint32_t kIndexMask = (1U << kTableShift) - 1;
/// Expressions with up to that many operations need no memory of their own.
constexpr std::size_t kSmall = 48;

ArgumentPlace place_of(Table table, std::size_t index) {
  HEDDLE_CHECK(index <= kIndexMask, "an expression table is full");
  return static_cast<std::uint32_t>(table) << kTableShift | static_cast<std::uint32_t>(index);
}

} // namespace

Expression ExpressionTable::compile(const logic::TermStore& terms, logic::Term term) {
  const logic::Node root = terms.node(term);
  Expression result;
  result.mask = root.sort.is_bool() ? 1 : logic::mask_of(root.sort.width);
  const auto is_local = [&](logic::Term part) {
    return terms.node(part).op == Op::kVariable && terms.node(part).value != kSelfVariable;
  };
  if (root.op == Op::kConstant) {
    result.constant = root.value;
    return result;
  }
  if (root.op == Op::kVariable) {
    result.kind = is_local(term) ? Expression::Kind::kLocal : Expression::Kind::kSelf;
    result.local = static_cast<std::uint32_t>(root.value);
    return result;
  }
  if (root.op == Op::kAdd || root.op == Op::kSub) {
    const logic::Term a = terms.arguments(term)[0];
    const logic::Term b = terms.arguments(term)[1];
    const bool constant_first = root.op == Op::kAdd && terms.is_constant(a) && is_local(b);
    if (constant_first || (is_local(a) && terms.is_constant(b))) {
      const std::uint64_t value = terms.node(constant_first ? a : b).value;
      result.kind = Expression::Kind::kLocalPlusConstant;
      result.local = static_cast<std::uint32_t>(terms.node(constant_first ? b : a).value);
      result.constant = root.op == Op::kSub ? 0 - value : value;
      return result;
    }
  }
  result.kind = Expression::Kind::kOperations;
  result.first = static_cast<std::uint32_t>(operations_.size());
  std::unordered_map<logic::Term, ArgumentPlace> places;
  std::vector<logic::Term> pending = {term};
  std::uint32_t temporaries = 0;
  while (!pending.empty()) {
    const logic::Term current = pending.back();
    if (places.contains(current)) {
      pending.pop_back();
      continue;
    }
    const logic::Node& node = terms.node(current);
    if (node.op == Op::kConstant) {
      places.emplace(current, place_of(Table::kConstant, constants_.size()));
      constants_.push_back(node.value);
      continue;
    }
    if (node.op == Op::kVariable) {
      places.emplace(current,
                     is_local(current) ? place_of(Table::kLocal, node.value)
                                       : place_of(Table::kSelf, 0));
      continue;
    }
    const std::span<const logic::Term> parts = terms.arguments(current);
    const std::size_t before = pending.size();
    for (const logic::Term part : parts)
      if (!places.contains(part))
        pending.push_back(part);
    if (pending.size() != before)
      continue;
    Operation operation;
    operation.op = node.op;
    operation.width = node.sort.width;
    operation.argument_width = terms.sort(parts[0]).width;
    operation.low = static_cast<std::uint8_t>(node.value);
    operation.a = places.at(parts[0]);
    if (parts.size() > 1)
      operation.b = places.at(parts[1]);
    if (parts.size() > 2)
      operation.c = places.at(parts[2]);
    HEDDLE_CHECK(parts.size() <= 3, "an operation of more than three arguments");
    operations_.push_back(operation);
    places.emplace(current, place_of(Table::kTemporary, temporaries++));
    pending.pop_back();
  }
  result.count = temporaries;
  return result;
}

void ExpressionTable::evaluate_into(const Expression& expression,
                                    const std::uint64_t* locals,
                                    std::uint64_t self,
                                    std::uint64_t* temporaries) const {
  const auto value = [&](ArgumentPlace place) {
    const std::uint32_t index = place & kIndexMask;
    switch (static_cast<Table>(place >> kTableShift)) {
    case Table::kLocal:
      return locals[index];
    case Table::kTemporary:
      return temporaries[index];
    case Table::kConstant:
      return constants_[index];
    case Table::kSelf:
      return self;
    }
    return self;
  };
  for (std::uint32_t i = 0; i < expression.count; ++i) {
    const Operation& operation = operations_[expression.first + i];
    const std::uint64_t mask = logic::mask_of(operation.width);
    const std::uint64_t a = value(operation.a);
    std::uint64_t result = 0;
    // The frequent ones here; the rest, and their definition, in logic::apply.
    switch (operation.op) {
    case Op::kNot:
      result = a ^ 1U;
      break;
    case Op::kAnd:
    case Op::kBitAnd:
      result = a & value(operation.b);
      break;
    case Op::kOr:
    case Op::kBitOr:
      result = a | value(operation.b);
      break;
    case Op::kEqual:
      result = a == value(operation.b) ? 1 : 0;
      break;
    case Op::kULt:
      result = a < value(operation.b) ? 1 : 0;
      break;
    case Op::kULe:
      result = a <= value(operation.b) ? 1 : 0;
      break;
    case Op::kSLt:
      result = logic::sign_extended(a, operation.argument_width) <
                       logic::sign_extended(value(operation.b), operation.argument_width)
                   ? 1
                   : 0;
      break;
    case Op::kSLe:
      result = logic::sign_extended(a, operation.argument_width) <=
                       logic::sign_extended(value(operation.b), operation.argument_width)
                   ? 1
                   : 0;
      break;
    case Op::kIte:
      result = a != 0 ? value(operation.b) : value(operation.c);
      break;
    case Op::kAdd:
      result = (a + value(operation.b)) & mask;
      break;
    case Op::kSub:
      result = (a - value(operation.b)) & mask;
      break;
    case Op::kMul:
      result = (a * value(operation.b)) & mask;
      break;
    case Op::kExtract:
      result = (a >> operation.low) & mask;
      break;
    case Op::kZeroExtend:
      result = a;
      break;
    case Op::kSignExtend:
      result = static_cast<std::uint64_t>(logic::sign_extended(a, operation.argument_width)) & mask;
      break;
    case Op::kConstant:
    case Op::kVariable:
    case Op::kUDiv:
    case Op::kURem:
    case Op::kSDiv:
    case Op::kSRem:
    case Op::kBitXor:
    case Op::kBitNot:
    case Op::kNegate:
    case Op::kShl:
    case Op::kLShr:
    case Op::kAShr:
    case Op::kConcat: {
      const bool is_binary = operation.op != Op::kBitNot && operation.op != Op::kNegate;
      const std::uint64_t arguments[2] = {a, is_binary ? value(operation.b) : 0};
      result = logic::apply(operation.op,
                            logic::Sort{operation.width},
                            logic::Sort{operation.argument_width},
                            operation.low,
                            std::span<const std::uint64_t>(arguments, is_binary ? 2 : 1));
      break;
    }
    }
    temporaries[i] = result;
  }
}

std::uint64_t ExpressionTable::evaluate_operations(const Expression& expression,
                                                   const std::uint64_t* locals,
                                                   std::uint64_t self) const {
  if (expression.count <= kSmall) {
    std::uint64_t temporaries[kSmall];
    evaluate_into(expression, locals, self, temporaries);
    return temporaries[expression.count - 1];
  }
  std::vector<std::uint64_t> temporaries(expression.count);
  evaluate_into(expression, locals, self, temporaries.data());
  return temporaries.back();
}

} // namespace heddle::program
