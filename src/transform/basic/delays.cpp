// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A lock that is taken is often tried again after a while, and the while grows:
//
//     for (i = 0; i < pause; ++i) ;      pause <<= pause < limit;
//
// Iterations that try differ in `pause` then, and are no idling; the loop inside is cut by bounds.
// But its locals decide on nothing other than how long the thread is silent, which no model knows.
// A piece of the automaton with one entry and one exit that only computes locals, none of them
// strongly live at the exit, and that always ends, is the same as going to the exit at once. (What
// such pieces read to decide on their own way counts for nothing, if all of them go: `pause <
// limit` above.) Every run of the program with it is one without it, up to invisible steps and dead
// locals, and the other way round. Without it, `pause` is read by what computes `pause` alone, and
// is dead as well.
//
// A loop ends if it has one way around, and it goes on only where a local that each iteration moves
// by one is (in the machine's numbers, so that it cannot step over) less or greater than something
// that the loop leaves alone, or different from it. What is checked on the way (overflow, division)
// is no computation, so that nothing is taken out that could fail.
//
// Under a model that asks what a value was computed from, a branch is a dependency of all that
// follows, whatever it decides. There nothing is taken out (idle.cpp).
#include "transform/basic/delays.h"

#include "program/analyse/liveness.h"
#include "program/model/control_flow.h"
#include "transform/basic/rewrite.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace heddle::transform {

namespace {

using namespace program; // NOLINT: most of what is named here is from there

/// Steps on one arm of a branch that is looked at.
constexpr unsigned kLongestArm = 64;

bool only_computes(const Action& action) {
  if (const auto* assume = std::get_if<Assume>(&action))
    return assume->is_branch;
  return std::holds_alternative<Assign>(action) || std::holds_alternative<AssignSequence>(action) ||
         std::holds_alternative<Skip>(action);
}

class Delays {
public:
  Delays(Program& program, Procedure& procedure, const spec::Bounds& bounds)
      : program_(program), terms_(program.terms), procedure_(procedure), bounds_(bounds) {}

  void run() {
    while (true) {
      std::vector<Piece> pieces = find_pieces();
      prune(pieces);
      if (pieces.empty())
        return;
      for (const Piece& piece : pieces)
        lead(piece.entry, piece.exit);
      tidy(procedure_);
    }
  }

private:
  /// The edges of the one way around, in order, and where the loop is left.
  struct Way {
    std::vector<std::uint32_t> edges = {};
    LocationId exit = {};
  };

  /// What may be taken out.
  struct Piece {
    LocationId entry;
    LocationId exit;
    std::vector<std::uint32_t> edges = {}; // all of it
  };

  void lead(LocationId from, LocationId to) {
    const SourceLoc loc = procedure_.locations[from].loc;
    procedure_.locations[from].out.clear();
    add_edge(procedure_, Edge{from, to, Skip{}, loc});
  }

  [[nodiscard]] std::vector<Piece> find_pieces() {
    std::vector<Piece> pieces;
    const std::vector<Loop> loops = find_loops(procedure_);
    if (loops.empty())
      return pieces;
    for (const Loop& loop : loops)
      if (std::optional<Way> way = find_way(loop); way && !is_named(*way) && ends(*way)) {
        Piece piece{loop.head, way->exit};
        for (const std::uint32_t index : way->edges)
          for (const std::uint32_t out : procedure_.locations[procedure_.edges[index].from].out)
            piece.edges.push_back(out);
        pieces.push_back(std::move(piece));
      }
    for (std::size_t i = 0; i < procedure_.locations.size(); ++i)
      if (const LocationId at{i}; procedure_.locations[at].out.size() == 2)
        if (std::optional<Piece> piece = find_arms(at))
          pieces.push_back(std::move(*piece));
    return pieces;
  }

  /// Leaves those of which nothing depends, where what they decide on themselves is gone with them:
  /// a pause may be read to compute the next one.
  void prune(std::vector<Piece>& pieces) const {
    for (std::size_t before = pieces.size() + 1; before != pieces.size() && !pieces.empty();) {
      before = pieces.size();
      Procedure without = procedure_;
      for (const Piece& piece : pieces)
        for (const std::uint32_t index : piece.edges)
          if (std::holds_alternative<Assume>(without.edges[index].action))
            without.edges[index].action = Skip{};
      const std::vector<std::vector<bool>> live = live_locals(program_, without, Liveness::kStrong);
      std::erase_if(pieces, [&](const Piece& piece) {
        return std::ranges::any_of(piece.edges, [&](std::uint32_t index) {
          const LocalUse use = local_use(terms_, procedure_.edges[index].action);
          return std::ranges::any_of(
              use.writes, [&](std::uint32_t local) { return live[piece.exit.index()][local]; });
        });
      });
    }
  }

