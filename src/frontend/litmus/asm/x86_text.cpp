// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/asm/x86_text.h"

#include "ir/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

using ir::is_digit;

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
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.';
}

class Reader {
public:
  Reader(std::string_view text, bool is_64_bit) : text_(text), is_64_bit_(is_64_bit) {}

  Result<X86Text> read() {
    X86Text result;
    skip();
    result.column = column();
    result.mnemonic = upper(take_name());
    if (result.mnemonic == "LOCK") {
      result.is_locked = true;
      skip();
      result.column = column();
      result.mnemonic = upper(take_name());
    }
    if (result.mnemonic.empty())
      return fail("expected an instruction");
    skip();
    while (offset_ < text_.size()) {
      const std::size_t begin = offset_;
      Result<X86Operand> operand = read_operand();
      if (!operand)
        return operand.error();
      operand->column = static_cast<std::uint32_t>(begin + 1);
      operand->text = text_.substr(begin, offset_ - begin);
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
    const bool has_target_last = has_percent_ || has_parenthesis_ ||
                                 (!result.operands.empty() && std::holds_alternative<X86Immediate>(
                                                                  result.operands.front().content));
    if (has_target_last)
      std::reverse(result.operands.begin(), result.operands.end());
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
    if (next() == '%')
      ++offset_;
    while (is_name_character(next()))
      ++offset_;
    return text_.substr(begin, offset_ - begin);
  }

  Result<std::int64_t> take_number() {
    skip();
    const bool is_negative = accept('-');
    skip();
    std::uint64_t magnitude = 0;
    if (!is_digit(next()))
      return fail("expected a number");
    const bool is_hex = next() == '0' && offset_ + 1 < text_.size() &&
                        (text_[offset_ + 1] == 'x' || text_[offset_ + 1] == 'X');
    const unsigned base = is_hex ? 16 : 10;
    if (is_hex)
      offset_ += 2;
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

  [[nodiscard]] bool at_number() const {
    return is_digit(next()) ||
           (next() == '-' && offset_ + 1 < text_.size() && is_digit(text_[offset_ + 1]));
  }

  Result<X86Operand> read_operand() {
    X86Operand operand;
    if (accept('$')) {
      X86Immediate immediate;
      if (at_number()) {
        const Result<std::int64_t> number = take_number();
        if (!number)
          return number.error();
        immediate.value = *number;
      } else {
        immediate.location = take_name();
        if (immediate.location.empty())
          return fail("expected a number or a location");
      }
      operand.content = std::move(immediate);
      return operand;
    }
    if (at_number()) {
      const Result<std::int64_t> number = take_number();
      if (!number)
        return number.error();
      if (accept('('))
        return read_parenthesis(*number, {});
      operand.content = X86Immediate{*number, {}};
      return operand;
    }
    if (accept('['))
      return read_bracket();
    if (accept('('))
      return read_parenthesis(0, {});
    has_percent_ = has_percent_ || next() == '%';
    const std::string name(take_name());
    if (name.empty())
      return fail("expected an operand");
    if (const std::optional<X86Register> found = find_x86_register(name, is_64_bit_))
      operand.content = *found;
    else if (accept('('))
      return read_parenthesis(0, name);
    else if (next() == '+' || next() == '-') { // x+4(%rip)
      const bool is_negative = !accept('+') && accept('-');
      const Result<std::int64_t> number = take_number();
      if (!number)
        return number.error();
      if (!accept('('))
        return fail("expected '('");
      return read_parenthesis(is_negative ? -*number : *number, name);
    } else
      operand.content = X86Name{name};
    return operand;
  }

  // [x], [EAX], [EAX+4], [x+EBX*4], [RIP+x]
  Result<X86Operand> read_bracket() {
    X86Memory memory;
    bool is_negative = false;
    bool is_relative = false;
    do {
      skip();
      if (is_digit(next()) || next() == '-') {
        const Result<std::int64_t> number = take_number();
        if (!number)
          return number.error();
        if (const Status added = displace(memory, *number, is_negative); !added)
          return added.error();
      } else if (is_64_bit_ && accept_counter()) {
        is_relative = true;
      } else if (const Status added = add_part(memory, is_negative); !added) {
        return added.error();
      }
      skip();
      is_negative = next() == '-';
    } while (accept('+') || accept('-'));
    if (is_relative && (memory.location.empty() || memory.base || memory.index))
      return fail("expected one location beside the instruction counter");
    if (!accept(']'))
      return fail("expected ']'");
    return X86Operand{std::move(memory), 1, {}};
  }

  // RIP: an address relative to the instruction is that of the location named beside it.
  bool accept_counter() {
    const std::size_t begin = offset_;
    const std::string name = upper(take_name());
    if (name == "RIP" || name == "%RIP")
      return true;
    offset_ = begin;
    return false;
  }

  // A location or a register, with *4 or without.
  Status add_part(X86Memory& memory, bool is_negative) {
    const std::string name(take_name());
    if (name.empty() || is_negative)
      return fail("expected a location, a register or a number");
    const std::optional<X86Register> found = find_x86_register(name, is_64_bit_);
    if (!found) {
      if (!memory.location.empty())
        return fail("a memory operand has one location only");
      memory.location = name;
      return Done{};
    }
    if (found->bits != (is_64_bit_ ? 64U : 32U))
      return fail(fmt::format("'{}' is too narrow for an address", name));
    if (accept('*')) {
      const Result<std::int64_t> scale = take_number();
      if (!scale)
        return scale.error();
      return set_index(memory, *found, *scale);
    }
    if (!memory.base) {
      memory.base = found;
      return Done{};
    }
    return set_index(memory, *found, 1);
  }

  Status set_index(X86Memory& memory, const X86Register& found, std::int64_t scale) {
    if (memory.index)
      return fail("a memory operand has two registers at most");
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
      return fail("expected 1, 2, 4 or 8");
    memory.index = found;
    memory.scale = static_cast<unsigned>(scale);
    return Done{};
  }

  Status displace(X86Memory& memory, std::int64_t number, bool is_negative) {
    constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();
    if (number > kLimit || number < -kLimit)
      return fail("the displacement is too large");
    memory.displacement += is_negative ? -number : number;
    if (memory.displacement > kLimit || memory.displacement < -kLimit)
      return fail("the displacement is too large");
    return Done{};
  }

  // 4(%rax), (x), x(%rip), (%rax,%rbx,4)
  Result<X86Operand> read_parenthesis(std::int64_t displacement, std::string location) {
    has_parenthesis_ = true;
    X86Memory memory;
    memory.location = std::move(location);
    if (const Status added = displace(memory, displacement, false); !added)
      return added.error();
    skip();
    if (next() != ',') {
      const std::string name(take_name());
      const bool is_counter = upper(name) == "%RIP" && !memory.location.empty();
      if (const std::optional<X86Register> found = find_x86_register(name, is_64_bit_)) {
        if (found->bits != (is_64_bit_ ? 64U : 32U))
          return fail(fmt::format("'{}' is too narrow for an address", name));
        memory.base = found;
      } else if (!is_counter) {
        if (name.empty() || name[0] == '%' || !memory.location.empty())
          return fail("expected a location or a register");
        memory.location = name;
      }
    }
    if (accept(',')) {
      skip();
      const std::string name(take_name());
      const std::optional<X86Register> found = find_x86_register(name, is_64_bit_);
      // Tests also write the low half of a register as the index of a 64-bit base.
      if (!found || found->bits < 32)
        return fail("expected a register of 32 or 64 bits");
      std::int64_t scale = 1;
      if (accept(',')) {
        const Result<std::int64_t> number = take_number();
        if (!number)
          return number.error();
        scale = *number;
      }
      if (const Status set = set_index(memory, *found, scale); !set)
        return set.error();
    }
    if (!accept(')'))
      return fail("expected ')'");
    return X86Operand{std::move(memory), 1, {}};
  }

  std::string_view text_;
  bool is_64_bit_;
  std::size_t offset_ = 0;
  bool has_percent_ = false;
  bool has_parenthesis_ = false;
};

} // namespace

std::optional<X86Register> find_x86_register(std::string_view name, bool is_64_bit) {
  // In the order of logs.
  static constexpr std::array<std::string_view, 8> kLetters = {
      "AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"};
  std::string word = upper(name.starts_with('%') ? name.substr(1) : name);
  const auto canonical = [&](std::string_view letters) {
    return (is_64_bit ? "R" : "E") + std::string(letters);
  };
  for (unsigned i = 0; i < kLetters.size(); ++i) {
    const std::string letters(kLetters[i]);
    if (word == "E" + letters)
      return X86Register{canonical(letters), 32, 0, i};
    if (is_64_bit && word == "R" + letters)
      return X86Register{canonical(letters), 64, 0, i};
    if (word == letters)
      return X86Register{canonical(letters), 16, 0, i};
    const bool has_high = i < 4;
    if (has_high && word == letters.substr(0, 1) + "L")
      return X86Register{canonical(letters), 8, 0, i};
    if (has_high && word == letters.substr(0, 1) + "H")
      return X86Register{canonical(letters), 8, 8, i};
    if (!has_high && is_64_bit && word == letters + "L")
      return X86Register{canonical(letters), 8, 0, i};
  }
  if (!is_64_bit || word.size() < 2 || word[0] != 'R')
    return std::nullopt;
  unsigned bits = 64;
  if (word.back() == 'D' || word.back() == 'W' || word.back() == 'B') {
    bits = word.back() == 'D' ? 32 : word.back() == 'W' ? 16 : 8;
    word.pop_back();
  }
  for (unsigned i = 8; i < 16; ++i)
    if (word == fmt::format("R{}", i))
      return X86Register{word, bits, 0, i};
  return std::nullopt;
}

Result<X86Text> read_x86(std::string_view text, bool is_64_bit) {
  return Reader(text, is_64_bit).read();
}

} // namespace heddle::frontend::litmus
