// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Names, conversions and the frame of the function.
#include "frontend/litmus/c/c_emit.h"

#include <algorithm>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

/// Instructions of a block; more are rare in tests.
constexpr std::size_t kUsualBlock = 8;

std::uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

} // namespace

CEmitter::CEmitter(ir::Module& module,
                   CLocations& locations,
                   const CThread& thread,
                   std::string file)
    : module_(module), locations_(locations), thread_(thread), file_(std::move(file)) {
  for (const CParameter& parameter : thread.parameters) {
    if (!parameter.type.is_pointer()) {
      // It names no location; what follows is read as if it were a local variable.
      error(parameter.loc,
            "LIT-230",
            "the parameter '" + parameter.name + "' must be a pointer: it names a shared variable");
      continue;
    }
    parameters_[parameter.name] = locations_.adapt(parameter.type);
  }
  for (const CStatement& statement : thread.body)
    collect_declared(statement);
  for (const CStatement& statement : thread.body)
    collect(statement);
}

void CEmitter::collect_declared(const CStatement& statement) {
  if (statement.kind == CStatement::Kind::kDeclare)
    declare_local(statement.name, statement.type);
  for (const CStatement& inner : statement.statements)
    collect_declared(inner);
}

void CEmitter::error(SourceLoc loc, std::string code, std::string message) {
  errors_.push_back(
      Error{ErrorKind::kInput, std::move(code), std::move(message), file_, loc.line, loc.column});
}

void CEmitter::declare_local(const std::string& name, CType type) {
  type = locations_.adapt(type);
  const auto [position, is_new] = locals_.emplace(name, type);
  // Two blocks may declare the same name; one variable must do for both.
  if (!is_new && type.width() > position->second.width())
    position->second = type;
  // A parameter that is declared again or assigned to is a variable like any other.
  parameters_.erase(name);
}

void CEmitter::mention_local(const std::string& name) {
  if (!parameters_.contains(name) && !locals_.contains(name))
    locals_.emplace(name, CType{64, true, 0});
}

CType CEmitter::type_of(const std::string& name) const {
  if (const auto local = locals_.find(name); local != locals_.end())
    return local->second;
  const auto parameter = parameters_.find(name);
  return parameter == parameters_.end() ? CType{64, true, 0} : parameter->second;
}

void CEmitter::collect(const CStatement& statement) {
  for (const CExpression& expression : statement.expressions)
    collect(expression);
  if (statement.kind == CStatement::Kind::kAssign &&
      statement.expressions.front().kind == CExpression::Kind::kName) {
    const std::string& name = statement.expressions.front().text;
    if (const auto parameter = parameters_.find(name); parameter != parameters_.end())
      declare_local(name, CType(parameter->second));
  }
  for (const CStatement& inner : statement.statements)
    collect(inner);
}

void CEmitter::collect(const CExpression& expression) {
  if (expression.kind == CExpression::Kind::kName && !expression.text.starts_with("memory_order_"))
    mention_local(expression.text);
  for (const CExpression& operand : expression.operands)
    collect(operand);
}

CEmitter::Value CEmitter::read_name(const CExpression& expression) {
  const std::string& name = expression.text;
  if (const auto found = registers_.find(name); found != registers_.end())
    return {found->second, locals_.at(name)};
  const auto parameter = parameters_.find(name);
  if (parameter == parameters_.end()) {
    error(expression.loc, "LIT-231", "'" + name + "' has no value here");
    return {};
  }
  if (const auto other = initial_.find(name); other != initial_.end())
    return {other->second, parameter->second};
  const CLocation* location = locations_.find(name);
  HEDDLE_CHECK(location != nullptr, "a parameter without a location");
  return {ir::GlobalAddress{location->global, 0}, parameter->second};
}

void CEmitter::write_name(const std::string& name, const Value& value, SourceLoc loc) {
  const auto found = registers_.find(name);
  HEDDLE_CHECK(found != registers_.end(), "a local without a register is assigned to");
  const Value converted = convert(value, locals_.at(name), loc);
  add(ir::Compute{found->second, ir::Op::kCopy, {converted.operand}}, loc);
}

void CEmitter::add(ir::Operation operation, SourceLoc loc) {
  std::vector<ir::Instruction>& instructions = function().blocks[block_].instructions;
  if (instructions.empty())
    instructions.reserve(kUsualBlock);
  instructions.push_back({std::move(operation), loc});
}

ir::BlockId CEmitter::new_block() {
  return function().blocks.push_back(
      {"b" + std::to_string(function().blocks.size()), std::vector<ir::Instruction>{}});
}

