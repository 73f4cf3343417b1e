// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of expressions.
#include "memory/cat/check_kinds.h"

#include <array>
#include <utility>

namespace heddle::memory::cat {

Kinds Kinds::joined(const Kinds& other) const {
  Kinds both = {static_cast<std::uint16_t>(bits | other.bits), is_undefined || other.is_undefined};
  if (result && other.result)
    both.result = std::make_shared<const Kinds>(result->joined(*other.result));
  return both;
}

std::string describe(const Kinds& kinds) {
  constexpr std::array<std::pair<KindBit, const char*>, 8> kNames = {
      {{kEventKind, "an event"},
       {kSetKind, "a set of events"},
       {kRelationKind, "a relation"},
       {kTagKind, "a tag"},
       {kListKind, "a set of sets, relations or tags"},
       {kTupleKind, "a tuple"},
       {kFunctionKind, "a function"},
       {kProcedureKind, "a procedure"}}};
  std::string text;
  for (const auto& [bit, name] : kNames)
    if (kinds.can_be(bit))
      text += (text.empty() ? "" : " or ") + std::string(name);
  return text;
}

namespace {

std::string what(std::uint16_t wanted) {
  if ((wanted & kSetKind) != 0)
    return "a set of events";
  return (wanted & kRelationKind) != 0 ? "a relation" : "a tag";
}

} // namespace

Kinds KindChecker::function_kinds(const Expr* function) const {
  const auto known = functions_.find(function);
  return known == functions_.end() ? Kinds{kFunctionKind} : known->second;
}

void KindChecker::say(SourceLoc loc, std::string code, std::string message) {
  errors_.push_back({loc, std::move(code), std::move(message)});
}

bool KindChecker::expect(const Kinds& kinds,
                         std::uint16_t wanted,
                         SourceLoc loc,
                         const std::string& what) {
  if (kinds.can_be(wanted))
    return true;
  say(loc, "CAT-011", "expected " + what + ", found " + describe(kinds));
  return false;
}

void KindChecker::bind(const std::string& name, Kinds kinds) {
  if (!name.empty())
    locals_.push_back({name, std::move(kinds)});
}

void KindChecker::bind(const Pattern& pattern, const Kinds& kinds) {
  if (!pattern.is_tuple) {
    bind(pattern.names[0], kinds);
    return;
  }
  for (const std::string& name : pattern.names)
    bind(name, Kinds{kAnyKind, kinds.is_undefined});
}

Kinds KindChecker::of(const Expr& e) {
  switch (e.kind) {
  case ExprKind::kName:
    return of_name(e.name);
  case ExprKind::kTag:
    return {kTagKind};
  case ExprKind::kZero:
    return {kEmptyKinds};
  case ExprKind::kUniverse:
    return {kSetKind};
  case ExprKind::kSet:
    return of_set(e);
  case ExprKind::kTuple: {
    Kinds tuple = {kTupleKind};
    for (const ExprPtr& part : e.parts)
      tuple.is_undefined = of(*part).is_undefined || tuple.is_undefined;
    return tuple.is_undefined ? Kinds{kAnyKind, true} : tuple;
  }
  case ExprKind::kUnion:
  case ExprKind::kIntersection:
  case ExprKind::kDifference:
    return of_chain(e);
  case ExprKind::kAdd:
    return of_add(e);
  case ExprKind::kSequence:
  case ExprKind::kProduct:
  case ExprKind::kStar:
  case ExprKind::kPlus:
  case ExprKind::kOptional:
  case ExprKind::kInverse:
  case ExprKind::kIdentityOn:
    return of_relational(e);
  case ExprKind::kComplement:
    return of_complement(e);
  case ExprKind::kApply:
    return of_apply(e);
  case ExprKind::kFunction:
    return of_function(e);
  case ExprKind::kLet:
  case ExprKind::kLetRec:
    return of_let(e);
  case ExprKind::kTry:
    return of_try(e);
  case ExprKind::kIf:
    visit(*e.condition);
    return of_branches(e, 0);
  case ExprKind::kMatchTag: {
    const Kinds matched = of(*e.parts[0]);
    static_cast<void>(expect(matched, kTagKind, e.loc, "a tag to match"));
    return of_branches(e, 1);
  }
  case ExprKind::kMatchSet:
    return of_match_set(e);
  }
  return {};
}

Kinds KindChecker::of_name(const std::string& name) {
  for (std::size_t i = locals_.size(); i-- > 0;)
    if (locals_[i].name == name)
      return locals_[i].kinds;
  if (is_lost_)
    return {};
  if (const std::optional<Kinds> known = (*look_up_)(name)) {
    met_undefined_ = met_undefined_ || known->is_undefined;
    return *known;
  }
  met_undefined_ = true;
  return {kAnyKind, true};
}

Kinds KindChecker::of_set(const Expr& e) {
  if (e.parts.empty())
    return {kEmptyKinds};
  Kinds elements = {0};
  for (const ExprPtr& part : e.parts)
    elements = elements.joined(of(*part));
  if (elements.is_undefined)
    return {kAnyKind, true};
  std::uint16_t made = 0;
  if (elements.can_be(kEventKind))
    made |= kSetKind;
  if (elements.can_be(kTupleKind))
    made |= kRelationKind;
  // A pair of what are no events is an element like others.
  if (elements.can_be(static_cast<std::uint16_t>(kAnyKind & ~kEventKind)))
    made |= kListKind;
  return {made};
}

Kinds KindChecker::of_chain(const Expr& e) {
  // All of one kind.
  std::uint16_t possible = kEmptyKinds;
  bool is_undefined = false;
  for (const ExprPtr& part : e.parts) {
    const Kinds kinds = of(*part);
    std::uint16_t here = kinds.bits & kEmptyKinds;
    if (kinds.can_be(kEventKind))
      here |= kSetKind;
    if (kinds.can_be(kTupleKind))
      here |= kRelationKind;
    is_undefined = is_undefined || kinds.is_undefined;
    if ((possible & here) != 0 || possible == 0) {
      possible &= here;
      continue;
    }
    const std::string wanted =
        possible == kEmptyKinds ? "a set or a relation" : describe(Kinds{possible});
    say(part->loc, "CAT-011", "expected " + wanted + ", found " + describe(kinds));
    possible = 0;
  }
  if (is_undefined || possible == 0)
    return {kAnyKind, is_undefined};
  return {possible};
}

Kinds KindChecker::of_add(const Expr& e) {
  bool is_undefined = false;
  for (std::size_t i = 0; i + 1 < e.parts.size(); ++i)
    is_undefined = of(*e.parts[i]).is_undefined || is_undefined;
  const Kinds added_to = of(*e.parts.back());
  if (is_undefined || added_to.is_undefined ||
      !expect(added_to, kEmptyKinds, e.parts.back()->loc, "a set to add to"))
    return {kAnyKind, is_undefined || added_to.is_undefined};
  return {static_cast<std::uint16_t>(added_to.bits & kEmptyKinds)};
}

Kinds KindChecker::of_relational(const Expr& e) {
  const bool takes_sets = e.kind == ExprKind::kProduct || e.kind == ExprKind::kIdentityOn;
  bool is_undefined = false;
  for (const ExprPtr& part : e.parts) {
    const Kinds kinds = of(*part);
    is_undefined = is_undefined || kinds.is_undefined;
    static_cast<void>(takes_sets ? expect(kinds, kSetLike, part->loc, "a set of events")
                                 : expect(kinds, kRelationLike, part->loc, "a relation"));
  }
  return is_undefined ? Kinds{kAnyKind, true} : Kinds{kRelationKind};
}

Kinds KindChecker::of_complement(const Expr& e) {
  const Kinds kinds = of(*e.parts[0]);
  if (kinds.is_undefined || !expect(kinds, kSetLike | kRelationLike, e.loc, "a set or a relation"))
    return {kAnyKind, kinds.is_undefined};
  std::uint16_t made = 0;
  if (kinds.can_be(kSetLike))
    made |= kSetKind;
  if (kinds.can_be(kRelationLike))
    made |= kRelationKind;
  return {made};
}

Kinds KindChecker::of_apply(const Expr& e) {
  const Kinds function = of(*e.parts[0]);
  const Kinds argument = of(*e.parts[1]);
  if (function.is_undefined || argument.is_undefined)
    return {kAnyKind, true};
  if (!function.can_be(kFunctionKind)) {
    say(e.loc, "CAT-015", describe(function) + " cannot be applied");
    return {};
  }
  if (function.bits != kFunctionKind || !function.result)
    return {};
  if (function.takes != kAnyKind)
    static_cast<void>(expect(argument, function.takes, e.parts[1]->loc, what(function.takes)));
  met_undefined_ = met_undefined_ || function.result->is_undefined;
  return *function.result;
}

Kinds KindChecker::of_function(const Expr& e) {
  const std::size_t before = locals_.size();
  for (const std::string& name : e.pattern.names)
    bind(name, {});
  const Kinds result = of(*e.parts[0]);
  locals_.resize(before);
  const Kinds made = {kFunctionKind, false, std::make_shared<const Kinds>(result)};
  functions_[&e] = made;
  return made;
}

Kinds KindChecker::of_let(const Expr& e) {
  const std::size_t before = locals_.size();
  if (e.kind == ExprKind::kLetRec) {
    bind_recursive(e.bindings, e.loc);
  } else {
    // Simultaneous: the values are of the scope around.
    std::vector<Kinds> values;
    for (const Binding& binding : e.bindings)
      values.push_back(of(*binding.value));
    for (std::size_t i = 0; i < values.size(); ++i)
      bind(e.bindings[i].pattern, values[i]);
  }
  Kinds result = of(*e.parts[0]);
  locals_.resize(before);
  return result;
}

Kinds KindChecker::of_try(const Expr& e) {
  const std::size_t errors_before = errors_.size();
  const bool undefined_before = std::exchange(met_undefined_, false);
  const Kinds first = of(*e.parts[0]);
  const bool fails = std::exchange(met_undefined_, undefined_before);
  if (fails)
    errors_.resize(errors_before);
  const Kinds second = of(*e.parts[1]);
  return fails ? second : first.joined(second);
}

Kinds KindChecker::of_branches(const Expr& e, std::size_t first) {
  Kinds made = {0};
  for (std::size_t i = first; i < e.parts.size(); ++i)
    made = made.joined(of(*e.parts[i]));
  return made.bits == 0 ? Kinds{} : made;
}

Kinds KindChecker::of_match_set(const Expr& e) {
  const Kinds matched = of(*e.parts[0]);
  static_cast<void>(expect(matched, kEmptyKinds, e.loc, "a set to match"));
  Kinds made = of(*e.parts[1]);
  const bool has_events = matched.bits == kSetKind;
  const std::size_t before = locals_.size();
  const std::vector<std::string>& names = e.pattern.names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_element = i + 2 == names.size();
    bind(names[i], has_events ? Kinds{is_element ? kEventKind : kSetKind} : Kinds{});
  }
  made = made.joined(of(*e.parts[2]));
  locals_.resize(before);
  return made;
}

void KindChecker::visit(const Condition& condition) {
  for (const ConditionPtr& part : condition.conditions)
    visit(*part);
  for (const ExprPtr& part : condition.parts)
    static_cast<void>(of(*part));
}

} // namespace heddle::memory::cat
