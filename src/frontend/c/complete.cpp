// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/complete.h"

#include "frontend/c/editor.h"
#include "ir/link.h"
#include "ir/operands.h"

#include <algorithm>
#include <optional>
#include <set>

namespace heddle::frontend {

namespace {

using ir::kBit;

/// Edits every body of the module; the editor works on a body that is taken out of the table
/// meanwhile.
void edit_all(ir::Module& module,
              const std::function<bool(Editor&, const ir::Instruction&)>& replace) {
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const ir::FunctionId id{i};
    if (module.functions[id].is_declaration()) {
      continue;
    }
    ir::Function function = module.functions[id];
    Editor editor(module, function);
    editor.rewrite(
        [&](const ir::Instruction& instruction) { return replace(editor, instruction); });
    module.functions[id] = std::move(function);
  }
}

/// Puts `code` before the first instruction, outside of any loop that leads back to it.
void open_with(ir::Function& function, const std::vector<ir::Instruction>& code) {
  ir::Block& entry = function.blocks[ir::BlockId{0}];
  ir::Block first{entry.name + ".inside", std::move(entry.instructions)};
  const ir::BlockId inside = function.blocks.push_back(std::move(first));
  const auto redirect = [&](ir::BlockId& target) {
    target = target == ir::BlockId{0} ? inside : target;
  };
  for (ir::Block& block : function.blocks) {
    for (ir::Instruction& instruction : block.instructions) {
      if (auto* jump = std::get_if<ir::Jump>(&instruction.operation)) {
        redirect(jump->target);
      } else if (auto* branch = std::get_if<ir::Branch>(&instruction.operation)) {
        redirect(branch->if_true);
        redirect(branch->if_false);
      } else if (auto* choice = std::get_if<ir::Switch>(&instruction.operation)) {
        redirect(choice->otherwise);
        for (ir::SwitchCase& one : choice->cases) {
          redirect(one.target);
        }
      }
    }
  }
  std::vector<ir::Instruction>& start = function.blocks[ir::BlockId{0}].instructions;
  start = code;
  start.push_back({ir::Jump{inside}, function.loc});
}

} // namespace

void make_atomic_functions(ir::Module& module) {
  for (ir::Function& function : module.functions) {
    if (function.is_declaration() || !function.name.starts_with("__VERIFIER_atomic_") ||
        function.name == "__VERIFIER_atomic_begin" || function.name == "__VERIFIER_atomic_end") {
      continue;
    }
    // Calls of __VERIFIER_atomic_begin are still calls here: this one was printed after it had been
    // made atomic.
    const std::vector<ir::Instruction>& entry = function.blocks[ir::BlockId{0}].instructions;
    if (!entry.empty() && std::holds_alternative<ir::AtomicBegin>(entry.front().operation)) {
      continue;
    }
    for (std::size_t i = 0; i < function.blocks.size(); ++i) {
      std::vector<ir::Instruction>& code = function.blocks[ir::BlockId{i}].instructions;
      if (!code.empty() && std::holds_alternative<ir::Return>(code.back().operation)) {
        code.insert(code.end() - 1, {ir::AtomicEnd{}, code.back().loc});
      }
    }
    open_with(function, {{ir::AtomicBegin{}, function.loc}});
  }
}

void replace_error_functions(ir::Module& module, const Options& options) {
  for (const std::string& name : options.error_functions) {
    const auto id = module.find_function(name);
    if (!id) {
      continue;
    }
    ir::Function& function = module.functions[*id];
    function.registers.resize(function.parameter_count);
    function.slots = {};
    function.blocks = {};
    function.blocks.push_back(
        {"entry",
         {{ir::Assert{ir::Constant{kBit, 0}, name + "() is called"}, function.loc},
          {ir::Exit{}, function.loc}}});
  }
}

