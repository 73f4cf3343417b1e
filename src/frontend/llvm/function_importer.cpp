// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Building blocks of the import of a function: registers, slots, operands, traps, parameters and
// locals.
#include "frontend/llvm/function_importer.h"

#include "support/overloaded.h"

#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::frontend {

FunctionImporter::FunctionImporter(ModuleImporter& module,
                                   const llvm::Function& source,
                                   ir::Function& out)
    : module_(module), source_(source), out_(out), promotion_(promote(source, module)),
      names_(local_names(source)) {}

ir::RegisterId FunctionImporter::new_register(ir::Type type, std::string name) {
  return out_.registers.push_back({type, std::move(name), loc_});
}

ir::SlotId FunctionImporter::new_slot(std::string name, std::uint64_t size, std::uint64_t align) {
  return out_.slots.push_back({std::move(name), size, static_cast<std::uint32_t>(align), loc_});
}

std::string FunctionImporter::fresh_block_name(std::string name) {
  if (name.empty()) {
    name = "b";
  }
  std::string candidate = name;
  for (int i = 1; !block_names_.insert(candidate).second; ++i) {
    candidate = name + "." + std::to_string(i);
  }
  return candidate;
}

ir::BlockId FunctionImporter::new_block(std::string name) {
  return out_.blocks.push_back({fresh_block_name(std::move(name)), {}});
}

void FunctionImporter::emit(ir::Operation operation) {
  out_.blocks[block_].instructions.push_back({std::move(operation), loc_});
}

void FunctionImporter::compute_into(ir::RegisterId dest,
                                    ir::Op op,
                                    std::vector<ir::Operand> operands) {
  emit(ir::Compute{dest, op, std::move(operands)});
}

ir::Operand FunctionImporter::compute(ir::Type type, ir::Op op, std::vector<ir::Operand> operands) {
  const ir::RegisterId dest = new_register(type);
  compute_into(dest, op, std::move(operands));
  return dest;
}

ir::Type FunctionImporter::type_of(const ir::Operand& operand) const {
  return std::visit(Overloaded{
                        [](const ir::Constant& constant) { return constant.type; },
                        [this](const ir::RegisterId& id) { return out_.registers[id].type; },
                        [](const ir::GlobalAddress&) { return ir::Type::pointer(); },
                        [](const ir::FunctionAddress&) { return ir::Type::pointer(); },
                        [](const ir::SlotAddress&) { return ir::Type::pointer(); },
                    },
                    operand);
}

ir::Operand FunctionImporter::word(std::uint64_t value) const {
  if (module_.pointer_bits() == 32) {
    value &= 0xffffffffU;
  }
  return ir::Constant{module_.word(), value};
}

ir::Operand FunctionImporter::convert(const ir::Operand& operand, ir::Type type) {
  const ir::Type from = type_of(operand);
  if (from == type) {
    return operand;
  }
  const unsigned bits = module_.module().bits(type);
  if (const auto* literal = std::get_if<ir::Constant>(&operand)) {
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    return ir::Constant{type, literal->value & mask};
  }
  const bool shrinks = bits < module_.module().bits(from);
  return compute(type, shrinks ? ir::Op::kTrunc : ir::Op::kZExt, {operand});
}

ir::Operand FunctionImporter::add_offset(const ir::Operand& address, std::uint64_t offset) {
  if (offset == 0) {
    return address;
  }
  if (const auto* global = std::get_if<ir::GlobalAddress>(&address)) {
    return ir::GlobalAddress{global->global, global->offset + static_cast<std::int64_t>(offset)};
  }
  return compute(ir::Type::pointer(), ir::Op::kPtrAdd, {address, word(offset)});
}

void FunctionImporter::trap(const std::string& what, const std::string& help) {
  emit(ir::Trap{what, help});
}

void FunctionImporter::unsupported(const llvm::Instruction& instruction, const std::string& what) {
  unsupported(instruction, what, "remove it from the paths that are checked");
}

void FunctionImporter::unsupported(const llvm::Instruction& instruction,
                                   const std::string& what,
                                   const std::string& help) {
  trap(what, help);
  if (!instruction.getType()->isVoidTy()) {
    for (const ir::RegisterId dest : registers_of(instruction)) {
      emit(ir::Nondet{dest, "unsupported"});
    }
  }
}

