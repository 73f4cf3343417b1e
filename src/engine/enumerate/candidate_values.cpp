// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/candidate_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle::engine::enumerate {

namespace {

using logic::Term;
using program::EventIndex;
using program::EventSet;
using program::StaticEvent;
using Kind = StaticEvent::Kind;

/// Of so many ways to come by one value no more are told apart: there may be as many as sets of
/// reads.
constexpr std::size_t kMostWays = 8;
/// A write with more ways through the choices in its terms is computed as they turn out. That
/// may leave out what only a cycle through these choices explains.
constexpr std::size_t kMostArms = 64;
/// Values tried out for reads and choices, over all writes.
constexpr std::uint64_t kMostTried = std::uint64_t{1} << 24U;

std::uint64_t bit_of(std::uint32_t thread) {
  return std::uint64_t{1} << std::min<std::uint32_t>(thread, 63);
}

bool is_below(const Way& a, const Way& b) {
  return (a.reads & ~b.reads).none() && a.depth <= b.depth;
}

/// Is it news?
bool add_way(Candidate& candidate, const Way& way) {
  for (const Way& other : candidate.ways)
    if (is_below(other, way))
      return false;
  std::erase_if(candidate.ways, [&](const Way& other) { return is_below(way, other); });
  candidate.ways.push_back(way);
  candidate.is_merged = candidate.is_merged || candidate.ways.size() > kMostWays;
  if (candidate.is_merged) {
    Way all = way;
    for (const Way& other : candidate.ways) {
      all.reads &= other.reads;
      all.depth = std::min(all.depth, other.depth);
    }
    candidate.ways = {all};
  }
  return true;
}

} // namespace

bool Candidate::is_for(std::uint32_t read_number) const {
  return std::any_of(
      ways.begin(), ways.end(), [&](const Way& way) { return !way.reads.test(read_number); });
}

bool Candidate::is_from_other(std::uint32_t thread) const {
  return (writers & ~(thread < 63 ? bit_of(thread) : 0)) != 0;
}

const CandidateValues::Held* CandidateValues::find(std::uint64_t address) const {
  const auto found = places_.find(address);
  return found == places_.end() ? nullptr : &found->second;
}

const CandidateValues::Held*
CandidateValues::meet(const EventSet& set, std::uint64_t address, std::uint8_t size) {
  if (const Held* known = find(address))
    return known;
  std::optional<std::uint64_t> first = program::initial_bytes(set, address, size);
  if (!first) {
    const bool is_fresh =
        std::any_of(set.blocks.begin(), set.blocks.end(), [&](const EventSet::Block& block) {
          return address >= block.address && address + size <= block.address + block.size;
        });
    if (!is_fresh)
      return nullptr;
    first = 0; // who reads it says so: Search
  }
  Held& held = places_[address];
  Candidate initial;
  initial.value = *first;
  initial.is_initial = true;
  initial.ways.emplace_back();
  held.values.push_back(std::move(initial));
  return &held;
}

bool CandidateValues::add(std::uint64_t address,
                          std::uint64_t value,
                          std::uint32_t thread,
                          const Way& way) {
  Held& held = places_[address];
  auto found = std::find_if(held.values.begin(), held.values.end(), [&](const Candidate& one) {
    return one.value == value;
  });
  if (found == held.values.end()) {
    held.values.emplace_back();
    found = held.values.end() - 1;
    found->value = value;
  }
  found->writers |= bit_of(thread);
  if (!add_way(*found, way))
    return false;
  ++held.version;
  return true;
}

void CandidateValues::confirm(std::uint64_t address, std::uint64_t value, std::uint32_t thread) {
  for (Candidate& one : places_[address].values)
    if (one.value == value)
      one.confirmed |= bit_of(thread);
}

bool CandidateValues::forget_unconfirmed() {
  bool has_changed = false;
  for (auto& [address, held] : places_) {
    for (Candidate& one : held.values) {
      has_changed = has_changed || one.writers != one.confirmed;
      one.writers = one.confirmed;
      one.confirmed = 0;
    }
    std::erase_if(held.values,
                  [](const Candidate& one) { return !one.is_initial && one.writers == 0; });
  }
  return has_changed;
}

