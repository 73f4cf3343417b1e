// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Statements and whole files.
#include "memory/cat/cat_parser.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace heddle::memory::cat {

namespace {

constexpr std::array<std::string_view, 21> kStarts = {
    "let",   "acyclic", "irreflexive", "empty",        "undefined_unless", "flag",   "assert",
    "show",  "unshow",  "showall",     "include",      "procedure",        "call",   "enum",
    "debug", "forall",  "with",        "instructions", "default",          "scopes", "if"};
constexpr std::array<std::string_view, 9> kOptions = {"catdep",
                                                      "withco",
                                                      "withoutco",
                                                      "withinit",
                                                      "withoutinit",
                                                      "withsc",
                                                      "withoutsc",
                                                      "flat",
                                                      "hierarchical"};

bool is_option(const std::string& word) {
  return std::find(kOptions.begin(), kOptions.end(), word) != kOptions.end();
}

} // namespace

File Parser::parse_file() {
  File file;
  parse_header(file);
  parse_statements(file.statements, true);
  return file;
}

void Parser::parse_header(File& file) {
  while (true) {
    const Token& token = peek();
    if (token.kind == TokenKind::kName && is_option(token.text))
      file.options.push_back(token.text);
    else if ((token.kind == TokenKind::kName || token.kind == TokenKind::kString) &&
             file.title.size() < 2)
      file.title.push_back(token.text);
    else
      return;
    advance();
  }
}

bool Parser::starts_statement() const {
  if (is_symbol("~"))
    return peek(1).kind == TokenKind::kKeyword;
  return peek().kind == TokenKind::kKeyword &&
         (std::find(kStarts.begin(), kStarts.end(), peek().text) != kStarts.end() ||
          peek().text == "match");
}

void Parser::recover() {
  // At least one word, then up to one that begins a statement.
  advance();
  while (peek().kind != TokenKind::kEnd &&
         !(peek().kind == TokenKind::kKeyword &&
           std::find(kStarts.begin(), kStarts.end(), peek().text) != kStarts.end()))
    advance();
}

void Parser::parse_statements(std::vector<Statement>& statements, bool is_top) {
  while (peek().kind != TokenKind::kEnd) {
    if (!starts_statement()) {
      if (!is_top)
        return;
      complain("a statement");
      recover();
      continue;
    }
    std::optional<Statement> statement = parse_statement();
    if (statement) {
      statements.push_back(std::move(*statement));
    } else {
      if (!is_top && depth_ > 0)
        return; // the statement around it has failed too
      recover();
    }
  }
}

bool Parser::parse_block(std::vector<Statement>& statements) {
  if (!enter()) {
    leave();
    return false;
  }
  const std::size_t before = errors_.size();
  parse_statements(statements, false);
  leave();
  return errors_.size() == before;
}

std::optional<Statement> Parser::parse_statement() {
  const std::string word = is_symbol("~") ? "acyclic" : peek().text;
  Statement made;
  made.loc = here();
  if (word == "let")
    return parse_let();
  if (word == "show")
    return parse_show();
  if (word == "procedure")
    return parse_procedure();
  if (word == "call")
    return parse_call();
  if (word == "enum")
    return parse_enum();
  if (word == "forall")
    return parse_forall();
  if (word == "with")
    return parse_with();
  if (word == "if")
    return parse_if_statement();
  if (word == "match")
    return parse_match_statement();
  if (word == "instructions")
    return parse_instructions(StatementKind::kInstructions);
  if (word == "default")
    return parse_instructions(StatementKind::kDefault);
  if (word == "scopes")
    return parse_scopes();
  if (word == "showall") {
    advance();
    made.kind = StatementKind::kShowAll;
    return made;
  }
  if (word == "unshow") {
    advance();
    made.kind = StatementKind::kUnshow;
    if (!parse_names(made.names))
      return std::nullopt;
    return made;
  }
  if (word == "include") {
    advance();
    made.kind = StatementKind::kInclude;
    std::optional<std::string> name = expect_string();
    if (!name)
      return std::nullopt;
    made.name = std::move(*name);
    return made;
  }
  if (word == "debug") {
    advance();
    made.kind = StatementKind::kDebug;
    made.expression = parse_expression();
    if (!made.expression)
      return std::nullopt;
    return made;
  }
  return parse_check_statement();
}

