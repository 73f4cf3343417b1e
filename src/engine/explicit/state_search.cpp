// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/state_search.h"

#include "engine/explicit/race_monitor.h"
#include "engine/explicit/robustness_monitor.h"
#include "support/budget_watch.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::engine {
namespace {

/// So many reduced expansions in a row are followed by a full one, so that a thread that can go on
/// for ever does not keep the others from being looked at. Any number is sound.
constexpr std::uint32_t kMaxReducedInARow = 200;
/// How many states mixed search takes from one end before it turns to the other.
constexpr std::uint64_t kExpansionsInTurn = 16;
/// What a crowd has not shown with so many states is left to the search of each thread.
constexpr std::uint64_t kMaxCrowdStates = 100'000;

std::optional<spec::Property> property_of(const spec::Task& task) {
  if (const auto* check = std::get_if<spec::Check>(&task.question))
    return check->property;
  return std::nullopt;
}

std::vector<std::vector<bool>> no_checks(const program::Program& program) {
  std::vector<std::vector<bool>> result;
  for (const program::Procedure& procedure : program.procedures)
    result.emplace_back(procedure.edges.size());
  return result;
}

program::InterpreterOptions interpreter_options(const spec::Task& task,
                                                const ExplicitOptions& options,
                                                std::vector<std::vector<bool>>& evaluated_checks) {
  program::InterpreterOptions result;
  result.evaluated_checks = &evaluated_checks;
  result.malloc_may_fail = task.malloc_may_fail;
  result.reuse_freed_blocks = task.reuse_freed_blocks;
  result.check_analyses = options.check_analyses;
  result.exhaustive_bits = options.nondet_bits.value_or(task.bounds.nondet_bits);
  return result;
}

std::unique_ptr<Monitor> monitor_for(const spec::Task& task,
                                     const ExplicitOptions& options,
                                     const program::Interpreter& interpreter,
                                     bool has_buffers) {
  const auto property = property_of(task);
  // Without buffers every run is one of sequential consistency: nothing to watch.
  if (property == spec::Property::kRobustness && has_buffers)
    return make_robustness_monitor(interpreter);
  if (property == spec::Property::kRace &&
      (options.always_monitor_races || !is_adjacency_enough(*task.program)))
    return make_race_monitor(interpreter);
  return nullptr;
}

} // namespace

Search::Search(const spec::Task& task,
               const Context& context,
               const ExplicitOptions& options,
               Threads threads)
    : task_(task), context_(context), options_(options), property_(property_of(task)),
      max_states_(options.max_states.value_or(task.bounds.max_states)),
      evaluated_checks_(no_checks(*task.program)),
      interpreter_(*task.program, interpreter_options(task, options, evaluated_checks_)),
      machine_(memory::Machine::make(*task.model.machine, interpreter_)),
      monitor_(monitor_for(task, options, interpreter_, machine_->has_buffers())),
      store_({machine_->has_buffers(), monitor_ != nullptr}),
      stepper_(*machine_, store_, monitor_.get()),
      symmetry_(*machine_,
                store_,
                options.symmetry && monitor_ == nullptr && !asks(spec::Property::kLiveness)),
      tests_adjacency_(asks(spec::Property::kRace) && monitor_ == nullptr) {
  if (threads == Threads::kAnyNumber) {
    counter_abstraction_.emplace(store_, symmetry_);
    options_.search = ExplicitOptions::Search::kDepthFirst; // large states first: they cover others
    max_states_ = max_states_ == 0 ? kMaxCrowdStates : std::min(max_states_, kMaxCrowdStates);
    return; // each step is followed: none is put off
  }
  // A monitor tells runs apart that end in the same state: no reduction is claimed for it.
  // Nor for liveness, which looks at every state of a loop.
  // So is none where a local step of one thread may look at the locals of another.
  if (options.reduction && monitor_ == nullptr && !asks(spec::Property::kLiveness) &&
      !interpreter_.looks_at_other_threads()) {
    const bool keeps_final_states =
        !property_ || asks(spec::Property::kMemory) || asks(spec::Property::kCleanup);
    reduction_.emplace(interpreter_, store_, keeps_final_states, tests_adjacency_);
    if (!property_ || asks(spec::Property::kReach) || asks(spec::Property::kOverflow) ||
        asks(spec::Property::kDeadlock))
      stepper_.merge_choices();
  }
  if (const auto* enumerate = std::get_if<spec::Enumerate>(&task.question))
    observed_ = spec::observed_places(*task.program, *enumerate);
}

