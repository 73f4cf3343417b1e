// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/model/action_terms.h"

#include "support/overloaded.h"

#include <optional>
#include <variant>

namespace heddle::program {

std::vector<Term> terms_of(const Action& action) {
  std::vector<Term> terms;
  const auto add_optional = [&terms](const std::optional<Term>& term) {
    if (term)
      terms.push_back(*term);
  };
  std::visit(Overloaded{
                 [](const Skip&) {},
                 [&](const Assign& a) { terms = {a.value}; },
                 [&](const AssignSequence& a) {
                   for (const Assign& assign : a.assignments)
                     terms.push_back(assign.value);
                 },
                 [](const Nondet&) {},
                 [&](const Assume& a) { terms = {a.condition}; },
                 [&](const Check& a) { terms = {a.condition}; },
                 [&](const CheckNeighbourhood& a) { terms = {a.base, a.result}; },
                 [&](const Load& a) { terms = {a.address}; },
                 [&](const Store& a) {
                   terms = {a.address, a.value};
                   add_optional(a.marks);
                 },
                 [&](const LoadExclusive& a) { terms = {a.address}; },
                 [&](const StoreExclusive& a) { terms = {a.address, a.value}; },
                 [&](const ReadModifyWrite& a) { terms = {a.address, a.value}; },
                 [&](const CompareExchange& a) { terms = {a.address, a.expected, a.desired}; },
                 [](const Fence&) {},
                 [&](const Allocate& a) { terms = {a.size}; },
                 [&](const Free& a) { terms = {a.address}; },
                 [&](const BlockSize& a) { terms = {a.address}; },
                 [&](const Call& a) {
                   terms = a.arguments;
                   add_optional(a.function);
                 },
                 [&](const Return& a) { add_optional(a.value); },
                 [&](const Synchronize& a) { terms = a.operands; },
                 [](const AtomicBegin&) {},
                 [](const AtomicEnd&) {},
                 [](const Hint&) {},
                 [&](const ThreadExit& a) { add_optional(a.value); },
                 [](const Exit&) {},
                 [](const Cut&) {},
                 [](const Trap&) {},
             },
             action);
  return terms;
}

} // namespace heddle::program
