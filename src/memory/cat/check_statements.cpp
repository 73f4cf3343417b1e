// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kinds in statements, and recursions that are not well founded.
#include "memory/cat/check_kinds.h"
#include "memory/cat/influence.h"

#include <algorithm>
#include <utility>

namespace heddle::memory::cat {

namespace {

/// Evaluating it leaves something out, or leaves it for later.
bool has_more_than_is_evaluated(const Expr& e) {
  switch (e.kind) {
  case ExprKind::kFunction:
  case ExprKind::kTry:
  case ExprKind::kIf:
  case ExprKind::kMatchTag:
  case ExprKind::kMatchSet:
    return true;
  default:
    break;
  }
  const auto is_one = [](const auto& part) { return has_more_than_is_evaluated(*part); };
  return std::any_of(e.parts.begin(), e.parts.end(), is_one) ||
         std::any_of(e.bindings.begin(), e.bindings.end(), [&](const Binding& binding) {
           return is_one(binding.value);
         });
}

bool is_worth_checking(const Statement& statement) {
  switch (statement.kind) {
  case StatementKind::kProcedure:
  case StatementKind::kForall:
    return true;
  case StatementKind::kLet:
  case StatementKind::kLetRec:
    return std::any_of(
        statement.bindings.begin(), statement.bindings.end(), [](const Binding& binding) {
          return has_more_than_is_evaluated(*binding.value);
        });
  case StatementKind::kCheck:
    return has_more_than_is_evaluated(*statement.check->expression);
  case StatementKind::kShowAs:
  case StatementKind::kCall:
  case StatementKind::kDebug:
  case StatementKind::kWithFrom:
    return has_more_than_is_evaluated(*statement.expression);
  case StatementKind::kShow:
  case StatementKind::kShowAll:
  case StatementKind::kUnshow:
  case StatementKind::kInclude:
  case StatementKind::kEnum:
  case StatementKind::kInstructions:
  case StatementKind::kDefault:
  case StatementKind::kScopes:
  case StatementKind::kIf:
  case StatementKind::kMatchTag:
    return false; // or their statements are given one by one
  }
  return false;
}

} // namespace

void KindChecker::check(const Statement& statement, const LookUp& look_up) {
  if (!is_worth_checking(statement))
    return;
  look_up_ = &look_up;
  visit(statement);
  leave();
}

void KindChecker::check_untaken(const std::vector<Statement>& statements, const LookUp& look_up) {
  look_up_ = &look_up;
  visit(statements);
  leave();
}

void KindChecker::leave() {
  look_up_ = nullptr;
  locals_.clear();
  is_lost_ = false;
  met_undefined_ = false;
}

void KindChecker::visit(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements)
    visit(statement);
}

void KindChecker::visit(const Check& check) {
  const Kinds kinds = of(*check.expression);
  const SourceLoc loc = check.expression->loc;
  static_cast<void>(check.kind == CheckKind::kEmpty
                        ? expect(kinds, kEmptyKinds | kSetLike | kRelationLike, loc, "a set")
                        : expect(kinds, kRelationLike, loc, "a relation"));
}

void KindChecker::visit(const Statement& statement) {
  // What uses a name that nothing defines is not evaluated: models have definitions for other
  // architectures, where names have other kinds.
  const std::size_t errors_before = errors_.size();
  const bool undefined_before = std::exchange(met_undefined_, false);
  const std::size_t locals_before = locals_.size();
  bool keeps_names = false;
  switch (statement.kind) {
  case StatementKind::kLet: {
    std::vector<Kinds> values;
    for (const Binding& binding : statement.bindings)
      values.push_back(of(*binding.value));
    for (std::size_t i = 0; i < values.size(); ++i)
      bind(statement.bindings[i].pattern, values[i]);
    keeps_names = true;
    break;
  }
  case StatementKind::kLetRec:
    bind_recursive(statement.bindings, statement.loc);
    if (statement.check)
      visit(*statement.check);
    keeps_names = true;
    break;
  case StatementKind::kCheck:
    visit(*statement.check);
    break;
  case StatementKind::kShowAs:
  case StatementKind::kCall:
  case StatementKind::kDebug:
    static_cast<void>(of(*statement.expression));
    break;
  case StatementKind::kProcedure:
    if (statement.is_recursive)
      bind(statement.name, {kProcedureKind});
    for (const std::string& name : statement.pattern.names)
      bind(name, {});
    visit(statement.body);
    break;
  case StatementKind::kForall: {
    const Kinds set = of(*statement.expression);
    static_cast<void>(expect(set, kEmptyKinds, statement.loc, "a set"));
    bind(statement.name, set.bits == kSetKind ? Kinds{kEventKind} : Kinds{});
    visit(statement.body);
    break;
  }
  case StatementKind::kWithFrom:
    static_cast<void>(of(*statement.expression));
    bind(statement.name, {});
    keeps_names = true;
    break;
  case StatementKind::kInstructions:
  case StatementKind::kDefault:
    for (const ExprPtr& part : statement.parts)
      static_cast<void>(of(*part));
    break;
  case StatementKind::kIf:
    visit(*statement.condition);
    visit(statement.body);
    locals_.resize(locals_before);
    visit(statement.otherwise);
    is_lost_ = true; // either may have defined names
    break;
  case StatementKind::kMatchTag:
    static_cast<void>(of(*statement.expression));
    for (const std::vector<Statement>& one : statement.cases) {
      visit(one);
      locals_.resize(locals_before);
    }
    is_lost_ = true;
    break;
  case StatementKind::kInclude:
  case StatementKind::kEnum:
    is_lost_ = true; // what they define is not looked at
    break;
  case StatementKind::kShow:
  case StatementKind::kShowAll:
  case StatementKind::kUnshow:
  case StatementKind::kScopes:
    break;
  }
  if (!keeps_names)
    locals_.resize(locals_before);
  if (statement.kind == StatementKind::kProcedure)
    bind(statement.name, {kProcedureKind});
  if (met_undefined_)
    errors_.resize(errors_before);
  met_undefined_ = met_undefined_ || undefined_before;
}

