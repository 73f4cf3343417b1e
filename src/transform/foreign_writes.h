// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loads whose moment nobody can tell: of globals that no other thread writes while the loading one
// is there. Such a load commutes with every step of the others (a both-mover: R. Lipton, Reduction,
// CACM 1975), under TSO and PSO as under SC, since what it sees are the writes of its own thread.
// So runs in which it follows at once on what its thread did before are enough.
#pragma once

#include "program/alias.h"
#include "program/program.h"
#include "transform/sequentialize.h"

#include <cstdint>
#include <vector>

namespace heddle::transform {

class ForeignWrites {
public:
  /// The program, without calls and loops, outlives it.
  ForeignWrites(const program::Program& program, const std::vector<SequentialThread>& threads);

  /// Is the action of the thread a load, and may its value depend on when others move?
  [[nodiscard]] bool is_unaffected(std::uint32_t thread, const program::Action& action) const;

private:
  struct Write {
    std::uint32_t thread = 0;
    program::ObjectId object;
    program::Offsets offsets;
    std::uint64_t size = 0;
  };
  void add(std::uint32_t thread, const program::Action& action);
  void add(std::uint32_t thread, program::Term address, std::uint64_t size);

  const program::Program& program_;
  const std::vector<SequentialThread>& threads_;
  program::PointsTo points_to_;
  std::vector<Write> writes_;
  std::vector<bool> writes_anywhere_; // by thread
};

} // namespace heddle::transform
