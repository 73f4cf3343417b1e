// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The machine's side is written down again here, from the semantics of docs/semantics.md and
// without the rules by which the graph was made: what is pending is a list of terms over the locals
// before a step, and has to be the same as what the entries of the node after it say of the locals
// then.
#include "check/proof/validate_graph.h"

#include "program/analyse/liveness.h"
#include "solve/core/make_core.h"
#include "solve/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

namespace heddle::check {

using logic::Op;
using program::Term;
using transform::EntryOperands;
using transform::GraphEdge;
using transform::GraphNode;
using transform::GraphNodeId;
using transform::StoreBufferGraph;
using transform::SymbolicBuffer;
using transform::SymbolicEntry;
using Kind = GraphEdge::Kind;

namespace {

/// A store that waits on the machine, in terms over the locals before a step.
struct Pending {
  SymbolicEntry entry; // with the epoch it has on the machine
  Term address;
  Term value;
  unsigned size = 0;
  program::ObjectSetId may = {};
};

class Validation {
public:
  Validation(const program::Program& program,
             program::ProcedureId id,
             const StoreBufferGraph& graph,
             const transform::StoreBufferOptions& options)
      : program_(program), procedure_(program.procedures[id]), graph_(graph), options_(options),
        terms_(program.terms), solver_(terms_, solve::make_core()) {}

  Status run() {
    if (graph_.nodes.empty() || graph_.nodes[GraphNodeId{0}].location != procedure_.entry ||
        !graph_.nodes[GraphNodeId{0}].buffer.entries.empty())
      fail(GraphNodeId{0}, "the first node is not the entry with nothing pending");
    for (std::size_t i = 0; i < graph_.nodes.size() && !failure_; ++i)
      node(GraphNodeId{i});
    if (failure_)
      return *failure_;
    return Done{};
  }

private:
  using Locals = std::map<std::uint64_t, Term>; // that a step has changed

  void fail(GraphNodeId at, std::string_view what, std::optional<std::uint32_t> edge = {}) {
    if (failure_)
      return;
    const std::string where = edge ? fmt::format("the edge from node {} to node {}",
                                                 at.value,
                                                 graph_.edges[*edge].to.value)
                                   : fmt::format("node {}", at.value);
    failure_ = Error{ErrorKind::kInput,
                     "SBG-007",
                     fmt::format("the store-buffer graph of '{}' is not one of the machine: {}: {}",
                                 procedure_.name,
                                 where,
                                 what)};
  }

  [[nodiscard]] bool is_end(program::LocationId location) const {
    return !location.is_valid() || procedure_.locations[location].out.empty();
  }
  [[nodiscard]] bool is_sequential() const {
    return options_.machine == memory::MachineKind::kSequential;
  }
  [[nodiscard]] bool is_tso() const {
    return options_.machine == memory::MachineKind::kTotalStoreOrder;
  }

  /// What the machine has pending at a node (C3). Nothing if the node does not say.
  [[nodiscard]] std::optional<std::vector<Pending>> pending_at(const GraphNode& node) {
    std::vector<Pending> all;
    for (const SymbolicEntry& entry : node.buffer.entries) {
      if (entry.store >= graph_.operands.size() ||
          entry.instance >= graph_.operands[entry.store].size())
        return std::nullopt;
      const auto* store = std::get_if<program::Store>(&procedure_.edges[entry.store].action);
      if (store == nullptr)
        return std::nullopt;
      const EntryOperands& operands = graph_.operands[entry.store][entry.instance];
      if (terms_.sort(operands.value).width != 8U * store->access.size)
        return std::nullopt;
      all.push_back(
          {entry, operands.address, operands.value, store->access.size, store->access.may});
    }
    return all;
  }

  [[nodiscard]] bool can_be(Term condition) {
    const auto [known, is_new] = answers_.try_emplace(condition, false);
    if (is_new)
      known->second = solver_.check(std::span(&condition, 1)) != solve::Answer::kUnsatisfiable;
    return known->second;
  }

