// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A store-buffer graph as a procedure for SC. A choice between flushes and the thread's own step is
// a nondeterministic value and a branch. It is offered only where it can make a difference: a flush
// commutes with everything its own thread does that neither reads memory, nor waits, nor may end
// the run, so before those steps it can be put off, as long as every cycle offers it once.
//
// Accesses are judged when they are issued, as the machine does: a store whose address is computed
// looks at its bytes (a copying load, which fixes nothing) before it enters the buffer.
#include "logic/range.h"
#include "program/control_flow.h"
#include "support/check.h"
#include "transform/store_buffer_graph.h"
#include "transform/store_buffer_graph_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>
#include <variant>

namespace heddle::transform {

using logic::Op;
using namespace program; // NOLINT: most of the family of actions is spelled out below

namespace {

using Origin = ReducedOrigin;

class Emission {
public:
  Emission(Program& program,
           ProcedureId source,
           const StoreBufferGraph& graph,
           const StoreBufferOptions& options)
      : program_(program), terms_(program.terms), source_(program.procedures[source]),
        graph_(graph), options_(options), is_quiet_head_(source_.locations.size(), false) {}

  ReducedProcedure run() {
    Procedure& made = result_.procedure;
    made.name = source_.name;
    made.parameters = source_.parameters;
    made.result_width = source_.result_width;
    made.locals = source_.locals;
    made.loc = source_.loc;
    for (const GraphNode& node : graph_.nodes)
      places_.push_back(new_location(node.location.is_valid() ? source_.locations[node.location].loc
                                                              : SourceLoc{}));
    made.entry = places_.front();
    mark_quiet_heads();
    for (std::size_t at = 0; at < graph_.nodes.size(); ++at)
      emit_node(GraphNodeId{at});
    mark_loop_heads(made);
    return std::move(result_);
  }

private:
  // Building blocks.

  LocationId new_location(SourceLoc loc) {
    Location location;
    location.loc = loc;
    return result_.procedure.locations.push_back(std::move(location));
  }
  void edge(LocationId from, LocationId to, Action action, SourceLoc loc, Origin origin = {}) {
    add_edge(result_.procedure, {from, to, std::move(action), loc});
    result_.origins.push_back(origin);
  }
  /// Two ways from a location; gives where the condition holds, and where it does not.
  std::pair<LocationId, LocationId> branch(LocationId from, Term condition, SourceLoc loc) {
    const LocationId yes = new_location(loc);
    const LocationId no = new_location(loc);
    edge(from, yes, Assume{condition, true}, loc);
    edge(from, no, Assume{terms_.not_(condition), true}, loc);
    return {yes, no};
  }
  LocalId scratch(unsigned width) {
    const auto [entry, is_new] = scratch_.try_emplace(width);
    if (is_new)
      entry->second =
          result_.procedure.locals.push_back({"", static_cast<std::uint8_t>(width), {}});
    return entry->second;
  }
  Term value_of(LocalId local) {
    return terms_.variable(local.value, logic::Sort{result_.procedure.locals[local].width});
  }
  [[nodiscard]] const Store& store_of(const SymbolicEntry& entry) const {
    return std::get<Store>(source_.edges[entry.store].action);
  }
  [[nodiscard]] const EntryOperands& operands_of(const SymbolicEntry& entry) const {
    return graph_.operands[entry.store][entry.instance];
  }
  [[nodiscard]] ByteRange range_of(const SymbolicEntry& entry) const {
    return {operands_of(entry).address, store_of(entry).access.size, store_of(entry).access.may};
  }

  // Where flushes are offered.

  /// Is it known without looking that the access is one of live memory? Inside a global it is.
  [[nodiscard]] bool is_surely_valid(Term address, const Access& access, bool writes) const {
    const logic::Range values = logic::RangeAnalysis(terms_).range(address);
    return std::ranges::any_of(program_.objects, [&](const Object& object) {
      const std::uint64_t base = program_.space().base_of(object.unit);
      return object.kind == Object::Kind::kGlobal && !(writes && object.is_constant) &&
             values.min >= base && values.max - base + access.size <= object.size;
    });
  }

  [[nodiscard]] bool is_valid_store(const Store& store) const {
    return is_surely_valid(store.address, store.access, true);
  }

