// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known on one path of a walk of a program with one thread (program/events/path_guards.h).
#pragma once

#include "logic/term.h"
#include "program/events/event_tables.h"
#include "program/events/path_guards.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace heddle::engine::bounded {

using logic::Term;
using program::TermTables;

struct Path : program::PathPlace {
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
    std::function<bool(std::uint32_t local)> is_kept; // what it was set to holds on all paths
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
  [[nodiscard]] bool is_dead(const Path& path) const { return program::PathGuards::is_dead(path); }
  static void kill(Path& path) { path.alive = program::PathGuards::kDead; }
  /// From here on only where the condition holds.
  void narrow(Path& path, Term condition);
  [[nodiscard]] bool is_known(const Path& path, Term condition) const;

  /// A place where the path parts, and one of the ways from there.
  [[nodiscard]] std::uint32_t add_branch(const Path& path, std::size_t arms);
  [[nodiscard]] Path enter_arm(const Path& path, std::uint32_t branch, Term condition);
  /// Paths of one frame, at least one.
  [[nodiscard]] Path merge(std::vector<Path> paths, const Defaults& defaults);

private:
  void learn(Path& path, Term condition);
  [[nodiscard]] Path merge_values(const std::vector<Path>& paths,
                                  const std::vector<Term>& conditions,
                                  const Defaults& defaults);

  logic::TermStore& terms_;
  TermTables tables_;
  program::PathGuards guards_;
};

} // namespace heddle::engine::bounded
