// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads the threads of a C test, and the expressions and statements of macro definitions. It knows
// no function by name. After an error it goes on with the next statement, to report several.
#pragma once

#include "frontend/litmus/c/c_lexer.h"
#include "frontend/litmus/c/c_syntax.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend::litmus {

/// The type a word names ("int", "atomic_t", "spinlock_t", …), if it does.
[[nodiscard]] std::optional<CType> find_type(std::string_view name);

class CParser {
public:
  CParser(CLexer lexer, std::string file) : lexer_(std::move(lexer)), file_(std::move(file)) {}

  /// "P0 (…) { … }"; the lexer stands at "P0".
  [[nodiscard]] CThread parse_thread();

  [[nodiscard]] CExpression parse_expression();
  /// The statements up to the closing brace, which is taken.
  [[nodiscard]] std::vector<CStatement> parse_block();

  [[nodiscard]] CLexer& lexer() { return lexer_; }
  [[nodiscard]] const std::vector<Error>& errors() const { return errors_; }
  void error_at(SourceLoc loc, std::string code, std::string message);
  /// Reports "expected …, found …" unless the next token is that one, which is then taken.
  bool expect(std::string_view punctuation, std::string_view after);

private:
  [[nodiscard]] bool has_failed() const { return failed_; }
  void fail_here(std::string_view expected);
  void recover();

  [[nodiscard]] bool at_type() const;
  [[nodiscard]] std::optional<CType> parse_type();
  [[nodiscard]] bool parse_base_type(CType& type);

  void parse_statement(std::vector<CStatement>& out);
  void parse_declaration(std::vector<CStatement>& out);
  [[nodiscard]] CStatement parse_simple(); // an assignment or an expression, without the semicolon
  [[nodiscard]] CStatement parse_if();
  [[nodiscard]] CStatement parse_while();
  [[nodiscard]] CStatement parse_do();
  [[nodiscard]] CStatement parse_for();
  [[nodiscard]] CStatement parse_body();

  [[nodiscard]] CExpression parse_conditional();
  [[nodiscard]] CExpression parse_binary(int minimum);
  [[nodiscard]] CExpression parse_unary();
  [[nodiscard]] CExpression parse_postfix();
  [[nodiscard]] CExpression parse_primary();
  [[nodiscard]] CExpression parse_call(const CToken& name);
  void parse_arguments(CExpression& call);

  CLexer lexer_;
  std::string file_;
  std::vector<Error> errors_;
  bool failed_ = false; // in the current statement
  unsigned depth_ = 0;
  unsigned loops_ = 0;
};

} // namespace heddle::frontend::litmus