void CEmitter::branch(const Value& condition, ir::BlockId yes, ir::BlockId no, SourceLoc loc) {
  add(ir::Branch{truth(condition, loc).operand, yes, no}, loc);
}

void CEmitter::jump(ir::BlockId target, SourceLoc loc) {
  add(ir::Jump{target}, loc);
}

ir::Type CEmitter::ir_type(CType type) const {
  return type.is_pointer() ? ir::Type::pointer() : ir::Type::integer(type.bits);
}

ir::RegisterId CEmitter::new_register(CType type, SourceLoc loc) {
  return function().registers.push_back({ir_type(type), "", loc});
}

CEmitter::Value CEmitter::constant(std::uint64_t value, CType type) const {
  return {ir::Constant{ir_type(type), value & mask(type.width())}, type};
}

CEmitter::Value
CEmitter::compute(ir::Op op, std::vector<ir::Operand> operands, CType type, SourceLoc loc) {
  const ir::RegisterId dest = new_register(type, loc);
  add(ir::Compute{dest, op, std::move(operands)}, loc);
  return {dest, type};
}

CEmitter::Value CEmitter::convert(const Value& value, CType type, SourceLoc loc) {
  const unsigned from = value.type.width();
  const unsigned to = type.width();
  if (to == 1 && from != 1)
    return truth(value, loc);
  if (value.type.is_pointer() && to < 64)
    locations_.demand_wide();
  if (const auto* number = std::get_if<ir::Constant>(&value.operand)) {
    std::uint64_t bits = number->value;
    if (value.type.is_signed && !value.type.is_pointer() && from < to && ((bits >> (from - 1)) & 1))
      bits |= ~mask(from);
    return constant(bits, type);
  }
  if (from == to)
    return {value.operand, type};
  if (from > to)
    return compute(ir::Op::kTrunc, {value.operand}, type, loc);
  const bool is_signed = value.type.is_signed && !value.type.is_pointer();
  return compute(is_signed ? ir::Op::kSExt : ir::Op::kZExt, {value.operand}, type, loc);
}

CEmitter::Value CEmitter::promote(const Value& value, SourceLoc loc) {
  const CType integer = locations_.adapt(CType{});
  if (value.type.is_pointer() || value.type.width() >= integer.width())
    return value;
  return convert(value, integer, loc);
}

CEmitter::Value CEmitter::truth(const Value& value, SourceLoc loc) {
  const CType boolean{1, false, 0};
  if (value.type.width() == 1)
    return {value.operand, boolean};
  if (const auto* number = std::get_if<ir::Constant>(&value.operand))
    return constant(number->value != 0 ? 1 : 0, boolean);
  const Value zero = constant(0, value.type);
  return compute(ir::Op::kNe, {value.operand, zero.operand}, boolean, loc);
}

ir::FunctionId CEmitter::emit(const std::vector<ObservedLocal>& observed) {
  function_ = module_.functions.push_back({});
  function().name = "P" + std::to_string(thread_.number);
  function().result = ir::Type::pointer();
  function().parameter_count = 1;
  function().loc = thread_.loc;
  function().registers.push_back({ir::Type::pointer(), "", thread_.loc});
  block_ = function().blocks.push_back({"entry", std::vector<ir::Instruction>{}});
  end_ = function().blocks.push_back({"end", std::vector<ir::Instruction>{}});
  for (const auto& [name, type] : locals_)
    registers_[name] = function().registers.push_back({ir_type(type), name, thread_.loc});
  for (const auto& [name, type] : locals_) {
    Value start = constant(0, type);
    const auto initial = initial_.find(name);
    const CLocation* location = locations_.find(name);
    const bool is_parameter =
        std::any_of(thread_.parameters.begin(),
                    thread_.parameters.end(),
                    [&](const CParameter& parameter) { return parameter.name == name; });
    if (initial != initial_.end())
      start = {initial->second,
               std::holds_alternative<ir::Constant>(initial->second) ? CType{64, true, 0}
                                                                     : type.pointer_to()};
    else if (is_parameter && location != nullptr)
      start = {ir::GlobalAddress{location->global, 0}, type};
    write_name(name, start, thread_.loc);
  }
  emit_statements(thread_.body);
  jump(end_, thread_.loc);
  block_ = end_;
  for (const ObservedLocal& local : observed) {
    const Value value = read_name({.kind = CExpression::Kind::kName, .text = local.name});
    add(ir::Store{ir::GlobalAddress{local.global, 0},
                  value.operand,
                  ir_type(value.type),
                  ir::Access{},
                  {}},
        thread_.loc);
  }
  add(ir::Return{ir::Constant{ir::Type::pointer(), 0}}, thread_.loc);
  return function_;
}

} // namespace heddle::frontend::litmus
