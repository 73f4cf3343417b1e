// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From what the harness recorded to a history, and from a run that has that history to the events
// it shows.
#pragma once

#include "history/history.h"
#include "object/histories/linearizable_question.h"
#include "object/scenarios/harness.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::object {

[[nodiscard]] std::vector<RecordedCall>
recorded(const Harness& harness, Responses responses, const verdict::Outcome& outcome);

/// The calls that were made: operation i of the history is call made[i].
[[nodiscard]] std::vector<std::size_t> made_calls(const std::vector<RecordedCall>& calls);

/// The operation has returned: with this result, if its function has one.
void note_return(const LinearizableQuestion& question,
                 history::Operation& operation,
                 std::int64_t result);

/// The history of a complete run. Calls that were not made are not in it, so bits move.
[[nodiscard]] history::History history_of(const LinearizableQuestion& question,
                                          const PlannedScenario& planned,
                                          const std::vector<RecordedCall>& calls);

inline constexpr const char* kNoOrder = "no order of the operations explains this history";
/// What is wrong with a history if it is the order of linearization points that does not explain
/// it; of each operation whether it has passed one.
[[nodiscard]] std::string why_points_fail(const std::vector<history::Operation>& operations,
                                          const std::vector<bool>& had_effect);

struct RunEvents {
  std::vector<history::Event> events;
  std::map<std::uint32_t, std::string> marks;
  /// Which steps of the run are calls and returns. An operation that is over later than it returns
  /// has both here as well.
  std::map<std::uint32_t, history::Event> moments = {};
};

/// Of the run itself where it shows them, since then the diagram and the run agree; marks are
/// invisible where there is only one thread.
[[nodiscard]] RunEvents events_of(const history::History& history,
                                  const std::vector<std::size_t>& made,
                                  const program::Program& program,
                                  const verdict::Violation& violation);

/// The same of a run of a harness that marks where calls take effect.
[[nodiscard]] RunEvents events_with_effects(const std::vector<history::Operation>& operations,
                                            const program::Program& program,
                                            const verdict::Violation& violation);

/// The same of a run of a harness with a clock. All operations have returned.
/// Calls and returns may have markers in store buffers, too.
[[nodiscard]] RunEvents events_by_clock(const std::vector<history::Operation>& operations,
                                        bool has_markers,
                                        const program::Program& program,
                                        const verdict::Violation& violation);

/// What the harness's entry found in a global at the end of a run.
[[nodiscard]] std::optional<std::uint64_t> value_at_end(const program::Program& program,
                                                        const verdict::Violation& violation,
                                                        const std::string& global);

} // namespace heddle::object
