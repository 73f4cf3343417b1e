// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a search knows before everything is chosen: which writes a read can take its value from at
// all, what coherence leaves of the orders of writes, and axioms that are broken or kept whatever
// comes (bounds: memory/bound_evaluator.h).
#include "engine/enumerate/execution_search.h"

#include <algorithm>

namespace heddle::engine::enumerate {

namespace {

using memory::Axiom;
using memory::kCoherence;
using memory::kReadsFrom;
using memory::kStatic;
using memory::NodeId;
using memory::Truth;

/// With fewer executions left to look at, it is cheaper to go on than to ask the axioms.
constexpr std::uint64_t kWorthAsking = 12;
constexpr std::uint64_t kVeryMany = std::uint64_t{1} << 40U;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return a >= kVeryMany || b >= kVeryMany ? kVeryMany : std::min(a * b, kVeryMany);
}

} // namespace

/// The writes each read can have as its source if the model asks for coherence, whatever the values
/// are: none that comes after it, and none that its own thread has overwritten in between. And in
/// how many ways the writes to all places can be ordered.
void Search::find_readable() {
  const execution::Execution& execution = skeleton_.execution;
  readable_.resize(skeleton_.reads.size());
  for (std::size_t i = 0; i < skeleton_.reads.size(); ++i) {
    const std::size_t read = skeleton_.reads[i].event;
    const Place& place = skeleton_.places[skeleton_.reads[i].place];
    readable_[i].clear();
    const auto is_overwritten = [&](std::size_t write) {
      return std::any_of(place.writes.begin(), place.writes.end(), [&](std::size_t other) {
        return execution.po.contains(other, read) &&
               (write == place.initial || execution.po.contains(write, other));
      });
    };
    const auto consider = [&](std::size_t write) {
      if (execution.rmw.contains(read, write) ||
          (plan_->coherence().is_per_location &&
           (execution.po.contains(read, write) || is_overwritten(write))))
        return;
      readable_[i].push_back(write);
    };
    consider(place.initial);
    for (const std::size_t write : place.writes)
      consider(write);
  }
  order_count_ = 1;
  for (const Place& place : skeleton_.places)
    for (std::size_t i = 2; i <= place.writes.size(); ++i)
      order_count_ = times(order_count_, i);
}

/// Those of them with the value at hand. False if a read has none.
bool Search::find_sources() {
  const std::size_t count = skeleton_.reads.size();
  candidates_.resize(count);
  completions_.assign(count + 1, order_count_);
  for (std::size_t i = count; i-- > 0;) {
    candidates_[i].clear();
    for (const std::size_t write : readable_[i])
      if (values_[write] == values_[skeleton_.reads[i].event])
        candidates_[i].push_back(write);
    if (candidates_[i].empty())
      return false;
    completions_[i] = times(completions_[i + 1], candidates_[i].size());
  }
  return true;
}

/// Has an axiom that more edges cannot mend been broken by the sources chosen so far? Asked only
/// where enough would come of going on to be worth the question.
bool Search::is_hopeless(std::size_t index) {
  if (completions_[index + 1] < kWorthAsking || !has_monotone_rf_ || !hopeless_.is_worth_asking())
    return false;
  if (evaluator_.final_writes().is_valid())
    std::fill_n(evaluator_.words(evaluator_.final_writes()), evaluator_.stride(), 0);
  evaluator_.evaluate(kReadsFrom, memory::Purpose::kMonotone);
  evaluator_.evaluate(kCoherence, memory::Purpose::kMonotone);
  bool is_broken = false;
  for (std::size_t i = 0; i < core_.axioms.size() && !is_broken; ++i) {
    const Axiom& axiom = core_.axioms[i];
    is_broken = axiom.is_monotone && axiom.role == Axiom::Role::kRequire && !is_decided_[i] &&
                evaluator_.stratum(axiom.node) <= kCoherence && !evaluator_.is_satisfied(axiom);
  }
  hopeless_.note(is_broken);
  return is_broken;
}

