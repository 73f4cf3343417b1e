// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The state of our CDCL(T) solver and the names of its parts; each part is a file of this folder.
// The search follows CaDiCaL and Kissat (Biere, Fazekas, Fleury, Heisinger: SAT Competition 2020
// solver descriptions), the theory is hosted as in IPASIR-UP.
//
// Invariants between two calls of `solve`: decision level 0, the theory is on level 0, every clause
// is watched by two literals that are not false unless the clause is true on level 0 (units may
// still wait in the trail). The irredundant clauses, the theory and the extension stack together
// have the models of the formula; redundant clauses follow from irredundant ones and the theory.
#pragma once

#include "solve/core/clause.h"
#include "solve/core/heuristics.h"
#include "solve/core/make_core.h"
#include "solve/proof.h"
#include "support/rng.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace heddle::solve::core {

struct Place {
  std::uint32_t level = 0;
  std::uint32_t trail = 0;
  ClauseRef reason = kNoClause;
};

/// A decision level: where it begins, and what the current conflict has seen of it.
struct Level {
  std::uint32_t trail = 0;
  std::uint32_t seen = 0;
  std::uint32_t seen_trail = 0xffffffffU;
};

struct Marks {
  bool seen : 1 = false;
  bool poison : 1 = false;
  bool removable : 1 = false;
  bool shrinkable : 1 = false;
};

enum class VariableState : std::uint8_t { kActive, kEliminated };

class Solver final : public Sat {
public:
  explicit Solver(const CoreOptions& options);

  Variable new_variable() override;
  void add_clause(std::span<const Literal> clause) override;
  void prefer(Literal literal) override;
  void freeze(Variable variable) override;
  Answer solve(std::span<const Literal> assumptions, const Limits& limits) override;
  bool value(Literal literal) const override;
  std::span<const Literal> failed() const override { return failed_; }
  void interrupt() override { interrupted_ = true; }
  bool connect(Propagator& propagator) override;
  std::size_t variable_count() const override { return places_.size(); }
  Statistics statistics() const override;

private:
  // --- values and clauses -------------------------------------------------------------------
  [[nodiscard]] signed char val(Literal literal) const { return values_[literal.index()]; }
  [[nodiscard]] Place& place(Literal literal) { return places_[literal.variable().index()]; }
  [[nodiscard]] Marks& marks(Literal literal) { return marks_[literal.variable().index()]; }
  [[nodiscard]] std::uint32_t level() const {
    return static_cast<std::uint32_t>(levels_.size() - 1);
  }
  [[nodiscard]] bool is_active(Variable variable) const {
    return states_[variable.index()] == VariableState::kActive;
  }
  [[nodiscard]] bool is_frozen(Variable variable) const { return frozen_[variable.index()] != 0; }
  [[nodiscard]] bool is_fixed(Literal literal) {
    return val(literal) != 0 && place(literal).level == 0;
  }
  [[nodiscard]] std::vector<Watch>& watches(Literal literal) { return watches_[literal.index()]; }
  void watch(ClauseRef ref);
  ClauseRef new_clause(std::span<const Literal> literals, bool redundant, std::uint32_t glue);
  /// Takes a clause out; its watches go with the next collection.
  void mark_garbage(ClauseRef ref);
  /// The same for a clause that went to the extension stack: the proof keeps it.
  void retire(ClauseRef ref);
  /// Removes literals false on level 0 and duplicates. False: the clause is true and not needed.
  bool simplify_clause(std::vector<Literal>& literals);
  /// On level 0: adds a clause of any size.
  void add_simplified(std::vector<Literal> literals, bool redundant, std::uint32_t glue);
  /// On level 0: `ref` becomes the clause of these literals, a subset of its own.
  void replace_clause(ClauseRef ref, std::span<const Literal> literals);
  void add_unit(Literal literal);
  void become_unsatisfiable();

