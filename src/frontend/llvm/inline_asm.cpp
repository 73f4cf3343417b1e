// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The x86 inline assembly that concurrent C uses: compiler barriers, fences, pauses, exchanges,
// lock-prefixed arithmetic and bit operations in the constraint forms of kernels and lock
// libraries, and the fences of other processors. Anything else is a trap naming its text.
#include "frontend/llvm/asm_importer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace heddle::frontend {

namespace {

const ir::Access kVolatile{ir::AccessKind::kVolatile, ir::Order::kNone};
const ir::Access kLocked{ir::AccessKind::kAtomic, ir::Order::kSeqCst};

struct Arithmetic {
  std::string_view name;
  ir::RmwOp update;
  ir::Op op;
  AsmFlags::From flags;
};
constexpr std::array<Arithmetic, 8> kArithmetic = {{
    {"add", ir::RmwOp::kAdd, ir::Op::kAdd, AsmFlags::From::kAddition},
    {"inc", ir::RmwOp::kAdd, ir::Op::kAdd, AsmFlags::From::kAddition},
    {"xadd", ir::RmwOp::kAdd, ir::Op::kAdd, AsmFlags::From::kAddition},
    {"sub", ir::RmwOp::kSub, ir::Op::kSub, AsmFlags::From::kSubtraction},
    {"dec", ir::RmwOp::kSub, ir::Op::kSub, AsmFlags::From::kSubtraction},
    {"and", ir::RmwOp::kAnd, ir::Op::kAnd, AsmFlags::From::kLogic},
    {"or", ir::RmwOp::kOr, ir::Op::kOr, AsmFlags::From::kLogic},
    {"xor", ir::RmwOp::kXor, ir::Op::kXor, AsmFlags::From::kLogic},
}};

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

/// Hints to the processor that have no effect on what is computed.
bool is_hint(std::string_view name) {
  return name == "nop" || name == "pause" || name == "yield" || name.starts_with("prefetch");
}

} // namespace

bool FunctionImporter::AsmImporter::run() {
  const auto* text = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
  if (text->getDialect() != llvm::InlineAsm::AD_ATT || !read_operands()) {
    return false;
  }
  if (const auto order = fence_of_other_processor(text->getAsmString())) {
    into_.emit(ir::Fence{{ir::AccessKind::kAtomic, *order}});
    return finish(false);
  }
  const std::vector<AsmStatement> statements = parse_asm(text->getAsmString());
  if (is_about_flags(statements)) {
    return give_any_values() && finish(false);
  }
  if (statements.empty()) {
    into_.emit(ir::Fence{{ir::AccessKind::kPlain, ir::Order::kNone}});
  }
  return std::ranges::all_of(statements, [&](const AsmStatement& one) { return import(one); }) &&
         finish(statements.empty());
}

bool FunctionImporter::AsmImporter::import(const AsmStatement& statement) {
  const std::string& name = statement.name;
  if (name == "mfence" || name == "sfence" || name == "lfence") {
    fence(name);
    return true;
  }
  if (is_hint(name)) {
    return true;
  }
  if (name == "ud2") {
    into_.emit(ir::Exit{});
    into_.block_ = into_.new_block("after.ud2");
    return true;
  }
  if (is_about_processor(name)) {
    flags_ = {};
    return give_any_values();
  }
  if ((name == "add" || name == "or") && statement.has_lock && statement.arguments.size() == 2 &&
      statement.arguments[0] == AsmArgument{AsmArgument::Kind::kLiteral, 0} &&
      statement.arguments[1].kind == AsmArgument::Kind::kStack) {
    flags_ = {};
    fence("mfence");
    return true;
  }
  if (name == "cmpxchg") {
    return import_compare_exchange(statement);
  }
  if (name == "cmpxchg8b" || name == "cmpxchg16b") {
    return import_two_word_exchange(statement, ir::Type::integer(name == "cmpxchg8b" ? 32 : 64));
  }
  if (name == "xchg") {
    return import_exchange(statement);
  }
  if (name == "bts" || name == "btr" || name == "btc" || name == "bt") {
    return import_bit(statement);
  }
  if (name == "neg" || name == "not") {
    return import_negation(statement);
  }
  if (std::ranges::find(kArithmetic, name, &Arithmetic::name) != kArithmetic.end()) {
    return import_arithmetic(statement);
  }
  if (statement.has_lock) {
    return false;
  }
  if (name == "mov") {
    return import_move(statement);
  }
  if (name.starts_with("movz") || name.starts_with("movs")) {
    return import_extension(statement);
  }
  if (name == "test" || name == "cmp") {
    return import_comparison(statement);
  }
  return (name.starts_with("set") || name == "sbb") && import_condition(statement);
}

