// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Steps that no other thread can see: assignments, branches, checks, calls, returns, and accesses
// of memory that only this thread reaches. The hot path of every engine that steps.
#include "program/run/interpreter_code.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <variant>

namespace heddle::program {

void Interpreter::Code::zero_dead_locals(ThreadState& thread) const {
  if (options.keep_dead_locals)
    return;
  const CompiledProcedure& at = procedure(thread);
  const std::uint64_t* dead =
      at.dead.data() +
      static_cast<std::size_t>(layout::location(layout::innermost(thread))) * at.dead_words;
  std::uint64_t* const locals = layout::locals(thread);
  for (std::uint32_t i = 0; i < at.dead_words; ++i)
    for (std::uint64_t rest = dead[i]; rest != 0; rest &= rest - 1)
      locals[64 * i + static_cast<unsigned>(std::countr_zero(rest))] = 0;
}

bool Interpreter::Code::is_local(const State& state,
                                 ThreadIndex thread,
                                 const CompiledEdge& edge) const {
  const ThreadState& self = state.threads[thread];
  switch (edge.code) {
  case OpCode::kSkip:
  case OpCode::kAssign:
  case OpCode::kAssignSequence:
  case OpCode::kBranch:
  case OpCode::kAssume:
  case OpCode::kCheck:
  case OpCode::kCheckNeighbourhood:
  case OpCode::kBlockSize:
  case OpCode::kCall:
  case OpCode::kCut:
  case OpCode::kTrap:
    return true;
  case OpCode::kReturn:
    if (layout::is_outermost(self))
      return false;
    // Blocks that another thread may reach end here: that is visible.
    return layout::frame_units(layout::innermost(self)) == 0 ||
           !memory.has_visible_block(state.memory,
                                     first_frame_unit(thread) + frame_units_in_use(self) -
                                         layout::frame_units(layout::innermost(self)),
                                     layout::frame_units(layout::innermost(self)));
  case OpCode::kLoad:
  case OpCode::kReadModifyWrite:
  case OpCode::kCompareExchange: {
    // One that waits for the thread's pending stores is a step of its own even on private memory.
    if (edge.is_visible || edge.drains)
      return false;
    if (edge.code == OpCode::kCompareExchange && std::get<CompareExchange>(edge.edge->action).weak)
      return false;
    return edge.marks != kNoLocal ||
           memory.unwritten(state.memory, evaluate(edge.a, self, thread), edge.size) == 0;
  }
  case OpCode::kStore:
    return !edge.is_visible && !edge.drains;
  case OpCode::kAllocate:
    return allocates_locally(edge);
  case OpCode::kFree:
    return !edge.is_visible && !options.reuse_freed_blocks;
  case OpCode::kSynchronize:
    return edge.sync == SyncOp::kSelf;
  case OpCode::kNondet:
  case OpCode::kFence:
  case OpCode::kAtomicBegin:
  case OpCode::kAtomicEnd:
  case OpCode::kThreadExit:
  case OpCode::kExit:
    return false;
  }
  HEDDLE_CHECK(false, "no such operation");
}

Fault Interpreter::Code::step_local(State& state,
                                    ThreadIndex index,
                                    const CompiledEdge& edge) const {
  ThreadState& thread = state.threads[index];
  switch (edge.code) {
  case OpCode::kSkip:
    advance(thread, edge);
    return {};
  case OpCode::kAssign:
    set_local(thread, edge, evaluate(edge.a, thread, index));
    advance(thread, edge);
    return {};
  case OpCode::kAssignSequence: {
    std::uint64_t* const locals = layout::locals(thread);
    for (std::uint32_t i = edge.first; i < edge.first + edge.count; ++i) {
      const CompiledAssignment& assignment = compiled.assignments[i];
      locals[assignment.dest] =
          compiled.expressions.evaluate(assignment.value, locals, index) & assignment.mask;
    }
    advance(thread, edge);
    return {};
  }
  case OpCode::kBranch:
    advance(thread, branch_taken(thread, index));
    return {};
  case OpCode::kAssume:
    if (evaluate(edge.a, thread, index) == 0)
      return fault(FaultKind::kDiscarded, "an assumption is false", thread);
    advance(thread, edge);
    return {};
  case OpCode::kCheck:
  case OpCode::kCheckNeighbourhood:
  case OpCode::kCut:
  case OpCode::kTrap: {
    bool holds = false;
    if (edge.code == OpCode::kCheck && options.evaluated_checks != nullptr) {
      const std::uint32_t at = layout::procedure(layout::innermost(thread));
      const auto& edges = program.procedures[ProcedureId{at}].edges;
      (*options.evaluated_checks)[at][static_cast<std::size_t>(edge.edge - edges.data())] = true;
    }
    if (edge.code == OpCode::kCheck)
      holds = evaluate(edge.a, thread, index) != 0;
    else if (edge.code == OpCode::kCheckNeighbourhood)
      holds = memory.are_neighbours(
          state.memory, evaluate(edge.a, thread, index), evaluate(edge.b, thread, index));
    if (!holds)
      return check_failed(thread, edge);
    advance(thread, edge);
    return {};
  }
  case OpCode::kLoad:
  case OpCode::kStore:
  case OpCode::kReadModifyWrite:
  case OpCode::kCompareExchange:
    return local_memory_step(state, index, edge);
  case OpCode::kBlockSize: {
    const std::uint64_t address = evaluate(edge.a, thread, index);
    const MemoryTarget target = memory.find(state.memory, address);
    if (target.kind != MemoryTarget::Kind::kBlock || target.is_freed ||
        target.unit < AddressSpace::kFirstHeapUnit || target.base != address)
      return fault(target.is_freed ? FaultKind::kUseAfterFree : FaultKind::kInvalidFree,
                   "not the start of a live heap block",
                   thread);
    set_local(thread, edge, target.size);
    advance(thread, edge);
    return {};
  }
  case OpCode::kCall:
    return call(state, index, edge);
  case OpCode::kReturn:
    give_back(state, index, edge);
    return {};
  case OpCode::kAllocate: {
    if (std::get<Allocate>(edge.edge->action).where == ir::Allocate::Where::kFrame)
      return allocate_frame(state, index, edge);
    const std::optional<std::uint64_t> unit =
        fresh_heap_unit(state, index, evaluate(edge.a, thread, index));
    return allocate_heap(state, index, edge, unit.value_or(0));
  }
  case OpCode::kFree:
    return free_block(state, index, edge);
  case OpCode::kSynchronize: // kSelf
    set_local(thread, edge, index + 1ULL);
    advance(thread, edge);
    return {};
  case OpCode::kNondet:
  case OpCode::kFence:
  case OpCode::kAtomicBegin:
  case OpCode::kAtomicEnd:
  case OpCode::kThreadExit:
  case OpCode::kExit:
    break;
  }
  HEDDLE_CHECK(false, "not a local step");
}

Fault Interpreter::Code::local_memory_step(State& state,
                                           ThreadIndex index,
                                           const CompiledEdge& edge) const {
  ThreadState& thread = state.threads[index];
  const std::uint64_t address = evaluate(edge.a, thread, index);
  const bool writes = edge.code != OpCode::kLoad;
  if (Fault found = access_fault(state, index, address, edge.size, writes); !found.is_none())
    return found;
  if (options.check_analyses)
    check_touch(state, index, address, edge.may, writes, edge.is_visible);
  const std::uint64_t operand = edge.code == OpCode::kLoad ? 0 : evaluate(edge.b, thread, index);
  switch (edge.code) {
  case OpCode::kLoad:
    if (edge.marks != kNoLocal)
      layout::locals(thread)[edge.marks] = memory.unwritten(state.memory, address, edge.size);
    set_local(thread, edge, memory.read(state.memory, address, edge.size));
    break;
  case OpCode::kStore:
    memory.write(state.memory,
                 address,
                 edge.size,
                 operand,
                 edge.has_value ? static_cast<std::uint8_t>(evaluate(edge.c, thread, index)) : 0);
    break;
  case OpCode::kReadModifyWrite: {
    const ReadModifyWrite& action = std::get<ReadModifyWrite>(edge.edge->action);
    const std::uint64_t old = memory.read(state.memory, address, edge.size);
    memory.write(state.memory, address, edge.size, modify(action.op, old, operand, edge.size));
    set_local(thread, edge, old);
    break;
  }
  case OpCode::kCompareExchange: {
    const std::uint64_t old = memory.read(state.memory, address, edge.size);
    const bool is_equal = old == operand;
    if (is_equal)
      memory.write(state.memory, address, edge.size, evaluate(edge.c, thread, index));
    set_local(thread, edge, old);
    if (edge.success != kNoLocal)
      layout::locals(thread)[edge.success] = is_equal ? 1 : 0;
    break;
  }
  default:
    HEDDLE_CHECK(false, "not an access");
  }
  advance(thread, edge);
  return {};
}

Fault Interpreter::Code::check_failed(const ThreadState& thread, const CompiledEdge& edge) const {
  const Action& action = edge.edge->action;
  if (const Check* check = std::get_if<Check>(&action))
    return fault(fault_of(check->kind), check->what, thread);
  if (std::holds_alternative<CheckNeighbourhood>(action))
    return fault(FaultKind::kPointerArithmetic, "a pointer leaves its object", thread);
  if (const Cut* cut = std::get_if<Cut>(&action))
    return fault(FaultKind::kCut, cut->bound, thread);
  Fault result = fault(FaultKind::kTrap, "exclusive load or store", thread);
  result.help = "use compare-exchange";
  if (const Trap* trap = std::get_if<Trap>(&action)) {
    result.what = trap->what;
    result.help = trap->help;
  }
  return result;
}

std::optional<ProcedureId> Interpreter::Code::function_at(std::uint64_t address) const {
  const std::uint64_t first = memory.space().function_address(0);
  if (address < first || (address - first) % 16 != 0 ||
      (address - first) / 16 >= program.procedures.size())
    return std::nullopt;
  return ProcedureId{(address - first) / 16};
}

Fault Interpreter::Code::call(State& state, ThreadIndex index, const CompiledEdge& edge) const {
  ThreadState& thread = state.threads[index];
  const Call& action = std::get<Call>(edge.edge->action);
  ProcedureId target;
  if (edge.has_value) {
    const std::optional<ProcedureId> found = function_at(evaluate(edge.a, thread, index));
    if (!found)
      return fault(FaultKind::kInvalidAccess, "a call of something that is no function", thread);
    target = *found;
    // The front end counts such functions out (pointer_targets), since this is undefined.
    if (compiled.procedures[target.index()].parameters.size() > action.arguments.size())
      return fault(FaultKind::kInvalidAccess,
                   fmt::format("'{}' is called through a pointer with too few arguments",
                               program.procedures[target].name),
                   thread);
    HEDDLE_CHECK(!options.check_analyses || action.targets.empty() ||
                     std::find(action.targets.begin(), action.targets.end(), target) !=
                         action.targets.end(),
                 "a call through a pointer leaves its set of targets");
  } else {
    target = action.targets.front();
  }
  const CompiledProcedure& callee = compiled.procedures[target.index()];
  // The caller keeps only what it reads after the call; the result is not there yet.
  const std::size_t frame_end = thread.words.size();
  const std::size_t caller_locals = layout::local_count(thread.words.back());
  thread.words.resize(frame_end + callee.local_count + 1, 0);
  std::uint64_t* const caller = thread.words.data() + frame_end - 1 - caller_locals;
  std::uint64_t* const locals = thread.words.data() + frame_end;
  for (std::uint32_t i = 0; i < callee.parameters.size() && i < edge.count; ++i) {
    const std::uint32_t parameter = callee.parameters[i];
    locals[parameter] =
        compiled.expressions.evaluate(compiled.arguments[edge.first + i], caller, index) &
        callee.masks[parameter];
  }
  thread.words.back() = layout::frame(target.value, callee.entry, callee.local_count, 0);
  if (!options.keep_dead_locals) {
    const CompiledProcedure& calling =
        compiled.procedures[layout::procedure(thread.words[frame_end - 1])];
    const std::uint64_t* dead =
        calling.dead.data() + static_cast<std::size_t>(edge.to) * calling.dead_words;
    for (std::uint32_t i = 0; i < calling.dead_words; ++i)
      for (std::uint64_t rest = dead[i]; rest != 0; rest &= rest - 1)
        caller[64 * i + static_cast<unsigned>(std::countr_zero(rest))] = 0;
    if (edge.dest != kNoLocal)
      caller[edge.dest] = 0;
  }
  return {};
}

void Interpreter::Code::give_back(State& state, ThreadIndex index, const CompiledEdge& edge) const {
  ThreadState& thread = state.threads[index];
  const std::uint64_t value = edge.has_value ? evaluate(edge.a, thread, index) : 0;
  const std::uint64_t frame = layout::innermost(thread);
  if (const std::uint32_t units = layout::frame_units(frame); units != 0)
    memory.remove_blocks(
        state.memory, first_frame_unit(index) + frame_units_in_use(thread) - units, units);
  thread.words.resize(thread.words.size() - 1 - layout::local_count(frame));
  const CompiledEdge& calling = this->edge(thread);
  set_local(thread, calling, value);
  advance(thread, calling);
}

} // namespace heddle::program
