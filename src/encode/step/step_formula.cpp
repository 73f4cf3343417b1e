// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/step/step_formula.h"

#include "ir/part.h"
#include "program/model/proof_marks.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::encode {

using logic::Op;
using program::CellId;
using program::Edge;
using program::LocalId;
using program::LocationId;
using program::ObjectId;
using program::Procedure;
using program::Program;

namespace {

/// Beyond the numbers of locals and of the thread's own index.
constexpr std::uint64_t kFirstSymbol = 0x1'0000'0000;
/// Actions of one step: more is a loop that does not end, or a formula that nobody solves.
constexpr std::size_t kMostActions = 20000;

bool is_global(const program::Object& object) {
  return object.kind == program::Object::Kind::kGlobal;
}

/// Reverse postorder: where paths meet comes after what leads there.
std::vector<std::uint32_t> ranks_of(const Procedure& procedure) {
  std::vector<std::uint32_t> rank(procedure.locations.size(), 0);
  std::vector<bool> seen(procedure.locations.size(), false);
  struct Visit {
    LocationId location;
    std::size_t next = 0;
  };
  std::vector<LocationId> finished;
  std::vector<Visit> open{{procedure.entry, 0}};
  seen[procedure.entry.index()] = true;
  while (!open.empty()) {
    Visit& visit = open.back();
    const auto& out = procedure.locations[visit.location].out;
    if (visit.next == out.size()) {
      finished.push_back(visit.location);
      open.pop_back();
      continue;
    }
    const LocationId to = procedure.edges[out[visit.next++]].to;
    if (to.is_valid() && !seen[to.index()]) {
      seen[to.index()] = true;
      open.push_back({to, 0});
    }
  }
  for (std::size_t i = 0; i < finished.size(); ++i)
    rank[finished[i].index()] = static_cast<std::uint32_t>(finished.size() - i);
  return rank;
}

} // namespace

class StepWalk {
public:
  StepWalk(StepFormula& formula,
           const Procedure& procedure,
           LocationId from,
           Term self,
           StepFormula::Stop stop)
      : formula_(formula), program_(formula.program_), terms_(formula.terms_),
        procedure_(procedure), from_(from), self_(self), stop_(stop), rank_(ranks_of(procedure)) {}

  Result<StepResult> run(StepState state) {
    arrive({from_, 0, false}, std::move(state));
    while (!pending_.empty()) {
      const auto first = pending_.begin();
      const Place place = first->second.place;
      StepState here = std::move(first->second.state);
      pending_.erase(first);
      for (const std::uint32_t index : procedure_.locations[place.location].out) {
        if (++actions_ > kMostActions)
          return program::refuse_in_proof(
              program_,
              procedure_.edges[index].loc,
              "OBL-003",
              "a loop in one step that does not end after a constant number of turns");
        act(place, here, procedure_.edges[index]);
        if (refusal_)
          return *refusal_;
      }
    }
    for (auto& [location, end] : ends_)
      result_.ends.push_back(std::move(end));
    return std::move(result_);
  }

private:
  struct Place {
    LocationId location;
    std::uint32_t depth = 0; // of atomic sections
    bool has_stepped = false;
    auto operator<=>(const Place&) const = default;
  };
  struct Pending {
    Place place;
    StepState state;
  };

