// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random arrays and terms over them, each with what it is in a concrete state: plain lists of
// values, made by steps that know nothing of how arrays are rewritten. Indices and values have two
// bits, so that what was read can be an index, and all states can be gone through.
#pragma once

#include "logic/arrays.h"
#include "support/rng.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace heddle::logic::test {

constexpr unsigned kWidth = 2;
constexpr std::size_t kCells = 1U << kWidth;
using Cells = std::array<std::uint64_t, kCells>;

/// What variables and symbols are, in the order in which they were made.
struct ConcreteState {
  std::vector<std::uint64_t> vectors;
  std::vector<std::uint64_t> bools;
  std::vector<Cells> symbols;
};

class RandomArrays {
public:
  RandomArrays(Rng& rng, std::size_t vectors, std::size_t bools, std::size_t symbols)
      : rng_(rng), sizes_{vectors, bools, symbols},
        arrays_(terms_, [this](Sort sort) { return terms_.variable(next_++, sort); }) {
    for (std::size_t i = 0; i < vectors; ++i)
      add_vector(terms_.variable(next_++, Sort{kWidth}),
                 [i](const Values& all) { return all.state->vectors[i]; });
    for (std::size_t i = 0; i < bools; ++i)
      add_bool(terms_.variable(next_++, Sort{}),
               [i](const Values& all) { return all.state->bools[i]; });
    for (std::size_t i = 0; i < symbols; ++i) {
      symbols_.push_back(arrays_.symbol({Sort{kWidth}, Sort{kWidth}}));
      add_array(symbols_.back(), [i](const Values& all) { return all.state->symbols[i]; });
    }
    add_constant();
  }
  RandomArrays(const RandomArrays&) = delete;
  RandomArrays& operator=(const RandomArrays&) = delete;

  void add_steps(std::size_t count) {
    for (; count > 0; --count)
      switch (rng_.below(8)) {
      case 0:
        add_constant();
        break;
      case 1:
        add_operation();
        break;
      case 2:
        add_comparison();
        break;
      case 3:
        add_constant_array();
        break;
      case 4:
        add_choice();
        break;
      case 5:
        add_select();
        break;
      default:
        add_store();
        break;
      }
  }
  void add_select() {
    const std::size_t of = rng_.below(array_terms_.size());
    const std::size_t at = rng_.below(vector_terms_.size());
    add_vector(arrays_.select(array_terms_[of], vector_terms_[at]),
               [of, at](const Values& all) { return all.arrays[of][all.vectors[at]]; });
  }
  void add_comparison() {
    const std::size_t a = rng_.below(vector_terms_.size());
    const std::size_t b = rng_.below(vector_terms_.size());
    if (rng_.chance(1, 2))
      add_bool(terms_.binary(Op::kULt, vector_terms_[a], vector_terms_[b]),
               [a, b](const Values& all) { return all.vectors[a] < all.vectors[b] ? 1U : 0U; });
    else if (rng_.chance(1, 2))
      add_bool(terms_.equal(vector_terms_[a], vector_terms_[b]),
               [a, b](const Values& all) { return all.vectors[a] == all.vectors[b] ? 1U : 0U; });
    else
      add_bool(terms_.not_(terms_.equal(vector_terms_[a], vector_terms_[b])),
               [a, b](const Values& all) { return all.vectors[a] == all.vectors[b] ? 0U : 1U; });
  }

  struct Values {
    const ConcreteState* state = nullptr;
    std::vector<std::uint64_t> vectors;
    std::vector<std::uint64_t> bools;
    std::vector<Cells> arrays;
  };
  /// What every term and array made so far is in the state.
  [[nodiscard]] Values values(const ConcreteState& state) const {
    Values all{.state = &state, .vectors = {}, .bools = {}, .arrays = {}};
    for (const auto& step : steps_)
      step(all);
    return all;
  }

  [[nodiscard]] ConcreteState random_state() {
    ConcreteState state;
    for (std::size_t i = 0; i < sizes_.vectors; ++i)
      state.vectors.push_back(rng_.below(kCells));
    for (std::size_t i = 0; i < sizes_.bools; ++i)
      state.bools.push_back(rng_.below(2));
    for (std::size_t i = 0; i < sizes_.symbols; ++i) {
      state.symbols.emplace_back();
      for (std::uint64_t& cell : state.symbols.back())
        cell = rng_.below(kCells);
    }
    return state;
  }
  void for_each_state(const std::function<void(const ConcreteState&)>& visit) const {
    const std::size_t bits =
        kWidth * sizes_.vectors + sizes_.bools + kWidth * kCells * sizes_.symbols;
    for (std::uint64_t number = 0; number < std::uint64_t{1} << bits; ++number) {
      std::uint64_t rest = number;
      const auto take = [&](unsigned width) {
        const std::uint64_t value = rest & mask_of(width);
        rest >>= width;
        return value;
      };
      ConcreteState state;
      for (std::size_t i = 0; i < sizes_.vectors; ++i)
        state.vectors.push_back(take(kWidth));
      for (std::size_t i = 0; i < sizes_.bools; ++i)
        state.bools.push_back(take(1));
      for (std::size_t i = 0; i < sizes_.symbols; ++i) {
        state.symbols.emplace_back();
        for (std::uint64_t& cell : state.symbols.back())
          cell = take(kWidth);
      }
      visit(state);
    }
  }

