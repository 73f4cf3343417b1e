// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program with one thread, walked once in the order of its control flow, with loops and calls
// followed up to their bounds: guarded single assignment (E. Clarke, D. Kroening, F. Lerda, TACAS
// 2004) with paths merged where they meet (paths.h). Locals and memory hold terms over what is
// chosen; what comes out are the conditions under which something of interest is reached. Nothing
// is asserted: whatever is assumed narrows the guard of what follows, so that all formulas are
// definitions and a solver can be kept when the bounds grow.
//
// Memory is one term for each piece of an object that accesses agree on
// (program/events/event_pieces.h). An access through a computed address goes to one of the pieces
// its address can be (value_sets.h). Each block has a place of its own; freed memory is not used
// again.
#pragma once

#include "engine/bounded/comparisons.h"
#include "engine/bounded/flow.h"
#include "engine/bounded/paths.h"
#include "engine/bounded/symbols.h"
#include "engine/bounded/value_sets.h"
#include "program/events/event_pieces.h"
#include "program/model/fault.h"
#include "program/model/program.h"
#include "spec/task.h"
#include "support/budget.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::engine::bounded {

using program::LocalId;
using program::LocationId;
using program::ObjectId;
using program::ProcedureId;

/// The most places one access may go to.
inline constexpr std::size_t kMostPlaces = 1U << 12U;

/// A loop by its head; recursion by the procedure, without a location.
struct BoundedPlace {
  ProcedureId procedure;
  LocationId head = {};
  auto operator<=>(const BoundedPlace&) const = default;
};

struct Goal {
  enum class Kind : std::uint8_t {
    kViolation,
    kUndefined, // undefined behaviour that is not asked for
    kTrap,      // something unsupported
    kCut,
    kLeft,  // memory that was not freed at the end
    kUnfit, // a number that has more bits than are followed
  };
  Kind kind = Kind::kViolation;
  Term reached; // Bool
  program::FaultKind fault = program::FaultKind::kNone;
  std::string text = {};
  SourceLoc loc = {};
  std::optional<BoundedPlace> bound = {}; // kCut: what would have to grow
};

/// A value that was chosen, in the order in which a run chooses.
struct Decision {
  Term guard;
  Term value;
  ProcedureId procedure;
  std::uint32_t edge = 0;
};

struct WalkOptions {
  spec::Property property = spec::Property::kReach;
  /// How often a loop is repeated, or a procedure calls itself; 0: as often as it wants.
  std::function<std::uint64_t(const BoundedPlace& place)> bound;
  /// Loops whose conditions are constants are followed beyond their bounds.
  bool counts_freely = false;
  /// Numbers are only followed as far as they are of so many bits, with sign; 0: all.
  unsigned bits = 0;
  /// Loops are shown to keep the property by induction over so many turns; 0: they are unrolled.
  unsigned induction = 0;
  const Budget* budget = nullptr;
};

struct Walked {
  std::vector<Goal> goals;
  std::vector<Decision> decisions;
  Approximations approximations = {};
  std::uint64_t steps = 0;
};

/// Bits of a number.
struct AddressBits {
  unsigned low = 0;
  unsigned count = 1;
  [[nodiscard]] std::uint64_t of(std::uint64_t value) const {
    return value >> low & logic::mask_of(count);
  }
};

class Walker {
public:
  /// All outlive it. The terms begin with those of the program.
  Walker(const program::Program& program,
         const program::AccessPieces& pieces,
         const std::vector<std::vector<FlowElement>>& flows,
         logic::TermStore& terms,
         Symbols& symbols,
         const WalkOptions& options);
  [[nodiscard]] Result<Walked> run();

private:
  struct OpenLoop {
    const FlowElement* loop = nullptr;
    std::uint64_t bound = 0;
    std::uint64_t turn = 0;
    bool has_branched = false; // in this turn
    bool is_counting = false;  // the first branch of this turn was decided by constants
    [[nodiscard]] bool is_exhausted() const { return bound != 0 && turn >= bound && !is_counting; }
  };
  struct Block {
    std::uint64_t address = 0;
    std::uint64_t size = 0; // or, if it is not constant, a bound on it
    Term length = {};       // if it is not constant
    bool is_zeroed = false;
    ObjectId site;
    Term allocated = {}; // the guard
  };
  struct Frame {
    ProcedureId procedure;
    IdVector<LocationId, std::vector<Path>> incoming = {};
    std::vector<Path> returns = {};
    std::vector<OpenLoop> loops = {};
    std::vector<std::size_t> blocks = {}; // into blocks_
  };
  struct Cell {
    std::uint64_t address = 0;
    std::uint8_t size = 0;
    Term initial = {};
    bool is_unwritten = false; // at first
  };
  struct Span {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    Term length = {};
    ObjectId object;
  };

  // Control flow (walk.cpp).
  Status walk(ProcedureId procedure, TermTables::Root locals);
  Status walk_elements(const std::vector<FlowElement>& elements);
  Status walk_loop(const FlowElement& loop);
  Status turn(const FlowElement& loop);
  Status visit(LocationId location);
  Status leave(LocationId location);
  void branch(LocationId location);
  void go_to(LocationId to);
  [[nodiscard]] OpenLoop* exhausted(LocationId to);
  void cut_loop(const OpenLoop& open, Term guard);
  Status call(const program::Call& action);
  [[nodiscard]] std::size_t depth_of(ProcedureId procedure) const;
  [[nodiscard]] const program::Procedure& procedure() const;
  [[nodiscard]] Paths::Defaults defaults();
  [[nodiscard]] Path merge(std::vector<Path> paths) {
    return paths_.merge(std::move(paths), defaults());
  }

