// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// linearizable: ask, check the scenarios, report.
#include "driver/commands/clock.h"
#include "driver/commands/commands.h"
#include "driver/output/limits.h"
#include "driver/output/reporting.h"
#include "object/histories/linearizable_check.h"
#include "object/histories/linearizable_fences.h"
#include "object/histories/linearizable_question.h"
#include "object/histories/linearizable_report.h"
#include "object/invariants/linearizable_proof.h"
#include "object/points/linearizable_points.h"
#include "report/json.h"
#include "report/write_file.h"

#include <fmt/format.h>

#include <optional>

namespace heddle::driver {

namespace {

ExitCode report_our_bug(const Unconfirmed& unconfirmed, const Console& console) {
  console.say(fmt::format("heddle: internal error: {}\n"
                          "heddle: this is a bug in Heddle, not in your program; please report it "
                          "with the input",
                          unconfirmed.message));
  return ExitCode::kOurBug;
}

} // namespace

Result<ExitCode> run_linearizable(const Options& options, const Console& console) {
  if (!options.invariant.empty())
    return object::run_proof(options, console);
  const auto start = Clock::now();
  const std::uint64_t memory = memory_limit(options);
  Watchdog watchdog({time_limit(options), memory, options.json, console.err_is_terminal});
  const Budget& budget = watchdog.budget();
  Result<object::LinearizableQuestion> question = object::understand_linearizable(options);
  if (!question)
    return question.error();
  Listener listener;
  listener.warn = [&console](const std::string& line) { console.say("heddle: warning: " + line); };
  if (options.verbose)
    listener.tell = [&console](const std::string& line) { console.say("heddle: " + line); };
  if (console.err_is_terminal)
    listener.progress = [&console](const std::string& line) { console.show_progress(line); };
  for (const std::string& warning : question->warnings)
    listener.warn(warning);
  const unsigned width = options.width != 0 ? static_cast<unsigned>(options.width)
                         : console.out_is_terminal && console.terminal_width != 0
                             ? console.terminal_width
                             : 100;
  const auto stopped = [](Exhausted what) {
    object::LinearizableSummary summary;
    summary.exhausted = what;
    return summary;
  };
  const auto words_for = [&](const object::LinearizableSummary& summary) {
    return LastWords{object::text_of(*question, summary, width),
                     options.json.empty() ? std::string()
                                          : report::dump(object::json_of(
                                                *question, options, summary, seconds_since(start))),
                     static_cast<int>(object::exit_code_of(summary))};
  };
  watchdog.know([&](Exhausted what) { return words_for(stopped(what)); });
  limit_memory(memory);
  std::optional<object::InferredPoints> inferred;
  if (question->infers_points) {
    auto searched = object::infer_points(*question, options, budget, listener);
    console.clear_progress();
    if (!searched)
      return searched.error();
    if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*searched))
      return report_our_bug(*unconfirmed, console);
    inferred = std::move(std::get<object::InferredPoints>(*searched));
  }
  // Points that were found have been checked. Without any, the histories say whether it holds.
  Result<std::variant<object::LinearizableSummary, Unconfirmed>> checked =
      inferred && !inferred->points.empty()
          ? std::variant<object::LinearizableSummary, Unconfirmed>(std::move(inferred->summary))
          : object::check_scenarios(*question, options, budget, listener);
  console.clear_progress();
  if (!checked)
    return checked.error();
  if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*checked))
    return report_our_bug(*unconfirmed, console);
  const object::LinearizableSummary& summary = std::get<object::LinearizableSummary>(*checked);
  watchdog.know(words_for(summary));
  if (inferred && inferred->points.empty() && summary.found)
    inferred->why_none = "it is not linearizable";
  std::optional<object::SuggestedFences> suggested;
  if (options.suggest_fences && summary.found) {
    auto searched = object::suggest_fences(*question, options, budget, listener);
    console.clear_progress();
    if (!searched)
      return searched.error();
    if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*searched))
      return report_our_bug(*unconfirmed, console);
    suggested = std::move(std::get<object::SuggestedFences>(*searched));
  }
  if (!options.json.empty()) {
    nlohmann::ordered_json json =
        object::json_of(*question, options, summary, seconds_since(start));
    if (inferred)
      json["linearization_points"] = object::json_of(*inferred, question->module);
    if (suggested)
      json["fences"] = object::json_of(*suggested, question->module);
    if (const Status written = report::write_file(options.json, report::dump(json)); !written)
      return written.error();
    watchdog.keep_json();
  }
  if (!options.html.empty())
    if (const Status written =
            report::write_file(options.html, object::html_of(*question, summary));
        !written)
      return written.error();
  std::string text = object::text_of(*question, summary, width);
  if (inferred)
    text += "\n" + object::text_of(*inferred, question->module);
  if (suggested)
    text += "\n" + object::text_of(*suggested, question->module, question->asked.model.name);
  watchdog.stand_down();
  if (const Status printed = print_output(text, console); !printed)
    return printed.error();
  return object::exit_code_of(summary);
}

} // namespace heddle::driver