  // Loops.

  [[nodiscard]] bool is_named(const Way& way) const {
    return std::ranges::any_of(bounds_.loops, [&](const spec::LoopBound& bound) {
      return std::ranges::any_of(way.edges, [&](std::uint32_t index) {
        const Edge& edge = procedure_.edges[index];
        return is_at(program_, edge.loc, bound) ||
               is_at(program_, procedure_.locations[edge.from].loc, bound);
      });
    });
  }

  [[nodiscard]] std::optional<Way> find_way(const Loop& loop) const {
    Way way;
    for (LocationId at = loop.head;;) {
      std::optional<std::uint32_t> next;
      for (const std::uint32_t index : procedure_.locations[at].out) {
        const Edge& edge = procedure_.edges[index];
        if (!only_computes(edge.action) || !edge.to.is_valid())
          return std::nullopt;
        if (!loop.body[edge.to.index()]) {
          if (way.exit.is_valid() && way.exit != edge.to)
            return std::nullopt;
          way.exit = edge.to;
        } else if (next) {
          return std::nullopt;
        } else {
          next = index;
        }
      }
      if (!next || way.edges.size() > procedure_.locations.size())
        return std::nullopt;
      way.edges.push_back(*next);
      at = procedure_.edges[*next].to;
      if (at == loop.head)
        return way.exit.is_valid() ? std::optional(std::move(way)) : std::nullopt;
    }
  }

