// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/points/point_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::object {

namespace {

using history::ObjectState;

/// The last pass of one of the points.
std::optional<std::size_t> effect_of(const PassingRun::Call& call, const PointSet& points) {
  for (auto pass = call.passes.rbegin(); pass != call.passes.rend(); ++pass)
    if (points.contains(pass->point))
      return pass->when;
  return std::nullopt;
}

/// An access that a call may take effect at.
struct Moment {
  std::size_t when = 0;
  std::size_t call = 0;
  auto operator<=>(const Moment&) const = default;
};

/// Goes along the moments of a run: each call takes effect at one of its own. Each moment, calls
/// done and content of the object is looked at once. As deep as there are moments and calls.
class FreeChoice {
public:
  FreeChoice(const PassingRun& run,
             const history::SequentialObject& object,
             std::optional<std::size_t> free)
      : run_(run), object_(object), free_(free) {
    std::set<Moment> moments;
    for (std::size_t i = 0; i < run.calls.size(); ++i)
      for (const PassingRun::Pass& pass : run.calls[i].passes)
        moments.insert({pass.when, i});
    moments_.assign(moments.begin(), moments.end());
  }
  bool run() { return goes_on(0, 0, object_.initial()); }

private:
  bool goes_on(std::size_t moment, std::uint64_t done, const ObjectState& state) {
    if (done + 1 == std::uint64_t{1} << run_.calls.size())
      return true;
    if (!seen_.emplace(moment, done, state).second)
      return false;
    if (free_ && takes_effect(*free_, moment, done, state))
      return true;
    if (moment == moments_.size())
      return false;
    return takes_effect(moments_[moment].call, moment + 1, done, state) ||
           goes_on(moment + 1, done, state);
  }
  bool
  takes_effect(std::size_t call, std::size_t next, std::uint64_t done, const ObjectState& state) {
    const std::uint64_t bit = std::uint64_t{1} << call;
    if ((done & bit) != 0)
      return false;
    const std::optional<ObjectState> after = object_.apply(state, run_.calls[call].operation);
    return after && goes_on(next, done | bit, *after);
  }

  const PassingRun& run_;
  const history::SequentialObject& object_;
  std::optional<std::size_t> free_;
  std::vector<Moment> moments_;
  std::set<std::tuple<std::size_t, std::uint64_t, ObjectState>> seen_;
};

} // namespace

bool explains(const PointSet& points,
              const PassingRun& run,
              const history::SequentialObject& object) {
  std::vector<Moment> order;
  for (std::size_t i = 0; i < run.calls.size(); ++i) {
    const std::optional<std::size_t> when = effect_of(run.calls[i], points);
    if (!when)
      return false;
    order.push_back({*when, i});
  }
  std::ranges::sort(order);
  ObjectState state = object.initial();
  for (const Moment& moment : order) {
    std::optional<ObjectState> after = object.apply(state, run.calls[moment.call].operation);
    if (!after)
      return false;
    state = std::move(*after);
  }
  return true;
}

bool can_be_explained(const PassingRun& run,
                      const history::SequentialObject& object,
                      std::optional<std::size_t> free) {
  return FreeChoice(run, object, free).run();
}

bool PointSearch::extend(PointSet& points, std::size_t left, std::set<PointSet>& seen) const {
  if (seen.size() >= kMostSets || !seen.insert(points).second)
    return false;
  const auto open = std::ranges::find_if(
      runs_, [&](const PassingRun& run) { return !explains(points, run, object_); });
  const bool is_excluded = excluded_.contains(points);
  if (open == runs_.end() && !is_excluded)
    return true;
  if (left == 0)
    return false;
  // A call that passes nothing needs one of its own accesses. Otherwise any of the run's may change
  // the order.
  PointSet useful;
  const auto add_all = [&](const PassingRun::Call& call) {
    for (const PassingRun::Pass& pass : call.passes)
      useful.insert(pass.point);
  };
  if (open == runs_.end()) {
    for (const PassingRun& run : runs_)
      std::ranges::for_each(run.calls, add_all);
  } else {
    const auto without = std::ranges::find_if(open->calls, [&](const PassingRun::Call& call) {
      return !effect_of(call, points).has_value();
    });
    if (without != open->calls.end())
      add_all(*without);
    else
      std::ranges::for_each(open->calls, add_all);
  }
  for (const std::size_t point : useful) {
    if (!points.insert(point).second)
      continue;
    if (extend(points, left - 1, seen))
      return true;
    points.erase(point);
  }
  return false;
}

std::optional<PointSet> PointSearch::next() const {
  for (std::size_t size = 0; size <= kMostPoints; ++size) {
    PointSet points;
    std::set<PointSet> seen;
    if (extend(points, size, seen))
      return points;
  }
  return std::nullopt;
}

std::string PointSearch::why_none() const {
  for (const PassingRun& run : runs_)
    for (const PassingRun::Call& call : run.calls)
      if (call.passes.empty())
        return fmt::format("in a run of {} {} makes no access that could be one",
                           run.scenario,
                           to_string(call.operation));
  for (const PassingRun& run : runs_) {
    if (can_be_explained(run, object_))
      continue;
    for (std::size_t i = 0; i < run.calls.size(); ++i)
      if (can_be_explained(run, object_, i))
        return fmt::format(
            "in a run of {} {} takes effect at none of its own accesses, but at a step of another "
            "operation",
            run.scenario,
            to_string(run.calls[i].operation));
    return fmt::format("in a run of {} no accesses of the operations themselves explain what they "
                       "return",
                       run.scenario);
  }
  return fmt::format(
      "no {} accesses explain all of {} runs: an operation may be helped by another, "
      "or where it takes effect depends on what comes later",
      kMostPoints,
      runs_.size());
}

} // namespace heddle::object