Values FunctionImporter::arbitrary(llvm::Type* type, const std::string& origin) {
  Values out;
  for (const Part& part : module_.parts(type).value_or(std::vector<Part>{})) {
    const ir::RegisterId dest = new_register(part.type);
    emit(ir::Nondet{dest, origin});
    out.emplace_back(dest);
  }
  return out;
}

Values FunctionImporter::constant_parts(const llvm::Constant* constant) {
  llvm::Type* type = constant->getType();
  if (llvm::isa<llvm::UndefValue>(constant)) {
    return arbitrary(type, "undefined value");
  }
  if (const auto scalar = module_.scalar(type)) {
    if (const auto simple = module_.simple(constant)) {
      if (const auto* global = std::get_if<ir::GlobalAddress>(&*simple)) {
        const std::string problem = module_.problem_of(global->global);
        if (!problem.empty()) {
          trap(problem, "initialise it at run time");
        }
      }
      ir::Operand value = std::visit([](const auto& one) -> ir::Operand { return one; }, *simple);
      return {convert(value, *scalar)};
    }
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant)) {
      return {constant_expression(expression, *scalar)};
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    constant->print(stream);
    trap("the constant " + text, "remove it from the paths that are checked");
    return arbitrary(type, "unsupported");
  }
  const auto parts = module_.parts(type);
  if (!parts) {
    return {};
  }
  if (type->isStructTy() || type->isArrayTy() || type->isVectorTy()) {
    Values out;
    for (unsigned i = 0; const llvm::Constant* element = constant->getAggregateElement(i); ++i) {
      const Values inner = constant_parts(element);
      out.insert(out.end(), inner.begin(), inner.end());
    }
    return out;
  }
  llvm::APInt bits(64, 0);
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    bits = integer->getValue();
  } else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    bits = number->getValueAPF().bitcastToAPInt();
  } else {
    trap("a constant wider than 64 bits", "use at most 64 bits");
    return arbitrary(type, "unsupported");
  }
  Values out;
  for (const Part& part : *parts) {
    out.emplace_back(ir::Constant{
        part.type,
        bits.extractBitsAsZExtValue(part.type.bits, static_cast<unsigned>(8 * part.offset))});
  }
  return out;
}

ir::Operand FunctionImporter::constant_expression(const llvm::ConstantExpr* expression,
                                                  ir::Type type) {
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    return address_of(*address);
  }
  const auto binary = [&](ir::Op op) {
    return compute(
        type, op, {operand(expression->getOperand(0)), operand(expression->getOperand(1))});
  };
  switch (expression->getOpcode()) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::Trunc:
    if (module_.scalar(expression->getOperand(0)->getType())) {
      return convert(operand(expression->getOperand(0)), type);
    }
    break;
  case llvm::Instruction::Add:
    return binary(ir::Op::kAdd);
  case llvm::Instruction::Sub:
    return binary(ir::Op::kSub);
  case llvm::Instruction::Mul:
    return binary(ir::Op::kMul);
  case llvm::Instruction::Xor:
    return binary(ir::Op::kXor);
  default:
    break;
  }
  trap(std::string("the constant expression ") + expression->getOpcodeName(),
       "remove it from the paths that are checked");
  return arbitrary(expression->getType(), "unsupported").front();
}

Values FunctionImporter::operands_of(const llvm::Value* value) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    return constant_parts(constant);
  }
  const auto known = values_.find(value);
  if (known != values_.end()) {
    return known->second;
  }
  if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
    Values out;
    for (const ir::RegisterId id : registers_of(*instruction)) {
      out.emplace_back(id);
    }
    return out;
  }
  return arbitrary(value->getType(), "unsupported");
}

ir::Operand FunctionImporter::operand(const llvm::Value* value) {
  Values values = operands_of(value);
  HEDDLE_CHECK(values.size() == 1, "a scalar has one part");
  return values.front();
}