  /// An iteration, over the values at the head.
  struct Iteration {
    std::map<std::uint64_t, Term> values = {}; // by local, after it; of the others they stay
    std::vector<Term> conditions = {};         // under which the thread comes around
  };
  [[nodiscard]] Iteration go_around(const Way& way) {
    Iteration made;
    const auto now = [&](Term term) {
      return terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) {
        const auto known = made.values.find(number);
        return known == made.values.end() ? terms_.variable(number, sort) : known->second;
      });
    };
    const auto assign = [&](const Assign& one) { made.values[one.dest.value] = now(one.value); };
    for (const std::uint32_t index : way.edges) {
      const Action& action = procedure_.edges[index].action;
      if (const auto* one = std::get_if<Assign>(&action))
        assign(*one);
      else if (const auto* sequence = std::get_if<AssignSequence>(&action))
        std::ranges::for_each(sequence->assignments, assign);
      else if (const auto* assume = std::get_if<Assume>(&action))
        made.conditions.push_back(now(assume->condition));
    }
    return made;
  }

  [[nodiscard]] Term at_head(std::uint64_t local) {
    return terms_.variable(local, logic::Sort{procedure_.locals[LocalId{local}].width});
  }
  [[nodiscard]] bool is_left_alone(const Iteration& iteration, Term term) {
    return std::ranges::all_of(terms_.variables(term), [&](std::uint64_t local) {
      const auto next = iteration.values.find(local);
      return next == iteration.values.end() || next->second == at_head(local);
    });
  }

  /// A constant of the sum, and the rest, if it is a sum of two with one.
  struct Sum {
    Term rest;
    std::uint64_t constant = 0;
  };
  [[nodiscard]] Sum sum_of(Term term) const {
    const logic::Node& node = terms_.node(term);
    const std::span<const Term> arguments = terms_.arguments(term);
    const std::uint64_t mask = logic::mask_of(node.sort.width);
    if ((node.op == logic::Op::kAdd || node.op == logic::Op::kSub) && arguments.size() == 2) {
      if (terms_.is_constant(arguments[1])) {
        const std::uint64_t by = terms_.node(arguments[1]).value;
        return {arguments[0], (node.op == logic::Op::kAdd ? by : 0 - by) & mask};
      }
      if (node.op == logic::Op::kAdd && terms_.is_constant(arguments[0]))
        return {arguments[1], terms_.node(arguments[0]).value};
    }
    return {term, 0};
  }
  /// 1 or -1: by how much each iteration moves the term, a local with or without a constant. 0: not
  /// known.
  [[nodiscard]] int step_of(const Iteration& iteration, Term term) const {
    const Term counter = sum_of(term).rest;
    if (terms_.node(counter).op != logic::Op::kVariable)
      return 0;
    const auto next = iteration.values.find(terms_.node(counter).value);
    if (next == iteration.values.end())
      return 0;
    const Sum moved = sum_of(next->second);
    if (moved.rest != counter || moved.constant == 0)
      return 0;
    if (moved.constant == 1)
      return 1;
    return moved.constant == logic::mask_of(terms_.node(counter).sort.width) ? -1 : 0;
  }

  /// (c ? a : b) = a is c: a truth value in a register.
  struct Chosen {
    Term condition;
    bool is_first = true;
  };
  [[nodiscard]] std::optional<Chosen> chosen_by(Term condition) const {
    if (terms_.node(condition).op != logic::Op::kEqual)
      return std::nullopt;
    for (const std::size_t side : {0U, 1U}) {
      const Term choice = terms_.arguments(condition)[side];
      const Term wanted = terms_.arguments(condition)[1 - side];
      if (terms_.node(choice).op != logic::Op::kIte || !terms_.is_constant(wanted))
        continue;
      const std::span<const Term> parts = terms_.arguments(choice);
      if (terms_.is_constant(parts[1]) && terms_.is_constant(parts[2]) && parts[1] != parts[2] &&
          (parts[1] == wanted || parts[2] == wanted))
        return Chosen{parts[0], parts[1] == wanted};
    }
    return std::nullopt;
  }

  /// Does the condition fail at last?
  [[nodiscard]] bool fails_at_last(const Iteration& iteration, Term condition) {
    bool holds = true;
    for (bool changes = true; changes;) {
      changes = false;
      if (terms_.node(condition).op == logic::Op::kNot) {
        condition = terms_.arguments(condition)[0];
        holds = !holds;
        changes = true;
      } else if (const std::optional<Chosen> chosen = chosen_by(condition)) {
        condition = chosen->condition;
        holds = holds == chosen->is_first;
        changes = true;
      }
    }
    const logic::Op op = terms_.node(condition).op;
    const std::vector<Term> arguments(terms_.arguments(condition).begin(),
                                      terms_.arguments(condition).end());
    const bool is_less = op == logic::Op::kULt || op == logic::Op::kSLt;
    const bool is_at_most = op == logic::Op::kULe || op == logic::Op::kSLe;
    if (op == logic::Op::kAnd && holds)
      return std::ranges::any_of(arguments,
                                 [&](Term part) { return fails_at_last(iteration, part); });
    if (op == logic::Op::kEqual && !holds)
      return (step_of(iteration, arguments[0]) != 0 && is_left_alone(iteration, arguments[1])) ||
             (step_of(iteration, arguments[1]) != 0 && is_left_alone(iteration, arguments[0]));
    // not (b <= a) is a < b.
    if (!(is_less && holds) && !(is_at_most && !holds))
      return false;
    const Term less = arguments[is_less ? 0 : 1];
    const Term more = arguments[is_less ? 1 : 0];
    return (step_of(iteration, less) == 1 && is_left_alone(iteration, more)) ||
           (step_of(iteration, more) == -1 && is_left_alone(iteration, less));
  }

  [[nodiscard]] bool ends(const Way& way) {
    const Iteration iteration = go_around(way);
    return std::ranges::any_of(iteration.conditions,
                               [&](Term condition) { return fails_at_last(iteration, condition); });
  }

  // Branches.

  /// Two arms that only compute, up to where they meet.
  [[nodiscard]] std::optional<Piece> find_arms(LocationId branch) const {
    const std::vector<LocationId> first = arm(branch, 0);
    const std::vector<LocationId> second = arm(branch, 1);
    for (const LocationId end : first)
      if (std::ranges::find(second, end) != second.end() && end != branch) {
        Piece piece{branch, end};
        for (const std::size_t which : {0U, 1U})
          add_edges(branch, which, end, piece.edges);
        return piece;
      }
    return std::nullopt;
  }

  /// The locations that the arm comes through, one after the other, as long as it only computes.
  [[nodiscard]] std::vector<LocationId> arm(LocationId branch, std::size_t which) const {
    std::vector<LocationId> through;
    const Edge* edge = &procedure_.edges[procedure_.locations[branch].out[which]];
    while (only_computes(edge->action) && edge->to.is_valid() && through.size() < kLongestArm) {
      through.push_back(edge->to);
      if (edge->to == branch || procedure_.locations[edge->to].out.size() != 1)
        break;
      edge = &procedure_.edges[procedure_.locations[edge->to].out[0]];
    }
    return through;
  }
  void add_edges(LocationId branch,
                 std::size_t which,
                 LocationId end,
                 std::vector<std::uint32_t>& edges) const {
    std::uint32_t index = procedure_.locations[branch].out[which];
    for (;;) {
      edges.push_back(index);
      if (procedure_.edges[index].to == end)
        return;
      index = procedure_.locations[procedure_.edges[index].to].out[0];
    }
  }

  const Program& program_;
  logic::TermStore& terms_;
  Procedure& procedure_;
  const spec::Bounds& bounds_;
};

} // namespace

void drop_delays(Program& program, Procedure& procedure, const spec::Bounds& bounds) {
  Delays(program, procedure, bounds).run();
}

} // namespace heddle::transform
