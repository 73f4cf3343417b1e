// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which events of one thread reach memory in program order: what SC, TSO and PSO differ in once
// every write is taken at the moment it reaches memory (models/{sc,tso,pso}.cat say the same as
// axioms).
#pragma once

#include "memory/model.h"

namespace heddle::encode {

struct ThreadOrder {
  bool delays_writes = false;   // a later read may come before a write
  bool reorders_writes = false; // a later write to another place may come before a write
};

[[nodiscard]] constexpr ThreadOrder order_of(memory::MachineKind machine) {
  switch (machine) {
  case memory::MachineKind::kSequential:
    return {};
  case memory::MachineKind::kTotalStoreOrder:
    return {.delays_writes = true};
  case memory::MachineKind::kPartialStoreOrder:
    return {.delays_writes = true, .reorders_writes = true};
  }
  return {};
}

} // namespace heddle::encode
