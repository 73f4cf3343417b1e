// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Globals with their initial bytes and relocations, declarations of functions, and constants that
// need no computation.
#include "frontend/llvm/module_importer.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>

namespace heddle::frontend {

namespace {
bool is_internal(const llvm::GlobalValue& value) {
  return value.hasLocalLinkage();
}

bool gives_way(const llvm::GlobalValue& value) {
  if (value.isDeclaration() || value.hasLocalLinkage()) {
    return false;
  }
  if (value.isWeakForLinker() && !value.hasCommonLinkage()) {
    return true;
  }
  // A C99 inline function may be defined in every file that includes its header.
  const auto* function = llvm::dyn_cast<llvm::Function>(&value);
  return function != nullptr && function->hasFnAttribute(llvm::Attribute::InlineHint);
}
/// A name that is not to be changed any more (`\01_close` of macOS) without the mark that says so.
std::string plain_name(const llvm::GlobalValue& value) {
  const llvm::StringRef name = value.getName();
  return name.starts_with("\1") ? name.drop_front().str() : name.str();
}
} // namespace

/// Only what has a prototype: the type of a function that is declared without one is variadic, too.
bool ModuleImporter::takes_further_arguments(const llvm::Function& function) {
  return function.isVarArg() && !function.isDeclaration() && function.arg_size() > 0;
}

void ModuleImporter::declare_functions() {
  for (const llvm::Function& function : source_) {
    if (function.isIntrinsic()) {
      continue;
    }
    ir::Function out;
    out.name = plain_name(function);
    out.is_internal = is_internal(function);
    out.is_variadic = function.isVarArg();
    if (const auto signature = this->signature(function.getFunctionType())) {
      out.result = signature->result;
      for (const ir::Type type : signature->parameters) {
        out.registers.push_back({type});
      }
      if (takes_further_arguments(function)) {
        out.registers.push_back({ir::Type::pointer(), "further arguments"});
      }
    } else {
      out.is_variadic = true;
    }
    out.parameter_count = static_cast<std::uint32_t>(out.registers.size());
    if (const llvm::DISubprogram* program = function.getSubprogram()) {
      out.loc = loc(program->getFile(), program->getLine(), 0);
    }
    if (gives_way(function)) {
      imported_.weak.push_back(out.name);
    }
    functions_.emplace(&function, imported_.module.functions.push_back(std::move(out)));
  }
}

void ModuleImporter::declare_globals() {
  for (const llvm::GlobalVariable& global : source_.globals()) {
    if (global.getName().starts_with("llvm.")) {
      continue;
    }
    ir::Global out;
    out.name = plain_name(global);
    llvm::Type* type = global.getValueType();
    out.size = type->isSized() ? alloc_size(type) : 0;
    out.align = static_cast<std::uint32_t>(
        global.getAlign()
            .value_or(type->isSized() ? layout_.getABITypeAlign(type) : llvm::Align(1))
            .value());
    out.is_constant = global.isConstant();
    out.is_thread_local = global.isThreadLocal();
    out.is_internal = is_internal(global);
    out.is_declaration = global.isDeclaration();
    describe_global(global, out);
    if (gives_way(global)) {
      imported_.weak.push_back(out.name);
    }
    globals_.emplace(&global, imported_.module.globals.push_back(std::move(out)));
  }
}

void ModuleImporter::write_bits(const llvm::APInt& bits,
                                std::uint64_t offset,
                                std::uint64_t size,
                                ir::Global& global) {
  for (std::uint64_t i = 0; i < size; ++i) {
    if (8 * i >= bits.getBitWidth()) {
      break;
    }
    const unsigned width =
        static_cast<unsigned>(std::min<std::uint64_t>(8, bits.getBitWidth() - 8 * i));
    const auto byte =
        static_cast<std::uint8_t>(bits.extractBitsAsZExtValue(width, static_cast<unsigned>(8 * i)));
    if (byte == 0) {
      continue;
    }
    if (global.initial.empty()) {
      global.initial.resize(global.size);
    }
    global.initial[offset + i] = byte;
  }
}

bool ModuleImporter::write_constant(const llvm::Constant* constant,
                                    std::uint64_t offset,
                                    ir::Global& global) {
  // An undefined byte of a global is read as zero, which is what C says of padding in static
  // storage.
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) {
    return true;
  }
  llvm::Type* type = constant->getType();
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    write_bits(integer->getValue(), offset, store_size(type), global);
    return true;
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    write_bits(number->getValueAPF().bitcastToAPInt(), offset, store_size(type), global);
    return true;
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* fields = layout_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      const llvm::Constant* field = constant->getAggregateElement(i);
      if (field == nullptr ||
          !write_constant(field, offset + fields->getElementOffset(i), global)) {
        return false;
      }
    }
    return true;
  }
  if (type->isArrayTy() || llvm::isa<llvm::FixedVectorType>(type)) {
    llvm::Type* element = type->isArrayTy() ? type->getArrayElementType()
                                            : llvm::cast<llvm::VectorType>(type)->getElementType();
    const std::uint64_t count = type->isArrayTy()
                                    ? type->getArrayNumElements()
                                    : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    const std::uint64_t stride = alloc_size(element);
    for (std::uint64_t i = 0; i < count; ++i) {
      const llvm::Constant* item = constant->getAggregateElement(static_cast<unsigned>(i));
      if (item == nullptr || !write_constant(item, offset + i * stride, global)) {
        return false;
      }
    }
    return true;
  }
  if (store_size(type) != pointer_bits() / 8) {
    return false;
  }
  const auto value = simple(constant);
  if (!value) {
    return false;
  }
  if (const auto* literal = std::get_if<ir::Constant>(&*value)) {
    write_bits(llvm::APInt(64, literal->value), offset, pointer_bits() / 8, global);
  } else if (const auto* address = std::get_if<ir::GlobalAddress>(&*value)) {
    global.relocations.push_back({offset, *address});
  } else {
    global.relocations.push_back({offset, std::get<ir::FunctionAddress>(*value)});
  }
  return true;
}

