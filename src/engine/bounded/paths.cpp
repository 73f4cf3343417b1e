// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/paths.h"

#include "support/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::engine::bounded {

Paths::Paths(logic::TermStore& terms) : terms_(terms) {
  const Term yes = terms_.boolean(true);
  const Term no = terms_.boolean(false);
  branches_.push_back({});
  arms_.push_back({0, yes, yes});
  alive_.push_back({0, 0, yes, yes});
  alive_.push_back({0, 1, no, no});
}

Path Paths::first() {
  Path path;
  path.owner = tables_.new_owner();
  return path;
}

Term Paths::guard(const Path& path) {
  return terms_.and_(arms_[path.arm].guard, alive_[path.alive].all);
}

void Paths::learn(Path& path, Term condition) {
  std::vector<Term> pending{condition};
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    if (terms_.is_constant(term))
      continue;
    if (term.value <= TermTables::kLargestIndex)
      path.facts = tables_.set(path.facts, path.owner, term.value, terms_.boolean(true));
    if (terms_.node(term).op == logic::Op::kAnd)
      for (const Term part : terms_.arguments(term))
        pending.push_back(part);
  }
}

bool Paths::is_known(const Path& path, Term condition) const {
  if (terms_.is_constant(condition))
    return terms_.node(condition).value != 0;
  return condition.value <= TermTables::kLargestIndex &&
         tables_.get(path.facts, condition.value).is_valid();
}

void Paths::narrow(Path& path, Term condition) {
  if (is_known(path, condition))
    return;
  path.alive = extend(path.alive, condition);
  learn(path, condition);
}

std::uint32_t Paths::extend(std::uint32_t alive, Term part) {
  if (terms_.is_constant(part))
    return terms_.node(part).value != 0 ? alive : kDead;
  const Term all = terms_.and_(alive_[alive].all, part);
  if (terms_.is_constant(all) && terms_.node(all).value == 0)
    return kDead;
  alive_.push_back({alive, alive_[alive].depth + 1, part, all});
  return static_cast<std::uint32_t>(alive_.size() - 1);
}

std::uint32_t Paths::add_branch(const Path& path, std::size_t arms) {
  branches_.push_back({path.arm,
                       branches_[arms_[path.arm].branch].depth + 1,
                       static_cast<std::uint32_t>(arms),
                       path.alive});
  return static_cast<std::uint32_t>(branches_.size() - 1);
}

Path Paths::enter_arm(const Path& before, std::uint32_t branch, Term condition) {
  Path path = before;
  path.arm = static_cast<std::uint32_t>(arms_.size());
  path.owner = tables_.new_owner();
  path.alive = kAlive;
  const Term guard_before = guard(before);
  arms_.push_back({branch, condition, terms_.and_(guard_before, condition)});
  learn(path, condition);
  return path;
}

Path Paths::merge(std::vector<Path> paths, const Defaults& defaults) {
  HEDDLE_CHECK(!paths.empty(), "nothing to merge");
  while (paths.size() > 1) {
    std::uint32_t depth = 0;
    for (const Path& path : paths)
      depth = std::max(depth, branches_[arms_[path.arm].branch].depth);
    // Those in the deepest branches, by branch and arm, in a fixed order.
    std::map<std::uint32_t, std::map<std::uint32_t, Path>> deepest;
    std::vector<Path> rest;
    for (Path& path : paths) {
      const std::uint32_t branch = arms_[path.arm].branch;
      if (branches_[branch].depth < depth) {
        rest.push_back(path);
        continue;
      }
      const auto [entry, is_new] = deepest[branch].try_emplace(path.arm, path);
      if (!is_new)
        entry->second = merge_same_arm(entry->second, path, defaults);
    }
    if (rest.empty() && deepest.size() == 1 && deepest.begin()->second.size() == 1)
      return deepest.begin()->second.begin()->second;
    HEDDLE_CHECK(depth != 0, "paths that have no place in common");
    for (const auto& [branch, by_arm] : deepest) {
      std::vector<Path> arms;
      for (const auto& [arm, path] : by_arm)
        arms.push_back(path);
      rest.push_back(merge_arms(arms, defaults));
    }
    paths = std::move(rest);
  }
  return paths.front();
}

