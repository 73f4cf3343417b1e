// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What expressions of CAT mean before an execution is known: nodes of the core, functions, tuples,
// sets whose elements are known, and computations put off until there is an execution.
#pragma once

#include "memory/cat/syntax.h"
#include "memory/core.h"
#include "support/result.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace heddle::memory::cat {

struct Scope;
struct Value;

/// Something is wrong with it. That has been said, or is said when the definition is used:
/// definitions that use names which this architecture does not have are common in libraries.
struct Bad {
  std::shared_ptr<const std::vector<Error>> pending = {};
};
/// The empty set or relation, of whatever kind is wanted.
struct Nothing {};
struct Tag {
  std::string name;
};
struct Tuple {
  std::vector<Value> parts;
};
/// A set with these elements; they may turn out equal on an execution.
struct Listed {
  std::vector<Value> elements;
};
struct Closure {
  const Expr* function = nullptr;
  const Scope* scope = nullptr;
  std::string name = {};
  /// From the library file whose functions the engine knows how to do better.
  bool is_cross = false;
};
struct Procedure {
  const Statement* statement = nullptr;
  const Scope* scope = nullptr;
};
enum class Primitive : std::uint8_t {
  kDomain,
  kRange,
  kClasses,
  kClassesLoc,
  kLinearisations,
  kTagToEvents,
  kTagToScope,
  kDifferentValues,
  kSameOutput,
  kAtLeastOneWritable,
  kBisimulation,
};
/// The value of an expression that only an execution has.
struct Deferred {
  enum class Shape : std::uint8_t {
    kAny,
    kClassesLoc, // of `first` by location
    kOrders,     // for each class of `first` by location, the orders of it that extend `second`
    kCoherence,  // all unions of one of these for each location
  };
  const Expr* expression = nullptr;
  const Scope* scope = nullptr;
  int projection = -1;     // of the tuple that the expression gives
  std::size_t arity = 0;   // how many parts that has to have
  bool gives_sets = false; // a set of sets of events, not of relations
  Shape shape = Shape::kAny;
  NodeId first = {};
  NodeId second = {};
  // The opaque nodes made of it.
  NodeId as_set = {};
  NodeId as_relation = {};
};

struct Value {
  std::variant<Bad,
               Nothing,
               NodeId,
               Tag,
               Primitive,
               std::shared_ptr<const Tuple>,
               std::shared_ptr<const Listed>,
               std::shared_ptr<const Closure>,
               std::shared_ptr<const Procedure>,
               std::shared_ptr<Deferred>>
      content = Bad{};

  template <class Kind>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<Kind>(content);
  }
  template <class Kind>
  [[nodiscard]] const Kind& as() const {
    return std::get<Kind>(content);
  }
};
using TuplePtr = std::shared_ptr<const Tuple>;
using ListedPtr = std::shared_ptr<const Listed>;
using ClosurePtr = std::shared_ptr<const Closure>;
using ProcedurePtr = std::shared_ptr<const Procedure>;
using DeferredPtr = std::shared_ptr<Deferred>;

/// One name and what it means, and the names around it. Scopes only grow; a later definition of a
/// name hides the earlier one.
struct Scope {
  std::string name;
  Value value;
  const Scope* around = nullptr;
};
[[nodiscard]] const Value* find(const Scope* scope, const std::string& name);

/// What evaluations share and opaque computations keep alive: trees, scopes, the final numbers of
/// nodes.
struct Session {
  std::vector<std::unique_ptr<File>> trees;
  std::deque<Scope> scopes;
  std::vector<std::string> files; // by SourceLoc::file
  IdVector<NodeId, NodeId> numbers;
  std::vector<bool> is_set; // by the number a node had first
  std::vector<std::string> variants;
  /// What names mean that no scope defines: the base sets and relations that deferred expressions
  /// mention, and `loc`, which classes by location ask for.
  const Scope* base = nullptr;
  /// The `try` expressions in deferred code whose first part uses unknown names, and where.
  std::set<std::pair<const Expr*, const Scope*>> failing_tries;
  NodeId loc = {};
};

} // namespace heddle::memory::cat
