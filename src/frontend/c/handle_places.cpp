// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/handle_places.h"

#include "ir/operands.h"

#include <string_view>
#include <vector>

namespace heddle::frontend {

namespace {

/// What an operand points into, as far as registers are known: the slot or global itself, or for a
/// block of the heap the register that got its address.
std::optional<ir::Operand> base_of(const ir::Operand& operand,
                                   const std::map<ir::RegisterId, ir::Operand>& known) {
  if (const auto* global = std::get_if<ir::GlobalAddress>(&operand)) {
    return ir::GlobalAddress{global->global, 0};
  }
  if (std::holds_alternative<ir::SlotAddress>(operand)) {
    return operand;
  }
  if (const auto* id = std::get_if<ir::RegisterId>(&operand)) {
    const auto found = known.find(*id);
    if (found != known.end()) {
      return found->second;
    }
  }
  return std::nullopt;
}

/// The register that gets a pointer computed from the first operand, if the instruction is such.
const ir::Compute* moved_pointer(const ir::Operation& operation) {
  const auto* compute = std::get_if<ir::Compute>(&operation);
  return compute != nullptr && (compute->op == ir::Op::kCopy || compute->op == ir::Op::kPtrAdd)
             ? compute
             : nullptr;
}

/// The function of the library that is called; empty: another one.
std::string_view library_call(const ir::Module& module, const ir::Operation& operation) {
  const auto* call = std::get_if<ir::Call>(&operation);
  const auto* callee = call == nullptr ? nullptr : std::get_if<ir::FunctionAddress>(&call->callee);
  if (callee == nullptr || !module.functions[callee->function].is_declaration()) {
    return {};
  }
  return module.functions[callee->function].name;
}

/// The register that gets the address of a block nobody else knows of.
std::optional<ir::RegisterId> new_block(const ir::Module& module, const ir::Operation& operation) {
  const std::string_view name = library_call(module, operation);
  return name == "malloc" || name == "calloc" ? std::get<ir::Call>(operation).dest : std::nullopt;
}

/// Whether this operand of the instruction only says where to read, write, or store a handle.
bool is_place(const ir::Module& module,
              const ir::Operation& operation,
              const ir::Operand& operand) {
  if (const auto* load = std::get_if<ir::Load>(&operation)) {
    return &operand == &load->address;
  }
  if (const auto* store = std::get_if<ir::Store>(&operation)) {
    return &operand == &store->address;
  }
  if (const auto* call = std::get_if<ir::Call>(&operation)) {
    const std::string_view name = library_call(module, operation);
    return !call->arguments.empty() && &operand == call->arguments.data() &&
           (name == "pthread_create" || name == "thrd_create" || name == "free");
  }
  const ir::Compute* moved = moved_pointer(operation);
  return moved != nullptr && &operand == moved->operands.data();
}

} // namespace

HandlePlaces::HandlePlaces(const ir::Module& module) {
  for (const ir::Function& function : module.functions) {
    if (!function.is_declaration()) {
      bases_.emplace(function.name, find_bases(module, function));
    }
  }
  find_shared(module);
}

/// A register has a base if everything that is ever put there points into that one object.
HandlePlaces::Bases HandlePlaces::find_bases(const ir::Module& module,
                                             const ir::Function& function) {
  std::map<ir::RegisterId, std::vector<const ir::Compute*>> written;
  std::set<ir::RegisterId> unknown;
  std::set<ir::RegisterId> blocks;
  for (std::uint32_t i = 0; i < function.parameter_count; ++i) {
    unknown.insert(ir::RegisterId{i});
  }
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& instruction : block.instructions) {
      const ir::Compute* moved = moved_pointer(instruction.operation);
      if (moved != nullptr) {
        written[moved->dest].push_back(moved);
        continue;
      }
      if (const auto block_of = new_block(module, instruction.operation)) {
        blocks.insert(*block_of);
        continue;
      }
      ir::for_each_result(instruction.operation, [&](ir::RegisterId id) { unknown.insert(id); });
    }
  }
  Bases out;
  for (const ir::RegisterId id : blocks) {
    if (!unknown.contains(id) && !written.contains(id)) {
      out.of.emplace(id, id);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [id, sources] : written) {
      if (unknown.contains(id) || out.of.contains(id)) {
        continue;
      }
      std::optional<ir::Operand> common;
      bool is_one = true;
      for (const ir::Compute* source : sources) {
        const auto base = base_of(source->operands[0], out.of);
        is_one = is_one && base && (!common || *common == *base);
        common = base;
      }
      if (is_one && common) {
        out.of.emplace(id, *common);
        changed = true;
      }
    }
  }
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& instruction : block.instructions) {
      const ir::Compute* moved = moved_pointer(instruction.operation);
      ir::for_each_operand(instruction.operation, [&](const ir::Operand& operand) {
        const auto base = base_of(operand, out.of);
        const bool is_followed = moved == nullptr || out.of.contains(moved->dest);
        if (!base || (is_place(module, instruction.operation, operand) && is_followed)) {
          return;
        }
        if (const auto* slot = std::get_if<ir::SlotAddress>(&*base)) {
          out.leaked.insert(slot->slot);
        } else if (const auto* block_of = std::get_if<ir::RegisterId>(&*base)) {
          out.leaked_blocks.insert(*block_of);
        } else {
          shared_.insert(std::get<ir::GlobalAddress>(*base).global);
        }
      });
    }
  }
  return out;
}

