// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Linking in two steps. First each module's symbols get their ids in the result: an external name
// has one id, an internal one its own. Then contents are moved there with all references
// renumbered. Functions whose declarations differ in type or arity meet all the same, as they do in
// C when the linker joins legacy code.
#include "ir/link.h"

#include "ir/operands.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::ir {

namespace {

/// Where things of one module are in another.
struct Renumbering {
  IdVector<GlobalId, GlobalId> globals;
  IdVector<FunctionId, FunctionId> functions;
  std::vector<std::uint32_t> files;

  void apply(GlobalAddress& address) const {
    HEDDLE_CHECK(address.global.index() < globals.size(), "a global out of range");
    address.global = globals[address.global];
  }
  void apply(FunctionAddress& address) const {
    HEDDLE_CHECK(address.function.index() < functions.size(), "a function out of range");
    address.function = functions[address.function];
  }
  void apply(Operand& operand) const {
    std::visit(Overloaded{
                   [](Constant&) {},
                   [](RegisterId&) {},
                   [&](GlobalAddress& address) { apply(address); },
                   [&](FunctionAddress& address) { apply(address); },
                   [](SlotAddress&) {},
               },
               operand);
  }
  void apply(SourceLoc& loc) const {
    HEDDLE_CHECK(loc.file < files.size(), "a file out of range");
    loc.file = files[loc.file];
  }
  void apply(Global& global) const {
    apply(global.loc);
    for (Relocation& relocation : global.relocations)
      std::visit(Overloaded{[&](GlobalAddress& address) { apply(address); },
                            [&](FunctionAddress& address) { apply(address); }},
                 relocation.target);
  }
  void apply(Function& function) const {
    apply(function.loc);
    for (Register& declared : function.registers)
      apply(declared.loc);
    for (Slot& slot : function.slots)
      apply(slot.loc);
    for (Block& block : function.blocks) {
      for (Instruction& instruction : block.instructions) {
        apply(instruction.loc);
        for_each_operand(instruction.operation, [&](Operand& operand) { apply(operand); });
      }
    }
  }
};

bool is_tentative(const Global& global) {
  return global.relocations.empty() && std::all_of(global.initial.begin(),
                                                   global.initial.end(),
                                                   [](std::uint8_t byte) { return byte == 0; });
}

class Linker {
public:
  Result<Module> run(std::vector<Module> modules) {
    if (modules.empty())
      return Error{ErrorKind::kInput, "IR-090", "expected at least one module to link"};
    result_.data_model = modules.front().data_model;
    for (const Module& module : modules) {
      if (module.data_model != result_.data_model)
        return Error{ErrorKind::kInput,
                     "IR-091",
                     "expected all modules to have the data model of the first"};
      for (const Global& global : module.globals)
        if (!global.is_internal)
          external_names_.insert(global.name);
      for (const Function& function : module.functions)
        if (!function.is_internal)
          external_names_.insert(function.name);
    }
    std::vector<Renumbering> renumberings;
    for (Module& module : modules) {
      renumberings.push_back(place(module));
      if (error_)
        return *error_;
    }
    for (std::size_t i = 0; i < modules.size(); ++i) {
      move_contents(modules[i], renumberings[i]);
      if (error_)
        return *error_;
    }
    return std::move(result_);
  }

private:
  void fail(std::string_view code, std::string message, SourceLoc loc) {
    if (!error_)
      error_ = Error{ErrorKind::kInput,
                     std::string(code),
                     std::move(message),
                     loc.file < result_.files.size() ? result_.files[loc.file] : std::string(),
                     loc.line,
                     loc.column};
  }

  /// The name itself if nobody else has it, or with the first free ".N".
  std::string internal_name(const std::string& name) {
    std::string candidate = name;
    for (unsigned i = 1; external_names_.contains(candidate) || used_names_.contains(candidate);
         ++i)
      candidate = fmt::format("{}.{}", name, i);
    used_names_.insert(candidate);
    return candidate;
  }

