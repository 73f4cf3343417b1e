// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/shared_cells.h"

#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::transform {

namespace {

using program::AliasValue;
using program::ObjectId;
using program::ProcedureId;
using program::SyncOp;
using program::Target;
using program::Term;

/// Cells of an object beyond which a table of them makes no sense.
constexpr std::uint64_t kLargestObject = 1U << 12U;

/// The words of an object of synchronisation that its operations touch, as offsets.
std::vector<std::uint64_t> words_of(ir::SyncObject object, ir::DataModel model) {
  using namespace program::sync_layout;
  switch (object) {
  case ir::SyncObject::kMutex:
    return {kMutexOwner, kMutexDepth, mutex_kind(model)};
  case ir::SyncObject::kReadWriteLock:
    return {kReadWriteWriter, kReadWriteReaders};
  case ir::SyncObject::kBarrier:
    return {kBarrierThreshold, kBarrierArrived, kBarrierGeneration};
  case ir::SyncObject::kSpinLock:
  case ir::SyncObject::kCondition:
  case ir::SyncObject::kSemaphore:
  case ir::SyncObject::kOnce:
    return {0};
  case ir::SyncObject::kThread:
    return {};
  }
  return {};
}

bool contains(program::Offsets offsets, std::uint64_t offset) {
  const auto distance = static_cast<std::int64_t>(offset) - offsets.first;
  return offsets.stride == 0 ? distance == 0
                             : distance % static_cast<std::int64_t>(offsets.stride) == 0;
}

} // namespace

SharedCells::SharedCells(const program::Program& program)
    : program_(&program), points_to_(program), is_shared_(program.objects.size(), false) {}

Result<SharedCells> SharedCells::find(const program::Program& program,
                                      const std::vector<SequentialThread>& threads) {
  SharedCells cells(program);
  std::vector<ProcedureId> procedures;
  for (const SequentialThread& thread : threads)
    if (std::ranges::find(procedures, thread.procedure) == procedures.end())
      procedures.push_back(thread.procedure);
  cells.find_uses(procedures);
  cells.find_shared_objects();
  if (const Status status = cells.cut(threads); !status)
    return status.error();
  cells.find_lock_cells(procedures);
  return cells;
}

/// The first word of a lock that nobody has written says that the lock is not there
/// (sync_layout.h): using it is undefined, but for conditions.
void SharedCells::find_lock_cells(const std::vector<ProcedureId>& procedures) {
  for (const ProcedureId procedure : procedures)
    for (const program::Edge& edge : program_->procedures[procedure].edges) {
      const auto* sync = std::get_if<program::Synchronize>(&edge.action);
      if (sync == nullptr || is_thread_operation(sync->op))
        continue;
      const ir::SyncObject object = facts_of(sync->op).object;
      const bool has_zero =
          object == ir::SyncObject::kBarrier || object == ir::SyncObject::kCondition;
      for (const CellPlace& place : places(procedure, sync->operands[0], 0, 4))
        unused_[place.cell] = has_zero ? 0 : program::sync_layout::kGone;
    }
}

void SharedCells::find_uses(const std::vector<ProcedureId>& procedures) {
  has_plain_mutexes_ = are_mutexes_plain(procedures);
  for (const ProcedureId procedure : procedures)
    for (const program::Edge& edge : program_->procedures[procedure].edges)
      add_uses(procedure, edge);
}

