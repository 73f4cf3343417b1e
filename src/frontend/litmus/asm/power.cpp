// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// PowerPC, the 64-bit user-level integer subset (Power ISA, books I and II): its registers, and the
// table of its instructions.
#include "frontend/litmus/asm/instruction_text.h"
#include "frontend/litmus/asm/power_emit.h"

#include <algorithm>
#include <array>

namespace heddle::frontend::litmus {

namespace {

using namespace power; // the emitters

/// In the shapes of branches and comparisons the field of the condition register is a register.
constexpr std::array kForms = {
    Form{"li", "ri", &emit_load_immediate<1>},
    Form{"lis", "ri", &emit_load_immediate<65536>},
    Form{"mr", "rr", &emit_move},
    Form{"not", "rr", &emit_not},
    Form{"neg", "rr", &emit_negate},
    Form{"extsb", "rr", &emit_sign_extend<8>},
    Form{"extsh", "rr", &emit_sign_extend<16>},
    Form{"extsw", "rr", &emit_sign_extend<32>},
    Form{"add", "rrr", &emit_registers<ir::Op::kAdd>},
    Form{"sub", "rrr", &emit_registers<ir::Op::kSub>},
    Form{"subf", "rrr", &emit_subtract_from},
    Form{"and", "rrr", &emit_registers<ir::Op::kAnd>},
    Form{"andc", "rrr", &emit_registers<ir::Op::kAnd, Negated::kRight>},
    Form{"nand", "rrr", &emit_registers<ir::Op::kAnd, Negated::kResult>},
    Form{"or", "rrr", &emit_registers<ir::Op::kOr>},
    Form{"orc", "rrr", &emit_registers<ir::Op::kOr, Negated::kRight>},
    Form{"nor", "rrr", &emit_registers<ir::Op::kOr, Negated::kResult>},
    Form{"xor", "rrr", &emit_registers<ir::Op::kXor>},
    Form{"eqv", "rrr", &emit_registers<ir::Op::kXor, Negated::kResult>},
    Form{"mullw", "rrr", &emit_multiply_low_word},
    Form{"mulld", "rrr", &emit_registers<ir::Op::kMul>},
    Form{"mulli", "rri", &emit_immediate<ir::Op::kMul>},
    Form{"addi", "rzi", &emit_add_immediate<1>},
    Form{"addis", "rzi", &emit_add_immediate<65536>},
    Form{"subi", "rzi", &emit_add_immediate<-1>},
    Form{"ori", "rri", &emit_immediate<ir::Op::kOr>},
    Form{"xori", "rri", &emit_immediate<ir::Op::kXor>},
    Form{"andi.", "rri", &emit_immediate<ir::Op::kAnd>},
    Form{"oris", "rri", &emit_immediate<ir::Op::kOr, 65536>},
    Form{"xoris", "rri", &emit_immediate<ir::Op::kXor, 65536>},
    Form{"andis.", "rri", &emit_immediate<ir::Op::kAnd, 65536>},
    Form{"slwi", "rri", &emit_shift<ir::Op::kShl, 32>},
    Form{"srwi", "rri", &emit_shift<ir::Op::kLShr, 32>},
    Form{"srawi", "rri", &emit_shift<ir::Op::kAShr, 32>},
    Form{"sldi", "rri", &emit_shift<ir::Op::kShl, 64>},
    Form{"srdi", "rri", &emit_shift<ir::Op::kLShr, 64>},
    Form{"sradi", "rri", &emit_shift<ir::Op::kAShr, 64>},
    Form{"slw", "rrr", &emit_shift<ir::Op::kShl, 32>},
    Form{"srw", "rrr", &emit_shift<ir::Op::kLShr, 32>},
    Form{"sraw", "rrr", &emit_shift<ir::Op::kAShr, 32>},
    Form{"sld", "rrr", &emit_shift<ir::Op::kShl, 64>},
    Form{"srd", "rrr", &emit_shift<ir::Op::kLShr, 64>},
    Form{"srad", "rrr", &emit_shift<ir::Op::kAShr, 64>},

    Form{"rlwinm", "rriii", &emit_rotate_word<false>},
    Form{"rlwimi", "rriii", &emit_rotate_word<true>},
    Form{"rldicl", "rrii", &emit_rotate_double<true>},
    Form{"rldicr", "rrii", &emit_rotate_double<false>},
    Form{"rotlwi", "rri", &emit_rotate_word<false>},
    Form{"clrlwi", "rri", &emit_clear<32, true>},
    Form{"clrrwi", "rri", &emit_clear<32, false>},
    Form{"rotldi", "rri", &emit_rotate_double<true>},
    Form{"clrldi", "rri", &emit_clear<64, true>},
    Form{"clrrdi", "rri", &emit_clear<64, false>},

    Form{"cmpw", "rr", &emit_compare<true, 32>},
    Form{"cmpw", "rrr", &emit_compare<true, 32>},
    Form{"cmpwi", "ri", &emit_compare<true, 32>},
    Form{"cmpwi", "rri", &emit_compare<true, 32>},
    Form{"cmplw", "rr", &emit_compare<false, 32>},
    Form{"cmplw", "rrr", &emit_compare<false, 32>},
    Form{"cmplwi", "ri", &emit_compare<false, 32>},
    Form{"cmplwi", "rri", &emit_compare<false, 32>},
    Form{"cmpd", "rr", &emit_compare<true, 64>},
    Form{"cmpd", "rrr", &emit_compare<true, 64>},
    Form{"cmpdi", "ri", &emit_compare<true, 64>},
    Form{"cmpdi", "rri", &emit_compare<true, 64>},
    Form{"cmpld", "rr", &emit_compare<false, 64>},
    Form{"cmpld", "rrr", &emit_compare<false, 64>},
    Form{"cmpldi", "ri", &emit_compare<false, 64>},
    Form{"cmpldi", "rri", &emit_compare<false, 64>},
    Form{"b", "n", &emit_jump},
    Form{"blr", "", &emit_return},
    Form{"beq", "n", &emit_branch<kEqual, true>},
    Form{"beq", "rn", &emit_branch<kEqual, true>},
    Form{"bne", "n", &emit_branch<kEqual, false>},
    Form{"bne", "rn", &emit_branch<kEqual, false>},
    Form{"blt", "n", &emit_branch<kLess, true>},
    Form{"blt", "rn", &emit_branch<kLess, true>},
    Form{"bge", "n", &emit_branch<kLess, false>},
    Form{"bge", "rn", &emit_branch<kLess, false>},
    Form{"bnl", "n", &emit_branch<kLess, false>},
    Form{"bnl", "rn", &emit_branch<kLess, false>},
    Form{"bgt", "n", &emit_branch<kGreater, true>},
    Form{"bgt", "rn", &emit_branch<kGreater, true>},
    Form{"ble", "n", &emit_branch<kGreater, false>},
    Form{"ble", "rn", &emit_branch<kGreater, false>},
    Form{"bng", "n", &emit_branch<kGreater, false>},
    Form{"bng", "rn", &emit_branch<kGreater, false>},

    Form{"lbz", "rm", &emit_load<8>},
    Form{"lhz", "rm", &emit_load<16>},
    Form{"lha", "rm", &emit_load<16, true>},
    Form{"lwz", "rm", &emit_load<32>},
    Form{"lwa", "rm", &emit_load<32, true>},
    Form{"ld", "rm", &emit_load<64>},
    Form{"lbzx", "rzr", &emit_load_indexed<8>},
    Form{"lhzx", "rzr", &emit_load_indexed<16>},
    Form{"lhax", "rzr", &emit_load_indexed<16, true>},
    Form{"lwzx", "rzr", &emit_load_indexed<32>},
    Form{"lwax", "rzr", &emit_load_indexed<32, true>},
    Form{"ldx", "rzr", &emit_load_indexed<64>},
    Form{"lbzu", "rm", &emit_load_update<8>},
    Form{"lhzu", "rm", &emit_load_update<16>},
    Form{"lwzu", "rm", &emit_load_update<32>},
    Form{"ldu", "rm", &emit_load_update<64>},
    Form{"stb", "rm", &emit_store<8>},
    Form{"sth", "rm", &emit_store<16>},
    Form{"stw", "rm", &emit_store<32>},
    Form{"std", "rm", &emit_store<64>},
    Form{"stbx", "rzr", &emit_store_indexed<8>},
    Form{"sthx", "rzr", &emit_store_indexed<16>},
    Form{"stwx", "rzr", &emit_store_indexed<32>},
    Form{"stdx", "rzr", &emit_store_indexed<64>},
    Form{"stbu", "rm", &emit_store_update<8>},
    Form{"sthu", "rm", &emit_store_update<16>},
    Form{"stwu", "rm", &emit_store_update<32>},
    Form{"stdu", "rm", &emit_store_update<64>},
    Form{"lbarx", "rzr", &emit_load_reserve<8>},
    Form{"lharx", "rzr", &emit_load_reserve<16>},
    Form{"lwarx", "rzr", &emit_load_reserve<32>},
    Form{"ldarx", "rzr", &emit_load_reserve<64>},
    Form{"stbcx.", "rzr", &emit_store_conditional<8>},
    Form{"sthcx.", "rzr", &emit_store_conditional<16>},
    Form{"stwcx.", "rzr", &emit_store_conditional<32>},
    Form{"stdcx.", "rzr", &emit_store_conditional<64>},

    Form{"sync", "", &emit_sync},
    Form{"hwsync", "", &emit_sync},
    Form{"lwsync", "", &emit_lwsync},
    Form{"isync", "", &emit_isync},
    Form{"eieio", "", &emit_eieio},
    Form{"nop", "", &emit_nothing},
};

/// Those that may end in a dot and then compare what they computed with 0 into CR0.
constexpr std::array<std::string_view, 39> kMayRecord = {
    "add",    "sub",    "subf",   "and",    "andc",   "nand",   "or",     "orc",
    "nor",    "xor",    "eqv",    "mullw",  "mulld",  "neg",    "not",    "mr",
    "extsb",  "extsh",  "extsw",  "slwi",   "srwi",   "srawi",  "sldi",   "srdi",
    "slw",    "srw",    "sraw",   "sld",    "srd",    "rlwinm", "rlwimi", "rldicl",
    "rldicr", "rotlwi", "clrlwi", "clrrwi", "rotldi", "clrldi", "clrrdi"};

bool is_field(const Argument& argument) {
  return argument.name.substr(0, 2) == "CR";
}

/// Where fields of the condition register stand: only first in comparisons and branches, and there
/// a second operand must follow that needs it.
Status check_fields(In in) {
  const bool is_compare = in.mnemonic.substr(0, 3) == "cmp";
  const bool is_branch = in.mnemonic.substr(0, 1) == "b";
  for (std::size_t i = 0; i < in.arguments.size(); ++i) {
    const Argument& argument = in.arguments[i];
    const bool may_be_field = i == 0 && ((is_compare && in.arguments.size() == 3) ||
                                         (is_branch && in.arguments.size() == 2));
    const bool is_label = is_branch && i + 1 == in.arguments.size();
    const bool is_register =
        argument.kind == Argument::Kind::kRegister || argument.kind == Argument::Kind::kMemory;
    if (is_register && !is_label && is_field(argument) != may_be_field)
      return instruction_error(in,
                               argument.column,
                               may_be_field ? "a field of the condition register was expected"
                                            : "a general register was expected");
  }
  return Done{};
}

/// The base of an update must be a register that is not otherwise written.
Status check_update(In in) {
  const bool is_load = in.mnemonic.substr(0, 1) == "l";
  const bool is_update = (is_load || in.mnemonic.substr(0, 2) == "st") &&
                         in.mnemonic.back() == 'u' && in.arguments.size() == 2;
  if (!is_update || in.arguments[1].kind != Argument::Kind::kMemory)
    return Done{};
  const std::string& base = in.arguments[1].name;
  if (base == "r0" || (is_load && base == in.arguments[0].name))
    return instruction_error(in, in.arguments[1].column, "this base register cannot be updated");
  return Done{};
}

/// The amounts of shifts by a number, and of rotations the bits of the mask.
Status check_shift(In in) {
  constexpr std::array<std::string_view, 8> kWords = {
      "slwi", "srwi", "srawi", "rlwinm", "rlwimi", "rotlwi", "clrlwi", "clrrwi"};
  constexpr std::array<std::string_view, 8> kDoublewords = {
      "sldi", "srdi", "sradi", "rldicl", "rldicr", "rotldi", "clrldi", "clrrdi"};
  std::string_view name = in.mnemonic;
  if (name.ends_with('.'))
    name.remove_suffix(1);
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const std::int64_t limit = is_in(kWords) ? 32 : (is_in(kDoublewords) ? 64 : 0);
  for (std::size_t i = 2; limit != 0 && i < in.arguments.size(); ++i) {
    const Argument& amount = in.arguments[i];
    if (amount.kind == Argument::Kind::kImmediate && (amount.value < 0 || amount.value >= limit))
      return instruction_error(
          in, amount.column, "a number from 0 to " + std::to_string(limit - 1) + " was expected");
  }
  return Done{};
}

class Power final : public Dialect {
public:
  [[nodiscard]] std::string vocabulary() const override { return "power"; }
  [[nodiscard]] unsigned width() const override { return kWidth; }

