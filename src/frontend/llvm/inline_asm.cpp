// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The x86 inline assembly that concurrent C uses: compiler barriers, fences, pauses, exchanges,
// lock-prefixed arithmetic and bit operations in the constraint forms of kernels and lock
// libraries, and the fences of other processors. Anything else is a trap naming its text.
#include "frontend/llvm/asm_text.h"
#include "frontend/llvm/function_importer.h"

#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace heddle::frontend {

namespace {

/// An operand of the assembly as its constraint declares it.
struct AsmOperand {
  bool is_output = false;
  bool is_memory = false;                 // `argument` is the address
  bool is_accumulator = false;            // ax
  const llvm::Value* argument = nullptr;  // of inputs and memory
  llvm::Type* element = nullptr;          // of memory
  std::optional<std::size_t> tied = {};   // the output this input shares a register with
  std::optional<std::size_t> result = {}; // the part of the call's value this output is
};

/// Nothing if a constraint has a form we do not know.
std::optional<std::vector<AsmOperand>> read_operands(const llvm::CallBase& call) {
  const auto* text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  std::vector<AsmOperand> out;
  unsigned argument = 0;
  std::size_t result = 0;
  for (const llvm::InlineAsm::ConstraintInfo& info : text->ParseConstraints()) {
    if (info.Type == llvm::InlineAsm::isClobber) {
      continue;
    }
    if (info.Type == llvm::InlineAsm::isLabel || info.isMultipleAlternative) {
      return std::nullopt;
    }
    AsmOperand operand;
    operand.is_output = info.Type == llvm::InlineAsm::isOutput;
    operand.is_memory = info.isIndirect;
    for (const std::string& code : info.Codes) {
      operand.is_accumulator = operand.is_accumulator || code == "{ax}" || code == "{eax}" ||
                               code == "{rax}" || code == "{al}" || code == "a";
    }
    if (!operand.is_output && info.hasMatchingInput()) {
      return std::nullopt;
    }
    if (!operand.is_output && info.Codes.size() == 1 &&
        std::isdigit(static_cast<unsigned char>(info.Codes[0][0])) != 0) {
      operand.tied = static_cast<std::size_t>(std::stoul(info.Codes[0]));
    }
    if (!operand.is_output || operand.is_memory) {
      operand.argument = call.getArgOperand(argument);
      operand.element = call.getParamElementType(argument);
      ++argument;
    } else {
      operand.result = result++;
    }
    out.push_back(operand);
  }
  return out;
}

std::optional<ir::RmwOp> rmw_of(const std::string& name) {
  if (name == "add" || name == "inc" || name == "xadd") {
    return ir::RmwOp::kAdd;
  }
  if (name == "sub" || name == "dec") {
    return ir::RmwOp::kSub;
  }
  if (name == "or" || name == "bts") {
    return ir::RmwOp::kOr;
  }
  if (name == "and" || name == "btr") {
    return ir::RmwOp::kAnd;
  }
  if (name == "xor" || name == "btc") {
    return ir::RmwOp::kXor;
  }
  if (name == "xchg") {
    return ir::RmwOp::kExchange;
  }
  return std::nullopt;
}

ir::Op op_of(ir::RmwOp op) {
  switch (op) {
  case ir::RmwOp::kAdd:
    return ir::Op::kAdd;
  case ir::RmwOp::kSub:
    return ir::Op::kSub;
  case ir::RmwOp::kOr:
    return ir::Op::kOr;
  case ir::RmwOp::kAnd:
    return ir::Op::kAnd;
  default:
    return ir::Op::kXor;
  }
}

/// The fence that this text is on a processor other than x86, as the fence of C that compilers turn
/// into it there.
std::optional<ir::Order> fence_of_other_processor(std::string_view text) {
  static constexpr std::pair<std::string_view, ir::Order> kFences[] = {
      {"dmb", ir::Order::kSeqCst},
      {"dmbsy", ir::Order::kSeqCst},
      {"dmbish", ir::Order::kSeqCst},
      {"dsbsy", ir::Order::kSeqCst},
      {"dsbish", ir::Order::kSeqCst},
      {"dmbishld", ir::Order::kAcquire},
      {"sync", ir::Order::kSeqCst},
      {"lwsync", ir::Order::kAcqRel},
      {"fence", ir::Order::kSeqCst},
      {"fencerw,rw", ir::Order::kSeqCst},
      {"fencer,rw", ir::Order::kAcquire},
      {"fencerw,w", ir::Order::kRelease},
      {"fence.tso", ir::Order::kAcqRel},
  };
  std::string name;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ';') {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  const auto* found =
      std::ranges::find(kFences, name, [](const auto& entry) { return entry.first; });
  return found == std::end(kFences) ? std::nullopt : std::optional(found->second);
}

/// Instructions that memory and other threads do not notice: what they give is any value.
/// Interrupts are no threads here, so that switching them off and on does nothing.
bool is_about_processor(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "cli",
      "sti",
      "hlt",
      "wbinvd",
      "cpuid",
      "rdtsc",
      "rdtscp",
      "rdpmc",
      "rdmsr",
      "wrmsr",
      "in",
      "inb",
      "inw",
      "inl",
      "out",
      "outb",
      "outw",
      "outl",
  };
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// `pushf; pop x` and `push x; popf`: the flags are saved and restored.
bool is_about_flags(const std::vector<AsmStatement>& statements) {
  const auto is = [&](std::size_t at, std::string_view name) {
    return statements[at].name.starts_with(name);
  };
  return statements.size() == 2 &&
         ((is(0, "pushf") && is(1, "pop")) || (is(0, "push") && is(1, "popf")));
}

} // namespace

