// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Expressions.
#include "memory/cat/evaluate.h"

namespace heddle::memory::cat {

namespace {

constexpr int kDeepestExpression = 1000;

} // namespace

const Value* find(const Scope* scope, const std::string& name) {
  for (; scope != nullptr; scope = scope->around)
    if (scope->name == name)
      return &scope->value;
  return nullptr;
}

Value Evaluator::eval(const Expr& e, const Scope* scope) {
  if (!enter(kDeepestExpression, e.loc))
    return {Bad{}};
  Value value = eval_inside(e, scope);
  leave();
  return value;
}

bool Evaluator::enter(int deepest, SourceLoc loc) {
  // Once it is said, unwind: trying the other branches of each level would take for ever.
  if (is_endless_)
    return false;
  if (depth_ >= deepest) {
    complain(loc, "CAT-013", "this recursion does not end");
    is_endless_ = true;
    return false;
  }
  ++depth_;
  return true;
}

void Evaluator::leave() {
  if (--depth_ == 0)
    is_endless_ = false;
}

Value Evaluator::eval_inside(const Expr& e, const Scope* scope) {
  switch (e.kind) {
  case ExprKind::kName:
    return eval_name(e, scope);
  case ExprKind::kTag:
    return {Tag{e.name}};
  case ExprKind::kZero:
    return {Nothing{}};
  case ExprKind::kUniverse:
    return {builder_.universe()};
  case ExprKind::kSet:
    return eval_set(e, scope);
  case ExprKind::kTuple: {
    auto tuple = std::make_shared<Tuple>();
    for (const ExprPtr& part : e.parts) {
      tuple->parts.push_back(eval(*part, scope));
      if (tuple->parts.back().is<Bad>())
        return {Bad{}};
    }
    return {TuplePtr(std::move(tuple))};
  }
  case ExprKind::kUnion:
  case ExprKind::kIntersection:
  case ExprKind::kDifference:
    return eval_chain(e, scope);
  case ExprKind::kAdd:
    return eval_add(e, scope);
  case ExprKind::kSequence:
  case ExprKind::kProduct:
  case ExprKind::kStar:
  case ExprKind::kPlus:
  case ExprKind::kOptional:
  case ExprKind::kInverse:
  case ExprKind::kIdentityOn:
  case ExprKind::kComplement:
    return eval_relational(e, scope);
  case ExprKind::kApply:
    return eval_apply(e, scope);
  case ExprKind::kFunction: {
    auto closure = std::make_shared<Closure>();
    closure->function = &e;
    closure->scope = scope;
    return {ClosurePtr(std::move(closure))};
  }
  case ExprKind::kLet:
  case ExprKind::kLetRec:
    return eval_let(e, scope);
  case ExprKind::kTry:
    return eval_try(e, scope);
  case ExprKind::kIf: {
    const std::optional<bool> chosen = holds(*e.condition, scope);
    if (!chosen)
      return defer(e, scope);
    return eval(*e.parts[*chosen ? 0 : 1], scope);
  }
  case ExprKind::kMatchTag:
    return eval_match_tag(e, scope);
  case ExprKind::kMatchSet:
    return eval_match_set(e, scope);
  }
  return {Bad{}};
}

Value Evaluator::eval_name(const Expr& e, const Scope* scope) {
  if (std::optional<Value> value = look_up(scope, e.name)) {
    if (!value->is<Bad>() || !value->as<Bad>().pending)
      return *value;
    was_undefined_ = true;
    say(*value->as<Bad>().pending);
    return {Bad{}};
  }
  was_undefined_ = true;
  complain_unknown(e.name, e.loc);
  return {Bad{}};
}

Value Evaluator::eval_relational(const Expr& e, const Scope* scope) {
  std::vector<Value> parts;
  for (const ExprPtr& part : e.parts) {
    parts.push_back(eval(*part, scope));
    if (parts.back().is<Bad>())
      return {Bad{}};
  }
  if (e.kind == ExprKind::kComplement) {
    if (parts[0].is<NodeId>())
      return {builder_.complement(parts[0].as<NodeId>())};
    if (parts[0].is<DeferredPtr>())
      return defer(e, scope);
    if (parts[0].is<Nothing>()) {
      // ~0 is a relation, ~{} a set.
      const bool is_set = e.parts[0]->kind == ExprKind::kSet;
      return {builder_.complement(builder_.empty(is_set))};
    }
    complain(
        e.loc, "CAT-011", "expected a set or a relation, found " + describe(parts[0], builder_));
    return {Bad{}};
  }
  std::vector<NodeId> nodes;
  const bool takes_sets = e.kind == ExprKind::kProduct || e.kind == ExprKind::kIdentityOn;
  bool is_bad = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SourceLoc loc = e.parts[i]->loc;
    const std::optional<NodeId> node =
        takes_sets ? to_set(parts[i], loc) : to_relation(parts[i], loc);
    is_bad = is_bad || !node;
    nodes.push_back(node.value_or(NodeId{}));
  }
  if (is_bad)
    return {Bad{}};
  if (e.kind == ExprKind::kSequence) {
    NodeId made = nodes.back();
    for (std::size_t i = nodes.size() - 1; i-- > 0;)
      made = builder_.compose(nodes[i], made);
    return {made};
  }
  if (e.kind == ExprKind::kProduct)
    return {builder_.product(nodes[0], nodes[1])};
  if (e.kind == ExprKind::kStar)
    return {builder_.star(nodes[0])};
  if (e.kind == ExprKind::kPlus)
    return {builder_.transitive(nodes[0])};
  if (e.kind == ExprKind::kOptional)
    return {builder_.optional(nodes[0])};
  if (e.kind == ExprKind::kInverse)
    return {builder_.inverse(nodes[0])};
  return {builder_.identity_on(nodes[0])};
}

