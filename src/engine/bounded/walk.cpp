// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Control flow of a walk: loops, branches, calls.
#include "engine/bounded/walk.h"

#include "program/model/run_ahead_locals.h"
#include "support/resident_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::engine::bounded {

namespace {

/// A program that takes more steps than this, calls and loops followed, is refused.
constexpr std::uint64_t kMostSteps = 1U << 22U;
/// So often the budget is looked at.
constexpr std::uint64_t kStepsBetweenLooks = 1024;
/// A loop that counts to a constant is followed so far without being asked to grow.
constexpr std::uint64_t kLongestCount = 1024;

/// A loop among the things of which a context is made (Symbols::inner); calls are edges.
std::uint64_t name_of_loop(ProcedureId procedure, LocationId head) {
  return 1ULL << 63U | std::uint64_t{procedure.value} << 32U | head.value;
}

} // namespace

Walker::Walker(const program::Program& program,
               const program::AccessPieces& pieces,
               const std::vector<std::vector<FlowElement>>& flows,
               logic::TermStore& terms,
               Symbols& symbols,
               const WalkOptions& options)
    : program_(program), pieces_(pieces), flows_(flows), terms_(terms), symbols_(symbols),
      options_(options),
      sets_(
          terms, [&symbols](Term variable) { return symbols.range(variable); }, kMostPlaces),
      comparisons_(terms), paths_(terms) {
  for (const program::Procedure& one : program_.procedures)
    for (const program::Edge& edge : one.edges)
      has_frees_ = has_frees_ || std::holds_alternative<program::Free>(edge.action);
}

Result<Walked> Walker::run() {
  path_ = paths_.first();
  if (Status status = walk(program_.templates.front().entry, 0); !status)
    return status.error();
  if (has_freed_ && allocates_late_)
    result_.approximations.push_back(
        {Approximation::Kind::kAssumed, "freed memory is not used again", {}});
  return std::move(result_);
}

const program::Procedure& Walker::procedure() const {
  return program_.procedures[frames_.back().procedure];
}

Paths::Defaults Walker::defaults() {
  return {[this](std::uint32_t index) {
            return terms_.constant(0, procedure().locals[LocalId{std::size_t{index}}].width);
          },
          [this](std::uint32_t index) {
            return program::is_kept(procedure().locals[LocalId{std::size_t{index}}]);
          },
          [this](std::uint32_t cell) { return initial_of(cell); },
          [this](std::uint32_t cell) { return written_at_first(cell); }};
}

/// Walks the procedure from path_; path_ is then where it has returned, if it can.
Status Walker::walk(ProcedureId id, TermTables::Root locals) {
  const TermTables::Root outer_locals = path_.locals;
  const program::Edge* outer_edge = edge_;
  const std::uint32_t outer_index = edge_index_;
  const program::Procedure& callee = program_.procedures[id];
  Frame frame;
  frame.procedure = id;
  frame.incoming = IdVector<LocationId, std::vector<Path>>(callee.locations.size());
  path_.locals = locals;
  frame.incoming[callee.entry].push_back(path_);
  frames_.push_back(std::move(frame));
  if (Status status = walk_elements(flows_[id.index()]); !status)
    return status;
  edge_ = outer_edge;
  edge_index_ = outer_index;
  if (frames_.back().returns.empty()) {
    Paths::kill(path_);
  } else {
    path_ = merge(std::exchange(frames_.back().returns, {}));
    end_frame();
  }
  path_.locals = outer_locals;
  frames_.pop_back();
  return Done{};
}

Status Walker::walk_elements(const std::vector<FlowElement>& elements) {
  for (const FlowElement& element : elements)
    if (Status status = element.is_loop ? walk_loop(element) : visit(element.at); !status)
      return status;
  return Done{};
}

Status Walker::turn(const FlowElement& loop) {
  if (Status status = visit(loop.at); !status)
    return status;
  return walk_elements(loop.rest);
}

