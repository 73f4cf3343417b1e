// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/terms.h"

#include "logic/bit_blast_circuits.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>

namespace heddle::solve {

using logic::Op;

namespace {

/// Of terms in what is required for good: they need not be gone through again.
constexpr std::uint32_t kAlways = ~0U;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t conflicts_left(const Limits& limits, std::uint64_t used) {
  return limits.conflicts == kNoLimit ? kNoLimit
                                      : limits.conflicts - std::min(used, limits.conflicts);
}

} // namespace

TermSolver::TermSolver(const logic::TermStore& terms,
                       std::unique_ptr<Sat> sat,
                       const logic::Arrays* arrays)
    : terms_(terms), arrays_(arrays), sat_(std::move(sat)), gates_(*sat_), blaster_(terms, gates_) {
}

void TermSolver::forget() {
  answer_.reset();
  failed_.clear();
  exhausted_.reset();
}

void TermSolver::require(Term fact) {
  forget();
  if (!scopes_.empty()) {
    scopes_.back().facts.push_back(fact);
    gates_.require_any(std::array{~scopes_.back().is_open, blaster_.literal(fact)});
    return;
  }
  look_for_elements(fact, kAlways, required_elements_);
  blaster_.require(fact);
}

void TermSolver::push() {
  forget();
  scopes_.push_back({gates_.fresh(), {}});
}

void TermSolver::pop() {
  forget();
  HEDDLE_CHECK(!scopes_.empty(), "a scope ends that was not begun");
  gates_.require(~scopes_.back().is_open);
  scopes_.pop_back();
}

Answer TermSolver::check(std::span<const Term> assumptions, const Limits& limits) {
  forget();
  ++statistics_.checks;
  std::vector<Literal> literals;
  for (const Scope& scope : scopes_) {
    if (gates_.is_false(scope.is_open)) // what is required in it cannot hold
      return *(answer_ = Answer::kUnsatisfiable);
    literals.push_back(scope.is_open);
  }
  std::vector<std::pair<Literal, Term>> assumed; // each literal once
  std::unordered_set<Literal> known;
  for (const Term term : assumptions) {
    const Literal literal = blaster_.literal(term);
    if (gates_.is_false(literal)) {
      failed_ = {term};
      return *(answer_ = Answer::kUnsatisfiable);
    }
    if (gates_.is_true(literal) || !known.insert(literal).second)
      continue;
    literals.push_back(literal);
    assumed.emplace_back(literal, term);
  }
  answer_ = decide(literals, elements_of(assumptions), limits);
  if (answer_ == Answer::kUnsatisfiable) {
    const std::unordered_set<Literal> failed(sat_->failed().begin(), sat_->failed().end());
    for (const auto& [literal, term] : assumed)
      if (failed.contains(literal))
        failed_.push_back(term);
  }
  return *answer_;
}

/// Each round excludes two values of two elements that are in the question, of which there are
/// finitely many pairs.
Answer TermSolver::decide(std::span<const Literal> literals,
                          std::span<const Term> elements,
                          const Limits& limits) {
  const bool counts = !elements.empty() && limits.conflicts != kNoLimit;
  const std::uint64_t before = counts ? sat_->statistics().conflicts : 0;
  Limits left = limits;
  for (;;) {
    ++statistics_.solved;
    const Answer answer = sat_->solve(literals, left);
    if (answer == Answer::kUnknown) {
      if (limits.budget != nullptr)
        exhausted_ = limits.budget->exhausted(sat_->statistics().memory_bytes);
      // What the solver had too much of it may have given back.
      if (!exhausted_ && limits.conflicts == kNoLimit)
        exhausted_ = Exhausted::kMemory;
      return answer;
    }
    if (answer == Answer::kUnsatisfiable || is_congruent(elements))
      return answer;
    if (!counts)
      continue;
    left.conflicts = conflicts_left(limits, sat_->statistics().conflicts - before);
    if (left.conflicts == 0)
      return Answer::kUnknown;
  }
}

std::optional<Exhausted> TermSolver::exhausted() const {
  HEDDLE_CHECK(answer_ == Answer::kUnknown, "why there is no answer is asked where there is one");
  return exhausted_;
}

std::span<const Term> TermSolver::failed() const {
  HEDDLE_CHECK(answer_ == Answer::kUnsatisfiable, "failed terms are asked for that are not there");
  return failed_;
}

/// Deletion: each term is tried once, last first. What is needed in a set is needed in its subsets,
/// so that a set in which all were tried is minimal.
TermCore TermSolver::minimal_core(const Limits& limits) {
  HEDDLE_CHECK(answer_ == Answer::kUnsatisfiable, "a core is asked for that is not there");
  TermCore core{failed_, true};
  const std::uint64_t before = sat_->statistics().conflicts;
  std::size_t needed = 0; // so many at the end
  while (needed < core.terms.size()) {
    std::vector<Term> others = core.terms;
    others.erase(others.end() - static_cast<std::ptrdiff_t>(needed) - 1);
    const std::uint64_t left = conflicts_left(limits, sat_->statistics().conflicts - before);
    const Answer answer = left == 0 ? Answer::kUnknown : check(others, Limits{limits.budget, left});
    if (answer == Answer::kUnknown) {
      core.is_minimal = false;
      break;
    }
    if (answer == Answer::kSatisfiable)
      ++needed;
    else
      core.terms = failed_;
  }
  forget();
  answer_ = Answer::kUnsatisfiable;
  failed_ = core.terms;
  return core;
}

void TermSolver::look_for_elements(Term root, std::uint32_t visit, std::vector<Term>& found) {
  if (arrays_ == nullptr)
    return;
  for (std::size_t i = has_elements_.size(); i < terms_.size(); ++i) { // arguments are older
    const Term term{i};
    has_elements_.push_back(arrays_->select_of(term) != nullptr ||
                            std::ranges::any_of(terms_.arguments(term), [&](Term argument) {
                              return has_elements_[argument.index()];
                            }));
  }
  seen_.resize(terms_.size(), 0);
  std::vector<Term> open = {root};
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    std::uint32_t& seen = seen_[term.index()];
    if (!has_elements_[term.index()] || seen == kAlways || seen == visit)
      continue;
    seen = visit;
    if (const logic::Select* select = arrays_->select_of(term)) {
      found.push_back(term);
      open.push_back(select->index);
    }
    const std::span<const Term> arguments = terms_.arguments(term);
    open.insert(open.end(), arguments.begin(), arguments.end());
  }
}

