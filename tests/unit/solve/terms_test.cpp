// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Questions about terms against trying all values of the variables, and all contents of arrays.
#include "solve/cadical.h"
#include "solve/core/make_core.h"
#include "solve/terms.h"
#include "support/rng.h"
#include "unit/logic/random_arrays.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <string>

namespace heddle::solve::test {
namespace {

using logic::Array;
using logic::Op;
using logic::Sort;
using logic::TermStore;
using logic::test::ConcreteState;
using logic::test::RandomArrays;

struct Maker {
  const char* name;
  std::function<std::unique_ptr<Sat>()> make;
};

const std::array kSolvers = {Maker{"core", [] { return make_core(); }},
                             Maker{"cadical", [] { return make_cadical(); }}};

std::string name_of(const testing::TestParamInfo<Maker>& info) {
  return info.param.name;
}

/// Conditions over two vectors of three bits and two Bools.
class RandomTerms {
public:
  static constexpr unsigned kVectorWidth = 3;
  static constexpr std::uint64_t kAssignments = 1U << (2 * kVectorWidth + 2);

  explicit RandomTerms(Rng& rng, unsigned width = kVectorWidth) : rng_(rng), width_(width) {}

  Term condition(unsigned depth) {
    if (depth == 0 || rng_.chance(1, 12))
      return terms.variable(2 + rng_.below(2), Sort{});
    switch (rng_.below(7)) {
    case 0:
      return terms.not_(condition(depth - 1));
    case 1: {
      const Term a = condition(depth - 1);
      return terms.and_(a, condition(depth - 1));
    }
    case 2: {
      const Term a = condition(depth - 1);
      return terms.or_(a, condition(depth - 1));
    }
    default: {
      constexpr std::array kComparisons = {Op::kEqual, Op::kULt, Op::kULe, Op::kSLt, Op::kSLe};
      const Term a = vector(depth - 1);
      return terms.binary(kComparisons[rng_.below(kComparisons.size())], a, vector(depth - 1));
    }
    }
  }

  [[nodiscard]] std::uint64_t value(Term term, std::uint64_t assignment) const {
    return terms.evaluate(term, [&](std::uint64_t number) {
      constexpr std::array kShifts = {0U, kVectorWidth, 2 * kVectorWidth, 2 * kVectorWidth + 1};
      return assignment >> kShifts[number] & logic::mask_of(number < 2 ? kVectorWidth : 1);
    });
  }
  [[nodiscard]] bool can_all_hold(std::span<const Term> conditions) const {
    for (std::uint64_t assignment = 0; assignment < kAssignments; ++assignment)
      if (std::ranges::all_of(conditions, [&](Term term) { return value(term, assignment) != 0; }))
        return true;
    return false;
  }
  [[nodiscard]] Term variable(std::uint64_t number) {
    return terms.variable(number, number < 2 ? Sort{static_cast<std::uint8_t>(width_)} : Sort{});
  }

  TermStore terms;

private:
  Term vector(unsigned depth) {
    if (depth == 0 || rng_.chance(1, 8))
      return rng_.chance(1, 3) ? terms.constant(rng_.next(), width_) : variable(rng_.below(2));
    constexpr std::array kOperations = {
        Op::kAdd, Op::kSub, Op::kMul, Op::kBitAnd, Op::kBitOr, Op::kBitXor, Op::kURem, Op::kShl};
    if (rng_.chance(1, 6)) {
      const Term when = condition(depth - 1);
      const Term a = vector(depth - 1);
      return terms.ite(when, a, vector(depth - 1));
    }
    const Term a = vector(depth - 1);
    return terms.binary(kOperations[rng_.below(kOperations.size())], a, vector(depth - 1));
  }