/// Each output, also one that shares its register with an input, is any value afterwards. What
/// the other registers hold is not known then.
bool FunctionImporter::AsmImporter::give_any_values() {
  for (AsmPlace& place : places_) {
    place.value.reset();
  }
  for (const AsmOperand& operand : operands_) {
    if (!operand.is_output || !operand.condition.empty()) {
      continue;
    }
    const auto bits = bits_of(operand);
    if (!bits) {
      return false;
    }
    const ir::Type type = ir::Type::integer(*bits);
    if (operand.is_memory) {
      into_.emit(ir::Store{into_.operand(operand.argument), any(type), type, {}});
    } else {
      write_place(places_[operand.place], any(type), type);
    }
  }
  return true;
}

void FunctionImporter::AsmImporter::fence(const std::string& name) {
  const ir::Order order = name == "mfence"   ? ir::Order::kSeqCst
                          : name == "sfence" ? ir::Order::kRelease
                                             : ir::Order::kAcquire;
  const char* tag = name == "mfence" ? "Mfence" : name == "sfence" ? "Sfence" : "Lfence";
  into_.emit(ir::Fence{{ir::AccessKind::kAtomic, order, {tag}}});
}

bool FunctionImporter::AsmImporter::import_move(const AsmStatement& statement) {
  if (statement.arguments.size() != 2 ||
      (is_memory(statement.arguments[0]) && is_memory(statement.arguments[1]))) {
    return false;
  }
  const auto type = width(statement);
  if (!type) {
    return false;
  }
  const auto from = place_of(statement.arguments[0]);
  const auto to = place_of(statement.arguments[1]);
  if (!is_memory(statement.arguments[0]) && from && to && !places_[*from].value &&
      !places_[*from].is_unreadable && !places_[*from].is_input) {
    // What the register happened to hold is not known, but then both hold the same.
    const ir::RegisterId same = into_.new_register(*type);
    unset_.insert(same);
    places_[*from].value = same;
    places_[*to].value = same;
    return true;
  }
  const auto value = read(statement.arguments[0], *type);
  return value && write(statement.arguments[1], *value, *type);
}

/// movzbl and its kin: the letters are the widths of source and target.
bool FunctionImporter::AsmImporter::import_extension(const AsmStatement& statement) {
  const auto bits = [](char letter) {
    return letter == 'b' ? 8U : letter == 'w' ? 16U : letter == 'l' ? 32U : letter == 'q' ? 64U : 0;
  };
  if (statement.name.size() != 6 || statement.arguments.size() != 2) {
    return false;
  }
  const unsigned from = bits(statement.name[4]);
  const unsigned to = bits(statement.name[5]);
  if (from == 0 || to <= from || is_memory(statement.arguments[1])) {
    return false;
  }
  const auto value = read(statement.arguments[0], ir::Type::integer(from));
  const ir::Type type = ir::Type::integer(to);
  const ir::Op op = statement.name[3] == 'z' ? ir::Op::kZExt : ir::Op::kSExt;
  return value && write(statement.arguments[1], into_.compute(type, op, {*value}), type);
}

/// `xor x,x` and `sub x,x` give 0, whatever is in the register.
bool FunctionImporter::AsmImporter::import_zero(const AsmStatement& statement) {
  const auto type = width(statement);
  if (!type) {
    return false;
  }
  const ir::Constant zero{*type, 0};
  set_flags(AsmFlags::From::kLogic, zero, zero, zero);
  return write(statement.arguments[0], zero, *type);
}

