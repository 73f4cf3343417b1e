// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A call may write the register one of its own arguments is read from, so every replacement writes
// the result last.
#include "frontend/c/library.h"

#include "frontend/c/atomic_calls.h"
#include "ir/operands.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace heddle::frontend {

namespace {

constexpr std::string_view kTextPart = "text";
constexpr std::string_view kFloatingPart = "floating";

struct Entry {
  enum class Kind : std::uint8_t {
    kSync,
    kSpecial,
    kRuntime,
    kNothing,
    kPrints,
    kArbitrary,
    kAssumes,
    kEnds,
    kRefused,
  };
  Kind kind = Kind::kNothing;
  ir::SyncOp op = ir::SyncOp::kSelf;
  std::size_t operands = 0;
  LibraryHandler handler = LibraryHandler::kCreate;
  const char* text = "";             // the runtime's function, what is assumed, or what would help
  std::string_view part = "runtime"; // where the runtime has it
  Printed printed = Printed::kText;
};

std::map<std::string_view, Entry> make_table() {
  return {
#define SYNC(name, operation, n) {#name, {Entry::Kind::kSync, ir::SyncOp::operation, n}},
#define SPECIAL(name, which) {#name, {Entry::Kind::kSpecial, {}, 0, LibraryHandler::which}},
#define RUNTIME(name) {#name, {Entry::Kind::kRuntime, {}, 0, {}, "__heddle_" #name}},
#define RUNTIME_AS(name, other) {#name, {Entry::Kind::kRuntime, {}, 0, {}, "__heddle_" #other}},
#define TEXT(name) {#name, {Entry::Kind::kRuntime, {}, 0, {}, "__heddle_" #name, kTextPart}},
#define TEXT_AS(name, other)                                                                       \
  {#name, {Entry::Kind::kRuntime, {}, 0, {}, "__heddle_" #other, kTextPart}},
#define FLOATING(name)                                                                             \
  {#name, {Entry::Kind::kRuntime, {}, 0, {}, "__heddle_" #name, kFloatingPart}},
#define NOTHING(name) {#name, {Entry::Kind::kNothing}},
#define PRINTS(name, what, at) {#name, {Entry::Kind::kPrints, {}, at, {}, {}, {}, Printed::what}},
#define ARBITRARY(name) {#name, {Entry::Kind::kArbitrary}},
#define ASSUMES(name, what) {#name, {Entry::Kind::kAssumes, {}, 0, {}, what}},
#define ENDS(name) {#name, {Entry::Kind::kEnds}},
#define REFUSED(name, help) {#name, {Entry::Kind::kRefused, {}, 0, {}, help}},
#include "frontend/c/library.def"
  };
}

/// Also as macOS has the names in its libraries: `_close`, `_close$NOCANCEL`.
const Entry* find(const std::string& name) {
  static const std::map<std::string_view, Entry> table = make_table();
  auto found = table.find(name);
  if (found == table.end() && name.size() > 1 && name[0] == '_' && name[1] != '_') {
    found = table.find(std::string_view(name).substr(1, name.find('$') - 1));
  }
  return found == table.end() ? nullptr : &found->second;
}

constexpr std::string_view kNondet = "__VERIFIER_nondet_";
using ir::kBit;
using ir::kInt;

} // namespace

std::string_view runtime_part(const std::string& name) {
  if (const Entry* entry = find(name)) {
    return entry->kind == Entry::Kind::kRuntime || name == "pthread_mutex_init" ? entry->part : "";
  }
  if (name.starts_with("__heddle_f64_")) {
    return kFloatingPart;
  }
  return name.starts_with("__heddle_") ? "runtime" : "";
}

bool is_known_function(const std::string& name) {
  return find(name) != nullptr || name.starts_with(kNondet) || is_atomic_call(name);
}

Library::Library(ir::Module& module, const Options& options)
    : module_(module), options_(options), handle_places_(module) {}

void Library::replace_calls() {
  for (std::size_t i = 0; i < module_.functions.size(); ++i) {
    const ir::Function& function = module_.functions[ir::FunctionId{i}];
    if (function.is_declaration()) {
      external_.insert(ir::FunctionId{i});
    }
  }
  list_missing();
  give_bodies_to_addressed();
  // Threads' start functions may be added behind the end meanwhile; they call nothing external.
  const std::size_t count = module_.functions.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ir::FunctionId id{i};
    if (module_.functions[id].is_declaration()) {
      continue;
    }
    ir::Function function = std::move(module_.functions[id]);
    // The name stays in the table while the body is edited aside.
    module_.functions[id].name = function.name;
    module_.functions[id].result = function.result;
    module_.functions[id].parameter_count = function.parameter_count;
    module_.functions[id].registers = function.registers;
    Editor editor(module_, function);
    editor.rewrite([&](const ir::Instruction& instruction) {
      const auto* call = std::get_if<ir::Call>(&instruction.operation);
      return call != nullptr && replace(editor, *call);
    });
    module_.functions[id] = std::move(function);
  }
  for (const std::string& what : assumed_) {
    module_.approximations.push_back({Approximation::Kind::kAssumed, what, {}});
  }
}

/// Functions that are called and have neither a definition nor a meaning here: all are named where
/// the first of them stops a run.
void Library::list_missing() {
  std::set<ir::FunctionId> seen;
  std::vector<ir::FunctionId> open;
  const auto add = [&](const std::optional<ir::FunctionId>& id) {
    if (id && seen.insert(*id).second) {
      open.push_back(*id);
    }
  };
  add(module_.find_function(options_.entry));
  for (const std::string& name : options_.keep) {
    add(module_.find_function(name));
  }
  while (!open.empty()) {
    const ir::Function& function = module_.functions[open.back()];
    open.pop_back();
    const bool is_ours = std::ranges::find(options_.havoc, function.name) != options_.havoc.end() ||
                         std::ranges::find(options_.error_functions, function.name) !=
                             options_.error_functions.end();
    if (function.is_declaration() && !is_ours && !is_known_function(function.name)) {
      missing_.insert(function.name);
    }
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& instruction : block.instructions) {
        ir::for_each_operand(instruction.operation, [&](const ir::Operand& operand) {
          if (const auto* address = std::get_if<ir::FunctionAddress>(&operand)) {
            add(address->function);
          }
        });
      }
    }
  }
}

