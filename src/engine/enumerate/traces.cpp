// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/traces.h"

#include "engine/enumerate/tape.h"
#include "support/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <optional>

namespace heddle::engine::enumerate {

namespace {

using program::EventIndex;
using program::EventSet;
using program::StaticEdge;
using program::StaticEvent;
using Kind = StaticEvent::Kind;

/// Reads a value was computed from, by number among all reads.
constexpr std::size_t kMostReads = 256;
using Support = std::bitset<kMostReads>;

/// A value a place may hold, and one way to come by it.
struct Explained {
  std::uint64_t value = 0;
  Support support = {};
  bool operator==(const Explained&) const = default;
};

bool is_subset(const Support& a, const Support& b) {
  return (a & ~b).none();
}

/// What each place may hold. Of several ways to come by a value only those are kept that no other
/// way does with fewer reads.
class Domain {
public:
  [[nodiscard]] const std::vector<Explained>* find(std::uint64_t address) const {
    const auto found = places_.find(address);
    return found == places_.end() ? nullptr : &found->second;
  }
  /// Is it news?
  bool add(std::uint64_t address, const Explained& one) {
    std::vector<Explained>& known = places_[address];
    for (const Explained& other : known)
      if (other.value == one.value && is_subset(other.support, one.support))
        return false;
    std::erase_if(known, [&](const Explained& other) {
      return other.value == one.value && is_subset(one.support, other.support);
    });
    known.push_back(one);
    return true;
  }

private:
  std::map<std::uint64_t, std::vector<Explained>> places_;
};

Error too_large(const std::string& what) {
  return Error{ErrorKind::kUnsupported, "ENU-001", what};
}

class ThreadRuns {
public:
  ThreadRuns(const EventSet& set,
             std::uint32_t thread,
             const std::vector<std::uint32_t>& read_number,
             const TraceOptions& options,
             const Budget& budget,
             Traces& traces)
      : set_(set), thread_(set.threads[thread]), read_number_(read_number), options_(options),
        budget_(budget), traces_(traces), tape_(set, thread),
        supports_(thread_.last - thread_.first) {}

