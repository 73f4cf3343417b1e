// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/path_guards.h"

namespace heddle::program {

using logic::Term;

PathGuards::PathGuards(logic::TermStore& terms, Term guard) : terms_(terms) {
  const Term yes = terms_.boolean(true);
  const Term no = terms_.boolean(false);
  branches_.push_back({});
  arms_.push_back({0, yes, guard});
  alive_.push_back({0, 0, yes, yes});
  alive_.push_back({0, 1, no, no});
}

Term PathGuards::guard(const PathPlace& place) {
  return terms_.and_(arms_[place.arm].guard, alive_[place.alive].all);
}

void PathGuards::narrow(PathPlace& place, Term condition) {
  place.alive = extend(place.alive, condition);
}

std::uint32_t PathGuards::add_branch(const PathPlace& before, std::size_t arms) {
  branches_.push_back(
      {branches_[arms_[before.arm].branch].depth + 1, static_cast<std::uint32_t>(arms), before});
  return static_cast<std::uint32_t>(branches_.size() - 1);
}

PathPlace PathGuards::enter_arm(const PathPlace& before, std::uint32_t branch, Term condition) {
  const PathPlace place{static_cast<std::uint32_t>(arms_.size()), kAlive};
  arms_.push_back({branch, condition, terms_.and_(guard(before), condition)});
  return place;
}

std::uint32_t PathGuards::extend(std::uint32_t alive, Term part) {
  if (terms_.is_constant(part))
    return terms_.node(part).value != 0 ? alive : kDead;
  const Term all = terms_.and_(alive_[alive].all, part);
  if (terms_.is_constant(all) && terms_.node(all).value == 0)
    return kDead;
  alive_.push_back({alive, alive_[alive].depth + 1, part, all});
  return static_cast<std::uint32_t>(alive_.size() - 1);
}

/// The last link that both chains have.
std::uint32_t PathGuards::common(std::uint32_t a, std::uint32_t b) const {
  while (a != b) {
    if (alive_[a].depth >= alive_[b].depth)
      a = alive_[a].before;
    else
      b = alive_[b].before;
  }
  return a;
}

/// What has come after `before` in the chain.
Term PathGuards::since(std::uint32_t alive, std::uint32_t before) {
  std::vector<Term> parts;
  for (; alive != before; alive = alive_[alive].before)
    parts.push_back(alive_[alive].part);
  Term result = terms_.boolean(true);
  while (!parts.empty()) {
    result = terms_.and_(result, parts.back());
    parts.pop_back();
  }
  return result;
}

/// With de Morgan's laws, so that what short-circuit operators have taken apart is recognised.
Term PathGuards::negation(Term term, unsigned depth) {
  const logic::Op op = terms_.node(term).op;
  if (depth == 0 || (op != logic::Op::kAnd && op != logic::Op::kOr))
    return terms_.not_(term);
  const Term a = terms_.arguments(term)[0];
  const Term b = terms_.arguments(term)[1];
  const Term not_a = negation(a, depth - 1);
  const Term not_b = negation(b, depth - 1);
  return op == logic::Op::kAnd ? terms_.or_(not_a, not_b) : terms_.and_(not_a, not_b);
}

/// After `before`, one or the other holds.
std::uint32_t PathGuards::either(std::uint32_t before, Term since_a, Term since_b) {
  constexpr unsigned kDeepest = 6;
  if (negation(since_a, kDeepest) == since_b || negation(since_b, kDeepest) == since_a)
    return before;
  return extend(before, terms_.or_(since_a, since_b));
}

/// Where paths meet that have gone through arms of the branch, with these conditions.
PathPlace PathGuards::after(std::uint32_t branch,
                            const std::vector<Term>& conditions,
                            const std::vector<std::uint32_t>& alive) {
  const bool is_complete = alive.size() == branches_[branch].arms;
  Term part = alive_[alive.back()].all;
  if (!is_complete)
    part = terms_.and_(conditions.back(), part);
  for (std::size_t i = alive.size() - 1; i-- > 0;) {
    const Term other = alive_[alive[i]].all;
    part = is_complete ? terms_.ite(conditions[i], other, part)
                       : terms_.or_(terms_.and_(conditions[i], other), part);
  }
  const PathPlace before = branches_[branch].before;
  return {before.arm, extend(before.alive, part)};
}

} // namespace heddle::program
