// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The threads, each by itself, as far as the claim has events for them.
#include "check/execution/execution_replay.h"

#include "ir/handle_marks.h"
#include "memory/event_options.h"
#include "spec/property.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::check {

using execution::Event;
using execution::Step;
using program::Request;
using program::ThreadIndex;

namespace {

/// A thread that does nothing but local steps for so long is taken to be in an endless loop.
constexpr std::uint64_t kMostLocalSteps = 1'000'000;
/// The same where the thread has no events to come, and no fault of it would count.
constexpr std::uint64_t kMostLastSteps = 10'000;

program::InterpreterOptions interpreter_options(const spec::Task& task) {
  program::InterpreterOptions options;
  options.reuse_freed_blocks = task.reuse_freed_blocks;
  options.exhaustive_bits = task.bounds.nondet_bits;
  options.keep_dead_locals = true;
  return options;
}

/// The interpreter knows no exclusive accesses: a load, and an exchange whose success is decided by
/// the claim, have the same operands. Frees become loads, which are passed over (free_block):
/// threads do not run in the order of the execution, and what comes before a free in it may come
/// later here.
program::Program simplified(const program::Program& source) {
  program::Program program = source;
  for (program::Procedure& procedure : program.procedures)
    for (program::Edge& edge : procedure.edges) {
      if (const auto* load = std::get_if<program::LoadExclusive>(&edge.action)) {
        edge.action = program::Load{load->dest, load->address, load->access, {}};
      } else if (const auto* store = std::get_if<program::StoreExclusive>(&edge.action)) {
        const unsigned width = program.terms.sort(store->value).width;
        program::CompareExchange exchange;
        exchange.dest =
            procedure.locals.push_back(program::Local{"", static_cast<std::uint8_t>(width), {}});
        exchange.success = store->success;
        exchange.address = store->address;
        exchange.expected = program.terms.constant(0, width);
        exchange.desired = store->value;
        exchange.access = store->access;
        edge.action = std::move(exchange);
      } else if (const auto* free = std::get_if<program::Free>(&edge.action)) {
        program::Load look;
        look.dest = procedure.locals.push_back(program::Local{"", 8, {}});
        look.address = free->address;
        look.access.size = 1;
        look.access.is_visible = true;
        edge.action = std::move(look);
      }
    }
  return program;
}

Dependencies::Merges merges_of(const spec::Task& task) {
  const Result<program::EventSetOptions> options =
      memory::event_options(*task.model.core, *task.program);
  return options ? options->merges : Dependencies::Merges::kNothing;
}

} // namespace

ExecutionReplay::ExecutionReplay(const spec::Task& task, const execution::Execution& claim)
    : task_(task), claim_(claim), program_(simplified(*task.program)),
      interpreter_(program_, interpreter_options(task)), state_(interpreter_.initial()),
      initial_(state_.memory), made_(claim), is_known_(claim.events.size(), false),
      is_believed_(claim.events.size(), false), is_assembly_(memory::is_assembly(program_)),
      dependencies_(program_, interpreter_, !is_assembly_, merges_of(task)), namer_(interpreter_) {
  for (std::size_t p = 0; p < program_.procedures.size(); ++p)
    for (std::size_t e = 0; e < program_.procedures[program::ProcedureId{p}].edges.size(); ++e) {
      const program::Action& was =
          task.program->procedures[program::ProcedureId{p}].edges[e].action;
      if (std::holds_alternative<program::LoadExclusive>(was) ||
          std::holds_alternative<program::StoreExclusive>(was))
        exclusives_.insert(&program_.procedures[program::ProcedureId{p}].edges[e]);
      if (std::holds_alternative<program::Free>(was))
        free_edges_.insert(&program_.procedures[program::ProcedureId{p}].edges[e]);
    }
  const relation::BitMatrix none(claim.events.size());
  made_.po = none;
  made_.rmw = none;
  made_.synchronises = none;
  made_.addr = none;
  made_.data = none;
  made_.ctrl = none;
  made_.intra_data = none;
  made_.intra_control = none;
  for (EventIndex i = 0; i < claim.events.size(); ++i) {
    made_.events[i].step = kNoStep; // until it is told
    if (claim.events[i].kind != Event::Kind::kInitialWrite) {
      if (claim.events[i].thread >= events_.size())
        events_.resize(claim.events[i].thread + 1U);
      events_[claim.events[i].thread].push_back(i);
    }
    announces_ = announces_ || hidden_number(i).has_value();
  }
  sources_.resize(claim.events.size());
  procedures_.resize(claim.events.size());
  for (const auto& [write, read] : claim.rf.pairs())
    sources_[read].push_back(write);
  threads_[0] = Thread{};
  dependencies_.start(0);
  starts_.push_back({program_.templates.front().entry});
  for (std::size_t i = 0; i < program_.objects.size(); ++i)
    if (const program::Object& object = program_.objects[program::ObjectId{i}];
        object.kind == program::Object::Kind::kGlobal && object.name == ir::kHandleMarks) {
      marks_ = program_.space().base_of(object.unit);
      size_of_marks_ = object.size;
    }
}

