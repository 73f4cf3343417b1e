// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/loop_turns.h"

#include "program/analyse/liveness.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace heddle::program {

namespace {

using logic::Op;

/// Steps beyond that could wrap round between two looks.
constexpr std::uint64_t kSmall = std::uint64_t{1} << 16U;

/// A local, or a local plus a constant.
struct Sum {
  std::uint64_t local = 0;
  std::uint64_t constant = 0;
};
std::optional<Sum> sum_of(const logic::TermStore& terms, Term term) {
  const logic::Node& node = terms.node(term);
  if (node.op == Op::kVariable)
    return Sum{node.value, 0};
  if (node.op != Op::kAdd || node.argument_count != 2)
    return std::nullopt;
  Term variable = terms.arguments(term)[0];
  Term constant = terms.arguments(term)[1];
  if (terms.is_constant(variable))
    std::swap(variable, constant);
  if (!terms.is_constant(constant) || terms.node(variable).op != Op::kVariable)
    return std::nullopt;
  return Sum{terms.node(variable).value, terms.node(constant).value};
}

/// The loop goes on while this local, plus something, is below this number. Signed: this local
/// itself.
struct Limit {
  std::uint64_t local = 0;
  std::uint64_t below = 0;
  bool is_signed = false;
};
std::optional<Limit> limit_of(const logic::TermStore& terms, Term condition) {
  const logic::Node& node = terms.node(condition);
  const bool is_signed = node.op == Op::kSLt || node.op == Op::kSLe;
  if (!is_signed && node.op != Op::kULt && node.op != Op::kULe && node.op != Op::kEqual)
    return std::nullopt;
  Term left = terms.arguments(condition)[0];
  Term right = terms.arguments(condition)[1];
  if (node.op == Op::kEqual) { // what "below 1" becomes: no more after one step
    if (terms.is_constant(left))
      std::swap(left, right);
    const std::optional<Sum> counted = sum_of(terms, left);
    return terms.is_constant(right) && terms.node(right).sort.width >= 32 && counted
               ? std::optional(Limit{counted->local, 1})
               : std::nullopt;
  }
  if (!terms.is_constant(right) || terms.node(right).value >= kSmall ||
      terms.node(right).sort.width < 32)
    return std::nullopt;
  const std::optional<Sum> counted = sum_of(terms, left);
  if (!counted || (is_signed && counted->constant != 0))
    return std::nullopt;
  const bool includes = node.op == Op::kULe || node.op == Op::kSLe;
  return Limit{counted->local, terms.node(right).value + (includes ? 1U : 0U), is_signed};
}

/// Before the loop it is set to numbers that are not negative, and nothing else.
bool starts_from_constants(const logic::TermStore& terms,
                           const Procedure& procedure,
                           const Loop& loop,
                           std::uint64_t local) {
  bool is_set = false;
  for (const Edge& edge : procedure.edges) {
    if ((loop.body[edge.from.index()] && loop.body[edge.to.index()]) ||
        std::ranges::count(local_use(terms, edge.action).writes, local) == 0)
      continue;
    const auto* assign = std::get_if<Assign>(&edge.action);
    if (assign == nullptr || !terms.is_constant(assign->value) ||
        terms.node(assign->value).value >= kSmall)
      return false;
    is_set = true;
  }
  return is_set && std::ranges::none_of(procedure.parameters, [&](LocalId parameter) {
           return parameter.value == local;
         });
}

bool increases(const logic::TermStore& terms, const Action& action, std::uint64_t local) {
  const auto* assign = std::get_if<Assign>(&action);
  if (assign == nullptr || assign->dest.value != local)
    return false;
  const std::optional<Sum> sum = sum_of(terms, assign->value);
  return sum && sum->local == local && sum->constant != 0 && sum->constant < kSmall;
}

} // namespace

std::optional<std::uint64_t>
most_turns(const Program& program, const Procedure& procedure, const Loop& loop) {
  const logic::TermStore& terms = program.terms;
  std::optional<Limit> limit;
  for (const std::uint32_t index : procedure.locations[loop.head].out) {
    const Edge& edge = procedure.edges[index];
    if (!loop.body[edge.to.index()])
      continue;
    const auto* assume = std::get_if<Assume>(&edge.action);
    if (assume == nullptr || limit)
      return std::nullopt; // other ways to go on
    limit = limit_of(terms, assume->condition);
    if (!limit)
      return std::nullopt;
  }
  if (!limit)
    return std::nullopt;
  for (std::uint32_t index = 0; index < procedure.edges.size(); ++index) {
    const Edge& edge = procedure.edges[index];
    if (!loop.body[edge.from.index()] || !loop.body[edge.to.index()])
      continue;
    const bool is_increased = increases(terms, edge.action, limit->local);
    const auto is_back = std::ranges::find(loop.back_edges, index) != loop.back_edges.end();
    if (is_back ? !is_increased
                : std::ranges::count(local_use(terms, edge.action).writes, limit->local) != 0)
      return std::nullopt;
  }
  if (limit->is_signed && !starts_from_constants(terms, procedure, loop, limit->local))
    return std::nullopt;
  return limit->below;
}

} // namespace heddle::program
