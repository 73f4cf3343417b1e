// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The import of one function body. Each topic has its own file: instructions.cpp (control flow and
// arithmetic), memory_access.cpp (loads, stores, atomics, block copies), calls.cpp, intrinsics.cpp,
// inline_asm.cpp, wide_atomics.cpp.
#pragma once

#include "frontend/llvm/debug_names.h"
#include "frontend/llvm/module_importer.h"
#include "frontend/llvm/promote.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heddle::frontend {

/// One operand per part.
using Values = std::vector<ir::Operand>;

/// Whether it is a function of the library that prints, which nothing can observe.
[[nodiscard]] bool prints(const llvm::Function& function);

class FunctionImporter {
public:
  /// All three outlive this object.
  FunctionImporter(ModuleImporter& module, const llvm::Function& source, ir::Function& out);

  void run();

private:
  // Building (function_importer.cpp)
  ir::RegisterId new_register(ir::Type type, std::string name = {});
  ir::SlotId new_slot(std::string name, std::uint64_t size, std::uint64_t align);
  ir::BlockId new_block(std::string name);
  void emit(ir::Operation operation);
  ir::Operand compute(ir::Type type, ir::Op op, std::vector<ir::Operand> operands);
  void compute_into(ir::RegisterId dest, ir::Op op, std::vector<ir::Operand> operands);
  [[nodiscard]] ir::Type type_of(const ir::Operand& operand) const;
  /// The operand as an integer or pointer of that type; numbers are extended with zeros.
  ir::Operand convert(const ir::Operand& operand, ir::Type type);
  ir::Operand add_offset(const ir::Operand& address, std::uint64_t offset);
  [[nodiscard]] ir::Operand word(std::uint64_t value) const;
  void trap(const std::string& what, const std::string& help);
  /// An unsupported instruction: a trap, and anything as its result.
  void unsupported(const llvm::Instruction& instruction, const std::string& what);
  void unsupported(const llvm::Instruction& instruction,
                   const std::string& what,
                   const std::string& help);
  [[nodiscard]] std::string fresh_block_name(std::string name);

  // Values
  void bind_parameters();
  void bind_locals();
  Values operands_of(const llvm::Value* value);
  Values constant_parts(const llvm::Constant* constant);
  Values arbitrary(llvm::Type* type, const std::string& origin);
  ir::Operand constant_expression(const llvm::ConstantExpr* expression, ir::Type type);
  /// The only part of a scalar value.
  ir::Operand operand(const llvm::Value* value);
  /// The registers an instruction writes its parts to.
  const std::vector<ir::RegisterId>& registers_of(const llvm::Instruction& instruction);
  ir::RegisterId register_of(const llvm::Instruction& instruction);
  /// Makes these operands the value of the instruction without a copy, unless they may change.
  void pass_on(const llvm::Instruction& instruction, const Values& values);

