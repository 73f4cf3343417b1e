// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's interface: what a thread does next, which ways it can go, and carrying it out.
#include "program/run/interpreter.h"

#include "program/run/interpreter_code.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <variant>

namespace heddle::program {

Interpreter::Interpreter(const Program& program, const InterpreterOptions& options)
    : code_(std::make_unique<Code>(program, options)) {}
Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter&&) noexcept = default;

const Program& Interpreter::program() const {
  return code_->program;
}
const InterpreterOptions& Interpreter::options() const {
  return code_->options;
}

bool Interpreter::looks_at_other_threads() const {
  return code_->looks_at_other_threads();
}

State Interpreter::initial() const {
  State state;
  state.memory = code_->memory.initial();
  HEDDLE_CHECK(!code_->program.templates.empty(), "a program without an initial thread");
  state.threads.push_back(code_->new_thread(state.memory, 0, code_->program.templates[0].entry, 0));
  return state;
}

ThreadIndex Interpreter::next_thread(const State& state) const {
  return code_->next_thread(state);
}

Request Interpreter::request(const State& state, ThreadIndex thread) const {
  const ThreadState& self = state.threads[thread];
  const CompiledEdge& edge = code_->edge(self);
  const auto value_of = [&](const Expression& expression) {
    return code_->evaluate(expression, self, thread);
  };
  Request request;
  request.edge = edge.edge;
  switch (layout::status(self)) {
  case ThreadStatus::kRunning:
    break;
  case ThreadStatus::kWaitingOnCondition:
    request.kind = Request::Kind::kWakeUp;
    request.address = value_of(edge.a);
    request.value = value_of(edge.b);
    request.edge = nullptr;
    request.is_visible = true;
    return request;
  case ThreadStatus::kReacquiring:
    request.kind = Request::Kind::kReacquire;
    request.address = value_of(edge.b);
    request.edge = nullptr;
    request.is_visible = true;
    return request;
  case ThreadStatus::kWaitingAtBarrier:
    request.kind = Request::Kind::kLeaveBarrier;
    request.address = value_of(edge.a);
    request.edge = nullptr;
    request.is_visible = true;
    return request;
  case ThreadStatus::kEnded:
  case ThreadStatus::kJoined:
    HEDDLE_CHECK(false, "a thread that has ended does nothing");
  }
  request.drains = edge.drains;
  request.size = edge.size;
  request.is_visible = edge.is_visible;
  switch (edge.code) {
  case OpCode::kLoad:
    request.kind = Request::Kind::kLoad;
    request.address = value_of(edge.a);
    request.keeps_marks = edge.marks != kNoLocal;
    break;
  case OpCode::kStore:
    request.kind = Request::Kind::kStore;
    request.address = value_of(edge.a);
    request.value = value_of(edge.b);
    request.marks = edge.has_value ? static_cast<std::uint8_t>(value_of(edge.c)) : 0;
    break;
  case OpCode::kReadModifyWrite:
    request.kind = Request::Kind::kReadModifyWrite;
    request.address = value_of(edge.a);
    request.value = value_of(edge.b);
    break;
  case OpCode::kCompareExchange:
    request.kind = Request::Kind::kCompareExchange;
    request.address = value_of(edge.a);
    request.expected = value_of(edge.b);
    request.value = value_of(edge.c);
    break;
  case OpCode::kFence:
    request.kind = Request::Kind::kFence;
    break;
  case OpCode::kNondet:
    request.kind = Request::Kind::kNondet;
    request.is_visible = false;
    break;
  case OpCode::kAllocate:
    request.kind =
        code_->allocates_locally(edge) ? Request::Kind::kLocal : Request::Kind::kAllocate;
    request.is_visible = request.kind == Request::Kind::kAllocate;
    request.value = value_of(edge.a);
    break;
  case OpCode::kFree:
    request.kind = Request::Kind::kFree;
    request.address = value_of(edge.a);
    break;
  case OpCode::kSynchronize:
    request.kind = edge.sync == SyncOp::kSelf ? Request::Kind::kLocal : Request::Kind::kSynchronize;
    request.is_visible = request.kind == Request::Kind::kSynchronize;
    request.address = value_of(edge.a);
    request.value = value_of(edge.b);
    break;
  case OpCode::kAtomicBegin:
    request.kind = Request::Kind::kAtomicBegin;
    break;
  case OpCode::kAtomicEnd:
    request.kind = Request::Kind::kAtomicEnd;
    break;
  case OpCode::kThreadExit:
    request.kind = Request::Kind::kThreadExit;
    request.value = edge.has_value ? value_of(edge.a) : 0;
    break;
  case OpCode::kExit:
    request.kind = Request::Kind::kExit;
    break;
  case OpCode::kReturn:
    if (layout::is_outermost(self)) {
      // The end of the thread; the end of main is the end of all. Both wait for the thread's
      // pending stores.
      request.kind = thread == 0 ? Request::Kind::kExit : Request::Kind::kThreadExit;
      request.value = edge.has_value ? value_of(edge.a) : 0;
      request.drains = true;
      break;
    }
    request.is_visible = !code_->is_local(state, thread, edge);
    break;
  case OpCode::kCut:
  case OpCode::kTrap:
    request.kind = Request::Kind::kFault;
    request.is_visible = false;
    break;
  case OpCode::kBranch:
    request.is_visible = false;
    request.edge = code_->branch_taken(self, thread).edge;
    break;
  case OpCode::kSkip:
  case OpCode::kAssign:
  case OpCode::kAssignSequence:
  case OpCode::kAssume:
  case OpCode::kCheck:
  case OpCode::kCheckNeighbourhood:
  case OpCode::kBlockSize:
  case OpCode::kCall:
    request.is_visible = false;
    break;
  }
  return request;
}

