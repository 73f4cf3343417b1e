// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/paths.h"

#include <algorithm>
#include <utility>

namespace heddle::engine::bounded {

Paths::Paths(logic::TermStore& terms) : terms_(terms), guards_(terms, terms.boolean(true)) {}

Path Paths::first() {
  Path path;
  path.owner = tables_.new_owner();
  return path;
}

Term Paths::guard(const Path& path) {
  return guards_.guard(path);
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
  guards_.narrow(path, condition);
  learn(path, condition);
}

std::uint32_t Paths::add_branch(const Path& path, std::size_t arms) {
  return guards_.add_branch(path, arms);
}

Path Paths::enter_arm(const Path& before, std::uint32_t branch, Term condition) {
  Path path = before;
  static_cast<program::PathPlace&>(path) = guards_.enter_arm(before, branch, condition);
  path.owner = tables_.new_owner();
  learn(path, condition);
  return path;
}

Path Paths::merge(std::vector<Path> paths, const Defaults& defaults) {
  return guards_.merge(std::move(paths),
                       [&](const std::vector<Path>& met, const std::vector<Term>& conditions) {
                         return merge_values(met, conditions, defaults);
                       });
}

Path Paths::merge_values(const std::vector<Path>& paths,
                         const std::vector<Term>& conditions,
                         const Defaults& defaults) {
  Path result = paths.front();
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
                           if (table == &Path::locals && defaults.is_kept(index))
                             return *std::ranges::find_if(values, &Term::is_valid);
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
