// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "export/layout.h"

#include "program/analyse/alias.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::exports {

using namespace program; // NOLINT: most of the family of actions is spelled out below

namespace {

/// More is no use to a tool that keeps whole states.
constexpr std::uint32_t kMostCells = 4096;
/// Of which a byte tells one from the others.
constexpr std::size_t kMostThreads = 250;

/// Can the edge be taken twice?
bool is_on_cycle(const Procedure& procedure, const Edge& edge) {
  std::set<LocationId> seen;
  std::vector<LocationId> open;
  const auto enter = [&](LocationId location) {
    if (location.is_valid() && seen.insert(location).second)
      open.push_back(location);
  };
  enter(edge.to);
  while (!open.empty()) {
    const LocationId at = open.back();
    open.pop_back();
    for (const std::uint32_t index : procedure.locations[at].out)
      enter(procedure.edges[index].to);
  }
  return seen.contains(edge.from);
}

class Planner {
public:
  Planner(const Program& program, std::uint32_t pool)
      : program_(program), pool_(pool), points_to_(program), cells_(program),
        sizes_(program.objects.size()) {}

  Result<Layout> run() {
    layout_.threads.push_back({program_.templates.front().entry, "main", {}, {}});
    for (std::size_t t = 0; t < layout_.threads.size(); ++t)
      if (const Status status = add_created(t); !status)
        return status.error();
    for (const Thread& thread : layout_.threads)
      for (const Edge& edge : program_.procedures[thread.procedure].edges)
        if (const Status status = note_access(thread.procedure, edge); !status)
          return status.error();
    for (std::size_t i = 0; i < program_.objects.size(); ++i)
      if (const Status status = add_static(ObjectId{i}); !status)
        return status.error();
    layout_.first_dynamic = static_cast<std::uint32_t>(layout_.cells.size());
    for (std::size_t t = 0; t < layout_.threads.size(); ++t)
      if (const Status status = add_allocated(t); !status)
        return status.error();
    return std::move(layout_);
  }

private:
  /// Thread-local variables have that many addresses.
  [[nodiscard]] std::size_t most_threads() const {
    for (std::size_t i = 0; i < program_.objects.size(); ++i)
      if (program_.objects[ObjectId{i}].kind == Object::Kind::kThreadLocal)
        return kMaxThreads;
    return kMostThreads;
  }

  Status add_created(std::size_t thread) {
    const Procedure& procedure = program_.procedures[layout_.threads[thread].procedure];
    for (std::size_t e = 0; e < procedure.edges.size(); ++e) {
      const Edge& edge = procedure.edges[e];
      const auto* sync = std::get_if<Synchronize>(&edge.action);
      if (sync == nullptr || sync->op != SyncOp::kCreate)
        continue;
      if (sync->targets.size() != 1)
        return refuse(program_, edge.loc, "EXP-001", "a thread starts at a computed function");
      if (is_on_cycle(procedure, edge))
        return refuse(program_,
                      edge.loc,
                      "EXP-002",
                      "a loop creates threads, and their number must be known: unroll it with "
                      "--unwind");
      if (const std::size_t most = most_threads(); layout_.threads.size() == most)
        return refuse(program_,
                      edge.loc,
                      "EXP-003",
                      fmt::format("more than {} threads{}",
                                  most,
                                  most == kMostThreads ? "" : " with thread-local variables"));
      const auto created = static_cast<std::uint32_t>(layout_.threads.size());
      layout_.threads[thread].created.emplace(static_cast<std::uint32_t>(e), created);
      layout_.threads.push_back(
          {sync->targets.front(),
           fmt::format("{}_{}", program_.procedures[sync->targets.front()].name, created),
           {},
           {}});
    }
    return Done{};
  }

  // Which cells are needed.

