// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Statements: what they add to the scope and to the core.
#include "memory/cat/cat_text.h"
#include "memory/cat/concrete.h"
#include "memory/cat/evaluate.h"

#include <algorithm>

namespace heddle::memory::cat {

namespace {

constexpr int kDeepestCall = 200; // a call takes many levels of evaluation

} // namespace

const Scope*
Evaluator::run(const std::vector<Statement>& statements, const Scope* scope, bool is_top) {
  for (const Statement& statement : statements)
    scope = run(statement, scope, is_top);
  return scope;
}

const Scope* Evaluator::run(const Statement& statement, const Scope* scope, bool is_top) {
  const auto look_up = [&](const std::string& name) { return kinds_of(scope, name); };
  if (is_top)
    checker_.check(statement, look_up);
  switch (statement.kind) {
  case StatementKind::kLet:
  case StatementKind::kLetRec: {
    const Scope* inner = run_let(statement, scope);
    if (is_top)
      for (const Binding& binding : statement.bindings)
        defined_.insert(defined_.end(), binding.pattern.names.begin(), binding.pattern.names.end());
    if (statement.check)
      run_check(*statement.check, inner);
    return inner;
  }
  case StatementKind::kCheck:
    run_check(*statement.check, scope);
    return scope;
  case StatementKind::kShow:
  case StatementKind::kShowAs:
  case StatementKind::kShowAll:
  case StatementKind::kUnshow:
    run_show(statement, scope);
    return scope;
  case StatementKind::kInclude: {
    const File* file = include_ ? include_(statement.name, statement.loc) : nullptr;
    if (file == nullptr)
      return scope;
    const Scope* inner = run(file->statements, scope, is_top);
    included_();
    return inner;
  }
  case StatementKind::kProcedure: {
    auto procedure = std::make_shared<Procedure>();
    procedure->statement = &statement;
    procedure->scope = scope;
    if (!statement.is_recursive)
      return bind(scope, statement.name, {ProcedurePtr(std::move(procedure))});
    session_->scopes.push_back({statement.name, {Bad{}}, scope});
    Scope& own = session_->scopes.back();
    procedure->scope = &own;
    own.value = {ProcedurePtr(std::move(procedure))};
    return &own;
  }
  case StatementKind::kCall:
    run_call(statement, scope);
    return scope;
  case StatementKind::kEnum:
    return run_enum(statement, scope);
  case StatementKind::kDebug:
    static_cast<void>(eval(*statement.expression, scope));
    return scope;
  case StatementKind::kForall:
    run_forall(statement, scope);
    return scope;
  case StatementKind::kWithFrom:
    return run_with(statement, scope);
  case StatementKind::kInstructions:
  case StatementKind::kDefault:
    // Which tags instructions may have is the front end's to check; that they exist is checked.
    for (const ExprPtr& part : statement.parts)
      static_cast<void>(eval(*part, scope));
    return scope;
  case StatementKind::kScopes:
    complain(statement.loc, "CAT-016", "scopes of threads are not supported");
    errors_.back().kind = ErrorKind::kUnsupported;
    return scope;
  case StatementKind::kIf: {
    const std::optional<bool> chosen = holds(*statement.condition, scope);
    if (!chosen) {
      complain(statement.loc,
               "CAT-019",
               "which statements to take cannot depend on the execution; use 'if' inside an "
               "expression");
      return scope;
    }
    if (is_top)
      checker_.check_untaken(*chosen ? statement.otherwise : statement.body, look_up);
    return run(*chosen ? statement.body : statement.otherwise, scope, is_top);
  }
  case StatementKind::kMatchTag:
    return run_match(statement, scope, is_top);
  }
  return scope;
}

const Scope* Evaluator::run_let(const Statement& statement, const Scope* scope) {
  if (statement.kind == StatementKind::kLetRec) {
    const Scope* inner = bind_recursive(statement.bindings, scope, statement.loc);
    return inner == nullptr ? scope : inner;
  }
  const Scope* inner = scope;
  for (const Binding& binding : statement.bindings) {
    const std::size_t errors_before = errors_.size();
    const bool undefined_before = was_undefined_;
    was_undefined_ = false;
    Value value = eval(*binding.value, scope);
    if (value.is<Bad>() && was_undefined_) {
      // Said where it is used; a warning if it never is.
      const std::vector<Error> said(errors_.begin() + static_cast<std::ptrdiff_t>(errors_before),
                                    errors_.end());
      errors_.resize(errors_before);
      pending_.insert(pending_.end(), said.begin(), said.end());
      value = {Bad{std::make_shared<const std::vector<Error>>(said)}};
    }
    was_undefined_ = undefined_before;
    bool is_deferred = false;
    const std::optional<const Scope*> next =
        bind_pattern(inner, binding.pattern, value, binding.loc, true, is_deferred);
    if (next) {
      inner = *next;
    } else {
      for (const std::string& name : binding.pattern.names)
        inner = bind(inner, name, {Bad{}});
    }
  }
  return inner;
}

void Evaluator::run_check(const Check& check, const Scope* scope) {
  const Value value = eval(*check.expression, scope);
  if (value.is<Bad>())
    return;
  Axiom axiom;
  axiom.kind = static_cast<Axiom::Kind>(check.kind);
  axiom.role = static_cast<Axiom::Role>(check.role);
  axiom.is_negated = check.is_negated;
  axiom.name = check.name.empty() && !call_names_.empty() ? call_names_.back() : check.name;
  axiom.text = print(*check.expression);
  axiom.loc = check.loc;
  const SourceLoc loc = check.expression->loc;
  const bool is_set =
      check.kind == CheckKind::kEmpty && value.is<NodeId>() && builder_.is_set(value.as<NodeId>());
  if (check.kind == CheckKind::kEmpty && value.is<ListedPtr>()) {
    // A set with elements: not empty, whatever they are.
    axiom.node = builder_.identity();
    builder_.core().axioms.push_back(std::move(axiom));
    return;
  }
  if (check.kind == CheckKind::kEmpty && value.is<DeferredPtr>()) {
    // Of a kind that only the execution shows.
    const DeferredPtr deferred = value.as<DeferredPtr>();
    Opaque opaque;
    opaque.what = "the expression at " + place(loc);
    collect_inputs(*deferred->expression, deferred->scope, opaque.inputs);
    opaque.compute = [session = session_, deferred](const ConcreteValues& values) {
      return compute_emptiness(*session, *deferred, values);
    };
    axiom.node = builder_.opaque(std::move(opaque), false);
    builder_.core().axioms.push_back(std::move(axiom));
    return;
  }
  const std::optional<NodeId> node = is_set ? to_set(value, loc) : to_relation(value, loc);
  if (!node)
    return;
  axiom.node = *node;
  builder_.core().axioms.push_back(std::move(axiom));
}

void Evaluator::run_show(const Statement& statement, const Scope* scope) {
  Core& core = builder_.core();
  const auto forget = [&](const std::string& name) {
    std::erase(core.shown, name);
    std::erase_if(core.shown_nodes, [&](const auto& shown) { return shown.first == name; });
  };
  const auto show = [&](const std::string& name, const Value& value, SourceLoc loc) {
    const bool is_set = value.is<NodeId>() && builder_.is_set(value.as<NodeId>());
    const std::optional<NodeId> node = is_set ? to_set(value, loc) : to_relation(value, loc);
    forget(name);
    if (!node)
      return;
    core.shown.push_back(name);
    core.shown_nodes.emplace_back(name, *node);
  };
  if (statement.kind == StatementKind::kShowAs) {
    // Models show what other architectures have; only what there is is shown.
    const std::size_t errors_before = errors_.size();
    const bool undefined_before = was_undefined_;
    was_undefined_ = false;
    const Value value = eval(*statement.expression, scope);
    if (was_undefined_)
      errors_.resize(errors_before);
    else
      show(statement.name, value, statement.loc);
    was_undefined_ = undefined_before;
  } else if (statement.kind == StatementKind::kShowAll) {
    for (const std::string& name : std::vector<std::string>(defined_)) {
      const Value* value = find(scope, name);
      if (value != nullptr && value->is<NodeId>())
        show(name, *value, statement.loc);
    }
  } else {
    for (const std::string& name : statement.names) {
      if (statement.kind == StatementKind::kUnshow) {
        forget(name);
        continue;
      }
      const std::optional<Value> value = look_up(scope, name);
      if (value && (value->is<NodeId>() || value->is<DeferredPtr>()))
        show(name, *value, statement.loc);
    }
  }
}

void Evaluator::run_call(const Statement& statement, const Scope* scope) {
  const Value* found = find(scope, statement.name);
  const Value argument = eval(*statement.expression, scope);
  if (found == nullptr) {
    complain(statement.loc, "CAT-010", "no procedure is called '" + statement.name + "' here");
    return;
  }
  if (found->is<Bad>() || argument.is<Bad>())
    return;
  if (!found->is<ProcedurePtr>()) {
    complain(statement.loc,
             "CAT-015",
             "'" + statement.name + "' is " + describe(*found, builder_) + ", no procedure");
    return;
  }
  const ProcedurePtr procedure = found->as<ProcedurePtr>();
  bool is_deferred = false;
  const std::optional<const Scope*> inner = bind_pattern(
      procedure->scope, procedure->statement->pattern, argument, statement.loc, true, is_deferred);
  if (!inner)
    return;
  if (!enter(kDeepestCall, statement.loc))
    return;
  if (!statement.names.empty())
    call_names_.push_back(statement.names[0]);
  static_cast<void>(run(procedure->statement->body, *inner, false));
  if (!statement.names.empty())
    call_names_.pop_back();
  leave();
}

const Scope* Evaluator::run_enum(const Statement& statement, const Scope* scope) {
  auto tags = std::make_shared<Listed>();
  for (const std::string& tag : statement.names) {
    tags->elements.push_back({Tag{tag}});
    // The set of the events that have the tag, under the tag's name with a capital.
    std::string name = tag;
    name[0] = name[0] >= 'a' && name[0] <= 'z' ? static_cast<char>(name[0] - 'a' + 'A') : name[0];
    if (find(scope, name) == nullptr)
      scope = bind(scope, name, tag_events(tag));
  }
  return bind(scope, statement.name, {ListedPtr(std::move(tags))});
}

const Scope* Evaluator::run_match(const Statement& statement, const Scope* scope, bool is_top) {
  const Value value = eval(*statement.expression, scope);
  if (value.is<Bad>())
    return scope;
  if (!value.is<Tag>()) {
    complain(
        statement.loc, "CAT-011", "expected a tag to match, found " + describe(value, builder_));
    return scope;
  }
  std::size_t taken = 0;
  while (taken < statement.names.size() && !statement.names[taken].empty() &&
         statement.names[taken] != value.as<Tag>().name)
    ++taken;
  for (std::size_t i = 0; is_top && i < statement.cases.size(); ++i)
    if (i != taken)
      checker_.check_untaken(statement.cases[i],
                             [&](const std::string& name) { return kinds_of(scope, name); });
  if (taken < statement.names.size())
    return run(statement.cases[taken], scope, is_top);
  complain(statement.loc, "CAT-014", "no case for the tag '" + value.as<Tag>().name);
  return scope;
}

void Evaluator::run_forall(const Statement& statement, const Scope* scope) {
  const Value value = eval(*statement.expression, scope);
  if (value.is<Bad>() || value.is<Nothing>())
    return;
  if (value.is<ListedPtr>()) {
    for (const Value& element : value.as<ListedPtr>()->elements)
      static_cast<void>(run(statement.body, bind(scope, statement.name, element), false));
    return;
  }
  if (value.is<NodeId>() && builder_.is_empty(value.as<NodeId>()))
    return;
  if (value.is<NodeId>() || value.is<DeferredPtr>()) {
    run_forall_later(statement, scope);
    return;
  }
  complain(statement.loc, "CAT-011", "expected a set, found " + describe(value, builder_));
}

void Evaluator::run_forall_later(const Statement& statement, const Scope* scope) {
  // One axiom for each check of the body: its node has a pair for each element that breaks the
  // check (or, for a flag, that raises it).
  for (std::size_t i = 0; i < statement.body.size(); ++i) {
    const Statement& inner = statement.body[i];
    if (inner.kind == StatementKind::kLet || inner.kind == StatementKind::kLetRec)
      continue;
    if (inner.kind != StatementKind::kCheck) {
      complain(inner.loc,
               "CAT-019",
               "inside 'forall' over what depends on the execution, only definitions and checks "
               "are supported");
      errors_.back().kind = ErrorKind::kUnsupported;
      continue;
    }
    Opaque opaque;
    opaque.what = "forall at " + place(statement.loc);
    collect_inputs(*statement.expression, scope, opaque.inputs);
    // The body's names, but for the element's and those it defines.
    std::vector<std::string> bound = {statement.name};
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_recursive = statement.body[j].kind == StatementKind::kLetRec;
      std::vector<std::string> names;
      for (const Binding& binding : statement.body[j].bindings)
        names.insert(names.end(), binding.pattern.names.begin(), binding.pattern.names.end());
      const std::vector<std::string> inside = bound;
      bound.insert(bound.end(), names.begin(), names.end());
      for (const Binding& binding : statement.body[j].bindings)
        collect_inputs(*binding.value, scope, opaque.inputs, is_recursive ? bound : inside);
    }
    collect_inputs(*inner.check->expression, scope, opaque.inputs, bound);
    const bool is_flag = inner.check->role == CheckRole::kFlag;
    opaque.compute =
        [session = session_, &statement, scope, i, is_flag](const ConcreteValues& values) {
          return compute_forall(*session, statement, scope, i, is_flag, values);
        };
    Axiom axiom;
    axiom.kind = Axiom::Kind::kEmpty;
    axiom.role = static_cast<Axiom::Role>(inner.check->role);
    axiom.is_negated = is_flag;
    axiom.name = inner.check->name;
    axiom.text = print(*inner.check->expression);
    axiom.loc = inner.check->loc;
    axiom.node = builder_.opaque(std::move(opaque), false);
    builder_.core().axioms.push_back(std::move(axiom));
  }
}