void ModuleImporter::initialise_globals() {
  for (const llvm::GlobalVariable& source : source_.globals()) {
    const auto known = globals_.find(&source);
    if (known == globals_.end() || !source.hasInitializer()) {
      continue;
    }
    ir::Global& global = imported_.module.globals[known->second];
    if (!write_constant(source.getInitializer(), 0, global)) {
      problems_[known->second] =
          "the initial value of '" + global.name + "' is not a number or an address";
    }
    std::ranges::sort(global.relocations, {}, &ir::Relocation::offset);
  }
  spread_problems();
}

/// Who can reach a global through an initial pointer can reach its unknown bytes.
void ModuleImporter::spread_problems() {
  if (problems_.empty()) {
    return;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < imported_.module.globals.size(); ++i) {
      const ir::GlobalId id{i};
      if (problems_.contains(id)) {
        continue;
      }
      for (const ir::Relocation& relocation : imported_.module.globals[id].relocations) {
        const auto* address = std::get_if<ir::GlobalAddress>(&relocation.target);
        if (address != nullptr && problems_.contains(address->global)) {
          problems_[id] = problems_[address->global];
          changed = true;
          break;
        }
      }
    }
  }
}

std::string ModuleImporter::problem_of(ir::GlobalId global) const {
  const auto found = problems_.find(global);
  return found == problems_.end() ? std::string{} : found->second;
}

ir::FunctionId ModuleImporter::function(const llvm::Function* function) const {
  return functions_.at(function);
}

ir::FunctionId ModuleImporter::runtime_function(const std::string& name,
                                                ir::Type result,
                                                const std::vector<ir::Type>& parameters) {
  if (const auto* existing = source_.getFunction(name)) {
    return functions_.at(existing);
  }
  const auto found = runtime_functions_.find(name);
  if (found != runtime_functions_.end()) {
    return found->second;
  }
  ir::Function out;
  out.name = name;
  out.result = result;
  out.parameter_count = static_cast<std::uint32_t>(parameters.size());
  for (const ir::Type type : parameters) {
    out.registers.push_back({type});
  }
  const ir::FunctionId id = imported_.module.functions.push_back(std::move(out));
  runtime_functions_.emplace(name, id);
  return id;
}

std::optional<SimpleConstant> ModuleImporter::simple(const llvm::Constant* constant) const {
  const auto type = scalar(constant->getType());
  if (!type) {
    return std::nullopt;
  }
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    return ir::Constant{*type, integer->getZExtValue()};
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    return ir::Constant{*type, number->getValueAPF().bitcastToAPInt().getZExtValue()};
  }
  if (constant->isNullValue()) {
    return ir::Constant{*type, 0};
  }
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(constant)) {
    return simple(alias->getAliasee());
  }
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
    const auto found = globals_.find(variable);
    if (found == globals_.end()) {
      return std::nullopt;
    }
    return ir::GlobalAddress{found->second, 0};
  }
  if (const auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
    const auto found = functions_.find(function);
    if (found == functions_.end()) {
      return std::nullopt;
    }
    return ir::FunctionAddress{found->second};
  }
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
  if (expression == nullptr) {
    return std::nullopt;
  }
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    if (!address->accumulateConstantOffset(layout_, offset)) {
      return std::nullopt;
    }
    auto base = simple(llvm::cast<llvm::Constant>(address->getPointerOperand()));
    if (!base) {
      return std::nullopt;
    }
    if (auto* global = std::get_if<ir::GlobalAddress>(&*base)) {
      global->offset += offset.getSExtValue();
      return base;
    }
    if (auto* literal = std::get_if<ir::Constant>(&*base)) {
      literal->value += static_cast<std::uint64_t>(offset.getSExtValue());
      if (pointer_bits() == 32) {
        literal->value &= 0xffffffffU;
      }
      return base;
    }
    return offset.isZero() ? base : std::nullopt;
  }
  switch (expression->getOpcode()) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::AddrSpaceCast:
    return simple(expression->getOperand(0));
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr: {
    auto value = simple(expression->getOperand(0));
    if (!value) {
      return std::nullopt;
    }
    if (auto* literal = std::get_if<ir::Constant>(&*value)) {
      literal->type = *type;
      const unsigned bits = imported_.module.bits(*type);
      if (bits < 64) {
        literal->value &= (std::uint64_t{1} << bits) - 1;
      }
      return value;
    }
    // The address as a number: only meaningful here if no bit is lost.
    return imported_.module.bits(*type) == pointer_bits() ? value : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void ModuleImporter::collect_constructors() {
  const llvm::GlobalVariable* list = source_.getGlobalVariable("llvm.global_ctors");
  if (list == nullptr || !list->hasInitializer()) {
    return;
  }
  std::multimap<std::uint64_t, std::string> found; // by priority, then in the order of the list
  const llvm::Constant* entries = list->getInitializer();
  for (unsigned i = 0; i < list->getValueType()->getArrayNumElements(); ++i) {
    const llvm::Constant* entry = entries->getAggregateElement(i);
    const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(entry->getAggregateElement(0U));
    const auto* function = llvm::dyn_cast<llvm::Function>(entry->getAggregateElement(1U));
    if (priority != nullptr && function != nullptr) {
      found.emplace(priority->getZExtValue(), function->getName().str());
    }
  }
  for (auto& [priority, name] : found) {
    imported_.constructors.push_back(std::move(name));
  }
}

} // namespace heddle::frontend
