// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// x86, the integer instructions of litmus tests (Intel's manual, volume 2). Flags are registers of
// their own: CF, ZF, SF, OF, and for the parity flag the byte it is the parity of. Instructions
// with LOCK, and XCHG with memory, are read-modify-writes with the tag X; without LOCK they are a
// read and a write.
#include "frontend/litmus/asm/dialect.h"
#include "frontend/litmus/asm/x86_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

using Value = ThreadBuilder::Value;
using Marks = ThreadBuilder::Marks;
using ir::Op;

constexpr std::string_view kParityByte = "PF.byte";

Marks locked() {
  return {ir::Order::kSeqCst, {"X"}};
}

// One instruction being translated: its operands, their width, and what is emitted for them.
struct Emitter {
  const X86Text& in;
  const std::string name; // without the suffix of the size
  const unsigned bits;
  const unsigned width;
  ThreadBuilder& out;

  [[nodiscard]] const X86Operand& operand(std::size_t i) const { return in.operands[i]; }
  [[nodiscard]] bool is_memory(std::size_t i) const {
    return std::holds_alternative<X86Memory>(operand(i).content);
  }
  [[nodiscard]] bool is_register(std::size_t i) const {
    return std::holds_alternative<X86Register>(operand(i).content);
  }
  [[nodiscard]] bool is_immediate(std::size_t i) const {
    return std::holds_alternative<X86Immediate>(operand(i).content);
  }
  [[nodiscard]] bool is_value(std::size_t i) const {
    return !std::holds_alternative<X86Name>(operand(i).content);
  }

  [[nodiscard]] Error
  refuse(std::string message, std::uint32_t column, std::string code = "LIT-031") const {
    return {code == "LIT-031" ? ErrorKind::kInput : ErrorKind::kUnsupported,
            code,
            fmt::format("'{}': {}", in.mnemonic, message),
            {},
            0,
            column};
  }

  [[nodiscard]] Value address(std::size_t i) {
    const auto& memory = std::get<X86Memory>(operand(i).content);
    std::optional<Value> sum;
    const auto add = [&](Value part) { sum = sum ? out.compute(Op::kAdd, *sum, part) : part; };
    if (!memory.location.empty())
      add(out.address_of(memory.location, memory.displacement));
    if (memory.base)
      add(out.get(memory.base->canonical, width));
    if (memory.index) {
      const Value index =
          out.zero_extend(out.get(memory.index->canonical, memory.index->bits), width);
      add(memory.scale == 1 ? index
                            : out.compute(Op::kMul, index, out.constant(memory.scale, width)));
    }
    if (memory.location.empty() && (memory.displacement != 0 || !sum))
      add(out.constant(static_cast<std::uint64_t>(memory.displacement), width));
    return *sum;
  }

  [[nodiscard]] Value get_register(const X86Register& source, unsigned wanted) {
    if (source.shift == 0)
      return out.get(source.canonical, wanted);
    const Value whole = out.get(source.canonical, width);
    return out.truncate(out.compute(Op::kLShr, whole, out.constant(source.shift, width)), wanted);
  }

  void set_register(const X86Register& target, Value value) {
    if (target.shift == 0) {
      if (value.bits >= 32)
        out.set(target.canonical, value);
      else
        out.set_low(target.canonical, value);
      return;
    }
    const Value whole = out.get(target.canonical, width);
    const Value kept = out.compute(Op::kAnd, whole, out.constant(~std::uint64_t{0xff00}, width));
    const Value moved =
        out.compute(Op::kShl, out.zero_extend(value, width), out.constant(target.shift, width));
    out.set(target.canonical, out.compute(Op::kOr, kept, moved));
  }

