// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "export/halves.h"

#include "export/term_halves.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::exports {

namespace {

class Halving {
public:
  explicit Halving(System system)
      : system_(std::move(system)), terms_(system_.terms, [this](std::uint64_t number) {
          const VariableId high = high_of_[number];
          return Halves{value(VariableId{number}), value(high)};
        }) {}

  Result<System> run() {
    split_variables();
    split_arrays();
    for (std::size_t p = 0; p < system_.processes.size(); ++p) {
      process_ = static_cast<std::uint32_t>(p);
      for (std::vector<Step>& steps : system_.processes[p].locations)
        for (Step& step : steps) {
          rewrite(step);
          if (terms_.has_failed())
            return refuse(system_,
                          step,
                          "EXP-030",
                          "a division of numbers of more than 32 bits; --data-model ILP32 makes "
                          "pointers and long narrower");
        }
    }
    return std::move(system_);
  }

private:
  [[nodiscard]] Term value(VariableId variable) {
    return system_.terms.variable(variable.value, logic::Sort{system_.variables[variable].width});
  }

  void split_variables() {
    const std::size_t count = system_.variables.size();
    high_of_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Variable low = system_.variables[VariableId{i}];
      if (low.width <= kHalfBits)
        continue;
      Variable high = low;
      high.name += "_high";
      high.width = static_cast<std::uint8_t>(low.width - kHalfBits);
      high_of_[i] = system_.variables.push_back(std::move(high));
      system_.variables[VariableId{i}].width = kHalfBits;
    }
  }
  void split_arrays() {
    const std::size_t count = system_.arrays.size();
    high_array_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      Array& low = system_.arrays[ArrayId{i}];
      if (low.width <= kHalfBits)
        continue;
      Array high = low;
      high.name += "_high";
      high.width = static_cast<std::uint8_t>(low.width - kHalfBits);
      for (std::uint64_t& one : high.initial)
        one >>= kHalfBits;
      low.width = kHalfBits;
      for (std::uint64_t& one : low.initial)
        one &= logic::mask_of(kHalfBits);
      high_array_[i] = system_.arrays.push_back(std::move(high));
    }
  }

  void rewrite(Step& step) {
    step.guard = terms_.narrow(step.guard);
    if (step.look) {
      step.look->index = terms_.narrow(step.look->index);
      // What is waited for are words of locks, of which there is no other half in a guard.
      const VariableId high = high_of_[step.look->as.index()];
      if (high.is_valid())
        HEDDLE_CHECK(!depends_on(step.guard, high), "a lock is a word of 32 bits");
    }
    step.effects = statements(step.effects);
  }

  [[nodiscard]] bool depends_on(Term term, VariableId variable) const {
    return std::ranges::binary_search(system_.terms.variables(term), variable.value);
  }
  [[nodiscard]] VariableId temporary() {
    return system_.variables.push_back(
        Variable{fmt::format("half_{}", system_.variables.size()), kHalfBits, process_, true});
  }

  Statements statements(const Statements& all) {
    Statements made;
    for (const Statement& statement : all)
      std::visit(Overloaded{
                     [&](const Set& one) { set(one, made); },
                     [&](const Get& one) { get(one, made); },
                     [&](const Put& one) {
                       const Term index = terms_.narrow(one.index);
                       const ArrayId high = high_array_[one.array.index()];
                       if (!high.is_valid()) {
                         made.push_back({Put{one.array, index, terms_.narrow(one.value)}});
                         return;
                       }
                       const Halves halves = terms_.halves(one.value);
                       made.push_back({Put{one.array, index, halves.low}});
                       made.push_back({Put{high, index, halves.high}});
                     },
                     [&](const Choose& one) {
                       made.push_back({one});
                       if (const VariableId high = high_of_[one.dest.index()]; high.is_valid())
                         made.push_back({Choose{high}});
                     },
                     [&](const If& one) {
                       made.push_back({If{
                           terms_.narrow(one.condition), statements(one.yes), statements(one.no)}});
                     },
                     [&](const Fail& one) { made.push_back({one}); },
                     [&](const Halt& one) { made.push_back({one}); },
                 },
                 statement.what);
    return made;
  }
  /// The second half must not see that the first has been set.
  void set(const Set& one, Statements& made) {
    const VariableId high = high_of_[one.dest.index()];
    if (!high.is_valid()) {
      made.push_back({Set{one.dest, terms_.narrow(one.value)}});
      return;
    }
    const Halves halves = terms_.halves(one.value);
    if (!depends_on(halves.low, high)) {
      made.push_back({Set{high, halves.high}});
      made.push_back({Set{one.dest, halves.low}});
      return;
    }
    const VariableId kept = temporary();
    made.push_back({Set{kept, halves.low}});
    made.push_back({Set{high, halves.high}});
    made.push_back({Set{one.dest, value(kept)}});
  }
  void get(const Get& one, Statements& made) {
    Term index = terms_.narrow(one.index);
    const VariableId high = high_of_[one.dest.index()];
    const ArrayId high_array = high_array_[one.array.index()];
    if (high.is_valid() && depends_on(index, high)) {
      const VariableId kept = temporary();
      made.push_back({Set{kept, index}});
      index = value(kept);
    }
    HEDDLE_CHECK(high.is_valid() == high_array.is_valid(),
                 "an array is as wide as what it goes to");
    if (high.is_valid())
      made.push_back({Get{high, high_array, index}});
    made.push_back({Get{one.dest, one.array, index}});
  }

  System system_;
  TermHalves terms_;
  std::vector<VariableId> high_of_; // by variable; none: it is not wide
  std::vector<ArrayId> high_array_; // by array
  std::uint32_t process_ = 0;
};

} // namespace

Result<System> in_halves(System system) {
  return Halving(std::move(system)).run();
}

} // namespace heddle::exports