  /// Every place where the access may lie must be one cell.
  Status check_pieces(ProcedureId procedure, const Edge& edge, Term address, std::uint64_t size) {
    const AliasValue value = points_to_.address(procedure, address);
    if (value.is_any())
      return refuse(program_, edge.loc, "EXP-006", "an access whose address may be any number");
    for (const auto& [target, offsets] : value.targets()) {
      if (target.kind != Target::Kind::kObject)
        continue;
      const ObjectId object{std::size_t{target.index}};
      const std::uint64_t whole = program_.objects[object].size;
      if (!cells_.is_cut(object) || size > whole)
        continue;
      const auto stride = static_cast<std::int64_t>(offsets.stride);
      std::int64_t start = stride == 0 ? offsets.first : offsets.first % stride;
      if (start < 0)
        start += stride;
      for (; start <= static_cast<std::int64_t>(whole - size); start += stride) {
        if (start >= 0 && !cells_.is_one_cell(object, static_cast<std::uint64_t>(start), size))
          return refuse(program_,
                        edge.loc,
                        "EXP-006",
                        fmt::format("'{}' is accessed in pieces of different sizes",
                                    program_.objects[object].name));
        if (stride == 0)
          break;
      }
    }
    return Done{};
  }
  void note(ObjectSetId may, std::uint64_t size) {
    if (!may.is_valid()) {
      for (std::set<std::uint64_t>& sizes : sizes_)
        sizes.insert(size);
      return;
    }
    for (const ObjectId object : program_.object_sets[may])
      sizes_[object].insert(size);
  }
  Status note_access(ProcedureId procedure, const Edge& edge) {
    Status status = Done{};
    const auto touch = [&](Term address, ObjectSetId may, std::uint64_t size) {
      note(may, size);
      status = check_pieces(procedure, edge, address, size);
    };
    const auto access = [&](Term address, const Access& one) { touch(address, one.may, one.size); };
    const auto synchronize = [&](const Synchronize& a) {
      const auto objects = objects_of(a.op);
      for (std::size_t k = 0; k < objects.size(); ++k)
        if (objects[k] != ir::SyncObject::kCondition) // it has no cell
          touch(a.operands[k], a.may, sync_layout::size_of(objects[k], program_.data_model));
    };
    std::visit(Overloaded{
                   [](const Skip&) {},
                   [](const Assign&) {},
                   [](const AssignSequence&) {},
                   [](const Nondet&) {},
                   [](const Assume&) {},
                   [](const Check&) {},
                   [](const CheckNeighbourhood&) {},
                   [&](const Load& a) { access(a.address, a.access); },
                   [&](const Store& a) { access(a.address, a.access); },
                   [&](const LoadExclusive& a) { access(a.address, a.access); },
                   [&](const StoreExclusive& a) { access(a.address, a.access); },
                   [&](const ReadModifyWrite& a) { access(a.address, a.access); },
                   [&](const CompareExchange& a) { access(a.address, a.access); },
                   [](const Fence&) {},
                   [](const Allocate&) {},
                   [](const Free&) {},
                   [](const BlockSize&) {},
                   [](const Call&) {},
                   [](const Return&) {},
                   [&](const Synchronize& a) { synchronize(a); },
                   [](const AtomicBegin&) {},
                   [](const AtomicEnd&) {},
                   [](const Hint&) {},
                   [](const ThreadExit&) {},
                   [](const Exit&) {},
                   [](const Cut&) {},
                   [](const Trap&) {},
               },
               edge.action);
    return status;
  }

  // Blocks.

  Status add_static(ObjectId id) {
    const Object& object = program_.objects[id];
    if (sizes_[id].empty())
      return Done{};
    if (object.kind == Object::Kind::kGlobal) {
      Block block;
      block.object = id;
      block.address = program_.space().base_of(object.unit);
      return add_cells(block, object.name, object.loc);
    }
    if (object.kind == Object::Kind::kThreadLocal)
      for (std::size_t t = 0; t < layout_.threads.size(); ++t) {
        Block block;
        block.object = id;
        block.address =
            program_.space().base_of(object.unit + t * program_.space().units_for(object.size));
        if (const Status status =
                add_cells(block, fmt::format("{} of thread {}", object.name, t), object.loc);
            !status)
          return status;
      }
    return Done{};
  }

