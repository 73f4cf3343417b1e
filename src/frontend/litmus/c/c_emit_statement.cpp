// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "frontend/litmus/c/c_emit.h"

namespace heddle::frontend::litmus {

void CEmitter::emit_statements(const std::vector<CStatement>& statements) {
  for (const CStatement& statement : statements)
    emit_statement(statement);
}

void CEmitter::emit_statement(const CStatement& statement) {
  switch (statement.kind) {
  case CStatement::Kind::kEmpty:
    return;
  case CStatement::Kind::kBlock:
    return emit_statements(statement.statements);
  case CStatement::Kind::kDeclare:
    if (!statement.expressions.empty())
      write_name(statement.name, emit_expression(statement.expressions.front()), statement.loc);
    return;
  case CStatement::Kind::kAssign:
    return emit_assign(statement);
  case CStatement::Kind::kExpression:
    (void)emit_expression(statement.expressions.front());
    return;
  case CStatement::Kind::kIf:
    return emit_if(statement);
  case CStatement::Kind::kWhile:
  case CStatement::Kind::kDoWhile:
  case CStatement::Kind::kFor:
    return emit_loop(statement);
  case CStatement::Kind::kBreak:
  case CStatement::Kind::kContinue:
    HEDDLE_CHECK(!loops_.empty(), "the parser let a break outside of a loop pass");
    jump(statement.kind == CStatement::Kind::kBreak ? loops_.back().on_break
                                                    : loops_.back().on_continue,
         statement.loc);
    block_ = new_block(); // what follows is never reached
    return;
  case CStatement::Kind::kReturn:
    for (const CExpression& expression : statement.expressions)
      (void)emit_expression(expression);
    jump(end_, statement.loc);
    block_ = new_block();
    return;
  }
}

void CEmitter::emit_assign(const CStatement& statement) {
  const CExpression& where = statement.expressions.front();
  const CExpression& what = statement.expressions.back();
  if (where.kind == CExpression::Kind::kName) {
    write_name(where.text, emit_expression(what), statement.loc);
    return;
  }
  const std::optional<Cell> cell = emit_cell(where);
  const Value value = emit_expression(what);
  if (cell)
    store(*cell, value, ir::Access{}, statement.loc);
}

void CEmitter::emit_if(const CStatement& statement) {
  const Value condition = emit_expression(statement.expressions.front());
  const ir::BlockId yes = new_block();
  const ir::BlockId after = new_block();
  const bool has_else = statement.statements.size() == 2;
  const ir::BlockId no = has_else ? new_block() : after;
  branch(condition, yes, no, statement.loc);
  block_ = yes;
  emit_statement(statement.statements.front());
  jump(after, statement.loc);
  if (has_else) {
    block_ = no;
    emit_statement(statement.statements.back());
    jump(after, statement.loc);
  }
  block_ = after;
}

void CEmitter::emit_loop(const CStatement& statement) {
  const bool is_for = statement.kind == CStatement::Kind::kFor;
  if (is_for)
    emit_statement(statement.statements[0]);
  const ir::BlockId test = new_block();
  const ir::BlockId body = new_block();
  const ir::BlockId step = is_for ? new_block() : test;
  const ir::BlockId after = new_block();
  jump(statement.kind == CStatement::Kind::kDoWhile ? body : test, statement.loc);

  block_ = test;
  if (statement.expressions.empty())
    jump(body, statement.loc);
  else
    branch(emit_expression(statement.expressions.front()), body, after, statement.loc);

  block_ = body;
  loops_.push_back({step, after});
  emit_statement(statement.statements.back());
  loops_.pop_back();
  jump(step, statement.loc);
  if (is_for) {
    block_ = step;
    emit_statement(statement.statements[1]);
    jump(test, statement.loc);
  }
  block_ = after;
}

} // namespace heddle::frontend::litmus