void adapt_calls(ir::Module& module) {
  edit_all(module, [&](Editor& editor, const ir::Instruction& instruction) {
    const auto* call = std::get_if<ir::Call>(&instruction.operation);
    const auto* target =
        call == nullptr ? nullptr : std::get_if<ir::FunctionAddress>(&call->callee);
    if (target == nullptr) {
      return false;
    }
    const ir::Function& callee = module.functions[target->function];
    if (callee.is_declaration()) {
      return false;
    }
    const auto fits = [&](ir::Type have, ir::Type want) {
      return !want.is_void() && module.bits(have) == module.bits(want);
    };
    bool is_fine = call->arguments.size() == callee.parameter_count &&
                   (!call->dest || fits(editor.type_of(*call->dest), callee.result));
    for (std::size_t i = 0; is_fine && i < call->arguments.size(); ++i) {
      is_fine = fits(editor.type_of(call->arguments[i]), callee.registers[ir::RegisterId{i}].type);
    }
    if (is_fine) {
      return false;
    }
    ir::Call out = *call;
    out.arguments.resize(std::min<std::size_t>(out.arguments.size(), callee.parameter_count));
    for (std::size_t i = 0; i < callee.parameter_count; ++i) {
      const ir::Type type = callee.registers[ir::RegisterId{i}].type;
      if (i < out.arguments.size()) {
        out.arguments[i] = editor.convert(out.arguments[i], type);
      } else {
        const ir::RegisterId any = editor.new_register(type);
        editor.emit(ir::Nondet{any, "missing argument"});
        out.arguments.emplace_back(any);
      }
    }
    if (!call->dest) {
      editor.emit(std::move(out));
    } else if (callee.result.is_void()) {
      out.dest.reset();
      editor.emit(std::move(out));
      editor.emit(ir::Nondet{*call->dest, "the result of a function that returns none"});
    } else {
      out.dest = editor.new_register(callee.result);
      const ir::RegisterId result = *out.dest;
      editor.emit(std::move(out));
      editor.assign(*call->dest, result);
    }
    return true;
  });
}

void pack_further_arguments(ir::Module& module) {
  const std::uint64_t word_size = module.pointer_bits() / 8;
  const auto is_packed = [&](ir::FunctionId id) {
    const ir::Function& callee = module.functions[id];
    return callee.is_variadic && !callee.is_declaration() && callee.parameter_count > 0;
  };
  edit_all(module, [&](Editor& editor, const ir::Instruction& instruction) {
    const auto* call = std::get_if<ir::Call>(&instruction.operation);
    const auto* target =
        call == nullptr ? nullptr : std::get_if<ir::FunctionAddress>(&call->callee);
    if (target == nullptr || !is_packed(target->function)) {
      return false;
    }
    const std::size_t fixed = module.functions[target->function].parameter_count - 1;
    if (call->arguments.size() < fixed) {
      return false; // too few, even without variable ones
    }
    ir::Call out = *call;
    const ir::SlotId slot = editor.function().slots.push_back(
        {"arguments", 0, static_cast<std::uint32_t>(word_size), editor.loc()});
    const ir::Operand block = ir::SlotAddress{slot};
    std::uint64_t size = 0;
    for (std::size_t i = fixed; i < call->arguments.size(); ++i) {
      const ir::Type type = editor.type_of(call->arguments[i]);
      const ir::Operand offset = ir::Constant{editor.word(), size};
      const ir::Operand place =
          editor.compute(ir::Type::pointer(), ir::Op::kPtrAdd, {block, offset});
      editor.emit(ir::Store{place, call->arguments[i], type, {}});
      size += module.bits(type) > module.pointer_bits() ? 2 * word_size : word_size;
    }
    editor.function().slots[slot].size = std::max(size, word_size);
    out.arguments.resize(fixed);
    out.arguments.push_back(block);
    editor.emit(std::move(out));
    return true;
  });
  for (ir::Function& function : module.functions) {
    function.is_variadic = function.is_variadic && function.is_declaration();
  }
}

