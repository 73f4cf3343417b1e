// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/comparisons.h"

namespace heddle::engine::bounded {

using logic::Op;
using logic::Term;

namespace {

/// Deeper choices are left as they are.
constexpr unsigned kDeepest = 100;
/// Labels have fewer bits than numbers in C, or a few more than a byte.
constexpr unsigned kWidest = 15;

} // namespace

Term Comparisons::moved(Term term, unsigned depth) {
  const logic::Node node = terms_.node(term);
  if (depth > kDeepest || !node.sort.is_bool() || node.op == Op::kConstant ||
      node.op == Op::kVariable)
    return term;
  if (const auto found = known_.find(term); found != known_.end())
    return found->second;
  const auto argument = [&](unsigned index) { return terms_.arguments(term)[index]; };
  Term result = term;
  switch (node.op) {
  case Op::kNot:
    result = terms_.not_(moved(argument(0), depth + 1));
    break;
  case Op::kAnd:
  case Op::kOr: {
    const Term a = moved(argument(0), depth + 1);
    const Term b = moved(argument(1), depth + 1);
    result = node.op == Op::kAnd ? terms_.and_(a, b) : terms_.or_(a, b);
    break;
  }
  case Op::kULe:
  case Op::kULt:
  case Op::kEqual: {
    const unsigned width = terms_.sort(argument(0)).width;
    if (width == 0 || width == 8 || width > kWidest)
      break;
    for (const unsigned side : {0U, 1U}) {
      const Term number = argument(side);
      const Term other = argument(1 - side);
      if (terms_.node(number).op != Op::kIte || !terms_.is_constant(other))
        continue;
      const Term condition = terms_.arguments(number)[0];
      const auto compared = [&](Term one) {
        const Term made = node.op == Op::kEqual ? terms_.equal(one, other)
                          : side == 0           ? terms_.binary(node.op, one, other)
                                                : terms_.binary(node.op, other, one);
        return moved(made, depth + 1);
      };
      const Term if_true = compared(terms_.arguments(number)[1]);
      const Term if_false = compared(terms_.arguments(number)[2]);
      result = terms_.ite(condition, if_true, if_false);
      break;
    }
    break;
  }
  default:
    break;
  }
  known_.emplace(term, result);
  return result;
}

} // namespace heddle::engine::bounded
