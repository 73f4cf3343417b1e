// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/proof_check.h"

#include "solve/proof_reader.h"
#include "support/budget_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

namespace heddle::solve {
namespace {

using logic::Literal;
using logic::Variable;

/// Clauses, the literals they imply without assumptions, and unit propagation.
class ClauseTable {
public:
  [[nodiscard]] bool is_refuted() const { return refuted_; }

  void add(std::vector<Literal> clause) {
    std::ranges::sort(clause);
    const auto duplicates = std::ranges::unique(clause);
    clause.erase(duplicates.begin(), duplicates.end());
    for (const Literal literal : clause)
      make_room(literal);
    const std::size_t id = clauses_.size();
    by_content_[clause].push_back(id);
    clauses_.push_back(std::move(clause));
    attach(id);
  }

  /// A clause that is not there, or that implies a literal for good, is left alone: deleting it
  /// could only make later steps fail, as in DRAT-trim.
  void remove(std::vector<Literal> clause) {
    std::ranges::sort(clause);
    const auto duplicates = std::ranges::unique(clause);
    clause.erase(duplicates.begin(), duplicates.end());
    const auto found = by_content_.find(clause);
    if (found == by_content_.end() || found->second.empty())
      return;
    const std::size_t id = found->second.back();
    if (reasons_.contains(id))
      return;
    found->second.pop_back();
    clauses_[id].clear(); // its watches are dropped when they are met
  }

  /// Whether the clause's negation leads to a conflict.
  [[nodiscard]] bool implies(const std::vector<Literal>& clause) {
    if (refuted_)
      return true;
    bool conflict = false;
    for (const Literal literal : clause) {
      make_room(literal);
      if (value(literal) > 0) {
        conflict = true;
        break;
      }
      if (value(literal) == 0)
        assign(~literal);
    }
    conflict = conflict || !propagate();
    while (trail_.size() > fixed_) {
      values_[trail_.back().index()] = values_[(~trail_.back()).index()] = 0;
      trail_.pop_back();
    }
    propagated_ = fixed_;
    return conflict;
  }

  /// Whether adding the clause keeps a model, if there is one, by changing the pivot at most.
  [[nodiscard]] bool implies_all_resolvents(const std::vector<Literal>& clause, Literal pivot) {
    const std::size_t count = clauses_.size();
    for (std::size_t id = 0; id < count; ++id) {
      if (std::ranges::find(clauses_[id], ~pivot) == clauses_[id].end())
        continue;
      std::vector<Literal> resolvent = clause;
      std::ranges::copy_if(clauses_[id], std::back_inserter(resolvent), [&](Literal literal) {
        return literal != ~pivot;
      });
      const bool holds = std::ranges::any_of(resolvent, [&](Literal literal) {
        return std::ranges::find(resolvent, ~literal) != resolvent.end();
      });
      if (!holds && !implies(resolvent))
        return false;
    }
    return true;
  }

private:
  void make_room(Literal literal) {
    const std::size_t needed = 2 * (literal.variable().index() + 1);
    if (values_.size() < needed) {
      values_.resize(needed);
      watches_.resize(needed);
    }
  }
  [[nodiscard]] int value(Literal literal) const { return values_[literal.index()]; }
  void assign(Literal literal) {
    values_[literal.index()] = 1;
    values_[(~literal).index()] = -1;
    trail_.push_back(literal);
  }

  void attach(std::size_t id) {
    std::vector<Literal>& clause = clauses_[id];
    std::sort(clause.begin(), clause.end(), [&](Literal left, Literal right) {
      return std::pair(-value(left), left) < std::pair(-value(right), right);
    });
    for (std::size_t i = 0; i < 2 && i < clause.size(); ++i)
      watches_[clause[i].index()].push_back(id);
    const bool second_open = clause.size() > 1 && value(clause[1]) >= 0;
    if (refuted_ || second_open || (!clause.empty() && value(clause[0]) > 0))
      return;
    if (clause.empty() || value(clause[0]) < 0) {
      refuted_ = true;
      return;
    }
    assign(clause[0]);
    reasons_.insert(id);
    attaching_ = true;
    refuted_ = !propagate();
    attaching_ = false;
    fixed_ = trail_.size();
  }

  /// Two watched literals a clause. False: a clause is false.
  bool propagate() {
    while (propagated_ < trail_.size()) {
      const Literal falsified = ~trail_[propagated_++];
      std::vector<std::size_t>& list = watches_[falsified.index()];
      std::size_t kept = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::size_t id = list[i];
        std::vector<Literal>& clause = clauses_[id];
        if (clause.empty())
          continue;
        list[kept++] = id;
        if (clause.size() > 1 && clause[0] == falsified)
          std::swap(clause[0], clause[1]);
        if (value(clause[0]) > 0)
          continue;
        const auto open =
            std::find_if(clause.begin() + std::min<std::ptrdiff_t>(2, std::ssize(clause)),
                         clause.end(),
                         [&](Literal literal) { return value(literal) >= 0; });
        if (open != clause.end()) {
          std::swap(clause[1], *open);
          watches_[clause[1].index()].push_back(id);
          --kept;
          continue;
        }
        if (value(clause[0]) < 0) {
          std::copy(list.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    list.end(),
                    list.begin() + static_cast<std::ptrdiff_t>(kept));
          list.resize(kept + list.size() - i - 1);
          return false;
        }
        assign(clause[0]);
        if (attaching_)
          reasons_.insert(id);
      }
      list.resize(kept);
    }
    return true;
  }

