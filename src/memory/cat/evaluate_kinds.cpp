// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the checker of kinds has to know of values, and what it found.
#include "memory/cat/evaluate.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::memory::cat {

namespace {

Kinds kinds_of_primitive(Primitive primitive) {
  const auto function = [](std::uint16_t takes, std::uint16_t gives) {
    return Kinds{kFunctionKind, false, std::make_shared<const Kinds>(Kinds{gives}), takes};
  };
  switch (primitive) {
  case Primitive::kDomain:
  case Primitive::kRange:
    return function(kRelationLike, kSetKind);
  case Primitive::kClasses:
    return function(kRelationLike, kAnyKind);
  case Primitive::kClassesLoc:
    return function(kSetLike, kAnyKind);
  case Primitive::kTagToEvents:
    return function(kTagKind, kSetKind);
  case Primitive::kDifferentValues:
  case Primitive::kSameOutput:
  case Primitive::kAtLeastOneWritable:
    return function(kRelationLike, kRelationKind);
  case Primitive::kLinearisations:
  case Primitive::kTagToScope:
  case Primitive::kBisimulation:
    return {kFunctionKind};
  }
  return {kFunctionKind};
}

} // namespace

Kinds Evaluator::kinds_of(const Value& value) const {
  return std::visit(
      Overloaded{
          [](const Bad&) { return Kinds{kAnyKind, true}; },
          [](const Nothing&) {
            Kinds kinds = {kEmptyKinds};
            kinds.is_empty = true;
            return kinds;
          },
          [&](const NodeId& node) {
            Kinds kinds = {builder_.is_set(node) ? kSetKind : kRelationKind};
            kinds.is_empty = builder_.is_empty(node);
            return kinds;
          },
          [](const Tag&) { return Kinds{kTagKind}; },
          [](const Primitive& primitive) { return kinds_of_primitive(primitive); },
          [](const TuplePtr&) { return Kinds{kTupleKind}; },
          [](const ListedPtr&) { return Kinds{kListKind}; },
          [&](const ClosurePtr& closure) { return checker_.function_kinds(closure->function); },
          [](const ProcedurePtr&) { return Kinds{kProcedureKind}; },
          [](const DeferredPtr&) { return Kinds{}; }},
      value.content);
}

std::optional<Kinds> Evaluator::kinds_of_base(const std::string& name) const {
  if (const auto alias = aliases_.find(name); alias != aliases_.end())
    return kinds_of_base(alias->second);
  if (empty_sets_.contains(name) || name == "emptyset" || empty_relations_.contains(name)) {
    Kinds kinds = {empty_relations_.contains(name) ? kRelationKind : kSetKind};
    kinds.is_empty = true;
    return kinds;
  }
  if (base_sets_.contains(name))
    return Kinds{kSetKind};
  if (base_relations_.contains(name) || name == "id")
    return Kinds{kRelationKind};
  if (name == "EXEC" || name == "pco")
    return Kinds{};
  return std::nullopt;
}

std::optional<Kinds> Evaluator::kinds_of(const Scope* scope, const std::string& name) const {
  if (const Value* value = find(scope, name))
    return kinds_of(*value);
  const auto primitive = primitives_.find(name);
  return primitive == primitives_.end() ? kinds_of_base(name) : kinds_of(primitive->second);
}

void Evaluator::complain_of_kinds() {
  const auto is_said = [&](const KindError& found) {
    return std::any_of(errors_.begin(), errors_.end(), [&](const Error& error) {
      return error.code == found.code && error.line == found.loc.line &&
             error.column == found.loc.column && found.loc.file < session_->files.size() &&
             error.file == session_->files[found.loc.file];
    });
  };
  for (const KindError& found : checker_.errors())
    if (!evaluated_recursions_.contains(found.recursion) && !is_said(found))
      complain(found.loc, found.code, found.message);
}

} // namespace heddle::memory::cat