void add_key_destructors(ir::Module& module, const std::string& entry) {
  const auto run = module.find_function("__heddle_run_key_destructors");
  const ir::Module used = ir::keep_reachable(module, {entry});
  if (!run || !used.find_function("__heddle_pthread_key_create")) {
    return;
  }
  const auto is_own = [&](const std::string& name) { return name.starts_with("__heddle_"); };
  const ir::Call call{std::nullopt, ir::FunctionAddress{*run}, {}};
  std::set<std::pair<ir::FunctionId, ir::FunctionId>> known;
  const auto start_of = [&](ir::FunctionId id) {
    for (const auto& [function, start] : known) {
      if (function == id) {
        return start;
      }
    }
    const SourceLoc loc = module.functions[id].loc;
    ir::Function start;
    start.name = module.functions[id].name + ".thread";
    start.result = ir::Type::pointer();
    start.parameter_count = 1;
    start.is_internal = true;
    start.loc = loc;
    const ir::RegisterId argument = start.registers.push_back({ir::Type::pointer(), "argument"});
    const ir::RegisterId result = start.registers.push_back({ir::Type::pointer(), "result"});
    start.blocks.push_back({"entry",
                            {{ir::Call{result, ir::FunctionAddress{id}, {argument}}, loc},
                             {call, loc},
                             {ir::Return{result}, loc}}});
    const ir::FunctionId made = module.functions.push_back(std::move(start));
    known.emplace(id, made);
    return made;
  };
  const std::size_t count = module.functions.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ir::FunctionId id{i};
    if (module.functions[id].is_declaration() || is_own(module.functions[id].name)) {
      continue;
    }
    ir::Function function = module.functions[id];
    Editor editor(module, function);
    editor.rewrite([&](const ir::Instruction& instruction) {
      if (std::holds_alternative<ir::ThreadExit>(instruction.operation)) {
        editor.emit(call);
        return false;
      }
      const auto* create = std::get_if<ir::Synchronize>(&instruction.operation);
      if (create == nullptr || create->op != ir::SyncOp::kCreate) {
        return false;
      }
      const auto* direct = std::get_if<ir::FunctionAddress>(&create->operands[0]);
      if (direct == nullptr) {
        editor.emit(ir::Trap{"a thread created through a function pointer in a program that uses "
                             "thread-specific keys",
                             "name the function in pthread_create"});
        return false;
      }
      ir::Synchronize out = *create;
      out.operands[0] = ir::FunctionAddress{start_of(direct->function)};
      editor.emit(std::move(out));
      return true;
    });
    module.functions[id] = std::move(function);
  }
}

void expect_no_cleanup_handlers(ir::Module& module, const std::string& entry) {
  const auto check = module.find_function("__heddle_expect_no_cleanup_handlers");
  const ir::Module used = ir::keep_reachable(module, {entry});
  if (!check || !used.find_function("__heddle___pthread_register_cancel")) {
    return;
  }
  edit_all(module, [&](Editor& editor, const ir::Instruction& instruction) {
    if (std::holds_alternative<ir::ThreadExit>(instruction.operation)) {
      editor.emit(ir::Call{std::nullopt, ir::FunctionAddress{*check}, {}});
    }
    return false;
  });
}

void call_constructors(ir::Module& module,
                       const std::string& entry,
                       const std::vector<std::string>& constructors) {
  const auto id = module.find_function(entry);
  if (!id || constructors.empty()) {
    return;
  }
  // They run once, when the program starts: the entry is not called again.
  edit_all(module, [&](Editor& editor, const ir::Instruction& instruction) {
    const auto* call = std::get_if<ir::Call>(&instruction.operation);
    if (call != nullptr && call->callee == ir::Operand{ir::FunctionAddress{*id}}) {
      editor.emit(
          ir::Trap{"a call of the entry function '" + entry + "' in a program with constructors",
                   "call another function from both"});
    }
    return false;
  });
  const SourceLoc loc = module.functions[*id].loc;
  std::vector<ir::Instruction> start;
  for (const std::string& name : constructors) {
    if (const auto constructor = module.find_function(name)) {
      start.push_back({ir::Call{std::nullopt, ir::FunctionAddress{*constructor}, {}}, loc});
    }
  }
  open_with(module.functions[*id], start);
}

