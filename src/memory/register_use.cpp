// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/register_use.h"

#include "support/overloaded.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace heddle::memory {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What the node is computed from.
std::vector<NodeId> operands(const Core& core, const Node& node) {
  std::vector<NodeId> all{node.left, node.right};
  const auto add = [&](const std::vector<NodeId>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  if (node.op == NodeOp::kRecursive)
    add(core.recursions[node.index].bodies);
  else if (node.op == NodeOp::kOpaque)
    add(core.opaques[node.index].inputs);
  else if (node.op == NodeOp::kGenerated)
    std::visit(Overloaded{[&](const Generator::Coherence& how) { add({how.writes, how.partial}); },
                          [&](const Generator::Listed& how) { add(how.values.inputs); }},
               core.generators[node.index].how);
  return all;
}

} // namespace

AskedOfRegisters asked_of_registers(const Core& core) {
  constexpr std::array<std::string_view, 7> kRegisters = {
      "Rreg", "Wreg", "ADDR", "DATA", "same-gpr", "iico_data", "iico_ctrl"};
  constexpr std::array<std::string_view, 3> kDependencies = {"addr", "data", "ctrl"};
  AskedOfRegisters asked;
  std::vector<bool> is_seen(core.nodes.size(), false);
  std::vector<NodeId> open;
  for (const Axiom& axiom : core.axioms)
    open.push_back(axiom.node);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!id.is_valid() || is_seen[id.index()])
      continue;
    is_seen[id.index()] = true;
    const Node& node = core.nodes[id];
    if (node.op == NodeOp::kBaseSet || node.op == NodeOp::kBaseRelation) {
      const std::string& name = core.base_names[node.index];
      asked.registers = asked.registers || is_one_of(name, kRegisters);
      asked.dependencies = asked.dependencies || is_one_of(name, kDependencies);
    }
    for (const NodeId operand : operands(core, node))
      open.push_back(operand);
  }
  return asked;
}

} // namespace heddle::memory
