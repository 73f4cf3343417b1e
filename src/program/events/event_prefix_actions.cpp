// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each action adds to the events for a solver, and what narrows the guard of the rest.
#include "program/events/event_prefix.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace heddle::program {

bool PrefixBuilder::is_true(Term term) const {
  return terms_.is_constant(term) && terms_.node(term).value != 0;
}

bool PrefixBuilder::is_false(Term term) const {
  return terms_.is_constant(term) && terms_.node(term).value == 0;
}

Term PrefixBuilder::pointer(std::uint64_t address) {
  return terms_.constant(address, context_.program.pointer_bits());
}

Term PrefixBuilder::widened(Term term, unsigned width) {
  const unsigned given = terms_.sort(term).width;
  if (given == width)
    return term;
  return given > width ? terms_.extract(term, 0, width) : terms_.zero_extend(term, width);
}

Error PrefixBuilder::refuse(const std::string& what) const {
  return Error{ErrorKind::kUnsupported,
               "PRG-010",
               fmt::format("{}: {} has no events",
                           context_.program.place(edge_ != nullptr ? edge_->loc : SourceLoc{}),
                           what)};
}

Term PrefixBuilder::guard() {
  return guards_.guard(path_);
}

Term PrefixBuilder::local(LocalId local) {
  const Term value = tables_.get(path_.locals, local.value);
  return value.is_valid() ? value : terms_.constant(0, procedure().locals[local].width);
}

Term PrefixBuilder::evaluate(Term term) {
  const logic::Node& node = terms_.node(term);
  if (node.op == logic::Op::kConstant)
    return term;
  if (node.op == logic::Op::kVariable && node.value < kSelfVariable)
    return local(LocalId{static_cast<std::size_t>(node.value)});
  return terms_.substitute(term, [this](std::uint64_t number, logic::Sort sort) {
    if (number == kSelfVariable) // where its thread-local variables are
      return terms_.constant(area_of(thread_.thread), sort.width);
    return local(LocalId{static_cast<std::size_t>(number)});
  });
}

void PrefixBuilder::assign(LocalId local, Term value) {
  path_.locals = tables_.set(path_.locals, path_.owner, local.value, value);
}

EventIndex PrefixBuilder::add(StaticEvent event) {
  event.thread = thread_.thread;
  if (!event.guard.is_valid())
    event.guard = guard();
  event.instruction = instruction_;
  event.section = path_.section;
  if (edge_ != nullptr && !frames_.empty()) {
    event.edge = edge_index_;
    event.procedure = frames_.back().procedure;
    event.loc = edge_->loc;
  }
  set_.events.push_back(std::move(event));
  return static_cast<EventIndex>(set_.events.size() - 1);
}

Term PrefixBuilder::fresh_choice(unsigned width) {
  StaticEvent event;
  event.kind = StaticEvent::Kind::kChoice;
  event.width = static_cast<std::uint8_t>(width);
  const EventIndex index = add(std::move(event));
  const Term value =
      terms_.variable(EventSet::variable_of(index), logic::Sort{static_cast<std::uint8_t>(width)});
  set_.events[index].value = value;
  return value;
}

void PrefixBuilder::learn(Path& path, Term condition) {
  if (!terms_.is_constant(condition) && condition.value <= TermTables::kLargestIndex)
    path.facts = tables_.set(path.facts, path.owner, condition.value, terms_.boolean(true));
}

bool PrefixBuilder::is_known(Term condition) const {
  return is_true(condition) || (condition.value <= TermTables::kLargestIndex &&
                                tables_.get(path_.facts, condition.value).is_valid());
}

void PrefixBuilder::narrow(Term condition) {
  if (is_known(condition))
    return;
  guards_.narrow(path_, condition);
  learn(path_, condition);
}

void PrefixBuilder::check(Term condition, FaultKind fault, const std::string& what) {
  if (is_known(condition) || is_dead())
    return;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kCheck;
  event.value = condition;
  event.fault = fault;
  event.text = what;
  add(std::move(event));
  narrow(condition);
}

void PrefixBuilder::note_point(std::optional<SourceLoc> assertion) {
  if (!is_dead())
    set_.points.push_back({assertion, thread_.thread, next_event(), guard()});
}

