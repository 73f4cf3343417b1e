// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// RISC-V: RV64I with the atomics of A, and what assemblers accept beside it. Register x0 reads as 0
// and takes no writes. Loads and stores with .aq and .rl do not exist in the instruction set; tests
// write them for what a future extension would do, and the models give them a meaning.
//
// An atomic memory operation is one operation in the architecture, so its annotations are on the
// read and on the write alike: with .aq nothing later overtakes either of them.
#include "frontend/litmus/asm/instruction_text.h"

#include <algorithm>
#include <array>

namespace heddle::frontend::litmus {

namespace {

using Value = ThreadBuilder::Value;
using Marks = ThreadBuilder::Marks;
using In = const InstructionText&;
using Out = ThreadBuilder&;

constexpr unsigned kWidth = 64;
constexpr std::string_view kZero = "x0";

Value number(Out out, std::int64_t value, unsigned bits = kWidth) {
  return out.constant(low_bits(value, bits), bits);
}

Value get(Out out, const Argument& argument, unsigned bits = kWidth) {
  return argument.name == kZero ? number(out, 0, bits) : out.get(argument.name, bits);
}

Value get_or_number(Out out, const Argument& argument, unsigned bits) {
  return argument.kind == Argument::Kind::kImmediate ? number(out, argument.value, bits)
                                                     : get(out, argument, bits);
}

/// Narrower values are sign-extended, which is the rule of this architecture.
void set(Out out, const Argument& argument, Value value) {
  if (argument.name != kZero)
    out.set(argument.name, value.bits == kWidth ? value : out.sign_extend(value, kWidth));
}

Value address_of(Out out, const Argument& memory) {
  const Value base = get(out, memory);
  return memory.value == 0 ? base : out.compute(ir::Op::kAdd, base, number(out, memory.value));
}

// Arithmetic

template <ir::Op kOp, unsigned kBits = kWidth>
void emit_arithmetic(In in, Out out) {
  const Value a = get(out, in.arguments[1], kBits);
  const Value b = get_or_number(out, in.arguments[2], kBits);
  set(out, in.arguments[0], out.compute(kOp, a, b));
}

/// Only as many bits of the amount count as select a bit.
template <ir::Op kOp, unsigned kBits = kWidth>
void emit_shift(In in, Out out) {
  const Value value = get(out, in.arguments[1], kBits);
  const Value by = get_or_number(out, in.arguments[2], kBits);
  const Value amount = out.compute(ir::Op::kAnd, by, number(out, kBits - 1, kBits));
  set(out, in.arguments[0], out.compute(kOp, value, amount));
}

template <ir::Op kOp>
void emit_less(In in, Out out) {
  const Value a = get(out, in.arguments[1]);
  const Value b = get_or_number(out, in.arguments[2], kWidth);
  set(out, in.arguments[0], out.zero_extend(out.compute(kOp, a, b), kWidth));
}

template <ir::Op kOp>
void emit_compare_zero(In in, Out out) {
  const Value result = out.compute(kOp, get(out, in.arguments[1]), number(out, 0));
  set(out, in.arguments[0], out.zero_extend(result, kWidth));
}

template <unsigned kBits>
void emit_negate(In in, Out out) {
  set(out,
      in.arguments[0],
      out.compute(ir::Op::kSub, number(out, 0, kBits), get(out, in.arguments[1], kBits)));
}

void emit_not(In in, Out out) {
  set(out, in.arguments[0], out.compute(ir::Op::kXor, get(out, in.arguments[1]), number(out, -1)));
}

void emit_move(In in, Out out) {
  set(out, in.arguments[0], get(out, in.arguments[1]));
}

template <unsigned kBits, bool kSigned>
void emit_extend(In in, Out out) {
  const Value value = get(out, in.arguments[1], kBits);
  set(out, in.arguments[0], kSigned ? value : out.zero_extend(value, kWidth));
}

void emit_load_immediate(In in, Out out) {
  set(out, in.arguments[0], number(out, in.arguments[1].value));
}

void emit_load_upper(In in, Out out) {
  const std::uint64_t upper = static_cast<std::uint64_t>(in.arguments[1].value) << 12;
  set(out, in.arguments[0], number(out, static_cast<std::int32_t>(upper & 0xffffffffU)));
}

// Control

template <ir::Op kOp, bool kSwapped = false>
void emit_branch(In in, Out out) {
  const Value a = get(out, in.arguments[0]);
  const Value b = get(out, in.arguments[1]);
  const Value condition = kSwapped ? out.compute(kOp, b, a) : out.compute(kOp, a, b);
  out.branch_if(condition, in.arguments[2].text);
}

template <ir::Op kOp, bool kSwapped = false>
void emit_branch_zero(In in, Out out) {
  const Value a = get(out, in.arguments[0]);
  const Value zero = number(out, 0);
  out.branch_if(kSwapped ? out.compute(kOp, zero, a) : out.compute(kOp, a, zero),
                in.arguments[1].text);
}

void emit_jump(In in, Out out) {
  out.jump(in.arguments[0].text);
}
void emit_nothing(In, Out) {}

// Memory

std::vector<std::string> annotation(In in) {
  const bool acquires = in.has_suffix("aq");
  const bool releases = in.has_suffix("rl");
  if (acquires && releases)
    return {"AcqRel"};
  if (acquires)
    return {"Acq"};
  if (releases)
    return {"Rel"};
  return {};
}

enum class Access : std::uint8_t { kRead, kWrite, kBoth };

/// In terms of C11: an annotation on the side where C11 has none orders nothing there.
template <Access kAccess>
ir::Order order_of(In in) {
  const bool acquires = in.has_suffix("aq");
  const bool releases = in.has_suffix("rl");
  if (acquires && releases)
    return ir::Order::kSeqCst;
  if (acquires && kAccess != Access::kWrite)
    return ir::Order::kAcquire;
  if (releases && kAccess != Access::kRead)
    return ir::Order::kRelease;
  return ir::Order::kRelaxed;
}

template <Access kAccess>
Marks marks_of(In in, std::vector<std::string> more = {}) {
  Marks marks{order_of<kAccess>(in), annotation(in)};
  marks.tags.insert(marks.tags.end(), more.begin(), more.end());
  std::sort(marks.tags.begin(), marks.tags.end());
  return marks;
}

template <unsigned kBits, bool kSigned = true>
void emit_load(In in, Out out) {
  const Value value =
      out.load(address_of(out, in.arguments[1]), kBits, marks_of<Access::kRead>(in));
  set(out, in.arguments[0], kSigned ? value : out.zero_extend(value, kWidth));
}

template <unsigned kBits>
void emit_store(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  out.store(address_of(out, in.arguments[1]), value, marks_of<Access::kWrite>(in));
}

template <unsigned kBits>
void emit_load_reserve(In in, Out out) {
  const Value value = out.load_exclusive(
      address_of(out, in.arguments[1]), kBits, marks_of<Access::kRead>(in, {"EX", "X"}));
  set(out, in.arguments[0], value);
}

/// 0 if it stored, 1 if it did not.
template <unsigned kBits>
void emit_store_conditional(In in, Out out) {
  const Value value = get(out, in.arguments[1], kBits);
  const Value address = address_of(out, in.arguments[2]);
  const Value success =
      out.store_exclusive(address, value, marks_of<Access::kWrite>(in, {"EX", "X"}));
  set(out, in.arguments[0], out.select(success, number(out, 0), number(out, 1)));
}

template <ir::RmwOp kOp, unsigned kBits>
void emit_atomic(In in, Out out) {
  const Value value = get(out, in.arguments[1], kBits);
  const Value address = address_of(out, in.arguments[2]);
  const Value old_value =
      out.read_modify_write(kOp, address, value, marks_of<Access::kBoth>(in, {"AMO", "X"}));
  set(out, in.arguments[0], old_value);
}

// Fences

/// "iorw" without what concerns devices; nothing if it is no such set.
std::optional<std::string> memory_part(std::string_view text) {
  constexpr std::string_view kOrder = "iorw";
  std::string result;
  std::size_t from = 0;
  for (const char c : text) {
    const std::size_t at = kOrder.find(c, from);
    if (at == std::string_view::npos)
      return std::nullopt;
    from = at + 1;
    if (c == 'r' || c == 'w')
      result += c;
  }
  return result;
}

/// The operands have been checked to be sets. A fence that concerns devices only orders no memory.
void emit_fence(In in, Out out) {
  const std::string before =
      in.arguments.empty() ? "rw" : memory_part(in.arguments[0].text).value_or("");
  const std::string after =
      in.arguments.empty() ? "rw" : memory_part(in.arguments[1].text).value_or("");
  if (before.empty() || after.empty()) {
    out.fence(Marks{});
    return;
  }
  ir::Order order = ir::Order::kRelaxed;
  if (before == "rw" && after == "rw")
    order = ir::Order::kSeqCst;
  else if (after == "rw" && before == "r")
    order = ir::Order::kAcquire;
  else if (before == "rw" && after == "w")
    order = ir::Order::kRelease;
  out.fence(Marks{order, {"Fence." + before + "." + after}});
}

void emit_fence_tso(In, Out out) {
  out.fence(Marks{ir::Order::kAcqRel, {"Fence.tso"}});
}
void emit_fence_i(In, Out out) {
  out.fence(Marks{ir::Order::kRelaxed, {"Fence.i"}});
}

using ir::Op;
using ir::RmwOp;

constexpr std::array kForms = {
    Form{"li", "ri", &emit_load_immediate},
    Form{"lui", "ri", &emit_load_upper},
    Form{"mv", "rr", &emit_move},
    Form{"not", "rr", &emit_not},
    Form{"neg", "rr", &emit_negate<64>},
    Form{"negw", "rr", &emit_negate<32>},
    Form{"sext.b", "rr", &emit_extend<8, true>},
    Form{"sext.h", "rr", &emit_extend<16, true>},
    Form{"sext.w", "rr", &emit_extend<32, true>},
    Form{"zext.b", "rr", &emit_extend<8, false>},
    Form{"zext.h", "rr", &emit_extend<16, false>},
    Form{"zext.w", "rr", &emit_extend<32, false>},
    Form{"seqz", "rr", &emit_compare_zero<Op::kEq>},
    Form{"snez", "rr", &emit_compare_zero<Op::kNe>},
    Form{"add", "rrv", &emit_arithmetic<Op::kAdd>},
    Form{"addi", "rri", &emit_arithmetic<Op::kAdd>},
    Form{"sub", "rrr", &emit_arithmetic<Op::kSub>},
    Form{"and", "rrv", &emit_arithmetic<Op::kAnd>},
    Form{"andi", "rri", &emit_arithmetic<Op::kAnd>},
    Form{"or", "rrv", &emit_arithmetic<Op::kOr>},
    Form{"ori", "rri", &emit_arithmetic<Op::kOr>},
    Form{"xor", "rrv", &emit_arithmetic<Op::kXor>},
    Form{"xori", "rri", &emit_arithmetic<Op::kXor>},
    Form{"mul", "rrr", &emit_arithmetic<Op::kMul>},
    Form{"mulw", "rrr", &emit_arithmetic<Op::kMul, 32>},
    Form{"addw", "rrv", &emit_arithmetic<Op::kAdd, 32>},
    Form{"addiw", "rri", &emit_arithmetic<Op::kAdd, 32>},
    Form{"subw", "rrr", &emit_arithmetic<Op::kSub, 32>},
    Form{"sll", "rrv", &emit_shift<Op::kShl>},
    Form{"slli", "rri", &emit_shift<Op::kShl>},
    Form{"srl", "rrv", &emit_shift<Op::kLShr>},
    Form{"srli", "rri", &emit_shift<Op::kLShr>},
    Form{"sra", "rrv", &emit_shift<Op::kAShr>},
    Form{"srai", "rri", &emit_shift<Op::kAShr>},
    Form{"sllw", "rrv", &emit_shift<Op::kShl, 32>},
    Form{"slliw", "rri", &emit_shift<Op::kShl, 32>},
    Form{"srlw", "rrv", &emit_shift<Op::kLShr, 32>},
    Form{"srliw", "rri", &emit_shift<Op::kLShr, 32>},
    Form{"sraw", "rrv", &emit_shift<Op::kAShr, 32>},
    Form{"sraiw", "rri", &emit_shift<Op::kAShr, 32>},
    Form{"slt", "rrv", &emit_less<Op::kSLt>},
    Form{"slti", "rri", &emit_less<Op::kSLt>},
    Form{"sltu", "rrv", &emit_less<Op::kULt>},
    Form{"sltiu", "rri", &emit_less<Op::kULt>},

    Form{"beq", "rrn", &emit_branch<Op::kEq>},
    Form{"bne", "rrn", &emit_branch<Op::kNe>},
    Form{"blt", "rrn", &emit_branch<Op::kSLt>},
    Form{"bge", "rrn", &emit_branch<Op::kSLe, true>},
    Form{"bltu", "rrn", &emit_branch<Op::kULt>},
    Form{"bgeu", "rrn", &emit_branch<Op::kULe, true>},
    Form{"bgt", "rrn", &emit_branch<Op::kSLt, true>},
    Form{"ble", "rrn", &emit_branch<Op::kSLe>},
    Form{"bgtu", "rrn", &emit_branch<Op::kULt, true>},
    Form{"bleu", "rrn", &emit_branch<Op::kULe>},
    Form{"beqz", "rn", &emit_branch_zero<Op::kEq>},
    Form{"bnez", "rn", &emit_branch_zero<Op::kNe>},
    Form{"bltz", "rn", &emit_branch_zero<Op::kSLt>},
    Form{"blez", "rn", &emit_branch_zero<Op::kSLe>},
    Form{"bgtz", "rn", &emit_branch_zero<Op::kSLt, true>},
    Form{"bgez", "rn", &emit_branch_zero<Op::kSLe, true>},
    Form{"j", "n", &emit_jump},
    Form{"nop", "", &emit_nothing},

    Form{"fence", "", &emit_fence},
    Form{"fence", "nn", &emit_fence},
    Form{"fence.tso", "", &emit_fence_tso},
    Form{"fence.i", "", &emit_fence_i},
};

/// These may carry .aq and .rl.
constexpr std::array kMemoryForms = {
    Form{"lb", "rm", &emit_load<8>},
    Form{"lh", "rm", &emit_load<16>},
    Form{"lw", "rm", &emit_load<32>},
    Form{"ld", "rm", &emit_load<64>},
    Form{"lbu", "rm", &emit_load<8, false>},
    Form{"lhu", "rm", &emit_load<16, false>},
    Form{"lwu", "rm", &emit_load<32, false>},
    Form{"sb", "rm", &emit_store<8>},
    Form{"sh", "rm", &emit_store<16>},
    Form{"sw", "rm", &emit_store<32>},
    Form{"sd", "rm", &emit_store<64>},
    Form{"lr.w", "ra", &emit_load_reserve<32>},
    Form{"lr.d", "ra", &emit_load_reserve<64>},
    Form{"sc.w", "rra", &emit_store_conditional<32>},
    Form{"sc.d", "rra", &emit_store_conditional<64>},
    Form{"amoswap.w", "rra", &emit_atomic<RmwOp::kExchange, 32>},
    Form{"amoswap.d", "rra", &emit_atomic<RmwOp::kExchange, 64>},
    Form{"amoadd.w", "rra", &emit_atomic<RmwOp::kAdd, 32>},
    Form{"amoadd.d", "rra", &emit_atomic<RmwOp::kAdd, 64>},
    Form{"amoand.w", "rra", &emit_atomic<RmwOp::kAnd, 32>},
    Form{"amoand.d", "rra", &emit_atomic<RmwOp::kAnd, 64>},
    Form{"amoor.w", "rra", &emit_atomic<RmwOp::kOr, 32>},
    Form{"amoor.d", "rra", &emit_atomic<RmwOp::kOr, 64>},
    Form{"amoxor.w", "rra", &emit_atomic<RmwOp::kXor, 32>},
    Form{"amoxor.d", "rra", &emit_atomic<RmwOp::kXor, 64>},
    Form{"amomax.w", "rra", &emit_atomic<RmwOp::kMax, 32>},
    Form{"amomax.d", "rra", &emit_atomic<RmwOp::kMax, 64>},
    Form{"amomin.w", "rra", &emit_atomic<RmwOp::kMin, 32>},
    Form{"amomin.d", "rra", &emit_atomic<RmwOp::kMin, 64>},
    Form{"amomaxu.w", "rra", &emit_atomic<RmwOp::kUMax, 32>},
    Form{"amomaxu.d", "rra", &emit_atomic<RmwOp::kUMax, 64>},
    Form{"amominu.w", "rra", &emit_atomic<RmwOp::kUMin, 32>},
    Form{"amominu.d", "rra", &emit_atomic<RmwOp::kUMin, 64>},
};

/// Takes .aq, .rl, .aq.rl and .aqrl off what may carry them.
void take_annotations(InstructionText& in) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kEndings = {
      {{".aq.rl", "aqrl"}, {".aqrl", "aqrl"}, {".aq", "aq"}, {".rl", "rl"}}};
  for (const auto& [ending, meaning] : kEndings) {
    if (!std::string_view(in.mnemonic).ends_with(ending))
      continue;
    const std::string plain = in.mnemonic.substr(0, in.mnemonic.size() - ending.size());
    if (!has_form(kMemoryForms, plain))
      return;
    in.mnemonic = plain;
    if (meaning != "rl")
      in.suffixes.emplace_back("aq");
    if (meaning != "aq")
      in.suffixes.emplace_back("rl");
    return;
  }
}

Status check_fence(In in) {
  for (const Argument& argument : in.arguments)
    if (const auto part = memory_part(argument.text); !part || argument.text.empty())
      return instruction_error(
          in, argument.column, "a set of i, o, r, w in that order was expected");
  return Done{};
}

/// The names of the calling convention, for x0 to x31.
constexpr std::array<std::string_view, 32> kNames = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

class RiscV final : public Dialect {
public:
  [[nodiscard]] std::string vocabulary() const override { return "riscv"; }
  [[nodiscard]] unsigned width() const override { return kWidth; }