Value Evaluator::eval_let(const Expr& e, const Scope* scope) {
  if (e.kind == ExprKind::kLetRec) {
    const Scope* inner = bind_recursive(e.bindings, scope, e.loc);
    return inner == nullptr ? Value{Bad{}} : eval(*e.parts[0], inner);
  }
  const Scope* inner = scope;
  for (const Binding& binding : e.bindings) {
    // Simultaneous: the values are of the scope around.
    const Value value = eval(*binding.value, scope);
    bool is_deferred = false;
    const std::optional<const Scope*> next =
        bind_pattern(inner, binding.pattern, value, binding.loc, true, is_deferred);
    if (!next)
      return {Bad{}};
    inner = *next;
  }
  return eval(*e.parts[0], inner);
}

Value Evaluator::eval_try(const Expr& e, const Scope* scope) {
  const std::size_t errors_before = errors_.size();
  const bool undefined_before = was_undefined_;
  was_undefined_ = false;
  ++trying_;
  Value value = eval(*e.parts[0], scope);
  --trying_;
  const bool failed = was_undefined_;
  was_undefined_ = undefined_before;
  if (!failed)
    return value;
  errors_.resize(errors_before);
  return eval(*e.parts[1], scope);
}

Value Evaluator::eval_match_tag(const Expr& e, const Scope* scope) {
  const Value value = eval(*e.parts[0], scope);
  if (value.is<Bad>())
    return value;
  if (value.is<DeferredPtr>())
    return defer(e, scope);
  if (!value.is<Tag>()) {
    complain(e.loc, "CAT-011", "expected a tag to match, found " + describe(value, builder_));
    return {Bad{}};
  }
  const std::string& tag = value.as<Tag>().name;
  for (std::size_t i = 0; i < e.tags.size(); ++i)
    if (e.tags[i].empty() || e.tags[i] == tag)
      return eval(*e.parts[i + 1], scope);
  complain(e.loc, "CAT-014", "no case for the tag '" + tag);
  return {Bad{}};
}

} // namespace heddle::memory::cat
