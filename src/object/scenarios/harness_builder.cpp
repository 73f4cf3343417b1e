// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/harness_builder.h"

#include "support/check.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace heddle::object {

namespace {

Error error(const ir::Module& module,
            const ir::Function& function,
            std::string code,
            std::string message) {
  Error result{ErrorKind::kInput, std::move(code), std::move(message)};
  if (function.loc.is_known()) {
    result.file = module.files[function.loc.file];
    result.line = function.loc.line;
  }
  return result;
}

} // namespace

void HarnessBuilder::assume_assertions() {
  for (ir::Function& function : module_.functions)
    for (ir::Block& block : function.blocks)
      for (ir::Instruction& instruction : block.instructions)
        if (const auto* check = std::get_if<ir::Assert>(&instruction.operation);
            check != nullptr && !check->is_index_check) {
          const ir::Operand condition = check->condition;
          instruction.operation = ir::Assume{condition};
        }
}

ir::GlobalId HarnessBuilder::global(std::string name) {
  ir::Global made;
  made.name = std::move(name);
  made.size = 8;
  made.align = 8;
  made.is_internal = true;
  made.scalar_bits = 64;
  made.scalar_signed = true;
  return module_.globals.push_back(std::move(made));
}

void HarnessBuilder::note_stores() {
  stored_ = global("__heddle_stored");
  module_.globals[stored_].is_thread_local = true;
  ir::Access note;
  note.tags.emplace_back(kStoreNote);
  for (ir::Function& function : module_.functions)
    for (ir::Block& block : function.blocks) {
      std::vector<ir::Instruction> noted;
      for (ir::Instruction& instruction : block.instructions) {
        if (std::holds_alternative<ir::Store>(instruction.operation))
          noted.push_back(
              {ir::Store{ir::GlobalAddress{stored_}, word(1), kWord, note}, instruction.loc});
        noted.push_back(std::move(instruction));
      }
      block.instructions = std::move(noted);
    }
}

void HarnessBuilder::forget_stores(Code& code) const {
  code.emit(ir::Store{ir::GlobalAddress{stored_}, word(0), kWord, {}});
}

ir::RegisterId HarnessBuilder::has_stored(Code& code) const {
  const ir::RegisterId stored = code.make(kWord);
  code.emit(ir::Load{stored, ir::GlobalAddress{stored_}, {}});
  return stored;
}

Result<ir::FunctionId> HarnessBuilder::find(const std::string& name, bool has_argument) const {
  const auto id = module_.find_function(name);
  if (!id || module_.functions[*id].is_declaration())
    return Error{ErrorKind::kInput, "HAR-001", fmt::format("no function '{}'", name)};
  const ir::Function& function = module_.functions[*id];
  const std::uint32_t expected = has_argument ? 1 : 0;
  if (function.is_variadic || function.parameter_count != expected) {
    // Where what is taken comes back through a pointer, how that is said in one number.
    const bool has_out_parameter = expected == 0 && function.parameter_count == 1 &&
                                   function.registers[ir::RegisterId{0}].type.is_pointer() &&
                                   !function.result.is_void();
    return error(
        module_,
        function,
        "HAR-002",
        fmt::format("'{}' has {} parameter{}{}, expected {}; write a function that calls it{}",
                    name,
                    function.parameter_count,
                    function.parameter_count == 1 ? "" : "s",
                    function.is_variadic ? " and more" : "",
                    expected == 0 ? "none" : "one",
                    has_out_parameter ? fmt::format(", as in int f(void) {{ int v; return "
                                                    "{}(&v) ? v : -1; }}",
                                                    name)
                                      : ""));
  }
  return *id;
}

Result<std::vector<ir::FunctionId>> HarnessBuilder::make_threads() {
  std::vector<ir::FunctionId> threads;
  std::size_t first = 0;
  for (std::size_t i = 0; i < scenario_.threads.size(); ++i) {
    Result<ir::Function> thread = make_thread(i, first);
    if (!thread)
      return thread.error();
    threads.push_back(module_.functions.push_back(std::move(*thread)));
    first += scenario_.threads[i].size();
  }
  return threads;
}