  /// Does a flush commute with the edge, whatever other threads do in between?
  [[nodiscard]] bool is_quiet(std::uint32_t index) const {
    const Action& action = source_.edges[index].action;
    if (waits_for_empty_buffer(action))
      return false;
    if (graph_.stores.is_delayed[index])
      return options_.pending == 0 && is_valid_store(std::get<Store>(action)) &&
             !std::get<Store>(action).marks;
    if (const auto* store = std::get_if<Store>(&action)) // of memory no other thread reaches
      return is_valid_store(*store);
    if (const auto* load = std::get_if<Load>(&action))
      return !load->access.is_visible && is_surely_valid(load->address, load->access, false);
    if (const auto* assume = std::get_if<Assume>(&action))
      return assume->is_branch;
    if (const auto* allocate = std::get_if<Allocate>(&action))
      return allocate->where == ir::Allocate::Where::kFrame;
    return std::holds_alternative<Skip>(action) || std::holds_alternative<Assign>(action) ||
           std::holds_alternative<AssignSequence>(action) ||
           std::holds_alternative<Nondet>(action) || std::holds_alternative<Fence>(action) ||
           std::holds_alternative<Hint>(action) ||
           (std::holds_alternative<Synchronize>(action) &&
            std::get<Synchronize>(action).op == SyncOp::kSelf);
  }
  /// A failing one ends the run, one that holds is quiet.
  [[nodiscard]] static std::optional<Term> condition_of(const Action& action) {
    if (const auto* assume = std::get_if<Assume>(&action); assume != nullptr && !assume->is_branch)
      return assume->condition;
    if (const auto* check = std::get_if<Check>(&action))
      return check->condition;
    return std::nullopt;
  }

  /// Every cycle of edges at which nothing is offered must offer something once: the targets of the
  /// back edges of a depth-first search over them.
  void mark_quiet_heads() {
    enum class Colour : std::uint8_t { kNew, kOpen, kDone };
    std::vector<Colour> colour(source_.locations.size(), Colour::kNew);
    const auto is_passed = [&](std::uint32_t index) {
      return is_quiet(index) || condition_of(source_.edges[index].action).has_value();
    };
    for (std::size_t root = 0; root < source_.locations.size(); ++root) {
      if (colour[root] != Colour::kNew)
        continue;
      std::vector<std::pair<std::size_t, std::size_t>> stack = {{root, 0}};
      colour[root] = Colour::kOpen;
      while (!stack.empty()) {
        const std::size_t at = stack.back().first;
        const std::vector<std::uint32_t>& out = source_.locations[LocationId{at}].out;
        if (stack.back().second == out.size()) {
          colour[at] = Colour::kDone;
          stack.pop_back();
          continue;
        }
        const std::uint32_t index = out[stack.back().second++];
        const LocationId to = source_.edges[index].to;
        if (!to.is_valid() || !is_passed(index))
          continue;
        if (colour[to.index()] == Colour::kOpen)
          is_quiet_head_[to.index()] = true;
        if (colour[to.index()] == Colour::kNew) {
          colour[to.index()] = Colour::kOpen;
          stack.emplace_back(to.index(), 0);
        }
      }
    }
  }

  // Nodes.

  void emit_node(GraphNodeId at) {
    const GraphNode& node = graph_.nodes[at];
    std::vector<const GraphEdge*> flushes;
    std::vector<const GraphEdge*> steps;
    for (const std::uint32_t index : node.out) {
      const GraphEdge& edge = graph_.edges[index];
      (edge.kind == GraphEdge::Kind::kFlush ? flushes : steps).push_back(&edge);
    }
    LocationId here = places_[at.index()];
    if (flushes.empty()) {
      emit_steps(node, here, steps);
      return;
    }
    const bool is_head = is_quiet_head_[node.location.index()];
    if (!steps.empty() && !is_head) {
      const std::uint32_t first = steps.front()->origin;
      if (std::ranges::all_of(steps, [&](const GraphEdge* step) {
            return step->kind != GraphEdge::Kind::kCut && is_quiet(step->origin);
          })) {
        emit_steps(node, here, steps);
        return;
      }
      if (const auto condition = condition_of(source_.edges[first].action)) {
        const SourceLoc loc = source_.edges[first].loc;
        const auto [holds, fails] = branch(here, *condition, loc);
        edge(holds, places_[steps.front()->to.index()], Skip{}, loc, step_of(first));
        here = fails;
      }
    }
    choose(node, here, flushes, steps);
  }

