// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What was computed from what was read, followed along the concrete steps of each thread: the
// reads behind every local and private byte, and those that branches have looked at. In C a branch
// decides only what lies between it and the place where its arms meet again, in assembly everything
// that follows. Of C that is compiled, a branch also chooses what comes out different where the
// arms meet: that is found by going the other ways, too (other_way.h), so that less may be found
// here than depends by the text, but never more.
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
      : program_(program), interpreter_(interpreter), control_ends_at_join_(control_ends_at_join),
        merges_(merges) {}

  [[nodiscard]] Merges merges() const { return merges_; }
  void start(program::ThreadIndex thread);
  /// Of a term over the locals of the innermost frame.
  [[nodiscard]] Origins of(program::ThreadIndex thread, program::Term term) const;
  /// What the branch looks at at which the thread stands.
  [[nodiscard]] Reads of_branch(program::ThreadIndex thread, const program::State& state) const;
  /// What decides that the thread is where it is.
  [[nodiscard]] Reads control(program::ThreadIndex thread) const;
  void assign(program::ThreadIndex thread, program::LocalId local, Origins origins);
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
  struct Frame {
    std::map<program::LocalId, Origins> locals;
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
  [[nodiscard]] Origins bytes(std::uint64_t address, unsigned size) const;
  void keep(std::uint64_t address, unsigned size, const Origins& origins);

  const program::Program& program_;
  const program::Interpreter& interpreter_;
  bool control_ends_at_join_;
  Merges merges_;
  std::map<program::ThreadIndex, Thread> threads_;
  std::map<std::uint64_t, Origins> private_bytes_;
  /// By procedure: what every way from a location to the end passes.
  std::map<program::ProcedureId, std::vector<std::vector<bool>>> passed_;
};

} // namespace heddle::check
