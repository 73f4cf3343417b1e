// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/choice_classes.h"

#include "logic/term.h"
#include "program/model/action_terms.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace heddle::program {
namespace {

using logic::Op;

/// Locations (with what is known there) up to which it is looked whether values are discarded.
constexpr std::size_t kMostSteps = 200;

class ChoiceClasses {
public:
  ChoiceClasses(const logic::TermStore& terms, const Procedure& procedure)
      : terms_(terms), procedure_(procedure), uses_(procedure.locals.size()) {
    for (const Edge& edge : procedure.edges)
      note_uses(edge.action);
  }

  /// The values that are enough for an edge that chooses one.
  [[nodiscard]] std::vector<std::uint64_t> of(const Edge& edge) const {
    const LocalId local = std::get<Nondet>(edge.action).dest;
    if (std::vector<std::uint64_t> values = of_compared(local); !values.empty())
      return values;
    const unsigned width = procedure_.locals[local].width; // 0: a truth value
    const std::uint64_t mask = width == 0 ? 1 : logic::mask_of(width);
    std::set<std::uint64_t> starts(uses_[local.index()].starts.begin(),
                                   uses_[local.index()].starts.end());
    starts.insert(0);
    std::vector<std::uint64_t> values;
    for (auto start = starts.begin(); start != starts.end(); ++start) {
      const auto next = std::next(start);
      const std::uint64_t last = next == starts.end() ? mask : *next - 1;
      values.push_back(*start);
      if (is_discarded(edge, *start))
        continue;
      if (last - *start >= kMostChoiceClasses - std::min(values.size(), kMostChoiceClasses))
        return {};
      for (std::uint64_t value = *start; value != last;)
        values.push_back(++value);
    }
    return values;
  }

private:
  struct Use {
    bool is_computed_with = false;
    std::vector<std::uint64_t> starts = {};
    std::vector<std::uint32_t> copies = {};
  };
  /// Locals of which it is known on a path what they are.
  using Known = std::map<std::uint64_t, std::uint64_t>;

  /// Where it, and what it is copied to, is only compared.
  [[nodiscard]] std::vector<std::uint64_t> of_compared(LocalId local) const {
    std::set<std::uint64_t> starts = {0}; // of the pieces
    std::set<std::uint32_t> copies = {local.value};
    std::vector<std::uint32_t> pending = {local.value};
    while (!pending.empty()) {
      const Use& use = uses_[pending.back()];
      pending.pop_back();
      if (use.is_computed_with)
        return {};
      starts.insert(use.starts.begin(), use.starts.end());
      for (const std::uint32_t copy : use.copies)
        if (copies.insert(copy).second)
          pending.push_back(copy);
    }
    if (starts.size() > kMostChoiceClasses)
      return {};
    return {starts.begin(), starts.end()};
  }

  /// Does an assumption end every run in which the edge chooses a value of the piece that starts
  /// with `start`, before anything but local steps?
  [[nodiscard]] bool is_discarded(const Edge& edge, std::uint64_t start) const {
    const std::uint64_t local = std::get<Nondet>(edge.action).dest.value;
    std::set<std::pair<LocationId, Known>> seen;
    std::vector<std::pair<LocationId, Known>> pending = {{edge.to, {}}};
    while (!pending.empty()) {
      const auto [location, known] = pending.back();
      pending.pop_back();
      if (!seen.insert({location, known}).second)
        continue;
      if (seen.size() > kMostSteps || procedure_.locations[location].out.empty())
        return false;
      for (const std::uint32_t index : procedure_.locations[location].out) {
        const Edge& next = procedure_.edges[index];
        Known after = known;
        if (const auto* assume = std::get_if<Assume>(&next.action)) {
          if (value_of(assume->condition, local, start, known) == 0)
            continue;
        } else if (const auto* assign = std::get_if<Assign>(&next.action)) {
          const auto value = value_of(assign->value, local, start, known);
          after.erase(assign->dest.value);
          if (value)
            after[assign->dest.value] = *value;
          if (assign->dest.value == local)
            return false;
        } else if (!std::holds_alternative<Skip>(next.action)) {
          return false;
        }
        pending.emplace_back(next.to, std::move(after));
      }
    }
    return true;
  }

  /// If it is the same for all values of the piece.
  [[nodiscard]] std::optional<std::uint64_t>
  value_of(Term term, std::uint64_t local, std::uint64_t start, const Known& known) const {
    for (const std::uint64_t variable : terms_.variables(term))
      if (variable == local ? !is_only_compared(term, local) : !known.contains(variable))
        return std::nullopt;
    return terms_.evaluate(
        term, [&](std::uint64_t number) { return number == local ? start : known.at(number); });
  }