  [[nodiscard]] bool is_false(Term term) const {
    return terms_.is_constant(term) && terms_.node(term).value == 0;
  }
  void merge(StepState& into, const StepState& other) {
    const auto join = [&](std::vector<Term>& values, const std::vector<Term>& others) {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != others[i])
          values[i] = terms_.ite(other.guard, others[i], values[i]);
    };
    join(into.locals, other.locals);
    join(into.cells, other.cells);
    into.guard = terms_.or_(into.guard, other.guard);
  }

  void arrive(const Place& place, StepState state, bool is_start = true) {
    if (is_false(state.guard))
      return;
    const bool is_end = !is_start && stop_ == StepFormula::Stop::kStep && place.depth == 0 &&
                        (place.has_stepped || procedure_.locations[place.location].is_loop_head);
    if (is_end || procedure_.locations[place.location].out.empty()) {
      end_at(place.location, std::move(state));
      return;
    }
    const std::pair<std::uint32_t, Place> key{rank_[place.location.index()], place};
    const auto known = pending_.find(key);
    if (known == pending_.end())
      pending_.emplace(key, Pending{place, std::move(state)});
    else
      merge(known->second.state, state);
  }

  void end_at(LocationId location, StepState state) {
    const auto known = ends_.find(location);
    if (known == ends_.end())
      ends_.emplace(location, StepEnd{location, std::move(state), {}});
    else
      merge(known->second.state, state);
  }

  void refuse(const Edge& edge, const std::string& what) {
    if (!refusal_)
      refusal_ = program::refuse_in_proof(program_, edge.loc, "OBL-002", what);
  }

  // Terms.

  Term in(const StepState& state, Term term) { return formula_.in(state.locals, self_, term); }
  Term fitted(Term term, unsigned width) { return formula_.fitted(term, width); }
  void assign(StepState& state, LocalId local, Term value) {
    state.locals[local.index()] = fitted(value, procedure_.locals[local].width);
  }
  void fail_unless(StepState& state, Term condition, std::string what, SourceLoc loc) {
    const Term when = terms_.and_(state.guard, terms_.not_(condition));
    if (is_false(when))
      return;
    result_.failures.push_back({when, std::move(what), loc});
    state.guard = terms_.and_(state.guard, condition);
  }

  // Memory.

  using Candidate = StepFormula::Candidate;
  /// What is no cell is undefined, or at least not known here to be one.
  std::vector<Candidate> candidates(StepState& state,
                                    const Edge& edge,
                                    Term address,
                                    const program::Access& access,
                                    bool writes) {
    if (!result_.loc)
      result_.loc = edge.loc;
    std::vector<Candidate> all = formula_.candidates(state.cells, in(state, address), access);
    if (writes)
      std::erase_if(all, [&](const Candidate& one) {
        return program_.objects[formula_.cells_.cells()[one.cell].object].is_constant;
      });
    Term is_valid = terms_.boolean(false);
    for (const Candidate& one : all)
      is_valid = terms_.or_(is_valid, one.is_it);
    fail_unless(state, is_valid, "the access is to an element of a global", edge.loc);
    return all;
  }
  Term read(const StepState& state, const std::vector<Candidate>& from, unsigned bytes) {
    return formula_.read(state.cells, from, bytes);
  }
  void write(StepState& state, const std::vector<Candidate>& to, Term value, Term when) {
    for (const Candidate& one : to) {
      Term& cell = state.cells[one.cell.index()];
      cell = terms_.ite(terms_.and_(one.is_it, when), value, cell);
    }
  }
  Term updated(program::RmwOp op, Term old, Term operand) {
    using RmwOp = program::RmwOp;
    const auto choose = [&](Op compare) {
      return terms_.ite(terms_.binary(compare, old, operand), old, operand);
    };
    switch (op) {
    case RmwOp::kExchange:
      return operand;
    case RmwOp::kAdd:
      return terms_.binary(Op::kAdd, old, operand);
    case RmwOp::kSub:
      return terms_.binary(Op::kSub, old, operand);
    case RmwOp::kAnd:
      return terms_.binary(Op::kBitAnd, old, operand);
    case RmwOp::kNand:
      return terms_.bit_not(terms_.binary(Op::kBitAnd, old, operand));
    case RmwOp::kOr:
      return terms_.binary(Op::kBitOr, old, operand);
    case RmwOp::kXor:
      return terms_.binary(Op::kBitXor, old, operand);
    case RmwOp::kMin:
      return choose(Op::kSLt);
    case RmwOp::kUMin:
      return choose(Op::kULt);
    case RmwOp::kMax:
      return terms_.ite(terms_.binary(Op::kSLt, old, operand), operand, old);
    case RmwOp::kUMax:
      return terms_.ite(terms_.binary(Op::kULt, old, operand), operand, old);
    }
    HEDDLE_CHECK(false, "no such update");
    return old;
  }
  /// Both near one and the same global.
  Term are_neighbours(Term base, Term result) {
    const program::AddressSpace space = program_.space();
    const unsigned width = terms_.sort(base).width;
    Term holds = terms_.boolean(false);
    for (const program::Object& object : program_.objects) {
      if (!is_global(object))
        continue;
      const Term first = terms_.constant(object.unit << space.unit_shift, width);
      const Term size = terms_.constant(space.units_for(object.size) << space.unit_shift, width);
      const auto is_near = [&](Term address) {
        return terms_.binary(Op::kULt, terms_.binary(Op::kSub, address, first), size);
      };
      holds = terms_.or_(holds, terms_.and_(is_near(base), is_near(result)));
    }
    return holds;
  }

  void act(const Place& place, const StepState& before, const Edge& edge) {
    StepState state = before;
    Place next{edge.to, place.depth, place.has_stepped};
    bool goes_on = true;
    std::visit(
        Overloaded{
            [](const program::Skip&) {},
            [&](const program::Assign& a) { assign(state, a.dest, in(state, a.value)); },
            [&](const program::AssignSequence& sequence) {
              for (const program::Assign& a : sequence.assignments)
                assign(state, a.dest, in(state, a.value));
            },
            [&](const program::Nondet& a) {
              result_.has_choice = true;
              assign(state, a.dest, formula_.fresh(procedure_.locals[a.dest].width));
            },
            [&](const program::Assume& a) {
              state.guard = terms_.and_(state.guard, in(state, a.condition));
            },
            [&](const program::Check& a) {
              const std::size_t known = result_.failures.size();
              fail_unless(state, in(state, a.condition), a.what, edge.loc);
              if (result_.failures.size() != known)
                result_.failures.back().is_stated = program::is_stated_by_program(a.what);
            },
            [&](const program::CheckNeighbourhood& a) {
              fail_unless(state,
                          are_neighbours(in(state, a.base), in(state, a.result)),
                          "the pointer stays with its object",
                          edge.loc);
            },
            [&](const program::Load& a) {
              const auto from = candidates(state, edge, a.address, a.access, false);
              assign(state, a.dest, read(state, from, a.access.size));
              // Globals are written from the start, and no store here makes that undone.
              if (a.marks)
                assign(state, *a.marks, terms_.constant(0, 8));
            },
            [&](const program::Store& a) {
              if (a.marks)
                fail_unless(state,
                            terms_.equal(in(state, *a.marks), terms_.constant(0, 8)),
                            "what is copied has been written",
                            edge.loc);
              const auto to = candidates(state, edge, a.address, a.access, true);
              write(
                  state, to, fitted(in(state, a.value), 8U * a.access.size), terms_.boolean(true));
            },
            [&](const program::LoadExclusive&) { refuse(edge, "an exclusive load"); },
            [&](const program::StoreExclusive&) { refuse(edge, "an exclusive store"); },
            [&](const program::ReadModifyWrite& a) {
              const auto where = candidates(state, edge, a.address, a.access, true);
              const Term old = read(state, where, a.access.size);
              const Term operand = fitted(in(state, a.value), 8U * a.access.size);
              write(state, where, updated(a.op, old, operand), terms_.boolean(true));
              assign(state, a.dest, old);
            },
            [&](const program::CompareExchange& a) {
              const auto where = candidates(state, edge, a.address, a.access, true);
              const unsigned width = 8U * a.access.size;
              const Term old = read(state, where, a.access.size);
              const Term expected = fitted(in(state, a.expected), width);
              const Term desired = fitted(in(state, a.desired), width);
              Term succeeds = terms_.equal(old, expected);
              if (a.weak) {
                result_.has_choice = true;
                succeeds = terms_.and_(succeeds, terms_.to_bool(formula_.fresh(1)));
              }
              write(state, where, desired, succeeds);
              assign(state, a.dest, old);
              assign(state, a.success, succeeds);
            },
            [](const program::Fence&) {},
            [&](const program::Allocate&) { refuse(edge, "memory that is allocated"); },
            [&](const program::Free&) { refuse(edge, "memory that is freed"); },
            [&](const program::BlockSize&) { refuse(edge, "the size of a block"); },
            [&](const program::Call&) {
              refuse(edge, "a call that cannot be followed: a recursive one, or through a pointer");
            },
            [&](const program::Return& a) {
              goes_on = false;
              StepEnd end{LocationId{}, state, {}};
              if (a.value)
                end.returned = in(state, *a.value);
              returns_.push_back(std::move(end));
            },
            [&](const program::Synchronize& a) {
              if (a.op == program::SyncOp::kSelf) {
                if (a.dest)
                  assign(state, *a.dest, terms_.binary(Op::kAdd, self_, terms_.constant(1, 64)));
                return;
              }
              if (a.op == program::SyncOp::kCreate && stop_ == StepFormula::Stop::kCreate) {
                goes_on = false;
                end_at(edge.from, state);
                return;
              }
              refuse(edge, "synchronisation: proofs know accesses to memory only");
            },
            [&](const program::AtomicBegin&) { ++next.depth; },
            [&](const program::AtomicEnd&) {
              --next.depth;
              next.has_stepped = next.has_stepped || next.depth == 0;
            },
            [](const program::Hint&) {},
            [&](const program::ThreadExit&) { goes_on = false; },
            [&](const program::Exit&) { refuse(edge, "the end of the program"); },
            [&](const program::Cut& a) { refuse(edge, "a bound: " + a.bound); },
            [&](const program::Trap& a) { refuse(edge, a.what); },
        },
        edge.action);
    if (goes_on && !refusal_)
      arrive(next, std::move(state), false);
    if (!goes_on && !returns_.empty()) {
      for (StepEnd& end : returns_)
        result_.ends.push_back(std::move(end));
      returns_.clear();
    }
  }

  StepFormula& formula_;
  const Program& program_;
  logic::TermStore& terms_;
  const Procedure& procedure_;
  LocationId from_;
  Term self_;
  StepFormula::Stop stop_;
  std::vector<std::uint32_t> rank_;
  std::map<std::pair<std::uint32_t, Place>, Pending> pending_;
  std::map<LocationId, StepEnd> ends_;
  std::vector<StepEnd> returns_;
  StepResult result_;
  std::size_t actions_ = 0;
  std::optional<Error> refusal_;
};

