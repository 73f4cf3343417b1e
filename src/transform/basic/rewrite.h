// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the transforms share: renaming the locals of an action, copying one automaton into another,
// and the lift of transforms that keep what a schedule speaks of.
#pragma once

#include "program/model/program.h"
#include "transform/basic/transform.h"

#include <functional>

namespace heddle::transform {

/// The new name of each local. Terms are renamed along.
using LocalMap = IdVector<program::LocalId, program::LocalId>;

/// The thread's own index becomes `self`, or stays what it is if that is none.
[[nodiscard]] program::Action rename_locals(const program::Action& action,
                                            const LocalMap& map,
                                            logic::TermStore& terms,
                                            logic::Term self = {});

/// The same for a term.
[[nodiscard]] logic::Term rename_locals(logic::Term term,
                                        const LocalMap& map,
                                        logic::TermStore& terms,
                                        logic::Term self = {});

/// Visits every term of the action, to be replaced.
void for_each_term(program::Action& action, const std::function<void(logic::Term&)>& visit);

/// Is that the line the bound is for?
[[nodiscard]] bool
is_at(const program::Program& program, SourceLoc loc, const spec::LoopBound& bound);

/// A schedule lists, in order, which thread takes its next step that is visible or needs a choice,
/// with which choice, and which pending store is flushed. A transform that keeps these steps of
/// every thread one to one and in order, with the same operands and choices, has the same
/// schedules: its lift is the identity.
[[nodiscard]] Lift same_schedule();

} // namespace heddle::transform