  [[nodiscard]] TermStore& terms() { return terms_; }
  [[nodiscard]] Arrays& arrays() { return arrays_; }
  [[nodiscard]] const std::vector<Term>& vectors() const { return vector_terms_; }
  [[nodiscard]] const std::vector<Term>& bools() const { return bool_terms_; }
  [[nodiscard]] const std::vector<Array>& all_arrays() const { return array_terms_; }
  [[nodiscard]] const std::vector<Array>& symbols() const { return symbols_; }

private:
  using Scalar = std::function<std::uint64_t(const Values& all)>;
  struct Sizes {
    std::size_t vectors;
    std::size_t bools;
    std::size_t symbols;
  };

  void add_vector(Term term, Scalar value) {
    vector_terms_.push_back(term);
    steps_.push_back(
        [value = std::move(value)](Values& all) { all.vectors.push_back(value(all)); });
  }
  void add_bool(Term term, Scalar value) {
    bool_terms_.push_back(term);
    steps_.push_back([value = std::move(value)](Values& all) { all.bools.push_back(value(all)); });
  }
  void add_array(Array array, std::function<Cells(const Values& all)> value) {
    array_terms_.push_back(array);
    steps_.push_back([value = std::move(value)](Values& all) { all.arrays.push_back(value(all)); });
  }

  void add_constant() {
    const std::uint64_t value = rng_.below(kCells);
    add_vector(terms_.constant(value, kWidth), [value](const Values&) { return value; });
  }
  void add_operation() {
    const std::size_t a = rng_.below(vector_terms_.size());
    const std::size_t b = rng_.below(vector_terms_.size());
    const bool adds = rng_.chance(1, 2);
    add_vector(terms_.binary(adds ? Op::kAdd : Op::kBitXor, vector_terms_[a], vector_terms_[b]),
               [a, b, adds](const Values& all) {
                 return (adds ? all.vectors[a] + all.vectors[b] : all.vectors[a] ^ all.vectors[b]) %
                        kCells;
               });
  }
  void add_constant_array() {
    const std::size_t of = rng_.below(vector_terms_.size());
    add_array(arrays_.constant(Sort{kWidth}, vector_terms_[of]), [of](const Values& all) {
      Cells cells;
      cells.fill(all.vectors[of]);
      return cells;
    });
  }
  void add_choice() {
    if (bool_terms_.empty())
      return;
    const std::size_t when = rng_.below(bool_terms_.size());
    const std::size_t a = rng_.below(array_terms_.size());
    const std::size_t b = rng_.below(array_terms_.size());
    add_array(arrays_.ite(bool_terms_[when], array_terms_[a], array_terms_[b]),
              [when, a, b](const Values& all) { return all.arrays[all.bools[when] != 0 ? a : b]; });
  }
  void add_store() {
    const std::size_t of = rng_.below(array_terms_.size());
    const std::size_t at = rng_.below(vector_terms_.size());
    const std::size_t what = rng_.below(vector_terms_.size());
    const bool is_guarded = !bool_terms_.empty() && rng_.chance(1, 2);
    const std::size_t when = is_guarded ? rng_.below(bool_terms_.size()) : 0;
    add_array(is_guarded
                  ? arrays_.store(
                        array_terms_[of], vector_terms_[at], vector_terms_[what], bool_terms_[when])
                  : arrays_.store(array_terms_[of], vector_terms_[at], vector_terms_[what]),
              [of, at, what, is_guarded, when](const Values& all) {
                Cells cells = all.arrays[of];
                if (!is_guarded || all.bools[when] != 0)
                  cells[all.vectors[at]] = all.vectors[what];
                return cells;
              });
  }

  Rng& rng_;
  Sizes sizes_;
  std::uint64_t next_ = 0;
  TermStore terms_;
  Arrays arrays_;
  std::vector<Term> vector_terms_;
  std::vector<Term> bool_terms_;
  std::vector<Array> array_terms_;
  std::vector<Array> symbols_;
  std::vector<std::function<void(Values&)>> steps_;
};

} // namespace heddle::logic::test
