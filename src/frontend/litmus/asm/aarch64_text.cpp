// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/asm/aarch64_text.h"

#include "frontend/litmus/asm/dialect.h"
#include "frontend/litmus/asm/instruction_text.h"
#include "ir/names.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

using ir::is_digit;

using Value = ThreadBuilder::Value;
using ir::Op;

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return result;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' ||
         c == '$';
}

std::optional<A64Shift::Kind> find_shift(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "LSL", "LSR", "ASR", "ROR", "UXTB", "UXTH", "UXTW", "UXTX", "SXTB", "SXTH", "SXTW", "SXTX"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name)
      return static_cast<A64Shift::Kind>(i);
  return std::nullopt;
}

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<A64Text> read() {
    A64Text result;
    skip();
    result.column = column();
    result.mnemonic = upper(take_name());
    if (result.mnemonic.empty())
      return fail("expected an instruction");
    skip();
    while (offset_ < text_.size()) {
      const std::uint32_t at = column();
      Result<A64Operand> operand = read_operand();
      if (!operand)
        return operand.error();
      operand->column = at;
      result.operands.push_back(std::move(*operand));
      skip();
      if (offset_ >= text_.size())
        break;
      if (!accept(','))
        return fail("expected ',' or the end of the instruction");
      skip();
      if (offset_ >= text_.size())
        return fail("expected an operand after ','");
    }
    return result;
  }

private:
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(offset_ + 1); }
  [[nodiscard]] char next() const { return offset_ < text_.size() ? text_[offset_] : '\0'; }
  void skip() {
    while (offset_ < text_.size() && is_space(text_[offset_]))
      ++offset_;
  }
  bool accept(char c) {
    skip();
    if (next() != c)
      return false;
    ++offset_;
    return true;
  }
  [[nodiscard]] Error fail(std::string message) const {
    return {ErrorKind::kInput, "LIT-030", std::move(message), {}, 0, column()};
  }
  std::string_view take_name() {
    const std::size_t begin = offset_;
    const bool has_width = next() == 'X' || next() == 'W' || next() == 'x' || next() == 'w';
    if (has_width && offset_ + 1 < text_.size() && text_[offset_ + 1] == '%')
      ++offset_;
    if (next() == '%')
      ++offset_;
    while (is_name_character(next()))
      ++offset_;
    return text_.substr(begin, offset_ - begin);
  }

  [[nodiscard]] bool at_number() {
    skip();
    return next() == '#' || is_digit(next()) || next() == '-';
  }

  Result<std::int64_t> take_number() {
    (void)accept('#');
    const bool is_negative = accept('-');
    skip();
    if (!is_digit(next()))
      return fail("expected a number");
    const bool is_hex = next() == '0' && offset_ + 1 < text_.size() &&
                        (text_[offset_ + 1] == 'x' || text_[offset_ + 1] == 'X');
    const unsigned base = is_hex ? 16 : 10;
    if (is_hex)
      offset_ += 2;
    std::uint64_t magnitude = 0;
    for (; is_name_character(next()); ++offset_) {
      const char c = next();
      const unsigned digit = is_digit(c)              ? static_cast<unsigned>(c - '0')
                             : (c >= 'a' && c <= 'f') ? static_cast<unsigned>(c - 'a') + 10
                             : (c >= 'A' && c <= 'F') ? static_cast<unsigned>(c - 'A') + 10
                                                      : 99;
      if (digit >= base)
        return fail("expected a digit");
      if (magnitude > (std::numeric_limits<std::uint64_t>::max() - digit) / base)
        return fail("the number has more than 64 bits");
      magnitude = magnitude * base + digit;
    }
    return static_cast<std::int64_t>(is_negative ? ~magnitude + 1 : magnitude);
  }

  Result<A64Shift> read_shift(A64Shift::Kind kind) {
    A64Shift shift{kind, 0};
    if (!at_number()) {
      if (!shift.is_extension())
        return fail("expected the number of bits to shift by");
      return shift;
    }
    const Result<std::int64_t> amount = take_number();
    if (!amount)
      return amount.error();
    if (*amount < 0 || *amount > 63)
      return fail("expected a shift by 0 to 63 bits");
    shift.amount = static_cast<unsigned>(*amount);
    return shift;
  }

  Result<A64Operand> read_operand() {
    if (accept('['))
      return read_memory();
    if (at_number()) {
      const Result<std::int64_t> number = take_number();
      if (!number)
        return number.error();
      return A64Operand{A64Immediate{*number}, 1};
    }
    const std::string name(take_name());
    if (name.empty())
      return fail("expected an operand");
    if (std::optional<A64Register> found = find_a64_register(name))
      return A64Operand{std::move(*found), 1};
    if (const std::optional<A64Shift::Kind> kind = find_shift(upper(name))) {
      const Result<A64Shift> shift = read_shift(*kind);
      if (!shift)
        return shift.error();
      return A64Operand{*shift, 1};
    }
    return A64Operand{A64Name{name, upper(name)}, 1};
  }

  Result<A64Register> read_register() {
    skip();
    const std::size_t begin = offset_;
    std::optional<A64Register> found = find_a64_register(take_name());
    if (found)
      return *found;
    offset_ = begin;
    return fail("expected a register");
  }

  Result<A64Operand> read_memory() {
    A64Memory memory;
    Result<A64Register> base = read_register();
    if (!base)
      return base.error();
    if (base->bits != 64 || base->is_zero())
      return fail("expected a register of 64 bits as the address");
    memory.base = std::move(*base);
    if (accept(',')) {
      if (at_number()) {
        const Result<std::int64_t> offset = take_number();
        if (!offset)
          return offset.error();
        memory.offset = *offset;
      } else if (const Status read = read_index(memory); !read) {
        return read.error();
      }
    }
    if (!accept(']'))
      return fail("expected ']'");
    memory.writes_back = accept('!');
    return A64Operand{std::move(memory), 1};
  }

  Status read_index(A64Memory& memory) {
    Result<A64Register> index = read_register();
    if (!index)
      return index.error();
    memory.index = std::move(*index);
    const bool is_half = memory.index->bits == 32;
    memory.shift.kind = is_half ? A64Shift::Kind::kUxtw : A64Shift::Kind::kLsl;
    if (accept(',')) {
      skip();
      const std::optional<A64Shift::Kind> kind = find_shift(upper(take_name()));
      if (!kind)
        return fail("expected LSL, UXTW, SXTW or SXTX");
      const Result<A64Shift> shift = read_shift(*kind);
      if (!shift)
        return shift.error();
      memory.shift = *shift;
    }
    using Kind = A64Shift::Kind;
    const Kind kind = memory.shift.kind;
    // Tests also write the X register whose low half is extended.
    const bool fits = kind == Kind::kUxtw || kind == Kind::kSxtw ||
                      (!is_half && (kind == Kind::kLsl || kind == Kind::kSxtx));
    if (!fits || memory.shift.amount > 3)
      return fail("the index does not go with its shift");
    return Done{};
  }

  std::string_view text_;
  std::size_t offset_ = 0;
};

} // namespace