  // --- propagation (propagate.cpp) -----------------------------------------------------------
  void assign(Literal literal, ClauseRef reason);
  void decide_literal(Literal literal);
  void backtrack(std::uint32_t new_level);
  /// Clauses only. The conflict, or kNoClause; `ignored` is looked over.
  ClauseRef propagate(ClauseRef ignored = kNoClause);

  // --- theory (theory.cpp) ------------------------------------------------------------------
  /// Clauses and theory until nothing follows any more. The conflict, or kNoClause; after a
  /// conflict on level 0, `unsatisfiable_` is set instead.
  ClauseRef propagate_with_theory();
  void observe_new_variables();
  void tell_theory();
  ClauseRef theory_conflict(const Lemma& lemma);
  /// The reason of an assignment as a clause, made by the theory if need be.
  ClauseRef reason_of(Variable variable);
  ClauseRef explain(Literal literal);
  /// The final check. True: the theory accepts the assignment.
  bool theory_accepts();
  void add_lemma(const Lemma& lemma);

  // --- conflicts (analyze.cpp) --------------------------------------------------------------
  void analyze(ClauseRef conflict);
  void analyze_clause(ClauseRef ref, Literal except);
  void analyze_literal(Literal literal);
  void bump_clause(ClauseRef ref);
  void bump_reason_sides();
  void bump_variables();
  void minimise();
  Literal shrink_block(std::size_t begin, std::size_t end);
  bool is_implied(Literal literal, int depth);
  void clear_analysis();
  void subsume_recent(ClauseRef learnt);
  void analyze_failed(Literal falsified);

  // --- search (search.cpp, decide.cpp) -------------------------------------------------------
  Answer search();
  /// Time, memory, conflicts or an interrupt say stop.
  bool must_stop();
  bool stop_now();
  [[nodiscard]] std::uint64_t memory_bytes() const;
  [[nodiscard]] bool restart_due();
  void restart();
  [[nodiscard]] bool switch_due() const;
  void switch_mode();
  [[nodiscard]] Literal next_decision();
  [[nodiscard]] Literal with_phase(std::uint32_t variable) const;
  void save_best_phases();
  void rephase();
  void store_model();

  // --- keeping few clauses (reduce.cpp) ------------------------------------------------------
  void reduce();
  void remove_satisfied();
  void collect();

  // --- inprocessing -------------------------------------------------------------------------
  void inprocess();
  /// Search effort is counted in ticks; techniques may use a fraction of it.
  [[nodiscard]] std::uint64_t
  effort(double fraction, std::uint64_t least, std::uint64_t used) const;
  bool propagate_root();
  void disconnect();
  void reconnect();
  void probe();
  void vivify();
  /// Which clauses to vivify: learnt ones of a range of glue, or the others.
  struct VivifyKind {
    bool redundant;
    std::uint32_t low_glue;
    std::uint32_t high_glue;
    double share; // of the search effort
    std::size_t index;
  };
  void vivify_clauses(const VivifyKind& kind);
  void vivify_clause(ClauseRef ref, std::span<const Literal> sorted);
  std::vector<Literal> vivify_analyze(ClauseRef conflict, Literal implied);
  void subsume();
  void substitute();
  void eliminate();
  void walk();
  friend class Elimination;
  friend class Subsumption;
  friend class Substitution;
  friend class Walk;

  // --- eliminated variables (extend.cpp) -----------------------------------------------------
  /// Begins the elimination of a variable: the clauses pushed until the next one are its own.
  void begin_elimination(Variable variable);
  void push_eliminated(Literal pivot, std::span<const Literal> clause);
  void restore(Variable variable);
  void compact_extension();
  void extend_model();

  CoreOptions options_;
  ProofSink* proof_;
  Propagator* theory_ = nullptr;

  std::vector<signed char> values_;         // by literal: 1, -1, 0
  std::vector<std::vector<Watch>> watches_; // by literal: clauses in which it is watched
  std::vector<Place> places_;               // by variable
  std::vector<Marks> marks_;
  std::vector<VariableState> states_;
  std::vector<std::uint32_t> frozen_; // how many reasons there are not to eliminate it
  std::vector<signed char> initial_phase_;
  std::vector<signed char> saved_phase_;
  std::vector<signed char> target_phase_;
  std::vector<signed char> best_phase_;
  std::vector<unsigned char> touched_; // by variable: lost a clause since it was last tried