/// add, sub, inc, dec, and, or, xor, xadd: with a lock on memory, and in one step.
bool FunctionImporter::AsmImporter::import_arithmetic(const AsmStatement& statement) {
  const auto& meaning = *std::ranges::find(kArithmetic, statement.name, &Arithmetic::name);
  const bool is_unary = statement.name == "inc" || statement.name == "dec";
  if (statement.arguments.size() != (is_unary ? 1U : 2U)) {
    return false;
  }
  const AsmArgument& target = statement.arguments.back();
  const AsmArgument source =
      is_unary ? AsmArgument{AsmArgument::Kind::kLiteral, 1} : statement.arguments.front();
  const bool is_in_memory = is_memory(target);
  if ((is_memory(source) && is_in_memory) || (statement.has_lock && !is_in_memory)) {
    return false;
  }
  if (source == target && !is_in_memory && (statement.name == "xor" || statement.name == "sub")) {
    return import_zero(statement);
  }
  const auto type = width(statement);
  const auto operand = type ? read(source, *type) : std::nullopt;
  if (!operand) {
    return false;
  }
  std::optional<ir::Operand> old;
  if (statement.has_lock) {
    const auto place = address(target);
    if (!place) {
      return false;
    }
    const ir::RegisterId before = into_.new_register(*type);
    into_.emit(ir::ReadModifyWrite{before, *place, meaning.update, *operand, kLocked});
    old = before;
  } else {
    old = read(target, *type);
    if (!old) {
      return false;
    }
  }
  const ir::Operand result = into_.compute(*type, meaning.op, {*old, *operand});
  const auto carry = carry_flag();
  set_flags(meaning.flags, *old, *operand, result);
  if (is_unary) { // they leave the carry as it is
    flags_.carry = carry;
    flags_.has_carry = carry.has_value();
  }
  // The register that xadd gives the old value to may be the address's.
  return (statement.has_lock || write(target, result, *type)) &&
         (statement.name != "xadd" || write(source, *old, *type));
}

/// An exchange with memory is locked by itself.
bool FunctionImporter::AsmImporter::import_exchange(const AsmStatement& statement) {
  const auto type = statement.arguments.size() == 2 ? width(statement) : std::nullopt;
  if (!type) {
    return false;
  }
  const std::size_t memory = is_memory(statement.arguments[0]) ? 0 : 1;
  const AsmArgument& one = statement.arguments[1 - memory];
  const AsmArgument& other = statement.arguments[memory];
  const auto given = is_memory(one) ? std::nullopt : read(one, *type);
  if (!given) {
    return false;
  }
  if (!is_memory(other)) {
    const auto taken = statement.has_lock ? std::nullopt : read(other, *type);
    return taken && write(one, *taken, *type) && write(other, *given, *type);
  }
  const auto place = address(other);
  if (!place) {
    return false;
  }
  const ir::RegisterId old = into_.new_register(*type);
  into_.emit(ir::ReadModifyWrite{old, *place, ir::RmwOp::kExchange, *given, kLocked});
  return write(one, old, *type);
}

/// neg and not. A negation in one step is a section: there is no update for it.
bool FunctionImporter::AsmImporter::import_negation(const AsmStatement& statement) {
  const auto type = statement.arguments.size() == 1 ? width(statement) : std::nullopt;
  if (!type) {
    return false;
  }
  const AsmArgument& target = statement.arguments[0];
  const bool is_not = statement.name == "not";
  const ir::Operand ones =
      into_.convert(ir::Constant{ir::Type::integer(64), ~std::uint64_t{0}}, *type);
  const ir::Constant zero{*type, 0};
  const auto negated = [&](const ir::Operand& old) {
    return is_not ? into_.compute(*type, ir::Op::kXor, {old, ones})
                  : into_.compute(*type, ir::Op::kSub, {zero, old});
  };
  if (!statement.has_lock) {
    const auto old = read(target, *type);
    if (!old) {
      return false;
    }
    const ir::Operand result = negated(*old);
    if (!is_not) {
      set_flags(AsmFlags::From::kSubtraction, zero, *old, result);
    }
    return write(target, result, *type);
  }
  const auto place = is_memory(target) ? address(target) : std::nullopt;
  if (!place) {
    return false;
  }
  const ir::RegisterId old = into_.new_register(*type);
  if (is_not) {
    into_.emit(ir::ReadModifyWrite{old, *place, ir::RmwOp::kXor, ones, kLocked});
    return true;
  }
  const ir::RegisterId first = into_.new_register(*type);
  into_.emit(ir::AtomicBegin{});
  into_.emit(ir::Load{first, *place, {ir::AccessKind::kAtomic, ir::Order::kRelaxed}});
  into_.emit(ir::ReadModifyWrite{old, *place, ir::RmwOp::kExchange, negated(first), kLocked});
  into_.emit(ir::AtomicEnd{});
  set_flags(AsmFlags::From::kSubtraction, zero, old, negated(old));
  return true;
}