Status Walker::walk_loop(const FlowElement& loop) {
  if (options_.induction != 0)
    return walk_by_induction(loop);
  const Symbols::Context outer = context_;
  const BoundedPlace place{frames_.back().procedure, loop.at};
  frames_.back().loops.push_back({&loop, options_.bound(place)});
  // The first turn may also be entered beside the head.
  for (std::uint64_t number = 0; number == 0 || !frames_.back().incoming[loop.at].empty();
       ++number) {
    OpenLoop& open = frames_.back().loops.back();
    open.turn = number;
    open.has_branched = false;
    open.is_counting = false;
    context_ = symbols_.inner(outer, name_of_loop(place.procedure, place.head), number);
    if (Status status = turn(loop); !status)
      return status;
  }
  frames_.back().loops.pop_back();
  context_ = outer;
  return Done{};
}

void Walker::cut_loop(const OpenLoop& open, Term guard) {
  Goal goal;
  goal.kind = Goal::Kind::kCut;
  goal.reached = guard;
  goal.fault = program::FaultKind::kCut;
  goal.loc = procedure().locations[open.loop->at].loc;
  goal.text = fmt::format("loop at {} unrolled {} time{}",
                          program_.place(goal.loc),
                          open.bound,
                          open.bound == 1 ? "" : "s");
  goal.bound = BoundedPlace{frames_.back().procedure, open.loop->at};
  add_goal(std::move(goal));
}

/// The loop that must not be repeated once more, if control goes there.
Walker::OpenLoop* Walker::exhausted(LocationId to) {
  for (OpenLoop& open : frames_.back().loops)
    if (open.is_exhausted() && open.loop->members[to.index()])
      return &open;
  return nullptr;
}

Status Walker::visit(LocationId location) {
  std::vector<Path> incoming = std::exchange(frames_.back().incoming[location], {});
  if (incoming.empty())
    return Done{};
  path_ = merge(std::move(incoming));
  return leave(location);
}

/// Follows the edges out of the location where path_ is.
Status Walker::leave(LocationId location) {
  const std::vector<std::uint32_t>& out = procedure().locations[location].out;
  if (out.empty() || is_dead())
    return Done{};
  if (++result_.steps > kMostSteps)
    return Error{ErrorKind::kUnsupported,
                 "BND-002",
                 fmt::format("the program takes more than {} steps", kMostSteps)};
  if (options_.budget != nullptr && result_.steps % kStepsBetweenLooks == 0 &&
      options_.budget->exhausted(resident_bytes()))
    return Error{
        ErrorKind::kUnsupported, "BND-001", "the budget is used up while the formula is made"};
  edge_index_ = out.front();
  edge_ = &procedure().edges[edge_index_];
  const auto* assume = std::get_if<program::Assume>(&edge_->action);
  if (assume != nullptr && assume->is_branch) {
    branch(location);
    return Done{};
  }
  const LocationId to = edge_->to;
  if (Status status = act(*edge_); !status)
    return status;
  if (error_)
    return *error_;
  if (!is_dead())
    go_to(to);
  return Done{};
}

/// Straight on; only an edge that goes back is one too many.
void Walker::go_to(LocationId to) {
  for (const OpenLoop& open : frames_.back().loops)
    if (open.is_exhausted() && open.loop->at == to)
      return cut_loop(open, guard());
  frames_.back().incoming[to].push_back(path_);
}