ValueSources find_value_sources(const EventSet& set) {
  ValueSources sources;
  sources.read_number.resize(set.events.size(), 0);
  sources.of_write.resize(set.events.size());
  for (EventIndex i = 0; i < set.events.size(); ++i) {
    const StaticEvent& event = set.events[i];
    if (event.kind == Kind::kRead)
      sources.read_number[i] = sources.reads++;
    if (event.kind != Kind::kWrite)
      continue;
    for (const Term term : {event.address, event.value})
      for (const std::uint64_t number : set.terms.variables(term))
        if (number >= program::kFirstEventVariable)
          sources.of_write[i].push_back(
              static_cast<EventIndex>(number - program::kFirstEventVariable));
  }
  return sources;
}

std::optional<Error> check_choice(const EventSet& set, EventIndex choice, unsigned choice_bits) {
  const StaticEvent& event = set.events[choice];
  if (event.width <= choice_bits)
    return std::nullopt;
  return Error{ErrorKind::kUnsupported,
               "ENU-001",
               fmt::format("{}: an arbitrary value of {} bits cannot be tried out; at most {} bits "
                           "can (--nondet-bits)",
                           set.program->place(event.loc),
                           event.width,
                           choice_bits)};
}

namespace {

/// A write with one arm of each choice (ite) in its terms: which arm it is may be a matter of
/// control, like whether the write happens. And what is known of its run from the reads and choices
/// that its value, its place and the places of those reads are computed from (its inputs) alone.
struct WriteInputs {
  EventIndex write = 0;
  std::map<Term, bool> arms;       // by condition; none: as the conditions turn out
  std::vector<EventIndex> sources; // what the arms speak of
  std::vector<EventIndex> inputs;  // in the order of the thread
  /// Conditions over the inputs, each known from that event on.
  struct Condition {
    EventIndex at = 0;
    Term term;
    /// Otherwise the run does not come to the write; or, if `at` is an input, that does not happen.
    bool expected = true;
  };
  std::vector<Condition> conditions;                              // in the order of the thread
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen = {}; // places and their versions
  bool is_done = false;
};

class ThreadWrites {
public:
  ThreadWrites(const EventSet& set,
               std::uint32_t thread,
               const ValueSources& sources,
               ThreadEvaluator& evaluator,
               const CandidateOptions& options,
               const Budget& budget)
      : set_(set), thread_number_(thread), thread_(set.threads[thread]), sources_(sources),
        options_(options), budget_(budget), evaluator_(evaluator),
        ways_(thread_.last - thread_.first) {
    for (EventIndex i = thread_.first; i < thread_.last; ++i)
      if (set.events[i].kind == Kind::kWrite)
        add_write(i);
  }

  /// Adds what the writes could write. Was there anything new?
  Result<bool> extend(CandidateValues& values) {
    values_ = &values;
    has_news_ = false;
    for (WriteInputs& write : writes_) {
      if (is_unchanged(write))
        continue;
      write_ = &write;
      write.seen.clear();
      step(thread_.first, 0, 0);
      write.is_done = true;
      if (error_)
        return *error_;
    }
    return has_news_;
  }

private:
  void add_write(EventIndex write) {
    const std::size_t first = writes_.size();
    if (!options_.is_grounded) {
      add_arms(write, {}, first);
      if (writes_.size() - first <= kMostArms)
        return;
      writes_.resize(first);
    }
    WriteInputs plain;
    plain.write = write;
    plain.sources = sources_.of_write[write];
    if (options_.is_grounded)
      for (const std::uint64_t number : set_.terms.variables(set_.events[write].guard))
        if (number >= program::kFirstEventVariable)
          plain.sources.push_back(static_cast<EventIndex>(number - program::kFirstEventVariable));
    find_inputs(plain);
    writes_.push_back(std::move(plain));
  }

  /// Each way through the choices that are not in `arms` yet.
  void add_arms(EventIndex write, const std::map<Term, bool>& arms, std::size_t first) {
    WriteInputs result;
    result.write = write;
    result.arms = arms;
    std::set<Term> met;
    std::vector<Term> open{set_.events[write].address, set_.events[write].value};
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (!met.insert(term).second)
        continue;
      const logic::Node& node = set_.terms.node(term);
      const std::span<const Term> arguments = set_.terms.arguments(term);
      if (node.op == logic::Op::kVariable && node.value >= program::kFirstEventVariable)
        result.sources.push_back(
            static_cast<EventIndex>(node.value - program::kFirstEventVariable));
      if (node.op != logic::Op::kIte) {
        open.insert(open.end(), arguments.begin(), arguments.end());
        continue;
      }
      const auto chosen = arms.find(arguments[0]);
      if (chosen != arms.end()) {
        open.push_back(arguments[chosen->second ? 1 : 2]);
        continue;
      }
      for (const bool arm : {true, false}) {
        if (writes_.size() - first > kMostArms)
          return;
        std::map<Term, bool> more = arms;
        more.emplace(arguments[0], arm);
        add_arms(write, more, first);
      }
      return;
    }
    find_inputs(result);
    writes_.push_back(std::move(result));
  }

