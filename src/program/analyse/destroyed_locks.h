// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which objects may hold a lock that was destroyed (sync_layout.h, kGone). Whoever uses one has to
// look; for the locks of most programs nobody need.
#pragma once

#include "program/model/program.h"

namespace heddle::program {

class DestroyedLocks {
public:
  explicit DestroyedLocks(const Program& program);

  /// May one of the objects hold a destroyed lock? Without a set, any object.
  [[nodiscard]] bool may_be_in(const Program& program, ObjectSetId objects) const;

private:
  void add(const Program& program, ObjectSetId objects);

  IdVector<ObjectId, bool> may_hold_one_;
  bool is_any_ = false;
};

} // namespace heddle::program