namespace {

/// Where control goes on after a block that only jumps.
std::optional<ir::BlockId> only_jumps(const ir::Block& block) {
  const auto* jump = block.instructions.size() == 1
                         ? std::get_if<ir::Jump>(&block.instructions[0].operation)
                         : nullptr;
  return jump == nullptr ? std::nullopt : std::optional(jump->target);
}

/// The assertion of a block that does nothing but fail and end the program; null for calls of error
/// functions.
const ir::Assert* only_fails(const ir::Block& block) {
  if (block.instructions.size() != 2 ||
      !std::holds_alternative<ir::Exit>(block.instructions[1].operation)) {
    return nullptr;
  }
  const auto* failed = std::get_if<ir::Assert>(&block.instructions[0].operation);
  if (failed == nullptr || failed->is_index_check ||
      failed->condition != ir::Operand{ir::Constant{kBit, 0}} ||
      failed->what.ends_with("() is called")) {
    return nullptr;
  }
  return failed;
}

/// The condition may be several branches (&& and ||). The last of them goes to a block that only
/// jumps on if it holds; both outcomes are led to one block that asserts which of the two it was.
void join_assertion(ir::Function& function, ir::BlockId fails) {
  const ir::Instruction failure = function.blocks[fails].instructions[0];
  std::optional<ir::BlockId> holds;
  for (const ir::Block& block : function.blocks) {
    const auto* branch = std::get_if<ir::Branch>(&block.instructions.back().operation);
    if (branch == nullptr || (branch->if_true != fails && branch->if_false != fails)) {
      continue;
    }
    const ir::BlockId other = branch->if_true == fails ? branch->if_false : branch->if_true;
    if (other != fails && only_jumps(function.blocks[other])) {
      holds = other;
    }
  }
  if (!holds) {
    return;
  }
  const ir::BlockId next = *only_jumps(function.blocks[*holds]);
  const SourceLoc loc = failure.loc;
  const std::string what = std::get<ir::Assert>(failure.operation).what;
  const std::string name = function.blocks[fails].name;
  const ir::RegisterId outcome = function.registers.push_back({kBit, {}, loc});
  const ir::BlockId ends = function.blocks.push_back({name + ".ends", {{ir::Exit{}, loc}}});
  const ir::BlockId decides = function.blocks.push_back(
      {name + ".assert",
       {{ir::Assert{outcome, what}, loc}, {ir::Branch{outcome, next, ends}, loc}}});
  const auto lead = [&](ir::BlockId block, std::uint64_t value) {
    function.blocks[block].instructions = {
        {ir::Compute{outcome, ir::Op::kCopy, {ir::Constant{kBit, value}}}, loc},
        {ir::Jump{decides}, loc}};
  };
  lead(fails, 0);
  lead(*holds, 1);
}

/// Where the condition is one branch, the assertion stands on it directly.
bool assert_in_place(ir::Function& function, ir::BlockId fails) {
  ir::Block* only = nullptr;
  for (ir::Block& block : function.blocks) {
    bool leads_here = false;
    ir::for_each_target(block.instructions.back().operation,
                        [&](ir::BlockId target) { leads_here = leads_here || target == fails; });
    if (leads_here && only != nullptr) {
      return false;
    }
    only = leads_here ? &block : only;
  }
  const auto* branch =
      only == nullptr ? nullptr : std::get_if<ir::Branch>(&only->instructions.back().operation);
  if (branch == nullptr || branch->if_false != fails || branch->if_true == fails) {
    return false;
  }
  // Another branch to the block that goes on means that this one is not the whole condition.
  int ways_on = 0;
  for (const ir::Block& block : function.blocks) {
    ir::for_each_target(block.instructions.back().operation,
                        [&](ir::BlockId target) { ways_on += target == branch->if_true ? 1 : 0; });
  }
  if (ways_on != 1) {
    return false;
  }
  ir::Instruction check = function.blocks[fails].instructions[0];
  std::get<ir::Assert>(check.operation).condition = branch->condition;
  function.blocks[fails].instructions.erase(function.blocks[fails].instructions.begin());
  only->instructions.insert(only->instructions.end() - 1, std::move(check));
  return true;
}

} // namespace

