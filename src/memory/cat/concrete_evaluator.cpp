// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/cat/concrete_evaluator.h"

#include "support/check.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::memory::cat {

using relation::BitMatrix;
using relation::BitSet;

namespace {

/// Of the usual 8 MB of a stack this takes less than half.
constexpr int kDeepestEvaluation = 3000;

} // namespace

Concrete ConcreteEvaluator::force(const Deferred& deferred) {
  const std::pair<const Expr*, const Scope*> key = {deferred.expression, deferred.scope};
  auto known = forced_.find(key);
  if (known == forced_.end()) {
    Concrete value = eval(*deferred.expression, {nullptr, deferred.scope});
    known = forced_.emplace(key, std::move(value)).first;
  }
  if (deferred.projection < 0)
    return known->second;
  if (!known->second.is<ConcreteTuple>() ||
      known->second.as<ConcreteTuple>().parts->size() != deferred.arity)
    return fail(deferred.expression->loc,
                "CAT-012",
                "expected a tuple of " + std::to_string(deferred.arity) + ", found " +
                    describe(known->second));
  return (*known->second.as<ConcreteTuple>().parts)[static_cast<std::size_t>(deferred.projection)];
}

Concrete ConcreteEvaluator::from(const Value& value, const Expr& e) {
  return std::visit(
      Overloaded{[&](const Bad&) -> Concrete {
                   return fail(e.loc, "CAT-010", "'" + e.name + "' has no meaning here");
                 },
                 [](const Nothing&) -> Concrete { return {}; },
                 [&](const NodeId& node) -> Concrete {
                   const NodeId number = session_.numbers[node];
                   HEDDLE_CHECK(number.is_valid(), "an opaque computation lacks an input");
                   // Not owned: the execution's values outlive the computation.
                   if (session_.is_set[node.index()])
                     return {SetPtr(SetPtr{}, &values_.set(number))};
                   return {MatrixPtr(MatrixPtr{}, &values_.relation(number))};
                 },
                 [](const Tag& tag) -> Concrete { return {tag}; },
                 [](const Primitive& primitive) -> Concrete { return {primitive}; },
                 [&](const TuplePtr& tuple) -> Concrete {
                   std::vector<Concrete> parts;
                   for (const Value& part : tuple->parts)
                     parts.push_back(from(part, e));
                   return tuple_of(std::move(parts));
                 },
                 [&](const ListedPtr& listed) -> Concrete {
                   Concrete all = {};
                   for (auto element = listed->elements.rbegin();
                        element != listed->elements.rend();
                        ++element)
                     all = add(from(*element, e), all, e.loc);
                   return all;
                 },
                 [](const ClosurePtr& closure) -> Concrete {
                   return {ConcreteFunction{closure->function, {nullptr, closure->scope}}};
                 },
                 [&](const ProcedurePtr&) -> Concrete {
                   return fail(e.loc, "CAT-011", "the procedure '" + e.name + "' is no value");
                 },
                 [&](const DeferredPtr& deferred) -> Concrete { return force(*deferred); }},
      value.content);
}

ConcreteScope
ConcreteEvaluator::bind(const ConcreteScope& scope, const std::string& name, Concrete value) {
  if (name.empty())
    return scope;
  bindings_.push_back({name, std::move(value), scope.own});
  return {&bindings_.back(), scope.outer};
}

ConcreteScope ConcreteEvaluator::bind_pattern(const ConcreteScope& scope,
                                              const Pattern& pattern,
                                              const Concrete& value,
                                              SourceLoc loc) {
  if (!pattern.is_tuple)
    return bind(scope, pattern.names[0], value);
  if (!value.is<ConcreteTuple>() ||
      value.as<ConcreteTuple>().parts->size() != pattern.names.size()) {
    fail(loc,
         "CAT-012",
         "expected a tuple of " + std::to_string(pattern.names.size()) + ", found " +
             describe(value));
    ConcreteScope inner = scope;
    for (const std::string& name : pattern.names)
      inner = bind(inner, name, {});
    return inner;
  }
  ConcreteScope inner = scope;
  for (std::size_t i = 0; i < pattern.names.size(); ++i)
    inner = bind(inner, pattern.names[i], (*value.as<ConcreteTuple>().parts)[i]);
  return inner;
}