  /// One of the flushes, or the thread's own step if it can be taken.
  void choose(const GraphNode& node,
              LocationId here,
              const std::vector<const GraphEdge*>& flushes,
              const std::vector<const GraphEdge*>& steps) {
    const std::size_t ways = flushes.size() + (steps.empty() ? 0 : 1);
    if (ways == 1) {
      emit_flush(node, here, flushes, 0);
      return;
    }
    const SourceLoc loc = source_.locations[node.location].loc;
    const auto width = static_cast<unsigned>(std::bit_width(ways - 1));
    const LocalId chosen = scratch(width);
    const LocationId fork = new_location(loc);
    edge(here, fork, Nondet{chosen, "which pending store reaches memory, or none"}, loc);
    for (std::size_t way = 0; way < ways; ++way) {
      const Term number = terms_.constant(way, width);
      const Term condition = way + 1 == ways ? terms_.binary(Op::kULe, number, value_of(chosen))
                                             : terms_.equal(value_of(chosen), number);
      const LocationId to = new_location(loc);
      edge(fork, to, Assume{condition, true}, loc);
      if (way < flushes.size())
        emit_flush(node, to, flushes, way);
      else
        emit_steps(node, to, steps);
    }
  }

  /// Where the run finds the entry behind an older one it shares a byte with, the oldest of all is
  /// flushed instead, which is a way of its own anyhow.
  void emit_flush(const GraphNode& node,
                  LocationId here,
                  const std::vector<const GraphEdge*>& flushes,
                  std::size_t way) {
    const GraphEdge& flush = *flushes[way];
    const SymbolicEntry& entry = node.buffer.entries[flush.entry];
    if (flush.is_guarded) {
      Term is_behind = terms_.boolean(false);
      for (std::uint32_t older = 0; older < flush.entry; ++older)
        if (const ByteRange range = range_of(node.buffer.entries[older]);
            overlap(program_, range_of(entry), range).kind == Overlap::Kind::kUnknown)
          is_behind = terms_.or_(is_behind, shares_byte(program_, range_of(entry), range));
      const auto [yes, no] = branch(here, is_behind, source_.edges[entry.store].loc);
      HEDDLE_CHECK(flushes.front()->entry == 0 && !flushes.front()->is_guarded,
                   "the oldest entry can always be flushed");
      emit_flush(node, yes, flushes, 0);
      here = no;
    }
    const EntryOperands& operands = operands_of(entry);
    Store store{operands.address, operands.value, store_of(entry).access};
    store.access.drains = false;
    edge(here,
         places_[flush.to.index()],
         std::move(store),
         source_.edges[entry.store].loc,
         {Origin::Kind::kFlush, entry.store, entry.instance});
  }

  [[nodiscard]] static Origin step_of(std::uint32_t index) {
    return {Origin::Kind::kStep, index, 0};
  }

  void
  emit_steps(const GraphNode& node, LocationId here, const std::vector<const GraphEdge*>& steps) {
    if (steps.empty())
      return;
    const GraphEdge& first = *steps.front();
    const Edge& origin = source_.edges[first.origin];
    if (const auto* load = std::get_if<Load>(&origin.action);
        load != nullptr && load->access.is_visible) {
      emit_load(node, here, first.origin, *load, places_[first.to.index()]);
      return;
    }
    for (const GraphEdge* step : steps) {
      const Edge& from = source_.edges[step->origin];
      const LocationId to = places_[step->to.index()];
      if (step->kind == GraphEdge::Kind::kCut)
        edge(here,
             to,
             Cut{fmt::format("at most {} pending {} per thread",
                             options_.pending,
                             options_.pending == 1 ? "store" : "stores")},
             from.loc,
             step_of(step->origin));
      else if (step->kind == GraphEdge::Kind::kStore)
        emit_store(node, here, step->origin, to);
      else if (std::holds_alternative<Fence>(from.action))
        edge(here, to, Skip{}, from.loc, step_of(step->origin));
      else
        edge(here, to, from.action, from.loc, step_of(step->origin));
    }
  }

  // Memory.

  /// Is the address one of an object that must not be written? Only asked where that can be.
  Term is_constant_object(const Store& store) {
    Term found = terms_.boolean(false);
    for (std::size_t i = 0; i < program_.objects.size(); ++i) {
      const Object& object = program_.objects[ObjectId{i}];
      if (!object.is_constant ||
          (store.access.may.is_valid() &&
           !std::ranges::binary_search(program_.object_sets[store.access.may], ObjectId{i})))
        continue;
      const unsigned width = program_.pointer_bits();
      const Term offset = terms_.binary(
          Op::kSub, store.address, terms_.constant(program_.space().base_of(object.unit), width));
      found =
          terms_.or_(found, terms_.binary(Op::kULt, offset, terms_.constant(object.size, width)));
    }
    return found;
  }

