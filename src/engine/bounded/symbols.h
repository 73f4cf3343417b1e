// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Names that stay the same when a program is walked again with larger bounds: which turn of which
// loop in which call something happens in, the variables chosen there, the places of blocks. So
// what was translated for the smaller bounds is found again, and the solver keeps what it learnt.
#pragma once

#include "logic/range.h"
#include "logic/term.h"
#include "program/model/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace heddle::engine::bounded {

using logic::Term;

class Symbols {
public:
  using Context = std::uint32_t;
  static constexpr Context kOutermost = 0;
  static constexpr Context kBeforeAll = ~Context{0}; // of what memory holds at first

  /// The n-th time that something (a loop by its head, a call by its edge) is entered in a context.
  [[nodiscard]] Context inner(Context outer, std::uint64_t what, std::uint64_t count) {
    const auto next = static_cast<Context>(contexts_.size() + 1);
    return contexts_.try_emplace(std::tuple{outer, what, count}, next).first->second;
  }

  /// What is chosen at an edge in a context; `which` tells several choices there apart.
  [[nodiscard]] Term variable(logic::TermStore& terms,
                              Context context,
                              std::uint64_t what,
                              std::uint64_t which,
                              unsigned width) {
    const auto next = kFirstVariable + variables_.size();
    const std::uint64_t number =
        variables_.try_emplace(std::tuple{context, what, which, width}, next).first->second;
    return terms.variable(number, logic::Sort{static_cast<std::uint8_t>(width)});
  }

  /// The first of so many units that belong to the allocation at an edge in a context, or nothing
  /// if there are none left.
  [[nodiscard]] std::optional<std::uint64_t>
  units(Context context, std::uint64_t what, bool is_heap, std::uint64_t count) {
    using program::AddressSpace;
    constexpr std::uint64_t kFrames = AddressSpace::kFrameUnitsPerThread * program::kMaxThreads;
    constexpr std::uint64_t kHeap = AddressSpace::kHeapUnitsPerThread * program::kMaxThreads;
    const auto found = units_.find(std::tuple{context, what, count});
    if (found != units_.end())
      return found->second;
    std::uint64_t& used = is_heap ? heap_units_ : frame_units_;
    if (used + count > (is_heap ? kHeap : kFrames))
      return std::nullopt;
    const std::uint64_t first =
        (is_heap ? AddressSpace::kFirstHeapUnit : AddressSpace::kFirstFrameUnit) + used;
    used += count;
    units_.emplace(std::tuple{context, what, count}, first);
    return first;
  }

  /// Promises that the variable is in a range, from the start.
  void restrict(Term variable, const logic::Range& range) {
    if (ranges_.try_emplace(variable, range).second)
      restricted_.push_back(variable);
  }
  /// All that have a range, oldest first.
  [[nodiscard]] const std::vector<Term>& restricted() const { return restricted_; }
  [[nodiscard]] std::optional<logic::Range> range(Term variable) const {
    const auto found = ranges_.find(variable);
    return found == ranges_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  /// Beyond the numbers of locals (program/model/action.h).
  static constexpr std::uint64_t kFirstVariable = 1ULL << 40U;

  std::map<std::tuple<Context, std::uint64_t, std::uint64_t>, Context> contexts_;
  std::map<std::tuple<Context, std::uint64_t, std::uint64_t, unsigned>, std::uint64_t> variables_;
  std::map<std::tuple<Context, std::uint64_t, std::uint64_t>, std::uint64_t> units_;
  std::unordered_map<Term, logic::Range> ranges_;
  std::vector<Term> restricted_;
  std::uint64_t frame_units_ = 0;
  std::uint64_t heap_units_ = 0;
};

} // namespace heddle::engine::bounded
