// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ranges of variables that take their values from each other. Round k gives every variable the
// values that a chain of at most k variables can bring to it, from the values of round k-1 (never
// of the same round: that would follow longer chains, and lose what the bound on them gives).
#include "logic/range.h"
#include "support/check.h"

#include <algorithm>
#include <utility>

namespace heddle::logic {

namespace {

/// The flows' variables and the terms below their sources, numbered so that arguments come first,
/// and what each can be in the current round; nothing: no value yet.
class FlowRounds {
public:
  FlowRounds(const TermStore& store,
             std::span<const Flow> flows,
             const VariableRanges& others,
             Conditions conditions)
      : store_(store), flows_(flows), conditions_(conditions) {
    for (const Flow& flow : flows) {
      HEDDLE_CHECK(store.node(flow.variable).op == Op::kVariable &&
                       !numbers_.contains(flow.variable),
                   "one flow a variable");
      add(flow.variable, std::nullopt, {});
    }
    for (const Flow& flow : flows)
      for (const Term source : flow.sources)
        collect(source, others);
    for (const Flow& flow : flows)
      sources_.push_back(numbers_of(flow.sources));
  }

  /// One more step of the chains that may be that long; the flows whose range grew.
  std::vector<std::size_t> step() {
    ++round_;
    for (std::size_t i = flows_.size(); i < places_.size(); ++i)
      evaluate(places_[i]);
    std::vector<std::pair<std::size_t, Range>> grown;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      if (round_ > flows_[i].longest_chain)
        continue;
      std::optional<Range> range = places_[i].range;
      for (const std::size_t source : sources_[i])
        if (places_[source].is_changed && places_[source].range)
          range = range ? hull(*range, *places_[source].range) : *places_[source].range;
      if (range != places_[i].range)
        grown.emplace_back(i, *range);
    }
    for (Place& place : places_)
      place.is_changed = false;
    std::vector<std::size_t> result;
    for (const auto& [flow, range] : grown) {
      set(flow, range);
      result.push_back(flow);
    }
    return result;
  }

  void set(std::size_t flow, const Range& range) {
    places_[flow].range = range;
    places_[flow].is_changed = true;
  }

  [[nodiscard]] const std::optional<Range>& range(std::size_t flow) const {
    return places_[flow].range;
  }

private:
  struct Place {
    Term term;
    std::optional<Range> range;
    std::vector<std::size_t> arguments; // empty: does not change by evaluation
    bool is_changed = true;             // since the round before
  };

  void add(Term term, std::optional<Range> range, std::vector<std::size_t> arguments) {
    numbers_.emplace(term, places_.size());
    places_.push_back({term, range, std::move(arguments), true});
  }

  [[nodiscard]] std::vector<std::size_t> numbers_of(std::span<const Term> terms) const {
    std::vector<std::size_t> result;
    for (const Term term : terms)
      result.push_back(numbers_.at(term));
    return result;
  }

  void collect(Term root, const VariableRanges& others) {
    std::vector<Term> pending = {root};
    while (!pending.empty()) {
      const Term current = pending.back();
      if (numbers_.contains(current)) {
        pending.pop_back();
        continue;
      }
      for (const Term part : store_.arguments(current))
        if (!numbers_.contains(part))
          pending.push_back(part);
      if (pending.back() != current)
        continue;
      const Node& node = store_.node(current);
      const unsigned width = std::max<unsigned>(node.sort.width, 1);
      if (node.op == Op::kVariable) {
        const std::optional<Range> given = others ? others(current) : std::nullopt;
        add(current, given ? given->tightened() : Range::full(width), {});
      } else if (node.op == Op::kConstant) {
        add(current, Range::constant(node.value, width), {});
      } else {
        add(current, std::nullopt, numbers_of(store_.arguments(current)));
      }
    }
  }

  void evaluate(Place& place) {
    const auto is_changed = [&](std::size_t part) { return places_[part].is_changed; };
    if (place.arguments.empty() || std::ranges::none_of(place.arguments, is_changed))
      return;
    const std::optional<Range> next =
        store_.node(place.term).op == Op::kIte ? choice(place) : operation(place);
    place.is_changed = next != place.range;
    place.range = next;
  }

  /// A term that contains a read without a value has none, but where that read is one way of
  /// several: it may be one that is not executed when the others are.
  [[nodiscard]] std::optional<Range> operation(const Place& place) const {
    const Node& node = store_.node(place.term);
    const bool is_one_of_several = node.op == Op::kAnd || node.op == Op::kOr;
    std::vector<Range> parts;
    bool is_known = false;
    for (const std::size_t part : place.arguments) {
      const std::optional<Range>& range = places_[part].range;
      if (!range && !is_one_of_several)
        return std::nullopt;
      is_known = is_known || range.has_value();
      parts.push_back(range.value_or(Range::full(1)));
    }
    if (!is_known)
      return std::nullopt;
    const Sort argument = store_.sort(places_[place.arguments[0]].term);
    return apply_range(node.op, node.sort, argument, node.value, parts);
  }

  [[nodiscard]] std::optional<Range> choice(const Place& place) const {
    const std::optional<Range>& condition = places_[place.arguments[0]].range;
    const std::optional<Range>& if_true = places_[place.arguments[1]].range;
    const std::optional<Range>& if_false = places_[place.arguments[2]].range;
    if (conditions_ == Conditions::kKnown && condition && condition->is_constant())
      return condition->min != 0 ? if_true : if_false;
    if (if_true && if_false)
      return hull(*if_true, *if_false);
    return if_true ? if_true : if_false;
  }

  const TermStore& store_;
  std::span<const Flow> flows_;
  Conditions conditions_;
  std::unordered_map<Term, std::size_t> numbers_;
  std::vector<Place> places_; // the flows' variables, then terms after their arguments
  std::vector<std::vector<std::size_t>> sources_; // of each flow
  std::size_t round_ = 0;
};

} // namespace

std::unordered_map<Term, Range> flow_ranges(const TermStore& store,
                                            std::span<const Flow> flows,
                                            const VariableRanges& others,
                                            Conditions conditions) {
  // Chains longer than this are not followed step by step: what still grows then may be anything.
  constexpr std::size_t kMostRounds = 256;
  FlowRounds rounds(store, flows, others, conditions);
  // In an acyclic chain every variable occurs once.
  const std::size_t count = std::min(flows.size(), kMostRounds);
  bool is_stable = false;
  for (std::size_t round = 0; round < count && !is_stable; ++round)
    is_stable = rounds.step().empty();
  if (!is_stable && flows.size() > kMostRounds)
    for (std::vector<std::size_t> grown = rounds.step(); !grown.empty(); grown = rounds.step())
      for (const std::size_t flow : grown)
        rounds.set(flow, Range::full(rounds.range(flow)->width));
  std::unordered_map<Term, Range> result;
  for (std::size_t i = 0; i < flows.size(); ++i)
    if (const std::optional<Range>& range = rounds.range(i))
      result.emplace(flows[i].variable, *range);
  return result;
}

} // namespace heddle::logic
