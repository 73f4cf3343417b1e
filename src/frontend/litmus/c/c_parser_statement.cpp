// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Statements and threads.
#include "frontend/litmus/c/c_parser.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

constexpr unsigned kMaximumNesting = 100;

/// The operator of "+=", "&=" and so on; empty if it is none of them.
std::string_view compound_operator(const CToken& token) {
  constexpr std::array<std::string_view, 10> kCompound = {
      "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  for (const std::string_view text : kCompound)
    if (token.is(text))
      return text.substr(0, text.size() - 1);
  return {};
}

CStatement assign(SourceLoc loc, CExpression where, CExpression what) {
  CStatement statement{.kind = CStatement::Kind::kAssign, .loc = loc};
  statement.expressions.push_back(std::move(where));
  statement.expressions.push_back(std::move(what));
  return statement;
}

CStatement assign_with(SourceLoc loc, CExpression where, std::string op, CExpression what) {
  CExpression sum{.kind = CExpression::Kind::kBinary, .loc = loc, .text = std::move(op)};
  sum.operands.push_back(where);
  sum.operands.push_back(std::move(what));
  return assign(loc, std::move(where), std::move(sum));
}

} // namespace

CThread CParser::parse_thread() {
  CThread thread;
  const CToken name = lexer_.take();
  thread.loc = name.loc;
  for (const char c : name.text.substr(1))
    thread.number = thread.number * 10 + static_cast<unsigned>(c - '0');
  if (lexer_.peek().is("(")) {
    lexer_.take();
  } else {
    fail_here(fmt::format("'(' after '{}'", name.text));
    recover();
    return thread;
  }
  if (lexer_.peek().is_word("void")) {
    lexer_.take();
  } else {
    while (!failed_ && !lexer_.peek().is(")")) {
      const std::optional<CType> type = parse_type();
      if (!type)
        break;
      if (lexer_.peek().kind != CToken::Kind::kWord) {
        fail_here("the name of a parameter");
        break;
      }
      const CToken parameter = lexer_.take();
      CType parameter_type = *type;
      if (lexer_.peek().is("[")) {
        // "int x[]" and "int x[2]" are pointers, as everywhere in C.
        lexer_.take();
        if (lexer_.peek().kind == CToken::Kind::kNumber)
          lexer_.take();
        expect("]", "after the size");
        ++parameter_type.pointers;
      }
      thread.parameters.push_back({parameter_type, std::string(parameter.text), parameter.loc});
      if (!lexer_.peek().is(","))
        break;
      lexer_.take();
    }
  }
  if (!failed_)
    expect(")", "after the parameters");
  if (failed_) {
    recover();
    return thread;
  }
  thread.body_loc = lexer_.peek().loc;
  thread.extent.first = lexer_.peek().end;
  if (!expect("{", "before the body")) {
    recover();
    return thread;
  }
  thread.body = parse_block();
  thread.extent.second = lexer_.taken_end() - 1;
  return thread;
}

std::vector<CStatement> CParser::parse_block() {
  std::vector<CStatement> statements;
  while (lexer_.peek().kind != CToken::Kind::kEnd && !lexer_.peek().is("}")) {
    parse_statement(statements);
    if (failed_)
      recover();
  }
  if (!expect("}", "at the end of the block"))
    failed_ = false;
  return statements;
}

void CParser::parse_statement(std::vector<CStatement>& out) {
  if (depth_ >= kMaximumNesting) {
    fail_here("a simpler statement");
    return;
  }
  ++depth_;
  const CToken& token = lexer_.peek();
  if (token.is(";")) {
    lexer_.take();
  } else if (token.is("{")) {
    CStatement block{.kind = CStatement::Kind::kBlock, .loc = lexer_.take().loc};
    block.statements = parse_block();
    out.push_back(std::move(block));
  } else if (token.is_word("if")) {
    out.push_back(parse_if());
  } else if (token.is_word("while")) {
    out.push_back(parse_while());
  } else if (token.is_word("do")) {
    out.push_back(parse_do());
  } else if (token.is_word("for")) {
    out.push_back(parse_for());
  } else if (token.is_word("return")) {
    CStatement statement{.kind = CStatement::Kind::kReturn, .loc = lexer_.take().loc};
    if (!lexer_.peek().is(";"))
      statement.expressions.push_back(parse_expression());
    if (!failed_)
      expect(";", "after 'return'");
    out.push_back(std::move(statement));
  } else if (token.is_word("goto") || token.is_word("switch")) {
    error_at(token.loc, "LIT-202", fmt::format("'{}' is not supported in tests", token.text));
    failed_ = true;
  } else if (at_type()) {
    parse_declaration(out);
  } else {
    CStatement statement = parse_simple();
    if (!failed_)
      expect(";", "after the statement");
    out.push_back(std::move(statement));
  }
  --depth_;
}

