// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/model/print_program.h"

#include "ir/sync_facts.h"
#include "support/overloaded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace heddle::program {

namespace {

std::string_view name_of(Order order) {
  switch (order) {
  case Order::kNone:
    return "";
  case Order::kRelaxed:
    return "relaxed";
  case Order::kConsume:
    return "consume";
  case Order::kAcquire:
    return "acquire";
  case Order::kRelease:
    return "release";
  case Order::kAcqRel:
    return "acq_rel";
  case Order::kSeqCst:
    return "seq_cst";
  }
  return "";
}

std::string_view name_of(RmwOp op) {
  switch (op) {
  case RmwOp::kExchange:
    return "exchange";
  case RmwOp::kAdd:
    return "add";
  case RmwOp::kSub:
    return "sub";
  case RmwOp::kAnd:
    return "and";
  case RmwOp::kNand:
    return "nand";
  case RmwOp::kOr:
    return "or";
  case RmwOp::kXor:
    return "xor";
  case RmwOp::kMax:
    return "max";
  case RmwOp::kMin:
    return "min";
  case RmwOp::kUMax:
    return "umax";
  case RmwOp::kUMin:
    return "umin";
  }
  return "";
}

std::string_view name_of(CheckKind kind) {
  switch (kind) {
  case CheckKind::kAssertion:
    return "assert";
  case CheckKind::kErrorCall:
    return "error call unless";
  case CheckKind::kSignedOverflow:
    return "check overflow";
  case CheckKind::kDivisionByZero:
    return "check division";
  case CheckKind::kOversizedShift:
    return "check shift";
  case CheckKind::kPointerArithmetic:
    return "check pointer";
  case CheckKind::kArrayIndex:
    return "check index";
  case CheckKind::kUnreachable:
    return "check unreachable";
  }
  return "";
}

std::string_view name_of(ir::Hint::Kind kind) {
  switch (kind) {
  case ir::Hint::Kind::kLoopBound:
    return "loop bound";
  case ir::Hint::Kind::kSpinStart:
    return "spin start";
  case ir::Hint::Kind::kSpinEnd:
    return "spin end";
  case ir::Hint::Kind::kOperationBegin:
    return "operation begins";
  case ir::Hint::Kind::kOperationEnd:
    return "operation ends";
  }
  return "";
}

/// Prints the actions of one procedure. In a key, temporaries are nameless and constants that are
/// addresses are named.
class ActionPrinter {
public:
  ActionPrinter(const Program& program, const Procedure& procedure, bool for_key)
      : program_(program), procedure_(procedure), for_key_(for_key) {}

  std::string print(const Action& action) const;

  std::string term(Term value) const {
    if (const std::optional<std::string> place = address(value))
      return *place;
    // A sum with an address, as indexing a global makes it.
    if (program_.terms.node(value).op == logic::Op::kAdd) {
      const auto parts = program_.terms.arguments(value);
      for (std::size_t i = 0; i < 2; ++i)
        if (const std::optional<std::string> place = address(parts[i]))
          return fmt::format("{} + {}", term(parts[1 - i]), *place);
    }
    return program_.terms.to_text(value, [this](std::uint64_t number) { return variable(number); });
  }

private:
  std::string variable(std::uint64_t number) const {
    if (number == kSelfVariable)
      return "self";
    if (number >= procedure_.locals.size())
      return fmt::format("?{}", number);
    return local(LocalId{static_cast<std::size_t>(number)});
  }
  std::string local(LocalId id) const {
    const Local& variable = procedure_.locals[id];
    if (!variable.name.empty())
      return variable.name;
    return for_key_ ? "_" : fmt::format("t{}", id.value);
  }
  /// A constant of pointer width that points into a global or at a procedure.
  std::optional<std::string> address(Term value) const {
    const logic::Node& node = program_.terms.node(value);
    if (node.op != logic::Op::kConstant || node.sort.width != program_.pointer_bits())
      return std::nullopt;
    const AddressSpace space = program_.space();
    for (const Object& object : program_.objects) {
      if (object.kind != Object::Kind::kGlobal)
        continue;
      const std::uint64_t base = space.base_of(object.unit);
      if (node.value < base || node.value > base + object.size)
        continue;
      const std::uint64_t offset = node.value - base;
      return offset == 0 ? fmt::format("&{}", object.name)
                         : fmt::format("&{} + {}", object.name, offset);
    }
    for (std::size_t i = 0; i < program_.procedures.size(); ++i)
      if (node.value == space.function_address(static_cast<std::uint32_t>(i)))
        return fmt::format("&{}", program_.procedures[ProcedureId{i}].name);
    return std::nullopt;
  }
  std::string access(const Access& access) const {
    std::string text;
    const auto add = [&text](std::string_view word) {
      if (!word.empty())
        text += fmt::format("{}{}", text.empty() ? " (" : ", ", word);
    };
    if (access.kind == AccessKind::kVolatile)
      add("volatile");
    add(name_of(access.order));
    for (const std::string& tag : access.tags)
      add(tag);
    if (!for_key_) {
      if (access.drains)
        add("drains");
      if (!access.is_visible)
        add("private");
    }
    return text.empty() ? text : text + ")";
  }
  std::string terms(const std::vector<Term>& values) const {
    std::string text;
    for (const Term value : values)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", term(value));
    return text;
  }
  std::string result(const std::optional<LocalId>& dest) const {
    return dest ? fmt::format("{} := ", local(*dest)) : "";
  }
  std::string targets(const std::vector<ProcedureId>& procedures) const {
    std::vector<std::string_view> names;
    for (const ProcedureId id : procedures)
      names.push_back(program_.procedures[id].name);
    return fmt::format("{}", fmt::join(names, "|"));
  }