  Status add_allocated(std::size_t thread) {
    const Procedure& procedure = program_.procedures[layout_.threads[thread].procedure];
    for (std::size_t e = 0; e < procedure.edges.size(); ++e) {
      const Edge& edge = procedure.edges[e];
      const auto* allocate = std::get_if<Allocate>(&edge.action);
      if (allocate == nullptr)
        continue;
      const Object& site = program_.objects[allocate->site];
      if (site.size == 0)
        return refuse(
            program_, edge.loc, "EXP-004", "a block whose size is computed when the program runs");
      const bool is_frame = allocate->where == ir::Allocate::Where::kFrame;
      const bool is_pooled = is_on_cycle(procedure, edge);
      const std::uint32_t count = is_pooled ? pool_ : 1;
      for (std::uint32_t n = 0; n < count; ++n) {
        Block block;
        block.object = allocate->site;
        block.is_dynamic = true;
        block.is_frame = is_frame;
        block.is_pooled = is_pooled;
        block.thread = static_cast<std::uint32_t>(thread);
        block.address =
            program_.space().base_of(is_frame ? AddressSpace::kFirstFrameUnit + frame_blocks_++
                                              : AddressSpace::kFirstHeapUnit + heap_blocks_++);
        layout_.threads[thread].blocks[static_cast<std::uint32_t>(e)].push_back(
            static_cast<std::uint32_t>(layout_.blocks.size()));
        const std::string name =
            fmt::format("{} of {}{}",
                        site.name.empty() ? "a block" : site.name,
                        layout_.threads[thread].name,
                        count > 1 ? fmt::format(", block {}", n + 1) : std::string());
        if (const Status status = add_cells(block, name, edge.loc); !status)
          return status;
      }
    }
    return Done{};
  }

  Status add_cells(Block block, const std::string& name, SourceLoc loc) {
    const Object& object = program_.objects[block.object];
    block.first_cell = static_cast<std::uint32_t>(layout_.cells.size());
    if (program_.space().units_for(object.size) > 1 ||
        (!sizes_[block.object].empty() && !cells_.is_cut(block.object)))
      return refuse(program_, loc, "EXP-005", fmt::format("'{}' is too large", object.name));
    for (const CellId id : cells_.covering(block.object, 0, object.size)) {
      const program::Cell& cell = cells_.cells()[id];
      if (!sizes_[block.object].contains(cell.size))
        continue; // bytes nobody accesses
      PlacedCell placed;
      placed.block = static_cast<std::uint32_t>(layout_.blocks.size());
      placed.offset = cell.offset;
      placed.size = cell.size;
      for (std::uint64_t byte = 0; byte < cell.size && cell.offset + byte < object.initial.size();
           ++byte) {
        const std::uint64_t value = object.initial[cell.offset + byte];
        if (byte < 8)
          placed.initial |= value << (8 * byte);
        if (cell.size > 8 && value != 0)
          return refuse(program_,
                        loc,
                        "EXP-007",
                        fmt::format("'{}' is a lock that does not start free and normal", name));
      }
      placed.name = object.size == cell.size ? name : fmt::format("{} + {}", name, cell.offset);
      layout_.cells.push_back(std::move(placed));
      if (layout_.cells.size() > kMostCells)
        return refuse(program_,
                      loc,
                      "EXP-005",
                      fmt::format("'{}' is too large: more than {} numbers in memory",
                                  object.name,
                                  kMostCells));
    }
    block.cell_count = static_cast<std::uint32_t>(layout_.cells.size()) - block.first_cell;
    layout_.blocks.push_back(block);
    return Done{};
  }

  const Program& program_;
  std::uint32_t pool_;
  PointsTo points_to_;
  Cells cells_;
  IdVector<ObjectId, std::set<std::uint64_t>> sizes_; // of the accesses
  Layout layout_;
  std::uint64_t frame_blocks_ = 0;
  std::uint64_t heap_blocks_ = 0;
};

} // namespace

Error refuse(const Program& program, SourceLoc loc, std::string code, std::string message) {
  Error error{ErrorKind::kUnsupported, std::move(code), "cannot be exported: " + message};
  if (loc.is_known() && loc.file < program.files.size()) {
    error.file = program.files[loc.file];
    error.line = loc.line;
    error.column = loc.column;
  }
  return error;
}

Result<Layout> lay_out(const Program& program, std::uint32_t pool) {
  return Planner(program, pool).run();
}

} // namespace heddle::exports
