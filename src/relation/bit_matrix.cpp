// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "relation/bit_matrix.h"

#include "support/check.h"

#include <algorithm>
#include <concepts>
#include <span>

namespace heddle::relation {

namespace {

/// Calls `visit` with the elements of each strong component, what it reaches before it.
template <typename Visit>
  requires std::invocable<const Visit&, std::span<const std::size_t>>
void visit_components(const BitMatrix& relation, const Visit& visit) {
  struct Open {
    std::size_t element;
    std::size_t next; // the successors from here on are still to be looked at
  };
  constexpr std::size_t kDone = ~std::size_t{0};
  std::vector<std::size_t> number(relation.bound(), 0); // 0: not met; kDone: in a component
  std::vector<std::size_t> least(relation.bound(), 0);  // met, and still open, that is reached
  std::vector<std::size_t> pending;
  std::vector<Open> path;
  std::size_t met = 0;
  const auto open = [&](std::size_t element) {
    number[element] = least[element] = ++met;
    pending.push_back(element);
    path.push_back({element, 0});
  };
  for (std::size_t start = 0; start < relation.bound(); ++start) {
    if (number[start] == 0)
      open(start);
    while (!path.empty()) {
      const std::size_t from = path.back().element;
      if (const auto to = relation.row(from).next(path.back().next)) {
        path.back().next = *to + 1;
        if (number[*to] == 0)
          open(*to);
        else if (number[*to] != kDone)
          least[from] = std::min(least[from], number[*to]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        least[path.back().element] = std::min(least[path.back().element], least[from]);
      if (least[from] != number[from])
        continue;
      std::size_t first = pending.size() - 1;
      while (pending[first] != from)
        --first;
      const std::span<const std::size_t> component = std::span(pending).subspan(first);
      visit(component);
      for (const std::size_t one : component)
        number[one] = kDone;
      pending.resize(first);
    }
  }
}

} // namespace

BitMatrix::BitMatrix(std::size_t bound) : rows_(bound, BitSet(bound)) {}

BitMatrix BitMatrix::identity(std::size_t bound) {
  return identity_on(BitSet::full(bound));
}

BitMatrix BitMatrix::identity_on(const BitSet& set) {
  BitMatrix result(set.bound());
  for (const std::size_t element : set.elements())
    result.insert(element, element);
  return result;
}

BitMatrix BitMatrix::product(const BitSet& domain, const BitSet& range) {
  HEDDLE_CHECK(domain.bound() == range.bound(), "sets of different bounds");
  BitMatrix result(domain.bound());
  for (const std::size_t element : domain.elements())
    result.rows_[element] = range;
  return result;
}

bool BitMatrix::contains(std::size_t from, std::size_t to) const {
  return row(from).contains(to);
}

void BitMatrix::insert(std::size_t from, std::size_t to) {
  HEDDLE_CHECK(from < bound(), "an element beyond the relation's bound");
  rows_[from].insert(to);
}

void BitMatrix::erase(std::size_t from, std::size_t to) {
  HEDDLE_CHECK(from < bound(), "an element beyond the relation's bound");
  rows_[from].erase(to);
}

const BitSet& BitMatrix::row(std::size_t from) const {
  HEDDLE_CHECK(from < bound(), "an element beyond the relation's bound");
  return rows_[from];
}

bool BitMatrix::empty() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const BitSet& row) { return row.empty(); });
}

std::size_t BitMatrix::size() const {
  std::size_t count = 0;
  for (const BitSet& row : rows_)
    count += row.size();
  return count;
}

std::vector<std::pair<std::size_t, std::size_t>> BitMatrix::pairs() const {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t from = 0; from < bound(); ++from)
    for (const std::size_t to : rows_[from].elements())
      result.emplace_back(from, to);
  return result;
}

BitMatrix& BitMatrix::operator|=(const BitMatrix& other) {
  HEDDLE_CHECK(bound() == other.bound(), "relations of different bounds");
  for (std::size_t i = 0; i < bound(); ++i)
    rows_[i] |= other.rows_[i];
  return *this;
}

BitMatrix& BitMatrix::operator&=(const BitMatrix& other) {
  HEDDLE_CHECK(bound() == other.bound(), "relations of different bounds");
  for (std::size_t i = 0; i < bound(); ++i)
    rows_[i] &= other.rows_[i];
  return *this;
}

BitMatrix& BitMatrix::operator-=(const BitMatrix& other) {
  HEDDLE_CHECK(bound() == other.bound(), "relations of different bounds");
  for (std::size_t i = 0; i < bound(); ++i)
    rows_[i] -= other.rows_[i];
  return *this;
}

BitMatrix BitMatrix::complement() const {
  BitMatrix result = *this;
  for (BitSet& row : result.rows_)
    row = row.complement();
  return result;
}

BitMatrix BitMatrix::compose(const BitMatrix& other) const {
  HEDDLE_CHECK(bound() == other.bound(), "relations of different bounds");
  BitMatrix result(bound());
  for (std::size_t from = 0; from < bound(); ++from)
    for (auto middle = rows_[from].next(0); middle; middle = rows_[from].next(*middle + 1))
      result.rows_[from] |= other.rows_[*middle];
  return result;
}

