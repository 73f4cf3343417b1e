// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/cells.h"

#include "program/analyse/alias.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/overloaded.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::program {

namespace {

using Interval = std::pair<std::uint64_t, std::uint64_t>; // start, end

/// Every place inside the object where an access of that pattern can lie.
void add_intervals(std::uint64_t object_size,
                   const AccessPattern& pattern,
                   std::vector<Interval>& out) {
  if (pattern.size == 0 || pattern.size > object_size)
    return;
  const auto last = static_cast<std::int64_t>(object_size - pattern.size);
  const auto stride = static_cast<std::int64_t>(pattern.offsets.stride);
  std::int64_t start = pattern.offsets.first;
  if (stride != 0) {
    start %= stride;
    if (start < 0)
      start += stride;
  }
  for (; start <= last; start += stride) {
    if (start >= 0)
      out.emplace_back(static_cast<std::uint64_t>(start),
                       static_cast<std::uint64_t>(start) + pattern.size);
    if (stride == 0)
      break;
  }
}

/// Collects the patterns of all accesses, by object.
class Patterns {
public:
  explicit Patterns(const Program& program)
      : program_(program), points_to_(program), patterns_(program.objects.size()) {
    for (std::size_t i = 0; i < program.procedures.size(); ++i)
      for (const Edge& edge : program.procedures[ProcedureId{i}].edges)
        add(ProcedureId{i}, edge.action);
  }

  [[nodiscard]] std::vector<AccessPattern> of(ObjectId object) const {
    std::set<AccessPattern> all = patterns_[object];
    all.insert(anywhere_.begin(), anywhere_.end());
    return {all.begin(), all.end()};
  }

private:
  void add(ProcedureId procedure, const Action& action) {
    const auto access = [&](Term address, std::uint64_t size) { add(procedure, address, size); };
    std::visit(Overloaded{
                   [](const Skip&) {},
                   [](const Assign&) {},
                   [](const AssignSequence&) {},
                   [](const Nondet&) {},
                   [](const Assume&) {},
                   [](const Check&) {},
                   [](const CheckNeighbourhood&) {},
                   [&](const Load& a) { access(a.address, a.access.size); },
                   [&](const Store& a) { access(a.address, a.access.size); },
                   [&](const LoadExclusive& a) { access(a.address, a.access.size); },
                   [&](const StoreExclusive& a) { access(a.address, a.access.size); },
                   [&](const ReadModifyWrite& a) { access(a.address, a.access.size); },
                   [&](const CompareExchange& a) { access(a.address, a.access.size); },
                   [](const Fence&) {},
                   [](const Allocate&) {},
                   [](const Free&) {},
                   [](const BlockSize&) {},
                   [](const Call&) {},
                   [](const Return&) {},
                   [&](const Synchronize& a) {
                     const auto objects = objects_of(a.op);
                     for (std::size_t k = 0; k < objects.size(); ++k)
                       access(a.operands[k], sync_layout::size_of(objects[k], program_.data_model));
                   },
                   [](const AtomicBegin&) {},
                   [](const AtomicEnd&) {},
                   [](const Hint&) {},
                   [](const ThreadExit&) {},
                   [](const Exit&) {},
                   [](const Cut&) {},
                   [](const Trap&) {},
               },
               action);
  }

  void add(ProcedureId procedure, Term address, std::uint64_t size) {
    const AliasValue value = points_to_.address(procedure, address);
    if (value.is_any()) {
      anywhere_.insert({Offsets::anywhere(), size});
      return;
    }
    for (const auto& [target, offsets] : value.targets())
      if (target.kind == Target::Kind::kObject)
        patterns_[ObjectId{std::size_t{target.index}}].insert({offsets, size});
  }

  const Program& program_;
  PointsTo points_to_;
  IdVector<ObjectId, std::set<AccessPattern>> patterns_;
  std::set<AccessPattern> anywhere_;
};

} // namespace

std::vector<std::uint64_t> partition(std::uint64_t object_size,
                                     std::vector<AccessPattern> patterns) {
  std::vector<Interval> intervals;
  for (const AccessPattern& pattern : patterns)
    add_intervals(object_size, pattern, intervals);
  std::sort(intervals.begin(), intervals.end());
  intervals.erase(std::unique(intervals.begin(), intervals.end()), intervals.end());
  std::vector<std::uint64_t> cuts{0};
  const auto cut = [&cuts](std::uint64_t at) {
    if (at > cuts.back())
      cuts.push_back(at);
  };
  for (std::size_t i = 0; i < intervals.size();) {
    // A group of intervals that overlap, directly or through others.
    const std::uint64_t start = intervals[i].first;
    std::uint64_t end = intervals[i].second;
    std::size_t next = i + 1;
    for (; next < intervals.size() && intervals[next].first < end; ++next)
      end = std::max(end, intervals[next].second);
    cut(start);
    if (next > i + 1)
      for (std::uint64_t at = start + 1; at < end; ++at)
        cut(at);
    cut(end);
    i = next;
  }
  cut(object_size);
  return cuts;
}

Cells::Cells(const Program& program) : first_(program.objects.size()) {
  const Patterns patterns(program);
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ObjectId id{i};
    const Object& object = program.objects[id];
    if (object.size == 0 || object.size > kLargestObject)
      continue;
    first_[id] = cells_.next_id();
    const std::vector<std::uint64_t> cuts = partition(object.size, patterns.of(id));
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
      cells_.push_back({id, cuts[c], cuts[c + 1] - cuts[c]});
  }
}

std::vector<CellId>
Cells::covering(ObjectId object, std::uint64_t offset, std::uint64_t size) const {
  std::vector<CellId> result;
  if (!is_cut(object))
    return result;
  // The first cell that ends behind the offset.
  const auto begin = cells_.begin() + static_cast<std::ptrdiff_t>(first_[object].index());
  auto cell = std::partition_point(begin, cells_.end(), [&](const Cell& one) {
    return one.object == object && one.offset + one.size <= offset;
  });
  std::uint64_t end = offset;
  for (; cell != cells_.end() && cell->object == object && cell->offset < offset + size; ++cell) {
    result.emplace_back(static_cast<std::size_t>(cell - cells_.begin()));
    end = cell->offset + cell->size;
  }
  return end >= offset + size ? result : std::vector<CellId>{};
}

} // namespace heddle::program
