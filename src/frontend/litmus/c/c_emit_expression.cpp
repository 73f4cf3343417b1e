// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Expressions, with C's conversions. Operators compute both sides like herd, except where the right
// side of && || ?: touches memory: that is then done only if C does it.
#include "frontend/litmus/c/c_emit.h"

#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

bool touches_memory(const CExpression& expression) {
  switch (expression.kind) {
  case CExpression::Kind::kDereference:
  case CExpression::Kind::kIndex:
  case CExpression::Kind::kCall:
  case CExpression::Kind::kPrimitive:
    return true;
  case CExpression::Kind::kNumber:
  case CExpression::Kind::kName:
  case CExpression::Kind::kUnary:
  case CExpression::Kind::kBinary:
  case CExpression::Kind::kConditional:
  case CExpression::Kind::kCast:
  case CExpression::Kind::kAddressOf:
  case CExpression::Kind::kOperator:
    break;
  }
  for (const CExpression& operand : expression.operands)
    if (touches_memory(operand))
      return true;
  return false;
}

bool is_comparison(const std::string& op) {
  return op == "==" || op == "!=" || op == "<" || op == ">" || op == "<=" || op == ">=";
}

/// The type both sides of an operator are brought to.
CType common(CType a, CType b) {
  if (a.is_pointer() || b.is_pointer())
    return {64, false, 0};
  if (a.bits != b.bits)
    return a.bits > b.bits ? a : b;
  return {a.bits, a.is_signed && b.is_signed, 0};
}

} // namespace

CEmitter::Value CEmitter::emit_expression(const CExpression& expression) {
  switch (expression.kind) {
  case CExpression::Kind::kNumber: {
    CType type{};
    const bool is_unsigned = expression.text.find_first_of("uU") != std::string::npos;
    const bool is_long = expression.text.find_first_of("lL") != std::string::npos;
    if (is_long || expression.value > (is_unsigned ? 0xffffffffU : 0x7fffffffU))
      type.bits = 64;
    type.is_signed = !is_unsigned && (expression.value >> 63) == 0;
    return constant(expression.value, locations_.adapt(type));
  }
  case CExpression::Kind::kName:
    return read_name(expression);
  case CExpression::Kind::kUnary:
    return emit_unary(expression);
  case CExpression::Kind::kBinary:
    return expression.text == "&&" || expression.text == "||" ? emit_logical(expression)
                                                              : emit_binary(expression);
  case CExpression::Kind::kConditional:
    return emit_conditional(expression);
  case CExpression::Kind::kCast:
    return emit_cast(expression);
  case CExpression::Kind::kDereference:
  case CExpression::Kind::kIndex: {
    const std::optional<Cell> cell = emit_cell(expression);
    return cell ? load(*cell, ir::Access{}, expression.loc) : Value{};
  }
  case CExpression::Kind::kAddressOf: {
    const std::optional<Cell> cell = emit_cell(expression.operands.front());
    return cell ? Value{cell->address, cell->type.pointer_to()} : Value{};
  }
  case CExpression::Kind::kCall:
    return emit_call(expression);
  case CExpression::Kind::kPrimitive:
    return emit_primitive(expression);
  case CExpression::Kind::kOperator:
    error(expression.loc, "LIT-232", "an operator is no value");
    return {};
  }
  return {};
}

CEmitter::Value CEmitter::emit_unary(const CExpression& expression) {
  const SourceLoc loc = expression.loc;
  const Value operand = emit_expression(expression.operands.front());
  if (expression.text == "!") {
    const Value condition = truth(operand, loc);
    const Value zero = constant(0, condition.type);
    if (operand.type.width() != 1) // one comparison instead of two
      return compute(ir::Op::kEq,
                     {operand.operand, constant(0, operand.type).operand},
                     CType{1, false, 0},
                     loc);
    return compute(ir::Op::kEq, {condition.operand, zero.operand}, condition.type, loc);
  }
  const Value number = promote(operand, loc);
  if (expression.text == "+")
    return number;
  if (const auto* literal = std::get_if<ir::Constant>(&number.operand))
    return constant(expression.text == "-" ? ~literal->value + 1 : ~literal->value, number.type);
  if (expression.text == "-")
    return compute(
        ir::Op::kSub, {constant(0, number.type).operand, number.operand}, number.type, loc);
  return compute(ir::Op::kXor,
                 {number.operand, constant(~std::uint64_t{0}, number.type).operand},
                 number.type,
                 loc);
}

