// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/cadical.h"

#include "solve/cadical_host.h"
#include "support/check.h"
#include "support/resident_bytes.h"

#include <algorithm>
#include <atomic>
#include <cadical.hpp>
#include <chrono>
#include <vector>

namespace heddle::solve {
namespace {

/// Asked by CaDiCaL every few decisions. CaDiCaL does not say what it holds, and while it solves,
/// this process does little else.
class Stop final : public CaDiCaL::Terminator {
public:
  bool terminate() override {
    if (interrupted.load(std::memory_order_relaxed))
      return true;
    if (budget == nullptr)
      return false;
    constexpr auto kMemoryInterval = std::chrono::milliseconds(50);
    const auto now = Budget::Clock::now();
    if (now >= next_memory_look_) {
      next_memory_look_ = now + kMemoryInterval;
      resident_ = resident_bytes();
    }
    return budget->exhausted(resident_).has_value();
  }

  std::atomic<bool> interrupted = false;
  const Budget* budget = nullptr;

private:
  std::uint64_t resident_ = 0;
  Budget::Clock::time_point next_memory_look_;
};

/// Counts what is learnt, and wants none of it.
class Count final : public CaDiCaL::Learner {
public:
  bool learning(int) override {
    ++conflicts;
    return false;
  }
  void learn(int) override {}

  std::uint64_t conflicts = 0;
};

class Cadical final : public Sat {
public:
  explicit Cadical(const CadicalOptions& options) {
    solver_.set("quiet", 1);
    if (!options.walks)
      solver_.set("walk", 0);
    if (options.eliminates_soon)
      solver_.set("elimint", 500);
    solver_.connect_terminator(&stop_);
    solver_.connect_learner(&count_);
  }
  ~Cadical() override {
    host_.reset(); // disconnects from the solver, which must still be there
    solver_.disconnect_learner();
    solver_.disconnect_terminator();
  }
  Cadical(const Cadical&) = delete;
  Cadical& operator=(const Cadical&) = delete;

  Variable new_variable() override { return Variable{variables_++}; }

  void add_clause(std::span<const Literal> clause) override {
    forget();
    for (const Literal literal : clause)
      solver_.add(number(literal));
    solver_.add(0);
  }

  void prefer(Literal literal) override { solver_.phase(number(literal)); }
  void freeze(Variable variable) override {
    solver_.freeze(number(Literal::from(variable, false)));
  }

  Answer solve(std::span<const Literal> assumptions, const Limits& limits) override {
    forget();
    stop_.budget = limits.budget;
    if (stop_.interrupted || (limits.budget != nullptr && limits.budget->exhausted(0)))
      return Answer::kUnknown;
    if (variables_ > 0)
      solver_.reserve(static_cast<int>(variables_));
    if (host_)
      host_->observe();
    for (const Literal literal : assumptions)
      solver_.assume(number(literal));
    if (limits.conflicts < static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      solver_.limit("conflicts", static_cast<int>(limits.conflicts));
    const int status = solver_.solve();
    stop_.budget = nullptr;
    if (status == 10)
      return read_model();
    if (status == 20) {
      std::ranges::copy_if(assumptions, std::back_inserter(failed_), [&](Literal literal) {
        return solver_.failed(number(literal));
      });
      return Answer::kUnsatisfiable;
    }
    return Answer::kUnknown;
  }

  bool value(Literal literal) const override {
    HEDDLE_CHECK(literal.variable().index() < model_.size(),
                 "a model is asked for that is not there");
    return model_[literal.variable().index()] != literal.is_negative();
  }
  std::span<const Literal> failed() const override { return failed_; }
  void interrupt() override { stop_.interrupted = true; }

  bool connect(Propagator& propagator) override {
    HEDDLE_CHECK(!host_, "a second theory is connected");
    host_ = make_cadical_host(solver_, propagator);
    return host_ != nullptr;
  }

  std::size_t variable_count() const override { return variables_; }

  Statistics statistics() const override {
    Statistics result;
    result.conflicts = count_.conflicts;
    result.irredundant = static_cast<std::uint64_t>(solver_.irredundant());
    result.redundant = static_cast<std::uint64_t>(solver_.redundant());
    result.memory_bytes = resident_bytes();
    return result;
  }

private:
  int number(Literal literal) const {
    HEDDLE_CHECK(literal.variable().index() < variables_, "a literal of another solver");
    return literal.to_dimacs();
  }
  void forget() {
    model_.clear();
    failed_.clear();
  }
  /// Always asks for the positive literal: CaDiCaL calls both literals of a variable it has never
  /// met false.
  Answer read_model() {
    model_.resize(variables_);
    for (std::size_t index = 0; index < variables_; ++index)
      model_[index] = solver_.val(static_cast<int>(index) + 1) > 0;
    return Answer::kSatisfiable;
  }

  Stop stop_; // these two outlive the solver they are connected to
  Count count_;
  CaDiCaL::Solver solver_;
  std::unique_ptr<CadicalHost> host_;
  std::size_t variables_ = 0;
  std::vector<bool> model_;
  std::vector<Literal> failed_;
};

} // namespace

std::unique_ptr<Sat> make_cadical(const CadicalOptions& options) {
  return std::make_unique<Cadical>(options);
}

} // namespace heddle::solve