  // Addresses.

  /// Is believed of analyses: accesses without a common object share no byte.
  [[nodiscard]] bool have_common_object(program::ObjectSetId one,
                                        program::ObjectSetId other) const {
    if (!one.is_valid() || !other.is_valid())
      return true;
    return std::ranges::any_of(program_.object_sets[one], [&](program::ObjectId object) {
      return std::ranges::find(program_.object_sets[other], object) !=
             program_.object_sets[other].end();
    });
  }
  /// Does the store hold the byte at `address + offset`?
  [[nodiscard]] Term holds(const Pending& store, Term address, unsigned offset) {
    const unsigned width = terms_.sort(address).width;
    const Term byte = terms_.binary(Op::kAdd, address, terms_.constant(offset, width));
    return terms_.binary(
        Op::kULt, terms_.binary(Op::kSub, byte, store.address), terms_.constant(store.size, width));
  }
  [[nodiscard]] Term shares_byte(const Pending& one, const Pending& other) {
    if (!have_common_object(one.may, other.may))
      return terms_.boolean(false);
    Term result = terms_.boolean(false);
    for (unsigned i = 0; i < one.size; ++i)
      result = terms_.or_(result, holds(other, one.address, i));
    return result;
  }

  // One step.

  /// The locals after the action, as terms over those before it; values from elsewhere are fresh.
  [[nodiscard]] Locals locals_after(const program::Action& action) {
    Locals after;
    const auto assign = [&](const program::Assign& assignment) {
      after[assignment.dest.value] = in(after, assignment.value);
    };
    if (const auto* one = std::get_if<program::Assign>(&action)) {
      assign(*one);
    } else if (const auto* more = std::get_if<program::AssignSequence>(&action)) {
      for (const program::Assign& next : more->assignments)
        assign(next);
    } else {
      for (const std::uint32_t local : program::local_use(program_.terms, action).writes)
        after[local] = terms_.variable(
            next_fresh_++, logic::Sort{procedure_.locals[program::LocalId{local}].width});
    }
    return after;
  }
  [[nodiscard]] Term in(const Locals& locals, Term term) {
    return terms_.substitute(term, [&](std::uint64_t number, logic::Sort) {
      const auto found = locals.find(number);
      return found == locals.end() ? Term{} : found->second;
    });
  }

  /// Epochs start at 0 and have no gaps; an open fence is one more.
  static void close_gaps(std::vector<Pending>& pending, std::uint32_t& epoch) {
    std::map<std::uint32_t, std::uint32_t> rank;
    for (const Pending& store : pending)
      rank.emplace(store.entry.epoch, 0);
    std::uint32_t next = 0;
    for (auto& [old, dense] : rank)
      dense = next++;
    const bool is_open = !rank.empty() && epoch > rank.rbegin()->first;
    epoch = rank.empty() ? 0 : (is_open ? next : next - 1);
    for (Pending& store : pending)
      store.entry.epoch = rank[store.entry.epoch];
  }

