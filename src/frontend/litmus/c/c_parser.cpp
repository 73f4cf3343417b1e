// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Types, errors and expressions. Statements and threads: c_parser_statement.cpp.
#include "frontend/litmus/c/c_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

/// Deep enough for any test, and small enough for any stack.
constexpr unsigned kMaximumDepth = 200;

struct NamedType {
  std::string_view name;
  unsigned bits;
  bool is_signed;
};

constexpr std::array<NamedType, 48> kTypes = {{
    {"int", 32, true},
    {"char", 8, true},
    {"short", 16, true},
    {"long", 64, true},
    {"bool", 1, false},
    {"_Bool", 1, false},
    {"int8_t", 8, true},
    {"int16_t", 16, true},
    {"int32_t", 32, true},
    {"int64_t", 64, true},
    {"uint8_t", 8, false},
    {"uint16_t", 16, false},
    {"uint32_t", 32, false},
    {"uint64_t", 64, false},
    {"intptr_t", 64, true},
    {"uintptr_t", 64, false},
    {"size_t", 64, false},
    {"ssize_t", 64, true},
    {"ptrdiff_t", 64, true},
    {"u8", 8, false},
    {"u16", 16, false},
    {"u32", 32, false},
    {"u64", 64, false},
    {"s8", 8, true},
    {"s16", 16, true},
    {"s32", 32, true},
    {"s64", 64, true},
    {"atomic_t", 32, true},
    {"atomic64_t", 64, true},
    {"atomic_long_t", 64, true},
    {"atomic_int", 32, true},
    {"atomic_uint", 32, false},
    {"atomic_long", 64, true},
    {"atomic_ulong", 64, false},
    {"atomic_llong", 64, true},
    {"atomic_ullong", 64, false},
    {"atomic_char", 8, true},
    {"atomic_uchar", 8, false},
    {"atomic_short", 16, true},
    {"atomic_ushort", 16, false},
    {"atomic_bool", 1, false},
    {"atomic_intptr_t", 64, true},
    {"atomic_uintptr_t", 64, false},
    {"atomic_size_t", 64, false},
    {"atomic_flag", 1, false},
    {"spinlock_t", 32, true},
    {"mutex", 32, true},
    {"void", 8, false},
}};

/// Every word of a thread is looked up, and most are longer or begin otherwise.
constexpr std::size_t kLongestType = [] {
  std::size_t longest = 0;
  for (const NamedType& type : kTypes)
    longest = std::max(longest, type.name.size());
  return longest;
}();

/// By character.
constexpr std::array<bool, 256> kStartsType = [] {
  std::array<bool, 256> starts = {};
  for (const NamedType& type : kTypes)
    starts[static_cast<unsigned char>(type.name.front())] = true;
  return starts;
}();

/// Words that may stand around a type without changing what it is here.
bool is_qualifier(std::string_view word) {
  return word == "const" || word == "volatile" || word == "register" || word == "__rcu" ||
         word == "__user" || word == "restrict" || word == "static" || word == "__unused";
}

bool is_sign(std::string_view word) {
  return word == "unsigned" || word == "signed";
}

int precedence(const CToken& token) {
  constexpr std::array<std::pair<std::string_view, int>, 18> kTable = {{{"*", 10},
                                                                        {"/", 10},
                                                                        {"%", 10},
                                                                        {"+", 9},
                                                                        {"-", 9},
                                                                        {"<<", 8},
                                                                        {">>", 8},
                                                                        {"<", 7},
                                                                        {">", 7},
                                                                        {"<=", 7},
                                                                        {">=", 7},
                                                                        {"==", 6},
                                                                        {"!=", 6},
                                                                        {"&", 5},
                                                                        {"^", 4},
                                                                        {"|", 3},
                                                                        {"&&", 2},
                                                                        {"||", 1}}};
  // Most expressions end here.
  const bool is_end =
      token.kind != CToken::Kind::kPunctuation || token.is(";") || token.is(",") || token.is(")");
  if (is_end)
    return 0;
  for (const auto& [text, level] : kTable)
    if (token.is(text))
      return level;
  return 0;
}

} // namespace

std::optional<CType> find_type(std::string_view name) {
  if (name.size() > kLongestType || !kStartsType[static_cast<unsigned char>(name.front())])
    return std::nullopt;
  for (const NamedType& type : kTypes)
    if (type.name.size() == name.size() && type.name.front() == name.front() && type.name == name)
      return CType{type.bits, type.is_signed, 0};
  return std::nullopt;
}

void CParser::error_at(SourceLoc loc, std::string code, std::string message) {
  errors_.push_back(
      Error{ErrorKind::kInput, std::move(code), std::move(message), file_, loc.line, loc.column});
}

