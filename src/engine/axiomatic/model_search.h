// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The executions of a program under an axiomatic model, as a solver finds them: each is judged by
// the axioms themselves before anyone sees it.
#pragma once

#include "encode/relations/execution_formula.h"
#include "encode/relations/model_formula.h"
#include "memory/evaluator.h"
#include "memory/judge.h"
#include "memory/model.h"
#include "program/events/event_set.h"
#include "solve/sat.h"
#include "support/budget.h"
#include "support/result.h"
#include "verdict/reached.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::engine::axiomatic {

/// The plan of the model, or one that is made now.
[[nodiscard]] std::shared_ptr<const memory::EvaluationPlan> plan_of(const memory::Model& model);

/// The events as the model wants to see them.
[[nodiscard]] Result<program::EventSet> events_of(const memory::Core& core,
                                                  const program::Program& program,
                                                  const Budget& budget,
                                                  bool keeps_waits = false,
                                                  bool keeps_frees = false);
[[nodiscard]] verdict::Unknown unsupported(std::string why);
/// What ran out, if anything did.
[[nodiscard]] verdict::Unknown stopped(const Budget& budget);

/// From now on the events of a thread end where an assumption or an assertion fails, at a bound and
/// at what is unsupported, so that the executions of the set are prefixes of runs. kAnywhere: also
/// before any access, as where another thread's failing assertion ends the run. kBeforeThreads:
/// also before a wait for the thread's own start or another one's end, which then happens only
/// where it is over.
enum class Stops : std::uint8_t { kWhereTheyMust, kBeforeThreads, kAnywhere };
void stop_threads(program::EventSet& set, Stops stops);

/// From now on a thread has events only where it is created. For executions that are no prefixes:
/// in those a thread that was created may not have begun, either.
void start_where_created(program::EventSet& set);

/// The thread of the event would make an access to where nothing is, or across pieces of it.
struct InvalidAccess {
  program::EventIndex event = 0;
  program::Term is_met; // Bool
};
/// From now on threads end before such accesses, too.
[[nodiscard]] std::vector<InvalidAccess> stop_at_invalid_accesses(program::EventSet& set);

class ModelSearch {
public:
  /// The model and the budget outlive it.
  ModelSearch(const memory::Model& model,
              program::EventSet set,
              const Budget& budget,
              memory::Accesses accesses = memory::Accesses::kAnywhere,
              memory::Narrowed narrowed = memory::Narrowed::kByPlace);

  /// Candidate executions; fails if memory cannot be followed.
  [[nodiscard]] Status encode() { return executions_.encode(); }

  /// What is behind a bound or something unsupported is in no execution. Whether anything is, is
  /// asked without the axioms where executions that are cut short need not satisfy them.
  struct Obstacles {
    std::optional<std::string> trap = {}; // then nothing else is known
    std::set<std::string> cuts = {};
    std::set<SourceLoc> cut_at = {};
    bool is_known = true; // false if the budget ran out
  };
  [[nodiscard]] Obstacles find_traps();
  void find_cuts(Obstacles& obstacles);
  [[nodiscard]] Obstacles find_obstacles();

  /// Is there a candidate with that, whatever the axioms would say of it (once they are required,
  /// one that the formula takes for allowed)?
  [[nodiscard]] solve::Answer ask(logic::Literal goal);
  [[nodiscard]] solve::Answer ask(logic::Literal goal, std::uint64_t conflicts);
  /// Adds what such an execution comes to.
  void note_reached(verdict::Reached& known);

  /// From now on only executions that the model allows, as far as the formula can tell.
  void require_axioms();

  struct Found {
    execution::Execution execution;
    std::vector<std::string> flags;
  };
  /// An execution that the model allows and for which the goal holds. `kUnknown`: the budget is
  /// used up, or the model makes no sense on an execution (`error`). `is_wanted` may refuse one
  /// because the formula is wrong about the goal, which is an error of ours if the goal was exact.
  [[nodiscard]] solve::Answer find(logic::Literal goal,
                                   bool is_goal_exact,
                                   const std::function<bool(const Found&)>& is_wanted,
                                   Found& found);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// After an execution was found: no such one again where the literal holds. Only if it was said
  /// before that this would be asked.
  void will_exclude() { will_exclude_ = true; }
  void exclude_where(logic::Literal literal);

  /// In the execution that was found.
  [[nodiscard]] std::uint64_t value(program::Term term) const {
    return executions_.value(term, values());
  }
  [[nodiscard]] bool holds(program::Term condition) const { return value(condition) != 0; }
  [[nodiscard]] bool holds(logic::Literal literal) const { return values()(literal); }

  [[nodiscard]] program::EventSet& set() { return set_; }
  [[nodiscard]] const program::EventSet& set() const { return set_; }
  [[nodiscard]] logic::Gates& gates() { return gates_; }
  [[nodiscard]] encode::ExecutionFormula& executions() { return executions_; }
  [[nodiscard]] encode::ModelFormula& formula() { return formula_; }
  [[nodiscard]] logic::LiteralValues values() const {
    return [this](logic::Literal literal) { return sat_->value(literal); };
  }
  /// The condition of a kAssume or kCheck holds, or its thread does not come there.
  [[nodiscard]] logic::Literal holds_where_reached(program::EventIndex event);
  void count(verdict::Statistics& statistics) const;

private:
  struct Obstacle {
    logic::Literal is_met;
    std::string text;
    std::optional<SourceLoc> loc; // of a loop that is cut
  };
  [[nodiscard]] solve::Answer ask_for_any(const std::vector<Obstacle>& obstacles);
  [[nodiscard]] logic::Literal is_reached(program::EventIndex event);
  solve::Answer solve(logic::Literal assumption);

  const memory::Core& core_;
  std::shared_ptr<const memory::EvaluationPlan> plan_;
  memory::Judge judge_;
  program::EventSet set_;
  solve::OrderTheory theory_;
  std::unique_ptr<solve::Sat> sat_;
  logic::Gates gates_;
  encode::ExecutionFormula executions_;
  encode::ModelFormula formula_;
  solve::Limits limits_;
  std::vector<logic::Literal> choices_;
  bool will_exclude_ = false;
  std::optional<Error> error_;
  std::uint64_t judged_ = 0;
  std::uint64_t excluded_ = 0;
};

} // namespace heddle::engine::axiomatic