  /// The machine stands at `location` with `pending` after the step, and the locals are `locals`:
  /// does that belong to the node the edge leads to?
  void leads_to(std::uint32_t edge,
                program::LocationId location,
                const std::vector<Pending>& pending,
                std::uint32_t epoch,
                const Locals& locals) {
    const GraphNodeId from = graph_.edges[edge].from;
    const GraphNode& to = graph_.nodes[graph_.edges[edge].to];
    if (to.location != location)
      return fail(from, "leads to another location", edge);
    if (is_end(location)) { // the run, or the thread, is over
      if (!to.buffer.entries.empty())
        fail(from, "something is pending where nothing stands any more", edge);
      return;
    }
    if (to.buffer.entries.size() != pending.size() || to.buffer.epoch != (is_tso() ? 0 : epoch))
      return fail(from, "leads to another number of pending stores or fences", edge);
    const std::optional<std::vector<Pending>> claimed = pending_at(to);
    if (!claimed)
      return fail(from, "leads to a node with an entry that is no store", edge);
    std::vector<std::size_t> places; // of the machine's stores in the node's list
    for (const Pending& store : pending) {
      const auto found = std::ranges::find_if(*claimed, [&](const Pending& other) {
        return other.entry.store == store.entry.store &&
               other.entry.instance == store.entry.instance;
      });
      if (found == claimed->end() || (!is_tso() && found->entry.epoch != store.entry.epoch))
        return fail(from, "leads to other pending stores", edge);
      const auto place = static_cast<std::size_t>(found - claimed->begin());
      if (std::ranges::find(places, place) != places.end())
        return fail(from, "leads to a node with one store twice", edge);
      const Term same = terms_.and_(terms_.equal(in(locals, found->address), store.address),
                                    terms_.equal(in(locals, found->value), store.value));
      if (found->size != store.size || can_be(terms_.not_(same)))
        return fail(from, "a pending store changes while it waits", edge);
      places.push_back(place);
    }
    // Another order is the same only where it makes no difference.
    for (std::size_t i = 0; i < pending.size(); ++i)
      for (std::size_t j = i + 1; j < pending.size(); ++j)
        if (places[i] > places[j] &&
            (is_tso() || pending[i].entry.epoch != pending[j].entry.epoch ||
             can_be(shares_byte(pending[i], pending[j]))))
          return fail(from, "pending stores change their order", edge);
  }

  // Nodes.

  void node(GraphNodeId at) {
    const GraphNode& node = graph_.nodes[at];
    if (is_end(node.location)) {
      if (!node.out.empty())
        fail(at, "something happens where nothing stands any more");
      return;
    }
    const std::optional<std::vector<Pending>> pending = pending_at(node);
    if (!pending)
      return fail(at, "an entry is no store");
    std::map<std::uint32_t, std::vector<std::uint32_t>> steps; // by edge of the procedure
    std::vector<std::uint32_t> flushes;
    for (const std::uint32_t index : node.out) {
      const GraphEdge& edge = graph_.edges[index];
      if (edge.from != at)
        return fail(at, "an edge that starts elsewhere");
      if (edge.kind == Kind::kFlush)
        flushes.push_back(index);
      else
        steps[edge.origin].push_back(index);
    }
    check_flushes(at, *pending, flushes);
    for (const std::uint32_t index : procedure_.locations[node.location].out) {
      check_step(at, *pending, index, steps[index]);
      steps.erase(index);
    }
    if (!steps.empty())
      fail(at, "a step the thread does not take there", steps.begin()->second.front());
  }

  void check_flushes(GraphNodeId at,
                     const std::vector<Pending>& pending,
                     const std::vector<std::uint32_t>& flushes) {
    for (std::size_t i = 0; i < pending.size(); ++i) {
      Term is_behind = terms_.boolean(is_tso() && i > 0);
      for (std::size_t older = 0; older < i && !is_tso(); ++older)
        is_behind = terms_.or_(is_behind,
                               pending[older].entry.epoch < pending[i].entry.epoch
                                   ? terms_.boolean(true)
                                   : shares_byte(pending[i], pending[older]));
      const auto is_of_it = [&](std::uint32_t index) { return graph_.edges[index].entry == i; };
      const auto flush = std::ranges::find_if(flushes, is_of_it);
      if (std::ranges::count_if(flushes, is_of_it) > 1)
        return fail(at, "a pending store is flushed twice", *flush);
      if (flush == flushes.end()) {
        if (can_be(terms_.not_(is_behind)))
          return fail(at, fmt::format("pending store {} could reach memory, and has no flush", i));
        continue;
      }
      if (!graph_.edges[*flush].is_guarded && can_be(is_behind))
        return fail(at, "a store is flushed that waits for an older one", *flush);
      if (graph_.edges[*flush].origin != pending[i].entry.store)
        return fail(at, "a flush of another store than it says", *flush);
      std::vector<Pending> rest = pending;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      std::uint32_t epoch = graph_.nodes[at].buffer.epoch;
      close_gaps(rest, epoch);
      leads_to(*flush, graph_.nodes[at].location, rest, epoch, {});
    }
    if (std::ranges::any_of(
            flushes, [&](std::uint32_t i) { return graph_.edges[i].entry >= pending.size(); }))
      fail(at, "a flush of what is not pending");
  }