StepFormula::StepFormula(const Program& program)
    : program_(program), terms_(program.terms), cells_(program), next_fresh_(kFirstSymbol) {
  for (const program::Cell& cell : cells_.cells())
    addresses_.push_back(program.space().base_of(program.objects[cell.object].unit) + cell.offset);
}

Term StepFormula::fresh(unsigned width) {
  return terms_.variable(next_fresh_++, logic::Sort{static_cast<std::uint8_t>(width)});
}

Term StepFormula::fitted(Term term, unsigned width) {
  const unsigned given = terms_.sort(term).width;
  if (given == width)
    return term;
  if (given == 0)
    return fitted(terms_.to_bit(term), width);
  return given < width ? terms_.zero_extend(term, width) : terms_.extract(term, 0, width);
}

Term StepFormula::in(const std::vector<Term>& locals, Term self, Term term) {
  return terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) {
    if (number == program::kSelfVariable)
      return fitted(self, sort.width);
    return number < locals.size() ? locals[number] : Term{};
  });
}

std::vector<StepFormula::Candidate> StepFormula::candidates(const std::vector<Term>& cells,
                                                            Term address,
                                                            const program::Access& access) {
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < cells_.cells().size(); ++i) {
    const CellId id{i};
    const program::Cell& cell = cells_.cells()[id];
    if (cell.size != access.size || !cells[i].is_valid())
      continue;
    if (access.may.is_valid()) {
      const auto& may = program_.object_sets[access.may];
      if (!std::binary_search(may.begin(), may.end(), cell.object))
        continue;
    }
    const Term is_it =
        terms_.equal(address, terms_.constant(addresses_[i], terms_.sort(address).width));
    if (!terms_.is_constant(is_it) || terms_.node(is_it).value != 0)
      all.push_back({id, is_it});
  }
  return all;
}

