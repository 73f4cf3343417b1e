// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The exploration of (location, symbolic buffer), breadth first (Weak2SC, sections 3.1 and 3.3,
// Definitions 10 and 11). Finite: between two moments at which the buffer is empty every store is
// issued at most once (no loop stores without emptying it), or the number of entries is bounded.
#include "transform/buffers/store_buffer_graph.h"

#include "support/check.h"
#include "transform/buffers/store_buffer_graph_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace heddle::transform {

using program::Edge;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Program;
using program::Term;

namespace {

/// More nodes than any thread that is meant to be read has; a refusal is better than days.
constexpr std::size_t kMostNodes = 200'000;

/// After an entry has left: epochs start at 0 and have no gaps (as in memory/machine).
void renumber_epochs(SymbolicBuffer& buffer) {
  if (buffer.entries.empty()) {
    buffer.epoch = 0;
    return;
  }
  const bool has_open_fence = buffer.epoch > buffer.entries.back().epoch;
  std::uint32_t epoch = 0;
  std::uint32_t previous = buffer.entries.front().epoch;
  for (SymbolicEntry& entry : buffer.entries) {
    if (entry.epoch != previous) {
      previous = entry.epoch;
      ++epoch;
    }
    entry.epoch = epoch;
  }
  buffer.epoch = has_open_fence ? epoch + 1 : epoch;
}

class Exploration {
public:
  Exploration(Program& program, ProcedureId id, const StoreBufferOptions& options)
      : program_(program), id_(id), options_(options) {
    graph_.stores = find_pending_stores(program, procedure());
    graph_.operands.resize(procedure().edges.size());
    if (options.machine == memory::MachineKind::kSequential)
      graph_.stores.is_delayed.assign(procedure().edges.size(), false);
  }

  Result<StoreBufferGraph> run() {
    if (const std::optional<Error> refusal = refuse())
      return *refusal;
    SymbolicBuffer pending;
    for (const std::uint32_t store : options_.pending_at_start) {
      HEDDLE_CHECK(store < graph_.stores.is_delayed.size() && graph_.stores.is_delayed[store],
                   "only stores can be pending");
      need_operands(store, next_instance(pending, store));
      pending.entries.push_back({store, next_instance(pending, store), 0});
      if (options_.machine == memory::MachineKind::kPartialStoreOrder)
        sort_in_last(pending);
    }
    node(options_.start.is_valid() ? options_.start : procedure().entry, std::move(pending));
    for (std::size_t at = 0; at < graph_.nodes.size(); ++at) {
      if (graph_.nodes.size() > kMostNodes)
        return error(procedure().loc,
                     "SBG-004",
                     fmt::format("the store-buffer graph of '{}' has more than {} nodes; use the "
                                 "machine (without --via), or --pending",
                                 procedure().name,
                                 kMostNodes));
      expand(GraphNodeId{at});
    }
    return std::move(graph_);
  }

private:
  [[nodiscard]] const Procedure& procedure() const { return program_.procedures[id_]; }

  [[nodiscard]] Error error(SourceLoc loc, const char* code, std::string message) const {
    Error made{ErrorKind::kUnsupported, code, std::move(message)};
    if (loc.is_known() && loc.file < program_.files.size()) {
      made.file = program_.files[loc.file];
      made.line = loc.line;
      made.column = loc.column;
    }
    return made;
  }

  [[nodiscard]] std::optional<Error> refuse() const {
    std::vector<std::uint32_t> endless;
    for (std::uint32_t i = 0; i < procedure().edges.size(); ++i) {
      const Edge& edge = procedure().edges[i];
      if (std::holds_alternative<program::Call>(edge.action))
        return error(edge.loc,
                     "SBG-002",
                     fmt::format("'{}' calls a function that cannot be inlined (recursive, through "
                                 "a pointer, or with locals in memory); store-buffer graphs are "
                                 "made of whole threads: use the machine (without --via)",
                                 procedure().name));
      if (std::holds_alternative<program::LoadExclusive>(edge.action) ||
          std::holds_alternative<program::StoreExclusive>(edge.action))
        return error(edge.loc,
                     "SBG-005",
                     "exclusive loads and stores are not for machines with store buffers");
      if (graph_.stores.is_delayed[i] && !graph_.stores.cycle[i].empty())
        endless.push_back(i);
    }
    if (!endless.empty() && options_.pending == 0)
      return unfenced_loop(endless);
    return std::nullopt;
  }