CEmitter::Value CEmitter::emit_binary(const CExpression& expression) {
  const Value left = emit_expression(expression.operands.front());
  const Value right = emit_expression(expression.operands.back());
  if (is_comparison(expression.text))
    return comparison(expression.text, left, right, expression.loc);
  return arithmetic(expression.text, left, right, expression.loc);
}

CEmitter::Value CEmitter::comparison(const std::string& op, Value a, Value b, SourceLoc loc) {
  a = promote(a, loc);
  b = promote(b, loc);
  const CType type = common(a.type, b.type);
  a = convert(a, type, loc);
  b = convert(b, type, loc);
  if (op == ">" || op == ">=")
    std::swap(a, b);
  ir::Op ir_op = ir::Op::kEq;
  if (op == "!=")
    ir_op = ir::Op::kNe;
  else if (op == "<" || op == ">")
    ir_op = type.is_signed ? ir::Op::kSLt : ir::Op::kULt;
  else if (op == "<=" || op == ">=")
    ir_op = type.is_signed ? ir::Op::kSLe : ir::Op::kULe;
  return compute(ir_op, {a.operand, b.operand}, CType{1, false, 0}, loc);
}

CEmitter::Value
CEmitter::move_pointer(const Value& pointer, const Value& index, bool backwards, SourceLoc loc) {
  const CType offset_type{64, true, 0};
  Value offset = convert(promote(index, loc), offset_type, loc);
  const std::uint64_t size = pointer.type.pointee().bytes();
  if (const auto* literal = std::get_if<ir::Constant>(&offset.operand)) {
    offset = constant(literal->value * size, offset_type);
  } else if (size != 1) {
    offset = compute(
        ir::Op::kMul, {offset.operand, constant(size, offset_type).operand}, offset_type, loc);
  }
  if (backwards)
    offset =
        compute(ir::Op::kSub, {constant(0, offset_type).operand, offset.operand}, offset_type, loc);
  return compute(ir::Op::kPtrAdd, {pointer.operand, offset.operand}, pointer.type, loc);
}

CEmitter::Value CEmitter::arithmetic(const std::string& op, Value a, Value b, SourceLoc loc) {
  a = promote(a, loc);
  b = promote(b, loc);
  if (op == "+" && a.type.is_pointer() && !b.type.is_pointer())
    return move_pointer(a, b, false, loc);
  if (op == "+" && b.type.is_pointer() && !a.type.is_pointer())
    return move_pointer(b, a, false, loc);
  if (op == "-" && a.type.is_pointer() && !b.type.is_pointer())
    return move_pointer(a, b, true, loc);
  const CType distance{64, true, 0};
  if (op == "-" && a.type.is_pointer() && b.type.is_pointer()) {
    const Value bytes = compute(ir::Op::kSub, {a.operand, b.operand}, distance, loc);
    return compute(ir::Op::kSDiv,
                   {bytes.operand, constant(a.type.pointee().bytes(), distance).operand},
                   distance,
                   loc);
  }
  const bool is_shift = op == "<<" || op == ">>";
  const CType type = is_shift ? a.type : common(a.type, b.type);
  a = convert(a, type, loc);
  b = convert(b, type, loc);
  ir::Op ir_op = ir::Op::kAdd;
  if (op == "-")
    ir_op = ir::Op::kSub;
  else if (op == "*")
    ir_op = ir::Op::kMul;
  else if (op == "/")
    ir_op = type.is_signed ? ir::Op::kSDiv : ir::Op::kUDiv;
  else if (op == "%")
    ir_op = type.is_signed ? ir::Op::kSRem : ir::Op::kURem;
  else if (op == "<<")
    ir_op = ir::Op::kShl;
  else if (op == ">>")
    ir_op = type.is_signed ? ir::Op::kAShr : ir::Op::kLShr;
  else if (op == "&")
    ir_op = ir::Op::kAnd;
  else if (op == "|")
    ir_op = ir::Op::kOr;
  else if (op == "^")
    ir_op = ir::Op::kXor;
  else
    HEDDLE_CHECK(op == "+", "an operator the parser does not know");
  return compute(ir_op, {a.operand, b.operand}, type, loc);
}