  [[nodiscard]] bool is_only_compared(Term whole, std::uint64_t local) const {
    std::set<Term> seen;
    std::vector<Term> pending = {whole};
    while (!pending.empty()) {
      const Term term = pending.back();
      pending.pop_back();
      if (!seen.insert(term).second || comparison(term))
        continue;
      if (terms_.node(term).op == Op::kVariable && terms_.node(term).value == local)
        return false;
      for (const Term argument : terms_.arguments(term))
        pending.push_back(argument);
    }
    return true;
  }

  void note_uses(const Action& action) {
    if (const auto* assign = std::get_if<Assign>(&action)) {
      note_assignment(*assign);
    } else if (const auto* sequence = std::get_if<AssignSequence>(&action)) {
      for (const Assign& part : sequence->assignments)
        note_assignment(part);
    } else {
      for (const Term term : terms_of(action))
        note_term(term);
    }
  }

  void note_assignment(const Assign& assign) {
    const logic::Node& node = terms_.node(assign.value);
    if (node.op == Op::kVariable && node.value != kSelfVariable)
      uses_[node.value].copies.push_back(assign.dest.value);
    else
      note_term(assign.value);
  }

  void note_term(Term whole) {
    std::set<Term> seen;
    std::vector<Term> pending = {whole};
    while (!pending.empty()) {
      const Term term = pending.back();
      pending.pop_back();
      if (!seen.insert(term).second || note_comparison(term))
        continue;
      const logic::Node& node = terms_.node(term);
      if (node.op == Op::kVariable && node.value != kSelfVariable)
        uses_[node.value].is_computed_with = true;
      for (const Term argument : terms_.arguments(term))
        pending.push_back(argument);
    }
  }

  struct Comparison {
    std::uint64_t local = 0;
    unsigned width = 0;
    std::uint64_t constant = 0;
    Op op = Op::kEqual;
    bool is_left = false; // the local
  };
  /// Of a local with a constant.
  [[nodiscard]] std::optional<Comparison> comparison(Term term) const {
    const Op op = terms_.node(term).op;
    if (op != Op::kEqual && op != Op::kULt && op != Op::kULe && op != Op::kSLt && op != Op::kSLe)
      return std::nullopt;
    const Term left = terms_.arguments(term)[0];
    const Term right = terms_.arguments(term)[1];
    const bool is_left = terms_.is_constant(right);
    const logic::Node& variable = terms_.node(is_left ? left : right);
    const logic::Node& constant = terms_.node(is_left ? right : left);
    if (variable.op != Op::kVariable || variable.value == kSelfVariable ||
        constant.op != Op::kConstant || variable.sort.is_bool())
      return std::nullopt;
    return Comparison{variable.value, variable.sort.width, constant.value, op, is_left};
  }

  bool note_comparison(Term term) {
    const std::optional<Comparison> found = comparison(term);
    if (!found)
      return false;
    const std::uint64_t mask = logic::mask_of(found->width);
    std::vector<std::uint64_t>& starts = uses_[found->local].starts;
    const auto cut_before = [&](std::uint64_t value) { starts.push_back(value & mask); };
    // x < c and c <= x change at c; x <= c and c < x after it.
    const bool is_strict = found->op == Op::kULt || found->op == Op::kSLt;
    if (found->op == Op::kEqual || is_strict == found->is_left)
      cut_before(found->constant);
    if (found->op == Op::kEqual || is_strict != found->is_left)
      cut_before(found->constant + 1); // 0 after the largest, where a piece starts anyway
    if (found->op == Op::kSLt || found->op == Op::kSLe)
      cut_before((mask >> 1U) + 1); // the least of the negative numbers
    return true;
  }

  const logic::TermStore& terms_;
  const Procedure& procedure_;
  std::vector<Use> uses_; // by local
};

} // namespace

std::vector<std::vector<std::uint64_t>> choice_classes(const logic::TermStore& terms,
                                                       const Procedure& procedure) {
  std::vector<std::vector<std::uint64_t>> result(procedure.edges.size());
  std::optional<ChoiceClasses> classes;
  for (std::size_t i = 0; i < procedure.edges.size(); ++i)
    if (std::holds_alternative<Nondet>(procedure.edges[i].action)) {
      if (!classes)
        classes.emplace(terms, procedure);
      result[i] = classes->of(procedure.edges[i]);
    }
  return result;
}

} // namespace heddle::program
