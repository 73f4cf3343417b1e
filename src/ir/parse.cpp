// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the text form around instructions: module, globals, functions, blocks.
#include "ir/parse.h"

#include "ir/names.h"
#include "ir/parser.h"

#include <fmt/format.h>

#include <limits>

namespace heddle::ir {

namespace {

constexpr std::uint64_t kLargest32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kLargest64 = std::numeric_limits<std::uint64_t>::max();

std::string description(const Token& token) {
  switch (token.kind) {
  case Token::Kind::kEnd:
    return "the end of the text";
  case Token::Kind::kWord:
  case Token::Kind::kSymbol:
    return '\'' + token.text + '\'';
  case Token::Kind::kNumber:
    return fmt::format("{}", token.number);
  case Token::Kind::kString:
    return "a string";
  case Token::Kind::kName:
    return '@' + token.text;
  case Token::Kind::kRegister:
    return fmt::format("%{}", token.number);
  case Token::Kind::kSlot:
    return fmt::format("${}", token.number);
  }
  return "?";
}

int digit_value(char c) {
  if (is_digit(c))
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

} // namespace

Parser::Parser(std::vector<Token> tokens, std::string_view file_name)
    : tokens_(std::move(tokens)), file_name_(file_name), end_(tokens_.back()) {}

const Token& Parser::peek(std::size_t ahead) const {
  return error_ || position_ + ahead >= tokens_.size() ? end_ : tokens_[position_ + ahead];
}

Token Parser::next() {
  const Token token = peek();
  if (!error_ && position_ + 1 < tokens_.size())
    ++position_;
  return token;
}

void Parser::fail(const Token& at, std::string code, std::string message) {
  if (!error_)
    error_ = Error{
        ErrorKind::kInput, std::move(code), std::move(message), file_name_, at.line, at.column};
}

void Parser::expected(std::string_view what) {
  fail(peek(), "IR-005", fmt::format("expected {}, found {}", what, description(peek())));
}

bool Parser::at_symbol(std::string_view symbol) const {
  return peek().kind == Token::Kind::kSymbol && peek().text == symbol;
}

bool Parser::at_word(std::string_view word) const {
  return peek().kind == Token::Kind::kWord && peek().text == word;
}

bool Parser::accept_symbol(std::string_view symbol) {
  if (!at_symbol(symbol))
    return false;
  next();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!at_word(word))
    return false;
  next();
  return true;
}

void Parser::expect_symbol(std::string_view symbol) {
  if (!accept_symbol(symbol))
    expected(fmt::format("'{}'", symbol));
}

std::string Parser::expect_word(std::string_view what) {
  if (peek().kind != Token::Kind::kWord)
    expected(what);
  return next().text;
}

std::string Parser::expect_string(std::string_view what) {
  if (peek().kind != Token::Kind::kString)
    expected(what);
  return next().text;
}

std::string Parser::expect_name() {
  if (peek().kind != Token::Kind::kName)
    expected("a name that starts with '@'");
  return next().text;
}

std::uint64_t Parser::expect_number(std::string_view what, std::uint64_t largest) {
  if (peek().kind != Token::Kind::kNumber)
    expected(what);
  else if (peek().number > largest)
    fail(peek(), "IR-006", fmt::format("expected {} of at most {}", what, largest));
  return next().number;
}

SourceLoc Parser::location() {
  SourceLoc loc;
  if (!accept_symbol("!"))
    return loc;
  loc.file = static_cast<std::uint32_t>(expect_number("a file's number", kLargest32));
  expect_symbol(":");
  loc.line = static_cast<std::uint32_t>(expect_number("a line's number", kLargest32));
  expect_symbol(":");
  loc.column = static_cast<std::uint32_t>(expect_number("a column's number", kLargest32));
  return loc;
}

std::optional<Type> Parser::peek_type() const {
  if (peek().kind != Token::Kind::kWord)
    return std::nullopt;
  const std::string& word = peek().text;
  if (word == "ptr")
    return Type::pointer();
  if (word == "void")
    return Type::none();
  if (word.size() < 2 || word.size() > 3 || word[0] != 'i' || word[1] == '0')
    return std::nullopt;
  unsigned bits = 0;
  for (const char c : word.substr(1)) {
    if (!is_digit(c))
      return std::nullopt;
    bits = bits * 10 + static_cast<unsigned>(c - '0');
  }
  return bits <= 64 ? std::optional(Type::integer(bits)) : std::nullopt;
}

Type Parser::expect_type() {
  const std::optional<Type> type = peek_type();
  if (!type)
    expected("a type (void, ptr or i1 to i64)");
  next();
  return type.value_or(Type::none());
}

/// The declarations outside braces, in order: their ids are their positions.
void Parser::collect_symbols() {
  std::size_t depth = 0;
  std::size_t globals = 0;
  std::size_t functions = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::kSymbol && token.text == "{")
      ++depth;
    if (token.kind == Token::Kind::kSymbol && token.text == "}" && depth > 0)
      --depth;
    const bool is_global = token.kind == Token::Kind::kWord && token.text == "global";
    const bool is_function =
        token.kind == Token::Kind::kWord && (token.text == "func" || token.text == "declare");
    if (depth != 0 || (!is_global && !is_function))
      continue;
    std::size_t name = i + 1;
    while (name < tokens_.size() && tokens_[name].kind == Token::Kind::kWord)
      ++name;
    if (name >= tokens_.size() || tokens_[name].kind != Token::Kind::kName)
      continue; // reported when it is read
    const std::variant<GlobalId, FunctionId> id =
        is_global ? std::variant<GlobalId, FunctionId>(GlobalId{globals++})
                  : std::variant<GlobalId, FunctionId>(FunctionId{functions++});
    if (!symbols_.emplace(tokens_[name].text, id).second)
      fail(tokens_[name],
           "IR-007",
           fmt::format("expected one declaration of @{}, found another", tokens_[name].text));
  }
}

