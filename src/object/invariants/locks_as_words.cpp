// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/invariants/locks_as_words.h"

#include "ir/sync_facts.h"
#include "object/scenarios/harness_code.h"
#include "program/model/sync_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace heddle::object {

namespace {

using ir::kBit;
using ir::kInt;

enum class How : std::uint8_t { kInit, kLock, kTryLock, kUnlock };

std::optional<How> how_of(ir::SyncOp op) {
  const ir::SyncFacts& facts = facts_of(op);
  if (!is_exclusive_lock(facts.object) || is_timed(op))
    return std::nullopt;
  switch (facts.role) {
  case ir::SyncRole::kInitialise:
    return How::kInit;
  case ir::SyncRole::kTake:
    return is_attempt(op) ? How::kTryLock : How::kLock;
  case ir::SyncRole::kGive:
    return How::kUnlock;
  default:
    return std::nullopt;
  }
}

/// A lock whose kind is known to be the normal one: nothing else is in its bytes at first.
bool is_plain(const ir::Module& module, const ir::Synchronize& sync) {
  const auto* address = std::get_if<ir::GlobalAddress>(&sync.operands.front());
  if (address == nullptr)
    return false;
  const ir::Global& global = module.globals[address->global];
  if (global.is_thread_local || global.is_declaration || !global.relocations.empty())
    return false;
  if (sync.op == ir::SyncOp::kMutexInit) {
    const auto* kind = std::get_if<ir::Constant>(&sync.operands[1]);
    if (kind == nullptr || kind->value != 0)
      return false;
  }
  return std::ranges::all_of(global.initial, [](std::uint8_t byte) { return byte == 0; });
}

/// The function that does it to one lock. Each place has its own, so that messages are about it.
ir::Function function_of(How how, const ir::Operand& lock, std::string name, SourceLoc loc) {
  Code code(std::move(name), kInt, loc);
  const ir::Constant none{kInt, 0};
  const auto me = [&] {
    const ir::RegisterId self = code.make(ir::Type::pointer());
    code.emit(ir::Synchronize{self, ir::SyncOp::kSelf, {}});
    return code.compute(kInt, ir::Op::kTrunc, {self});
  };
  const auto owner = [&] {
    const ir::RegisterId found = code.make(kInt);
    code.emit(ir::Load{found, lock, {}});
    return found;
  };
  const auto set = [&](const ir::Operand& value) { code.emit(ir::Store{lock, value, kInt, {}}); };
  switch (how) {
  case How::kInit:
    set(none);
    code.emit(ir::Return{none});
    break;
  case How::kLock: {
    const ir::BlockId wait{1};
    const ir::BlockId take{2};
    const ir::BlockId again{3};
    const ir::RegisterId self = me();
    code.emit(ir::Jump{wait});
    code.start("wait");
    code.emit(ir::AtomicBegin{});
    const ir::RegisterId is_free = code.compute(kBit, ir::Op::kEq, {owner(), none});
    code.emit(ir::Branch{is_free, take, again});
    code.start("take");
    set(self);
    code.emit(ir::AtomicEnd{});
    code.emit(ir::Return{none});
    code.start("again");
    code.emit(ir::AtomicEnd{});
    code.emit(ir::Jump{wait});
    break;
  }
  case How::kTryLock: {
    const ir::RegisterId self = me();
    code.emit(ir::AtomicBegin{});
    const ir::RegisterId found = owner();
    const ir::RegisterId is_free = code.compute(kBit, ir::Op::kEq, {found, none});
    set(code.compute(kInt, ir::Op::kSelect, {is_free, self, found}));
    code.emit(ir::AtomicEnd{});
    code.emit(ir::Return{
        code.compute(kInt,
                     ir::Op::kSelect,
                     {is_free, none, ir::Constant{kInt, program::sync_layout::kErrorBusy}})});
    break;
  }
  case How::kUnlock: {
    const ir::RegisterId self = me();
    code.emit(ir::AtomicBegin{});
    code.emit(ir::Assert{code.compute(kBit, ir::Op::kEq, {owner(), self}),
                         "who gives a lock back has it"});
    set(none);
    code.emit(ir::AtomicEnd{});
    code.emit(ir::Return{none});
    break;
  }
  }
  return std::move(code).finish();
}

} // namespace

bool has_locks(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.instructions)
        if (const auto* sync = std::get_if<ir::Synchronize>(&instruction.operation);
            sync != nullptr && how_of(sync->op))
          return true;
  return false;
}

Status make_locks_words(ir::Module& module) {
  const std::size_t functions = module.functions.size();
  std::size_t places = 0;
  for (std::size_t f = 0; f < functions; ++f) {
    const std::size_t blocks = module.functions[ir::FunctionId{f}].blocks.size();
    for (std::size_t b = 0; b < blocks; ++b) {
      // Adding a function moves the others.
      const auto instructions = [&]() -> std::vector<ir::Instruction>& {
        return module.functions[ir::FunctionId{f}].blocks[ir::BlockId{b}].instructions;
      };
      for (std::size_t i = 0; i < instructions().size(); ++i) {
        const ir::Instruction old = instructions()[i];
        const auto* sync = std::get_if<ir::Synchronize>(&old.operation);
        const std::optional<How> how = sync == nullptr ? std::nullopt : how_of(sync->op);
        if (!how)
          continue;
        if (!is_plain(module, *sync)) {
          Error error{ErrorKind::kUnsupported,
                      "OBL-001",
                      "a lock in a proof is a global variable of the normal kind, initialised "
                      "statically or with default attributes"};
          if (old.loc.is_known()) {
            error.file = module.files[old.loc.file];
            error.line = old.loc.line;
          }
          return error;
        }
        const ir::FunctionId made = module.functions.push_back(function_of(
            *how, sync->operands.front(), fmt::format("__heddle_lock.{}", ++places), old.loc));
        instructions()[i].operation = ir::Call{sync->dest, ir::FunctionAddress{made}, {}};
      }
    }
  }
  return Done{};
}

} // namespace heddle::object
