// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// ARM (32-bit, ARMv7 with the acquire and release instructions of ARMv8): its registers, and the
// table of its instructions. Mnemonics may carry S and a condition. What is executed under a
// condition selects between the new and the old value of what it writes; conditional accesses to
// memory are refused, because a branch in their place would order more than they do.
#include "frontend/litmus/asm/arm_emit.h"
#include "frontend/litmus/asm/instruction_text.h"

#include <algorithm>
#include <array>

namespace heddle::frontend::litmus {

namespace {

using namespace arm; // the emitters
using ir::Op;

constexpr std::array kArithmeticForms = {
    Form{"mov", "rv", &emit_move<false>},
    Form{"movw", "ri", &emit_move<false>},
    Form{"mvn", "rv", &emit_move<true>},
    Form{"movt", "ri", &emit_move_top},
    Form{"add", "rrv", &emit_arithmetic<Operation::kAdd>},
    Form{"add", "rv", &emit_arithmetic<Operation::kAdd>},
    Form{"sub", "rrv", &emit_arithmetic<Operation::kSub>},
    Form{"sub", "rv", &emit_arithmetic<Operation::kSub>},
    Form{"rsb", "rrv", &emit_arithmetic<Operation::kReverseSub>},
    Form{"and", "rrv", &emit_arithmetic<Operation::kAnd>},
    Form{"and", "rv", &emit_arithmetic<Operation::kAnd>},
    Form{"bic", "rrv", &emit_arithmetic<Operation::kClear>},
    Form{"bic", "rv", &emit_arithmetic<Operation::kClear>},
    Form{"orr", "rrv", &emit_arithmetic<Operation::kOr>},
    Form{"orr", "rv", &emit_arithmetic<Operation::kOr>},
    Form{"eor", "rrv", &emit_arithmetic<Operation::kXor>},
    Form{"eor", "rv", &emit_arithmetic<Operation::kXor>},
    Form{"mul", "rrr", &emit_arithmetic<Operation::kMul>},
    Form{"lsl", "rri", &emit_shift<Op::kShl>},
    Form{"lsr", "rri", &emit_shift<Op::kLShr>},
    Form{"asr", "rri", &emit_shift<Op::kAShr>},
};

constexpr std::array kComparisonForms = {
    Form{"cmp", "rv", &emit_compare<Operation::kSub>},
    Form{"cmn", "rv", &emit_compare<Operation::kAdd>},
    Form{"tst", "rv", &emit_compare<Operation::kAnd>},
    Form{"teq", "rv", &emit_compare<Operation::kXor>},
};

constexpr std::array kBranchForms = {Form{"b", "n", &emit_branch}};

/// These take no condition.
constexpr std::array kForms = {
    Form{"cbz", "rn", &emit_branch_zero<Op::kEq>},
    Form{"cbnz", "rn", &emit_branch_zero<Op::kNe>},
    Form{"bx", "r", &emit_exchange_branch},
    Form{"nop", "", &emit_nothing},
    Form{"ldr", "rx", &emit_load<32>},
    Form{"ldrb", "rx", &emit_load<8>},
    Form{"ldrh", "rx", &emit_load<16>},
    Form{"ldrsb", "rx", &emit_load<8, true>},
    Form{"ldrsh", "rx", &emit_load<16, true>},
    Form{"str", "rx", &emit_store<32>},
    Form{"strb", "rx", &emit_store<8>},
    Form{"strh", "rx", &emit_store<16>},
    Form{"lda", "ra", &emit_load_acquire<32>},
    Form{"ldab", "ra", &emit_load_acquire<8>},
    Form{"ldah", "ra", &emit_load_acquire<16>},
    Form{"stl", "ra", &emit_store_release<32>},
    Form{"stlb", "ra", &emit_store_release<8>},
    Form{"stlh", "ra", &emit_store_release<16>},
    Form{"ldrd", "rrm", &emit_double<true>},
    Form{"strd", "rrm", &emit_double<false>},
    Form{"ldm", "wl", &emit_block<true, Block::kAfter>},
    Form{"ldmia", "wl", &emit_block<true, Block::kAfter>},
    Form{"ldmfd", "wl", &emit_block<true, Block::kAfter>},
    Form{"ldmib", "wl", &emit_block<true, Block::kBeforeUp>},
    Form{"ldmed", "wl", &emit_block<true, Block::kBeforeUp>},
    Form{"ldmda", "wl", &emit_block<true, Block::kDown>},
    Form{"ldmfa", "wl", &emit_block<true, Block::kDown>},
    Form{"ldmdb", "wl", &emit_block<true, Block::kBeforeDown>},
    Form{"ldmea", "wl", &emit_block<true, Block::kBeforeDown>},
    Form{"stm", "wl", &emit_block<false, Block::kAfter>},
    Form{"stmia", "wl", &emit_block<false, Block::kAfter>},
    Form{"stmea", "wl", &emit_block<false, Block::kAfter>},
    Form{"stmib", "wl", &emit_block<false, Block::kBeforeUp>},
    Form{"stmfa", "wl", &emit_block<false, Block::kBeforeUp>},
    Form{"stmda", "wl", &emit_block<false, Block::kDown>},
    Form{"stmed", "wl", &emit_block<false, Block::kDown>},
    Form{"stmdb", "wl", &emit_block<false, Block::kBeforeDown>},
    Form{"stmfd", "wl", &emit_block<false, Block::kBeforeDown>},
    Form{"ldrex", "rm", &emit_load_exclusive<32, false>},
    Form{"ldrexb", "ra", &emit_load_exclusive<8, false>},
    Form{"ldrexh", "ra", &emit_load_exclusive<16, false>},
    Form{"ldrexd", "rra", &emit_load_exclusive_double<false>},
    Form{"ldaex", "ra", &emit_load_exclusive<32, true>},
    Form{"ldaexb", "ra", &emit_load_exclusive<8, true>},
    Form{"ldaexh", "ra", &emit_load_exclusive<16, true>},
    Form{"ldaexd", "rra", &emit_load_exclusive_double<true>},
    Form{"strex", "rrm", &emit_store_exclusive<32, false>},
    Form{"strexb", "rra", &emit_store_exclusive<8, false>},
    Form{"strexh", "rra", &emit_store_exclusive<16, false>},
    Form{"strexd", "rrra", &emit_store_exclusive_double<false>},
    Form{"stlex", "rra", &emit_store_exclusive<32, true>},
    Form{"stlexb", "rra", &emit_store_exclusive<8, true>},
    Form{"stlexh", "rra", &emit_store_exclusive<16, true>},
    Form{"stlexd", "rrra", &emit_store_exclusive_double<true>},
    Form{"dmb", "", &emit_barrier},
    Form{"dmb", "n", &emit_barrier},
    Form{"dsb", "", &emit_barrier},
    Form{"dsb", "n", &emit_barrier},
    Form{"isb", "", &emit_isb},
    Form{"isb", "n", &emit_isb},
};

constexpr std::array<std::string_view, 17> kConditions = {"eq",
                                                          "ne",
                                                          "cs",
                                                          "hs",
                                                          "cc",
                                                          "lo",
                                                          "mi",
                                                          "pl",
                                                          "vs",
                                                          "vc",
                                                          "hi",
                                                          "ls",
                                                          "ge",
                                                          "lt",
                                                          "gt",
                                                          "le",
                                                          "al"};

bool is_condition(std::string_view text) {
  return std::find(kConditions.begin(), kConditions.end(), text) != kConditions.end();
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return result;
}

/// Takes S and a condition off the mnemonic, so that what remains is the longest name of a form.
/// Nothing if there is no way to do so.
std::optional<std::span<const Form>> take_suffixes(InstructionText& in) {
  const std::string written = in.mnemonic;
  const auto matches = [&](std::span<const Form> forms, bool may_set, bool may_be_conditional) {
    std::string_view rest = std::string_view(written).substr(in.mnemonic.size());
    in.suffixes.clear();
    if (may_set && rest.starts_with("s") && !is_condition(rest)) {
      in.suffixes.emplace_back("s");
      rest.remove_prefix(1);
    }
    if (may_be_conditional && is_condition(rest.substr(0, 2))) {
      in.suffixes.emplace_back(rest.substr(0, 2));
      rest.remove_prefix(2);
    }
    if (may_set && rest == "s" && !in.has_suffix("s")) {
      in.suffixes.emplace_back("s");
      rest.remove_prefix(1);
    }
    return has_form(forms, in.mnemonic) && rest.empty();
  };
  for (std::size_t size = written.size(); size > 0; --size) {
    in.mnemonic = written.substr(0, size);
    if (matches(kForms, false, false))
      return kForms;
    if (matches(kComparisonForms, false, true))
      return kComparisonForms;
    if (matches(kArithmeticForms, true, true))
      return kArithmeticForms;
    if (matches(kBranchForms, false, true))
      return kBranchForms;
  }
  in.suffixes.clear();
  in.mnemonic = written;
  return std::nullopt;
}

/// An access to memory with a condition at its end, which we refuse.
bool is_conditional_access(In in) {
  const std::size_t size = in.mnemonic.size();
  return size > 2 && is_condition(std::string_view(in.mnemonic).substr(size - 2)) &&
         has_form(kForms, in.mnemonic.substr(0, size - 2));
}

Status check_barrier(In in) {
  constexpr std::array<std::string_view, 8> kOptions = {
      "SY", "ST", "ISH", "ISHST", "NSH", "NSHST", "OSH", "OSHST"};
  if (in.arguments.size() != 1 || in.arguments[0].kind != Argument::Kind::kName)
    return Done{};
  const std::string option = upper(in.arguments[0].text);
  const bool is_known = std::find(kOptions.begin(), kOptions.end(), option) != kOptions.end();
  if (!is_known || (in.mnemonic == "isb" && option != "SY"))
    return instruction_error(in, in.arguments[0].column, "this option is not known");
  return Done{};
}

Status check_shift(In in) {
  const bool is_shift = in.mnemonic == "lsl" || in.mnemonic == "lsr" || in.mnemonic == "asr";
  if (!is_shift || in.arguments.size() != 3)
    return Done{};
  if (in.has_suffix("s"))
    return unsupported_instruction(in, "shifts that set the flags are not supported");
  const Argument& amount = in.arguments[2];
  if (amount.kind == Argument::Kind::kImmediate && (amount.value < 0 || amount.value > 31))
    return instruction_error(in, amount.column, "a shift by 0 to 31 was expected");
  return Done{};
}

/// The two words of a doubleword are in different registers.
Status check_doubleword(In in) {
  const bool is_load = in.mnemonic == "ldrexd" || in.mnemonic == "ldaexd" || in.mnemonic == "ldrd";
  if (!is_load || in.arguments.size() < 2 || in.arguments[0].name != in.arguments[1].name)
    return Done{};
  return instruction_error(in, in.arguments[1].column, "two different registers were expected");
}

/// More words than any test moves at once; machines have a location for each subset of them.
constexpr std::size_t kMostWords = 8;

unsigned number_of(const std::string& name) {
  return name == "SP" ? 13 : name == "LR" ? 14 : numbered_register(name, "R", 13).value_or(15);
}

/// The registers of LDM and STM, in the order of their numbers.
Status check_block(InstructionText& in) {
  if (in.arguments.size() != 2 || in.arguments[1].kind != Argument::Kind::kList)
    return Done{};
  const Argument& base = in.arguments[0];
  Argument& list = in.arguments[1];
  std::sort(list.registers.begin(),
            list.registers.end(),
            [](const std::string& a, const std::string& b) { return number_of(a) < number_of(b); });
  const bool has_unknown = std::any_of(list.registers.begin(),
                                       list.registers.end(),
                                       [](const std::string& one) { return number_of(one) > 14; });
  if (has_unknown) // %a, of which it is not known where it stands among the others
    return instruction_error(in, list.column, "numbered registers were expected");
  if (std::adjacent_find(list.registers.begin(), list.registers.end()) != list.registers.end())
    return instruction_error(in, list.column, "different registers were expected");
  if (list.registers.size() > kMostWords)
    return unsupported_instruction(in, "more than 8 registers are not supported");
  const bool has_base =
      std::find(list.registers.begin(), list.registers.end(), base.name) != list.registers.end();
  if (base.is_written_back && has_base)
    return instruction_error(in, list.column, "the register of the address is written back");
  return Done{};
}

class Arm final : public Dialect {
public:
  [[nodiscard]] std::string vocabulary() const override { return "arm"; }
  [[nodiscard]] unsigned width() const override { return kWidth; }

