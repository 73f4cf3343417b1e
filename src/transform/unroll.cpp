// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops become copies of their bodies; the run that would need one more copy ends in a Cut that
// names the loop. Works on any automaton, reducible or not: a new location is an old one together
// with the number of times each loop around it (program/control_flow.h) has been repeated. Leaving
// the body forgets the count.
//
// It ends: of the locations a path visits for ever, the one the search saw first is the head of a
// loop whose body holds them all, so its count is never forgotten.
//
// The copies are one to one with the actions of the source, so schedules are kept (rewrite.h). A
// Cut that is reached is an under-approximation and the verdict says so; one that is not reached
// costs nothing, hence no approximation is recorded here. Recursion is cut at the same bound
// (recursion.h), before the loops.
//
// A loop may have a bound of its own, by its line or by a hint in the program; without any it stays
// a loop.
#include "program/control_flow.h"
#include "transform/recursion.h"
#include "transform/rewrite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

namespace heddle::transform {

namespace {

using program::Edge;
using program::LocationId;
using program::Procedure;

/// A program that grows beyond this many locations is refused rather than built.
constexpr std::size_t kMostLocations = 1U << 20U;

struct Loop {
  std::vector<bool> body;  // by location
  std::uint64_t bound = 0; // 0: not cut
};

/// What was found on the way, for the complaint about a bound that is for no loop.
struct Found {
  std::vector<bool> was_used; // by index of Bounds::loops
  std::set<std::string> places = {};
};

class Unrolling {
public:
  Unrolling(const program::Program& program,
            const Procedure& source,
            const spec::Bounds& bounds,
            Found& found)
      : program_(program), source_(source) {
    find_loops(bounds.unwind);
    if (bounds.unwind != 0)
      apply_hints();
    for (auto& [head, loop] : loops_) {
      const SourceLoc loc = source_.locations[head].loc;
      found.places.insert(program_.place(loc));
      for (std::size_t i = 0; i < bounds.loops.size(); ++i)
        if (is_at(program_, loc, bounds.loops[i])) {
          loop.bound = bounds.loops[i].unwind;
          found.was_used[i] = true;
        }
    }
    std::erase_if(loops_, [](const auto& entry) { return entry.second.bound == 0; });
    std::erase_if(back_edges_,
                  [&](std::uint32_t index) { return !loops_.contains(source_.edges[index].to); });
  }

  [[nodiscard]] bool has_loops() const { return !loops_.empty(); }

  std::optional<Procedure> run() {
    result_ = source_;
    result_.locations = {};
    result_.edges.clear();
    result_.entry = location_for(source_.entry, {});
    for (std::size_t next = 0; next < pending_.size(); ++next) {
      if (result_.locations.size() > kMostLocations)
        return std::nullopt;
      const Place place = pending_[next];
      for (const std::uint32_t index : source_.locations[place.location].out)
        copy_edge(place, index);
    }
    return std::move(result_);
  }

private:
  using Counts = std::map<LocationId, std::uint64_t>; // by loop head
  struct Place {
    LocationId location;
    Counts counts;
    auto operator<=>(const Place&) const = default;
  };

  void find_loops(std::uint32_t bound) {
    for (program::Loop& loop : program::find_loops(source_)) {
      back_edges_.insert(loop.back_edges.begin(), loop.back_edges.end());
      loops_.emplace(loop.head, Loop{std::move(loop.body), bound});
    }
  }

  void apply_hints() {
    for (const Edge& edge : source_.edges)
      if (const auto* hint = std::get_if<program::Hint>(&edge.action))
        if (hint->kind == ir::Hint::Kind::kLoopBound && !hint->operands.empty() &&
            program_.terms.is_constant(hint->operands[0]))
          apply_hint(edge.to, program_.terms.node(hint->operands[0]).value);
  }

  /// The hint is for the loop whose head comes next on the straight line from it.
  void apply_hint(LocationId at, std::uint64_t bound) {
    for (std::size_t steps = 0; steps <= source_.locations.size(); ++steps) {
      if (const auto loop = loops_.find(at); loop != loops_.end()) {
        loop->second.bound = bound;
        return;
      }
      if (source_.locations[at].out.size() != 1)
        return;
      at = source_.edges[source_.locations[at].out[0]].to;
    }
  }