std::vector<Term> TermSolver::elements_of(std::span<const Term> assumptions) {
  std::vector<Term> found = required_elements_;
  ++visit_;
  for (const Scope& scope : scopes_)
    for (const Term fact : scope.facts)
      look_for_elements(fact, visit_, found);
  for (const Term term : assumptions)
    look_for_elements(term, visit_, found);
  std::ranges::sort(found);
  return found;
}

bool TermSolver::is_congruent(std::span<const Term> elements) {
  ++model_;
  cells_.clear();
  std::vector<std::pair<Term, Term>> different;
  for (const Term element : elements) {
    const logic::Select& select = *arrays_->select_of(element);
    // Whatever the index contains is older, so it has its value.
    const std::pair at{select.symbol, value_of(select.index)};
    const auto known = cells_.find(at);
    const std::uint64_t value =
        translated_value(element).value_or(known == cells_.end() ? 0 : known->second.value);
    set_value(element, value);
    if (known == cells_.end())
      cells_.emplace(at, Cell{element, value});
    else if (known->second.value != value)
      different.emplace_back(known->second.variable, element);
  }
  for (const auto& [a, b] : different)
    make_congruent(*arrays_->select_of(a), *arrays_->select_of(b));
  return different.empty();
}

std::vector<Literal> TermSolver::literals_of(Term term) {
  if (terms_.sort(term).is_bool())
    return {blaster_.literal(term)};
  const std::span<const Literal> bits = blaster_.bits(term);
  return {bits.begin(), bits.end()};
}