  /// All runs, given what places may hold. With `written`, what they write is added to it, and runs
  /// are told apart by how their values came about; they are then not kept.
  std::optional<Error> run(const Domain& domain, std::uint64_t already, Domain* written) {
    result_ = {};
    by_hash_.clear();
    domain_ = &domain;
    written_ = written;
    has_news_ = false;
    runs_ = already;
    error_.reset();
    events_.clear();
    failed_ = 0;
    tape_.reset();
    step(thread_.first);
    return error_;
  }
  ThreadTraces take() { return std::move(result_); }
  [[nodiscard]] bool has_news() const { return has_news_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

private:
  void step(EventIndex at) {
    const std::size_t mark = events_.size();
    const std::uint32_t failed = failed_;
    for (; at < thread_.last && !error_; ++at) {
      tape_.run(at);
      const StaticEvent& event = set_.events[at];
      if (tape_.value(event.guard) == 0)
        continue;
      switch (event.kind) {
      case Kind::kRead: {
        const std::uint64_t address = tape_.value(event.address);
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
        if (event.width > options_.choice_bits) {
          error_ =
              too_large(fmt::format("{}: an arbitrary value of {} bits cannot be tried out; at "
                                    "most {} bits can (--nondet-bits)",
                                    set_.program->place(event.loc),
                                    event.width,
                                    options_.choice_bits));
          return;
        }
        for (std::uint64_t value = 0; value < (1ULL << event.width); ++value) {
          tape_.set_variable(at, value);
          step(at + 1);
        }
        back(mark, failed);
        return;
      }
      case Kind::kWrite: {
        const std::uint64_t address = tape_.value(event.address);
        if (!is_place(address, event)) {
          back(mark, failed);
          return;
        }
        events_.push_back({at, address, tape_.value(event.value)});
        // At once: a run that then waits in vain may be what others wait for.
        note_written(at, address);
        break;
      }
      case Kind::kFence:
      case Kind::kBranch:
      case Kind::kRegisterRead:
      case Kind::kRegisterWrite:
        events_.push_back({at, event.address.is_valid() ? tape_.value(event.address) : 0, 0});
        break;
      case Kind::kFree:
      case Kind::kEndpoint:
        break; // made for solvers only
      case Kind::kAssume:
        if (tape_.value(event.value) == 0) {
          back(mark, failed);
          return;
        }
        break;
      case Kind::kCheck:
        if (tape_.value(event.value) == 0 && failed_ == 0)
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
    const std::uint32_t number = read_number_[at];
    const std::vector<Explained>* known = domain_->find(address);
    if (known == nullptr)
      return; // met in this round: its first value is there in the next
    std::vector<std::uint64_t> tried;
    for (const Explained& one : *known) {
      if (one.support.test(number))
        continue;
      if (written_ == nullptr) {
        if (std::find(tried.begin(), tried.end(), one.value) != tried.end())
          continue;
        tried.push_back(one.value);
      }
      supports_[at - thread_.first] = one.support;
      supports_[at - thread_.first].set(number);
      tape_.set_variable(at, one.value);
      events_[position].value = one.value;
      step(at + 1);
      events_.resize(position + 1);
    }
  }

  void note_written(EventIndex at, std::uint64_t address) {
    if (written_ == nullptr)
      return;
    Explained explained{events_.back().value, {}};
    for (const EventIndex source : traces_.sources[at])
      explained.support |= supports_[source - thread_.first];
    if (written_->add(address, explained))
      has_news_ = true;
  }

  /// Is there memory? A place that is met for the first time gets its first value.
  bool is_place(std::uint64_t address, const StaticEvent& event) {
    if (domain_->find(address) != nullptr)
      return true;
    std::optional<std::uint64_t> first = program::initial_bytes(set_, address, event.size);
    if (!first) {
      const bool is_fresh =
          std::any_of(set_.blocks.begin(), set_.blocks.end(), [&](const EventSet::Block& block) {
            return address >= block.address && address + event.size <= block.address + block.size;
          });
      if (!is_fresh) {
        traces_.traps.insert(fmt::format("{}: an access to an address at which nothing is",
                                         set_.program->place(event.loc)));
        return false;
      }
      traces_.cuts.insert("what allocated memory holds at first is taken as 0");
      first = 0;
    }
    if (written_ != nullptr && written_->add(address, {*first, {}}))
      has_news_ = true;
    return true;
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
    if (written_ != nullptr)
      return;
    tape_.run_rest();
    Shape shape;
    shape.events = events_;
    if (!options_.splits_by_value)
      for (TraceEvent& one : shape.events)
        one.value = 0;
    for (const logic::Term guard : tape_.conditions())
      shape.edges.push_back(tape_.value(guard) != 0);
    Trace trace;
    trace.shape = shape_index(std::move(shape));
    for (const TraceEvent& one : events_)
      trace.values.push_back(one.value);
    for (const program::PrivateFinal& final : thread_.finals)
      trace.finals.push_back(tape_.value(final.value));
    trace.failed_check = failed_;
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
  const program::StaticThread& thread_;
  const std::vector<std::uint32_t>& read_number_;
  const TraceOptions& options_;
  const Budget& budget_;
  Traces& traces_;
  Tape tape_;
  const Domain* domain_ = nullptr;
  Domain* written_ = nullptr;
  bool has_news_ = false;
  std::uint64_t runs_ = 0;
  std::vector<Support> supports_; // by event: what its value was computed from
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

/// The reads and choices whose values the event's address and value are computed from.
std::vector<EventIndex> value_sources(const EventSet& set, EventIndex event) {
  std::vector<EventIndex> sources;
  for (const logic::Term term : {set.events[event].address, set.events[event].value})
    if (term.is_valid() && set.events[event].kind == Kind::kWrite)
      for (const std::uint64_t number : set.terms.variables(term))
        if (number >= program::kFirstEventVariable)
          sources.push_back(static_cast<EventIndex>(number - program::kFirstEventVariable));
  return sources;
}

} // namespace

Result<Traces> find_traces(const EventSet& set, const TraceOptions& options, const Budget& budget) {
  Traces traces;
  Domain domain;
  std::vector<std::uint32_t> read_number(set.events.size(), 0);
  std::uint32_t reads = 0;
  for (std::size_t i = 0; i < set.events.size(); ++i)
    if (set.events[i].kind == Kind::kRead)
      read_number[i] = reads++;
  if (reads > kMostReads)
    return too_large(fmt::format("more than {} reads; use a smaller bound", kMostReads));
  for (EventIndex i = 0; i < set.events.size(); ++i)
    traces.sources.push_back(value_sources(set, i));
  std::vector<ThreadRuns> threads;
  threads.reserve(set.threads.size());
  for (std::uint32_t i = 0; i < set.threads.size(); ++i)
    threads.emplace_back(set, i, read_number, options, budget, traces);
  // Every round adds a read to what some value was computed from, and no read twice: it ends.
  for (bool has_news = true; has_news;) {
    has_news = false;
    Domain next = domain;
    std::uint64_t count = 0;
    for (ThreadRuns& thread : threads) {
      if (std::optional<Error> error = thread.run(domain, count, &next))
        return *error;
      count = thread.runs();
      has_news = has_news || thread.has_news();
    }
    domain = std::move(next);
  }
  traces.cuts.clear();
  traces.traps.clear();
  std::uint64_t count = 0;
  for (ThreadRuns& thread : threads) {
    if (std::optional<Error> error = thread.run(domain, count, nullptr))
      return *error;
    count = thread.runs();
    traces.threads.push_back(thread.take());
  }
  if (std::optional<Error> error = check_alignment(set, traces))
    return *error;
  return traces;
}

} // namespace heddle::engine::enumerate
