// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of the heap that are lost when main returns, in executions under models with axioms: they
// are allocated, not freed, and nothing points to them (or, for clean-up, they are left at all).
// What memory holds then are the last writes of coherence. Pointers are looked for in globals and
// in blocks that are reached from there; what threads hold that main has not joined, or main itself
// where it calls exit, is not known here, and such ends are only told as ones where blocks may be
// lost. An end is where main comes to it with all that others do in the execution done before.
#pragma once

#include "encode/relations/final_state.h"

#include <cstdint>
#include <vector>

namespace heddle::encode {

class LostBlocks {
public:
  enum class Asks : std::uint8_t { kForLost, kForLeft };
  /// All outlive it; the executions are encoded. The set keeps frees.
  LostBlocks(program::EventSet& set, ExecutionFormula& executions, logic::Gates& gates, Asks asks);

  /// At the end a block is lost, or left.
  [[nodiscard]] Literal is_lost() const { return is_lost_; }
  /// Where `is_lost` does not tell: a block is not freed by main or a thread that main has joined.
  [[nodiscard]] Literal may_be_lost() const { return may_be_lost_; }

private:
  [[nodiscard]] Literal happens(program::EventIndex event);
  [[nodiscard]] bool is_hidden_read(program::EventIndex event, std::uint32_t number) const;
  void find_end();
  /// By block of `set.blocks`; what is not of the heap is freed from the beginning.
  void find_frees();
  [[nodiscard]] bool can_follow_pointers() const;
  /// By block: can be false where no chain of pointers leads there.
  [[nodiscard]] std::vector<Literal> reached();
  [[nodiscard]] Literal
  points_to(const std::vector<std::vector<Literal>>& bytes, std::size_t first, std::size_t block);
  [[nodiscard]] std::vector<std::vector<Literal>> bytes_of(std::uint64_t base, std::uint64_t size);

  program::EventSet& set_;
  ExecutionFormula& executions_;
  logic::Gates& gates_;
  Literal ends_;
  std::vector<Literal> is_joined_; // by thread
  Literal all_are_joined_;
  std::vector<Literal> is_freed_;        // by block
  std::vector<Literal> is_freed_surely_; // by block: by main or a thread that main has joined
  Literal is_lost_;
  Literal may_be_lost_;
};

} // namespace heddle::encode
