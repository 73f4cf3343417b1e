// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/evaluator.h"

#include "support/check.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

Evaluator::Evaluator(std::shared_ptr<const EvaluationPlan> plan)
    : general_(std::move(plan)), plan_(general_), core_(general_->core()),
      offsets_(core_.nodes.size(), 0) {}

void Evaluator::settle_generator(std::size_t generator) {
  if (!plan_->is_settled(generator))
    plan_ = std::make_shared<const EvaluationPlan>(plan_->settled(generator));
}

void Evaluator::leave_out(const std::vector<bool>& axioms) {
  plan_ = std::make_shared<const EvaluationPlan>(plan_->without(axioms));
}

void Evaluator::adopt(const Evaluator& other) {
  plan_ = other.plan_;
  count_ = other.count_;
  stride_ = other.stride_;
  offsets_ = other.offsets_;
  arena_ = other.arena_;
  for (const NodeId node : plan_->needed())
    if (plan_->stratum(node) != static_cast<unsigned>(Stratum::kStatic))
      std::fill_n(words(node), size_of(node), 0);
  sets_.clear();
  relations_.clear();
}

/// Every event, or every pair.
void Evaluator::fill_all(NodeId node) {
  if (stride_ == 0)
    return;
  const std::size_t size = size_of(node);
  std::uint64_t* const to = words(node);
  const auto last_word = count_ % 64 == 0 ? ~0ULL : (1ULL << (count_ % 64)) - 1;
  for (std::size_t i = 0; i < size; ++i)
    to[i] = (i + 1) % stride_ == 0 ? last_word : ~0ULL;
}

void Evaluator::start(std::size_t events) {
  plan_ = general_; // with other events a generator may have a choice again
  count_ = events;
  stride_ = (events + 63) / 64;
  std::size_t size = 0;
  for (const NodeId node : plan_->needed()) {
    offsets_[node] = size;
    size += size_of(node);
  }
  arena_.assign(size + 1, 0);
  sets_.clear();
  relations_.clear();
}

/// Litmus tests have few events, and their rows are single words: the loops over the words of a row
/// are then gone.
void Evaluator::compute(NodeId id) {
  if (stride_ == 1)
    compute_rows<1>(id);
  else
    compute_rows<0>(id);
}

