// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/invariants/atomic_steps.h"

#include "program/model/control_flow.h"
#include "program/model/proof_marks.h"
#include "transform/basic/procedure_writer.h"
#include "transform/basic/transform.h"
#include "transform/buffers/explicit_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::object {

namespace {

using program::Action;
using program::Assign;
using program::AssignSequence;
using program::Assume;
using program::AtomicBegin;
using program::AtomicEnd;
using program::Check;
using program::CheckKind;
using program::Edge;
using program::Hint;
using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Program;
using program::Term;

const program::Access* access_of(const Action& action) {
  if (const auto* load = std::get_if<program::Load>(&action))
    return &load->access;
  if (const auto* store = std::get_if<program::Store>(&action))
    return &store->access;
  if (const auto* rmw = std::get_if<program::ReadModifyWrite>(&action))
    return &rmw->access;
  if (const auto* cas = std::get_if<program::CompareExchange>(&action))
    return &cas->access;
  return nullptr;
}

bool is_marked(const Action& action) {
  const program::Access* access = access_of(action);
  return access != nullptr && program::is_marked_as_effect(*access);
}
/// A flush of explicit buffers: not where it stands in the program, but that it is pending counts.
bool is_flush(const Action& action) {
  const auto* store = std::get_if<program::Store>(&action);
  return store != nullptr &&
         std::ranges::find(store->access.tags, program::kFlushTag) != store->access.tags.end();
}

/// Can another thread tell when it happens? Under SC fences do nothing.
bool is_shared(const Action& action) {
  return program::is_visible(action) && !std::holds_alternative<program::Fence>(action);
}
bool ends_thread(const Action& action) {
  return std::holds_alternative<program::Return>(action) ||
         std::holds_alternative<program::ThreadExit>(action) ||
         std::holds_alternative<program::Exit>(action) ||
         std::holds_alternative<program::Cut>(action) ||
         std::holds_alternative<program::Trap>(action);
}
/// Accesses, and the sections of the program itself.
bool can_be_step(const Action& action) {
  return std::holds_alternative<program::Load>(action) ||
         std::holds_alternative<program::Store>(action) ||
         std::holds_alternative<program::ReadModifyWrite>(action) ||
         std::holds_alternative<program::CompareExchange>(action) ||
         std::holds_alternative<AtomicBegin>(action) || ends_thread(action);
}
const Hint* operation_hint(const Action& action, ir::Hint::Kind kind) {
  const auto* hint = std::get_if<Hint>(&action);
  return hint != nullptr && hint->kind == kind ? hint : nullptr;
}

/// What is called from sections.
struct Called {
  ProcedureId invariant;
  std::vector<std::optional<ProcedureId>> abstract; // by operation
  std::vector<ProcedureId> auxiliary;               // by update
};

class Stepping : transform::ProcedureWriter {
public:
  Stepping(Program& program, ProcedureId id, const ClientPlan& plan, const Called& called)
      : transform::ProcedureWriter(program.terms), program_(program),
        source_(program.procedures[id]), plan_(plan), called_(called) {}

  Result<Procedure> run() {
    made_ = source_;
    made_.locations = {};
    made_.edges.clear();
    for (std::size_t i = 0; i < source_.locals.size(); ++i)
      if (source_.locals[LocalId{i}].name == transform::kPendingEffectsLocal)
        pending_effects_ = LocalId{i};
    find_operations();
    find_local_heads();
    add_ghosts();
    made_.entry = at({source_.entry, {}, 0});
    while (!open_.empty()) {
      const Place place = open_.back();
      open_.pop_back();
      if (const Status status = leave(place); !status)
        return status.error();
    }
    program::tidy(made_);
    return std::move(made_);
  }

private:
  /// Outside of a section, or in the one that began with that edge of the source; then how many
  /// sections of the program itself are open.
  struct Place {
    LocationId location;
    std::optional<std::uint32_t> section;
    std::uint32_t depth = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Ghosts {
    std::optional<LocalId> argument;
    std::optional<LocalId> result; // of the abstract operation
  };

  // Where calls are.

