// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/execution_search.h"

#include "engine/enumerate/thread_evaluator.h"
#include "memory/execution_values.h"

#include <algorithm>

namespace heddle::engine::enumerate {

namespace {

using memory::Axiom;
using memory::Generator;
using memory::kCoherence;
using memory::kReadsFrom;
using memory::kStatic;
using memory::NodeId;

} // namespace

Search::Search(const program::EventSet& set,
               const Traces& traces,
               std::shared_ptr<const memory::EvaluationPlan> plan,
               const std::vector<spec::ObservedPlace>& observed,
               const SearchOptions& options,
               const Budget& budget)
    : set_(set), traces_(traces), plan_(std::move(plan)), core_(plan_->core()), observed_(observed),
      options_(options), budget_(budget), evaluator_(plan_), chosen_(set.threads.size()) {
  const auto most = std::max_element(
      traces.threads.begin(), traces.threads.end(), [](const auto& a, const auto& b) {
        return a.traces.size() < b.traces.size();
      });
  const auto largest = static_cast<std::uint32_t>(most - traces.threads.begin());
  for (std::uint32_t t = 0; t < set.threads.size(); ++t) {
    conditions_.push_back(conditions_of(set, t));
    by_shape_.emplace_back(traces.threads[t].shapes.size());
    const bool is_shared_out = t == largest;
    for (std::size_t i = 0; i < traces.threads[t].traces.size(); ++i)
      if (!is_shared_out || i % options.parts == options.part)
        by_shape_[t][traces.threads[t].traces[i].shape].push_back(i);
  }
  // A flag may be raised by any execution, so all are looked at where there are flags.
  needs_one_each_ = !options.counts &&
                    std::all_of(core_.axioms.begin(), core_.axioms.end(), [](const Axiom& axiom) {
                      return axiom.role == Axiom::Role::kRequire;
                    });
  for (const Axiom& axiom : core_.axioms)
    has_monotone_rf_ =
        has_monotone_rf_ || (axiom.is_monotone && evaluator_.stratum(axiom.node) != 0);
  for (const Axiom& axiom : core_.axioms)
    has_monotone_co_ = has_monotone_co_ ||
                       (axiom.is_monotone_in_co && evaluator_.stratum(axiom.node) == kCoherence);
}

bool Search::is_stopped() {
  if (evaluator_.error())
    found_.is_complete = false;
  if (found_.is_complete && (++steps_ & 0x3ffU) == 0 && budget_.exhausted(0))
    found_.is_complete = false;
  return !found_.is_complete;
}

void Search::set_edge(NodeId node, std::size_t from, std::size_t to, bool present) {
  std::uint64_t& word = evaluator_.words(node)[from * evaluator_.stride() + to / 64];
  if (present)
    word |= 1ULL << (to % 64);
  else
    word &= ~(1ULL << (to % 64));
}

void Search::set_co(std::size_t from, std::size_t to, bool present) {
  for (const NodeId node : evaluator_.co())
    set_edge(node, from, to, present);
}

bool Search::is_allowed(unsigned stratum, bool only_monotone) const {
  for (std::size_t i = 0; i < core_.axioms.size(); ++i) {
    const Axiom& axiom = core_.axioms[i];
    if (axiom.role == Axiom::Role::kRequire && !is_decided_[i] &&
        evaluator_.stratum(axiom.node) == stratum && (!only_monotone || axiom.is_monotone_in_co) &&
        !evaluator_.is_satisfied(axiom))
      return false;
  }
  return true;
}

Found Search::run() {
  std::vector<std::size_t> shapes(set_.threads.size(), 0);
  const bool is_possible =
      std::all_of(traces_.threads.begin(), traces_.threads.end(), [](const ThreadTraces& thread) {
        return !thread.shapes.empty();
      });
  while (is_possible && !is_stopped()) {
    try_shapes(shapes);
    std::size_t t = 0;
    while (t < shapes.size() && ++shapes[t] == traces_.threads[t].shapes.size())
      shapes[t++] = 0;
    if (t == shapes.size())
      break;
  }
  found_.error = evaluator_.error();
  return std::move(found_);
}

/// Generators that do not depend on rf or co and leave no choice are settled with the events.
bool Search::settle_generators() {
  for (std::size_t i = 0; i < core_.generators.size(); ++i) {
    const NodeId node = plan_->generated()[i];
    const auto* listed = std::get_if<Generator::Listed>(&core_.generators[i].how);
    if (listed == nullptr || !node.is_valid())
      continue;
    const bool is_static =
        std::all_of(listed->values.inputs.begin(),
                    listed->values.inputs.end(),
                    [this](NodeId input) { return evaluator_.stratum(input) == kStatic; });
    if (!is_static)
      continue;
    const std::vector<memory::ConcreteValue> choices = listed->choices(evaluator_);
    if (choices.empty())
      return false;
    if (choices.size() > 1)
      continue;
    evaluator_.settle_generator(i);
    evaluator_.store(node, choices.front());
    evaluator_.evaluate(kStatic);
  }
  return true;
}

void Search::add(Found& all, const Found& part) {
  for (const auto& [values, state] : part.states)
    all.states[values].executions += state.executions;
  for (const auto& [flag, count] : part.flags)
    all.flags[flag] += count;
  all.candidates += part.candidates;
  all.prefixes += part.prefixes;
  all.cut += part.cut;
  all.failed_checks += part.failed_checks;
  all.is_complete = all.is_complete && part.is_complete;
  all.reads_fresh = all.reads_fresh || part.reads_fresh;
  if (!all.error)
    all.error = part.error;
}

/// Does the thread run if and only if its creator creates it?
bool Search::is_there_if_created(std::size_t thread, const std::vector<std::size_t>& shapes) const {
  const std::optional<program::EventIndex> created_at = set_.threads[thread].created_at;
  if (!created_at)
    return true;
  const std::uint32_t creator = set_.threads[thread].creator;
  const std::vector<TraceEvent>& steps = traces_.threads[creator].shapes[shapes[creator]].events;
  const bool is_created = std::any_of(
      steps.begin(), steps.end(), [&](const TraceEvent& one) { return one.event == *created_at; });
  return is_created == !traces_.threads[thread].shapes[shapes[thread]].events.empty();
}

void Search::try_shapes(const std::vector<std::size_t>& shapes) {
  for (std::size_t t = 0; t < shapes.size(); ++t)
    if (by_shape_[t][shapes[t]].empty() || !is_there_if_created(t, shapes))
      return;
  skeleton_ = make_skeleton(set_, traces_, conditions_, shapes);
  const std::size_t count = skeleton_.execution.events.size();
  evaluator_.start(count);
  is_decided_.assign(core_.axioms.size(), false);
  has_bounds_ = false;
  for (const memory::Evaluator::Base& base : evaluator_.bases())
    memory::write_base(skeleton_.execution,
                       base.name,
                       base.is_set,
                       evaluator_.words(base.node),
                       evaluator_.stride());
  evaluator_.evaluate(kStatic);
  if (!settle_generators() || !is_allowed(kStatic, false))
    return;
  for (const Place& place : skeleton_.places)
    for (const std::size_t write : place.writes)
      set_co(place.initial, write, true);
  values_.assign(count, 0);
  for (const Place& place : skeleton_.places)
    values_[place.initial] = skeleton_.execution.events[place.initial].value;
  sources_.assign(skeleton_.reads.size(), 0);
  orders_.assign(skeleton_.places.size(), {});
  find_readable();
  if (decide_axioms())
    try_values(0, shapes);
}

void Search::try_values(std::size_t thread, const std::vector<std::size_t>& shapes) {
  if (thread == shapes.size()) {
    if (find_sources() && !is_impossible(0))
      choose_source(0);
    return;
  }
  for (const std::size_t index : by_shape_[thread][shapes[thread]]) {
    if (is_stopped())
      return;
    chosen_[thread] = &traces_.threads[thread].traces[index];
    std::copy(chosen_[thread]->values.begin(),
              chosen_[thread]->values.end(),
              values_.begin() + static_cast<std::ptrdiff_t>(skeleton_.first_event[thread]));
    try_values(thread + 1, shapes);
  }
}

void Search::choose_source(std::size_t index) {
  ++found_.prefixes;
  if (index == skeleton_.reads.size()) {
    if (explains_itself() || !is_coherent(index))
      return;
    evaluator_.evaluate(kReadsFrom);
    if (!is_allowed(kReadsFrom, false))
      return;
    if (begin_orders())
      choose_last(0);
    return;
  }
  const std::size_t read = skeleton_.reads[index].event;
  for (const std::size_t write : candidates_[index]) {
    if (is_stopped())
      return;
    sources_[index] = write;
    if (evaluator_.rf().is_valid())
      set_edge(evaluator_.rf(), write, read, true);
    if (!is_hopeless(index) && !is_impossible(index + 1))
      choose_source(index + 1);
    if (evaluator_.rf().is_valid())
      set_edge(evaluator_.rf(), write, read, false);
  }
}

/// Is some value computed from itself, by way of reads and writes?
bool Search::explains_itself() const {
  // What a read returns is settled once all that its source was computed from is.
  std::vector<bool> is_settled(values_.size(), false);
  std::size_t settled = 0;
  for (bool changed = true; changed && settled < skeleton_.reads.size();) {
    changed = false;
    for (std::size_t i = 0; i < skeleton_.reads.size(); ++i) {
      const std::size_t read = skeleton_.reads[i].event;
      const std::vector<std::size_t>& from = skeleton_.computed_from[sources_[i]];
      if (is_settled[read] || !std::all_of(from.begin(), from.end(), [&](std::size_t other) {
            return is_settled[other] || !is_read(other);
          }))
        continue;
      is_settled[read] = true;
      ++settled;
      changed = true;
    }
  }
  return settled < skeleton_.reads.size();
}

bool Search::reads_fresh() const {
  for (std::size_t i = 0; i < skeleton_.reads.size(); ++i) {
    const Place& place = skeleton_.places[skeleton_.reads[i].place];
    if (!skeleton_.reads[i].is_probe && sources_[i] == place.initial &&
        !program::initial_bytes(set_, place.address, place.size))
      return true;
  }
  return false;
}

bool Search::is_read(std::size_t event) const {
  return skeleton_.execution.events[event].kind == execution::Event::Kind::kRead;
}

/// With initial writes first and nothing else ordered: what the model asks every order to contain,
/// and whether any can exist. No write is known to be final yet.
bool Search::begin_orders() {
  if (evaluator_.final_writes().is_valid())
    std::fill_n(evaluator_.words(evaluator_.final_writes()), evaluator_.stride(), 0);
  partials_.clear();
  for (const NodeId node : evaluator_.co())
    if (core_.nodes[node].op == memory::NodeOp::kGenerated) {
      const auto& how =
          std::get<Generator::Coherence>(core_.generators[core_.nodes[node].index].how);
      if (evaluator_.stratum(how.partial) >= kCoherence)
        evaluator_.evaluate(kCoherence, memory::Purpose::kPartialOrder);
      const std::uint64_t* const rows = evaluator_.words(how.partial);
      partials_.emplace_back(rows, rows + evaluator_.event_count() * evaluator_.stride());
    }
  // Where no place has an order to choose, completing the execution asks the same.
  if (order_count_ == 1 || !has_monotone_co_)
    return true;
  evaluator_.evaluate(kCoherence, memory::Purpose::kMonotone);
  return is_allowed(kCoherence, true);
}

/// The orders are built from their ends. The last write of every place comes first: it decides the
/// final state, and of the executions with a state that is known already no more are needed unless
/// they are counted.
void Search::choose_last(std::size_t index) {
  if (index == skeleton_.places.size()) {
    if (needs_one_each_ && found_.kept.size() >= options_.kept &&
        found_.states.contains(final_values())) {
      // It may have other states, with other values of that memory; it is not asked whether it is
      // allowed.
      found_.reads_fresh = found_.reads_fresh || reads_fresh();
      return;
    }
    is_found_ = false;
    order_writes(0);
    return;
  }
  if (skeleton_.places[index].writes.empty()) {
    choose_last(index + 1);
    return;
  }
  for (const std::size_t write : skeleton_.places[index].writes)
    if (!is_stopped() && put_last(index, write)) {
      choose_last(index + 1);
      take_back(index);
    }
}

/// The writes of the place that are not in its order yet, and of the places after it.
void Search::order_writes(std::size_t index) {
  if ((is_found_ && needs_one_each_) || is_stopped())
    return;
  if (index == skeleton_.places.size()) {
    complete();
    return;
  }
  const Place& place = skeleton_.places[index];
  if (orders_[index].size() == place.writes.size()) {
    if (extends_partial(index))
      order_writes(index + 1);
    return;
  }
  for (const std::size_t write : place.writes) {
    const std::vector<std::size_t>& order = orders_[index];
    if (std::find(order.begin(), order.end(), write) == order.end() && put_last(index, write)) {
      order_writes(index);
      take_back(index);
    }
  }
}

/// Makes the write the last of those of its place that are not ordered yet. False, and nothing has
/// changed, if an axiom forbids it whatever comes before.
bool Search::put_last(std::size_t index, std::size_t write) {
  ++found_.prefixes;
  const Place& place = skeleton_.places[index];
  std::vector<std::size_t>& order = orders_[index];
  if (!forced_.empty()) {
    const auto position = [&](std::size_t one) {
      return static_cast<std::size_t>(std::find(place.writes.begin(), place.writes.end(), one) -
                                      place.writes.begin());
    };
    for (const std::size_t other : place.writes)
      if (other != write && std::find(order.begin(), order.end(), other) == order.end() &&
          forced_[index].is_before(position(write), position(other)))
        return false;
  }
  order.push_back(write);
  if (order.size() == place.writes.size())
    return true; // it is the first of all, and every edge is there
  for (const std::size_t earlier : place.writes)
    if (std::find(order.begin(), order.end(), earlier) == order.end())
      set_co(earlier, write, true);
  if (!has_monotone_co_ || place.writes.size() < 3)
    return true;
  evaluator_.evaluate(kCoherence, memory::Purpose::kMonotone);
  if (is_allowed(kCoherence, true))
    return true;
  take_back(index);
  return false;
}

void Search::take_back(std::size_t index) {
  std::vector<std::size_t>& order = orders_[index];
  const std::size_t write = order.back();
  order.pop_back();
  for (const std::size_t earlier : skeleton_.places[index].writes)
    if (std::find(order.begin(), order.end(), earlier) == order.end())
      set_co(earlier, write, false);
}

/// Does the order contain what the model's generator asks for?
bool Search::extends_partial(std::size_t index) const {
  const Place& place = skeleton_.places[index];
  for (const std::vector<std::uint64_t>& rows : partials_) {
    const std::vector<std::size_t>& order = orders_[index];
    for (std::size_t i = 0; i < order.size(); ++i) {
      // order[i] comes after order[j] for j > i, and after the initial write.
      for (std::size_t j = i + 1; j < order.size(); ++j)
        if ((rows[order[i] * evaluator_.stride() + order[j] / 64] >> (order[j] % 64) & 1U) != 0)
          return false;
      if ((rows[order[i] * evaluator_.stride() + place.initial / 64] >> (place.initial % 64) &
           1U) != 0)
        return false;
    }
  }
  return true;
}

Found::Values Search::final_values() const {
  Found::Values values;
  for (const spec::ObservedPlace& observed : observed_) {
    std::uint64_t value = 0;
    for (unsigned offset = 0; offset < observed.size;) {
      const std::uint64_t address = observed.address + offset;
      std::uint8_t size = 1;
      std::uint64_t part = 0;
      bool is_found = false;
      for (std::size_t i = 0; i < skeleton_.places.size() && !is_found; ++i) {
        const Place& place = skeleton_.places[i];
        if (address < place.address || address >= place.address + place.size)
          continue;
        const std::size_t write = place.writes.empty() ? place.initial : orders_[i].front();
        const auto skip = static_cast<unsigned>(address - place.address);
        part = values_[write] >> (8 * skip);
        size = static_cast<std::uint8_t>(place.size - skip);
        is_found = true;
      }
      for (std::size_t t = 0; t < set_.threads.size() && !is_found; ++t)
        for (std::size_t i = 0; i < set_.threads[t].finals.size() && !is_found; ++i) {
          const program::PrivateFinal& final = set_.threads[t].finals[i];
          if (address < final.address || address >= final.address + final.size)
            continue;
          const auto skip = static_cast<unsigned>(address - final.address);
          part = chosen_[t]->finals[i] >> (8 * skip);
          size = static_cast<std::uint8_t>(final.size - skip);
          is_found = true;
        }
      if (!is_found)
        part = program::initial_bytes(set_, address, 1).value_or(0);
      value |= (part & logic::mask_of(8U * size)) << (8 * offset);
      offset += size;
    }
    values.push_back(value & logic::mask_of(8U * observed.size));
  }
  return values;
}

void Search::complete() {
  ++found_.candidates;
  if (evaluator_.final_writes().is_valid()) {
    std::fill_n(evaluator_.words(evaluator_.final_writes()), evaluator_.stride(), 0);
    for (std::size_t i = 0; i < skeleton_.places.size(); ++i) {
      const Place& place = skeleton_.places[i];
      const std::size_t write = place.writes.empty() ? place.initial : orders_[i].front();
      evaluator_.words(evaluator_.final_writes())[write / 64] |= 1ULL << (write % 64);
    }
  }
  evaluator_.evaluate(kCoherence);
  if (!is_allowed(kCoherence, false))
    return;
  choose_generated(0);
}

/// All ways to order some events place by place: each extends the partial order asked for.
std::vector<memory::ConcreteValue> Search::orders_of(const Generator::Coherence& how) {
  const relation::BitSet members = evaluator_.set(how.writes);
  const relation::BitMatrix partial = evaluator_.relation(how.partial);
  std::map<std::uint64_t, std::vector<std::size_t>> by_place;
  for (const std::size_t event : members.elements())
    by_place[skeleton_.execution.events[event].address].push_back(event);
  std::vector<relation::BitMatrix> orders{relation::BitMatrix(evaluator_.event_count())};
  for (auto& [address, events] : by_place) {
    std::vector<relation::BitMatrix> longer;
    std::sort(events.begin(), events.end());
    do {
      if (is_stopped())
        return {};
      bool extends = true;
      for (std::size_t i = 0; i < events.size() && extends; ++i)
        for (std::size_t j = i + 1; j < events.size() && extends; ++j)
          extends = !partial.contains(events[j], events[i]);
      if (!extends)
        continue;
      for (relation::BitMatrix order : orders) {
        for (std::size_t i = 0; i < events.size(); ++i)
          for (std::size_t j = i + 1; j < events.size(); ++j)
            order.insert(events[i], events[j]);
        longer.push_back(std::move(order));
      }
    } while (std::next_permutation(events.begin(), events.end()));
    orders = std::move(longer);
  }
  std::vector<memory::ConcreteValue> choices;
  for (relation::BitMatrix& order : orders)
    choices.emplace_back(std::make_shared<const relation::BitMatrix>(std::move(order)));
  return choices;
}

void Search::choose_generated(std::size_t generator) {
  if (generator == core_.generators.size()) {
    accept();
    return;
  }
  const NodeId node = plan_->generated()[generator];
  const Generator& chosen = core_.generators[generator];
  const auto stratum = static_cast<unsigned>(memory::kFirstGenerated + generator);
  if (!node.is_valid() || evaluator_.stratum(node) != stratum) {
    choose_generated(generator + 1);
    return;
  }
  const auto* listed = std::get_if<Generator::Listed>(&chosen.how);
  const std::vector<memory::ConcreteValue> choices =
      listed != nullptr ? listed->choices(evaluator_)
                        : orders_of(std::get<Generator::Coherence>(chosen.how));
  for (const memory::ConcreteValue& choice : choices) {
    if (is_stopped())
      return;
    evaluator_.store(node, choice);
    evaluator_.evaluate(stratum);
    if (is_allowed(stratum, false))
      choose_generated(generator + 1);
  }
}

void Search::accept() {
  // A failed assertion ends the run: there is no final state.
  if (std::any_of(chosen_.begin(), chosen_.end(), [](const Trace* trace) {
        return trace->failed_check != 0;
      })) {
    found_.reads_fresh = found_.reads_fresh || reads_fresh();
    ++found_.failed_checks;
    return;
  }
  Found::Values values = final_values();
  if (options_.admits && !found_.states.contains(values) && !options_.admits(values))
    return;
  found_.reads_fresh = found_.reads_fresh || reads_fresh();
  std::vector<std::string> flags;
  for (const Axiom& axiom : core_.axioms) {
    if (axiom.role == Axiom::Role::kRequire)
      continue;
    // A flag is raised by what satisfies it; what ought to hold, by what does not.
    if (evaluator_.is_satisfied(axiom) == (axiom.role == Axiom::Role::kFlag))
      flags.push_back(axiom.role == Axiom::Role::kUndefinedUnless ? "*undef*"
                      : axiom.name.empty()                        ? axiom.text
                                                                  : axiom.name);
  }
  ++found_.states[values].executions;
  for (const std::string& flag : flags)
    ++found_.flags[flag];
  is_found_ = true;
  if (found_.kept.size() >= options_.kept)
    return;
  Found::Kept kept{skeleton_.execution, std::move(values), std::move(flags)};
  for (relation::BitMatrix* relation : {&kept.execution.rf,
                                        &kept.execution.co,
                                        &kept.execution.synchronises,
                                        &kept.execution.addr,
                                        &kept.execution.data,
                                        &kept.execution.ctrl,
                                        &kept.execution.intra_data,
                                        &kept.execution.intra_control})
    if (relation->bound() != values_.size())
      *relation = relation::BitMatrix(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i)
    kept.execution.events[i].value = values_[i];
  for (std::size_t i = 0; i < sources_.size(); ++i)
    kept.execution.rf.insert(sources_[i], skeleton_.reads[i].event);
  for (std::size_t p = 0; p < orders_.size(); ++p) {
    const Place& place = skeleton_.places[p];
    for (const std::size_t write : place.writes)
      kept.execution.co.insert(place.initial, write);
    for (std::size_t i = 0; i < orders_[p].size(); ++i)
      for (std::size_t j = i + 1; j < orders_[p].size(); ++j)
        kept.execution.co.insert(orders_[p][j], orders_[p][i]);
  }
  found_.kept.push_back(std::move(kept));
}

} // namespace heddle::engine::enumerate
