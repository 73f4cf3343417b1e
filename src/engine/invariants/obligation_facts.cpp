// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/invariants/obligation_facts.h"

#include "program/analyse/liveness.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace heddle::engine::invariants {

using logic::Op;
using program::LocalId;

FactProposals::FactProposals(const program::Program& program,
                             const program::Procedure& procedure,
                             StepFormula& formula,
                             FactSymbols symbols,
                             const FactHints& hints)
    : procedure_(procedure), formula_(formula), terms_(formula.terms()),
      symbols_(std::move(symbols)), live_(program::live_locals(program, procedure)) {
  const auto in_symbols = [&](const std::vector<Term>& given) {
    std::vector<Term> all;
    for (const Term term : given)
      all.push_back(formula_.in(symbols_.locals, symbols_.self, term));
    return all;
  };
  hints_ = {in_symbols(hints.lemmas), in_symbols(hints.cases), hints.covered, hints.tries_parts};
  find_definitions();
  find_roles();
}

void FactProposals::find_definitions() {
  definitions_.assign(procedure_.locals.size(), Term{});
  std::vector<bool> has_others(procedure_.locals.size(), false);
  const auto define = [&](const program::Assign& assign) {
    Term& known = definitions_[assign.dest.index()];
    if (known.is_valid() && known != assign.value)
      has_others[assign.dest.index()] = true;
    known = assign.value;
  };
  for (const program::Edge& edge : procedure_.edges) {
    if (const auto* one = std::get_if<program::Assign>(&edge.action))
      define(*one);
    else if (const auto* sequence = std::get_if<program::AssignSequence>(&edge.action))
      std::ranges::for_each(sequence->assignments, define);
    else
      for (const std::uint32_t local : program::local_use(terms_, edge.action).writes)
        has_others[local] = true;
  }
  for (std::size_t i = 0; i < definitions_.size(); ++i)
    if (has_others[i])
      definitions_[i] = Term{};
  // Those that refer to each other in a circle stay as they are.
  const std::vector<Term> direct = definitions_;
  std::vector<std::uint8_t> visited(direct.size(), 0); // 1: being expanded, 2: done
  const std::function<void(std::size_t)> expand = [&](std::size_t local) {
    visited[local] = 1;
    for (const std::uint64_t used : terms_.variables(direct[local]))
      if (used < direct.size() && direct[used].is_valid() && visited[used] == 0)
        expand(used);
    definitions_[local] =
        terms_.substitute(direct[local], [&](std::uint64_t number, logic::Sort sort) {
          return number < direct.size() && visited[number] == 2
                     ? formula_.fitted(definitions_[number], sort.width)
                     : Term{};
        });
    visited[local] = 2;
  };
  for (std::size_t i = 0; i < direct.size(); ++i)
    if (direct[i].is_valid() && visited[i] == 0)
      expand(i);
}

Term FactProposals::expanded(Term term) {
  return terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) {
    return number < definitions_.size() && definitions_[number].is_valid()
               ? formula_.fitted(definitions_[number], sort.width)
               : Term{};
  });
}

std::vector<bool> FactProposals::related_to(const std::vector<bool>& live) const {
  std::vector<bool> related = live;
  for (std::size_t i = 0; i < live.size(); ++i)
    if (live[i] && definitions_[i].is_valid())
      for (const std::uint64_t used : terms_.variables(definitions_[i]))
        if (used < related.size())
          related[used] = true;
  return related;
}

void FactProposals::add_definitions(const std::vector<bool>& live,
                                    const std::vector<bool>& related) {
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (!is_of_interest(i, live) || !definitions_[i].is_valid())
      continue;
    const Term value = formula_.in(symbols_.locals, symbols_.self, definitions_[i]);
    if (is_about(value, related))
      add(terms_.equal(symbols_.locals[i],
                       formula_.fitted(value, terms_.sort(symbols_.locals[i]).width)));
  }
}

void FactProposals::find_roles() {
  const Term handle = terms_.binary(Op::kAdd, symbols_.self, terms_.constant(1, 64));
  std::set<std::uint64_t> selves; // locals with the thread's own handle
  for (const program::Edge& edge : procedure_.edges)
    if (const auto* sync = std::get_if<program::Synchronize>(&edge.action);
        sync != nullptr && sync->op == program::SyncOp::kSelf && sync->dest)
      selves.insert(sync->dest->value);
  std::set<Term> found;
  for (const program::Edge& edge : procedure_.edges) {
    const auto* assumed = std::get_if<program::Assume>(&edge.action);
    if (assumed == nullptr)
      continue;
    const Term condition =
        terms_.substitute(assumed->condition, [&](std::uint64_t number, logic::Sort sort) {
          return selves.contains(number) ? formula_.fitted(handle, sort.width) : Term{};
        });
    const std::vector<std::uint64_t> variables = terms_.variables(condition);
    if (variables.size() == 1 && variables.front() == terms_.node(symbols_.self).value &&
        found.insert(condition).second)
      roles_.push_back(condition);
  }
}

void FactProposals::add_roles() {
  for (const Term role : roles_) {
    add(role);
    add(terms_.not_(role));
    for (const Term cell : symbols_.cells) {
      if (!cell.is_valid() || terms_.is_constant(cell))
        continue;
      const unsigned width = terms_.sort(cell).width;
      for (const std::uint64_t number : {0U, 1U}) {
        const Term is_it = terms_.equal(cell, terms_.constant(number, width));
        for (const Term if_role : {role, terms_.not_(role)})
          add(terms_.or_(terms_.not_(if_role), is_it));
      }
    }
  }
}

void FactProposals::add(Term fact) {
  if (!terms_.is_constant(fact))
    facts_.push_back(fact);
}