  // Logs know the numbers only.
  [[nodiscard]] std::string printed_register(std::string_view name) const override {
    const std::optional<RegisterView> view = find_register(name);
    return view ? view->canonical : std::string(name);
  }
  [[nodiscard]] std::optional<RegisterView> find_register(std::string_view name) const override {
    if (const auto index = numbered_register(name, "x", 32))
      return RegisterView{"x" + std::to_string(*index), kWidth, false, *index == 0};
    if (name == "fp")
      return RegisterView{"x8", kWidth};
    const auto* const found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end())
      return find_symbolic_register(name, kWidth);
    return RegisterView{
        "x" + std::to_string(found - kNames.begin()), kWidth, false, found == kNames.begin()};
  }

  [[nodiscard]] Status translate(std::string_view text, ThreadBuilder& out) const override {
    Result<InstructionText> read = read_instruction(text, *this);
    if (!read)
      return read.error();
    InstructionText& in = *read;
    take_annotations(in);
    if (has_form(kMemoryForms, in.mnemonic))
      return emit_by_form(kMemoryForms, in, out);
    if (in.mnemonic == "fence")
      if (const Status status = check_fence(in); !status)
        return status;
    return emit_by_form(kForms, in, out);
  }
};

} // namespace

std::unique_ptr<Dialect> make_riscv() {
  return std::make_unique<RiscV>();
}

} // namespace heddle::frontend::litmus
