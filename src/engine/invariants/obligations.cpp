// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/invariants/obligations.h"

#include "encode/step/step_formula.h"
#include "program/analyse/liveness.h"
#include "program/model/proof_marks.h"
#include "solve/core/make_core.h"
#include "solve/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace heddle::engine::invariants {

using logic::Op;
using program::CellId;
using program::LocalId;
using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Program;

namespace {

/// A place where the thread stands when others may step, and its steps from there.
struct Cut {
  LocationId location;
  StepResult steps;
  std::vector<Term> facts;
};

class Discharge {
public:
  Discharge(const Program& program,
            ProcedureId client,
            ProcedureId invariant,
            const FactHints& hints,
            const Budget& budget)
      : program_(program), procedure_(program.procedures[client]), client_(client),
        invariant_(invariant), hints_(hints), budget_(budget), formula_(program),
        terms_(formula_.terms()) {}

  Result<ObligationReport> run() {
    cells_ = formula_.any_cells();
    locals_ = formula_.any_locals(procedure_);
    other_locals_ = formula_.any_locals(procedure_);
    self_ = formula_.fresh(64);
    other_self_ = formula_.fresh(64);
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (cells_[i].is_valid() && !terms_.is_constant(cells_[i]))
        cell_of_.emplace(terms_.node(cells_[i]).value, i);
    for (std::size_t i = 0; i < locals_.size(); ++i)
      local_of_.emplace(terms_.node(locals_[i]).value, i);
    for (const Term self : {self_, other_self_})
      required_.push_back(terms_.binary(Op::kULt, self, terms_.constant(kThreadsOfProof, 64)));
    required_.push_back(terms_.not_(terms_.equal(self_, other_self_)));
    const Result<Term> holds = invariant_of(cells_);
    if (!holds)
      return holds.error();
    required_.push_back(*holds);
    invariant_holds_ = *holds;
    turn_to(0);
    if (const Status started = check_start(); !started)
      return started.error();
    if (const Status found = find_cuts(); !found)
      return found.error();
    propose_facts();
    drop_facts();
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      report_.facts += cuts_[i].facts.size();
      report_.steps += cuts_[i].steps.ends.size();
      turn_to(i);
      check_failures(cuts_[i]);
    }
    report_.places = cuts_.size();
    return std::move(report_);
  }

private:
  // Questions.

  /// A solver for the steps from one place: a model gives values to all it has ever been asked.
  void turn_to(std::size_t place) {
    std::unique_ptr<solve::TermSolver>& of_place = solvers_[place];
    if (of_place == nullptr) {
      of_place = std::make_unique<solve::TermSolver>(terms_, solve::make_core());
      for (const Term condition : required_)
        of_place->require(condition);
    }
    solver_ = of_place.get();
  }
  [[nodiscard]] solve::Answer ask(std::span<const Term> conditions) {
    if (std::ranges::find(conditions, terms_.boolean(false)) == conditions.end())
      ++report_.queries; // others are none to the solver
    return solver_->check(conditions, solve::Limits{&budget_});
  }

  // The invariant.

  [[nodiscard]] Error refuse_invariant(const std::string& why) const {
    const Procedure& invariant = program_.procedures[invariant_];
    return program::refuse_in_proof(
        program_, invariant.loc, "OBL-004", fmt::format("'{}' {}", invariant.name, why));
  }
  [[nodiscard]] Result<Term> invariant_of(const std::vector<Term>& cells) {
    const Procedure& invariant = program_.procedures[invariant_];
    StepState start{terms_.boolean(true), formula_.zero_locals(invariant), cells};
    Result<StepResult> walked = formula_.run(invariant_,
                                             invariant.entry,
                                             std::move(start),
                                             terms_.constant(0, 64),
                                             StepFormula::Stop::kReturn);
    if (!walked)
      return walked.error();
    if (walked->has_choice)
      return refuse_invariant("depends on more than memory");
    Term holds = terms_.boolean(false);
    for (const StepEnd& end : walked->ends) {
      if (end.state.cells != cells)
        return refuse_invariant("changes memory");
      if (!end.returned)
        continue;
      const Term is_zero =
          terms_.equal(*end.returned, terms_.constant(0, terms_.sort(*end.returned).width));
      holds = terms_.or_(holds, terms_.and_(end.state.guard, terms_.not_(is_zero)));
    }
    // Where it is not defined it does not hold.
    for (const StepFailure& failure : walked->failures)
      holds = terms_.and_(holds, terms_.not_(failure.when));
    return holds;
  }

