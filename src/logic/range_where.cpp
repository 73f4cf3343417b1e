// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Only comparisons with constants among the conjuncts are looked at. Everything else in it is
// ignored, which only makes ranges wider.
#include "logic/range_where.h"

#include <algorithm>
#include <utility>

namespace heddle::logic {

namespace {

class Conjuncts {
public:
  explicit Conjuncts(const TermStore& store) : store_(store) {}

  void add(Term condition) {
    std::vector<std::pair<Term, bool>> open = {{condition, true}};
    while (!open.empty()) {
      const auto [term, holds] = open.back();
      open.pop_back();
      const Op op = store_.node(term).op;
      if (op == Op::kNot) {
        open.emplace_back(store_.arguments(term)[0], !holds);
      } else if (op == (holds ? Op::kAnd : Op::kOr)) {
        for (const Term part : store_.arguments(term))
          open.emplace_back(part, holds);
      } else if (op == Op::kULt || op == Op::kULe || op == Op::kSLt || op == Op::kSLe ||
                 (op == Op::kEqual && holds)) {
        compare(op, store_.arguments(term)[0], store_.arguments(term)[1], holds);
      }
    }
  }

  std::unordered_map<Term, Range> found;

private:
  void compare(Op op, Term a, Term b, bool holds) {
    if (!holds) {
      // not (a < b) is b <= a
      std::swap(a, b);
      op = op == Op::kULt   ? Op::kULe
           : op == Op::kULe ? Op::kULt
           : op == Op::kSLt ? Op::kSLe
                            : Op::kSLt;
    }
    const unsigned width = store_.sort(a).width;
    if (width == 0 || store_.is_constant(a) == store_.is_constant(b))
      return;
    const bool is_above = store_.is_constant(a); // the constant comes first: the other is larger
    const std::uint64_t bound = store_.node(is_above ? a : b).value;
    const std::int64_t signed_bound = sign_extended(bound, width);
    const bool is_strict = op == Op::kULt || op == Op::kSLt;
    Range range = Range::full(width);
    if (op == Op::kEqual) {
      range = Range::constant(bound, width);
    } else if (op == Op::kULt || op == Op::kULe) {
      // A strict comparison that nothing satisfies says nothing here.
      if (is_strict && bound == (is_above ? mask_of(width) : 0))
        return;
      range = is_above ? Range::of_unsigned(bound + (is_strict ? 1 : 0), mask_of(width), width)
                       : Range::of_unsigned(0, bound - (is_strict ? 1 : 0), width);
    } else {
      if (is_strict && signed_bound == (is_above ? range.signed_max : range.signed_min))
        return;
      range = is_above
                  ? Range::of_signed(signed_bound + (is_strict ? 1 : 0), range.signed_max, width)
                  : Range::of_signed(range.signed_min, signed_bound - (is_strict ? 1 : 0), width);
    }
    note(is_above ? b : a, range);
  }

  /// A variable, or one that was extended.
  void note(Term term, Range range) {
    const Op op = store_.node(term).op;
    if (op == Op::kZeroExtend || op == Op::kSignExtend) {
      const Term inner = store_.arguments(term)[0];
      const unsigned width = store_.sort(inner).width;
      const Range all = Range::full(width);
      if (op == Op::kZeroExtend) {
        if (range.min > all.max)
          return;
        range = Range::of_unsigned(range.min, std::min(range.max, all.max), width);
      } else {
        if (range.signed_min > all.signed_max || range.signed_max < all.signed_min)
          return;
        range = Range::of_signed(std::max(range.signed_min, all.signed_min),
                                 std::min(range.signed_max, all.signed_max),
                                 width);
      }
      term = inner;
    }
    if (store_.node(term).op != Op::kVariable)
      return;
    const auto [entry, is_new] = found.try_emplace(term, range);
    if (is_new)
      return;
    if (const std::optional<Range> both = meet(entry->second, range))
      entry->second = *both;
  }

  const TermStore& store_;
};

} // namespace

VariableRanges ranges_where(const TermStore& store, Term condition) {
  Conjuncts conjuncts(store);
  conjuncts.add(condition);
  return [found = std::move(conjuncts.found)](Term variable) -> std::optional<Range> {
    const auto entry = found.find(variable);
    return entry == found.end() ? std::nullopt : std::optional(entry->second);
  };
}

} // namespace heddle::logic
