// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/inline_slots.h"

#include "program/model/control_flow.h"
#include "program/model/sync_kinds.h"

#include <algorithm>
#include <optional>
#include <variant>

namespace heddle::transform {

using program::Allocate;
using program::Edge;
using program::LocalId;
using program::LocationId;
using program::Object;
using program::ObjectId;
using program::ObjectSetId;
using program::Procedure;
using program::ProcedureId;

namespace {

/// Making a slot unwritten is a step for each eight bytes; a larger one keeps its frame.
constexpr std::uint64_t kMostBytes = 256;

const Allocate* as_slot(const Edge& edge) {
  const auto* allocate = std::get_if<Allocate>(&edge.action);
  return allocate != nullptr && allocate->where == ir::Allocate::Where::kFrame ? allocate : nullptr;
}

/// What an action does at addresses that other threads may know, or that something synchronises
/// at. None if all that it does is private.
std::optional<ObjectSetId> touched_visibly(const program::Action& action) {
  const auto of = [](const program::Access& access) -> std::optional<ObjectSetId> {
    if (!access.is_visible)
      return std::nullopt;
    return access.may;
  };
  if (const auto* load = std::get_if<program::Load>(&action))
    return of(load->access);
  if (const auto* store = std::get_if<program::Store>(&action))
    return of(store->access);
  if (const auto* update = std::get_if<program::ReadModifyWrite>(&action))
    return of(update->access);
  if (const auto* update = std::get_if<program::CompareExchange>(&action))
    return of(update->access);
  if (const auto* load = std::get_if<program::LoadExclusive>(&action))
    return load->access.may;
  if (const auto* store = std::get_if<program::StoreExclusive>(&action))
    return store->access.may;
  // What a create passes on is known to another thread (Dangling).
  if (const auto* sync = std::get_if<program::Synchronize>(&action);
      sync != nullptr && !is_thread_operation(sync->op))
    return sync->may;
  return std::nullopt;
}

} // namespace

std::vector<Allocate> slots_of(const Procedure& procedure) {
  std::vector<Allocate> slots;
  for (const Edge& edge : procedure.edges)
    if (const Allocate* slot = as_slot(edge))
      slots.push_back(*slot);
  return slots;
}

MovableSlots::MovableSlots(const program::Program& program)
    : is_fixed_(program.objects.size(), false) {
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const Object& object = program.objects[ObjectId{i}];
    is_fixed_[i] = object.kind != Object::Kind::kFrameSite || object.size == 0 ||
                   object.size > kMostBytes || object.dangling != Object::Dangling::kNever;
  }
  // Copies of a recursive procedure may be active together.
  std::vector<bool> is_allocated(program.objects.size(), false);
  for (const Procedure& procedure : program.procedures)
    for (const Allocate& slot : slots_of(procedure)) {
      is_fixed_[slot.site.index()] =
          is_fixed_[slot.site.index()] || is_allocated[slot.site.index()];
      is_allocated[slot.site.index()] = true;
    }
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges) {
      const std::optional<ObjectSetId> touched = touched_visibly(edge.action);
      if (!touched)
        continue;
      if (!touched->is_valid())
        is_fixed_.assign(is_fixed_.size(), true);
      else
        for (const ObjectId object : program.object_sets[*touched])
          is_fixed_[object.index()] = true;
    }
}

bool MovableSlots::can_move(const Procedure& callee) const {
  std::size_t at_start = 0;
  for (LocationId at = callee.entry; callee.locations[at].out.size() == 1; ++at_start) {
    const Edge& edge = callee.edges[callee.locations[at].out.front()];
    if (as_slot(edge) == nullptr || at_start > callee.edges.size())
      break;
    at = edge.to;
  }
  const std::vector<Allocate> slots = slots_of(callee);
  return at_start == slots.size() && std::ranges::all_of(slots, [&](const Allocate& slot) {
           return !slot.is_visible && !slot.zeroed && !is_fixed_[slot.site.index()];
         });
}

