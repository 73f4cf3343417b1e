// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Blocks that are still allocated when the run ends, as literals. The run ends at a moment in the
// order of the events (Skeleton::moment): where the first thread returns, where a thread calls
// exit, or when all threads have ended. Whether something still points to such a block is not
// looked at.
#pragma once

#include "encode/order/memory_formula.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::encode {

class Leaks {
public:
  /// Those outlive it; the formula has been encoded. The set has its waits, the skeleton a moment.
  Leaks(program::EventSet& set,
        const Skeleton& skeleton,
        logic::Gates& gates,
        NodeOrder& order,
        MemoryFormula& formula)
      : set_(set), skeleton_(skeleton), gates_(gates), order_(order), formula_(formula) {}

  /// To be called before the order is finished.
  void encode();

  /// A block, by the event of its allocation, that is allocated before the end and not freed.
  struct Kept {
    EventIndex event = 0;
    Literal is_left;
  };
  [[nodiscard]] const std::vector<Kept>& kept() const { return kept_; }
  /// The run ends this way: this thread ends it, or none, if all have ended.
  struct End {
    std::optional<std::uint32_t> thread = {};
    Literal is_it;
  };
  [[nodiscard]] const std::vector<End>& ends() const { return ends_; }

private:
  void find_ends();

  program::EventSet& set_;
  const Skeleton& skeleton_;
  logic::Gates& gates_;
  NodeOrder& order_;
  MemoryFormula& formula_;
  std::vector<Kept> kept_;
  std::vector<End> ends_;
};

} // namespace heddle::encode
