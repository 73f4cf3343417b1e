// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/cat/concrete.h"

#include "memory/cat/concrete_evaluator.h"

#include <algorithm>

namespace heddle::memory::cat {

namespace {

ConcreteValue share(relation::BitSet set) {
  return std::make_shared<const relation::BitSet>(std::move(set));
}
ConcreteValue share(relation::BitMatrix matrix) {
  return std::make_shared<const relation::BitMatrix>(std::move(matrix));
}

} // namespace

ConcreteValue compute_deferred(const Session& session,
                               const Deferred& deferred,
                               bool is_set,
                               const ConcreteValues& values) {
  ConcreteEvaluator evaluator(session, values);
  const Concrete value = evaluator.force(deferred);
  if (is_set)
    return share(evaluator.to_set(value, deferred.expression->loc));
  return share(evaluator.to_relation(value, deferred.expression->loc));
}

ConcreteValue
compute_emptiness(const Session& session, const Deferred& deferred, const ConcreteValues& values) {
  ConcreteEvaluator evaluator(session, values);
  const Concrete value = evaluator.force(deferred);
  if (evaluator.elements(value, deferred.expression->loc).empty())
    return share(relation::BitMatrix(values.event_count()));
  return share(relation::BitMatrix::identity(values.event_count()));
}

std::vector<ConcreteValue>
compute_choices(const Session& session, const Deferred& deferred, const ConcreteValues& values) {
  ConcreteEvaluator evaluator(session, values);
  std::vector<ConcreteValue> choices;
  for (const Concrete& element :
       evaluator.elements(evaluator.force(deferred), deferred.expression->loc)) {
    if (deferred.gives_sets)
      choices.push_back(share(evaluator.to_set(element, deferred.expression->loc)));
    else
      choices.push_back(share(evaluator.to_relation(element, deferred.expression->loc)));
  }
  return choices;
}

std::vector<ConcreteValue> known_choices(const Session& session,
                                         const std::vector<NodeId>& nodes,
                                         bool is_set,
                                         const ConcreteValues& values) {
  std::vector<ConcreteValue> choices;
  for (const NodeId node : nodes) {
    ConcreteValue value = is_set
                              ? share(relation::BitSet(values.set(session.numbers[node])))
                              : share(relation::BitMatrix(values.relation(session.numbers[node])));
    const bool is_known =
        std::any_of(choices.begin(), choices.end(), [&](const ConcreteValue& other) {
          return is_set ? *std::get<0>(other) == *std::get<0>(value)
                        : *std::get<1>(other) == *std::get<1>(value);
        });
    if (!is_known)
      choices.push_back(std::move(value));
  }
  return choices;
}

ConcreteValue compute_forall(const Session& session,
                             const Statement& forall,
                             const Scope* scope,
                             std::size_t check,
                             bool when_it_holds,
                             const ConcreteValues& values) {
  ConcreteEvaluator evaluator(session, values);
  relation::BitMatrix found(values.event_count());
  const ConcreteScope outer = {nullptr, scope};
  const Concrete all = evaluator.eval(*forall.expression, outer);
  for (const Concrete& element : evaluator.elements(all, forall.loc)) {
    ConcreteScope inner = evaluator.bind(outer, forall.name, element);
    for (std::size_t i = 0; i < check; ++i)
      if (!forall.body[i].bindings.empty())
        inner = evaluator.bind_all(
            forall.body[i].bindings, inner, forall.body[i].kind == StatementKind::kLetRec);
    if (evaluator.holds(*forall.body[check].check, inner) == when_it_holds) {
      for (std::size_t i = 0; i < values.event_count(); ++i)
        found.insert(i, i);
      break;
    }
  }
  return share(std::move(found));
}

} // namespace heddle::memory::cat
