// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Writes the one procedure of a sequential program, step by step: private to sequentialize_*.cpp.
#pragma once

#include "program/model/control_flow.h"
#include "program/model/program.h"
#include "transform/sequential/sequentialize.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::transform {

class SequentialWriter {
public:
  explicit SequentialWriter(program::Program& program) : program_(program) {
    end_ = location();
    at_ = location();
    procedure_.entry = at_;
  }

  [[nodiscard]] program::Program& program() { return program_; }
  [[nodiscard]] logic::TermStore& terms() { return program_.terms; }
  [[nodiscard]] program::Procedure& procedure() { return procedure_; }
  [[nodiscard]] const std::vector<SliceOrigin>& origins() const { return origins_; }

  program::LocationId location() { return procedure_.locations.push_back({}); }
  program::LocalId local(std::string name, unsigned width) {
    return procedure_.locals.push_back({std::move(name), static_cast<std::uint8_t>(width), loc_});
  }
  [[nodiscard]] program::Term value(program::LocalId local) {
    return terms().variable(local.value, logic::Sort{procedure_.locals[local].width});
  }

  /// Cut or extended with zeros to the width of the local.
  [[nodiscard]] program::Term fitted(program::Term value, program::LocalId local) {
    const unsigned width = procedure_.locals[local].width;
    const unsigned given = terms().sort(value).width;
    if (given == width)
      return value;
    return given > width ? terms().extract(value, 0, width) : terms().zero_extend(value, width);
  }

  /// Where the next step leaves from. A step of the end of the run goes to `end`.
  [[nodiscard]] program::LocationId at() const { return at_; }
  [[nodiscard]] program::LocationId end() const { return end_; }
  void go_on_at(program::LocationId location) { at_ = location; }
  /// Where the source has what is written next, and what its first step stands for.
  void stand_for(SliceOrigin origin, SourceLoc loc) {
    origin_ = origin;
    loc_ = loc;
  }

  void step_to(program::Action action, program::LocationId to) {
    program::add_edge(procedure_, {at_, to, std::move(action), loc_});
    origins_.push_back(std::exchange(origin_, {}));
    procedure_.locations[at_].loc = loc_;
    at_ = to;
  }
  void step(program::Action action) { step_to(std::move(action), location()); }
  void jump(program::LocationId to) { step_to(program::Skip{}, to); }

  void assign(program::LocalId local, program::Term value) { step(program::Assign{local, value}); }
  void assume(program::Term condition) { step(program::Assume{condition}); }
  /// Goes on where the condition holds; elsewhere control is at `otherwise`.
  void branch(program::Term condition, program::LocationId otherwise) {
    if (terms().is_constant(condition)) {
      const bool holds = terms().node(condition).value != 0;
      step_to(program::Skip{}, holds ? location() : otherwise);
      if (!holds)
        at_ = location(); // where nothing comes
      return;
    }
    const program::LocationId from = at_;
    const SliceOrigin origin = std::exchange(origin_, {});
    step_to(program::Assume{terms().not_(condition), true}, otherwise);
    at_ = from;
    origin_ = origin;
    step(program::Assume{condition, true});
  }
  /// A step that ends the run: a trap, a cut, a check that fails. Who runs threads that may turn
  /// out not to have been there notes it for later.
  void fail(program::Action action) {
    if (on_failure_)
      on_failure_(std::move(action));
    else
      step_to(std::move(action), end_);
  }
  void defer_failures(std::function<void(program::Action)> how) { on_failure_ = std::move(how); }
  /// What is unclear from here on, unless the condition holds.
  void trap_unless(program::Term condition, const std::string& what) {
    if (condition == terms().boolean(true))
      return;
    const program::LocationId bad = location();
    branch(condition, bad);
    const program::LocationId good = std::exchange(at_, bad);
    fail(program::Trap{what, ""});
    at_ = good;
  }
  /// What the procedure returns, if it returns anything.
  program::LocalId call(program::ProcedureId target, std::vector<program::Term> arguments) {
    const program::Procedure& callee = program_.procedures[target];
    program::Call action;
    action.targets = {target};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const unsigned width = callee.locals[callee.parameters[i]].width;
      const unsigned given = terms().sort(arguments[i]).width;
      if (given != width)
        arguments[i] = given < width ? terms().zero_extend(arguments[i], width)
                                     : terms().extract(arguments[i], 0, width);
    }
    action.arguments = std::move(arguments);
    program::LocalId result;
    if (callee.result_width != 0)
      action.dest = result = local("", callee.result_width);
    step(std::move(action));
    return result;
  }

private:
  program::Program& program_;
  program::Procedure procedure_;
  std::vector<SliceOrigin> origins_; // by edge
  program::LocationId at_;
  program::LocationId end_;
  SliceOrigin origin_;
  SourceLoc loc_;
  std::function<void(program::Action)> on_failure_;
};

