// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Walks over what an instruction reads, writes and refers to, for passes that treat all
// instructions alike.
#pragma once

#include "ir/ir.h"
#include "support/overloaded.h"

#include <concepts>
#include <type_traits>
#include <variant>

namespace heddle::ir {

namespace operands {

template <class Element, class Container>
using LikeConst = std::conditional_t<std::is_const_v<Container>, const Element, Element>;

/// One table for both: `Whole` is Operation or const Operation.
template <class Whole, class Visit>
void visit_operands(Whole& operation, const Visit& visit) {
  const auto all = [&](auto& operands) {
    for (auto& operand : operands)
      visit(operand);
  };
  const auto optional = [&](auto& operand) {
    if (operand)
      visit(*operand);
  };
  std::visit(Overloaded{
                 [&](LikeConst<Compute, Whole>& i) { all(i.operands); },
                 [](LikeConst<Nondet, Whole>&) {},
                 [&](LikeConst<Load, Whole>& i) { visit(i.address); },
                 [&](LikeConst<Store, Whole>& i) {
                   visit(i.address);
                   visit(i.value);
                   optional(i.marks);
                 },
                 [&](LikeConst<LoadExclusive, Whole>& i) { visit(i.address); },
                 [&](LikeConst<StoreExclusive, Whole>& i) {
                   visit(i.address);
                   visit(i.value);
                 },
                 [&](LikeConst<ReadModifyWrite, Whole>& i) {
                   visit(i.address);
                   visit(i.value);
                 },
                 [&](LikeConst<CompareExchange, Whole>& i) {
                   visit(i.address);
                   visit(i.expected);
                   visit(i.desired);
                 },
                 [](LikeConst<Fence, Whole>&) {},
                 [&](LikeConst<Allocate, Whole>& i) { visit(i.size); },
                 [&](LikeConst<Free, Whole>& i) { visit(i.address); },
                 [&](LikeConst<BlockSize, Whole>& i) { visit(i.address); },
                 [&](LikeConst<Call, Whole>& i) {
                   visit(i.callee);
                   all(i.arguments);
                 },
                 [&](LikeConst<Synchronize, Whole>& i) { all(i.operands); },
                 [](LikeConst<AtomicBegin, Whole>&) {},
                 [](LikeConst<AtomicEnd, Whole>&) {},
                 [&](LikeConst<Assume, Whole>& i) { visit(i.condition); },
                 [&](LikeConst<Assert, Whole>& i) { visit(i.condition); },
                 [&](LikeConst<Hint, Whole>& i) { all(i.operands); },
                 [](LikeConst<Trap, Whole>&) {},
                 [](LikeConst<Jump, Whole>&) {},
                 [&](LikeConst<Branch, Whole>& i) { visit(i.condition); },
                 [&](LikeConst<Switch, Whole>& i) { visit(i.value); },
                 [&](LikeConst<Return, Whole>& i) { optional(i.value); },
                 [&](LikeConst<ThreadExit, Whole>& i) { optional(i.value); },
                 [](LikeConst<Exit, Whole>&) {},
                 [](LikeConst<Unreachable, Whole>&) {},
             },
             operation);
}

} // namespace operands

template <std::invocable<const Operand&> Visit>
void for_each_operand(const Operation& operation, const Visit& visit) {
  operands::visit_operands(operation, visit);
}

template <std::invocable<Operand&> Visit>
void for_each_operand(Operation& operation, const Visit& visit) {
  operands::visit_operands(operation, visit);
}

/// The registers an instruction assigns.
template <std::invocable<RegisterId> Visit>
void for_each_result(const Operation& operation, const Visit& visit) {
  std::visit(Overloaded{
                 [&](const Compute& i) { visit(i.dest); },
                 [&](const Nondet& i) { visit(i.dest); },
                 [&](const Load& i) {
                   visit(i.dest);
                   if (i.marks)
                     visit(*i.marks);
                 },
                 [](const Store&) {},
                 [&](const LoadExclusive& i) { visit(i.dest); },
                 [&](const StoreExclusive& i) { visit(i.success); },
                 [&](const ReadModifyWrite& i) { visit(i.dest); },
                 [&](const CompareExchange& i) {
                   visit(i.dest);
                   visit(i.success);
                 },
                 [](const Fence&) {},
                 [&](const Allocate& i) { visit(i.dest); },
                 [](const Free&) {},
                 [&](const BlockSize& i) { visit(i.dest); },
                 [&](const Call& i) {
                   if (i.dest)
                     visit(*i.dest);
                 },
                 [&](const Synchronize& i) {
                   if (i.dest)
                     visit(*i.dest);
                 },
                 [](const AtomicBegin&) {},
                 [](const AtomicEnd&) {},
                 [](const Assume&) {},
                 [](const Assert&) {},
                 [](const Hint&) {},
                 [](const Trap&) {},
                 [](const Jump&) {},
                 [](const Branch&) {},
                 [](const Switch&) {},
                 [](const Return&) {},
                 [](const ThreadExit&) {},
                 [](const Exit&) {},
                 [](const Unreachable&) {},
             },
             operation);
}

/// The blocks control may go to next, as often as they are named.
template <std::invocable<BlockId> Visit>
void for_each_target(const Operation& operation, const Visit& visit) {
  if (const Jump* jump = std::get_if<Jump>(&operation)) {
    visit(jump->target);
  } else if (const Branch* branch = std::get_if<Branch>(&operation)) {
    visit(branch->if_true);
    visit(branch->if_false);
  } else if (const Switch* choice = std::get_if<Switch>(&operation)) {
    for (const SwitchCase& one : choice->cases)
      visit(one.target);
    visit(choice->otherwise);
  }
}

} // namespace heddle::ir
