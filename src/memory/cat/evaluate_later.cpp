// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Computations put off until there is an execution, and the nodes they will ask for.
#include "memory/cat/concrete.h"
#include "memory/cat/evaluate.h"

#include <algorithm>

namespace heddle::memory::cat {

Value Evaluator::defer(const Expr& e, const Scope* scope) {
  auto made = std::make_shared<Deferred>();
  made->expression = &e;
  made->scope = scope;
  return {std::move(made)};
}

/// Follows the names of an expression to the nodes behind them.
struct Evaluator::Collector {
  Evaluator& evaluator;
  std::vector<NodeId>& inputs;
  int tolerant = 0;
  bool has_failed = false; // inside `try`
  /// Functions and deferred expressions that have been followed, and whether they failed. What was
  /// followed inside a `try` only has not had its errors said.
  struct Followed {
    bool has_failed = false;
    bool is_said = false;
  };
  std::map<std::pair<const Expr*, const Scope*>, Followed> followed = {};

  template <class Follow>
  void once(const Expr* what, const Scope* scope, Follow follow) {
    const auto [known, is_new] = followed.try_emplace({what, scope});
    if (is_new || (tolerant == 0 && !known->second.is_said)) {
      known->second.is_said = tolerant == 0;
      const bool failed_before = has_failed;
      has_failed = false;
      follow();
      known->second.has_failed = has_failed;
      has_failed = has_failed || failed_before;
      return;
    }
    has_failed = has_failed || known->second.has_failed;
  }

  void value(const Value& v) {
    if (v.is<Bad>()) {
      has_failed = true;
      if (tolerant == 0 && v.as<Bad>().pending) {
        evaluator.was_undefined_ = true;
        evaluator.say(*v.as<Bad>().pending);
      }
    } else if (v.is<NodeId>()) {
      inputs.push_back(v.as<NodeId>());
    } else if (v.is<TuplePtr>()) {
      for (const Value& part : v.as<TuplePtr>()->parts)
        value(part);
    } else if (v.is<ListedPtr>()) {
      for (const Value& element : v.as<ListedPtr>()->elements)
        value(element);
    } else if (v.is<ClosurePtr>()) {
      const Closure& closure = *v.as<ClosurePtr>();
      once(closure.function, closure.scope, [&] {
        std::vector<std::string> bound = closure.function->pattern.names;
        expression(*closure.function->parts[0], closure.scope, bound);
      });
    } else if (v.is<DeferredPtr>()) {
      const Deferred& deferred = *v.as<DeferredPtr>();
      once(deferred.expression, deferred.scope, [&] {
        std::vector<std::string> bound;
        expression(*deferred.expression, deferred.scope, bound);
      });
    } else if (v.is<Primitive>() && v.as<Primitive>() == Primitive::kClassesLoc) {
      inputs.push_back(evaluator.session_->loc);
    } else if (v.is<Primitive>() && v.as<Primitive>() == Primitive::kDifferentValues) {
      // A name no model can write.
      const std::string known = "different-values'base";
      const NodeId base = evaluator.builder_.base("different-values", false);
      inputs.push_back(base);
      if (evaluator.used_bases_.insert(known).second)
        evaluator.session_->base = evaluator.bind(evaluator.session_->base, known, {base});
    }
  }

  void name(const Expr& e, const Scope* scope, const std::vector<std::string>& bound) {
    if (std::find(bound.begin(), bound.end(), e.name) != bound.end())
      return;
    if (const Value* found = find(scope, e.name)) {
      value(*found);
      return;
    }
    const std::optional<Value> base = evaluator.look_up(nullptr, e.name);
    if (!base) {
      has_failed = true;
      if (tolerant == 0) {
        evaluator.was_undefined_ = true;
        evaluator.complain_unknown(e.name, e.loc);
      }
      return;
    }
    // So that the execution's evaluator finds it by name.
    if (evaluator.used_bases_.insert(e.name).second)
      evaluator.session_->base = evaluator.bind(evaluator.session_->base, e.name, *base);
    value(*base);
  }