/// cmp a,b sets the flags as b - a, test as a & b.
bool FunctionImporter::AsmImporter::import_comparison(const AsmStatement& statement) {
  const auto type = statement.arguments.size() == 2 ? width(statement) : std::nullopt;
  if (!type || (is_memory(statement.arguments[0]) && is_memory(statement.arguments[1]))) {
    return false;
  }
  const auto right = read(statement.arguments[0], *type);
  const auto left = right ? read(statement.arguments[1], *type) : std::nullopt;
  if (!left) {
    return false;
  }
  const bool is_test = statement.name == "test";
  const ir::Operand result =
      into_.compute(*type, is_test ? ir::Op::kAnd : ir::Op::kSub, {*left, *right});
  set_flags(is_test ? AsmFlags::From::kLogic : AsmFlags::From::kSubtraction, *left, *right, result);
  return true;
}

/// Compares with the accumulator, which gets what was there.
bool FunctionImporter::AsmImporter::import_compare_exchange(const AsmStatement& statement) {
  const bool has_form = statement.has_lock && statement.arguments.size() == 2 &&
                        is_memory(statement.arguments[1]) && !is_memory(statement.arguments[0]);
  const auto type = has_form ? width(statement) : std::nullopt;
  if (!type) {
    return false;
  }
  const std::size_t accumulator = place_of_number(0);
  const auto desired = read(statement.arguments[0], *type);
  const auto expected = content(places_[accumulator], *type);
  const auto place = address(statement.arguments[1]);
  // The bits above stay where it succeeds, and may go where it fails.
  if (!desired || !expected || !place || bits_of(*places_[accumulator].value) > type->bits) {
    return false;
  }
  const ir::RegisterId old = into_.new_register(*type);
  const ir::RegisterId success = into_.new_register(ir::Type::integer(1));
  into_.emit(ir::CompareExchange{
      old, success, *place, *expected, *desired, kLocked, ir::Order::kSeqCst, false});
  set_flags(AsmFlags::From::kSubtraction,
            *expected,
            old,
            into_.compute(*type, ir::Op::kSub, {*expected, old}));
  flags_.zero = success;
  write_place(places_[accumulator], old, *type);
  return true;
}