  void find_inputs(WriteInputs& result) const {
    const EventIndex write = result.write;
    std::vector<bool> is_input(set_.events.size(), false);
    std::vector<EventIndex> open = result.sources;
    while (!open.empty()) {
      const EventIndex at = open.back();
      open.pop_back();
      if (is_input[at])
        continue;
      is_input[at] = true;
      result.inputs.push_back(at);
      if (set_.events[at].kind == Kind::kRead)
        for (const std::uint64_t number : set_.terms.variables(set_.events[at].address))
          if (number >= program::kFirstEventVariable)
            open.push_back(static_cast<EventIndex>(number - program::kFirstEventVariable));
    }
    std::sort(result.inputs.begin(), result.inputs.end());
    const auto is_known = [&](Term term) {
      const std::vector<std::uint64_t> variables = set_.terms.variables(term);
      return std::all_of(variables.begin(), variables.end(), [&](std::uint64_t number) {
        return number >= program::kFirstEventVariable &&
               number - program::kFirstEventVariable < set_.events.size() &&
               is_input[number - program::kFirstEventVariable];
      });
    };
    for (EventIndex i = thread_.first; i <= write; ++i) {
      const StaticEvent& event = set_.events[i];
      const bool ends = event.kind == Kind::kCut || event.kind == Kind::kTrap;
      if (i == write || is_input[i])
        add_conjuncts(event.guard, i, is_known, result);
      else if (ends && !set_.terms.is_constant(event.guard) && is_known(event.guard))
        result.conditions.push_back({i, event.guard, false});
      else if (event.kind == Kind::kAssume && set_.terms.is_constant(event.guard) &&
               set_.terms.node(event.guard).value != 0 && is_known(event.value))
        result.conditions.push_back({i, event.value, true});
    }
    for (const auto& [condition, arm] : result.arms)
      if (is_known(condition))
        result.conditions.push_back({write, condition, arm});
  }