  [[nodiscard]] std::optional<RegisterView> find_register(std::string_view name) const override {
    const std::string canonical = upper(name);
    if (const auto index = numbered_register(canonical, "R", 13))
      return RegisterView{canonical, kWidth};
    if (canonical == "SP" || canonical == "R13")
      return RegisterView{"SP", kWidth};
    if (canonical == "LR" || canonical == "R14")
      return RegisterView{"LR", kWidth};
    if (canonical == "IP" || canonical == "FP")
      return RegisterView{canonical == "IP" ? "R12" : "R11", kWidth};
    return find_symbolic_register(name, kWidth);
  }

  [[nodiscard]] Status translate(std::string_view text, ThreadBuilder& out) const override {
    Result<InstructionText> read = read_instruction(text, *this);
    if (!read)
      return read.error();
    InstructionText& in = *read;
    const std::optional<std::span<const Form>> forms = take_suffixes(in);
    if (!forms && is_conditional_access(in))
      return unsupported_instruction(in, "conditional accesses to memory are not supported");
    normalise(in);
    if (in.mnemonic == "dmb" || in.mnemonic == "dsb" || in.mnemonic == "isb")
      if (const Status status = check_barrier(in); !status)
        return status;
    if (const Status status = check_shift(in); !status)
      return status;
    if (const Status status = check_doubleword(in); !status)
      return status;
    if (const Status status = check_block(in); !status)
      return status;
    return emit_by_form(forms.value_or(std::span<const Form>()), in, out);
  }

private:
  /// `LDR R1,R2` is an older spelling of `LDR R1,[R2]`.
  static void normalise(InstructionText& in) {
    const bool is_access = in.mnemonic == "ldr" || in.mnemonic == "str" || in.mnemonic == "ldrex";
    if (is_access && in.arguments.size() == 2 && in.arguments[1].kind == Argument::Kind::kRegister)
      in.arguments[1].kind = Argument::Kind::kMemory;
    // The second register of LDRD and STRD is the one after the first.
    const bool is_double = in.mnemonic == "ldrd" || in.mnemonic == "strd";
    if (!is_double || in.arguments.size() != 2)
      return;
    const std::optional<unsigned> first = numbered_register(in.arguments[0].name, "R", 12);
    if (!first || *first % 2 != 0)
      return;
    Argument second = in.arguments[0];
    second.name = "R" + std::to_string(*first + 1);
    in.arguments.insert(in.arguments.begin() + 1, std::move(second));
  }
};

} // namespace

std::unique_ptr<Dialect> make_arm() {
  return std::make_unique<Arm>();
}

} // namespace heddle::frontend::litmus
