// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known on one path of a walk, and how paths become one where they meet: guarded single
// assignment. A path knows the arm of the branch it is in, that branch the arm it is in, and so on.
// Of paths that meet, those in the deepest branch are merged first. If all arms of it are there,
// the guard is what it was before the branch, but for what stopped paths in the arms; otherwise
// the conditions of those that are there go into what the path needs to be alive. Values are chosen
// by the conditions of arms, never by whole guards, so that formulas stay small.
#pragma once

#include "logic/term.h"
#include "program/event_tables.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace heddle::engine::bounded {

using logic::Term;
using program::TermTables;

struct Path {
  std::uint32_t arm = 0;
  std::uint32_t alive = 0;
  TermTables::Root locals = 0;
  TermTables::Root cells = 0;   // of memory
  TermTables::Root written = 0; // Bools, by cell
  TermTables::Root facts = 0;   // by the number of a term: it is true wherever this path is alive
  TermTables::Owner owner = 0;
  Term result = {}; // of a return, 64 bits
};

class Paths {
public:
  /// What a table holds where nothing was set.
  struct Defaults {
    std::function<Term(std::uint32_t local)> local;
    std::function<Term(std::uint32_t cell)> cell;
    std::function<Term(std::uint32_t cell)> written;
  };

  /// The terms must outlive it.
  explicit Paths(logic::TermStore& terms);

  [[nodiscard]] TermTables& tables() { return tables_; }
  [[nodiscard]] const TermTables& tables() const { return tables_; }
  [[nodiscard]] Path first();
  /// Bool: control comes here.
  [[nodiscard]] Term guard(const Path& path);
  [[nodiscard]] bool is_dead(const Path& path) const { return path.alive == kDead; }
  static void kill(Path& path) { path.alive = kDead; }
  /// From here on only where the condition holds.
  void narrow(Path& path, Term condition);
  [[nodiscard]] bool is_known(const Path& path, Term condition) const;

  /// A place where the path parts, and one of the ways from there.
  [[nodiscard]] std::uint32_t add_branch(const Path& path, std::size_t arms);
  [[nodiscard]] Path enter_arm(const Path& path, std::uint32_t branch, Term condition);
  /// Paths of one frame, at least one.
  [[nodiscard]] Path merge(std::vector<Path> paths, const Defaults& defaults);

private:
  struct Branch {
    std::uint32_t arm = 0; // the one it is in
    std::uint32_t depth = 0;
    std::uint32_t arms = 0;
    std::uint32_t alive = 0; // of the path before it
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
  static constexpr std::uint32_t kAlive = 0; // into alive_: nothing has to hold
  static constexpr std::uint32_t kDead = 1;

  void learn(Path& path, Term condition);
  [[nodiscard]] std::uint32_t extend(std::uint32_t alive, Term part);
  [[nodiscard]] Term since(std::uint32_t alive, std::uint32_t before);
  [[nodiscard]] Term negation(Term term, unsigned depth);
  [[nodiscard]] Path merge_same_arm(const Path& a, const Path& b, const Defaults& defaults);
  [[nodiscard]] Path merge_arms(const std::vector<Path>& paths, const Defaults& defaults);
  [[nodiscard]] Path merge_values(const std::vector<Path>& paths,
                                  const std::vector<Term>& conditions,
                                  const Defaults& defaults);

  logic::TermStore& terms_;
  TermTables tables_;
  std::vector<Branch> branches_;
  std::vector<Arm> arms_;
  std::vector<Alive> alive_;
};

} // namespace heddle::engine::bounded