bool Search::can_count_threads() const {
  if (!symmetry_.is_crowd())
    return false;
  switch (property_.value_or(spec::Property::kLiveness)) {
  case spec::Property::kReach:
  case spec::Property::kOverflow:
    return true;
  case spec::Property::kRace:
    return tests_adjacency_;
  // What is left at the end of a run, or waits, depends on what others do not do.
  case spec::Property::kMemory:
  case spec::Property::kCleanup:
  case spec::Property::kDeadlock:
  case spec::Property::kRobustness:
  case spec::Property::kLiveness:
    return false;
  }
  return false;
}

bool Search::is_over_budget() {
  if (store_.is_nearly_full())
    exhausted_ = Exhausted::kMemory;
  else
    exhausted_ = context_.budget.exhausted(store_.bytes() + stack_.capacity() * sizeof(StateId));
  if (exhausted_)
    stopped_ = true;
  return stopped_;
}

void Search::report_progress() {
  if (!context_.progress)
    return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(250))
    return;
  last_progress_ = now;
  const double seconds = static_cast<double>(std::clock() - started_) / CLOCKS_PER_SEC;
  const auto states = static_cast<double>(store_.size());
  context_.progress({fmt::format("{} states, {} waiting, {:.0f} a second, depth {}, {} MB",
                                 store_.size(),
                                 store_.size() - expanded_,
                                 seconds > 0 ? states / seconds : 0.0,
                                 depth_,
                                 store_.bytes() >> 20U)});
}

void Search::explore() {
  started_ = std::clock();
  last_progress_ = std::chrono::steady_clock::now();
  memory::MachineState initial;
  Fault fault = machine_->initial(initial);
  if (!fault.is_none()) {
    judge_end(kNoState, {Transition{}, std::move(fault)});
    return;
  }
  StateCodec codec(store_);
  codec.encode(initial, tuple_);
  if (monitor_ != nullptr)
    tuple_.monitor() = store_.monitors.intern(monitor_->initial());
  const StateId first = store_.insert(tuple_, store_.hash_of(tuple_), kNoState, 0);
  if (counter_abstraction_)
    counter_abstraction_->add(tuple_);
  oldest_ = level_last_ = newest_ = first;
  goes_deep_ = options_.search == ExplicitOptions::Search::kDepthFirst;
  Pace pace;
  for (StateId id = first; id != kNoState; id = next_to_expand()) {
    if (pace.is_due()) {
      if (is_over_budget())
        return;
      report_progress();
    }
    expand(id);
    ++expanded_;
    if (is_done())
      return;
    if (max_states_ != 0 && store_.size() > max_states_) {
      hit_max_states_ = true;
      return;
    }
  }
}

/// Any order is sound: every state that is found is expanded once, whoever comes to it first. What
/// is found breadth-first is not put on the stack, so that depth-first goes on where it was.
StateId Search::next_to_expand() {
  using enum ExplicitOptions::Search;
  goes_deep_ = options_.search == kDepthFirst ||
               (options_.search == kMixed && store_.size() > options_.breadth_first_states &&
                expanded_ / kExpansionsInTurn % 2 != 0);
  if (goes_deep_)
    if (const StateId id = take_newest(); id != kNoState || options_.search == kDepthFirst)
      return id;
  return take_oldest();
}

StateId Search::take_newest() {
  if (options_.search == ExplicitOptions::Search::kDepthFirst)
    depth_ = std::max<std::uint64_t>(depth_, stack_.size());
  while (!stack_.empty()) {
    const StateId id = stack_.back();
    stack_.pop_back();
    if (!store_.is_expanded(id))
      return id;
  }
  return kNoState;
}

StateId Search::take_oldest() {
  for (StateId id = store_.next(oldest_); id != kNoState; id = store_.next(id)) {
    if (oldest_ == level_last_) {
      ++depth_;
      level_last_ = newest_;
    }
    oldest_ = id;
    if (!store_.is_expanded(id))
      return id;
  }
  return kNoState;
}

bool Search::leads_to_open_state() {
  for (std::size_t i = 0; i < stepper_.successor_count(); ++i) {
    Successor& successor = stepper_.successors()[i];
    symmetry_.canonicalise(successor.tuple);
    const auto found = store_.find(successor.tuple, store_.hash_of(successor.tuple));
    if (!found || !store_.is_expanded(*found))
      return true;
  }
  return false;
}