/// kStride is the number of words of a row, or 0 if it is known only at run time.
template <std::size_t kStride>
void Evaluator::compute_rows(NodeId id) {
  const Node& node = core_.nodes[id];
  std::uint64_t* const to = words(id);
  const std::size_t size = size_of(id);
  const std::uint64_t* const a = node.left.is_valid() ? words(node.left) : nullptr;
  const std::uint64_t* const b = node.right.is_valid() ? words(node.right) : nullptr;
  const std::size_t n = count_;
  const std::size_t w = kStride == 0 ? stride_ : kStride;
  const auto last_word = n % 64 == 0 ? ~0ULL : (1ULL << (n % 64)) - 1;
  const auto in = [](const std::uint64_t* row, std::size_t element) {
    return (row[element / 64] >> (element % 64) & 1U) != 0;
  };
  const auto for_each_in = [&](const std::uint64_t* row, auto visit) {
    for (std::size_t k = 0; k < w; ++k)
      for (std::uint64_t bits = row[k]; bits != 0; bits &= bits - 1)
        visit(64 * k + static_cast<std::size_t>(std::countr_zero(bits)));
  };
  switch (node.op) {
  case NodeOp::kBaseSet:
  case NodeOp::kBaseRelation:
  case NodeOp::kRecursive:
  case NodeOp::kGenerated:
    return;
  case NodeOp::kEmptySet:
  case NodeOp::kEmptyRelation:
    std::fill_n(to, size, 0);
    return;
  case NodeOp::kUniverse:
    std::fill_n(to, w, ~0ULL);
    if (w != 0)
      to[w - 1] = last_word;
    return;
  case NodeOp::kIdentity:
    std::fill_n(to, size, 0);
    for (std::size_t i = 0; i < n; ++i)
      to[i * w + i / 64] |= 1ULL << (i % 64);
    return;
  case NodeOp::kUnion:
    for (std::size_t i = 0; i < size; ++i)
      to[i] = a[i] | b[i];
    return;
  case NodeOp::kIntersection:
    for (std::size_t i = 0; i < size; ++i)
      to[i] = a[i] & b[i];
    return;
  case NodeOp::kDifference:
    for (std::size_t i = 0; i < size; ++i)
      to[i] = a[i] & ~b[i];
    return;
  case NodeOp::kComplement:
    for (std::size_t i = 0; i < size; ++i)
      to[i] = ~a[i] & ((i + 1) % w == 0 ? last_word : ~0ULL);
    return;
  case NodeOp::kCompose: {
    const Node& left = core_.nodes[node.left];
    const Node& right = core_.nodes[node.right];
    if (left.op == NodeOp::kIdentityOn) {
      const std::uint64_t* const domain = words(left.left);
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t mask = in(domain, i) ? ~0ULL : 0;
        for (std::size_t k = 0; k < w; ++k)
          to[i * w + k] = b[i * w + k] & mask;
      }
      return;
    }
    if (right.op == NodeOp::kIdentityOn) {
      const std::uint64_t* const range = words(right.left);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < w; ++k)
          to[i * w + k] = a[i * w + k] & range[k];
      return;
    }
    if constexpr (kStride == 1) {
      for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t row = 0;
        for (std::uint64_t bits = a[i]; bits != 0; bits &= bits - 1)
          row |= b[std::countr_zero(bits)];
        to[i] = row;
      }
      return;
    }
    std::fill_n(to, size, 0);
    for (std::size_t i = 0; i < n; ++i)
      for_each_in(a + i * w, [&](std::size_t middle) {
        for (std::size_t k = 0; k < w; ++k)
          to[i * w + k] |= b[middle * w + k];
      });
    return;
  }
  case NodeOp::kProduct:
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t mask = in(a, i) ? ~0ULL : 0;
      for (std::size_t k = 0; k < w; ++k)
        to[i * w + k] = b[k] & mask;
    }
    return;
  case NodeOp::kIdentityOn:
    std::fill_n(to, size, 0);
    for_each_in(a, [&](std::size_t i) { to[i * w + i / 64] |= 1ULL << (i % 64); });
    return;
  case NodeOp::kInverse:
    std::fill_n(to, size, 0);
    for (std::size_t i = 0; i < n; ++i)
      for_each_in(a + i * w, [&](std::size_t j) { to[j * w + i / 64] |= 1ULL << (i % 64); });
    return;
  case NodeOp::kOptional:
    std::copy_n(a, size, to);
    for (std::size_t i = 0; i < n; ++i)
      to[i * w + i / 64] |= 1ULL << (i % 64);
    return;
  case NodeOp::kTransitive:
  case NodeOp::kReflexiveTrans:
    std::copy_n(a, size, to);
    // Warshall: once k has been a middle, paths through 0 … k are in. Which rows have k nobody can
    // predict: masks instead of branches.
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint64_t* const next = to + k * w;
      if (std::all_of(next, next + w, [](std::uint64_t bits) { return bits == 0; }))
        continue;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t mask = in(to + i * w, k) ? ~0ULL : 0;
        for (std::size_t j = 0; j < w; ++j)
          to[i * w + j] |= next[j] & mask;
      }
    }
    if (node.op == NodeOp::kReflexiveTrans)
      for (std::size_t i = 0; i < n; ++i)
        to[i * w + i / 64] |= 1ULL << (i % 64);
    return;
  case NodeOp::kDomain:
    std::fill_n(to, w, 0);
    for (std::size_t i = 0; i < n; ++i)
      if (std::any_of(a + i * w, a + (i + 1) * w, [](std::uint64_t bits) { return bits != 0; }))
        to[i / 64] |= 1ULL << (i % 64);
    return;
  case NodeOp::kRange:
    std::fill_n(to, w, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < w; ++k)
        to[k] |= a[i * w + k];
    return;
  case NodeOp::kOpaque:
    for (const NodeId input : core_.opaques[node.index].inputs) {
      sets_.erase(input);
      relations_.erase(input);
    }
    store(id, core_.opaques[node.index].compute(*this));
    return;
  }
}

