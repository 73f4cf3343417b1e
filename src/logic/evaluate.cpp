// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each operation does to values, and the walks over terms that follow from it: evaluation,
// substitution, the variables of a term. Terms are as deep as the user's program makes them, so no
// walk recurses.
#include "logic/term.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace heddle::logic {

namespace {

/// Most terms are small: parts of those are looked for in their list itself.
constexpr std::size_t kSmall = 16;

std::uint64_t magnitude(std::uint64_t value, unsigned width) {
  const bool is_negative = sign_extended(value, width) < 0;
  return (is_negative ? 0 - value : value) & mask_of(width);
}

std::uint64_t unsigned_quotient(std::uint64_t a, std::uint64_t b, unsigned width) {
  return b == 0 ? mask_of(width) : a / b;
}

std::uint64_t unsigned_remainder(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? a : a % b;
}

/// SMT-LIB's bvsdiv: the unsigned quotient of the magnitudes, negated if the signs differ.
std::uint64_t signed_quotient(std::uint64_t a, std::uint64_t b, unsigned width) {
  const bool negate = (sign_extended(a, width) < 0) != (sign_extended(b, width) < 0);
  const std::uint64_t quotient = unsigned_quotient(magnitude(a, width), magnitude(b, width), width);
  return (negate ? 0 - quotient : quotient) & mask_of(width);
}

/// SMT-LIB's bvsrem: its sign is the dividend's.
std::uint64_t signed_remainder(std::uint64_t a, std::uint64_t b, unsigned width) {
  const std::uint64_t remainder = unsigned_remainder(magnitude(a, width), magnitude(b, width));
  return (sign_extended(a, width) < 0 ? 0 - remainder : remainder) & mask_of(width);
}

std::uint64_t arithmetic_shift(std::uint64_t a, std::uint64_t amount, unsigned width) {
  const std::uint64_t steps = std::min<std::uint64_t>(amount, width - 1);
  return static_cast<std::uint64_t>(sign_extended(a, width) >> steps) & mask_of(width);
}

} // namespace

std::uint64_t apply(Op op,
                    Sort result,
                    Sort argument,
                    std::uint64_t value,
                    std::span<const std::uint64_t> arguments) {
  const auto a = [&] { return arguments[0]; };
  const auto b = [&] { return arguments[1]; };
  const unsigned width = argument.width;
  const std::uint64_t mask = mask_of(result.width);
  switch (op) {
  case Op::kConstant:
    return value;
  case Op::kVariable:
    break;
  case Op::kNot:
    return a() ^ 1U;
  case Op::kAnd:
  case Op::kBitAnd:
    return a() & b();
  case Op::kOr:
  case Op::kBitOr:
    return a() | b();
  case Op::kEqual:
    return a() == b() ? 1 : 0;
  case Op::kULt:
    return a() < b() ? 1 : 0;
  case Op::kULe:
    return a() <= b() ? 1 : 0;
  case Op::kSLt:
    return sign_extended(a(), width) < sign_extended(b(), width) ? 1 : 0;
  case Op::kSLe:
    return sign_extended(a(), width) <= sign_extended(b(), width) ? 1 : 0;
  case Op::kIte:
    return a() != 0 ? arguments[1] : arguments[2];
  case Op::kAdd:
    return (a() + b()) & mask;
  case Op::kSub:
    return (a() - b()) & mask;
  case Op::kMul:
    return (a() * b()) & mask;
  case Op::kUDiv:
    return unsigned_quotient(a(), b(), width);
  case Op::kURem:
    return unsigned_remainder(a(), b());
  case Op::kSDiv:
    return signed_quotient(a(), b(), width);
  case Op::kSRem:
    return signed_remainder(a(), b(), width);
  case Op::kBitXor:
    return a() ^ b();
  case Op::kBitNot:
    return ~a() & mask;
  case Op::kNegate:
    return (0 - a()) & mask;
  case Op::kShl:
    return b() >= width ? 0 : (a() << b()) & mask;
  case Op::kLShr:
    return b() >= width ? 0 : a() >> b();
  case Op::kAShr:
    return arithmetic_shift(a(), b(), width);
  case Op::kConcat:
    return (a() << (result.width - width)) | b();
  case Op::kExtract:
    return (a() >> value) & mask;
  case Op::kZeroExtend:
    return a();
  case Op::kSignExtend:
    return static_cast<std::uint64_t>(sign_extended(a(), width)) & mask;
  }
  HEDDLE_CHECK(false, "a variable has no value of its own");
}

