// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What was computed from what was read, followed along the concrete steps of each thread: the
// reads behind every local and private byte, and those that branches have looked at. In C a branch
// decides only what lies between it and the place where its arms meet again, in assembly everything
// that follows.
#pragma once

#include "program/interpreter.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heddle::check {

/// Events of an execution, sorted, each once.
using Reads = std::vector<std::size_t>;
[[nodiscard]] Reads together(const Reads& a, const Reads& b);

class Dependencies {
public:
  /// The program outlives it.
  Dependencies(const program::Program& program, bool control_ends_at_join)
      : program_(program), control_ends_at_join_(control_ends_at_join) {}

  void start(program::ThreadIndex thread);
  /// Of a term over the locals of the innermost frame.
  [[nodiscard]] Reads of(program::ThreadIndex thread, program::Term term) const;
  /// What the branch looks at at which the thread stands.
  [[nodiscard]] Reads of_branch(program::ThreadIndex thread, const program::State& state) const;
  /// What decides that the thread is where it is.
  [[nodiscard]] Reads control(program::ThreadIndex thread) const;
  void assign(program::ThreadIndex thread, program::LocalId local, Reads reads);

  /// The thread is about to take a step that has no event.
  void
  before(program::ThreadIndex thread, const program::State& state, const program::Request& request);
  /// It stands there now, after any step.
  void arrive(program::ThreadIndex thread, const program::State& state);

private:
  struct Decided {
    Reads reads;
    program::LocationId until; // none: to the end of the frame
  };
  struct Frame {
    std::map<program::LocalId, Reads> locals;
    std::vector<Decided> decided;
  };
  [[nodiscard]] program::LocationId meeting_point(program::ProcedureId procedure,
                                                  program::LocationId branch);
  void branch(program::ThreadIndex thread, const program::State& state);

  const program::Program& program_;
  bool control_ends_at_join_;
  std::map<program::ThreadIndex, std::vector<Frame>> frames_; // innermost last
  std::map<std::uint64_t, Reads> private_bytes_;
  /// By procedure: what every way from a location to the end passes.
  std::map<program::ProcedureId, std::vector<std::vector<bool>>> passed_;
};

} // namespace heddle::check
