// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "frontend/litmus/c/c_macros.h"

#include "frontend/litmus/c/c_lexer.h"
#include "frontend/litmus/c/c_parser.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::frontend::litmus {

namespace {

/// Definitions that use one another deeper than that are taken as endless.
constexpr unsigned kMaximumExpansions = 50;
/// A thread of more nodes is none that anybody wrote.
constexpr std::size_t kMaximumNodes = 200'000;

using Arguments = std::map<std::string, CExpression>;

/// Puts the arguments in place of the parameters, and the place of the use on everything else.
CExpression substitute(const CExpression& expression, const Arguments& arguments, SourceLoc loc) {
  if (expression.kind == CExpression::Kind::kName) {
    const auto found = arguments.find(expression.text);
    if (found != arguments.end())
      return found->second;
  }
  CExpression result = expression;
  result.loc = loc;
  for (CExpression& operand : result.operands)
    operand = substitute(operand, arguments, loc);
  return result;
}

CStatement substitute(const CStatement& statement, const Arguments& arguments, SourceLoc loc) {
  CStatement result = statement;
  result.loc = loc;
  for (CExpression& expression : result.expressions)
    expression = substitute(expression, arguments, loc);
  for (CStatement& inner : result.statements)
    inner = substitute(inner, arguments, loc);
  return result;
}

class Expander {
public:
  Expander(const CMacros& macros, std::string file) : macros_(macros), file_(std::move(file)) {}

  void expand(CStatement& statement, unsigned depth) {
    if (statement.kind == CStatement::Kind::kExpression) {
      const CExpression& call = statement.expressions.front();
      const CMacro* macro = find(call);
      if (macro != nullptr && macro->is_statement) {
        if (!enter(call, depth))
          return;
        const Arguments arguments = bind(*macro, call);
        CStatement block{.kind = CStatement::Kind::kBlock, .loc = call.loc};
        for (const CStatement& inner : macro->statements)
          block.statements.push_back(substitute(inner, arguments, call.loc));
        statement = std::move(block);
        for (CStatement& inner : statement.statements)
          expand(inner, depth + 1);
        return;
      }
    }
    for (CExpression& expression : statement.expressions)
      expand(expression, depth);
    for (CStatement& inner : statement.statements)
      expand(inner, depth);
  }

  std::vector<Error> take_errors() { return std::move(errors_); }

private:
  void expand(CExpression& expression, unsigned depth) {
    const CMacro* macro = find(expression);
    if (macro == nullptr) {
      for (CExpression& operand : expression.operands)
        expand(operand, depth);
      return;
    }
    if (macro->is_statement) {
      error(expression.loc, "LIT-211", "'" + expression.text + "' gives no value");
      return;
    }
    if (!enter(expression, depth))
      return;
    expression = substitute(macro->value, bind(*macro, expression), expression.loc);
    expand(expression, depth + 1);
  }

  [[nodiscard]] const CMacro* find(const CExpression& expression) const {
    if (expression.kind != CExpression::Kind::kCall)
      return nullptr;
    const auto found = macros_.find({expression.text, expression.operands.size()});
    return found == macros_.end() ? nullptr : &found->second;
  }

  bool enter(const CExpression& call, unsigned depth) {
    ++expanded_;
    if (depth < kMaximumExpansions && expanded_ < kMaximumNodes)
      return true;
    if (errors_.empty())
      error(call.loc, "LIT-212", "the definition of '" + call.text + "' never comes to an end");
    return false;
  }

  static Arguments bind(const CMacro& macro, const CExpression& call) {
    Arguments arguments;
    for (std::size_t i = 0; i < macro.parameters.size(); ++i)
      arguments.emplace(macro.parameters[i], call.operands[i]);
    return arguments;
  }

  void error(SourceLoc loc, std::string code, std::string message) {
    errors_.push_back(
        Error{ErrorKind::kInput, std::move(code), std::move(message), file_, loc.line, loc.column});
  }

  const CMacros& macros_;
  std::string file_;
  std::vector<Error> errors_;
  std::size_t expanded_ = 0;
};

/// "(X, V)" after the name.
bool parse_parameters(CParser& parser, CMacro& macro) {
  CLexer& lexer = parser.lexer();
  if (!parser.expect("(", "after the name of a macro"))
    return false;
  while (lexer.peek().kind == CToken::Kind::kWord) {
    macro.parameters.emplace_back(lexer.take().text);
    if (!lexer.peek().is(","))
      break;
    lexer.take();
  }
  return parser.expect(")", "after the parameters of a macro");
}

} // namespace

std::vector<Error> add_macros(std::string_view text, const std::string& file, CMacros& macros) {
  CParser parser(CLexer(text, 0, SourceLoc{1, 1, 1}), file);
  CLexer& lexer = parser.lexer();
  while (lexer.peek().kind != CToken::Kind::kEnd && parser.errors().empty()) {
    const CToken name = lexer.take();
    if (name.kind != CToken::Kind::kWord) {
      parser.error_at(
          name.loc, "LIT-210", fmt::format("expected the name of a macro, found '{}'", name.text));
      break;
    }
    CMacro macro;
    if (!parse_parameters(parser, macro))
      break;
    if (lexer.peek().is("{")) {
      lexer.take();
      macro.is_statement = true;
      macro.statements = parser.parse_block();
    } else {
      macro.value = parser.parse_expression();
    }
    const std::size_t count = macro.parameters.size();
    macros.emplace(std::pair(std::string(name.text), count), std::move(macro));
  }
  return parser.errors();
}

std::vector<Error>
expand_macros(std::vector<CStatement>& body, const CMacros& macros, const std::string& file) {
  Expander expander(macros, file);
  for (CStatement& statement : body)
    expander.expand(statement, 0);
  return expander.take_errors();
}

} // namespace heddle::frontend::litmus
