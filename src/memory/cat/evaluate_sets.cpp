// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Expressions on sets of any kind, and conditions.
#include "memory/cat/evaluate.h"

#include <algorithm>

namespace heddle::memory::cat {

Value Evaluator::eval_set(const Expr& e, const Scope* scope) {
  if (e.parts.empty())
    return {Nothing{}};
  auto listed = std::make_shared<Listed>();
  bool is_deferred = false;
  for (const ExprPtr& part : e.parts) {
    Value value = eval(*part, scope);
    if (value.is<Bad>())
      return value;
    is_deferred = is_deferred || value.is<DeferredPtr>() || value.is<TuplePtr>();
    bool is_new = true;
    for (const Value& element : listed->elements)
      is_new = is_new && !equal_values(element, value).value_or(false);
    if (is_new)
      listed->elements.push_back(std::move(value));
  }
  if (is_deferred)
    return defer(e, scope);
  return {ListedPtr(std::move(listed))};
}

std::optional<Value> Evaluator::combine_lists(ExprKind kind, const Value& a, const Value& b) {
  std::vector<Value> first;
  std::vector<Value> second;
  if (a.is<ListedPtr>())
    first = a.as<ListedPtr>()->elements;
  if (b.is<ListedPtr>())
    second = b.as<ListedPtr>()->elements;
  auto made = std::make_shared<Listed>();
  if (kind == ExprKind::kUnion) {
    made->elements = first;
    for (const Value& element : second)
      if (std::none_of(first.begin(), first.end(), [&](const Value& known) {
            return equal_values(known, element).value_or(false);
          }))
        made->elements.push_back(element);
  } else {
    for (const Value& element : first) {
      bool is_there = false;
      for (const Value& other : second) {
        const std::optional<bool> same = equal_values(element, other);
        if (!same)
          return std::nullopt;
        is_there = is_there || *same;
      }
      if (is_there == (kind == ExprKind::kIntersection))
        made->elements.push_back(element);
    }
  }
  if (made->elements.empty())
    return Value{Nothing{}};
  return Value{ListedPtr(std::move(made))};
}

Value Evaluator::eval_chain(const Expr& e, const Scope* scope) {
  std::vector<Value> parts;
  bool has_node = false;
  bool has_list = false;
  bool has_deferred = false;
  bool is_set = false;
  for (const ExprPtr& part : e.parts) {
    parts.push_back(eval(*part, scope));
    const Value& value = parts.back();
    if (value.is<NodeId>()) {
      if (!has_node)
        is_set = builder_.is_set(value.as<NodeId>());
      has_node = true;
    }
    has_list = has_list || value.is<ListedPtr>();
    has_deferred = has_deferred || value.is<DeferredPtr>();
  }
  for (const Value& value : parts)
    if (value.is<Bad>())
      return value;
  if (has_node && !has_list) {
    // All of one kind, which the first node says.
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const SourceLoc loc = e.parts[i]->loc;
      const std::optional<NodeId> node =
          is_set ? to_set(parts[i], loc) : to_relation(parts[i], loc);
      if (!node)
        return {Bad{}};
      nodes.push_back(*node);
    }
    if (e.kind == ExprKind::kDifference) {
      NodeId made = nodes[0];
      for (std::size_t i = 1; i < nodes.size(); ++i)
        made = builder_.subtract(made, nodes[i]);
      return {made};
    }
    NodeId made = nodes.back();
    for (std::size_t i = nodes.size() - 1; i-- > 0;)
      made = e.kind == ExprKind::kUnion ? builder_.unite(nodes[i], made)
                                        : builder_.intersect(nodes[i], made);
    return {made};
  }
  if (has_deferred)
    return defer(e, scope);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is<ListedPtr>() && !parts[i].is<Nothing>()) {
      complain(e.parts[i]->loc,
               "CAT-011",
               "expected a set" + std::string(has_list ? " of such elements" : " or a relation") +
                   ", found " + describe(parts[i], builder_));
      return {Bad{}};
    }
  }
  Value made = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::optional<Value> next = combine_lists(e.kind, made, parts[i]);
    if (!next)
      return defer(e, scope);
    made = std::move(*next);
  }
  return made;
}

Value Evaluator::eval_add(const Expr& e, const Scope* scope) {
  std::vector<Value> parts;
  for (const ExprPtr& part : e.parts) {
    parts.push_back(eval(*part, scope));
    if (parts.back().is<Bad>())
      return {Bad{}};
  }
  for (const Value& value : parts)
    if (value.is<DeferredPtr>() || value.is<TuplePtr>())
      return defer(e, scope);
  auto made = std::make_shared<Listed>();
  if (parts.back().is<ListedPtr>()) {
    made->elements = parts.back().as<ListedPtr>()->elements;
  } else if (!parts.back().is<Nothing>()) {
    complain(e.parts.back()->loc,
             "CAT-011",
             "expected a set to add to, found " + describe(parts.back(), builder_));
    return {Bad{}};
  }
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    const bool is_there =
        std::any_of(made->elements.begin(), made->elements.end(), [&](const Value& element) {
          return equal_values(element, parts[i]).value_or(false);
        });
    if (!is_there)
      made->elements.insert(made->elements.begin(), parts[i]);
  }
  return {ListedPtr(std::move(made))};
}