/// One asm call being imported. Each method returns false if the form is not known, before anything
/// was emitted that the trap after it would not make unreachable.
class FunctionImporter::AsmImporter {
public:
  AsmImporter(FunctionImporter& into, const llvm::CallBase& call) : into_(into), call_(call) {}

  bool run() {
    const auto* text = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    const auto operands = read_operands(call_);
    if (!operands || text->getDialect() != llvm::InlineAsm::AD_ATT) {
      return false;
    }
    operands_ = *operands;
    if (const auto order = fence_of_other_processor(text->getAsmString())) {
      into_.emit(ir::Fence{{ir::AccessKind::kAtomic, *order}});
      return finish();
    }
    const std::vector<AsmStatement> statements = parse_asm(text->getAsmString());
    if (is_about_flags(statements)) {
      return give_any_values() && finish();
    }
    for (const AsmStatement& statement : statements) {
      if (!import(statement)) {
        return false;
      }
      ++done_;
    }
    if (done_ == 0) {
      into_.emit(ir::Fence{{ir::AccessKind::kPlain, ir::Order::kNone}});
    }
    return finish();
  }

private:
  bool import(const AsmStatement& statement) {
    const std::string& name = statement.name;
    if (name == "mfence" || name == "sfence" || name == "lfence") {
      fence(name);
      return true;
    }
    if (name == "nop" || name == "pause" || name == "yield") {
      return true;
    }
    if (name == "ud2") {
      into_.emit(ir::Exit{});
      into_.block_ = into_.new_block("after.ud2");
      return true;
    }
    if (name.starts_with("set") || name == "sbb") {
      return import_flag(statement);
    }
    if (done_ > 0 && !only_nothing_so_far_) {
      return false; // one instruction with an effect, and what reads its flags
    }
    only_nothing_so_far_ = false;
    if (is_about_processor(name)) {
      return give_any_values();
    }
    if ((name == "add" || name == "or") && statement.has_lock && statement.arguments.size() == 2 &&
        statement.arguments[0] == AsmArgument{AsmArgument::Kind::kLiteral, 0} &&
        statement.arguments[1].kind == AsmArgument::Kind::kStack) {
      fence("mfence");
      return true;
    }
    if (name == "mov") {
      return import_move(statement);
    }
    if (name == "bts" || name == "btr" || name == "btc" || name == "bt") {
      return import_bit(statement);
    }
    if (name == "cmpxchg") {
      return statement.has_lock && import_compare_exchange(statement);
    }
    return import_update(statement);
  }