std::optional<Wait>
Interpreter::blocked(const State& state, ThreadIndex thread, const Request& request) const {
  return code_->sync_blocked(state, thread, request);
}

bool Interpreter::choices(const State& state,
                          ThreadIndex thread,
                          const Request& request,
                          std::vector<std::uint64_t>& out) const {
  switch (request.kind) {
  case Request::Kind::kNondet: {
    const CompiledEdge& edge = code_->edge(state.threads[thread]);
    if (edge.count > 0) {
      const auto first = code_->compiled.choice_values.begin() + edge.first;
      out.insert(out.end(), first, first + edge.count);
      return true;
    }
    const auto width = static_cast<unsigned>(std::popcount(edge.dest_mask));
    return code_->values(width, 0, edge.dest_mask, out);
  }
  case Request::Kind::kLoad:
  case Request::Kind::kReadModifyWrite:
  case Request::Kind::kCompareExchange:
    return read_choices(request,
                        read(state.memory, request.address, request.size),
                        unwritten(state.memory, request.address, request.size),
                        out);
  case Request::Kind::kAllocate: {
    const CompiledEdge& edge = code_->edge(state.threads[thread]);
    const std::uint64_t size = code_->evaluate(edge.a, state.threads[thread], thread);
    const std::optional<std::uint64_t> fresh = code_->fresh_heap_unit(state, thread, size);
    if (fresh)
      out.push_back(*fresh);
    // A freed block that nothing points to cannot be told from a new one; only the others are
    // choices of their own.
    if (code_->options.reuse_freed_blocks)
      for (const MemoryMap::Block& block : code_->freed_blocks(state))
        if (block.size >= size)
          out.push_back(block.unit);
    // Without room it is a bound that ends the run (unit 0), or null.
    if (!fresh || code_->options.malloc_may_fail)
      out.push_back(0);
    return true;
  }
  case Request::Kind::kSynchronize:
  case Request::Kind::kWakeUp:
  case Request::Kind::kReacquire:
  case Request::Kind::kLeaveBarrier:
    code_->sync_choices(state, thread, request, out);
    return true;
  case Request::Kind::kLocal:
  case Request::Kind::kStore:
  case Request::Kind::kLoadExclusive:
  case Request::Kind::kStoreExclusive:
  case Request::Kind::kFence:
  case Request::Kind::kFree:
  case Request::Kind::kAtomicBegin:
  case Request::Kind::kAtomicEnd:
  case Request::Kind::kThreadExit:
  case Request::Kind::kExit:
  case Request::Kind::kFault:
    out.push_back(0);
    return true;
  }
  HEDDLE_CHECK(false, "no such kind of request");
}

