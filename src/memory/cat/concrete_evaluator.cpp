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

constexpr int kDeepestEvaluation = 4000;

Concrete wrap(BitSet set) {
  return {std::make_shared<const BitSet>(std::move(set))};
}
Concrete wrap(BitMatrix matrix) {
  return {std::make_shared<const BitMatrix>(std::move(matrix))};
}
Concrete tuple_of(std::vector<Concrete> parts) {
  return {ConcreteTuple{std::make_shared<const std::vector<Concrete>>(std::move(parts))}};
}
Concrete list_of(std::vector<Concrete> elements) {
  if (elements.empty())
    return {Nothing{}};
  return {ConcreteList{std::make_shared<const std::vector<Concrete>>(std::move(elements))}};
}
bool is_pair(const Concrete& value) {
  return value.is<ConcreteTuple>() && value.as<ConcreteTuple>().parts->size() == 2 &&
         (*value.as<ConcreteTuple>().parts)[0].is<std::size_t>() &&
         (*value.as<ConcreteTuple>().parts)[1].is<std::size_t>();
}
std::pair<std::size_t, std::size_t> pair_of(const Concrete& value) {
  const std::vector<Concrete>& parts = *value.as<ConcreteTuple>().parts;
  return {parts[0].as<std::size_t>(), parts[1].as<std::size_t>()};
}

} // namespace

void ConcreteEvaluator::fail(SourceLoc loc, const std::string& message) const {
  const std::string file = loc.file < session_.files.size() ? session_.files[loc.file] : "";
  check_failed(
      "the model makes sense on this execution", message, file.c_str(), static_cast<int>(loc.line));
}

Concrete ConcreteEvaluator::force(const Deferred& deferred) {
  const std::pair<const Expr*, const Scope*> key = {deferred.expression, deferred.scope};
  auto known = forced_.find(key);
  if (known == forced_.end()) {
    Concrete value = eval(*deferred.expression, {nullptr, deferred.scope});
    known = forced_.emplace(key, std::move(value)).first;
  }
  if (deferred.projection < 0)
    return known->second;
  const auto part = static_cast<std::size_t>(deferred.projection);
  if (!known->second.is<ConcreteTuple>() || part >= known->second.as<ConcreteTuple>().parts->size())
    fail(deferred.expression->loc, "expected a tuple");
  return (*known->second.as<ConcreteTuple>().parts)[part];
}

Concrete ConcreteEvaluator::from(const Value& value) {
  return std::visit(
      Overloaded{[](const Bad&) -> Concrete {
                   // Loading has refused the model, or it stands in the unused part of a `try`.
                   HEDDLE_CHECK(false, "a definition that failed is used");
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
                     parts.push_back(from(part));
                   return tuple_of(std::move(parts));
                 },
                 [&](const ListedPtr& listed) -> Concrete {
                   Concrete all = {};
                   for (auto element = listed->elements.rbegin();
                        element != listed->elements.rend();
                        ++element)
                     all = add(from(*element), all, {});
                   return all;
                 },
                 [](const ClosurePtr& closure) -> Concrete {
                   return {ConcreteFunction{closure->function, {nullptr, closure->scope}}};
                 },
                 [](const ProcedurePtr&) -> Concrete { return {}; },
                 [&](const DeferredPtr& deferred) -> Concrete { return force(*deferred); }},
      value.content);
}

bool ConcreteEvaluator::is_nothing(const Concrete& value) {
  return value.is<Nothing>() || (value.is<SetPtr>() && value.as<SetPtr>()->empty()) ||
         (value.is<MatrixPtr>() && value.as<MatrixPtr>()->empty());
}

bool ConcreteEvaluator::equal(const Concrete& a, const Concrete& b) {
  if (is_nothing(a) || is_nothing(b))
    return is_nothing(a) && is_nothing(b);
  if (a.is<std::size_t>() && b.is<std::size_t>())
    return a.as<std::size_t>() == b.as<std::size_t>();
  if (a.is<SetPtr>() && b.is<SetPtr>())
    return *a.as<SetPtr>() == *b.as<SetPtr>();
  if (a.is<MatrixPtr>() && b.is<MatrixPtr>())
    return *a.as<MatrixPtr>() == *b.as<MatrixPtr>();
  if (a.is<Tag>() && b.is<Tag>())
    return a.as<Tag>().name == b.as<Tag>().name;
  if (a.is<ConcreteTuple>() && b.is<ConcreteTuple>())
    return std::equal(a.as<ConcreteTuple>().parts->begin(),
                      a.as<ConcreteTuple>().parts->end(),
                      b.as<ConcreteTuple>().parts->begin(),
                      b.as<ConcreteTuple>().parts->end(),
                      equal);
  if (a.is<ConcreteList>() && b.is<ConcreteList>()) {
    const std::vector<Concrete>& first = *a.as<ConcreteList>().elements;
    const std::vector<Concrete>& second = *b.as<ConcreteList>().elements;
    return first.size() == second.size() &&
           std::all_of(first.begin(), first.end(), [&](const Concrete& element) {
             return std::any_of(second.begin(), second.end(), [&](const Concrete& other) {
               return equal(element, other);
             });
           });
  }
  return false;
}