  Rng& rng_;
  unsigned width_;
};

using CanHold = std::function<bool(std::span<const Term>)>;

std::vector<Term> joined(std::span<const Term> facts, std::span<const Term> more) {
  std::vector<Term> all(facts.begin(), facts.end());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The assumed terms that come first in `core` come first in `assumed`.
bool is_part_in_order(std::span<const Term> core, std::span<const Term> assumed) {
  auto next = assumed.begin();
  for (const Term term : core) {
    next = std::find(next, assumed.end(), term);
    if (next == assumed.end())
      return false;
    ++next;
  }
  return true;
}

/// After an answer without a model.
void check_core(TermSolver& solver,
                std::span<const Term> facts,
                std::span<const Term> assumed,
                const CanHold& can_all_hold) {
  const std::vector<Term> failed(solver.failed().begin(), solver.failed().end());
  RC_ASSERT(is_part_in_order(failed, assumed));
  RC_ASSERT(!can_all_hold(joined(facts, failed)));
  const TermCore core = solver.minimal_core({});
  RC_ASSERT(core.is_minimal);
  RC_ASSERT(is_part_in_order(core.terms, failed));
  RC_ASSERT(!can_all_hold(joined(facts, core.terms)));
  for (std::size_t i = 0; i < core.terms.size(); ++i) {
    std::vector<Term> others = core.terms;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    RC_ASSERT(can_all_hold(joined(facts, others)));
  }
  RC_ASSERT(std::ranges::equal(solver.failed(), core.terms));
}

/// Scopes, facts and questions at random, in one solver.
struct Script {
  std::function<Term()> condition;
  CanHold can_all_hold;
  std::function<void(TermSolver& solver, std::span<const Term> true_terms)> check_model;
};

void run(Rng& rng, TermSolver& solver, const Script& script, unsigned steps) {
  std::vector<Term> facts;
  std::vector<std::size_t> scopes; // how many facts there were before each
  for (unsigned step = 0; step < steps; ++step) {
    switch (rng.below(8)) {
    case 0:
      solver.push();
      scopes.push_back(facts.size());
      break;
    case 1:
      if (scopes.empty())
        break;
      solver.pop();
      facts.resize(scopes.back());
      scopes.pop_back();
      break;
    case 2:
      if (scopes.empty() && rng.chance(1, 2))
        break; // what holds for good is soon too much
      facts.push_back(script.condition());
      solver.require(facts.back());
      break;
    default: {
      std::vector<Term> assumed;
      for (std::uint64_t count = rng.below(6); count > 0; --count)
        assumed.push_back(rng.chance(1, 8) && !assumed.empty() ? assumed.front()
                                                               : script.condition());
      const std::vector<Term> all = joined(facts, assumed);
      const Answer answer = solver.check(assumed);
      RC_ASSERT(answer ==
                (script.can_all_hold(all) ? Answer::kSatisfiable : Answer::kUnsatisfiable));
      if (answer == Answer::kSatisfiable)
        script.check_model(solver, all);
      else
        check_core(solver, facts, assumed, script.can_all_hold);
    }
    }
  }
}

class TermsTest : public testing::TestWithParam<Maker> {};

TEST_P(TermsTest, AnswersModelsAndCoresAreThoseOfTryingAllValues) {
  EXPECT_TRUE(rc::check("terms", [](std::uint64_t seed) {
    Rng rng(seed);
    RandomTerms random(rng);
    TermSolver solver(random.terms, GetParam().make());
    run(rng,
        solver,
        {[&] { return random.condition(static_cast<unsigned>(1 + rng.below(3))); },
         [&](std::span<const Term> terms) { return random.can_all_hold(terms); },
         [&](TermSolver& asked, std::span<const Term> true_terms) {
           std::uint64_t assignment = 0;
           for (const std::uint64_t number : {3U, 2U, 1U, 0U})
             assignment = assignment << (number < 2 ? RandomTerms::kVectorWidth : 1U) |
                          asked.value(random.variable(number));
           for (const Term term : true_terms)
             RC_ASSERT(random.value(term, assignment) == 1U);
           for (int i = 0; i < 3; ++i) {
             const Term other = random.condition(3);
             RC_ASSERT(asked.value(other) == random.value(other, assignment));
           }
         }},
        25);
  }));
}

/// Over symbols of which all contents are tried.
void check_arrays(std::uint64_t seed, const Maker& maker) {
  Rng rng(seed);
  const bool has_two = rng.chance(1, 25);
  const std::size_t vectors = has_two ? 0 : 2; // but for those that are read
  const std::size_t bools = has_two ? 0 : 1;
  RandomArrays random(rng, vectors, bools, has_two ? 2 : 1);
  random.add_steps(10 + rng.below(10));
  random.add_comparison();
  TermSolver solver(random.terms(), maker.make(), &random.arrays());
  const auto place_of = [&](Term term) {
    return static_cast<std::size_t>(std::ranges::find(random.bools(), term) -
                                    random.bools().begin());
  };
  std::vector<std::vector<bool>> truth; // of each condition, in each state
  run(rng,
      solver,
      {[&] {
         if (rng.chance(1, 4)) {
           random.add_select();
           random.add_comparison();
           return random.bools().back();
         }
         return random.bools()[rng.below(random.bools().size())];
       },
       [&](std::span<const Term> terms) {
         if (truth.size() < random.bools().size()) {
           const std::size_t known = truth.size();
           truth.resize(random.bools().size());
           random.for_each_state([&](const ConcreteState& state) {
             const RandomArrays::Values values = random.values(state);
             for (std::size_t i = known; i < truth.size(); ++i)
               truth[i].push_back(values.bools[i] != 0);
           });
         }
         for (std::size_t state = 0; state < truth.front().size(); ++state)
           if (std::ranges::all_of(terms, [&](Term term) { return truth[place_of(term)][state]; }))
             return true;
         return false;
       },
       [&](TermSolver& asked, std::span<const Term> true_terms) {
         ConcreteState state;
         for (std::size_t i = 0; i < vectors; ++i)
           state.vectors.push_back(asked.value(random.vectors()[i]));
         for (std::size_t i = 0; i < bools; ++i)
           state.bools.push_back(asked.value(random.bools()[i]));
         for (const Array symbol : random.symbols()) {
           state.symbols.push_back({});
           for (const auto& [index, value] : asked.content(symbol))
             state.symbols.back()[index] = value;
         }
         random.add_select(); // of which nothing was asked
         const RandomArrays::Values values = random.values(state);
         for (const Term term : true_terms)
           RC_ASSERT(values.bools[place_of(term)] == 1U);
         for (std::size_t i = 0; i < random.vectors().size(); ++i)
           RC_ASSERT(asked.value(random.vectors()[i]) == values.vectors[i]);
         for (std::size_t i = 0; i < random.bools().size(); ++i)
           RC_ASSERT(asked.value(random.bools()[i]) == values.bools[i]);
       }},
      12);
}

TEST_P(TermsTest, ElementsAreThoseOfSomeContentOfTheArrays) {
  EXPECT_TRUE(rc::check("arrays", [](std::uint64_t seed) { check_arrays(seed, GetParam()); }));
}

TEST_P(TermsTest, ManyQuestionsAreAnsweredAsOneAlone) {
  EXPECT_TRUE(rc::check("incremental", [](std::uint64_t seed) {
    Rng rng(seed);
    RandomTerms random(rng, 8); // too many values to try
    TermSolver kept(random.terms, GetParam().make());
    std::vector<Term> facts;
    for (int i = 0; i < 12; ++i) {
      if (rng.chance(1, 5)) {
        facts.push_back(random.condition(2));
        kept.require(facts.back());
      }
      std::vector<Term> assumed;
      for (std::uint64_t count = 1 + rng.below(4); count > 0; --count)
        assumed.push_back(random.condition(3));
      TermSolver single(random.terms, kSolvers[rng.below(2)].make());
      for (const Term fact : joined(facts, assumed))
        single.require(fact);
      const Answer answer = kept.check(assumed);
      RC_ASSERT(answer == single.check());
      if (answer == Answer::kSatisfiable)
        for (TermSolver* solver : {&kept, &single})
          for (const Term term : joined(facts, assumed))
            RC_ASSERT(solver->value(term) == 1U);
    }
  }));
}

/// Everything a caller can see of a number of questions.
std::vector<std::uint64_t> told(std::uint64_t seed, const Maker& maker) {
  std::vector<std::uint64_t> result;
  Rng rng(seed);
  RandomArrays random(rng, 2, 2, 2);
  random.add_steps(30);
  TermSolver solver(random.terms(), maker.make(), &random.arrays());
  for (int i = 0; i < 30; ++i) {
    std::vector<Term> assumed;
    for (int j = 0; j < 4; ++j) {
      random.add_select();
      random.add_comparison();
      assumed.push_back(random.bools()[rng.below(random.bools().size())]);
    }
    const Answer answer = solver.check(assumed);
    result.push_back(static_cast<std::uint64_t>(answer));
    if (answer == Answer::kSatisfiable)
      for (const Term term : random.vectors())
        result.push_back(solver.value(term));
    else
      for (const Term term : solver.minimal_core({}).terms)
        result.push_back(term.index());
  }
  const TermStatistics statistics = solver.statistics();
  for (const std::uint64_t count : {statistics.checks,
                                    statistics.solved,
                                    statistics.congruences,
                                    statistics.variables,
                                    statistics.clauses,
                                    statistics.conflicts})
    result.push_back(count);
  return result;
}

TEST_P(TermsTest, TwoRunsAreTheSame) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(told(seed, GetParam()), told(seed, GetParam())) << "seed " << seed;
}

class TermQuestions : public TermsTest {
protected:
  /// No model, and hard to see: (x + 1) (y + z) against its parts.
  void add_hard(unsigned width) {
    const Term x = variable(10, width);
    const Term y = variable(11, width);
    const Term z = variable(12, width);
    const Term one = terms.constant(1, width);
    const auto product = [&](Term a, Term b) { return terms.binary(Op::kMul, a, b); };
    const auto sum = [&](Term a, Term b) { return terms.binary(Op::kAdd, a, b); };
    const Term whole = product(product(sum(x, one), sum(y, z)), sum(x, z));
    const Term xz = sum(x, z);
    const Term parts =
        sum(sum(product(product(x, y), xz), product(product(x, z), xz)), product(sum(y, z), xz));
    hard.push_back(terms.not_(terms.equal(whole, parts)));
  }
  [[nodiscard]] Term variable(std::uint64_t number, unsigned width) {
    return terms.variable(number, Sort{static_cast<std::uint8_t>(width)});
  }
  [[nodiscard]] Term equal(Term a, std::uint64_t value) {
    return terms.equal(a, terms.constant(value, terms.sort(a).width));
  }

