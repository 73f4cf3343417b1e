// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/walk_search.h"

#include "engine/bounded/chosen_schedule.h"
#include "solve/cadical.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::engine::bounded {

Shape::Shape(const program::Program& program) : pieces(program, {}) {
  for (const program::Procedure& procedure : program.procedures)
    flows.push_back(flow_of(procedure));
}

Search::Search(const program::Program& program, const Shape& shape)
    : program_(program), shape_(shape), terms_(program.terms),
      kept_(solve::make_cadical({.walks = false})), gates_(log_),
      blaster_(terms_, gates_, [this](Term variable) { return symbols_.range(variable); }) {}

Status Search::walk(const WalkOptions& options) {
  Result<Walked> walked =
      Walker(program_, shape_.pieces, shape_.flows, terms_, symbols_, options).run();
  if (!walked)
    return walked.error();
  walked_ = std::move(*walked);
  literals_.assign(walked_.goals.size(), gates_.constant(false));
  return Done{};
}

solve::Answer Search::reach(Goal::Kind kind, const Budget& budget) {
  return reach(std::span(&kind, 1), budget);
}

namespace {

std::function<bool(const Goal&)> is_one_of(std::span<const Goal::Kind> kinds) {
  return [kinds](const Goal& goal) { return std::ranges::find(kinds, goal.kind) != kinds.end(); };
}

} // namespace

solve::Answer Search::reach(std::span<const Goal::Kind> kinds, const Budget& budget) {
  return reach(any_of(is_one_of(kinds)), {.budget = &budget});
}

solve::Answer Search::reach_other(Goal::Kind kind,
                                  std::span<const std::string> than,
                                  const Budget& budget,
                                  std::uint64_t conflicts) {
  return reach(any_of([&](const Goal& goal) {
                 return goal.kind == kind && std::ranges::find(than, goal.text) == than.end();
               }),
               {.budget = &budget, .conflicts = conflicts});
}

solve::Answer Search::reach_alone(std::span<const Goal::Kind> kinds, const Budget& budget) {
  const logic::Literal is_reached = any_of(is_one_of(kinds));
  if (gates_.is_false(is_reached))
    return solve::Answer::kUnsatisfiable;
  single_ = solve::make_cadical({.walks = false, .eliminates_soon = true});
  answering_ = single_.get();
  static_cast<void>(log_.tell(*single_, 0));
  single_->add_clause(std::vector{is_reached});
  const solve::Answer answer = single_->solve({}, {.budget = &budget});
  conflicts_ += single_->statistics().conflicts;
  if (answer == solve::Answer::kUnsatisfiable)
    gates_.require_any(std::vector{~is_reached});
  return answer;
}

logic::Literal Search::any_of(const std::function<bool(const Goal&)>& is_meant) {
  std::vector<logic::Literal> any;
  for (std::size_t i = 0; i < walked_.goals.size(); ++i)
    if (is_meant(walked_.goals[i])) {
      literals_[i] = blaster_.literal(walked_.goals[i].reached);
      any.push_back(literals_[i]);
    }
  keep_promises();
  order_comparisons();
  return gates_.or_(any);
}

solve::Answer Search::reach(logic::Literal is_reached, const solve::Limits& limits) {
  if (gates_.is_false(is_reached))
    return solve::Answer::kUnsatisfiable;
  single_.reset();
  answering_ = kept_.get();
  told_ = log_.tell(*kept_, told_);
  return kept_->solve(std::vector{is_reached}, limits);
}

/// Circuits count on the ranges of variables, which are as many bits as the largest value needs:
/// that a value is not larger is said by clauses. Signed ranges are exact as they are.
void Search::keep_promises() {
  const std::vector<Term>& restricted = symbols_.restricted();
  for (; promises_ < restricted.size(); ++promises_)
    promised_.push_back(restricted[promises_]);
  std::erase_if(promised_, [&](Term variable) {
    if (!blaster_.is_translated(variable))
      return false;
    const logic::Range range = *symbols_.range(variable);
    const std::span<const logic::Literal> bits = blaster_.bits(variable);
    // Where a bit of the maximum is 0 and the value's is 1, a higher one is 0 that could be 1.
    std::vector<logic::Literal> is_less;
    for (std::size_t i = bits.size(); i-- > 0;) {
      if ((range.max >> i & 1U) != 0) {
        is_less.push_back(~bits[i]);
        continue;
      }
      std::vector<logic::Literal> clause = is_less;
      clause.push_back(~bits[i]);
      gates_.require_any(clause);
    }
    return true;
  });
}

