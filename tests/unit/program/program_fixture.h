// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small ir modules written in C++, for tests of what is built from them.
#pragma once

#include "ir/ir.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::program_test {

/// Writes one function, block by block.
class FunctionWriter {
public:
  explicit FunctionWriter(std::string name, ir::Type result = ir::Type::none()) {
    function_.name = std::move(name);
    function_.result = result;
    function_.loc = {1, 1, 1};
    block("entry");
  }
  ir::RegisterId parameter(ir::Type type, std::string name = "") {
    ++function_.parameter_count;
    return reg(type, std::move(name));
  }
  ir::RegisterId reg(ir::Type type, std::string name = "") {
    return function_.registers.push_back({type, std::move(name), {}});
  }
  ir::RegisterId i32(std::string name = "") { return reg(ir::Type::integer(32), std::move(name)); }
  ir::RegisterId i1(std::string name = "") { return reg(ir::Type::integer(1), std::move(name)); }
  ir::RegisterId pointer(std::string name = "") {
    return reg(ir::Type::pointer(), std::move(name));
  }
  ir::SlotId slot(std::string name, std::uint64_t size) {
    return function_.slots.push_back({std::move(name), size, 4, {}});
  }
  ir::BlockId block(std::string name) { return function_.blocks.push_back({std::move(name), {}}); }
  void at(ir::BlockId id) { current_ = id; }
  void add(ir::Operation operation) {
    function_.blocks[current_].instructions.push_back({std::move(operation), {1, ++line_, 1}});
  }
  void
  compute(ir::RegisterId dest, ir::Op op, std::vector<ir::Operand> operands, bool nsw = false) {
    add(ir::Compute{dest, op, std::move(operands), nsw});
  }
  ir::Function done() const { return function_; }

private:
  ir::Function function_;
  ir::BlockId current_{std::size_t{0}};
  std::uint32_t line_ = 1;
};

inline ir::Operand number(std::uint64_t value, unsigned bits = 32) {
  return ir::Constant{ir::Type::integer(bits), value};
}

inline ir::Module empty_module(ir::DataModel model = ir::DataModel::kLP64) {
  ir::Module module;
  module.data_model = model;
  module.files = {"", "test.c"};
  return module;
}

inline ir::GlobalId add_global(ir::Module& module, std::string name, std::uint64_t size) {
  ir::Global global;
  global.name = std::move(name);
  global.size = size;
  global.align = 4;
  global.loc = {1, 1, 1};
  return module.globals.push_back(std::move(global));
}

inline ir::Load load_of(ir::RegisterId dest, ir::Operand address) {
  return ir::Load{dest, std::move(address), {}};
}
inline ir::Store store_of(ir::Operand address, ir::Operand value, unsigned bits = 32) {
  return ir::Store{std::move(address), std::move(value), ir::Type::integer(bits), {}};
}

} // namespace heddle::program_test
