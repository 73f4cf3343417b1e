// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a model that allows an execution allows its prefixes: what is left when threads stop
// earlier.
#pragma once

#include "memory/core.h"

namespace heddle::memory {

/// Does the required axiom hold of a prefix if it holds of the whole? A prefix has the initial
/// writes, with an event those before it in its thread, what it reads from and the other parts of
/// the same access; rf and co are those of the whole.
[[nodiscard]] bool holds_of_prefixes(const Core& core, const Axiom& axiom);

/// Does the required axiom hold of an execution less some reads and fences on which nothing
/// depends, if it holds of the whole?
[[nodiscard]] bool holds_without_reads(const Core& core, const Axiom& axiom);

/// The same for a node: is every pair that an execution less such reads and fences has one of the
/// whole, too?
[[nodiscard]] bool only_gains_with_reads(const Core& core, NodeId node);

/// Does the axiom, which is no required one, flag pairs of events of different threads, each of
/// which is still flagged in an execution less such reads and fences that has both?
[[nodiscard]] bool is_flagged_without_reads(const Core& core, const Axiom& axiom);

/// Does the model allow an execution less some updates that write what they found, if it allows the
/// execution? Who reads from such an update then reads from where the update has read. No access is
/// cut into pieces (sm relates each only to itself), and nothing is computed from what the update
/// has read.
[[nodiscard]] bool holds_without_equal_updates(const Core& core);

/// The same for a node: is every pair that an execution less such updates has one of the whole?
[[nodiscard]] bool only_gains_with_equal_updates(const Core& core, NodeId node);

/// As is_flagged_without_reads.
[[nodiscard]] bool is_flagged_without_equal_updates(const Core& core, const Axiom& axiom);

/// Does the model neither ask what a value was computed from (addr, data, ctrl and their kin), nor
/// allow that it comes from itself through others?
[[nodiscard]] bool knows_no_dependencies(const Core& core);

} // namespace heddle::memory