/// All are made plain, or lie in memory that is zero from the start, and nothing but operations of
/// mutexes touches the word that says so.
bool SharedCells::are_mutexes_plain(const std::vector<ProcedureId>& procedures) const {
  const std::uint64_t kind = program::sync_layout::mutex_kind(program_->data_model);
  std::vector<std::pair<ObjectId, program::Offsets>> mutexes;
  const auto add_mutex = [&](ProcedureId procedure, Term address) {
    const AliasValue value = points_to_.address(procedure, address);
    for (const auto& [target, offsets] : value.targets())
      if (target.kind == Target::Kind::kObject)
        mutexes.emplace_back(ObjectId{std::size_t{target.index}}, offsets);
    return !value.is_any();
  };
  for (const ProcedureId procedure : procedures)
    for (const program::Edge& edge : program_->procedures[procedure].edges) {
      const auto* sync = std::get_if<program::Synchronize>(&edge.action);
      if (sync == nullptr)
        continue;
      if (sync->op == SyncOp::kMutexInit && !(program_->terms.is_constant(sync->operands[1]) &&
                                              program_->terms.node(sync->operands[1]).value == 0))
        return false;
      const auto objects = objects_of(sync->op);
      for (std::size_t i = 0; i < objects.size(); ++i)
        if (objects[i] == ir::SyncObject::kMutex && !add_mutex(procedure, sync->operands[i]))
          return false;
    }
  const auto is_hit = [&](ProcedureId procedure, Term address, std::uint64_t size) {
    const AliasValue value = points_to_.address(procedure, address);
    return std::ranges::any_of(mutexes, [&](const auto& mutex) {
      if (value.is_any())
        return true;
      for (const auto& [target, offsets] : value.targets())
        if (target.kind == Target::Kind::kObject && target.index == mutex.first.value &&
            program::overlap(
                offsets, size, mutex.second.shifted(static_cast<std::int64_t>(kind)), 4) !=
                program::Overlap::kNever)
          return true;
      return false;
    });
  };
  for (const ProcedureId procedure : procedures)
    for (const program::Edge& edge : program_->procedures[procedure].edges) {
      bool is_touched = false;
      if (const auto* store = std::get_if<program::Store>(&edge.action))
        is_touched = is_hit(procedure, store->address, store->access.size);
      if (const auto* update = std::get_if<program::ReadModifyWrite>(&edge.action))
        is_touched = is_hit(procedure, update->address, update->access.size);
      if (const auto* exchange = std::get_if<program::CompareExchange>(&edge.action))
        is_touched = is_hit(procedure, exchange->address, exchange->access.size);
      if (is_touched)
        return false;
    }
  return std::ranges::all_of(mutexes, [&](const auto& mutex) {
    const program::Object& object = program_->objects[mutex.first];
    for (std::uint64_t at = 0; at + 4 <= object.initial.size(); ++at)
      if (object.initial[at] != 0 && at >= kind && contains(mutex.second, at - kind))
        return false;
    return true;
  });
}

void SharedCells::add_uses(ProcedureId procedure, const program::Edge& edge) {
  const auto access = [&](Term address, const program::Access& how) {
    uses_.push_back({procedure, address, 0, how.size, how.is_visible, edge.loc});
  };
  const auto words = [&](Term address, ir::SyncObject object) {
    std::vector<std::uint64_t> offsets = words_of(object, program_->data_model);
    if (object == ir::SyncObject::kMutex && has_plain_mutexes_)
      offsets.resize(1);
    for (const std::uint64_t word : offsets)
      uses_.push_back({procedure, address, word, 4, true, edge.loc});
  };
  std::visit(Overloaded{
                 [&](const program::Load& a) { access(a.address, a.access); },
                 [&](const program::Store& a) { access(a.address, a.access); },
                 [&](const program::LoadExclusive& a) { access(a.address, a.access); },
                 [&](const program::StoreExclusive& a) { access(a.address, a.access); },
                 [&](const program::ReadModifyWrite& a) { access(a.address, a.access); },
                 [&](const program::CompareExchange& a) { access(a.address, a.access); },
                 [&](const program::Synchronize& a) {
                   const auto objects = objects_of(a.op);
                   for (std::size_t i = 0; i < objects.size(); ++i)
                     words(a.operands[i], objects[i]);
                 },
                 [](const auto&) {}, // what touches no memory
             },
             edge.action);
}

/// An object is shared if something that others can see touches it. What may touch a shared object
/// goes through cells, so whatever else it may touch has to have cells, too.
void SharedCells::find_shared_objects() {
  std::vector<AliasValue> values;
  for (const Use& use : uses_)
    values.push_back(points_to_.address(use.procedure, use.address));
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      const std::vector<ObjectId> objects = values[i].objects();
      const bool was_shared = uses_[i].is_shared;
      uses_[i].is_shared =
          was_shared ||
          (values[i].is_any() && std::ranges::find(is_shared_, true) != is_shared_.end()) ||
          std::ranges::any_of(objects, [&](ObjectId id) { return is_shared_[id.index()]; });
      if (!uses_[i].is_shared)
        continue;
      is_changed = is_changed || !was_shared;
      const auto share = [&](ObjectId id) {
        is_changed = is_changed || !is_shared_[id.index()];
        is_shared_[id.index()] = true;
      };
      if (values[i].is_any())
        for (std::size_t object = 0; object < is_shared_.size(); ++object)
          share(ObjectId{object});
      for (const ObjectId id : objects)
        share(id);
    }
  }
}