BitSet ConcreteEvaluator::to_set(const Concrete& value, SourceLoc loc) const {
  if (value.is<SetPtr>())
    return *value.as<SetPtr>();
  BitSet made(bound_);
  if (value.is<std::size_t>())
    made.insert(value.as<std::size_t>());
  else if (!is_nothing(value))
    fail(loc, "expected a set of events");
  return made;
}

BitMatrix ConcreteEvaluator::to_relation(const Concrete& value, SourceLoc loc) const {
  if (value.is<MatrixPtr>())
    return *value.as<MatrixPtr>();
  BitMatrix made(bound_);
  if (is_pair(value))
    made.insert(pair_of(value).first, pair_of(value).second);
  else if (!is_nothing(value))
    fail(loc, "expected a relation");
  return made;
}

std::vector<Concrete> ConcreteEvaluator::elements(const Concrete& value, SourceLoc loc) const {
  std::vector<Concrete> all;
  if (value.is<SetPtr>()) {
    for (const std::size_t event : value.as<SetPtr>()->elements())
      all.push_back({event});
  } else if (value.is<MatrixPtr>()) {
    for (const auto& [from, to] : value.as<MatrixPtr>()->pairs())
      all.push_back(tuple_of({{from}, {to}}));
  } else if (value.is<ConcreteList>()) {
    all = *value.as<ConcreteList>().elements;
  } else if (!value.is<Nothing>()) {
    fail(loc, "expected a set");
  }
  return all;
}

Concrete ConcreteEvaluator::add(const Concrete& element, const Concrete& set, SourceLoc loc) const {
  if (element.is<std::size_t>()) {
    BitSet made = to_set(set, loc);
    made.insert(element.as<std::size_t>());
    return wrap(std::move(made));
  }
  if (is_pair(element)) {
    BitMatrix made = to_relation(set, loc);
    made.insert(pair_of(element).first, pair_of(element).second);
    return wrap(std::move(made));
  }
  std::vector<Concrete> all;
  if (set.is<ConcreteList>())
    all = *set.as<ConcreteList>().elements;
  else if (!is_nothing(set))
    fail(loc, "expected a set that can have this element");
  if (std::none_of(
          all.begin(), all.end(), [&](const Concrete& known) { return equal(known, element); }))
    all.insert(all.begin(), element);
  return list_of(std::move(all));
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
  if (!value.is<ConcreteTuple>() || value.as<ConcreteTuple>().parts->size() != pattern.names.size())
    fail(loc, "expected a tuple of " + std::to_string(pattern.names.size()));
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
    inner = bind(inner, binding.pattern.names[0], {});
    made.push_back(&bindings_.back());
  }
  for (std::size_t i = 0; i < bindings.size(); ++i)
    if (bindings[i].value->kind == ExprKind::kFunction)
      made[i]->value = {ConcreteFunction{bindings[i].value.get(), inner}};
  // The rest from empty, first to last, until nothing changes; loading has seen that this ends.
  for (bool changes = true; changes;) {
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
    return from(*value);
  if (const Value* value = find(session_.base, e.name))
    return from(*value);
  fail(e.loc, "nothing is called '" + e.name + "'");
}

Concrete ConcreteEvaluator::eval(const Expr& e, const ConcreteScope& scope) {
  if (depth_ >= kDeepestEvaluation)
    fail(e.loc, "this recursion does not end");
  ++depth_;
  Concrete value = eval_inside(e, scope);
  --depth_;
  return value;
}