  template <class IsKnown>
  void
  add_conjuncts(Term guard, EventIndex at, const IsKnown& is_known, WriteInputs& result) const {
    std::vector<Term> open{guard};
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (set_.terms.is_constant(term))
        continue;
      if (is_known(term)) {
        result.conditions.push_back({at, term, true});
      } else if (set_.terms.node(term).op == logic::Op::kAnd) {
        const std::span<const Term> parts = set_.terms.arguments(term);
        open.insert(open.end(), parts.begin(), parts.end());
      }
    }
  }

  [[nodiscard]] bool is_unchanged(const WriteInputs& write) const {
    return write.is_done && std::all_of(write.seen.begin(), write.seen.end(), [&](const auto& one) {
             return values_->find(one.first)->version == one.second;
           });
  }

  /// Goes on from an event, with the first inputs and conditions dealt with.
  void step(EventIndex at, std::size_t input, std::size_t condition) {
    const WriteInputs& write = *write_;
    for (;; ++at) {
      evaluator_.run(at);
      const bool is_input = input < write.inputs.size() && write.inputs[input] == at;
      bool happens = true;
      for (; condition < write.conditions.size() && write.conditions[condition].at == at;
           ++condition)
        happens = happens && (evaluator_.value(write.conditions[condition].term) != 0) ==
                                 write.conditions[condition].expected;
      if (!happens && !is_input)
        return;
      if (at == write.write)
        break;
      if (!is_input)
        continue;
      ++input;
      if (!happens) {
        evaluator_.set_variable(at, 0);
        ways_[at - thread_.first] = {};
        continue;
      }
      if (set_.events[at].kind == Kind::kChoice)
        choose(at, input, condition);
      else
        read(at, input, condition);
      return;
    }
    add_written();
  }

  bool is_stopped() {
    if ((++tried_ & 0xfffU) == 0 && budget_.exhausted(0))
      error_ = Error{ErrorKind::kUnsupported, "ENU-001", "the budget is used up"};
    if (tried_ > kMostTried)
      error_ = Error{
          ErrorKind::kUnsupported,
          "ENU-001",
          fmt::format("more than {} values of reads to try; use a smaller bound", kMostTried)};
    return error_.has_value();
  }

  void choose(EventIndex at, std::size_t input, std::size_t condition) {
    error_ = check_choice(set_, at, options_.choice_bits);
    ways_[at - thread_.first] = {};
    for (std::uint64_t value = 0; !error_ && value < (1ULL << set_.events[at].width); ++value) {
      if (is_stopped())
        return;
      evaluator_.set_variable(at, value);
      step(at + 1, input, condition);
    }
  }

  void read(EventIndex at, std::size_t input, std::size_t condition) {
    const std::uint64_t address = evaluator_.value(set_.events[at].address);
    const CandidateValues::Held* held = values_->meet(set_, address, set_.events[at].size);
    if (held == nullptr)
      return; // the run itself says what is wrong
    const std::pair seen(address, held->version);
    if (std::find(write_->seen.begin(), write_->seen.end(), seen) == write_->seen.end())
      write_->seen.push_back(seen);
    const std::uint32_t number = sources_.read_number[at];
    // What is found on the way may be for this very place: it is a reason to come again.
    for (std::size_t i = 0; i < held->values.size(); ++i)
      for (std::size_t k = 0; k < held->values[i].ways.size(); ++k) {
        Way way = held->values[i].ways[k];
        if (way.reads.test(number) || way.depth >= sources_.reads)
          continue;
        if (is_stopped())
          return;
        way.reads.set(number);
        ++way.depth;
        ways_[at - thread_.first] = way;
        evaluator_.set_variable(at, held->values[i].value);
        step(at + 1, input, condition);
      }
  }

  void add_written() {
    const EventIndex at = write_->write;
    const StaticEvent& event = set_.events[at];
    const std::uint64_t address = evaluate(event.address);
    if (values_->meet(set_, address, event.size) == nullptr)
      return;
    Way way;
    for (const EventIndex source : write_->sources) {
      const Way& from = ways_[source - thread_.first];
      way.reads |= from.reads;
      way.depth = std::max(way.depth, from.depth);
    }
    if (values_->add(address, evaluate(event.value), thread_number_, way))
      has_news_ = true;
  }

  /// The value with the arms of the write at hand.
  [[nodiscard]] std::uint64_t evaluate(Term term) const {
    const logic::Node& node = set_.terms.node(term);
    const std::span<const Term> arguments = set_.terms.arguments(term);
    if (write_->arms.empty() || arguments.empty())
      return evaluator_.value(term);
    if (node.op == logic::Op::kIte)
      return evaluate(arguments[write_->arms.at(arguments[0]) ? 1 : 2]);
    std::vector<std::uint64_t> values;
    for (const Term argument : arguments)
      values.push_back(evaluate(argument));
    return logic::apply(node.op, node.sort, set_.terms.sort(arguments[0]), node.value, values);
  }

  const EventSet& set_;
  std::uint32_t thread_number_;
  const program::StaticThread& thread_;
  const ValueSources& sources_;
  const CandidateOptions& options_;
  const Budget& budget_;
  ThreadEvaluator& evaluator_;
  std::vector<Way> ways_; // by event: how the value of an input came about
  std::vector<WriteInputs> writes_;
  CandidateValues* values_ = nullptr;
  WriteInputs* write_ = nullptr;
  std::uint64_t tried_ = 0;
  bool has_news_ = false;
  std::optional<Error> error_;
};

} // namespace

Result<CandidateValues> find_candidate_values(const EventSet& set,
                                              const ValueSources& sources,
                                              std::span<ThreadEvaluator> evaluators,
                                              const CandidateOptions& options,
                                              const Budget& budget) {
  CandidateValues values;
  std::vector<ThreadWrites> threads;
  threads.reserve(set.threads.size());
  for (std::uint32_t i = 0; i < set.threads.size(); ++i)
    threads.emplace_back(set, i, sources, evaluators[i], options, budget);
  // It ends: a way gets fewer reads or less depth, and there are only so many values of so many
  // reads one after another.
  for (bool has_news = true; has_news;) {
    has_news = false;
    for (ThreadWrites& thread : threads) {
      const Result<bool> extended = thread.extend(values);
      if (!extended)
        return extended.error();
      has_news = has_news || *extended;
    }
  }
  return values;
}

} // namespace heddle::engine::enumerate