CEmitter::Value CEmitter::emit_logical(const CExpression& expression) {
  const SourceLoc loc = expression.loc;
  const bool is_and = expression.text == "&&";
  const Value left = truth(emit_expression(expression.operands.front()), loc);
  if (!touches_memory(expression.operands.back())) {
    const Value right = truth(emit_expression(expression.operands.back()), loc);
    return compute(is_and ? ir::Op::kAnd : ir::Op::kOr,
                   {left.operand, right.operand},
                   CType{1, false, 0},
                   loc);
  }
  const ir::RegisterId result = new_register(CType{1, false, 0}, loc);
  add(ir::Compute{result, ir::Op::kCopy, {left.operand}}, loc);
  const ir::BlockId more = new_block();
  const ir::BlockId after = new_block();
  branch(left, is_and ? more : after, is_and ? after : more, loc);
  block_ = more;
  const Value right = truth(emit_expression(expression.operands.back()), loc);
  add(ir::Compute{result, ir::Op::kCopy, {right.operand}}, loc);
  jump(after, loc);
  block_ = after;
  return {result, CType{1, false, 0}};
}

CEmitter::Value CEmitter::emit_conditional(const CExpression& expression) {
  const SourceLoc loc = expression.loc;
  const Value condition = truth(emit_expression(expression.operands[0]), loc);
  if (!touches_memory(expression.operands[1]) && !touches_memory(expression.operands[2])) {
    Value yes = promote(emit_expression(expression.operands[1]), loc);
    Value no = promote(emit_expression(expression.operands[2]), loc);
    const CType type = yes.type.is_pointer()  ? yes.type
                       : no.type.is_pointer() ? no.type
                                              : common(yes.type, no.type);
    yes = convert(yes, type, loc);
    no = convert(no, type, loc);
    return compute(ir::Op::kSelect, {condition.operand, yes.operand, no.operand}, type, loc);
  }
  // The width of the result is not known before both sides are there: wide enough for each.
  const CType type{64, true, 0};
  const ir::RegisterId result = new_register(type, loc);
  const ir::BlockId yes = new_block();
  const ir::BlockId no = new_block();
  const ir::BlockId after = new_block();
  branch(condition, yes, no, loc);
  CType pointer = type;
  for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) {
    block_ = side == 1 ? yes : no;
    const Value value = promote(emit_expression(expression.operands[side]), loc);
    if (value.type.is_pointer())
      pointer = value.type;
    add(ir::Compute{result, ir::Op::kCopy, {convert(value, type, loc).operand}}, loc);
    jump(after, loc);
  }
  block_ = after;
  return {result, pointer};
}

CEmitter::Value CEmitter::emit_cast(const CExpression& expression) {
  const Value value = emit_expression(expression.operands.front());
  const CType type = locations_.adapt(expression.type);
  if (type.is_pointer() && type.pointee() != CType{8, false, 0}) { // void* says nothing
    if (value.type.is_pointer()) {
      if (value.type.pointee().width() != type.pointee().width())
        locations_.demand_wide();
    } else {
      for (const auto& [name, location] : locations_.all())
        if (location.type.width() != type.pointee().width())
          locations_.demand_wide();
    }
  }
  return convert(value, type, expression.loc);
}

std::optional<CEmitter::Cell> CEmitter::cell_at(const Value& pointer, SourceLoc loc) {
  if (pointer.type.is_pointer())
    return Cell{pointer.operand, pointer.type.pointee()};
  // A number taken as an address.
  if (const auto* literal = std::get_if<ir::Constant>(&pointer.operand); literal != nullptr) {
    error(loc, "LIT-233", "a number is no address");
    return std::nullopt;
  }
  const std::optional<CType> type = locations_.common_type();
  if (pointer.type.width() != 64 || !type) {
    locations_.demand_wide();
    return Cell{constant(0, CType{64, true, 1}).operand, CType{}};
  }
  return Cell{pointer.operand, *type};
}

std::optional<CEmitter::Cell> CEmitter::emit_cell(const CExpression& expression) {
  if (expression.kind == CExpression::Kind::kDereference)
    return cell_at(emit_expression(expression.operands.front()), expression.loc);
  if (expression.kind == CExpression::Kind::kIndex) {
    const Value base = emit_expression(expression.operands.front());
    const Value index = emit_expression(expression.operands.back());
    const std::optional<Cell> cell = cell_at(base, expression.loc);
    if (!cell)
      return std::nullopt;
    const Value moved =
        move_pointer({cell->address, cell->type.pointer_to()}, index, false, expression.loc);
    return Cell{moved.operand, cell->type};
  }
  error(expression.loc, "LIT-234", "expected something in memory, '*x' or 'x[i]'");
  return std::nullopt;
}

} // namespace heddle::frontend::litmus