Error ExecutionReplay::mismatch(ThreadIndex thread, const std::string& what) const {
  const auto known = threads_.find(thread);
  return Error{ErrorKind::kUnsupported,
               "CHECK-010",
               fmt::format("thread {} of the execution, event {}: {}",
                           known == threads_.end() ? thread : known->second.claimed,
                           known == threads_.end() ? 0 : known->second.next + 1,
                           what)};
}

std::size_t ExecutionReplay::left(ThreadIndex thread) const {
  const Thread& one = threads_.at(thread);
  return one.claimed < events_.size() ? events_[one.claimed].size() - one.next : 0;
}

ExecutionReplay::EventIndex ExecutionReplay::claimed_at(ThreadIndex thread,
                                                        std::size_t later) const {
  const Thread& one = threads_.at(thread);
  return events_[one.claimed][one.next + later];
}

void ExecutionReplay::moved(ThreadIndex thread) {
  dependencies_.arrive(thread, state_);
}

ExecutionReplay::Progress ExecutionReplay::stop(ThreadIndex thread, const program::Fault& fault) {
  threads_.at(thread).has_stopped = true;
  if (fault_.is_none() && left(thread) == 0 &&
      spec::violates(std::get<spec::Check>(task_.question).property, fault.kind)) {
    fault_ = fault;
    faulty_ = thread;
  }
  return Progress::kStopped;
}

/// Beyond the choices of the claim nothing depends on them any more.
std::optional<std::uint64_t> ExecutionReplay::next_choice(ThreadIndex thread) {
  Thread& self = threads_.at(thread);
  if (self.claimed >= claim_.choices.size() ||
      self.next_choice >= claim_.choices[self.claimed].size())
    return std::nullopt;
  return claim_.choices[self.claimed][self.next_choice++];
}

Result<ExecutionReplay::Progress> ExecutionReplay::step_locally(ThreadIndex thread,
                                                                const Request& request) {
  std::uint64_t choice = 0;
  if (request.kind == Request::Kind::kNondet) {
    const std::optional<std::uint64_t> given = next_choice(thread);
    if (!given)
      return stop(thread, {});
    choice = *given;
  } else if (request.kind == Request::Kind::kAllocate) {
    std::vector<std::uint64_t> choices;
    interpreter_.choices(state_, thread, request, choices);
    if (choices.empty())
      return stop(thread, {});
    choice = choices.front();
  } else if ((request.kind == Request::Kind::kLoad ||
              request.kind == Request::Kind::kReadModifyWrite ||
              request.kind == Request::Kind::kCompareExchange) &&
             !request.keeps_marks &&
             interpreter_.is_unwritten(state_.memory, request.address, request.size)) {
    // What was written of it stays.
    const std::uint64_t free_bits = program::bytes_of_marks(
        interpreter_.unwritten(state_.memory, request.address, request.size));
    choice = (interpreter_.read(state_.memory, request.address, request.size) & ~free_bits) |
             (next_choice(thread).value_or(0) & free_bits);
  }
  if (is_assembly_ && request.edge != nullptr) {
    const auto* assume = std::get_if<program::Assume>(&request.edge->action);
    if (assume != nullptr && assume->is_branch) {
      if (left(thread) == 0)
        return stop(thread, {});
      if (Status status = branch(thread, request.edge->loc); !status)
        return status.error();
    } else {
      begin_instruction(thread, request.edge->loc);
    }
  }
  if (request.edge != nullptr)
    if (const auto* const allocate = std::get_if<program::Allocate>(&request.edge->action);
        allocate != nullptr && allocate->where == ir::Allocate::Where::kHeap)
      if (const auto unit = interpreter_.never_used_unit(state_, thread, request.value))
        sizes_of_blocks_[program_.space().base_of(*unit)] = request.value;
  dependencies_.before(thread, state_, request);
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, choice);
      !fault.is_none())
    return stop(thread, fault);
  if (request.kind == Request::Kind::kNondet)
    tell(thread, request, Step::What::kNondet, {});
  moved(thread);
  return Progress::kMoved;
}