std::uint64_t
TermStore::evaluate(Term term,
                    const std::function<std::uint64_t(std::uint64_t number)>& lookup) const {
  std::unordered_map<Term, std::uint64_t> known;
  const auto value_of = [&](Term part) -> std::optional<std::uint64_t> {
    const Node& leaf = nodes_[part];
    if (leaf.op == Op::kConstant)
      return leaf.value;
    const auto found = known.find(part);
    if (found != known.end())
      return found->second;
    if (leaf.op != Op::kVariable)
      return std::nullopt;
    const std::uint64_t given = lookup(leaf.value);
    const std::uint64_t masked =
        leaf.sort.is_bool() ? (given != 0 ? 1U : 0U) : given & mask_of(leaf.sort.width);
    known.emplace(part, masked);
    return masked;
  };
  std::vector<Term> pending = {term};
  while (!pending.empty()) {
    const Term current = pending.back();
    if (value_of(current)) {
      pending.pop_back();
      continue;
    }
    std::uint64_t values[3] = {};
    const std::span<const Term> parts = arguments(current);
    const std::size_t before = pending.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (const std::optional<std::uint64_t> part = value_of(parts[i]))
        values[i] = *part;
      else
        pending.push_back(parts[i]);
    }
    if (pending.size() != before)
      continue;
    const Node& node = nodes_[current];
    known.emplace(current,
                  apply(node.op,
                        node.sort,
                        nodes_[parts[0]].sort,
                        node.value,
                        std::span<const std::uint64_t>(values, parts.size())));
    pending.pop_back();
  }
  return *value_of(term);
}

std::vector<Term> TermStore::postorder(Term term) const {
  std::vector<Term> order;
  order.reserve(kSmall);
  std::unordered_set<Term> done;
  const auto is_done = [&](Term one) {
    return done.empty() ? std::find(order.begin(), order.end(), one) != order.end()
                        : done.contains(one);
  };
  std::vector<Term> pending;
  pending.reserve(kSmall);
  pending.push_back(term);
  while (!pending.empty()) {
    const Term current = pending.back();
    if (is_done(current)) {
      pending.pop_back();
      continue;
    }
    const std::size_t before = pending.size();
    for (const Term part : arguments(current))
      if (!is_done(part))
        pending.push_back(part);
    if (pending.size() != before)
      continue;
    order.push_back(current);
    if (order.size() == kSmall)
      done.insert(order.begin(), order.end());
    else if (order.size() > kSmall)
      done.insert(current);
    pending.pop_back();
  }
  return order;
}

Term TermStore::substitute(
    Term term, const std::function<Term(std::uint64_t number, Sort sort)>& replacement) {
  const std::vector<Term> order = postorder(term);
  std::vector<Term> images; // in the same order
  images.reserve(order.size());
  std::unordered_map<Term, std::size_t> positions; // in a large term
  const auto image_of = [&](Term part) {
    const auto position =
        order.size() <= kSmall
            ? static_cast<std::size_t>(std::find(order.begin(), order.end(), part) - order.begin())
            : positions.at(part);
    return images[position];
  };
  for (const Term current : order) {
    const Node node = nodes_[current];
    Term made = current;
    if (node.op == Op::kVariable) {
      const Term replaced = replacement(node.value, node.sort);
      HEDDLE_CHECK(!replaced.is_valid() || sort(replaced) == node.sort,
                   "a replacement of another sort");
      made = replaced.is_valid() ? replaced : current;
    } else if (node.op != Op::kConstant) {
      std::array<Term, 3> parts;
      bool is_changed = false;
      for (std::size_t i = 0; i < node.argument_count; ++i) {
        const Term part = argument(current, static_cast<unsigned>(i));
        parts[i] = image_of(part);
        is_changed = is_changed || parts[i] != part;
      }
      made = is_changed ? rebuild(current, std::span(parts).first(node.argument_count)) : current;
    }
    if (order.size() > kSmall)
      positions.emplace(current, images.size());
    images.push_back(made);
  }
  return images.back();
}

std::vector<std::uint64_t> TermStore::variables(Term term) const {
  std::vector<std::uint64_t> numbers;
  if (is(term, Op::kVariable))
    return {value(term)};
  if (is_constant(term))
    return numbers;
  std::vector<Term> inner{term};  // what has parts, each once
  std::unordered_set<Term> known; // the same, once they are many
  const auto is_new = [&](Term part) {
    if (inner.size() < kSmall)
      return std::find(inner.begin(), inner.end(), part) == inner.end();
    if (known.empty())
      known.insert(inner.begin(), inner.end());
    return known.insert(part).second;
  };
  for (std::size_t next = 0; next < inner.size(); ++next)
    for (const Term part : arguments(inner[next])) {
      if (is(part, Op::kVariable))
        numbers.push_back(value(part));
      else if (!is_constant(part) && is_new(part))
        inner.push_back(part);
    }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

} // namespace heddle::logic
