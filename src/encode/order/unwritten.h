// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What copies find of memory that nobody has written. A read gives such a byte its value for
// everybody; a copy does not, and the copied byte is unwritten again (docs/semantics.md section 1).
// So a copying read finds a byte unwritten if its source left it so and nobody has read it from
// there before.
#pragma once

#include "encode/order/memory_formula.h"

namespace heddle::encode {

class Unwritten {
public:
  /// The formula has its reads; all outlive it.
  Unwritten(program::EventSet& set,
            const Skeleton& skeleton,
            logic::Gates& gates,
            NodeOrder& order,
            MemoryFormula& formula)
      : set_(set), skeleton_(skeleton), gates_(gates), order_(order), formula_(formula) {}

  void encode();

private:
  using Read = MemoryFormula::Read;
  [[nodiscard]] Literal is_left_unwritten(const Read& copy, unsigned byte);
  [[nodiscard]] Literal is_read_before(const Read& read, const Read& copy);
  [[nodiscard]] Literal bit(Term marks, unsigned byte);

  program::EventSet& set_;
  const Skeleton& skeleton_;
  logic::Gates& gates_;
  NodeOrder& order_;
  MemoryFormula& formula_;
};

} // namespace heddle::encode
