// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Writes what parse.cpp reads. An id out of range is written as `<bad N>`, which does not parse:
// dumps of a broken module must not crash.
#include "ir/print.h"

#include "ir/names.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace heddle::ir {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + '"';
}

std::string global_name(std::string_view name) {
  const bool is_bare = !name.empty() && !is_digit(name.front()) &&
                       std::all_of(name.begin(), name.end(), is_name_character);
  return '@' + (is_bare ? std::string(name) : quoted(name));
}

std::string label(std::string_view name) {
  const bool is_bare = !name.empty() && is_letter(name.front()) &&
                       std::all_of(name.begin(), name.end(), is_word_character);
  return is_bare ? std::string(name) : quoted(name);
}

std::string text_of(Type type) {
  switch (type.kind) {
  case Type::Kind::kVoid:
    return "void";
  case Type::Kind::kInteger:
    return fmt::format("i{}", type.bits);
  case Type::Kind::kPointer:
    return "ptr";
  }
  return "?";
}

std::string location(SourceLoc loc) {
  return loc == SourceLoc{} ? "" : fmt::format(" !{}:{}:{}", loc.file, loc.line, loc.column);
}

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes)
    fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

std::string offset_text(std::int64_t offset) {
  return offset == 0 ? "" : fmt::format("{:+}", offset);
}

std::string reg(RegisterId id) {
  return fmt::format("%{}", id.value);
}

class Writer {
public:
  explicit Writer(const Module& module, const Function* function = nullptr)
      : module_(module), function_(function) {}

  [[nodiscard]] std::string text(const GlobalAddress& address) const {
    const std::string name = address.global.index() < module_.globals.size()
                                 ? global_name(module_.globals[address.global].name)
                                 : fmt::format("<bad {}>", address.global.value);
    return name + offset_text(address.offset);
  }
  [[nodiscard]] std::string text(const FunctionAddress& address) const {
    return address.function.index() < module_.functions.size()
               ? global_name(module_.functions[address.function].name)
               : fmt::format("<bad {}>", address.function.value);
  }
  /// Small negative numbers look like ones; all others are written as they are.
  [[nodiscard]] std::string value_text(const Constant& constant) const {
    const unsigned bits = module_.bits(constant.type);
    if (constant.type.kind == Type::Kind::kInteger && bits > 1 && bits <= 64) {
      const std::uint64_t sign = 1ULL << (bits - 1);
      const std::uint64_t all = sign | (sign - 1);
      if ((constant.value & sign) != 0 && (constant.value & ~all) == 0)
        return fmt::format("-{}", (~constant.value & all) + 1);
    }
    return fmt::format("{}", constant.value);
  }
  [[nodiscard]] std::string text(const Operand& operand) const {
    return std::visit(
        Overloaded{
            [&](const Constant& constant) {
              return text_of(constant.type) + ' ' + value_text(constant);
            },
            [](const RegisterId& id) { return reg(id); },
            [&](const GlobalAddress& address) { return text(address); },
            [&](const FunctionAddress& address) { return text(address); },
            [](const SlotAddress& address) { return fmt::format("${}", address.slot.value); },
        },
        operand);
  }
  [[nodiscard]] std::string text(const std::vector<Operand>& operands) const {
    std::string result;
    for (const Operand& operand : operands)
      result += (result.empty() ? "" : ", ") + text(operand);
    return result;
  }
  /// `i32 5` or `i32 %3`: a constant of that very type does not say it twice.
  [[nodiscard]] std::string typed(Type type, const Operand& operand) const {
    const Constant* constant = std::get_if<Constant>(&operand);
    if (constant != nullptr && constant->type == type)
      return text(operand);
    return text_of(type) + ' ' + text(operand);
  }
  [[nodiscard]] std::string text(BlockId id) const {
    return function_ != nullptr && id.index() < function_->blocks.size()
               ? label(function_->blocks[id].name)
               : fmt::format("<bad {}>", id.value);
  }
  /// ".atomic.acquire["tag"]", to stand after the mnemonic.
  [[nodiscard]] static std::string text(const Access& access) {
    std::string result;
    if (access.kind != AccessKind::kPlain)
      result += fmt::format(".{}", word_of(kAccessKindWords, access.kind));
    if (access.order != Order::kNone)
      result += fmt::format(".{}", word_of(kOrderWords, access.order));
    if (access.tags.empty())
      return result;
    result += '[';
    for (std::size_t i = 0; i < access.tags.size(); ++i)
      result += (i == 0 ? "" : ", ") + quoted(access.tags[i]);
    return result + ']';
  }
  [[nodiscard]] static std::string assigned(const std::optional<RegisterId>& dest) {
    return dest ? reg(*dest) + " = " : "";
  }
  [[nodiscard]] std::string or_void(const std::optional<Operand>& operand) const {
    return operand ? text(*operand) : "void";
  }