ConcreteScope ConcreteEvaluator::bind_all(const std::vector<Binding>& bindings,
                                          const ConcreteScope& scope,
                                          bool is_recursive) {
  ConcreteScope inner = scope;
  if (!is_recursive) {
    for (const Binding& binding : bindings)
      inner = bind_pattern(inner, binding.pattern, eval(*binding.value, scope), binding.loc);
    return inner;
  }
  std::vector<ConcreteBinding*> made;
  for (const Binding& binding : bindings) {
    if (binding.pattern.is_tuple)
      fail(binding.loc, "CAT-017", "a recursive definition of a tuple");
    bindings_.push_back({binding.pattern.names[0], {}, inner.own});
    made.push_back(&bindings_.back());
    inner = {made.back(), scope.outer};
  }
  for (std::size_t i = 0; i < bindings.size(); ++i)
    if (bindings[i].value->kind == ExprKind::kFunction)
      made[i]->value = {ConcreteFunction{bindings[i].value.get(), inner}};
  // The rest from empty, first to last, until nothing changes. Where it ends, each round adds a
  // pair or an event to a name that only grows, or follows such a round by as many as there are
  // names.
  const std::size_t count = bindings.size();
  std::size_t rounds = (count + 1) * (count * bound_ * bound_ + 1) + 1;
  for (bool changes = true; changes; --rounds) {
    if (rounds == 0) {
      fail(bindings[0].loc, "CAT-018", "this recursion has no least fixpoint on an execution");
      break;
    }
    changes = false;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      if (bindings[i].value->kind == ExprKind::kFunction)
        continue;
      Concrete next = eval(*bindings[i].value, inner);
      changes = changes || !equal(next, made[i]->value);
      made[i]->value = std::move(next);
    }
  }
  return inner;
}

Concrete ConcreteEvaluator::look_up(const Expr& e, const ConcreteScope& scope) {
  for (const ConcreteBinding* own = scope.own; own != nullptr; own = own->around)
    if (own->name == e.name)
      return own->value;
  if (const Value* value = find(scope.outer, e.name))
    return from(*value, e);
  if (const Value* value = find(session_.base, e.name))
    return from(*value, e);
  return fail(e.loc, "CAT-010", "nothing is called '" + e.name + "' here");
}

Concrete ConcreteEvaluator::eval(const Expr& e, const ConcreteScope& scope) {
  if (has_failed())
    return {};
  if (depth_ >= kDeepestEvaluation)
    return fail(e.loc, "CAT-013", "this recursion does not end");
  ++depth_;
  Concrete value = eval_inside(e, scope);
  --depth_;
  return value;
}

/// Its frame stays small: recursive functions go through it thousands of levels deep.
Concrete ConcreteEvaluator::eval_inside(const Expr& e, const ConcreteScope& scope) {
  switch (e.kind) {
  case ExprKind::kName:
    return look_up(e, scope);
  case ExprKind::kTag:
    return {Tag{e.name}};
  case ExprKind::kZero:
    return {Nothing{}};
  case ExprKind::kUniverse:
    return wrap(BitSet::full(bound_));
  case ExprKind::kSet:
  case ExprKind::kTuple:
  case ExprKind::kAdd:
    return eval_collection(e, scope);
  case ExprKind::kUnion:
  case ExprKind::kDifference:
  case ExprKind::kIntersection:
    return eval_chain(e, scope);
  case ExprKind::kSequence:
  case ExprKind::kProduct:
  case ExprKind::kStar:
  case ExprKind::kPlus:
  case ExprKind::kOptional:
  case ExprKind::kInverse:
  case ExprKind::kIdentityOn:
    return eval_relational(e, scope);
  case ExprKind::kComplement:
    return eval_complement(e, scope);
  case ExprKind::kApply:
    return eval_apply(e, scope);
  case ExprKind::kFunction:
    return {ConcreteFunction{&e, scope}};
  case ExprKind::kLet:
  case ExprKind::kLetRec:
    return eval(*e.parts[0], bind_all(e.bindings, scope, e.kind == ExprKind::kLetRec));
  case ExprKind::kTry:
    return eval(*e.parts[session_.failing_tries.contains({&e, scope.outer}) ? 1 : 0], scope);
  case ExprKind::kIf:
    return eval(*e.parts[holds(*e.condition, scope) ? 0 : 1], scope);
  case ExprKind::kMatchTag:
    return eval_match_tag(e, scope);
  case ExprKind::kMatchSet:
    return eval_match_set(e, scope);
  }
  return {};
}

