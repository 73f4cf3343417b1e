// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the initial thread's parameters are. main is started without arguments (argc is 1, argv
// holds a name), which the verdict says if main looks at them; any other entry gets arbitrary
// numbers and cannot get pointers.
#include "ir/operands.h"
#include "program/build/build_context.h"
#include "program/model/control_flow.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::program {

namespace {

std::vector<bool> used_parameters(const ir::Function& function) {
  std::vector<bool> used(function.parameter_count, false);
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& instruction : block.instructions)
      ir::for_each_operand(instruction.operation, [&](const ir::Operand& operand) {
        if (const auto* id = std::get_if<ir::RegisterId>(&operand))
          if (id->index() < used.size())
            used[id->index()] = true;
      });
  return used;
}

bool is_called(const Program& program, ProcedureId callee) {
  const auto has = [callee](const std::vector<ProcedureId>& targets) {
    return std::find(targets.begin(), targets.end(), callee) != targets.end();
  };
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges) {
      if (const auto* call = std::get_if<Call>(&edge.action); call != nullptr && has(call->targets))
        return true;
      if (const auto* sync = std::get_if<Synchronize>(&edge.action);
          sync != nullptr && has(sync->targets))
        return true;
    }
  return false;
}

std::uint64_t
add_global(Program& program, Symbols& symbols, std::string name, std::vector<std::uint8_t> bytes) {
  Object object;
  object.name = std::move(name);
  object.size = bytes.size();
  object.align = 8;
  object.unit = symbols.next_unit++;
  object.initial = std::move(bytes);
  program.objects.push_back(object);
  return program.space().base_of(object.unit);
}

/// The array main finds behind argv or envp: a name, if there is one, and a null pointer.
std::uint64_t
add_strings(Program& program, Symbols& symbols, const std::string& array, const std::string& text) {
  const unsigned pointer_bytes = program.pointer_bits() / 8;
  std::vector<std::uint8_t> pointers;
  if (!text.empty()) {
    std::vector<std::uint8_t> characters(text.begin(), text.end());
    characters.push_back(0);
    const std::uint64_t address =
        add_global(program, symbols, array + "[0]", std::move(characters));
    for (unsigned i = 0; i < pointer_bytes; ++i)
      pointers.push_back(static_cast<std::uint8_t>(address >> (8 * i)));
  }
  pointers.resize(pointers.size() + pointer_bytes, 0);
  return add_global(program, symbols, array, std::move(pointers));
}

} // namespace

Status pass_entry_arguments(const ir::Module& module,
                            ir::FunctionId entry,
                            Symbols& symbols,
                            Program& program) {
  const ir::Function& function = module.functions[entry];
  const std::vector<bool> used = used_parameters(function);
  if (std::find(used.begin(), used.end(), true) == used.end())
    return Done{};
  const ProcedureId id = symbols.procedures[entry];
  const bool is_main = function.name == "main" && used.size() <= 3;
  if (is_called(program, id) || symbols.next_unit + 3 > AddressSpace::kFirstFrameUnit) {
    Error error{ErrorKind::kUnsupported,
                "PRG-004",
                fmt::format("'{}' has parameters and is the entry, but the program also calls it; "
                            "use another entry",
                            function.name)};
    if (function.loc.is_known() && function.loc.file < module.files.size()) {
      error.file = module.files[function.loc.file];
      error.line = function.loc.line;
      error.column = function.loc.column;
    }
    return error;
  }
  Procedure& procedure = program.procedures[id];
  LocationId next = procedure.entry;
  // From the last parameter to the first: each edge is put before the entry so far.
  for (std::size_t i = used.size(); i-- > 0;) {
    if (!used[i])
      continue;
    const LocalId local = procedure.parameters[i];
    const unsigned width = procedure.locals[local].width;
    const bool is_pointer = function.registers[ir::RegisterId{i}].type.is_pointer();
    Action action = Nondet{local, fmt::format("parameter {} of {}", i + 1, function.name)};
    if (is_main && !is_pointer && i == 0)
      action = Assign{local, program.terms.constant(1, width)};
    else if (is_main && is_pointer && i > 0)
      action =
          Assign{local,
                 program.terms.constant(i == 1 ? add_strings(program, symbols, "argv", "program")
                                               : add_strings(program, symbols, "envp", ""),
                                        width)};
    else if (is_pointer)
      action =
          Trap{fmt::format("the entry '{}' uses its pointer parameter {}", function.name, i + 1),
               "write a main that calls it"};
    const LocationId first = procedure.locations.push_back(Location{{}, function.loc, {}, false});
    add_edge(procedure, Edge{first, next, std::move(action), function.loc});
    next = first;
  }
  procedure.entry = next;
  if (is_main)
    program.approximations.push_back(
        {Approximation::Kind::kAssumed, "the program is started without arguments", function.loc});
  return Done{};
}

Procedure build_stub(const ir::Module& module, const ir::Function& function) {
  Procedure procedure;
  procedure.name = function.name;
  procedure.loc = function.loc;
  procedure.result_width = static_cast<std::uint8_t>(module.bits(function.result));
  for (std::size_t i = 0; i < function.parameter_count; ++i) {
    const ir::Register& parameter = function.registers[ir::RegisterId{i}];
    procedure.parameters.push_back(procedure.locals.push_back(Local{
        parameter.name, static_cast<std::uint8_t>(module.bits(parameter.type)), parameter.loc}));
  }
  procedure.entry = procedure.locations.push_back(Location{{}, function.loc, {}, false});
  const LocationId end = procedure.locations.push_back(Location{});
  add_edge(procedure,
           Edge{procedure.entry,
                end,
                Trap{missing_function_message(function), kMissingFunctionHelp},
                function.loc});
  return procedure;
}

std::string missing_function_message(const ir::Function& function) {
  return fmt::format("call of '{}', which has no body", function.name);
}

} // namespace heddle::program
