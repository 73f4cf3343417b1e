// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/buffers/store_buffer_graph_overlap.h"

#include "program/analyse/linear.h"

#include <algorithm>
#include <vector>

namespace heddle::transform {

using logic::Op;
using program::Program;
using program::Term;

namespace {

bool have_common_object(const Program& program, const ByteRange& first, const ByteRange& second) {
  if (!first.may.is_valid() || !second.may.is_valid())
    return true;
  const std::vector<program::ObjectId>& one = program.object_sets[first.may];
  const std::vector<program::ObjectId>& other = program.object_sets[second.may];
  return std::ranges::any_of(
      one, [&](program::ObjectId object) { return std::ranges::binary_search(other, object); });
}

} // namespace

Overlap overlap(const Program& program, const ByteRange& first, const ByteRange& second) {
  const program::LinearForm one = program::linear_form(program.terms, first.address);
  const program::LinearForm other = program::linear_form(program.terms, second.address);
  if (one.width == other.width && one.coefficients == other.coefficients) {
    const std::int64_t distance = logic::sign_extended(one.constant - other.constant, one.width);
    if (distance >= static_cast<std::int64_t>(second.size) ||
        -distance >= static_cast<std::int64_t>(first.size))
      return {Overlap::Kind::kNever, 0};
    return {Overlap::Kind::kAt, distance};
  }
  // An access outside its objects has ended the run when it was issued.
  if (!have_common_object(program, first, second))
    return {Overlap::Kind::kNever, 0};
  return {Overlap::Kind::kUnknown, 0};
}

Term shares_byte(Program& program, const ByteRange& first, const ByteRange& second) {
  logic::TermStore& terms = program.terms;
  const unsigned width = program.pointer_bits();
  const Term behind = terms.binary(Op::kSub, first.address, second.address);
  const Term before = terms.binary(Op::kSub, second.address, first.address);
  const Term starts_in_second = terms.binary(Op::kULt, behind, terms.constant(second.size, width));
  const Term second_starts_in_it =
      terms.binary(Op::kULt, before, terms.constant(first.size, width));
  return terms.or_(starts_in_second, second_starts_in_it);
}

Term fitted(logic::TermStore& terms, Term term, unsigned width) {
  if (terms.sort(term).is_bool())
    term = terms.to_bit(term);
  const unsigned given = terms.sort(term).width;
  if (given == width)
    return term;
  return given < width ? terms.zero_extend(term, width) : terms.extract(term, 0, width);
}

} // namespace heddle::transform
