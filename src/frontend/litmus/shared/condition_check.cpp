// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// That `main` loads more than the test's threads do changes nothing for them: what comes after a
// thread in happens-before, and is read by nobody, is on no cycle with what the thread does.
#include "frontend/litmus/shared/condition_check.h"

#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::frontend::litmus {

namespace {

class Emitter {
public:
  Emitter(const Test& test, ir::Function& function, std::vector<ir::Instruction>& code)
      : test_(test), function_(function), code_(code) {}

  void load(const Proposition& proposition) {
    if (proposition.kind == Proposition::Kind::kEquals ||
        proposition.kind == Proposition::Kind::kNotEquals) {
      load(proposition.observed);
      if (const auto* other = std::get_if<std::size_t>(&proposition.value))
        load(*other);
    }
    for (const Proposition& operand : proposition.operands)
      load(operand);
  }

  /// An i1.
  ir::Operand value(const Proposition& proposition) {
    switch (proposition.kind) {
    case Proposition::Kind::kTrue:
      return truth(true);
    case Proposition::Kind::kFalse:
      return truth(false);
    case Proposition::Kind::kEquals:
      return comparison(proposition, ir::Op::kEq);
    case Proposition::Kind::kNotEquals:
      return comparison(proposition, ir::Op::kNe);
    case Proposition::Kind::kNot:
      return negation(value(proposition.operands[0]));
    case Proposition::Kind::kAnd:
      return combination(proposition, ir::Op::kAnd, truth(true));
    case Proposition::Kind::kOr:
      return combination(proposition, ir::Op::kOr, truth(false));
    case Proposition::Kind::kImplies: {
      const ir::Operand premise = negation(value(proposition.operands[0]));
      return compute(1, ir::Op::kOr, {premise, value(proposition.operands[1])});
    }
    }
    HEDDLE_CHECK(false, "no such proposition");
    return {};
  }

  ir::Operand negation(const ir::Operand& operand) {
    return compute(1, ir::Op::kXor, {operand, truth(true)});
  }

private:
  static ir::Operand truth(bool value) {
    return ir::Constant{ir::Type::integer(1), value ? std::uint64_t{1} : std::uint64_t{0}};
  }

  ir::Operand compute(unsigned bits, ir::Op op, std::vector<ir::Operand> operands) {
    const ir::RegisterId dest = function_.registers.push_back({ir::Type::integer(bits), "", {}});
    code_.push_back({ir::Compute{dest, op, std::move(operands)}, test_.condition_loc});
    return dest;
  }

  ir::Operand
  combination(const Proposition& proposition, ir::Op op, const ir::Operand& of_nothing) {
    ir::Operand result = of_nothing;
    for (const Proposition& operand : proposition.operands) {
      const ir::Operand one = value(operand);
      result = compute(1, op, {result, one});
    }
    return result;
  }

  void load(std::size_t observed) {
    if (loaded_.contains(observed))
      return;
    const Observed& what = test_.observed[observed];
    const ir::RegisterId dest =
        function_.registers.push_back({ir::Type::integer(what.bits), what.name, {}});
    code_.push_back(
        {ir::Load{
             dest, ir::GlobalAddress{what.global, static_cast<std::int64_t>(what.offset)}, {}, {}},
         {}}); // nowhere: each load is an instruction of its own
    loaded_.emplace(observed, dest);
  }

  ir::Operand comparison(const Proposition& proposition, ir::Op op) {
    const Observed& what = test_.observed[proposition.observed];
    const ir::RegisterId left = loaded_.at(proposition.observed);
    if (const auto* place = std::get_if<std::size_t>(&proposition.value))
      return compute(1, op, {left, other(*place, what.bits)});
    const Literal& literal = std::get<Literal>(proposition.value);
    if (const auto* address = std::get_if<ir::GlobalAddress>(&literal))
      return compute(1, op, {left, resized(*address, test_.module.pointer_bits(), what.bits)});
    std::optional<ir::Operand> result;
    for (const std::uint64_t content : contents_equal_to(what, std::get<std::uint64_t>(literal))) {
      const ir::Operand one =
          compute(1, op, {left, ir::Constant{ir::Type::integer(what.bits), content}});
      result =
          result ? compute(1, op == ir::Op::kEq ? ir::Op::kOr : ir::Op::kAnd, {*result, one}) : one;
    }
    return *result;
  }

  /// Compared in the width of what stands on the left.
  ir::Operand other(std::size_t observed, unsigned bits) {
    return resized(loaded_.at(observed), test_.observed[observed].bits, bits);
  }

  ir::Operand resized(const ir::Operand& operand, unsigned from, unsigned to) {
    if (from == to)
      return operand;
    return compute(to, from < to ? ir::Op::kZExt : ir::Op::kTrunc, {operand});
  }

  const Test& test_;
  ir::Function& function_;
  std::vector<ir::Instruction>& code_;
  std::map<std::size_t, ir::RegisterId> loaded_; // by index of what is observed
};

} // namespace

Status check_condition(Test& test) {
  if (test.quantifier == Quantifier::kNone)
    return Error{ErrorKind::kInput,
                 "LIT-040",
                 fmt::format("the test {} has no condition that could be checked", test.name)};
  const std::optional<ir::FunctionId> main = test.module.find_function("main");
  HEDDLE_CHECK(main.has_value(), "a test without main");
  ir::Function& function = test.module.functions[*main];
  std::vector<ir::Instruction>& code = function.blocks.begin()->instructions;
  ir::Instruction end = std::move(code.back());
  code.pop_back();
  Emitter emitter(test, function, code);
  if (test.filter)
    emitter.load(*test.filter);
  emitter.load(test.condition);
  if (test.filter) {
    const ir::Operand counts = emitter.value(*test.filter);
    code.push_back({ir::Assume{counts}, test.condition_loc});
  }
  ir::Operand holds = emitter.value(test.condition);
  if (test.quantifier != Quantifier::kForall)
    holds = emitter.negation(holds);
  // Who asks whether something exists is shown it where the opposite fails.
  const char* const opposite = test.quantifier == Quantifier::kExists ? "~" : "";
  code.push_back({ir::Assert{holds, opposite + test.condition_text}, test.condition_loc});
  code.push_back(std::move(end));
  return Done{};
}

} // namespace heddle::frontend::litmus
