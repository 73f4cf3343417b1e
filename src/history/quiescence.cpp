// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/quiescence.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::history {

namespace {

using What = Moment::What;

using Cuts = std::set<OperationSet>; // the operations before each moment

/// All orders that the object allows, each as what it begins with. The order of threads does not
/// count: where it does, there is a moment.
class Beginnings {
public:
  Beginnings(const std::vector<Operation>& operations,
             const SequentialObject& object,
             std::size_t most)
      : operations_(operations), object_(object), left_(most) {}

  std::optional<std::set<Cuts>> run() {
    extend(0, object_.initial());
    if (left_ == 0)
      return std::nullopt;
    return std::move(found_);
  }

private:
  /// As deep as there are operations.
  void extend(OperationSet done, const ObjectState& state) {
    if (left_ == 0)
      return;
    --left_;
    if (done == only(operations_.size()) - 1) {
      found_.insert(beginnings_);
      return;
    }
    if (done != 0)
      beginnings_.insert(done);
    for (std::size_t i = 0; i < operations_.size(); ++i)
      if ((done & only(i)) == 0)
        if (const std::optional<ObjectState> after = object_.apply(state, operations_[i]))
          extend(done | only(i), *after);
    beginnings_.erase(done);
  }

  const std::vector<Operation>& operations_;
  const SequentialObject& object_;
  std::size_t left_;
  Cuts beginnings_;
  std::set<Cuts> found_;
};

bool includes(OperationSet larger, OperationSet smaller) {
  return (smaller & ~larger) == 0;
}

/// The moments that there can be: those of each thread that are in it come first.
std::vector<OperationSet> possible_cuts(const std::vector<Operation>& operations) {
  std::vector<OperationSet> cuts;
  for (OperationSet cut = 1; cut < only(operations.size()) - 1; ++cut) {
    bool is_possible = true;
    for (std::size_t i = 0; i < operations.size(); ++i)
      for (std::size_t j = i + 1; j < operations.size(); ++j)
        is_possible = is_possible && (operations[i].thread != operations[j].thread ||
                                      (cut & only(j)) == 0 || (cut & only(i)) != 0);
    if (is_possible)
      cuts.push_back(cut);
  }
  return cuts;
}

/// What shows the moment: the last operations of threads before it have returned when the first
/// ones after it are called. The order of one thread is always there.
void show(OperationSet cut, const std::vector<Operation>& operations, std::set<Precedence>& out) {
  for (std::uint32_t first = 0; first < operations.size(); ++first)
    for (std::uint32_t second = 0; second < operations.size(); ++second) {
      if ((cut & only(first)) == 0 || (cut & only(second)) != 0 ||
          operations[first].thread == operations[second].thread)
        continue;
      bool is_next = true;
      for (std::uint32_t k = 0; k < operations.size(); ++k) {
        const bool is_in_cut = (cut & only(k)) != 0;
        if (is_in_cut && k > first && operations[k].thread == operations[first].thread)
          is_next = false;
        if (!is_in_cut && k < second && operations[k].thread == operations[second].thread)
          is_next = false;
      }
      if (is_next)
        out.insert(Precedence{{first, What::kReturn}, {second, What::kCall}});
    }
}

} // namespace

std::optional<std::vector<Precedences>> quiescent_contradictions_of(
    const std::vector<Operation>& operations, const SequentialObject& object, std::size_t most) {
  constexpr std::size_t kMostOperations = 16; // all subsets are looked at
  if (operations.size() > kMostOperations)
    return std::nullopt;
  const std::optional<std::set<Cuts>> orders = Beginnings(operations, object, most).run();
  if (!orders)
    return std::nullopt;
  const std::vector<OperationSet> possible = possible_cuts(operations);
  const auto open_one = [&](const Cuts& chosen) {
    return std::ranges::find_if(
        *orders, [&](const Cuts& kept) { return std::ranges::includes(kept, chosen); });
  };
  std::set<Cuts> seen;
  std::vector<Cuts> todo = {{}};
  std::vector<Cuts> complete;
  while (!todo.empty()) {
    if (seen.size() > most)
      return std::nullopt;
    const Cuts chosen = std::move(todo.back());
    todo.pop_back();
    const auto open = open_one(chosen);
    if (open == orders->end()) {
      complete.push_back(chosen);
      continue;
    }
    for (const OperationSet cut : possible) {
      // Moments of one run come one after the other.
      const bool fits = std::ranges::all_of(
          chosen, [&](OperationSet other) { return includes(cut, other) || includes(other, cut); });
      if (open->contains(cut) || !fits)
        continue;
      Cuts more = chosen;
      more.insert(cut);
      if (seen.insert(more).second)
        todo.push_back(std::move(more));
    }
  }
  std::ranges::sort(complete, {}, [](const Cuts& cuts) { return std::pair(cuts.size(), cuts); });
  std::vector<Cuts> smallest;
  for (const Cuts& cuts : complete)
    if (std::ranges::none_of(smallest,
                             [&](const Cuts& less) { return std::ranges::includes(cuts, less); }))
      smallest.push_back(cuts);
  std::vector<Precedences> result;
  for (const Cuts& cuts : smallest) {
    std::set<Precedence> shown;
    for (const OperationSet cut : cuts)
      show(cut, operations, shown);
    result.emplace_back(shown.begin(), shown.end());
  }
  return result;
}

} // namespace heddle::history
