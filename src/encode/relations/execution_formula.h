// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The candidate executions of a program, as a formula: which events happen, who reads from whom,
// in which order the writes to a place come, with the values that follow from it. No axiom is asked
// yet (model_formula.h adds them). The events are those the enumerating engine has, and so are the
// base sets and relations, here as literals. Each implies that its members happen.
#pragma once

#include "encode/places.h"
#include "execution/execution.h"
#include "logic/bit_blast.h"
#include "memory/core.h"
#include "memory/event_bounds.h"
#include "program/events/event_set.h"
#include "solve/order_theory.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::encode {

using logic::Literal;
/// An event of the execution: index into EventBounds::elements, initial writes first.
using Element = std::size_t;

class ExecutionFormula {
public:
  /// All outlive it. Terms are made in the set's store. Null: there is no budget.
  ExecutionFormula(program::EventSet& set,
                   const memory::Core& core,
                   logic::Gates& gates,
                   solve::OrderTheory& theory,
                   memory::Accesses accesses = memory::Accesses::kAnywhere,
                   const Budget* budget = nullptr,
                   memory::Narrowed narrowed = memory::Narrowed::kByPlace);

  /// Fails if memory cannot be followed (a read that may go anywhere), or the budget was used up
  /// when this was made. Nothing else is asked before.
  [[nodiscard]] Status encode();

  [[nodiscard]] const memory::EventBounds& bounds() const { return bounds_; }
  [[nodiscard]] std::size_t count() const { return bounds_.elements.size(); }
  [[nodiscard]] Literal happens(Element element) const { return happens_[element]; }
  [[nodiscard]] Literal both_happen(Element a, Element b) {
    return gates_.and_(happens_[a], happens_[b]);
  }
  [[nodiscard]] Literal literal(program::Term term) { return blaster_.literal(term); }
  [[nodiscard]] std::span<const Literal> bits(program::Term term) { return blaster_.bits(term); }
  [[nodiscard]] Literal rf(Element write, Element read) const { return find(rf_, write, read); }
  [[nodiscard]] Literal co(Element first, Element second) const { return find(co_, first, second); }
  [[nodiscard]] Literal base_set(const std::string& name, Element element);
  /// As numbers, of two accesses to memory.
  [[nodiscard]] Literal have_equal_values(Element a, Element b);
  [[nodiscard]] Literal base_relation(const std::string& name, Element a, Element b);
  /// Is the access at that address? (Not whether it happens.)
  [[nodiscard]] Literal is_at(Element element, std::uint64_t address);
  [[nodiscard]] bool is_write(Element element) const;
  [[nodiscard]] Places& places() { return places_; }

  /// Accesses to where there is no memory, or across pieces.
  struct Misplaced {
    EventIndex access = 0;
    Literal is_met;
  };
  [[nodiscard]] const std::vector<Misplaced>& misplaced() const { return misplaced_; }
  /// Reads of what memory that is arbitrary at first holds: that is taken as 0.
  [[nodiscard]] const std::vector<Literal>& reads_of_fresh_memory() const { return fresh_reads_; }

  /// Literals that decide every base set and relation: two models that agree on them are one
  /// execution to every axiom.
  [[nodiscard]] std::vector<Literal> choices();
  /// The execution that a solver's model is.
  [[nodiscard]] execution::Execution execution(const logic::LiteralValues& model) const;
  [[nodiscard]] std::uint64_t value(program::Term term, const logic::LiteralValues& model) const;

private:
  using Pairs = std::unordered_map<std::uint64_t, Literal>;
  [[nodiscard]] std::uint64_t key(Element a, Element b) const { return a * count() + b; }
  [[nodiscard]] Literal find(const Pairs& pairs, Element a, Element b) const {
    const auto found = pairs.find(key(a, b));
    return found == pairs.end() ? gates_.constant(false) : found->second;
  }
  [[nodiscard]] const std::string& vocabulary() const { return set_.program->vocabulary; }
  [[nodiscard]] bool is_initial(Element element) const {
    return bounds_.elements[element].is_initial;
  }
  [[nodiscard]] const program::StaticEvent& event(Element element) const {
    return set_.events[bounds_.elements[element].event];
  }
  [[nodiscard]] execution::Event::Kind kind(Element element) const {
    return plain_.events[element].kind;
  }
  [[nodiscard]] bool is_memory(Element element) const;
  [[nodiscard]] program::Term address_of(Element element);
  [[nodiscard]] program::Term initial_value_of(Element element);
  [[nodiscard]] program::Term value_of(Element element);
  /// Are they to one place? (Not whether they happen.)
  [[nodiscard]] Literal same_place(Element a, Element b);
  [[nodiscard]] relation::BitMatrix bound_of(const std::string& name) const;

  [[nodiscard]] std::optional<logic::Range> range_of(program::Term variable) const;
  void find_ranges();
  void make_variants();
  void find_happening();
  void find_edges();
  Pairs edge_literals(std::initializer_list<const std::vector<program::StaticEdge>*> lists);
  Status choose_sources();
  void take_value(Literal when, program::Term to, program::Term from);
  void order_writes();
  void forbid_circular_values();
  void find_misplaced();

  program::EventSet& set_;
  const memory::Core& core_;
  logic::Gates& gates_;
  solve::OrderTheory& theory_;
  memory::EventBounds bounds_;
  Places places_;
  /// Of what reads find; complete before the first term becomes a circuit.
  std::unordered_map<program::Term, logic::Range> ranges_;
  logic::BitBlaster blaster_;
  std::vector<Literal> happens_;
  /// All elements as if they happened together; what of them depends on the success of an update,
  /// and on being half of one, in each of the four ways.
  execution::Execution plain_;
  execution::Execution failed_;
  execution::Execution updating_;
  execution::Execution failed_updating_;
  std::vector<Literal> succeeds_; // by element
  std::vector<Literal> updates_;  // by element: it is half of an update
  Pairs rf_;
  Pairs co_;
  Pairs rmw_;
  std::map<std::string, Pairs> edges_; // addr, data, ctrl, iico_data, iico_ctrl
  std::map<std::string, relation::BitSet> set_cache_[4];
  std::map<std::string, relation::BitMatrix> relation_cache_;
  Pairs same_;
  std::vector<Misplaced> misplaced_;
  std::unordered_map<std::uint64_t, program::Term> variables_; // by number
  std::vector<Literal> fresh_reads_;
};

} // namespace heddle::encode