  TermStore terms;
  std::uint64_t next = 1000;
  logic::Arrays arrays{terms, [this](Sort sort) { return terms.variable(next++, sort); }};
  TermSolver solver{terms, GetParam().make(), &arrays};
  std::vector<Term> hard;
};

TEST_P(TermQuestions, ConflictsAreLimited) {
  add_hard(16);
  EXPECT_EQ(solver.check(hard, {.conflicts = 100}), Answer::kUnknown);
  EXPECT_FALSE(solver.exhausted().has_value());
  EXPECT_LE(solver.statistics().conflicts, 110U);
  // The next question has conflicts of its own.
  EXPECT_EQ(solver.check(), Answer::kSatisfiable);
}

TEST_P(TermQuestions, ConflictsAreThoseOfAllRoundsOfCongruence) {
  // Where each round is hard, the first that is not done ends it.
  const logic::ArraySort sort{Sort{16}, Sort{16}};
  const Array memory = arrays.symbol(sort);
  add_hard(16);
  const Term element = arrays.select(memory, variable(10, 16));
  const Term other = arrays.select(memory, variable(13, 16));
  const std::vector<Term> assumed = {terms.equal(variable(10, 16), variable(13, 16)),
                                     terms.not_(terms.equal(element, other)),
                                     hard.front()};
  EXPECT_EQ(solver.check(assumed, {.conflicts = 50}), Answer::kUnknown);
  EXPECT_LE(solver.statistics().conflicts, 60U);
}

TEST_P(TermQuestions, TimeMemoryAndInterruptsAreObeyed) {
  add_hard(24);
  const Budget none(std::chrono::milliseconds(0), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(solver.check(hard, {&none}), Answer::kUnknown);
  EXPECT_EQ(solver.exhausted(), Exhausted::kTime);
  const Budget little(std::nullopt, 1);
  EXPECT_EQ(solver.check(hard, {&little}), Answer::kUnknown);
  EXPECT_EQ(solver.exhausted(), Exhausted::kMemory);
  const std::atomic<bool> is_over = true;
  const Budget over(std::nullopt, std::numeric_limits<std::uint64_t>::max(), &is_over);
  EXPECT_EQ(solver.check(hard, {&over}), Answer::kUnknown);
  EXPECT_EQ(solver.exhausted(), Exhausted::kInterrupted);
  const auto start = std::chrono::steady_clock::now();
  const Budget some(std::chrono::milliseconds(200), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(solver.check(hard, {&some}), Answer::kUnknown);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_P(TermQuestions, ACoreIsOnlyAsMinimalAsItsConflictsAllow) {
  const Term x = variable(0, 8);
  const std::vector<Term> assumed = {
      terms.binary(Op::kULt, x, terms.constant(9, 8)), equal(x, 3), equal(x, 7), equal(x, 5)};
  ASSERT_EQ(solver.check(assumed), Answer::kUnsatisfiable);
  const std::vector<Term> failed(solver.failed().begin(), solver.failed().end());
  const TermCore untried = solver.minimal_core({.conflicts = 0});
  EXPECT_FALSE(untried.is_minimal);
  EXPECT_EQ(untried.terms, failed);
  const TermCore core = solver.minimal_core({});
  EXPECT_TRUE(core.is_minimal);
  EXPECT_EQ(core.terms.size(), 2U);
}

TEST_P(TermQuestions, HardPartsOfACoreAreLeftInIt) {
  add_hard(16);
  const Term p = terms.variable(1, Sort{});
  const std::vector<Term> assumed = {hard.front(), p, terms.not_(p)};
  ASSERT_EQ(solver.check(assumed), Answer::kUnsatisfiable);
  const TermCore core = solver.minimal_core({.conflicts = 200});
  // Whether p alone excludes the hard one is more than it may find out.
  EXPECT_TRUE(is_part_in_order(core.terms, assumed));
  EXPECT_LE(solver.statistics().conflicts, 250U);
  EXPECT_EQ(solver.check(core.terms), Answer::kUnsatisfiable);
}

/// Says that all assumptions are needed, whichever are.
class Careless final : public Sat {
public:
  explicit Careless(std::unique_ptr<Sat> sat) : sat_(std::move(sat)) {}

  Variable new_variable() override { return sat_->new_variable(); }
  void add_clause(std::span<const Literal> clause) override { sat_->add_clause(clause); }
  void prefer(Literal literal) override { sat_->prefer(literal); }
  void freeze(Variable variable) override { sat_->freeze(variable); }
  Answer solve(std::span<const Literal> assumptions, const Limits& limits) override {
    failed_.assign(assumptions.begin(), assumptions.end());
    return sat_->solve(assumptions, limits);
  }
  bool value(Literal literal) const override { return sat_->value(literal); }
  std::span<const Literal> failed() const override { return failed_; }
  void interrupt() override { sat_->interrupt(); }
  bool connect(Propagator& propagator) override { return sat_->connect(propagator); }
  std::size_t variable_count() const override { return sat_->variable_count(); }
  Statistics statistics() const override { return sat_->statistics(); }

private:
  std::unique_ptr<Sat> sat_;
  std::vector<Literal> failed_;
};

TEST_P(TermQuestions, TermsAssumedFirstStayInCores) {
  TermSolver careless(terms, std::make_unique<Careless>(GetParam().make()));
  const Term x = variable(0, 8);
  const Term y = variable(1, 8);
  const std::vector<Term> assumed = {
      equal(y, 0), equal(x, 1), equal(x, 2), equal(y, 0), equal(x, 3), equal(y, 9), equal(x, 4)};
  ASSERT_EQ(careless.check(assumed), Answer::kUnsatisfiable);
  // One that is assumed twice counts once.
  EXPECT_EQ(careless.failed().size(), assumed.size() - 1);
  const TermCore core = careless.minimal_core({});
  EXPECT_TRUE(core.is_minimal);
  EXPECT_EQ(core.terms, (std::vector{equal(x, 1), equal(x, 2)}));
}

TEST_P(TermQuestions, FactsThatCannotHoldNeedNoAssumption) {
  const Term p = terms.variable(0, Sort{});
  solver.push();
  solver.require(terms.boolean(false));
  EXPECT_EQ(solver.check(std::array{p}), Answer::kUnsatisfiable);
  EXPECT_TRUE(solver.failed().empty());
  EXPECT_TRUE(solver.minimal_core({}).terms.empty());
  solver.pop();
  EXPECT_EQ(solver.check(std::array{p}), Answer::kSatisfiable);
  EXPECT_EQ(solver.check(std::array{p, terms.boolean(false)}), Answer::kUnsatisfiable);
  EXPECT_EQ(solver.minimal_core({}).terms, (std::vector{terms.boolean(false)}));
  solver.require(terms.boolean(false));
  EXPECT_EQ(solver.check(std::array{p}), Answer::kUnsatisfiable);
  EXPECT_TRUE(solver.minimal_core({}).terms.empty());
}

TEST_P(TermQuestions, VariablesThatNothingSpeaksOfHaveAValueToo) {
  const Term x = variable(0, 8);
  const Term y = variable(1, 8);
  ASSERT_EQ(solver.check(std::array{equal(x, 200)}), Answer::kSatisfiable);
  EXPECT_TRUE(solver.is_mentioned(x));
  EXPECT_FALSE(solver.is_mentioned(y));
  EXPECT_EQ(solver.value(x), 200U);
  const std::uint64_t of_y = solver.value(y);
  EXPECT_EQ(solver.value(terms.binary(Op::kAdd, x, y)), (200 + of_y) % 256);
  EXPECT_EQ(solver.value(terms.boolean(true)), 1U);
}

TEST_P(TermQuestions, AValueThatIsAnIndexFindsItsElement) {
  const logic::ArraySort sort{Sort{64}, Sort{64}};
  const Array memory = arrays.symbol(sort);
  const Term p = variable(0, 64);
  const Term q = variable(1, 64);
  const Term behind_p = arrays.select(memory, arrays.select(memory, p));
  const Term behind_q = arrays.select(memory, arrays.select(memory, q));
  const std::vector<Term> assumed = {terms.equal(p, q),
                                     terms.not_(terms.equal(behind_p, behind_q))};
  EXPECT_EQ(solver.check(assumed), Answer::kUnsatisfiable);
  EXPECT_EQ(solver.minimal_core({}).terms, assumed);
  ASSERT_EQ(solver.check(std::array{equal(p, 8), equal(behind_p, 3), equal(behind_q, 4)}),
            Answer::kSatisfiable);
  const auto content = solver.content(memory);
  EXPECT_EQ(content.at(content.at(8)), 3U);
}

TEST_P(TermQuestions, OldQuestionsMakeNothingCongruent) {
  const logic::ArraySort sort{Sort{32}, Sort{8}};
  const Array memory = arrays.symbol(sort);
  solver.push();
  for (std::uint64_t i = 0; i < 20; ++i)
    solver.require(equal(arrays.select(memory, variable(i, 32)), i));
  for (std::uint64_t i = 20; i < 40; ++i)
    ASSERT_EQ(solver.check(std::array{equal(arrays.select(memory, variable(i, 32)), i)}),
              Answer::kSatisfiable);
  solver.pop();
  const std::uint64_t before = solver.statistics().congruences;
  std::vector<Term> assumed; // all at one place, of which two say something
  for (std::uint64_t i = 0; i < 40; ++i)
    assumed.push_back(equal(variable(i, 32), 7));
  for (const std::uint64_t i : {5U, 25U})
    assumed.push_back(equal(arrays.select(memory, variable(i, 32)), 99));
  ASSERT_EQ(solver.check(assumed), Answer::kSatisfiable);
  EXPECT_EQ(solver.statistics().congruences, before);
  // What the question is not about has the value of its place.
  for (std::uint64_t i = 0; i < 40; ++i)
    EXPECT_EQ(solver.value(arrays.select(memory, variable(i, 32))), 99U);
}

INSTANTIATE_TEST_SUITE_P(Solvers, TermsTest, testing::ValuesIn(kSolvers), name_of);
INSTANTIATE_TEST_SUITE_P(Solvers, TermQuestions, testing::ValuesIn(kSolvers), name_of);

} // namespace
} // namespace heddle::solve::test
