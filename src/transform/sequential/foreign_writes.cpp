// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/foreign_writes.h"

#include "program/analyse/escape.h"

#include <algorithm>
#include <utility>

namespace heddle::transform {

using program::AliasValue;
using program::LocationId;
using program::ObjectId;
using program::Procedure;

namespace {

/// [location]: may a thread have been created when control comes there?
std::vector<bool> find_company(const Procedure& procedure) {
  std::vector<bool> has_company(procedure.locations.size(), false);
  std::vector<LocationId> pending;
  const auto reach = [&](LocationId location) {
    if (has_company[location.index()])
      return;
    has_company[location.index()] = true;
    pending.push_back(location);
  };
  for (const program::Edge& edge : procedure.edges)
    if (const auto* sync = std::get_if<program::Synchronize>(&edge.action);
        sync != nullptr && sync->op == program::SyncOp::kCreate)
      reach(edge.to);
  while (!pending.empty()) {
    const LocationId at = pending.back();
    pending.pop_back();
    for (const std::uint32_t edge : procedure.locations[at].out)
      reach(procedure.edges[edge].to);
  }
  return has_company;
}

} // namespace

ForeignWrites::ForeignWrites(const program::Program& program,
                             const std::vector<SequentialThread>& threads)
    : program_(program), threads_(threads), points_to_(program),
      writes_anywhere_(threads.size(), false) {
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    const Procedure& procedure = program.procedures[threads[thread].procedure];
    const std::vector<bool> has_company = find_company(procedure);
    for (const program::Edge& edge : procedure.edges)
      add(thread, edge.action, thread == 0 && !has_company[edge.from.index()]);
  }
}

void ForeignWrites::add(std::uint32_t thread, const program::Action& action, bool is_alone) {
  if (std::holds_alternative<program::Load>(action))
    return;
  const auto* store = std::get_if<program::Store>(&action);
  std::optional<std::pair<program::Term, std::uint8_t>> written;
  if (store != nullptr)
    written = {store->address, store->access.size};
  if (const auto* update = std::get_if<program::ReadModifyWrite>(&action))
    written = {update->address, update->access.size};
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    written = {exchange->address, exchange->access.size};
  const auto write_anywhere = [&] {
    is_anything_written_ = true;
    if (!is_alone)
      writes_anywhere_[thread] = true;
  };
  if (!written) { // whatever else touches memory may write all of what it touches
    const program::Touched touched =
        program::touched(points_to_, threads_[thread].procedure, action);
    if (touched.any)
      write_anywhere();
    for (const ObjectId object : touched.objects)
      writes_.push_back({thread, object, program::Offsets::anywhere(), 1, is_alone});
    return;
  }
  const auto [address, size] = *written;
  const AliasValue value = points_to_.address(threads_[thread].procedure, address);
  if (value.is_any())
    write_anywhere();
  const bool is_certain = store != nullptr && !store->marks && place_of(thread, address, size);
  for (const auto& [target, offsets] : value.targets())
    if (target.kind == program::Target::Kind::kObject)
      writes_.push_back(
          {thread, ObjectId{std::size_t{target.index}}, offsets, size, is_alone, is_certain});
}

std::optional<OwnPlace>
ForeignWrites::place_of(std::uint32_t thread, program::Term address, std::uint8_t size) const {
  const AliasValue value = points_to_.address(threads_[thread].procedure, address);
  if (value.is_any() || std::ranges::distance(value.targets()) != 1)
    return std::nullopt;
  const auto& [target, offsets] = *value.targets().begin();
  if (target.kind != program::Target::Kind::kObject || offsets.stride != 0 || offsets.first < 0)
    return std::nullopt;
  const OwnPlace place{
      ObjectId{std::size_t{target.index}}, static_cast<std::uint64_t>(offsets.first), size};
  const program::Object& object = program_.objects[place.object];
  if (object.kind != program::Object::Kind::kGlobal || place.offset + size > object.size)
    return std::nullopt;
  return place;
}

std::optional<OwnPlace> ForeignWrites::own_place(std::uint32_t thread,
                                                 const program::Action& action) const {
  const auto* load = std::get_if<program::Load>(&action);
  const auto* store = std::get_if<program::Store>(&action);
  std::optional<OwnPlace> place;
  if (load != nullptr && !load->marks && !load->access.drains)
    place = place_of(thread, load->address, load->access.size);
  if (store != nullptr && !store->marks)
    place = place_of(thread, store->address, store->access.size);
  if (!place || is_anything_written_)
    return std::nullopt;
  const program::Offsets offsets{static_cast<std::int64_t>(place->offset), 0};
  for (const Write& write : writes_) {
    if (write.object != place->object)
      continue;
    const bool is_same = write.thread == thread && write.is_certain && write.offsets == offsets &&
                         write.size == place->size;
    if (!is_same && program::overlap(offsets, place->size, write.offsets, write.size) !=
                        program::Overlap::kNever)
      return std::nullopt;
  }
  return place;
}

bool ForeignWrites::is_unaffected(std::uint32_t thread, const program::Action& action) const {
  const auto* load = std::get_if<program::Load>(&action);
  if (load == nullptr || load->access.drains)
    return false;
  for (std::uint32_t other = 0; other < threads_.size(); ++other)
    if (other != thread && writes_anywhere_[other])
      return false;
  const AliasValue value = points_to_.address(threads_[thread].procedure, load->address);
  if (value.is_any())
    return false;
  return std::ranges::all_of(value.targets(), [&](const auto& entry) {
    const auto& [target, offsets] = entry;
    if (target.kind != program::Target::Kind::kObject)
      return false;
    const ObjectId object{std::size_t{target.index}};
    // Others may end what is not there for ever.
    if (program_.objects[object].kind != program::Object::Kind::kGlobal)
      return false;
    return std::ranges::none_of(writes_, [&, &read = offsets](const Write& write) {
      // What main writes while it is alone is there before the others are: creation is a fence.
      return write.thread != thread && !write.is_alone && write.object == object &&
             program::overlap(read, load->access.size, write.offsets, write.size) !=
                 program::Overlap::kNever;
    });
  });
}

} // namespace heddle::transform
