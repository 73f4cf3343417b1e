// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "logic/arrays.h"

#include "support/check.h"

#include <set>

namespace heddle::logic {

Arrays::Arrays(TermStore& terms, Fresh fresh) : terms_(terms), fresh_(std::move(fresh)) {}

Array Arrays::made(const ArrayNode& node) {
  const auto [known, is_new] = known_.try_emplace(node);
  if (is_new)
    known->second = nodes_.push_back(node);
  return known->second;
}

Array Arrays::symbol(ArraySort sort) {
  HEDDLE_CHECK(!sort.index.is_bool(), "an index is a bit-vector");
  return nodes_.push_back({.kind = ArrayNode::Kind::kSymbol, .sort = sort});
}

Array Arrays::constant(Sort index, Term value) {
  HEDDLE_CHECK(!index.is_bool(), "an index is a bit-vector");
  return made(
      {.kind = ArrayNode::Kind::kConstant, .sort = {index, terms_.sort(value)}, .value = value});
}

Array Arrays::store(Array array, Term index, Term value, Term when) {
  const ArraySort of = sort(array);
  HEDDLE_CHECK(terms_.sort(index) == of.index && terms_.sort(value) == of.value,
               "a store of another sort than the array's");
  if (when == terms_.boolean(false))
    return array;
  // What this one always replaces is not looked at again.
  while (when == terms_.boolean(true) && nodes_[array].kind == ArrayNode::Kind::kStore &&
         nodes_[array].index == index)
    array = nodes_[array].base;
  return made({.kind = ArrayNode::Kind::kStore,
               .sort = of,
               .base = array,
               .condition = when,
               .index = index,
               .value = value});
}

Array Arrays::ite(Term condition, Array a, Array b) {
  HEDDLE_CHECK(sort(a) == sort(b), "a choice between arrays of two sorts");
  if (a == b || condition == terms_.boolean(true))
    return a;
  if (condition == terms_.boolean(false))
    return b;
  return made({.kind = ArrayNode::Kind::kIte,
               .sort = sort(a),
               .base = a,
               .other = b,
               .condition = condition});
}

/// Chains of stores are as long as runs, so nothing recurses; and what was selected from a part of
/// a chain is not gone through again from a longer one.
Term Arrays::select(Array array, Term index) {
  HEDDLE_CHECK(terms_.sort(index) == sort(array).index, "an index of another sort");
  std::vector<Array> open = {array};
  while (!open.empty()) {
    const Array current = open.back();
    if (selected_.contains({current, index})) {
      open.pop_back();
      continue;
    }
    if (const Term found = select_from(current, index, open); found.is_valid()) {
      selected_.emplace(std::pair{current, index}, found);
      open.pop_back();
    }
  }
  return selected_.at({array, index});
}

Term Arrays::select_from(Array array, Term index, std::vector<Array>& missing) {
  const ArrayNode node = nodes_[array];
  const auto known = [&](Array part) {
    const auto found = selected_.find({part, index});
    if (found != selected_.end())
      return found->second;
    missing.push_back(part);
    return Term{};
  };
  switch (node.kind) {
  case ArrayNode::Kind::kSymbol:
    return element(array, index);
  case ArrayNode::Kind::kConstant:
    return node.value;
  case ArrayNode::Kind::kStore: {
    const Term is_it = terms_.and_(node.condition, terms_.equal(node.index, index));
    if (is_it == terms_.boolean(true))
      return node.value;
    const Term before = known(node.base);
    return before.is_valid() ? terms_.ite(is_it, node.value, before) : Term{};
  }
  case ArrayNode::Kind::kIte: {
    const Term a = known(node.base);
    const Term b = known(node.other);
    return a.is_valid() && b.is_valid() ? terms_.ite(node.condition, a, b) : Term{};
  }
  }
  HEDDLE_CHECK(false, "an array of another kind");
}

Term Arrays::element(Array symbol, Term index) {
  const std::size_t before = terms_.size();
  const Term variable = fresh_(sort(symbol).value);
  HEDDLE_CHECK(variable.index() == before && terms_.node(variable).op == Op::kVariable &&
                   terms_.sort(variable) == sort(symbol).value,
               "an element is a variable that was not there before");
  const bool is_new = by_number_.emplace(terms_.node(variable).value, selects_.size()).second;
  HEDDLE_CHECK(is_new, "two elements have one number");
  selects_.push_back({symbol, index, variable});
  return variable;
}

const Select* Arrays::find(std::uint64_t number, Sort sort) const {
  const auto found = by_number_.find(number);
  if (found == by_number_.end() || terms_.sort(selects_[found->second].variable) != sort)
    return nullptr;
  return &selects_[found->second];
}

const Select* Arrays::select_of(Term variable) const {
  const Node& node = terms_.node(variable);
  return node.op == Op::kVariable ? find(node.value, node.sort) : nullptr;
}

std::vector<std::size_t> Arrays::elements_in(Term term) const {
  std::set<std::size_t> found;
  std::vector<Term> open = {term};
  while (!open.empty()) {
    const std::vector<std::uint64_t> numbers = terms_.variables(open.back());
    open.pop_back();
    for (const std::uint64_t number : numbers)
      if (const auto element = by_number_.find(number);
          element != by_number_.end() && found.insert(element->second).second)
        open.push_back(selects_[element->second].index);
  }
  return {found.begin(), found.end()};
}

Term Arrays::substitute(Term term, const Replacement& variables, const SymbolReplacement& symbols) {
  std::unordered_map<std::uint64_t, Term> elements; // by number
  const auto replacement = [&](std::uint64_t number, Sort sort) {
    return find(number, sort) != nullptr ? elements.at(number) : variables(number, sort);
  };
  // An index contains only elements that are older.
  for (const std::size_t i : elements_in(term)) {
    const Select old = selects_[i];
    const Array other = symbols ? symbols(old.symbol) : Array{};
    const Term index = terms_.substitute(old.index, replacement);
    elements[terms_.node(old.variable).value] =
        select(other.is_valid() ? other : old.symbol, index);
  }
  return terms_.substitute(term, replacement);
}

} // namespace heddle::logic
