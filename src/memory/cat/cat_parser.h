// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The recursive-descent parser of CAT, shared by the files that parse expressions and statements.
// A function that fails has said so in `errors_` and returns nothing; the caller gives up up to the
// statement, from whose end parsing goes on.
#pragma once

#include "memory/cat/cat_text.h"
#include "memory/cat/token.h"

#include <optional>

namespace heddle::memory::cat {

class Parser {
public:
  Parser(std::vector<Token> tokens,
         const std::string& file,
         std::uint32_t file_index,
         std::vector<Error>& errors)
      : tokens_(std::move(tokens)), file_(file), file_index_(file_index), errors_(errors) {}

  File parse_file();

private:
  // What is at the cursor
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool is_symbol(std::string_view text, std::size_t ahead = 0) const {
    return peek(ahead).is(TokenKind::kSymbol, text);
  }
  [[nodiscard]] bool is_keyword_at(std::string_view text, std::size_t ahead = 0) const {
    return peek(ahead).is(TokenKind::kKeyword, text);
  }
  bool take_symbol(std::string_view text);
  bool take_keyword(std::string_view text);
  void advance() {
    if (at_ + 1 < tokens_.size())
      ++at_;
  }
  [[nodiscard]] SourceLoc here() const { return {file_index_, peek().line, peek().column}; }
  void complain(std::string_view expected);
  bool expect_symbol(std::string_view text);
  bool expect_keyword(std::string_view text);
  std::optional<std::string> expect_name(std::string_view what);
  std::optional<std::string> expect_string();
  /// Deeper nesting than any model has is refused rather than overflow the stack.
  bool enter();
  void leave() { --depth_; }

  // Expressions (parse_expression.cpp)
  ExprPtr make(ExprKind kind, SourceLoc loc) const;
  ExprPtr parse_expression();
  ExprPtr parse_expression_inside();
  ExprPtr parse_binding_expression();
  ExprPtr parse_function();
  ExprPtr parse_try();
  ExprPtr parse_if();
  ExprPtr parse_match();
  bool parse_set_clause(Expr& match, ExprPtr& when_empty, ExprPtr& when_element);
  /// An expression of operators only: no tuple, let, fun, try, if or match outside brackets.
  ExprPtr parse_operators();
  ExprPtr parse_chain(std::size_t level);
  ExprPtr parse_unary();
  /// `r^-1`; older models write `r -1`.
  [[nodiscard]] bool starts_inverse() const { return is_symbol("^") || is_symbol("-1"); }
  bool take_inverse();
  ExprPtr parse_inverted();
  ExprPtr parse_application();
  [[nodiscard]] bool starts_argument() const;
  ExprPtr parse_simple();
  bool parse_list(std::vector<ExprPtr>& parts, std::string_view end);
  ConditionPtr parse_condition();
  ConditionPtr parse_condition_and();
  ConditionPtr parse_condition_atom();
  [[nodiscard]] bool starts_variant() const;
  std::optional<Pattern> parse_pattern_word();
  std::optional<Pattern> parse_pattern();
  std::optional<Binding> parse_binding();
  bool parse_bindings(std::vector<Binding>& bindings);

  // Statements (parse_statement.cpp)
  void parse_header(File& file);
  [[nodiscard]] bool starts_statement() const;
  /// Until a word that cannot start a statement; `is_top` also takes what stands between files'
  /// outermost statements only, and skips what is wrong.
  void parse_statements(std::vector<Statement>& statements, bool is_top);
  bool parse_block(std::vector<Statement>& statements);
  std::optional<Statement> parse_statement();
  std::optional<Statement> parse_let();
  std::optional<Statement> parse_check_statement();
  std::unique_ptr<Check> parse_check();
  std::optional<Statement> parse_show();
  std::optional<Statement> parse_procedure();
  std::optional<Statement> parse_call();
  std::optional<Statement> parse_enum();
  std::optional<Statement> parse_forall();
  std::optional<Statement> parse_with();
  std::optional<Statement> parse_instructions(StatementKind kind);
  std::optional<Statement> parse_scopes();
  std::optional<Statement> parse_if_statement();
  std::optional<Statement> parse_match_statement();
  bool parse_names(std::vector<std::string>& names);
  void recover();

  std::vector<Token> tokens_;
  const std::string& file_;
  std::uint32_t file_index_;
  std::vector<Error>& errors_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

} // namespace heddle::memory::cat
