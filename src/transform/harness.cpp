// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/harness.h"

#include "ir/link.h"
#include "program/history_mark.h"
#include "support/check.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::transform {

namespace {

constexpr std::size_t kMaxCalls = 63; // 64 would make a set of all of them kNever
const ir::Type kWord = ir::Type::integer(64);

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

ir::Constant word(std::uint64_t value) {
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
  /// Instructions go there from now on.
  ir::BlockId start(std::string name) { return function_.blocks.push_back({std::move(name), {}}); }
  ir::Function finish() && { return std::move(function_); }

private:
  ir::Function function_;
};

class Builder {
public:
  Builder(const ir::Module& module, const Scenario& scenario)
      : module_(module), scenario_(scenario) {}

  Result<Harness> run(const std::optional<std::vector<RecordedCall>>& forbidden) {
    assume_assertions();
    returned_ = global(kHarnessReturned);
    Harness harness;
    for (const auto& thread : scenario_.threads)
      for (std::size_t i = 0; i < thread.size(); ++i) {
        const std::size_t call = before_.size();
        HEDDLE_CHECK(call < kMaxCalls, "too many calls in a scenario");
        before_.push_back(global(fmt::format("__heddle_before_{}", call)));
        result_.push_back(global(fmt::format("__heddle_result_{}", call)));
        harness.cells.push_back(module_.globals[before_.back()].name);
        harness.cells.push_back(module_.globals[result_.back()].name);
      }
    std::vector<ir::FunctionId> threads;
    std::size_t first = 0;
    for (std::size_t i = 0; i < scenario_.threads.size(); ++i) {
      Result<ir::Function> thread = make_thread(i, first);
      if (!thread)
        return thread.error();
      threads.push_back(module_.functions.push_back(std::move(*thread)));
      first += scenario_.threads[i].size();
    }
    if (const Status made = make_entry(threads, forbidden); !made)
      return made.error();
    harness.module = ir::keep_reachable(module_, {kHarnessEntry});
    return harness;
  }

private:
  /// What the program itself asserts is a question of its own: here such a run just ends.
  void assume_assertions() {
    for (ir::Function& function : module_.functions)
      for (ir::Block& block : function.blocks)
        for (ir::Instruction& instruction : block.instructions)
          if (const auto* check = std::get_if<ir::Assert>(&instruction.operation)) {
            const ir::Operand condition = check->condition;
            instruction.operation = ir::Assume{condition};
          }
  }

  ir::GlobalId global(std::string name) {
    ir::Global made;
    made.name = std::move(name);
    made.size = 8;
    made.align = 8;
    made.is_internal = true;
    made.scalar_bits = 64;
    made.scalar_signed = true;
    return module_.globals.push_back(std::move(made));
  }

  Result<ir::FunctionId> find(const std::string& name, bool has_argument) const {
    const auto id = module_.find_function(name);
    if (!id || module_.functions[*id].is_declaration())
      return Error{ErrorKind::kInput, "HAR-001", fmt::format("no function '{}'", name)};
    const ir::Function& function = module_.functions[*id];
    const std::uint32_t expected = has_argument ? 1 : 0;
    if (function.is_variadic || function.parameter_count != expected)
      return error(
          module_,
          function,
          "HAR-002",
          fmt::format("'{}' has {} parameters, expected {}; write a function that calls it",
                      name,
                      function.parameter_count,
                      expected));
    return *id;
  }

  /// The result as a word: as C would widen a signed value, but for truth values and pointers.
  static ir::Operand widened(Code& code, const ir::Function& function, ir::RegisterId value) {
    if (function.result == kWord)
      return value;
    const bool is_signed = !function.result.is_pointer() && function.result.bits > 1;
    return code.compute(kWord, is_signed ? ir::Op::kSExt : ir::Op::kZExt, {value});
  }

