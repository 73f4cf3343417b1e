// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Delta debugging of a schedule (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing
// Input, TSE 2002), towards fewer context switches, then fewer steps, then fewer delayed flushes. A
// candidate is replayed leniently (a transition that is not enabled any more is left out) and taken
// over only if the run it makes still shows the violation and is smaller in that order. The effort
// is bounded by the number of transitions looked at, so the result is the same on every run that
// does not come to the end of its budget; then the smallest run that was found so far is taken.
#include "check/confirm.h"
#include "check/judge_claim.h"
#include "check/run/replayer.h"
#include "support/budget_watch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace heddle::check {

namespace {

using execution::Schedule;
using execution::Transition;

/// Transitions looked at in all: about a second.
constexpr std::uint64_t kEffort = 200'000;

/// A transition that survives editing: a flush names the store by its number among the thread's
/// delayed stores, not by a place in the buffer.
struct Item {
  Transition transition;
  std::uint32_t store = 0; // of a flush
};
using Items = std::vector<Item>;

using Size = std::tuple<std::size_t, std::size_t, std::size_t>;

struct Candidate {
  Items items;
  verdict::ViolationKind kind;
  Size size;
};

class Minimiser {
public:
  Minimiser(const spec::Task& task, const verdict::Violation& violation, const Budget& budget)
      : ground_(task), property_(violation.property), claim_(violation.kind), budget_(budget),
        watch_(&budget) {}

  verdict::Violation run(verdict::Violation violation) {
    Items items = name_stores(violation.schedule);
    std::optional<Candidate> first = attempt(items);
    if (!first)
      return violation;
    best_ = std::move(*first);
    for (bool improved = true; improved && !is_over();) {
      improved = drop_chunks();
      improved = join_blocks() || improved;
      improved = flush_early() || improved;
    }
    violation.schedule = schedule_;
    violation.kind = best_.kind;
    return violation;
  }

private:
  /// Replays strictly once, to learn which store each flush is of.
  Items name_stores(const Schedule& schedule) {
    Items items;
    Replayer replayer(ground_, Detail::kSteps, property_);
    std::map<program::ThreadIndex, std::vector<std::uint32_t>> delayed; // steps, in program order
    for (const Transition& transition : schedule) {
      if (!replayer.can_take(transition) || watch_.is_used_up())
        break;
      Item item{transition};
      replayer.take(transition);
      const execution::Step& step = replayer.run().steps.back();
      std::vector<std::uint32_t>& own = delayed[transition.thread];
      const auto index = static_cast<std::uint32_t>(replayer.run().steps.size() - 1);
      if (step.flushes)
        item.store =
            static_cast<std::uint32_t>(std::ranges::find(own, *step.flushes) - own.begin());
      else if (!step.buffer.empty() && step.buffer.back() == index)
        own.push_back(index);
      items.push_back(item);
    }
    return items;
  }

  /// The run the items make, if it shows the violation.
  std::optional<Candidate> attempt(const Items& items) {
    Replayer replayer(ground_, Detail::kSteps, property_);
    std::map<program::ThreadIndex, std::vector<std::uint32_t>> delayed;
    Items taken;
    Schedule schedule;
    std::optional<Shown> shown;
    const bool judge_each = std::holds_alternative<verdict::Deadlock>(claim_);
    for (const Item& item : items) {
      if (!replayer.run().fault.is_none())
        break;
      if (watch_.is_used_up())
        return std::nullopt;
      ++effort_;
      Transition transition = item.transition;
      std::vector<std::uint32_t>& own = delayed[transition.thread];
      if (transition.kind == Transition::Kind::kFlush) {
        const std::optional<std::size_t> place =
            item.store < own.size() ? replayer.pending_index(transition.thread, own[item.store])
                                    : std::nullopt;
        if (!place)
          continue;
        transition.choice = *place;
      }
      if (!replayer.can_take(transition))
        continue;
      replayer.take(transition);
      taken.push_back({transition, item.store});
      schedule.push_back(transition);
      const execution::Step& step = replayer.run().steps.back();
      const auto index = static_cast<std::uint32_t>(replayer.run().steps.size() - 1);
      if (!step.flushes && !step.buffer.empty() && step.buffer.back() == index)
        own.push_back(index);
      if (!replayer.races().empty())
        break; // all that follows is idle
      if (judge_each && (shown = judge(ground_, replayer, property_, claim_)))
        break;
    }
    if (!shown)
      shown = judge(ground_, replayer, property_, claim_);
    if (!shown)
      return std::nullopt;
    if (!is_same_failure(shown->fault))
      return std::nullopt;
    Candidate candidate{std::move(taken), shown->kind, size_of(replayer.run())};
    if (schedule_.empty() || candidate.size < best_.size) {
      schedule_ = std::move(schedule);
      fault_ = shown->fault;
    }
    return candidate;
  }

