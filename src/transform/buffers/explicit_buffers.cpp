// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/buffers/explicit_buffers.h"

#include "program/model/control_flow.h"
#include "program/model/proof_marks.h"
#include "transform/basic/procedure_writer.h"
#include "transform/buffers/store_buffer_graph.h"
#include "transform/buffers/store_buffer_graph_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

namespace heddle::transform {

namespace {

using logic::Op;
using namespace program; // NOLINT: most of the family of actions is spelled out below

/// Which stores may be pending where, by location: the edges of the stores.
using PendingAt = std::vector<std::set<std::uint32_t>>;

PendingAt find_pending(const Procedure& procedure, const PendingStores& stores) {
  PendingAt pending(procedure.locations.size());
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::uint32_t i = 0; i < procedure.edges.size(); ++i) {
      const Edge& edge = procedure.edges[i];
      if (!edge.to.is_valid())
        continue;
      std::set<std::uint32_t> after;
      if (!waits_for_empty_buffer(edge.action))
        after = pending[edge.from.index()];
      if (stores.is_delayed[i])
        after.insert(i);
      std::set<std::uint32_t>& there = pending[edge.to.index()];
      const std::size_t before = there.size();
      there.insert(after.begin(), after.end());
      is_changed = is_changed || there.size() != before;
    }
  }
  return pending;
}

const Store& store_at(const Procedure& procedure, std::uint32_t edge) {
  return std::get<Store>(procedure.edges[edge].action);
}

class Buffering : ProcedureWriter {
public:
  Buffering(Program& program, ProcedureId id, memory::MachineKind machine)
      : ProcedureWriter(program.terms), program_(program), source_(program.procedures[id]),
        is_partial_(machine == memory::MachineKind::kPartialStoreOrder),
        stores_(find_pending_stores(program, source_)), pending_(find_pending(source_, stores_)) {}

  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] std::vector<Term> lemmas() {
    std::vector<Term> all;
    for (std::uint32_t i = 0; i < capacity_; ++i) {
      all.push_back(terms_.not_(is_pending(i)));
      for (std::uint32_t index = 0; index < source_.edges.size(); ++index) {
        if (!stores_.is_delayed[index])
          continue;
        const Store& store = store_at(source_, index);
        const Slot& slot = slots_[i];
        const Term is_other = terms_.not_(is(slot.which, name_of(index)));
        const auto is_held = [&](LocalId local, Term held) {
          return terms_.equal(value(local), fitted(terms_, held, made_.locals[local].width));
        };
        all.push_back(is_other);
        all.push_back(terms_.not_(is_other));
        all.push_back(terms_.or_(terms_.not_(is_pending(i)), terms_.not_(is_other)));
        all.push_back(terms_.or_(is_other, is_held(slot.address, store.address)));
        all.push_back(terms_.or_(is_other, is_held(slot.value, store.value)));
        // Where it is known which one it is.
        all.push_back(is_held(slot.address, store.address));
        all.push_back(is_held(slot.value, store.value));
      }
    }
    return all;
  }
  [[nodiscard]] std::vector<LocalId> entries() const {
    std::vector<LocalId> all;
    for (const Slot& slot : slots_)
      all.insert(all.end(), {slot.which, slot.address, slot.value, slot.is_fenced});
    return all;
  }
  [[nodiscard]] std::vector<Term> cases() {
    std::vector<Term> all;
    for (std::uint32_t i = 0; capacity_ != 0 && i <= capacity_; ++i)
      all.push_back(is(count_, i));
    return all;
  }

  Result<Procedure> run() {
    if (const Status possible = check_possible(); !possible)
      return possible.error();
    for (const std::set<std::uint32_t>& here : pending_)
      capacity_ = std::max(capacity_, static_cast<std::uint32_t>(here.size()));
    if (capacity_ == 0)
      return source_;
    made_ = source_;
    made_.locations = {};
    made_.edges.clear();
    add_locals();
    for (const Location& location : source_.locations)
      places_.push_back(fresh(location.loc));
    start();
    for (std::size_t i = 0; i < source_.locations.size(); ++i)
      emit(LocationId{i});
    tidy(made_);
    return made_;
  }

