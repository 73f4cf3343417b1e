// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/sequential_harness.h"

#include "ir/link.h"
#include "object/scenarios/harness_code.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace heddle::object {

namespace {

Result<ir::FunctionId> find(const ir::Module& module, const std::string& name) {
  const auto id = module.find_function(name);
  if (!id || module.functions[*id].is_declaration())
    return Error{
        ErrorKind::kInput, "HAR-001", fmt::format("the specification has no function '{}'", name)};
  const ir::Function& function = module.functions[*id];
  if (!function.is_variadic && function.parameter_count <= 1)
    return *id;
  Error error{ErrorKind::kInput,
              "HAR-002",
              fmt::format("'{}' has {} parameters, expected at most one; write a function that "
                          "calls it",
                          name,
                          function.parameter_count)};
  if (function.loc.is_known()) {
    error.file = module.files[function.loc.file];
    error.line = function.loc.line;
  }
  return error;
}

/// The argument in the type of the parameter.
ir::Operand narrowed(Code& code, const ir::Module& module, ir::Type type, ir::RegisterId argument) {
  if (module.bits(type) == 64)
    return code.compute(type, ir::Op::kCopy, {argument});
  return code.compute(type, ir::Op::kTrunc, {argument});
}

} // namespace

Result<ir::Module> make_sequential_harness(const ir::Module& module,
                                           const std::vector<std::string>& functions) {
  ir::Module made = module;
  ir::Global cell;
  cell.name = kSpecificationResult;
  cell.size = 8;
  cell.align = 8;
  cell.is_internal = true;
  cell.scalar_bits = 64;
  const ir::GlobalId result = made.globals.push_back(std::move(cell));

  Code code(kSpecificationEntry, ir::Type::integer(32), {});
  const ir::RegisterId which = code.make(kWord);
  const ir::RegisterId argument = code.make(kWord);
  const ir::RegisterId done = code.make(ir::Type::integer(1));
  // Blocks: entry, wait, then one per function, then done.
  const ir::BlockId wait{1};
  const ir::BlockId end{2 + functions.size()};
  code.emit(ir::Jump{wait});
  code.start("wait");
  code.emit(ir::Store{ir::GlobalAddress{result}, word(0), kWord, {}});
  code.emit(ir::Nondet{which, kSpecificationOperation});
  code.emit(ir::Nondet{argument, kSpecificationArgument});
  ir::Switch choose{which, {}, wait};
  for (std::size_t i = 0; i < functions.size(); ++i)
    choose.cases.push_back({i, ir::BlockId{2 + i}});
  code.emit(std::move(choose));
  for (const std::string& name : functions) {
    Result<ir::FunctionId> id = find(module, name);
    if (!id)
      return id.error();
    const ir::Function& function = module.functions[*id];
    code.at(function.loc);
    code.start("call." + name);
    ir::Call call{std::nullopt, ir::FunctionAddress{*id}, {}};
    if (function.parameter_count == 1)
      call.arguments.push_back(
          narrowed(code, module, function.registers[ir::RegisterId{0}].type, argument));
    if (!function.result.is_void())
      call.dest = code.make(function.result);
    const std::optional<ir::RegisterId> value = call.dest;
    code.emit(std::move(call));
    if (value)
      code.emit(ir::Store{ir::GlobalAddress{result}, widened(code, function, *value), kWord, {}});
    code.emit(ir::Jump{end});
  }
  code.start("done");
  code.emit(ir::Nondet{done, kSpecificationDone});
  code.emit(ir::Jump{wait});
  made.functions.push_back(std::move(code).finish());
  return ir::keep_reachable(made, {kSpecificationEntry});
}

} // namespace heddle::object
