// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The core hosting a theory that is as unhelpful as the interface allows: it hides clauses, and
// tells of conflicts and consequences late, in any order, or only at the end and several at once.
#include "random_formula.h"
#include "solve/cadical.h"
#include "solve/core/make_core.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle::solve::test {
namespace {

class LateTheory final : public Propagator {
public:
  LateTheory(Clauses hidden, std::size_t variables, std::uint64_t seed)
      : hidden_(std::move(hidden)), value_(2 * variables), rng_(seed) {
    std::vector<bool> used(variables);
    for (const auto& clause : hidden_)
      for (const Literal literal : clause)
        used[literal.variable().index()] = true;
    for (std::size_t i = 0; i < variables; ++i)
      if (used[i])
        observed_.emplace_back(i);
  }

  std::span<const Variable> observed() const override { return observed_; }
  void on_assign(std::span<const Literal> literals) override {
    for (const Literal literal : literals) {
      EXPECT_FALSE(is_true(literal) || is_true(~literal));
      value_[literal.index()] = true;
      trail_.push_back(literal);
    }
  }
  void on_new_level() override { levels_.push_back(trail_.size()); }
  void on_backtrack(std::size_t level) override {
    ASSERT_LT(level, levels_.size());
    while (trail_.size() > levels_[level]) {
      value_[trail_.back().index()] = false;
      trail_.pop_back();
    }
    levels_.resize(level);
  }

  Consequence propagate() override {
    if (rng_.chance(2, 3))
      return {};
    const std::size_t start = rng_.below(hidden_.size());
    for (std::size_t i = 0; i < hidden_.size(); ++i) {
      const auto& clause = hidden_[(start + i) % hidden_.size()];
      Literal open;
      bool usable = true;
      for (const Literal literal : clause) {
        if (is_true(~literal) || literal == open)
          continue;
        usable = usable && !is_true(literal) && !open.is_valid();
        open = literal;
      }
      if (!usable)
        continue;
      if (!open.is_valid()) {
        lemma_.clause = clause;
        return {.kind = Consequence::Kind::kConflict, .implied = {}, .conflict = &lemma_};
      }
      reasons_[open] = clause;
      return {.kind = Consequence::Kind::kImplied, .implied = open};
    }
    return {};
  }
  const Lemma& reason(Literal literal) override {
    lemma_.clause = reasons_.at(literal);
    return lemma_;
  }
  std::vector<Lemma> check() override {
    std::vector<Lemma> broken;
    for (const auto& clause : hidden_)
      if (std::ranges::all_of(clause, [&](Literal literal) { return is_true(~literal); }) &&
          broken.size() < 3)
        broken.push_back({.clause = clause, .certificate = {}});
    return broken;
  }
  Literal decide() override {
    if (observed_.empty() || rng_.chance(9, 10))
      return {};
    return Literal::from(observed_[rng_.below(observed_.size())], rng_.chance(1, 2));
  }

private:
  [[nodiscard]] bool is_true(Literal literal) const { return value_[literal.index()]; }

  Clauses hidden_;
  std::vector<Variable> observed_;
  std::vector<bool> value_;
  Rng rng_;
  std::vector<Literal> trail_;
  std::vector<std::size_t> levels_;
  std::map<Literal, std::vector<Literal>> reasons_;
  Lemma lemma_;
};

TEST(Hosting, ALateTheoryIsPartOfTheFormula) {
  for (std::uint64_t seed = 1; seed <= 3000 && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    const std::size_t variables = 5 + rng.below(25);
    // The theory sees some variables only, so that others can be eliminated.
    const std::size_t seen = 3 + rng.below(variables - 3);
    const Clauses hidden = random_clauses(rng, seen, 1 + rng.below(2 * seen));
    Clauses clauses = random_clauses(rng, variables, variables * (150 + rng.below(150)) / 100);
    CoreOptions options;
    options.reduce_interval = 1 + rng.below(10);
    options.mode_interval = 1 + rng.below(10);
    options.probe_interval = rng.below(6);
    options.eliminate_interval = rng.below(6);
    LateTheory theory(hidden, variables, seed);
    const auto core = make_core(options);
    add_variables(*core, variables);
    add_all(*core, clauses);
    ASSERT_TRUE(core->connect(theory));
    clauses.insert(clauses.end(), hidden.begin(), hidden.end());
    for (int round = 0; round < 3; ++round) {
      std::vector<Literal> assumptions;
      for (std::size_t count = rng.below(4); count > 0; --count)
        assumptions.push_back(random_literal(rng, variables));
      const auto reference = make_cadical();
      add_variables(*reference, variables);
      add_all(*reference, clauses);
      const Answer answer = core->solve(assumptions);
      ASSERT_EQ(answer, reference->solve(assumptions));
      if (answer == Answer::kSatisfiable) {
        ASSERT_TRUE(satisfies(*core, clauses));
        ASSERT_TRUE(satisfies(*core, assumptions));
      } else {
        const std::vector<Literal> failed(core->failed().begin(), core->failed().end());
        ASSERT_EQ(reference->solve(failed), Answer::kUnsatisfiable);
      }
      const Clauses more = random_clauses(rng, variables, variables / 4);
      add_all(*core, more);
      clauses.insert(clauses.end(), more.begin(), more.end());
    }
  }
}

} // namespace
} // namespace heddle::solve::test
