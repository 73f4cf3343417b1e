// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory in terms, without a sort for it: an array is a symbol of which nothing is known, or one
// value everywhere, under guarded stores and choices between arrays. `select` rewrites all of that
// away and gives a term; what is left are elements of symbols, each of which is a variable, with a
// table beside them that says which element it is. That two of them are equal where their indices
// are (congruence) is not said here: who asks a solver adds it for the pairs that matter
// (solve/terms.h). Rewriting stores and choices follows the axioms of arrays (McCarthy, "Towards a
// mathematical science of computation", 1962).
//
// Not for equality of arrays. That two arrays differ is said with an index of one's own:
// `select(a, k) != select(b, k)`.
#pragma once

#include "logic/term.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::logic {

/// Two arrays that are made in the same way are one.
using Array = Id<struct ArrayTag>;

struct ArraySort {
  Sort index;
  Sort value;
  constexpr auto operator<=>(const ArraySort&) const = default;
};

/// The variable that stands for an element of a symbol. The index was made before the variable, and
/// may contain variables that are elements themselves.
struct Select {
  Array symbol;
  Term index;
  Term variable;
};

class Arrays {
public:
  /// Makes a variable that nothing else uses.
  using Fresh = std::function<Term(Sort sort)>;

  /// The store outlives it.
  Arrays(TermStore& terms, Fresh fresh);

  /// Nothing is known of it; another one each time.
  [[nodiscard]] Array symbol(ArraySort sort);
  /// Every element has the value.
  [[nodiscard]] Array constant(Sort index, Term value);
  /// The array with the value at the index where the condition holds, else the array.
  [[nodiscard]] Array store(Array array, Term index, Term value, Term when);
  [[nodiscard]] Array store(Array array, Term index, Term value) {
    return store(array, index, value, terms_.boolean(true));
  }
  /// Of one sort.
  [[nodiscard]] Array ite(Term condition, Array a, Array b);

  [[nodiscard]] ArraySort sort(Array array) const { return nodes_[array].sort; }
  [[nodiscard]] Term select(Array array, Term index);

  /// All elements of symbols that were ever selected, oldest first.
  [[nodiscard]] std::span<const Select> selects() const { return selects_; }
  /// Null for terms that are no element.
  [[nodiscard]] const Select* select_of(Term variable) const;

  /// What stands for a variable, or for a symbol; one that is not valid: itself.
  using Replacement = std::function<Term(std::uint64_t number, Sort sort)>;
  using SymbolReplacement = std::function<Array(Array symbol)>;
  /// The term with variables and symbols replaced at once, also in the indices of elements. The
  /// replacement is not asked about elements.
  [[nodiscard]] Term
  substitute(Term term, const Replacement& variables, const SymbolReplacement& symbols = {});

private:
  struct ArrayNode {
    enum class Kind : std::uint8_t { kSymbol, kConstant, kStore, kIte };
    Kind kind = Kind::kSymbol;
    ArraySort sort;
    Array base = {};     // of a store; of a choice, where the condition holds
    Array other = {};    // of a choice, where it does not
    Term condition = {}; // of a store, a choice
    Term index = {};     // of a store
    Term value = {};     // of a store, a constant
    auto operator<=>(const ArrayNode&) const = default;
  };

  [[nodiscard]] Array made(const ArrayNode& node);
  /// Invalid as long as one of `missing`, which it is made of, has not been selected from.
  [[nodiscard]] Term select_from(Array array, Term index, std::vector<Array>& missing);
  [[nodiscard]] Term element(Array symbol, Term index);
  [[nodiscard]] const Select* find(std::uint64_t number, Sort sort) const;
  /// The elements in the term, and in indices of those: into selects_, oldest first.
  [[nodiscard]] std::vector<std::size_t> elements_in(Term term) const;

  TermStore& terms_;
  Fresh fresh_;
  IdVector<Array, ArrayNode> nodes_;
  std::map<ArrayNode, Array> known_; // but for symbols
  std::vector<Select> selects_;
  std::unordered_map<std::uint64_t, std::size_t> by_number_; // of variables, into selects_
  std::map<std::pair<Array, Term>, Term> selected_;          // by array and index
};

} // namespace heddle::logic