bool Interpreter::read_choices(const Request& request,
                               std::uint64_t value,
                               std::uint8_t unwritten,
                               std::vector<std::uint64_t>& out) const {
  const bool may_fail = request.kind == Request::Kind::kCompareExchange &&
                        std::get<CompareExchange>(request.edge->action).weak;
  if (unwritten == 0 || request.keeps_marks) {
    out.push_back(0);
    if (may_fail && value == request.expected)
      out.push_back(kChoiceFails);
    return true;
  }
  const std::size_t first = out.size();
  bool is_complete = code_->values(request.size * 8U, value, bytes_of_marks(unwritten), out);
  if (may_fail) {
    const std::size_t last = out.size();
    if (request.size <= 4) {
      for (std::size_t i = first; i < last; ++i)
        if (out[i] == request.expected)
          out.push_back(out[i] | kChoiceFailsBit);
    } else {
      is_complete = false; // no room beside the value
    }
  }
  return is_complete;
}

Fault Interpreter::check_access(const State& state,
                                ThreadIndex thread,
                                const Request& request) const {
  switch (request.kind) {
  case Request::Kind::kLoad:
  case Request::Kind::kLoadExclusive:
    return code_->access_fault(state, thread, request.address, request.size, false);
  case Request::Kind::kStore:
  case Request::Kind::kReadModifyWrite:
  case Request::Kind::kCompareExchange:
  case Request::Kind::kStoreExclusive:
    return code_->access_fault(state, thread, request.address, request.size, true);
  case Request::Kind::kSynchronize:
    return code_->sync_fault(state, thread, request);
  case Request::Kind::kLocal:
  case Request::Kind::kNondet:
  case Request::Kind::kFence:
  case Request::Kind::kAllocate:
  case Request::Kind::kFree:
  case Request::Kind::kWakeUp:
  case Request::Kind::kReacquire:
  case Request::Kind::kLeaveBarrier:
  case Request::Kind::kAtomicBegin:
  case Request::Kind::kAtomicEnd:
  case Request::Kind::kThreadExit:
  case Request::Kind::kExit:
  case Request::Kind::kFault:
    return {};
  }
  HEDDLE_CHECK(false, "no such kind of request");
}

std::uint64_t
Interpreter::read(const MemoryState& memory, std::uint64_t address, unsigned size) const {
  return code_->memory.read(memory, address, size);
}

void Interpreter::write(MemoryState& memory,
                        std::uint64_t address,
                        unsigned size,
                        std::uint64_t value,
                        std::uint8_t marks) const {
  code_->memory.write(memory, address, size, value, marks);
}

std::uint8_t
Interpreter::unwritten(const MemoryState& memory, std::uint64_t address, unsigned size) const {
  return code_->memory.unwritten(memory, address, size);
}

bool Interpreter::is_unwritten(const MemoryState& memory,
                               std::uint64_t address,
                               unsigned size) const {
  return code_->memory.unwritten(memory, address, size) != 0;
}

std::uint64_t
Interpreter::modify(RmwOp op, std::uint64_t old_value, std::uint64_t operand, unsigned size) {
  const unsigned width = 8 * size;
  const std::uint64_t mask = logic::mask_of(width);
  const std::int64_t a = logic::sign_extended(old_value, width);
  const std::int64_t b = logic::sign_extended(operand, width);
  switch (op) {
  case RmwOp::kExchange:
    return operand & mask;
  case RmwOp::kAdd:
    return (old_value + operand) & mask;
  case RmwOp::kSub:
    return (old_value - operand) & mask;
  case RmwOp::kAnd:
    return old_value & operand & mask;
  case RmwOp::kNand:
    return ~(old_value & operand) & mask;
  case RmwOp::kOr:
    return (old_value | operand) & mask;
  case RmwOp::kXor:
    return (old_value ^ operand) & mask;
  case RmwOp::kMax:
    return (a > b ? old_value : operand) & mask;
  case RmwOp::kMin:
    return (a < b ? old_value : operand) & mask;
  case RmwOp::kUMax:
    return std::max(old_value & mask, operand & mask);
  case RmwOp::kUMin:
    return std::min(old_value & mask, operand & mask);
  }
  HEDDLE_CHECK(false, "no such operation");
}