  void find_operations() {
    operation_.assign(source_.locations.size(), std::nullopt);
    std::vector<LocationId> open{source_.entry};
    std::vector<bool> seen(source_.locations.size(), false);
    seen[source_.entry.index()] = true;
    while (!open.empty()) {
      const LocationId from = open.back();
      open.pop_back();
      for (const std::uint32_t index : source_.locations[from].out) {
        const Edge& edge = source_.edges[index];
        if (!edge.to.is_valid() || seen[edge.to.index()])
          continue;
        seen[edge.to.index()] = true;
        operation_[edge.to.index()] = operation_[from.index()];
        if (const Hint* hint = operation_hint(edge.action, ir::Hint::Kind::kOperationBegin))
          operation_[edge.to.index()] = index_of(hint->name);
        else if (operation_hint(edge.action, ir::Hint::Kind::kOperationEnd) != nullptr)
          operation_[edge.to.index()].reset();
        open.push_back(edge.to);
      }
    }
  }
  [[nodiscard]] std::size_t index_of(const std::string& name) const {
    const auto found = std::ranges::find(plan_.operations, name, &ClientOperation::name);
    HEDDLE_CHECK(found != plan_.operations.end(), "an operation without a name");
    return static_cast<std::size_t>(found - plan_.operations.begin());
  }
  /// A marked access, or one that enters an explicit buffer.
  [[nodiscard]] bool brings_mark(const Action& action) {
    if (is_marked(action) && !is_flush(action))
      return true;
    const auto* sequence = std::get_if<AssignSequence>(&action);
    if (sequence == nullptr || !pending_effects_.is_valid())
      return false;
    const Term one_more =
        terms_.binary(logic::Op::kAdd, value(pending_effects_), number(1, pending_effects_));
    return std::ranges::any_of(sequence->assignments, [&](const Assign& assigned) {
      return assigned.dest == pending_effects_ && assigned.value == one_more;
    });
  }
  /// Can a marked access be reached before the call returns?
  [[nodiscard]] bool has_mark_ahead(LocationId start) {
    const auto [known, is_new] = ahead_.try_emplace(start, false);
    if (!is_new)
      return known->second;
    std::set<LocationId> seen{start};
    std::vector<LocationId> open{start};
    while (!open.empty()) {
      const LocationId from = open.back();
      open.pop_back();
      for (const std::uint32_t index : source_.locations[from].out) {
        const Edge& edge = source_.edges[index];
        if (brings_mark(edge.action))
          return known->second = true;
        if (operation_hint(edge.action, ir::Hint::Kind::kOperationEnd) == nullptr &&
            edge.to.is_valid() && seen.insert(edge.to).second)
          open.push_back(edge.to);
      }
    }
    return false;
  }

  // What is made.

  void add_ghosts() {
    const auto add = [&](std::string name, unsigned width) {
      return made_.locals.push_back({std::move(name), static_cast<std::uint8_t>(width), {}});
    };
    done_ = add("effect taken", 1);
    passed_ = add("effect passed", 1);
    holds_ = add("", program_.procedures[called_.invariant].result_width);
    for (std::size_t i = 0; i < plan_.operations.size(); ++i) {
      Ghosts ghosts;
      if (const std::optional<ProcedureId> id = called_.abstract[i]) {
        const Procedure& abstract = program_.procedures[*id];
        if (!abstract.parameters.empty())
          ghosts.argument = add("argument of " + plan_.operations[i].name,
                                abstract.locals[abstract.parameters.front()].width);
        if (abstract.result_width != 0)
          ghosts.result =
              add("abstract result of " + plan_.operations[i].name, abstract.result_width);
      }
      ghosts_.push_back(ghosts);
    }
  }
  LocationId at(const Place& place) {
    const auto [known, is_new] = places_.try_emplace(place, LocationId{});
    if (is_new) {
      known->second = fresh(source_.locations[place.location].loc);
      open_.push_back(place);
    }
    return known->second;
  }