  void check_step(GraphNodeId at,
                  const std::vector<Pending>& pending,
                  std::uint32_t index,
                  const std::vector<std::uint32_t>& taken) {
    const program::Edge& source = procedure_.edges[index];
    if (transform::waits_for_empty_buffer(source.action) && !pending.empty()) {
      if (!taken.empty())
        fail(at, "a step that waits for an empty buffer is taken before", taken.front());
      return;
    }
    if (taken.empty())
      return fail(at,
                  fmt::format("a step of the thread is missing ({})", program_.place(source.loc)));
    const auto* load = std::get_if<program::Load>(&source.action);
    if (load != nullptr && load->access.is_visible && !is_sequential())
      return check_load(at, pending, index, *load, taken);
    if (taken.size() != 1)
      return fail(at, "a step is there twice", taken[1]);
    const std::uint32_t edge = taken.front();
    const auto* store = std::get_if<program::Store>(&source.action);
    if (store != nullptr && store->access.is_visible && !is_sequential())
      return check_store(at, pending, index, *store, edge);
    const Kind kind = graph_.edges[edge].kind;
    if (kind != Kind::kLocal && kind != Kind::kFence && kind != Kind::kAllocate &&
        !(kind == Kind::kLoad && load != nullptr))
      return fail(at, "a step of another kind than the thread's", edge);
    std::uint32_t epoch = graph_.nodes[at].buffer.epoch;
    if (const auto* fence = std::get_if<program::Fence>(&source.action);
        fence != nullptr && fence->strength == program::Fence::Strength::kStoreStore && !is_tso() &&
        !pending.empty() &&
        std::ranges::any_of(pending, [&](const Pending& one) { return one.entry.epoch == epoch; }))
      ++epoch;
    leads_to(edge, source.to, pending, epoch, locals_after(source.action));
  }

  void check_store(GraphNodeId at,
                   const std::vector<Pending>& pending,
                   std::uint32_t index,
                   const program::Store& store,
                   std::uint32_t edge) {
    const GraphNode& node = graph_.nodes[at];
    if (graph_.edges[edge].kind == Kind::kCut) {
      if (options_.pending == 0 || pending.size() < options_.pending)
        fail(at, "a run is cut before the bound on pending stores", edge);
      return;
    }
    if (graph_.edges[edge].kind != Kind::kStore)
      return fail(at, "a store that does not enter the buffer", edge);
    const SymbolicEntry entry{
        index, transform::next_instance(node.buffer, index), is_tso() ? 0 : node.buffer.epoch};
    if (entry.instance >= graph_.operands[index].size())
      return fail(at, "a store without operands", edge);
    Locals locals;
    for (const program::Assign& copy : graph_.operands[index][entry.instance].copies)
      locals[copy.dest.value] = copy.value;
    Term value = store.value;
    if (terms_.sort(value).is_bool())
      value = terms_.to_bit(value);
    const unsigned bits = 8U * store.access.size;
    if (const unsigned width = terms_.sort(value).width; width != bits)
      value = width < bits ? terms_.zero_extend(value, bits) : terms_.extract(value, 0, bits);
    std::vector<Pending> after = pending;
    after.push_back({entry, store.address, value, store.access.size, store.access.may});
    leads_to(edge, procedure_.edges[index].to, after, node.buffer.epoch, locals);
  }

