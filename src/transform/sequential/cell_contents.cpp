// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/cell_contents.h"

#include "program/events/value_ranges.h"
#include "program/model/sync_kinds.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace heddle::transform {

namespace {

using program::EventIndex;
using program::EventSet;
using program::ObjectId;
using program::StaticEvent;
using program::Term;

class Contents {
public:
  Contents(const program::Program& program,
           const std::vector<SequentialThread>& threads,
           const SharedCells& cells,
           EventSet& set)
      : program_(program), cells_(cells), set_(set), is_closed_(program.objects.size(), false),
        sources_(program.objects.size()) {
    for (const SharedBlock& block : cells.blocks())
      close(block);
    for (const SequentialThread& thread : threads)
      for (const program::Edge& edge : program.procedures[thread.procedure].edges)
        open_beside_events(edge.action, thread.procedure);
    for (const StaticEvent& event : set.events)
      add(event);
  }

  /// What any cell of the block can hold; nothing: any value.
  [[nodiscard]] std::optional<logic::Range> of(const SharedBlock& block) {
    if (!is_closed_[block.object.index()])
      return std::nullopt;
    if (!ranges_)
      find_ranges();
    std::optional<logic::Range> result;
    for (const Term value : sources_[block.object.index()]) {
      const logic::Range& one = analysis_->range(value);
      result = result ? hull(*result, one) : one;
    }
    return result;
  }

private:
  /// Known for now: what it holds at first counts, and what the events write.
  void close(const SharedBlock& block) {
    std::vector<Term>& sources = sources_[block.object.index()];
    bool is_known = !block.cells.empty();
    for (const SharedBlock::Cell& cell : block.cells) {
      const std::optional<std::uint64_t> initial = cells_.initial(block, cell);
      is_known = is_known && initial && cell.size == block.cells.front().size;
      if (is_known)
        sources.push_back(set_.terms.constant(*initial, 8U * cell.size));
    }
    // Of one allocation several blocks may come, which are alike.
    is_closed_[block.object.index()] = is_known;
    if (is_known)
      size_[block.object] = block.cells.front().size;
  }
  void open_all() { is_closed_.assign(is_closed_.size(), false); }
  void open(program::ProcedureId procedure, Term address) {
    const program::AliasValue value = cells_.targets(procedure, address);
    if (value.is_any())
      open_all();
    for (const ObjectId id : value.objects())
      is_closed_[id.index()] = false;
  }
  /// What writes words of mutexes and the like, and what nobody sees, need not be an event.
  void open_beside_events(const program::Action& action, program::ProcedureId procedure) {
    const auto open_private = [&](const auto* access) {
      if (access != nullptr && !access->access.is_visible)
        open(procedure, access->address);
    };
    open_private(std::get_if<program::Store>(&action));
    open_private(std::get_if<program::StoreExclusive>(&action));
    open_private(std::get_if<program::ReadModifyWrite>(&action));
    open_private(std::get_if<program::CompareExchange>(&action));
    if (const auto* sync = std::get_if<program::Synchronize>(&action);
        sync != nullptr && !is_thread_operation(sync->op))
      for (const Term operand : sync->operands)
        open(procedure, operand);
  }
  void add(const StaticEvent& event) {
    if (event.is_hidden ||
        (event.kind != StaticEvent::Kind::kRead && event.kind != StaticEvent::Kind::kWrite))
      return;
    if (!event.may.is_valid()) {
      if (event.kind == StaticEvent::Kind::kWrite)
        open_all();
      return;
    }
    for (const ObjectId id : program_.object_sets[event.may])
      if (event.kind == StaticEvent::Kind::kWrite) {
        sources_[id.index()].push_back(event.value);
        // Pieces of a cell.
        if (const auto size = size_.find(id); size == size_.end() || size->second != event.size)
          is_closed_[id.index()] = false;
      }
  }

