// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Terms over numbers of more than 32 bits as terms over their halves, for languages that have no
// such numbers. Exact for all operations but division, which there is none for.
#pragma once

#include "logic/term.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace heddle::exports {

using logic::Term;

inline constexpr unsigned kHalfBits = 32;

struct Halves {
  Term low;  // 32 bits
  Term high; // the others
};

class TermHalves {
public:
  /// `halves_of` has the two parts of a wide variable. Both outlive it.
  TermHalves(logic::TermStore& terms, std::function<Halves(std::uint64_t number)> halves_of)
      : terms_(terms), halves_of_(std::move(halves_of)) {}

  [[nodiscard]] bool is_wide(Term term) const { return terms_.sort(term).width > kHalfBits; }
  /// The same value without wide numbers in between; the term is not wide itself.
  [[nodiscard]] Term narrow(Term term);
  [[nodiscard]] Halves halves(Term term);
  /// Was there a division of wide numbers? Then what was made means nothing.
  [[nodiscard]] bool has_failed() const { return has_failed_; }

private:
  [[nodiscard]] Term make_narrow(Term term);
  [[nodiscard]] Halves make_halves(Term term);
  [[nodiscard]] Term bits(Term of, unsigned low, unsigned width);
  [[nodiscard]] Term compared(logic::Op op, Term a, Term b);
  [[nodiscard]] Term fitted(Term term, unsigned width);
  [[nodiscard]] Halves sum(const Halves& a, const Halves& b);
  [[nodiscard]] Halves difference(const Halves& a, const Halves& b);
  [[nodiscard]] Halves product(const Halves& a, const Halves& b);
  [[nodiscard]] Halves shifted(logic::Op op, const Halves& a, const Halves& by);
  [[nodiscard]] Halves concatenated(Term high, Term low);

  logic::TermStore& terms_;
  std::function<Halves(std::uint64_t)> halves_of_;
  std::map<Term, Term> narrow_;
  std::map<Term, Halves> halves_;
  bool has_failed_ = false;
};

} // namespace heddle::exports