  // instructions.cpp
  void import_instruction(const llvm::Instruction& instruction);
  void import_binary(const llvm::BinaryOperator& instruction);
  void import_compare(const llvm::ICmpInst& instruction);
  void import_cast(const llvm::CastInst& instruction);
  void import_select(const llvm::SelectInst& instruction);
  void import_address(const llvm::GetElementPtrInst& instruction);
  ir::Operand address_of(const llvm::GEPOperator& address);
  void import_extract(const llvm::ExtractValueInst& instruction);
  void import_insert(const llvm::InsertValueInst& instruction);
  void import_vector_element(const llvm::Instruction& instruction);
  void import_return(const llvm::ReturnInst& instruction);
  void import_branch(const llvm::BranchInst& instruction);
  void import_switch(const llvm::SwitchInst& instruction);
  std::pair<std::size_t, std::size_t> part_range(llvm::Type* type,
                                                 llvm::ArrayRef<unsigned> indices) const;
  /// The block to jump to for this edge: the target, or one that first copies the values of its
  /// phis.
  ir::BlockId edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void copy_phis(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  // memory_access.cpp
  void import_alloca(const llvm::AllocaInst& instruction);
  void import_load(const llvm::LoadInst& instruction);
  void import_store(const llvm::StoreInst& instruction);
  void import_fence(const llvm::FenceInst& instruction);
  void import_rmw(const llvm::AtomicRMWInst& instruction);
  void import_compare_exchange(const llvm::AtomicCmpXchgInst& instruction);
  // wide_atomics.cpp: atomic accesses of two words
  Values load_words(const ir::Operand& address, llvm::AtomicOrdering order);
  void store_words(const ir::Operand& address, const Values& values, llvm::AtomicOrdering order);
  /// The old words, and whether they were the expected ones.
  std::pair<Values, ir::Operand> exchange_words(const ir::Operand& address,
                                                const Values& expected,
                                                const Values& desired,
                                                llvm::AtomicOrdering success,
                                                llvm::AtomicOrdering failure,
                                                bool weak);
  /// Nothing if there is no such operation on two words.
  std::optional<Values> update_words(const ir::Operand& address,
                                     llvm::AtomicRMWInst::BinOp op,
                                     const Values& values,
                                     llvm::AtomicOrdering order);
  [[nodiscard]] bool is_two_words(llvm::Type* type) const;
  ir::Operand put_words(const Values& values);
  Values take_words(const ir::Operand& slot);
  void call_atomic(const char* name,
                   std::optional<ir::RegisterId> dest,
                   const std::vector<ir::Operand>& arguments);
  void copy_block(const llvm::Value* target,
                  const llvm::Value* source,
                  std::uint64_t size,
                  std::uint64_t align,
                  bool is_volatile);
  [[nodiscard]] bool is_only_stored(const llvm::Instruction& value) const;
  std::optional<ir::RegisterId> marks_for(const llvm::Instruction& instruction,
                                          ir::RegisterId part);
  [[nodiscard]] std::optional<ir::Operand> marks_of(const ir::Operand& value) const;
  void copy_pieces(const ir::Operand& target,
                   const ir::Operand& source,
                   const std::vector<Part>& pieces,
                   bool is_volatile);
  std::vector<Part> pieces_of(const llvm::Value* pointer, std::uint64_t size, std::uint64_t align);
  void import_copy(const llvm::MemTransferInst& instruction);
  void import_fill(const llvm::MemSetInst& instruction);

  // calls.cpp
  void import_call(const llvm::CallBase& call);
  void import_plain_call(const llvm::CallBase& call);

  // intrinsics.cpp
  void import_intrinsic(const llvm::IntrinsicInst& call);
  bool import_bit_intrinsic(const llvm::IntrinsicInst& call);
  void import_overflow(const llvm::WithOverflowInst& call);
  void import_funnel_shift(const llvm::IntrinsicInst& call, bool left);

  // variadic.cpp
  void import_variadic_start(const llvm::IntrinsicInst& call);
  void import_variadic_copy(const llvm::IntrinsicInst& call);
  /// Puts all arguments but the first few into a block, and passes its address.
  void pack_further_arguments(ir::Call& call, std::size_t fixed);

  // floating_point.cpp
  void import_floating_point(const llvm::Instruction& instruction);
  bool compute_floating(const llvm::Instruction& instruction);
  bool import_rounding(const llvm::IntrinsicInst& call);
  /// The bits of a float or double as those of a double, and back.
  ir::Operand as_double(const llvm::Value* value);
  ir::Operand from_double(const ir::Operand& value, const llvm::Type* type);
  ir::Operand
  call_floating(const char* name, ir::Type result, const std::vector<ir::Operand>& arguments);
  [[nodiscard]] bool is_irrelevant(const llvm::Value& start) const;

  // inline_asm.cpp
  class AsmImporter;
  void import_asm(const llvm::CallBase& call);

  ModuleImporter& module_;
  const llvm::Function& source_;
  ir::Function& out_;
  Promotion promotion_;
  LocalNames names_;
  ir::BlockId block_;
  SourceLoc loc_;
  ir::Operand hidden_result_; // where to store a result of several parts
  std::vector<Part> returned_;
  /// Registers that are only stored again, and which of their bytes nobody has written.
  std::map<ir::RegisterId, ir::RegisterId> marks_;
  std::unordered_map<const llvm::BasicBlock*, ir::BlockId> blocks_;
  std::unordered_map<const llvm::Value*, Values> values_;
  std::unordered_map<const llvm::Instruction*, std::vector<ir::RegisterId>> registers_;
  std::unordered_map<const llvm::AllocaInst*, ir::RegisterId> locals_;
  std::unordered_set<ir::RegisterId> changing_; // registers of locals and phis
  std::unordered_set<std::string> block_names_;
};

} // namespace heddle::frontend
