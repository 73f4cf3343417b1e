// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loads whose moment nobody can tell: of globals that no other thread writes while the loading one
// is there. Such a load commutes with every step of the others (a both-mover: R. Lipton, Reduction,
// CACM 1975), under TSO and PSO as under SC, since what it sees are the writes of its own thread.
// So runs in which it follows at once on what its thread did before are enough.
//
// A place that one thread alone ever writes is that thread's own: it sees there what it has written
// last, whatever is still pending, and need not ask memory.
#pragma once

#include "program/analyse/alias.h"
#include "program/model/program.h"
#include "transform/sequential/sequentialize.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::transform {

/// A scalar of a global.
struct OwnPlace {
  program::ObjectId object;
  std::uint64_t offset = 0;
  std::uint8_t size = 0;
  auto operator<=>(const OwnPlace&) const = default;
};

class ForeignWrites {
public:
  /// The program, without calls and loops, outlives it.
  ForeignWrites(const program::Program& program, const std::vector<SequentialThread>& threads);

  /// Is the action of the thread a load, and may its value depend on when others move?
  [[nodiscard]] bool is_unaffected(std::uint32_t thread, const program::Action& action) const;
  /// The place that a load or a store of the thread goes to, if it is its own.
  [[nodiscard]] std::optional<OwnPlace> own_place(std::uint32_t thread,
                                                  const program::Action& action) const;

private:
  struct Write {
    std::uint32_t thread = 0;
    program::ObjectId object;
    program::Offsets offsets;
    std::uint64_t size = 0;
    bool is_alone = false;   // by main, before there are others
    bool is_certain = false; // a store that goes here and nowhere else
  };
  void add(std::uint32_t thread, const program::Action& action, bool is_alone);
  [[nodiscard]] std::optional<OwnPlace>
  place_of(std::uint32_t thread, program::Term address, std::uint8_t size) const;

  const program::Program& program_;
  const std::vector<SequentialThread>& threads_;
  program::PointsTo points_to_;
  std::vector<Write> writes_;
  std::vector<bool> writes_anywhere_; // by thread, among others
  bool is_anything_written_ = false;  // by any thread, at any time
};

} // namespace heddle::transform