BitMatrix BitMatrix::inverse() const {
  BitMatrix result(bound());
  for (std::size_t from = 0; from < bound(); ++from)
    for (auto to = rows_[from].next(0); to; to = rows_[from].next(*to + 1))
      result.rows_[*to].insert(from);
  return result;
}

/// With few elements: Warshall (1962), a row at a time. After round k: all pairs joined by a path
/// whose inner elements are at most k.
///
/// With many that takes minutes. Strong components come with what they reach first (Tarjan, 1972),
/// and a successor that is reached through another adds nothing: relations of events are mostly
/// orders, of which few rows have to be united.
BitMatrix BitMatrix::transitive_closure() const {
  constexpr std::size_t kFewElements = 128;
  if (bound() >= kFewElements) {
    BitMatrix result(bound());
    visit_components(*this, [&](std::span<const std::size_t> component) {
      BitSet reached(bound());
      bool is_cycle = component.size() > 1;
      BitSet members(bound());
      for (const std::size_t from : component)
        members.insert(from);
      for (const std::size_t from : component)
        for (auto to = rows_[from].next(0); to; to = rows_[from].next(*to + 1)) {
          is_cycle = is_cycle || *to == from;
          if (reached.contains(*to) || members.contains(*to))
            continue;
          reached |= result.rows_[*to];
          reached.insert(*to);
        }
      if (is_cycle)
        reached |= members;
      for (const std::size_t from : component)
        result.rows_[from] = reached;
    });
    return result;
  }
  BitMatrix result = *this;
  for (std::size_t middle = 0; middle < bound(); ++middle)
    for (std::size_t from = 0; from < bound(); ++from)
      if (from != middle && result.rows_[from].contains(middle))
        result.rows_[from] |= result.rows_[middle];
  return result;
}

BitMatrix BitMatrix::reflexive_closure() const {
  return *this | identity(bound());
}

BitMatrix BitMatrix::restrict(const BitSet& domain, const BitSet& range) const {
  return *this & product(domain, range);
}

BitSet BitMatrix::domain() const {
  BitSet result(bound());
  for (std::size_t from = 0; from < bound(); ++from)
    if (!rows_[from].empty())
      result.insert(from);
  return result;
}

BitSet BitMatrix::range() const {
  BitSet result(bound());
  for (const BitSet& row : rows_)
    result |= row;
  return result;
}

bool BitMatrix::is_subset_of(const BitMatrix& other) const {
  HEDDLE_CHECK(bound() == other.bound(), "relations of different bounds");
  for (std::size_t i = 0; i < bound(); ++i)
    if (!rows_[i].is_subset_of(other.rows_[i]))
      return false;
  return true;
}

bool BitMatrix::is_irreflexive() const {
  for (std::size_t i = 0; i < bound(); ++i)
    if (rows_[i].contains(i))
      return false;
  return true;
}

/// Kahn (1962): elements without predecessors are taken away until none is left, or there is a
/// cycle.
bool BitMatrix::is_acyclic() const {
  std::vector<std::size_t> predecessors(bound(), 0);
  for (const BitSet& row : rows_)
    for (auto to = row.next(0); to; to = row.next(*to + 1))
      ++predecessors[*to];
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < bound(); ++i)
    if (predecessors[i] == 0)
      ready.push_back(i);
  std::size_t taken = 0;
  while (!ready.empty()) {
    const BitSet& row = rows_[ready.back()];
    ready.pop_back();
    ++taken;
    for (auto to = row.next(0); to; to = row.next(*to + 1))
      if (--predecessors[*to] == 0)
        ready.push_back(*to);
  }
  return taken == bound();
}

bool BitMatrix::is_transitive() const {
  return compose(*this).is_subset_of(*this);
}

/// A breadth-first search from each element back to itself. One that finds nothing shorter than the
/// best so far stops at that depth.
std::vector<std::size_t> BitMatrix::shortest_cycle() const {
  std::vector<std::size_t> best;
  std::vector<std::size_t> parent(bound(), 0);
  for (std::size_t start = 0; start < bound() && best.size() != 1; ++start) {
    BitSet seen(bound());
    seen.insert(start);
    std::vector<std::size_t> layer = {start};
    for (std::size_t length = 1; !layer.empty() && (best.empty() || length < best.size());
         ++length) {
      const auto closing = std::find_if(layer.begin(), layer.end(), [&](std::size_t element) {
        return rows_[element].contains(start);
      });
      if (closing != layer.end()) {
        best.clear();
        for (std::size_t element = *closing; element != start; element = parent[element])
          best.push_back(element);
        best.push_back(start);
        std::reverse(best.begin(), best.end());
        break;
      }
      std::vector<std::size_t> next_layer;
      for (const std::size_t element : layer) {
        const BitSet fresh = rows_[element] - seen;
        for (const std::size_t to : fresh.elements()) {
          parent[to] = element;
          next_layer.push_back(to);
        }
        seen |= fresh;
      }
      layer = std::move(next_layer);
    }
  }
  return best;
}

BitSet BitMatrix::reachable(const BitSet& sources) const {
  HEDDLE_CHECK(sources.bound() == bound(), "a set of another bound");
  BitSet seen = sources;
  BitSet fresh = sources;
  while (!fresh.empty()) {
    BitSet next(bound());
    for (const std::size_t element : fresh.elements())
      next |= rows_[element];
    fresh = next - seen;
    seen |= fresh;
  }
  return seen;
}

} // namespace heddle::relation
