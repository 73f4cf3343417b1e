// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/relations/ended_blocks.h"

#include "memory/judge.h"

namespace heddle::encode {

using program::EventIndex;
using Kind = program::StaticEvent::Kind;

EndedBlocks::EndedBlocks(program::EventSet& set,
                         const memory::Core& core,
                         ExecutionFormula& executions,
                         ModelFormula& formula,
                         logic::Gates& gates)
    : set_(set), executions_(executions), formula_(formula), gates_(gates),
      happens_before_(memory::find_happens_before(core)) {}

bool EndedBlocks::is_heap(std::size_t block) const {
  return set_.program->objects[set_.blocks[block].site].kind == program::Object::Kind::kHeapSite;
}

Literal EndedBlocks::ends(EventIndex free, std::size_t block) {
  const program::Term address = set_.events[free].address;
  return executions_.literal(set_.terms.equal(
      address, set_.terms.constant(set_.blocks[block].address, set_.terms.sort(address).width)));
}

Literal EndedBlocks::is_in(EventIndex access, std::size_t block) {
  const program::Term address = set_.events[access].address;
  const unsigned width = set_.terms.sort(address).width;
  const program::EventSet::Block& one = set_.blocks[block];
  const program::Term is_below =
      set_.terms.binary(logic::Op::kULt, address, set_.terms.constant(one.address, width));
  const program::Term is_behind = set_.terms.binary(
      logic::Op::kULe, set_.terms.constant(one.address + one.size, width), address);
  return ~executions_.literal(set_.terms.or_(is_below, is_behind));
}

bool EndedBlocks::is_hidden_at(EventIndex event, std::uint32_t number) const {
  const program::StaticEvent& one = set_.events[event];
  return one.is_hidden && set_.terms.is_constant(one.address) &&
         set_.terms.node(one.address).value == program::hidden_address(*set_.program, number);
}

Literal EndedBlocks::is_before(EventIndex access, EventIndex free) {
  const std::uint32_t here = set_.events[free].thread;
  const std::uint32_t there = set_.events[access].thread;
  if (here == there)
    return gates_.constant(access < free);
  std::vector<Literal> some;
  const auto happens = [&](EventIndex event) {
    return executions_.literal(set_.events[event].guard);
  };
  for (EventIndex e = set_.threads[here].first; e < free; ++e) {
    const Element to = executions_.bounds().element_of[e];
    if (is_hidden_at(e, program::end_number(there))) // what comes later happens where it has ended
      some.push_back(happens(e));
    else if (happens_before_.is_valid() && to != memory::EventBounds::kNone &&
             (set_.events[e].kind == Kind::kRead || set_.events[e].kind == Kind::kFence))
      some.push_back(formula_.holds(happens_before_, executions_.bounds().element_of[access], to));
  }
  for (EventIndex e = access + 1; e < set_.threads[there].last; ++e)
    if (set_.events[e].kind == Kind::kWrite && is_hidden_at(e, program::start_number(here)))
      some.push_back(happens(e));
  return gates_.or_(some);
}

std::vector<WrongFree> EndedBlocks::find() {
  std::vector<WrongFree> found;
  for (EventIndex free = 0; free < set_.events.size(); ++free) {
    if (set_.events[free].kind != Kind::kFree)
      continue;
    const program::Term address = set_.events[free].address;
    const Literal happens = executions_.literal(set_.events[free].guard);
    if (gates_.is_false(happens))
      continue;
    std::vector<Literal> ended{executions_.literal(
        set_.terms.equal(address, set_.terms.constant(0, set_.terms.sort(address).width)))};
    for (std::size_t block = 0; block < set_.blocks.size(); ++block)
      if (is_heap(block))
        ended.push_back(ends(free, block));
    const Literal is_none = gates_.and_(happens, ~gates_.or_(ended));
    found.push_back({free, {}, is_none, is_none});
    for (EventIndex other = 0; other < set_.events.size(); ++other) {
      const bool is_free = set_.events[other].kind == Kind::kFree;
      if ((is_free ? other >= free : !set_.is_memory(other)) || set_.events[other].is_hidden)
        continue;
      const Literal is_done = executions_.literal(set_.events[other].guard);
      if (gates_.is_false(is_done))
        continue; // no execution has it, and it has no element
      std::vector<Literal> same;
      for (std::size_t block = 0; block < set_.blocks.size(); ++block)
        if (is_heap(block))
          same.push_back(
              gates_.and_(ends(free, block), is_free ? ends(other, block) : is_in(other, block)));
      const Literal is_same = gates_.or_(same);
      if (gates_.is_false(is_same))
        continue;
      // Two frees of a block are wrong in any order.
      const Literal is_late = is_free ? gates_.constant(true) : ~is_before(other, free);
      const Literal is_met = gates_.and_(std::vector{happens, is_done, is_same, is_late});
      const bool is_sure =
          is_free || knows_order() || set_.events[other].thread == set_.events[free].thread;
      found.push_back({free, other, is_met, is_sure ? is_met : gates_.constant(false)});
    }
  }
  return found;
}

} // namespace heddle::encode