/// Where the model asks for coherence: what it leaves of the orders of each place, if anything.
/// Of the reads from `known` on only those count that have no choice.
bool Search::is_coherent(std::size_t known) {
  forced_.clear();
  if (!plan_->coherence().is_per_location)
    return true;
  forced_.reserve(skeleton_.places.size());
  const execution::Execution& execution = skeleton_.execution;
  for (std::size_t p = 0; p < skeleton_.places.size(); ++p) {
    const Place& place = skeleton_.places[p];
    forced_.emplace_back(place.writes.size());
    PlaceOrder& order = forced_.back();
    if (place.writes.size() > PlaceOrder::kMost)
      continue;
    // Each access as the write it is or reads; the initial one is none of the positions.
    struct Access {
      std::size_t event;
      std::size_t write;
      bool reads;
    };
    std::vector<Access> accesses;
    accesses.reserve(place.writes.size() + skeleton_.reads.size());
    const std::size_t initial = place.writes.size();
    const auto position = [&](std::size_t write) {
      return static_cast<std::size_t>(std::find(place.writes.begin(), place.writes.end(), write) -
                                      place.writes.begin());
    };
    for (std::size_t i = 0; i < place.writes.size(); ++i)
      accesses.push_back({place.writes[i], i, false});
    for (std::size_t i = 0; i < skeleton_.reads.size(); ++i)
      if (skeleton_.reads[i].place == p && (i < known || candidates_[i].size() == 1))
        accesses.push_back({skeleton_.reads[i].event,
                            position(i < known ? sources_[i] : candidates_[i].front()),
                            true});
    for (const Access& a : accesses)
      for (const Access& b : accesses) {
        if (!execution.po.contains(a.event, b.event) || (a.write == b.write && b.reads))
          continue;
        // What is not before the initial write is impossible; what is after it says nothing.
        if (b.write == initial)
          return false;
        if (a.write == b.write)
          return false; // a read of a write that comes after it
        if (a.write != initial)
          order.add(a.write, b.write);
      }
    if (plan_->coherence().updates)
      for (const Access& read : accesses)
        for (const Access& write : accesses) {
          if (!read.reads || write.reads || !is_update(read.event, write.event))
            continue;
          // Between the halves of an update the model may allow the thread's own writes.
          std::uint64_t others = 0;
          for (std::size_t i = 0; i < place.writes.size(); ++i)
            if (execution.events[place.writes[i]].thread != execution.events[write.event].thread)
              others |= std::uint64_t{1} << i;
          if (read.write == initial)
            order.add_first(write.write, others);
          else
            order.add_adjacent(read.write, write.write, others);
        }
    if (!order.close())
      return false;
  }
  return true;
}

bool Search::is_update(std::size_t read, std::size_t write) const {
  if (evaluator_.stratum(*plan_->coherence().updates) != kStatic)
    return false;
  const std::uint64_t* const rows = evaluator_.words(*plan_->coherence().updates);
  return (rows[read * evaluator_.stride() + write / 64] >> (write % 64) & 1U) != 0;
}

