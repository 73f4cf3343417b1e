// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Atomic accesses of 16 bytes become calls of the compiler's library (libatomic), which
// frontend/c/atomic_calls.cpp gives their meaning; values go through memory of the frame.
#include "frontend/llvm/function_importer.h"

namespace heddle::frontend {

namespace {

constexpr std::uint64_t kWordBytes = 8;
constexpr std::uint64_t kBytes = 2 * kWordBytes;
using ir::kInt;
const ir::Type kWord = ir::Type::integer(64);

/// The value of C's memory_order.
ir::Operand c_order(llvm::AtomicOrdering order) {
  return ir::Constant{kInt, static_cast<std::uint64_t>(llvm::toCABI(order))};
}

/// Which of libatomic's functions it is; null if there is none.
const char* library_name(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
  case llvm::AtomicRMWInst::Add:
    return "__atomic_fetch_add_16";
  case llvm::AtomicRMWInst::Sub:
    return "__atomic_fetch_sub_16";
  case llvm::AtomicRMWInst::And:
    return "__atomic_fetch_and_16";
  case llvm::AtomicRMWInst::Or:
    return "__atomic_fetch_or_16";
  case llvm::AtomicRMWInst::Xor:
    return "__atomic_fetch_xor_16";
  case llvm::AtomicRMWInst::Nand:
    return "__atomic_fetch_nand_16";
  case llvm::AtomicRMWInst::Xchg:
    return "__atomic_exchange_16";
  default:
    return nullptr;
  }
}

} // namespace

bool FunctionImporter::is_two_words(llvm::Type* type) const {
  return type->isIntegerTy(static_cast<unsigned>(8 * kBytes)) && module_.pointer_bits() == 64;
}

ir::Operand FunctionImporter::put_words(const Values& values) {
  const ir::Operand slot = ir::SlotAddress{new_slot("words", kBytes, kBytes)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    emit(ir::Store{add_offset(slot, i * kWordBytes), convert(values[i], kWord), kWord, {}});
  }
  return slot;
}

Values FunctionImporter::take_words(const ir::Operand& slot) {
  Values out;
  for (std::uint64_t offset = 0; offset < kBytes; offset += kWordBytes) {
    const ir::RegisterId word = new_register(kWord);
    emit(ir::Load{word, add_offset(slot, offset), {}});
    out.emplace_back(word);
  }
  return out;
}

void FunctionImporter::call_atomic(const char* name,
                                   std::optional<ir::RegisterId> dest,
                                   const std::vector<ir::Operand>& arguments) {
  std::vector<ir::Type> types;
  for (const ir::Operand& argument : arguments) {
    types.push_back(type_of(argument));
  }
  const ir::Type result = dest ? type_of(*dest) : ir::Type::none();
  emit(ir::Call{
      dest, ir::FunctionAddress{module_.runtime_function(name, result, types)}, arguments});
}

Values FunctionImporter::load_words(const ir::Operand& address, llvm::AtomicOrdering order) {
  const ir::Operand result = put_words({});
  call_atomic("__atomic_load", std::nullopt, {word(kBytes), address, result, c_order(order)});
  return take_words(result);
}

void FunctionImporter::store_words(const ir::Operand& address,
                                   const Values& values,
                                   llvm::AtomicOrdering order) {
  const ir::Operand value = put_words(values);
  call_atomic("__atomic_store", std::nullopt, {word(kBytes), address, value, c_order(order)});
}

std::pair<Values, ir::Operand> FunctionImporter::exchange_words(const ir::Operand& address,
                                                                const Values& expected,
                                                                const Values& desired,
                                                                llvm::AtomicOrdering success,
                                                                llvm::AtomicOrdering failure,
                                                                bool weak) {
  const ir::Operand found = put_words(expected);
  const ir::Operand stored = put_words(desired);
  const ir::RegisterId done = new_register(ir::Type::integer(1));
  const ir::BlockId after = weak ? new_block("exchange.after") : block_;
  if (weak) { // it may fail without reason, and has only loaded then
    const ir::BlockId fails = new_block("exchange.fails");
    const ir::BlockId tries = new_block("exchange.tries");
    const ir::RegisterId is_tried = new_register(ir::Type::integer(1));
    emit(ir::Nondet{is_tried, "weak compare-exchange"});
    emit(ir::Branch{is_tried, tries, fails});
    block_ = fails;
    call_atomic("__atomic_load", std::nullopt, {word(kBytes), address, found, c_order(failure)});
    compute_into(done, ir::Op::kCopy, {ir::Constant{ir::Type::integer(1), 0}});
    emit(ir::Jump{after});
    block_ = tries;
  }
  call_atomic("__atomic_compare_exchange",
              done,
              {word(kBytes), address, found, stored, c_order(success), c_order(failure)});
  if (weak) {
    emit(ir::Jump{after});
    block_ = after;
  }
  return {take_words(found), done};
}

std::optional<Values> FunctionImporter::update_words(const ir::Operand& address,
                                                     llvm::AtomicRMWInst::BinOp op,
                                                     const Values& values,
                                                     llvm::AtomicOrdering order) {
  const char* name = library_name(op);
  if (name == nullptr) {
    return std::nullopt;
  }
  // As a call of that function in C is imported: the result is stored behind the first argument.
  const ir::Operand result = put_words({});
  call_atomic(name, std::nullopt, {result, address, values[0], values[1], c_order(order)});
  return take_words(result);
}

} // namespace heddle::frontend