Concrete ConcreteEvaluator::eval_inside(const Expr& e, const ConcreteScope& scope) {
  const auto relation_of = [&](std::size_t part) {
    return to_relation(eval(*e.parts[part], scope), e.parts[part]->loc);
  };
  const auto set_of = [&](std::size_t part) {
    return to_set(eval(*e.parts[part], scope), e.parts[part]->loc);
  };
  switch (e.kind) {
  case ExprKind::kName:
    return look_up(e, scope);
  case ExprKind::kTag:
    return {Tag{e.name}};
  case ExprKind::kZero:
    return {Nothing{}};
  case ExprKind::kUniverse:
    return wrap(BitSet::full(bound_));
  case ExprKind::kSet: {
    Concrete all = {};
    for (auto part = e.parts.rbegin(); part != e.parts.rend(); ++part)
      all = add(eval(**part, scope), all, e.loc);
    return all;
  }
  case ExprKind::kTuple: {
    std::vector<Concrete> parts;
    for (const ExprPtr& part : e.parts)
      parts.push_back(eval(*part, scope));
    return tuple_of(std::move(parts));
  }
  case ExprKind::kUnion:
  case ExprKind::kDifference:
  case ExprKind::kIntersection:
    return eval_chain(e, scope);
  case ExprKind::kAdd: {
    Concrete all = eval(*e.parts.back(), scope);
    for (std::size_t i = e.parts.size() - 1; i-- > 0;)
      all = add(eval(*e.parts[i], scope), all, e.loc);
    return all;
  }
  case ExprKind::kSequence: {
    BitMatrix made = relation_of(e.parts.size() - 1);
    for (std::size_t i = e.parts.size() - 1; i-- > 0;)
      made = relation_of(i).compose(made);
    return wrap(std::move(made));
  }
  case ExprKind::kProduct:
    return wrap(BitMatrix::product(set_of(0), set_of(1)));
  case ExprKind::kStar:
    return wrap(relation_of(0).transitive_closure().reflexive_closure());
  case ExprKind::kPlus:
    return wrap(relation_of(0).transitive_closure());
  case ExprKind::kOptional:
    return wrap(relation_of(0).reflexive_closure());
  case ExprKind::kInverse:
    return wrap(relation_of(0).inverse());
  case ExprKind::kIdentityOn:
    return wrap(BitMatrix::identity_on(set_of(0)));
  case ExprKind::kComplement:
    return eval_complement(e, scope);
  case ExprKind::kApply:
    return apply(eval(*e.parts[0], scope), eval(*e.parts[1], scope), e.loc);
  case ExprKind::kFunction:
    return {ConcreteFunction{&e, scope}};
  case ExprKind::kLet:
  case ExprKind::kLetRec:
    return eval(*e.parts[0], bind_all(e.bindings, scope, e.kind == ExprKind::kLetRec));
  case ExprKind::kTry:
    return eval(*e.parts[session_.failing_tries.contains(&e) ? 1 : 0], scope);
  case ExprKind::kIf:
    return eval(*e.parts[holds(*e.condition, scope) ? 0 : 1], scope);
  case ExprKind::kMatchTag:
    return eval_match_tag(e, scope);
  case ExprKind::kMatchSet:
    return eval_match_set(e, scope);
  }
  return {};
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

Concrete
ConcreteEvaluator::combine(ExprKind kind, const Concrete& a, const Concrete& b, SourceLoc loc) {
  if (a.is<SetPtr>() || b.is<SetPtr>() || a.is<std::size_t>() || b.is<std::size_t>()) {
    BitSet made = to_set(a, loc);
    const BitSet other = to_set(b, loc);
    if (kind == ExprKind::kUnion)
      made |= other;
    else if (kind == ExprKind::kIntersection)
      made &= other;
    else
      made -= other;
    return wrap(std::move(made));
  }
  if (a.is<MatrixPtr>() || b.is<MatrixPtr>() || is_pair(a) || is_pair(b)) {
    BitMatrix made = to_relation(a, loc);
    const BitMatrix other = to_relation(b, loc);
    if (kind == ExprKind::kUnion)
      made |= other;
    else if (kind == ExprKind::kIntersection)
      made &= other;
    else
      made -= other;
    return wrap(std::move(made));
  }
  const std::vector<Concrete> first = elements(a, loc);
  const std::vector<Concrete> second = elements(b, loc);
  const auto is_in = [](const std::vector<Concrete>& all, const Concrete& element) {
    return std::any_of(
        all.begin(), all.end(), [&](const Concrete& other) { return equal(element, other); });
  };
  std::vector<Concrete> made;
  for (const Concrete& element : first)
    if (kind == ExprKind::kUnion || is_in(second, element) == (kind == ExprKind::kIntersection))
      made.push_back(element);
  if (kind == ExprKind::kUnion)
    for (const Concrete& element : second)
      if (!is_in(first, element))
        made.push_back(element);
  return list_of(std::move(made));
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
    fail(e.loc, "expected a tag to match");
  for (std::size_t i = 0; i < e.tags.size(); ++i)
    if (e.tags[i].empty() || e.tags[i] == value.as<Tag>().name)
      return eval(*e.parts[i + 1], scope);
  fail(e.loc, "no case for the tag '" + value.as<Tag>().name);
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
    fail(e.loc, "expected a set to match");
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