Term StepFormula::read(const std::vector<Term>& cells,
                       const std::vector<Candidate>& from,
                       unsigned bytes) {
  Term value = terms_.constant(0, 8 * bytes);
  for (auto one = from.rbegin(); one != from.rend(); ++one) {
    const Term cell = cells[one->cell.index()];
    value = one == from.rbegin() ? cell : terms_.ite(one->is_it, cell, value);
  }
  return value;
}

Term StepFormula::value_at(const std::vector<Term>& cells,
                           const std::vector<Term>& locals,
                           Term self,
                           Term address,
                           const program::Access& access) {
  return read(cells, candidates(cells, in(locals, self, address), access), access.size);
}

std::vector<Term> StepFormula::any_cells() {
  std::vector<Term> all = initial_cells();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const program::Cell& cell = cells_.cells()[CellId{i}];
    if (all[i].is_valid() && !program_.objects[cell.object].is_constant)
      all[i] = fresh(static_cast<unsigned>(8 * cell.size));
  }
  return all;
}

std::vector<Term> StepFormula::initial_cells() {
  std::vector<Term> all;
  for (const program::Cell& cell : cells_.cells()) {
    const program::Object& object = program_.objects[cell.object];
    if (!is_global(object) || cell.size > 8) {
      all.emplace_back();
      continue;
    }
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < cell.size; ++i)
      value |= std::uint64_t{object.initial[cell.offset + i]} << (8 * i);
    all.push_back(terms_.constant(value, static_cast<unsigned>(8 * cell.size)));
  }
  return all;
}

std::vector<Term> StepFormula::any_locals(const Procedure& procedure) {
  std::vector<Term> all;
  for (const program::Local& local : procedure.locals)
    all.push_back(fresh(local.width));
  return all;
}

std::vector<Term> StepFormula::zero_locals(const Procedure& procedure) {
  std::vector<Term> all;
  for (const program::Local& local : procedure.locals)
    all.push_back(terms_.constant(0, local.width));
  return all;
}

std::string StepFormula::name(CellId id) const {
  const program::Cell& cell = cells_.cells()[id];
  const program::Object& object = program_.objects[cell.object];
  const ir::PartPath path = ir::part_at(object.parts, cell.offset, cell.size);
  std::string text = object.name + path.text;
  if (path.rest != 0)
    text += fmt::format("+{}", path.rest);
  return text;
}

Result<StepResult> StepFormula::run(
    program::ProcedureId procedure, LocationId from, StepState state, Term self, Stop stop) {
  return StepWalk(*this, program_.procedures[procedure], from, self, stop).run(std::move(state));
}

} // namespace heddle::encode
