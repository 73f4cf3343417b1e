// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops become copies of their bodies; the run that would need one more copy ends in a Cut that
// names the loop. Works on any automaton, reducible or not: a new location is an old one together
// with the number of times each loop around it (program/model/control_flow.h) has been repeated.
// Leaving the body forgets the count.
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
// a loop. One that ends after a known number of turns (known_turns.h) is run out and counts against
// no bound. Loops in loops come after those around them: what is a constant in each copy of the
// outer one may say how often the inner one goes round.
#include "transform/basic/unroll.h"

#include "program/model/control_flow.h"
#include "support/budget_watch.h"
#include "transform/basic/known_turns.h"
#include "transform/basic/recursion.h"
#include "transform/basic/rewrite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace heddle::transform {

namespace {

using program::Edge;
using program::LocationId;
using program::Procedure;

/// A program that grows beyond this many locations is refused rather than built.
constexpr std::size_t kMostUnrolled = 1U << 20U;

struct CutLoop {
  std::vector<bool> body;  // by location
  std::uint64_t bound = 0; // 0: not cut
  bool has_own_bound = false;
  std::optional<KnownTurns> known = {}; // then there is no bound
};

/// What was found on the way, for the complaint about a bound that is for no loop.
struct Found {
  std::vector<bool> was_used; // by index of Bounds::loops
  std::set<std::string> places = {};
};

/// Is the loop in none of the others?
bool is_outermost(const program::Loop& loop, const std::vector<program::Loop>& loops) {
  return std::ranges::none_of(loops, [&](const program::Loop& other) {
    return other.head != loop.head && other.body[loop.head.index()];
  });
}

class Unrolling {
public:
  Unrolling(program::Program& program,
            const Procedure& source,
            const spec::Bounds& bounds,
            NamedLoops named,
            const Budget* budget,
            Found& found)
      : program_(program), source_(source), budget_(budget), all_(program::find_loops(source)) {
    for (const program::Loop& loop : all_)
      loops_.emplace(loop.head, CutLoop{loop.body, bounds.unwind});
    if (bounds.unwind != 0)
      apply_hints();
    for (auto& [head, loop] : loops_) {
      const SourceLoc loc = source_.locations[head].loc;
      found.places.insert(program_.place(loc));
      for (std::size_t i = 0; i < bounds.loops.size(); ++i)
        if (is_at(program_, loc, bounds.loops[i])) {
          loop.bound = bounds.loops[i].unwind;
          // Others are what an engine has come to, where a loop is not known to end.
          loop.has_own_bound = loop.has_own_bound || named == NamedLoops::kMustExist;
          found.was_used[i] = true;
        }
    }
    std::erase_if(loops_, [](const auto& entry) { return entry.second.bound == 0; });
  }

  [[nodiscard]] bool has_loops() const { return !loops_.empty(); }

  /// Leaves the others for later; nothing changes where every loop is in another.
  void take_outermost() {
    std::set<LocationId> outermost;
    for (const program::Loop& loop : all_)
      if (loops_.contains(loop.head) && is_outermost(loop, all_))
        outermost.insert(loop.head);
    if (!outermost.empty())
      std::erase_if(loops_, [&](const auto& entry) { return !outermost.contains(entry.first); });
  }

  /// `most_edges`: of all copies; what is used is taken off.
  void run_out_known(const Constants& parameters, std::size_t& most_edges) {
    TurnCounter counter(program_, source_, all_, parameters, budget_);
    for (const program::Loop& found : all_) {
      const auto taken = loops_.find(found.head);
      if (taken == loops_.end() || taken->second.has_own_bound)
        continue;
      CutLoop& loop = taken->second;
      loop.known = counter.count(found, most_edges);
      if (loop.known)
        most_edges -= std::min(most_edges, loop.known->edges);
      else if (is_of_library(found.head))
        if (const auto turn = counter.last_turn_in_objects(found))
          loop.bound = std::max(loop.bound, *turn + 1);
    }
  }

