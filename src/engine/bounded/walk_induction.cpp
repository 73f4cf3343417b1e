// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops by k-induction (M. Sheeran, S. Singh, G. Stålmarck, FMCAD 2000; for loops of programs A.
// Donaldson et al., SAS 2011). A loop is walked for k turns as it is. Then whatever it may write
// becomes arbitrary: that is the state k turns before any later one. k turns follow in which all
// checks are assumed to hold and the loop is not left (it would have been left by then), and one
// that counts. What leaves the loop there goes on. So if nothing of interest can be reached, it
// cannot in any number of turns. Loops in loops are treated alike, each turn of the outer one.
#include "engine/bounded/walk.h"
#include "support/overloaded.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::engine::bounded {

namespace {

/// More memory than this is not forgotten.
constexpr std::size_t kMostForgotten = 4096;

std::uint64_t name_of_induction(ProcedureId procedure, LocationId head) {
  return 3ULL << 62U | std::uint64_t{procedure.value} << 32U | head.value;
}

/// What happens in a loop and in what it calls.
struct LoopEffects {
  std::set<LocalId> locals; // of the loop's own procedure
  struct Write {
    ProcedureId procedure;
    Term address;
    std::uint8_t size = 0;
  };
  std::vector<Write> writes = {};
  bool is_unknown = false; // memory comes or goes
};

LoopEffects effects_of(const program::Program& program, ProcedureId id, const FlowElement& loop) {
  LoopEffects effects;
  std::set<ProcedureId> seen;
  std::vector<ProcedureId> pending;
  const auto visit = [&](ProcedureId owner, const program::Action& action, bool is_own) {
    const auto assigned = [&](LocalId local) {
      if (is_own)
        effects.locals.insert(local);
    };
    const auto written = [&](Term address, const program::Access& access) {
      effects.writes.push_back({owner, address, access.size});
    };
    std::visit(Overloaded{
                   [](const program::Skip&) {},
                   [&](const program::Assign& a) { assigned(a.dest); },
                   [&](const program::AssignSequence& sequence) {
                     for (const program::Assign& a : sequence.assignments)
                       assigned(a.dest);
                   },
                   [&](const program::Nondet& a) { assigned(a.dest); },
                   [](const program::Assume&) {},
                   [](const program::Check&) {},
                   [](const program::CheckNeighbourhood&) {},
                   [&](const program::Load& a) {
                     assigned(a.dest);
                     if (a.marks)
                       assigned(*a.marks);
                   },
                   [&](const program::Store& a) { written(a.address, a.access); },
                   [&](const program::LoadExclusive&) { effects.is_unknown = true; },
                   [&](const program::StoreExclusive&) { effects.is_unknown = true; },
                   [&](const program::ReadModifyWrite& a) {
                     assigned(a.dest);
                     written(a.address, a.access);
                   },
                   [&](const program::CompareExchange& a) {
                     assigned(a.dest);
                     assigned(a.success);
                     written(a.address, a.access);
                   },
                   [](const program::Fence&) {},
                   // A variable of a frame that nobody knows when it has ended is a new one in each
                   // call, and the loop's own are gone through its locals.
                   [&](const program::Allocate& a) {
                     assigned(a.dest);
                     effects.is_unknown =
                         effects.is_unknown || a.where == ir::Allocate::Where::kHeap ||
                         program.objects[a.site].dangling != program::Object::Dangling::kNever;
                   },
                   [&](const program::Free&) { effects.is_unknown = true; },
                   [&](const program::BlockSize& a) { assigned(a.dest); },
                   [&](const program::Call& a) {
                     if (a.dest)
                       assigned(*a.dest);
                     for (const ProcedureId target : a.targets)
                       if (seen.insert(target).second)
                         pending.push_back(target);
                   },
                   [](const program::Return&) {},
                   [&](const program::Synchronize& a) {
                     if (a.dest)
                       assigned(*a.dest);
                   },
                   [](const program::AtomicBegin&) {},
                   [](const program::AtomicEnd&) {},
                   [](const program::Hint&) {},
                   [](const program::ThreadExit&) {},
                   [](const program::Exit&) {},
                   [](const program::Cut&) {},
                   [](const program::Trap&) {},
               },
               action);
  };
  for (const program::Edge& edge : program.procedures[id].edges)
    if (loop.members[edge.from.index()])
      visit(id, edge.action, true);
  while (!pending.empty()) {
    const ProcedureId callee = pending.back();
    pending.pop_back();
    for (const program::Edge& edge : program.procedures[callee].edges)
      visit(callee, edge.action, false);
  }
  return effects;
}

} // namespace

