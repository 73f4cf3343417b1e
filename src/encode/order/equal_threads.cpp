// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/equal_threads.h"

#include "program/analyse/liveness.h"

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
using program::Term;
using Kind = program::StaticEvent::Kind;

/// How many steps a thread may begin with, and how far they are looked for.
constexpr std::size_t kMostFirstSteps = 4;
constexpr EventIndex kLongestLook = 256;

class Equals {
public:
  explicit Equals(EventSet& set) : set_(set) {}

  std::vector<OrderedSteps> find() {
    if (set_.threads.size() < 3 || knows_itself())
      return {};
    std::map<std::pair<ProcedureId, std::uint32_t>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t i = 0; i < set_.threads.size(); ++i)
      if (const StaticThread& thread = set_.threads[i];
          thread.created_at && !uses_argument(thread.entry))
        alike[{thread.entry, thread.creator}].push_back(i);
    std::vector<OrderedSteps> ordered;
    for (auto& [key, threads] : alike) {
      std::sort(threads.begin(), threads.end(), [&](std::uint32_t a, std::uint32_t b) {
        return *set_.threads[a].created_at < *set_.threads[b].created_at;
      });
      if (threads.size() < 2 || !are_joined_alike(threads))
        continue;
      for (std::size_t i = 1; i < threads.size(); ++i)
        for (const Step& first : first_steps(set_.threads[threads[i - 1]]))
          for (const Step& second : first_steps(set_.threads[threads[i]]))
            ordered.push_back(
                {first.event, second.event, set_.terms.and_(first.is_first, second.is_first)});
    }
    return ordered;
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
    return kind != Kind::kChoice && kind != Kind::kFound && kind != Kind::kBranch &&
           kind != Kind::kAssume;
  }

  struct Step {
    EventIndex event = 0;
    Term is_first; // it happens, and none of those before it
  };

  /// What the thread may begin with; some of it, if that is much. The condition of a step that
  /// happens whenever the thread does is left out: through a step that does not happen nothing is
  /// ordered that is not ordered anyway, as its thread has no other.
  [[nodiscard]] std::vector<Step> first_steps(const StaticThread& thread) {
    logic::TermStore& terms = set_.terms;
    std::vector<Step> steps;
    Term none_yet = terms.boolean(true);
    const EventIndex last = std::min(thread.last, thread.start + kLongestLook);
    for (EventIndex e = thread.start + 1; e < last && steps.size() < kMostFirstSteps; ++e) {
      const program::StaticEvent& event = set_.events[e];
      const bool enters_section = event.kind == Kind::kEndpoint && event.section != 0;
      if (!enters_section && (event.kind == Kind::kEndpoint || event.kind == Kind::kFence ||
                              event.kind == Kind::kFree))
        break;
      if (!(enters_section || set_.is_memory(e)) || is_after_one(steps, event.guard))
        continue;
      if (event.guard == set_.events[thread.start].guard) {
        steps.push_back({e, none_yet});
        break;
      }
      steps.push_back({e, terms.and_(none_yet, event.guard)});
      none_yet = terms.and_(none_yet, terms.not_(event.guard));
    }
    return steps;
  }

  /// Guards grow by conjunction along a path.
  [[nodiscard]] bool is_after_one(const std::vector<Step>& steps, Term guard) const {
    std::set<Term> conjuncts;
    collect_conjuncts(guard, conjuncts);
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      std::set<Term> before;
      collect_conjuncts(set_.events[step.event].guard, before);
      return std::includes(conjuncts.begin(), conjuncts.end(), before.begin(), before.end());
    });
  }

  void collect_conjuncts(Term term, std::set<Term>& conjuncts) const {
    if (set_.terms.node(term).op != logic::Op::kAnd) {
      conjuncts.insert(term);
      return;
    }
    for (const Term operand : set_.terms.arguments(term))
      collect_conjuncts(operand, conjuncts);
  }

  EventSet& set_;
};

} // namespace

std::vector<OrderedSteps> first_steps_of_equal_threads(EventSet& set) {
  return Equals(set).find();
}

} // namespace heddle::encode
