// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/harness_effect_marks.h"

#include "ir/operands.h"
#include "object/scenarios/harness_effects.h"
#include "program/model/history_mark.h"
#include "support/check.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heddle::object {

namespace {

using ir::kBit;

/// By function: whether it, or what it calls, has one of the accesses. A callee that is not known
/// has.
std::vector<bool> functions_with(const ir::Module& module,
                                 const std::vector<ir::FunctionId>& of_accesses) {
  std::vector<bool> has(module.functions.size(), false);
  for (const ir::FunctionId function : of_accesses)
    has[function.index()] = true;
  const auto calls_one = [&](const ir::Operation& operation) {
    const auto* call = std::get_if<ir::Call>(&operation);
    const auto* callee =
        call == nullptr ? nullptr : std::get_if<ir::FunctionAddress>(&call->callee);
    return call != nullptr && (callee == nullptr || has[callee->function.index()]);
  };
  bool is_changing = !of_accesses.empty();
  while (is_changing) {
    is_changing = false;
    for (std::size_t f = 0; f < module.functions.size(); ++f)
      for (const ir::Block& block : module.functions[ir::FunctionId{f}].blocks)
        for (const ir::Instruction& instruction : block.instructions)
          if (!has[f] && calls_one(instruction.operation))
            is_changing = has[f] = true;
  }
  return has;
}

/// Whether a call can pass an access again after a given one. Says yes where it does not know: then
/// it is guessed.
class LaterPasses {
public:
  LaterPasses(const ir::Module& module, const std::vector<EffectAccess>& accesses)
      : module_(module), is_called_(module.functions.size(), false) {
    std::vector<ir::FunctionId> functions;
    for (const EffectAccess& access : accesses) {
      accesses_.push_back({access.function, access.block, access.index});
      functions.push_back(access.function);
    }
    passes_ = functions_with(module, functions);
    for (const ir::Function& function : module.functions)
      for (const ir::Block& block : function.blocks)
        for (const ir::Instruction& instruction : block.instructions)
          if (const auto* call = std::get_if<ir::Call>(&instruction.operation)) {
            if (const auto* callee = std::get_if<ir::FunctionAddress>(&call->callee))
              is_called_[callee->function.index()] = true;
            else
              has_unknown_calls_ = true;
          }
  }

  [[nodiscard]] bool may_follow(const EffectAccess& access) const {
    // Who calls the function may call it again.
    if (has_unknown_calls_ || is_called_[access.function.index()])
      return true;
    const ir::Function& function = module_.functions[access.function];
    std::vector<bool> is_reached(function.blocks.size(), false);
    std::vector<ir::BlockId> todo;
    const auto pass_in = [&](ir::BlockId block, std::size_t from) {
      const auto& instructions = function.blocks[block].instructions;
      for (std::size_t i = from; i < instructions.size(); ++i) {
        const Position here{access.function, block, i};
        if (std::ranges::find(accesses_, here) != accesses_.end() ||
            calls_a_pass(instructions[i].operation))
          return true;
        ir::for_each_target(instructions[i].operation, [&](ir::BlockId target) {
          if (!is_reached[target.index()])
            todo.push_back(target);
          is_reached[target.index()] = true;
        });
      }
      return false;
    };
    if (pass_in(access.block, access.index + 1))
      return true;
    while (!todo.empty()) {
      const ir::BlockId block = todo.back();
      todo.pop_back();
      if (pass_in(block, 0))
        return true;
    }
    return false;
  }

private:
  struct Position {
    ir::FunctionId function;
    ir::BlockId block;
    std::size_t index = 0;
    bool operator==(const Position&) const = default;
  };

  [[nodiscard]] bool calls_a_pass(const ir::Operation& operation) const {
    const auto* call = std::get_if<ir::Call>(&operation);
    if (call == nullptr)
      return false;
    const auto* callee = std::get_if<ir::FunctionAddress>(&call->callee);
    return callee == nullptr || passes_[callee->function.index()];
  }

