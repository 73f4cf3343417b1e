// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/choice_classes.h"

#include "logic/term.h"
#include "program/action_terms.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace heddle::program {
namespace {

using logic::Op;

class ChoiceClasses {
public:
  ChoiceClasses(const logic::TermStore& terms, const Procedure& procedure)
      : terms_(terms), uses_(procedure.locals.size()) {
    for (const Edge& edge : procedure.edges)
      note_uses(edge.action);
  }

  [[nodiscard]] std::vector<std::uint64_t> of(LocalId local) const {
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
    return {starts.begin(), starts.end()};
  }

private:
  struct Use {
    bool is_computed_with = false;
    std::vector<std::uint64_t> starts = {};
    std::vector<std::uint32_t> copies = {};
  };

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

  /// Is it a comparison of a local with a constant?
  bool note_comparison(Term term) {
    const Op op = terms_.node(term).op;
    if (op != Op::kEqual && op != Op::kULt && op != Op::kULe && op != Op::kSLt && op != Op::kSLe)
      return false;
    const Term left = terms_.arguments(term)[0];
    const Term right = terms_.arguments(term)[1];
    const bool is_left = terms_.is_constant(right); // the local is on the left
    const logic::Node& variable = terms_.node(is_left ? left : right);
    const logic::Node& constant = terms_.node(is_left ? right : left);
    if (variable.op != Op::kVariable || variable.value == kSelfVariable ||
        constant.op != Op::kConstant || variable.sort.is_bool())
      return false;
    const std::uint64_t mask = logic::mask_of(variable.sort.width);
    std::vector<std::uint64_t>& starts = uses_[variable.value].starts;
    const auto cut_before = [&](std::uint64_t value) { starts.push_back(value & mask); };
    // x < c and c <= x change at c; x <= c and c < x after it.
    const bool is_strict = op == Op::kULt || op == Op::kSLt;
    if (op == Op::kEqual || is_strict == is_left)
      cut_before(constant.value);
    if (op == Op::kEqual || is_strict != is_left)
      cut_before(constant.value + 1); // 0 after the largest, where a piece starts anyway
    if (op == Op::kSLt || op == Op::kSLe)
      cut_before((mask >> 1U) + 1); // the least of the negative numbers
    return true;
  }

  const logic::TermStore& terms_;
  std::vector<Use> uses_; // by local
};

} // namespace

std::vector<std::vector<std::uint64_t>> choice_classes(const logic::TermStore& terms,
                                                       const Procedure& procedure) {
  std::vector<std::vector<std::uint64_t>> result(procedure.edges.size());
  std::optional<ChoiceClasses> classes;
  for (std::size_t i = 0; i < procedure.edges.size(); ++i)
    if (const auto* nondet = std::get_if<Nondet>(&procedure.edges[i].action)) {
      if (!classes)
        classes.emplace(terms, procedure);
      result[i] = classes->of(nondet->dest);
    }
  return result;
}

} // namespace heddle::program