Concrete ConcreteEvaluator::eval_collection(const Expr& e, const ConcreteScope& scope) {
  if (e.kind == ExprKind::kTuple) {
    std::vector<Concrete> parts;
    for (const ExprPtr& part : e.parts)
      parts.push_back(eval(*part, scope));
    return tuple_of(std::move(parts));
  }
  // {a, b} is a ++ b ++ {}.
  std::size_t left = e.parts.size();
  Concrete all = e.kind == ExprKind::kAdd ? eval(*e.parts[--left], scope) : Concrete{};
  while (left-- > 0)
    all = add(eval(*e.parts[left], scope), all, e.loc);
  return all;
}

Concrete ConcreteEvaluator::eval_relational(const Expr& e, const ConcreteScope& scope) {
  const auto relation_of = [&](std::size_t part) {
    return to_relation(eval(*e.parts[part], scope), e.parts[part]->loc);
  };
  const auto set_of = [&](std::size_t part) {
    return to_set(eval(*e.parts[part], scope), e.parts[part]->loc);
  };
  if (e.kind == ExprKind::kSequence) {
    BitMatrix made = relation_of(e.parts.size() - 1);
    for (std::size_t i = e.parts.size() - 1; i-- > 0;)
      made = relation_of(i).compose(made);
    return wrap(std::move(made));
  }
  if (e.kind == ExprKind::kProduct)
    return wrap(BitMatrix::product(set_of(0), set_of(1)));
  if (e.kind == ExprKind::kIdentityOn)
    return wrap(BitMatrix::identity_on(set_of(0)));
  const BitMatrix inner = relation_of(0);
  if (e.kind == ExprKind::kStar)
    return wrap(inner.transitive_closure().reflexive_closure());
  if (e.kind == ExprKind::kPlus)
    return wrap(inner.transitive_closure());
  return wrap(e.kind == ExprKind::kOptional ? inner.reflexive_closure() : inner.inverse());
}

Concrete ConcreteEvaluator::eval_apply(const Expr& e, const ConcreteScope& scope) {
  const Concrete function = eval(*e.parts[0], scope);
  return apply(function, eval(*e.parts[1], scope), e.loc);
}

Concrete ConcreteEvaluator::eval_chain(const Expr& e, const ConcreteScope& scope) {
  if (e.kind == ExprKind::kDifference) {
    Concrete made = eval(*e.parts[0], scope);
    for (std::size_t i = 1; i < e.parts.size(); ++i)
      made = combine(e.kind, made, eval(*e.parts[i], scope), e.loc);
    return made;
  }
  Concrete made = eval(*e.parts.back(), scope);
  for (std::size_t i = e.parts.size() - 1; i-- > 0;)
    made = combine(e.kind, eval(*e.parts[i], scope), made, e.loc);
  return made;
}

Concrete ConcreteEvaluator::eval_complement(const Expr& e, const ConcreteScope& scope) {
  const Concrete value = eval(*e.parts[0], scope);
  const bool is_set = value.is<SetPtr>() || value.is<std::size_t>() ||
                      (value.is<Nothing>() && e.parts[0]->kind == ExprKind::kSet);
  if (is_set)
    return wrap(to_set(value, e.loc).complement());
  return wrap(to_relation(value, e.loc).complement());
}

