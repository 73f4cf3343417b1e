// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lazy sequentialization (O. Inverso et al., CAV 2014; E. Tomasco, PhD thesis, Southampton 2017,
// section 2.6.2.2): a concurrent program whose loops and calls are gone becomes one thread that
// runs the others in turn, round after round, each from where it stopped to a place that is
// guessed. Memory is never guessed, and what a thread computed stays in its locals, so that every
// run of the result is a run of the source.
//
// The places where a thread can stop are labelled 0, 1, … in a topological order of its automaton;
// a thread that is entered hops from label to label until it is where it stopped before.
#pragma once

#include "memory/model.h"
#include "program/model/program.h"
#include "program/run/interpreter.h"
#include "support/result.h"
#include "transform/basic/transform.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::transform {

struct Abstraction;

struct LazyOptions {
  std::uint32_t rounds = 2; // a run that needs more is cut, and the verdict says so
  /// What shared memory is (sma.h), and the machine whose runs it has. Without one memory is the
  /// program's own, and the program is one for SC.
  std::shared_ptr<const Abstraction> abstraction = {};
  memory::MachineKind machine = memory::MachineKind::kSequential;
  /// Final values of globals are asked for: the cells are written back in the end.
  bool observes = false;
  /// Memory safety is asked for: locals must not outlive their threads unnoticed.
  bool checks_memory = false;
  /// The engine asks a solver: threads over an abstraction may run ahead of their slices, on
  /// guesses of what they read (run_ahead.h).
  bool guesses = false;
  /// How runs are replayed: which steps a schedule speaks of depends on it.
  program::InterpreterOptions replay = {};
};

/// For programs under SC without calls and loops (inline, unroll). Keeps assertions, error calls
/// and overflow; where memory is the program's own also that accesses and frees are valid.
[[nodiscard]] std::unique_ptr<Transform> sequentialize_lazily(const LazyOptions& options);

/// Eager sequentialization (Tomasco 2017, section 2.6.2.1): each thread runs once, where it is
/// created, against a history of memory that a thread-asynchronous abstraction has guessed. What a
/// thread finds out counts only at the end, when all guesses have turned out to be right. Same
/// programs, same properties.
struct EagerOptions {
  std::shared_ptr<const Abstraction> abstraction = {};
  memory::MachineKind machine = memory::MachineKind::kSequential;
  bool observes = false;
  program::InterpreterOptions replay = {};
};
[[nodiscard]] std::unique_ptr<Transform> sequentialize_eagerly(const EagerOptions& options);

/// What an abstraction has to be made for.
struct AbstractionSizes {
  std::uint32_t threads = 1;
  std::uint32_t cells = 1;
  std::uint64_t first_unit = 0; // where its globals begin
};
[[nodiscard]] Result<AbstractionSizes> measure_for_abstraction(const program::Program& program);

/// A thread the program can have: one per place that creates it, and function that may be started
/// there.
struct SequentialThread {
  program::ProcedureId procedure;
  /// Where it is created: a thread before it in the list, and the edge. None for the first.
  std::optional<std::uint32_t> creator = {};
  std::uint32_t edge = 0;
};
[[nodiscard]] Result<std::vector<SequentialThread>> find_threads(const program::Program& program);
/// The code of the error of a lift that needs more threads at a time than a run has: nothing is
/// known of the schedule then.
inline constexpr std::string_view kLiftLacksRoom = "SEQ-019";
[[nodiscard]] Error lift_lacks_room();

/// Where a thread can stop: before the edge that leaves the location, or in the middle of it (a
/// wait on a condition, for the mutex; at a barrier, for the others).
struct SliceLabel {
  program::LocationId location;
  bool is_inside = false;
};
class ForeignWrites;
/// Of one of the threads, in the order of their numbers; the first is the procedure's entry.
[[nodiscard]] Result<std::vector<SliceLabel>>
find_labels(const program::Program& program,
            const std::vector<SequentialThread>& threads,
            std::uint32_t thread,
            const ForeignWrites& foreign);

/// A local in memory, or a thread-local variable, that somebody may still know when its procedure
/// or thread is over: the sequential program does not notice its end.
struct OutlivedLocal {
  program::ObjectId object;
  program::ProcedureId procedure; // a thread's; none for a thread-local variable
};
[[nodiscard]] std::optional<OutlivedLocal>
find_outlived_local(const program::Program& program, const std::vector<SequentialThread>& threads);
/// What is assumed because of that.
[[nodiscard]] Approximations assumed_of_locals(const program::Program& program,
                                               const std::vector<SequentialThread>& threads);

/// What an edge of the sequential program stands for.
struct SliceOrigin {
  enum class Kind : std::uint8_t {
    kNone,  // of the schedule, or a further step of what another edge stands for
    kStep,  // the edge of the thread, with the choice that is taken here, if there is one
    kTimed, // the same; the choice is whether time runs out
    kRest,  // the rest of what began before the label inside the edge
    kDone,  // the edge has been taken; the locals tell what it read, and when
  };
  Kind kind = Kind::kNone;
  std::uint32_t thread = 0;
  std::uint32_t edge = 0;
  program::LocalId value = {}; // kDone; none if nothing was read
  program::LocalId time = {};  // kDone; none if the order of the steps says it
};

/// Of the locations that are reached; nothing if there is a cycle.
[[nodiscard]] std::optional<std::vector<program::LocationId>>
topological_order(const program::Procedure& procedure);

/// How many atomic sections are open at each location; none where it is not reached.
[[nodiscard]] Result<std::vector<std::optional<unsigned>>>
find_sections(const program::Program& program, program::ProcedureId procedure);

} // namespace heddle::transform
