// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// recheck: checks the certificate of a proof that --proof saved, with the program and nothing else.
#include "check/proof/recheck.h"

#include "driver/commands/commands.h"
#include "driver/commands/saved_proof.h"
#include "driver/output/limits.h"
#include "driver/output/reporting.h"
#include "driver/pipeline/pipeline.h"
#include "report/headline.h"
#include "spec/property.h"
#include "support/budget_watch.h"
#include "verdict/settle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace heddle::driver {

namespace {

verdict::Verdict unknown(Exhausted what) {
  verdict::Verdict verdict;
  verdict.answer = unknown_after(what, "the certificate was not checked to its end");
  return verdict;
}

} // namespace

Result<ExitCode> run_recheck(const Options& options, const Console& console) {
  if (options.files.size() < 2)
    return Error{ErrorKind::kUsage,
                 "USE-032",
                 "recheck expects a file that --proof wrote, and the program it is about"};
  if (!options.compiler_flags.empty())
    return Error{ErrorKind::kUsage, "USE-032", "flags for the compiler stand in the certificate"};
  const std::uint64_t memory = memory_limit(options);
  Watchdog watchdog({time_limit(options), memory, "", console.err_is_terminal});
  const Budget& budget = watchdog.budget();
  const std::string& path = options.files.front();
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in)
    return Error{ErrorKind::kInput, "RECHECK-001", "cannot read the file", path};
  const Result<SavedProof> saved =
      read_saved_proof(content.str(), path, {options.files.begin() + 1, options.files.end()});
  if (!saved)
    return saved.error();
  const program::Program none; // as long as there is no other
  const report::Subject nothing{&none, saved->asked.model, saved->asked.question};
  watchdog.know([&](Exhausted what) { return last_words(unknown(what), nothing, false); });
  Listener listener;
  listener.warn = [&console](const std::string& line) { console.say("heddle: warning: " + line); };
  if (options.verbose)
    listener.tell = [&console](const std::string& line) { console.say("heddle: " + line); };
  listener.loaded = [memory] { limit_memory(memory); };
  const auto stop = [&]() -> Result<ExitCode> {
    const verdict::Verdict verdict = unknown(budget.exhausted(0).value_or(Exhausted::kMemory));
    watchdog.stand_down();
    if (const Status printed =
            print_output(report_text(verdict, nothing, options, console), console);
        !printed)
      return printed.error();
    return exit_code(verdict);
  };
  const Result<Prepared> prepared = prepare(saved->asked, saved->options, budget, listener);
  if (!prepared)
    return is_budget_used_up(prepared.error()) ? stop() : Result<ExitCode>(prepared.error());
  if (digest_of(prepared->module) != saved->program)
    return Error{ErrorKind::kInput,
                 "RECHECK-003",
                 "the certificate is about another program, or about this one read otherwise",
                 path};
  const spec::Task task = make_task(saved->asked, saved->options, prepared->ground());
  const Result<check::Rechecked> rechecked = check::recheck(task, saved->certificate, budget);
  if (!rechecked && is_budget_used_up(rechecked.error()))
    return stop();
  if (!rechecked)
    return Error{ErrorKind::kInput,
                 "RECHECK-004",
                 "the certificate proves nothing: " + rechecked.error().message,
                 path};
  verdict::Verdict proved;
  proved.answer = verdict::Proved{};
  proved.approximations = rechecked->assumed;
  proved = verdict::settle(std::move(proved), prepared->approximations);
  if (!std::holds_alternative<verdict::Proved>(proved.answer))
    return Error{ErrorKind::kInput,
                 "RECHECK-004",
                 "the certificate proves nothing: the program was not read in full",
                 path};
  const std::vector<std::string> assumptions = report::assumptions(proved);
  const auto* check = std::get_if<spec::Check>(&saved->asked.question);
  watchdog.stand_down();
  const std::string looked_at =
      rechecked->states == 0
          ? fmt::format("{} steps of proofs", report::with_separators(rechecked->steps))
          : fmt::format("{} states and {} steps",
                        report::with_separators(rechecked->states),
                        report::with_separators(rechecked->steps));
  const std::string text = fmt::format(
      "CERTIFIED ({}) under {}{}: {} checked\n",
      spec::to_string(check->property),
      saved->asked.model.name,
      assumptions.empty() ? "" : fmt::format(", assuming {}", fmt::join(assumptions, ", ")),
      looked_at);
  if (const Status printed = print_output(text, console); !printed)
    return printed.error();
  return ExitCode::kProved;
}

} // namespace heddle::driver