  // Induction (walk_induction.cpp).
  Status walk_by_induction(const FlowElement& loop);
  [[nodiscard]] bool forget_written(const FlowElement& loop);

  // Actions (walk_actions.cpp).
  Status act(const program::Edge& edge);
  [[nodiscard]] std::uint64_t what() const;
  [[nodiscard]] Term evaluate(Term term);
  [[nodiscard]] Term condition(Term term) { return comparisons_.inside_choices(evaluate(term)); }
  [[nodiscard]] Term local(LocalId local);
  void assign(LocalId local, Term value);
  [[nodiscard]] Term choose(unsigned width, std::uint64_t which = 0);
  void decide(Term guard, Term value);
  void nondet(const program::Nondet& action, LocationId next);
  [[nodiscard]] std::optional<std::uint64_t>
  assumed_limit(LocationId next, Term variable, LocalId dest);
  [[nodiscard]] Term fitted(Term value, bool counts = true);
  void check_guess(Term condition);
  void narrow(Term holds) { paths_.narrow(path_, holds); }
  void check(Term holds, program::FaultKind fault, const std::string& what);
  void add_goal(Goal goal);
  void stop(Goal::Kind kind, program::FaultKind fault, const std::string& what);
  void trap_unless(Term holds, const std::string& what);
  void check_neighbourhood(const program::CheckNeighbourhood& action);
  void synchronize(const program::Synchronize& action);
  void end_run();
  [[nodiscard]] Term guard() { return paths_.guard(path_); }
  [[nodiscard]] bool is_dead() const { return paths_.is_dead(path_); }
  [[nodiscard]] bool is_true(Term term) const;
  [[nodiscard]] bool is_false(Term term) const;
  [[nodiscard]] Term widened(Term term, unsigned width);

  // Memory (walk_memory.cpp).
  [[nodiscard]] std::uint32_t cell_at(std::uint64_t address, std::uint8_t size);
  [[nodiscard]] Term initial_of(std::uint32_t cell);
  [[nodiscard]] Term cell_value(std::uint32_t cell);
  [[nodiscard]] Term is_written(std::uint32_t cell);
  [[nodiscard]] Term written_at_first(std::uint32_t cell);
  void set_cell(std::uint32_t cell, Term value);
  void set_written(std::uint32_t cell, Term value);
  /// Where the access may go; nothing if it was stopped.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>>
  places_of(const program::AccessPlace& place, Term address);
  struct Seen {
    Term value;
    Term marks; // 8 bits: the bytes that nobody has written
    bool may_be_unwritten = false;
  };
  [[nodiscard]] std::optional<Seen> read(const program::AccessPlace& place, Term address);
  void write(const program::AccessPlace& place, Term address, Term value, Term marks);
  [[nodiscard]] Term low_bits(Term term, unsigned width, unsigned depth);
  /// The bits of an address that tell the values it can have apart; no term if there is only one.
  struct Index {
    AddressBits bits;
    Term term = {};
  };
  [[nodiscard]] Index index_of(Term address, const std::vector<std::uint64_t>& values);
  [[nodiscard]] Term is_at(const Index& index, std::uint64_t value);
  [[nodiscard]] Term selected(Term index, std::vector<std::pair<std::uint64_t, Term>> values);
  void take_unwritten(const program::AccessPlace& place, Term address, const Seen& seen);
  void load(const program::Load& action);
  void store(const program::Store& action);
  void read_modify_write(const program::ReadModifyWrite& action);
  void compare_exchange(const program::CompareExchange& action);

  // Blocks (walk_blocks.cpp).
  [[nodiscard]] std::vector<Span> spans_of(ObjectId object) const;
  [[nodiscard]] std::vector<Span> spans_of(const program::AccessPlace& place, bool writes) const;
  [[nodiscard]] bool may_end(ObjectId object) const;
  [[nodiscard]] std::uint32_t ended_cell(std::uint64_t block);
  [[nodiscard]] Term is_inside(const Span& span, Term address, std::uint64_t size);
  void judge(const program::AccessPlace& place, Term address, std::uint64_t size, bool writes);
  [[nodiscard]] Term good_values(const std::vector<Span>& spans,
                                 Term address,
                                 const std::vector<std::uint64_t>& values,
                                 std::uint64_t size);
  void allocate(const program::Allocate& action);
  void free_block(const program::Free& action);
  void block_size(const program::BlockSize& action);
  void end_frame();

  const program::Program& program_;
  const program::AccessPieces& pieces_;
  const std::vector<std::vector<FlowElement>>& flows_; // by procedure
  logic::TermStore& terms_;
  Symbols& symbols_;
  const WalkOptions& options_;
  ValueSets sets_;
  Comparisons comparisons_;
  Paths paths_;
  Path path_;
  std::vector<Frame> frames_;
  Symbols::Context context_ = Symbols::kOutermost;
  const program::Edge* edge_ = nullptr;
  std::uint32_t edge_index_ = 0;
  std::vector<Block> blocks_;
  std::map<ObjectId, std::vector<std::size_t>> blocks_of_; // by site
  std::vector<Cell> cells_;
  std::map<std::uint64_t, std::uint32_t> cell_of_; // by address
  std::map<std::pair<Term, unsigned>, Term> low_bits_;
  bool has_frees_ = false; // the program frees something
  bool has_freed_ = false;
  bool allocates_late_ = false;
  bool is_assuming_ = false; // checks are assumed to hold: by induction
  std::optional<Error> error_;
  Walked result_;
};

} // namespace heddle::engine::bounded
