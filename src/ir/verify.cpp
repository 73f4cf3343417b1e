// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The rules of docs/ir.md, one after the other; the first that is broken is reported. Types are
// compared by width, as the machine does: an integer of pointer width may stand where a pointer is
// asked for. How arguments of a call meet the parameters is not checked: legacy C calls functions
// with whatever it has.
#include "ir/verify.h"

#include "ir/verify_instruction.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <bit>
#include <set>

namespace heddle::ir {

namespace {

/// The first broken rule, if any; later ones are ignored.
class Verifier {
public:
  explicit Verifier(const Module& module) : module_(module) {}

  Status run() {
    require(!module_.files.empty() && module_.files[0].empty(),
            "IR-050",
            "expected an empty name for file 0",
            {});
    std::set<std::string> names;
    for (const Global& global : module_.globals) {
      unique_name(names, global.name, global.loc);
      verify(global);
    }
    for (const Function& function : module_.functions) {
      unique_name(names, function.name, function.loc);
      verify(function);
    }
    for (const Approximation& approximation : module_.approximations)
      verify(approximation.where);
    if (error_)
      return *error_;
    return Done{};
  }

private:
  void require(bool condition, std::string_view code, std::string_view rule, SourceLoc loc) {
    if (condition || error_)
      return;
    std::string place;
    if (function_ != nullptr)
      place = fmt::format("in function '{}', ", function_->name);
    error_ = Error{ErrorKind::kInput,
                   std::string(code),
                   place + std::string(rule),
                   loc.file < module_.files.size() ? module_.files[loc.file] : std::string(),
                   loc.line,
                   loc.column};
  }
  void verify(SourceLoc loc) {
    require(loc.file < module_.files.size(), "IR-051", "expected a file of the module's table", {});
  }

  void unique_name(std::set<std::string>& names, const std::string& name, SourceLoc loc) {
    require(!name.empty(), "IR-052", "expected a name that is not empty", loc);
    require(names.insert(name).second,
            "IR-053",
            fmt::format("expected the name '{}' to be used once in the module", name),
            loc);
  }

  [[nodiscard]] bool exists(const GlobalAddress& address) const {
    return address.global.index() < module_.globals.size();
  }
  [[nodiscard]] bool exists(const FunctionAddress& address) const {
    return address.function.index() < module_.functions.size();
  }

  void verify(const std::vector<Part>& parts,
              std::uint64_t size,
              const std::string& name,
              SourceLoc loc) {
    for (const Part& part : parts) {
      require(
          part.offset <= size && part.count != 0 && part.size != 0 &&
              part.count <= (size - part.offset) / part.size &&
              (part.field.empty() || part.count == 1),
          "IR-084",
          fmt::format("expected the part at offset {} of '{}' to lie inside it", part.offset, name),
          loc);
      require(part.scalar_bits <= 64,
              "IR-057",
              fmt::format("expected a scalar of at most 64 bits in '{}'", name),
              loc);
      if (error_)
        return;
      verify(part.parts, part.size, name, loc);
    }
  }

  void verify(const Global& global) {
    verify(global.loc);
    verify(global.parts, global.size, global.name, global.loc);
    require(std::has_single_bit(global.align),
            "IR-054",
            fmt::format("expected a power of two as alignment of '{}'", global.name),
            global.loc);
    require(global.initial.empty() || global.initial.size() == global.size,
            "IR-055",
            fmt::format("expected {} initial bytes of '{}', found {}",
                        global.size,
                        global.name,
                        global.initial.size()),
            global.loc);
    require(!global.is_declaration || (global.initial.empty() && global.relocations.empty()),
            "IR-056",
            fmt::format("expected no initial value of '{}', which is only declared", global.name),
            global.loc);
    require(global.scalar_bits <= 64,
            "IR-057",
            fmt::format("expected a scalar of at most 64 bits in '{}'", global.name),
            global.loc);
    const std::uint64_t pointer_bytes = module_.pointer_bits() / 8;
    for (const Relocation& relocation : global.relocations) {
      require(relocation.offset <= global.size && global.size - relocation.offset >= pointer_bytes,
              "IR-058",
              fmt::format("expected the pointer at offset {} to lie inside '{}'",
                          relocation.offset,
                          global.name),
              global.loc);
      require(
          std::visit(Overloaded{[&](const GlobalAddress& address) { return exists(address); },
                                [&](const FunctionAddress& address) { return exists(address); }},
                     relocation.target),
          "IR-059",
          fmt::format("expected the pointer at offset {} of '{}' to have a target",
                      relocation.offset,
                      global.name),
          global.loc);
    }
  }

  void verify(const Function& function) {
    function_ = &function;
    verify(function.loc);
    require(is_canonical(function.result),
            "IR-060",
            "expected a type of the ir as result",
            function.loc);
    require(function.parameter_count <= function.registers.size(),
            "IR-061",
            "expected a register for each parameter",
            function.loc);
    for (const Register& declared : function.registers) {
      verify(declared.loc);
      require(is_canonical(declared.type) && !declared.type.is_void(),
              "IR-062",
              "expected registers to be pointers or integers of 1 to 64 bits",
              function.loc);
    }
    for (const Slot& slot : function.slots) {
      verify(slot.loc);
      verify(slot.parts, slot.size, slot.name, slot.loc);
      require(std::has_single_bit(slot.align),
              "IR-054",
              fmt::format("expected a power of two as alignment of '{}'", slot.name),
              slot.loc);
    }
    if (function.is_declaration())
      require(function.registers.size() == function.parameter_count && function.slots.empty(),
              "IR-063",
              "expected neither slots nor further registers in a declaration",
              function.loc);
    std::set<std::string> names;
    for (const Block& block : function.blocks) {
      require(names.insert(block.name).second,
              "IR-064",
              fmt::format("expected the block name '{}' to be used once", block.name),
              function.loc);
      verify(block);
    }
    function_ = nullptr;
  }

  void verify(const Block& block) {
    require(!block.instructions.empty(),
            "IR-065",
            fmt::format("expected an instruction in block '{}'", block.name),
            function_->loc);
    for (const Instruction& instruction : block.instructions) {
      if (error_)
        return;
      const bool is_last = &instruction == &block.instructions.back();
      require(
          is_terminator(instruction.operation) == is_last,
          "IR-066",
          fmt::format("expected a terminator at the end of block '{}', and only there", block.name),
          instruction.loc);
      if (!error_)
        error_ = verify_instruction(module_, *function_, instruction);
    }
  }

  const Module& module_; // outlives the verifier: both live for one call of verify
  const Function* function_ = nullptr;
  std::optional<Error> error_;
};

} // namespace

Status verify(const Module& module) {
  return Verifier(module).run();
}

} // namespace heddle::ir