/// Globals whose addresses stand in memory, and those named by functions that a thread other than
/// the first may run: whose address is taken, or that such a function mentions.
void HandlePlaces::find_shared(const ir::Module& module) {
  std::set<ir::FunctionId> run_by_others;
  std::vector<ir::FunctionId> open;
  const auto add = [&](ir::FunctionId id) {
    if (run_by_others.insert(id).second) {
      open.push_back(id);
    }
  };
  for (const ir::Global& global : module.globals) {
    for (const ir::Relocation& relocation : global.relocations) {
      if (const auto* function = std::get_if<ir::FunctionAddress>(&relocation.target)) {
        add(function->function);
      } else {
        shared_.insert(std::get<ir::GlobalAddress>(relocation.target).global);
      }
    }
  }
  const auto each_function_in = [&](const ir::Function& function, bool with_callees) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& instruction : block.instructions) {
        const auto* call = std::get_if<ir::Call>(&instruction.operation);
        ir::for_each_operand(instruction.operation, [&](const ir::Operand& operand) {
          const auto* address = std::get_if<ir::FunctionAddress>(&operand);
          if (address != nullptr &&
              (with_callees || call == nullptr || &operand != &call->callee)) {
            add(address->function);
          }
        });
      }
    }
  };
  for (const ir::Function& function : module.functions) {
    each_function_in(function, false);
  }
  addressed_ = run_by_others;
  while (!open.empty()) {
    const ir::Function& function = module.functions[open.back()];
    open.pop_back();
    each_function_in(function, true);
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& instruction : block.instructions) {
        ir::for_each_operand(instruction.operation, [&](const ir::Operand& operand) {
          if (const auto* global = std::get_if<ir::GlobalAddress>(&operand)) {
            shared_.insert(global->global);
          }
        });
      }
    }
  }
}

bool HandlePlaces::is_private(const std::string& function, const ir::Operand& place) const {
  const auto found = bases_.find(function);
  const auto base = found == bases_.end() ? std::nullopt : base_of(place, found->second.of);
  if (!base) {
    return false;
  }
  if (const auto* slot = std::get_if<ir::SlotAddress>(&*base)) {
    return !found->second.leaked.contains(slot->slot);
  }
  if (const auto* block_of = std::get_if<ir::RegisterId>(&*base)) {
    return !found->second.leaked_blocks.contains(*block_of);
  }
  return !shared_.contains(std::get<ir::GlobalAddress>(*base).global);
}

} // namespace heddle::frontend