  [[nodiscard]] std::string text(const Operation& operation) const {
    return std::visit(
        Overloaded{
            [&](const Compute& i) {
              return fmt::format("{} = {}{} {}",
                                 reg(i.dest),
                                 word_of(kOpWords, i.op),
                                 i.no_signed_wrap ? " nsw" : "",
                                 text(i.operands));
            },
            [&](const Nondet& i) { return reg(i.dest) + " = nondet " + quoted(i.origin); },
            [&](const Load& i) {
              return fmt::format("{} = load{} {}{}",
                                 reg(i.dest),
                                 text(i.access),
                                 text(i.address),
                                 i.marks ? " marks " + reg(*i.marks) : "");
            },
            [&](const Store& i) {
              return fmt::format("store{} {}, {}{}",
                                 text(i.access),
                                 typed(i.type, i.value),
                                 text(i.address),
                                 i.marks ? " marks " + text(*i.marks) : "");
            },
            [&](const LoadExclusive& i) {
              return fmt::format(
                  "{} = load_exclusive{} {}", reg(i.dest), text(i.access), text(i.address));
            },
            [&](const StoreExclusive& i) {
              return fmt::format("{} = store_exclusive{} {}, {}",
                                 reg(i.success),
                                 text(i.access),
                                 typed(i.type, i.value),
                                 text(i.address));
            },
            [&](const ReadModifyWrite& i) {
              return fmt::format("{} = rmw{} {} {}, {}",
                                 reg(i.dest),
                                 text(i.access),
                                 word_of(kRmwWords, i.op),
                                 text(i.address),
                                 text(i.value));
            },
            [&](const CompareExchange& i) {
              return fmt::format("{}, {} = cmpxchg{}{} {}, {}, {} failure {}",
                                 reg(i.dest),
                                 reg(i.success),
                                 text(i.access),
                                 i.weak ? " weak" : "",
                                 text(i.address),
                                 text(i.expected),
                                 text(i.desired),
                                 word_of(kOrderWords, i.failure_order));
            },
            [&](const Fence& i) { return "fence" + text(i.access); },
            [&](const Allocate& i) {
              return fmt::format("{} = alloc {}{} {}",
                                 reg(i.dest),
                                 word_of(kWhereWords, i.where),
                                 i.zeroed ? " zeroed" : "",
                                 text(i.size));
            },
            [&](const Free& i) { return "free " + text(i.address); },
            [&](const BlockSize& i) { return reg(i.dest) + " = block_size " + text(i.address); },
            [&](const Call& i) {
              return fmt::format(
                  "{}call {}({})", assigned(i.dest), text(i.callee), text(i.arguments));
            },
            [&](const Synchronize& i) {
              return fmt::format(
                  "{}{}({})", assigned(i.dest), word_of(kSyncWords, i.op), text(i.operands));
            },
            [&](const AtomicBegin&) { return std::string("atomic_begin"); },
            [&](const AtomicEnd&) { return std::string("atomic_end"); },
            [&](const Assume& i) { return "assume " + text(i.condition); },
            [&](const Assert& i) {
              if (i.is_index_check)
                return "check_index " + text(i.condition);
              return fmt::format("assert {}, {}", text(i.condition), quoted(i.what));
            },
            [&](const Hint& i) {
              return fmt::format("hint {} {}({})",
                                 word_of(kHintWords, i.kind),
                                 i.name.empty() ? "" : quoted(i.name) + ' ',
                                 text(i.operands));
            },
            [&](const Trap& i) {
              return fmt::format("trap {} help {}", quoted(i.what), quoted(i.help));
            },
            [&](const Jump& i) { return "jump " + text(i.target); },
            [&](const Branch& i) {
              return fmt::format(
                  "branch {}, {}, {}", text(i.condition), text(i.if_true), text(i.if_false));
            },
            [&](const Switch& i) {
              std::string cases;
              for (const SwitchCase& c : i.cases)
                cases +=
                    fmt::format("{}{}: {}", cases.empty() ? "" : ", ", c.value, text(c.target));
              return fmt::format("switch {} [{}] else {}", text(i.value), cases, text(i.otherwise));
            },
            [&](const Return& i) { return "ret " + or_void(i.value); },
            [&](const ThreadExit& i) { return "thread_exit " + or_void(i.value); },
            [&](const Exit&) { return std::string("exit"); },
            [&](const Unreachable&) { return std::string("unreachable"); },
        },
        operation);
  }

private:
  const Module& module_;     // outlives the writer: both live for one call of print
  const Function* function_; // null outside functions
};

