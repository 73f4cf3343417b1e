// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The threads of operations_client.h under TSO or PSO as threads under SC that carry their store
// buffer in locals: how many stores are pending, and of each which one it is, its address and its
// value. A store appends, a load looks there first, a flush is a step of its own that may come
// before every step that others see, and what drains waits until nothing is pending. This is what
// O. Travkin's Weak2SC compares its store-buffer graphs with in proofs (2017, section 6.2.3):
// fewer places, but more to be known of each. Shares no code with the graphs but the rule of what
// waits for an empty buffer.
//
// Not for violations that are carried back to the source: proofs show the runs of this program.
#pragma once

#include "memory/model.h"
#include "program/model/program.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace heddle::transform {

/// Of every thread: how many stores are pending, and how many of them are marked as an effect.
inline constexpr const char* kPendingStoresLocal = "pending stores";
inline constexpr const char* kPendingEffectsLocal = "pending effects";

struct ExplicitBuffers {
  program::Program program;
  std::uint32_t capacity = 0; // entries of the largest buffer; that they are enough is asserted
  /// What may be known of the buffer where a thread stands, and which cases there are (how many
  /// stores are pending): terms over the locals of the last thread template that calls. What holds
  /// of them is for a proof to find out.
  std::vector<program::Term> lemmas = {};
  std::vector<program::Term> cases = {};
  std::vector<program::LocalId> entries = {}; // the locals that hold them
};

/// Of a program without calls in its threads. OBL-005 for a loop that stores without ever emptying
/// the buffer, OBL-002 for accesses of different sizes that may overlap.
[[nodiscard]] Result<ExplicitBuffers> make_buffers_explicit(const program::Program& source,
                                                            memory::MachineKind machine);

} // namespace heddle::transform