Concrete ConcreteEvaluator::eval_match_tag(const Expr& e, const ConcreteScope& scope) {
  const Concrete value = eval(*e.parts[0], scope);
  if (!value.is<Tag>())
    return fail_kind(e.loc, "a tag to match", value);
  for (std::size_t i = 0; i < e.tags.size(); ++i)
    if (e.tags[i].empty() || e.tags[i] == value.as<Tag>().name)
      return eval(*e.parts[i + 1], scope);
  return fail(e.loc, "CAT-014", "no case for the tag '" + value.as<Tag>().name);
}

Concrete ConcreteEvaluator::eval_match_set(const Expr& e, const ConcreteScope& scope) {
  const Concrete value = eval(*e.parts[0], scope);
  if (is_nothing(value))
    return eval(*e.parts[1], scope);
  Concrete element;
  Concrete rest;
  if (value.is<SetPtr>()) {
    BitSet others = *value.as<SetPtr>();
    const std::size_t first = *others.next(0);
    others.erase(first);
    element = {first};
    rest = wrap(std::move(others));
  } else if (value.is<MatrixPtr>()) {
    BitMatrix others = *value.as<MatrixPtr>();
    const auto [from, to] = others.pairs().front();
    others.erase(from, to);
    element = tuple_of({{from}, {to}});
    rest = wrap(std::move(others));
  } else if (value.is<ConcreteList>()) {
    const std::vector<Concrete>& all = *value.as<ConcreteList>().elements;
    element = all[0];
    rest = list_of({all.begin() + 1, all.end()});
  } else {
    return fail_kind(e.loc, "a set to match", value);
  }
  const std::vector<std::string>& names = e.pattern.names;
  ConcreteScope inner = scope;
  if (names.size() == 3)
    inner = bind(inner, names[0], {Nothing{}});
  inner = bind(inner, names[names.size() - 2], element);
  inner = bind(inner, names.back(), rest);
  return eval(*e.parts[2], inner);
}

bool ConcreteEvaluator::holds(const Condition& condition, const ConcreteScope& scope) {
  switch (condition.kind) {
  case ConditionKind::kVariant:
    return std::find(session_.variants.begin(), session_.variants.end(), condition.name) !=
           session_.variants.end();
  case ConditionKind::kNot:
    return !holds(*condition.conditions[0], scope);
  case ConditionKind::kAnd:
    return std::all_of(condition.conditions.begin(),
                       condition.conditions.end(),
                       [&](const ConditionPtr& part) { return holds(*part, scope); });
  case ConditionKind::kOr:
    return std::any_of(condition.conditions.begin(),
                       condition.conditions.end(),
                       [&](const ConditionPtr& part) { return holds(*part, scope); });
  case ConditionKind::kEqual:
  case ConditionKind::kSubset:
  case ConditionKind::kMember: {
    const Concrete a = eval(*condition.parts[0], scope);
    const Concrete b = eval(*condition.parts[1], scope);
    if (condition.kind == ConditionKind::kEqual)
      return equal(a, b);
    if (condition.kind == ConditionKind::kSubset)
      return is_nothing(combine(ExprKind::kDifference, a, b, condition.loc));
    const std::vector<Concrete> all = elements(b, condition.loc);
    return std::any_of(
        all.begin(), all.end(), [&](const Concrete& element) { return equal(a, element); });
  }
  }
  return false;
}

bool ConcreteEvaluator::holds(const Check& check, const ConcreteScope& scope) {
  const Concrete value = eval(*check.expression, scope);
  bool result = false;
  switch (check.kind) {
  case CheckKind::kEmpty:
    result = is_nothing(value);
    break;
  case CheckKind::kAcyclic:
    result = to_relation(value, check.loc).is_acyclic();
    break;
  case CheckKind::kIrreflexive:
    result = to_relation(value, check.loc).is_irreflexive();
    break;
  }
  return result != check.is_negated;
}

} // namespace heddle::memory::cat