void Interpreter::complete(State& state,
                           ThreadIndex thread,
                           const Request& request,
                           std::uint64_t value,
                           bool success,
                           std::uint8_t marks) const {
  ThreadState& self = state.threads[thread];
  const CompiledEdge& edge = code_->edge(self);
  if (code_->options.check_analyses && request.size != 0)
    code_->check_touch(state,
                       thread,
                       request.address,
                       edge.may,
                       request.kind != Request::Kind::kLoad,
                       request.is_visible);
  switch (request.kind) {
  case Request::Kind::kCompareExchange:
    if (edge.success != kNoLocal)
      layout::locals(self)[edge.success] = success ? 1 : 0;
    Code::set_local(self, edge, value);
    break;
  case Request::Kind::kLoad:
    if (edge.marks != kNoLocal)
      layout::locals(self)[edge.marks] = marks;
    Code::set_local(self, edge, value);
    break;
  case Request::Kind::kReadModifyWrite:
    Code::set_local(self, edge, value);
    break;
  case Request::Kind::kStore:
  case Request::Kind::kFence:
    break;
  default:
    HEDDLE_CHECK(false, "complete is for memory requests and fences");
  }
  Code::advance(self, edge);
}

std::optional<Interpreter::Range> Interpreter::ends_objects(const State& state,
                                                            ThreadIndex thread) const {
  const ThreadState& self = state.threads[thread];
  if (layout::status(self) != ThreadStatus::kRunning)
    return std::nullopt;
  const CompiledEdge& edge = code_->edge(self);
  const AddressSpace& space = code_->memory.space();
  if (edge.code == OpCode::kReturn) {
    const std::uint32_t units = layout::frame_units(layout::innermost(self));
    if (units == 0)
      return std::nullopt;
    const std::uint64_t end = code_->first_frame_unit(thread) + code_->frame_units_in_use(self);
    return Range{(end - units) << space.unit_shift, end << space.unit_shift};
  }
  if (edge.code == OpCode::kFree) {
    const MemoryTarget target =
        code_->memory.find(state.memory, code_->evaluate(edge.a, self, thread));
    if (target.kind == MemoryTarget::Kind::kBlock && !target.is_freed)
      return Range{target.base, target.base + target.size};
  }
  return std::nullopt;
}

std::optional<std::uint64_t>
Interpreter::never_used_unit(const State& state, ThreadIndex thread, std::uint64_t size) const {
  return code_->never_used_unit(state, thread, size);
}

namespace {

/// Finds out that a thread that takes local steps has come back to where it was (R. Brent, 1980).
class EndlessLoop {
public:
  /// After each step.
  bool is_closed(const State& state, ThreadIndex thread) {
    if (++steps_ < kPatience)
      return false;
    if (steps_ > kPatience && state.threads[thread] == thread_ && state.memory == memory_)
      return true;
    if (steps_ == next_) {
      thread_ = state.threads[thread];
      memory_ = state.memory;
      next_ *= 2;
    }
    return false;
  }

private:
  /// Most local runs are over by then, and need not be watched.
  static constexpr unsigned kPatience = 1000;
  unsigned steps_ = 0;
  unsigned next_ = kPatience; // when the state is taken down
  ThreadState thread_;
  MemoryState memory_;
};

} // namespace

Fault Interpreter::run_local(State& state,
                             ThreadIndex thread,
                             unsigned limit,
                             bool stops_at_frame_end) const {
  if (state.has_ended)
    return {};
  Fault found;
  EndlessLoop loop;
  for (unsigned i = 0; i < limit; ++i) {
    const ThreadState& self = state.threads[thread];
    if (layout::status(self) != ThreadStatus::kRunning)
      return {};
    const CompiledEdge& edge = code_->edge(self);
    if (!code_->is_local(state, thread, edge) ||
        (stops_at_frame_end && edge.code == OpCode::kReturn &&
         layout::frame_units(layout::innermost(self)) != 0))
      break;
    Fault fault = code_->step_local(state, thread, edge);
    if (fault.is_none() && loop.is_closed(state, thread))
      break;
    if (fault.is_none())
      continue;
    if (i == 0 || state.atomic_owner == static_cast<std::int32_t>(thread))
      found = std::move(fault);
    break;
  }
  code_->zero_dead_locals(state.threads[thread]);
  return found;
}

} // namespace heddle::program