void FactProposals::add_equal(Term a, Term b) {
  const Term equal = terms_.equal(a, b);
  add(equal);
  add(terms_.not_(equal));
}

bool FactProposals::is_about(Term fact, const std::vector<bool>& locals) const {
  std::set<std::uint64_t> known{terms_.node(symbols_.self).value};
  for (const Term cell : symbols_.cells)
    if (cell.is_valid() && !terms_.is_constant(cell))
      known.insert(terms_.node(cell).value);
  for (std::size_t i = 0; i < symbols_.locals.size(); ++i)
    if (locals[i])
      known.insert(terms_.node(symbols_.locals[i]).value);
  return std::ranges::all_of(terms_.variables(fact),
                             [&](std::uint64_t number) { return known.contains(number); });
}

bool FactProposals::is_of_interest(std::size_t local, const std::vector<bool>& live) const {
  return live[local] && std::ranges::find(hints_.covered, LocalId{local}) == hints_.covered.end();
}

void FactProposals::add_values(const std::vector<bool>& live) {
  const Term handle = terms_.binary(Op::kAdd, symbols_.self, terms_.constant(1, 64));
  std::vector<Term> values;
  for (const Term cell : symbols_.cells)
    if (cell.is_valid() && !terms_.is_constant(cell))
      values.push_back(cell);
  const std::size_t first_local = values.size();
  for (std::size_t i = 0; i < live.size(); ++i)
    if (is_of_interest(i, live))
      values.push_back(symbols_.locals[i]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const unsigned width = terms_.sort(values[i]).width;
    add_equal(values[i], terms_.constant(0, width));
    if (width > 1) {
      add(terms_.equal(values[i], terms_.constant(1, width)));
      // What is returned where there is nothing, often.
      if (i >= first_local)
        add(terms_.equal(values[i], terms_.constant(logic::mask_of(width), width)));
    }
    if (width >= 16)
      add_equal(values[i], formula_.fitted(handle, width));
    // Cells among each other are the invariant's business.
    for (std::size_t j = std::max(i + 1, first_local); j < values.size(); ++j)
      if (terms_.sort(values[j]).width == width)
        add_equal(values[i], values[j]);
  }
}

void FactProposals::add_accesses(const std::vector<bool>& live, const std::vector<bool>& related) {
  const Term handle = terms_.binary(Op::kAdd, symbols_.self, terms_.constant(1, 64));
  std::set<Term> places; // what is there
  const auto add_value = [&](Term address, const program::Access& access, Term left) {
    const auto at = [&](Term where) {
      return formula_.value_at(symbols_.cells, symbols_.locals, symbols_.self, where, access);
    };
    Term found = at(address);
    if (!is_about(found, live))
      found = at(expanded(address));
    if (!is_about(found, related))
      return;
    const unsigned width = terms_.sort(found).width;
    Term value = formula_.in(symbols_.locals, symbols_.self, left);
    if (!is_about(value, live))
      value = formula_.in(symbols_.locals, symbols_.self, expanded(left));
    if (is_about(value, related))
      add(terms_.equal(found, formula_.fitted(value, width)));
    if (!places.insert(found).second)
      return;
    add_equal(found, terms_.constant(0, width));
    if (width >= 16)
      add_equal(found, formula_.fitted(handle, width));
    for (std::size_t i = 0; i < live.size(); ++i)
      if (is_of_interest(i, live) && terms_.sort(symbols_.locals[i]).width == width)
        add(terms_.equal(found, symbols_.locals[i]));
  };
  for (const program::Edge& edge : procedure_.edges) {
    if (const auto* load = std::get_if<program::Load>(&edge.action)) {
      const Term dest =
          terms_.variable(load->dest.value, logic::Sort{procedure_.locals[load->dest].width});
      add_value(load->address, load->access, dest);
    } else if (const auto* store = std::get_if<program::Store>(&edge.action)) {
      add_value(store->address, store->access, store->value);
    } else if (const auto* assumed = std::get_if<program::Assume>(&edge.action)) {
      const Term condition = formula_.in(symbols_.locals, symbols_.self, assumed->condition);
      if (is_about(condition, live)) {
        add(condition);
        add(terms_.not_(condition));
      }
    }
  }
}

void FactProposals::add_cases(const std::vector<bool>& live) {
  const std::vector<Term> always = facts_;
  for (const Term condition : hints_.cases)
    if (is_about(condition, live))
      for (const Term fact : always)
        add(terms_.or_(terms_.not_(condition), fact));
}

std::vector<Term> FactProposals::at(program::LocationId location,
                                    const std::vector<StepFailure>& failures,
                                    const std::vector<Term>& stated) {
  facts_.clear();
  // A thread that has not started knows nothing of its locals.
  const std::vector<bool> live = location == procedure_.entry
                                     ? std::vector<bool>(procedure_.locals.size(), false)
                                     : live_[location.index()];
  add_values(live);
  const std::vector<bool> related = related_to(live);
  add_definitions(live, related);
  add_accesses(live, related);
  for (const Term lemma : hints_.lemmas)
    if (is_about(lemma, live))
      add(lemma);
  if (hints_.tries_parts)
    for (const Term part : symbols_.parts) {
      add(part);
      add(terms_.not_(part));
    }
  add_cases(live);
  add_roles();
  for (const StepFailure& failure : failures)
    if (is_about(failure.when, live))
      add(terms_.not_(failure.when));
  for (const Term failure : stated)
    if (is_about(failure, live))
      add(terms_.not_(failure));
  std::ranges::sort(facts_);
  const auto repeated = std::ranges::unique(facts_);
  facts_.erase(repeated.begin(), repeated.end());
  return facts_;
}

} // namespace heddle::engine::invariants
