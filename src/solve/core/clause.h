// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Clauses of the core, one after another in one block of words. A clause is named by its offset; a
// reference into the block dies with the next allocation.
#pragma once

#include "logic/literal.h"
#include "support/check.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::solve::core {

using logic::Literal;
using logic::Variable;

using ClauseRef = std::uint32_t;
inline constexpr ClauseRef kMaxClauseRef = 0x7fffffffU; // one bit is left for the watches
inline constexpr ClauseRef kNoClause = 0xffffffffU;
inline constexpr ClauseRef kTheoryClause = 0xfffffffeU; // a reason the theory gives when asked

/// The literals follow the header.
struct Clause {
  std::uint32_t size;
  std::uint32_t redundant : 1;
  std::uint32_t garbage : 1;
  std::uint32_t ephemeral : 1; // the reason of one assignment, not watched
  std::uint32_t locked : 1;    // the reason of an assignment, during a collection
  std::uint32_t moved : 1;     // during a collection; `position` says where to
  std::uint32_t vivified : 1;  // tried since it was made or last changed
  std::uint32_t subsumed : 1;  // tried as a subsuming clause since it was made or last changed
  std::uint32_t used : 2;      // counts down from the last use in a conflict
  std::uint32_t glue : 23;     // levels when learnt, or fewer when met again
  std::uint32_t position;      // where the search for a literal to watch goes on (Gent, 2013)

  void set_glue(std::size_t value) {
    constexpr std::uint32_t kLargest = (1U << 23U) - 1;
    glue = static_cast<std::uint32_t>(value < kLargest ? value : kLargest) & kLargest;
  }
  void set_used(std::uint32_t value) { used = value & 3U; }

  [[nodiscard]] Literal* begin() { return reinterpret_cast<Literal*>(this + 1); }
  [[nodiscard]] Literal* end() { return begin() + size; }
  [[nodiscard]] const Literal* begin() const { return reinterpret_cast<const Literal*>(this + 1); }
  [[nodiscard]] const Literal* end() const { return begin() + size; }
  [[nodiscard]] std::span<const Literal> literals() const { return {begin(), size}; }
};
static_assert(sizeof(Clause) == 3 * sizeof(std::uint32_t));
static_assert(sizeof(Literal) == sizeof(std::uint32_t));

class Arena {
public:
  [[nodiscard]] Clause& operator[](ClauseRef ref) {
    return *reinterpret_cast<Clause*>(words_.data() + ref);
  }
  [[nodiscard]] const Clause& operator[](ClauseRef ref) const {
    return *reinterpret_cast<const Clause*>(words_.data() + ref);
  }

  [[nodiscard]] static std::size_t words_of(std::size_t size) { return kHeaderWords + size; }
  [[nodiscard]] ClauseRef allocate(std::span<const Literal> literals) {
    const std::size_t ref = words_.size();
    HEDDLE_CHECK(ref + words_of(literals.size()) < kMaxClauseRef, "too many clauses");
    words_.resize(ref + words_of(literals.size()));
    Clause& clause = (*this)[static_cast<ClauseRef>(ref)];
    clause = Clause{};
    clause.size = static_cast<std::uint32_t>(literals.size());
    clause.position = 2;
    for (std::size_t i = 0; i < literals.size(); ++i)
      clause.begin()[i] = literals[i];
    return static_cast<ClauseRef>(ref);
  }

  void reserve(std::size_t words) { words_.reserve(words); }
  [[nodiscard]] std::size_t words() const { return words_.size(); }
  [[nodiscard]] std::size_t bytes() const { return words_.capacity() * sizeof(std::uint32_t); }

private:
  static constexpr std::size_t kHeaderWords = sizeof(Clause) / sizeof(std::uint32_t);
  std::vector<std::uint32_t> words_;
};

/// An entry of the list of a literal: to be looked at when that literal becomes false. Clauses of
/// two literals are not looked into: the blocker is the other literal.
struct Watch {
  Literal blocker;
  std::uint32_t packed;

  Watch(Literal other, ClauseRef ref, bool binary)
      : blocker(other), packed((ref << 1U) | (binary ? 1U : 0U)) {}
  [[nodiscard]] bool is_binary() const { return (packed & 1U) != 0; }
  [[nodiscard]] ClauseRef ref() const { return packed >> 1U; }
};

} // namespace heddle::solve::core