const Scope* Evaluator::run_with(const Statement& statement, const Scope* scope) {
  const Value value = eval(*statement.expression, scope);
  if (value.is<Bad>())
    return bind(scope, statement.name, value);
  defined_.push_back(statement.name);
  Generator generator;
  generator.name = statement.name;
  if (value.is<DeferredPtr>()) {
    const DeferredPtr& deferred = value.as<DeferredPtr>();
    if (deferred->shape == Deferred::Shape::kCoherence) {
      generator.how = Generator::Coherence{deferred->first, deferred->second};
      return bind(scope, statement.name, {builder_.generated(std::move(generator))});
    }
    generator.is_set = deferred->gives_sets;
    Generator::Listed listed;
    listed.values.what = "the expression at " + place(statement.expression->loc);
    collect_inputs(*deferred->expression, deferred->scope, listed.values.inputs);
    listed.choices = [session = session_, deferred](const ConcreteValues& values) {
      return compute_choices(*session, *deferred, values);
    };
    generator.how = std::move(listed);
    return bind(scope, statement.name, {builder_.generated(std::move(generator))});
  }
  std::vector<Value> elements;
  if (value.is<ListedPtr>())
    elements = value.as<ListedPtr>()->elements;
  else if (!value.is<Nothing>()) {
    complain(statement.loc,
             "CAT-011",
             "expected a set of relations or of sets, found " + describe(value, builder_));
    return bind(scope, statement.name, {Bad{}});
  }
  if (elements.size() == 1)
    return bind(scope, statement.name, elements[0]);
  // Known choices.
  std::vector<NodeId> nodes;
  const bool is_set = std::any_of(elements.begin(), elements.end(), [&](const Value& element) {
    return element.is<NodeId>() && builder_.is_set(element.as<NodeId>());
  });
  for (const Value& element : elements) {
    const std::optional<NodeId> node =
        is_set ? to_set(element, statement.loc) : to_relation(element, statement.loc);
    if (!node)
      return bind(scope, statement.name, {Bad{}});
    nodes.push_back(*node);
  }
  generator.is_set = is_set;
  Generator::Listed listed;
  listed.values.what = "the choices at " + place(statement.loc);
  listed.values.inputs = nodes;
  listed.choices = [session = session_, nodes, is_set](const ConcreteValues& values) {
    return known_choices(*session, nodes, is_set, values);
  };
  generator.how = std::move(listed);
  return bind(scope, statement.name, {builder_.generated(std::move(generator))});
}

void Evaluator::finish() {
  Core& core = builder_.core();
  core.warnings = pending_;
  std::sort(defined_.begin(), defined_.end());
  defined_.erase(std::unique(defined_.begin(), defined_.end()), defined_.end());
  for (const std::string& name : defined_) {
    const Value* value = name.empty() ? nullptr : find(top_, name);
    if (value != nullptr && value->is<NodeId>())
      core.definitions.emplace_back(name, value->as<NodeId>());
  }
}

} // namespace heddle::memory::cat