/// Gives the bounds rf and co with the first `known` sources chosen, out of `choices` for the
/// others.
void Search::give_bounds(std::size_t known, const std::vector<std::vector<std::size_t>>& choices) {
  memory::BoundEvaluator& bounds = *bounds_;
  const std::size_t stride = bounds.stride();
  const std::size_t rows = evaluator_.event_count() * stride;
  const auto set = [&](std::uint64_t* to, std::size_t from, std::size_t event) {
    to[from * stride + event / 64] |= std::uint64_t{1} << (event % 64);
  };
  if (const NodeId rf = evaluator_.rf(); rf.is_valid()) {
    std::fill_n(bounds.may(rf), rows, 0);
    std::fill_n(bounds.must(rf), rows, 0);
    for (std::size_t i = 0; i < skeleton_.reads.size(); ++i) {
      const std::size_t read = skeleton_.reads[i].event;
      if (i < known || choices[i].size() == 1) {
        const std::size_t write = i < known ? sources_[i] : choices[i].front();
        set(bounds.may(rf), write, read);
        set(bounds.must(rf), write, read);
        continue;
      }
      for (const std::size_t write : choices[i])
        set(bounds.may(rf), write, read);
    }
  }
  const NodeId final_writes = evaluator_.final_writes();
  if (final_writes.is_valid()) {
    std::fill_n(bounds.may(final_writes), stride, 0);
    std::fill_n(bounds.must(final_writes), stride, 0);
  }
  for (const NodeId co : evaluator_.co()) {
    std::fill_n(bounds.may(co), rows, 0);
    std::fill_n(bounds.must(co), rows, 0);
  }
  for (std::size_t p = 0; p < skeleton_.places.size(); ++p) {
    const Place& place = skeleton_.places[p];
    const bool is_forced = !forced_.empty() && place.writes.size() <= PlaceOrder::kMost;
    for (std::size_t i = 0; i < place.writes.size(); ++i) {
      bool may_be_last = true;
      bool must_be_last = true;
      for (const NodeId co : evaluator_.co()) {
        set(bounds.may(co), place.initial, place.writes[i]);
        set(bounds.must(co), place.initial, place.writes[i]);
      }
      for (std::size_t j = 0; j < place.writes.size(); ++j) {
        if (i == j || (is_forced && forced_[p].is_before(j, i)))
          continue;
        const bool is_sure = is_forced && forced_[p].is_before(i, j);
        may_be_last = may_be_last && !is_sure;
        must_be_last = false;
        for (const NodeId co : evaluator_.co()) {
          set(bounds.may(co), place.writes[i], place.writes[j]);
          if (is_sure)
            set(bounds.must(co), place.writes[i], place.writes[j]);
        }
      }
      if (final_writes.is_valid() && may_be_last)
        set(bounds.may(final_writes), 0, place.writes[i]);
      if (final_writes.is_valid() && must_be_last)
        set(bounds.must(final_writes), 0, place.writes[i]);
    }
    if (final_writes.is_valid() && place.writes.empty()) {
      set(bounds.may(final_writes), 0, place.initial);
      set(bounds.must(final_writes), 0, place.initial);
    }
  }
  bounds.evaluate();
}

/// With the events at hand and nothing chosen: is there any execution at all? What every one of
/// them satisfies is not asked any more.
bool Search::decide_axioms() {
  std::uint64_t executions = order_count_;
  for (const std::vector<std::size_t>& writes : readable_)
    executions = times(executions, writes.size());
  if (executions < options_.bounds_from)
    return true;
  if (!bounds_)
    bounds_.emplace(plan_);
  bounds_->start(evaluator_);
  candidates_ = readable_;
  if (!is_coherent(0)) {
    ++found_.cut;
    return false;
  }
  give_bounds(0, readable_);
  for (std::size_t i = 0; i < core_.axioms.size(); ++i) {
    if (core_.axioms[i].role != Axiom::Role::kRequire)
      continue;
    const Truth truth = bounds_->holds(core_.axioms[i]);
    if (truth == Truth::kNo) {
      ++found_.cut;
      return false;
    }
    is_decided_[i] = truth == Truth::kYes;
  }
  if (std::find(is_decided_.begin(), is_decided_.end(), true) != is_decided_.end()) {
    evaluator_.leave_out(is_decided_);
    bounds_->start(evaluator_);
  }
  has_bounds_ = true;
  return true;
}

/// Is there no execution with the first `known` sources as they are chosen? Asked only where very
/// many would have to be looked at, and as long as the answer is yes often enough.
bool Search::is_impossible(std::size_t known) {
  if (completions_[known] < options_.bounds_from || !impossible_.is_worth_asking())
    return false;
  if (!bounds_)
    bounds_.emplace(plan_);
  if (!has_bounds_) {
    bounds_->start(evaluator_);
    has_bounds_ = true;
  }
  bool is_broken = !is_coherent(known);
  if (!is_broken) {
    give_bounds(known, candidates_);
    for (std::size_t i = 0; i < core_.axioms.size() && !is_broken; ++i)
      is_broken = core_.axioms[i].role == Axiom::Role::kRequire && !is_decided_[i] &&
                  bounds_->holds(core_.axioms[i]) == Truth::kNo;
  }
  impossible_.note(is_broken);
  found_.cut += is_broken ? 1 : 0;
  return is_broken;
}

} // namespace heddle::engine::enumerate
