// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Uses of memory after its free under models that have no happens-before of a language: in
// executions in which a free is a plain store to the block it ends. Whoever reads what such a store
// has written, or writes after it in coherence, comes too late (docs/semantics.md, "Frees"). These
// executions are asked for only where starts and ends of threads leave a use open
// (encode/relations/ended_blocks.h), and stores are made only to places where one is open.
#pragma once

#include "encode/relations/ended_blocks.h"
#include "engine/axiomatic/model_search.h"
#include "memory/model.h"
#include "program/model/program.h"
#include "support/budget.h"
#include "support/source_loc.h"
#include "verdict/verdict.h"

#include <optional>
#include <vector>

namespace heddle::engine::axiomatic {

struct FreedUse {
  enum class Is : std::uint8_t { kThere, kNotThere, kUnknown } is = Is::kUnknown;
  /// If it is there: the execution up to the use, without the stores; where it was found.
  execution::Execution execution = {};
  SourceLoc used = {};
  SourceLoc freed = {};
};

/// `search` has the axioms; of `frees` those count of which it is open whether they are met. The
/// program is the one that the events of the search were made from.
[[nodiscard]] FreedUse find_freed_use(const memory::Model& model,
                                      const program::Program& program,
                                      ModelSearch& search,
                                      const std::vector<encode::WrongFree>& frees,
                                      const Budget& budget,
                                      verdict::Statistics& statistics);

} // namespace heddle::engine::axiomatic
