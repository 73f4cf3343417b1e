// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Who holds which lock, read off the locks' own bytes before and after a step. The happens-before
// check and the reports use it; that it looks at memory and not at results makes it independent of
// how an operation was carried out.
#pragma once

#include "memory/machine/machine.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heddle::check {

enum class LockKind : std::uint8_t { kMutex, kSpin, kReadWrite };
enum class Hold : std::uint8_t { kNone, kRead, kWrite };

struct LockTouched {
  std::uint64_t address = 0;
  LockKind kind = LockKind::kMutex;
};
/// The lock a request takes or gives back, if it is about one.
[[nodiscard]] std::optional<LockTouched> lock_of(const program::Request& request);
/// How the thread holds it in that memory.
[[nodiscard]] Hold hold_of(const program::Interpreter& interpreter,
                           const program::MemoryState& memory,
                           LockTouched lock,
                           program::ThreadIndex thread);

struct HeldAddress {
  std::uint64_t address = 0;
  LockKind kind = LockKind::kMutex;
  Hold hold = Hold::kNone;
};

/// The locks each thread holds, followed step by step.
class HeldLocks {
public:
  void update(program::ThreadIndex thread, LockTouched lock, Hold now);
  /// In the order they were taken.
  [[nodiscard]] std::vector<HeldAddress> of(program::ThreadIndex thread) const;

private:
  std::map<program::ThreadIndex, std::vector<HeldAddress>> held_;
};

} // namespace heddle::check