void CParser::fail_here(std::string_view expected) {
  if (failed_)
    return;
  failed_ = true;
  const CToken& token = lexer_.peek();
  const std::string found =
      token.kind == CToken::Kind::kEnd ? "the end of the file" : fmt::format("'{}'", token.text);
  error_at(token.loc, "LIT-200", "expected " + std::string(expected) + ", found " + found);
}

bool CParser::expect(std::string_view punctuation, std::string_view after) {
  if (lexer_.peek().is(punctuation)) {
    lexer_.take();
    return true;
  }
  fail_here("'" + std::string(punctuation) + "' " + std::string(after));
  return false;
}

void CParser::recover() {
  failed_ = false;
  unsigned braces = 0;
  while (lexer_.peek().kind != CToken::Kind::kEnd) {
    if (lexer_.peek().is("{")) {
      ++braces;
    } else if (lexer_.peek().is("}")) {
      if (braces == 0)
        return;
      --braces;
      if (braces == 0) {
        lexer_.take();
        return;
      }
    } else if (lexer_.peek().is(";") && braces == 0) {
      lexer_.take();
      return;
    }
    lexer_.take();
  }
}

bool CParser::at_type() const {
  const CToken& token = lexer_.peek();
  return token.kind == CToken::Kind::kWord &&
         (is_qualifier(token.text) || is_sign(token.text) || token.text == "struct" ||
          token.text == "_Atomic" || find_type(token.text).has_value());
}

bool CParser::parse_base_type(CType& type) {
  bool has_base = false;
  bool has_sign = false;
  bool is_signed = true;
  while (lexer_.peek().kind == CToken::Kind::kWord) {
    const std::string_view word = lexer_.peek().text;
    if (is_qualifier(word)) {
      lexer_.take();
    } else if (word == "_Atomic") {
      lexer_.take();
      if (lexer_.peek().is("(")) {
        lexer_.take();
        const std::optional<CType> inner = parse_type();
        if (!inner || !expect(")", "after the type"))
          return false;
        type = *inner;
        has_base = true;
      }
    } else if (is_sign(word)) {
      has_sign = true;
      is_signed = word == "signed";
      lexer_.take();
    } else if (word == "struct" && !has_base) {
      lexer_.take();
      if (lexer_.peek().kind != CToken::Kind::kWord) {
        fail_here("the name of a struct");
        return false;
      }
      // Of the structs only those that functions touch as a whole are known: srcu_struct and locks.
      if (!lexer_.peek().is_word("srcu_struct") && !lexer_.peek().is_word("mutex") &&
          !lexer_.peek().is_word("spinlock")) {
        fail_here("'srcu_struct' (other structs are not supported)");
        return false;
      }
      lexer_.take();
      type = CType{};
      has_base = true;
    } else if (const std::optional<CType> found = find_type(word);
               found && (!has_base || word == "int" || word == "long")) {
      // "long int", "long long", "short int"
      if (!has_base || word == "long")
        type = *found;
      has_base = true;
      lexer_.take();
    } else {
      break;
    }
  }
  if (!has_base && !has_sign) {
    fail_here("a type");
    return false;
  }
  if (has_sign)
    type.is_signed = is_signed;
  return true;
}

std::optional<CType> CParser::parse_type() {
  CType type;
  if (!parse_base_type(type))
    return std::nullopt;
  while (lexer_.peek().is("*")) {
    lexer_.take();
    ++type.pointers;
    while (lexer_.peek().kind == CToken::Kind::kWord && is_qualifier(lexer_.peek().text))
      lexer_.take();
  }
  return type;
}

CExpression CParser::parse_expression() {
  if (depth_ >= kMaximumDepth) {
    fail_here("a simpler expression");
    return {};
  }
  ++depth_;
  CExpression result = parse_conditional();
  --depth_;
  return result;
}

CExpression CParser::parse_conditional() {
  CExpression condition = parse_binary(1);
  if (failed_ || !lexer_.peek().is("?"))
    return condition;
  CExpression result{.kind = CExpression::Kind::kConditional, .loc = lexer_.take().loc};
  result.operands.push_back(std::move(condition));
  result.operands.push_back(parse_expression());
  if (!failed_ && expect(":", "of '?'"))
    result.operands.push_back(parse_expression());
  return result;
}

CExpression CParser::parse_binary(int minimum) {
  CExpression left = parse_unary();
  for (unsigned length = 0; !failed_; ++length) {
    const int level = precedence(lexer_.peek());
    if (level == 0 || level < minimum)
      break;
    if (length >= kMaximumDepth) { // the tree grows to the left
      fail_here("a simpler expression");
      break;
    }
    const CToken token = lexer_.take();
    CExpression result{
        .kind = CExpression::Kind::kBinary, .loc = token.loc, .text = std::string(token.text)};
    result.operands.push_back(std::move(left));
    result.operands.push_back(parse_binary(level + 1));
    left = std::move(result);
  }
  return left;
}