  std::vector<std::vector<Literal>> clauses_; // empty: deleted
  std::map<std::vector<Literal>, std::vector<std::size_t>> by_content_;
  std::vector<std::vector<std::size_t>> watches_;
  std::vector<signed char> values_;
  std::vector<Literal> trail_;
  std::size_t fixed_ = 0;
  std::size_t propagated_ = 0;
  std::unordered_set<std::size_t> reasons_; // of what is fixed
  bool attaching_ = false;                  // what is assigned now stays
  bool refuted_ = false;
};

/// Whether the certificate is a cycle of a graph, and the clause denies it.
std::optional<std::string> fault_of_lemma(const ProofQuestion& question, const ProofStep& step) {
  if (question.graphs == nullptr || step.certificate.size() < 2)
    return "there is no cycle";
  if (step.certificate[0] >= question.graphs->size())
    return fmt::format("there is no graph {}", step.certificate[0]);
  const OrderGraph& graph = (*question.graphs)[step.certificate[0]];
  const std::size_t count = step.certificate.size() - 1;
  for (std::size_t i = 0; i < count; ++i)
    if (step.certificate[i + 1] >= graph.edges.size())
      return fmt::format("there is no edge {}", step.certificate[i + 1]);
  for (std::size_t i = 0; i < count; ++i) {
    const OrderEdge& edge = graph.edges[step.certificate[i + 1]];
    const OrderEdge& next = graph.edges[step.certificate[(i + 1) % count + 1]];
    const OrderNode& to = graph.nodes[edge.to];
    const OrderNode& from = graph.nodes[next.from];
    if (edge.to != next.from && (to.chain != from.chain || to.position > from.position))
      return fmt::format("edge {} does not lead to the next", step.certificate[i + 1]);
    for (const Literal when : edge.when)
      if (when.is_valid() && std::ranges::find(step.clause, ~when) == step.clause.end())
        return fmt::format("the clause does not deny edge {}", step.certificate[i + 1]);
  }
  return std::nullopt;
}

class Checker {
public:
  Checker(const ProofQuestion& question, const Budget* budget)
      : question_(question), watch_(budget) {
    for (const auto& clause : question.formula)
      table_.add(clause);
    for (const Literal literal : question.conclusion)
      protect(literal);
    if (question.graphs == nullptr)
      return;
    for (const OrderGraph& graph : *question.graphs)
      for (const OrderEdge& edge : graph.edges)
        for (const Literal when : edge.when)
          if (when.is_valid())
            protect(when);
  }

  Result<ProofSize> run(std::string_view proof, ProofFormat format) {
    ProofReader reader(proof, format);
    while (const std::optional<ProofStep> step = reader.next()) {
      if (Status status = take(*step, reader.line()); !status)
        return status.error();
      if (watch_.is_used_up())
        return budget_used_up("a proof is checked");
    }
    if (reader.is_broken())
      return Error{.code = "PROOF-001",
                   .message = "this is no proof in the expected form",
                   .line = reader.line()};
    if (!table_.implies(question_.conclusion))
      return Error{.code = "PROOF-004", .message = "the proof ends without its conclusion"};
    return size_;
  }

private:
  Status take(const ProofStep& step, std::uint32_t line) {
    switch (step.kind) {
    case ProofStep::Kind::kDelete:
      ++size_.deleted;
      table_.remove(step.clause);
      return Done{};
    case ProofStep::Kind::kLemma:
      ++size_.lemmas;
      if (const auto fault = fault_of_lemma(question_, step))
        return Error{
            .code = "PROOF-003", .message = "this lemma does not hold: " + *fault, .line = line};
      break;
    case ProofStep::Kind::kAdd:
      ++size_.added;
      if (!table_.implies(step.clause) && !is_rat(step.clause))
        return Error{.code = "PROOF-002", .message = "this clause does not follow", .line = line};
      break;
    }
    table_.add(step.clause);
    return Done{};
  }

  bool is_rat(const std::vector<Literal>& clause) {
    if (clause.empty())
      return false;
    const std::size_t variable = clause.front().variable().index();
    if (variable < protected_.size() && protected_[variable])
      return false;
    return table_.implies_all_resolvents(clause, clause.front());
  }

  void protect(Literal literal) {
    const std::size_t variable = literal.variable().index();
    if (protected_.size() <= variable)
      protected_.resize(variable + 1);
    protected_[variable] = true;
  }

  const ProofQuestion& question_;
  BudgetWatch watch_;
  ClauseTable table_;
  std::vector<bool> protected_; // by variable: no RAT on it
  ProofSize size_;
};

} // namespace

Result<ProofSize> check_proof(const ProofQuestion& question,
                              std::string_view proof,
                              ProofFormat format,
                              const Budget* budget) {
  return Checker(question, budget).run(proof, format);
}

} // namespace heddle::solve