  /// A call begins in a section of its own, so that little is known of a thread between calls.
  [[nodiscard]] bool closes_before(const Place& place) const {
    if (place.depth != 0)
      return false;
    const program::Location& location = source_.locations[place.location];
    return is_local_head_[place.location.index()] || location.out.empty() ||
           std::ranges::any_of(location.out, [&](std::uint32_t index) {
             const Action& action = source_.edges[index].action;
             return is_shared(action) || ends_thread(action) ||
                    operation_hint(action, ir::Hint::Kind::kOperationBegin) != nullptr;
           });
  }
  /// Loops without a step that others can see: a section must not turn in them.
  void find_local_heads() {
    is_local_head_.assign(source_.locations.size(), false);
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<State> state(source_.locations.size(), State::kNew);
    struct Visit {
      LocationId location;
      std::size_t next = 0;
    };
    for (std::size_t i = 0; i < source_.locations.size(); ++i) {
      if (state[i] != State::kNew)
        continue;
      std::vector<Visit> open{{LocationId{i}, 0}};
      state[i] = State::kOpen;
      while (!open.empty()) {
        Visit& visit = open.back();
        const auto& out = source_.locations[visit.location].out;
        if (visit.next == out.size()) {
          state[visit.location.index()] = State::kDone;
          open.pop_back();
          continue;
        }
        const Edge& edge = source_.edges[out[visit.next++]];
        if (is_shared(edge.action) || !edge.to.is_valid())
          continue;
        if (state[edge.to.index()] == State::kOpen)
          is_local_head_[edge.to.index()] = true;
        if (state[edge.to.index()] != State::kNew)
          continue;
        state[edge.to.index()] = State::kOpen;
        open.push_back({edge.to, 0});
      }
    }
  }

  Status leave(const Place& place) {
    const LocationId from = places_.at(place);
    if (place.section && closes_before(place)) {
      close(from, place);
      return Done{};
    }
    for (const std::uint32_t index : source_.locations[place.location].out) {
      const Edge& old = source_.edges[index];
      Place next{old.to, place.section, place.depth};
      if (const Hint* hint = operation_hint(old.action, ir::Hint::Kind::kOperationBegin)) {
        begin(from, at(next), *hint, old.loc);
      } else if (const Hint* end = operation_hint(old.action, ir::Hint::Kind::kOperationEnd)) {
        finish(from, at(next), *end, old.loc);
      } else if (!place.section && is_shared(old.action)) {
        if (!can_be_step(old.action))
          return program::refuse_in_proof(
              program_,
              old.loc,
              "OBL-001",
              "a step of an operation that is not an access to memory: proofs "
              "know neither locks nor allocation");
        if (ends_thread(old.action)) {
          edge(from, old.to.is_valid() ? at(next) : LocationId{}, old.action, old.loc);
          continue;
        }
        next.section = index;
        step(from, next, old);
      } else {
        if (place.depth != 0 && is_shared(old.action) && !can_be_step(old.action) &&
            !std::holds_alternative<AtomicEnd>(old.action))
          return program::refuse_in_proof(
              program_,
              old.loc,
              "OBL-001",
              "something in an atomic section that is not an access to memory");
        if (std::holds_alternative<AtomicBegin>(old.action))
          ++next.depth;
        if (std::holds_alternative<AtomicEnd>(old.action)) {
          --next.depth;
          edge(from, at(next), program::Skip{}, old.loc);
        } else if (std::holds_alternative<AtomicBegin>(old.action)) {
          edge(from, at(next), program::Skip{}, old.loc);
        } else if (access_of(old.action) != nullptr) {
          access(from, at(next), old);
        } else {
          edge(from, old.to.is_valid() ? at(next) : LocationId{}, old.action, old.loc);
        }
      }
    }
    return Done{};
  }