Result<ir::Function> HarnessBuilder::make_thread(std::size_t thread, std::size_t first) {
  Code code(fmt::format("thread.{}", thread + 1), ir::Type::pointer(), {});
  code.parameter(ir::Type::pointer());
  const std::vector<ScenarioCall>& calls = scenario_.threads[thread];
  std::vector<CallRegisters> registers;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ir::RegisterId begin = code.make(kWord);
    const ir::RegisterId end = code.make(kWord);
    const ir::RegisterId result = code.make(kWord);
    const ir::RegisterId effect = code.make(kWord);
    const ir::RegisterId stored = code.make(kWord);
    registers.push_back({begin, end, result, effect, stored});
    code.emit(ir::Compute{begin, ir::Op::kCopy, {word(RecordedCall::kNever)}});
    code.emit(ir::Compute{end, ir::Op::kCopy, {word(0)}});
    code.emit(ir::Compute{result, ir::Op::kCopy, {word(0)}});
    code.emit(ir::Compute{effect, ir::Op::kCopy, {word(0)}});
    code.emit(ir::Compute{stored, ir::Op::kCopy, {word(0)}});
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ScenarioCall& call = calls[i];
    Result<ir::FunctionId> id = find(call.function, call.argument.has_value());
    if (!id)
      return id.error();
    const ir::Function& function = module_.functions[*id];
    code.at(function.loc);
    std::optional<ir::BlockId> from; // the block that may leave the call out
    if (call.if_succeeded) {
      HEDDLE_CHECK(i > 0, "a first call cannot depend on another");
      const ir::RegisterId went_well =
          code.compute(ir::Type::integer(1), ir::Op::kNe, {registers[i - 1].result, word(0)});
      from = code.current();
      // Where the call ends is known when it has been made.
      code.emit(ir::Branch{went_well, code.next_block(), ir::BlockId{}});
      code.start(fmt::format("call{}", i));
    }
    invoke(code, first + i, registers[i]);
    ir::Call made{std::nullopt, ir::FunctionAddress{*id}, {}};
    if (call.argument) {
      Result<ir::Operand> argument = argument_of(function, *call.argument);
      if (!argument)
        return argument.error();
      made.arguments.push_back(*argument);
    }
    if (!function.result.is_void())
      made.dest = code.make(function.result);
    const std::optional<ir::RegisterId> value = made.dest;
    code.emit(std::move(made));
    if (value)
      code.emit(ir::Compute{registers[i].result, ir::Op::kCopy, {widened(code, function, *value)}});
    respond(code, first + i, registers[i]);
    if (from) {
      const ir::BlockId after = code.next_block();
      code.emit(ir::Jump{after});
      code.start(fmt::format("after{}", i));
      code.leave_to(*from, after);
    }
  }
  leave(code, first, registers);
  code.emit(ir::Return{ir::Constant{ir::Type::pointer(), 0}});
  return std::move(code).finish();
}

Result<ir::Operand> HarnessBuilder::argument_of(const ir::Function& function,
                                                std::int64_t value) const {
  const ir::Type type = function.registers[ir::RegisterId{0}].type;
  const unsigned bits = module_.bits(type);
  const auto raw = static_cast<std::uint64_t>(value);
  const std::uint64_t kept = bits >= 64 ? raw : raw & ((std::uint64_t{1} << bits) - 1);
  const bool fits = bits >= 64 || value < std::int64_t{1} << (bits - (bits > 1 ? 1 : 0));
  if (!fits)
    return error(module_,
                 function,
                 "HAR-003",
                 fmt::format("the argument {} does not fit into the parameter of '{}'",
                             value,
                             function.name));
  return ir::Operand{ir::Constant{type, kept}};
}

Status HarnessBuilder::begin_entry(Code& code) const {
  if (scenario_.init.empty())
    return Done{};
  Result<ir::FunctionId> init = find(scenario_.init, false);
  if (!init)
    return init.error();
  const ir::Function& function = module_.functions[*init];
  ir::Call call{std::nullopt, ir::FunctionAddress{*init}, {}};
  if (!function.result.is_void())
    call.dest = code.make(function.result);
  code.emit(std::move(call));
  return Done{};
}

std::vector<ir::RegisterId> HarnessBuilder::create(Code& code,
                                                   const std::vector<ir::FunctionId>& threads) {
  std::vector<ir::RegisterId> handles;
  for (const ir::FunctionId thread : threads) {
    handles.push_back(code.make(ir::Type::pointer()));
    code.emit(ir::Synchronize{handles.back(),
                              ir::SyncOp::kCreate,
                              {ir::FunctionAddress{thread}, ir::Constant{ir::Type::pointer(), 0}}});
  }
  return handles;
}

} // namespace heddle::object