std::optional<Statement> Parser::parse_let() {
  Statement made;
  made.loc = here();
  advance();
  made.kind = take_keyword("rec") ? StatementKind::kLetRec : StatementKind::kLet;
  if (!parse_bindings(made.bindings))
    return std::nullopt;
  if (made.kind == StatementKind::kLetRec && take_keyword("when")) {
    made.check = parse_check();
    if (!made.check)
      return std::nullopt;
  }
  take_keyword("in");
  return made;
}

std::unique_ptr<Check> Parser::parse_check() {
  auto check = std::make_unique<Check>();
  check->loc = here();
  if (take_keyword("undefined_unless"))
    check->role = CheckRole::kUndefinedUnless;
  else if (take_keyword("flag"))
    check->role = CheckRole::kFlag;
  else if (take_keyword("assert"))
    check->role = CheckRole::kAssert;
  check->is_negated = take_symbol("~");
  if (take_keyword("acyclic")) {
    check->kind = CheckKind::kAcyclic;
  } else if (take_keyword("irreflexive")) {
    check->kind = CheckKind::kIrreflexive;
  } else if (take_keyword("empty")) {
    check->kind = CheckKind::kEmpty;
  } else {
    complain("'acyclic', 'irreflexive' or 'empty'");
    return nullptr;
  }
  check->expression = parse_expression();
  if (!check->expression)
    return nullptr;
  if (take_keyword("as")) {
    std::optional<std::string> name = expect_name("a name");
    if (!name)
      return nullptr;
    check->name = std::move(*name);
  }
  return check;
}

std::optional<Statement> Parser::parse_check_statement() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kCheck;
  made.check = parse_check();
  if (!made.check)
    return std::nullopt;
  return made;
}

bool Parser::parse_names(std::vector<std::string>& names) {
  do {
    std::optional<std::string> name = expect_name("a name");
    if (!name)
      return false;
    names.push_back(std::move(*name));
  } while (take_symbol(","));
  return true;
}

std::optional<Statement> Parser::parse_show() {
  Statement made;
  made.loc = here();
  advance();
  ExprPtr shown = parse_operators();
  if (!shown)
    return std::nullopt;
  if (take_keyword("as")) {
    made.kind = StatementKind::kShowAs;
    std::optional<std::string> name = expect_name("a name");
    if (!name)
      return std::nullopt;
    made.name = std::move(*name);
    made.expression = std::move(shown);
    return made;
  }
  if (shown->kind != ExprKind::kName) {
    complain("'as' and a name for what is shown");
    return std::nullopt;
  }
  made.kind = StatementKind::kShow;
  made.names.push_back(shown->name);
  if (take_symbol(",") && !parse_names(made.names))
    return std::nullopt;
  return made;
}

std::optional<Statement> Parser::parse_procedure() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kProcedure;
  advance();
  made.is_recursive = take_keyword("rec");
  std::optional<std::string> name = expect_name("the procedure's name");
  if (!name)
    return std::nullopt;
  made.name = std::move(*name);
  std::optional<Pattern> pattern = parse_pattern();
  if (!pattern || !expect_symbol("="))
    return std::nullopt;
  made.pattern = std::move(*pattern);
  if (!parse_block(made.body) || !expect_keyword("end"))
    return std::nullopt;
  return made;
}

std::optional<Statement> Parser::parse_call() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kCall;
  advance();
  std::optional<std::string> name = expect_name("the procedure's name");
  if (!name)
    return std::nullopt;
  made.name = std::move(*name);
  made.expression = parse_simple();
  if (!made.expression)
    return std::nullopt;
  if (take_keyword("as")) {
    std::optional<std::string> label = expect_name("a name");
    if (!label)
      return std::nullopt;
    made.names.push_back(std::move(*label));
  }
  return made;
}

