// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The table of terms: each distinct node once.
#include "logic/term.h"

#include "support/check.h"
#include "support/hash.h"

#include <algorithm>

namespace heddle::logic {

TermStore::TermStore() {
  intern(Op::kConstant, Sort{}, 0, {});
  intern(Op::kConstant, Sort{}, 1, {});
}

Term TermStore::intern(Op op, Sort sort, std::uint64_t value, std::span<const Term> arguments) {
  std::uint64_t hash = hash_combine(static_cast<std::uint64_t>(op) << 8U | sort.width, value);
  for (const Term part : arguments)
    hash = hash_combine(hash, part.value);
  if (2 * nodes_.size() >= slots_.size())
    enlarge();
  const auto short_hash = static_cast<std::uint32_t>(hash ^ hash >> 32U);
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = short_hash & last;
  for (; slots_[slot].is_valid(); slot = (slot + 1) & last) {
    const Term candidate = slots_[slot];
    if (hashes_[candidate] != short_hash)
      continue;
    const Node& known = nodes_[candidate];
    if (known.op == op && known.sort == sort && known.value == value &&
        std::ranges::equal(this->arguments(candidate), arguments))
      return candidate;
  }
  Node node;
  node.op = op;
  node.sort = sort;
  node.value = value;
  node.first_argument = static_cast<std::uint32_t>(arguments_.size());
  node.argument_count = static_cast<std::uint32_t>(arguments.size());
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  const Term made = nodes_.push_back(node);
  hashes_.push_back(short_hash);
  slots_[slot] = made;
  return made;
}

void TermStore::enlarge() {
  constexpr std::size_t kFewest = 64;
  slots_.assign(std::max(kFewest, 4 * nodes_.size()), Term{});
  const std::size_t last = slots_.size() - 1;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::size_t slot = hashes_[Term{i}] & last;
    while (slots_[slot].is_valid())
      slot = (slot + 1) & last;
    slots_[slot] = Term{i};
  }
}

std::span<const Term> TermStore::arguments(Term term) const {
  const Node& node = nodes_[term];
  return std::span<const Term>(arguments_).subspan(node.first_argument, node.argument_count);
}

Term TermStore::argument(Term term, unsigned index) const {
  return arguments_[nodes_[term].first_argument + index];
}

bool TermStore::is_value(Term term, std::uint64_t value) const {
  const Node& node = nodes_[term];
  return node.op == Op::kConstant && node.value == value;
}

Term TermStore::boolean(bool value) {
  return Term{value ? 1U : 0U};
}

Term TermStore::constant(std::uint64_t value, unsigned width) {
  HEDDLE_CHECK(width >= 1 && width <= 64, "a bit-vector has 1 to 64 bits");
  return intern(Op::kConstant, Sort{static_cast<std::uint8_t>(width)}, value & mask_of(width), {});
}

Term TermStore::variable(std::uint64_t number, Sort sort) {
  HEDDLE_CHECK(sort.width <= 64, "a bit-vector has 1 to 64 bits");
  return intern(Op::kVariable, sort, number, {});
}

Term TermStore::rebuild(Term original, std::span<const Term> arguments) {
  const Node node = nodes_[original];
  switch (node.op) {
  case Op::kConstant:
  case Op::kVariable:
    return original;
  case Op::kNot:
    return not_(arguments[0]);
  case Op::kAnd:
    return and_(arguments[0], arguments[1]);
  case Op::kOr:
    return or_(arguments[0], arguments[1]);
  case Op::kEqual:
    return equal(arguments[0], arguments[1]);
  case Op::kIte:
    return ite(arguments[0], arguments[1], arguments[2]);
  case Op::kULt:
  case Op::kULe:
  case Op::kSLt:
  case Op::kSLe:
  case Op::kAdd:
  case Op::kSub:
  case Op::kMul:
  case Op::kUDiv:
  case Op::kURem:
  case Op::kSDiv:
  case Op::kSRem:
  case Op::kBitAnd:
  case Op::kBitOr:
  case Op::kBitXor:
  case Op::kShl:
  case Op::kLShr:
  case Op::kAShr:
    return binary(node.op, arguments[0], arguments[1]);
  case Op::kBitNot:
    return bit_not(arguments[0]);
  case Op::kNegate:
    return negate(arguments[0]);
  case Op::kConcat:
    return concat(arguments[0], arguments[1]);
  case Op::kExtract:
    return extract(arguments[0], static_cast<unsigned>(node.value), node.sort.width);
  case Op::kZeroExtend:
    return zero_extend(arguments[0], node.sort.width);
  case Op::kSignExtend:
    return sign_extend(arguments[0], node.sort.width);
  }
  HEDDLE_CHECK(false, "an operation out of range");
}

} // namespace heddle::logic