  /// Names all stores on such cycles, and the lines of one cycle.
  [[nodiscard]] Error unfenced_loop(const std::vector<std::uint32_t>& endless) const {
    std::vector<std::string> stores;
    for (const std::uint32_t store : endless) {
      std::string place = program_.place(procedure().edges[store].loc);
      if (std::ranges::find(stores, place) == stores.end())
        stores.push_back(std::move(place));
    }
    std::vector<std::string> lines;
    for (const std::uint32_t edge : graph_.stores.cycle[endless.front()])
      if (std::string place = program_.place(procedure().edges[edge].loc);
          procedure().edges[edge].loc.is_known() && (lines.empty() || lines.back() != place))
        lines.push_back(std::move(place));
    if (!lines.empty())
      lines.push_back(lines.front());
    return error(
        procedure().edges[endless.front()].loc,
        kUnfencedLoopCode,
        fmt::format("'{}' stores in a loop that never empties the store buffer, so the number of "
                    "pending stores has no bound: the {} at {}{}; expected a fence on every way "
                    "around the loop. The machine decides it (without --via), or a bound on "
                    "pending stores does (--pending N)",
                    procedure().name,
                    stores.size() == 1 ? "store" : "stores",
                    fmt::join(stores, " and "),
                    lines.empty() ? "" : fmt::format(" (around {})", fmt::join(lines, ", "))));
  }

  GraphNodeId node(LocationId location, SymbolicBuffer buffer) {
    // Where nothing stands any more, nothing is pending.
    if (!location.is_valid() || procedure().locations[location].out.empty())
      buffer = {};
    const auto [entry, is_new] =
        known_.try_emplace(std::pair(location, buffer), graph_.nodes.next_id());
    if (is_new)
      graph_.nodes.push_back({location, std::move(buffer)});
    return entry->second;
  }

  void add(GraphNodeId from,
           GraphNodeId to,
           GraphEdge::Kind kind,
           std::uint32_t origin,
           std::uint32_t entry = 0,
           bool is_guarded = false) {
    graph_.nodes[from].out.push_back(static_cast<std::uint32_t>(graph_.edges.size()));
    graph_.edges.push_back({from, to, kind, origin, entry, is_guarded});
  }

  [[nodiscard]] ByteRange range_of(const SymbolicEntry& entry) const {
    const auto& store = std::get<program::Store>(procedure().edges[entry.store].action);
    return {
        graph_.operands[entry.store][entry.instance].address, store.access.size, store.access.may};
  }

  void expand(GraphNodeId at) {
    const LocationId location = graph_.nodes[at].location;
    if (!location.is_valid() || procedure().locations[location].out.empty())
      return;
    flushes(at);
    const SymbolicBuffer buffer = graph_.nodes[at].buffer;
    for (const std::uint32_t index : std::vector(procedure().locations[location].out))
      step(at, buffer, index);
  }

  void flushes(GraphNodeId at) {
    const SymbolicBuffer buffer = graph_.nodes[at].buffer;
    for (std::uint32_t i = 0; i < buffer.entries.size(); ++i) {
      bool is_guarded = false;
      bool is_enabled = true;
      if (options_.machine == memory::MachineKind::kTotalStoreOrder)
        is_enabled = i == 0;
      else
        for (std::uint32_t older = 0; older < i && is_enabled; ++older) {
          const Overlap found =
              overlap(program_, range_of(buffer.entries[i]), range_of(buffer.entries[older]));
          is_enabled = found.kind != Overlap::Kind::kAt &&
                       buffer.entries[older].epoch == buffer.entries[i].epoch;
          is_guarded = is_guarded || found.kind == Overlap::Kind::kUnknown;
        }
      if (!is_enabled)
        continue;
      SymbolicBuffer rest = buffer;
      rest.entries.erase(rest.entries.begin() + i);
      renumber_epochs(rest);
      const GraphNodeId to = node(graph_.nodes[at].location, std::move(rest));
      add(at, to, GraphEdge::Kind::kFlush, buffer.entries[i].store, i, is_guarded);
    }
  }

  void step(GraphNodeId at, const SymbolicBuffer& buffer, std::uint32_t index) {
    const Edge edge = procedure().edges[index];
    const bool waits = waits_for_empty_buffer(edge.action);
    if (waits && !buffer.entries.empty())
      return;
    if (graph_.stores.is_delayed[index])
      return store(at, buffer, index);
    if (const auto* load = std::get_if<program::Load>(&edge.action);
        load != nullptr && load->access.is_visible)
      return this->load(at, buffer, index, *load);
    SymbolicBuffer next = buffer;
    GraphEdge::Kind kind = waits ? GraphEdge::Kind::kFence : GraphEdge::Kind::kLocal;
    if (std::holds_alternative<program::Allocate>(edge.action))
      kind = GraphEdge::Kind::kAllocate;
    if (const auto* fence = std::get_if<program::Fence>(&edge.action);
        fence != nullptr && fence->strength == program::Fence::Strength::kStoreStore) {
      kind = GraphEdge::Kind::kFence;
      // Two fences without a store between them are one.
      if (options_.machine == memory::MachineKind::kPartialStoreOrder && !next.entries.empty() &&
          next.entries.back().epoch == next.epoch)
        ++next.epoch;
    }
    const GraphNodeId to = node(edge.to, std::move(next));
    add(at, to, kind, index);
  }

