// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One piece of inline assembly being imported. Its straight-line instructions are run one after
// the other over registers and flags whose contents are operands: inline_asm.cpp has what each
// instruction does, asm_registers.cpp the operands, registers and results, asm_flags.cpp the flags.
#pragma once

#include "frontend/llvm/asm_text.h"
#include "frontend/llvm/function_importer.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// An operand of the assembly as its constraint declares it: memory, a register, or (an output
/// "=@ccz") a condition of the flags after the last instruction.
struct AsmOperand {
  bool is_output = false;
  bool is_memory = false;                   // `argument` is the address
  bool is_early = false;                    // an output that shares its register with no input
  bool is_immediate = false;                // an input that must be a constant
  std::string condition = {};               // the condition code, of a flag output
  const llvm::Value* argument = nullptr;    // of inputs and memory
  llvm::Type* element = nullptr;            // of memory
  std::optional<std::size_t> tied = {};     // the output this input shares a register with
  std::optional<std::uint64_t> number = {}; // of the register its constraint names
  std::size_t place = 0;                    // its register; not of memory and flag outputs
  std::optional<std::size_t> result = {};   // the part of the call's value this output is
};

/// A register that operands or the text name. Bits above those of the value are zero or unknown.
struct AsmPlace {
  std::optional<std::uint64_t> number = {}; // of a register the text or a constraint names
  std::optional<ir::Operand> value = {};    // none: whatever the register happened to hold
  bool is_zero_above = false;
  bool is_immediate = false;
  bool is_input = false;     // of an input, and of no output
  bool is_shareable = false; // of an output that the compiler may give the register of an input
  bool is_written = false;
  bool is_unreadable = false; // it holds a value of a type we do not have
};

/// What the flags tell of: nothing known, or the result of an addition, subtraction or logical
/// operation of these operands. A carry or zero flag that is set in another way stands by itself.
struct AsmFlags {
  enum class From : std::uint8_t { kNothing, kAddition, kSubtraction, kLogic };
  From from = From::kNothing;
  ir::Operand left = {};
  ir::Operand right = {};
  ir::Operand result = {};
  std::optional<ir::Operand> zero = {};
  std::optional<ir::Operand> carry = {};
  bool has_carry = true; // false: not even where the carry of the operation is known
};

/// Each method that returns false or nothing has met a form that is not known; what was emitted
/// before it is made unreachable by the trap that follows.
class FunctionImporter::AsmImporter {
public:
  /// Both outlive this object.
  AsmImporter(FunctionImporter& into, const llvm::CallBase& call) : into_(into), call_(call) {}

  bool run();
  /// What is not supported, if it is not the text as a whole.
  [[nodiscard]] const std::string& reason() const { return reason_; }

private:
  // inline_asm.cpp
  bool import(const AsmStatement& statement);
  bool give_any_values();
  void fence(const std::string& name);
  bool import_move(const AsmStatement& statement);
  bool import_extension(const AsmStatement& statement);
  bool import_zero(const AsmStatement& statement);
  bool import_arithmetic(const AsmStatement& statement);
  bool import_exchange(const AsmStatement& statement);
  bool import_negation(const AsmStatement& statement);
  bool import_comparison(const AsmStatement& statement);
  bool import_compare_exchange(const AsmStatement& statement);
  bool import_two_word_exchange(const AsmStatement& statement, ir::Type half);
  bool import_bit(const AsmStatement& statement);
  bool import_condition(const AsmStatement& statement);
  bool finish(bool is_empty);
  std::optional<ir::Operand> result_of(const AsmOperand& operand, ir::Type type, bool is_empty);

  // asm_registers.cpp
  bool read_operands();
  void make_places();
  [[nodiscard]] const AsmOperand* operand_at(const AsmArgument& argument) const;
  [[nodiscard]] bool is_memory(const AsmArgument& argument) const;
  /// The register an argument is; none for memory and literals.
  std::optional<std::size_t> place_of(const AsmArgument& argument);
  std::size_t place_of_number(std::uint64_t number);
  /// The width of an instruction: its suffix, else its registers', else that of what is in memory.
  std::optional<ir::Type> width(const AsmStatement& statement);
  std::optional<ir::Operand> address(const AsmArgument& memory);
  std::optional<ir::Operand> content(const AsmPlace& place, ir::Type type);
  /// The value of a literal, a register or of memory, which is then read.
  std::optional<ir::Operand> read(const AsmArgument& argument, ir::Type type);
  bool write(const AsmArgument& argument, const ir::Operand& value, ir::Type type);
  void write_place(AsmPlace& place, const ir::Operand& value, ir::Type type);
  /// Whether an output that may share this input's register has been written already.
  [[nodiscard]] bool is_lost(const AsmPlace& input) const;
  [[nodiscard]] std::optional<unsigned> bits_of(const AsmOperand& operand) const;
  [[nodiscard]] unsigned bits_of(const ir::Operand& operand) const;
  ir::Operand any(ir::Type type);

  // asm_flags.cpp
  void set_flags(AsmFlags::From from,
                 const ir::Operand& left,
                 const ir::Operand& right,
                 const ir::Operand& result);
  std::optional<ir::Operand> zero_flag();
  std::optional<ir::Operand> sign_flag();
  std::optional<ir::Operand> carry_flag();
  std::optional<ir::Operand> overflow_flag();
  std::optional<ir::Operand> parity_flag();
  /// Whether the condition ("z", "nae", …) holds, as i1; nothing if the flags it asks for are not
  /// known.
  std::optional<ir::Operand> condition(std::string_view code);

  FunctionImporter& into_;
  const llvm::CallBase& call_;
  std::vector<AsmOperand> operands_;
  std::vector<AsmPlace> places_;
  AsmFlags flags_;
  std::set<ir::RegisterId> unset_; // what registers happened to hold: it can be copied, not read
  std::string reason_;
};

} // namespace heddle::frontend
