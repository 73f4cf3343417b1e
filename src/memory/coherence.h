// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What nearly every model says about one place, recognised by the shape of its axioms: that
// accesses to it look as if done one by one, and that nothing comes between the halves of an
// update. Who enumerates can then leave out what these would forbid without asking the axioms.
#pragma once

#include "memory/core.h"

#include <optional>

namespace heddle::memory {

struct Coherence {
  /// A required axiom is `acyclic r` with r containing po & loc (of accesses), rf, co and fr; or
  /// `irreflexive h; r+?` with h containing po & loc, and r the others.
  bool is_per_location = false;
  /// A required axiom is `acyclic r` with r containing po and rf: nothing happens because of
  /// itself.
  bool is_grounded = false;
  /// A required axiom is `empty r & (fre; coe)`, or the same with fr and co: the node r.
  std::optional<NodeId> updates = {};
};

[[nodiscard]] Coherence find_coherence(const Core& core);

} // namespace heddle::memory
