// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The operands of inline assembly and the registers they stand for. Compilers choose registers
// freely within the constraints: two operands that may get one register are not read as if they
// had two.
#include "frontend/llvm/asm_importer.h"

#include <algorithm>
#include <cctype>

namespace heddle::frontend {

bool FunctionImporter::AsmImporter::read_operands() {
  constexpr std::string_view kFlag = "{@cc";
  const auto* text = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
  unsigned argument = 0;
  std::size_t result = 0;
  for (const llvm::InlineAsm::ConstraintInfo& info : text->ParseConstraints()) {
    if (info.Type == llvm::InlineAsm::isClobber) {
      continue;
    }
    if (info.Type == llvm::InlineAsm::isLabel || info.isMultipleAlternative) {
      return false;
    }
    AsmOperand operand;
    operand.is_output = info.Type == llvm::InlineAsm::isOutput;
    operand.is_memory = info.isIndirect;
    operand.is_early = info.isEarlyClobber;
    operand.is_immediate = !operand.is_output && !info.Codes.empty();
    for (const std::string& code : info.Codes) {
      operand.is_immediate = operand.is_immediate && (code == "i" || code == "n" || code == "I");
      const bool is_named = code.starts_with('{') && code.ends_with('}');
      if (code.starts_with(kFlag)) {
        operand.condition = code.substr(kFlag.size(), code.size() - kFlag.size() - 1);
      } else if (const auto named =
                     asm_register(is_named ? code.substr(1, code.size() - 2) : code)) {
        operand.number = named->number;
      }
    }
    if (!operand.is_output && info.hasMatchingInput()) {
      return false;
    }
    if (!operand.is_output && info.Codes.size() == 1 &&
        std::isdigit(static_cast<unsigned char>(info.Codes[0][0])) != 0) {
      operand.tied = static_cast<std::size_t>(std::stoul(info.Codes[0]));
    }
    if (!operand.is_output || operand.is_memory) {
      operand.argument = call_.getArgOperand(argument);
      operand.element = call_.getParamElementType(argument);
      ++argument;
    } else {
      operand.result = result++;
    }
    operands_.push_back(operand);
  }
  make_places();
  return true;
}

/// Outputs have a register each; an input has its own unless a constraint says otherwise.
void FunctionImporter::AsmImporter::make_places() {
  for (AsmOperand& operand : operands_) {
    if (operand.is_output && !operand.is_memory && operand.condition.empty()) {
      operand.place = places_.size();
      places_.push_back({operand.number});
      places_.back().is_shareable = !operand.is_early;
    }
  }
  for (AsmOperand& operand : operands_) {
    if (operand.is_output || operand.is_memory) {
      continue;
    }
    const auto same = std::ranges::find_if(places_, [&](const AsmPlace& one) {
      return operand.number && one.number == operand.number;
    });
    if (operand.tied && *operand.tied < operands_.size()) {
      operand.place = operands_[*operand.tied].place;
    } else if (same != places_.end()) {
      operand.place = static_cast<std::size_t>(same - places_.begin());
    } else {
      operand.place = places_.size();
      places_.push_back({operand.number});
      places_.back().is_input = true;
    }
    AsmPlace& place = places_[operand.place];
    place.is_shareable = false;
    place.is_immediate = operand.is_immediate;
    if (into_.module_.scalar(operand.argument->getType())) {
      place.value = into_.operand(operand.argument);
    } else {
      place.is_unreadable = true;
    }
  }
}

const AsmOperand* FunctionImporter::AsmImporter::operand_at(const AsmArgument& argument) const {
  if (argument.kind != AsmArgument::Kind::kOperand || argument.value >= operands_.size()) {
    return nullptr;
  }
  return &operands_[argument.value];
}

bool FunctionImporter::AsmImporter::is_memory(const AsmArgument& argument) const {
  const AsmOperand* operand = operand_at(argument);
  return argument.is_indirect || (operand != nullptr && operand->is_memory);
}

std::optional<std::size_t> FunctionImporter::AsmImporter::place_of(const AsmArgument& argument) {
  if (argument.kind == AsmArgument::Kind::kRegister) {
    return place_of_number(argument.value);
  }
  const AsmOperand* operand = operand_at(argument);
  if (operand == nullptr || operand->is_memory || !operand->condition.empty()) {
    return std::nullopt;
  }
  return operand->place;
}

std::size_t FunctionImporter::AsmImporter::place_of_number(std::uint64_t number) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].number == number) {
      return i;
    }
  }
  places_.push_back({number});
  return places_.size() - 1;
}

