// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/relations/lost_blocks.h"

#include <algorithm>

namespace heddle::encode {

using program::EventIndex;
using program::Object;
using Kind = program::StaticEvent::Kind;

namespace {

/// In memory that is larger pointers are not looked for.
constexpr std::uint64_t kMostBytes = 4096;

/// Nothing comes to what is behind an assertion that fails.
bool is_behind_failure(const program::Program& program,
                       const program::Procedure& procedure,
                       const program::Edge& exit) {
  return std::all_of(
      procedure.edges.begin(), procedure.edges.end(), [&](const program::Edge& edge) {
        const auto* const check = std::get_if<program::Check>(&edge.action);
        return edge.to != exit.from ||
               (check != nullptr && program.terms.is_constant(check->condition) &&
                program.terms.node(check->condition).value == 0);
      });
}

/// Of main: calls have no events, and an exit of another thread is a trap.
bool has_exit(const program::Program& program) {
  const program::Procedure& main = program.procedures[program.templates.front().entry];
  return std::any_of(main.edges.begin(), main.edges.end(), [&](const program::Edge& edge) {
    return std::holds_alternative<program::Exit>(edge.action) &&
           !is_behind_failure(program, main, edge);
  });
}

} // namespace

LostBlocks::LostBlocks(program::EventSet& set,
                       ExecutionFormula& executions,
                       logic::Gates& gates,
                       Asks asks)
    : set_(set), executions_(executions), gates_(gates) {
  find_end();
  find_frees();
  const bool knows = asks == Asks::kForLeft || can_follow_pointers();
  std::vector<Literal> is_reached(set.blocks.size(), gates.constant(false));
  if (asks == Asks::kForLost && knows)
    is_reached = reached();
  std::vector<Literal> lost;
  std::vector<Literal> left;
  for (const program::StaticAllocation& one : set.allocations) {
    const auto block =
        static_cast<std::size_t>(std::find_if(set.blocks.begin(),
                                              set.blocks.end(),
                                              [&](const program::EventSet::Block& other) {
                                                return other.address == one.address;
                                              }) -
                                 set.blocks.begin());
    const Literal when = executions.literal(one.when);
    lost.push_back(gates.and_(std::vector{when, ~is_freed_[block], ~is_reached[block]}));
    left.push_back(gates.and_(when, ~is_freed_surely_[block]));
  }
  const Literal is_known = !knows                   ? gates.constant(false)
                           : asks == Asks::kForLeft ? gates.constant(true)
                                                    : all_are_joined_;
  is_lost_ = gates.and_(std::vector{ends_, is_known, gates.or_(lost)});
  // A block that is left by a thread that goes on may be freed later than main returns, or not.
  may_be_lost_ = gates.and_(ends_, gates.or_(left));
  if (asks == Asks::kForLost)
    may_be_lost_ = gates.and_(may_be_lost_, ~is_known);
}

Literal LostBlocks::happens(EventIndex event) {
  return executions_.literal(set_.events[event].guard);
}

bool LostBlocks::is_hidden_read(EventIndex event, std::uint32_t number) const {
  const program::StaticEvent& one = set_.events[event];
  return one.kind == Kind::kRead && one.is_hidden && set_.terms.is_constant(one.address) &&
         set_.terms.node(one.address).value == program::hidden_address(*set_.program, number);
}

void LostBlocks::find_end() {
  std::vector<Literal> ends;
  for (const program::StaticPoint& point : set_.points)
    if (point.thread == 0 && !point.assertion)
      ends.push_back(executions_.literal(point.guard));
  ends_ = gates_.or_(ends);
  is_joined_.push_back(gates_.constant(true));
  std::vector<Literal> all;
  for (std::uint32_t thread = 1; thread < set_.threads.size(); ++thread) {
    std::vector<Literal> some;
    for (EventIndex e = set_.threads.front().first; e < set_.threads.front().last; ++e)
      if (is_hidden_read(e, program::end_number(thread)))
        some.push_back(happens(e)); // where main goes on behind it, the thread has ended
    is_joined_.push_back(gates_.or_(some));
    const std::optional<EventIndex> created_at = set_.threads[thread].created_at;
    all.push_back(gates_.implies(created_at ? happens(*created_at) : gates_.constant(true),
                                 is_joined_.back()));
  }
  all_are_joined_ = gates_.and_(all);
}

void LostBlocks::find_frees() {
  for (const program::EventSet::Block& block : set_.blocks) {
    if (set_.program->objects[block.site].kind != Object::Kind::kHeapSite) {
      is_freed_.push_back(gates_.constant(true));
      is_freed_surely_.push_back(gates_.constant(true));
      continue;
    }
    std::vector<Literal> by_any;
    std::vector<Literal> by_joined;
    for (EventIndex e = 0; e < set_.events.size(); ++e) {
      const program::StaticEvent& free = set_.events[e];
      if (free.kind != Kind::kFree)
        continue;
      const program::Term is_this = set_.terms.equal(
          free.address, set_.terms.constant(block.address, set_.terms.sort(free.address).width));
      const Literal frees = gates_.and_(happens(e), executions_.literal(is_this));
      by_any.push_back(frees);
      by_joined.push_back(gates_.and_(frees, is_joined_[free.thread]));
    }
    is_freed_.push_back(gates_.or_(by_any));
    is_freed_surely_.push_back(gates_.or_(by_joined));
  }
}

bool LostBlocks::can_follow_pointers() const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < set_.program->objects.size(); ++i) {
    const Object& object = set_.program->objects[program::ObjectId{i}];
    if (object.kind == Object::Kind::kThreadLocal)
      return false;
    if (object.kind == Object::Kind::kGlobal)
      bytes += object.size;
  }
  for (const program::EventSet::Block& block : set_.blocks)
    if (set_.program->objects[block.site].kind == Object::Kind::kHeapSite)
      bytes += block.size;
  return bytes <= kMostBytes && !has_exit(*set_.program);
}