Status SharedCells::cut_object(ObjectId id, std::vector<SharedBlock::Cell>& out) {
  const program::Object& object = program_->objects[id];
  if (object.kind == program::Object::Kind::kThreadLocal)
    return refuse("SEQ-010",
                  fmt::format("{}: the thread-local variable '{}' is touched by other threads",
                              program_->place(object.loc),
                              object.name));
  if (object.size == 0 || object.size > kLargestObject)
    return refuse("SEQ-011",
                  fmt::format("{}: '{}' is shared, and its size is {}",
                              program_->place(object.loc),
                              object.name,
                              object.size == 0
                                  ? "not a constant"
                                  : fmt::format("more than {} bytes", kLargestObject)));
  std::map<std::uint64_t, const Use*> found;
  for (const Use& use : uses_) {
    if (!use.is_shared || use.size > object.size)
      continue;
    const AliasValue value = points_to_.address(use.procedure, use.address);
    const auto add = [&](program::Offsets offsets) -> Status {
      for (std::uint64_t at = 0; at + use.size <= object.size; ++at) {
        if (at < use.offset || !contains(offsets, at - use.offset))
          continue;
        // Another access that overlaps in other bytes?
        for (auto near = found.lower_bound(at < 8 ? 0 : at - 8);
             near != found.end() && near->first < at + use.size;
             ++near) {
          const Use& other = *near->second;
          if (near->first + other.size <= at || (near->first == at && other.size == use.size))
            continue;
          return refuse(
              "SEQ-012",
              fmt::format("{}: accesses {} bytes at offset {} of '{}', where {} accesses {} "
                          "at offset {}: cells of different sizes",
                          program_->place(use.loc),
                          use.size,
                          at,
                          object.name,
                          program_->place(other.loc),
                          other.size,
                          near->first));
        }
        found.emplace(at, &use);
      }
      return Done{};
    };
    if (value.is_any())
      if (const Status status = add(program::Offsets::anywhere()); !status)
        return status;
    for (const auto& [target, offsets] : value.targets())
      if (target.kind == Target::Kind::kObject && target.index == id.value)
        if (const Status status = add(offsets); !status)
          return status;
  }
  for (const auto& [offset, use] : found)
    out.push_back({offset, static_cast<std::uint8_t>(use->size)});
  return Done{};
}

std::uint64_t SharedCells::first_free_unit() const {
  std::uint64_t unit = program::AddressSpace::kFirstGlobalUnit;
  for (const program::Object& object : program_->objects) {
    const std::uint64_t units = program_->space().units_for(object.size);
    if (object.kind == program::Object::Kind::kGlobal)
      unit = std::max(unit, object.unit + units);
    if (object.kind == program::Object::Kind::kThreadLocal)
      unit = std::max(unit, object.unit + units * program::kMaxThreads);
  }
  return unit;
}

void SharedCells::add_block(SharedBlock block) {
  block.first = count_;
  count_ += static_cast<std::uint32_t>(block.cells.size());
  blocks_.push_back(std::move(block));
}