/// An external function whose address is used gets a body that calls it, which is then replaced
/// like any call.
void Library::give_bodies_to_addressed() {
  std::set<ir::FunctionId> addressed;
  const auto note = [&](ir::FunctionId id) {
    const ir::Function& function = module_.functions[id];
    if (external_.contains(id) && is_known_function(function.name) && !function.is_variadic) {
      addressed.insert(id);
    }
  };
  for (const ir::Function& function : module_.functions) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& instruction : block.instructions) {
        const auto* call = std::get_if<ir::Call>(&instruction.operation);
        ir::for_each_operand(instruction.operation, [&](const ir::Operand& operand) {
          const auto* address = std::get_if<ir::FunctionAddress>(&operand);
          if (address != nullptr && (call == nullptr || &operand != &call->callee)) {
            note(address->function);
          }
        });
      }
    }
  }
  for (const ir::Global& global : module_.globals) {
    for (const ir::Relocation& relocation : global.relocations) {
      if (const auto* address = std::get_if<ir::FunctionAddress>(&relocation.target)) {
        note(address->function);
      }
    }
  }
  for (const ir::FunctionId id : addressed) {
    ir::Function& function = module_.functions[id];
    ir::Call call;
    call.callee = ir::FunctionAddress{id};
    for (std::uint32_t i = 0; i < function.parameter_count; ++i) {
      call.arguments.emplace_back(ir::RegisterId{i});
    }
    ir::Return leave;
    if (!function.result.is_void()) {
      call.dest = function.registers.push_back({function.result});
      leave.value = *call.dest;
    }
    function.blocks.push_back({"entry", {{call, function.loc}, {leave, function.loc}}});
  }
}