/// cmpxchg8b and cmpxchg16b: d:a is what is expected and found, c:b what is stored. Only the zero
/// flag is set.
bool FunctionImporter::AsmImporter::import_two_word_exchange(const AsmStatement& statement,
                                                             ir::Type half) {
  if (!statement.has_lock || statement.arguments.size() != 1 ||
      !is_memory(statement.arguments[0])) {
    return false;
  }
  const std::array<std::size_t, 2> expected_at = {place_of_number(0), place_of_number(2)};
  const std::array<std::size_t, 2> desired_at = {place_of_number(3), place_of_number(1)};
  const auto place = address(statement.arguments[0]);
  if (!place) {
    return false;
  }
  const auto give = [&](const Values& old) {
    for (std::size_t i = 0; i < old.size(); ++i) {
      write_place(places_[expected_at[i]], old[i], half);
    }
  };
  flags_ = {};
  const bool changes_nothing = [&] {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& value = places_[expected_at[i]].value;
      if (!value || value != places_[desired_at[i]].value) {
        return false;
      }
    }
    return half.bits == 64;
  }();
  if (changes_nothing) {
    // Whatever is compared, memory stays as it is and is read: a load of 16 bytes.
    give(into_.load_words(*place, llvm::AtomicOrdering::SequentiallyConsistent));
    fence("mfence");
    return true;
  }
  Values expected;
  Values desired;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto one = content(places_[expected_at[i]], half);
    const auto other = content(places_[desired_at[i]], half);
    if (!one || !other) {
      return false;
    }
    expected.push_back(*one);
    desired.push_back(*other);
  }
  if (half.bits == 64) {
    const auto [old, success] = into_.exchange_words(*place,
                                                     expected,
                                                     desired,
                                                     llvm::AtomicOrdering::SequentiallyConsistent,
                                                     llvm::AtomicOrdering::SequentiallyConsistent,
                                                     false);
    give(old);
    flags_.zero = success;
    return true;
  }
  const ir::Type whole = ir::Type::integer(64);
  const ir::Constant shift{whole, half.bits};
  const auto join = [&](const Values& halves) {
    const ir::Operand high =
        into_.compute(whole, ir::Op::kShl, {into_.convert(halves[1], whole), shift});
    return into_.compute(whole, ir::Op::kOr, {into_.convert(halves[0], whole), high});
  };
  const ir::RegisterId old = into_.new_register(whole);
  const ir::RegisterId success = into_.new_register(ir::Type::integer(1));
  into_.emit(ir::CompareExchange{
      old, success, *place, join(expected), join(desired), kLocked, ir::Order::kSeqCst, false});
  give({into_.convert(old, half),
        into_.convert(into_.compute(whole, ir::Op::kLShr, {old, shift}), half)});
  flags_.zero = success;
  return true;
}

/// A bit of memory may lie beyond the word at the address, unless its number is in the
/// instruction. Only the carry is defined afterwards.
bool FunctionImporter::AsmImporter::import_bit(const AsmStatement& statement) {
  const auto type = statement.arguments.size() == 2 ? width(statement) : std::nullopt;
  if (!type || type->bits < 16 || is_memory(statement.arguments[0])) {
    return false;
  }
  const AsmArgument& target = statement.arguments[1];
  const bool is_in_memory = is_memory(target);
  const auto index = read(statement.arguments[0], *type);
  if (!index || (statement.has_lock && (!is_in_memory || statement.name == "bt"))) {
    return false;
  }
  const auto make = [&](ir::Op op, const ir::Operand& a, std::uint64_t b) {
    return into_.compute(*type, op, {a, ir::Constant{*type, b}});
  };
  std::optional<ir::Operand> place = is_in_memory ? address(target) : std::nullopt;
  if (is_in_memory && !place) {
    return false;
  }
  const auto number = place_of(statement.arguments[0]);
  if (is_in_memory && number && !places_[*number].is_immediate) {
    const std::uint64_t shift = type->bits == 64 ? 6 : type->bits == 32 ? 5 : 4;
    const ir::Operand words = make(ir::Op::kAShr, *index, shift);
    const ir::Operand bytes = make(ir::Op::kMul, words, type->bits / 8);
    const ir::Type word = into_.module_.word();
    const ir::Operand offset =
        word.bits > type->bits ? into_.compute(word, ir::Op::kSExt, {bytes}) : bytes;
    place =
        into_.compute(ir::Type::pointer(), ir::Op::kPtrAdd, {*place, into_.convert(offset, word)});
  }
  const ir::Operand bit = make(ir::Op::kAnd, *index, type->bits - 1);
  const ir::Operand tested = into_.compute(*type, ir::Op::kShl, {ir::Constant{*type, 1}, bit});
  const ir::RmwOp update = statement.name == "bts"   ? ir::RmwOp::kOr
                           : statement.name == "btr" ? ir::RmwOp::kAnd
                                                     : ir::RmwOp::kXor;
  const ir::Op op = update == ir::RmwOp::kOr    ? ir::Op::kOr
                    : update == ir::RmwOp::kAnd ? ir::Op::kAnd
                                                : ir::Op::kXor;
  ir::Operand mask = tested;
  if (update == ir::RmwOp::kAnd) {
    const ir::Operand ones =
        into_.convert(ir::Constant{ir::Type::integer(64), ~std::uint64_t{0}}, *type);
    mask = into_.compute(*type, ir::Op::kXor, {tested, ones});
  }
  std::optional<ir::Operand> old;
  if (statement.has_lock) {
    const ir::RegisterId before = into_.new_register(*type);
    into_.emit(ir::ReadModifyWrite{before, *place, update, mask, kLocked});
    old = before;
  } else if (is_in_memory) {
    const ir::RegisterId before = into_.new_register(*type);
    into_.emit(ir::Load{before, *place, kVolatile});
    old = before;
    if (statement.name != "bt") {
      into_.emit(ir::Store{*place, into_.compute(*type, op, {before, mask}), *type, kVolatile});
    }
  } else {
    old = read(target, *type);
    if (!old ||
        (statement.name != "bt" && !write(target, into_.compute(*type, op, {*old, mask}), *type))) {
      return false;
    }
  }
  const ir::Operand found = into_.compute(*type, ir::Op::kAnd, {*old, tested});
  flags_ = {};
  flags_.carry = into_.compute(ir::Type::integer(1), ir::Op::kNe, {found, ir::Constant{*type, 0}});
  return true;
}