  [[nodiscard]] bool is_closed(const StaticEvent& read) const {
    return read.kind == StaticEvent::Kind::kRead && !read.is_hidden && read.may.is_valid() &&
           std::ranges::all_of(program_.object_sets[read.may], [&](ObjectId id) {
             return is_closed_[id.index()] && size_.at(id) == read.size;
           });
  }
  void find_ranges() {
    std::vector<program::ReadValues> reads;
    for (EventIndex e = 0; e < set_.events.size(); ++e) {
      if (!is_closed(set_.events[e]))
        continue;
      program::ReadValues read{e, {}};
      for (const ObjectId id : program_.object_sets[set_.events[e].may])
        read.values.insert(
            read.values.end(), sources_[id.index()].begin(), sources_[id.index()].end());
      reads.push_back(std::move(read));
    }
    ranges_ = program::value_ranges(set_, reads);
    analysis_.emplace(set_.terms, [this](Term variable) -> std::optional<logic::Range> {
      const auto found = ranges_->find(variable);
      return found == ranges_->end() ? std::nullopt : std::optional(found->second);
    });
  }

  const program::Program& program_;
  const SharedCells& cells_;
  EventSet& set_;
  std::vector<bool> is_closed_;            // by object: only what is in sources_ is ever in it
  std::vector<std::vector<Term>> sources_; // by object
  std::unordered_map<ObjectId, std::uint8_t> size_; // of its cells
  std::optional<std::unordered_map<Term, logic::Range>> ranges_;
  std::optional<logic::RangeAnalysis> analysis_;
};

} // namespace

std::vector<logic::Range> contents_of(const program::Program& program,
                                      const std::vector<SequentialThread>& threads,
                                      const SharedCells& cells) {
  std::vector<logic::Range> result;
  for (const SharedBlock& block : cells.blocks())
    for (const SharedBlock::Cell& cell : block.cells)
      result.push_back(logic::Range::full(8U * cell.size));
  program::EventSetOptions options;
  options.for_solver = true;
  Result<EventSet> set = program::make_events(program, options);
  if (!set)
    return result;
  Contents contents(program, threads, cells, *set);
  for (const SharedBlock& block : cells.blocks())
    if (const std::optional<logic::Range> range = contents.of(block))
      for (std::size_t i = 0; i < block.cells.size(); ++i)
        result[block.first + i] = *range;
  return result;
}

std::vector<CellWriters> writers_of(const program::Program& program,
                                    const std::vector<SequentialThread>& threads,
                                    const SharedCells& cells) {
  std::vector<CellWriters> result(cells.count());
  for (CellWriters& writers : result)
    writers.most_writes = 0;
  const auto add = [&](std::uint32_t cell, std::uint32_t thread, bool is_once) {
    CellWriters& writers = result[cell];
    if (writers.threads.empty() || writers.threads.back() != thread)
      writers.threads.push_back(thread);
    constexpr std::uint32_t kAny = ~0U;
    writers.most_writes = is_once && writers.most_writes != kAny ? writers.most_writes + 1 : kAny;
  };
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    const program::ProcedureId procedure = threads[thread].procedure;
    // There are no loops, so that a thread takes an edge once.
    const auto add_access = [&](Term address, std::uint64_t size) {
      std::vector<std::uint32_t> written;
      for (const CellPlace& place : cells.places(procedure, address, 0, size))
        written.push_back(place.cell);
      std::sort(written.begin(), written.end());
      written.erase(std::unique(written.begin(), written.end()), written.end());
      for (const std::uint32_t cell : written)
        add(cell, thread, true);
    };
    for (const program::Edge& edge : program.procedures[procedure].edges) {
      if (const auto* store = std::get_if<program::Store>(&edge.action))
        add_access(store->address, store->access.size);
      else if (const auto* update = std::get_if<program::ReadModifyWrite>(&edge.action))
        add_access(update->address, update->access.size);
      else if (const auto* exchange = std::get_if<program::CompareExchange>(&edge.action))
        add_access(exchange->address, exchange->access.size);
      else if (const auto* sync = std::get_if<program::Synchronize>(&edge.action);
               sync != nullptr && !is_thread_operation(sync->op))
        for (const Term operand : sync->operands) {
          const program::AliasValue value = cells.targets(procedure, operand);
          const std::vector<ObjectId> objects = value.objects();
          for (const SharedBlock& block : cells.blocks())
            if (value.is_any() || std::ranges::find(objects, block.object) != objects.end())
              for (std::size_t i = 0; i < block.cells.size(); ++i)
                add(static_cast<std::uint32_t>(block.first + i), thread, false);
        }
    }
  }
  return result;
}

} // namespace heddle::transform