unsigned FunctionImporter::AsmImporter::bits_of(const ir::Operand& operand) const {
  return into_.module_.module().bits(into_.type_of(operand));
}

std::optional<unsigned> FunctionImporter::AsmImporter::bits_of(const AsmOperand& operand) const {
  llvm::Type* type = nullptr;
  if (operand.is_memory) {
    type = operand.element;
  } else if (operand.argument != nullptr) {
    type = operand.argument->getType();
  } else if (operand.result) {
    auto* several = llvm::dyn_cast<llvm::StructType>(call_.getType());
    type = several == nullptr ? call_.getType()
                              : several->getElementType(static_cast<unsigned>(*operand.result));
  }
  const auto scalar = type == nullptr ? std::nullopt : into_.module_.scalar(type);
  if (!scalar) {
    return std::nullopt;
  }
  return into_.module_.module().bits(*scalar);
}

std::optional<ir::Type> FunctionImporter::AsmImporter::width(const AsmStatement& statement) {
  if (statement.bits != 0) {
    return ir::Type::integer(statement.bits);
  }
  const auto is_known = [](unsigned bits) {
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  };
  enum class Look : std::uint8_t { kNamed, kRegisters, kMemory, kConstants };
  for (const Look look : {Look::kNamed, Look::kRegisters, Look::kMemory, Look::kConstants}) {
    for (const AsmArgument& argument : statement.arguments) {
      if (look == Look::kNamed && argument.bits != 0 && !argument.is_indirect) {
        return ir::Type::integer(argument.bits);
      }
      const AsmOperand* operand = operand_at(argument);
      if (operand == nullptr || argument.is_indirect) {
        continue;
      }
      const bool is_constant = operand->argument != nullptr && !operand->is_memory &&
                               llvm::isa<llvm::ConstantInt>(operand->argument);
      const bool is_meant = look == Look::kMemory      ? operand->is_memory
                            : look == Look::kConstants ? is_constant
                                                       : !operand->is_memory && !is_constant;
      const auto bits = look != Look::kNamed && is_meant ? bits_of(*operand) : std::nullopt;
      if (bits && is_known(*bits)) {
        return ir::Type::integer(*bits);
      }
    }
  }
  return std::nullopt;
}

bool FunctionImporter::AsmImporter::is_lost(const AsmPlace& input) const {
  return input.is_input && std::ranges::any_of(places_, [&](const AsmPlace& output) {
           return output.is_shareable && output.is_written &&
                  !(output.number && input.number && output.number != input.number);
         });
}

std::optional<ir::Operand> FunctionImporter::AsmImporter::address(const AsmArgument& memory) {
  const AsmOperand* operand = operand_at(memory);
  if (!memory.is_indirect) {
    // Its address is in registers of the compiler's choice.
    const bool is_lost = std::ranges::any_of(
        places_, [](const AsmPlace& output) { return output.is_shareable && output.is_written; });
    if (operand == nullptr || !operand->is_memory || is_lost) {
      return std::nullopt;
    }
    return into_.operand(operand->argument);
  }
  const auto place = place_of(memory);
  const auto base = place ? content(places_[*place], into_.module_.word()) : std::nullopt;
  if (!base || !places_[*place].value) {
    return std::nullopt;
  }
  const ir::Operand start = into_.convert(*places_[*place].value, ir::Type::pointer());
  return into_.add_offset(start, static_cast<std::uint64_t>(memory.displacement));
}

