// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/shared/initial_state.h"

#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

// Nested braces and parentheses of a value; nobody writes as many.
constexpr unsigned kMaxLiteralDepth = 64;

// The number in "P12"; nothing for other names.
std::optional<std::uint32_t> thread_of_name(std::string_view name) {
  if (name.size() < 2 || name.size() > 7 || name[0] != 'P')
    return std::nullopt;
  std::uint32_t number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9')
      return std::nullopt;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

bool starts_thread_place(Lexer& lexer) {
  if (!lexer.is_symbol(":", 1))
    return false;
  const Token& first = lexer.peek();
  return first.kind == Token::Kind::kNumber ||
         (first.kind == Token::Kind::kName && thread_of_name(first.text).has_value());
}

Result<std::uint64_t> parse_number(Lexer& lexer, std::string_view what) {
  if (lexer.peek().kind != Token::Kind::kNumber)
    return lexer.expected(what);
  const Token token = lexer.take();
  if (token.too_large)
    return error_at(
        token.loc, "LIT-002", fmt::format("the number {} has more than 64 bits", token.text));
  return token.number;
}

Result<LiteralValue> parse_literal_at(Lexer& lexer, unsigned depth);

Result<LiteralValue> parse_list(Lexer& lexer, unsigned depth, SourceLoc loc) {
  std::vector<LiteralValue> elements;
  while (!lexer.accept_symbol("}")) {
    Result<LiteralValue> element = parse_literal_at(lexer, depth + 1);
    if (!element)
      return element.error();
    elements.push_back(std::move(*element));
    if (!lexer.accept_symbol(",") && !lexer.accept_symbol(";") && !lexer.is_symbol("}"))
      return lexer.expected("',' or '}'");
  }
  return LiteralValue{std::move(elements), loc};
}

// What may stand before a colon in a value: P0:L and label:"P0:L", the address of a label; not
// instructions as values, nor tags of addresses.
Result<LiteralValue> parse_after_colon(Lexer& lexer, const std::string& first, SourceLoc loc) {
  const auto refuse = [&](const std::string& what) {
    return error_at(loc, "LIT-029", what, ErrorKind::kUnsupported);
  };
  (void)lexer.take();
  if (first == "instr" || first == "PTE" || first == "pte")
    return refuse(first == "instr"
                      ? "instructions as values are not supported; tests of modified code need them"
                      : "entries of page tables are not supported");
  if (first == "label" && lexer.peek().kind == Token::Kind::kString) {
    std::string text(lexer.take().text);
    if (text.find(':') == std::string::npos)
      return error_at(loc, "LIT-029", "expected a thread and a label: \"P0:L\"");
    if (text[0] >= '0' && text[0] <= '9')
      text.insert(0, "P");
    return LiteralValue{NameValue{"label:\"" + text + '"'}, loc};
  }
  if (!thread_of_name(first))
    return refuse(fmt::format(
        "'{}:' is not supported: tags of addresses and parts of page table entries", first));
  if (lexer.peek().kind != Token::Kind::kName)
    return lexer.expected("a label");
  return LiteralValue{NameValue{fmt::format("label:\"{}:{}\"", first, lexer.take().text)}, loc};
}

Result<LiteralValue> parse_name_value(Lexer& lexer, unsigned depth, SourceLoc loc) {
  if (lexer.peek().kind != Token::Kind::kName)
    return lexer.expected("a value: a number, a location or { … }");
  NameValue value;
  value.name = lexer.take().text;
  if (lexer.is_symbol(":"))
    return parse_after_colon(lexer, value.name, loc);
  if (lexer.accept_symbol("(")) { // ATOMIC_INIT(0)
    Result<LiteralValue> inner = parse_literal_at(lexer, depth + 1);
    if (!inner)
      return inner;
    if (const Status closed = lexer.expect_symbol(")"); !closed)
      return closed.error();
    return inner;
  }
  if (lexer.accept_symbol("[")) {
    const Result<std::uint64_t> index = parse_number(lexer, "an index");
    if (!index)
      return index.error();
    value.index = *index;
    if (const Status closed = lexer.expect_symbol("]"); !closed)
      return closed.error();
  }
  if (lexer.is_symbol("+") || lexer.is_symbol("-")) {
    const bool is_negative = lexer.take().text == "-";
    const SourceLoc at = lexer.peek().loc;
    const Result<std::uint64_t> offset = parse_number(lexer, "a number of bytes");
    if (!offset)
      return offset.error();
    if (*offset > std::numeric_limits<std::uint32_t>::max())
      return error_at(at, "LIT-002", "the offset is too large");
    value.offset = static_cast<std::int64_t>(*offset) * (is_negative ? -1 : 1);
  }
  return LiteralValue{std::move(value), loc};
}

Result<LiteralValue> parse_literal_at(Lexer& lexer, unsigned depth) {
  const SourceLoc loc = lexer.peek().loc;
  if (depth > kMaxLiteralDepth)
    return error_at(loc, "LIT-003", "the value is nested too deeply");
  if (lexer.accept_symbol("{"))
    return parse_list(lexer, depth, loc);
  if (lexer.accept_symbol("(")) {
    Result<LiteralValue> inner = parse_literal_at(lexer, depth + 1);
    if (!inner)
      return inner;
    if (const Status closed = lexer.expect_symbol(")"); !closed)
      return closed.error();
    return inner;
  }
  const bool is_negative = lexer.accept_symbol("-");
  if (is_negative || lexer.peek().kind == Token::Kind::kNumber) {
    const bool is_hex = lexer.peek().text.size() > 1 && lexer.peek().text[1] > '9';
    const Result<std::uint64_t> number = parse_number(lexer, "a number");
    if (!number)
      return number.error();
    if (!is_negative && lexer.is_symbol(":")) // 0:L
      return parse_after_colon(lexer, fmt::format("P{}", *number), loc);
    return LiteralValue{NumberValue{is_negative, is_hex, *number}, loc};
  }
  (void)lexer.accept_symbol("&");
  return parse_name_value(lexer, depth, loc);
}

// The words and stars before a place, if there are any.
std::optional<TypeName> parse_type(Lexer& lexer) {
  TypeName type;
  while (lexer.peek().kind == Token::Kind::kName && !starts_thread_place(lexer)) {
    const Token& next = lexer.peek(1);
    const bool goes_on = next.kind == Token::Kind::kName || next.kind == Token::Kind::kNumber ||
                         lexer.is_symbol("*", 1);
    if (!goes_on)
      break;
    if (!type.words.empty())
      type.words += ' ';
    type.words += lexer.take().text;
  }
  if (type.words.empty())
    return std::nullopt;
  while (lexer.accept_symbol("*"))
    ++type.stars;
  return type;
}

Result<InitialEntry> parse_entry(Lexer& lexer, const std::optional<TypeName>& outer_type) {
  InitialEntry entry;
  entry.type = outer_type ? outer_type : parse_type(lexer);
  Result<Place> place = parse_place(lexer);
  if (!place)
    return place.error();
  entry.place = std::move(*place);
  const bool is_bracketed_empty = lexer.is_symbol("[") && lexer.is_symbol("]", 1);
  if (is_bracketed_empty) {
    (void)lexer.take();
    (void)lexer.take();
    entry.elements = 0;
  } else if (entry.type && entry.place.index) {
    entry.elements = std::exchange(entry.place.index, std::nullopt);
  }
  if (lexer.accept_symbol("=") || lexer.accept_symbol("==")) {
    Result<LiteralValue> value = parse_literal(lexer);
    if (!value)
      return value.error();
    entry.value = std::move(*value);
  }
  const bool has_list =
      entry.value && std::holds_alternative<std::vector<LiteralValue>>(entry.value->content);
  if (has_list && !entry.elements)
    entry.elements = entry.place.index ? std::exchange(entry.place.index, std::nullopt) : 0;
  if (!entry.type && !entry.value)
    return lexer.expected("'=' and a value");
  return entry;
}

} // namespace