LocalId MovedSlots::address(ProcedureId caller, const Allocate& slot, SourceLoc loc) {
  const auto [entry, is_new] = addresses_.try_emplace({caller, slot.site}, LocalId{});
  if (!is_new)
    return entry->second;
  Procedure& procedure = program_.procedures[caller];
  const auto width = static_cast<std::uint8_t>(program_.pointer_bits());
  entry->second = procedure.locals.push_back(
      program::Local{"&" + program_.objects[slot.site].name, width, loc});
  Allocate moved = slot;
  moved.dest = entry->second;
  const LocationId first = procedure.locations.push_back(program::Location{{}, loc, {}, false});
  program::add_edge(procedure, Edge{first, procedure.entry, std::move(moved), loc});
  procedure.entry = first;
  return entry->second;
}

LocalId MovedSlots::local(ProcedureId caller, const char* name, unsigned width) {
  const auto [entry, is_new] = locals_.try_emplace({caller, name, width}, LocalId{});
  if (is_new)
    entry->second = program_.procedures[caller].locals.push_back(
        program::Local{"", static_cast<std::uint8_t>(width), {}});
  return entry->second;
}

LocationId MovedSlots::forget(ProcedureId caller,
                              const std::vector<Allocate>& slots,
                              LocationId to,
                              SourceLoc loc) {
  if (slots.empty())
    return to;
  logic::TermStore& terms = program_.terms;
  const unsigned pointer = program_.pointer_bits();
  if (!blank_.is_valid()) {
    Object object;
    object.name = "(unwritten)";
    object.kind = Object::Kind::kFrameSite;
    object.size = 8;
    object.align = 8;
    object.dangling = Object::Dangling::kNever;
    blank_ = program_.objects.push_back(std::move(object));
  }
  const auto term = [&](LocalId local, unsigned width) {
    return terms.variable(local.value, logic::Sort{static_cast<std::uint8_t>(width)});
  };
  const LocalId blank = address(
      caller,
      Allocate{{}, terms.constant(8, pointer), ir::Allocate::Where::kFrame, false, blank_, false},
      loc);
  for (const Allocate& slot : slots) {
    const LocalId base = addresses_.at({caller, slot.site});
    const std::uint64_t size = program_.objects[slot.site].size;
    for (std::uint64_t offset = 0; offset < size;) {
      unsigned piece = 8;
      while (piece > size - offset)
        piece /= 2;
      const LocalId value = local(caller, "value", 8 * piece);
      const LocalId marks = local(caller, "marks", 8);
      program::Load load{value, term(blank, pointer), {}, marks};
      program::Store store{
          terms.binary(logic::Op::kAdd, term(base, pointer), terms.constant(offset, pointer)),
          term(value, 8 * piece),
          {},
          term(marks, 8)};
      for (program::Access* access : {&load.access, &store.access}) {
        access->size = static_cast<std::uint8_t>(piece);
        access->is_visible = false;
      }
      load.access.may = only(blank_);
      store.access.may = only(slot.site);
      Procedure& procedure = program_.procedures[caller];
      const LocationId middle =
          procedure.locations.push_back(program::Location{{}, loc, {}, false});
      const LocationId before =
          procedure.locations.push_back(program::Location{{}, loc, {}, false});
      program::add_edge(procedure, Edge{before, middle, std::move(load), loc});
      program::add_edge(procedure, Edge{middle, to, std::move(store), loc});
      to = before;
      offset += piece;
    }
  }
  return to;
}

ObjectSetId MovedSlots::only(ObjectId object) {
  for (std::size_t i = 0; i < program_.object_sets.size(); ++i)
    if (program_.object_sets[ObjectSetId{i}] == std::vector<ObjectId>{object})
      return ObjectSetId{i};
  return program_.object_sets.push_back({object});
}

} // namespace heddle::transform