  void bindings(const std::vector<Binding>& all,
                const Scope* scope,
                std::vector<std::string>& bound,
                bool is_recursive) {
    const std::size_t before = bound.size();
    if (is_recursive)
      for (const Binding& binding : all)
        bound.insert(bound.end(), binding.pattern.names.begin(), binding.pattern.names.end());
    for (const Binding& binding : all)
      expression(*binding.value, scope, bound);
    bound.resize(before);
    for (const Binding& binding : all)
      bound.insert(bound.end(), binding.pattern.names.begin(), binding.pattern.names.end());
  }

  void expression(const Expr& e, const Scope* scope, std::vector<std::string>& bound) {
    const std::size_t before = bound.size();
    switch (e.kind) {
    case ExprKind::kName:
      name(e, scope, bound);
      break;
    case ExprKind::kTag: {
      // tag2set may be applied to it.
      const Value events = evaluator.tag_events(e.name);
      value(events);
      const std::string known = "'" + e.name;
      if (evaluator.used_bases_.insert(known).second)
        evaluator.session_->base = evaluator.bind(evaluator.session_->base, known, events);
      break;
    }
    case ExprKind::kFunction:
      bound.insert(bound.end(), e.pattern.names.begin(), e.pattern.names.end());
      expression(*e.parts[0], scope, bound);
      break;
    case ExprKind::kLet:
    case ExprKind::kLetRec:
      bindings(e.bindings, scope, bound, e.kind == ExprKind::kLetRec);
      expression(*e.parts[0], scope, bound);
      break;
    case ExprKind::kTry: {
      const bool failed_before = has_failed;
      has_failed = false;
      ++tolerant;
      expression(*e.parts[0], scope, bound);
      --tolerant;
      if (has_failed)
        evaluator.session_->failing_tries.insert({&e, scope});
      has_failed = failed_before;
      expression(*e.parts[1], scope, bound);
      break;
    }
    case ExprKind::kMatchSet:
      expression(*e.parts[0], scope, bound);
      expression(*e.parts[1], scope, bound);
      bound.insert(bound.end(), e.pattern.names.begin(), e.pattern.names.end());
      expression(*e.parts[2], scope, bound);
      break;
    case ExprKind::kIf:
      condition(*e.condition, scope, bound);
      [[fallthrough]];
    case ExprKind::kZero:
    case ExprKind::kUniverse:
    case ExprKind::kSet:
    case ExprKind::kTuple:
    case ExprKind::kUnion:
    case ExprKind::kAdd:
    case ExprKind::kSequence:
    case ExprKind::kDifference:
    case ExprKind::kIntersection:
    case ExprKind::kProduct:
    case ExprKind::kStar:
    case ExprKind::kPlus:
    case ExprKind::kOptional:
    case ExprKind::kComplement:
    case ExprKind::kInverse:
    case ExprKind::kIdentityOn:
    case ExprKind::kApply:
    case ExprKind::kMatchTag:
      for (const ExprPtr& part : e.parts)
        expression(*part, scope, bound);
      break;
    }
    bound.resize(before);
  }

  void condition(const Condition& c, const Scope* scope, std::vector<std::string>& bound) {
    for (const ConditionPtr& part : c.conditions)
      condition(*part, scope, bound);
    for (const ExprPtr& part : c.parts)
      expression(*part, scope, bound);
  }
};

void Evaluator::collect_inputs(const Expr& e,
                               const Scope* scope,
                               std::vector<NodeId>& inputs,
                               std::vector<std::string> bound) {
  Collector collector{*this, inputs};
  collector.expression(e, scope, bound);
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
}

NodeId Evaluator::opaque_of(const DeferredPtr& deferred, bool is_set) {
  NodeId& known = is_set ? deferred->as_set : deferred->as_relation;
  if (known.is_valid())
    return known;
  Opaque opaque;
  opaque.what = "the expression at " + place(deferred->expression->loc);
  collect_inputs(*deferred->expression, deferred->scope, opaque.inputs);
  opaque.compute = [session = session_, deferred, is_set](const ConcreteValues& values) {
    return compute_deferred(*session, *deferred, is_set, values);
  };
  known = builder_.opaque(std::move(opaque), is_set);
  return known;
}

} // namespace heddle::memory::cat