  LocationId location_for(LocationId location, const Counts& counts) {
    Place place{location, {}};
    for (const auto& [head, count] : counts)
      if (count != 0 && loops_.at(head).body[location.index()])
        place.counts.emplace(head, count);
    const auto [entry, is_new] = copies_.try_emplace(place, result_.locations.next_id());
    if (is_new) {
      program::Location copy = source_.locations[location];
      copy.out.clear();
      result_.locations.push_back(std::move(copy));
      pending_.push_back(place);
    }
    return entry->second;
  }

  void copy_edge(const Place& place, std::uint32_t index) {
    const Edge& edge = source_.edges[index];
    const LocationId from = copies_.at(place);
    Counts counts = place.counts;
    std::optional<LocationId> exhausted;
    if (back_edges_.contains(index) && ++counts[edge.to] > loops_.at(edge.to).bound)
      exhausted = edge.to;
    // After the last copy the head's condition may still end the loop, but it leads into the body
    // no more.
    const auto* branch = std::get_if<program::Assume>(&edge.action);
    if (branch != nullptr && branch->is_branch)
      for (const auto& [head, count] : place.counts)
        if (count >= loops_.at(head).bound && loops_.at(head).body[edge.to.index()])
          exhausted = head;
    const LocationId to = exhausted ? cut_location(*exhausted) : location_for(edge.to, counts);
    program::add_edge(result_, Edge{from, to, edge.action, edge.loc});
  }

  LocationId cut_location(LocationId head) {
    const SourceLoc loc = source_.locations[head].loc;
    const LocationId at = result_.locations.push_back(program::Location{{}, loc, {}, false});
    const LocationId end = result_.locations.push_back(program::Location{});
    const std::uint64_t bound = loops_.at(head).bound;
    program::add_edge(result_,
                      Edge{at,
                           end,
                           program::Cut{fmt::format("loop at {} unrolled {} time{}",
                                                    program_.place(loc),
                                                    bound,
                                                    bound == 1 ? "" : "s")},
                           loc});
    return at;
  }

  const program::Program& program_;
  const Procedure& source_;
  std::set<std::uint32_t> back_edges_;
  std::map<LocationId, Loop> loops_;
  Procedure result_;
  std::map<Place, LocationId> copies_;
  std::vector<Place> pending_;
};

class Unroll final : public Transform {
public:
  explicit Unroll(NamedLoops named) : named_(named) {}
  [[nodiscard]] std::string_view name() const override { return "unroll"; }
  [[nodiscard]] bool preserves(spec::Property) const override { return true; }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds& bounds) const override {
    Transformed result{source, same_schedule(), {}};
    if (bounds.unwind == 0 && bounds.loops.empty())
      return result;
    if (const Status status = bound_recursion(result.program, bounds); !status)
      return status.error();
    Found found{std::vector<bool>(bounds.loops.size(), false)};
    for (std::size_t i = 0; i < result.program.procedures.size(); ++i) {
      const Procedure& procedure = result.program.procedures[program::ProcedureId{i}];
      Unrolling unrolling(result.program, procedure, bounds, found);
      if (!unrolling.has_loops())
        continue;
      std::optional<Procedure> unrolled = unrolling.run();
      if (!unrolled)
        return Error{ErrorKind::kUnsupported,
                     "TRF-003",
                     fmt::format("'{}' with its loops unrolled has more than {} locations; use a "
                                 "smaller bound",
                                 procedure.name,
                                 kMostLocations)};
      program::tidy(*unrolled);
      result.program.procedures[program::ProcedureId{i}] = std::move(*unrolled);
    }
    for (std::size_t i = 0; i < bounds.loops.size(); ++i)
      if (!found.was_used[i] && named_ == NamedLoops::kMustExist &&
          !is_recursive_call(source, bounds.loops[i]))
        return Error{ErrorKind::kUsage,
                     "TRF-005",
                     fmt::format("no loop starts at {}:{}; there are {}",
                                 bounds.loops[i].file,
                                 bounds.loops[i].line,
                                 found.places.empty()
                                     ? "none"
                                     : fmt::format("{}", fmt::join(found.places, ", ")))};
    return result;
  }

private:
  NamedLoops named_;
};

} // namespace

std::unique_ptr<Transform> unroll(NamedLoops named) {
  return std::make_unique<Unroll>(named);
}

} // namespace heddle::transform
