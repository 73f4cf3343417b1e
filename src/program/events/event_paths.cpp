// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Control flow of a thread's events for a solver: locations are visited once, in topological order.
// Where paths meet they become one, whose values are chosen by the conditions of the branch they
// came from (path_guards.h). Calls that were not inlined are walked where they are made.
#include "program/events/event_prefix.h"
#include "support/resident_bytes.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// A program that takes more steps than this, calls and loops followed, or has more events, is
/// refused.
constexpr std::uint32_t kMostSteps = 1U << 18U;
constexpr std::size_t kMostEvents = 1U << 17U;
/// So often the budget is looked at.
constexpr std::uint32_t kStepsBetweenLooks = 256;

} // namespace

const Procedure& PrefixBuilder::procedure() const {
  return context_.program.procedures[frames_.back().procedure];
}

bool PrefixBuilder::is_dead() const {
  return PathGuards::is_dead(path_);
}

/// Depth-first postorder, reversed.
Result<const std::vector<LocationId>*> PrefixBuilder::order_of(ProcedureId id) {
  std::vector<LocationId>& order = context_.orders[id];
  if (!order.empty())
    return &order;
  const Procedure& procedure = context_.program.procedures[id];
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  IdVector<LocationId, Mark> marks(procedure.locations.size(), Mark::kNew);
  std::vector<std::pair<LocationId, std::size_t>> pending{{procedure.entry, 0}};
  marks[procedure.entry] = Mark::kOpen;
  while (!pending.empty()) {
    auto& [location, next] = pending.back();
    const std::vector<std::uint32_t>& out = procedure.locations[location].out;
    if (next == out.size()) {
      marks[location] = Mark::kDone;
      order.push_back(location);
      pending.pop_back();
      continue;
    }
    const Edge& edge = procedure.edges[out[next++]];
    if (marks[edge.to] == Mark::kOpen) {
      edge_ = &edge;
      return refuse("a loop");
    }
    if (marks[edge.to] == Mark::kNew) {
      marks[edge.to] = Mark::kOpen;
      pending.emplace_back(edge.to, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return &order;
}

Status PrefixBuilder::walk(ProcedureId id, TermTables::Root locals) {
  for (const Frame& frame : frames_)
    if (frame.procedure == id) { // through a pointer; other recursion was bounded before
      stop(StaticEvent::Kind::kCut,
           FaultKind::kCut,
           "calls of " + context_.program.procedures[id].name + " by itself are not followed");
      return Done{};
    }
  Result<const std::vector<LocationId>*> order = order_of(id);
  if (!order)
    return order.error();
  const TermTables::Root outer_locals = path_.locals;
  const Edge* outer_edge = edge_;
  const std::uint32_t outer_index = edge_index_;
  const Procedure& callee = context_.program.procedures[id];
  Frame frame;
  frame.procedure = id;
  frame.incoming = IdVector<LocationId, std::vector<Path>>(callee.locations.size());
  path_.locals = locals;
  frame.incoming[callee.entry].push_back(path_);
  frames_.push_back(std::move(frame));
  for (const LocationId location : **order)
    if (Status status = visit(location); !status)
      return status;
  edge_ = outer_edge;
  edge_index_ = outer_index;
  if (frames_.back().returns.empty()) {
    path_.alive = PathGuards::kDead;
  } else {
    path_ = merge(std::exchange(frames_.back().returns, {}));
    end_frame();
  }
  path_.locals = outer_locals;
  frames_.pop_back();
  if (error_)
    return *error_;
  return Done{};
}

Status PrefixBuilder::visit(LocationId location) {
  const std::vector<Path> incoming = std::exchange(frames_.back().incoming[location], {});
  // Copies of a loop's body that lead out of it meet where an atomic section of each is open. What
  // follows is in one or the other.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Path>> by_section;
  for (const Path& path : incoming)
    by_section[{path.section, path.section_depth}].push_back(path);
  for (auto& [section, paths] : by_section) {
    path_ = merge(std::move(paths));
    if (Status status = leave(location); !status)
      return status;
  }
  return Done{};
}

/// Follows the edges out of the location where path_ is.
Status PrefixBuilder::leave(LocationId location) {
  if (error_)
    return *error_;
  const std::vector<std::uint32_t>& out = procedure().locations[location].out;
  if (out.empty() || is_dead())
    return Done{};
  if (++context_.steps > kMostSteps || set_.events.size() > kMostEvents) {
    Error error = refuse("a program of so many steps");
    error.code = "PRG-014"; // smaller bounds would do (transform::is_too_large)
    return error;
  }
  if (context_.budget != nullptr && context_.steps % kStepsBetweenLooks == 0 &&
      context_.budget->exhausted(resident_bytes()))
    return Error{ErrorKind::kUnsupported, "PRG-013", "the budget is used up while events are made"};
  ++instruction_;
  edge_index_ = out.front();
  edge_ = &procedure().edges[edge_index_];
  const auto* assume = std::get_if<Assume>(&edge_->action);
  if (assume != nullptr && assume->is_branch) {
    branch(location);
    return Done{};
  }
  const Edge& edge = *edge_;
  if (Status status = act(edge); !status)
    return status;
  if (error_)
    return *error_;
  if (!is_dead())
    frames_.back().incoming[edge.to].push_back(path_);
  return Done{};
}

void PrefixBuilder::branch(LocationId location) {
  std::vector<std::pair<Term, LocationId>> ways;
  for (const std::uint32_t index : procedure().locations[location].out) {
    const Edge& edge = procedure().edges[index];
    const Term condition = evaluate(std::get<Assume>(edge.action).condition);
    if (is_known(condition)) {
      ways.assign(1, {terms_.boolean(true), edge.to});
      break;
    }
    if (!is_false(condition) && !is_known(terms_.not_(condition)))
      ways.emplace_back(condition, edge.to);
  }
  fork(std::move(ways));
}

/// Sends path_ to each of the locations, under the conditions.
void PrefixBuilder::fork(std::vector<std::pair<Term, LocationId>> ways) {
  if (ways.size() == 1) { // one of the ways is always open
    frames_.back().incoming[ways.front().second].push_back(path_);
    return;
  }
  const std::uint32_t branch = guards_.add_branch(path_, ways.size());
  for (const auto& [condition, location] : ways)
    frames_.back().incoming[location].push_back(enter_arm(branch, condition));
}

/// path_, as it goes on in an arm of the branch where it stands.
PrefixBuilder::Path PrefixBuilder::enter_arm(std::uint32_t branch, Term condition) {
  Path path = path_;
  static_cast<PathPlace&>(path) = guards_.enter_arm(path_, branch, condition);
  path.owner = tables_.new_owner();
  learn(path, condition);
  return path;
}

PrefixBuilder::Path PrefixBuilder::merge(std::vector<Path> paths) {
  return guards_.merge(std::move(paths),
                       [this](const std::vector<Path>& met, const std::vector<Term>& conditions) {
                         return merge_values(met, conditions);
                       });
}

PrefixBuilder::Path PrefixBuilder::merge_values(const std::vector<Path>& paths,
                                                const std::vector<Term>& conditions) {
  Path result = paths.front();
  result.owner = tables_.new_owner();
  const auto choose = [&](auto value_of) {
    Term value = value_of(paths.size() - 1);
    for (std::size_t i = paths.size() - 1; i-- > 0;)
      value = terms_.ite(conditions[i], value_of(i), value);
    return value;
  };
  std::vector<TermTables::Root> locals;
  std::vector<TermTables::Root> cells;
  std::vector<TermTables::Root> facts;
  bool has_results = true;
  for (const Path& path : paths) {
    locals.push_back(path.locals);
    cells.push_back(path.cells);
    facts.push_back(path.facts);
    has_results = has_results && path.result.is_valid();
    result.kept_threads = std::min(result.kept_threads, path.kept_threads);
    if (path.section != result.section || path.section_depth != result.section_depth)
      error_ = refuse("an atomic section that is open on one of the ways to a place only");
  }
  if (!frames_.empty()) {
    const Procedure& at = procedure();
    result.locals = tables_.merge(
        std::span<const TermTables::Root>(locals),
        result.owner,
        [&](std::uint32_t index, std::span<const Term> values) {
          return choose([&](std::size_t i) {
            return values[i].is_valid()
                       ? values[i]
                       : terms_.constant(0, at.locals[LocalId{std::size_t{index}}].width);
          });
        });
  }
  result.cells = tables_.merge(std::span<const TermTables::Root>(cells),
                               result.owner,
                               [&](std::uint32_t index, std::span<const Term> values) {
                                 return choose([&](std::size_t i) {
                                   return values[i].is_valid() ? values[i] : initial_of(index);
                                 });
                               });
  result.facts = tables_.merge(std::span<const TermTables::Root>(facts),
                               result.owner,
                               [](std::uint32_t, std::span<const Term>) { return Term{}; });
  if (has_results)
    result.result = choose([&](std::size_t i) { return paths[i].result; });
  return result;
}

Status PrefixBuilder::call(const Call& action) {
  std::vector<std::pair<Term, ProcedureId>> ways;
  const Term function = action.function ? evaluate(*action.function) : Term{};
  Term is_known = terms_.boolean(false);
  for (const ProcedureId target : action.targets) {
    Term condition = terms_.boolean(true);
    if (action.function)
      condition =
          terms_.equal(function,
                       terms_.constant(context_.program.space().function_address(target.value),
                                       terms_.sort(function).width));
    const Procedure& callee = context_.program.procedures[target];
    if (is_false(condition) || callee.parameters.size() > action.arguments.size())
      continue;
    ways.emplace_back(condition, target);
    is_known = terms_.or_(is_known, condition);
  }
  check(is_known, FaultKind::kInvalidAccess, "a call of something that is no function");
  if (is_dead())
    return Done{};
  std::vector<Term> arguments;
  for (const Term argument : action.arguments)
    arguments.push_back(evaluate(argument));
  const Path before = path_;
  const std::uint32_t branch = ways.size() > 1 ? guards_.add_branch(path_, ways.size()) : 0;
  std::vector<Path> returned;
  for (const auto& [condition, target] : ways) {
    path_ = before;
    if (ways.size() > 1)
      path_ = enter_arm(branch, condition);
    const Procedure& callee = context_.program.procedures[target];
    TermTables::Root locals = 0;
    for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
      const LocalId parameter = callee.parameters[i];
      locals = tables_.set(locals,
                           path_.owner,
                           parameter.value,
                           widened(arguments[i], callee.locals[parameter].width));
    }
    if (Status status = walk(target, locals); !status)
      return status;
    if (is_dead())
      continue;
    if (action.dest)
      assign(*action.dest,
             path_.result.is_valid() ? widened(path_.result, procedure().locals[*action.dest].width)
                                     : terms_.constant(0, procedure().locals[*action.dest].width));
    path_.result = {};
    returned.push_back(path_);
  }
  if (returned.empty())
    path_.alive = PathGuards::kDead;
  else
    path_ = merge(std::move(returned));
  return Done{};
}

/// The end of a frame's block, if somebody like that may still know it.
void PrefixBuilder::end_block(const PrefixBlock& block, Object::Dangling known) {
  if (context_.program.objects[block.site].dangling < known)
    return;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kFree;
  event.address = pointer(block.address);
  event.text = "the end of a frame";
  // All returns of the frame end here: it comes from no edge of its own.
  set_.events[add(std::move(event))].edge.reset();
}

/// The blocks of the frame end with it. If nobody can know them any more, their place is free
/// again.
void PrefixBuilder::end_frame() {
  const Frame& frame = frames_.back();
  bool is_forgotten = true;
  std::uint64_t first = frame_unit_;
  for (const std::size_t index : frame.blocks) {
    const PrefixBlock& block = context_.blocks[index];
    first = std::min(first, context_.program.space().unit_of(block.address));
    is_forgotten = is_forgotten && context_.pieces.is_followed(block.site);
    end_block(block, Object::Dangling::kOwnThread);
  }
  if (is_forgotten)
    frame_unit_ = first;
}

} // namespace heddle::program
