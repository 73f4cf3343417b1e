// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/value_ranges.h"

#include "relation/bit_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::program {

namespace {

constexpr std::size_t kMostReads = 1000;
constexpr std::size_t kMostValues = 100'000;

/// By flow: those whose variables its own is computed from, itself among them.
std::vector<relation::BitSet> origins_of(const logic::TermStore& terms,
                                         const std::vector<logic::Flow>& flows) {
  std::unordered_map<std::uint64_t, std::size_t> flow_of; // by number of the variable
  for (std::size_t i = 0; i < flows.size(); ++i)
    flow_of.emplace(terms.node(flows[i].variable).value, i);
  std::unordered_map<Term, std::vector<std::size_t>> parts_of;
  std::vector<relation::BitSet> origins;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    relation::BitSet& found = origins.emplace_back(flows.size());
    found.insert(i);
    for (const Term source : flows[i].sources) {
      const auto [parts, is_new] = parts_of.try_emplace(source);
      if (is_new)
        for (const std::uint64_t variable : terms.variables(source))
          if (const auto flow = flow_of.find(variable); flow != flow_of.end())
            parts->second.push_back(flow->second);
      for (const std::size_t part : parts->second)
        found.insert(part);
    }
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