  /// Each byte comes from the newest store that holds it, else from memory: all from one store, all
  /// from memory, or some from each. Whatever can be needs an edge, and an edge that does not ask
  /// when the program runs must be right always.
  void check_load(GraphNodeId at,
                  const std::vector<Pending>& pending,
                  std::uint32_t index,
                  const program::Load& load,
                  const std::vector<std::uint32_t>& taken) {
    const unsigned size = load.access.size;
    std::vector<Term> all_from(pending.size(), terms_.boolean(true));
    Term all_from_memory = terms_.boolean(true);
    for (unsigned i = 0; i < size; ++i) {
      Term is_newer_held = terms_.boolean(false);
      for (std::size_t e = pending.size(); e-- > 0;) {
        const Term is_held = have_common_object(load.access.may, pending[e].may)
                                 ? holds(pending[e], load.address, i)
                                 : terms_.boolean(false);
        all_from[e] = terms_.and_(all_from[e], terms_.and_(is_held, terms_.not_(is_newer_held)));
        is_newer_held = terms_.or_(is_newer_held, is_held);
      }
      all_from_memory = terms_.and_(all_from_memory, terms_.not_(is_newer_held));
    }
    Term is_mixed = terms_.not_(all_from_memory);
    for (const Term from_one : all_from)
      is_mixed = terms_.and_(is_mixed, terms_.not_(from_one));

    bool has_load = false;
    bool has_composed = false; // taken where some bytes are held, or always
    bool always_composes = false;
    std::vector<bool> has_early(pending.size(), false);
    const Locals locals = locals_after(load);
    for (const std::uint32_t index_of_edge : taken) {
      const GraphEdge& edge = graph_.edges[index_of_edge];
      Term is_right = terms_.boolean(true);
      if (edge.kind == Kind::kLoad) {
        has_load = true;
        is_right = all_from_memory;
      } else if (edge.kind == Kind::kComposedLoad) {
        has_composed = true;
        always_composes = always_composes || !edge.is_guarded;
      } else if (edge.kind == Kind::kEarlyRead && edge.entry < pending.size()) {
        has_early[edge.entry] = true;
        is_right = all_from[edge.entry];
        if (edge.is_guarded && size > pending[edge.entry].size)
          return fail(at, "more bytes are read early than the store has", index_of_edge);
      } else {
        return fail(at, "a load that is none", index_of_edge);
      }
      if (!edge.is_guarded && can_be(terms_.not_(is_right)))
        return fail(at, "a load does not read what the machine reads", index_of_edge);
      leads_to(index_of_edge,
               procedure_.edges[index].to,
               pending,
               graph_.nodes[at].buffer.epoch,
               locals);
    }
    bool is_missing = !has_composed && can_be(is_mixed);
    is_missing = is_missing || (!has_load && !always_composes && can_be(all_from_memory));
    for (std::size_t e = 0; e < pending.size(); ++e)
      is_missing = is_missing || (!has_early[e] && !has_composed && can_be(all_from[e]));
    if (is_missing)
      fail(at, "a load can read what no edge reads", taken.front());
  }

  const program::Program& program_;
  const program::Procedure& procedure_;
  const StoreBufferGraph& graph_;
  const transform::StoreBufferOptions& options_;
  logic::TermStore terms_; // the program's, and those made here
  solve::TermSolver solver_;
  std::map<Term, bool> answers_;           // by condition
  std::uint64_t next_fresh_ = 1ULL << 40U; // above all locals and kSelfVariable
  std::optional<Error> failure_;
};

} // namespace

Status validate_graph(const program::Program& program,
                      program::ProcedureId procedure,
                      const StoreBufferGraph& graph,
                      const transform::StoreBufferOptions& options) {
  return Validation(program, procedure, graph, options).run();
}

} // namespace heddle::check
