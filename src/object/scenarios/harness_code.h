// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions written instruction by instruction, for programs that are made around given functions.
#pragma once

#include "ir/ir.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::object {

inline const ir::Type kWord = ir::Type::integer(64);
inline const ir::Access kRelaxed{ir::AccessKind::kAtomic, ir::Order::kRelaxed, {}};

inline ir::Constant word(std::uint64_t value) {
  return {kWord, value};
}

/// A function under construction: instructions go to the last block.
class Code {
public:
  Code(std::string name, ir::Type result, SourceLoc loc) {
    function_.name = std::move(name);
    function_.result = result;
    function_.loc = loc;
    function_.blocks.push_back({"entry", {}});
  }
  void at(SourceLoc loc) { function_.loc = loc; }
  ir::RegisterId make(ir::Type type, std::string name = {}) {
    return function_.registers.push_back({type, std::move(name), {}});
  }
  void parameter(ir::Type type) {
    make(type);
    ++function_.parameter_count;
  }
  void emit(ir::Operation operation) {
    function_.blocks.back().instructions.push_back({std::move(operation), function_.loc});
  }
  ir::RegisterId compute(ir::Type type, ir::Op op, std::vector<ir::Operand> operands) {
    const ir::RegisterId dest = make(type);
    emit(ir::Compute{dest, op, std::move(operands)});
    return dest;
  }
  [[nodiscard]] ir::BlockId next_block() const { return function_.blocks.next_id(); }
  [[nodiscard]] ir::BlockId current() const { return function_.blocks.last_id(); }
  /// Gives the branch at the end of a block its second target.
  void leave_to(ir::BlockId from, ir::BlockId to) {
    std::get<ir::Branch>(function_.blocks[from].instructions.back().operation).if_false = to;
  }
  /// Instructions go there from now on.
  ir::BlockId start(std::string name) { return function_.blocks.push_back({std::move(name), {}}); }
  ir::Function finish() && { return std::move(function_); }

private:
  ir::Function function_;
};

/// The result as a word: as C would widen a signed value, but for truth values and pointers.
inline ir::Operand widened(Code& code, const ir::Function& function, ir::RegisterId value) {
  if (function.result == kWord)
    return value;
  const bool is_signed = !function.result.is_pointer() && function.result.bits > 1;
  return code.compute(kWord, is_signed ? ir::Op::kSExt : ir::Op::kZExt, {value});
}

} // namespace heddle::object
