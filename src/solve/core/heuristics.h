// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The small machines behind the decisions and restarts of the core: a heap of scores (EVSIDS), a
// queue of recently met variables (VMTF), moving averages, and the reluctant doubling sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::solve::core {

/// Variables by falling score; equal scores by rising number. Indices are variables.
class ScoreHeap {
public:
  void add_variable() {
    places_.push_back(kAbsent);
    scores_.push_back(0);
    insert(static_cast<std::uint32_t>(places_.size() - 1));
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] bool contains(std::uint32_t variable) const { return places_[variable] != kAbsent; }
  [[nodiscard]] std::uint32_t top() const { return heap_.front(); }
  void insert(std::uint32_t variable) {
    if (contains(variable))
      return;
    places_[variable] = static_cast<std::uint32_t>(heap_.size());
    heap_.push_back(variable);
    rise(places_[variable]);
  }
  void pop() {
    const std::uint32_t last = heap_.back();
    heap_.pop_back();
    places_[heap_.empty() ? last : heap_.front()] = kAbsent;
    if (heap_.empty())
      return;
    heap_.front() = last;
    places_[last] = 0;
    sink(0);
  }
  /// Raises a score; when scores grow too large all are made smaller together.
  void bump(std::uint32_t variable) {
    scores_[variable] += increment_;
    if (scores_[variable] > kLargest)
      rescale();
    if (contains(variable))
      rise(places_[variable]);
  }
  /// Later bumps count for more.
  void decay() {
    constexpr double kGrowth = 1.0 / 0.95;
    increment_ *= kGrowth;
    if (increment_ > kLargest)
      rescale();
  }
  [[nodiscard]] double score(std::uint32_t variable) const { return scores_[variable]; }

private:
  static constexpr std::uint32_t kAbsent = 0xffffffffU;
  static constexpr double kLargest = 1e150;
  [[nodiscard]] bool before(std::uint32_t left, std::uint32_t right) const {
    return scores_[left] > scores_[right] || (scores_[left] == scores_[right] && left < right);
  }
  void rise(std::uint32_t place) {
    const std::uint32_t variable = heap_[place];
    while (place > 0) {
      const std::uint32_t parent = (place - 1) / 2;
      if (!before(variable, heap_[parent]))
        break;
      heap_[place] = heap_[parent];
      places_[heap_[place]] = place;
      place = parent;
    }
    heap_[place] = variable;
    places_[variable] = place;
  }
  void sink(std::uint32_t place) {
    const std::uint32_t variable = heap_[place];
    const auto count = static_cast<std::uint32_t>(heap_.size());
    for (std::uint32_t child = 2 * place + 1; child < count; child = 2 * place + 1) {
      if (child + 1 < count && before(heap_[child + 1], heap_[child]))
        ++child;
      if (!before(heap_[child], variable))
        break;
      heap_[place] = heap_[child];
      places_[heap_[place]] = place;
      place = child;
    }
    heap_[place] = variable;
    places_[variable] = place;
  }
  void rescale() {
    for (double& score : scores_)
      score /= kLargest;
    increment_ /= kLargest;
  }

  std::vector<std::uint32_t> heap_;
  std::vector<std::uint32_t> places_;
  std::vector<double> scores_;
  double increment_ = 1;
};

/// A doubly linked list of variables in the order of their last bump (Ryan 2004; Biere and
/// Fröhlich, SAT 2015). `unassigned` is at or behind the last unassigned variable.
class RecencyQueue {
public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void add_variable() {
    const auto variable = static_cast<std::uint32_t>(links_.size());
    links_.push_back({kNone, kNone});
    stamps_.push_back(0);
    append(variable);
    unassigned_ = variable;
  }
  [[nodiscard]] std::uint32_t unassigned() const { return unassigned_; }
  [[nodiscard]] std::uint32_t last() const { return last_; }
  [[nodiscard]] std::uint32_t previous(std::uint32_t variable) const {
    return links_[variable].first;
  }
  [[nodiscard]] std::uint64_t stamp(std::uint32_t variable) const { return stamps_[variable]; }
  void set_unassigned(std::uint32_t variable) { unassigned_ = variable; }
  /// To be called when a variable loses its value.
  void on_unassign(std::uint32_t variable) {
    if (stamps_[variable] > stamps_[unassigned_])
      unassigned_ = variable;
  }
  void bump(std::uint32_t variable, bool assigned) {
    if (links_[variable].second == kNone)
      return;
    if (unassigned_ == variable && assigned)
      unassigned_ =
          links_[variable].first != kNone ? links_[variable].first : links_[variable].second;
    detach(variable);
    append(variable);
    if (!assigned)
      unassigned_ = variable;
  }

private:
  void detach(std::uint32_t variable) {
    const auto [before, after] = links_[variable];
    (before != kNone ? links_[before].second : first_) = after;
    (after != kNone ? links_[after].first : last_) = before;
  }
  void append(std::uint32_t variable) {
    links_[variable] = {last_, kNone};
    (last_ != kNone ? links_[last_].second : first_) = variable;
    last_ = variable;
    stamps_[variable] = ++clock_;
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> links_;
  std::vector<std::uint64_t> stamps_;
  std::uint32_t first_ = kNone;
  std::uint32_t last_ = kNone;
  std::uint32_t unassigned_ = kNone;
  std::uint64_t clock_ = 0;
};

/// An exponential moving average whose first values are not pulled to 0.
class Average {
public:
  explicit Average(double window) : beta_(1 - 1 / window) {}
  void update(double value) {
    biased_ = beta_ * biased_ + (1 - beta_) * value;
    power_ *= beta_;
    value_ = biased_ / (1 - power_);
  }
  [[nodiscard]] double value() const { return value_; }

private:
  double beta_;
  double biased_ = 0;
  double power_ = 1;
  double value_ = 0;
};

/// Knuth's reluctant doubling: 1, 1, 2, 1, 1, 2, 4, ... times the period.
class Reluctant {
public:
  void restart(std::uint64_t period) {
    period_ = countdown_ = period;
    u_ = v_ = 1;
    due_ = false;
  }
  void tick() {
    if (due_ || period_ == 0 || --countdown_ > 0)
      return;
    if ((u_ & (~u_ + 1)) == v_) {
      ++u_;
      v_ = 1;
    } else {
      v_ *= 2;
    }
    constexpr std::uint64_t kLongest = 1U << 20U;
    if (v_ * period_ >= kLongest)
      u_ = v_ = 1;
    countdown_ = v_ * period_;
    due_ = true;
  }
  /// Whether a restart is due; asking answers it.
  [[nodiscard]] bool take() { return std::exchange(due_, false); }

private:
  std::uint64_t period_ = 0;
  std::uint64_t countdown_ = 0;
  std::uint64_t u_ = 1;
  std::uint64_t v_ = 1;
  bool due_ = false;
};

} // namespace heddle::solve::core
