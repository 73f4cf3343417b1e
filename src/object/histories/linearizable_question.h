// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What `heddle linearizable` is asked: which object, which functions, which scenarios, which
// notion.
#pragma once

#include "driver/options/options.h"
#include "driver/pipeline/question.h"
#include "history/explanations.h"
#include "history/object.h"
#include "object/scenarios/harness_clock.h"
#include "object/scenarios/scenarios.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::object {

struct LinearizableQuestion {
  /// Its question is the enumeration of histories; the cells are filled in per scenario.
  driver::Asked asked;
  std::string object_name;
  history::Criterion criterion = history::Criterion::kLinearizable;
  Responses responses = Responses::kAtReturn;
  /// When operations may take effect; other than in the interval from call to return only by_clock.
  history::Timing timing = history::Timing::kInterval;
  /// Moments are recorded by a clock, not by marks: for engines that know no marks.
  bool by_clock = false;
  std::vector<EffectPlace> effects = {}; // where operations take effect, if known
  bool infers_points = false;            // … or to be found out
  std::unique_ptr<history::SequentialObject> object;
  history::ResultCodes codes;
  history::ObjectState initial = {};    // what --initial says
  std::vector<std::string> unread = {}; // operations that may tell of no room, to nobody
  ScenarioSpace space;
  ir::Module module; // everything the scenarios call
  /// The same with marks, in which runs are looked for when a history is known; otherwise `module`.
  std::optional<ir::Module> marked = {};
  std::vector<PlannedScenario> first = {}; // to be checked before all others
  std::vector<std::string> warnings;
};

/// The value of --linearization-point that asks for points.
inline constexpr const char* kInferPoints = "infer";

/// Reads the options and the files.
[[nodiscard]] Result<LinearizableQuestion> understand_linearizable(const driver::Options& options);

/// "pop:31:cas"
[[nodiscard]] Result<EffectPlace> read_linearization_point(const std::string& text);

/// Whether the explicit engine has to look at a clock to see the points: marks do not tell when a
/// store leaves its buffer.
[[nodiscard]] bool needs_clock(const std::vector<EffectPlace>& points, const memory::Model& model);

/// In words, which points may be passed after the return, so that it is TSO linearizability that
/// they show.
[[nodiscard]] std::vector<std::string>
warnings_of_late_points(const LinearizableQuestion& question,
                        const std::vector<EffectPlace>& points);

/// As the option spells it: "pop:31:cas".
[[nodiscard]] std::string to_string(const EffectPlace& place);

/// "linearizable", "quiescently consistent", …
[[nodiscard]] std::string to_string(history::Criterion criterion);

} // namespace heddle::object
