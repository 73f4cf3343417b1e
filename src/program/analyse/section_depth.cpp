// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/section_depth.h"

#include <algorithm>

namespace heddle::program {

namespace {
/// Sections do not nest deeper than this as far as anybody looks here.
constexpr unsigned kDeepestSection = 8;
} // namespace

SectionDepths section_depths(const Program& program) {
  SectionDepths open(program.procedures.size());
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    open[ProcedureId{i}].assign(program.procedures[ProcedureId{i}].locations.size(), 0);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    const auto raise = [&](unsigned& known, unsigned depth) {
      is_changed = is_changed || depth > known;
      known = std::max(known, std::min(depth, kDeepestSection));
    };
    for (std::size_t i = 0; i < program.procedures.size(); ++i) {
      const ProcedureId id{i};
      for (const Edge& edge : program.procedures[id].edges) {
        unsigned depth = open[id][edge.from.index()];
        if (const auto* call = std::get_if<Call>(&edge.action))
          for (const ProcedureId target : call->targets)
            raise(open[target][program.procedures[target].entry.index()], depth);
        if (std::holds_alternative<AtomicBegin>(edge.action))
          depth = std::min(depth + 1, kDeepestSection);
        else if (std::holds_alternative<AtomicEnd>(edge.action) && depth > 0)
          --depth;
        raise(open[id][edge.to.index()], depth);
      }
    }
  }
  return open;
}

} // namespace heddle::program
