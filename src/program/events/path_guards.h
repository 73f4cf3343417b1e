// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Guards of the paths of a walk, and how paths become one where they meet: guarded single
// assignment. A path knows the arm of the branch it is in, that branch the arm it is in, and so on.
// Of paths that meet, those in the deepest branch are merged first. If all arms of it are there,
// the guard is what it was before the branch, but for what stopped paths in the arms. Otherwise
// those that are missing have ended or have gone elsewhere, and the conditions of the others go
// into what the path needs to be alive. Values are chosen by the conditions of arms, never by whole
// guards, so that formulas stay small.
#pragma once

#include "logic/term.h"
#include "support/check.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace heddle::program {

/// Where a path stands. Its guard is the guard of the arm, and `alive`: nothing has stopped it
/// since it entered that.
struct PathPlace {
  std::uint32_t arm = 0;
  std::uint32_t alive = 0;
};

class PathGuards {
public:
  using Term = logic::Term;
  static constexpr std::uint32_t kAlive = 0; // nothing has to hold
  static constexpr std::uint32_t kDead = 1;

  /// `guard` is that of the first path. The terms must outlive it.
  PathGuards(logic::TermStore& terms, Term guard);

  /// Bool: control comes here.
  [[nodiscard]] Term guard(const PathPlace& place);
  [[nodiscard]] static bool is_dead(const PathPlace& place) { return place.alive == kDead; }
  void narrow(PathPlace& place, Term condition);

  /// A place where a path parts, and one of the ways from there.
  [[nodiscard]] std::uint32_t add_branch(const PathPlace& before, std::size_t arms);
  [[nodiscard]] PathPlace enter_arm(const PathPlace& before, std::uint32_t branch, Term condition);

  /// At least one path, each derived from PathPlace. `merge_values(paths, conditions)` gives a path
  /// whose values are those of the first path where the first condition holds, and so on, and those
  /// of the last path where none does.
  template <typename Path, typename MergeValues>
  [[nodiscard]] Path merge(std::vector<Path> paths, const MergeValues& merge_values) {
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
          entry->second = merge_same_arm(entry->second, path, merge_values);
      }
      if (rest.empty() && deepest.size() == 1 && deepest.begin()->second.size() == 1)
        return deepest.begin()->second.begin()->second;
      HEDDLE_CHECK(depth != 0, "paths that have no place in common");
      for (const auto& [branch, by_arm] : deepest) {
        std::vector<Path> arms;
        for (const auto& [arm, path] : by_arm)
          arms.push_back(path);
        rest.push_back(merge_arms(arms, merge_values));
      }
      paths = std::move(rest);
    }
    return paths.front();
  }

private:
  struct Branch {
    std::uint32_t depth = 0;
    std::uint32_t arms = 0;
    PathPlace before = {};
  };
  struct Arm {
    std::uint32_t branch = 0;
    Term condition;
    Term guard;
  };
  /// What must hold for a path to have come so far: `all`, which is `part` and what `before` says.
  /// Paths that meet share the first links of such chains.
  struct Alive {
    std::uint32_t before = 0;
    std::uint32_t depth = 0;
    Term part;
    Term all;
  };

  /// The paths have parted at a branch that was merged before. What has stopped one of them since
  /// then tells them apart: they cannot both be alive.
  template <typename Path, typename MergeValues>
  Path merge_same_arm(const Path& a, const Path& b, const MergeValues& merge_values) {
    const std::uint32_t both = common(a.alive, b.alive);
    const Term since_a = since(a.alive, both);
    const Term since_b = since(b.alive, both);
    Path result = merge_values(std::vector<Path>{a, b}, std::vector<Term>{since_a, since_b});
    result.arm = a.arm;
    result.alive = either(both, since_a, since_b);
    return result;
  }

  template <typename Path, typename MergeValues>
  Path merge_arms(const std::vector<Path>& paths, const MergeValues& merge_values) {
    std::vector<Term> conditions;
    std::vector<std::uint32_t> alive;
    for (const Path& path : paths) {
      conditions.push_back(arms_[path.arm].condition);
      alive.push_back(path.alive);
    }
    Path result = paths.size() == 1 ? paths.front() : merge_values(paths, conditions);
    static_cast<PathPlace&>(result) = after(arms_[paths.front().arm].branch, conditions, alive);
    return result;
  }

  [[nodiscard]] std::uint32_t extend(std::uint32_t alive, Term part);
  [[nodiscard]] std::uint32_t common(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] Term since(std::uint32_t alive, std::uint32_t before);
  [[nodiscard]] Term negation(Term term, unsigned depth);
  [[nodiscard]] std::uint32_t either(std::uint32_t before, Term since_a, Term since_b);
  [[nodiscard]] PathPlace after(std::uint32_t branch,
                                const std::vector<Term>& conditions,
                                const std::vector<std::uint32_t>& alive);

  logic::TermStore& terms_;
  std::vector<Branch> branches_;
  std::vector<Arm> arms_;
  std::vector<Alive> alive_;
};

} // namespace heddle::program
