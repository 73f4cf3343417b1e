// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// CAT as a tree: what the parser makes, the printer prints and the evaluators walk.
#pragma once

#include "support/source_loc.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle::memory::cat {

/// A name, `_` (an empty name), or a tuple of them.
struct Pattern {
  bool is_tuple = false;
  std::vector<std::string> names;
  bool operator==(const Pattern&) const = default;
};

enum class ExprKind : std::uint8_t {
  kName,     // name
  kTag,      // name
  kZero,     // 0
  kUniverse, // _
  kSet,      // { parts }
  kTuple,    // ( parts ), none or at least two
  // Chains of one operator, at least two parts
  kUnion,        // to the right
  kAdd,          // ++, to the right
  kSequence,     // ;, to the right
  kDifference,   // to the left
  kIntersection, // to the right
  kProduct,      // two parts
  // One part
  kStar,
  kPlus,
  kOptional,
  kComplement,
  kInverse,
  kIdentityOn,
  kApply,    // parts: function, argument
  kFunction, // fun pattern -> part
  kLet,      // bindings, part
  kLetRec,   // bindings, part
  kTry,      // parts: first, else
  kIf,       // condition, parts: then, else
  kMatchTag, // parts: what, then one for each of `tags`; tag "" is `_`
  kMatchSet, // parts: what, the case {}, the case of `pattern`: (element, rest) or (before,
             // element, after)
};

struct Expr;
struct Condition;
using ExprPtr = std::unique_ptr<Expr>;
using ConditionPtr = std::unique_ptr<Condition>;

/// pattern = value. `let f (x, y) = e` is `let f = fun (x, y) -> e`.
struct Binding {
  Pattern pattern;
  ExprPtr value;
  SourceLoc loc = {};
};

struct Expr {
  ExprKind kind = ExprKind::kZero;
  SourceLoc loc = {};
  std::string name = {};
  std::vector<ExprPtr> parts = {};
  Pattern pattern = {};
  std::vector<std::string> tags = {};
  std::vector<Binding> bindings = {};
  ConditionPtr condition = {};
};

enum class ConditionKind : std::uint8_t {
  kVariant, // "name"
  kNot,     // one condition
  kAnd,
  kOr,
  kEqual, // two expressions
  kSubset,
  kMember,
};
struct Condition {
  ConditionKind kind = ConditionKind::kVariant;
  SourceLoc loc = {};
  std::string name = {};
  std::vector<ConditionPtr> conditions = {};
  std::vector<ExprPtr> parts = {};
};

enum class CheckKind : std::uint8_t { kAcyclic, kIrreflexive, kEmpty };
enum class CheckRole : std::uint8_t { kRequire, kFlag, kUndefinedUnless, kAssert };
struct Check {
  CheckKind kind = CheckKind::kAcyclic;
  CheckRole role = CheckRole::kRequire;
  bool is_negated = false;
  ExprPtr expression;
  std::string name; // `as name`
  SourceLoc loc = {};
};

enum class StatementKind : std::uint8_t {
  kLet,          // bindings
  kLetRec,       // bindings, `when` check or none
  kCheck,        // check
  kShow,         // names
  kShowAs,       // expression as name
  kShowAll,      //
  kUnshow,       // names
  kInclude,      // name
  kProcedure,    // name, pattern, body; is_recursive
  kCall,         // name, expression, `as` names[0] or none
  kEnum,         // name, names
  kDebug,        // expression
  kForall,       // for name in expression, body
  kWithFrom,     // name, expression
  kInstructions, // name, expressions (in `parts`)
  kDefault,      // likewise
  kScopes,       // names
  kIf,           // condition, body, otherwise
  kMatchTag,     // expression, `names` are the tags ("" is `_`), `cases`
};

struct Statement {
  StatementKind kind = StatementKind::kLet;
  SourceLoc loc = {};
  std::string name = {};
  std::vector<std::string> names = {};
  std::vector<Binding> bindings = {};
  std::unique_ptr<Check> check = {};
  ExprPtr expression = {};
  std::vector<ExprPtr> parts = {};
  Pattern pattern = {};
  bool is_recursive = false;
  ConditionPtr condition = {};
  std::vector<Statement> body = {};
  std::vector<Statement> otherwise = {};
  std::vector<std::vector<Statement>> cases = {};
};

struct File {
  std::vector<std::string> title; // none, one or two words or strings
  std::vector<std::string> options;
  std::vector<Statement> statements;
};

/// Equality of trees, but for places.
[[nodiscard]] bool equal(const Expr& a, const Expr& b);
[[nodiscard]] bool equal(const Statement& a, const Statement& b);
[[nodiscard]] bool equal(const File& a, const File& b);

} // namespace heddle::memory::cat
