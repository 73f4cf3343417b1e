// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/evaluator.h"

#include "support/check.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

namespace {

constexpr unsigned kReadsFrom = static_cast<unsigned>(Stratum::kReadsFrom);
constexpr unsigned kCoherence = static_cast<unsigned>(Stratum::kCoherence);
constexpr unsigned kGenerated = static_cast<unsigned>(Stratum::kGenerated);

template <class Visit>
void for_each_operand(const Core& core, const Node& node, Visit visit) {
  if (node.left.is_valid())
    visit(node.left);
  if (node.right.is_valid())
    visit(node.right);
  if (node.op == NodeOp::kRecursive)
    for (const NodeId body : core.recursions[node.index].bodies)
      visit(body);
  if (node.op == NodeOp::kOpaque)
    for (const NodeId input : core.opaques[node.index].inputs)
      visit(input);
  if (node.op == NodeOp::kGenerated) {
    const Generator& generator = core.generators[node.index];
    if (const auto* orders = std::get_if<Generator::Coherence>(&generator.how)) {
      visit(orders->writes);
      visit(orders->partial);
    } else {
      for (const NodeId input : std::get<Generator::Listed>(generator.how).values.inputs)
        visit(input);
    }
  }
}

/// Is it the order of all writes to each place, which the engine chooses as co?
bool is_coherence(const Core& core, const Generator& generator) {
  const auto* orders = std::get_if<Generator::Coherence>(&generator.how);
  if (orders == nullptr)
    return false;
  const Node& writes = core.nodes[orders->writes];
  return generator.name == "co" ||
         (writes.op == NodeOp::kBaseSet && core.base_names[writes.index] == "W");
}

} // namespace

Evaluator::Evaluator(const Core& core, bool with_definitions)
    : core_(core), needed_(core.nodes.size(), false),
      needed_for_monotone_(core.nodes.size(), false), strata_(core.nodes.size(), 0),
      settled_(core.generators.size(), false), offsets_(core.nodes.size(), 0) {
  find_needed(with_definitions);
  find_strata();
  make_schedule();
}

void Evaluator::mark(NodeId root, IdVector<NodeId, bool>& marks) const {
  std::vector<NodeId> pending{root};
  while (!pending.empty()) {
    const NodeId node = pending.back();
    pending.pop_back();
    if (marks[node])
      continue;
    marks[node] = true;
    for_each_operand(core_, core_.nodes[node], [&](NodeId operand) { pending.push_back(operand); });
    // The variables of one recursion are computed together.
    if (core_.nodes[node].op == NodeOp::kRecursive)
      for (const NodeId variable : core_.recursions[core_.nodes[node].index].variables)
        pending.push_back(variable);
  }
}

void Evaluator::find_needed(bool with_definitions) {
  for (const Axiom& axiom : core_.axioms) {
    mark(axiom.node, needed_);
    if (axiom.is_monotone_in_co)
      mark(axiom.node, needed_for_monotone_);
  }
  // A generated relation multiplies executions even if nothing looks at it.
  for (std::size_t i = 0; i < core_.nodes.size(); ++i)
    if (core_.nodes[NodeId{i}].op == NodeOp::kGenerated)
      mark(NodeId{i}, needed_);
  if (with_definitions)
    for (const auto& [name, node] : core_.definitions)
      mark(node, needed_);
  for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
    const NodeId id{i};
    const Node& node = core_.nodes[id];
    if (!needed_[id])
      continue;
    if (node.op == NodeOp::kGenerated && is_coherence(core_, core_.generators[node.index]))
      co_.push_back(id);
    if (node.op != NodeOp::kBaseSet && node.op != NodeOp::kBaseRelation)
      continue;
    const std::string& name = core_.base_names[node.index];
    if (name == "rf")
      rf_ = id;
    else if (name == "co")
      co_.push_back(id);
    else if (name == "FW")
      final_writes_ = id;
    else
      bases_.push_back({id, name, node.is_set});
  }
}

void Evaluator::find_strata() {
  bool changed = true;
  for (std::uint8_t& stratum : strata_)
    stratum = 0;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
      const NodeId id{i};
      const Node& node = core_.nodes[id];
      unsigned stratum = strata_[id];
      if (id == rf_)
        stratum = std::max(stratum, kReadsFrom);
      if (id == final_writes_ || std::find(co_.begin(), co_.end(), id) != co_.end())
        stratum = std::max(stratum, kCoherence);
      else if (node.op == NodeOp::kGenerated && !settled_[node.index])
        stratum = std::max(stratum, kGenerated + node.index);
      if (!(node.op == NodeOp::kGenerated && settled_[node.index]))
        for_each_operand(core_, node, [&](NodeId operand) {
          stratum = std::max<unsigned>(stratum, strata_[operand]);
        });
      if (stratum != strata_[id]) {
        strata_[id] = static_cast<std::uint8_t>(stratum);
        changed = true;
      }
    }
  }
}

