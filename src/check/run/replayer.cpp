// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/replayer.h"

#include "check/run/assigned_variables.h"
#include "check/run/namer.h"
#include "program/model/sync_kinds.h"
#include "support/check.h"

#include <algorithm>

namespace heddle::check {

namespace {

using execution::Step;
using execution::Transition;
using program::Request;
using program::ThreadIndex;

program::InterpreterOptions interpreter_options(const spec::Task& task) {
  program::InterpreterOptions options;
  options.malloc_may_fail = task.malloc_may_fail;
  options.reuse_freed_blocks = task.reuse_freed_blocks;
  options.exhaustive_bits = task.bounds.nondet_bits;
  return options;
}

Step::What what_of(const Request& request, bool wrote) {
  using Kind = Request::Kind;
  switch (request.kind) {
  case Kind::kLocal:
  case Kind::kFault:
    return Step::What::kLocal;
  case Kind::kNondet:
    return Step::What::kNondet;
  case Kind::kLoad:
  case Kind::kLoadExclusive:
    return Step::What::kRead;
  case Kind::kStore:
    return Step::What::kWrite;
  case Kind::kReadModifyWrite:
    return Step::What::kReadModifyWrite;
  case Kind::kCompareExchange:
    return wrote ? Step::What::kReadModifyWrite : Step::What::kFailedCompareExchange;
  case Kind::kStoreExclusive:
    return wrote ? Step::What::kWrite : Step::What::kLocal;
  case Kind::kFence:
    return Step::What::kFence;
  case Kind::kAllocate:
    return Step::What::kAllocate;
  case Kind::kFree:
    return Step::What::kFree;
  case Kind::kSynchronize:
    return Step::What::kSynchronize;
  case Kind::kWakeUp:
    return Step::What::kWakeUp;
  case Kind::kReacquire:
    return Step::What::kReacquire;
  case Kind::kLeaveBarrier:
    return Step::What::kLeaveBarrier;
  case Kind::kAtomicBegin:
    return Step::What::kAtomicBegin;
  case Kind::kAtomicEnd:
    return Step::What::kAtomicEnd;
  case Kind::kThreadExit:
    return Step::What::kThreadExit;
  case Kind::kExit:
    return Step::What::kExit;
  }
  HEDDLE_CHECK(false, "no such request");
  return Step::What::kLocal;
}

bool is_memory(Request::Kind kind) {
  using Kind = Request::Kind;
  return kind == Kind::kLoad || kind == Kind::kStore || kind == Kind::kReadModifyWrite ||
         kind == Kind::kCompareExchange || kind == Kind::kLoadExclusive ||
         kind == Kind::kStoreExclusive;
}
bool is_reading(Request::Kind kind) {
  using Kind = Request::Kind;
  return is_memory(kind) && kind != Kind::kStore && kind != Kind::kStoreExclusive;
}

const program::Access* access_of(const Request& request) {
  if (request.edge == nullptr)
    return nullptr;
  const program::Action& action = request.edge->action;
  if (const auto* load = std::get_if<program::Load>(&action))
    return &load->access;
  if (const auto* store = std::get_if<program::Store>(&action))
    return &store->access;
  if (const auto* exclusive = std::get_if<program::LoadExclusive>(&action))
    return &exclusive->access;
  if (const auto* conditional = std::get_if<program::StoreExclusive>(&action))
    return &conditional->access;
  if (const auto* modify = std::get_if<program::ReadModifyWrite>(&action))
    return &modify->access;
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    return &exchange->access;
  return nullptr;
}

/// Is the operand of the synchronisation an object in memory, rather than a thread?
bool names_object(const Request& request) {
  const auto* synchronize =
      request.edge == nullptr ? nullptr : std::get_if<program::Synchronize>(&request.edge->action);
  return synchronize != nullptr && !is_thread_operation(synchronize->op);
}

/// The variable the visible action itself fills with the value read or chosen.
std::optional<program::LocalId> filled_local(const Request& request) {
  if (request.edge == nullptr)
    return std::nullopt;
  const program::Action& action = request.edge->action;
  if (const auto* load = std::get_if<program::Load>(&action))
    return load->dest;
  if (const auto* exclusive = std::get_if<program::LoadExclusive>(&action))
    return exclusive->dest;
  if (const auto* modify = std::get_if<program::ReadModifyWrite>(&action))
    return modify->dest;
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    return exchange->dest;
  if (const auto* nondet = std::get_if<program::Nondet>(&action))
    return nondet->dest;
  return std::nullopt;
}

/// The thread whose value a join took: it had ended, and is gone.
std::optional<ThreadIndex> joined_by(const Request& request,
                                     const memory::MachineState& before,
                                     const memory::MachineState& after) {
  const auto* synchronize = request.kind == Request::Kind::kSynchronize && request.edge != nullptr
                                ? std::get_if<program::Synchronize>(&request.edge->action)
                                : nullptr;
  if (synchronize == nullptr || synchronize->op != program::SyncOp::kJoin)
    return std::nullopt;
  using program::ThreadStatus;
  for (ThreadIndex other = 0; other < before.core.threads.size(); ++other)
    if (before.core.threads[other].status() == ThreadStatus::kEnded &&
        (other >= after.core.threads.size() ||
         after.core.threads[other].status() != ThreadStatus::kEnded))
      return other;
  return std::nullopt;
}

/// A byte of new memory that nobody has written yet has no source, whoever wrote to that address
/// before.
void forget_unwritten(const program::Interpreter& interpreter,
                      const program::MemoryState& memory,
                      const Request& request,
                      Sources& sources) {
  if (sources.from_own_buffer || !interpreter.is_unwritten(memory, request.address, request.size))
    return;
  for (std::uint32_t i = 0; i < request.size; ++i)
    if (interpreter.is_unwritten(memory, request.address + i, 1))
      sources.bytes[i].reset();
}

std::vector<execution::Frame> stack_of(const program::Program& program,
                                       const program::ThreadState& thread,
                                       const Request& request) {
  std::vector<execution::Frame> frames;
  for (const auto& [procedure, at] : thread.frames()) {
    const program::Location& location = program.procedures[procedure].locations[at];
    SourceLoc loc = location.loc;
    if (frames.empty() && request.edge != nullptr)
      loc = request.edge->loc;
    else if (!location.out.empty()) // a caller stands at its call
      loc = program.procedures[procedure].edges[location.out.front()].loc;
    frames.push_back({procedure, loc});
  }
  return frames;
}

} // namespace

Ground::Ground(const spec::Task& task)
    : interpreter_(*task.program, interpreter_options(task)),
      machine_(memory::Machine::make(*task.model.machine, interpreter_)) {}

Replayer::Replayer(const Ground& ground, Detail detail, spec::Property property)
    : ground_(ground), detail_(detail), follows_races_(property == spec::Property::kRace),
      happens_before_(ground.interpreter()), namer_(ground.interpreter()) {
  run_.fault = ground.machine().initial(state_);
  const program::Program& program = ground.program();
  starts_.push_back({program.templates.front().entry});
}

bool Replayer::can_take(const Transition& transition) const {
  return run_.fault.is_none() && !state_.core.has_ended &&
         transition.thread < state_.core.threads.size() &&
         ground_.machine().is_enabled(state_, transition);
}

std::optional<std::size_t> Replayer::pending_index(ThreadIndex thread, std::uint32_t step) const {
  const std::vector<Provenance::Pending>& pending = provenance_.pending(thread);
  const auto found =
      std::ranges::find_if(pending, [step](const auto& store) { return store.step == step; });
  if (found == pending.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - pending.begin());
}

void Replayer::take(const Transition& transition) {
  HEDDLE_CHECK(run_.fault.is_none(), "a run goes on after its end");
  const memory::MachineState before = state_;
  Request request;
  if (transition.kind == Transition::Kind::kStep)
    request = ground_.interpreter().request(before.core, transition.thread);
  held_at_.push_back(held_.of(transition.thread));
  memory::StepDetail detail;
  run_.fault = ground_.machine().apply(state_, transition, &detail);

  Step step;
  step.transition = transition;
  describe(step, request, before, detail);
  run_.steps.push_back(std::move(step));
}

void Replayer::describe(Step& step,
                        const Request& request,
                        const memory::MachineState& before,
                        const memory::StepDetail& detail) {
  const auto index = static_cast<std::uint32_t>(run_.steps.size());
  const ThreadIndex thread = step.transition.thread;
  Sources sources;
  bool reads = false;
  if (step.transition.kind == Transition::Kind::kFlush) {
    step.what = Step::What::kFlush;
    const memory::PendingStore& store = before.buffers[thread].stores[step.transition.choice];
    step.address = store.address;
    step.size = static_cast<std::uint8_t>(store.size);
    step.value_written = store.value;
    step.flushes = provenance_.flush(thread, step.transition.choice).step;
    step.loc = run_.steps[*step.flushes].loc;
  } else {
    step.what = what_of(request, detail.wrote);
    step.edge = request.edge;
    step.loc = request.edge != nullptr ? request.edge->loc : SourceLoc{};
    step.address = request.address;
    step.size = request.size;
    const program::Access* access = access_of(request);
    step.is_atomic = access != nullptr && access->kind == program::AccessKind::kAtomic;
    // An access that is itself a fault did not take place. One that was followed by a failing check
    // did.
    const bool took_place = run_.fault.is_none() || !(state_.core.threads == before.core.threads);
    if (is_memory(request.kind) && !took_place)
      step.what = Step::What::kLocal;
    if (is_memory(request.kind) && took_place) {
      reads = is_reading(request.kind);
      if (reads) {
        sources = provenance_.read(thread, request.address, request.size);
        forget_unwritten(ground_.interpreter(), before.core.memory, request, sources);
        step.value_read = detail.value_read;
        step.reads_from = sources.newest();
        step.from_own_buffer = sources.from_own_buffer;
      }
      if (detail.wrote) {
        step.value_written = detail.value_written;
        follow_stores(step, before);
      }
    }
    if (request.kind == Request::Kind::kNondet)
      step.value_read = step.transition.choice;
    if (request.kind == Request::Kind::kAllocate && step.transition.choice != 0) {
      // The choice is the unit the block starts in; 0 is null.
      step.address = ground_.program().space().base_of(step.transition.choice);
      provenance_.forget(step.address, request.value);
      is_reused_ = namer_.add_block(step.address);
    }
  }
  note_threads(step, before);
  joined_at_.push_back(joined_by(request, before, state_));

  const Observed observed{index,
                          step.transition,
                          request,
                          before,
                          state_,
                          sources,
                          reads,
                          step.transition.kind == Transition::Kind::kStep && detail.wrote,
                          step.created,
                          joined_at_.back()};
  if (const std::optional<LockTouched> lock = lock_of(request)) {
    held_.update(thread, *lock, hold_of(ground_.interpreter(), state_.core.memory, *lock, thread));
  }
  if (follows_races_)
    happens_before_.observe(observed);
  for (const Provenance::Pending& store : provenance_.pending(thread))
    step.buffer.push_back(store.step);
  sources_.push_back(std::move(sources));

  if (detail_ == Detail::kReport) {
    if (step.transition.kind == Transition::Kind::kStep) {
      const bool has_moved = run_.fault.is_none() || !(state_.core.threads == before.core.threads);
      step.stack = stack_of(ground_.program(), before.core.threads[thread], request);
      if (step.loc == SourceLoc{} && !step.stack.empty())
        step.loc = step.stack.front().loc;
      program::State moved = before.core;
      bool is_moved = has_moved;
      if (!has_moved)
        step.assigned.clear();
      else if (is_memory(request.kind) || request.kind == Request::Kind::kFence)
        ground_.interpreter().complete(moved, thread, request, step.value_read, detail.wrote);
      else if (request.kind != Request::Kind::kLocal)
        is_moved =
            ground_.interpreter().execute(moved, thread, request, step.transition.choice).is_none();
      const std::optional<program::LocalId> filled = filled_local(request);
      if (filled && has_moved && !before.core.threads[thread].words.empty()) {
        const program::Procedure& procedure =
            ground_.program().procedures[before.core.threads[thread].procedure(0)];
        const program::Local& local = procedure.locals[*filled];
        if (!local.name.empty())
          step.assigned.push_back({local.name, step.value_read, local.width, step.loc});
      }
      if (is_moved) {
        for (Step::Assigned& assigned : assigned_by_local_run(ground_.interpreter(),
                                                              std::move(moved),
                                                              thread,
                                                              memory::Machine::kLocalStepLimit)) {
          std::erase_if(step.assigned,
                        [&](const Step::Assigned& other) { return other.name == assigned.name; });
          step.assigned.push_back(std::move(assigned));
        }
      }
    }
    add_text(step, request, before);
  }
}

void Replayer::follow_stores(Step& step, const memory::MachineState& before) {
  const auto index = static_cast<std::uint32_t>(run_.steps.size());
  const ThreadIndex thread = step.transition.thread;
  const bool is_delayed =
      thread < state_.buffers.size() &&
      state_.buffers[thread].stores.size() >
          (thread < before.buffers.size() ? before.buffers[thread].stores.size() : 0);
  if (is_delayed)
    provenance_.delay(thread, {index, step.address, step.size});
  else
    provenance_.write(index, step.address, step.size);
}

void Replayer::note_threads(Step& step, const memory::MachineState& before) {
  const auto& threads = state_.core.threads;
  for (ThreadIndex thread = 0; thread < threads.size(); ++thread) {
    const bool was_live =
        thread < before.core.threads.size() && before.core.threads[thread].is_live();
    const bool is_new = thread >= before.core.threads.size();
    if (was_live || (!is_new && !threads[thread].is_live()))
      continue;
    step.created = thread;
    if (thread >= starts_.size())
      starts_.resize(thread + 1);
    program::ProcedureId start;
    const unsigned frames = threads[thread].frame_count();
    if (frames > 0)
      start = threads[thread].procedure(frames - 1);
    else if (const auto* create = step.edge == nullptr
                                      ? nullptr
                                      : std::get_if<program::Synchronize>(&step.edge->action);
             create != nullptr && create->targets.size() == 1)
      start = create->targets.front();
    starts_[thread].push_back(start);
  }
}

void Replayer::add_text(const Step& step,
                        const Request& request,
                        const memory::MachineState& before) {
  // Names are those of the moment before: what is freed now still has its name.
  const program::MemoryState& memory = before.core.memory;
  verdict::StepText text;
  const bool is_flush = step.what == Step::What::kFlush;
  if (!is_flush)
    text.operation = operation_of(request);
  if (step.what == Step::What::kAllocate && is_reused_)
    text.operation = "reuse";
  if (is_flush || (is_memory(request.kind) && step.what != Step::What::kLocal) ||
      request.kind == Request::Kind::kFree || request.kind == Request::Kind::kReacquire ||
      request.kind == Request::Kind::kLeaveBarrier ||
      (request.kind == Request::Kind::kAllocate && step.address != 0) ||
      (request.kind == Request::Kind::kSynchronize && names_object(request)))
    text.target =
        namer_.name(request.kind == Request::Kind::kAllocate ? state_.core.memory : memory,
                    step.address,
                    is_flush || is_memory(request.kind) ? step.size : 1);
  for (const std::optional<ThreadIndex>& thread : {step.created, joined_at_.back()})
    if (thread)
      named_.push_back({texts_.size(), *thread, starts_[*thread].size() - 1});
  if (!is_flush && is_reading(request.kind) && step.what != Step::What::kLocal)
    text.value_read = namer_.value(memory, step.value_read, step.size, step.address);
  if (request.kind == Request::Kind::kNondet && !is_flush)
    text.value_read = namer_.value(memory, step.value_read, 4, 0);
  if (is_flush || step.what == Step::What::kWrite || step.what == Step::What::kReadModifyWrite)
    text.value_written =
        namer_.value(state_.core.memory, step.value_written, step.size, step.address);
  for (const Step::Assigned& assigned : step.assigned)
    text.assigned.push_back(
        assigned.name + " = " +
        namer_.value(state_.core.memory, assigned.value, (assigned.width + 7U) / 8, 0));
  for (const std::uint32_t pending : step.buffer) {
    if (pending == run_.steps.size())
      text.buffer.push_back(text.target + " = " + text.value_written);
    else
      text.buffer.push_back(texts_[pending].target + " = " + texts_[pending].value_written);
  }
  texts_.push_back(std::move(text));
}

std::vector<std::string> Replayer::thread_names() const {
  return check::thread_names(ground_.program(), starts_).slots;
}

std::vector<verdict::StepText> Replayer::texts() const {
  std::vector<verdict::StepText> texts = texts_;
  const ThreadNames names = check::thread_names(ground_.program(), starts_);
  for (const NamedThread& named : named_)
    texts[named.step].target = names.each[named.slot][named.number];
  return texts;
}

} // namespace heddle::check