Value Evaluator::eval_match_set(const Expr& e, const Scope* scope) {
  const Value value = eval(*e.parts[0], scope);
  if (value.is<Bad>())
    return value;
  const bool is_empty =
      value.is<Nothing>() || (value.is<NodeId>() && builder_.is_empty(value.as<NodeId>()));
  if (is_empty)
    return eval(*e.parts[1], scope);
  if (value.is<DeferredPtr>() || value.is<NodeId>())
    return defer(e, scope);
  if (!value.is<ListedPtr>()) {
    complain(e.loc, "CAT-011", "expected a set to match, found " + describe(value, builder_));
    return {Bad{}};
  }
  const std::vector<Value>& elements = value.as<ListedPtr>()->elements;
  Value rest = {Nothing{}};
  if (elements.size() > 1) {
    auto others = std::make_shared<Listed>();
    others->elements.assign(elements.begin() + 1, elements.end());
    rest = {ListedPtr(std::move(others))};
  }
  const std::vector<std::string>& names = e.pattern.names;
  const Scope* inner = scope;
  if (names.size() == 3)
    inner = bind(inner, names[0], {Nothing{}});
  inner = bind(inner, names[names.size() - 2], elements[0]);
  inner = bind(inner, names.back(), rest);
  return eval(*e.parts[2], inner);
}

std::optional<bool> Evaluator::equal_values(const Value& a, const Value& b) {
  const auto is_nothing = [&](const Value& value) {
    return value.is<Nothing>() || (value.is<NodeId>() && builder_.is_empty(value.as<NodeId>()));
  };
  if (is_nothing(a) && is_nothing(b))
    return true;
  if (a.is<Tag>() && b.is<Tag>())
    return a.as<Tag>().name == b.as<Tag>().name;
  if (a.is<NodeId>() && b.is<NodeId>() && a.as<NodeId>() == b.as<NodeId>())
    return true;
  if (a.is<ListedPtr>() && (b.is<ListedPtr>() || b.is<Nothing>())) {
    const std::vector<Value>& first = a.as<ListedPtr>()->elements;
    const std::vector<Value> second =
        b.is<Nothing>() ? std::vector<Value>{} : b.as<ListedPtr>()->elements;
    const auto all_in = [&](const std::vector<Value>& some,
                            const std::vector<Value>& others) -> std::optional<bool> {
      for (const Value& element : some) {
        bool is_there = false;
        bool is_known = true;
        for (const Value& other : others) {
          const std::optional<bool> same = equal_values(element, other);
          is_known = is_known && same.has_value();
          is_there = is_there || same.value_or(false);
        }
        if (!is_there)
          return is_known ? std::optional(false) : std::nullopt;
      }
      return true;
    };
    const std::optional<bool> forward = all_in(first, second);
    const std::optional<bool> backward = all_in(second, first);
    if (!forward || !backward)
      return std::nullopt;
    return *forward && *backward;
  }
  if (b.is<ListedPtr>() && a.is<Nothing>())
    return equal_values(b, a);
  return std::nullopt;
}

std::optional<bool> Evaluator::holds(const Condition& condition, const Scope* scope) {
  switch (condition.kind) {
  case ConditionKind::kVariant:
    return options_.variants.contains(condition.name);
  case ConditionKind::kNot: {
    const std::optional<bool> part = holds(*condition.conditions[0], scope);
    return part ? std::optional(!*part) : std::nullopt;
  }
  case ConditionKind::kAnd:
  case ConditionKind::kOr: {
    const bool decisive = condition.kind == ConditionKind::kOr;
    bool is_known = true;
    for (const ConditionPtr& part : condition.conditions) {
      const std::optional<bool> value = holds(*part, scope);
      if (value && *value == decisive)
        return decisive;
      is_known = is_known && value.has_value();
    }
    return is_known ? std::optional(!decisive) : std::nullopt;
  }
  case ConditionKind::kEqual:
  case ConditionKind::kSubset:
  case ConditionKind::kMember: {
    const Value a = eval(*condition.parts[0], scope);
    const Value b = eval(*condition.parts[1], scope);
    if (a.is<Bad>() || b.is<Bad>())
      return false;
    if (condition.kind == ConditionKind::kEqual)
      return equal_values(a, b);
    if (condition.kind == ConditionKind::kSubset) {
      if (a.is<Nothing>())
        return true;
      if (!a.is<ListedPtr>() || !(b.is<ListedPtr>() || b.is<Nothing>()))
        return std::nullopt;
      const std::optional<Value> rest = combine_lists(ExprKind::kDifference, a, b);
      return rest ? std::optional(rest->is<Nothing>()) : std::nullopt;
    }
    if (b.is<Nothing>())
      return false;
    if (!b.is<ListedPtr>())
      return std::nullopt;
    bool is_known = true;
    for (const Value& element : b.as<ListedPtr>()->elements) {
      const std::optional<bool> same = equal_values(a, element);
      if (same.value_or(false))
        return true;
      is_known = is_known && same.has_value();
    }
    return is_known ? std::optional(false) : std::nullopt;
  }
  }
  return std::nullopt;
}

} // namespace heddle::memory::cat