/// What is at most 3 is at most 4: clauses that follow from the circuits of comparisons, but that
/// unit propagation does not find there. With them, numbers that are only compared are as if they
/// were unary.
void Search::order_comparisons() {
  std::map<Term, std::vector<std::uint64_t>> found; // new limits by number
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term term{i};
    const logic::Op op = terms_.node(term).op;
    if ((op != logic::Op::kULe && op != logic::Op::kULt) || !blaster_.is_translated(term))
      continue;
    const Term left = terms_.arguments(term)[0];
    const Term right = terms_.arguments(term)[1];
    const bool is_limit_left = terms_.is_constant(left);
    if (!is_limit_left && !terms_.is_constant(right))
      continue;
    const Term number = is_limit_left ? right : left;
    std::uint64_t limit = terms_.node(is_limit_left ? left : right).value;
    // x < c and c <= x are about c - 1.
    if ((op == logic::Op::kULt) != is_limit_left && limit-- == 0)
      continue;
    const logic::Literal holds = blaster_.literal(term);
    if (at_most_[number].try_emplace(limit, is_limit_left ? ~holds : holds).second)
      found[number].push_back(limit);
  }
  for (const auto& [number, limits] : found)
    for (const std::uint64_t limit : limits) {
      const std::map<std::uint64_t, logic::Literal>& known = at_most_.at(number);
      const auto at = known.find(limit);
      if (const auto above = std::next(at); above != known.end())
        gates_.require_any(std::vector{~at->second, above->second});
      if (at != known.begin())
        gates_.require_any(std::vector{~std::prev(at)->second, at->second});
    }
}

std::vector<std::size_t> Search::reached(Goal::Kind kind) const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < walked_.goals.size(); ++i)
    if (walked_.goals[i].kind == kind && answering_->value(literals_[i]))
      result.push_back(i);
  return result;
}

/// Of all terms in the model. Variables that nothing needed have any value in their range.
std::vector<std::uint64_t> Search::values() const {
  const logic::LiteralValues model = [this](logic::Literal literal) {
    return answering_->value(literal);
  };
  std::vector<std::uint64_t> values(terms_.size(), 0);
  std::vector<std::uint64_t> arguments;
  for (std::size_t i = 0; i < values.size(); ++i) { // arguments are older than what uses them
    const Term term{i};
    const logic::Node& node = terms_.node(term);
    if (node.op == logic::Op::kConstant) {
      values[i] = node.value;
    } else if (node.op == logic::Op::kVariable) {
      const std::optional<logic::Range> range = symbols_.range(term);
      values[i] = blaster_.value(term, model).value_or(range ? range->min : 0);
    } else {
      arguments.clear();
      for (const Term argument : terms_.arguments(term))
        arguments.push_back(values[argument.index()]);
      const logic::Sort sort = terms_.sort(terms_.arguments(term).front());
      values[i] = logic::apply(node.op, node.sort, sort, node.value, arguments);
    }
  }
  return values;
}

execution::Schedule Search::schedule(const Asked& asked) const {
  const std::vector<std::uint64_t> model = values();
  std::vector<Chosen> chosen;
  for (const Decision& decision : walked_.decisions)
    if (model[decision.guard.index()] != 0) {
      std::uint32_t edge = decision.edge;
      if (asked.origins != nullptr) {
        const transform::SliceOrigin& origin = (*asked.origins)[decision.procedure][edge];
        if (origin.kind == transform::SliceOrigin::Kind::kNone)
          continue; // what the source chooses together with a step before
        edge = origin.edge;
      }
      chosen.push_back({decision.procedure, edge, model[decision.value.index()]});
    }
  return make_schedule(*asked.task, chosen);
}

void Search::count(verdict::Statistics& statistics) const {
  auto& counters = statistics.counters;
  counters["steps"] = static_cast<double>(walked_.steps);
  counters["terms"] = static_cast<double>(terms_.size());
  counters["variables"] = static_cast<double>(log_.variable_count());
  counters["clauses"] = static_cast<double>(gates_.clause_count());
  counters["conflicts"] = static_cast<double>(conflicts_ + kept_->statistics().conflicts);
}

} // namespace heddle::engine::bounded
