// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which objects more than one thread may touch. The rest is private: nobody can tell when it is
// read or written.
#pragma once

#include "program/analyse/alias.h"
#include "program/model/program.h"

namespace heddle::program {

/// What an action touches in memory, as far as the analysis knows.
struct Touched {
  bool any = false;                   // may be every object
  bool is_none = true;                // the action touches no memory at all
  std::vector<ObjectId> objects = {}; // sorted
};
[[nodiscard]] Touched
touched(const PointsTo& points_to, ProcedureId procedure, const Action& action);

/// [object]: may two different threads touch it, one of them writing?
[[nodiscard]] IdVector<ObjectId, bool> find_shared(const Program& program,
                                                   const PointsTo& points_to);

/// [object]: who may know the address of a frame's block after the frame has ended.
[[nodiscard]] IdVector<ObjectId, Object::Dangling> find_dangling(
    const Program& program, const PointsTo& points_to, const IdVector<ObjectId, bool>& is_shared);

/// Heap sites whose blocks some free may release. Their memory can come back as a block of any
/// other site.
[[nodiscard]] IdVector<ObjectId, bool> find_freed(const Program& program,
                                                  const PointsTo& points_to);

} // namespace heddle::program
