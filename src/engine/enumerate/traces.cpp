// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/traces.h"

#include "engine/enumerate/candidate_values.h"
#include "engine/enumerate/thread_evaluator.h"
#include "support/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::engine::enumerate {

namespace {

using program::EventIndex;
using program::EventSet;
using program::StaticEdge;
using program::StaticEvent;
using Kind = StaticEvent::Kind;

Error too_large(const std::string& what) {
  return Error{ErrorKind::kUnsupported, "ENU-001", what};
}

class ThreadRuns {
public:
  ThreadRuns(const EventSet& set,
             std::uint32_t thread,
             const ValueSources& sources,
             const TraceOptions& options,
             const Budget& budget,
             ThreadEvaluator& evaluator,
             Traces& traces)
      : set_(set), number_(thread), thread_(set.threads[thread]), sources_(sources),
        options_(options), budget_(budget), traces_(traces), evaluator_(evaluator) {}

  /// All runs, given what places may hold. What they write is confirmed.
  Result<ThreadTraces> run(CandidateValues& candidates, std::uint64_t already) {
    result_ = {};
    by_hash_.clear();
    candidates_ = &candidates;
    runs_ = already;
    error_.reset();
    events_.clear();
    failed_ = 0;
    evaluator_.reset();
    step(thread_.first);
    if (error_)
      return *error_;
    if (set_.may_be_missing(number_))
      add_missing();
    return std::move(result_);
  }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

private:
  void step(EventIndex at) {
    const std::size_t mark = events_.size();
    const std::uint32_t failed = failed_;
    for (; at < thread_.last && !error_; ++at) {
      evaluator_.run(at);
      const StaticEvent& event = set_.events[at];
      if (evaluator_.value(event.guard) == 0)
        continue;
      switch (event.kind) {
      case Kind::kRead: {
        const std::uint64_t address = evaluator_.value(event.address);
        if (!is_place(address, event)) {
          back(mark, failed);
          return;
        }
        events_.push_back({at, address, 0});
        read(at, address);
        back(mark, failed);
        return;
      }
      case Kind::kChoice: {
        error_ = check_choice(set_, at, options_.choice_bits);
        if (error_)
          return;
        for (std::uint64_t value = 0; value < (1ULL << event.width); ++value) {
          evaluator_.set_variable(at, value);
          step(at + 1);
        }
        back(mark, failed);
        return;
      }
      case Kind::kWrite: {
        const std::uint64_t address = evaluator_.value(event.address);
        if (!is_place(address, event)) {
          back(mark, failed);
          return;
        }
        events_.push_back({at, address, evaluator_.value(event.value)});
        candidates_->confirm(address, events_.back().value, number_);
        break;
      }
      case Kind::kFence:
      case Kind::kBranch:
      case Kind::kRegisterRead:
      case Kind::kRegisterWrite:
        events_.push_back({at, event.address.is_valid() ? evaluator_.value(event.address) : 0, 0});
        break;
      case Kind::kFound:
        break;
      case Kind::kFree:
      case Kind::kEndpoint:
        break; // made for solvers only
      case Kind::kAssume:
        if (evaluator_.value(event.value) == 0) {
          back(mark, failed);
          return;
        }
        break;
      case Kind::kCheck:
        if (evaluator_.value(event.value) == 0 && failed_ == 0)
          failed_ = at + 1;
        break;
      case Kind::kCut:
        traces_.cuts.insert(event.text);
        back(mark, failed);
        return;
      case Kind::kTrap:
        // Nothing after a failed assertion matters.
        if (failed_ != 0) {
          finish();
          back(mark, failed);
          return;
        }
        traces_.traps.insert(fmt::format("{}: {}", set_.program->place(event.loc), event.text));
        back(mark, failed);
        return;
      }
    }
    if (!error_)
      finish();
    back(mark, failed);
  }

  void back(std::size_t mark, std::uint32_t failed) {
    events_.resize(mark);
    failed_ = failed;
  }

  /// Goes on with every value the read may return.
  void read(EventIndex at, std::uint64_t address) {
    const std::size_t position = events_.size() - 1;
    const std::optional<Own> own = own_write(position);
    const std::vector<Candidate>& known = candidates_->find(address)->values;
    for (const Candidate& one : known) {
      if (!one.is_for(sources_.read_number[at]) || (own && !can_see(one, *own)))
        continue;
      evaluator_.set_variable(at, one.value);
      events_[position].value = one.value;
      step(at + 1);
      events_.resize(position + 1);
    }
  }

  /// The last value the thread itself has written to the place of a read; none if it has not.
  using Own = std::optional<std::uint64_t>;
  /// Nothing if it is not known what the thread itself makes of that.
  [[nodiscard]] std::optional<Own> own_write(std::size_t read) const {
    if (!options_.is_coherent)
      return std::nullopt;
    for (std::size_t i = read; i-- > 0;) {
      if (events_[i].address != events_[read].address ||
          set_.events[events_[i].event].kind != Kind::kWrite)
        continue;
      // Within an instruction program order need not be that of the list.
      if (set_.events[events_[i].event].instruction == set_.events[events_[read].event].instruction)
        return std::nullopt;
      return Own(events_[i].value);
    }
    return Own();
  }