  [[nodiscard]] std::optional<RegisterView> find_register(std::string_view name) const override {
    if (const auto number = numbered_register(name, "r", 32))
      return RegisterView{"r" + std::to_string(*number), kWidth};
    for (const std::string_view prefix : {"cr", "CR"})
      if (const auto number = numbered_register(name, prefix, 8))
        return RegisterView{"CR" + std::to_string(*number), 4};
    return find_symbolic_register(name, kWidth);
  }

  [[nodiscard]] Status translate(std::string_view text, ThreadBuilder& out) const override {
    Result<InstructionText> read = read_instruction(text, *this);
    if (!read)
      return read.error();
    InstructionText& in = *read;
    normalise(in);
    for (const auto check : {&check_fields, &check_update, &check_shift})
      if (const Status status = check(in); !status)
        return status;
    const bool records = take_record_dot(in);
    const Status status = emit_by_form(kForms, in, out);
    if (status && (records || in.mnemonic == "andi." || in.mnemonic == "andis."))
      compare<true>(out, "CR0", out.get(in.arguments[0].name, kWidth), out.constant(0, kWidth));
    return status;
  }

private:
  /// Other spellings of the same: beq- and beq+ are hints; `sync 1` is lwsync; `cmpw 1,r1,r2` is
  /// `cmpw cr1,r1,r2`; `lwz r1,0,r2` is `lwz r1,0(r2)`.
  static void normalise(InstructionText& in) {
    const char last = in.mnemonic.back();
    if (in.mnemonic.size() > 1 && in.mnemonic[0] == 'b' && (last == '-' || last == '+'))
      in.mnemonic.pop_back();
    const bool has_level = in.mnemonic == "sync" && in.arguments.size() == 1 &&
                           in.arguments[0].kind == Argument::Kind::kImmediate;
    if (has_level && (in.arguments[0].value == 0 || in.arguments[0].value == 1)) {
      in.mnemonic = in.arguments[0].value == 0 ? "sync" : "lwsync";
      in.arguments.clear();
    }
    using Kind = Argument::Kind;
    if (in.mnemonic.substr(0, 3) == "cmp" && in.arguments.size() == 3 &&
        in.arguments[0].kind == Kind::kImmediate && in.arguments[0].value >= 0 &&
        in.arguments[0].value < 8) {
      in.arguments[0].kind = Kind::kRegister;
      in.arguments[0].name = "CR" + std::to_string(in.arguments[0].value);
    }
    const bool is_access = has_form(kForms, in.mnemonic) && in.arguments.size() == 3 &&
                           in.arguments[1].kind == Kind::kImmediate &&
                           in.arguments[2].kind == Kind::kRegister &&
                           (in.mnemonic[0] == 'l' || in.mnemonic.substr(0, 2) == "st") &&
                           in.mnemonic.back() != 'x' && in.mnemonic.back() != '.';
    if (is_access) {
      in.arguments[1].kind = Kind::kMemory;
      in.arguments[1].name = in.arguments[2].name;
      in.arguments.pop_back();
    }
  }

  static bool take_record_dot(InstructionText& in) {
    if (!in.mnemonic.ends_with('.'))
      return false;
    const std::string plain = in.mnemonic.substr(0, in.mnemonic.size() - 1);
    if (std::find(kMayRecord.begin(), kMayRecord.end(), plain) == kMayRecord.end())
      return false;
    in.mnemonic = plain;
    return true;
  }
};

} // namespace

std::unique_ptr<Dialect> make_power() {
  return std::make_unique<Power>();
}

} // namespace heddle::frontend::litmus