  /// Minimising must not slip from one failing assertion to another.
  [[nodiscard]] bool is_same_failure(const program::Fault& fault) const {
    return schedule_.empty() || (fault.kind == fault_.kind && fault.loc == fault_.loc);
  }

  static Size size_of(const execution::Run& run) {
    std::size_t switches = 0;
    std::size_t delay = 0;
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      if (i > 0 && run.steps[i].transition.thread != run.steps[i - 1].transition.thread)
        ++switches;
      if (run.steps[i].flushes)
        delay += i - *run.steps[i].flushes;
    }
    return {switches, run.steps.size(), delay};
  }

  [[nodiscard]] bool is_over() const { return effort_ >= kEffort || budget_.exhausted(0); }

  bool take_if_smaller(const Items& items) {
    if (is_over())
      return false;
    effort_ += items.size() / 64; // to make them
    std::optional<Candidate> candidate = attempt(items);
    if (!candidate || !(candidate->size < best_.size))
      return false;
    best_ = std::move(*candidate);
    return true;
  }

  /// Leaves out runs of transitions, large ones first.
  bool drop_chunks() {
    bool improved = false;
    for (std::size_t length = std::max<std::size_t>(1, best_.items.size() / 2); length > 0;
         length /= 2) {
      for (std::size_t from = 0; from < best_.items.size() && !is_over();) {
        Items fewer = best_.items;
        const std::size_t to = std::min(from + length, fewer.size());
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(from),
                    fewer.begin() + static_cast<std::ptrdiff_t>(to));
        if (take_if_smaller(fewer))
          improved = true;
        else
          from += length;
      }
    }
    return improved;
  }

  struct Block {
    std::size_t from = 0;
    std::size_t to = 0; // one past
  };
  [[nodiscard]] std::vector<Block> blocks() const {
    std::vector<Block> found;
    for (std::size_t i = 0; i < best_.items.size(); ++i) {
      if (i == 0 || best_.items[i].transition.thread != best_.items[i - 1].transition.thread)
        found.push_back({i, i});
      found.back().to = i + 1;
    }
    return found;
  }

  /// Moves a block of one thread's transitions next to that thread's previous or following block.
  bool join_blocks() {
    bool improved = false;
    for (bool again = true; again && !is_over();) {
      again = false;
      const std::vector<Block> all = blocks();
      for (std::size_t later = 1; later < all.size() && !again; ++later) {
        const program::ThreadIndex thread = best_.items[all[later].from].transition.thread;
        for (std::size_t earlier = later; earlier-- > 0;) {
          if (best_.items[all[earlier].from].transition.thread != thread)
            continue;
          again = take_if_smaller(moved(all[later].from, all[later].to, all[earlier].to)) ||
                  take_if_smaller(moved(all[earlier].from, all[earlier].to, all[later].from));
          break;
        }
      }
      improved = improved || again;
    }
    return improved;
  }

  /// Moves each flush right behind its store, or as early as it makes the run smaller.
  bool flush_early() {
    bool improved = false;
    for (std::size_t i = 0; i < best_.items.size() && !is_over(); ++i) {
      const Item item = best_.items[i];
      if (item.transition.kind != Transition::Kind::kFlush)
        continue;
      for (std::size_t place = 0; place < i; ++place) {
        if (best_.items[place].transition.thread == item.transition.thread &&
            take_if_smaller(moved(i, i + 1, place + 1))) {
          improved = true;
          break;
        }
      }
    }
    return improved;
  }

  /// The items with [from, to) taken out and put back before what stood at `place`.
  [[nodiscard]] Items moved(std::size_t from, std::size_t to, std::size_t place) const {
    Items items = best_.items;
    const auto at = [&items](std::size_t i) {
      return items.begin() + static_cast<std::ptrdiff_t>(i);
    };
    if (place <= from)
      std::rotate(at(place), at(from), at(to));
    else
      std::rotate(at(from), at(to), at(place));
    return items;
  }

  Ground ground_;
  spec::Property property_;
  verdict::ViolationKind claim_;
  Candidate best_;
  Schedule schedule_;
  program::Fault fault_;
  std::uint64_t effort_ = 0;
  const Budget& budget_;
  BudgetWatch watch_;
};

} // namespace

verdict::Violation
minimise(const spec::Task& task, verdict::Violation violation, const Budget& budget) {
  if (violation.execution)
    return violation; // of a solver; nothing of it is a schedule
  verdict::Violation smaller = Minimiser(task, violation, budget).run(violation);
  if (violation.run && smaller.schedule == violation.schedule)
    return violation;
  Result<verdict::Violation> confirmed = confirm(task, std::move(smaller));
  return confirmed ? std::move(*confirmed) : violation;
}

} // namespace heddle::check
