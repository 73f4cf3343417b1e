// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/counted_loops.h"

#include "program/analyse/loop_turns.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace heddle::driver {

std::vector<spec::LoopBound> counted_loops(const program::Program& program) {
  using Line = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Line, std::optional<std::uint64_t>> most;
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Loop& loop : program::find_loops(procedure)) {
      const std::optional<std::uint64_t> turns = program::most_turns(program, procedure, loop);
      const SourceLoc loc = procedure.locations[loop.head].loc;
      const auto [known, is_new] = most.emplace(Line{loc.file, loc.line}, turns);
      if (!is_new)
        known->second = known->second && turns ? std::max(known->second, turns) : std::nullopt;
    }
  std::vector<spec::LoopBound> bounds;
  for (const auto& [line, turns] : most)
    if (turns && line.second != 0 && line.first < program.files.size())
      bounds.push_back({program.files[line.first],
                        line.second,
                        static_cast<std::uint32_t>(std::max<std::uint64_t>(*turns, 1))});
  return bounds;
}

} // namespace heddle::driver