  /// Each output, also one that shares its register with an input, is any value afterwards.
  bool give_any_values() {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (!operands_[i].is_output) {
        continue;
      }
      const ir::RegisterId any = into_.new_register(ir::Type::integer(64));
      into_.emit(ir::Nondet{any, "output of inline assembly"});
      if (!set({AsmArgument::Kind::kOperand, i}, any)) {
        return false;
      }
    }
    return true;
  }

  void fence(const std::string& name) {
    const ir::Order order = name == "mfence"   ? ir::Order::kSeqCst
                            : name == "sfence" ? ir::Order::kRelease
                                               : ir::Order::kAcquire;
    const char* tag = name == "mfence" ? "Mfence" : name == "sfence" ? "Sfence" : "Lfence";
    into_.emit(ir::Fence{{ir::AccessKind::kAtomic, order, {tag}}});
  }

  [[nodiscard]] const AsmOperand* operand_at(const AsmArgument& argument) const {
    if (argument.kind != AsmArgument::Kind::kOperand || argument.value >= operands_.size()) {
      return nullptr;
    }
    return &operands_[argument.value];
  }
  [[nodiscard]] bool is_memory(const AsmArgument& argument) const {
    const AsmOperand* operand = operand_at(argument);
    return operand != nullptr && operand->is_memory;
  }

  /// The bits of an access to this memory operand: from the suffix, else from what the pointer
  /// points to.
  [[nodiscard]] std::optional<ir::Type> access_type(const AsmStatement& statement,
                                                    const AsmArgument& memory) const {
    if (statement.bits != 0) {
      return ir::Type::integer(statement.bits);
    }
    const AsmOperand* operand = operand_at(memory);
    const auto type = operand != nullptr && operand->element != nullptr
                          ? into_.module_.scalar(operand->element)
                          : std::nullopt;
    if (!type) {
      return std::nullopt;
    }
    return ir::Type::integer(into_.module_.module().bits(*type));
  }

  ir::Operand address(const AsmArgument& memory) {
    return into_.operand(operand_at(memory)->argument);
  }

  /// The value of a literal or of a register, before the assembly.
  std::optional<ir::Operand> value(const AsmArgument& argument, ir::Type type) {
    if (argument.kind == AsmArgument::Kind::kLiteral) {
      return into_.convert(ir::Constant{ir::Type::integer(64), argument.value}, type);
    }
    const AsmOperand* operand = operand_at(argument);
    if (operand == nullptr || operand->is_memory) {
      return std::nullopt;
    }
    const llvm::Value* source = operand->argument;
    if (operand->is_output) {
      for (const AsmOperand& other : operands_) {
        if (other.tied == argument.value) {
          source = other.argument;
        }
      }
    }
    if (source == nullptr || !into_.module_.scalar(source->getType())) {
      return std::nullopt;
    }
    return into_.convert(into_.operand(source), type);
  }

  bool set(const AsmArgument& argument, const ir::Operand& operand) {
    const AsmOperand* target = operand_at(argument);
    if (target == nullptr || !target->is_output) {
      return false;
    }
    if (target->result) {
      results_[*target->result] = operand;
      return true;
    }
    const auto type = target->element != nullptr ? into_.module_.scalar(target->element)
                                                 : std::optional<ir::Type>{};
    if (!type) {
      return false;
    }
    into_.emit(
        ir::Store{into_.operand(target->argument), into_.convert(operand, *type), *type, {}});
    return true;
  }

  bool import_move(const AsmStatement& statement) {
    if (statement.arguments.size() != 2 || statement.has_lock) {
      return false;
    }
    const AsmArgument& source = statement.arguments[0];
    const AsmArgument& target = statement.arguments[1];
    const ir::Access access{ir::AccessKind::kVolatile, ir::Order::kNone};
    if (is_memory(source)) {
      const auto type = access_type(statement, source);
      if (!type || is_memory(target)) {
        return false;
      }
      const ir::RegisterId loaded = into_.new_register(*type);
      into_.emit(ir::Load{loaded, address(source), access});
      return set(target, loaded);
    }
    if (is_memory(target)) {
      const auto type = access_type(statement, target);
      const auto stored = type ? value(source, *type) : std::nullopt;
      if (!stored) {
        return false;
      }
      into_.emit(ir::Store{address(target), *stored, *type, access});
      return true;
    }
    return false;
  }

  /// add, sub, inc, dec, and, or, xor, xadd, xchg with one operand in memory; with a lock (or xchg)
  /// in one step.
  bool import_update(const AsmStatement& statement) {
    const auto op = rmw_of(statement.name);
    const bool is_unary = statement.name == "inc" || statement.name == "dec";
    const bool returns = statement.name == "xchg" || statement.name == "xadd";
    if (!op || statement.arguments.size() != (is_unary ? 1U : 2U)) {
      return false;
    }
    AsmArgument target = statement.arguments.back();
    AsmArgument source =
        is_unary ? AsmArgument{AsmArgument::Kind::kLiteral, 1} : statement.arguments.front();
    if (statement.name == "xchg" && !is_memory(target)) {
      std::swap(source, target);
    }
    const auto type = is_memory(target) ? access_type(statement, target) : std::nullopt;
    const auto operand = type ? value(source, *type) : std::nullopt;
    if (!operand) {
      return false;
    }
    const ir::RegisterId old = into_.new_register(*type);
    if (statement.has_lock || statement.name == "xchg") {
      into_.emit(ir::ReadModifyWrite{
          old, address(target), *op, *operand, {ir::AccessKind::kAtomic, ir::Order::kSeqCst}});
    } else {
      const ir::Access access{ir::AccessKind::kVolatile, ir::Order::kNone};
      const ir::Operand place = address(target);
      into_.emit(ir::Load{old, place, access});
      const ir::Operand result = into_.compute(*type, op_of(*op), {old, *operand});
      into_.emit(ir::Store{place, result, *type, access});
    }
    if (!returns) {
      flag_value_ = into_.compute(*type, op_of(*op), {old, *operand});
      return true;
    }
    return set(source, old);
  }

  bool import_compare_exchange(const AsmStatement& statement) {
    if (statement.arguments.size() != 2 || !is_memory(statement.arguments[1])) {
      return false;
    }
    const auto type = access_type(statement, statement.arguments[1]);
    const auto desired = type ? value(statement.arguments[0], *type) : std::nullopt;
    std::optional<std::size_t> output;
    const llvm::Value* expected = nullptr;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (operands_[i].is_output && operands_[i].is_accumulator) {
        output = i;
      }
    }
    for (const AsmOperand& operand : operands_) {
      if (!operand.is_output && !operand.is_memory &&
          (operand.is_accumulator || (output && operand.tied == output))) {
        expected = operand.argument;
      }
    }
    if (!desired || expected == nullptr || !into_.module_.scalar(expected->getType())) {
      return false;
    }
    const ir::RegisterId old = into_.new_register(*type);
    const ir::RegisterId success = into_.new_register(ir::Type::integer(1));
    into_.emit(ir::CompareExchange{old,
                                   success,
                                   address(statement.arguments[1]),
                                   into_.convert(into_.operand(expected), *type),
                                   *desired,
                                   {ir::AccessKind::kAtomic, ir::Order::kSeqCst},
                                   ir::Order::kSeqCst,
                                   false});
    zero_flag_ = success;
    return !output || set({AsmArgument::Kind::kOperand, *output}, old);
  }

  /// Bit operations address the word that holds the bit, which may lie beyond the first.
  bool import_bit(const AsmStatement& statement) {
    if (statement.arguments.size() != 2 || !is_memory(statement.arguments[1])) {
      return false;
    }
    const auto type = access_type(statement, statement.arguments[1]);
    if (!type || (type->bits != 32 && type->bits != 64)) {
      return false;
    }
    const AsmOperand* index_operand = operand_at(statement.arguments[0]);
    if (index_operand != nullptr && index_operand->argument == nullptr) {
      return false;
    }
    const auto index = value(statement.arguments[0], *type);
    if (!index) {
      return false;
    }
    const std::uint64_t bits = type->bits;
    const auto make = [&](ir::Op op, const ir::Operand& a, std::uint64_t b) {
      return into_.compute(*type, op, {a, ir::Constant{*type, b}});
    };
    const ir::Operand word_index = make(ir::Op::kAShr, *index, bits == 64 ? 6 : 5);
    const ir::Operand offset = make(ir::Op::kMul, word_index, bits / 8);
    const ir::Operand place = into_.compute(
        ir::Type::pointer(),
        ir::Op::kPtrAdd,
        {address(statement.arguments[1]), into_.convert(offset, into_.module_.word())});
    const ir::Operand bit = make(ir::Op::kAnd, *index, bits - 1);
    ir::Operand mask = into_.compute(*type, ir::Op::kShl, {ir::Constant{*type, 1}, bit});
    const ir::Operand tested = mask;
    const ir::RegisterId old = into_.new_register(*type);
    if (statement.name == "bt") {
      into_.emit(ir::Load{old, place, {ir::AccessKind::kVolatile, ir::Order::kNone}});
    } else {
      const ir::RmwOp op = *rmw_of(statement.name);
      if (op == ir::RmwOp::kAnd) {
        const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : 0xffffffffU;
        mask = make(ir::Op::kXor, mask, all);
      }
      if (statement.has_lock) {
        into_.emit(ir::ReadModifyWrite{
            old, place, op, mask, {ir::AccessKind::kAtomic, ir::Order::kSeqCst}});
      } else {
        const ir::Access access{ir::AccessKind::kVolatile, ir::Order::kNone};
        into_.emit(ir::Load{old, place, access});
        into_.emit(ir::Store{place, into_.compute(*type, op_of(op), {old, mask}), *type, access});
      }
    }
    const ir::Operand found = into_.compute(*type, ir::Op::kAnd, {old, tested});
    carry_flag_ = into_.compute(ir::Type::integer(1), ir::Op::kNe, {found, ir::Constant{*type, 0}});
    return true;
  }

  /// setcc, and the idiom `sbb x,x` (all ones if the carry is set).
  bool import_flag(const AsmStatement& statement) {
    if (statement.arguments.empty()) {
      return false;
    }
    const AsmArgument& target = statement.arguments.back();
    const ir::Type bit = ir::Type::integer(1);
    const std::string& name = statement.name;
    std::optional<ir::Operand> flag;
    if (name == "sbb") {
      if (!carry_flag_ || statement.arguments.size() != 2 ||
          statement.arguments[0] != statement.arguments[1]) {
        return false;
      }
      return set(target, into_.compute(ir::Type::integer(64), ir::Op::kSExt, {*carry_flag_}));
    }
    if (flag_value_) {
      const ir::Constant zero{into_.type_of(*flag_value_), 0};
      if (name == "sete" || name == "setz") {
        flag = into_.compute(bit, ir::Op::kEq, {*flag_value_, zero});
      } else if (name == "setne" || name == "setnz") {
        flag = into_.compute(bit, ir::Op::kNe, {*flag_value_, zero});
      } else if (name == "sets") {
        flag = into_.compute(bit, ir::Op::kSLt, {*flag_value_, zero});
      }
    } else if (zero_flag_ && (name == "sete" || name == "setz")) {
      flag = *zero_flag_;
    } else if (carry_flag_ && (name == "setc" || name == "setb")) {
      flag = *carry_flag_;
    }
    return flag && set(target, into_.compute(ir::Type::integer(8), ir::Op::kZExt, {*flag}));
  }

  /// The value of the call: what was set, and what only passes through ("+r" around an empty text).
  bool finish() {
    Values out;
    const auto parts = into_.module_.parts(call_.getType());
    if (!parts) {
      return false;
    }
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (!operands_[i].result) {
        continue;
      }
      const std::size_t at = *operands_[i].result;
      if (at >= parts->size()) {
        return false;
      }
      const ir::Type type = (*parts)[at].type;
      const auto set_by_us = results_.find(at);
      std::optional<ir::Operand> result;
      if (set_by_us != results_.end()) {
        result = into_.convert(set_by_us->second, type);
      } else {
        result = value({AsmArgument::Kind::kOperand, i}, type);
        if (!result) {
          const ir::RegisterId any = into_.new_register(type);
          into_.emit(ir::Nondet{any, "output of inline assembly"});
          result = any;
        }
      }
      out.push_back(*result);
    }
    if (out.size() != parts->size()) {
      return false;
    }
    into_.pass_on(call_, out);
    return true;
  }

  FunctionImporter& into_;
  const llvm::CallBase& call_;
  std::vector<AsmOperand> operands_;
  std::unordered_map<std::size_t, ir::Operand> results_;
  std::optional<ir::Operand> flag_value_; // the result whose sign and zeroness the flags tell
  std::optional<ir::Operand> zero_flag_;
  std::optional<ir::Operand> carry_flag_;
  std::size_t done_ = 0;
  bool only_nothing_so_far_ = true;
};

void FunctionImporter::import_asm(const llvm::CallBase& call) {
  const std::string text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString();
  const bool is_goto = llvm::isa<llvm::CallBrInst>(call);
  const std::size_t mark = out_.blocks[block_].instructions.size();
  const ir::BlockId block = block_;
  if (!is_goto && AsmImporter(*this, call).run()) {
    return;
  }
  if (block_ == block) {
    out_.blocks[block_].instructions.resize(mark, {ir::Unreachable{}, {}});
  }
  std::string shown;
  for (const char c : text) {
    shown += c == '\n' || c == '\t' ? ' ' : c;
  }
  unsupported(call,
              "the inline assembly \"" + shown + "\"",
              "replace it by C11 atomics or __sync functions");
}

} // namespace heddle::frontend
