// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which values a term can have: an unsigned interval, a signed interval and known bits, kept in
// step with each other. Bit-blasting uses it to leave out bits that are constant or copies of the
// sign. The ranges of variables come from the caller; for variables that are reads of memory
// `flow_ranges` finds them from the values of the writes each read may see.
#pragma once

#include "logic/term.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::logic {

/// A set of values of one width: those that satisfy all three descriptions. The functions here make
/// each description as tight as the others allow. A Bool counts as a vector of one bit.
struct Range {
  std::uint8_t width = 1;
  std::uint64_t min = 0;
  std::uint64_t max = 1;
  std::int64_t signed_min = -1;
  std::int64_t signed_max = 0;
  std::uint64_t zeros = 0; // bits that are 0 in every value
  std::uint64_t ones = 0;  // bits that are 1 in every value

  [[nodiscard]] static Range full(unsigned width);
  [[nodiscard]] static Range constant(std::uint64_t value, unsigned width);
  [[nodiscard]] static Range of_unsigned(std::uint64_t min, std::uint64_t max, unsigned width);
  [[nodiscard]] static Range of_signed(std::int64_t min, std::int64_t max, unsigned width);
  [[nodiscard]] static Range of_bits(std::uint64_t zeros, std::uint64_t ones, unsigned width);

  /// The same values, tight; any value if the descriptions contradict each other.
  [[nodiscard]] Range tightened() const;
  [[nodiscard]] bool contains(std::uint64_t value) const;
  [[nodiscard]] bool is_constant() const { return min == max; }
  /// Values are below 2^n; at least 0.
  [[nodiscard]] unsigned unsigned_width() const;
  /// Values are in [-2^(n-1), 2^(n-1)): bits n-1 and above are equal; at least 1.
  [[nodiscard]] unsigned signed_width() const;

  constexpr bool operator==(const Range&) const = default;
};

/// Contains the values of both.
[[nodiscard]] Range hull(const Range& a, const Range& b);
/// Contains the values in both; if none is, nothing.
[[nodiscard]] std::optional<Range> meet(const Range& a, const Range& b);

/// Contains apply(op, …) of all values of the arguments' ranges.
[[nodiscard]] Range apply_range(
    Op op, Sort result, Sort argument, std::uint64_t value, std::span<const Range> arguments);

/// Asked once for each variable, when it is first met; nothing: any value. It may ask the analysis
/// it belongs to about other terms (a read: the hull of the values of the writes before it), as
/// long as no variable is asked for its own sake; each variable on the way is one nested call, so
/// long chains are asked from their start. Where reads and writes depend on each other in cycles,
/// `flow_ranges` has the answers.
using VariableRanges = std::function<std::optional<Range>(Term variable)>;

/// Ranges of the terms of one store, each computed once. The store must outlive it.
class RangeAnalysis {
public:
  explicit RangeAnalysis(const TermStore& store, VariableRanges variables = {})
      : store_(store), variables_(std::move(variables)) {}
  [[nodiscard]] const Range& range(Term term);

private:
  const TermStore& store_;
  VariableRanges variables_;
  std::unordered_map<Term, Range> known_;
};

/// A variable that takes its value from one of some terms: a read and the values of the writes that
/// may come before it.
struct Flow {
  Term variable;
  std::vector<Term> sources;
  /// The most variables, this one included, that follow each other in an execution by "takes its
  /// value from a term that contains" and end here. Never more than there are flows.
  std::size_t longest_chain = ~std::size_t{0};
};

/// What is known of the conditions of choices. Arbitrary: either branch may be taken, whatever the
/// ranges say, because what a condition contains may take its value from what it decides.
enum class Conditions : std::uint8_t { kKnown, kArbitrary };

/// The ranges of the flows' variables in executions of which this holds:
/// - "takes its value from a term that contains" is acyclic between the variables (kArbitrary:
///   contains in branches that are taken, not in conditions), and the longest chains are as stated;
/// - a term from which a variable takes its value contains reads that are not executed only in
///   branches of choices and in parts of conjunctions and disjunctions, and they do not matter
///   there. What such reads themselves are given is nothing the ranges speak of.
/// The order is what bounds values around static cycles: two threads that add to each other's
/// counters n times cannot count further than 2 n steps take them. A variable that cannot get a
/// value (no sources, or none that starts) has no range in the result. `others` gives the ranges of
/// variables that are no flow's.
[[nodiscard]] std::unordered_map<Term, Range>
flow_ranges(const TermStore& store,
            std::span<const Flow> flows,
            const VariableRanges& others = {},
            Conditions conditions = Conditions::kKnown);

} // namespace heddle::logic