const std::vector<ir::RegisterId>&
FunctionImporter::registers_of(const llvm::Instruction& instruction) {
  const auto known = registers_.find(&instruction);
  if (known != registers_.end()) {
    return known->second;
  }
  std::vector<ir::RegisterId> out;
  const auto direct = promotion_.written_directly.find(&instruction);
  if (direct != promotion_.written_directly.end()) {
    out.push_back(locals_.at(direct->second));
  } else {
    for (const Part& part : module_.parts(instruction.getType()).value_or(std::vector<Part>{})) {
      out.push_back(new_register(part.type));
      if (llvm::isa<llvm::PHINode>(instruction)) {
        changing_.insert(out.back());
      }
    }
  }
  return registers_.emplace(&instruction, std::move(out)).first->second;
}

ir::RegisterId FunctionImporter::register_of(const llvm::Instruction& instruction) {
  const std::vector<ir::RegisterId>& registers = registers_of(instruction);
  HEDDLE_CHECK(registers.size() == 1, "a scalar has one part");
  return registers.front();
}

void FunctionImporter::pass_on(const llvm::Instruction& instruction, const Values& values) {
  Values out;
  for (const ir::Operand& value : values) {
    const auto* id = std::get_if<ir::RegisterId>(&value);
    if (id != nullptr && changing_.contains(*id)) {
      out.push_back(compute(type_of(value), ir::Op::kCopy, {value}));
    } else {
      out.push_back(value);
    }
  }
  // Blocks that came earlier in the list may have asked for the registers already.
  const auto asked = registers_.find(&instruction);
  if (asked != registers_.end()) {
    HEDDLE_CHECK(asked->second.size() == out.size(), "parts of a passed-on value");
    for (std::size_t i = 0; i < out.size(); ++i) {
      compute_into(asked->second[i], ir::Op::kCopy, {out[i]});
    }
    return;
  }
  values_.insert_or_assign(&instruction, std::move(out));
}

void FunctionImporter::bind_parameters() {
  std::size_t next = 0;
  const auto signature = module_.signature(source_.getFunctionType());
  HEDDLE_CHECK(signature.has_value(), "only functions with a signature are imported");
  returned_ = signature->returned;
  if (!returned_.empty()) {
    out_.registers[ir::RegisterId{next}].name = "result";
    hidden_result_ = ir::RegisterId{next++};
  }
  for (const llvm::Argument& argument : source_.args()) {
    Values values;
    for (std::size_t i = 0; i < module_.parts(argument.getType())->size(); ++i) {
      const ir::RegisterId id{next++};
      out_.registers[id].name = argument.getName().str();
      out_.registers[id].loc = out_.loc;
      values.emplace_back(id);
    }
    values_.emplace(&argument, std::move(values));
  }
}

void FunctionImporter::bind_locals() {
  for (const llvm::AllocaInst* local : promotion_.locals) {
    const auto named = names_.find(local);
    const llvm::DILocalVariable* variable = named == names_.end() ? nullptr : named->second;
    if (variable != nullptr) {
      loc_ = module_.loc(variable->getFile(), variable->getLine(), 0);
    }
    const std::string name = variable != nullptr ? variable->getName().str() : std::string{};
    const auto parameter = promotion_.parameters.find(local);
    ir::RegisterId id;
    if (parameter != promotion_.parameters.end() && values_.at(parameter->second).size() == 1) {
      id = std::get<ir::RegisterId>(values_.at(parameter->second).front());
      if (!name.empty()) {
        out_.registers[id].name = name;
        out_.registers[id].loc = loc_;
      }
    } else {
      id = new_register(*module_.scalar(local->getAllocatedType()), name);
    }
    locals_.emplace(local, id);
    changing_.insert(id);
    if (promotion_.maybe_uninitialised.contains(local)) {
      emit(ir::Nondet{id, "uninitialised " + (name.empty() ? local->getName().str() : name)});
    }
    loc_ = {};
  }
}

void FunctionImporter::run() {
  for (const llvm::BasicBlock& block : source_) {
    blocks_.emplace(&block, new_block(block.getName().str()));
  }
  block_ = blocks_.at(&source_.getEntryBlock());
  bind_parameters();
  bind_locals();
  for (const llvm::BasicBlock& block : source_) {
    block_ = blocks_.at(&block);
    for (const llvm::Instruction& instruction : block) {
      loc_ = module_.loc(instruction.getDebugLoc());
      import_instruction(instruction);
    }
  }
}

} // namespace heddle::frontend