void Evaluator::iterate(const EvaluationPlan::Group& group) {
  for (const auto& [variable, body] : group.variables)
    std::fill_n(words(variable), size_of(variable), 0);
  bool changed = true;
  while (changed) {
    for (const NodeId member : group.members)
      compute(member);
    changed = false;
    for (const auto& [variable, body] : group.variables) {
      if (std::equal(words(body), words(body) + size_of(body), words(variable)))
        continue;
      std::copy_n(words(body), size_of(body), words(variable));
      changed = true;
    }
  }
}

void Evaluator::evaluate(unsigned stratum, Purpose purpose) {
  for (const EvaluationPlan::Step& step : plan_->steps(stratum)) {
    if (!step.is_for(purpose))
      continue;
    if (step.group)
      iterate(plan_->group(*step.group));
    else
      compute(step.node);
  }
}

/// Takes away events without successors among those left; a cycle is what cannot be taken away.
bool Evaluator::is_acyclic(const std::uint64_t* rows) const {
  std::uint64_t small[8];
  std::vector<std::uint64_t> large;
  std::uint64_t* left = small;
  if (stride_ > 8) {
    large.resize(stride_);
    left = large.data();
  }
  std::fill_n(left, stride_, 0);
  std::size_t remaining = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    std::uint64_t any = 0;
    for (std::size_t k = 0; k < stride_; ++k)
      any |= rows[i * stride_ + k];
    if (any != 0) {
      left[i / 64] |= 1ULL << (i % 64);
      ++remaining;
    }
  }
  bool changed = true;
  while (changed && remaining != 0) {
    changed = false;
    for (std::size_t word = stride_; word-- > 0;)
      for (std::uint64_t bits = left[word]; bits != 0; bits &= bits - 1) {
        const std::size_t i = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
        std::uint64_t any = 0;
        for (std::size_t k = 0; k < stride_; ++k)
          any |= rows[i * stride_ + k] & left[k];
        if (any != 0)
          continue;
        left[word] &= ~(1ULL << (i % 64));
        --remaining;
        changed = true;
      }
  }
  return remaining == 0;
}

bool Evaluator::test(const Axiom& axiom) const {
  const std::uint64_t* const rows = words(axiom.node);
  switch (axiom.kind) {
  case Axiom::Kind::kAcyclic:
    return is_acyclic(rows);
  case Axiom::Kind::kIrreflexive:
    for (std::size_t i = 0; i < count_; ++i)
      if ((rows[i * stride_ + i / 64] >> (i % 64) & 1U) != 0)
        return false;
    return true;
  case Axiom::Kind::kEmpty:
    return std::all_of(
        rows, rows + size_of(axiom.node), [](std::uint64_t bits) { return bits == 0; });
  }
  return false;
}

const relation::BitSet& Evaluator::set(NodeId node) const {
  relation::BitSet value(count_);
  for (std::size_t i = 0; i < count_; ++i)
    if ((words(node)[i / 64] >> (i % 64) & 1U) != 0)
      value.insert(i);
  return sets_.insert_or_assign(node, std::move(value)).first->second;
}

const relation::BitMatrix& Evaluator::relation(NodeId node) const {
  relation::BitMatrix value(count_);
  for (std::size_t i = 0; i < count_; ++i)
    for (std::size_t j = 0; j < count_; ++j)
      if ((words(node)[i * stride_ + j / 64] >> (j % 64) & 1U) != 0)
        value.insert(i, j);
  return relations_.insert_or_assign(node, std::move(value)).first->second;
}

void Evaluator::store(NodeId node, const ConcreteValue& value) {
  std::uint64_t* const to = words(node);
  std::fill_n(to, size_of(node), 0);
  if (const auto* elements = std::get_if<std::shared_ptr<const relation::BitSet>>(&value)) {
    for (const std::size_t i : (*elements)->elements())
      to[i / 64] |= 1ULL << (i % 64);
    return;
  }
  for (const auto& [i, j] : std::get<std::shared_ptr<const relation::BitMatrix>>(value)->pairs())
    to[i * stride_ + j / 64] |= 1ULL << (j % 64);
}

} // namespace heddle::memory
