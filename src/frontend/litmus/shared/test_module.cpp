// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/shared/test_module.h"

#include "frontend/litmus/shared/litmus_lexer.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::frontend::litmus {

std::vector<Error> find_name_clashes(const ir::Module& module, SourceLoc otherwise) {
  std::vector<Error> errors;
  for (const ir::Global& global : module.globals)
    if (global.name == "main" || module.find_function(global.name))
      errors.push_back(
          error_at(global.loc.is_known() ? global.loc : otherwise,
                   "LIT-028",
                   fmt::format("a location cannot be called '{}' like a function", global.name)));
  return errors;
}

void add_main(ir::Module& module, const std::vector<ir::FunctionId>& threads) {
  ir::Function function;
  function.name = "main";
  function.result = ir::Type::integer(32);
  std::vector<ir::Instruction> code;
  const ir::Operand nothing = ir::Constant{ir::Type::pointer(), 0};
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const ir::RegisterId handle =
        function.registers.push_back({ir::Type::pointer(), module.functions[threads[i]].name, {}});
    code.push_back(
        {ir::Synchronize{handle, ir::SyncOp::kCreate, {ir::FunctionAddress{threads[i]}, nothing}},
         {}});
  }
  for (std::size_t i = 0; i < threads.size(); ++i)
    code.push_back({ir::Synchronize{std::nullopt, ir::SyncOp::kJoin, {ir::RegisterId{i}}}, {}});
  code.push_back({ir::Return{ir::Constant{ir::Type::integer(32), 0}}, {}});
  function.blocks.push_back({"entry", std::move(code)});
  module.functions.push_back(std::move(function));
}

} // namespace heddle::frontend::litmus
