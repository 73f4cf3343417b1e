// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions applied on an execution, and the ones that come with the language.
#include "memory/cat/concrete_evaluator.h"

#include <algorithm>

namespace heddle::memory::cat {

using relation::BitMatrix;
using relation::BitSet;

namespace {

/// All total orders of `left` that extend `before`, as relations; `placed` come first.
void extend(const BitMatrix& before,
            BitSet& left,
            BitSet& placed,
            BitMatrix& order,
            std::vector<Concrete>& found) {
  if (left.empty()) {
    found.push_back(wrap(BitMatrix(order)));
    return;
  }
  const std::vector<std::size_t> candidates = left.elements();
  for (const std::size_t next : candidates) {
    const bool is_free = std::none_of(candidates.begin(), candidates.end(), [&](std::size_t other) {
      return before.contains(other, next);
    });
    if (!is_free)
      continue;
    left.erase(next);
    for (const std::size_t earlier : placed.elements())
      order.insert(earlier, next);
    placed.insert(next);
    extend(before, left, placed, order, found);
    placed.erase(next);
    for (const std::size_t earlier : placed.elements())
      order.erase(earlier, next);
    left.insert(next);
  }
}

} // namespace

Concrete
ConcreteEvaluator::apply(const Concrete& function, const Concrete& argument, SourceLoc loc) {
  if (function.is<Primitive>())
    return apply(function.as<Primitive>(), argument, loc);
  if (!function.is<ConcreteFunction>())
    return fail(loc, "CAT-015", describe(function) + " cannot be applied");
  const ConcreteFunction& closure = function.as<ConcreteFunction>();
  return eval(*closure.function->parts[0],
              bind_pattern(closure.scope, closure.function->pattern, argument, loc));
}

Concrete ConcreteEvaluator::apply(Primitive primitive, const Concrete& argument, SourceLoc loc) {
  const auto part = [&](std::size_t which) -> Concrete {
    if (!argument.is<ConcreteTuple>() || argument.as<ConcreteTuple>().parts->size() != 2)
      return fail(loc, "CAT-012", "expected a tuple of 2, found " + describe(argument));
    return (*argument.as<ConcreteTuple>().parts)[which];
  };
  const auto base = [&](std::string known) {
    Expr name;
    name.kind = ExprKind::kName;
    name.name = std::move(known);
    name.loc = loc;
    return look_up(name, {});
  };
  switch (primitive) {
  case Primitive::kDomain:
    return wrap(to_relation(argument, loc).domain());
  case Primitive::kRange:
    return wrap(to_relation(argument, loc).range());
  case Primitive::kClasses:
    return classes(to_relation(argument, loc));
  case Primitive::kClassesLoc:
    return classes_by_location(to_set(argument, loc));
  case Primitive::kLinearisations: {
    // In the order of the tuple: the first part that is wrong is the one reported.
    const BitSet set = to_set(part(0), loc);
    return linearisations(set, to_relation(part(1), loc));
  }
  case Primitive::kBisimulation: {
    const BitMatrix steps = to_relation(part(0), loc);
    return wrap(bisimulation(steps, to_relation(part(1), loc)));
  }
  case Primitive::kTagToEvents: {
    if (!argument.is<Tag>())
      return fail_kind(loc, "a tag", argument);
    if (find(session_.base, "'" + argument.as<Tag>().name) == nullptr)
      return fail(loc, "CAT-010", "no events are known for the tag '" + argument.as<Tag>().name);
    return base("'" + argument.as<Tag>().name);
  }
  case Primitive::kDifferentValues:
    return wrap(to_relation(argument, loc) & to_relation(base("different-values'base"), loc));
  case Primitive::kTagToScope:
  case Primitive::kSameOutput:
  case Primitive::kAtLeastOneWritable:
    break;
  }
  return fail(loc, "CAT-016", "not supported on what depends on the execution");
}

Concrete ConcreteEvaluator::classes(const BitMatrix& relation) const {
  std::vector<Concrete> found;
  BitSet left = relation.domain() | relation.range();
  while (const std::optional<std::size_t> first = left.next(0)) {
    BitSet one = relation.row(*first);
    one.insert(*first);
    left -= one;
    found.push_back(wrap(std::move(one)));
  }
  return list_of(std::move(found));
}

Concrete ConcreteEvaluator::classes_by_location(const BitSet& set) const {
  const BitMatrix& loc = values_.relation(session_.numbers[session_.loc]);
  std::vector<Concrete> found;
  BitSet left = set;
  while (const std::optional<std::size_t> first = left.next(0)) {
    BitSet one = BitSet(loc.row(*first)) & set;
    one.insert(*first);
    left -= one;
    found.push_back(wrap(std::move(one)));
  }
  return list_of(std::move(found));
}

Concrete ConcreteEvaluator::linearisations(const BitSet& set, const BitMatrix& order) const {
  const BitMatrix inside = order.restrict(set, set);
  std::vector<Concrete> found;
  if (!inside.is_acyclic())
    return {Nothing{}};
  BitSet left = set;
  BitSet placed(bound_);
  BitMatrix made(bound_);
  extend(inside, left, placed, made, found);
  return list_of(std::move(found));
}

BitMatrix ConcreteEvaluator::bisimulation(const BitMatrix& steps, BitMatrix equal) const {
  const auto simulates = [&](std::size_t a, std::size_t b, bool is_turned) {
    for (const std::size_t next : steps.row(a).elements()) {
      bool has_match = false;
      for (const std::size_t other : steps.row(b).elements())
        has_match =
            has_match || (is_turned ? equal.contains(other, next) : equal.contains(next, other));
      if (!has_match)
        return false;
    }
    return true;
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto& [a, b] : equal.pairs()) {
      if (!simulates(a, b, false) || !simulates(b, a, true)) {
        equal.erase(a, b);
        changes = true;
      }
    }
  }
  return equal;
}

} // namespace heddle::memory::cat