void join_assertions(ir::Module& module) {
  for (ir::Function& function : module.functions) {
    const std::size_t count = function.blocks.size();
    for (std::size_t i = 0; i < count; ++i) {
      const ir::BlockId id{i};
      if (only_fails(function.blocks[id]) != nullptr && !assert_in_place(function, id)) {
        join_assertion(function, id);
      }
    }
  }
}

void define_streams(ir::Module& module) {
  const std::size_t count = module.globals.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ir::GlobalId id{i};
    const std::string name = module.globals[id].name;
    if (!module.globals[id].is_declaration ||
        (name != "stdin" && name != "stdout" && name != "stderr")) {
      continue;
    }
    ir::Global stream;
    stream.name = name + ".stream";
    stream.size = 1;
    const ir::GlobalId target = module.globals.push_back(std::move(stream));
    module.globals[id].is_declaration = false;
    module.globals[id].relocations.push_back({0, ir::GlobalAddress{target, 0}});
  }
}

namespace {

/// A branch or switch on a constant is a jump.
void decide(ir::Instruction& last) {
  if (const auto* branch = std::get_if<ir::Branch>(&last.operation)) {
    if (const auto* literal = std::get_if<ir::Constant>(&branch->condition)) {
      last.operation = ir::Jump{literal->value != 0 ? branch->if_true : branch->if_false};
    }
  } else if (const auto* choice = std::get_if<ir::Switch>(&last.operation)) {
    if (const auto* literal = std::get_if<ir::Constant>(&choice->value)) {
      ir::BlockId target = choice->otherwise;
      for (const ir::SwitchCase& one : choice->cases) {
        if (one.value == literal->value) {
          target = one.target;
        }
      }
      last.operation = ir::Jump{target};
    }
  }
}

void renumber(ir::Operation& operation, const IdVector<ir::BlockId, ir::BlockId>& to) {
  if (auto* jump = std::get_if<ir::Jump>(&operation)) {
    jump->target = to[jump->target];
  } else if (auto* branch = std::get_if<ir::Branch>(&operation)) {
    branch->if_true = to[branch->if_true];
    branch->if_false = to[branch->if_false];
  } else if (auto* choice = std::get_if<ir::Switch>(&operation)) {
    choice->otherwise = to[choice->otherwise];
    for (ir::SwitchCase& one : choice->cases) {
      one.target = to[one.target];
    }
  }
}

} // namespace

void drop_unreachable_blocks(ir::Module& module) {
  for (ir::Function& function : module.functions) {
    if (function.is_declaration()) {
      continue;
    }
    IdVector<ir::BlockId, bool> seen(function.blocks.size(), false);
    std::vector<ir::BlockId> open = {ir::BlockId{0}};
    seen[ir::BlockId{0}] = true;
    while (!open.empty()) {
      ir::Instruction& last = function.blocks[open.back()].instructions.back();
      open.pop_back();
      decide(last);
      ir::for_each_target(last.operation, [&](ir::BlockId target) {
        if (!seen[target]) {
          seen[target] = true;
          open.push_back(target);
        }
      });
    }
    IdVector<ir::BlockId, ir::BlockId> to(function.blocks.size());
    IdVector<ir::BlockId, ir::Block> kept;
    for (std::size_t i = 0; i < function.blocks.size(); ++i) {
      if (seen[ir::BlockId{i}]) {
        to[ir::BlockId{i}] = kept.push_back(std::move(function.blocks[ir::BlockId{i}]));
      }
    }
    for (ir::Block& block : kept) {
      renumber(block.instructions.back().operation, to);
    }
    function.blocks = std::move(kept);
  }
}

} // namespace heddle::frontend