std::string register_text(std::size_t index, const Register& declared) {
  return fmt::format("%{} : {}{}{}",
                     index,
                     text_of(declared.type),
                     declared.name.empty() ? "" : ' ' + quoted(declared.name),
                     location(declared.loc));
}

std::string scalar_text(std::uint8_t bits, bool is_signed) {
  if (bits == 0 && !is_signed)
    return "";
  return fmt::format(" {} {}", is_signed ? "signed" : "unsigned", bits);
}

std::string parts_text(const std::vector<Part>& parts) {
  if (parts.empty())
    return "";
  std::string list;
  for (const Part& part : parts)
    list += fmt::format("{}{}{}: {}{}{}{}",
                        list.empty() ? "" : ", ",
                        part.field.empty() ? "" : quoted(part.field) + ' ',
                        part.offset,
                        part.size,
                        part.field.empty() ? fmt::format(" x {}", part.count) : "",
                        scalar_text(part.scalar_bits, part.scalar_signed),
                        parts_text(part.parts));
  return " parts [" + list + ']';
}

std::string global_text(const Writer& writer, const Global& global) {
  std::string text = "global ";
  text += global.is_declaration ? "extern " : "";
  text += global.is_internal ? "internal " : "";
  text += global.is_constant ? "constant " : "";
  text += global.is_thread_local ? "thread_local " : "";
  text += fmt::format("{} : {} align {}", global_name(global.name), global.size, global.align);
  text += scalar_text(global.scalar_bits, global.scalar_signed) + parts_text(global.parts);
  if (!global.initial.empty())
    text += fmt::format(" init \"{}\"", hexadecimal(global.initial));
  if (!global.relocations.empty()) {
    std::string list;
    for (const Relocation& relocation : global.relocations)
      list += fmt::format(
          "{}{}: {}",
          list.empty() ? "" : ", ",
          relocation.offset,
          std::visit(
              Overloaded{[&](const GlobalAddress& address) { return writer.text(address); },
                         [&](const FunctionAddress& address) { return writer.text(address); }},
              relocation.target));
    text += " reloc [" + list + ']';
  }
  return text + location(global.loc) + '\n';
}

std::string function_text(const Module& module, const Function& function) {
  const Writer writer(module, &function);
  std::string parameters;
  for (std::size_t i = 0;
       i < std::min<std::size_t>(function.parameter_count, function.registers.size());
       ++i)
    parameters += (i == 0 ? "" : ", ") + register_text(i, function.registers[RegisterId{i}]);
  if (function.is_variadic)
    parameters += parameters.empty() ? "..." : ", ...";
  std::string text = fmt::format("\n{}{} {}({}) -> {}{}",
                                 function.is_declaration() ? "declare" : "func",
                                 function.is_internal ? " internal" : "",
                                 global_name(function.name),
                                 parameters,
                                 text_of(function.result),
                                 location(function.loc));
  if (function.is_declaration())
    return text + '\n';
  text += " {\n";
  for (std::size_t i = function.parameter_count; i < function.registers.size(); ++i)
    text += "  reg " + register_text(i, function.registers[RegisterId{i}]) + '\n';
  for (std::size_t i = 0; i < function.slots.size(); ++i) {
    const Slot& slot = function.slots[SlotId{i}];
    text += fmt::format("  slot ${} : {} align {} {}{}{}\n",
                        i,
                        slot.size,
                        slot.align,
                        quoted(slot.name),
                        parts_text(slot.parts),
                        location(slot.loc));
  }
  for (const Block& block : function.blocks) {
    text += "block " + label(block.name) + ":\n";
    for (const Instruction& instruction : block.instructions)
      text += "  " + writer.text(instruction.operation) + location(instruction.loc) + '\n';
  }
  return text + "}\n";
}

} // namespace

std::string print(const Module& module) {
  std::string text = fmt::format("module {}\n", word_of(kDataModelWords, module.data_model));
  for (std::size_t i = 1; i < module.files.size(); ++i)
    text += fmt::format("file {} {}\n", i, quoted(module.files[i]));
  for (const Approximation& approximation : module.approximations)
    text += fmt::format("approximation {} {}{}\n",
                        word_of(kApproximationWords, approximation.kind),
                        quoted(approximation.what),
                        location(approximation.where));
  if (!module.globals.empty())
    text += '\n';
  const Writer writer(module);
  for (const Global& global : module.globals)
    text += global_text(writer, global);
  for (const Function& function : module.functions)
    text += function_text(module, function);
  return text;
}

std::string print(const Module& module, const Function& function, const Instruction& instruction) {
  return Writer(module, &function).text(instruction.operation);
}

} // namespace heddle::ir
