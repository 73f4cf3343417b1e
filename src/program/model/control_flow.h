// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The shape of a procedure's automaton: adding edges, dropping what cannot be reached, finding loop
// heads. Whoever makes or rewrites a procedure ends with `tidy`. Not for anything that knows what
// an action means, but for Skip.
#pragma once

#include "program/model/program.h"

namespace heddle::program {

/// Appends an edge and enters it into the out-list of its source.
void add_edge(Procedure& procedure, Edge edge);

/// Leads around Skip edges (an endless empty loop keeps one), drops locations that the entry cannot
/// reach, and renumbers locations and edges in depth-first order.
void remove_skips(Procedure& procedure);

/// Sets Location::is_loop_head: the targets of back edges of a depth-first search in edge order.
void mark_loop_heads(Procedure& procedure);

/// A loop is known by its head, the target of back edges of the depth-first search; its body is
/// what can reach such an edge without passing the head.
struct Loop {
  LocationId head;
  std::vector<bool> body;                // by location
  std::vector<std::uint32_t> back_edges; // by index
};
/// By head.
[[nodiscard]] std::vector<Loop> find_loops(const Procedure& procedure);

/// Sets Location::key from the text of the out-edges (print_program.h) and an ordinal. Not part of
/// tidy: the texts cost more than all else, and few ask for them.
void assign_keys(const Program& program, Procedure& procedure);

/// remove_skips and mark_loop_heads.
void tidy(Procedure& procedure);

} // namespace heddle::program
