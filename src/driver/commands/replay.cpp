// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// replay: runs a violation again that a report saved, on the program as it is now.
#include "check/confirm.h"
#include "driver/commands/commands.h"
#include "driver/commands/saved_run.h"
#include "driver/output/limits.h"
#include "driver/output/reporting.h"
#include "driver/pipeline/pipeline.h"
#include "report/json.h"
#include "report/write_file.h"
#include "support/budget_watch.h"
#include "verdict/settle.h"

#include <fmt/format.h>

namespace heddle::driver {

namespace {

/// The claim to confirm; the checker finds the particulars itself.
verdict::ViolationKind claim_of(spec::Property property) {
  using spec::Property;
  switch (property) {
  case Property::kRace:
    return verdict::Race{};
  case Property::kDeadlock:
  case Property::kLiveness:
    return verdict::Deadlock{};
  case Property::kRobustness:
    return verdict::NotRobust{};
  case Property::kReach:
  case Property::kMemory:
  case Property::kCleanup:
  case Property::kOverflow:
    return verdict::FaultReached{};
  }
  HEDDLE_CHECK(false, "no such property");
  return verdict::FaultReached{};
}

} // namespace

Result<ExitCode> run_replay(const Options& options, const Console& console) {
  if (options.files.size() != 1)
    return Error{ErrorKind::kUsage, "USE-011", "replay expects one file that --json wrote"};
  Watchdog watchdog({time_limit(options), memory_limit(options), options.json});
  const std::string& path = options.files.front();
  Result<SavedRun> saved = read_saved_run(path);
  if (!saved)
    return saved.error();
  Listener listener;
  listener.warn = [&console](const std::string& line) { console.say("heddle: warning: " + line); };
  if (options.verbose)
    listener.tell = [&console](const std::string& line) { console.say("heddle: " + line); };
  Result<Prepared> prepared = prepare(saved->asked, saved->options, watchdog.budget(), listener);
  if (!prepared && is_budget_used_up(prepared.error())) {
    const LastWords words = words_for_nothing(watchdog.what_ran_out());
    watchdog.stand_down();
    if (const Status printed = print_output(words.text, console); !printed)
      return printed.error();
    return static_cast<ExitCode>(words.code);
  }
  if (!prepared)
    return prepared.error();
  if (hash_of(prepared->module) != saved->program_hash)
    console.say("heddle: warning: the program is not the one the violation was found in");

  const spec::Task task = make_task(saved->asked, saved->options, prepared->ground());
  verdict::Violation violation;
  violation.property = std::get<spec::Check>(saved->asked.question).property;
  violation.kind = claim_of(violation.property);
  violation.schedule = saved->schedule;
  violation.execution = saved->execution;
  Result<verdict::Violation> confirmed = check::confirm(task, std::move(violation));
  if (!confirmed)
    return Error{ErrorKind::kInput,
                 "REPLAY-003",
                 "the violation does not happen in this program: " + confirmed.error().message,
                 path};
  verdict::Verdict verdict;
  verdict.answer = verdict::Violated{std::move(*confirmed)};
  verdict.engine = "replay";
  verdict = verdict::settle(std::move(verdict), prepared->approximations);
  const report::Subject subject{&prepared->ground(), saved->asked.model, saved->asked.question};
  watchdog.know(last_words(verdict, subject, !options.json.empty()));
  if (!options.json.empty()) {
    nlohmann::ordered_json json = report::json(
        verdict, subject, report::JsonOptions{version(), static_cast<int>(exit_code(verdict))});
    json["replay"] = to_json(saved->options, saved->asked, hash_of(prepared->module));
    if (const Status written = report::write_file(options.json, report::dump(json)); !written)
      return written.error();
    watchdog.keep_json();
  }
  const std::string text = report_text(verdict, subject, options, console);
  watchdog.stand_down();
  if (const Status printed = print_output(text, console); !printed)
    return printed.error();
  return exit_code(verdict);
}

} // namespace heddle::driver
