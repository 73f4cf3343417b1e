// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The rules for one instruction: ids first, then the number and widths of its operands.
#include "ir/verify_instruction.h"

#include "ir/operands.h"
#include "ir/print.h"
#include "ir/sync_facts.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace heddle::ir {

namespace {

/// The first broken rule, if any; later ones are ignored.
class InstructionVerifier {
public:
  InstructionVerifier(const Module& module,
                      const Function& function,
                      const Instruction& instruction)
      : module_(module), function_(function), instruction_(instruction) {}

  std::optional<Error> run() {
    require(instruction_.loc.file < module_.files.size(),
            "IR-051",
            "expected a file of the module's table");
    verify(instruction_.operation);
    return error_;
  }

private:
  void require(bool condition, std::string_view code, std::string_view rule) {
    if (condition || error_)
      return;
    const SourceLoc loc = instruction_.loc;
    error_ = Error{ErrorKind::kInput,
                   std::string(code),
                   fmt::format("in function '{}', instruction '{}': {}",
                               function_.name,
                               print(module_, function_, instruction_),
                               rule),
                   loc.file < module_.files.size() ? module_.files[loc.file] : std::string(),
                   loc.line,
                   loc.column};
  }

  [[nodiscard]] bool exists(const GlobalAddress& address) const {
    return address.global.index() < module_.globals.size();
  }
  [[nodiscard]] bool exists(const FunctionAddress& address) const {
    return address.function.index() < module_.functions.size();
  }

  void verify(const Operation& operation) {
    for_each_operand(operation, [&](const Operand& operand) { verify(operand); });
    for_each_result(operation, [&](RegisterId id) {
      require(id.index() < function_.registers.size(), "IR-067", "expected an existing register");
    });
    for_each_target(operation, [&](BlockId id) {
      require(id.index() < function_.blocks.size(), "IR-068", "expected an existing block");
    });
    if (!error_) // from here on ids may be followed
      verify_types(operation);
  }

  void verify(const Operand& operand) {
    std::visit(
        Overloaded{
            [&](const Constant& constant) {
              const bool has_values = is_canonical(constant.type) && !constant.type.is_void();
              require(has_values, "IR-069", "expected a constant of integer or pointer type");
              const unsigned bits = has_values ? module_.bits(constant.type) : 64;
              require(bits == 64 || constant.value >> bits == 0,
                      "IR-070",
                      "expected a constant that fits its type");
            },
            [&](const RegisterId& id) {
              require(id.index() < function_.registers.size(),
                      "IR-067",
                      "expected an existing register");
            },
            [&](const GlobalAddress& address) {
              require(exists(address), "IR-071", "expected an existing global");
            },
            [&](const FunctionAddress& address) {
              require(exists(address), "IR-072", "expected an existing function");
            },
            [&](const SlotAddress& address) {
              require(address.slot.index() < function_.slots.size(),
                      "IR-073",
                      "expected an existing slot");
            },
        },
        operand);
  }

  [[nodiscard]] unsigned width(RegisterId id) const {
    return module_.bits(function_.registers[id].type);
  }
  [[nodiscard]] unsigned width(const Operand& operand) const {
    return std::visit(Overloaded{
                          [&](const Constant& constant) { return module_.bits(constant.type); },
                          [&](const RegisterId& id) { return width(id); },
                          [&](const GlobalAddress&) { return module_.pointer_bits(); },
                          [&](const FunctionAddress&) { return module_.pointer_bits(); },
                          [&](const SlotAddress&) { return module_.pointer_bits(); },
                      },
                      operand);
  }
  void require_width(unsigned found, unsigned wanted, std::string_view what) {
    if (found != wanted)
      require(
          false, "IR-074", fmt::format("expected {} of {} bits, found {}", what, wanted, found));
  }
  void require_count(std::size_t found, std::size_t wanted) {
    if (found != wanted)
      require(false, "IR-078", fmt::format("expected {} operands, found {}", wanted, found));
  }
  void require_pointer(const Operand& operand, std::string_view what) {
    require_width(width(operand), module_.pointer_bits(), what);
  }
  void verify(const Access& access) {
    require(std::is_sorted(access.tags.begin(), access.tags.end()) &&
                std::adjacent_find(access.tags.begin(), access.tags.end()) == access.tags.end(),
            "IR-075",
            "expected the tags sorted, each once");
  }

