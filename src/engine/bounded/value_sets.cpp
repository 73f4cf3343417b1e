// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/value_sets.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::engine::bounded {

using logic::Op;
using logic::Term;

namespace {

/// The arguments whose values are combined; a choice's condition is not one of them.
std::span<const Term> operands(const logic::TermStore& terms, Term term) {
  const std::span<const Term> arguments = terms.arguments(term);
  return terms.node(term).op == Op::kIte ? arguments.subspan(1) : arguments;
}

} // namespace

const std::vector<std::uint64_t>* ValueSets::of(Term term) {
  std::vector<Term> pending{term};
  while (!pending.empty()) {
    const Term at = pending.back();
    if (known_.contains(at)) {
      pending.pop_back();
      continue;
    }
    bool is_ready = true;
    if (!terms_.sort(at).is_bool())
      for (const Term part : operands(terms_, at))
        if (!known_.contains(part)) {
          pending.push_back(part);
          is_ready = false;
        }
    if (!is_ready)
      continue;
    pending.pop_back();
    Set set = compute(at);
    known_.emplace(at, std::move(set));
  }
  const Set& set = known_.at(term);
  return set.is_known ? &set.values : nullptr;
}

ValueSets::Set ValueSets::in_range(Term term) {
  const logic::Range& range = ranges_.range(term);
  Set set;
  if (range.max - range.min >= most_)
    return set;
  set.is_known = true;
  for (std::uint64_t value = range.min;; ++value) {
    if (range.contains(value))
      set.values.push_back(value);
    if (value == range.max)
      return set;
  }
}

ValueSets::Set ValueSets::compute(Term term) {
  const logic::Node& node = terms_.node(term);
  if (node.op == Op::kConstant)
    return {true, {node.value}};
  if (node.sort.is_bool())
    return {true, {0, 1}};
  if (node.op == Op::kVariable)
    return in_range(term);
  const std::span<const Term> parts = operands(terms_, term);
  std::array<const Set*, 2> sets = {};
  if (parts.size() > sets.size())
    return in_range(term);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    sets[i] = &known_.at(parts[i]);
    if (!sets[i]->is_known)
      return in_range(term);
  }
  Set set{true, {}};
  if (node.op == Op::kIte) {
    std::set_union(sets[0]->values.begin(),
                   sets[0]->values.end(),
                   sets[1]->values.begin(),
                   sets[1]->values.end(),
                   std::back_inserter(set.values));
  } else {
    const logic::Sort argument = terms_.sort(parts[0]);
    const std::size_t combinations =
        sets[0]->values.size() * (parts.size() > 1 ? sets[1]->values.size() : 1);
    if (combinations > 4 * most_)
      return in_range(term);
    for (const std::uint64_t a : sets[0]->values) {
      if (parts.size() == 1) {
        set.values.push_back(logic::apply(node.op, node.sort, argument, node.value, std::array{a}));
        continue;
      }
      for (const std::uint64_t b : sets[1]->values)
        set.values.push_back(
            logic::apply(node.op, node.sort, argument, node.value, std::array{a, b}));
    }
    std::sort(set.values.begin(), set.values.end());
    set.values.erase(std::unique(set.values.begin(), set.values.end()), set.values.end());
  }
  return set.values.size() > most_ ? in_range(term) : set;
}

} // namespace heddle::engine::bounded