Result<ExecutionReplay::Progress> ExecutionReplay::advance(ThreadIndex thread) {
  Thread& self = threads_.at(thread);
  if (self.has_stopped || !state_.threads[thread].is_live())
    return Progress::kStopped;
  if (self.awaits_start) {
    if (left(thread) == 0)
      return stop(thread, {});
    self.awaits_start = false;
    if (Status status = start(thread); !status)
      return status.error();
    return Progress::kMoved;
  }
  Request request = interpreter_.request(state_, thread);
  if (request.kind == Request::Kind::kWakeUp || request.kind == Request::Kind::kReacquire ||
      request.kind == Request::Kind::kLeaveBarrier)
    request.edge = self.operation; // it goes on with it
  if (request.edge != nullptr && std::holds_alternative<program::Fence>(request.edge->action))
    return fence(thread, request);
  if (free_edges_.contains(request.edge))
    return free_block(thread, request);
  switch (request.kind) {
  case Request::Kind::kLoad:
  case Request::Kind::kStore:
  case Request::Kind::kReadModifyWrite:
  case Request::Kind::kCompareExchange:
    if (request.is_visible)
      return access(thread, with_claimed_handle(request));
    if (const program::Fault fault = own_use_after_free(thread, request); !fault.is_none())
      return stop(thread, fault);
    return step_locally(thread, request);
  case Request::Kind::kSynchronize:
    return synchronize(thread, request);
  case Request::Kind::kThreadExit:
  case Request::Kind::kExit:
    // What the thread had in its frames may be used by others before.
    if (!may_end_blocks_ && (left(thread) == 0 || request.kind == Request::Kind::kThreadExit))
      return Progress::kWaits;
    may_end_blocks_ = false;
    return end(thread, request);
  case Request::Kind::kLocal:
    if (request.is_visible && !may_end_blocks_)
      return Progress::kWaits;
    may_end_blocks_ = may_end_blocks_ && !request.is_visible;
    return step_locally(thread, request);
  case Request::Kind::kNondet:
  case Request::Kind::kAllocate:
  case Request::Kind::kFault:
    return step_locally(thread, request);
  case Request::Kind::kWakeUp:
    return wake_up(thread, request);
  case Request::Kind::kReacquire:
    return left(thread) == 0 ? stop(thread, {}) : lock(thread, request);
  case Request::Kind::kLeaveBarrier:
    return left(thread) == 0 ? stop(thread, {}) : leave_barrier(thread, request);
  case Request::Kind::kFence:
  case Request::Kind::kLoadExclusive:
  case Request::Kind::kStoreExclusive:
  case Request::Kind::kFree:
  case Request::Kind::kAtomicBegin:
  case Request::Kind::kAtomicEnd:
    break;
  }
  return mismatch(thread, "a step that has no events");
}

program::ProcedureId ExecutionReplay::procedure_of(ThreadIndex thread) const {
  if (thread >= state_.threads.size() || state_.threads[thread].frame_count() == 0)
    return {};
  return state_.threads[thread].procedure(0);
}

std::optional<std::uint64_t> ExecutionReplay::block_at(std::uint64_t address) const {
  const std::optional<program::Interpreter::Place> place =
      interpreter_.place(state_.memory, address);
  if (!place || !place->object.is_valid() ||
      program_.objects[place->object].kind != program::Object::Kind::kHeapSite)
    return std::nullopt;
  return address - place->offset;
}

std::string ExecutionReplay::name(std::uint64_t address) const {
  return namer_.name(state_.memory, address, 1);
}

