// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/control_reach.h"

#include "program/model/control_flow.h"

#include <algorithm>
#include <optional>

namespace heddle::program {

namespace {

/// Does the procedure look at memory, as far as one can see without following its calls?
bool may_read(const Procedure& procedure) {
  return std::ranges::any_of(procedure.edges, [](const Edge& edge) {
    return std::holds_alternative<Load>(edge.action) ||
           std::holds_alternative<ReadModifyWrite>(edge.action) ||
           std::holds_alternative<CompareExchange>(edge.action) ||
           std::holds_alternative<Synchronize>(edge.action) ||
           std::holds_alternative<Call>(edge.action);
  });
}

class LoopExits {
public:
  LoopExits(const Program& program, const Procedure& procedure, const Loop& loop)
      : program_(program), terms_(program.terms), procedure_(procedure), loop_(loop),
        is_found_(procedure.locals.size(), false), is_of_frame_(procedure.locals.size(), false) {
    for (const Edge& edge : procedure.edges)
      if (const auto* allocate = std::get_if<Allocate>(&edge.action);
          allocate != nullptr && allocate->where != ir::Allocate::Where::kHeap)
        is_of_frame_[allocate->dest.index()] = true;
    find();
  }

  /// The branches that leave the loop, if all do so by what was found; empty otherwise.
  [[nodiscard]] std::vector<LocationId> waiting() const {
    std::vector<LocationId> exits;
    for (std::size_t i = 0; i < procedure_.locations.size(); ++i) {
      const LocationId at{i};
      const std::vector<std::uint32_t>& out = procedure_.locations[at].out;
      const bool leaves = loop_.body[i] && std::any_of(out.begin(), out.end(), [&](auto index) {
                            const LocationId to = procedure_.edges[index].to;
                            return !loop_.body[to.index()] && !ends_run(to);
                          });
      if (!leaves)
        continue;
      const auto* assume = std::get_if<Assume>(&procedure_.edges[out.front()].action);
      if (assume == nullptr || !assume->is_branch || !depends(assume->condition))
        return {};
      exits.push_back(at);
    }
    return exits;
  }

private:
  /// A failed assertion, an exit: nothing is left to depend on it.
  [[nodiscard]] bool ends_run(LocationId at) const {
    std::vector<bool> seen(procedure_.locations.size(), false);
    while (!seen[at.index()] && procedure_.locations[at].out.size() == 1) {
      seen[at.index()] = true;
      const Edge& edge = procedure_.edges[procedure_.locations[at].out.front()];
      if (std::holds_alternative<Exit>(edge.action) || std::holds_alternative<Trap>(edge.action) ||
          std::holds_alternative<ThreadExit>(edge.action))
        return true;
      at = edge.to;
    }
    return false;
  }

  /// A variable of the frame, which is a counter rather than what others write.
  [[nodiscard]] bool is_of_frame(Term address) const {
    const std::vector<std::uint64_t> locals = terms_.variables(address);
    return !locals.empty() && std::ranges::all_of(locals, [&](std::uint64_t number) {
      return number < is_of_frame_.size() && is_of_frame_[static_cast<std::size_t>(number)];
    });
  }

  /// What a turn may get from others.
  [[nodiscard]] std::optional<LocalId> found_in(const Action& action) const {
    if (const auto* load = std::get_if<Load>(&action);
        load != nullptr && !is_of_frame(load->address))
      return load->dest;
    if (const auto* update = std::get_if<ReadModifyWrite>(&action);
        update != nullptr && !is_of_frame(update->address))
      return update->dest;
    if (const auto* sync = std::get_if<Synchronize>(&action))
      return sync->dest;
    if (const auto* call = std::get_if<Call>(&action);
        call != nullptr && std::ranges::any_of(call->targets, [&](ProcedureId target) {
          return may_read(program_.procedures[target]);
        }))
      return call->dest;
    return std::nullopt;
  }

  [[nodiscard]] bool depends(Term term) const {
    return std::ranges::any_of(terms_.variables(term), [&](std::uint64_t number) {
      return number < is_found_.size() && is_found_[static_cast<std::size_t>(number)];
    });
  }

  void find() {
    for (bool changes = true; changes;) {
      changes = false;
      const auto mark = [&](LocalId local) {
        changes = changes || !is_found_[local.index()];
        is_found_[local.index()] = true;
      };
      for (const Edge& edge : procedure_.edges) {
        if (!loop_.body[edge.from.index()])
          continue;
        if (const std::optional<LocalId> local = found_in(edge.action))
          mark(*local);
        if (const auto* exchange = std::get_if<CompareExchange>(&edge.action);
            exchange != nullptr && !is_of_frame(exchange->address)) {
          mark(exchange->dest);
          mark(exchange->success);
        }
        if (const auto* one = std::get_if<Assign>(&edge.action); one && depends(one->value))
          mark(one->dest);
        if (const auto* sequence = std::get_if<AssignSequence>(&edge.action))
          for (const Assign& one : sequence->assignments)
            if (depends(one.value))
              mark(one.dest);
      }
    }
  }

  const Program& program_;
  const logic::TermStore& terms_;
  const Procedure& procedure_;
  const Loop& loop_;
  std::vector<bool> is_found_;    // by local: it may come from what a turn has found
  std::vector<bool> is_of_frame_; // by local: the address of a variable of the frame
};

} // namespace

void mark_compiled(Program& program) {
  program.is_compiled = true;
  for (Procedure& procedure : program.procedures)
    for (Edge& edge : procedure.edges)
      if (auto* one = std::get_if<Assign>(&edge.action))
        one->also_from.clear();
}

void mark_control(Program& program) {
  for (Procedure& procedure : program.procedures) {
    for (Edge& edge : procedure.edges)
      if (auto* assume = std::get_if<Assume>(&edge.action); assume && !assume->is_branch)
        assume->lasts = true;
    for (const Loop& loop : find_loops(procedure))
      for (const LocationId exit : LoopExits(program, procedure, loop).waiting())
        for (const std::uint32_t index : procedure.locations[exit].out)
          std::get<Assume>(procedure.edges[index].action).lasts = true;
  }
}

} // namespace heddle::program