  const Program& program_;
  const Procedure& procedure_;
  bool for_key_;
};

std::string ActionPrinter::print(const Action& action) const {
  const auto assign = [this](const Assign& a) {
    return fmt::format("{} := {}", local(a.dest), term(a.value));
  };
  return std::visit(
      Overloaded{
          [](const Skip&) { return std::string("skip"); },
          [&](const Assign& a) { return assign(a); },
          [&](const AssignSequence& a) {
            std::string text;
            for (const Assign& one : a.assignments)
              text += (text.empty() ? "" : "; ") + assign(one);
            return text;
          },
          [&](const Nondet& a) { return fmt::format("{} := nondet {}", local(a.dest), a.origin); },
          [&](const Assume& a) {
            return fmt::format("{} {}", a.is_branch ? "if" : "assume", term(a.condition));
          },
          [&](const Check& a) {
            return fmt::format("{} {}{}{}",
                               name_of(a.kind),
                               term(a.condition),
                               a.what.empty() ? "" : ": ",
                               a.what);
          },
          [&](const CheckNeighbourhood& a) {
            return fmt::format("check pointer {} from {}", term(a.result), term(a.base));
          },
          [&](const Load& a) {
            return fmt::format("{}{} := load{} [{}]{}",
                               local(a.dest),
                               a.marks ? " marks " + local(*a.marks) : "",
                               8 * a.access.size,
                               term(a.address),
                               access(a.access));
          },
          [&](const Store& a) {
            return fmt::format("store{} [{}] := {}{}{}",
                               8 * a.access.size,
                               term(a.address),
                               term(a.value),
                               a.marks ? " marks " + term(*a.marks) : "",
                               access(a.access));
          },
          [&](const LoadExclusive& a) {
            return fmt::format("{} := load_exclusive{} [{}]{}",
                               local(a.dest),
                               8 * a.access.size,
                               term(a.address),
                               access(a.access));
          },
          [&](const StoreExclusive& a) {
            return fmt::format("{} := store_exclusive{} [{}] := {}{}",
                               local(a.success),
                               8 * a.access.size,
                               term(a.address),
                               term(a.value),
                               access(a.access));
          },
          [&](const ReadModifyWrite& a) {
            return fmt::format("{} := {}{} [{}] {}{}",
                               local(a.dest),
                               name_of(a.op),
                               8 * a.access.size,
                               term(a.address),
                               term(a.value),
                               access(a.access));
          },
          [&](const CompareExchange& a) {
            return fmt::format("{}, {} := compare_exchange{}{} [{}] {} -> {}{}",
                               local(a.dest),
                               local(a.success),
                               8 * a.access.size,
                               a.weak ? " weak" : "",
                               term(a.address),
                               term(a.expected),
                               term(a.desired),
                               access(a.access));
          },
          [&](const Fence& a) {
            std::string_view strength;
            if (a.strength == Fence::Strength::kMark)
              strength = " mark";
            if (a.strength == Fence::Strength::kStoreStore)
              strength = " store-store";
            if (a.strength == Fence::Strength::kFull)
              strength = " full";
            return fmt::format("fence{}{}", strength, access(a.access));
          },
          [&](const Allocate& a) {
            return fmt::format("{} := allocate{} {}{}",
                               local(a.dest),
                               a.where == ir::Allocate::Where::kFrame ? " frame" : "",
                               term(a.size),
                               a.zeroed ? " zeroed" : "");
          },
          [&](const Free& a) { return fmt::format("free {}", term(a.address)); },
          [&](const BlockSize& a) {
            return fmt::format("{} := block_size {}", local(a.dest), term(a.address));
          },
          [&](const Call& a) {
            const std::string callee =
                a.function ? fmt::format("(*{} = {})", term(*a.function), targets(a.targets))
                           : targets(a.targets);
            return fmt::format("{}call {}({})", result(a.dest), callee, terms(a.arguments));
          },
          [&](const Return& a) { return a.value ? "return " + term(*a.value) : "return"; },
          [&](const Synchronize& a) {
            return fmt::format("{}{}({}){}",
                               result(a.dest),
                               ir::facts_of(a.op).word,
                               terms(a.operands),
                               !for_key_ && a.drains ? " (drains)" : "");
          },
          [](const AtomicBegin&) { return std::string("atomic begin"); },
          [](const AtomicEnd&) { return std::string("atomic end"); },
          [&](const Hint& a) {
            return fmt::format("hint {}{}{} ({})",
                               name_of(a.kind),
                               a.name.empty() ? "" : " ",
                               a.name,
                               terms(a.operands));
          },
          [&](const ThreadExit& a) {
            return a.value ? "thread exit " + term(*a.value) : "thread exit";
          },
          [](const Exit&) { return std::string("exit"); },
          [](const Cut& a) { return "cut: " + a.bound; },
          [](const Trap& a) { return "trap: " + a.what; },
      },
      action);
}

std::string_view name_of(Object::Kind kind) {
  switch (kind) {
  case Object::Kind::kGlobal:
    return "global";
  case Object::Kind::kThreadLocal:
    return "thread-local";
  case Object::Kind::kHeapSite:
    return "heap site";
  case Object::Kind::kFrameSite:
    return "frame slot";
  }
  return "";
}

} // namespace

