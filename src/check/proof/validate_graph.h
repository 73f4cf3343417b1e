// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Is a store-buffer graph one of the machine? Edge by edge, with a solver: a state of the machine
// and one of the graph belong together if (Weak2SC, theorem 1) they stand at the same location
// (C1), nothing is pending under SC (C2), what the machine has pending is what the node's entries
// say of the locals' values (C3), and the locals agree (C4). It is shown that every step of the
// machine has an edge and every edge a step, both leading to states that belong together again.
//
// What is shown is about the graph. That accesses lie in their may-sets is believed, as everywhere.
#pragma once

#include "transform/buffers/store_buffer_graph.h"

namespace heddle::check {

/// `program` is the one the graph was made with: the procedure as it was, and the locals of copied
/// operands. The error (SBG-007) names the first edge, or missing edge, that is wrong.
[[nodiscard]] Status validate_graph(const program::Program& program,
                                    program::ProcedureId procedure,
                                    const transform::StoreBufferGraph& graph,
                                    const transform::StoreBufferOptions& options);

} // namespace heddle::check