  void emit_store(const GraphNode& node, LocationId here, std::uint32_t index, LocationId to) {
    const Edge& from = source_.edges[index];
    const auto& store = std::get<Store>(from.action);
    std::uint32_t instance = 0;
    while (std::ranges::any_of(node.buffer.entries, [&](const SymbolicEntry& entry) {
      return entry.store == index && entry.instance == instance;
    }))
      ++instance;
    const Origin origin{Origin::Kind::kStep, index, instance};
    if (store.marks) {
      const Term has_none = terms_.equal(*store.marks, terms_.constant(0, 8));
      const auto [none, some] = branch(here, has_none, from.loc);
      edge(some,
           end(),
           Trap{"a copy of memory that nobody has written waits in a store buffer",
                "the machine (without --via)"},
           from.loc,
           origin);
      here = none;
    }
    Action action = Skip{};
    if (const std::vector<Assign>& copies = graph_.operands[index][instance].copies;
        !copies.empty())
      action = AssignSequence{copies};
    if (is_valid_store(store)) {
      edge(here, to, std::move(action), from.loc, origin);
      return;
    }
    const Term is_constant = is_constant_object(store);
    if (!(terms_.is_constant(is_constant) && terms_.node(is_constant).value == 0)) {
      const auto [yes, no] = branch(here, is_constant, from.loc);
      edge(
          yes, end(), Store{store.address, store.value, undelayed(store.access)}, from.loc, origin);
      here = no;
    }
    const LocationId seen = new_location(from.loc);
    Load look{scratch(8U * store.access.size), store.address, undelayed(store.access)};
    look.marks = scratch(8);
    if (look.marks == look.dest)
      look.marks = second_byte();
    edge(here, seen, std::move(look), from.loc, origin);
    edge(seen, to, std::move(action), from.loc);
  }
  /// Where a run has ended.
  LocationId end() {
    if (!end_.is_valid())
      end_ = new_location({});
    return end_;
  }
  LocalId second_byte() {
    if (!second_byte_.is_valid())
      second_byte_ = result_.procedure.locals.push_back({"", 8, {}});
    return second_byte_;
  }
  static Access undelayed(Access access) {
    access.drains = false;
    return access;
  }

  void emit_load(const GraphNode& node,
                 LocationId here,
                 std::uint32_t index,
                 const Load& load,
                 LocationId to) {
    const SourceLoc loc = source_.edges[index].loc;
    const ByteRange wanted{load.address, load.access.size, load.access.may};
    const std::vector<SymbolicEntry>& entries = node.buffer.entries;
    std::optional<LocationId> composed;
    const auto composed_at = [&] {
      if (!composed) {
        composed = new_location(loc);
        emit_composed(node, *composed, index, load, to);
      }
      return *composed;
    };
    for (std::size_t i = entries.size(); i-- > 0;) {
      const ByteRange held = range_of(entries[i]);
      const Overlap found = overlap(program_, wanted, held);
      if (found.kind == Overlap::Kind::kNever)
        continue;
      if (found.kind == Overlap::Kind::kAt) {
        if (found.is_within(wanted.size, held.size))
          emit_early(entries[i], static_cast<unsigned>(found.distance), here, index, load, to);
        else
          edge(here, composed_at(), Skip{}, loc);
        return;
      }
      if (wanted.size <= held.size) {
        const auto [same, other] = branch(here, terms_.equal(wanted.address, held.address), loc);
        emit_early(entries[i], 0, same, index, load, to);
        here = other;
      }
      const auto [partly, not_at_all] = branch(here, shares_byte(program_, wanted, held), loc);
      edge(partly, composed_at(), Skip{}, loc);
      here = not_at_all;
    }
    Load plain = load;
    plain.access.drains = false;
    edge(here, to, std::move(plain), loc, step_of(index));
  }

  void emit_early(const SymbolicEntry& entry,
                  unsigned distance,
                  LocationId here,
                  std::uint32_t index,
                  const Load& load,
                  LocationId to) {
    const Term bytes =
        terms_.extract(operands_of(entry).value, 8 * distance, 8U * load.access.size);
    assign(here, to, index, load, bytes, terms_.constant(0, 8), step_of(index));
  }