  const ir::Module& module_;
  std::vector<Position> accesses_;
  std::vector<bool> passes_;    // by function: it, or what it calls, has an access
  std::vector<bool> is_called_; // by another function
  bool has_unknown_calls_ = false;
};

ir::RegisterId loaded(Code& code, ir::GlobalId cell) {
  const ir::RegisterId dest = code.make(kWord);
  code.emit(ir::Load{dest, ir::GlobalAddress{cell}, {}});
  return dest;
}

void store(Code& code, ir::GlobalId cell, const ir::Operand& value) {
  code.emit(ir::Store{ir::GlobalAddress{cell}, value, kWord, {}});
}

ir::RegisterId counts(Code& code, const EffectMarks& marks, ir::RegisterId counts_if) {
  const ir::RegisterId both =
      code.compute(kWord, ir::Op::kAnd, {loaded(code, marks.returns), counts_if});
  return code.compute(kBit, ir::Op::kNe, {both, word(0)});
}

/// What comes before an access. The parameters say for which results it counts, and whether this
/// pass is the last for sure.
ir::Function make_begin(const EffectMarks& marks, ir::GlobalId over) {
  Code code("__heddle_effect_begins", ir::Type::none(), {});
  code.parameter(kWord);
  code.parameter(kBit);
  const ir::RegisterId counts_if{0};
  const ir::RegisterId is_last{1};
  const ir::BlockId pass = code.next_block();
  const ir::BlockId guess{pass.index() + 1};
  const ir::BlockId last{pass.index() + 2};
  const ir::BlockId done{pass.index() + 3};
  code.emit(ir::Branch{counts(code, marks, counts_if), pass, done});
  code.start("pass");
  const ir::RegisterId guessed = loaded(code, marks.guessed);
  code.emit(ir::Assume{code.compute(kBit, ir::Op::kEq, {guessed, word(0)})});
  store(code, marks.passed, word(1));
  code.emit(ir::Branch{is_last, last, guess});
  code.start("guess");
  const ir::RegisterId choice = code.make(kBit);
  code.emit(ir::Nondet{choice, kHarnessGuess});
  code.emit(ir::Branch{choice, last, done});
  code.start("last");
  store(code, marks.guessed, word(1));
  const ir::RegisterId before = code.make(kWord);
  // No store buffer ever holds the set.
  code.emit(ir::Load{
      before, ir::GlobalAddress{over}, {ir::AccessKind::kAtomic, ir::Order::kRelaxed, {}}});
  store(code, marks.before, before);
  code.emit(ir::Jump{done});
  code.start("done");
  code.emit(ir::Return{});
  return std::move(code).finish();
}

/// What comes after it.
ir::Function make_end(const EffectMarks& marks, ir::GlobalId over) {
  Code code("__heddle_effect_ends", ir::Type::none(), {});
  code.parameter(kWord);
  const ir::RegisterId counts_if{0};
  const ir::BlockId pass = code.next_block();
  const ir::BlockId last{pass.index() + 1};
  const ir::BlockId done{pass.index() + 2};
  code.emit(ir::Branch{counts(code, marks, counts_if), pass, done});
  code.start("pass");
  const ir::RegisterId guessed = loaded(code, marks.guessed);
  code.emit(ir::Branch{code.compute(kBit, ir::Op::kNe, {guessed, word(0)}), last, done});
  code.start("last");
  ir::Access mark{ir::AccessKind::kAtomic, ir::Order::kRelaxed, {}};
  mark.tags.emplace_back(program::kHistoryMark);
  code.emit(ir::ReadModifyWrite{code.make(kWord),
                                ir::GlobalAddress{over},
                                ir::RmwOp::kOr,
                                loaded(code, marks.call),
                                std::move(mark)});
  code.emit(ir::Jump{done});
  code.start("done");
  code.emit(ir::Return{});
  return std::move(code).finish();
}

} // namespace

