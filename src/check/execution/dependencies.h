// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What was computed from what was read, followed along the concrete steps of each thread: the
// reads behind every local and private byte, and those that branches have looked at. Locals are
// kept as terms over what was read, so that what cancels out (q = r; q ^ r) is no dependency. In C
// a branch decides only what lies between it and the place where its arms meet again, in assembly
// everything that follows. Of C that is compiled, a branch also chooses what comes out different
// where the arms meet: that is found by going the other ways, too (other_way.h), so that less may
// be found here than depends by the text, but never more.
#pragma once

#include "check/execution/other_way.h"
#include "program/events/event_set.h"
#include "program/run/interpreter.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heddle::check {

/// Events of an execution, sorted, each once.
using Reads = std::vector<std::size_t>;
[[nodiscard]] Reads together(const Reads& a, const Reads& b);

/// Where a value comes from: what it was computed from, and what only chose it.
struct Origins {
  Reads from = {};
  Reads chosen = {};
};
[[nodiscard]] Origins together(const Origins& a, const Origins& b);

class Dependencies {
public:
  using Merges = program::EventSetOptions::Merges;
  /// The program and the interpreter outlive it.
  Dependencies(const program::Program& program,
               const program::Interpreter& interpreter,
               bool control_ends_at_join,
               Merges merges)
      : program_(program), interpreter_(interpreter), terms_(program.terms),
        control_ends_at_join_(control_ends_at_join), merges_(merges) {}

  [[nodiscard]] Merges merges() const { return merges_; }
  void start(program::ThreadIndex thread);
  /// Of a term over the locals of the innermost frame.
  [[nodiscard]] Origins of(program::ThreadIndex thread, program::Term term);
  /// What the branch looks at at which the thread stands.
  [[nodiscard]] Reads of_branch(program::ThreadIndex thread, const program::State& state);
  /// What decides that the thread is where it is.
  [[nodiscard]] Reads control(program::ThreadIndex thread) const;
  void assign(program::ThreadIndex thread, program::LocalId local, Origins origins);
  /// It is about to be given another value.
  void forget_value(program::ThreadIndex thread, program::LocalId local);
  /// What chose what the thread reads in memory that others see.
  [[nodiscard]] Reads
  chosen_at(program::ThreadIndex thread, std::uint64_t address, unsigned size) const;
  /// The thread writes there.
  void
  write(program::ThreadIndex thread, std::uint64_t address, unsigned size, const Reads& chosen);

  /// The thread is about to take a step that has no event.
  void
  before(program::ThreadIndex thread, const program::State& state, const program::Request& request);
  /// It stands there now, after any step.
  void arrive(program::ThreadIndex thread, const program::State& state);

private:
  struct Decided {
    Reads reads;
    program::LocationId until; // none: to the end of the frame
    std::vector<OtherWay> others = {};
  };
  /// The origins of a value, and the value as a term over symbols, if it has one yet.
  struct Known {
    Origins origins = {};
    program::Term term = {};
    unsigned depth = 0; // steps that made the term
  };
  struct Stored {
    unsigned size = 0;
    Known known;
  };
  struct Frame {
    std::map<program::LocalId, Known> locals;
    std::vector<Decided> decided;
  };
  struct Thread {
    std::vector<Frame> frames;                   // innermost last
    Reads lasting;                               // what decides about all that follows
    std::map<std::uint64_t, Reads> chosen_bytes; // of memory that others see
  };
  void choose(program::ThreadIndex thread, const program::State& state, const Decided& decided);
  [[nodiscard]] program::LocationId meeting_point(program::ProcedureId procedure,
                                                  program::LocationId branch);
  void branch(program::ThreadIndex thread, const program::State& state, const program::Edge& taken);
  [[nodiscard]] std::uint64_t returned_value(program::ThreadIndex thread,
                                             const program::State& state,
                                             const program::Return& action) const;
  [[nodiscard]] Known known(program::ThreadIndex thread, program::Term term);
  [[nodiscard]] program::Term symbol(const Origins& origins, logic::Sort sort);
  [[nodiscard]] Known bytes(std::uint64_t address, unsigned size) const;
  void keep(std::uint64_t address, unsigned size, const Known& known);
  void forget_stored(std::uint64_t address, unsigned size);

  const program::Program& program_;
  const program::Interpreter& interpreter_;
  logic::TermStore terms_;
  std::vector<Origins> symbols_; // what each stands for comes from
  bool control_ends_at_join_;
  Merges merges_;
  std::map<program::ThreadIndex, Thread> threads_;
  std::map<std::uint64_t, Origins> private_bytes_;
  std::map<std::uint64_t, Stored> stored_; // what was stored there, while all of it is
  /// By procedure: what every way from a location to the end passes.
  std::map<program::ProcedureId, std::vector<std::vector<bool>>> passed_;
};

} // namespace heddle::check
