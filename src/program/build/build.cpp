// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/build.h"

#include "ir/operands.h"
#include "program/build/build_addresses.h"
#include "program/build/build_context.h"
#include "program/model/control_flow.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::program {

namespace {

/// A worklist over functions and globals.
class Reach {
public:
  explicit Reach(const ir::Module& module) : module_(module) {
    result_.functions = IdVector<ir::FunctionId, bool>(module.functions.size(), false);
    result_.address_taken = result_.functions;
    result_.globals = IdVector<ir::GlobalId, bool>(module.globals.size(), false);
  }

  Reachable from(const std::vector<ir::FunctionId>& roots) {
    for (const ir::FunctionId root : roots)
      add(root);
    while (!functions_.empty() || !globals_.empty()) {
      if (!functions_.empty()) {
        const ir::FunctionId id = functions_.back();
        functions_.pop_back();
        scan(module_.functions[id]);
      } else {
        const ir::GlobalId id = globals_.back();
        globals_.pop_back();
        scan(module_.globals[id]);
      }
    }
    return std::move(result_);
  }

private:
  void add(ir::FunctionId id) {
    if (!result_.functions[id]) {
      result_.functions[id] = true;
      functions_.push_back(id);
    }
  }
  void add(ir::GlobalId id) {
    if (!result_.globals[id]) {
      result_.globals[id] = true;
      globals_.push_back(id);
    }
  }
  void take_address(ir::FunctionId id) {
    result_.address_taken[id] = true;
    add(id);
  }
  void scan(const ir::Function& function) {
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.instructions)
        scan(instruction.operation);
  }
  void scan(const ir::Operation& operation) {
    // A function named in the first operand of a call or create is called, its address goes
    // nowhere.
    const auto* sync = std::get_if<ir::Synchronize>(&operation);
    bool is_callee = std::holds_alternative<ir::Call>(operation) ||
                     (sync != nullptr && sync->op == ir::SyncOp::kCreate);
    ir::for_each_operand(operation, [&](const ir::Operand& operand) {
      if (const auto* function = std::get_if<ir::FunctionAddress>(&operand)) {
        if (is_callee)
          add(function->function);
        else
          take_address(function->function);
      }
      if (const auto* global = std::get_if<ir::GlobalAddress>(&operand))
        add(global->global);
      is_callee = false;
    });
  }
  void scan(const ir::Global& global) {
    for (const ir::Relocation& relocation : global.relocations) {
      if (const auto* target = std::get_if<ir::GlobalAddress>(&relocation.target))
        add(target->global);
      if (const auto* target = std::get_if<ir::FunctionAddress>(&relocation.target))
        take_address(target->function);
    }
  }

  const ir::Module& module_;
  Reachable result_;
  std::vector<ir::FunctionId> functions_;
  std::vector<ir::GlobalId> globals_;
};

/// The procedures some create may start, after the initial thread's.
void find_templates(Program& program, ProcedureId entry) {
  program.templates.push_back({entry, program.procedures[entry].name});
  std::vector<bool> is_started(program.procedures.size(), false);
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges)
      if (const auto* sync = std::get_if<Synchronize>(&edge.action))
        for (const ProcedureId target : sync->targets)
          is_started[target.index()] = true;
  for (std::size_t i = 0; i < is_started.size(); ++i)
    if (is_started[i])
      program.templates.push_back({ProcedureId{i}, program.procedures[ProcedureId{i}].name});
}

Error located(const ir::Module& module, SourceLoc loc, Error error) {
  if (loc.is_known() && loc.file < module.files.size()) {
    error.file = module.files[loc.file];
    error.line = loc.line;
    error.column = loc.column;
  }
  return error;
}

} // namespace

Reachable find_reachable(const ir::Module& module, const std::vector<ir::FunctionId>& roots) {
  return Reach(module).from(roots);
}

Result<Program> build(const ir::Module& module, const BuildOptions& options) {
  const std::optional<ir::FunctionId> entry = module.find_function(options.entry);
  if (!entry)
    return Error{ErrorKind::kInput,
                 "PRG-001",
                 fmt::format("there is no function '{}' to start from; name another with --entry",
                             options.entry)};
  const ir::Function& entry_function = module.functions[*entry];
  if (entry_function.is_declaration())
    return located(module,
                   entry_function.loc,
                   {ErrorKind::kInput,
                    "PRG-002",
                    fmt::format("'{}' is declared but has no body to start from", options.entry)});

  std::vector<ir::FunctionId> roots{*entry};
  for (const std::string& name : options.keep)
    if (const std::optional<ir::FunctionId> kept = module.find_function(name))
      roots.push_back(*kept);
  Reachable reachable = find_reachable(module, roots);
  // What is observed at the end need not be touched by anything.
  if (options.keep_registers)
    for (std::size_t i = 0; i < module.globals.size(); ++i)
      reachable.globals[ir::GlobalId{i}] = true;
  Program program;
  program.data_model = module.data_model;
  program.files = module.files;
  program.approximations = module.approximations;

  Symbols symbols;
  symbols.next_unit = options.first_unit;
  symbols.procedures = IdVector<ir::FunctionId, ProcedureId>(module.functions.size());
  std::vector<ir::FunctionId> functions;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const ir::FunctionId id{i};
    const bool has_body = !module.functions[id].is_declaration();
    // A declared function needs a place only if something may call it through a pointer.
    if (!reachable.functions[id] || !(has_body || reachable.address_taken[id]))
      continue;
    symbols.procedures[id] = ProcedureId{functions.size()};
    functions.push_back(id);
    if (reachable.address_taken[id])
      symbols.address_taken.push_back(id);
  }
  if (Status status = lay_out(module, reachable, symbols, program); !status)
    return status.error();

  // Signatures first: calls look at their targets.
  for (const ir::FunctionId id : functions) {
    Procedure procedure;
    procedure.name = module.functions[id].name;
    program.procedures.push_back(std::move(procedure));
  }
  for (const ir::FunctionId id : functions) {
    const ir::Function& function = module.functions[id];
    Procedure procedure = function.is_declaration()
                              ? build_stub(module, function)
                              : build_procedure(module, id, options, symbols, program);
    program.procedures[symbols.procedures[id]] = std::move(procedure);
  }
  if (Status status = pass_entry_arguments(module, *entry, symbols, program); !status)
    return status.error();
  for (Procedure& procedure : program.procedures)
    tidy(procedure);
  find_templates(program, symbols.procedures[*entry]);
  const LookedAt looked_at = find_address_as_number(module, reachable, *entry);
  const auto assume = [&](const char* what, const std::optional<SourceLoc>& loc) {
    if (loc)
      program.approximations.push_back(
          {Approximation::Kind::kAssumed,
           fmt::format(
               "{} are Heddle's own (looked at as numbers at {})", what, program.place(*loc)),
           *loc});
  };
  assume("addresses of objects", looked_at.address);
  assume("handles of threads that serve again", looked_at.handle);
  program.tells_handles = looked_at.handle.has_value();
  return program;
}

} // namespace heddle::program