Status SharedCells::cut(const std::vector<SequentialThread>& threads) {
  next_unit_ = first_free_unit();
  const program::AddressSpace space = program_->space();
  std::vector<std::vector<SharedBlock::Cell>> cells(program_->objects.size());
  for (std::size_t i = 0; i < program_->objects.size(); ++i) {
    if (!is_shared_[i])
      continue;
    const ObjectId id{i};
    if (const Status status = cut_object(id, cells[i]); !status)
      return status;
    const program::Object& object = program_->objects[id];
    if (object.kind == program::Object::Kind::kGlobal)
      add_block({id, space.base_of(object.unit), object.size, 0, cells[i]});
  }
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    const program::Procedure& procedure = program_->procedures[threads[thread].procedure];
    for (std::uint32_t edge = 0; edge < procedure.edges.size(); ++edge) {
      const auto* allocate = std::get_if<program::Allocate>(&procedure.edges[edge].action);
      if (allocate == nullptr || !is_shared_[allocate->site.index()])
        continue;
      const std::uint64_t size = program_->objects[allocate->site].size;
      by_allocation_[{thread, edge}] = blocks_.size();
      add_block({allocate->site,
                 space.base_of(next_unit_),
                 size,
                 0,
                 cells[allocate->site.index()],
                 true,
                 allocate->zeroed});
      next_unit_ += space.units_for(size);
    }
  }
  if (next_unit_ >= program::AddressSpace::kFirstFrameUnit)
    return refuse("SEQ-013", "too many shared blocks for the address space");
  return Done{};
}

bool SharedCells::is_shared(ProcedureId procedure, Term address) const {
  const AliasValue value = points_to_.address(procedure, address);
  if (value.is_any())
    return std::ranges::find(is_shared_, true) != is_shared_.end();
  return std::ranges::any_of(value.objects(), [&](ObjectId id) { return is_shared_[id.index()]; });
}

std::vector<CellPlace> SharedCells::places(ProcedureId procedure,
                                           Term address,
                                           std::uint64_t offset,
                                           std::uint64_t size) const {
  const AliasValue value = points_to_.address(procedure, address);
  std::vector<CellPlace> result;
  for (const SharedBlock& block : blocks_) {
    const auto add = [&](program::Offsets offsets) {
      for (std::size_t i = 0; i < block.cells.size(); ++i)
        if (const SharedBlock::Cell& cell = block.cells[i];
            cell.size == size && cell.offset >= offset && contains(offsets, cell.offset - offset))
          result.push_back({block.base + cell.offset, block.first + static_cast<std::uint32_t>(i)});
    };
    if (value.is_any())
      add(program::Offsets::anywhere());
    for (const auto& [target, offsets] : value.targets())
      if (target.kind == Target::Kind::kObject && target.index == block.object.value)
        add(offsets);
  }
  return result;
}

const SharedBlock* SharedCells::allocated(std::uint32_t thread, std::uint32_t edge) const {
  const auto found = by_allocation_.find({thread, edge});
  return found == by_allocation_.end() ? nullptr : &blocks_[found->second];
}

std::optional<std::uint64_t> SharedCells::initial(const SharedBlock& block,
                                                  const SharedBlock::Cell& cell) const {
  if (block.is_allocated && block.is_zeroed)
    return 0;
  if (block.is_allocated) {
    const auto at = std::ranges::find(block.cells, cell) - block.cells.begin();
    const auto unused = unused_.find(block.first + static_cast<std::uint32_t>(at));
    return unused == unused_.end() ? std::nullopt : std::optional(unused->second);
  }
  const program::Object& object = program_->objects[block.object];
  std::uint64_t value = 0;
  for (unsigned i = 0; i < cell.size; ++i)
    if (cell.offset + i < object.initial.size())
      value |= std::uint64_t{object.initial[cell.offset + i]} << (8 * i);
  return value;
}

Approximations approximations_of(const program::Program& program,
                                 const SharedCells& cells,
                                 const std::vector<SequentialThread>& threads) {
  bool frees = false;
  bool copies = false;
  for (const SequentialThread& thread : threads)
    for (const program::Edge& edge : program.procedures[thread.procedure].edges) {
      if (const auto* free = std::get_if<program::Free>(&edge.action))
        frees = frees || cells.is_shared(thread.procedure, free->address);
      if (const auto* load = std::get_if<program::Load>(&edge.action))
        copies = copies || (load->marks && cells.is_shared(thread.procedure, load->address) &&
                            std::ranges::any_of(cells.blocks(), [](const SharedBlock& block) {
                              return !block.is_zeroed;
                            }));
    }
  Approximations result;
  if (frees)
    result.push_back({Approximation::Kind::kAssumed,
                      "shared memory is neither used after it was freed nor used again",
                      {}});
  if (copies)
    result.push_back({Approximation::Kind::kAssumed,
                      "copies of uninitialised memory hold what the original holds",
                      {}});
  return result;
}

} // namespace heddle::transform