  [[nodiscard]] Value read(std::size_t i) { return read(i, bits); }
  [[nodiscard]] Value read(std::size_t i, unsigned wanted) {
    if (const auto* source = std::get_if<X86Register>(&operand(i).content))
      return get_register(*source, wanted);
    if (const auto* immediate = std::get_if<X86Immediate>(&operand(i).content)) {
      if (!immediate->location.empty())
        return out.truncate(out.address_of(immediate->location, 0), wanted);
      return out.constant(static_cast<std::uint64_t>(immediate->value), wanted);
    }
    return out.load(address(i), wanted, {});
  }
  void write(std::size_t i, Value value) {
    if (const auto* target = std::get_if<X86Register>(&operand(i).content))
      set_register(*target, value);
    else
      out.store(address(i), value, {});
  }

  // Flags

  void set_flag(const std::string& flag, Value bit) { out.set(flag, bit); }
  void set_result_flags(Value result) {
    const Value zero = out.constant(0, result.bits);
    set_flag("ZF", out.compute(Op::kEq, result, zero));
    set_flag("SF", out.compute(Op::kSLt, result, zero));
    out.set(std::string(kParityByte), out.truncate(result, 8));
  }
  void set_logic_flags(Value result) {
    set_result_flags(result);
    set_flag("CF", out.constant(0, 1));
    set_flag("OF", out.constant(0, 1));
  }
  void set_add_flags(Value a, Value b, Value result, bool keeps_carry = false) {
    set_result_flags(result);
    if (!keeps_carry)
      set_flag("CF", out.compute(Op::kULt, result, a));
    const Value both =
        out.compute(Op::kAnd, out.compute(Op::kXor, a, result), out.compute(Op::kXor, b, result));
    set_flag("OF", out.compute(Op::kSLt, both, out.constant(0, both.bits)));
  }
  void set_sub_flags(Value a, Value b, Value result, bool keeps_carry = false) {
    set_result_flags(result);
    if (!keeps_carry)
      set_flag("CF", out.compute(Op::kULt, a, b));
    const Value both =
        out.compute(Op::kAnd, out.compute(Op::kXor, a, b), out.compute(Op::kXor, a, result));
    set_flag("OF", out.compute(Op::kSLt, both, out.constant(0, both.bits)));
  }

  [[nodiscard]] Value flag(const std::string& which) { return out.get(which, 1); }
  [[nodiscard]] Value negated(Value bit) { return out.compute(Op::kXor, bit, out.constant(1, 1)); }
  [[nodiscard]] Value parity() {
    Value byte = out.get(std::string(kParityByte), 8);
    for (const unsigned shift : {4U, 2U, 1U})
      byte = out.compute(Op::kXor, byte, out.compute(Op::kLShr, byte, out.constant(shift, 8)));
    return negated(out.truncate(byte, 1));
  }
};

// Conditions of Jcc, SETcc and CMOVcc.
std::optional<Value> condition(std::string_view code, Emitter& e) {
  struct Synonym {
    std::string_view name;
    std::string_view base;
    bool is_negated;
  };
  static constexpr std::array<Synonym, 30> kConditions = {{
      {"O", "O", false},   {"NO", "O", true},   {"B", "B", false},   {"C", "B", false},
      {"NAE", "B", false}, {"NB", "B", true},   {"NC", "B", true},   {"AE", "B", true},
      {"E", "E", false},   {"Z", "E", false},   {"NE", "E", true},   {"NZ", "E", true},
      {"BE", "BE", false}, {"NA", "BE", false}, {"NBE", "BE", true}, {"A", "BE", true},
      {"S", "S", false},   {"NS", "S", true},   {"P", "P", false},   {"PE", "P", false},
      {"NP", "P", true},   {"PO", "P", true},   {"L", "L", false},   {"NGE", "L", false},
      {"NL", "L", true},   {"GE", "L", true},   {"LE", "LE", false}, {"NG", "LE", false},
      {"NLE", "LE", true}, {"G", "LE", true},
  }};
  for (const Synonym& known : kConditions) {
    if (known.name != code)
      continue;
    const auto base = [&]() -> Value {
      if (known.base == "O")
        return e.flag("OF");
      if (known.base == "B")
        return e.flag("CF");
      if (known.base == "E")
        return e.flag("ZF");
      if (known.base == "BE")
        return e.out.compute(Op::kOr, e.flag("CF"), e.flag("ZF"));
      if (known.base == "S")
        return e.flag("SF");
      if (known.base == "P")
        return e.parity();
      const Value less = e.out.compute(Op::kXor, e.flag("SF"), e.flag("OF"));
      return known.base == "L" ? less : e.out.compute(Op::kOr, less, e.flag("ZF"));
    };
    const Value bit = base();
    return known.is_negated ? e.negated(bit) : bit;
  }
  return std::nullopt;
}

