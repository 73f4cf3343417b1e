// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/growing.h"

#include "driver/abstraction.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace heddle::driver {

namespace {

constexpr std::uint64_t kFirstRounds = 2;
constexpr std::uint64_t kMostRounds = 16;
constexpr std::uint64_t kFirstUnwind = 2;
constexpr std::uint64_t kMostUnwind = 64;
constexpr std::uint64_t kMostWrites = 64;
constexpr std::uint64_t kMostQueue = 16;
constexpr std::uint64_t kMostClock = 128;
constexpr std::uint64_t kFirstCells = 32;
constexpr std::uint64_t kMostCells = 1024;
constexpr std::uint64_t kFirstAllocations = 4;
constexpr std::uint64_t kMostAllocations = 256;

bool chooses_unwind(const Options& options) {
  return options.unwind == 0 && options.unwind_loops.empty();
}

/// Engines name what cut one run, and another may have been cut by something else: where that
/// cannot grow, what an abstraction has left open does, a little.
Options with_open_bounds_grown(const Options& asked, const Options& last) {
  Options next = last;
  if (asked.rounds == 0 && last.via == "lazy" && last.rounds < kMostRounds / 4)
    ++next.rounds;
  if (asked.writes == 0 && last.via == "eager" && last.writes < kMostWrites / 4)
    ++next.writes;
  if (asked.queue == 0 && last.via == "lazy" && last.sma != "sc" && last.queue < kMostQueue / 4)
    ++next.queue;
  const bool has_clock = last.sma.starts_with("e") || last.sma.starts_with("imu");
  if (asked.clock == 0 && has_clock && last.clock < kMostClock / 8)
    ++next.clock;
  return next;
}

/// Nothing if what cut the runs cannot grow.
std::optional<Options>
next_bounds(const Options& asked, const Options& last, const verdict::HoldsWithinBounds& holds) {
  Options next = last;
  const auto is_cut_by = [&](std::string_view what) {
    return std::ranges::any_of(holds.bounds, [&](const std::string& bound) {
      return bound.find(what) != std::string::npos;
    });
  };
  if (asked.rounds == 0 && is_cut_by(" rounds of ") && last.rounds < kMostRounds)
    ++next.rounds;
  if (chooses_unwind(asked) && (is_cut_by("unrolled") || is_cut_by("recursion of")) &&
      last.unwind < kMostUnwind)
    next.unwind = last.unwind == kFirstUnwind ? 3 : last.unwind * 2;
  if (asked.writes == 0 && is_cut_by("--writes ") && last.writes < kMostWrites)
    next.writes += std::max<std::uint64_t>(1, last.writes / 3);
  if (asked.queue == 0 && is_cut_by("--queue ") && last.queue < kMostQueue)
    ++next.queue;
  if (asked.clock == 0 && is_cut_by("--clock ") && last.clock < kMostClock)
    next.clock += std::max<std::uint64_t>(1, last.clock / 2);
  if (asked.cells == 0 && is_cut_by("--cells ") && last.cells < kMostCells)
    next.cells *= 2;
  if (asked.allocations == 0 && is_cut_by("--allocations ") && last.allocations < kMostAllocations)
    next.allocations *= 2;
  const auto has_grown = [&] {
    return next.rounds != last.rounds || next.unwind != last.unwind || next.writes != last.writes ||
           next.queue != last.queue || next.clock != last.clock || next.cells != last.cells ||
           next.allocations != last.allocations;
  };
  if (!has_grown() && uses_abstraction(asked))
    next = with_open_bounds_grown(asked, last);
  return has_grown() ? std::optional(next) : std::nullopt;
}

/// What cut runs, if something did.
std::optional<verdict::HoldsWithinBounds> cut_by(const verdict::Verdict& verdict) {
  if (const auto* holds = std::get_if<verdict::HoldsWithinBounds>(&verdict.answer))
    return *holds;
  const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
  if (outcomes == nullptr || outcomes->complete)
    return std::nullopt;
  verdict::HoldsWithinBounds cut;
  for (const Approximation& approximation : verdict.approximations)
    if (approximation.kind == Approximation::Kind::kUnder)
      cut.bounds.push_back(approximation.what);
  return cut;
}

} // namespace

bool has_bounds_to_choose(const Options& options) {
  if (uses_abstraction(options) &&
      (options.writes == 0 || options.queue == 0 || options.clock == 0 || options.cells == 0 ||
       options.allocations == 0 || chooses_unwind(options)))
    return true;
  return options.via == "lazy" && (options.rounds == 0 || chooses_unwind(options));
}

Options first_bounds(const Options& options) {
  Options first = options;
  if (options.rounds == 0)
    first.rounds = kFirstRounds;
  if (chooses_unwind(options))
    first.unwind = kFirstUnwind;
  if (!uses_abstraction(options))
    return first;
  if (options.cells == 0)
    first.cells = kFirstCells;
  if (options.allocations == 0)
    first.allocations = kFirstAllocations;
  return with_abstraction_bounds(first, options.sma);
}

Result<std::variant<verdict::Verdict, Unconfirmed>> answer_growing(const Asked& asked,
                                                                   const Options& options,
                                                                   Prepared& prepared,
                                                                   const Budget& budget,
                                                                   const Listener& listener) {
  Options bounds = first_bounds(options);
  auto answered = answer(asked, bounds, prepared, budget, listener);
  while (answered) {
    const auto* verdict = std::get_if<verdict::Verdict>(&*answered);
    const std::optional<verdict::HoldsWithinBounds> holds =
        verdict == nullptr ? std::nullopt : cut_by(*verdict);
    if (!holds || budget.exhausted(0))
      break;
    const std::optional<Options> next = next_bounds(options, bounds, *holds);
    if (!next)
      break;
    Result<Prepared> again = prepare(prepared.module, asked, *next, budget, listener);
    if (!again)
      break; // too large: what smaller bounds have shown stands
    auto more = answer(asked, *next, *again, budget, listener);
    const auto* found = more ? std::get_if<verdict::Verdict>(&*more) : nullptr;
    if (found != nullptr && std::holds_alternative<verdict::Unknown>(found->answer) &&
        budget.exhausted(0))
      break;
    bounds = *next;
    prepared = std::move(*again);
    answered = std::move(more);
  }
  return answered;
}

} // namespace heddle::driver