EventIndex PrefixBuilder::next_event() const {
  return static_cast<EventIndex>(set_.events.size());
}

/// To be called before what follows is narrowed to `can`.
void PrefixBuilder::wait_until(Term can, StaticWait wait) {
  wait.waits = terms_.and_(guard(), terms_.not_(can));
  if (!context_.keeps_waits || is_false(wait.waits))
    return;
  wait.thread = thread_.thread;
  wait.next = next_event();
  wait.section = path_.section_depth > 0 ? path_.section : 0;
  wait.loc = edge_ != nullptr ? edge_->loc : SourceLoc{};
  set_.waits.push_back(std::move(wait));
}

/// The path ends here.
void PrefixBuilder::stop(StaticEvent::Kind kind, FaultKind fault, const std::string& what) {
  StaticEvent event;
  event.kind = kind;
  event.fault = fault;
  event.text = what;
  add(std::move(event));
  path_.alive = PathGuards::kDead;
}

EventIndex PrefixBuilder::endpoint(bool drains) {
  StaticEvent event;
  event.kind = StaticEvent::Kind::kEndpoint;
  event.drains = drains;
  return add(std::move(event));
}

/// MemoryMap::are_neighbours as a term: both in one unit, or in the units of one object that has
/// several.
void PrefixBuilder::check_neighbourhood(const CheckNeighbourhood& action) {
  const Term base = evaluate(action.base);
  const Term result = evaluate(action.result);
  const AddressSpace space = context_.program.space();
  const unsigned width = terms_.sort(base).width;
  const unsigned shift = space.unit_shift;
  if (base == result || width <= shift)
    return;
  Term holds = terms_.equal(terms_.extract(base, shift, width - shift),
                            terms_.extract(result, shift, width - shift));
  if (is_true(holds))
    return;
  for (std::size_t i = 0; i < context_.program.objects.size(); ++i)
    for (const Span& span : spans_of(ObjectId{i})) {
      const std::uint64_t units = space.units_for(span.size);
      if (units == 1)
        continue;
      const Term first = terms_.constant(space.unit_of(span.address) << shift, width);
      const Term size = terms_.constant(units << shift, width);
      const auto is_near = [&](Term address) {
        return terms_.binary(logic::Op::kULt, terms_.binary(logic::Op::kSub, address, first), size);
      };
      holds = terms_.or_(holds, terms_.and_(is_near(base), is_near(result)));
    }
  check(holds, FaultKind::kPointerArithmetic, "a pointer leaves its object");
}

/// Can the thread stop before the section that begins there ends?
bool PrefixBuilder::may_wait_in_section(LocationId from) const {
  const Procedure& at = procedure();
  std::vector<LocationId> pending{from};
  std::set<LocationId> seen;
  while (!pending.empty()) {
    const LocationId location = pending.back();
    pending.pop_back();
    if (!seen.insert(location).second)
      continue;
    if (at.locations[location].out.empty())
      return true;
    for (const std::uint32_t index : at.locations[location].out) {
      const Edge& edge = at.edges[index];
      if (std::holds_alternative<AtomicEnd>(edge.action))
        continue;
      const auto* assume = std::get_if<Assume>(&edge.action);
      const bool goes_on =
          (assume != nullptr && assume->is_branch) || std::holds_alternative<Skip>(edge.action) ||
          std::holds_alternative<Assign>(edge.action) ||
          std::holds_alternative<AssignSequence>(edge.action) ||
          std::holds_alternative<Nondet>(edge.action) ||
          std::holds_alternative<Hint>(edge.action) || std::holds_alternative<Fence>(edge.action);
      const auto is_constant = [&](Term address) { return terms_.is_constant(address); };
      const auto* load = std::get_if<Load>(&edge.action);
      const auto* store = std::get_if<Store>(&edge.action);
      if (!goes_on && !(load != nullptr && is_constant(load->address)) &&
          !(store != nullptr && is_constant(store->address)))
        return true;
      pending.push_back(edge.to);
    }
  }
  return false;
}