bool is_condition(std::string_view code) {
  static constexpr std::array<std::string_view, 30> kCodes = {
      "O", "NO", "B",  "C", "NAE", "NB", "NC", "AE", "E",   "Z",  "NE", "NZ", "BE", "NA",  "NBE",
      "A", "S",  "NS", "P", "PE",  "NP", "PO", "L",  "NGE", "NL", "GE", "LE", "NG", "NLE", "G"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

// Instructions

using Emit = Status (*)(Emitter&);

Status emit_nothing(Emitter&) {
  return Done{};
}

Status emit_fence(Emitter& e) {
  const ir::Order order = e.name == "MFENCE"   ? ir::Order::kSeqCst
                          : e.name == "SFENCE" ? ir::Order::kRelease
                                               : ir::Order::kAcquire;
  e.out.fence({order, {e.name}});
  return Done{};
}

Status emit_mov(Emitter& e) {
  e.write(0, e.read(1));
  return Done{};
}

Status emit_lea(Emitter& e) {
  if (!e.is_memory(1) || !e.is_register(0))
    return e.refuse("expected a register and memory", e.operand(1).column);
  e.write(0, e.out.truncate(e.address(1), e.bits));
  return Done{};
}

Status emit_xchg(Emitter& e) {
  const bool is_first = e.is_memory(0);
  if (is_first || e.is_memory(1)) {
    const std::size_t place = is_first ? 0 : 1;
    const Value old = e.out.read_modify_write(
        ir::RmwOp::kExchange, e.address(place), e.read(1 - place), locked());
    e.write(1 - place, old);
    return Done{};
  }
  const Value a = e.read(0);
  const Value b = e.read(1);
  e.write(0, b);
  e.write(1, a);
  return Done{};
}

struct Binary {
  std::string_view name;
  Op op;
  ir::RmwOp rmw;
};
constexpr std::array<Binary, 5> kBinaries = {{
    {"ADD", Op::kAdd, ir::RmwOp::kAdd},
    {"SUB", Op::kSub, ir::RmwOp::kSub},
    {"AND", Op::kAnd, ir::RmwOp::kAnd},
    {"OR", Op::kOr, ir::RmwOp::kOr},
    {"XOR", Op::kXor, ir::RmwOp::kXor},
}};

void set_binary_flags(Emitter& e, Op op, Value a, Value b, Value result, bool keeps_carry = false) {
  if (op == Op::kAdd)
    e.set_add_flags(a, b, result, keeps_carry);
  else if (op == Op::kSub)
    e.set_sub_flags(a, b, result, keeps_carry);
  else
    e.set_logic_flags(result);
}

// The first operand := it op b; gives what it was.
Value update(Emitter& e, const Binary& binary, Value b, bool keeps_carry = false) {
  if (e.in.is_locked) {
    const Value old = e.out.read_modify_write(binary.rmw, e.address(0), b, locked());
    set_binary_flags(e, binary.op, old, b, e.out.compute(binary.op, old, b), keeps_carry);
    return old;
  }
  const Value old = e.read(0);
  const Value result = e.out.compute(binary.op, old, b);
  e.write(0, result);
  set_binary_flags(e, binary.op, old, b, result, keeps_carry);
  return old;
}

Status emit_binary(Emitter& e) {
  for (const Binary& binary : kBinaries)
    if (binary.name == e.name)
      (void)update(e, binary, e.read(1));
  return Done{};
}

Status emit_count(Emitter& e) {
  (void)update(e, kBinaries[e.name == "INC" ? 0 : 1], e.out.constant(1, e.bits), true);
  return Done{};
}

Status emit_xadd(Emitter& e) {
  if (!e.is_register(1))
    return e.refuse("expected a register", e.operand(1).column);
  const Value old = update(e, kBinaries[0], e.read(1));
  e.write(1, old);
  return Done{};
}

Status emit_not(Emitter& e) {
  const Value ones = e.out.constant(~std::uint64_t{0}, e.bits);
  if (e.in.is_locked)
    (void)e.out.read_modify_write(ir::RmwOp::kXor, e.address(0), ones, locked());
  else
    e.write(0, e.out.compute(Op::kXor, e.read(0), ones));
  return Done{};
}

Status emit_neg(Emitter& e) {
  if (e.in.is_locked)
    return e.refuse("LOCK NEG is not supported", e.in.column, "LIT-033");
  const Value zero = e.out.constant(0, e.bits);
  const Value old = e.read(0);
  const Value result = e.out.compute(Op::kSub, zero, old);
  e.write(0, result);
  e.set_sub_flags(zero, old, result);
  return Done{};
}

Status emit_compare(Emitter& e) {
  const Value a = e.read(0);
  const Value b = e.read(1);
  if (e.name == "CMP")
    e.set_sub_flags(a, b, e.out.compute(Op::kSub, a, b));
  else
    e.set_logic_flags(e.out.compute(Op::kAnd, a, b));
  return Done{};
}

Status emit_cmpxchg(Emitter& e) {
  if (!e.is_register(1))
    return e.refuse("expected a register", e.operand(1).column);
  const X86Register accumulator{e.width == 64 ? "RAX" : "EAX", e.bits, 0, 0};
  const Value expected = e.get_register(accumulator, e.bits);
  if (e.in.is_locked) {
    const ThreadBuilder::Exchanged done =
        e.out.compare_exchange(e.address(0), expected, e.read(1), locked());
    e.set_sub_flags(expected, done.old_value, e.out.compute(Op::kSub, expected, done.old_value));
    e.set_register(accumulator, done.old_value);
    return Done{};
  }
  // Without LOCK the old value is written back when the comparison fails.
  const Value old = e.read(0);
  const Value success = e.out.compute(Op::kEq, old, expected);
  e.write(0, e.out.select(success, e.read(1), old));
  e.set_sub_flags(expected, old, e.out.compute(Op::kSub, expected, old));
  e.set_register(accumulator, old);
  return Done{};
}

Status emit_shift(Emitter& e) {
  const auto* amount = std::get_if<X86Immediate>(&e.operand(1).content);
  if (amount == nullptr || !amount->location.empty())
    return e.refuse("only shifts by a number are supported", e.operand(1).column, "LIT-033");
  const auto count =
      static_cast<unsigned>(static_cast<std::uint64_t>(amount->value) & (e.bits == 64 ? 63U : 31U));
  if (count >= e.bits)
    return e.refuse("the shift is as wide as the operand", e.operand(1).column, "LIT-033");
  const Value old = e.read(0);
  if (count == 0) {
    e.write(0, old);
    return Done{};
  }
  const bool is_left = e.name == "SHL" || e.name == "SAL";
  const Op op = is_left ? Op::kShl : e.name == "SHR" ? Op::kLShr : Op::kAShr;
  const Value result = e.out.compute(op, old, e.out.constant(count, e.bits));
  const Value zero = e.out.constant(0, e.bits);
  e.write(0, result);
  e.set_result_flags(result);
  const Value last = e.out.truncate(
      e.out.compute(Op::kLShr, old, e.out.constant(is_left ? e.bits - count : count - 1, e.bits)),
      1);
  e.set_flag("CF", last);
  // Defined for shifts by one only; the same formula for the others.
  if (is_left)
    e.set_flag("OF", e.out.compute(Op::kXor, e.out.compute(Op::kSLt, result, zero), last));
  else
    e.set_flag("OF", op == Op::kLShr ? e.out.compute(Op::kSLt, old, zero) : e.out.constant(0, 1));
  return Done{};
}

Status emit_jump(Emitter& e) {
  const auto* label = std::get_if<X86Name>(&e.operand(0).content);
  if (label == nullptr)
    return e.refuse("expected a label", e.operand(0).column);
  if (e.name == "JMP") {
    e.out.jump(label->name);
    return Done{};
  }
  e.out.branch_if(*condition(std::string_view(e.name).substr(1), e), label->name);
  return Done{};
}

Status emit_set(Emitter& e) {
  const Value bit = *condition(std::string_view(e.name).substr(3), e);
  e.write(0, e.out.zero_extend(bit, 8));
  return Done{};
}

Status emit_cmov(Emitter& e) {
  if (!e.is_register(0) || e.bits < 16)
    return e.refuse("expected a register of 16 bits or more", e.operand(0).column);
  const Value source = e.read(1);
  const Value bit = *condition(std::string_view(e.name).substr(4), e);
  e.write(0, e.out.select(bit, source, e.read(0)));
  return Done{};
}

unsigned suffix_bits(char c) {
  switch (c) {
  case 'B':
    return 8;
  case 'W':
    return 16;
  case 'L':
    return 32;
  case 'Q':
    return 64;
  default:
    return 0;
  }
}

// MOVZX, MOVSX and MOVSXD by their operands, movzbl and its kin by the letters of the two sizes.
bool is_extension(std::string_view mnemonic) {
  if (mnemonic == "MOVZX" || mnemonic == "MOVSX" || mnemonic == "MOVSXD")
    return true;
  const bool is_signed = mnemonic.starts_with("MOVS");
  if (mnemonic.size() != 6 || !(is_signed || mnemonic.starts_with("MOVZ")))
    return false;
  const unsigned from = suffix_bits(mnemonic[4]);
  // What MOVZLQ would be is what a MOVL to a register does.
  return from != 0 && from < suffix_bits(mnemonic[5]) && (is_signed || from < 32);
}

Status emit_extend(Emitter& e) {
  const auto* target = std::get_if<X86Register>(&e.operand(0).content);
  if (target == nullptr)
    return e.refuse("expected a register", e.operand(0).column);
  const auto* source = std::get_if<X86Register>(&e.operand(1).content);
  const bool has_sizes = e.name.back() != 'X' && e.name.back() != 'D';
  unsigned from = has_sizes ? suffix_bits(e.name[4]) : 0;
  if (e.name == "MOVSXD")
    from = 32;
  else if (!has_sizes && source != nullptr)
    from = source->bits;
  if (from == 0)
    return e.refuse("how much is read is not said; movzbl and its kin do", e.operand(1).column);
  const bool is_number = !e.is_register(1) && !e.is_memory(1);
  if (is_number || (source != nullptr && source->bits != from))
    return e.refuse(fmt::format("expected an operand of {} bits", from), e.operand(1).column);
  if (target->bits <= from || (has_sizes && target->bits != suffix_bits(e.name[5])))
    return e.refuse("the registers' widths do not fit", e.operand(0).column);
  const Value value = e.read(1, from);
  e.write(0,
          e.name[3] == 'S' ? e.out.sign_extend(value, target->bits)
                           : e.out.zero_extend(value, target->bits));
  return Done{};
}

// CWTL is CWDE, CLTQ is CDQE: the accumulator's lower half fills it with its sign.
Status emit_extend_accumulator(Emitter& e) {
  const unsigned from = e.name == "CWTL" || e.name == "CWDE" ? 16 : 32;
  const X86Register accumulator{e.width == 64 ? "RAX" : "EAX", 2 * from, 0, 0};
  if (accumulator.bits > e.width)
    return e.refuse("this machine has 32 bits", e.in.column);
  e.set_register(accumulator, e.out.sign_extend(e.get_register(accumulator, from), 2 * from));
  return Done{};
}

Status emit_return(Emitter& e) {
  e.out.finish();
  return Done{};
}

struct Instruction {
  std::string_view name;
  std::size_t operands;
  bool has_size; // takes a suffix B, W, L or Q
  bool can_lock;
  Emit emit;
};

constexpr std::array<Instruction, 33> kInstructions = {{
    {"NOP", 0, false, false, emit_nothing},
    {"PAUSE", 0, false, false, emit_nothing},
    {"ENDBR64", 0, false, false, emit_nothing},
    {"RET", 0, false, false, emit_return},
    {"MFENCE", 0, false, false, emit_fence},
    {"SFENCE", 0, false, false, emit_fence},
    {"LFENCE", 0, false, false, emit_fence},
    {"MOV", 2, true, false, emit_mov},
    {"LEA", 2, true, false, emit_lea},
    {"XCHG", 2, true, true, emit_xchg},
    {"ADD", 2, true, true, emit_binary},
    {"SUB", 2, true, true, emit_binary},
    {"AND", 2, true, true, emit_binary},
    {"OR", 2, true, true, emit_binary},
    {"XOR", 2, true, true, emit_binary},
    {"INC", 1, true, true, emit_count},
    {"DEC", 1, true, true, emit_count},
    {"XADD", 2, true, true, emit_xadd},
    {"NOT", 1, true, true, emit_not},
    {"NEG", 1, true, true, emit_neg},
    {"CMP", 2, true, false, emit_compare},
    {"TEST", 2, true, false, emit_compare},
    {"CMPXCHG", 2, true, true, emit_cmpxchg},
    {"SHL", 2, true, false, emit_shift},
    {"SAL", 2, true, false, emit_shift},
    {"SHR", 2, true, false, emit_shift},
    {"SAR", 2, true, false, emit_shift},
    {"JMP", 1, false, false, emit_jump},
    {"MOVABS", 2, true, false, emit_mov},
    {"CWTL", 0, false, false, emit_extend_accumulator},
    {"CWDE", 0, false, false, emit_extend_accumulator},
    {"CLTQ", 0, false, false, emit_extend_accumulator},
    {"CDQE", 0, false, false, emit_extend_accumulator},
}};

struct Found {
  Instruction what;
  std::string name;
  unsigned suffix = 0; // bits, 0 if there is no suffix
};

std::optional<Found> find_instruction(const std::string& mnemonic) {
  const unsigned suffix = mnemonic.size() > 2 ? suffix_bits(mnemonic.back()) : 0;
  const std::string shorter = mnemonic.substr(0, mnemonic.size() - 1);
  for (const Instruction& known : kInstructions)
    if (known.name == mnemonic)
      return Found{known, mnemonic, 0};
  for (const Instruction& known : kInstructions)
    if (suffix != 0 && known.has_size && known.name == shorter)
      return Found{known, shorter, suffix};
  if (is_extension(mnemonic))
    return Found{{"MOVX", 2, false, false, emit_extend}, mnemonic, 0};
  if (mnemonic.starts_with("J") && is_condition(mnemonic.substr(1)))
    return Found{{"Jcc", 1, false, false, emit_jump}, mnemonic, 0};
  if (mnemonic.starts_with("SET") && is_condition(mnemonic.substr(3)))
    return Found{{"SETcc", 1, false, false, emit_set}, mnemonic, 8};
  if (mnemonic.starts_with("CMOV")) {
    const Instruction cmov{"CMOVcc", 2, true, false, emit_cmov};
    if (is_condition(mnemonic.substr(4)))
      return Found{cmov, mnemonic, 0};
    if (suffix != 0 && shorter.size() > 4 && is_condition(shorter.substr(4)))
      return Found{cmov, shorter, suffix};
  }
  return std::nullopt;
}

class X86 final : public Dialect {
public:
  explicit X86(bool is_64_bit) : is_64_bit_(is_64_bit) {}

  [[nodiscard]] std::string vocabulary() const override { return "x86"; }
  [[nodiscard]] unsigned width() const override { return is_64_bit_ ? 64 : 32; }

  [[nodiscard]] std::optional<RegisterView> find_register(std::string_view name) const override {
    const std::optional<X86Register> found = find_x86_register(name, is_64_bit_);
    if (!found || found->shift != 0)
      return std::nullopt;
    return RegisterView{found->canonical, found->bits, found->bits < 32};
  }

  [[nodiscard]] bool is_register_before(std::string_view a, std::string_view b) const override {
    const std::optional<X86Register> left = find_x86_register(a, is_64_bit_);
    const std::optional<X86Register> right = find_x86_register(b, is_64_bit_);
    if (left && right && left->rank != right->rank)
      return left->rank < right->rank;
    return Dialect::is_register_before(a, b);
  }

  [[nodiscard]] Status translate(std::string_view text, ThreadBuilder& out) const override {
    const Result<X86Text> in = read_x86(text, is_64_bit_);
    if (!in)
      return in.error();
    const std::optional<Found> found = find_instruction(in->mnemonic);
    if (!found)
      return Error{ErrorKind::kUnsupported,
                   "LIT-032",
                   fmt::format("the instruction '{}' is not known", in->mnemonic),
                   {},
                   0,
                   in->column};
    if (const Result<unsigned> bits = check(*in, *found); bits) {
      Emitter emitter{*in, found->name, *bits, width(), out};
      return found->what.emit(emitter);
    } else {
      return bits.error();
    }
  }

private:
  static Error complain(const X86Text& in, std::uint32_t column, std::string_view message) {
    return {
        ErrorKind::kInput, "LIT-031", fmt::format("'{}': {}", in.mnemonic, message), {}, 0, column};
  }

  // The width of the operands; an error if they are none that the instruction takes.
  [[nodiscard]] Result<unsigned> check(const X86Text& in, const Found& found) const {
    if (in.operands.size() != found.what.operands)
      return complain(in, in.column, fmt::format("expected {} operands", found.what.operands));
    const auto is_memory = [](const X86Operand& operand) {
      return std::holds_alternative<X86Memory>(operand.content);
    };
    if (in.is_locked && (!found.what.can_lock || in.operands.empty() ||
                         std::none_of(in.operands.begin(), in.operands.end(), is_memory)))
      return complain(in, in.column, "LOCK needs a read-modify-write of memory");
    const bool is_exchange = found.name == "XCHG";
    if (in.is_locked && !is_exchange && !is_memory(in.operands[0]))
      return complain(in, in.column, "LOCK needs memory as the destination");
    unsigned bits = found.suffix;
    const bool is_jump = found.what.emit == emit_jump;
    bool is_first = true;
    unsigned memories = 0;
    for (const X86Operand& operand : in.operands) {
      const bool is_name = std::holds_alternative<X86Name>(operand.content);
      if (is_name != is_jump)
        return complain(in,
                        operand.column,
                        is_name ? fmt::format("'{}' is no operand", operand.text)
                                : std::string("expected a label"));
      const bool is_written =
          (is_first && found.name != "CMP" && found.name != "TEST") || is_exchange;
      if (is_written && std::holds_alternative<X86Immediate>(operand.content))
        return complain(in, operand.column, "a number cannot be written");
      memories += is_memory(operand) ? 1 : 0;
      is_first = false;
      const auto* found_register = std::get_if<X86Register>(&operand.content);
      if (found_register == nullptr)
        continue;
      const bool is_extended = found.what.emit == emit_extend; // checks its operands itself
      if (bits != 0 && found_register->bits != bits && !is_extended)
        return complain(in, operand.column, fmt::format("expected an operand of {} bits", bits));
      bits = std::max(bits, found_register->bits);
    }
    if (memories > 1)
      return complain(in, in.column, "only one operand can be memory");
    if (bits == 64 && !is_64_bit_)
      return complain(in, in.column, "this machine has 32 bits");
    return bits == 0 ? 32U : bits;
  }

  bool is_64_bit_;
};

} // namespace

std::unique_ptr<Dialect> make_x86(bool is_64_bit) {
  return std::make_unique<X86>(is_64_bit);
}

} // namespace heddle::frontend::litmus
