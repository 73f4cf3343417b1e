// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Control flow of a thread's events for a solver: locations are visited once, in topological order.
// Where paths meet they become one, whose values are chosen by the conditions of the branch they
// came from. Calls that were not inlined are walked where they are made.
//
// A path knows the arm of the branch it is in, that branch the arm it is in, and so on. Of paths
// that meet, those in the deepest branch are merged first. If all arms of it are there, the guard
// is what it was before the branch, but for what stopped paths in the arms. Otherwise those that
// are missing have ended or have gone elsewhere, and the conditions of the others go into `alive`.
#include "program/event_prefix.h"
#include "support/check.h"
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
  return is_false(alive_[path_.alive].all);
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
    path_.alive = kDead;
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
  if (++context_.steps > kMostSteps || set_.events.size() > kMostEvents)
    return refuse("a program of so many steps");
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
  const std::uint32_t branch = add_branch(ways.size());
  for (const auto& [condition, location] : ways)
    frames_.back().incoming[location].push_back(enter_arm(branch, condition));
}

std::uint32_t PrefixBuilder::add_branch(std::size_t arms) {
  branches_.push_back({path_.arm,
                       branches_[arms_[path_.arm].branch].depth + 1,
                       static_cast<std::uint32_t>(arms),
                       path_.alive});
  return static_cast<std::uint32_t>(branches_.size() - 1);
}

/// path_, as it goes on in an arm of the branch where it stands.
PrefixBuilder::Path PrefixBuilder::enter_arm(std::uint32_t branch, Term condition) {
  Path path = path_;
  path.arm = static_cast<std::uint32_t>(arms_.size());
  path.owner = tables_.new_owner();
  path.alive = kAlive;
  arms_.push_back({branch, condition, terms_.and_(guard(), condition)});
  learn(path, condition);
  return path;
}

PrefixBuilder::Path PrefixBuilder::merge(std::vector<Path> paths) {
  while (paths.size() > 1) {
    std::uint32_t depth = 0;
    for (const Path& path : paths)
      depth = std::max(depth, branches_[arms_[path.arm].branch].depth);
    // Those in the deepest branches, by branch and arm, in a fixed order.
    std::map<std::uint32_t, std::map<std::uint32_t, Path>> deepest;
    std::vector<Path> rest;
    for (Path& path : paths) {
      const std::uint32_t branch = arms_[path.arm].branch;
      if (branches_[branch].depth < depth) {
        rest.push_back(path);
        continue;
      }
      const auto [entry, is_new] = deepest[branch].try_emplace(path.arm, path);
      if (!is_new)
        entry->second = merge_same_arm(entry->second, path);
    }
    if (depth == 0) {
      HEDDLE_CHECK(rest.empty() && deepest.size() == 1 && deepest.begin()->second.size() == 1,
                   "paths that have no place in common");
      return deepest.begin()->second.begin()->second;
    }
    if (rest.empty() && deepest.size() == 1 && deepest.begin()->second.size() == 1)
      return deepest.begin()->second.begin()->second;
    for (const auto& [branch, by_arm] : deepest) {
      std::vector<Path> arms;
      for (const auto& [arm, path] : by_arm)
        arms.push_back(path);
      rest.push_back(merge_arms(arms));
    }
    paths = std::move(rest);
  }
  return paths.front();
}

std::uint32_t PrefixBuilder::extend(std::uint32_t alive, Term part) {
  if (is_true(part))
    return alive;
  const Term all = terms_.and_(alive_[alive].all, part);
  if (is_false(all))
    return kDead;
  alive_.push_back({alive, alive_[alive].depth + 1, part, all});
  return static_cast<std::uint32_t>(alive_.size() - 1);
}

/// What has come after `before` in the chain.
Term PrefixBuilder::since(std::uint32_t alive, std::uint32_t before) {
  std::vector<Term> parts;
  for (; alive != before; alive = alive_[alive].before)
    parts.push_back(alive_[alive].part);
  Term result = terms_.boolean(true);
  while (!parts.empty()) {
    result = terms_.and_(result, parts.back());
    parts.pop_back();
  }
  return result;
}

/// With de Morgan's laws, so that what short-circuit operators have taken apart is recognised.
Term PrefixBuilder::negation(Term term, unsigned depth) {
  const logic::Op op = terms_.node(term).op;
  if (depth == 0 || (op != logic::Op::kAnd && op != logic::Op::kOr))
    return terms_.not_(term);
  const Term a = terms_.arguments(term)[0];
  const Term b = terms_.arguments(term)[1];
  const Term not_a = negation(a, depth - 1);
  const Term not_b = negation(b, depth - 1);
  return op == logic::Op::kAnd ? terms_.or_(not_a, not_b) : terms_.and_(not_a, not_b);
}

/// The paths have parted at a branch that was merged before. What has stopped one of them since
/// then tells them apart: they cannot both be alive.
PrefixBuilder::Path PrefixBuilder::merge_same_arm(const Path& a, const Path& b) {
  std::uint32_t at_a = a.alive;
  std::uint32_t at_b = b.alive;
  while (at_a != at_b) {
    if (alive_[at_a].depth >= alive_[at_b].depth)
      at_a = alive_[at_a].before;
    else
      at_b = alive_[at_b].before;
  }
  const Term since_a = since(a.alive, at_a);
  const Term since_b = since(b.alive, at_a);
  Path result = merge_values({a, b}, {since_a, since_b});
  constexpr unsigned kDeepest = 6;
  const bool is_either =
      negation(since_a, kDeepest) == since_b || negation(since_b, kDeepest) == since_a;
  result.alive = is_either ? at_a : extend(at_a, terms_.or_(since_a, since_b));
  return result;
}

PrefixBuilder::Path PrefixBuilder::merge_arms(const std::vector<Path>& paths) {
  const Branch& branch = branches_[arms_[paths.front().arm].branch];
  std::vector<Term> conditions;
  for (const Path& path : paths)
    conditions.push_back(arms_[path.arm].condition);
  Path result = merge_values(paths, conditions);
  result.arm = branch.arm;
  const bool is_complete = paths.size() == branch.arms;
  Term part = alive_[paths.back().alive].all;
  if (!is_complete)
    part = terms_.and_(conditions.back(), part);
  for (std::size_t i = paths.size() - 1; i-- > 0;) {
    const Term other = alive_[paths[i].alive].all;
    part = is_complete ? terms_.ite(conditions[i], other, part)
                       : terms_.or_(terms_.and_(conditions[i], other), part);
  }
  result.alive = extend(branch.alive, part);
  return result;
}

PrefixBuilder::Path PrefixBuilder::merge_values(const std::vector<Path>& paths,
                                                const std::vector<Term>& conditions) {
  Path result = paths.front();
  if (paths.size() == 1)
    return result;
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
  const std::uint32_t branch = ways.size() > 1 ? add_branch(ways.size()) : 0;
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
    path_.alive = kDead;
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