private:
  struct Slot {
    LocalId which;
    LocalId address;
    LocalId value;
    LocalId is_fenced; // under PSO: a store-store fence stands before it
  };

  // What cannot be.

  Status check_possible() const {
    for (std::uint32_t i = 0; i < source_.edges.size(); ++i) {
      const Edge& edge = source_.edges[i];
      if (!stores_.cycle[i].empty())
        return program::refuse_in_proof(
            program_,
            edge.loc,
            "OBL-005",
            "a loop stores here without ever emptying the store buffer");
      if (!stores_.is_delayed[i]) {
        if (const auto* load = std::get_if<Load>(&edge.action);
            load != nullptr && load->access.is_visible)
          if (const Status same = check_sizes(edge, load->address, load->access); !same)
            return same;
        continue;
      }
      const Store& store = store_at(source_, i);
      if (store.marks || store.access.size > 8)
        return program::refuse_in_proof(
            program_,
            edge.loc,
            "OBL-002",
            "a copy of memory that may not have been written, or more than a "
            "word, in a store buffer");
      if (const Status same = check_sizes(edge, store.address, store.access); !same)
        return same;
    }
    return Done{};
  }
  /// Accesses of one size that share a byte are to the same bytes: what is not aligned was taken
  /// apart before.
  [[nodiscard]] Status check_sizes(const Edge& edge, Term address, const Access& access) const {
    for (const std::uint32_t index : pending_[edge.from.index()]) {
      const Store& held = store_at(source_, index);
      if (held.access.size != access.size && may_be_same(address, access, held))
        return program::refuse_in_proof(
            program_,
            edge.loc,
            "OBL-002",
            "an access that may overlap a pending store of another size");
    }
    return Done{};
  }
  [[nodiscard]] bool may_be_same(Term address, const Access& access, const Store& held) const {
    return overlap(program_,
                   {address, access.size, access.may},
                   {held.address, held.access.size, held.access.may})
               .kind != Overlap::Kind::kNever;
  }

  // Building blocks.

  LocalId add_local(std::string name, unsigned width) {
    return made_.locals.push_back({std::move(name), static_cast<std::uint8_t>(width), {}});
  }
  void add_locals() {
    count_ = add_local(kPendingStoresLocal, 8);
    effects_ = add_local(kPendingEffectsLocal, 8);
    chosen_ = add_local("", 8);
    is_fenced_ = add_local(is_partial_ ? "store-store fence" : "", 1);
    for (std::uint32_t i = 0; i < capacity_; ++i)
      slots_.push_back({add_local(fmt::format("pending {}", i + 1), 32),
                        add_local(fmt::format("address {}", i + 1), program_.pointer_bits()),
                        add_local(fmt::format("value {}", i + 1), 64),
                        add_local("", 1)});
  }
  std::pair<LocationId, LocationId> branch(LocationId from, Term condition, SourceLoc loc) {
    return {then(from, Assume{condition, true}, loc),
            then(from, Assume{terms_.not_(condition), true}, loc)};
  }
  /// Is there an entry with that index?
  Term is_pending(std::uint32_t index) {
    return terms_.binary(Op::kULt, number(index, count_), value(count_));
  }
  Term changed(LocalId local, std::uint64_t by) {
    return terms_.binary(Op::kAdd, value(local), number(by, local));
  }

  void clear(AssignSequence& sequence, const Slot& slot) {
    for (const LocalId local : {slot.which, slot.address, slot.value, slot.is_fenced})
      sequence.assignments.push_back({local, number(0, local)});
  }
  /// A thread starts with an empty buffer.
  void start() {
    AssignSequence reset;
    for (const LocalId local : {count_, effects_, chosen_, is_fenced_})
      reset.assignments.push_back({local, number(0, local)});
    for (const Slot& slot : slots_)
      clear(reset, slot);
    made_.entry = fresh(source_.loc);
    edge(made_.entry, places_[source_.entry.index()], std::move(reset), source_.loc);
  }

  // Places and steps.

  /// Others can tell whether a flush came before it. To put a store into the buffer is the thread's
  /// own business, and so is a fence that only orders stores.
  [[nodiscard]] bool is_seen(std::uint32_t index) const {
    const Action& action = source_.edges[index].action;
    return !stores_.is_delayed[index] &&
           (waits_for_empty_buffer(action) ||
            (is_visible(action) && !std::holds_alternative<Fence>(action)));
  }
  void emit(LocationId at) {
    const LocationId here = places_[at.index()];
    const Location& location = source_.locations[at];
    const bool offers = !pending_[at.index()].empty() &&
                        (location.is_loop_head ||
                         std::ranges::any_of(location.out, [&](auto i) { return is_seen(i); }));
    if (!offers) {
      emit_steps(at, here, pending_[at.index()].empty());
      return;
    }
    const auto [empty, some] = branch(here, is(count_, 0), location.loc);
    emit_steps(at, empty, true);
    if (std::ranges::all_of(location.out, [&](std::uint32_t index) {
          return waits_for_empty_buffer(source_.edges[index].action);
        })) {
      emit_flush(at, some);
      return;
    }
    const LocationId fork =
        then(some, Nondet{chosen_, "whether a pending store reaches memory"}, location.loc);
    const auto [stays, flushes] = branch(fork, is(chosen_, 0), location.loc);
    emit_steps(at, stays, false);
    emit_flush(at, flushes);
  }
  void emit_steps(LocationId at, LocationId here, bool is_empty) {
    for (const std::uint32_t index : source_.locations[at].out) {
      const Edge& old = source_.edges[index];
      const LocationId to = old.to.is_valid() ? places_[old.to.index()] : LocationId{};
      if (waits_for_empty_buffer(old.action) && !is_empty)
        continue;
      if (stores_.is_delayed[index])
        emit_store(index, here, to);
      else if (const auto* load = std::get_if<Load>(&old.action);
               load != nullptr && load->access.is_visible && !is_empty)
        emit_load(*load, old, here, to);
      else if (const auto* fence = std::get_if<Fence>(&old.action))
        emit_fence(*fence, old, here, to);
      else
        edge(here, to, undrained(old.action), old.loc);
    }
  }
  /// The buffer is empty, and under SC nothing drains.
  static Action undrained(Action action) {
    if (auto* load = std::get_if<Load>(&action))
      load->access.drains = false;
    if (auto* store = std::get_if<Store>(&action))
      store->access.drains = false;
    return action;
  }
  void emit_fence(const Fence& fence, const Edge& old, LocationId here, LocationId to) {
    if (is_partial_ && fence.strength == Fence::Strength::kStoreStore)
      edge(here, to, Assign{is_fenced_, terms_.to_bit(terms_.not_(is(count_, 0)))}, old.loc);
    else
      edge(here, to, Skip{}, old.loc);
  }

  void emit_store(std::uint32_t index, LocationId here, LocationId to) {
    const Edge& old = source_.edges[index];
    const Store& store = store_at(source_, index);
    here = then(
        here,
        Check{terms_.binary(Op::kULt, value(count_), number(capacity_, count_)),
              CheckKind::kAssertion,
              fmt::format("at most {} pending {}", capacity_, capacity_ == 1 ? "store" : "stores")},
        old.loc);
    AssignSequence put;
    for (std::uint32_t i = 0; i < capacity_; ++i) {
      const Term is_here = is(count_, i);
      const auto set = [&](LocalId local, Term entry) {
        put.assignments.push_back(
            {local,
             terms_.ite(is_here, fitted(terms_, entry, made_.locals[local].width), value(local))});
      };
      set(slots_[i].which, terms_.constant(name_of(index), 32));
      set(slots_[i].address, store.address);
      set(slots_[i].value, store.value);
      if (is_partial_)
        set(slots_[i].is_fenced, value(is_fenced_));
    }
    if (is_partial_)
      put.assignments.push_back({is_fenced_, number(0, is_fenced_)});
    if (program::is_marked_as_effect(store.access))
      put.assignments.push_back({effects_, changed(effects_, 1)});
    put.assignments.push_back({count_, changed(count_, 1)});
    edge(here, to, std::move(put), old.loc);
  }
  /// Stores are told apart by a number, from 1 on.
  static std::uint64_t name_of(std::uint32_t edge) { return edge + 1; }

  void emit_load(const Load& load, const Edge& old, LocationId here, LocationId to) {
    const std::set<std::uint32_t>& pending = pending_[old.from.index()];
    const bool can_be_held = std::ranges::any_of(pending, [&](std::uint32_t index) {
      return may_be_same(load.address, load.access, store_at(source_, index));
    });
    if (can_be_held) {
      Term is_held = terms_.boolean(false);
      Term held = terms_.constant(0, 64);
      for (std::uint32_t i = 0; i < capacity_; ++i) { // the newest is asked last, and counts
        const Term is_it = terms_.and_(
            is_pending(i),
            terms_.equal(value(slots_[i].address),
                         fitted(terms_, load.address, made_.locals[slots_[i].address].width)));
        is_held = terms_.or_(is_held, is_it);
        held = terms_.ite(is_it, value(slots_[i].value), held);
      }
      const auto [yes, no] = branch(here, is_held, old.loc);
      const Term bytes = terms_.extract(held, 0, 8U * load.access.size);
      edge(yes,
           to,
           Assign{load.dest, fitted(terms_, bytes, made_.locals[load.dest].width)},
           old.loc);
      here = no;
    }
    edge(here, to, undrained(load), old.loc);
  }

  // Flushes.

  /// TSO: the oldest. PSO: any that no older one has the address of, nor a fence keeps back; the
  /// choice of another one is that of the oldest.
  void emit_flush(LocationId at, LocationId here) {
    const SourceLoc loc = source_.locations[at].loc;
    if (is_partial_) {
      const auto most =
          static_cast<std::uint32_t>(std::min<std::size_t>(capacity_, pending_[at.index()].size()));
      for (std::uint32_t slot = most - 1; slot > 0; --slot) {
        Term can_pass = terms_.and_(is(chosen_, slot + 1), is_pending(slot));
        for (std::uint32_t older = 0; older < slot; ++older) {
          can_pass = terms_.and_(can_pass, is(slots_[older + 1].is_fenced, 0));
          can_pass = terms_.and_(
              can_pass,
              terms_.not_(terms_.equal(value(slots_[older].address), value(slots_[slot].address))));
        }
        const auto [yes, no] = branch(choosing(here, slot + 1 == most, loc), can_pass, loc);
        emit_flush_of(slot, at, yes);
        here = no;
      }
    }
    emit_flush_of(0, at, here);
  }
  LocationId choosing(LocationId here, bool is_first, SourceLoc loc) {
    return is_first ? then(here, Nondet{chosen_, "which pending store reaches memory"}, loc) : here;
  }
  void emit_flush_of(std::uint32_t slot, LocationId at, LocationId here) {
    for (const std::uint32_t index : pending_[at.index()]) {
      const Edge& old = source_.edges[index];
      const Store& store = store_at(source_, index);
      const LocationId found =
          then(here, Assume{is(slots_[slot].which, name_of(index)), true}, old.loc);
      Access access = store.access;
      access.drains = false;
      access.tags.insert(std::ranges::upper_bound(access.tags, std::string(program::kFlushTag)),
                         program::kFlushTag);
      const LocationId flushed =
          then(found,
               Store{value(slots_[slot].address),
                     terms_.extract(value(slots_[slot].value), 0, 8U * store.access.size),
                     std::move(access)},
               old.loc);
      AssignSequence shift;
      for (std::uint32_t i = slot; i + 1 < capacity_; ++i)
        for (const auto member : {&Slot::which, &Slot::address, &Slot::value, &Slot::is_fenced})
          shift.assignments.push_back({slots_[i].*member, value(slots_[i + 1].*member)});
      clear(shift, slots_.back());
      if (program::is_marked_as_effect(store.access))
        shift.assignments.push_back({effects_, changed(effects_, 0xff)});
      shift.assignments.push_back({count_, changed(count_, 0xff)});
      if (is_partial_) {
        // A fence before what is oldest now keeps nothing back.
        shift.assignments.push_back(
            {slots_.front().is_fenced, number(0, slots_.front().is_fenced)});
        shift.assignments.push_back(
            {is_fenced_, terms_.ite(is(count_, 0), number(0, is_fenced_), value(is_fenced_))});
      }
      edge(flushed, places_[at.index()], std::move(shift), old.loc);
    }
  }

  Program& program_;
  const Procedure source_;
  bool is_partial_;
  PendingStores stores_;
  PendingAt pending_;
  std::uint32_t capacity_ = 0;
  std::vector<LocationId> places_; // by location of the source
  LocalId count_;
  LocalId effects_;
  LocalId chosen_;
  LocalId is_fenced_; // PSO: a store-store fence came after the newest entry
  std::vector<Slot> slots_;
};

} // namespace

Result<ExplicitBuffers> make_buffers_explicit(const Program& source, memory::MachineKind machine) {
  ExplicitBuffers result{source, 0, {}, {}, {}};
  for (const ThreadTemplate& thread : source.templates) {
    // Whoever starts the threads has emptied its buffer before, and stores nothing afterwards.
    if (!program::is_client(result.program.procedures[thread.entry]))
      continue;
    Buffering buffering(result.program, thread.entry, machine);
    Result<Procedure> made = buffering.run();
    if (!made)
      return made.error();
    result.program.procedures[thread.entry] = std::move(*made);
    result.capacity = std::max(result.capacity, buffering.capacity());
    result.lemmas = buffering.lemmas();
    result.cases = buffering.cases();
    result.entries = buffering.entries();
  }
  return result;
}

} // namespace heddle::transform