std::optional<Statement> Parser::parse_enum() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kEnum;
  advance();
  std::optional<std::string> name = expect_name("the enumeration's name");
  if (!name || !expect_symbol("="))
    return std::nullopt;
  made.name = std::move(*name);
  take_symbol("||");
  do {
    if (peek().kind != TokenKind::kTag) {
      complain("a tag");
      return std::nullopt;
    }
    made.names.push_back(peek().text);
    advance();
  } while (take_symbol("||"));
  return made;
}

std::optional<Statement> Parser::parse_forall() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kForall;
  advance();
  std::optional<std::string> name = expect_name("a name");
  if (!name || !expect_keyword("in"))
    return std::nullopt;
  made.name = std::move(*name);
  made.expression = parse_expression();
  if (!made.expression || !expect_keyword("do") || !parse_block(made.body) ||
      !expect_keyword("end"))
    return std::nullopt;
  return made;
}

std::optional<Statement> Parser::parse_with() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kWithFrom;
  advance();
  std::optional<std::string> name = expect_name("a name");
  if (!name || !expect_keyword("from"))
    return std::nullopt;
  made.name = std::move(*name);
  made.expression = parse_expression();
  if (!made.expression)
    return std::nullopt;
  return made;
}

std::optional<Statement> Parser::parse_instructions(StatementKind kind) {
  Statement made;
  made.loc = here();
  made.kind = kind;
  advance();
  std::optional<std::string> name = expect_name("the name of a kind of events");
  if (!name || !expect_symbol("["))
    return std::nullopt;
  made.name = std::move(*name);
  if (!parse_list(made.parts, "]"))
    return std::nullopt;
  return made;
}

std::optional<Statement> Parser::parse_scopes() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kScopes;
  advance();
  take_symbol("=");
  take_symbol("||");
  do {
    if (peek().kind != TokenKind::kTag) {
      complain("a tag");
      return std::nullopt;
    }
    made.names.push_back(peek().text);
    advance();
  } while (take_symbol("||"));
  return made;
}

std::optional<Statement> Parser::parse_if_statement() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kIf;
  advance();
  made.condition = parse_condition();
  if (!made.condition)
    return std::nullopt;
  take_keyword("then");
  if (!parse_block(made.body))
    return std::nullopt;
  if (take_keyword("else") && !parse_block(made.otherwise))
    return std::nullopt;
  if (!expect_keyword("end"))
    return std::nullopt;
  return made;
}

std::optional<Statement> Parser::parse_match_statement() {
  Statement made;
  made.loc = here();
  made.kind = StatementKind::kMatchTag;
  advance();
  made.expression = parse_expression();
  if (!made.expression || !expect_keyword("with"))
    return std::nullopt;
  take_symbol("||");
  do {
    if (peek().kind != TokenKind::kTag && !is_symbol("_")) {
      complain("a tag or '_'");
      return std::nullopt;
    }
    made.names.push_back(peek().kind == TokenKind::kTag ? peek().text : "");
    advance();
    made.cases.emplace_back();
    if (!expect_symbol("->") || !parse_block(made.cases.back()))
      return std::nullopt;
  } while (!made.names.back().empty() && take_symbol("||"));
  if (!expect_keyword("end"))
    return std::nullopt;
  return made;
}

Parsed parse(std::string_view text, const std::string& name, std::uint32_t file_index) {
  Parsed parsed;
  std::vector<Token> tokens = tokenize(text, name, parsed.errors);
  parsed.file = Parser(std::move(tokens), name, file_index, parsed.errors).parse_file();
  std::sort(parsed.errors.begin(), parsed.errors.end(), [](const Error& a, const Error& b) {
    return std::tie(a.line, a.column, a.message) < std::tie(b.line, b.column, b.message);
  });
  return parsed;
}

} // namespace heddle::memory::cat
