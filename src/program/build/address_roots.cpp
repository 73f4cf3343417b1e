// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/address_roots.h"

#include "ir/operands.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::program {

namespace {

constexpr std::size_t kDeepest = 24;

} // namespace

AddressRoots::AddressRoots(const ir::Module& module,
                           const Reachable& reachable,
                           ir::FunctionId entry)
    : module_(module), once_(module.functions.size(), false),
      definitions_(module.functions.size()) {
  struct Caller {
    ir::FunctionId function;
    ir::BlockId block;
  };
  IdVector<ir::FunctionId, std::vector<Caller>> callers(module.functions.size());
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    const ir::FunctionId id{f};
    if (!reachable.functions[id])
      continue;
    find_definitions(id);
    const ir::Function& function = module.functions[id];
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (const ir::Instruction& instruction : function.blocks[ir::BlockId{b}].instructions)
        ir::for_each_operand(instruction.operation, [&](const ir::Operand& operand) {
          if (const auto* address = std::get_if<ir::FunctionAddress>(&operand))
            callers[address->function].push_back({id, ir::BlockId{b}});
        });
  }
  // From the entry on; what is called in a circle never gets there.
  once_[entry] = callers[entry].empty();
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t f = 0; f < module.functions.size(); ++f) {
      const ir::FunctionId id{f};
      // A function whose address goes elsewhere may be called through it.
      if (once_[id] || !reachable.functions[id] || reachable.address_taken[id] ||
          callers[id].size() != 1)
        continue;
      const Caller& caller = callers[id].front();
      if (once_[caller.function] && !is_in_loop(caller.function, caller.block)) {
        once_[id] = true;
        is_changed = true;
      }
    }
  }
}

void AddressRoots::find_definitions(ir::FunctionId id) {
  const ir::Function& function = module_.functions[id];
  for (std::size_t b = 0; b < function.blocks.size(); ++b)
    for (std::size_t i = 0; i < function.blocks[ir::BlockId{b}].instructions.size(); ++i) {
      const ir::Operation& operation = function.blocks[ir::BlockId{b}].instructions[i].operation;
      ir::for_each_result(operation, [&](ir::RegisterId dest) {
        definitions_[id][dest].push_back(
            {&operation, ir::BlockId{b}, static_cast<std::uint32_t>(i)});
      });
    }
}

bool AddressRoots::is_in_loop(ir::FunctionId id, ir::BlockId block) const {
  const ir::Function& function = module_.functions[id];
  std::vector<bool> is_seen(function.blocks.size(), false);
  std::vector<ir::BlockId> open{block};
  while (!open.empty()) {
    const ir::BlockId from = open.back();
    open.pop_back();
    bool is_back = false;
    ir::for_each_target(function.blocks[from].instructions.back().operation, [&](ir::BlockId to) {
      is_back = is_back || to == block;
      if (!is_seen[to.index()]) {
        is_seen[to.index()] = true;
        open.push_back(to);
      }
    });
    if (is_back)
      return true;
  }
  return false;
}

std::string AddressRoots::offset_text(ir::FunctionId function, const ir::Operand& address) const {
  if (const auto* global = std::get_if<ir::GlobalAddress>(&address))
    return fmt::format("+{}", global->offset);
  const auto* id = std::get_if<ir::RegisterId>(&address);
  if (id == nullptr)
    return "";
  const auto found = definitions_[function].find(*id);
  if (found == definitions_[function].end() || found->second.size() != 1)
    return fmt::format("r{}", id->value);
  const auto* compute = std::get_if<ir::Compute>(found->second.front().operation);
  if (compute == nullptr)
    return "";
  if (compute->op == ir::Op::kCopy)
    return offset_text(function, compute->operands[0]);
  if (compute->op == ir::Op::kPtrAdd)
    if (const auto* step = std::get_if<ir::Constant>(&compute->operands[1]))
      return fmt::format("{}+{}", offset_text(function, compute->operands[0]), step->value);
  return fmt::format("r{}", id->value);
}

/// A name for where it comes from: the same name for the same pointer, as long as memory that holds
/// it does not change in between.
std::optional<std::string> AddressRoots::root(ir::FunctionId function,
                                              const ir::Operand& operand,
                                              std::vector<ir::RegisterId>& on_path) const {
  if (const auto* global = std::get_if<ir::GlobalAddress>(&operand))
    return fmt::format("g{}", global->global.value);
  if (const auto* slot = std::get_if<ir::SlotAddress>(&operand))
    return fmt::format("s{}", slot->slot.value);
  const auto* id = std::get_if<ir::RegisterId>(&operand);
  if (id == nullptr || on_path.size() > kDeepest)
    return std::nullopt;
  if (std::ranges::find(on_path, *id) != on_path.end())
    return ""; // itself, moved on
  const auto found = definitions_[function].find(*id);
  const bool is_parameter = id->value < module_.functions[function].parameter_count;
  std::optional<std::string> result;
  if (is_parameter)
    result = fmt::format("p{}", id->value);
  if (found == definitions_[function].end())
    return result;
  on_path.push_back(*id);
  for (const Definition& definition : found->second) {
    std::optional<std::string> one;
    if (const auto* compute = std::get_if<ir::Compute>(definition.operation)) {
      if (compute->op == ir::Op::kCopy || compute->op == ir::Op::kPtrAdd ||
          compute->op == ir::Op::kZExt || compute->op == ir::Op::kAdd)
        one = root(function, compute->operands[0], on_path);
      else
        one = fmt::format("d{}.{}", definition.block.value, definition.index);
    } else if (const auto* load = std::get_if<ir::Load>(definition.operation)) {
      if (const std::optional<std::string> from = root(function, load->address, on_path))
        one = fmt::format("[{}{}]", *from, offset_text(function, load->address));
    } else {
      one = fmt::format("d{}.{}", definition.block.value, definition.index);
    }
    if (!one || (result && !result->empty() && !one->empty() && *result != *one)) {
      on_path.pop_back();
      return std::nullopt;
    }
    if (!result || result->empty())
      result = one;
  }
  on_path.pop_back();
  return result;
}

bool AddressRoots::have_one_root(ir::FunctionId function,
                                 const ir::Operand& a,
                                 const ir::Operand& b) const {
  std::vector<ir::RegisterId> on_path;
  const std::optional<std::string> left = root(function, a, on_path);
  const std::optional<std::string> right = root(function, b, on_path);
  return left && right && !left->empty() && *left == *right;
}

} // namespace heddle::program
