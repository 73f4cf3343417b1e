// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "export/infix.h"

#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heddle::exports {

using logic::mask_of;
using logic::Node;
using logic::Op;
using logic::Term;

namespace {

class Speller {
public:
  Speller(const logic::TermStore& terms, Dialect dialect, const Names& names)
      : terms_(terms), names_(names), is_c_(dialect == Dialect::kC) {}

  std::string spell(Term term) const {
    const Node& node = terms_.node(term);
    const unsigned width = node.sort.width;
    const std::span<const Term> arguments = terms_.arguments(term);
    const auto a = [&] { return spell(arguments[0]); };
    const auto b = [&] { return spell(arguments[1]); };
    const auto join = [&](const char* op) {
      std::string out = "(" + spell(arguments[0]);
      for (std::size_t i = 1; i < arguments.size(); ++i)
        out += fmt::format(" {} {}", op, spell(arguments[i]));
      return out + ")";
    };
    switch (node.op) {
    case Op::kConstant:
      return node.sort.is_bool() ? std::string(node.value != 0 ? "1" : "0")
                                 : number(node.value, width);
    case Op::kVariable:
      return node.sort.is_bool() ? fmt::format("({} != 0)", names_(node.value))
                                 : names_(node.value);
    case Op::kNot:
      return fmt::format("(!{})", a());
    case Op::kAnd:
      return join("&&");
    case Op::kOr:
      return join("||");
    case Op::kEqual:
      return fmt::format("({} == {})", a(), b());
    case Op::kULt:
      return compare(arguments, "<", false);
    case Op::kULe:
      return compare(arguments, "<=", false);
    case Op::kSLt:
      return compare(arguments, "<", true);
    case Op::kSLe:
      return compare(arguments, "<=", true);
    case Op::kIte:
      return choice(a(), b(), spell(arguments[2]));
    case Op::kAdd:
      return masked(join("+"), width);
    case Op::kSub:
      return masked(join("-"), width);
    case Op::kMul:
      return masked(join("*"), width);
    case Op::kUDiv:
      return choice(fmt::format("{} == {}", b(), number(0, width)),
                    number(mask_of(width), width),
                    quotient(a(), b(), width));
    case Op::kURem:
      return choice(
          fmt::format("{} == {}", b(), number(0, width)), a(), remainder(a(), b(), width));
    case Op::kSDiv: {
      // The signs apart, and the quotient of the sizes; x / 0 is -1 or 1 (SMT-LIB).
      const std::string whole = quotient(size_of(a(), width), size_of(b(), width), width);
      const std::string signed_whole =
          choice(fmt::format("({}) != ({})", is_negative(a(), width), is_negative(b(), width)),
                 negated(whole, width),
                 whole);
      return choice(
          fmt::format("{} == {}", b(), number(0, width)),
          choice(is_negative(a(), width), number(1, width), number(mask_of(width), width)),
          signed_whole);
    }
    case Op::kSRem: {
      const std::string rest = remainder(size_of(a(), width), size_of(b(), width), width);
      return choice(fmt::format("{} == {}", b(), number(0, width)),
                    a(),
                    choice(is_negative(a(), width), negated(rest, width), rest));
    }
    case Op::kBitAnd:
      return join("&");
    case Op::kBitOr:
      return join("|");
    case Op::kBitXor:
      return join("^");
    case Op::kBitNot:
      return masked(fmt::format("(~{})", a()), width);
    case Op::kNegate:
      return negated(a(), width);
    case Op::kShl:
      return shift(arguments, width, number(0, width), [&](const std::string& by) {
        return masked(fmt::format("({} << {})", a(), by), width);
      });
    case Op::kLShr:
      return shift(arguments, width, number(0, width), [&](const std::string& by) {
        return shifted_right(a(), by, width);
      });
    case Op::kAShr:
      return shift(arguments,
                   width,
                   choice(is_negative(a(), width), number(mask_of(width), width), number(0, width)),
                   [&](const std::string& by) {
                     const std::string flipped = masked(fmt::format("(~{})", a()), width);
                     return choice(
                         is_negative(a(), width),
                         masked(fmt::format("(~{})", shifted_right(flipped, by, width)), width),
                         shifted_right(a(), by, width));
                   });
    case Op::kConcat: {
      const unsigned low = terms_.sort(arguments[1]).width;
      return fmt::format("(({} << {}) | {})",
                         widened(a(), terms_.sort(arguments[0]).width, width),
                         low,
                         widened(b(), low, width));
    }
    case Op::kExtract: {
      const unsigned from = terms_.sort(arguments[0]).width;
      std::string part = node.value == 0 ? a() : fmt::format("({} >> {})", a(), node.value);
      part = fmt::format("({} & {})", part, number(mask_of(width), is_c_ ? from : 32));
      return is_c_ && from > 32 && width <= 32 ? fmt::format("(unsigned int){}", part) : part;
    }
    case Op::kZeroExtend:
      return widened(a(), terms_.sort(arguments[0]).width, width);
    case Op::kSignExtend: {
      const unsigned from = terms_.sort(arguments[0]).width;
      const std::string sign = number(1ULL << (from - 1), width);
      return masked(fmt::format("(({} ^ {}) - {})", widened(a(), from, width), sign, sign), width);
    }
    }
    HEDDLE_CHECK(false, "no such operation");
  }

private:
  [[nodiscard]] std::string number(std::uint64_t value, unsigned width) const {
    if (is_c_)
      return fmt::format("{}{}", value, width > 32 ? "ull" : "u");
    const auto exact = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    if (exact == INT32_MIN)
      return "(-2147483647 - 1)";
    return exact < 0 ? fmt::format("({})", exact) : fmt::format("{}", exact);
  }
  [[nodiscard]] std::string
  choice(const std::string& condition, const std::string& yes, const std::string& no) const {
    return fmt::format("({} {} {} : {})", in_brackets(condition), is_c_ ? "?" : "->", yes, no);
  }
  [[nodiscard]] std::string masked(const std::string& text, unsigned width) const {
    if (width == 32 || width == 64)
      return text;
    return fmt::format("({} & {})", text, number(mask_of(width), width));
  }
  [[nodiscard]] std::string widened(const std::string& text, unsigned from, unsigned to) const {
    return is_c_ && from <= 32 && to > 32 ? fmt::format("(unsigned long long){}", text) : text;
  }
  [[nodiscard]] std::string negated(const std::string& text, unsigned width) const {
    return masked(fmt::format("({} - {})", number(0, width), text), width);
  }
  /// Promela's numbers are signed: a vector of 32 bits with its first bit set is below 0 there.
  [[nodiscard]] bool has_sign(unsigned width) const { return !is_c_ && width == 32; }
  [[nodiscard]] std::string is_negative(const std::string& text, unsigned width) const {
    return has_sign(width) ? fmt::format("{} < 0", text)
                           : fmt::format("{} >= {}", text, number(1ULL << (width - 1), width));
  }
  [[nodiscard]] std::string size_of(const std::string& text, unsigned width) const {
    return choice(is_negative(text, width), negated(text, width), text);
  }
  [[nodiscard]] std::string
  compare(std::span<const Term> arguments, const char* op, bool is_signed) const {
    const unsigned width = terms_.sort(arguments[0]).width;
    const std::string a = spell(arguments[0]);
    const std::string b = spell(arguments[1]);
    // Numbers of the other kind are compared with their first bits flipped.
    if (is_signed == has_sign(width))
      return fmt::format("({} {} {})", a, op, b);
    const std::string sign = number(1ULL << (width - 1), width);
    return fmt::format("(({} ^ {}) {} ({} ^ {}))", a, sign, op, b, sign);
  }
  /// Without sign; the divisor is not 0.
  [[nodiscard]] std::string
  quotient(const std::string& a, const std::string& b, unsigned width) const {
    if (!has_sign(width))
      return fmt::format("({} / {})", a, b);
    // A divisor with its first bit set goes into the dividend once or not at all. Otherwise half of
    // the dividend is divided, and the result is doubled; it may be too small by one.
    const std::string half = fmt::format("(((({} >> 1) & 2147483647) / {}) << 1)", a, b);
    const std::string rest = fmt::format("({} - ({} * {}))", a, half, b);
    const std::string big = choice(unsigned_below(a, b), "0", "1");
    const std::string small = choice(unsigned_below(rest, b), half, fmt::format("({} + 1)", half));
    return choice(fmt::format("{} < 0", b),
                  big,
                  choice(fmt::format("{} >= 0", a), fmt::format("({} / {})", a, b), small));
  }
  [[nodiscard]] std::string
  remainder(const std::string& a, const std::string& b, unsigned width) const {
    if (!has_sign(width))
      return fmt::format("({} % {})", a, b);
    return fmt::format("({} - ({} * {}))", a, quotient(a, b, width), b);
  }
  [[nodiscard]] std::string unsigned_below(const std::string& a, const std::string& b) const {
    const std::string sign = number(0x80000000U, 32);
    return fmt::format("({} ^ {}) < ({} ^ {})", a, sign, b, sign);
  }
  /// By at least the width gives `rest`.
  template <class Inside>
  [[nodiscard]] std::string shift(std::span<const Term> arguments,
                                  unsigned width,
                                  const std::string& rest,
                                  const Inside& inside) const {
    const Node& by = terms_.node(arguments[1]);
    if (by.op == Op::kConstant)
      return by.value >= width ? rest : inside(fmt::format("{}", by.value));
    const std::string amount = spell(arguments[1]);
    const std::string fits = has_sign(width) ? fmt::format("{} >= 0 && {} < 32", amount, amount)
                                             : fmt::format("{} < {}", amount, number(width, width));
    return choice(fits, inside(amount), rest);
  }
  [[nodiscard]] std::string
  shifted_right(const std::string& text, const std::string& by, unsigned width) const {
    if (!has_sign(width))
      return fmt::format("({} >> {})", text, by);
    // The bits that come in from the left are taken off again; by 0 there are none.
    return choice(fmt::format("{} == 0", by),
                  text,
                  fmt::format("(({} >> {}) & ~((-2147483647 - 1) >> ({} - 1)))", text, by, by));
  }

  const logic::TermStore& terms_;
  const Names& names_;
  bool is_c_;
};

} // namespace

std::string
to_infix(const logic::TermStore& terms, Term term, Dialect dialect, const Names& names) {
  return Speller(terms, dialect, names).spell(term);
}

std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '"' || c == '\\' || c == '%' || c == '*' || static_cast<unsigned char>(c) < 0x20
               ? ' '
               : c;
  return out;
}

std::string indented(unsigned depth) {
  return std::string(2UL * depth, ' ');
}

std::string in_brackets(const std::string& text) {
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    open += text[i] == '(' ? 1 : 0;
    open -= text[i] == ')' ? 1 : 0;
    if (open == 0)
      return i > 0 && i + 1 == text.size() ? text : "(" + text + ")";
  }
  return "(" + text + ")";
}

std::size_t spelled_size(const logic::TermStore& terms, Term term, std::size_t limit) {
  std::size_t size = 1;
  for (const Term argument : terms.arguments(term)) {
    if (size >= limit)
      return limit;
    size += spelled_size(terms, argument, limit - size);
  }
  return std::min(size, limit);
}

} // namespace heddle::exports
