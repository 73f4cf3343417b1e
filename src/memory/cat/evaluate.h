// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The evaluator of CAT without an execution: statements extend the scope and the core, expressions
// become values.
#pragma once

#include "memory/cat/check_kinds.h"
#include "memory/cat/core_builder.h"
#include "memory/cat/load_model.h"
#include "memory/cat/value.h"

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace heddle::memory::cat {

class Evaluator {
public:
  /// Gives the tree of an included file, or nothing after complaining.
  using Include = std::function<const File*(const std::string& name, SourceLoc loc)>;
  /// Called when the statements of the file given last have been run.
  using Included = std::function<void()>;

  Evaluator(std::shared_ptr<Session> session,
            CoreBuilder& builder,
            const LoadOptions& options,
            std::vector<Error>& errors);
  void set_include(Include include, Included included) {
    include_ = std::move(include);
    included_ = std::move(included);
  }

  /// The statements of a file, in the outermost scope.
  void run(const std::vector<Statement>& statements) { top_ = run(statements, top_, true); }
  /// Definitions and shown relations, into the core.
  void finish();
  void complain(SourceLoc loc, std::string code, std::string message);
  /// What is wrong where evaluation did not come.
  void complain_of_kinds();

private:
  // Statements (evaluate_statement.cpp)
  const Scope* run(const std::vector<Statement>& statements, const Scope* scope, bool is_top);
  const Scope* run(const Statement& statement, const Scope* scope, bool is_top);
  const Scope* run_let(const Statement& statement, const Scope* scope);
  const Scope* run_with(const Statement& statement, const Scope* scope);
  const Scope* run_enum(const Statement& statement, const Scope* scope);
  const Scope* run_match(const Statement& statement, const Scope* scope, bool is_top);
  void run_call(const Statement& statement, const Scope* scope);
  void run_forall(const Statement& statement, const Scope* scope);
  void run_forall_later(const Statement& statement, const Scope* scope);
  void run_check(const Check& check, const Scope* scope);
  void run_show(const Statement& statement, const Scope* scope);
  void define_at_top(const std::string& name, const Value& value);

  // Scopes
  const Scope* bind(const Scope* scope, const std::string& name, Value value);
  /// Binds the names of the pattern; nothing (after complaining) if the value does not fit, which
  /// a deferred value does only if `may_project`.
  std::optional<const Scope*> bind_pattern(const Scope* scope,
                                           const Pattern& pattern,
                                           const Value& value,
                                           SourceLoc loc,
                                           bool may_project,
                                           bool& is_deferred);
  /// What the name means: a definition, or a base set or relation.
  std::optional<Value> look_up(const Scope* scope, const std::string& name);
  std::optional<Value> look_up_base(const std::string& name);
  std::optional<Value> look_up_defined(const std::string& name, std::string_view text);
  Value tag_events(const std::string& tag);
  void complain_unknown(const std::string& name, SourceLoc loc);
  void say(const std::vector<Error>& found);

  // Expressions (evaluate.cpp)
  Value eval(const Expr& e, const Scope* scope);
  /// Around everything that functions and procedures can repeat: false, after complaining, where
  /// that goes deeper than `deepest`.
  bool enter(int deepest, SourceLoc loc);
  void leave();
  Value eval_inside(const Expr& e, const Scope* scope);
  Value eval_name(const Expr& e, const Scope* scope);
  Value eval_set(const Expr& e, const Scope* scope);
  Value eval_chain(const Expr& e, const Scope* scope);
  Value eval_add(const Expr& e, const Scope* scope);
  Value eval_relational(const Expr& e, const Scope* scope);
  Value eval_apply(const Expr& e, const Scope* scope);
  Value eval_let(const Expr& e, const Scope* scope);
  Value eval_try(const Expr& e, const Scope* scope);
  Value eval_match_tag(const Expr& e, const Scope* scope);
  Value eval_match_set(const Expr& e, const Scope* scope);
  Value apply(const Value& function, const Value& argument, const Expr& e, const Scope* scope);
  Value apply_closure(const ClosurePtr& closure,
                      const Value& argument,
                      const Expr& e,
                      const Scope* scope);
  Value
  apply_primitive(Primitive primitive, const Value& argument, const Expr& e, const Scope* scope);
  std::optional<Value> combine_lists(ExprKind kind, const Value& a, const Value& b);
  /// Nothing where only an execution can tell.
  std::optional<bool> holds(const Condition& condition, const Scope* scope);
  std::optional<bool> equal_values(const Value& a, const Value& b);

  // Recursion (evaluate_recursion.cpp)
  const Scope*
  bind_recursive(const std::vector<Binding>& bindings, const Scope* scope, SourceLoc loc);
  const Scope* bind_closures(const std::vector<Binding>& bindings, const Scope* scope);
  const Scope*
  bind_fixpoint(const std::vector<Binding>& bindings, const Scope* scope, SourceLoc loc);
  bool is_well_founded(const std::vector<NodeId>& variables,
                       const std::vector<NodeId>& bodies,
                       bool& is_monotone,
                       std::vector<bool>& grows) const;

  // Deferred computations (evaluate_later.cpp)
  Value defer(const Expr& e, const Scope* scope);
  NodeId opaque_of(const DeferredPtr& deferred, bool is_set);
  /// The nodes a deferred expression may ask for; complains of names that nothing defines, but for
  /// those that the execution binds.
  void collect_inputs(const Expr& e,
                      const Scope* scope,
                      std::vector<NodeId>& inputs,
                      std::vector<std::string> bound = {});
  struct Collector;

  // Kinds
  [[nodiscard]] std::optional<Kinds> kinds_of(const Scope* scope, const std::string& name) const;
  [[nodiscard]] std::optional<Kinds> kinds_of_base(const std::string& name) const;
  [[nodiscard]] Kinds kinds_of(const Value& value) const;
  std::optional<NodeId> to_set(const Value& value, SourceLoc loc);
  std::optional<NodeId> to_relation(const Value& value, SourceLoc loc);
  static std::string describe(const Value& value, const CoreBuilder& builder);
  [[nodiscard]] std::string place(SourceLoc loc) const;

  std::shared_ptr<Session> session_;
  CoreBuilder& builder_;
  const LoadOptions& options_;
  std::vector<Error>& errors_;
  Include include_;
  Included included_;
  const Scope* top_ = nullptr;
  std::unordered_set<std::string> base_sets_;
  std::unordered_set<std::string> base_relations_;
  std::unordered_set<std::string> empty_sets_;
  std::unordered_set<std::string> empty_relations_;
  std::unordered_map<std::string, std::string> aliases_;
  std::map<std::string, Value> primitives_;
  std::unordered_set<std::string> used_bases_;
  std::vector<std::string> defined_; // names of the outermost scope, in order
  std::vector<std::string> call_names_;
  KindChecker checker_;
  std::unordered_set<const std::vector<Binding>*> evaluated_recursions_;
  std::vector<Error> pending_; // of definitions that use unknown names
  int depth_ = 0;
  int trying_ = 0;
  bool was_undefined_ = false;
  bool is_endless_ = false; // a recursion has been found not to end; nothing is worth evaluating
};

} // namespace heddle::memory::cat