  Renumbering place(Module& module) {
    Renumbering renumbering;
    for (const std::string& file : module.files) {
      const auto known = std::find(result_.files.begin(), result_.files.end(), file);
      renumbering.files.push_back(static_cast<std::uint32_t>(known - result_.files.begin()));
      if (known == result_.files.end())
        result_.files.push_back(file);
    }
    for (Global& global : module.globals) {
      SourceLoc loc = global.loc;
      renumbering.apply(loc);
      if (global.is_internal) {
        global.name = internal_name(global.name);
        renumbering.globals.push_back(new_global());
        continue;
      }
      if (functions_.contains(global.name))
        fail("IR-092",
             fmt::format("expected '{}' to be a function, as in another module", global.name),
             loc);
      const auto known = globals_.find(global.name);
      const GlobalId id = known != globals_.end() ? known->second : new_global();
      globals_.emplace(global.name, id);
      renumbering.globals.push_back(id);
    }
    for (Function& function : module.functions) {
      SourceLoc loc = function.loc;
      renumbering.apply(loc);
      if (function.is_internal) {
        function.name = internal_name(function.name);
        renumbering.functions.push_back(new_function());
        continue;
      }
      if (globals_.contains(function.name))
        fail("IR-092",
             fmt::format("expected '{}' to be a variable, as in another module", function.name),
             loc);
      const auto known = functions_.find(function.name);
      const FunctionId id = known != functions_.end() ? known->second : new_function();
      functions_.emplace(function.name, id);
      renumbering.functions.push_back(id);
    }
    return renumbering;
  }

  GlobalId new_global() {
    is_global_filled_.push_back(false);
    return result_.globals.push_back({});
  }
  FunctionId new_function() {
    is_function_filled_.push_back(false);
    return result_.functions.push_back({});
  }

  void move_contents(Module& module, const Renumbering& renumbering) {
    for (std::size_t i = 0; i < module.globals.size(); ++i) {
      Global& global = module.globals[GlobalId{i}];
      renumbering.apply(global);
      meet(renumbering.globals[GlobalId{i}], std::move(global));
    }
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
      Function& function = module.functions[FunctionId{i}];
      renumbering.apply(function);
      meet(renumbering.functions[FunctionId{i}], std::move(function));
    }
    for (Approximation& approximation : module.approximations) {
      renumbering.apply(approximation.where);
      result_.approximations.push_back(std::move(approximation));
    }
  }

  void meet(GlobalId id, Global global) {
    Global& known = result_.globals[id];
    if (!is_global_filled_[id.index()]) {
      is_global_filled_[id.index()] = true;
      known = std::move(global);
      return;
    }
    if (known.is_thread_local != global.is_thread_local)
      fail("IR-093",
           fmt::format("expected '{}' to be thread-local in all modules or in none", global.name),
           global.loc);
    if (!known.is_declaration && !global.is_declaration && !is_tentative(known) &&
        !is_tentative(global))
      fail("IR-094",
           fmt::format("expected one definition of the variable '{}', found another", global.name),
           global.loc);
    // The definition with a value wins over a tentative one, and that over a declaration; the
    // earlier one otherwise.
    const auto rank = [](const Global& g) {
      return g.is_declaration ? 0 : is_tentative(g) ? 1 : 2;
    };
    // Whichever it is, the variable is as large and as aligned as any module takes it to be.
    const std::uint64_t size = std::max(known.size, global.size);
    const std::uint32_t align = std::max(known.align, global.align);
    if (rank(global) > rank(known))
      known = std::move(global);
    known.size = size;
    known.align = align;
    if (!known.initial.empty())
      known.initial.resize(size, 0);
  }

  void meet(FunctionId id, Function function) {
    Function& known = result_.functions[id];
    if (!is_function_filled_[id.index()]) {
      is_function_filled_[id.index()] = true;
      known = std::move(function);
      return;
    }
    if (!known.is_declaration() && !function.is_declaration())
      fail(
          "IR-095",
          fmt::format("expected one definition of the function '{}', found another", function.name),
          function.loc);
    else if (known.is_declaration() && !function.is_declaration())
      known = std::move(function);
  }

