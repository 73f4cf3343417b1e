// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of a thread with pending stores, as steps under SC.
#include "transform/buffers/store_buffer_graph_emission.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace heddle::transform {

using logic::Op;
using namespace program; // NOLINT: most of the family of actions is spelled out below

namespace {

Access undelayed(Access access) {
  access.drains = false;
  return access;
}

} // namespace

Term Emission::is_constant_object(const Store& store) {
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
    found = terms_.or_(found, terms_.binary(Op::kULt, offset, terms_.constant(object.size, width)));
  }
  return found;
}

/// An access is judged when it is issued, as the machine does: a store that may lie outside all
/// globals looks at its bytes (a copying load, which fixes nothing) before it enters the buffer.
void Emission::emit_store(
    const GraphNode& node, LocationId here, std::uint32_t index, LocationId to, bool is_outside) {
  const Edge& from = source_.edges[index];
  const auto& store = std::get<Store>(from.action);
  const Origin origin{Origin::Kind::kStep, index, next_instance(node.buffer, index)};
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
  if (quiet_.is_surely_valid(store)) {
    emit_buffering(node, here, index, to);
    return;
  }
  if (!is_outside)
    if (const std::optional<Term> is_inside = quiet_.is_inside_globals(store)) {
      const auto [yes, no] = branch(here, *is_inside, from.loc);
      emit_buffering(node, yes, index, to);
      here = no;
    }
  const Term is_constant = is_constant_object(store);
  if (!(terms_.is_constant(is_constant) && terms_.node(is_constant).value == 0)) {
    const auto [yes, no] = branch(here, is_constant, from.loc);
    edge(yes, end(), Store{store.address, store.value, undelayed(store.access)}, from.loc, origin);
    here = no;
  }
  const LocationId seen = new_location(from.loc);
  Load look{scratch(8U * store.access.size), store.address, undelayed(store.access)};
  look.marks = scratch(8);
  if (look.marks == look.dest)
    look.marks = second_byte();
  edge(here, seen, std::move(look), from.loc, origin);
  edge(seen, to, buffering(origin), from.loc);
}

Action Emission::buffering(const Origin& origin) const {
  const std::vector<Assign>& copies = graph_.operands[origin.edge][origin.instance].copies;
  return copies.empty() ? Action{Skip{}} : Action{AssignSequence{copies}};
}

void Emission::emit_buffering(const GraphNode& node,
                              LocationId here,
                              std::uint32_t index,
                              LocationId to) {
  const Origin origin{Origin::Kind::kStep, index, next_instance(node.buffer, index)};
  edge(here, to, buffering(origin), source_.edges[index].loc, origin);
}

void Emission::emit_load(
    const GraphNode& node, LocationId here, std::uint32_t index, const Load& load, LocationId to) {
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

void Emission::emit_early(const SymbolicEntry& entry,
                          unsigned distance,
                          LocationId here,
                          std::uint32_t index,
                          const Load& load,
                          LocationId to) {
  const Term bytes = terms_.extract(operands_of(entry).value, 8 * distance, 8U * load.access.size);
  assign(here, to, index, load, bytes, terms_.constant(0, 8), step_of(index));
}

void Emission::assign(LocationId here,
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
void Emission::emit_composed(
    const GraphNode& node, LocationId here, std::uint32_t index, const Load& load, LocationId to) {
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

Emission::Held Emission::byte_of(const SymbolicEntry& entry, const ByteRange& wanted, unsigned i) {
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

} // namespace heddle::transform