ir::Operand FunctionImporter::AsmImporter::any(ir::Type type) {
  const ir::RegisterId value = into_.new_register(type);
  into_.emit(ir::Nondet{value, "register in inline assembly"});
  return value;
}

std::optional<ir::Operand> FunctionImporter::AsmImporter::content(const AsmPlace& place,
                                                                  ir::Type type) {
  if (place.is_unreadable || is_lost(place) || !place.value) {
    return std::nullopt;
  }
  const auto* held = std::get_if<ir::RegisterId>(&*place.value);
  if (held != nullptr && unset_.contains(*held)) {
    return std::nullopt;
  }
  const unsigned have = bits_of(*place.value);
  const unsigned want = into_.module_.module().bits(type);
  if (want <= have || place.is_zero_above) {
    return into_.convert(*place.value, type);
  }
  const auto* literal = std::get_if<ir::Constant>(&*place.value);
  const bool is_negative = literal != nullptr && ((literal->value >> (have - 1)) & 1) != 0;
  if (literal != nullptr && !is_negative) {
    return into_.convert(*place.value, type);
  }
  if (place.is_immediate) {
    return into_.compute(type, ir::Op::kSExt, {*place.value});
  }
  return std::nullopt; // the upper bits are whatever the compiler left there
}

std::optional<ir::Operand> FunctionImporter::AsmImporter::read(const AsmArgument& argument,
                                                               ir::Type type) {
  if (argument.kind == AsmArgument::Kind::kLiteral) {
    return into_.convert(ir::Constant{ir::Type::integer(64), argument.value}, type);
  }
  if (is_memory(argument)) {
    const auto from = address(argument);
    if (!from) {
      return std::nullopt;
    }
    const ir::RegisterId loaded = into_.new_register(type);
    into_.emit(ir::Load{loaded, *from, {ir::AccessKind::kVolatile, ir::Order::kNone}});
    return loaded;
  }
  const auto place = place_of(argument);
  return place ? content(places_[*place], type) : std::nullopt;
}

bool FunctionImporter::AsmImporter::write(const AsmArgument& argument,
                                          const ir::Operand& value,
                                          ir::Type type) {
  if (is_memory(argument)) {
    const auto to = address(argument);
    if (to) {
      into_.emit(ir::Store{*to, value, type, {ir::AccessKind::kVolatile, ir::Order::kNone}});
    }
    return to.has_value();
  }
  const auto place = place_of(argument);
  if (!place || places_[*place].is_immediate) {
    return false;
  }
  write_place(places_[*place], value, type);
  return true;
}

/// Instructions on 32 bits clear the upper half of a register, those on fewer keep the rest.
void FunctionImporter::AsmImporter::write_place(AsmPlace& place,
                                                const ir::Operand& value,
                                                ir::Type type) {
  const unsigned bits = into_.module_.module().bits(type);
  const unsigned before = place.value ? bits_of(*place.value) : 0;
  place.is_written = true;
  place.is_unreadable = false;
  if (bits >= 32 || before < bits) {
    place.value = value;
    place.is_zero_above = bits == 32;
    return;
  }
  if (before == bits) {
    place.value = value;
    return;
  }
  const ir::Type whole = ir::Type::integer(before);
  const ir::Operand old = into_.convert(*place.value, whole);
  const std::uint64_t kept = ~((std::uint64_t{1} << bits) - 1);
  const ir::Operand upper = into_.compute(
      whole, ir::Op::kAnd, {old, into_.convert(ir::Constant{ir::Type::integer(64), kept}, whole)});
  place.value = into_.compute(whole, ir::Op::kOr, {upper, into_.convert(value, whole)});
}

} // namespace heddle::frontend
