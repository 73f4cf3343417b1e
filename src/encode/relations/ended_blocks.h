// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses to blocks that are freed, under models with axioms. A free is no event of the execution:
// it comes after what happens before it in its thread, and an access of another thread comes before
// it only if it happens before such an event. Where the model has a happens-before of the language,
// that is the one. Of the models of processors starts and ends of threads are looked at, which
// settle most; of what they leave open, executions in which frees are stores tell
// (engine/axiomatic/freed_uses.h).
#pragma once

#include "encode/relations/model_formula.h"
#include "program/events/event_set.h"

#include <optional>
#include <vector>

namespace heddle::encode {

/// A free that may not end what it ends: the block is used by `other` (an access or another free)
/// that need not come before it, or (without `other`) it is no block.
struct WrongFree {
  program::EventIndex free = 0;
  std::optional<program::EventIndex> other = {};
  Literal is_met;
  /// And it is known that the use does not come before the free, without asking further.
  Literal is_sure;
};

class EndedBlocks {
public:
  /// All outlive it; the executions are encoded.
  EndedBlocks(program::EventSet& set,
              const memory::Core& core,
              ExecutionFormula& executions,
              ModelFormula& formula,
              logic::Gates& gates);
  [[nodiscard]] std::vector<WrongFree> find();
  /// Does the model say what happens before what? Otherwise an access of another thread that is
  /// found may still come before the free.
  [[nodiscard]] bool knows_order() const { return happens_before_.is_valid(); }

private:
  [[nodiscard]] bool is_heap(std::size_t block) const;
  [[nodiscard]] Literal ends(program::EventIndex free, std::size_t block);
  [[nodiscard]] Literal is_in(program::EventIndex access, std::size_t block);
  [[nodiscard]] Literal is_before(program::EventIndex access, program::EventIndex free);
  [[nodiscard]] bool is_hidden_at(program::EventIndex event, std::uint32_t number) const;

  program::EventSet& set_;
  ExecutionFormula& executions_;
  ModelFormula& formula_;
  logic::Gates& gates_;
  memory::NodeId happens_before_;
};

} // namespace heddle::encode