  Arena arena_;
  std::vector<ClauseRef> clauses_;
  std::size_t irredundant_ = 0;
  std::size_t redundant_ = 0;

  std::vector<Literal> trail_;
  std::vector<Level> levels_;
  std::size_t propagated_ = 0;
  std::size_t fixed_when_cleaned_ = 0;
  bool unsatisfiable_ = false;
  bool searching_ = false; // not inprocessing: assignments are remembered as phases

  ScoreHeap scores_;
  RecencyQueue queue_;

  std::vector<unsigned char> observed_; // by variable
  std::size_t observed_count_ = 0;
  std::size_t told_ = 0; // trail entries the theory knows
  std::uint32_t theory_level_ = 0;
  std::vector<Literal> batch_;
  std::vector<Literal> told_late_; // fixed before they were observed

  // The current conflict.
  std::vector<Literal> learnt_;
  std::vector<Literal> analyzed_;
  std::vector<Literal> minimised_;
  std::vector<Literal> shrinkable_;
  std::vector<std::uint32_t> seen_levels_;
  std::vector<std::uint64_t> glue_stamps_; // by level
  std::uint64_t glue_stamp_ = 0;
  std::uint32_t open_ = 0;
  std::vector<ClauseRef> recent_;

  std::vector<Literal> assumptions_;
  std::vector<Literal> failed_;
  std::vector<bool> model_;
  Limits limits_;
  std::atomic<bool> interrupted_ = false;
  bool stopped_ = false;
  std::uint64_t next_look_ticks_ = 0;

  // The schedule, in conflicts.
  bool stable_ = false;
  std::uint64_t next_restart_ = 0;
  std::uint64_t next_reduce_ = 0;
  std::uint64_t next_rephase_ = 0;
  std::uint64_t next_probe_ = 0;
  std::uint64_t next_eliminate_ = 0;
  std::uint64_t next_mode_conflicts_ = 0;
  std::uint64_t next_mode_ticks_ = 0;
  std::uint64_t mode_start_ticks_ = 0;
  std::uint64_t mode_ticks_ = 0;
  std::uint64_t modes_ = 0;
  std::uint64_t reductions_ = 0;
  std::uint32_t kept_glue_ = 6; // the worst learnt clause that the last reduction kept
  std::uint32_t kept_size_ = 30;
  std::uint64_t rephases_ = 0;
  std::uint64_t probings_ = 0;
  std::uint64_t eliminations_ = 0;
  std::uint32_t elimination_bound_ = 0;
  std::size_t target_assigned_ = 0;
  std::size_t best_assigned_ = 0;
  std::size_t unconflicted_ = 0; // trail without a conflict, for target and best phases
  std::array<Average, 2> glue_fast_;
  std::array<Average, 2> glue_slow_;
  Average decision_rate_;
  std::uint64_t decisions_at_conflict_ = 0;
  Reluctant reluctant_;
  Rng rng_{1};

  std::uint64_t ticks_ = 0;        // cache lines touched by propagation in search
  std::uint64_t search_ticks_ = 0; // without inprocessing
  std::uint64_t walk_used_ = 0;
  std::uint64_t probe_used_ = 0;
  std::array<std::uint64_t, 4> vivify_used_{}; // by kind of clause
  std::uint64_t subsume_used_ = 0;
  std::uint64_t eliminate_used_ = 0;
  std::uint32_t next_probe_variable_ = 0;
  Statistics counts_;

  struct Eliminated {
    Literal pivot; // no literal: restored
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  struct EliminatedRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<Eliminated> extension_;
  std::vector<Literal> extension_literals_;
  std::size_t restored_entries_ = 0;
  std::vector<EliminatedRange> eliminated_at_; // by variable
};

} // namespace heddle::solve::core
