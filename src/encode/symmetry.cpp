// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/symmetry.h"

#include "program/code_liveness.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace heddle::encode {

namespace {

using program::EventIndex;
using program::EventSet;
using program::ProcedureId;
using program::StaticJoin;
using program::StaticThread;
using Kind = program::StaticEvent::Kind;

class Equals {
public:
  explicit Equals(const EventSet& set) : set_(set) {}

  std::vector<std::pair<EventIndex, EventIndex>> find() {
    if (set_.threads.size() < 3 || knows_itself())
      return {};
    std::map<std::pair<ProcedureId, std::uint32_t>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t i = 0; i < set_.threads.size(); ++i)
      if (const StaticThread& thread = set_.threads[i];
          thread.created_at && !uses_argument(thread.entry))
        alike[{thread.entry, thread.creator}].push_back(i);
    std::vector<std::pair<EventIndex, EventIndex>> pairs;
    for (auto& [key, threads] : alike) {
      std::sort(threads.begin(), threads.end(), [&](std::uint32_t a, std::uint32_t b) {
        return *set_.threads[a].created_at < *set_.threads[b].created_at;
      });
      if (threads.size() < 2 || !are_joined_alike(threads))
        continue;
      for (std::size_t i = 1; i < threads.size(); ++i) {
        const std::optional<EventIndex> first = first_step(set_.threads[threads[i - 1]]);
        const std::optional<EventIndex> second = first_step(set_.threads[threads[i]]);
        if (first && second)
          pairs.emplace_back(*first, *second);
      }
    }
    return pairs;
  }

private:
  /// pthread_self, or a variable of its own at an address of its own.
  [[nodiscard]] bool knows_itself() const {
    for (const program::Object& object : set_.program->objects)
      if (object.kind == program::Object::Kind::kThreadLocal)
        return true;
    for (const program::Procedure& procedure : set_.program->procedures)
      for (const program::Edge& edge : procedure.edges)
        if (const auto* sync = std::get_if<program::Synchronize>(&edge.action))
          if (sync->op == program::SyncOp::kSelf || sync->op == program::SyncOp::kDetach)
            return true;
    return false;
  }

  [[nodiscard]] bool uses_argument(ProcedureId entry) const {
    const program::Procedure& procedure = set_.program->procedures[entry];
    return std::any_of(procedure.parameters.begin(),
                       procedure.parameters.end(),
                       [&](program::LocalId local) { return is_read(entry, local); });
  }

  [[nodiscard]] bool is_read(ProcedureId id, program::LocalId local) const {
    const program::Procedure& procedure = set_.program->procedures[id];
    return std::any_of(
        procedure.edges.begin(), procedure.edges.end(), [&](const program::Edge& edge) {
          const program::LocalUse use = program::local_use(set_.program->terms, edge.action);
          return std::find(use.reads.begin(), use.reads.end(), local.value) != use.reads.end();
        });
  }

  /// By nobody, or each once by one thread that does nothing else in between: then it does not
  /// matter in which order they end, as nobody looks at what they return.
  [[nodiscard]] bool are_joined_alike(const std::vector<std::uint32_t>& threads) const {
    std::set<std::uint32_t> joined;
    std::vector<EventIndex> joiners;
    for (const StaticJoin& join : set_.joins) {
      if (std::find(threads.begin(), threads.end(), join.thread) == threads.end())
        continue;
      const program::StaticEvent& joiner = set_.events[join.joiner];
      if (!set_.terms.is_constant(join.guard) || !joined.insert(join.thread).second ||
          !joiner.edge || is_result_read(joiner))
        return false;
      joiners.push_back(join.joiner);
    }
    if (joiners.empty())
      return true;
    if (joined.size() != threads.size())
      return false;
    std::sort(joiners.begin(), joiners.end());
    for (EventIndex e = joiners.front(); e < joiners.back(); ++e)
      if (set_.events[e].thread != set_.events[joiners.front()].thread ||
          (has_effect(e) && !std::binary_search(joiners.begin(), joiners.end(), e)))
        return false;
    return set_.events[joiners.front()].thread == set_.events[joiners.back()].thread;
  }

  [[nodiscard]] bool is_result_read(const program::StaticEvent& joiner) const {
    const auto& action = set_.program->procedures[joiner.procedure].edges[*joiner.edge].action;
    const auto* sync = std::get_if<program::Synchronize>(&action);
    return sync == nullptr || (sync->dest && is_read(joiner.procedure, *sync->dest));
  }

  /// Anything but what only decides about the thread's own way.
  [[nodiscard]] bool has_effect(EventIndex event) const {
    const Kind kind = set_.events[event].kind;
    return kind != Kind::kChoice && kind != Kind::kBranch && kind != Kind::kAssume;
  }

  /// The first event in memory, if it happens whenever the thread does.
  [[nodiscard]] std::optional<EventIndex> first_step(const StaticThread& thread) const {
    for (EventIndex e = thread.start + 1; e < thread.last; ++e) {
      const program::StaticEvent& event = set_.events[e];
      if (set_.is_memory(e))
        return event.guard == set_.events[thread.start].guard && event.section == 0
                   ? std::optional(e)
                   : std::nullopt;
      if (event.kind == Kind::kEndpoint || event.kind == Kind::kFence || event.kind == Kind::kFree)
        return std::nullopt;
    }
    return std::nullopt;
  }

  const EventSet& set_;
};

} // namespace

std::vector<std::pair<EventIndex, EventIndex>> first_steps_of_equal_threads(const EventSet& set) {
  return Equals(set).find();
}

} // namespace heddle::encode
