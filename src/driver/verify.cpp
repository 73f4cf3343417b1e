// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// verify and outcomes: ask, answer, report.
#include "driver/commands.h"
#include "driver/growing.h"
#include "driver/limits.h"
#include "driver/pipeline.h"
#include "driver/reporting.h"
#include "driver/saved_run.h"
#include "driver/verify_fences.h"
#include "driver/witness.h"
#include "report/html.h"
#include "report/json.h"
#include "report/source_lines.h"
#include "report/write_file.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

namespace heddle::driver {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Listener listen(const Options& options, const Console& console) {
  Listener listener;
  listener.warn = [&console](const std::string& line) { console.say("heddle: warning: " + line); };
  if (options.verbose)
    listener.tell = [&console](const std::string& line) { console.say("heddle: " + line); };
  if (!options.dump_after.empty())
    listener.dump = [&console](const std::string& stage, const std::string& text) {
      console.say("; after " + stage + "\n" + text);
    };
  if (console.err_is_terminal)
    listener.progress = [&console](const std::string& line) { console.show_progress(line); };
  return listener;
}

ExitCode report_bug(const Unconfirmed& unconfirmed, const Console& console) {
  console.say(fmt::format(
      "heddle: internal error: {}\n"
      "heddle: this is a bug in Heddle, not in your program; please report it with the input\n"
      "heddle: schedule: {}",
      unconfirmed.message,
      report::to_json(unconfirmed.schedule).dump()));
  return ExitCode::kOurBug;
}

} // namespace

Result<ExitCode> run_verify(const Options& options, const Console& console) {
  const Clock::time_point start = Clock::now();
  const std::atomic<bool>& interrupted = catch_interrupts();
  Result<Asked> asked = understand_question(options);
  if (!asked)
    return asked.error();
  if (options.suggest_fences)
    if (const Status can = check_fences_asked(*asked, options); !can)
      return can.error();
  std::optional<report::WitnessTask> witness;
  if (!options.witness.empty()) {
    Result<report::WitnessTask> read = prepare_witness(options, *asked);
    if (!read)
      return read.error();
    witness = std::move(*read);
  }
  const Listener listener = listen(options, console);
  if (listener.progress)
    listener.progress("reading " + asked->files.front());
  const bool grows = has_bounds_to_choose(options);
  Result<Prepared> prepared = prepare(*asked, grows ? first_bounds(options) : options, listener);
  if (!prepared)
    return prepared.error();
  const double prepare_seconds = seconds_since(start);

  const std::uint64_t memory = options.memory == 0 ? default_memory_bytes() : options.memory << 20U;
  std::optional<std::chrono::milliseconds> time;
  if (options.time > 0) {
    // The budget is the whole run's: what reading took is gone.
    const double left = std::max(0.0, options.time - prepare_seconds);
    time = std::chrono::milliseconds(static_cast<std::int64_t>(left * 1000));
  }
  limit_memory(memory);
  const Budget budget(time, memory, &interrupted);
  Result<std::variant<verdict::Verdict, Unconfirmed>> answered =
      grows ? answer_growing(*asked, options, *prepared, budget, listener)
            : answer(*asked, options, *prepared, budget, listener);
  console.clear_progress();
  if (!answered)
    return answered.error();
  if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*answered))
    return report_bug(*unconfirmed, console);
  auto& verdict = std::get<verdict::Verdict>(*answered);
  std::optional<VerifiedFences> fences;
  if (options.suggest_fences && std::holds_alternative<verdict::Violated>(verdict.answer)) {
    auto searched = suggest_fences_to_verify(prepared->module, *asked, options, budget, listener);
    console.clear_progress();
    if (!searched)
      return searched.error();
    if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*searched))
      return report_bug(*unconfirmed, console);
    fences = std::move(std::get<VerifiedFences>(*searched));
  }
  verdict.statistics.counters["seconds to prepare"] = prepare_seconds;
  verdict.statistics.counters["seconds"] = seconds_since(start);

  const report::Subject subject{&prepared->ground(), asked->model, asked->question};
  if (!options.json.empty()) {
    report::JsonOptions json_options{version(), static_cast<int>(exit_code(verdict))};
    nlohmann::ordered_json json = report::json(verdict, subject, json_options);
    if (std::holds_alternative<verdict::Violated>(verdict.answer))
      json["replay"] = to_json(options, *asked, hash_of(prepared->module));
    if (fences)
      json["fences"] = json_of(fences->suggested, prepared->module);
    if (const Status written = report::write_file(options.json, report::dump(json)); !written)
      return written.error();
  }
  if (!options.html.empty()) {
    report::SourceLines sources;
    if (const Status written =
            report::write_file(options.html, report::html_of_run(verdict, subject, sources));
        !written)
      return written.error();
  }
  if (witness)
    if (const Status written = write_witness(options, *witness, verdict, subject, console);
        !written)
      return written.error();
  if (listener.tell)
    for (const auto& [name, value] : verdict.statistics.counters)
      listener.tell(fmt::format("{}: {:.6g}", name, value));
  if (const Status printed = print_report(verdict, subject, options, console); !printed)
    return printed.error();
  if (fences)
    if (const Status printed = print_output(
            "\n" + text_of(fences->suggested, prepared->module, asked->model.name, fences->how),
            console);
        !printed)
      return printed.error();
  return exit_code(verdict);
}

} // namespace heddle::driver