void CParser::parse_declaration(std::vector<CStatement>& out) {
  CType base;
  if (!parse_base_type(base))
    return;
  while (!failed_) {
    CStatement statement{.kind = CStatement::Kind::kDeclare, .type = base};
    while (lexer_.peek().is("*") || lexer_.peek().is_word("const") ||
           lexer_.peek().is_word("volatile")) {
      if (lexer_.take().is("*"))
        ++statement.type.pointers;
    }
    if (lexer_.peek().kind != CToken::Kind::kWord) {
      fail_here("the name of a variable");
      return;
    }
    const CToken name = lexer_.take();
    statement.loc = name.loc;
    statement.name = name.text;
    if (lexer_.peek().is("[")) {
      error_at(lexer_.peek().loc, "LIT-203", "local arrays are not supported in tests");
      failed_ = true;
      return;
    }
    if (lexer_.peek().is("=")) {
      lexer_.take();
      statement.expressions.push_back(parse_expression());
    }
    out.push_back(std::move(statement));
    if (failed_ || !lexer_.peek().is(","))
      break;
    lexer_.take();
  }
  if (!failed_)
    expect(";", "after the declaration");
}

CStatement CParser::parse_simple() {
  const SourceLoc loc = lexer_.peek().loc;
  if (lexer_.peek().is("++") || lexer_.peek().is("--")) {
    const std::string op(lexer_.take().text.substr(0, 1));
    CExpression where = parse_unary();
    return assign_with(loc, std::move(where), op, {.loc = loc, .text = "1", .value = 1});
  }
  CExpression left = parse_expression();
  if (failed_)
    return {};
  if (loops_ > 0 && left.kind == CExpression::Kind::kName && lexer_.peek().is(";")) {
    if (left.text == "break")
      return {.kind = CStatement::Kind::kBreak, .loc = loc};
    if (left.text == "continue")
      return {.kind = CStatement::Kind::kContinue, .loc = loc};
  }
  if (lexer_.peek().is("=")) {
    lexer_.take();
    CExpression right = parse_expression();
    return assign(loc, std::move(left), std::move(right));
  }
  if (lexer_.peek().is("++") || lexer_.peek().is("--")) {
    const std::string op(lexer_.take().text.substr(0, 1));
    return assign_with(loc, std::move(left), op, {.loc = loc, .text = "1", .value = 1});
  }
  if (const std::string_view op = compound_operator(lexer_.peek()); !op.empty()) {
    lexer_.take();
    CExpression right = parse_expression();
    return assign_with(loc, std::move(left), std::string(op), std::move(right));
  }
  CStatement statement{.kind = CStatement::Kind::kExpression, .loc = loc};
  statement.expressions.push_back(std::move(left));
  return statement;
}

CStatement CParser::parse_body() {
  std::vector<CStatement> statements;
  const SourceLoc loc = lexer_.peek().loc;
  parse_statement(statements);
  CStatement block{.kind = CStatement::Kind::kBlock, .loc = loc};
  block.statements = std::move(statements);
  return block;
}

CStatement CParser::parse_if() {
  CStatement statement{.kind = CStatement::Kind::kIf, .loc = lexer_.take().loc};
  if (!expect("(", "after 'if'"))
    return statement;
  statement.expressions.push_back(parse_expression());
  if (failed_ || !expect(")", "after the condition"))
    return statement;
  statement.statements.push_back(parse_body());
  if (!failed_ && lexer_.peek().is_word("else")) {
    lexer_.take();
    statement.statements.push_back(parse_body());
  }
  return statement;
}

CStatement CParser::parse_while() {
  CStatement statement{.kind = CStatement::Kind::kWhile, .loc = lexer_.take().loc};
  if (!expect("(", "after 'while'"))
    return statement;
  statement.expressions.push_back(parse_expression());
  if (failed_ || !expect(")", "after the condition"))
    return statement;
  ++loops_;
  statement.statements.push_back(parse_body());
  --loops_;
  return statement;
}

CStatement CParser::parse_do() {
  CStatement statement{.kind = CStatement::Kind::kDoWhile, .loc = lexer_.take().loc};
  ++loops_;
  statement.statements.push_back(parse_body());
  --loops_;
  if (failed_)
    return statement;
  if (!lexer_.peek().is_word("while")) {
    fail_here("'while' after the body of 'do'");
    return statement;
  }
  lexer_.take();
  if (!expect("(", "after 'while'"))
    return statement;
  statement.expressions.push_back(parse_expression());
  if (!failed_ && expect(")", "after the condition"))
    expect(";", "after 'do … while (…)'");
  return statement;
}

CStatement CParser::parse_for() {
  CStatement statement{.kind = CStatement::Kind::kFor, .loc = lexer_.take().loc};
  if (!expect("(", "after 'for'"))
    return statement;
  CStatement first{.kind = CStatement::Kind::kBlock, .loc = statement.loc};
  if (at_type()) {
    parse_declaration(first.statements); // with its semicolon
  } else {
    if (!lexer_.peek().is(";"))
      first.statements.push_back(parse_simple());
    if (!failed_)
      expect(";", "after the start of 'for'");
  }
  if (failed_)
    return statement;
  if (!lexer_.peek().is(";"))
    statement.expressions.push_back(parse_expression());
  if (failed_ || !expect(";", "after the condition of 'for'"))
    return statement;
  CStatement step{.kind = CStatement::Kind::kBlock, .loc = statement.loc};
  if (!lexer_.peek().is(")"))
    step.statements.push_back(parse_simple());
  if (failed_ || !expect(")", "after the step of 'for'"))
    return statement;
  statement.statements.push_back(std::move(first));
  statement.statements.push_back(std::move(step));
  ++loops_;
  statement.statements.push_back(parse_body());
  --loops_;
  return statement;
}

} // namespace heddle::frontend::litmus
