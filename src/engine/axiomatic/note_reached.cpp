// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/note_reached.h"

#include <map>
#include <utility>
#include <vector>

namespace heddle::engine::axiomatic {

namespace {

using logic::Literal;
using solve::Answer;

class Asking {
public:
  Asking(const program::EventSet& set, const AskedSolver& solver, verdict::Reached& known)
      : set_(set), solver_(solver), known_(known) {
    find_created();
    for (std::uint32_t i = 1; i < set.threads.size(); ++i)
      for (const program::ThreadTemplate& one : set.program->templates)
        if (one.entry == set.threads[i].entry && !known.threads.contains(one.name))
          threads_[one.name].push_back(is_created_[i]);
    for (const program::StaticPoint& point : set.points) {
      const auto is_reached = [&] {
        return solver.gates.and_(is_created_[point.thread], solver.literal(point.guard));
      };
      if (!point.assertion) {
        if (!known.some_run_completes)
          ends_.push_back(is_reached());
      } else if (!known.assertions.contains(*point.assertion)) {
        assertions_[*point.assertion].push_back(is_reached());
      }
    }
  }

  void run() {
    for (;;) {
      std::vector<Literal> open = ends_;
      for (const auto& [name, literals] : threads_)
        open.insert(open.end(), literals.begin(), literals.end());
      for (const auto& [loc, literals] : assertions_)
        open.insert(open.end(), literals.begin(), literals.end());
      const Literal goal = solver_.gates.or_(open);
      const Answer answer =
          solver_.gates.is_false(goal) ? Answer::kUnsatisfiable : solver_.ask(goal);
      if (answer == Answer::kUnsatisfiable)
        return;
      const auto is_met = [&](const std::vector<Literal>& literals) {
        for (const Literal one : literals)
          if (answer == Answer::kUnknown || solver_.value(one))
            return true;
        return false;
      };
      if (is_met(ends_)) {
        known_.some_run_completes = true;
        ends_.clear();
      }
      std::erase_if(threads_, [&](const auto& one) {
        return is_met(one.second) && known_.threads.insert(one.first).second;
      });
      std::erase_if(assertions_, [&](const auto& one) {
        return is_met(one.second) && known_.assertions.insert(one.first).second;
      });
    }
  }

private:
  /// Its creators come before it.
  void find_created() {
    for (const program::StaticThread& thread : set_.threads)
      is_created_.push_back(
          thread.created_at
              ? solver_.gates.and_(is_created_.at(thread.creator),
                                   solver_.literal(set_.events[*thread.created_at].guard))
              : solver_.gates.constant(true));
  }

  const program::EventSet& set_;
  const AskedSolver& solver_;
  verdict::Reached& known_;
  std::vector<Literal> is_created_; // by thread
  std::map<std::string, std::vector<Literal>> threads_;
  std::map<SourceLoc, std::vector<Literal>> assertions_;
  std::vector<Literal> ends_;
};

} // namespace

void note_reached(const program::EventSet& set,
                  const AskedSolver& solver,
                  verdict::Reached& known) {
  Asking(set, solver, known).run();
}

} // namespace heddle::engine::axiomatic