std::string Place::to_string() const {
  if (thread)
    return std::to_string(*thread) + ":" + name;
  if (index)
    return "[" + name + "[" + std::to_string(*index) + "]]";
  return "[" + name + "]";
}

std::string TypeName::to_string() const {
  return words + std::string(stars, '*');
}

std::string LiteralValue::to_string() const {
  return std::visit(Overloaded{
                        [](const NumberValue& number) {
                          return (number.is_negative ? "-" : "") +
                                 (number.is_hex ? fmt::format("{:#x}", number.magnitude)
                                                : std::to_string(number.magnitude));
                        },
                        [](const NameValue& name) {
                          std::string text = name.name;
                          if (name.index)
                            text += fmt::format("[{}]", *name.index);
                          if (name.offset != 0)
                            text += fmt::format("{:+}", name.offset);
                          return text;
                        },
                        [](const std::vector<LiteralValue>& elements) {
                          std::string text = "{";
                          for (std::size_t i = 0; i < elements.size(); ++i)
                            text += (i == 0 ? "" : ", ") + elements[i].to_string();
                          return text + "}";
                        },
                    },
                    content);
}

Result<LiteralValue> parse_literal(Lexer& lexer) {
  return parse_literal_at(lexer, 0);
}

Result<Place> parse_place(Lexer& lexer) {
  Place place;
  place.loc = lexer.peek().loc;
  if (starts_thread_place(lexer)) {
    const Token thread = lexer.take();
    (void)lexer.take();
    if (thread.kind == Token::Kind::kNumber) {
      if (thread.too_large || thread.number > 100'000)
        return error_at(thread.loc, "LIT-002", "the thread's number is too large");
      place.thread = static_cast<std::uint32_t>(thread.number);
    } else {
      place.thread = thread_of_name(thread.text);
    }
    if (lexer.peek().kind != Token::Kind::kName)
      return lexer.expected("a register");
    place.name = lexer.take().text;
    return place;
  }
  const bool is_bracketed = lexer.accept_symbol("[");
  const bool is_starred = !is_bracketed && lexer.accept_symbol("*");
  if (lexer.peek().kind != Token::Kind::kName)
    return lexer.expected("a location or a register");
  place.name = lexer.take().text;
  if (lexer.is_symbol("("))
    return error_at(place.loc,
                    "LIT-029",
                    fmt::format("'{}(…)' is not supported: translation, tags and faults are not "
                                "modelled",
                                place.name),
                    ErrorKind::kUnsupported);
  if (!is_starred && lexer.is_symbol("[") && !lexer.is_symbol("]", 1)) {
    (void)lexer.take();
    const Result<std::uint64_t> index = parse_number(lexer, "an index");
    if (!index)
      return index.error();
    place.index = *index;
    if (const Status closed = lexer.expect_symbol("]"); !closed)
      return closed.error();
  }
  if (is_bracketed)
    if (const Status closed = lexer.expect_symbol("]"); !closed)
      return closed.error();
  return place;
}

Result<std::vector<InitialEntry>> parse_initial_state(Lexer& lexer) {
  if (const Status open = lexer.expect_symbol("{"); !open)
    return open.error();
  std::vector<InitialEntry> entries;
  std::optional<TypeName> type;
  while (!lexer.accept_symbol("}")) {
    if (lexer.accept_symbol(";"))
      continue;
    Result<InitialEntry> entry = parse_entry(lexer, type);
    if (!entry)
      return entry.error();
    // int x, y; the type holds for both, the stars of the first do not
    type = std::nullopt;
    if (lexer.accept_symbol(",")) {
      type = entry->type;
      if (type)
        type->stars = 0;
    } else if (!lexer.is_symbol("}") && !lexer.is_symbol(";")) {
      return lexer.expected("';' or '}'");
    }
    entries.push_back(std::move(*entry));
  }
  (void)lexer.accept_symbol(";");
  return entries;
}

std::string print_initial_state(const std::vector<InitialEntry>& entries) {
  std::string text = "{\n";
  for (const InitialEntry& entry : entries) {
    if (entry.type)
      text += entry.type->to_string() + ' ';
    if (entry.place.thread)
      text += fmt::format("{}:", *entry.place.thread);
    text += entry.place.name;
    if (entry.place.index)
      text += fmt::format("[{}]", *entry.place.index);
    if (entry.elements)
      text += *entry.elements == 0 ? "[]" : fmt::format("[{}]", *entry.elements);
    if (entry.value)
      text += " = " + entry.value->to_string();
    text += ";\n";
  }
  return text + "}\n";
}

std::optional<ScalarType> find_scalar(const TypeName& type, unsigned pointer_bits) {
  if (type.stars > 0)
    return ScalarType{pointer_bits, false};
  struct Known {
    std::string_view name;
    unsigned bits; // 0: as wide as a pointer
    bool is_signed;
  };
  static constexpr std::array<Known, 42> kKnown = {{
      {"char", 8, true},
      {"signed char", 8, true},
      {"unsigned char", 8, false},
      {"bool", 8, false},
      {"_Bool", 8, false},
      {"int8_t", 8, true},
      {"uint8_t", 8, false},
      {"u8", 8, false},
      {"short", 16, true},
      {"unsigned short", 16, false},
      {"int16_t", 16, true},
      {"uint16_t", 16, false},
      {"u16", 16, false},
      {"int", 32, true},
      {"signed", 32, true},
      {"signed int", 32, true},
      {"unsigned", 32, false},
      {"unsigned int", 32, false},
      {"int32_t", 32, true},
      {"uint32_t", 32, false},
      {"u32", 32, false},
      {"s32", 32, true},
      {"atomic_t", 32, true},
      {"atomic_int", 32, true},
      {"atomic_uint", 32, false},
      {"atomic_bool", 8, false},
      {"long", 0, true},
      {"long int", 0, true},
      {"unsigned long", 0, false},
      {"atomic_long", 0, true},
      {"atomic_ulong", 0, false},
      {"intptr_t", 0, true},
      {"uintptr_t", 0, false},
      {"atomic_intptr_t", 0, true},
      {"atomic_uintptr_t", 0, false},
      {"size_t", 0, false},
      {"ptrdiff_t", 0, true},
      {"long long", 64, true},
      {"unsigned long long", 64, false},
      {"int64_t", 64, true},
      {"uint64_t", 64, false},
      {"u64", 64, false},
  }};
  // Qualifiers say nothing about the width.
  std::string words;
  for (std::size_t begin = 0; begin < type.words.size();) {
    const std::size_t end = std::min(type.words.find(' ', begin), type.words.size());
    const std::string word = type.words.substr(begin, end - begin);
    if (word != "const" && word != "volatile" && word != "_Atomic")
      words += (words.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  for (const Known& known : kKnown)
    if (known.name == words)
      return ScalarType{known.bits == 0 ? pointer_bits : known.bits, known.is_signed};
  return std::nullopt;
}

} // namespace heddle::frontend::litmus