  /// By coherence: a read sees the last write of its own thread, or the first value if there is
  /// none, or what another thread writes.
  [[nodiscard]] bool can_see(const Candidate& candidate, const Own& own) const {
    return candidate.is_from_other(number_) ||
           (own ? *own == candidate.value : candidate.is_initial);
  }

  bool is_place(std::uint64_t address, const StaticEvent& event) {
    if (candidates_->meet(set_, address, event.size) != nullptr)
      return true;
    traces_.traps.insert(fmt::format("{}: an access to an address at which nothing is",
                                     set_.program->place(event.loc)));
    return false;
  }

  void finish() {
    if (++runs_ > options_.most_traces) {
      error_ = too_large(fmt::format("more than {} runs of single threads; use a smaller bound",
                                     options_.most_traces));
      return;
    }
    if ((runs_ & 0xfffU) == 0 && budget_.exhausted(0)) {
      error_ = too_large("the budget is used up");
      return;
    }
    evaluator_.run_rest();
    Shape shape;
    shape.events = events_;
    if (!options_.splits_by_value)
      for (TraceEvent& one : shape.events)
        one.value = 0;
    for (const logic::Term guard : evaluator_.conditions())
      shape.edges.push_back(evaluator_.value(guard) != 0);
    Trace trace;
    trace.shape = shape_index(std::move(shape));
    for (const TraceEvent& one : events_)
      trace.values.push_back(one.value);
    for (const program::PrivateFinal& final : thread_.finals)
      trace.finals.push_back(evaluator_.value(final.value));
    trace.failed_check = failed_;
    result_.traces.push_back(std::move(trace));
  }

  /// Nobody creates the thread. (One that was created has events: it reads that it was.)
  void add_missing() {
    ++runs_;
    Shape shape;
    shape.edges.assign(evaluator_.conditions().size(), false);
    Trace trace;
    trace.shape = shape_index(std::move(shape));
    for (const program::PrivateFinal& final : thread_.finals)
      trace.finals.push_back(program::initial_bytes(set_, final.address, final.size).value_or(0));
    result_.traces.push_back(std::move(trace));
  }

  std::size_t shape_index(Shape shape) {
    std::uint64_t hash = 0;
    for (const TraceEvent& one : shape.events)
      hash = hash_combine(hash_combine(hash_combine(hash, one.event), one.address), one.value);
    for (const bool edge : shape.edges)
      hash = hash_combine(hash, edge ? 2 : 1);
    auto& candidates = by_hash_[hash];
    for (const std::size_t index : candidates)
      if (result_.shapes[index].events == shape.events &&
          result_.shapes[index].edges == shape.edges)
        return index;
    candidates.push_back(result_.shapes.size());
    result_.shapes.push_back(std::move(shape));
    return result_.shapes.size() - 1;
  }

  const EventSet& set_;
  std::uint32_t number_;
  const program::StaticThread& thread_;
  const ValueSources& sources_;
  const TraceOptions& options_;
  const Budget& budget_;
  Traces& traces_;
  ThreadEvaluator& evaluator_;
  CandidateValues* candidates_ = nullptr;
  std::uint64_t runs_ = 0;
  std::vector<TraceEvent> events_;
  std::uint32_t failed_ = 0;
  ThreadTraces result_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_hash_;
  std::optional<Error> error_;
};

/// Pieces that overlap without being the same: an access that is not aligned to its pieces.
std::optional<Error> check_alignment(const EventSet& set, const Traces& traces) {
  std::map<std::uint64_t, std::uint8_t> pieces;
  for (const ThreadTraces& thread : traces.threads)
    for (const Shape& shape : thread.shapes)
      for (const TraceEvent& one : shape.events)
        if (set.is_memory(one.event))
          pieces[one.address] = std::max(pieces[one.address], set.events[one.event].size);
  std::uint64_t end = 0;
  for (const auto& [address, size] : pieces) {
    if (address < end)
      return too_large("accesses overlap without being aligned to one another");
    end = address + size;
  }
  return std::nullopt;
}

} // namespace

Result<Traces> find_traces(const EventSet& set, const TraceOptions& options, const Budget& budget) {
  Traces traces;
  ValueSources sources = find_value_sources(set);
  if (sources.reads > kMostReads)
    return too_large(fmt::format("more than {} reads; use a smaller bound", kMostReads));
  std::vector<ThreadEvaluator> evaluators;
  evaluators.reserve(set.threads.size());
  for (std::uint32_t i = 0; i < set.threads.size(); ++i)
    evaluators.emplace_back(set, i);
  Result<CandidateValues> candidates = find_candidate_values(
      set, sources, evaluators, {options.choice_bits, options.is_grounded}, budget);
  if (!candidates)
    return candidates.error();
  // What no run writes is read by none: runs without it, until that is so. (A run that does not
  // come to its end has written, too: what others then do is not lost without a word.)
  do {
    traces.threads.clear();
    traces.cuts.clear();
    traces.traps.clear();
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < set.threads.size(); ++i) {
      ThreadRuns runs(set, i, sources, options, budget, evaluators[i], traces);
      Result<ThreadTraces> found = runs.run(*candidates, count);
      if (!found)
        return found.error();
      count = runs.runs();
      traces.threads.push_back(std::move(*found));
    }
  } while (candidates->forget_unconfirmed());
  traces.sources = std::move(sources.of_write);
  if (std::optional<Error> error = check_alignment(set, traces))
    return *error;
  return traces;
}

} // namespace heddle::engine::enumerate