  Result<Procedure> run() {
    BudgetWatch watch(budget_);
    for (const program::Loop& loop : all_)
      if (loops_.contains(loop.head))
        back_edges_.insert(loop.back_edges.begin(), loop.back_edges.end());
    result_ = source_;
    result_.locations = {};
    result_.edges.clear();
    result_.entry = location_for(source_.entry, {});
    for (std::size_t next = 0; next < pending_.size(); ++next) {
      if (result_.locations.size() > kMostUnrolled)
        return Error{ErrorKind::kUnsupported,
                     "TRF-003",
                     fmt::format("'{}' with its loops unrolled has more than {} locations; use a "
                                 "smaller bound",
                                 source_.name,
                                 kMostUnrolled)};
      if (watch.is_used_up())
        return budget_used_up("loops are unrolled");
      const Place place = pending_[next];
      if (!compute_turns(place))
        copy_edges(place);
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

  /// Its loops go through blocks of memory, by the byte or the word.
  [[nodiscard]] bool is_of_library(LocationId location) const {
    const SourceLoc loc = source_.locations[location].loc;
    return loc.is_known() && loc.file < program_.files.size() &&
           program_.files[loc.file].ends_with("runtime/heddle_runtime.c");
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
        loop->second.has_own_bound = true;
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

  /// Where a loop begins that only computes what is known anyway: gives whether it does.
  bool compute_turns(const Place& place) {
    const auto loop = loops_.find(place.location);
    if (loop == loops_.end() || !loop->second.known || !loop->second.known->result)
      return false;
    const KnownTurns::Result& result = *loop->second.known->result;
    const SourceLoc loc = source_.locations[place.location].loc;
    program::AssignSequence sequence;
    for (const auto& [local, value] : result.values)
      sequence.assignments.push_back(
          {local, program_.terms.constant(value, source_.locals[local].width)});
    program::Action action = program::Skip{};
    if (!sequence.assignments.empty())
      action = std::move(sequence);
    program::add_edge(
        result_,
        Edge{copies_.at(place), location_for(result.end, place.counts), std::move(action), loc});
    return true;
  }

  /// The ways that some run takes.
  void copy_edges(const Place& place) {
    std::vector<std::uint32_t> open = source_.locations[place.location].out;
    for (const auto& [head, loop] : loops_)
      if (loop.known && loop.body[place.location.index()]) {
        const auto count = place.counts.find(head);
        const std::vector<std::uint32_t>& closed =
            loop.known->closed[count == place.counts.end() ? 0 : count->second];
        std::erase_if(open, [&](std::uint32_t index) {
          return std::ranges::find(closed, index) != closed.end();
        });
      }
    const bool is_decided = open.size() < source_.locations[place.location].out.size();
    for (const std::uint32_t index : open)
      copy_edge(place, index, is_decided && open.size() == 1);
  }

  void copy_edge(const Place& place, std::uint32_t index, bool is_decided) {
    const Edge& edge = source_.edges[index];
    const LocationId from = copies_.at(place);
    Counts counts = place.counts;
    std::optional<LocationId> exhausted;
    if (back_edges_.contains(index)) {
      const CutLoop& loop = loops_.at(edge.to);
      if (++counts[edge.to] > loop.bound && !loop.known)
        exhausted = edge.to;
    }
    // After the last copy the head's condition may still end the loop, but it leads into the body
    // no more.
    const auto* branch = std::get_if<program::Assume>(&edge.action);
    if (branch != nullptr && branch->is_branch)
      for (const auto& [head, count] : place.counts)
        if (const CutLoop& loop = loops_.at(head);
            !loop.known && count >= loop.bound && loop.body[edge.to.index()])
          exhausted = head;
    const LocationId to = exhausted ? cut_location(*exhausted) : location_for(edge.to, counts);
    program::add_edge(
        result_,
        Edge{from, to, is_decided ? program::Action{program::Skip{}} : edge.action, edge.loc});
  }

  /// Where the loop is: at its head, or, if nothing of the source stands there, where it goes on.
  [[nodiscard]] SourceLoc place_of(LocationId head) const {
    if (source_.locations[head].loc != SourceLoc{})
      return source_.locations[head].loc;
    for (const std::uint32_t index : source_.locations[head].out)
      if (source_.edges[index].loc != SourceLoc{})
        return source_.edges[index].loc;
    for (const Edge& edge : source_.edges)
      if (edge.to == head && edge.loc != SourceLoc{})
        return edge.loc;
    return {};
  }

  LocationId cut_location(LocationId head) {
    const SourceLoc loc = place_of(head);
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

  program::Program& program_;
  const Procedure& source_;
  const Budget* budget_;
  std::vector<program::Loop> all_;
  std::set<std::uint32_t> back_edges_;  // of the loops that are unrolled
  std::map<LocationId, CutLoop> loops_; // those, by head
  Procedure result_;
  std::map<Place, LocationId> copies_;
  std::vector<Place> pending_;
};

class Unroll final : public Transform {
public:
  Unroll(NamedLoops named, std::size_t most_run_out, const Budget* budget)
      : named_(named), most_run_out_(most_run_out), budget_(budget) {}
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
    // Branches of a processor's program stay: later accesses depend on them, whatever they decide.
    const bool counts = bounds.unwind != 0 && (source.vocabulary == "c11" || source.is_lowered);
    const std::vector<Constants> parameters =
        counts ? constant_parameters(result.program) : std::vector<Constants>{};
    for (std::size_t i = 0; i < result.program.procedures.size(); ++i) {
      const program::ProcedureId id{i};
      std::size_t most_edges = most_run_out_;
      while (true) {
        const Procedure& procedure = result.program.procedures[id];
        Unrolling unrolling(result.program, procedure, bounds, named_, budget_, found);
        if (!unrolling.has_loops())
          break;
        if (counts) {
          unrolling.take_outermost();
          unrolling.run_out_known(parameters[i], most_edges);
        }
        Result<Procedure> unrolled = unrolling.run();
        if (!unrolled)
          return unrolled.error();
        if (budget_ != nullptr && budget_->exhausted(0))
          return budget_used_up("loops are unrolled");
        program::tidy(*unrolled);
        result.program.procedures[id] = std::move(*unrolled);
      }
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
  std::size_t most_run_out_;
  const Budget* budget_;
};

} // namespace

bool is_too_large(const Error& error) {
  // Here, in recursion.cpp and where events are made.
  return error.code == "TRF-003" || error.code == "TRF-004" || error.code == "PRG-014";
}

std::unique_ptr<Transform> unroll(NamedLoops named) {
  return unroll(named, kMostRunOut, nullptr);
}

std::unique_ptr<Transform>
unroll(NamedLoops named, std::size_t most_run_out, const Budget* budget) {
  return std::make_unique<Unroll>(named, most_run_out, budget);
}

} // namespace heddle::transform
