// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// For versions of CaDiCaL whose ExternalPropagator is told assignments in batches (CMake looks for
// it): translates its literal-by-literal calls into those of solve/propagator.h.
#include "solve/cadical_host.h"

#include <cadical.hpp>
#include <cstdlib>
#include <deque>
#include <span>
#include <vector>

namespace heddle::solve {
namespace {

using logic::Literal;
using logic::Variable;

Literal from_dimacs(int number) {
  return Literal::from(Variable{static_cast<std::size_t>(std::abs(number)) - 1}, number < 0);
}

/// CaDiCaL may fix a literal while it is on a higher level. The theory forgets it with the level on
/// which it heard of it, so it is told again after a backtrack below that level.
class Host final : public CadicalHost, public CaDiCaL::ExternalPropagator {
public:
  Host(CaDiCaL::Solver& solver, Propagator& propagator) : solver_(solver), theory_(propagator) {
    solver_.connect_external_propagator(this);
  }
  ~Host() override { solver_.disconnect_external_propagator(); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  void observe() override {
    const auto observed = theory_.observed();
    for (; observed_ < observed.size(); ++observed_)
      solver_.add_observed_var(Literal::from(observed[observed_], false).to_dimacs());
  }

  void notify_assignment(const std::vector<int>& literals) override {
    for (const int number : literals)
      assign(from_dimacs(number));
  }
  void notify_new_decision_level() override {
    ++level_;
    theory_.on_new_level();
  }
  void notify_backtrack(std::size_t level) override {
    level_ = level;
    theory_.on_backtrack(level);
    for (FixedLate& fixed : fixed_late_) {
      if (fixed.heard_on <= level)
        continue;
      fixed.heard_on = level;
      theory_.on_assign(std::span(&fixed.literal, 1));
    }
    std::erase_if(fixed_late_, [](const FixedLate& fixed) { return fixed.heard_on == 0; });
  }

  int cb_propagate() override {
    const Consequence found = theory_.propagate();
    if (found.kind == Consequence::Kind::kImplied)
      return found.implied.to_dimacs();
    if (found.kind == Consequence::Kind::kConflict)
      clauses_.push_back(found.conflict->clause);
    return 0;
  }
  int cb_add_reason_clause_lit(int implied) override {
    if (!in_reason_) {
      reason_ = theory_.reason(from_dimacs(implied)).clause;
      in_reason_ = true;
    }
    return next(reason_, in_reason_);
  }

  bool cb_check_found_model(const std::vector<int>& /*model*/) override {
    for (Lemma& lemma : theory_.check())
      clauses_.push_back(std::move(lemma.clause));
    return clauses_.empty();
  }
  bool cb_has_external_clause(bool& is_forgettable) override {
    is_forgettable = false;
    return !clauses_.empty();
  }
  int cb_add_external_clause_lit() override {
    bool more = true;
    const int number = next(clauses_.front(), more);
    if (!more)
      clauses_.pop_front();
    return number;
  }
  int cb_decide() override {
    const Literal wish = theory_.decide();
    return wish.is_valid() ? wish.to_dimacs() : 0;
  }

private:
  struct FixedLate {
    Literal literal;
    std::size_t heard_on;
  };

  void assign(Literal literal) {
    if (level_ > 0 && solver_.fixed(literal.to_dimacs()) > 0)
      fixed_late_.push_back({literal, level_});
    theory_.on_assign(std::span(&literal, 1));
  }
  /// Hands out the last literal, or 0 and `more` false when none is left.
  static int next(std::vector<Literal>& clause, bool& more) {
    if (clause.empty()) {
      more = false;
      return 0;
    }
    const int number = clause.back().to_dimacs();
    clause.pop_back();
    return number;
  }

  CaDiCaL::Solver& solver_;
  Propagator& theory_;
  std::size_t observed_ = 0;
  std::size_t level_ = 0;
  std::vector<FixedLate> fixed_late_;
  std::vector<Literal> reason_;
  bool in_reason_ = false;
  std::deque<std::vector<Literal>> clauses_;
};

} // namespace

std::unique_ptr<CadicalHost> make_cadical_host(CaDiCaL::Solver& solver, Propagator& propagator) {
  return std::make_unique<Host>(solver, propagator);
}

} // namespace heddle::solve
