// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/value_ranges.h"

#include "relation/bit_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::program {

namespace {

constexpr std::size_t kMostReads = 1000;
constexpr std::size_t kMostValues = 100'000;

/// The flows whose variables terms are computed from. Terms share most of their parts, each of
/// which is looked at once.
class Parts {
public:
  Parts(const logic::TermStore& terms, const std::vector<logic::Flow>& flows)
      : terms_(terms), flows_(flows.size()) {
    for (std::size_t i = 0; i < flows.size(); ++i)
      flow_of_.emplace(flows[i].variable, i);
  }

  const relation::BitSet& of(Term term) {
    std::vector<Term> pending{term};
    while (!pending.empty()) {
      const Term current = pending.back();
      const std::size_t before = pending.size();
      if (!known_.contains(current))
        for (const Term part : terms_.arguments(current))
          if (!known_.contains(part))
            pending.push_back(part);
      if (pending.size() != before)
        continue;
      pending.pop_back();
      const auto [found, is_new] = known_.try_emplace(current, flows_);
      if (!is_new)
        continue;
      if (const auto flow = flow_of_.find(current); flow != flow_of_.end())
        found->second.insert(flow->second);
      for (const Term part : terms_.arguments(current))
        found->second |= known_.at(part);
    }
    return known_.at(term);
  }

private:
  const logic::TermStore& terms_;
  std::size_t flows_;
  std::unordered_map<Term, std::size_t> flow_of_; // by variable
  std::unordered_map<Term, relation::BitSet> known_;
};

/// By flow: those whose variables its own is computed from, itself among them.
std::vector<relation::BitSet> origins_of(const logic::TermStore& terms,
                                         const std::vector<logic::Flow>& flows) {
  Parts parts(terms, flows);
  std::vector<relation::BitSet> origins;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    relation::BitSet& found = origins.emplace_back(flows.size());
    found.insert(i);
    for (const Term source : flows[i].sources)
      found |= parts.of(source);
  }
  for (std::size_t via = 0; via < flows.size(); ++via)
    for (relation::BitSet& found : origins)
      if (found.contains(via))
        found |= origins[via];
  return origins;
}

} // namespace

std::unordered_map<Term, logic::Range> value_ranges(const EventSet& set,
                                                    const std::vector<ReadValues>& reads,
                                                    const logic::VariableRanges& others,
                                                    logic::Conditions conditions) {
  std::vector<logic::Flow> flows;
  std::size_t values = 0;
  for (const ReadValues& read : reads) {
    flows.push_back({set.events[read.read].value, read.values});
    values += read.values.size();
  }
  if (flows.size() > kMostReads || values > kMostValues)
    return {};
  const std::vector<relation::BitSet> origins = origins_of(set.terms, flows);
  for (std::size_t i = 0; i < flows.size(); ++i)
    flows[i].longest_chain = origins[i].size();
  return logic::flow_ranges(set.terms, flows, others, conditions);
}

} // namespace heddle::program
