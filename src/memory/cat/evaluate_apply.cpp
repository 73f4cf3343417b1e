// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Names, kinds, and the application of functions.
#include "memory/cat/cat_text.h"
#include "memory/cat/evaluate.h"
#include "memory/cat/prelude.h"
#include "support/overloaded.h"

#include <algorithm>
#include <cctype>

namespace heddle::memory::cat {

namespace {

std::string capitalised(std::string text) {
  if (!text.empty())
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string upper(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

} // namespace

Evaluator::Evaluator(std::shared_ptr<Session> session,
                     CoreBuilder& builder,
                     const LoadOptions& options,
                     std::vector<Error>& errors)
    : session_(std::move(session)), builder_(builder), options_(options), errors_(errors) {
  if (options.base_names != nullptr) {
    const BaseNames& names = *options.base_names;
    base_sets_.insert(names.sets.begin(), names.sets.end());
    base_relations_.insert(names.relations.begin(), names.relations.end());
    empty_sets_.insert(names.empty_sets.begin(), names.empty_sets.end());
    empty_relations_.insert(names.empty_relations.begin(), names.empty_relations.end());
    aliases_.insert(names.aliases.begin(), names.aliases.end());
  }
  primitives_ = {
      {"domain", {Primitive::kDomain}},
      {"range", {Primitive::kRange}},
      {"classes", {Primitive::kClasses}},
      {"classes-loc", {Primitive::kClassesLoc}},
      {"linearisations", {Primitive::kLinearisations}},
      {"tag2events", {Primitive::kTagToEvents}},
      {"tag2set", {Primitive::kTagToEvents}},
      {"tag2scope", {Primitive::kTagToScope}},
      {"tag2level", {Primitive::kTagToScope}},
      {"different-values", {Primitive::kDifferentValues}},
      {"same-oa", {Primitive::kSameOutput}},
      {"at-least-one-writable", {Primitive::kAtLeastOneWritable}},
      {"bisimulation", {Primitive::kBisimulation}},
  };
  session_->loc = builder_.base("loc", false);
}

void Evaluator::complain(SourceLoc loc, std::string code, std::string message) {
  Error error = {ErrorKind::kInput, std::move(code), std::move(message)};
  if (loc.file < session_->files.size())
    error.file = session_->files[loc.file];
  error.line = loc.line;
  error.column = loc.column;
  say({std::move(error)});
}

/// Each once: a function that is wrong is wrong each time it is applied.
void Evaluator::say(const std::vector<Error>& found) {
  for (const Error& error : found)
    if (std::find(errors_.begin(), errors_.end(), error) == errors_.end())
      errors_.push_back(error);
}

std::string Evaluator::place(SourceLoc loc) const {
  const std::string file = loc.file < session_->files.size() ? session_->files[loc.file] : "";
  return file + ":" + std::to_string(loc.line);
}

std::string Evaluator::describe(const Value& value, const CoreBuilder& builder) {
  return std::visit(
      Overloaded{[](const Bad&) -> std::string { return "an error"; },
                 [](const Nothing&) -> std::string { return "nothing"; },
                 [&](const NodeId& node) -> std::string {
                   return builder.is_set(node) ? "a set of events" : "a relation";
                 },
                 [](const Tag& tag) -> std::string { return "the tag '" + tag.name; },
                 [](const Primitive&) -> std::string { return "a function"; },
                 [](const TuplePtr&) -> std::string { return "a tuple"; },
                 [](const ListedPtr&) -> std::string { return "a set of sets, relations or tags"; },
                 [](const ClosurePtr&) -> std::string { return "a function"; },
                 [](const ProcedurePtr&) -> std::string { return "a procedure"; },
                 [](const DeferredPtr&) -> std::string {
                   return "something that depends on the execution";
                 }},
      value.content);
}

const Scope* Evaluator::bind(const Scope* scope, const std::string& name, Value value) {
  if (name.empty())
    return scope;
  session_->scopes.push_back({name, std::move(value), scope});
  return &session_->scopes.back();
}

std::optional<const Scope*> Evaluator::bind_pattern(const Scope* scope,
                                                    const Pattern& pattern,
                                                    const Value& value,
                                                    SourceLoc loc,
                                                    bool may_project,
                                                    bool& is_deferred) {
  if (!pattern.is_tuple) {
    // Functions are known by the name they are first given.
    if (value.is<ClosurePtr>() && value.as<ClosurePtr>()->name.empty()) {
      auto named = std::make_shared<Closure>(*value.as<ClosurePtr>());
      named->name = pattern.names[0];
      const std::uint32_t file = named->function->loc.file;
      if (file < session_->files.size()) {
        const std::string& path = session_->files[file];
        named->is_cross = path == "cross.cat" || path.ends_with("/cross.cat");
      }
      return bind(scope, pattern.names[0], {ClosurePtr(std::move(named))});
    }
    return bind(scope, pattern.names[0], value);
  }
  if (value.is<Bad>()) {
    for (const std::string& name : pattern.names)
      scope = bind(scope, name, value);
    return scope;
  }
  if (value.is<DeferredPtr>()) {
    if (!may_project) {
      is_deferred = true;
      return std::nullopt;
    }
    const DeferredPtr& whole = value.as<DeferredPtr>();
    if (whole->projection < 0) {
      for (std::size_t i = 0; i < pattern.names.size(); ++i) {
        auto part = std::make_shared<Deferred>();
        part->expression = whole->expression;
        part->scope = whole->scope;
        part->projection = static_cast<int>(i);
        part->arity = pattern.names.size();
        scope = bind(scope, pattern.names[i], {std::move(part)});
      }
      return scope;
    }
  }
  if (!value.is<TuplePtr>() || value.as<TuplePtr>()->parts.size() != pattern.names.size()) {
    const std::string found = value.is<TuplePtr>()
                                  ? "one of " + std::to_string(value.as<TuplePtr>()->parts.size())
                                  : describe(value, builder_);
    complain(loc,
             "CAT-012",
             "expected a tuple of " + std::to_string(pattern.names.size()) + ", found " + found);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < pattern.names.size(); ++i)
    scope = bind(scope, pattern.names[i], value.as<TuplePtr>()->parts[i]);
  return scope;
}

std::optional<Value> Evaluator::look_up_base(const std::string& name) {
  if (const auto alias = aliases_.find(name); alias != aliases_.end())
    return look_up_base(alias->second);
  if (empty_sets_.contains(name))
    return Value{builder_.empty(true)};
  if (empty_relations_.contains(name))
    return Value{builder_.empty(false)};
  if (name == "id")
    return Value{builder_.identity()};
  if (name == "emptyset")
    return Value{builder_.empty(true)};
  if (name == "EXEC" && empty_sets_.contains("SPEC")) // there is no speculation
    return Value{builder_.universe()};
  if (base_sets_.contains(name) || base_relations_.contains(name))
    if (const std::string_view text = prelude_definition(name); !text.empty())
      return look_up_defined(name, text);
  if (base_sets_.contains(name))
    return Value{builder_.base(name, true)};
  if (base_relations_.contains(name))
    return Value{builder_.base(name, false)};
  if (name == "pco" && base_relations_.contains("co"))
    return look_up_defined(name, prelude_definition(name));
  return std::nullopt;
}

/// A base name that has its meaning from others.
std::optional<Value> Evaluator::look_up_defined(const std::string& name, std::string_view text) {
  if (!primitives_.contains(name)) {
    const auto index = static_cast<std::uint32_t>(session_->files.size());
    session_->files.push_back(name);
    session_->trees.push_back(std::make_unique<File>(parse(std::string(text), name, index).file));
    const Scope* defined = run(session_->trees.back()->statements, nullptr, false);
    primitives_[name] = *find(defined, name);
  }
  return primitives_[name];
}

void Evaluator::complain_unknown(const std::string& name, SourceLoc loc) {
  std::string message = "nothing is called '" + name + "' here";
  const std::string here = options_.base_names == nullptr ? "" : options_.base_names->vocabulary;
  std::string others;
  if (!here.empty())
    for (const Vocabulary vocabulary : vocabularies_with(name))
      others += (others.empty() ? "" : ", ") + std::string(to_string(vocabulary));
  if (!others.empty())
    message += ": programs for " + others + " have it, programs for " + here + " do not";
  complain(loc, "CAT-010", message);
}

std::optional<Value> Evaluator::look_up(const Scope* scope, const std::string& name) {
  if (const Value* value = find(scope, name))
    return *value;
  const auto primitive = primitives_.find(name);
  return primitive == primitives_.end() ? look_up_base(name) : primitive->second;
}

Value Evaluator::tag_events(const std::string& tag) {
  for (const std::string& name : {capitalised(tag), upper(tag), tag}) {
    const std::optional<Value> value = look_up_base(name);
    if (value && value->is<NodeId>() && builder_.is_set(value->as<NodeId>()))
      return *value;
  }
  return {builder_.base(capitalised(tag), true)};
}

std::optional<NodeId> Evaluator::to_set(const Value& value, SourceLoc loc) {
  if (value.is<Nothing>())
    return builder_.empty(true);
  if (value.is<NodeId>() && builder_.is_set(value.as<NodeId>()))
    return value.as<NodeId>();
  if (value.is<DeferredPtr>())
    return opaque_of(value.as<DeferredPtr>(), true);
  if (!value.is<Bad>())
    complain(loc, "CAT-011", "expected a set of events, found " + describe(value, builder_));
  return std::nullopt;
}

std::optional<NodeId> Evaluator::to_relation(const Value& value, SourceLoc loc) {
  if (value.is<Nothing>())
    return builder_.empty(false);
  if (value.is<NodeId>() && !builder_.is_set(value.as<NodeId>()))
    return value.as<NodeId>();
  if (value.is<DeferredPtr>())
    return opaque_of(value.as<DeferredPtr>(), false);
  if (!value.is<Bad>())
    complain(loc, "CAT-011", "expected a relation, found " + describe(value, builder_));
  return std::nullopt;
}

Value Evaluator::eval_apply(const Expr& e, const Scope* scope) {
  const Value function = eval(*e.parts[0], scope);
  const Value argument = eval(*e.parts[1], scope);
  if (function.is<Bad>() || argument.is<Bad>())
    return {Bad{}};
  return apply(function, argument, e, scope);
}

Value Evaluator::apply(const Value& function,
                       const Value& argument,
                       const Expr& e,
                       const Scope* scope) {
  if (function.is<ClosurePtr>())
    return apply_closure(function.as<ClosurePtr>(), argument, e, scope);
  if (function.is<Primitive>())
    return apply_primitive(function.as<Primitive>(), argument, e, scope);
  if (function.is<DeferredPtr>())
    return defer(e, scope);
  complain(e.loc, "CAT-015", describe(function, builder_) + " cannot be applied");
  return {Bad{}};
}

Value Evaluator::apply_closure(const ClosurePtr& closure,
                               const Value& argument,
                               const Expr& e,
                               const Scope* scope) {
  if (closure->is_cross) {
    // cross (co_locs (pco, classes-loc S)) is a generator the engine has its own way of doing.
    const auto shaped = [&](Deferred::Shape shape, NodeId first, NodeId second) {
      Value value = defer(e, scope);
      const DeferredPtr& made = value.as<DeferredPtr>();
      made->shape = shape;
      made->first = first;
      made->second = second;
      return value;
    };
    const auto has_shape = [](const Value& value, Deferred::Shape shape) {
      return value.is<DeferredPtr>() && value.as<DeferredPtr>()->shape == shape;
    };
    if (closure->name == "co_locs" && argument.is<TuplePtr>() &&
        argument.as<TuplePtr>()->parts.size() == 2) {
      const Value& partial = argument.as<TuplePtr>()->parts[0];
      const Value& classes = argument.as<TuplePtr>()->parts[1];
      if (has_shape(classes, Deferred::Shape::kClassesLoc)) {
        const std::optional<NodeId> order = to_relation(partial, e.loc);
        if (!order)
          return {Bad{}};
        return shaped(Deferred::Shape::kOrders, classes.as<DeferredPtr>()->first, *order);
      }
    }
    if (closure->name == "cross" && has_shape(argument, Deferred::Shape::kOrders))
      return shaped(Deferred::Shape::kCoherence,
                    argument.as<DeferredPtr>()->first,
                    argument.as<DeferredPtr>()->second);
  }
  bool is_deferred = false;
  const std::optional<const Scope*> inner =
      bind_pattern(closure->scope, closure->function->pattern, argument, e.loc, false, is_deferred);
  if (is_deferred)
    return defer(e, scope);
  if (!inner)
    return {Bad{}};
  return eval(*closure->function->parts[0], *inner);
}

Value Evaluator::apply_primitive(Primitive primitive,
                                 const Value& argument,
                                 const Expr& e,
                                 const Scope* scope) {
  const SourceLoc loc = e.parts[1]->loc;
  const auto pair = [&]() -> const std::vector<Value>* {
    if (argument.is<TuplePtr>() && argument.as<TuplePtr>()->parts.size() == 2)
      return &argument.as<TuplePtr>()->parts;
    if (!argument.is<DeferredPtr>())
      complain(loc, "CAT-012", "expected a tuple of 2, found " + describe(argument, builder_));
    return nullptr;
  };
  const auto among = [&](const std::string& base) -> Value {
    const std::optional<NodeId> relation = to_relation(argument, loc);
    if (!relation)
      return {Bad{}};
    if (builder_.is_empty(*relation))
      return {*relation};
    return {builder_.intersect(*relation, builder_.base(base, false))};
  };
  switch (primitive) {
  case Primitive::kDomain:
  case Primitive::kRange: {
    const std::optional<NodeId> relation = to_relation(argument, loc);
    if (!relation)
      return {Bad{}};
    return {primitive == Primitive::kDomain ? builder_.domain(*relation)
                                            : builder_.range(*relation)};
  }
  case Primitive::kClasses: {
    if (!to_relation(argument, loc))
      return {Bad{}};
    Value value = defer(e, scope);
    value.as<DeferredPtr>()->gives_sets = true;
    return value;
  }
  case Primitive::kClassesLoc: {
    const std::optional<NodeId> set = to_set(argument, loc);
    if (!set)
      return {Bad{}};
    if (builder_.is_empty(*set))
      return {Nothing{}};
    Value value = defer(e, scope);
    value.as<DeferredPtr>()->shape = Deferred::Shape::kClassesLoc;
    value.as<DeferredPtr>()->gives_sets = true;
    value.as<DeferredPtr>()->first = *set;
    return value;
  }
  case Primitive::kLinearisations: {
    const std::vector<Value>* parts = pair();
    if (parts == nullptr)
      return argument.is<DeferredPtr>() ? defer(e, scope) : Value{Bad{}};
    if (!to_set((*parts)[0], loc) || !to_relation((*parts)[1], loc))
      return {Bad{}};
    return defer(e, scope);
  }
  case Primitive::kBisimulation: {
    const std::vector<Value>* parts = pair();
    if (parts == nullptr)
      return argument.is<DeferredPtr>() ? defer(e, scope) : Value{Bad{}};
    if (!to_relation((*parts)[0], loc) || !to_relation((*parts)[1], loc))
      return {Bad{}};
    return defer(e, scope);
  }
  case Primitive::kTagToEvents:
    if (argument.is<Tag>())
      return tag_events(argument.as<Tag>().name);
    if (argument.is<DeferredPtr>())
      return defer(e, scope);
    complain(loc, "CAT-011", "expected a tag, found " + describe(argument, builder_));
    return {Bad{}};
  case Primitive::kTagToScope:
    complain(e.loc, "CAT-016", "scopes of threads are not supported");
    errors_.back().kind = ErrorKind::kUnsupported;
    return {Bad{}};
  case Primitive::kDifferentValues:
    return among("different-values");
  case Primitive::kSameOutput:
    return among("same-oa");
  case Primitive::kAtLeastOneWritable:
    return among("at-least-one-writable");
  }
  return {Bad{}};
}

} // namespace heddle::memory::cat
