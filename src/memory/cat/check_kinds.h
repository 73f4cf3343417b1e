// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Finds what is of the wrong kind whatever it is applied to, and recursions that are not well
// founded, also where evaluation does not come: in the bodies of functions that are never applied,
// in branches that are not taken or only on some executions. The evaluators find the rest; what
// they accept is never refused here.
#pragma once

#include "memory/cat/kinds.h"
#include "memory/cat/syntax.h"
#include "support/source_loc.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::memory::cat {

struct KindError {
  SourceLoc loc;
  std::string code;
  std::string message;
  /// For a recursion: its definitions. If they have been evaluated, that decides.
  const std::vector<Binding>* recursion = nullptr;
};

class KindChecker {
public:
  /// What a name means outside of the statement; nothing if it is unknown.
  using LookUp = std::function<std::optional<Kinds>(const std::string& name)>;

  /// One statement of the outermost level, before it is run. The statements it includes, and those
  /// of the branch taken, are of that level too, and are not looked at with it.
  void check(const Statement& statement, const LookUp& look_up);
  /// A branch of the outermost level that is not taken.
  void check_untaken(const std::vector<Statement>& statements, const LookUp& look_up);

  /// Of a function whose definition has been checked: what it gives.
  [[nodiscard]] Kinds function_kinds(const Expr* function) const;
  [[nodiscard]] const std::vector<KindError>& errors() const { return errors_; }

private:
  /// Names bound inside the statement.
  struct Local {
    std::string name;
    Kinds kinds;
  };

  Kinds of(const Expr& e);
  Kinds of_name(const std::string& name);
  Kinds of_set(const Expr& e);
  Kinds of_chain(const Expr& e);
  Kinds of_add(const Expr& e);
  Kinds of_relational(const Expr& e);
  Kinds of_complement(const Expr& e);
  Kinds of_apply(const Expr& e);
  Kinds of_function(const Expr& e);
  Kinds of_let(const Expr& e);
  Kinds of_try(const Expr& e);
  Kinds of_branches(const Expr& e, std::size_t first);
  Kinds of_match_set(const Expr& e);
  void visit(const Condition& condition);
  void visit(const Check& check);
  void visit(const Statement& statement);
  void visit(const std::vector<Statement>& statements);
  void leave();

  void bind(const std::string& name, Kinds kinds);
  void bind(const Pattern& pattern, const Kinds& kinds);
  void bind_recursive(const std::vector<Binding>& bindings, SourceLoc loc);
  void check_recursion(const std::vector<Binding>& bindings, SourceLoc loc);

  /// False, after saying so, if it can be none of these.
  bool expect(const Kinds& kinds, std::uint16_t wanted, SourceLoc loc, const std::string& what);
  void say(SourceLoc loc, std::string code, std::string message);

  const LookUp* look_up_ = nullptr;
  std::vector<Local> locals_;
  bool met_undefined_ = false;
  bool is_lost_ = false; // names may be defined by a file that was not included
  std::unordered_map<const Expr*, Kinds> functions_;
  std::vector<KindError> errors_;
};

} // namespace heddle::memory::cat