/// setcc, and the idiom `sbb x,x` (all ones if the carry is set).
bool FunctionImporter::AsmImporter::import_condition(const AsmStatement& statement) {
  constexpr std::string_view kSet = "set";
  if (statement.name != "sbb") {
    const ir::Type byte = ir::Type::integer(8);
    const auto holds = statement.arguments.size() == 1
                           ? condition(std::string_view(statement.name).substr(kSet.size()))
                           : std::nullopt;
    return holds && write(statement.arguments[0], into_.convert(*holds, byte), byte);
  }
  const auto carry = carry_flag();
  const bool has_form = statement.arguments.size() == 2 &&
                        statement.arguments[0] == statement.arguments[1] &&
                        !is_memory(statement.arguments[0]);
  const auto type = has_form && carry ? width(statement) : std::nullopt;
  if (!type) {
    return false;
  }
  flags_ = {};
  flags_.carry = carry;
  return write(statement.arguments[0], into_.compute(*type, ir::Op::kSExt, {*carry}), *type);
}

/// The value of the call: what was written, and what only passes through ("+r" around an empty
/// text). An output that nothing writes is the register's former content where the text is empty,
/// and refused elsewhere.
std::optional<ir::Operand>
FunctionImporter::AsmImporter::result_of(const AsmOperand& operand, ir::Type type, bool is_empty) {
  if (!operand.condition.empty()) {
    const auto holds = condition(operand.condition);
    if (!holds) {
      reason_ = "the flag output \"=@cc" + operand.condition + "\" of ";
      return std::nullopt;
    }
    return into_.convert(*holds, type);
  }
  const AsmPlace& place = places_[operand.place];
  if (is_empty && !place.value && !place.is_unreadable) {
    return any(type);
  }
  const auto value = content(place, type);
  if (!value) {
    reason_ = "an output that is not (or only in part) written by ";
  }
  return value;
}

bool FunctionImporter::AsmImporter::finish(bool is_empty) {
  Values out;
  const auto parts = into_.module_.parts(call_.getType());
  if (!parts) {
    return false;
  }
  for (const AsmOperand& operand : operands_) {
    if (!operand.result) {
      continue;
    }
    if (*operand.result >= parts->size()) {
      return false;
    }
    const auto result = result_of(operand, (*parts)[*operand.result].type, is_empty);
    if (!result) {
      return false;
    }
    out.push_back(*result);
  }
  if (out.size() != parts->size()) {
    return false;
  }
  into_.pass_on(call_, out);
  return true;
}

void FunctionImporter::import_asm(const llvm::CallBase& call) {
  const std::string text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString();
  const bool is_goto = llvm::isa<llvm::CallBrInst>(call);
  const std::size_t mark = out_.blocks[block_].instructions.size();
  const ir::BlockId block = block_;
  AsmImporter importer(*this, call);
  if (!is_goto && importer.run()) {
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
              importer.reason() + "the inline assembly \"" + shown + "\"",
              "replace it by C11 atomics or __sync functions");
}

} // namespace heddle::frontend