  Module result_;
  std::set<std::string> external_names_;
  std::set<std::string> used_names_; // by internal symbols
  std::map<std::string, GlobalId> globals_;
  std::map<std::string, FunctionId> functions_;
  std::vector<bool> is_global_filled_;
  std::vector<bool> is_function_filled_;
  std::optional<Error> error_;
};

/// Marks what can be reached, one symbol after the other.
class Reach {
public:
  explicit Reach(const Module& module)
      : module_(module), globals_(module.globals.size(), false),
        functions_(module.functions.size(), false) {}

  void run(const std::vector<std::string>& roots) {
    for (const std::string& root : roots) {
      if (const std::optional<FunctionId> function = module_.find_function(root))
        mark(FunctionAddress{*function});
      if (const std::optional<GlobalId> global = module_.find_global(root))
        mark(GlobalAddress{*global});
    }
    while (!pending_globals_.empty() || !pending_functions_.empty()) {
      if (!pending_globals_.empty()) {
        const GlobalId id = pending_globals_.back();
        pending_globals_.pop_back();
        for (const Relocation& relocation : module_.globals[id].relocations)
          std::visit(Overloaded{[&](const GlobalAddress& address) { mark(address); },
                                [&](const FunctionAddress& address) { mark(address); }},
                     relocation.target);
        continue;
      }
      const FunctionId id = pending_functions_.back();
      pending_functions_.pop_back();
      for (const Block& block : module_.functions[id].blocks)
        for (const Instruction& instruction : block.instructions)
          for_each_operand(instruction.operation, [&](const Operand& operand) { mark(operand); });
    }
  }

  [[nodiscard]] bool has(GlobalId id) const { return globals_[id.index()]; }
  [[nodiscard]] bool has(FunctionId id) const { return functions_[id.index()]; }

private:
  void mark(const GlobalAddress& address) {
    HEDDLE_CHECK(address.global.index() < globals_.size(), "a global out of range");
    if (globals_[address.global.index()])
      return;
    globals_[address.global.index()] = true;
    pending_globals_.push_back(address.global);
  }
  void mark(const FunctionAddress& address) {
    HEDDLE_CHECK(address.function.index() < functions_.size(), "a function out of range");
    if (functions_[address.function.index()])
      return;
    functions_[address.function.index()] = true;
    pending_functions_.push_back(address.function);
  }
  void mark(const Operand& operand) {
    std::visit(Overloaded{
                   [](const Constant&) {},
                   [](const RegisterId&) {},
                   [&](const GlobalAddress& address) { mark(address); },
                   [&](const FunctionAddress& address) { mark(address); },
                   [](const SlotAddress&) {},
               },
               operand);
  }

  const Module& module_; // outlives this: both live for one call of keep_reachable
  std::vector<bool> globals_;
  std::vector<bool> functions_;
  std::vector<GlobalId> pending_globals_;
  std::vector<FunctionId> pending_functions_;
};

} // namespace

Result<Module> link(std::vector<Module> modules) {
  return Linker().run(std::move(modules));
}

Module keep_reachable(const Module& module, const std::vector<std::string>& roots) {
  Reach reach(module);
  reach.run(roots);
  Renumbering renumbering;
  Module result;
  result.data_model = module.data_model;
  result.files = module.files;
  result.approximations = module.approximations;
  for (std::size_t i = 0; i < module.files.size(); ++i)
    renumbering.files.push_back(static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < module.globals.size(); ++i)
    renumbering.globals.push_back(reach.has(GlobalId{i})
                                      ? result.globals.push_back(module.globals[GlobalId{i}])
                                      : GlobalId{});
  for (std::size_t i = 0; i < module.functions.size(); ++i)
    renumbering.functions.push_back(
        reach.has(FunctionId{i}) ? result.functions.push_back(module.functions[FunctionId{i}])
                                 : FunctionId{});
  for (Global& global : result.globals)
    renumbering.apply(global);
  for (Function& function : result.functions)
    renumbering.apply(function);
  return result;
}

} // namespace heddle::ir