CExpression CParser::parse_unary() {
  if (depth_ >= kMaximumDepth) {
    fail_here("a simpler expression");
    return {};
  }
  const CToken& token = lexer_.peek();
  const bool is_prefix = token.is("-") || token.is("+") || token.is("~") || token.is("!") ||
                         token.is("*") || token.is("&");
  if (!is_prefix)
    return parse_postfix();
  const CToken taken = lexer_.take();
  CExpression result{
      .kind = CExpression::Kind::kUnary, .loc = taken.loc, .text = std::string(taken.text)};
  if (taken.text == "*")
    result.kind = CExpression::Kind::kDereference;
  if (taken.text == "&")
    result.kind = CExpression::Kind::kAddressOf;
  ++depth_;
  result.operands.push_back(parse_unary());
  --depth_;
  return result;
}

CExpression CParser::parse_postfix() {
  CExpression result = parse_primary();
  for (unsigned length = 0; !failed_ && lexer_.peek().is("["); ++length) {
    if (length >= kMaximumDepth) {
      fail_here("a simpler expression");
      break;
    }
    CExpression index{.kind = CExpression::Kind::kIndex, .loc = lexer_.take().loc};
    index.operands.push_back(std::move(result));
    index.operands.push_back(parse_expression());
    expect("]", "after the index");
    result = std::move(index);
  }
  return result;
}

CExpression CParser::parse_primary() {
  const CToken& token = lexer_.peek();
  if (token.kind == CToken::Kind::kNumber) {
    if (token.has_overflow)
      error_at(
          token.loc, "LIT-201", fmt::format("the number {} does not fit in 64 bits", token.text));
    const CToken taken = lexer_.take();
    CExpression result{
        .kind = CExpression::Kind::kNumber, .loc = taken.loc, .text = std::string(taken.text)};
    result.value = taken.value;
    return result;
  }
  if (token.kind == CToken::Kind::kWord && !at_type()) {
    const CToken name = lexer_.take();
    if (lexer_.peek().is("(") || (name.text.starts_with("__") && lexer_.peek().is("{")) ||
        name.text == "__fence")
      return parse_call(name);
    return {.kind = CExpression::Kind::kName, .loc = name.loc, .text = std::string(name.text)};
  }
  if (token.is("(")) {
    const SourceLoc loc = lexer_.take().loc;
    if (at_type()) {
      CExpression result{.kind = CExpression::Kind::kCast, .loc = loc};
      if (const std::optional<CType> type = parse_type())
        result.type = *type;
      if (failed_ || !expect(")", "after the type"))
        return result;
      ++depth_;
      result.operands.push_back(parse_unary());
      --depth_;
      return result;
    }
    CExpression result = parse_expression();
    if (!failed_)
      expect(")", "to match '('");
    return result;
  }
  fail_here("an expression");
  return {};
}

CExpression CParser::parse_call(const CToken& name) {
  CExpression call{
      .kind = CExpression::Kind::kCall, .loc = name.loc, .text = std::string(name.text)};
  if (call.text.starts_with("__"))
    call.kind = CExpression::Kind::kPrimitive;
  if (lexer_.peek().is("{")) {
    // A mark is a word, or several with '-' in between.
    lexer_.take();
    std::string mark;
    while (lexer_.peek().kind == CToken::Kind::kWord || lexer_.peek().is("-") ||
           lexer_.peek().is(",")) {
      const CToken part = lexer_.take();
      if (part.is(",")) {
        call.marks.push_back(std::move(mark));
        mark.clear();
      } else {
        mark += part.text;
      }
    }
    if (!mark.empty())
      call.marks.push_back(std::move(mark));
    if (!expect("}", "after the mark"))
      return call;
  }
  if (lexer_.peek().is("("))
    parse_arguments(call);
  return call;
}

void CParser::parse_arguments(CExpression& call) {
  lexer_.take();
  if (lexer_.peek().is(")")) {
    lexer_.take();
    return;
  }
  call.operands.reserve(3); // a place, a value and an order
  while (!failed_) {
    // An operator alone, as in "__atomic_op(X, +, V)".
    const CToken& token = lexer_.peek();
    const bool may_be_operator =
        call.text.starts_with("__atomic_") &&
        (token.is("+") || token.is("-") || token.is("&") || token.is("|") || token.is("^"));
    if (may_be_operator && call.operands.size() == 1) {
      const CToken taken = lexer_.take();
      call.operands.push_back({.kind = CExpression::Kind::kOperator,
                               .loc = taken.loc,
                               .text = std::string(taken.text)});
    } else {
      call.operands.push_back(parse_expression());
    }
    if (failed_ || !lexer_.peek().is(","))
      break;
    lexer_.take();
  }
  if (failed_)
    return;
  if (lexer_.peek().is(")"))
    lexer_.take();
  else
    fail_here(fmt::format("')' after the arguments of '{}'", call.text));
}

} // namespace heddle::frontend::litmus