std::vector<std::vector<Literal>> LostBlocks::bytes_of(std::uint64_t base, std::uint64_t size) {
  std::vector<spec::ObservedPlace> places;
  for (std::uint64_t at = 0; at < size; ++at)
    places.push_back({"", base + at, 1});
  const FinalState state(set_, executions_, places, gates_);
  std::vector<std::vector<Literal>> bytes;
  for (std::size_t at = 0; at < places.size(); ++at)
    bytes.push_back(state.bits(at));
  return bytes;
}

/// Any address in the block's units counts, as for the machines (Interpreter::leaked_blocks).
Literal LostBlocks::points_to(const std::vector<std::vector<Literal>>& bytes,
                              std::size_t first,
                              std::size_t block) {
  const program::AddressSpace space = set_.program->space();
  const unsigned pointer_bits = set_.program->pointer_bits();
  const std::uint64_t unit = space.unit_of(set_.blocks[block].address);
  std::vector<Literal> some;
  for (std::uint64_t one = unit; one < unit + space.units_for(set_.blocks[block].size); ++one) {
    std::vector<Literal> all;
    for (unsigned bit = space.unit_shift; bit < pointer_bits; ++bit) {
      const Literal is_set = bytes[first + bit / 8][bit % 8];
      all.push_back((one >> (bit - space.unit_shift) & 1U) != 0 ? is_set : ~is_set);
    }
    some.push_back(gates_.and_(all));
  }
  return gates_.or_(some);
}

/// The least set that is closed is one that the solver may choose, so that asking for a block that
/// is not in it is exact.
std::vector<Literal> LostBlocks::reached() {
  std::vector<Literal> made;
  for (std::size_t block = 0; block < set_.blocks.size(); ++block)
    made.push_back(gates_.fresh());
  const unsigned pointer_bytes = set_.program->pointer_bits() / 8;
  const auto look = [&](std::uint64_t base, std::uint64_t size, Literal counts) {
    const std::vector<std::vector<Literal>> bytes = bytes_of(base, size);
    for (std::size_t at = 0; at + pointer_bytes <= bytes.size(); ++at)
      for (std::size_t block = 0; block < set_.blocks.size(); ++block)
        if (const Literal points = points_to(bytes, at, block); !gates_.is_false(points))
          gates_.require_any(std::vector{~counts, ~points, made[block]});
  };
  for (std::size_t i = 0; i < set_.program->objects.size(); ++i) {
    const Object& object = set_.program->objects[program::ObjectId{i}];
    if (object.kind == Object::Kind::kGlobal)
      look(set_.program->space().base_of(object.unit), object.size, gates_.constant(true));
  }
  for (std::size_t block = 0; block < set_.blocks.size(); ++block)
    look(set_.blocks[block].address,
         set_.blocks[block].size,
         gates_.and_(made[block], ~is_freed_[block]));
  return made;
}

} // namespace heddle::encode