bool Library::replace(Editor& editor, const ir::Call& call) {
  const auto* callee = std::get_if<ir::FunctionAddress>(&call.callee);
  if (callee == nullptr) {
    return false;
  }
  const std::string name = module_.functions[callee->function].name;
  if (replace_error_call(editor, call, name)) {
    return true;
  }
  if (name == "__VERIFIER_atomic_begin" || name == "__VERIFIER_atomic_end") {
    special(editor,
            call,
            name == "__VERIFIER_atomic_begin" ? Handler::kAtomicBegin : Handler::kAtomicEnd);
    return true;
  }
  if (!external_.contains(callee->function)) {
    return false;
  }
  if (std::ranges::find(options_.havoc, name) != options_.havoc.end()) {
    assumed_.insert("'" + name + "' returns anything and touches nothing");
    arbitrary(editor, call, name);
    return true;
  }
  const Entry* entry = find(name);
  if (entry == nullptr) {
    if (!replace_family(editor, call, name)) {
      std::string help = "define it, or accept it with --havoc " + name;
      if (missing_.size() > 1 && missing_.contains(name)) {
        help = std::to_string(missing_.size()) +
               " functions have none; define them, or accept all with";
        for (const std::string& one : missing_) {
          help += " --havoc " + one;
        }
      }
      refuse(editor, call, "a call of '" + name + "', which has no definition", help);
    }
    return true;
  }
  switch (entry->kind) {
  case Entry::Kind::kSync:
    synchronise(editor, call, entry->op, entry->operands);
    break;
  case Entry::Kind::kSpecial:
    special(editor, call, entry->handler);
    break;
  case Entry::Kind::kRuntime:
    call_runtime(editor, call, entry->text);
    break;
  case Entry::Kind::kAssumes:
    assumed_.insert(entry->text);
    [[fallthrough]];
  case Entry::Kind::kNothing:
    if (call.dest) {
      editor.assign(*call.dest, ir::Constant{kInt, 0});
    }
    break;
  case Entry::Kind::kPrints:
    print(editor, call, entry->printed, entry->operands);
    arbitrary(editor, call, name);
    break;
  case Entry::Kind::kArbitrary:
    arbitrary(editor, call, name);
    break;
  case Entry::Kind::kEnds:
    editor.emit(ir::Exit{});
    break;
  case Entry::Kind::kRefused:
    refuse(editor, call, "a call of '" + name + "'", entry->text);
    break;
  }
  return true;
}

bool Library::replace_error_call(Editor& editor,
                                 const ir::Call& /*call*/,
                                 const std::string& name) {
  if (std::ranges::find(options_.error_functions, name) == options_.error_functions.end()) {
    return false;
  }
  editor.emit(ir::Assert{ir::Constant{kBit, 0}, name + "() is called"});
  editor.emit(ir::Exit{});
  return true;
}

bool Library::replace_family(Editor& editor, const ir::Call& call, const std::string& name) {
  if (name.starts_with(kNondet)) {
    if (!call.dest) {
      return true; // an arbitrary value nobody looks at
    }
    if (name.ends_with("_bool") || name.ends_with("_Bool")) {
      const ir::RegisterId bit = editor.new_register(kBit);
      editor.emit(ir::Nondet{bit, name});
      editor.assign(*call.dest, bit);
      return true;
    }
    editor.emit(ir::Nondet{*call.dest, name});
    return true;
  }
  return is_atomic_call(name) && replace_atomic(editor, call, name);
}

bool Library::replace_atomic(Editor& editor, const ir::Call& call, const std::string& name) {
  if (!replace_atomic_call(editor, call, name)) {
    refuse(editor,
           call,
           "the atomic operation '" + name + "' on this size or with an order that is not constant",
           "use objects of 1, 2, 4 or 8 bytes and constant memory orders");
  }
  return true;
}

void Library::arbitrary(Editor& editor, const ir::Call& call, const std::string& origin) {
  if (call.dest) {
    editor.emit(ir::Nondet{*call.dest, origin});
  }
}

void Library::refuse(Editor& editor,
                     const ir::Call& call,
                     const std::string& what,
                     const std::string& help) {
  editor.emit(ir::Trap{what, help});
  arbitrary(editor, call, "unsupported");
}

void Library::synchronise(Editor& editor,
                          const ir::Call& call,
                          ir::SyncOp op,
                          std::size_t operands) {
  if (call.arguments.size() < operands) {
    return refuse(editor, call, "a library function called with too few arguments", "pass them");
  }
  ir::Synchronize out;
  out.op = op;
  out.operands.assign(call.arguments.begin(),
                      call.arguments.begin() + static_cast<std::ptrdiff_t>(operands));
  const bool gives_handle = op == ir::SyncOp::kSelf || op == ir::SyncOp::kJoin;
  if (call.dest && gives_handle &&
      module_.bits(editor.type_of(*call.dest)) != module_.pointer_bits()) {
    out.dest = editor.new_register(editor.word());
    editor.emit(out);
    return editor.assign(*call.dest, *out.dest);
  }
  out.dest = call.dest;
  editor.emit(std::move(out));
}

void Library::call_runtime(Editor& editor, const ir::Call& call, const std::string& name) {
  const auto target = module_.find_function(name);
  if (!target || module_.functions[*target].is_declaration()) {
    // Only a build whose runtime is incomplete comes here; the trap names it.
    return refuse(editor, call, "the runtime function '" + name + "' is missing", "build again");
  }
  ir::Call out = call;
  out.callee = ir::FunctionAddress{*target};
  const std::size_t parameters = module_.functions[*target].parameter_count;
  if (out.arguments.size() > parameters && !module_.functions[*target].is_variadic) {
    out.arguments.resize(parameters);
  }
  editor.emit(std::move(out));
}

} // namespace heddle::frontend