void Evaluator::make_schedule() {
  schedule_.clear();
  groups_.clear();
  // Which recursion a node takes part in: it is reached from the bodies and depends on a variable.
  IdVector<NodeId, std::int32_t> group_of(core_.nodes.size(), -1);
  std::vector<std::int32_t> merged(core_.recursions.size());
  for (std::size_t r = 0; r < core_.recursions.size(); ++r) {
    merged[r] = static_cast<std::int32_t>(r);
    const Recursion& recursion = core_.recursions[r];
    IdVector<NodeId, bool> depends(core_.nodes.size(), false);
    for (const NodeId variable : recursion.variables)
      depends[variable] = true;
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i)
        if (!depends[NodeId{i}])
          for_each_operand(core_, core_.nodes[NodeId{i}], [&](NodeId operand) {
            if (depends[operand] && !depends[NodeId{i}]) {
              depends[NodeId{i}] = true;
              changed = true;
            }
          });
    }
    std::vector<NodeId> pending = recursion.bodies;
    IdVector<NodeId, bool> seen(core_.nodes.size(), false);
    while (!pending.empty()) {
      const NodeId node = pending.back();
      pending.pop_back();
      if (seen[node] || !depends[node])
        continue;
      seen[node] = true;
      if (group_of[node] >= 0 && group_of[node] != static_cast<std::int32_t>(r)) {
        // Recursions inside one another are solved together: least fixpoints allow it (Bekić).
        const std::int32_t old = group_of[node];
        for (std::int32_t& group : group_of)
          if (group == old)
            group = static_cast<std::int32_t>(r);
        for (std::int32_t& target : merged)
          if (target == old)
            target = static_cast<std::int32_t>(r);
      }
      group_of[node] = static_cast<std::int32_t>(r);
      for_each_operand(
          core_, core_.nodes[node], [&](NodeId operand) { pending.push_back(operand); });
    }
    for (const NodeId variable : recursion.variables)
      group_of[variable] = static_cast<std::int32_t>(r);
  }
  std::vector<std::size_t> last(core_.recursions.size(), 0);
  std::vector<Group> by_recursion(core_.recursions.size());
  for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
    const NodeId id{i};
    if (group_of[id] < 0 || !needed_[id])
      continue;
    Group& group = by_recursion[static_cast<std::size_t>(group_of[id])];
    last[static_cast<std::size_t>(group_of[id])] = i;
    group.stratum = std::max<unsigned>(group.stratum, strata_[id]);
    group.is_for_monotone = group.is_for_monotone || needed_for_monotone_[id];
    if (core_.nodes[id].op != NodeOp::kRecursive)
      group.members.push_back(id);
  }
  for (std::size_t r = 0; r < core_.recursions.size(); ++r)
    for (std::size_t v = 0; v < core_.recursions[r].variables.size(); ++v)
      by_recursion[static_cast<std::size_t>(merged[r])].variables.emplace_back(
          core_.recursions[r].variables[v], core_.recursions[r].bodies[v]);
  for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
    const NodeId id{i};
    const Node& node = core_.nodes[id];
    if (!needed_[id])
      continue;
    if (group_of[id] >= 0) {
      const auto r = static_cast<std::size_t>(group_of[id]);
      if (last[r] != i)
        continue;
      groups_.push_back(by_recursion[r]);
      schedule_.push_back(
          {id, groups_.size() - 1, groups_.back().stratum, groups_.back().is_for_monotone});
      continue;
    }
    if (node.op == NodeOp::kBaseSet || node.op == NodeOp::kBaseRelation ||
        node.op == NodeOp::kGenerated)
      continue;
    schedule_.push_back({id, std::nullopt, strata_[id], needed_for_monotone_[id]});
  }
}

void Evaluator::settle_generator(std::size_t generator) {
  if (settled_[generator])
    return;
  settled_[generator] = true;
  find_strata();
  make_schedule();
}

void Evaluator::start(std::size_t events) {
  // With other events a generator may have a choice again.
  if (std::find(settled_.begin(), settled_.end(), true) != settled_.end()) {
    settled_.assign(settled_.size(), false);
    find_strata();
    make_schedule();
  }
  count_ = events;
  stride_ = (events + 63) / 64;
  std::size_t size = 0;
  for (std::size_t i = 0; i < core_.nodes.size(); ++i)
    if (needed_[NodeId{i}]) {
      offsets_[NodeId{i}] = size;
      size += size_of(NodeId{i});
    }
  arena_.assign(size + 1, 0);
  scratch_.assign(count_ * stride_ + 1, 0);
  sets_.clear();
  relations_.clear();
}

void Evaluator::compute(NodeId id) {
  const Node& node = core_.nodes[id];
  std::uint64_t* const to = words(id);
  const std::size_t size = size_of(id);
  const std::uint64_t* const a = node.left.is_valid() ? words(node.left) : nullptr;
  const std::uint64_t* const b = node.right.is_valid() ? words(node.right) : nullptr;
  const std::size_t n = count_;
  const std::size_t w = stride_;
  const auto last_word = n % 64 == 0 ? ~0ULL : (1ULL << (n % 64)) - 1;
  const auto in = [](const std::uint64_t* row, std::size_t element) {
    return (row[element / 64] >> (element % 64) & 1U) != 0;
  };
  const auto for_each_in = [w](const std::uint64_t* row, auto visit) {
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
    if (w == 1) {
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
    // Warshall: once k has been a middle, paths through 0 … k are in.
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        if (in(to + i * w, k))
          for (std::size_t j = 0; j < w; ++j)
            to[i * w + j] |= to[k * w + j];
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

void Evaluator::iterate(const Group& group) {
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

void Evaluator::evaluate(unsigned stratum, bool only_monotone) {
  for (const Step& step : schedule_) {
    if (step.stratum != stratum || (only_monotone && !step.is_for_monotone))
      continue;
    if (step.group)
      iterate(groups_[*step.group]);
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
