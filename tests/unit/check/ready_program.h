// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A task out of ir text, and the runs of small programs: for tests of the checker and of reports,
// without any engine.
#pragma once

#include "check/confirm.h"
#include "check/run/replayer.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/model/program.h"
#include "spec/task.h"
#include "transform/basic/transform.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace heddle::check_test {

/// Parses, builds, lowers and annotates; ends the test program on a mistake.
class ReadyProgram {
public:
  ReadyProgram(const std::string& text, const std::string& model);
  [[nodiscard]] spec::Task task(spec::Property property) const;
  [[nodiscard]] const program::Program& program() const { return *program_; }

private:
  std::unique_ptr<program::Program> program_;
  memory::Model model_;
};

using Shows = std::function<bool(const check::Ground&, const check::Replayer&)>;

/// All runs, depth first, up to `limit` transitions; the schedule of the first that shows it. No
/// reduction and no store of states, so properties of runs are seen, too.
[[nodiscard]] std::optional<execution::Schedule>
find_run(const spec::Task& task, const Shows& shows, std::size_t limit = 40);

namespace detail {

template <class Value>
Value must(Result<Value> result) {
  if (!result)
    check_failed("result", result.error().to_string(), __FILE__, __LINE__);
  return std::move(result).value();
}

inline std::optional<execution::Schedule> search(const check::Ground& ground,
                                                 execution::Schedule& schedule,
                                                 const Shows& shows,
                                                 std::size_t limit) {
  check::Replayer replayer(ground, check::Detail::kSteps, spec::Property::kRace);
  for (const execution::Transition& transition : schedule)
    replayer.take(transition);
  if (shows(ground, replayer))
    return schedule;
  if (!replayer.run().fault.is_none() || schedule.size() >= limit)
    return std::nullopt;
  std::vector<execution::Transition> enabled;
  ground.machine().enabled(replayer.state(), enabled);
  for (const execution::Transition& transition : enabled) {
    schedule.push_back(transition);
    if (std::optional<execution::Schedule> found = search(ground, schedule, shows, limit))
      return found;
    schedule.pop_back();
  }
  return std::nullopt;
}

} // namespace detail

inline ReadyProgram::ReadyProgram(const std::string& text, const std::string& model)
    : model_(detail::must(memory::find_model(model))) {
  const ir::Module module = detail::must(ir::parse(text, "test"));
  static_cast<void>(detail::must(ir::verify(module)));
  const program::Program built = detail::must(program::build(module, {}));
  transform::Transformed lowered = detail::must(transform::lower(model_)->apply(built, {}));
  program::annotate(lowered.program, program::AliasAnalysis::kPointsTo);
  program_ = std::make_unique<program::Program>(std::move(lowered.program));
}

inline spec::Task ReadyProgram::task(spec::Property property) const {
  spec::Task task;
  task.program = program_.get();
  task.model = model_;
  task.question = spec::Check{property};
  return task;
}

inline std::optional<execution::Schedule>
find_run(const spec::Task& task, const Shows& shows, std::size_t limit) {
  const check::Ground ground(task);
  execution::Schedule schedule;
  return detail::search(ground, schedule, shows, limit);
}

} // namespace heddle::check_test