/// The writer's procedure becomes the only one that runs. Variables of the threads lie where they
/// would in the source, and are there from the start.
void finish_sequential(SequentialWriter& writer,
                       const program::Program& source,
                       const std::vector<SequentialThread>& threads);
/// Where a step leaves what it has read; none if it reads nothing.
[[nodiscard]] program::LocalId read_by(const program::Action& action);

class SequentialMemory;

/// Does the operation give up after some time?

/// Why a thread cannot be detached.
inline constexpr const char* kBadDetach =
    "detach of a thread that is not there, or was joined or detached";

/// What a synchronisation of one thread does to the words of its objects
/// (program/model/sync_layout.h). Where the thread would have to wait, the run is discarded:
/// another one has the thread come later.
class SequentialSync {
public:
  SequentialSync(SequentialWriter& writer, std::uint32_t thread, bool may_be_destroyed)
      : writer_(writer), thread_(thread), may_be_destroyed_(may_be_destroyed) {}
  /// The words are cells of an abstraction. `source` is the action before its locals were renamed;
  /// it is one of that procedure, and atomic if it is not in an atomic section already.
  SequentialSync(SequentialWriter& writer,
                 std::uint32_t thread,
                 SequentialMemory& memory,
                 program::ProcedureId procedure,
                 const program::Synchronize& source,
                 bool is_in_section,
                 bool may_be_destroyed)
      : writer_(writer), thread_(thread), memory_(&memory), procedure_(procedure), source_(&source),
        is_in_section_(is_in_section), may_be_destroyed_(may_be_destroyed) {}

  /// Of a wait that has two parts.
  struct Inside {
    program::LocationId stop = {};   // the label between them
    program::LocationId resume = {}; // where the label leads
    program::LocalId kept = {};      // 32 bits, from the first part to the second
    SliceOrigin rest = {};
    SourceLoc loc = {};
  };
  /// All but threads' own operations. The action's locals are the writer's.
  void write(const program::Synchronize& action, const Inside& inside);

private:
  using Term = program::Term;
  struct Mutex {
    Term owner;
    Term depth;
    Term is_free;
    Term is_mine;
    Term is_recursive;
    Term is_checking;
  };
  [[nodiscard]] logic::TermStore& terms() { return writer_.terms(); }
  [[nodiscard]] Term number(std::uint64_t value) { return terms().constant(value, 32); }
  [[nodiscard]] Term self() { return number(thread_ + 1ULL); }
  [[nodiscard]] Term source_operand(Term operand) const;
  void begin();
  void end();
  [[nodiscard]] bool is_plain() const; // all mutexes are
  [[nodiscard]] bool write_simply(const program::Synchronize& action);
  void write_words(const program::Synchronize& action, const Inside& inside);
  [[nodiscard]] Term word(Term object, std::uint64_t offset);
  /// The first word of a lock: a trap where nobody has written it, or the lock was destroyed. Of a
  /// condition, and where a mutex is destroyed, it need not have been written.
  [[nodiscard]] Term first_word(Term object, bool needs_init = true);
  [[nodiscard]] bool may_be_unwritten() const;
  void touch_condition(const program::Synchronize& action);
  void set_word(Term object, std::uint64_t offset, Term value);
  [[nodiscard]] Term address(Term object, std::uint64_t offset);
  /// Does time run out? Asked before anything is touched.
  [[nodiscard]] Term is_late();
  [[nodiscard]] Mutex read_mutex(Term mutex, bool is_spin);
  void give(const program::Synchronize& action, Term value);
  void give(const program::Synchronize& action, std::uint64_t value) {
    give(action, number(value));
  }
  void lock(const program::Synchronize& action);
  [[nodiscard]] Term unlock(Term mutex, bool is_spin);
  void read_write_lock(const program::Synchronize& action);
  void read_write_unlock(const program::Synchronize& action);
  void wait(const program::Synchronize& action, const Inside& inside);
  void stop(const Inside& inside);
  void semaphore(const program::Synchronize& action);
  void barrier(const program::Synchronize& action, const Inside& inside);
  void once(const program::Synchronize& action);

  SequentialWriter& writer_;
  std::uint32_t thread_;
  SequentialMemory* memory_ = nullptr; // none: the words are the program's own memory
  program::ProcedureId procedure_ = {};
  const program::Synchronize* source_ = nullptr;
  bool is_in_section_ = false;
  bool may_be_destroyed_ = false;                // some lock of the program
  const program::Synchronize* action_ = nullptr; // that is being written
  Term late_ = {};                               // whether time runs out, once asked
};

} // namespace heddle::transform