void KindChecker::bind_recursive(const std::vector<Binding>& bindings, SourceLoc loc) {
  for (const Binding& binding : bindings) {
    const bool is_function = binding.value->kind == ExprKind::kFunction;
    for (const std::string& name : binding.pattern.names)
      bind(name, is_function ? Kinds{kFunctionKind} : Kinds{});
  }
  check_recursion(bindings, loc);
  std::vector<Kinds> values;
  for (const Binding& binding : bindings)
    values.push_back(of(*binding.value));
  // From here on they are what their definitions say.
  for (std::size_t i = 0; i < bindings.size(); ++i)
    bind(bindings[i].pattern, values[i]);
}

namespace {

class Influences {
public:
  Influences(const std::vector<Binding>& bindings, std::function<bool(const std::string&)> is_bound)
      : bindings_(bindings), is_bound_(std::move(is_bound)) {}

  /// Of each name on the value; not where an operand beside it that is empty may erase it.
  std::vector<Influence> of(const Expr& e) {
    found_.assign(bindings_.size(), {});
    walk(e, false);
    return found_;
  }

  /// `x = x | ...`, as far as can be seen.
  [[nodiscard]] bool may_grow(const Expr& e, const std::string& name) const {
    switch (e.kind) {
    case ExprKind::kUnion:
      return std::any_of(e.parts.begin(), e.parts.end(), [&](const ExprPtr& part) {
        return may_grow(*part, name);
      });
    case ExprKind::kName:
      return e.name == name;
    case ExprKind::kApply:
    case ExprKind::kLet:
    case ExprKind::kLetRec:
    case ExprKind::kTry:
    case ExprKind::kIf:
    case ExprKind::kMatchTag:
    case ExprKind::kMatchSet:
      return true;
    default:
      return false;
    }
  }

private:
  /// Surely not the empty set or relation, which would erase what is beside it.
  [[nodiscard]] bool is_solid(const Expr& e) const {
    switch (e.kind) {
    case ExprKind::kName:
      return is_bound_(e.name);
    case ExprKind::kUniverse:
      return true;
    case ExprKind::kUnion:
    case ExprKind::kSequence:
    case ExprKind::kDifference:
    case ExprKind::kIntersection:
    case ExprKind::kProduct:
    case ExprKind::kStar:
    case ExprKind::kPlus:
    case ExprKind::kOptional:
    case ExprKind::kComplement:
    case ExprKind::kInverse:
    case ExprKind::kIdentityOn:
      return std::all_of(
          e.parts.begin(), e.parts.end(), [&](const ExprPtr& part) { return is_solid(*part); });
    default:
      return false; // empty, or what only evaluation can tell
    }
  }

  void walk(const Expr& e, bool is_turned) {
    switch (e.kind) {
    case ExprKind::kName:
      for (std::size_t i = 0; i < bindings_.size(); ++i)
        if (bindings_[i].pattern.names[0] == e.name)
          (is_turned ? found_[i].negative : found_[i].positive) = true;
      return;
    case ExprKind::kComplement:
      walk(*e.parts[0], !is_turned);
      return;
    case ExprKind::kUnion:
    case ExprKind::kStar:
    case ExprKind::kPlus:
    case ExprKind::kOptional:
    case ExprKind::kInverse:
    case ExprKind::kIdentityOn:
      for (const ExprPtr& part : e.parts)
        walk(*part, is_turned);
      return;
    case ExprKind::kDifference:
    case ExprKind::kSequence:
    case ExprKind::kIntersection:
    case ExprKind::kProduct:
      if (is_solid(e))
        for (std::size_t i = 0; i < e.parts.size(); ++i)
          walk(*e.parts[i], is_turned != (e.kind == ExprKind::kDifference && i > 0));
      return;
    default:
      return; // what functions and branches make of it is not known
    }
  }

  const std::vector<Binding>& bindings_;
  std::function<bool(const std::string&)> is_bound_;
  std::vector<Influence> found_;
};

} // namespace

void KindChecker::check_recursion(const std::vector<Binding>& bindings, SourceLoc loc) {
  for (const Binding& binding : bindings)
    if (binding.pattern.is_tuple || binding.value->kind == ExprKind::kFunction)
      return;
  Influences influences(bindings, [this](const std::string& name) {
    const Kinds kinds = of_name(name);
    return !kinds.is_undefined && !kinds.is_empty;
  });
  InfluenceGraph edges;
  std::vector<bool> grows;
  for (const Binding& binding : bindings) {
    edges.push_back(influences.of(*binding.value));
    grows.push_back(influences.may_grow(*binding.value, binding.pattern.names[0]));
  }
  if (!has_cycle(edges, std::vector<bool>(bindings.size(), false), true) ||
      !has_cycle(edges, grows, false))
    return;
  say(loc,
      "CAT-018",
      "this recursion is not well founded: a name depends on its own absence (through '~' or the "
      "right side of '\\'), and not every cycle of names has one that only grows (x = x | ...)");
  errors_.back().recursion = &bindings;
}

} // namespace heddle::memory::cat