void Walker::branch(LocationId location) {
  std::vector<std::pair<Term, LocationId>> ways;
  for (const std::uint32_t index : procedure().locations[location].out) {
    const program::Edge& edge = procedure().edges[index];
    const Term holds = condition(std::get<program::Assume>(edge.action).condition);
    if (paths_.is_known(path_, holds)) {
      ways.assign(1, {holds, edge.to});
      break;
    }
    if (!is_false(holds) && !paths_.is_known(path_, terms_.not_(holds)))
      ways.emplace_back(holds, edge.to);
  }
  const bool is_decided = ways.size() == 1; // one of the ways is always open
  for (OpenLoop& open : frames_.back().loops)
    if (!std::exchange(open.has_branched, true))
      open.is_counting =
          is_decided && options_.counts_freely && open.loop->is_left && open.turn < kLongestCount;
  if (is_decided) {
    if (const OpenLoop* open = exhausted(ways.front().second))
      cut_loop(*open, guard());
    else
      frames_.back().incoming[ways.front().second].push_back(path_);
    return;
  }
  const std::uint32_t branch = paths_.add_branch(path_, ways.size());
  for (const auto& [holds, to] : ways)
    if (const OpenLoop* open = exhausted(to))
      cut_loop(*open, terms_.and_(guard(), holds));
    else
      frames_.back().incoming[to].push_back(paths_.enter_arm(path_, branch, holds));
}

std::size_t Walker::depth_of(ProcedureId id) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(frames_, [&](const Frame& frame) { return frame.procedure == id; }));
}

Status Walker::call(const program::Call& action) {
  std::vector<std::pair<Term, ProcedureId>> ways;
  const Term function = action.function ? evaluate(*action.function) : Term{};
  Term is_known = terms_.boolean(false);
  for (const ProcedureId target : action.targets) {
    Term is_meant = terms_.boolean(true);
    if (action.function)
      is_meant = terms_.equal(function,
                              terms_.constant(program_.space().function_address(target.value),
                                              terms_.sort(function).width));
    const program::Procedure& callee = program_.procedures[target];
    if (is_false(is_meant) || callee.parameters.size() > action.arguments.size())
      continue;
    ways.emplace_back(is_meant, target);
    is_known = terms_.or_(is_known, is_meant);
  }
  check(is_known, program::FaultKind::kInvalidAccess, "a call of something that is no function");
  if (is_dead())
    return Done{};
  std::vector<Term> arguments;
  for (const Term argument : action.arguments)
    arguments.push_back(evaluate(argument));
  const Path before = path_;
  const Symbols::Context outer = context_;
  const std::uint32_t branch = ways.size() > 1 ? paths_.add_branch(path_, ways.size()) : 0;
  std::vector<Path> returned;
  for (const auto& [is_meant, target] : ways) {
    path_ = before;
    if (ways.size() > 1)
      path_ = paths_.enter_arm(before, branch, is_meant);
    const program::Procedure& callee = program_.procedures[target];
    const std::uint64_t bound = options_.bound({target, {}});
    if (bound != 0 && depth_of(target) > bound) {
      Goal goal;
      goal.kind = Goal::Kind::kCut;
      goal.fault = program::FaultKind::kCut;
      goal.text = fmt::format(
          "recursion of {} followed {} time{}", callee.name, bound, bound == 1 ? "" : "s");
      goal.bound = BoundedPlace{target, {}};
      add_goal(std::move(goal));
      continue;
    }
    TermTables::Root locals = 0;
    for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
      const LocalId parameter = callee.parameters[i];
      locals = paths_.tables().set(locals,
                                   path_.owner,
                                   parameter.value,
                                   widened(arguments[i], callee.locals[parameter].width));
    }
    context_ = symbols_.inner(outer, what(), target.value);
    if (Status status = walk(target, locals); !status)
      return status;
    context_ = outer;
    if (is_dead())
      continue;
    if (action.dest) {
      const unsigned width = procedure().locals[*action.dest].width;
      assign(*action.dest,
             path_.result.is_valid() ? widened(path_.result, width) : terms_.constant(0, width));
    }
    path_.result = {};
    returned.push_back(path_);
  }
  if (returned.empty())
    Paths::kill(path_);
  else
    path_ = merge(std::move(returned));
  return Done{};
}

} // namespace heddle::engine::bounded