  Result<ir::Function> make_thread(std::size_t thread, std::size_t first) {
    Code code(fmt::format("thread.{}", thread + 1), ir::Type::pointer(), {});
    code.parameter(ir::Type::pointer());
    const std::vector<ScenarioCall>& calls = scenario_.threads[thread];
    std::vector<ir::RegisterId> before;
    std::vector<ir::RegisterId> results;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      before.push_back(code.make(kWord));
      results.push_back(code.make(kWord));
      code.emit(ir::Compute{before[i], ir::Op::kCopy, {word(RecordedCall::kNever)}});
      code.emit(ir::Compute{results[i], ir::Op::kCopy, {word(0)}});
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const ScenarioCall& call = calls[i];
      Result<ir::FunctionId> id = find(call.function, call.argument.has_value());
      if (!id)
        return id.error();
      const ir::Function& function = module_.functions[*id];
      code.at(function.loc);
      std::optional<ir::BlockId> after;
      if (call.if_succeeded) {
        HEDDLE_CHECK(i > 0, "a first call cannot depend on another");
        const ir::RegisterId went_well =
            code.compute(ir::Type::integer(1), ir::Op::kNe, {results[i - 1], word(0)});
        branch(code, went_well, i, after);
      }
      code.emit(ir::Load{
          before[i], ir::GlobalAddress{returned_}, {ir::AccessKind::kAtomic, ir::Order::kRelaxed}});
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
        code.emit(ir::Compute{results[i], ir::Op::kCopy, {widened(code, function, *value)}});
      ir::Access mark{ir::AccessKind::kAtomic, ir::Order::kRelaxed, {}};
      mark.tags.emplace_back(program::kHistoryMark);
      code.emit(ir::ReadModifyWrite{code.make(kWord),
                                    ir::GlobalAddress{returned_},
                                    ir::RmwOp::kOr,
                                    word(std::uint64_t{1} << (first + i)),
                                    mark});
      if (after)
        join(code, i, *after);
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
      code.emit(ir::Store{ir::GlobalAddress{before_[first + i]}, before[i], kWord, {}});
      code.emit(ir::Store{ir::GlobalAddress{result_[first + i]}, results[i], kWord, {}});
    }
    code.emit(ir::Return{ir::Constant{ir::Type::pointer(), 0}});
    return std::move(code).finish();
  }

  /// Goes on in a new block if the condition holds, and to `after` (which join makes) if not.
  static void branch(Code& code,
                     ir::RegisterId condition,
                     std::size_t call,
                     std::optional<ir::BlockId>& after) {
    // The blocks are made in the order they are filled, so the numbers are known before.
    const ir::BlockId here = code.next_block();
    after = ir::BlockId{here.index() + 1};
    code.emit(ir::Branch{condition, here, *after});
    code.start(fmt::format("call{}", call));
  }
  static void join(Code& code, std::size_t call, ir::BlockId after) {
    code.emit(ir::Jump{after});
    const ir::BlockId made = code.start(fmt::format("after{}", call));
    HEDDLE_CHECK(made == after, "blocks are not in order");
  }

  Result<ir::Operand> argument_of(const ir::Function& function, std::int64_t value) const {
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

  Status make_entry(const std::vector<ir::FunctionId>& threads,
                    const std::optional<std::vector<RecordedCall>>& forbidden) {
    Code code(kHarnessEntry, ir::Type::integer(32), {});
    if (!scenario_.init.empty()) {
      Result<ir::FunctionId> init = find(scenario_.init, false);
      if (!init)
        return init.error();
      const ir::Function& function = module_.functions[*init];
      ir::Call call{std::nullopt, ir::FunctionAddress{*init}, {}};
      if (!function.result.is_void())
        call.dest = code.make(function.result);
      code.emit(std::move(call));
    }
    std::vector<ir::RegisterId> handles;
    for (const ir::FunctionId thread : threads) {
      handles.push_back(code.make(ir::Type::pointer()));
      code.emit(
          ir::Synchronize{handles.back(),
                          ir::SyncOp::kCreate,
                          {ir::FunctionAddress{thread}, ir::Constant{ir::Type::pointer(), 0}}});
    }
    for (const ir::RegisterId handle : handles)
      code.emit(ir::Synchronize{std::nullopt, ir::SyncOp::kJoin, {handle}});
    if (forbidden) {
      HEDDLE_CHECK(forbidden->size() == before_.size(), "a history of another scenario");
      ir::Operand differs = ir::Constant{ir::Type::integer(1), 0};
      const auto compare = [&](ir::GlobalId cell, std::uint64_t value) {
        const ir::RegisterId found = code.make(kWord);
        code.emit(ir::Load{found, ir::GlobalAddress{cell}, {}});
        const ir::RegisterId other =
            code.compute(ir::Type::integer(1), ir::Op::kNe, {found, word(value)});
        differs = code.compute(ir::Type::integer(1), ir::Op::kOr, {differs, other});
      };
      for (std::size_t i = 0; i < before_.size(); ++i) {
        compare(before_[i], (*forbidden)[i].before);
        compare(result_[i], static_cast<std::uint64_t>((*forbidden)[i].result));
      }
      code.emit(ir::Assert{differs, kHarnessAssertion});
    }
    code.emit(ir::Return{ir::Constant{ir::Type::integer(32), 0}});
    module_.functions.push_back(std::move(code).finish());
    return Done{};
  }

  ir::Module module_;
  const Scenario& scenario_;
  ir::GlobalId returned_;
  std::vector<ir::GlobalId> before_;
  std::vector<ir::GlobalId> result_;
};

} // namespace

Result<Harness> make_harness(const ir::Module& module,
                             const Scenario& scenario,
                             const std::optional<std::vector<RecordedCall>>& forbidden) {
  return Builder(module, scenario).run(forbidden);
}

} // namespace heddle::transform