  void step(LocationId from, Place next, const Edge& old) {
    const LocationId inside = then(from, AtomicBegin{}, old.loc);
    if (std::holds_alternative<AtomicBegin>(old.action)) {
      next.depth = 1;
      edge(inside, at(next), program::Skip{}, old.loc);
    } else {
      access(inside, at(next), old);
    }
  }
  /// With the auxiliary functions that belong to it; that a mark is passed is noted.
  void access(LocationId from, LocationId to, const Edge& old) {
    LocationId here = then(from, old.action, old.loc);
    for (std::size_t i = 0; i < called_.auxiliary.size(); ++i)
      if (const auto& tags = access_of(old.action)->tags;
          std::ranges::find(tags, fmt::format("{}.{}", kAuxiliaryTag, i)) != tags.end())
        here = then(here, program::Call{{}, {}, {called_.auxiliary[i]}, {}}, old.loc);
    if (is_marked(old.action))
      edge(here, to, Assign{passed_, number(1, passed_)}, old.loc);
    else
      edge(here, to, program::Skip{}, old.loc);
  }

  void begin(LocationId from, LocationId to, const Hint& hint, SourceLoc loc) {
    AssignSequence reset;
    reset.assignments.push_back({done_, number(0, done_)});
    reset.assignments.push_back({passed_, number(0, passed_)});
    const Ghosts& ghosts = ghosts_[index_of(hint.name)];
    if (ghosts.result)
      reset.assignments.push_back({*ghosts.result, number(0, *ghosts.result)});
    if (ghosts.argument)
      reset.assignments.push_back({*ghosts.argument, hint.operands.front()});
    edge(from, to, std::move(reset), loc);
  }

  /// The abstract operation takes place here if a mark was passed in this section.
  LocationId take_effect(LocationId from, std::size_t operation, SourceLoc loc) {
    const ClientOperation& named = plan_.operations[operation];
    const Ghosts& ghosts = ghosts_[operation];
    const LocationId after = fresh(loc);
    Term is_now = is(passed_, 1);
    if (pending_effects_.is_valid()) {
      is_now = terms_.and_(is_now, is(pending_effects_, 0));
      const LocationId not_yet = then(from, Assume{terms_.not_(is_now), true}, loc);
      edge(not_yet, after, Assign{passed_, number(0, passed_)}, loc);
    } else {
      edge(from, after, Assume{terms_.not_(is_now), true}, loc);
    }
    LocationId here = then(from, Assume{is_now, true}, loc);
    here = then(here,
                Check{is(done_, 0),
                      CheckKind::kAssertion,
                      fmt::format("{} {}", named.name, program::kTakesEffectOnce)},
                loc);
    program::Call call{ghosts.result, {}, {*called_.abstract[operation]}, {}};
    if (ghosts.argument)
      call.arguments.push_back(value(*ghosts.argument));
    here = then(here, std::move(call), loc);
    AssignSequence taken;
    taken.assignments.push_back({done_, number(1, done_)});
    taken.assignments.push_back({passed_, number(0, passed_)});
    edge(here, after, std::move(taken), loc);
    return after;
  }

  void finish(LocationId from, LocationId to, const Hint& hint, SourceLoc loc) {
    const std::size_t operation = index_of(hint.name);
    if (!called_.abstract[operation]) {
      edge(from, to, program::Skip{}, loc);
      return;
    }
    LocationId here = from;
    if (plan_.abort && !hint.operands.empty()) {
      const Term result = hint.operands.front();
      const Term gave_up =
          terms_.equal(result,
                       terms_.constant(static_cast<std::uint64_t>(*plan_.abort) &
                                           logic::mask_of(terms_.sort(result).width),
                                       terms_.sort(result).width));
      const LocationId nothing = then(from, Assume{gave_up, true}, loc);
      edge(nothing,
           to,
           Check{is(done_, 0),
                 CheckKind::kAssertion,
                 fmt::format("{} {}", hint.name, program::kGivesUp)},
           loc);
      here = then(from, Assume{terms_.not_(gave_up), true}, loc);
    }
    here = take_effect(here, operation, loc);
    here = then(here,
                Check{is(done_, 1),
                      CheckKind::kAssertion,
                      fmt::format("{} {}", hint.name, program::kHasTakenEffect)},
                loc);
    const Ghosts& ghosts = ghosts_[operation];
    if (ghosts.result && !hint.operands.empty())
      here = then(here,
                  Check{terms_.equal(hint.operands.front(), value(*ghosts.result)),
                        CheckKind::kAssertion,
                        fmt::format("{} {}", hint.name, program::kSameResult)},
                  loc);
    edge(here, to, program::Skip{}, loc);
  }