ExecutionReplay::Progress ExecutionReplay::free_block(ThreadIndex thread, const Request& request) {
  const Thread& self = threads_.at(thread);
  if (request.address != 0) {
    Request shown = request;
    shown.kind = Request::Kind::kFree;
    tell(thread, shown, Step::What::kFree, {});
    const Origins origins =
        dependencies_.of(thread, std::get<program::Load>(request.edge->action).address);
    frees_.push_back({self.claimed,
                      self.next,
                      request.address,
                      block_at(request.address) == request.address,
                      origins.from,
                      together(origins.chosen, dependencies_.control(thread)),
                      request.edge->loc,
                      procedure_of(thread)});
  }
  interpreter_.complete(state_, thread, request, 0, false);
  moved(thread);
  return Progress::kMoved;
}

/// Of memory that only this thread touches, which has no events.
program::Fault ExecutionReplay::own_use_after_free(ThreadIndex thread,
                                                   const Request& request) const {
  const std::optional<std::uint64_t> block = block_at(request.address);
  const std::uint32_t claimed = threads_.at(thread).claimed;
  const bool is_freed = block && std::any_of(frees_.begin(), frees_.end(), [&](const Freed& one) {
                          return one.thread == claimed && one.address == *block;
                        });
  if (!is_freed)
    return {};
  program::Fault fault;
  fault.kind = program::FaultKind::kUseAfterFree;
  fault.what = name(request.address);
  fault.procedure = procedure_of(thread);
  fault.loc = request.edge->loc;
  return fault;
}

Status ExecutionReplay::run() {
  std::uint64_t local_steps = 0;
  const spec::Property property = std::get<spec::Check>(task_.question).property;
  const bool looks_for_fault = property == spec::Property::kReach ||
                               property == spec::Property::kOverflow ||
                               property == spec::Property::kMemory;
  for (;;) {
    bool moves = false;
    std::vector<ThreadIndex> all;
    for (const auto& [thread, known] : threads_)
      all.push_back(thread);
    for (const ThreadIndex thread : all)
      for (;;) {
        const std::size_t before = left(thread);
        Result<Progress> progress = advance(thread);
        if (!progress)
          return progress.error();
        if (*progress != Progress::kMoved)
          break;
        moves = true;
        local_steps = left(thread) == before ? local_steps + 1 : 0;
        if (local_steps >
            (left(thread) != 0 || looks_for_fault ? kMostLocalSteps : kMostLastSteps)) {
          if (left(thread) != 0)
            return mismatch(thread, "it does not come to its next event");
          stop(thread, {}); // it goes around for ever, and nobody sees it
          break;
        }
      }
    if (moves) {
      may_end_blocks_ = false;
      may_believe_ = false;
    } else if (!may_end_blocks_ && !may_believe_) {
      may_end_blocks_ = true;
    } else if (!may_believe_) {
      may_end_blocks_ = false;
      may_believe_ = true;
    } else {
      break;
    }
  }
  if (Status status = take_unborn(); !status)
    return status;
  if (!announces_)
    take_last_fences();
  if (Status status = check_end(); !status)
    return status;
  complete_relations();
  return Done{};
}

/// Where create and join have no events, the claim may have a thread go on to fences after a join
/// that still waits. They are the end of the thread: an execution without them is allowed if it is
/// with them.
void ExecutionReplay::take_last_fences() {
  for (auto& [thread, known] : threads_) {
    bool are_fences = true;
    for (std::size_t later = 0; later < left(thread); ++later)
      are_fences =
          are_fences && claim_.events[claimed_at(thread, later)].kind == Event::Kind::kFence;
    for (; are_fences && left(thread) != 0; ++known.next)
      is_known_[claimed_at(thread, 0)] = true;
  }
}

/// A thread that is never created may have looked whether it is.
Status ExecutionReplay::take_unborn() {
  for (std::uint32_t claimed = 0; claimed < events_.size(); ++claimed) {
    const bool is_born = std::any_of(threads_.begin(), threads_.end(), [&](const auto& one) {
      return one.second.claimed == claimed;
    });
    if (is_born || events_[claimed].size() != 1 ||
        claim_.events[events_[claimed].front()].value != 0)
      continue;
    const ThreadIndex stand_in = program::kMaxThreads + claimed;
    threads_[stand_in].claimed = claimed;
    dependencies_.start(stand_in);
    if (Status status = hidden(stand_in,
                               program::start_number(claimed),
                               false,
                               claim_.events[events_[claimed].front()].size,
                               0,
                               {});
        !status)
      return status;
  }
  return Done{};
}

std::vector<std::string> ExecutionReplay::thread_names() const {
  return check::thread_names(program_, starts_).slots;
}

} // namespace heddle::check