std::string to_text(const Program& program, const Procedure& procedure, const Action& action) {
  return ActionPrinter(program, procedure, false).print(action);
}

std::string to_text(const Program& program, const Procedure& procedure, Term term) {
  return ActionPrinter(program, procedure, false).term(term);
}

std::string to_key_text(const Program& program, const Procedure& procedure, const Action& action) {
  return ActionPrinter(program, procedure, true).print(action);
}

std::string to_text(const Program& program) {
  std::string text;
  for (const Object& object : program.objects)
    text += fmt::format("{} {}: {} bytes{}\n",
                        name_of(object.kind),
                        object.name,
                        object.size,
                        object.is_constant ? ", constant" : "");
  for (const Procedure& procedure : program.procedures) {
    text += fmt::format("\nprocedure {}(", procedure.name);
    for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
      const LocalId id = procedure.parameters[i];
      const std::string& name = procedure.locals[id].name;
      text += fmt::format(
          "{}{}", i == 0 ? "" : ", ", name.empty() ? fmt::format("t{}", id.value) : name);
    }
    text += fmt::format("), entry {}\n", procedure.entry.value);
    for (std::size_t i = 0; i < procedure.locations.size(); ++i) {
      const Location& location = procedure.locations[LocationId{i}];
      if (location.is_loop_head)
        text += "  loop head:\n";
      for (const std::uint32_t index : location.out) {
        const Edge& edge = procedure.edges[index];
        text += fmt::format(
            "  {} -> {}: {}", i, edge.to.value, to_text(program, procedure, edge.action));
        if (edge.loc.is_known())
          text += fmt::format("    // {}", program.place(edge.loc));
        text += '\n';
      }
    }
  }
  text += '\n';
  for (const ThreadTemplate& thread : program.templates)
    text += fmt::format("thread {}: {}\n", thread.name, program.procedures[thread.entry].name);
  return text;
}

} // namespace heddle::program
