// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The evaluator of CAT on one execution, for what no node of the core can say: events one by one,
// sets of sets, linearisations.
#pragma once

#include "memory/cat/value.h"

namespace heddle::memory::cat {

[[nodiscard]] ConcreteValue compute_deferred(const Session& session,
                                             const Deferred& deferred,
                                             bool is_set,
                                             const ConcreteValues& values);
/// A relation that is empty if and only if what the deferred expression gives is, of whatever kind.
[[nodiscard]] ConcreteValue
compute_emptiness(const Session& session, const Deferred& deferred, const ConcreteValues& values);
/// The elements of the set that the deferred expression gives, each once.
[[nodiscard]] std::vector<ConcreteValue>
compute_choices(const Session& session, const Deferred& deferred, const ConcreteValues& values);
[[nodiscard]] std::vector<ConcreteValue> known_choices(const Session& session,
                                                       const std::vector<NodeId>& nodes,
                                                       bool is_set,
                                                       const ConcreteValues& values);
/// The check number `check` of the body of a `forall`: a relation that is empty if and only if no
/// element breaks the check (or satisfies it, if `when_it_holds`).
[[nodiscard]] ConcreteValue compute_forall(const Session& session,
                                           const Statement& forall,
                                           const Scope* scope,
                                           std::size_t check,
                                           bool when_it_holds,
                                           const ConcreteValues& values);

} // namespace heddle::memory::cat