/// The blocks of the function whose body starts here, in order.
void Parser::collect_blocks() {
  blocks_.clear();
  for (std::size_t i = position_; i + 2 < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::kSymbol && token.text == "}")
      return;
    const Token& name = tokens_[i + 1];
    const bool has_name = name.kind == Token::Kind::kWord || name.kind == Token::Kind::kString;
    const bool has_colon =
        tokens_[i + 2].kind == Token::Kind::kSymbol && tokens_[i + 2].text == ":";
    if (token.kind != Token::Kind::kWord || token.text != "block" || !has_name || !has_colon)
      continue;
    if (!blocks_.emplace(name.text, BlockId{blocks_.size()}).second)
      fail(name,
           "IR-008",
           fmt::format("expected one block '{}' in the function, found another", name.text));
    i += 2; // a block may itself be called "block"
  }
}

Result<Module> Parser::run() {
  collect_symbols();
  module_header();
  while (!error_ && peek().kind != Token::Kind::kEnd) {
    if (accept_word("file"))
      file_line();
    else if (accept_word("approximation"))
      approximation_line();
    else if (accept_word("global"))
      global_line();
    else if (accept_word("func"))
      function_definition(false);
    else if (accept_word("declare"))
      function_definition(true);
    else
      expected("'file', 'approximation', 'global', 'func' or 'declare'");
  }
  if (error_)
    return *error_;
  return std::move(module_);
}

void Parser::module_header() {
  if (!accept_word("module"))
    expected("'module'");
  const Token at = peek();
  const auto model = from_word<DataModel>(kDataModelWords, expect_word("a data model"));
  if (!model)
    fail(at, "IR-009", "expected the data model 'ilp32' or 'lp64'");
  module_.data_model = model.value_or(DataModel::kLP64);
}

void Parser::file_line() {
  const Token at = peek();
  const std::uint64_t number = expect_number("a file's number", kLargest32);
  if (number != module_.files.size())
    fail(at, "IR-010", fmt::format("expected the next file's number, {}", module_.files.size()));
  module_.files.push_back(expect_string("the file's name in quotes"));
}

void Parser::approximation_line() {
  const Token at = peek();
  const auto kind =
      from_word<Approximation::Kind>(kApproximationWords, expect_word("the approximation's kind"));
  if (!kind)
    fail(at, "IR-011", "expected 'under', 'over' or 'assumed'");
  Approximation approximation;
  approximation.kind = kind.value_or(Approximation::Kind::kUnder);
  approximation.what = expect_string("what is approximated, in quotes");
  approximation.where = location();
  module_.approximations.push_back(std::move(approximation));
}

