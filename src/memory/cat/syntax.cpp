// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/cat/syntax.h"

#include <algorithm>

namespace heddle::memory::cat {

namespace {

bool equal_pointers(const ExprPtr& a, const ExprPtr& b) {
  return a && b ? equal(*a, *b) : !a && !b;
}

bool equal_all(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal_pointers);
}

bool equal_all(const std::vector<Binding>& a, const std::vector<Binding>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Binding& x, const Binding& y) {
    return x.pattern == y.pattern && equal_pointers(x.value, y.value);
  });
}

bool equal_all(const std::vector<Statement>& a, const std::vector<Statement>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const Statement& x, const Statement& y) {
        return equal(x, y);
      });
}

bool equal_conditions(const ConditionPtr& a, const ConditionPtr& b) {
  if (!a || !b)
    return !a && !b;
  return a->kind == b->kind && a->name == b->name && equal_all(a->parts, b->parts) &&
         std::equal(a->conditions.begin(),
                    a->conditions.end(),
                    b->conditions.begin(),
                    b->conditions.end(),
                    equal_conditions);
}

bool equal_checks(const std::unique_ptr<Check>& a, const std::unique_ptr<Check>& b) {
  if (!a || !b)
    return !a && !b;
  return a->kind == b->kind && a->role == b->role && a->is_negated == b->is_negated &&
         a->name == b->name && equal_pointers(a->expression, b->expression);
}

} // namespace

bool equal(const Expr& a, const Expr& b) {
  return a.kind == b.kind && a.name == b.name && a.pattern == b.pattern && a.tags == b.tags &&
         equal_all(a.parts, b.parts) && equal_all(a.bindings, b.bindings) &&
         equal_conditions(a.condition, b.condition);
}

bool equal(const Statement& a, const Statement& b) {
  return a.kind == b.kind && a.name == b.name && a.names == b.names && a.pattern == b.pattern &&
         a.is_recursive == b.is_recursive && equal_all(a.bindings, b.bindings) &&
         equal_checks(a.check, b.check) && equal_pointers(a.expression, b.expression) &&
         equal_all(a.parts, b.parts) && equal_conditions(a.condition, b.condition) &&
         equal_all(a.body, b.body) && equal_all(a.otherwise, b.otherwise) &&
         std::equal(a.cases.begin(),
                    a.cases.end(),
                    b.cases.begin(),
                    b.cases.end(),
                    [](const std::vector<Statement>& x, const std::vector<Statement>& y) {
                      return equal_all(x, y);
                    });
}

bool equal(const File& a, const File& b) {
  return a.title == b.title && a.options == b.options && equal_all(a.statements, b.statements);
}

} // namespace heddle::memory::cat
