// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/growing.h"

#include "driver/pipeline/abstraction.h"
#include "transform/basic/unroll.h"
#include "verdict/settle.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace heddle::driver {

namespace {

constexpr std::uint64_t kFirstRounds = 2;
constexpr std::uint64_t kFirstUnwind = 2;
constexpr std::uint64_t kFirstCells = 32;
constexpr std::uint64_t kFirstAllocations = 4;

/// Where growing ends.
struct Most {
  std::uint64_t rounds = 16;
  std::uint64_t unwind = 64;
  std::uint64_t writes = 64;
  std::uint64_t queue = 16;
  std::uint64_t clock = 128;
  std::uint64_t cells = 1024;
  std::uint64_t allocations = 256;
};
/// Time ends it, or the size of the program.
constexpr std::uint64_t kAny = std::uint64_t{1} << 31U;
constexpr Most kWithLimitOfTime{kAny, kAny, kAny, kAny, kAny, kAny, kAny};

bool chooses_unwind(const Options& options) {
  return options.unwind == 0 && options.unwind_loops.empty();
}

/// Engines name what cut one run, and another may have been cut by something else: where that
/// cannot grow, what an abstraction has left open does, a little.
Options with_open_bounds_grown(const Options& asked, const Options& last) {
  constexpr Most kMost;
  Options next = last;
  if (asked.rounds == 0 && last.via == "lazy" && last.rounds < kMost.rounds / 4)
    ++next.rounds;
  if (asked.writes == 0 && last.via == "eager" && last.writes < kMost.writes / 4)
    ++next.writes;
  if (asked.queue == 0 && last.via == "lazy" && last.sma != "sc" && last.queue < kMost.queue / 4)
    ++next.queue;
  const bool has_clock = last.sma.starts_with("e") || last.sma.starts_with("imu");
  if (asked.clock == 0 && has_clock && last.clock < kMost.clock / 8)
    ++next.clock;
  return next;
}

/// Nothing if what cut the runs cannot grow.
std::optional<Options> next_bounds(const Options& asked,
                                   const Options& last,
                                   const std::vector<std::string>& cut,
                                   const Most& most) {
  Options next = last;
  const auto is_cut_by = [&](std::string_view what) {
    return std::ranges::any_of(
        cut, [&](const std::string& bound) { return bound.find(what) != std::string::npos; });
  };
  if (asked.rounds == 0 && is_cut_by(" rounds of ") && last.rounds < most.rounds)
    ++next.rounds;
  if (chooses_unwind(asked) && (is_cut_by("unrolled") || is_cut_by("recursion of")) &&
      last.unwind < most.unwind)
    next.unwind = last.unwind == kFirstUnwind ? 3 : last.unwind * 2;
  if (asked.writes == 0 && is_cut_by("--writes ") && last.writes < most.writes)
    next.writes += std::max<std::uint64_t>(1, last.writes / 3);
  if (asked.queue == 0 && is_cut_by("--queue ") && last.queue < most.queue)
    ++next.queue;
  if (asked.clock == 0 && is_cut_by("--clock ") && last.clock < most.clock)
    next.clock += std::max<std::uint64_t>(1, last.clock / 2);
  if (asked.cells == 0 && is_cut_by("--cells ") && last.cells < most.cells)
    next.cells *= 2;
  if (asked.allocations == 0 && is_cut_by("--allocations ") && last.allocations < most.allocations)
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
std::optional<std::vector<std::string>> cut_by(const verdict::Verdict& verdict) {
  if (const auto* holds = std::get_if<verdict::HoldsWithinBounds>(&verdict.answer))
    return holds->bounds();
  const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
  if (outcomes == nullptr || outcomes->complete)
    return std::nullopt;
  std::vector<std::string> cut;
  for (const Approximation& approximation : verdict.approximations)
    if (approximation.kind == Approximation::Kind::kUnder)
      cut.push_back(approximation.what);
  return cut;
}

/// Is the program too large with these bounds, and nothing else? Other refusals are the answer.
bool is_about_size(const Error& error) {
  return transform::is_too_large(error) || error.kind == ErrorKind::kUsage ||
         error.code == "SEQ-014" || error.code == "SEQ-018"; // steps; cells of an abstraction
}

/// Why bounds do not grow any more is told where something holds within them.
void tell_end(verdict::Verdict& verdict, verdict::Unknown why) {
  if (const auto* holds = std::get_if<verdict::HoldsWithinBounds>(&verdict.answer))
    verdict.answer = verdict::within_bounds(holds->bounds(), std::move(why));
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
  using verdict::Unknown;
  Options bounds = first_bounds(options);
  auto answered = answer(asked, bounds, prepared, budget, listener);
  while (answered) {
    auto* verdict = std::get_if<verdict::Verdict>(&*answered);
    const std::optional<std::vector<std::string>> cut =
        verdict == nullptr ? std::nullopt : cut_by(*verdict);
    if (!cut)
      break;
    if (const std::optional<Exhausted> what = budget.exhausted(0)) {
      tell_end(*verdict, verdict::out_of(*what));
      break;
    }
    const std::optional<Options> next =
        next_bounds(options, bounds, *cut, options.time > 0 ? kWithLimitOfTime : Most());
    if (!next) {
      if (options.time <= 0)
        tell_end(*verdict, {Unknown::Reason::kUnsupported, "without --time bounds end here", ""});
      break;
    }
    if (listener.established)
      listener.established(*verdict, prepared.ground());
    Result<Prepared> again = prepare(prepared.module, asked, *next, budget, listener);
    if (const std::optional<Exhausted> what = budget.exhausted(0); !again && what) {
      tell_end(*verdict, verdict::out_of(*what));
      break;
    }
    if (!again && is_about_size(again.error())) {
      tell_end(*verdict, {Unknown::Reason::kUnsupported, again.error().message, ""});
      break;
    }
    if (!again) {
      verdict->answer = verdict::refused(
          {Unknown::Reason::kRefused, again.error().to_string(), "smaller bounds"}, *cut);
      break;
    }
    auto more = answer(asked, *next, *again, budget, listener);
    const auto* found = more ? std::get_if<verdict::Verdict>(&*more) : nullptr;
    if (found != nullptr && std::holds_alternative<Unknown>(found->answer)) {
      if (const std::optional<Exhausted> what = budget.exhausted(0)) {
        tell_end(*verdict, verdict::out_of(*what));
        break;
      }
    }
    bounds = *next;
    prepared = std::move(*again);
    answered = std::move(more);
  }
  return answered;
}

} // namespace heddle::driver
