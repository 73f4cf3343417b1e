// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// verify and outcomes: ask, answer, report.
#include "driver/commands/certify.h"
#include "driver/commands/clock.h"
#include "driver/commands/commands.h"
#include "driver/commands/saved_run.h"
#include "driver/commands/verify_fences.h"
#include "driver/commands/write_witness.h"
#include "driver/output/limits.h"
#include "driver/output/reporting.h"
#include "driver/pipeline/growing.h"
#include "driver/pipeline/pipeline.h"
#include "report/json.h"
#include "report/page/html.h"
#include "report/source_lines.h"
#include "report/write_file.h"
#include "support/budget_watch.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <optional>

namespace heddle::driver {

namespace {

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

constexpr const char* kNothing = "nothing was established";

verdict::Verdict stopped(Exhausted what, const std::string& established) {
  verdict::Verdict verdict;
  verdict.answer = unknown_after(what, established);
  return verdict;
}

/// What holds, where larger bounds come to no end.
verdict::Verdict ended_by(verdict::Verdict verdict, Exhausted what) {
  if (const auto* holds = std::get_if<verdict::HoldsWithinBounds>(&verdict.answer))
    verdict.answer = verdict::within_bounds(holds->bounds(), verdict::out_of(what));
  return verdict;
}

/// Nobody has read it before, so that it is told where it was met.
verdict::Verdict with_default_memory(verdict::Verdict verdict) {
  if (auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
      unknown != nullptr && unknown->reason == verdict::Unknown::Reason::kMemory)
    unknown->help += "; the limit was " + describe_default_memory();
  return verdict;
}

ExitCode report_bug(const Unconfirmed& unconfirmed, const Console& console) {
  console.say(fmt::format(
      "heddle: internal error: {}\n"
      "heddle: this is a bug in Heddle, not in your program; please report it with the input",
      unconfirmed.message));
  if (!unconfirmed.schedule.empty())
    console.say("heddle: schedule: " + report::to_json(unconfirmed.schedule).dump());
  return ExitCode::kOurBug;
}

} // namespace

Result<ExitCode> run_verify(const Options& options, const Console& console) {
  const Clock::time_point start = Clock::now();
  const std::uint64_t memory = memory_limit(options);
  Watchdog watchdog({time_limit(options), memory, options.json, console.err_is_terminal});
  const Budget& budget = watchdog.budget();
  Result<Asked> asked = understand_question(options);
  if (!asked)
    return asked.error();
  if (options.suggest_fences)
    if (const Status can = check_fences_asked(*asked, options); !can)
      return can.error();
  const program::Program none; // as long as there is no other
  const bool wants_json = !options.json.empty();
  const auto named = [&](verdict::Verdict verdict) {
    return options.memory == 0 ? with_default_memory(std::move(verdict)) : verdict;
  };
  watchdog.know([&](Exhausted what) {
    return last_words(
        named(stopped(what, kNothing)), {&none, asked->model, asked->question}, wants_json);
  });
  std::optional<report::WitnessTask> witness;
  if (!options.witness.empty()) {
    Result<report::WitnessTask> read = prepare_witness(options, *asked);
    if (!read)
      return read.error();
    witness = std::move(*read);
  }
  Listener listener = listen(options, console);
  // The compiler is a program of its own, and no part of what the limit is for.
  listener.loaded = [memory] { limit_memory(memory); };
  listener.found = [&](const verdict::Verdict& verdict, const program::Program& ground) {
    watchdog.know(last_words(verdict, {&ground, asked->model, asked->question}, wants_json));
  };
  listener.established = [&](const verdict::Verdict& verdict, const program::Program& ground) {
    watchdog.know([&](Exhausted what) {
      return last_words(
          named(ended_by(verdict, what)), {&ground, asked->model, asked->question}, wants_json);
    });
  };
  if (options.memory == 0 && listener.tell)
    listener.tell("memory: " + describe_default_memory());
  if (listener.progress)
    listener.progress("reading " + asked->files.front());
  const bool grows = has_bounds_to_choose(options);
  Result<Prepared> prepared =
      prepare(*asked, grows ? first_bounds(options) : options, budget, listener);
  if (!prepared && !is_budget_used_up(prepared.error()))
    return prepared.error();
  if (!prepared && listener.tell)
    listener.tell(prepared.error().message);
  const double prepare_seconds = seconds_since(start);
  using Answered = std::variant<verdict::Verdict, Unconfirmed>;
  const auto ask = [&]() -> Result<Answered> {
    if (!prepared)
      return Answered(stopped(budget.exhausted(0).value_or(Exhausted::kTime), kNothing));
    return grows ? answer_growing(*asked, options, *prepared, budget, listener)
                 : answer(*asked, options, *prepared, budget, listener);
  };
  Result<Answered> answered = ask();
  console.clear_progress();
  if (!answered)
    return answered.error();
  if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*answered))
    return report_bug(*unconfirmed, console);
  auto& verdict = std::get<verdict::Verdict>(*answered);
  const report::Subject subject{
      prepared ? &prepared->ground() : &none, asked->model, asked->question};
  verdict = named(std::move(verdict));
  watchdog.know(last_words(verdict, subject, wants_json));
  if (prepared) {
    const Result<std::optional<std::string>> bug =
        certify_proof(verdict, options, *asked, *prepared, budget);
    if (!bug)
      return bug.error();
    if (*bug)
      return report_bug({**bug, {}}, console);
    watchdog.know(last_words(verdict, subject, wants_json));
  }
  std::optional<VerifiedFences> fences;
  if (options.suggest_fences && std::holds_alternative<verdict::Violated>(verdict.answer)) {
    // What programs with fences come to is no answer about this one.
    Listener of_others = listener;
    of_others.found = nullptr;
    of_others.established = nullptr;
    auto searched = suggest_fences_to_verify(prepared->module, *asked, options, budget, of_others);
    console.clear_progress();
    if (!searched)
      return searched.error();
    if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*searched))
      return report_bug(*unconfirmed, console);
    fences = std::move(std::get<VerifiedFences>(*searched));
  }
  verdict.statistics.counters["seconds to prepare"] = prepare_seconds;
  verdict.statistics.counters["seconds"] = seconds_since(start);

  if (wants_json) {
    report::JsonOptions json_options{version(), static_cast<int>(exit_code(verdict))};
    nlohmann::ordered_json json = report::json(verdict, subject, json_options);
    if (std::holds_alternative<verdict::Violated>(verdict.answer))
      json["replay"] = to_json(options, *asked, hash_of(prepared->module));
    if (fences)
      json["fences"] = object::json_of(fences->suggested, prepared->module);
    if (const Status written = report::write_file(options.json, report::dump(json)); !written)
      return written.error();
    watchdog.keep_json();
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
  std::string text = report_text(verdict, subject, options, console);
  if (fences)
    text +=
        "\n" + object::text_of(fences->suggested, prepared->module, asked->model.name, fences->how);
  watchdog.stand_down();
  if (const Status printed = print_output(text, console); !printed)
    return printed.error();
  return exit_code(verdict);
}

} // namespace heddle::driver