bool Search::expand_reduced(StateId id) {
  if (!reduction_ || store_.streak(id) >= kMaxReducedInARow)
    return false;
  const std::optional<Reduction::Choice> choice = reduction_->choose(stepper_);
  if (!choice)
    return false;
  const std::uint32_t count = tuple_.thread_count();
  for (ThreadIndex thread = 0; thread < count; ++thread) {
    if ((choice->steps >> thread & 1U) != 0)
      stepper_.add_steps(thread);
    if ((choice->flushes >> thread & 1U) != 0)
      stepper_.add_flushes(thread);
  }
  // The set must not be empty, no run may end in it before the other threads have moved, and
  // something it leads to must still be open, or the others could be put off for ever.
  if (stepper_.ends().empty() && leads_to_open_state())
    return true;
  for (ThreadIndex thread = 0; thread < count; ++thread) {
    if ((choice->steps >> thread & 1U) == 0)
      stepper_.add_steps(thread);
    if ((choice->flushes >> thread & 1U) == 0)
      stepper_.add_flushes(thread);
  }
  return false;
}

void Search::expand(StateId id) {
  store_.read(id, tuple_);
  store_.set_expanded(id);
  if (counter_abstraction_ && counter_abstraction_->is_outdone(tuple_))
    return;
  stepper_.begin(tuple_);
  bool is_reduced = false;
  if (!tuple_.has_ended()) {
    if (reduction_ && tuple_.thread_count() > 1) {
      is_reduced = expand_reduced(id);
      if (!is_reduced && stepper_.successor_count() == 0 && stepper_.ends().empty())
        stepper_.add_all();
    } else {
      stepper_.add_all();
    }
  }
  reduced_ += is_reduced ? 1 : 0;
  transitions_ += stepper_.successor_count() + stepper_.ends().size();
  for (std::size_t i = 0; i < stepper_.hits().size() && !is_done(); ++i)
    judge_hit(id, Stepper::Hit(stepper_.hits()[i]));
  for (std::size_t i = 0; i < stepper_.ends().size() && !is_done(); ++i)
    judge_end(id, Stepper::End(stepper_.ends()[i]));
  if (is_done())
    return;
  if (counter_abstraction_)
    settle_crowd(id);
  else
    settle_successors(id, is_reduced);
  judge_state(id);
}

void Search::settle_successors(StateId id, bool is_reduced) {
  const std::size_t count = stepper_.successor_count();
  for (std::size_t i = 0; i < count; ++i) {
    Successor& successor = stepper_.successors()[i];
    symmetry_.canonicalise(successor.tuple);
    successor.hash = store_.hash_of(successor.tuple);
    store_.prefetch(successor.hash);
  }
  const std::uint32_t streak =
      is_reduced ? std::min(store_.streak(id) + 1, StateStore::kMaxStreak) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Successor& successor = stepper_.successors()[i];
    if (store_.find(successor.tuple, successor.hash))
      continue;
    newest_ = store_.insert(successor.tuple, successor.hash, id, streak);
    if (goes_deep_)
      stack_.push_back(newest_);
  }
}

void Search::settle_crowd(StateId id) {
  counter_abstraction_->begin(tuple_);
  for (std::size_t i = 0; i < stepper_.successor_count(); ++i) {
    Successor& successor = stepper_.successors()[i];
    if (successor.tuple.thread_count() == program::kMaxThreads) {
      is_doubtful_ = true;
      return;
    }
    counter_abstraction_->settle(successor.tuple, successor.transition.thread);
    if (counter_abstraction_->is_covered(successor.tuple))
      continue;
    counter_abstraction_->add(successor.tuple);
    newest_ = store_.insert(successor.tuple, store_.hash_of(successor.tuple), id, 0);
    if (goes_deep_)
      stack_.push_back(newest_);
  }
}

verdict::Verdict Search::run() {
  explore();
  verdict::Verdict verdict;
  verdict.answer = answer();
  verdict.approximations = task_.program->approximations;
  if (!property_)
    add_reasons(verdict.approximations);
  verdict.statistics = statistics();
  verdict.engine = "explicit";
  const bool is_exhaustive = !violation_ && !stopped_ && !hit_max_states_;
  if (is_exhaustive)
    verdict.never_reached = never_reached();
  return verdict;
}

} // namespace heddle::engine