/// Makes arbitrary what the loop may write, on path_. False: that is too much.
bool Walker::forget_written(const FlowElement& loop) {
  const ProcedureId owner = frames_.back().procedure;
  const LoopEffects effects = effects_of(program_, owner, loop);
  if (effects.is_unknown)
    return false;
  const auto arbitrary = [&](std::uint64_t number, unsigned width) {
    return symbols_.variable(terms_, context_, name_of_induction(owner, loop.at), number, width);
  };
  for (const LocalId one : effects.locals)
    assign(one, arbitrary(one.value, procedure().locals[one].width));
  std::size_t forgotten = 0;
  for (const LoopEffects::Write& write : effects.writes) {
    const program::AccessPlace& place =
        pieces_.place(write.procedure, write.address, 0, write.size);
    if (place.is_any)
      return false;
    for (const auto& [object, offsets] : place.targets)
      for (const Span& span : spans_of(object)) {
        const auto stride = static_cast<std::int64_t>(offsets.stride);
        std::int64_t first = offsets.first;
        if (stride > 0)
          first = ((first % stride) + stride) % stride;
        for (std::int64_t offset = first;
             offset >= 0 && static_cast<std::uint64_t>(offset) + place.size <= span.size;
             offset += stride) {
          const std::uint64_t at = span.address + static_cast<std::uint64_t>(offset);
          for (unsigned piece = 0; piece < place.size; piece += place.piece) {
            const std::uint32_t cell = cell_at(at + piece, place.piece);
            set_cell(cell, arbitrary((1ULL << 32U) + cell, 8U * place.piece));
            if (!is_true(is_written(cell)))
              set_written(cell, terms_.to_bool(arbitrary((2ULL << 32U) + cell, 1)));
          }
          if (++forgotten > kMostForgotten)
            return false;
          if (stride == 0)
            break;
        }
      }
  }
  return true;
}

Status Walker::walk_by_induction(const FlowElement& loop) {
  const Symbols::Context outer = context_;
  const ProcedureId owner = frames_.back().procedure;
  const bool was_assuming = is_assuming_;
  const std::uint64_t turns = options_.induction;
  std::uint64_t number = 0;
  const auto take_turn = [&]() -> Status {
    context_ = symbols_.inner(outer, name_of_induction(owner, loop.at), number++);
    return turn(loop);
  };
  frames_.back().loops.push_back({&loop, 0});
  std::vector<Path>& at_head = frames_.back().incoming[loop.at];
  while (number == 0 || (number < turns && !at_head.empty()))
    if (Status status = take_turn(); !status)
      return status;
  if (!at_head.empty()) {
    path_ = merge(std::exchange(at_head, {}));
    if (!forget_written(loop))
      return Error{ErrorKind::kUnsupported,
                   "BND-004",
                   "what a loop may write cannot be told, so that induction is not possible"};
    at_head.push_back(path_);
    // What leaves the loop on the way is forgotten.
    std::vector<std::size_t> incoming;
    for (const std::vector<Path>& paths : frames_.back().incoming)
      incoming.push_back(paths.size());
    const std::size_t returns = frames_.back().returns.size();
    const std::size_t goals = result_.goals.size();
    is_assuming_ = true;
    for (std::uint64_t i = 0; i < turns && !at_head.empty(); ++i)
      if (Status status = take_turn(); !status)
        return status;
    is_assuming_ = was_assuming;
    for (std::size_t i = 0; i < incoming.size(); ++i)
      if (!loop.members[i])
        frames_.back().incoming[LocationId{i}].resize(incoming[i]);
    frames_.back().returns.resize(returns);
    result_.goals.resize(goals);
    if (!at_head.empty())
      if (Status status = take_turn(); !status)
        return status;
    at_head.clear();
  }
  frames_.back().loops.pop_back();
  context_ = outer;
  return Done{};
}

} // namespace heddle::engine::bounded