  void verify_types(const Operation& operation) {
    std::visit(
        Overloaded{
            [&](const Compute& i) { verify(i); },
            [](const Nondet&) {},
            [&](const Load& i) {
              verify_access(i.address, i.access);
              if (i.marks) {
                require_width(width(*i.marks), 8, "marks");
                require(i.dest != *i.marks, "IR-076", "expected two different result registers");
              }
            },
            [&](const Store& i) {
              verify_store(i.address, i.value, i.type, i.access);
              if (i.marks)
                require_width(width(*i.marks), 8, "marks");
            },
            [&](const LoadExclusive& i) { verify_access(i.address, i.access); },
            [&](const StoreExclusive& i) { verify_store(i.address, i.value, i.type, i.access); },
            [&](const ReadModifyWrite& i) {
              verify_access(i.address, i.access);
              require_width(width(i.value), width(i.dest), "a value");
            },
            [&](const CompareExchange& i) {
              verify_access(i.address, i.access);
              require_width(width(i.expected), width(i.dest), "an expected value");
              require_width(width(i.desired), width(i.dest), "a desired value");
              require_width(width(i.success), 1, "a success register");
              require(i.dest != i.success, "IR-076", "expected two different result registers");
            },
            [&](const Fence& i) { verify(i.access); },
            [&](const Allocate& i) {
              require_width(width(i.dest), module_.pointer_bits(), "a result");
              require_pointer(i.size, "a size");
            },
            [&](const Free& i) { require_pointer(i.address, "an address"); },
            [&](const BlockSize& i) {
              require_width(width(i.dest), module_.pointer_bits(), "a result");
              require_pointer(i.address, "an address");
            },
            [&](const Call& i) { require_pointer(i.callee, "a callee"); },
            [&](const Synchronize& i) { verify(i); },
            [](const AtomicBegin&) {},
            [](const AtomicEnd&) {},
            [&](const Assume& i) { require_width(width(i.condition), 1, "a condition"); },
            [&](const Assert& i) { require_width(width(i.condition), 1, "a condition"); },
            [&](const Hint& i) { verify(i); },
            [](const Trap&) {},
            [](const Jump&) {},
            [&](const Branch& i) { require_width(width(i.condition), 1, "a condition"); },
            [&](const Switch& i) { verify(i); },
            [&](const Return& i) { verify(i); },
            [](const ThreadExit&) {},
            [](const Exit&) {},
            [](const Unreachable&) {},
        },
        operation);
  }

  void verify_access(const Operand& address, const Access& access) {
    verify(access);
    require_pointer(address, "an address");
  }
  void verify_store(const Operand& address, const Operand& value, Type type, const Access& access) {
    verify_access(address, access);
    require(is_canonical(type) && !type.is_void(), "IR-077", "expected a type that has values");
    require_width(width(value), module_.bits(type), "a value");
  }

  void verify(const Compute& i) {
    const std::size_t arity =
        i.op == Op::kSelect                                                                 ? 3
        : i.op == Op::kCopy || i.op == Op::kZExt || i.op == Op::kSExt || i.op == Op::kTrunc ? 1
                                                                                            : 2;
    require_count(i.operands.size(), arity);
    if (error_)
      return;
    const unsigned result = width(i.dest);
    const unsigned first = width(i.operands[0]);
    switch (i.op) {
    case Op::kCopy:
      return require_width(first, result, "an operand");
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kUDiv:
    case Op::kSDiv:
    case Op::kURem:
    case Op::kSRem:
    case Op::kShl:
    case Op::kLShr:
    case Op::kAShr:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      require_width(first, result, "a first operand");
      return require_width(width(i.operands[1]), result, "a second operand");
    case Op::kEq:
    case Op::kNe:
    case Op::kULt:
    case Op::kULe:
    case Op::kSLt:
    case Op::kSLe:
      require_width(result, 1, "a result");
      return require_width(width(i.operands[1]), first, "a second operand");
    case Op::kZExt:
    case Op::kSExt:
      return require(
          first <= result, "IR-079", "expected a result at least as wide as the operand");
    case Op::kTrunc:
      return require(first >= result, "IR-079", "expected a result at most as wide as the operand");
    case Op::kSelect:
      require_width(first, 1, "a condition");
      require_width(width(i.operands[1]), result, "a second operand");
      return require_width(width(i.operands[2]), result, "a third operand");
    case Op::kPtrAdd:
      require_width(result, module_.pointer_bits(), "a result");
      require_pointer(i.operands[0], "a first operand");
      return require_pointer(i.operands[1], "a second operand");
    }
    require(false, "IR-078", "expected an operation of the ir");
  }

  void verify(const Synchronize& i) {
    const SyncFacts& facts = facts_of(i.op);
    require_count(i.operands.size(), facts.operands);
    for (std::size_t k = 0; k < std::min<std::size_t>(facts.addresses, i.operands.size()); ++k)
      require_pointer(i.operands[k], "an address");
  }

  void verify(const Hint& i) {
    switch (i.kind) {
    case Hint::Kind::kLoopBound:
      return require(i.operands.size() == 1, "IR-080", "expected the bound as only operand");
    case Hint::Kind::kSpinStart:
      return require(i.operands.empty(), "IR-080", "expected no operand");
    case Hint::Kind::kSpinEnd:
      require(i.operands.size() == 1, "IR-080", "expected a condition as only operand");
      if (i.operands.size() == 1)
        require_width(width(i.operands[0]), 1, "a condition");
      return;
    case Hint::Kind::kOperationBegin:
    case Hint::Kind::kOperationEnd:
      return;
    }
  }

  void verify(const Switch& i) {
    const unsigned bits = width(i.value);
    std::set<std::uint64_t> values;
    for (const SwitchCase& one : i.cases) {
      require(bits == 64 || one.value >> bits == 0,
              "IR-081",
              fmt::format("expected the case {} to fit in {} bits", one.value, bits));
      require(values.insert(one.value).second,
              "IR-082",
              fmt::format("expected the case {} once", one.value));
    }
  }

  void verify(const Return& i) {
    const bool has_result = !function_.result.is_void();
    require(i.value.has_value() == has_result,
            "IR-083",
            has_result ? "expected a value to return" : "expected no value to return");
    if (i.value && has_result)
      require_width(width(*i.value), module_.bits(function_.result), "a value");
  }

  // All outlive the verifier: they live for one call of verify.
  const Module& module_;
  const Function& function_;
  const Instruction& instruction_;
  std::optional<Error> error_;
};

} // namespace

std::optional<Error>
verify_instruction(const Module& module, const Function& function, const Instruction& instruction) {
  return InstructionVerifier(module, function, instruction).run();
}

} // namespace heddle::ir