  Status check_start() {
    const ProcedureId main = program_.templates.front().entry;
    const Procedure& procedure = program_.procedures[main];
    StepState start{
        terms_.boolean(true), formula_.zero_locals(procedure), formula_.initial_cells()};
    const Result<StepResult> walked = formula_.run(main,
                                                   procedure.entry,
                                                   std::move(start),
                                                   terms_.constant(0, 64),
                                                   StepFormula::Stop::kCreate);
    if (!walked)
      return walked.error();
    HEDDLE_CHECK(walked->ends.size() == 1, "threads are created at one place");
    start_ = walked->ends.front().state;
    // A start without any failure is an obligation, too.
    if (walked->failures.empty())
      report_.obligations.push_back(
          {"the invariant holds at the start", procedure.loc, Obligation::Outcome::kProved});
    for (const StepFailure& failure : walked->failures)
      check_failure(failure, {}, nullptr);
    return Done{};
  }

  // Places and steps.

  Status find_cuts() {
    add_cut(procedure_.entry);
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      StepState start{terms_.boolean(true), locals_, cells_};
      Result<StepResult> walked = formula_.run(
          client_, cuts_[i].location, std::move(start), self_, StepFormula::Stop::kStep);
      if (!walked)
        return walked.error();
      for (const StepEnd& end : walked->ends) {
        if (end.at.is_valid())
          add_cut(end.at);
        if (end.state.cells == cells_)
          continue;
        // The sections assert it; that is not left to whoever made them.
        const Result<Term> holds = invariant_of(end.state.cells);
        if (!holds)
          return holds.error();
        const Term is_broken = terms_.and_(end.state.guard, terms_.not_(*holds));
        if (!terms_.is_constant(is_broken) || terms_.node(is_broken).value != 0)
          walked->failures.push_back({is_broken,
                                      "the invariant holds after this step",
                                      walked->loc.value_or(SourceLoc{}),
                                      true});
      }
      cuts_[i].steps = std::move(*walked);
    }
    return Done{};
  }
  void add_cut(LocationId location) {
    if (by_location_.emplace(location, cuts_.size()).second)
      cuts_.push_back({location, {}, {}});
  }

  // What holds at places.

  /// The conditions that it is made of, itself included.
  [[nodiscard]] std::vector<Term> parts_of(Term condition) const {
    std::vector<Term> parts;
    std::set<Term> seen{condition};
    std::vector<Term> open{condition};
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (terms_.sort(term).is_bool())
        parts.push_back(term);
      for (const Term operand : terms_.arguments(term))
        if (seen.insert(operand).second)
          open.push_back(operand);
    }
    return parts;
  }

  void propose_facts() {
    FactSymbols symbols{cells_, locals_, self_, parts_of(invariant_holds_)};
    FactProposals proposals(program_, procedure_, formula_, std::move(symbols), hints_);
    std::vector<Term> stated;
    for (const Cut& cut : cuts_)
      for (const StepFailure& failure : cut.steps.failures)
        if (failure.is_stated)
          stated.push_back(failure.when);
    for (Cut& cut : cuts_)
      cut.facts = proposals.at(cut.location, cut.steps.failures, stated);
    // Threads stand at the first place from the start, whenever they are created; their locals are
    // what they are.
    (void)keep(
        0, {start_.guard}, [&](Term fact) { return replaced(fact, start_.cells, locals_, self_); });
  }
  void drop_facts() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t from = 0; from < cuts_.size(); ++from)
        for (std::size_t e = 0; e < cuts_[from].steps.ends.size(); ++e) {
          const StepEnd& end = cuts_[from].steps.ends[e];
          if (end.at.is_valid()) {
            const std::size_t to = by_location_.at(end.at);
            is_changed =
                unless_answered({from, e, to, true}, [&] { return keep_own(from, end, to); }) ||
                is_changed;
          }
          if (end.state.cells == cells_)
            continue;
          for (std::size_t to = 0; to < cuts_.size(); ++to)
            is_changed =
                unless_answered({from, e, to, false}, [&] { return keep_others(from, end, to); }) ||
                is_changed;
        }
    }
  }
  struct Question {
    std::size_t from;
    std::size_t end;
    std::size_t to;
    bool is_own;
    auto operator<=>(const Question&) const = default;
  };
  /// The answer is the same as long as no fact of the two places is dropped.
  template <class Ask>
  bool unless_answered(const Question& question, const Ask& ask_it) {
    const auto facts = [&] {
      return std::pair{cuts_[question.from].facts.size(), cuts_[question.to].facts.size()};
    };
    const auto known = answered_.find(question);
    if (known != answered_.end() && known->second == facts())
      return false;
    turn_to(question.from);
    const bool is_changed = ask_it();
    // Where some were dropped, they were assumed until then.
    if (!is_changed)
      answered_.insert_or_assign(question, facts());
    return is_changed;
  }
  /// Those facts of the next place that the step does not make true are dropped.
  bool keep_own(std::size_t from, const StepEnd& end, std::size_t to) {
    return keep(to, assumptions_of(from, end), [&](Term fact) {
      return replaced(fact, end.state.cells, end.state.locals, self_);
    });
  }
  /// Those of a place of another thread that the step does not keep.
  bool keep_others(std::size_t from, const StepEnd& end, std::size_t to) {
    std::vector<Term> assumptions = assumptions_of(from, end);
    for (const Term fact : cuts_[to].facts)
      assumptions.push_back(replaced(fact, cells_, other_locals_, other_self_));
    return keep(to, std::move(assumptions), [&](Term fact) {
      return replaced(fact, end.state.cells, other_locals_, other_self_);
    });
  }
  [[nodiscard]] std::vector<Term> assumptions_of(std::size_t from, const StepEnd& end) const {
    std::vector<Term> assumptions = cuts_[from].facts;
    assumptions.push_back(end.state.guard);
    return assumptions;
  }
  template <class After>
  bool keep(std::size_t cut, std::vector<Term> assumptions, const After& after) {
    std::vector<Term>& facts = cuts_[cut].facts;
    bool is_changed = false;
    while (!facts.empty()) {
      std::vector<Term> later;
      Term is_lost = terms_.boolean(false);
      for (const Term fact : facts) {
        later.push_back(after(fact));
        is_lost = terms_.or_(is_lost, terms_.not_(later.back()));
      }
      std::vector<Term> question = assumptions;
      question.push_back(is_lost);
      const solve::Answer answer = ask(question);
      if (answer == solve::Answer::kUnsatisfiable)
        break;
      is_changed = true;
      if (answer == solve::Answer::kUnknown) {
        facts.clear();
        break;
      }
      std::vector<Term> kept;
      for (std::size_t i = 0; i < facts.size(); ++i)
        if (solver_->value(later[i]) != 0)
          kept.push_back(facts[i]);
      HEDDLE_CHECK(kept.size() < facts.size(), "a fact is lost in the model");
      facts = std::move(kept);
    }
    return is_changed;
  }
  /// A fact about other cells and locals.
  [[nodiscard]] Term
  replaced(Term fact, const std::vector<Term>& cells, const std::vector<Term>& locals, Term self) {
    return terms_.substitute(fact, [&](std::uint64_t number, logic::Sort) {
      if (number == terms_.node(self_).value)
        return self;
      if (const auto cell = cell_of_.find(number); cell != cell_of_.end())
        return cells[cell->second];
      if (const auto local = local_of_.find(number); local != local_of_.end())
        return locals[local->second];
      return Term{};
    });
  }

  // What is to be shown.

  void check_failures(const Cut& cut) {
    for (const StepFailure& failure : cut.steps.failures)
      check_failure(failure, cut.facts, &cut);
  }
  void check_failure(const StepFailure& failure, std::vector<Term> assumptions, const Cut* cut) {
    assumptions.push_back(failure.when);
    Obligation obligation{failure.what, failure.loc, Obligation::Outcome::kProved};
    const solve::Answer answer = ask(assumptions);
    if (answer == solve::Answer::kUnknown)
      obligation.outcome = Obligation::Outcome::kUndecided;
    if (answer == solve::Answer::kSatisfiable) {
      obligation.outcome = Obligation::Outcome::kFailed;
      if (cut != nullptr)
        describe(*cut, obligation);
    }
    if (failure.is_repeated && obligation.outcome == Obligation::Outcome::kProved)
      return;
    // One assertion may be met on several paths.
    const auto known = std::ranges::find_if(report_.obligations, [&](const Obligation& other) {
      return other.what == obligation.what && other.loc == obligation.loc;
    });
    if (known == report_.obligations.end())
      report_.obligations.push_back(std::move(obligation));
    else if (known->outcome == Obligation::Outcome::kProved)
      *known = std::move(obligation);
  }
  void describe(const Cut& cut, Obligation& obligation) const {
    const auto show = [](std::uint64_t number, unsigned width, bool is_signed) {
      return is_signed ? fmt::format("{}", logic::sign_extended(number, width))
                       : fmt::format("{}", number);
    };
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const program::Cell& cell = formula_.cells().cells()[CellId{i}];
      if (!cells_[i].is_valid() || program_.objects[cell.object].is_constant)
        continue;
      if (solver_->is_mentioned(cells_[i])) {
        const bool is_signed = program_.objects[cell.object].scalar_signed || cell.size == 4;
        obligation.memory.push_back(fmt::format(
            "{} = {}",
            formula_.name(CellId{i}),
            show(solver_->value(cells_[i]), static_cast<unsigned>(8 * cell.size), is_signed)));
      }
    }
    const auto live = program::live_locals(program_, procedure_);
    for (std::size_t i = 0; i < locals_.size(); ++i) {
      const program::Local& local = procedure_.locals[LocalId{i}];
      if (local.name.empty() || !live[cut.location.index()][i])
        continue;
      if (solver_->is_mentioned(locals_[i]))
        obligation.locals.push_back(
            fmt::format("{} = {}",
                        local.name,
                        show(solver_->value(locals_[i]), local.width, local.width == 32)));
    }
    if (solver_->is_mentioned(self_))
      obligation.locals.push_back(fmt::format("thread {}", solver_->value(self_)));
  }

  const Program& program_;
  const Procedure& procedure_;
  ProcedureId client_;
  ProcedureId invariant_;
  const FactHints& hints_;
  const Budget& budget_;
  StepFormula formula_;
  logic::TermStore& terms_;
  std::vector<Term> required_;
  Term invariant_holds_;
  std::map<std::size_t, std::unique_ptr<solve::TermSolver>> solvers_; // by place
  solve::TermSolver* solver_ = nullptr; // of the place that is looked at
  ObligationReport report_;
  std::vector<Term> cells_;
  StepState start_; // when the first thread is created
  std::vector<Term> locals_;
  std::vector<Term> other_locals_;
  Term self_;
  Term other_self_;
  std::map<std::uint64_t, std::size_t> cell_of_;  // by the number of the symbol
  std::map<std::uint64_t, std::size_t> local_of_; // of the thread that steps
  std::vector<Cut> cuts_;                         // the first is where threads start
  std::map<LocationId, std::size_t> by_location_;
  std::map<Question, std::pair<std::size_t, std::size_t>> answered_; // with so many facts
};

} // namespace

Result<ObligationReport> discharge(const Program& program,
                                   ProcedureId client,
                                   ProcedureId invariant,
                                   const FactHints& hints,
                                   const Budget& budget) {
  return Discharge(program, client, invariant, hints, budget).run();
}

} // namespace heddle::engine::invariants
