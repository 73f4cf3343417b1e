// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The abstract state of a proof is what the abstract operations access. They only run where a proof
// puts them, not in the program itself; so the operations must do the same whatever the abstract
// state is, and must not change it. They may look at it in assumptions and assertions, which say
// what callers do and what is known. The same goes for auxiliary variables, which are what the
// auxiliary functions write (non-interference: O. Travkin, Weak2SC, 2017, section 6.2.4), and the
// two do not mix.
#pragma once

#include "object/invariants/operations_client.h"
#include "program/model/program.h"
#include "support/result.h"

namespace heddle::object {

/// Of a program of operations_client.h without calls, before it becomes one for SC: OBL-006 with
/// the place where an operation depends on the abstract state or on an auxiliary variable, or
/// writes it.
[[nodiscard]] Status check_abstract_state(const program::Program& program, const ClientPlan& plan);

} // namespace heddle::object
