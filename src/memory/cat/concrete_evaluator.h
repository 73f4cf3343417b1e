// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Expressions of CAT as values over the events of one execution.
#pragma once

#include "memory/cat/value.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace heddle::memory::cat {

struct Concrete;
struct ConcreteBinding;
using SetPtr = std::shared_ptr<const relation::BitSet>;
using MatrixPtr = std::shared_ptr<const relation::BitMatrix>;
using PartsPtr = std::shared_ptr<const std::vector<Concrete>>;

/// Where names are looked up: what was bound on the execution, then what was bound before it.
struct ConcreteScope {
  const ConcreteBinding* own = nullptr;
  const Scope* outer = nullptr;
};
struct ConcreteFunction {
  const Expr* function = nullptr;
  ConcreteScope scope = {};
};
struct ConcreteTuple {
  PartsPtr parts; // two events are an element of a relation
};
struct ConcreteList {
  PartsPtr elements; // no two equal
};

struct Concrete {
  std::variant<Nothing,
               std::size_t, // an event
               SetPtr,
               MatrixPtr,
               Tag,
               Primitive,
               ConcreteTuple,
               ConcreteList,
               ConcreteFunction>
      content = Nothing{};
  template <class Kind>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<Kind>(content);
  }
  template <class Kind>
  [[nodiscard]] const Kind& as() const {
    return std::get<Kind>(content);
  }
};
struct ConcreteBinding {
  std::string name;
  Concrete value;
  const ConcreteBinding* around = nullptr;
};

[[nodiscard]] inline Concrete wrap(relation::BitSet set) {
  return {std::make_shared<const relation::BitSet>(std::move(set))};
}
[[nodiscard]] inline Concrete wrap(relation::BitMatrix matrix) {
  return {std::make_shared<const relation::BitMatrix>(std::move(matrix))};
}
[[nodiscard]] Concrete tuple_of(std::vector<Concrete> parts);
[[nodiscard]] Concrete list_of(std::vector<Concrete> elements);

/// A value of the wrong kind here is an error of the model that loading could not see. It is told
/// to the execution's values (ConcreteValues::fail); from then on everything is empty.
class ConcreteEvaluator {
public:
  ConcreteEvaluator(const Session& session, const ConcreteValues& values)
      : session_(session), values_(values), bound_(values.event_count()) {}

  Concrete force(const Deferred& deferred);
  Concrete eval(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] ConcreteScope
  bind(const ConcreteScope& scope, const std::string& name, Concrete value);
  [[nodiscard]] ConcreteScope
  bind_all(const std::vector<Binding>& bindings, const ConcreteScope& scope, bool is_recursive);
  [[nodiscard]] bool holds(const Check& check, const ConcreteScope& scope);

  [[nodiscard]] relation::BitSet to_set(const Concrete& value, SourceLoc loc) const;
  [[nodiscard]] relation::BitMatrix to_relation(const Concrete& value, SourceLoc loc) const;
  /// Of a set of any kind: events, pairs, or what it lists.
  [[nodiscard]] std::vector<Concrete> elements(const Concrete& value, SourceLoc loc) const;

private:
  // Kinds (concrete_kinds.cpp)
  [[nodiscard]] Concrete add(const Concrete& element, const Concrete& set, SourceLoc loc) const;
  [[nodiscard]] Concrete
  combine(ExprKind kind, const Concrete& a, const Concrete& b, SourceLoc loc) const;
  [[nodiscard]] static bool equal(const Concrete& a, const Concrete& b);
  [[nodiscard]] static bool is_nothing(const Concrete& value);
  [[nodiscard]] static std::string describe(const Concrete& value);
  [[nodiscard]] bool has_failed() const { return values_.error().has_value(); }
  /// Nothing, after telling why.
  Concrete fail(SourceLoc loc, const std::string& code, const std::string& message) const;
  Concrete fail_kind(SourceLoc loc, const std::string& expected, const Concrete& found) const;

  // Expressions (concrete_evaluator.cpp)
  Concrete eval_inside(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] bool holds(const Condition& condition, const ConcreteScope& scope);
  [[nodiscard]] Concrete look_up(const Expr& e, const ConcreteScope& scope);
  /// `e` is the name that has the value.
  [[nodiscard]] Concrete from(const Value& value, const Expr& e);
  [[nodiscard]] ConcreteScope bind_pattern(const ConcreteScope& scope,
                                           const Pattern& pattern,
                                           const Concrete& value,
                                           SourceLoc loc);
  [[nodiscard]] Concrete eval_collection(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] Concrete eval_relational(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] Concrete eval_apply(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] Concrete eval_chain(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] Concrete eval_complement(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] Concrete eval_match_tag(const Expr& e, const ConcreteScope& scope);
  [[nodiscard]] Concrete eval_match_set(const Expr& e, const ConcreteScope& scope);

  // Functions (concrete_primitives.cpp)
  [[nodiscard]] Concrete apply(const Concrete& function, const Concrete& argument, SourceLoc loc);
  [[nodiscard]] Concrete apply(Primitive primitive, const Concrete& argument, SourceLoc loc);
  [[nodiscard]] Concrete classes(const relation::BitMatrix& relation) const;
  [[nodiscard]] Concrete classes_by_location(const relation::BitSet& set) const;
  [[nodiscard]] Concrete linearisations(const relation::BitSet& set,
                                        const relation::BitMatrix& order) const;
  [[nodiscard]] relation::BitMatrix bisimulation(const relation::BitMatrix& steps,
                                                 relation::BitMatrix equal) const;

  const Session& session_;
  const ConcreteValues& values_;
  std::size_t bound_;
  int depth_ = 0;
  std::deque<ConcreteBinding> bindings_;
  std::map<std::pair<const Expr*, const Scope*>, Concrete> forced_;
};

} // namespace heddle::memory::cat
