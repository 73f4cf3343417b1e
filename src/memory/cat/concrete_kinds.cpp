// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of values on an execution: what can stand for a set, a relation, a list, and what is
// wrong if something cannot.
#include "memory/cat/concrete_evaluator.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::memory::cat {

using relation::BitMatrix;
using relation::BitSet;

namespace {

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

Concrete tuple_of(std::vector<Concrete> parts) {
  return {ConcreteTuple{std::make_shared<const std::vector<Concrete>>(std::move(parts))}};
}

Concrete list_of(std::vector<Concrete> elements) {
  if (elements.empty())
    return {Nothing{}};
  return {ConcreteList{std::make_shared<const std::vector<Concrete>>(std::move(elements))}};
}

std::string ConcreteEvaluator::describe(const Concrete& value) {
  return std::visit(
      Overloaded{
          [](const Nothing&) -> std::string { return "nothing"; },
          [](const std::size_t&) -> std::string { return "an event"; },
          [](const SetPtr&) -> std::string { return "a set of events"; },
          [](const MatrixPtr&) -> std::string { return "a relation"; },
          [](const Tag& tag) -> std::string { return "the tag '" + tag.name; },
          [](const Primitive&) -> std::string { return "a function"; },
          [&](const ConcreteTuple&) -> std::string {
            return is_pair(value)
                       ? "a pair of events"
                       : "a tuple of " + std::to_string(value.as<ConcreteTuple>().parts->size());
          },
          [](const ConcreteList&) -> std::string { return "a set of sets, relations or tags"; },
          [](const ConcreteFunction&) -> std::string { return "a function"; }},
      value.content);
}

Concrete
ConcreteEvaluator::fail(SourceLoc loc, const std::string& code, const std::string& message) const {
  Error error = {ErrorKind::kInput, code, message};
  if (loc.file < session_.files.size())
    error.file = session_.files[loc.file];
  error.line = loc.line;
  error.column = loc.column;
  values_.fail(std::move(error));
  return {};
}

Concrete ConcreteEvaluator::fail_kind(SourceLoc loc,
                                      const std::string& expected,
                                      const Concrete& found) const {
  return fail(loc, "CAT-011", "expected " + expected + ", found " + describe(found));
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
    fail_kind(loc, "a set of events", value);
  return made;
}

BitMatrix ConcreteEvaluator::to_relation(const Concrete& value, SourceLoc loc) const {
  if (value.is<MatrixPtr>())
    return *value.as<MatrixPtr>();
  BitMatrix made(bound_);
  if (is_pair(value))
    made.insert(pair_of(value).first, pair_of(value).second);
  else if (!is_nothing(value))
    fail_kind(loc, "a relation", value);
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
    fail_kind(loc, "a set", value);
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
    return fail_kind(loc, "a set that can have " + describe(element) + " as an element", set);
  if (std::none_of(
          all.begin(), all.end(), [&](const Concrete& known) { return equal(known, element); }))
    all.insert(all.begin(), element);
  return list_of(std::move(all));
}

Concrete ConcreteEvaluator::combine(ExprKind kind,
                                    const Concrete& a,
                                    const Concrete& b,
                                    SourceLoc loc) const {
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

} // namespace heddle::memory::cat