void PrefixBuilder::begin_section(const AtomicBegin& action, LocationId next) {
  ++path_.section_depth;
  if (path_.section_depth > 1) {
    endpoint(action.drains);
    return;
  }
  // A thread that would have to wait inside may as well not have entered yet.
  if (may_wait_in_section(next))
    narrow(terms_.to_bool(fresh_choice(1)));
  path_.section = ++context_.sections;
  const EventIndex begin = endpoint(action.drains);
  set_.sections.push_back({path_.section, begin, {}});
}

void PrefixBuilder::end_section(bool drains) {
  if (path_.section_depth == 0) {
    check(terms_.boolean(false),
          FaultKind::kBadSynchronisation,
          "the end of an atomic section that is not open");
    return;
  }
  const EventIndex end = endpoint(drains);
  if (--path_.section_depth > 0)
    return;
  for (auto section = set_.sections.rbegin(); section != set_.sections.rend(); ++section)
    if (section->number == path_.section) {
      section->ends.push_back(end);
      break;
    }
  path_.section = 0;
}

/// The thread has gone around the loop at that point without changing anything where it is not
/// busy: it may do so for ever.
void PrefixBuilder::note_turn(const std::string& point, Term is_busy) {
  const auto [begin, is_first] = turns_.try_emplace(point, next_event());
  if (!is_first && !is_true(is_busy)) {
    StaticWait wait;
    wait.what = StaticWait::For::kChange;
    // Which bytes a copy finds unwritten is no choice: memory says so.
    std::set<Term> marks;
    for (EventIndex e = begin->second; e < next_event(); ++e)
      if (set_.events[e].kind == StaticEvent::Kind::kRead && set_.events[e].marks.is_valid())
        marks.insert(set_.events[e].marks);
    for (EventIndex e = begin->second; e < next_event(); ++e)
      if (set_.events[e].kind == StaticEvent::Kind::kRead)
        wait.reads.push_back(e);
      else if (set_.events[e].kind == StaticEvent::Kind::kChoice &&
               !marks.contains(set_.events[e].value))
        wait.choices.push_back(e);
    wait_until(is_busy, std::move(wait));
  }
  begin->second = next_event();
}

std::optional<std::uint32_t> PrefixBuilder::only_edge_to(LocationId location) const {
  std::optional<std::uint32_t> found;
  const std::vector<Edge>& edges = procedure().edges;
  for (std::uint32_t i = 0; i < edges.size(); ++i)
    if (edges[i].to == location) {
      if (found)
        return std::nullopt;
      found = i;
    }
  return found;
}

std::optional<std::uint32_t> PrefixBuilder::point_before(bool may_compute) const {
  std::optional<std::uint32_t> at = only_edge_to(edge_->from);
  while (at) {
    const Edge& edge = procedure().edges[*at];
    const auto* hint = std::get_if<Hint>(&edge.action);
    if (hint != nullptr && hint->kind == ir::Hint::Kind::kSpinEnd && !hint->name.empty())
      return at;
    if (!may_compute || !(std::holds_alternative<Assume>(edge.action) ||
                          std::holds_alternative<Assign>(edge.action) ||
                          std::holds_alternative<AssignSequence>(edge.action) ||
                          std::holds_alternative<Skip>(edge.action)))
      return std::nullopt;
    at = only_edge_to(edge.from);
  }
  return at;
}

const std::string& PrefixBuilder::name_of_point(std::uint32_t hint) const {
  return std::get<Hint>(procedure().edges[hint].action).name;
}

/// A turn around a wait on a condition may be left out only if nobody signals the condition from
/// one wait to the next: a choice says that it is kept.
Term PrefixBuilder::keep_turn(std::uint32_t point, Term is_busy) {
  const auto last = last_waits_.find(name_of_point(point));
  if (last == last_waits_.end() || is_true(is_busy))
    return is_busy;
  const Term is_kept = terms_.to_bool(fresh_choice(1));
  open_turns_[point] = set_.wait_turns.size();
  set_.wait_turns.push_back({last->second, is_kept, 0});
  return terms_.or_(is_busy, is_kept);
}