  void assign(LocationId here,
              LocationId to,
              std::uint32_t index,
              const Load& load,
              Term value,
              Term marks,
              Origin origin) {
    const unsigned width = source_.locals[load.dest].width;
    AssignSequence sequence;
    // The terms may speak of neither destination: entries keep their operands apart.
    if (load.marks)
      sequence.assignments.push_back({*load.marks, marks});
    sequence.assignments.push_back({load.dest, fitted(terms_, value, width)});
    edge(here, to, std::move(sequence), source_.edges[index].loc, origin);
  }

  /// All bytes from memory in one step, then each from the newest entry that holds it.
  void emit_composed(const GraphNode& node,
                     LocationId here,
                     std::uint32_t index,
                     const Load& load,
                     LocationId to) {
    const SourceLoc loc = source_.edges[index].loc;
    const unsigned size = load.access.size;
    const ByteRange wanted{load.address, size, load.access.may};
    Load whole{scratch(8 * size), load.address, undelayed(load.access)};
    if (load.marks)
      whole.marks = second_byte();
    const Term from_memory = value_of(whole.dest);
    const Term marks_of_memory = load.marks ? value_of(*whole.marks) : terms_.constant(0, 8);
    std::optional<Term> value;
    Term marks = terms_.constant(0, 8);
    for (unsigned i = 0; i < size; ++i) {
      Term byte = terms_.extract(from_memory, 8 * i, 8);
      Term mark = terms_.binary(Op::kBitAnd, marks_of_memory, terms_.constant(1U << i, 8));
      for (const SymbolicEntry& entry : node.buffer.entries) { // newer ones replace older ones
        const Held held = byte_of(entry, wanted, i);
        byte = terms_.ite(held.is_held, held.byte, byte);
        mark = terms_.ite(held.is_held, terms_.constant(0, 8), mark);
      }
      value = value ? terms_.concat(byte, *value) : byte;
      marks = terms_.binary(Op::kBitOr, marks, mark);
    }
    const LocationId seen = new_location(loc);
    edge(here, seen, std::move(whole), loc, step_of(index));
    assign(seen, to, index, load, *value, marks, {});
  }

  struct Held {
    Term is_held;
    Term byte;
  };
  /// The i-th wanted byte in an entry, if it is there.
  Held byte_of(const SymbolicEntry& entry, const ByteRange& wanted, unsigned i) {
    const ByteRange held = range_of(entry);
    const Overlap found = overlap(program_, wanted, held);
    if (found.kind == Overlap::Kind::kNever)
      return {terms_.boolean(false), terms_.constant(0, 8)};
    const Term value = operands_of(entry).value;
    if (found.kind == Overlap::Kind::kAt) {
      const std::int64_t offset = found.distance + i;
      if (offset < 0 || offset >= held.size)
        return {terms_.boolean(false), terms_.constant(0, 8)};
      return {terms_.boolean(true), terms_.extract(value, 8 * static_cast<unsigned>(offset), 8)};
    }
    const unsigned width = program_.pointer_bits();
    const Term behind = terms_.binary(Op::kSub, wanted.address, held.address);
    const Term offset = terms_.binary(Op::kAdd, behind, terms_.constant(i, width));
    // As wide as the entry is enough: the byte counts only where the offset lies in it.
    const unsigned bits = 8U * held.size;
    const Term shift =
        terms_.binary(Op::kShl, fitted(terms_, offset, bits), terms_.constant(3, bits));
    const Term shifted = terms_.binary(Op::kLShr, fitted(terms_, value, bits), shift);
    return {terms_.binary(Op::kULt, offset, terms_.constant(held.size, width)),
            terms_.extract(shifted, 0, 8)};
  }

  Program& program_;
  logic::TermStore& terms_;
  const Procedure source_; // a copy: the program's own is about to be replaced
  const StoreBufferGraph& graph_;
  const StoreBufferOptions& options_;
  ReducedProcedure result_;
  std::vector<LocationId> places_; // by node
  std::vector<bool> is_quiet_head_;
  std::map<unsigned, LocalId> scratch_; // by width
  LocalId second_byte_;
  LocationId end_;
};

} // namespace

ReducedProcedure program_of(Program& program,
                            ProcedureId source,
                            const StoreBufferGraph& graph,
                            const StoreBufferOptions& options) {
  return Emission(program, source, graph, options).run();
}

} // namespace heddle::transform