/// What has come after `before` in the chain.
Term Paths::since(std::uint32_t alive, std::uint32_t before) {
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
Term Paths::negation(Term term, unsigned depth) {
  const logic::Op op = terms_.node(term).op;
  if (depth == 0 || (op != logic::Op::kAnd && op != logic::Op::kOr))
    return terms_.not_(term);
  const Term a = terms_.arguments(term)[0];
  const Term b = terms_.arguments(term)[1];
  const Term not_a = negation(a, depth - 1);
  const Term not_b = negation(b, depth - 1);
  return op == logic::Op::kAnd ? terms_.or_(not_a, not_b) : terms_.and_(not_a, not_b);
}

/// The paths have parted at a branch that was merged before. What has stopped one of them since
/// then tells them apart: they cannot both be alive.
Path Paths::merge_same_arm(const Path& a, const Path& b, const Defaults& defaults) {
  std::uint32_t at_a = a.alive;
  std::uint32_t at_b = b.alive;
  while (at_a != at_b) {
    if (alive_[at_a].depth >= alive_[at_b].depth)
      at_a = alive_[at_a].before;
    else
      at_b = alive_[at_b].before;
  }
  const Term since_a = since(a.alive, at_a);
  const Term since_b = since(b.alive, at_a);
  Path result = merge_values({a, b}, {since_a, since_b}, defaults);
  constexpr unsigned kDeepest = 6;
  const bool is_either =
      negation(since_a, kDeepest) == since_b || negation(since_b, kDeepest) == since_a;
  result.alive = is_either ? at_a : extend(at_a, terms_.or_(since_a, since_b));
  return result;
}

Path Paths::merge_arms(const std::vector<Path>& paths, const Defaults& defaults) {
  const Branch branch = branches_[arms_[paths.front().arm].branch];
  std::vector<Term> conditions;
  for (const Path& path : paths)
    conditions.push_back(arms_[path.arm].condition);
  Path result = merge_values(paths, conditions, defaults);
  result.arm = branch.arm;
  const bool is_complete = paths.size() == branch.arms;
  Term part = alive_[paths.back().alive].all;
  if (!is_complete)
    part = terms_.and_(conditions.back(), part);
  for (std::size_t i = paths.size() - 1; i-- > 0;) {
    const Term other = alive_[paths[i].alive].all;
    part = is_complete ? terms_.ite(conditions[i], other, part)
                       : terms_.or_(terms_.and_(conditions[i], other), part);
  }
  result.alive = extend(branch.alive, part);
  return result;
}

Path Paths::merge_values(const std::vector<Path>& paths,
                         const std::vector<Term>& conditions,
                         const Defaults& defaults) {
  Path result = paths.front();
  if (paths.size() == 1)
    return result;
  result.owner = tables_.new_owner();
  const auto choose = [&](auto value_of) {
    Term value = value_of(paths.size() - 1);
    for (std::size_t i = paths.size() - 1; i-- > 0;)
      value = terms_.ite(conditions[i], value_of(i), value);
    return value;
  };
  const auto merged = [&](TermTables::Root Path::* table, const auto& default_of) {
    std::vector<TermTables::Root> roots;
    for (const Path& path : paths)
      roots.push_back(path.*table);
    return tables_.merge(std::span<const TermTables::Root>(roots),
                         result.owner,
                         [&](std::uint32_t index, std::span<const Term> values) {
                           return choose([&](std::size_t i) {
                             return values[i].is_valid() ? values[i] : default_of(index);
                           });
                         });
  };
  result.locals = merged(&Path::locals, defaults.local);
  result.cells = merged(&Path::cells, defaults.cell);
  result.written = merged(&Path::written, defaults.written);
  std::vector<TermTables::Root> facts;
  bool has_results = true;
  for (const Path& path : paths) {
    facts.push_back(path.facts);
    has_results = has_results && path.result.is_valid();
  }
  result.facts = tables_.merge(std::span<const TermTables::Root>(facts),
                               result.owner,
                               [](std::uint32_t, std::span<const Term>) { return Term{}; });
  if (has_results)
    result.result = choose([&](std::size_t i) { return paths[i].result; });
  return result;
}

} // namespace heddle::engine::bounded
