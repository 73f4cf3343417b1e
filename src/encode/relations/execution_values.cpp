// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the base names of a model mean in a formula of executions, and the way back from a solver's
// model to an execution.
#include "memory/execution_values.h"

#include "encode/relations/execution_formula.h"

#include <algorithm>

namespace heddle::encode {

using program::Term;

Literal ExecutionFormula::base_set(const std::string& name, Element element) {
  if (name == "FW") {
    if (!is_write(element))
      return gates_.constant(false);
    std::vector<Literal> all{happens_[element]};
    for (Element later = 0; later < count(); ++later)
      all.push_back(~co(element, later));
    return gates_.and_(all);
  }
  const execution::Execution* const ways[] = {&failed_, &plain_, &failed_updating_, &updating_};
  Literal is_in[4];
  for (std::size_t way = 0; way < 4; ++way) {
    auto& cache = set_cache_[way];
    auto known = cache.find(name);
    if (known == cache.end())
      known = cache.emplace(name, memory::base_set(*ways[way], name)).first;
    is_in[way] = gates_.constant(known->second.contains(element));
  }
  const Literal plain = gates_.ite(succeeds_[element], is_in[1], is_in[0]);
  const Literal updating = gates_.ite(succeeds_[element], is_in[3], is_in[2]);
  return gates_.and_(happens_[element], gates_.ite(updates_[element], updating, plain));
}

/// Accesses of different sizes: the shorter is what it is as a number.
Literal ExecutionFormula::have_equal_values(Element a, Element b) {
  const std::span<const Literal> first = blaster_.bits(value_of(a));
  const std::span<const Literal> second = blaster_.bits(value_of(b));
  std::vector<Literal> differ;
  for (std::size_t bit = 0; bit < std::max(first.size(), second.size()); ++bit)
    differ.push_back(gates_.xor_(bit < first.size() ? first[bit] : gates_.constant(false),
                                 bit < second.size() ? second[bit] : gates_.constant(false)));
  return ~gates_.or_(differ);
}

Literal ExecutionFormula::base_relation(const std::string& name, Element a, Element b) {
  if (name == "rf")
    return rf(a, b);
  if (name == "co")
    return co(a, b);
  if (name == "rmw")
    return find(rmw_, a, b);
  if (name == "amo" || name == "lxsx")
    return (plain_.events[a].instruction == plain_.events[b].instruction) == (name == "amo")
               ? find(rmw_, a, b)
               : gates_.constant(false);
  if (const auto edges = edges_.find(name); edges != edges_.end())
    return find(edges->second, a, b);
  if (name == "loc" || name == "same-loc" || name == "scl")
    return gates_.and_(both_happen(a, b), same_place(a, b));
  if (name == "different-values") {
    if (a == b || !is_memory(a) || !is_memory(b))
      return gates_.constant(false);
    return gates_.and_(both_happen(a, b), ~have_equal_values(a, b));
  }
  if (name == "po") {
    const bool is_before =
        !is_initial(a) && !is_initial(b) && a < b &&
        plain_.events[a].thread == plain_.events[b].thread &&
        memory::are_in_program_order(vocabulary(), plain_.events[a], plain_.events[b]);
    return is_before ? both_happen(a, b) : gates_.constant(false);
  }
  auto known = relation_cache_.find(name);
  if (known == relation_cache_.end())
    known = relation_cache_.emplace(name, memory::base_relation(plain_, name)).first;
  return known->second.contains(a, b) ? both_happen(a, b) : gates_.constant(false);
}

std::vector<Literal> ExecutionFormula::choices() {
  std::vector<Literal> all = happens_;
  const auto add = [&](const Pairs& pairs) {
    for (const auto& [key, literal] : pairs)
      all.push_back(literal);
  };
  add(rf_);
  add(co_);
  add(rmw_);
  for (const auto& [name, pairs] : edges_)
    add(pairs);
  for (Element i = 0; i < count(); ++i) {
    all.push_back(gates_.and_(happens_[i], succeeds_[i]));
    for (Element j = i + 1; j < count(); ++j) {
      all.push_back(base_relation("loc", i, j));
      if (std::find(core_.base_names.begin(), core_.base_names.end(), "different-values") !=
          core_.base_names.end())
        all.push_back(base_relation("different-values", i, j));
    }
  }
  std::erase_if(all, [this](Literal one) { return gates_.is_constant(one); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// What the formula had no need of has no literals: it is computed from the variables, and those
/// that nothing needed are 0.
std::uint64_t ExecutionFormula::value(Term term, const logic::LiteralValues& model) const {
  if (const std::optional<std::uint64_t> known = blaster_.value(term, model))
    return *known;
  return set_.terms.evaluate(term, [&](std::uint64_t number) {
    const auto variable = variables_.find(number);
    return variable == variables_.end() ? 0 : blaster_.value(variable->second, model).value_or(0);
  });
}

execution::Execution ExecutionFormula::execution(const logic::LiteralValues& model) const {
  execution::Execution made;
  std::vector<std::size_t> index(count(), memory::EventBounds::kNone);
  // Initial writes by address, as elsewhere.
  std::map<std::uint64_t, Element> initial;
  for (Element i = 0; i < count(); ++i)
    if (is_initial(i) && model(happens_[i]))
      initial.emplace(bounds_.elements[i].address ? *bounds_.elements[i].address
                                                  : value(event(i).address, model),
                      i);
  std::map<std::uint64_t, std::uint8_t> sizes;
  for (Element i = 0; i < count(); ++i)
    if (!is_initial(i) && is_memory(i) && model(happens_[i]))
      sizes[value(event(i).address, model)] = event(i).size;
  for (const auto& [address, element] : initial) {
    execution::Event first;
    first.kind = execution::Event::Kind::kInitialWrite;
    first.address = address;
    first.size = sizes[address];
    first.value = program::initial_bytes(set_, address, first.size).value_or(0);
    index[element] = made.events.size();
    made.events.push_back(std::move(first));
  }
  for (Element i = 0; i < count(); ++i) {
    if (is_initial(i) || !model(happens_[i]))
      continue;
    const program::StaticEvent& from = event(i);
    execution::Event one =
        memory::event_of(vocabulary(), from, !from.success.is_valid() || model(succeeds_[i]));
    if (from.address.is_valid())
      one.address = value(from.address, model);
    if (is_memory(i))
      one.value = value(from.value, model);
    index[i] = made.events.size();
    made.events.push_back(std::move(one));
  }
  made.choices.resize(set_.threads.size());
  for (const program::StaticEvent& one : set_.events) {
    using StaticKind = program::StaticEvent::Kind;
    const bool is_asked_for =
        one.kind == StaticKind::kFound || (one.kind == StaticKind::kChoice && !one.text.empty());
    if (is_asked_for && value(one.guard, model) != 0)
      made.choices[one.thread].push_back(value(one.value, model));
  }
  const std::size_t size = made.events.size();
  made.po = relation::BitMatrix(size);
  made.synchronises = made.po;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i + 1; j < size; ++j)
      if (made.events[i].kind != execution::Event::Kind::kInitialWrite &&
          made.events[i].thread == made.events[j].thread &&
          memory::are_in_program_order(vocabulary(), made.events[i], made.events[j]))
        made.po.insert(i, j);
  const auto copy = [&](const Pairs& pairs, relation::BitMatrix& to) {
    to = relation::BitMatrix(size);
    for (const auto& [pair, literal] : pairs)
      if (model(literal))
        to.insert(index[pair / count()], index[pair % count()]);
  };
  copy(rf_, made.rf);
  copy(co_, made.co);
  copy(rmw_, made.rmw);
  copy(edges_.at("addr"), made.addr);
  copy(edges_.at("data"), made.data);
  copy(edges_.at("ctrl"), made.ctrl);
  copy(edges_.at("iico_data"), made.intra_data);
  copy(edges_.at("iico_ctrl"), made.intra_control);
  for (const auto& [read, write] : made.rmw.pairs())
    for (const std::size_t half : {read, write})
      for (const char* tag : memory::update_tags(vocabulary()))
        memory::add_tag(made.events[half], tag);
  return made;
}

} // namespace heddle::encode