std::optional<A64Register> find_a64_register(std::string_view name) {
  const std::string word = upper(name);
  if (word == "XZR" || word == "WZR")
    return A64Register{{}, word[0] == 'X' ? 64U : 32U};
  if (word == "SP")
    return A64Register{"SP", 64};
  if (const std::optional<RegisterView> symbolic = find_symbolic_register(name, 64))
    return A64Register{symbolic->canonical, 64};
  if (!word.empty() && (word[0] == 'X' || word[0] == 'W')) // X%a, W%a: the width is said
    if (const std::optional<RegisterView> symbolic = find_symbolic_register(name.substr(1), 64))
      return A64Register{symbolic->canonical, word[0] == 'X' ? 64U : 32U};
  if (word.size() < 2 || word.size() > 3 || (word[0] != 'X' && word[0] != 'W'))
    return std::nullopt;
  unsigned number = 0;
  for (const char c : std::string_view(word).substr(1)) {
    if (!is_digit(c))
      return std::nullopt;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  const bool has_leading_zero = word.size() == 3 && word[1] == '0';
  if (number > 30 || has_leading_zero)
    return std::nullopt;
  return A64Register{fmt::format("X{}", number), word[0] == 'X' ? 64U : 32U};
}

std::optional<unsigned> A64Register::number() const {
  if (is_zero())
    return 31;
  return numbered_register(canonical, "X", 31);
}

Error A64Text::refuse(std::size_t i, const std::string& message) const {
  return {ErrorKind::kInput,
          "LIT-031",
          fmt::format("'{}': {}", mnemonic, message),
          {},
          0,
          i < operands.size() ? operands[i].column : column};
}

Status A64Text::check_registers(std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) {
    const auto* found = find<A64Register>(i);
    if (found == nullptr)
      return refuse(i, fmt::format("operand {} must be a register", i + 1));
    if (found->bits != find<A64Register>(0)->bits)
      return refuse(i, "the registers have different widths");
  }
  return Done{};
}

Result<A64Text> read_a64(std::string_view text) {
  return Reader(text).read();
}

ThreadBuilder::Value get_a64(ThreadBuilder& out, const A64Register& source, unsigned bits) {
  return source.is_zero() ? out.constant(0, bits) : out.get(source.canonical, bits);
}

void set_a64(ThreadBuilder& out, const A64Register& target, ThreadBuilder::Value value) {
  if (!target.is_zero())
    out.set(target.canonical, out.zero_extend(value, target.bits));
}

ThreadBuilder::Value
shifted_a64(ThreadBuilder& out, const A64Register& source, const A64Shift& shift, unsigned bits) {
  using Kind = A64Shift::Kind;
  const auto shift_by = [&](Op op, Value value) {
    const unsigned amount = shift.amount % bits;
    return amount == 0 ? value : out.compute(op, value, out.constant(amount, bits));
  };
  const auto extended = [&](unsigned from, bool is_signed) {
    const Value low = get_a64(out, source, from);
    return shift_by(Op::kShl, is_signed ? out.sign_extend(low, bits) : out.zero_extend(low, bits));
  };
  switch (shift.kind) {
  case Kind::kLsl:
    return shift_by(Op::kShl, get_a64(out, source, bits));
  case Kind::kLsr:
    return shift_by(Op::kLShr, get_a64(out, source, bits));
  case Kind::kAsr:
    return shift_by(Op::kAShr, get_a64(out, source, bits));
  case Kind::kRor: {
    const Value value = get_a64(out, source, bits);
    const unsigned amount = shift.amount % bits;
    if (amount == 0)
      return value;
    return out.compute(Op::kOr,
                       out.compute(Op::kLShr, value, out.constant(amount, bits)),
                       out.compute(Op::kShl, value, out.constant(bits - amount, bits)));
  }
  case Kind::kUxtb:
    return extended(8, false);
  case Kind::kUxth:
    return extended(16, false);
  case Kind::kUxtw:
    return extended(32, false);
  case Kind::kUxtx:
    return extended(source.bits, false);
  case Kind::kSxtb:
    return extended(8, true);
  case Kind::kSxth:
    return extended(16, true);
  case Kind::kSxtw:
    return extended(32, true);
  case Kind::kSxtx:
    return extended(source.bits, true);
  }
  return get_a64(out, source, bits);
}

} // namespace heddle::frontend::litmus