  /// The section ends. Messages are about the access that it began with.
  void close(LocationId from, const Place& place) {
    const Edge& first = source_.edges[*place.section];
    const std::optional<std::size_t> operation = operation_[place.location.index()];
    LocationId here = from;
    if (operation && called_.abstract[*operation] && !has_mark_ahead(place.location))
      here = take_effect(here, *operation, first.loc);
    else
      here = then(here, Assign{passed_, number(0, passed_)}, first.loc);
    here = then(here, program::Call{holds_, {}, {called_.invariant}, {}}, first.loc);
    here =
        then(here,
             Check{terms_.not_(is(holds_, 0)),
                   CheckKind::kAssertion,
                   fmt::format(
                       "{}'{}' holds after this step", program::kInvariantPrefix, plan_.invariant)},
             first.loc);
    edge(here, at({place.location, {}, 0}), AtomicEnd{}, first.loc);
  }

  Program& program_;
  const Procedure source_;
  const ClientPlan& plan_;
  const Called& called_;
  std::vector<std::optional<std::size_t>> operation_; // by location of the source
  std::vector<bool> is_local_head_;                   // by location of the source
  std::map<LocationId, bool> ahead_;
  std::map<Place, LocationId> places_;
  std::vector<Place> open_;
  LocalId done_;            // the call has taken effect
  LocalId passed_;          // a marked access was passed in this section
  LocalId pending_effects_; // with explicit buffers
  LocalId holds_;
  std::vector<Ghosts> ghosts_; // by operation
};

std::optional<ProcedureId> find_procedure(const Program& program, const std::string& name) {
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    if (program.procedures[ProcedureId{i}].name == name)
      return ProcedureId{i};
  return std::nullopt;
}

/// What an abstract operation assumes must be so where it takes place.
ProcedureId with_checks(Program& program, ProcedureId id, const std::string& operation) {
  Procedure copy = program.procedures[id];
  for (Edge& edge : copy.edges)
    if (const auto* assumed = std::get_if<Assume>(&edge.action);
        assumed != nullptr && !assumed->is_branch)
      edge.action = Check{assumed->condition,
                          CheckKind::kAssertion,
                          fmt::format("{} {}", operation, program::kCanHappen)};
  return program.procedures.push_back(std::move(copy));
}

} // namespace

Result<Program> make_steps_atomic(const Program& source, const ClientPlan& plan) {
  Program program = source;
  const auto missing = [](const std::string& name) {
    return Error{ErrorKind::kUnsupported, "OBL-001", fmt::format("'{}' was dropped", name)};
  };
  Called called;
  const std::optional<ProcedureId> invariant = find_procedure(program, plan.invariant);
  if (!invariant)
    return missing(plan.invariant);
  called.invariant = *invariant;
  for (const ClientOperation& operation : plan.operations) {
    called.abstract.emplace_back();
    if (operation.abstract.empty())
      continue;
    const std::optional<ProcedureId> id = find_procedure(program, operation.abstract);
    if (!id)
      return missing(operation.abstract);
    called.abstract.back() = with_checks(program, *id, operation.name);
  }
  for (const AuxiliaryUpdate& update : plan.auxiliary) {
    const std::optional<ProcedureId> id = find_procedure(program, update.function);
    if (!id)
      return missing(update.function);
    called.auxiliary.push_back(*id);
  }
  for (const program::ThreadTemplate& thread : source.templates) {
    if (!program::is_client(program.procedures[thread.entry]))
      continue;
    Result<Procedure> made = Stepping(program, thread.entry, plan, called).run();
    if (!made)
      return made.error();
    program.procedures[thread.entry] = std::move(*made);
  }
  Result<transform::Transformed> inlined =
      transform::inline_calls(transform::InlineSlots::kPrivate)->apply(program, {});
  if (!inlined)
    return inlined.error();
  return std::move(inlined->program);
}

} // namespace heddle::object
