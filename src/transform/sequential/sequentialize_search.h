// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run of a sequential program over a shared-memory abstraction as a run of the threads. The
// abstraction is a black box: it says what each read returned and, if it knows, when. In which
// order the threads took their steps, and when pending stores reached memory, is found by search
// on the machine of the memory model.
#pragma once

#include "transform/sequential/sequentialize_lift.h"

namespace heddle::transform {

[[nodiscard]] Result<execution::Schedule> lift_by_search(const SequentialMap& map,
                                                         const execution::Schedule& schedule);

} // namespace heddle::transform
