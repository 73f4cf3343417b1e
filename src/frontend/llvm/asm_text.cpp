// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/llvm/asm_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace heddle::frontend {

namespace {

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    const std::string_view piece = trim(text.substr(0, end));
    if (!piece.empty()) {
      out.push_back(piece);
    }
    if (end == std::string_view::npos) {
      return out;
    }
    text.remove_prefix(end + 1);
  }
}

std::optional<std::uint64_t> number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) {
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return negative ? ~value + 1 : value;
}

unsigned bits_of_suffix(char suffix) {
  switch (suffix) {
  case 'b':
    return 8;
  case 'w':
    return 16;
  case 'l':
    return 32;
  case 'q':
    return 64;
  default:
    return 0;
  }
}

unsigned bits_of_modifier(char modifier) {
  return modifier == 'k' ? 32 : bits_of_suffix(modifier == 'l' ? ' ' : modifier);
}

/// `$0`, `${0}`, `${0:b}`.
AsmArgument parse_operand(std::string_view text) {
  char modifier = ' ';
  if (text.starts_with("${") && text.ends_with('}')) {
    text = text.substr(2, text.size() - 3);
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
      if (colon + 2 != text.size()) {
        return {};
      }
      modifier = text[colon + 1];
      text = text.substr(0, colon);
    }
  } else if (text.starts_with('$')) {
    text.remove_prefix(1);
  } else {
    return {};
  }
  const auto operand = number(text);
  constexpr std::string_view kOfConstants = " cP"; // print the number without a sign before it
  const unsigned bits = bits_of_modifier(modifier);
  if (!operand ||
      (bits == 0 && modifier != 'a' && kOfConstants.find(modifier) == std::string_view::npos)) {
    return {};
  }
  return {AsmArgument::Kind::kOperand, *operand, bits, modifier == 'a'};
}

AsmArgument parse_argument(std::string_view text) {
  if (text.starts_with("$$")) {
    if (const auto literal = number(text.substr(2))) {
      return {AsmArgument::Kind::kLiteral, *literal};
    }
    return {};
  }
  if (text.ends_with("(%esp)") || text.ends_with("(%rsp)")) {
    return {AsmArgument::Kind::kStack, 0};
  }
  if (const std::size_t open = text.find('('); open != std::string_view::npos) {
    const auto displacement =
        open == 0 ? std::optional<std::uint64_t>(0) : number(text.substr(0, open));
    AsmArgument base = text.ends_with(')')
                           ? parse_argument(text.substr(open + 1, text.size() - open - 2))
                           : AsmArgument{};
    const bool is_register =
        base.kind == AsmArgument::Kind::kOperand || base.kind == AsmArgument::Kind::kRegister;
    if (!displacement || !is_register || base.is_indirect) {
      return {};
    }
    base.is_indirect = true;
    base.displacement = static_cast<std::int64_t>(*displacement);
    return base;
  }
  if (text.starts_with('%')) {
    const auto named = asm_register(text.substr(1));
    return named && named->bits != 0
               ? AsmArgument{AsmArgument::Kind::kRegister, named->number, named->bits}
               : AsmArgument{};
  }
  return parse_operand(text);
}

/// The instructions we know, which may carry a size suffix.
constexpr std::array<std::string_view, 20> kSized = {
    "xadd", "add", "sub",     "inc",  "dec", "or",  "and", "xor", "neg", "not",
    "test", "cmp", "cmpxchg", "xchg", "mov", "bts", "btr", "btc", "bt",  "sbb"};

void set_name(AsmStatement& statement, std::string name) {
  std::ranges::transform(
      name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view known : kSized) {
    if (name.size() == known.size() + 1 && name.starts_with(known) &&
        bits_of_suffix(name.back()) != 0) {
      statement.bits = bits_of_suffix(name.back());
      name.pop_back();
      break;
    }
  }
  statement.name = std::move(name);
}

bool is_label(std::string_view text) {
  return text.ends_with(':') && text.find_first_of(" \t") == std::string_view::npos;
}

} // namespace

std::optional<AsmRegister> asm_register(std::string_view name) {
  constexpr std::array<std::string_view, 8> kLetters = {"a", "c", "d", "b", "", "", "S", "D"};
  constexpr std::array<std::string_view, 8> kNames = {"ax", "cx", "dx", "bx", "", "", "si", "di"};
  const auto is = [&](std::string_view front, std::string_view middle, std::string_view back) {
    return name.size() == front.size() + middle.size() + back.size() && name.starts_with(front) &&
           name.ends_with(back) && name.substr(front.size(), middle.size()) == middle;
  };
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const std::string_view sixteen = kNames[i];
    if (sixteen.empty()) {
      continue;
    }
    if (name == kLetters[i]) {
      return AsmRegister{i, 0};
    }
    if (name == sixteen || is("e", sixteen, "") || is("r", sixteen, "")) {
      return AsmRegister{i, name == sixteen ? 16U : name[0] == 'e' ? 32U : 64U};
    }
    if (i < 4 ? is(sixteen.substr(0, 1), "l", "") : is(sixteen, "l", "")) {
      return AsmRegister{i, 8};
    }
  }
  for (std::uint64_t i = 8; i < 16; ++i) {
    const std::string plain = "r" + std::to_string(i);
    for (const auto& [suffix, bits] :
         {std::pair{"", 64U}, std::pair{"d", 32U}, std::pair{"w", 16U}, std::pair{"b", 8U}}) {
      if (name == plain + suffix) {
        return AsmRegister{i, bits};
      }
    }
  }
  return std::nullopt;
}

std::vector<AsmStatement> parse_asm(std::string_view text) {
  std::vector<AsmStatement> out;
  bool in_section = false;
  bool lock = false;
  bool repeat = false;
  for (std::string_view line : split(text, "\n;")) {
    line = trim(line.substr(0, line.find('#')));
    if (const std::size_t colon = line.find(':');
        colon != std::string_view::npos && is_label(line.substr(0, colon + 1)) && line[0] != '$') {
      line = trim(line.substr(colon + 1));
    }
    if (line.starts_with(".pushsection") || line.starts_with(".section")) {
      in_section = true;
    } else if (line.starts_with(".popsection") || line.starts_with(".previous")) {
      in_section = false;
      continue;
    }
    if (in_section || line.empty() || line.starts_with('.')) {
      continue;
    }
    AsmStatement statement;
    std::size_t end = line.find_first_of(" \t");
    std::string_view word = line.substr(0, end);
    std::string_view rest = end == std::string_view::npos ? "" : trim(line.substr(end));
    if (word == "lock" || word == "rep") {
      (word == "lock" ? lock : repeat) = true;
      if (rest.empty()) {
        continue;
      }
      end = rest.find_first_of(" \t");
      word = rest.substr(0, end);
      rest = end == std::string_view::npos ? "" : trim(rest.substr(end));
    }
    statement.has_lock = lock;
    set_name(statement, (repeat && word != "nop" ? "rep " : "") + std::string(word));
    lock = false;
    repeat = false;
    for (const std::string_view argument : split(rest, ",")) {
      statement.arguments.push_back(parse_argument(argument));
    }
    out.push_back(std::move(statement));
  }
  return out;
}

} // namespace heddle::frontend
