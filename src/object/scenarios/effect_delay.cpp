// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/effect_delay.h"

#include "ir/operands.h"
#include "object/scenarios/harness_effects.h"

#include <algorithm>
#include <compare>
#include <set>

namespace heddle::object {

namespace {

/// Does the machine empty the thread's store buffer there? A call may, but need not.
bool empties_buffer(const ir::Operation& operation) {
  if (const auto* store = std::get_if<ir::Store>(&operation))
    return store->access.order == ir::Order::kSeqCst; // a fence follows it
  if (const auto* fence = std::get_if<ir::Fence>(&operation))
    return fence->access.order == ir::Order::kSeqCst;
  return std::holds_alternative<ir::ReadModifyWrite>(operation) ||
         std::holds_alternative<ir::CompareExchange>(operation) ||
         std::holds_alternative<ir::Synchronize>(operation);
}

struct Position {
  ir::FunctionId function;
  ir::BlockId block;
  std::size_t index = 0;
  auto operator<=>(const Position&) const = default;
};

/// Can the store at `from` still be in the buffer when one of the operations returns?
bool may_be_late(const ir::Module& module,
                 const Position& from,
                 const std::vector<std::string>& operations) {
  std::set<Position> seen;
  std::vector<Position> todo = {from};
  const auto go_to = [&](const Position& next) {
    if (seen.insert(next).second)
      todo.push_back(next);
  };
  const auto& store = module.functions[from.function].blocks[from.block].instructions[from.index];
  if (empties_buffer(store.operation))
    return false;
  todo.back().index += 1;
  while (!todo.empty()) {
    const Position start = todo.back();
    todo.pop_back();
    const ir::Function& function = module.functions[start.function];
    const auto& instructions = function.blocks[start.block].instructions;
    for (std::size_t i = start.index; i < instructions.size(); ++i) {
      const ir::Operation& operation = instructions[i].operation;
      if (empties_buffer(operation))
        break;
      ir::for_each_target(operation,
                          [&](ir::BlockId target) { go_to({start.function, target, 0}); });
      if (!std::holds_alternative<ir::Return>(operation))
        continue;
      if (std::ranges::find(operations, function.name) != operations.end())
        return true;
      // Back to whoever called it.
      for (std::size_t f = 0; f < module.functions.size(); ++f) {
        const ir::FunctionId caller{f};
        for (std::size_t b = 0; b < module.functions[caller].blocks.size(); ++b) {
          const ir::BlockId block{b};
          const auto& others = module.functions[caller].blocks[block].instructions;
          for (std::size_t k = 0; k < others.size(); ++k)
            if (const auto* call = std::get_if<ir::Call>(&others[k].operation);
                call != nullptr &&
                (!std::holds_alternative<ir::FunctionAddress>(call->callee) ||
                 std::get<ir::FunctionAddress>(call->callee).function == start.function))
              go_to({caller, block, k + 1});
        }
      }
    }
  }
  return false;
}

} // namespace

std::vector<EffectPlace> effects_that_may_be_late(const ir::Module& module,
                                                  const std::vector<EffectPlace>& places,
                                                  const std::vector<std::string>& operations) {
  std::vector<EffectPlace> late;
  for (const EffectPlace& place : places) {
    if (place.how != EffectPlace::How::kFlush)
      continue;
    const Result<std::vector<EffectAccess>> accesses = effect_accesses(module, {place});
    if (accesses && std::ranges::any_of(*accesses, [&](const EffectAccess& access) {
          return may_be_late(module, {access.function, access.block, access.index}, operations);
        }))
      late.push_back(place);
  }
  return late;
}

} // namespace heddle::object