/// A hint before it tells what kind of assumption it is (transform/basic/idle.cpp).
void PrefixBuilder::assume(const Assume& action) {
  Term condition = evaluate(action.condition);
  if (const std::optional<std::uint32_t> point =
          context_.keeps_waits && !action.is_branch ? point_before(false) : std::nullopt) {
    if (name_of_point(*point).starts_with("turn "))
      note_turn(name_of_point(*point), condition);
    else if (name_of_point(*point).starts_with("wait "))
      condition = keep_turn(*point, condition);
  }
  narrow(condition);
}

Status PrefixBuilder::act(const Edge& edge) {
  std::optional<Error> wrong;
  const auto trap = [&](const std::string& what) {
    stop(StaticEvent::Kind::kTrap, FaultKind::kTrap, what);
  };
  const auto finish = [&](const std::optional<Term>& value) {
    path_.result = value ? widened(evaluate(*value), 64) : terms_.constant(0, 64);
  };
  const auto end = [&](bool drains) {
    if (path_.section_depth > 0) { // the thread's end opens it
      path_.section_depth = 1;
      end_section(drains);
    }
    // Memory of its frames that others may know ends with it.
    for (const Frame& frame : frames_)
      for (const std::size_t index : frame.blocks)
        end_block(context_.blocks[index], Object::Dangling::kAnyThread);
    path_.locals = 0;
    if (thread_.thread == 0)
      note_point({});
    ends_.push_back(path_);
    path_.alive = PathGuards::kDead;
  };
  std::visit(
      Overloaded{
          [](const Skip&) {},
          [&](const Assign& a) { assign(a.dest, evaluate(a.value)); },
          [&](const AssignSequence& sequence) {
            for (const Assign& a : sequence.assignments)
              assign(a.dest, evaluate(a.value));
          },
          [&](const Nondet& a) { assign(a.dest, fresh_choice(procedure().locals[a.dest].width)); },
          [&](const Assume& a) { assume(a); },
          [&](const Check& a) {
            if (a.kind == CheckKind::kAssertion)
              note_point(edge.loc);
            check(evaluate(a.condition), fault_of(a.kind), a.what);
          },
          [&](const CheckNeighbourhood& a) { check_neighbourhood(a); },
          [&](const Load& a) { load(a); },
          [&](const Store& a) { store(a); },
          [&](const LoadExclusive&) { trap("exclusive load or store"); },
          [&](const StoreExclusive&) { trap("exclusive load or store"); },
          [&](const ReadModifyWrite& a) { read_modify_write(a); },
          [&](const CompareExchange& a) { compare_exchange(a); },
          [&](const Fence& a) {
            if (a.strength == Fence::Strength::kNone)
              return;
            StaticEvent event;
            event.kind = StaticEvent::Kind::kFence;
            event.access = a.access.kind;
            event.order = a.access.order;
            event.tags = a.access.tags;
            event.strength = a.strength;
            event.drains = a.strength == Fence::Strength::kFull;
            add(std::move(event));
          },
          [&](const Allocate& a) { allocate(a); },
          [&](const Free& a) { free_block(a); },
          [&](const BlockSize& a) { block_size(a); },
          [&](const Call& a) {
            if (Status status = call(a); !status)
              wrong = status.error();
          },
          [&](const Return& a) {
            finish(a.value);
            if (frames_.size() > 1) {
              frames_.back().returns.push_back(path_);
              path_.alive = PathGuards::kDead;
            } else {
              returns_ = returns_.is_valid() ? terms_.or_(returns_, guard()) : guard();
              end(true);
            }
          },
          [&](const Synchronize& a) {
            if (Status status = synchronize(a); !status)
              wrong = status.error();
          },
          [&](const AtomicBegin& a) { begin_section(a, edge.to); },
          [&](const AtomicEnd& a) { end_section(a.drains); },
          [](const Hint&) {},
          [&](const ThreadExit& a) {
            finish(a.value);
            end(a.drains);
          },
          [&](const Exit&) {
            if (context_.keeps_waits)
              set_.exits.push_back({thread_.thread, guard(), next_event()});
            note_point({});
            path_.alive = PathGuards::kDead;
          },
          [&](const Cut& a) { stop(StaticEvent::Kind::kCut, FaultKind::kCut, a.bound); },
          [&](const Trap& a) { trap(a.what); },
      },
      edge.action);
  if (wrong)
    return *wrong;
  return Done{};
}

} // namespace heddle::program