void EffectMarks::reset(Code& code, std::size_t number, ir::FunctionId function) const {
  store(code, call, word(std::uint64_t{1} << number));
  store(code, before, word(kNoEffect));
  if (!depends_on_value[function.index()]) {
    store(code, returns, word(kIfEqual | kIfOther));
    return;
  }
  const ir::RegisterId is_equal = code.make(kBit);
  code.emit(ir::Nondet{is_equal, kHarnessGuess});
  store(code,
        returns,
        code.compute(kWord, ir::Op::kSelect, {is_equal, word(kIfEqual), word(kIfOther)}));
}

void EffectMarks::take(Code& code,
                       ir::RegisterId dest,
                       ir::RegisterId result,
                       ir::FunctionId function) const {
  const ir::RegisterId has_passed = loaded(code, passed);
  const ir::RegisterId has_guessed = loaded(code, guessed);
  code.emit(ir::Assume{code.compute(kBit, ir::Op::kEq, {has_passed, has_guessed})});
  if (depends_on_value[function.index()]) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - result_bits[function.index()]);
    const ir::RegisterId told = code.compute(kWord, ir::Op::kAnd, {result, word(mask)});
    const ir::RegisterId is_equal = code.compute(
        kBit, ir::Op::kEq, {told, word(static_cast<std::uint64_t>(value.value_or(0)) & mask)});
    const ir::RegisterId returned =
        code.compute(kWord, ir::Op::kSelect, {is_equal, word(kIfEqual), word(kIfOther)});
    const ir::RegisterId expected = loaded(code, returns);
    code.emit(ir::Assume{code.compute(kBit, ir::Op::kEq, {returned, expected})});
  }
  code.emit(ir::Load{dest, ir::GlobalAddress{before}, {}});
  // So that threads that have come to the same place are in the same state.
  for (const ir::GlobalId cell : {call, before, passed, guessed, returns})
    store(code, cell, word(0));
}

Result<EffectMarks>
mark_effects(ir::Module& module, ir::GlobalId over, const std::vector<EffectPlace>& places) {
  const Result<std::vector<EffectAccess>> accesses = effect_accesses(module, places);
  if (!accesses)
    return accesses.error();
  EffectMarks marks{own_word(module, "__heddle_effect_call"),
                    own_word(module, "__heddle_effect_before"),
                    own_word(module, "__heddle_effect_passed"),
                    own_word(module, "__heddle_effect_guessed"),
                    own_word(module, "__heddle_effect_returns"),
                    {},
                    {},
                    {}};
  // A function that returns nothing counts as one that returns 0.
  for (const ir::Function& function : module.functions)
    marks.result_bits.push_back(function.result.is_void() ? 64 : module.bits(function.result));
  for (const EffectPlace& place : places)
    if (place.returns) {
      HEDDLE_CHECK(!marks.value || marks.value == place.returns->value,
                   "places that depend on different results");
      marks.value = place.returns->value;
    }
  std::vector<ir::FunctionId> dependent;
  std::vector<bool> is_last;
  {
    const LaterPasses later(module, *accesses);
    for (const EffectAccess& access : *accesses) {
      is_last.push_back(!later.may_follow(access));
      if (!access.counts_if_equal || !access.counts_if_other)
        dependent.push_back(access.function);
    }
  }
  marks.depends_on_value = functions_with(module, dependent);
  const ir::FunctionId begin = module.functions.push_back(make_begin(marks, over));
  const ir::FunctionId end = module.functions.push_back(make_end(marks, over));
  replace_accesses(
      module, *accesses, [&](ir::Function&, std::size_t number, ir::Instruction instruction) {
        const EffectAccess& access = (*accesses)[number];
        const ir::Constant counts_if = word((access.counts_if_equal ? EffectMarks::kIfEqual : 0) |
                                            (access.counts_if_other ? EffectMarks::kIfOther : 0));
        const ir::Constant last{kBit, is_last[number] ? 1U : 0U};
        std::vector<ir::Instruction> around;
        around.push_back(
            {ir::Call{std::nullopt, ir::FunctionAddress{begin}, {counts_if, last}}, {}});
        around.push_back(std::move(instruction));
        around.push_back({ir::Call{std::nullopt, ir::FunctionAddress{end}, {counts_if}}, {}});
        return around;
      });
  return marks;
}

} // namespace heddle::object