void TermSolver::make_congruent(const logic::Select& a, const logic::Select& b) {
  ++statistics_.congruences;
  const std::span<const Literal> index_of_a = blaster_.bits(a.index);
  const std::span<const Literal> index_of_b = blaster_.bits(b.index);
  const Literal is_one_index = logic::circuit_equal(gates_, index_of_a, index_of_b);
  const std::vector<Literal> of_a = literals_of(a.variable);
  const std::vector<Literal> of_b = literals_of(b.variable);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    gates_.require_any(std::array{~is_one_index, ~of_a[i], of_b[i]});
    gates_.require_any(std::array{~is_one_index, of_a[i], ~of_b[i]});
  }
}

std::uint64_t TermSolver::value(Term term) {
  HEDDLE_CHECK(answer_ == Answer::kSatisfiable, "a value is asked for where there is no model");
  return value_of(term);
}

/// From the variables up: what was translated and what was not have one value then, also where
/// elements that the question is not about are what the model holds at their indices.
std::uint64_t TermSolver::value_of(Term term) {
  std::vector<Term> open = {term};
  while (!open.empty()) {
    const Term current = open.back();
    const std::size_t before = open.size();
    const auto need = [&](Term part) {
      if (!has_value(part))
        open.push_back(part);
    };
    if (!has_value(current)) {
      for (const Term argument : terms_.arguments(current))
        need(argument);
      if (const logic::Select* select = select_of(current))
        need(select->index);
    }
    if (open.size() != before)
      continue;
    if (!has_value(current))
      set_value(current, computed_value(current));
    open.pop_back();
  }
  return values_[term.index()];
}

std::optional<std::uint64_t> TermSolver::translated_value(Term variable) const {
  return blaster_.value(variable, [this](Literal literal) { return sat_->value(literal); });
}

std::uint64_t TermSolver::computed_value(Term term) const {
  const logic::Node& node = terms_.node(term);
  if (node.op == Op::kConstant)
    return node.value;
  if (const logic::Select* select = select_of(term)) {
    const auto cell = cells_.find({select->symbol, values_[select->index.index()]});
    return cell == cells_.end() ? 0 : cell->second.value;
  }
  if (node.op == Op::kVariable)
    return translated_value(term).value_or(0);
  const std::span<const Term> arguments = terms_.arguments(term);
  std::array<std::uint64_t, 3> values{};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    values[i] = values_[arguments[i].index()];
  return logic::apply(node.op,
                      node.sort,
                      terms_.sort(arguments.front()),
                      node.value,
                      std::span(values).first(arguments.size()));
}

bool TermSolver::has_value(Term term) const {
  return term.index() < models_.size() && models_[term.index()] == model_;
}

void TermSolver::set_value(Term term, std::uint64_t value) {
  if (models_.size() <= term.index()) {
    models_.resize(terms_.size(), 0);
    values_.resize(terms_.size(), 0);
  }
  models_[term.index()] = model_;
  values_[term.index()] = value;
}

const logic::Select* TermSolver::select_of(Term term) const {
  return arrays_ == nullptr ? nullptr : arrays_->select_of(term);
}

std::map<std::uint64_t, std::uint64_t> TermSolver::content(logic::Array symbol) const {
  HEDDLE_CHECK(answer_ == Answer::kSatisfiable, "a content is asked for where there is no model");
  std::map<std::uint64_t, std::uint64_t> result;
  for (const auto& [at, cell] : cells_)
    if (at.first == symbol)
      result.emplace(at.second, cell.value);
  return result;
}

bool TermSolver::is_mentioned(Term variable) const {
  return blaster_.is_translated(variable);
}

TermStatistics TermSolver::statistics() const {
  TermStatistics result = statistics_;
  result.variables = sat_->variable_count();
  result.clauses = gates_.clause_count();
  result.conflicts = sat_->statistics().conflicts;
  return result;
}

} // namespace heddle::solve