void Parser::global_line() {
  Global global;
  global.is_declaration = accept_word("extern");
  global.is_internal = accept_word("internal");
  global.is_constant = accept_word("constant");
  global.is_thread_local = accept_word("thread_local");
  global.name = expect_name();
  expect_symbol(":");
  global.size = expect_number("a size in bytes", kLargest64);
  if (!accept_word("align"))
    expected("'align'");
  global.align = static_cast<std::uint32_t>(expect_number("an alignment", kLargest32));
  if (at_word("signed") || at_word("unsigned")) {
    global.scalar_signed = next().text == "signed";
    global.scalar_bits = static_cast<std::uint8_t>(expect_number("a width in bits", 255));
  }
  global.parts = parts();
  if (accept_word("init"))
    global.initial = initial_bytes();
  if (accept_word("reloc"))
    global.relocations = relocations();
  global.loc = location();
  module_.globals.push_back(std::move(global));
}

std::vector<std::uint8_t> Parser::initial_bytes() {
  const Token at = peek();
  const std::string text = expect_string("bytes as hexadecimal digits in quotes");
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit_value(text[i]);
    const int low = i + 1 < text.size() ? digit_value(text[i + 1]) : -1;
    if (high < 0 || low < 0) {
      fail(at, "IR-012", "expected two hexadecimal digits (0-9, a-f) for each byte");
      break;
    }
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return bytes;
}

std::vector<Relocation> Parser::relocations() {
  std::vector<Relocation> list;
  expect_symbol("[");
  while (!error_ && !at_symbol("]")) {
    if (!list.empty())
      expect_symbol(",");
    Relocation relocation;
    relocation.offset = expect_number("an offset in bytes", kLargest64);
    expect_symbol(":");
    relocation.target = address();
    list.push_back(relocation);
  }
  expect_symbol("]");
  return list;
}

void Parser::function_definition(bool is_declaration) {
  Function function;
  function.is_internal = accept_word("internal");
  function.name = expect_name();
  parameters(function);
  expect_symbol("->");
  function.result = expect_type();
  function.loc = location();
  if (!is_declaration) {
    expect_symbol("{");
    collect_blocks();
    while (at_word("reg") || at_word("slot")) {
      if (next().text == "reg")
        register_declaration(function);
      else
        slot_declaration(function);
    }
    if (!at_word("block"))
      expected("'reg', 'slot' or 'block'");
    while (accept_word("block"))
      block(function);
    expect_symbol("}");
  }
  module_.functions.push_back(std::move(function));
}

void Parser::parameters(Function& function) {
  expect_symbol("(");
  while (!error_ && !at_symbol(")")) {
    if (function.parameter_count != 0)
      expect_symbol(",");
    if (accept_symbol("...")) {
      function.is_variadic = true;
      break;
    }
    register_declaration(function);
    ++function.parameter_count;
  }
  expect_symbol(")");
}

void Parser::register_declaration(Function& function) {
  const Token at = peek();
  const RegisterId id = expect_register();
  if (id.index() != function.registers.size())
    fail(at, "IR-013", fmt::format("expected the next register, %{}", function.registers.size()));
  Register declared;
  expect_symbol(":");
  declared.type = expect_type();
  if (peek().kind == Token::Kind::kString)
    declared.name = next().text;
  declared.loc = location();
  function.registers.push_back(std::move(declared));
}

void Parser::slot_declaration(Function& function) {
  const Token at = next();
  if (at.kind != Token::Kind::kSlot || at.number != function.slots.size())
    fail(at, "IR-014", fmt::format("expected the next slot, ${}", function.slots.size()));
  Slot slot;
  expect_symbol(":");
  slot.size = expect_number("a size in bytes", kLargest64);
  if (!accept_word("align"))
    expected("'align'");
  slot.align = static_cast<std::uint32_t>(expect_number("an alignment", kLargest32));
  slot.name = expect_string("the slot's name in quotes");
  slot.parts = parts();
  slot.loc = location();
  function.slots.push_back(std::move(slot));
}

void Parser::block(Function& function) {
  Block block;
  if (peek().kind != Token::Kind::kWord && peek().kind != Token::Kind::kString)
    expected("a block's name");
  block.name = next().text;
  expect_symbol(":");
  while (!error_ && !at_symbol("}") && !at_word("block"))
    block.instructions.push_back(instruction());
  function.blocks.push_back(std::move(block));
}

Result<Module> parse(std::string_view text, std::string_view file_name) {
  Result<std::vector<Token>> tokens = tokenize(text, file_name);
  if (!tokens)
    return tokens.error();
  return Parser(std::move(*tokens), file_name).run();
}

} // namespace heddle::ir