  void store(GraphNodeId at, const SymbolicBuffer& buffer, std::uint32_t index) {
    const LocationId target = procedure().edges[index].to;
    if (options_.pending != 0 && buffer.entries.size() >= options_.pending) {
      const GraphNodeId end = node(LocationId{}, {});
      add(at, end, GraphEdge::Kind::kCut, index);
      return;
    }
    const std::uint32_t instance = next_instance(buffer, index);
    HEDDLE_CHECK(instance == 0 || options_.pending != 0, "a store that is pending twice");
    need_operands(index, instance);
    SymbolicBuffer next = buffer;
    next.entries.push_back({index, instance, buffer.epoch});
    if (options_.machine == memory::MachineKind::kPartialStoreOrder)
      sort_in_last(next);
    const GraphNodeId to = node(target, std::move(next));
    add(at, to, GraphEdge::Kind::kStore, index);
  }

  /// Entries that never share a byte and have no fence between them may reach memory in either
  /// order, so their order in the buffer is nothing: one of the orders stands for both.
  void sort_in_last(SymbolicBuffer& buffer) const {
    for (std::size_t i = buffer.entries.size() - 1; i > 0; --i) {
      SymbolicEntry& newer = buffer.entries[i];
      SymbolicEntry& older = buffer.entries[i - 1];
      if (older.epoch != newer.epoch || older < newer ||
          overlap(program_, range_of(older), range_of(newer)).kind != Overlap::Kind::kNever)
        return;
      std::swap(older, newer);
    }
  }

  /// An operand that is assigned again while the store waits is kept in a local of its own; so is a
  /// computed value, since it is all that the buffer would hold.
  void need_operands(std::uint32_t index, std::uint32_t instance) {
    std::vector<EntryOperands>& all = graph_.operands[index];
    if (instance < all.size())
      return;
    const auto store = std::get<program::Store>(procedure().edges[index].action);
    logic::TermStore& terms = program_.terms;
    const unsigned bits = 8U * store.access.size;
    EntryOperands operands{store.address, fitted(terms, store.value, bits)};
    const bool repeats = !graph_.stores.cycle[index].empty();
    const auto copy = [&](Term& term) {
      const auto width = terms.sort(term).width;
      const program::LocalId local =
          program_.procedures[id_].locals.push_back({"", width, procedure().edges[index].loc});
      operands.copies.push_back({local, term});
      term = terms.variable(local.value, logic::Sort{width});
    };
    const auto has_variables = [&](Term term) { return !terms.variables(term).empty(); };
    if (has_variables(operands.address) && (repeats || graph_.stores.redefines_address[index]))
      copy(operands.address);
    if (has_variables(operands.value) && (repeats || graph_.stores.redefines_value[index] ||
                                          terms.node(operands.value).op != logic::Op::kVariable))
      copy(operands.value);
    all.push_back(std::move(operands));
  }

  /// Newest entry first: one that holds all bytes ends the search, one that may or does hold some
  /// of them makes it a question for the run.
  void load(GraphNodeId at,
            const SymbolicBuffer& buffer,
            std::uint32_t index,
            const program::Load& load) {
    const ByteRange wanted{load.address, load.access.size, load.access.may};
    const LocationId target = procedure().edges[index].to;
    const GraphNodeId to = node(target, buffer);
    bool is_guarded = false;
    for (std::size_t i = buffer.entries.size(); i-- > 0;) {
      const ByteRange held = range_of(buffer.entries[i]);
      const Overlap found = overlap(program_, wanted, held);
      if (found.kind == Overlap::Kind::kNever)
        continue;
      const auto entry = static_cast<std::uint32_t>(i);
      if (found.kind == Overlap::Kind::kUnknown) {
        is_guarded = true;
        if (wanted.size <= held.size)
          add(at, to, GraphEdge::Kind::kEarlyRead, index, entry, true);
        continue;
      }
      if (found.is_within(wanted.size, held.size)) {
        if (is_guarded)
          add(at, to, GraphEdge::Kind::kComposedLoad, index, 0, true);
        add(at, to, GraphEdge::Kind::kEarlyRead, index, entry, is_guarded);
      } else {
        add(at, to, GraphEdge::Kind::kComposedLoad, index);
      }
      return;
    }
    if (is_guarded)
      add(at, to, GraphEdge::Kind::kComposedLoad, index, 0, true);
    add(at, to, GraphEdge::Kind::kLoad, index, 0, is_guarded);
  }

  Program& program_;
  const ProcedureId id_;
  const StoreBufferOptions options_;
  StoreBufferGraph graph_;
  std::map<std::pair<LocationId, SymbolicBuffer>, GraphNodeId> known_;
};

} // namespace

std::uint32_t next_instance(const SymbolicBuffer& buffer, std::uint32_t store) {
  std::uint32_t instance = 0;
  while (std::ranges::any_of(buffer.entries, [&](const SymbolicEntry& entry) {
    return entry.store == store && entry.instance == instance;
  }))
    ++instance;
  return instance;
}

std::size_t StoreBufferGraph::count(GraphEdge::Kind kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(edges, [&](const GraphEdge& edge) { return edge.kind == kind; }));
}

Result<StoreBufferGraph>
build_graph(Program& program, ProcedureId procedure, const StoreBufferOptions& options) {
  return Exploration(program, procedure, options).run();
}

} // namespace heddle::transform
