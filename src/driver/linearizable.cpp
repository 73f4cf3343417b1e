// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// linearizable: for each scenario, all histories (the final states of the harness's cells), each
// judged by history/. A history that has no explanation is looked for again, as an assertion, so
// that there is a run that check/ has replayed.
#include "driver/commands.h"
#include "driver/limits.h"
#include "driver/linearizable_question.h"
#include "driver/pipeline.h"
#include "driver/reporting.h"
#include "history/linearize.h"
#include "report/headline.h"
#include "report/history.h"
#include "report/json.h"
#include "report/run_cells.h"
#include "report/table.h"
#include "report/write_file.h"
#include "support/overloaded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <set>

namespace heddle::driver {

namespace {

using history::History;
using transform::RecordedCall;

/// A history that nothing explains, and the run it was seen in.
struct Found {
  PlannedScenario planned;
  History history;
  std::vector<history::Event> events;
  std::map<std::uint32_t, std::string> marks; // steps of the run that are events, in words
  std::unique_ptr<Prepared> prepared;         // the program of the run
  verdict::Verdict verdict;                   // violated, with the run
};

struct Summary {
  std::uint64_t scenarios = 0;
  std::uint64_t histories = 0;
  double states = 0;
  std::optional<Found> found;
  std::vector<std::string> gaps; // why not all histories were seen
  std::optional<Exhausted> exhausted;
  std::set<std::string> assumptions;
};

std::vector<RecordedCall> recorded(const transform::Harness& harness,
                                   const verdict::Outcome& outcome) {
  std::vector<RecordedCall> calls(harness.cells.size() / 2);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i].before = outcome.at(harness.cells[2 * i]);
    calls[i].result = static_cast<std::int64_t>(outcome.at(harness.cells[2 * i + 1]));
  }
  return calls;
}

/// The calls that were made: operation i of the history is call made[i].
std::vector<std::size_t> made_calls(const std::vector<RecordedCall>& calls) {
  std::vector<std::size_t> made;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].before != RecordedCall::kNever)
      made.push_back(i);
  return made;
}

/// The history of a complete run. Calls that were not made are not in it, so bits move.
History history_of(const LinearizableQuestion& question,
                   const PlannedScenario& planned,
                   const std::vector<RecordedCall>& calls) {
  History history;
  const std::vector<std::size_t> made = made_calls(calls);
  const std::size_t stride = question.responses == transform::Responses::kAtLastFlush ? 8 : 1;
  for (const std::size_t i : made) {
    history::Operation operation = planned.operations[i];
    operation.has_returned = true;
    const std::string& function = question.space.functions.at(operation.method);
    const auto id = question.module.find_function(function);
    HEDDLE_CHECK(id.has_value(), "an operation without its function");
    if (!question.module.functions[*id].result.is_void())
      operation.result = calls[i].result;
    history::OperationSet before = 0;
    for (std::size_t j = 0; j < made.size(); ++j)
      if ((calls[i].before >> (stride * made[j]) & 1U) != 0)
        before |= history::OperationSet{1} << j;
    history.operations.push_back(std::move(operation));
    history.before.push_back(before);
  }
  return history;
}

struct RunEvents {
  std::vector<history::Event> events;
  std::map<std::uint32_t, std::string> marks;
};

/// Of the run itself where it shows them, since then the diagram and the run agree; marks are
/// invisible where there is only one thread.
RunEvents events_of(const History& history,
                    const std::vector<std::size_t>& made,
                    const program::Program& program,
                    const verdict::Violation& violation) {
  using What = execution::Step::What;
  using Kind = history::Event::Kind;
  std::uint64_t mark = 0;
  for (const program::Object& object : program.objects)
    if (object.name == transform::kHarnessReturned)
      mark = program.space().base_of(object.unit);
  struct Caller {
    std::vector<std::uint32_t> left; // its operations, the next one last
    bool is_calling = false;
  };
  std::vector<Caller> callers;
  for (auto i = static_cast<std::uint32_t>(history.operations.size()); i-- > 0;) {
    const std::uint32_t thread = history.operations[i].thread;
    callers.resize(std::max<std::size_t>(callers.size(), thread + 1));
    callers[thread].left.push_back(i);
  }
  RunEvents found;
  for (std::uint32_t i = 0; i < violation.run->steps.size(); ++i) {
    const execution::Step& step = violation.run->steps[i];
    // Thread 0 is the harness itself; the scenario's threads follow in order.
    if (step.address < mark || step.address >= mark + 8 || step.transition.thread == 0)
      continue;
    if (step.what == What::kFlush) {
      const auto call = std::ranges::find(made, step.address - mark);
      const auto operation = static_cast<std::uint32_t>(call - made.begin());
      found.events.push_back({Kind::kResponse, operation});
      found.marks[i] = history.operations[operation].method + " is over: its stores are in memory";
      continue;
    }
    Caller& caller = callers.at(step.transition.thread - 1);
    if (caller.left.empty())
      break;
    history::Operation operation = history.operations[caller.left.back()];
    if (!caller.is_calling) {
      found.events.push_back({Kind::kInvocation, caller.left.back()});
      operation.result.reset(); // not known yet
      found.marks[i] = "calls " + to_string(operation);
    } else {
      if (step.what == What::kReadModifyWrite)
        found.events.push_back({Kind::kResponse, caller.left.back()});
      found.marks[i] = "returns from " + to_string(operation);
      caller.left.pop_back();
    }
    caller.is_calling = !caller.is_calling;
  }
  if (history::from_events(history.operations, found.events) != history)
    found.events = history::to_events(history);
  return found;
}

/// The run as a table in which the harness's marks are calls and returns, and the rest of what the
/// harness does is left out.
report::Table table_of(const Found& found, const report::Subject& subject) {
  verdict::Violation violation = std::get<verdict::Violated>(found.verdict.answer).violation;
  for (const auto& [step, text] : found.marks) {
    violation.run->steps[step].what = execution::Step::What::kFence; // shown by its text alone
    violation.evidence.steps[step] = verdict::StepText{text};
  }
  for (std::uint32_t i = 0; i < violation.evidence.threads.size(); ++i)
    violation.evidence.threads[i] = i == 0 ? "scenario" : fmt::format("thread {}", i);
  report::SourceLines sources;
  report::Table table = report::run_table(violation, subject, sources);
  std::erase_if(table.rows, [&](const report::Row& row) {
    std::size_t number = 0;
    const auto [end, error] =
        std::from_chars(row.number.data(), row.number.data() + row.number.size(), number);
    if (error != std::errc{} || number == 0 || number > violation.evidence.steps.size())
      return false;
    return number == violation.evidence.steps.size() || // the assertion
           violation.evidence.steps[number - 1].target.starts_with("__heddle_");
  });
  return table;
}

class Checking {
public:
  Checking(const LinearizableQuestion& question,
           const Options& options,
           const Budget& budget,
           const Listener& listener)
      : question_(question), options_(options), budget_(budget), listener_(listener) {
    // The marks of a history mean something to the machines only.
    options_.engine = "explicit";
    // Then a mark depends on the flushes of its own thread, which the reduction takes for
    // independent of the thread's steps.
    if (question_.responses == transform::Responses::kAtLastFlush)
      options_.no_reduction = true;
  }

  Result<std::variant<Summary, Unconfirmed>> run() {
    for_each_scenario(question_.space, [&](const PlannedScenario& planned) {
      const Status checked = check(planned);
      if (!checked)
        error_ = checked.error();
      return !error_ && !unconfirmed_ && !summary_.found && !summary_.exhausted;
    });
    if (error_)
      return *error_;
    if (unconfirmed_)
      return std::variant<Summary, Unconfirmed>(std::move(*unconfirmed_));
    return std::variant<Summary, Unconfirmed>(std::move(summary_));
  }

private:
  Status check(const PlannedScenario& planned) {
    const std::size_t most = question_.responses == transform::Responses::kAtLastFlush
                                 ? transform::kMaxCallsAtLastFlush
                                 : history::kMaxOperations - 1;
    if (planned.operations.size() > most)
      return Error{ErrorKind::kUsage,
                   "USE-024",
                   fmt::format("a scenario has at most {} operations for --notion {}",
                               most,
                               options_.notion)};
    if (listener_.progress)
      listener_.progress(
          fmt::format("scenario {}: {}", summary_.scenarios + 1, to_string(planned)));
    Result<transform::Harness> harness =
        transform::make_harness(question_.module, planned.scenario, question_.responses);
    if (!harness)
      return harness.error();
    Asked asked = question_.asked;
    asked.question = spec::Enumerate{harness->cells};
    Result<Prepared> prepared = prepare(std::move(harness->module), asked, options_, listener_);
    if (!prepared)
      return prepared.error();
    auto answered = answer(asked, options_, *prepared, budget_, listener_);
    if (!answered)
      return answered.error();
    const auto& verdict = std::get<verdict::Verdict>(*answered);
    ++summary_.scenarios;
    for (const std::string& assumed : report::assumptions(verdict))
      summary_.assumptions.insert(assumed);
    if (const auto states = verdict.statistics.counters.find("states");
        states != verdict.statistics.counters.end())
      summary_.states += states->second;
    const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
    if (outcomes == nullptr) {
      const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
      summary_.gaps.push_back(fmt::format(
          "{}: {}", to_string(planned), unknown != nullptr ? unknown->why : "no answer"));
      return Done{};
    }
    note_gaps(planned, verdict, *outcomes);
    for (const verdict::Outcome& outcome : outcomes->states) {
      const std::vector<RecordedCall> calls = recorded(*harness, outcome);
      const History history = history_of(question_, planned, calls);
      ++summary_.histories;
      if (!history::linearize(history::with_order_of(history, question_.criterion),
                              *question_.object))
        return find_run(planned, history, calls);
    }
    return Done{};
  }

  void note_gaps(const PlannedScenario& planned,
                 const verdict::Verdict& verdict,
                 const verdict::Outcomes& outcomes) {
    summary_.exhausted = budget_.exhausted(0);
    if (!outcomes.complete) {
      std::set<std::string> reasons;
      for (const Approximation& approximation : verdict.approximations)
        if (approximation.kind == Approximation::Kind::kUnder)
          reasons.insert(approximation.what);
      summary_.gaps.push_back(fmt::format(
          "{}: not all runs were seen: {}", to_string(planned), fmt::join(reasons, "; ")));
    } else if (outcomes.states.empty()) {
      summary_.gaps.push_back(fmt::format("{}: no run comes to its end", to_string(planned)));
    }
  }

  Status find_run(const PlannedScenario& planned,
                  const History& history,
                  const std::vector<RecordedCall>& calls) {
    Result<transform::Harness> harness =
        transform::make_harness(question_.module, planned.scenario, question_.responses, calls);
    if (!harness)
      return harness.error();
    Asked asked = question_.asked;
    asked.question = spec::Check{spec::Property::kReach};
    Result<Prepared> prepared = prepare(std::move(harness->module), asked, options_, listener_);
    if (!prepared)
      return prepared.error();
    auto answered = answer(asked, options_, *prepared, budget_, listener_);
    if (!answered)
      return answered.error();
    if (auto* unconfirmed = std::get_if<Unconfirmed>(&*answered)) {
      unconfirmed_ = std::move(*unconfirmed);
      return Done{};
    }
    auto& verdict = std::get<verdict::Verdict>(*answered);
    auto* violated = std::get_if<verdict::Violated>(&verdict.answer);
    if (violated == nullptr) {
      summary_.exhausted = budget_.exhausted(0);
      if (!summary_.exhausted)
        unconfirmed_ =
            Unconfirmed{fmt::format("no run has the history that was found in the scenario {}",
                                    to_string(planned)),
                        {}};
      return Done{};
    }
    RunEvents events =
        events_of(history, made_calls(calls), prepared->ground(), violated->violation);
    summary_.found = Found{planned,
                           history,
                           std::move(events.events),
                           std::move(events.marks),
                           std::make_unique<Prepared>(std::move(*prepared)),
                           std::move(verdict)};
    return Done{};
  }

  const LinearizableQuestion& question_;
  Options options_;
  const Budget& budget_;
  const Listener& listener_;
  Summary summary_;
  std::optional<Error> error_;
  std::optional<Unconfirmed> unconfirmed_;
};

ExitCode exit_code_of(const Summary& summary) {
  if (summary.found)
    return ExitCode::kNotLinearizable;
  if (summary.exhausted == Exhausted::kTime)
    return ExitCode::kTime;
  if (summary.exhausted == Exhausted::kMemory)
    return ExitCode::kMemory;
  return summary.exhausted || !summary.gaps.empty() ? ExitCode::kUnknown
                                                    : ExitCode::kHoldsWithinBounds;
}

std::string verdict_name(ExitCode code) {
  return code == ExitCode::kNotLinearizable     ? "violated"
         : code == ExitCode::kHoldsWithinBounds ? "holds_within_bounds"
                                                : "unknown";
}

std::string bounds_text(const LinearizableQuestion& question) {
  return fmt::format("up to {} thread{} with {} operation{} each",
                     question.space.threads,
                     question.space.threads == 1 ? "" : "s",
                     question.space.units,
                     question.space.units == 1 ? "" : "s");
}

std::string headline(const LinearizableQuestion& question, const Summary& summary) {
  const std::string where =
      fmt::format("under {}{}",
                  question.asked.model.name,
                  summary.assumptions.empty()
                      ? ""
                      : fmt::format(", assuming {}", fmt::join(summary.assumptions, ", ")));
  const std::string criterion = to_string(question.criterion);
  switch (exit_code_of(summary)) {
  case ExitCode::kNotLinearizable:
    return fmt::format(
        "VIOLATED {}: not {}: no order of the operations explains this history of a {}",
        where,
        criterion,
        question.object_name);
  case ExitCode::kHoldsWithinBounds:
    return fmt::format("HOLDS WITHIN BOUNDS {}: {} as a {}: {}; {} scenarios, {} histories",
                       where,
                       criterion,
                       question.object_name,
                       bounds_text(question),
                       report::with_separators(summary.scenarios),
                       report::with_separators(summary.histories));
  default:
    return fmt::format("UNKNOWN {}: {}",
                       where,
                       summary.exhausted ? "the search ran out of time or memory"
                                         : "not all histories were seen");
  }
}

std::string text_of(const LinearizableQuestion& question, const Summary& summary, unsigned width) {
  std::string out = headline(question, summary) + "\n";
  if (summary.found) {
    const Found& found = *summary.found;
    out += fmt::format("\nscenario: {}\n\n", to_string(found.planned));
    out += report::diagram(found.history, found.events) + "\n";
    const report::Subject subject{
        &found.prepared->ground(), question.asked.model, spec::Check{spec::Property::kReach}};
    out += report::layout(table_of(found, subject), width);
  }
  constexpr std::size_t kMostGaps = 5;
  for (std::size_t i = 0; i < std::min(summary.gaps.size(), kMostGaps); ++i)
    for (const std::string& line : report::wrapped("note: " + summary.gaps[i], width))
      out += line + "\n";
  if (summary.gaps.size() > kMostGaps)
    out += fmt::format("note: and {} more scenarios\n", summary.gaps.size() - kMostGaps);
  return out;
}

nlohmann::ordered_json json_of(const LinearizableQuestion& question,
                               const Options& options,
                               const Summary& summary,
                               double seconds) {
  const ExitCode code = exit_code_of(summary);
  nlohmann::ordered_json json;
  json["heddle"] = version();
  json["command"] = "linearizable";
  json["verdict"] = verdict_name(code);
  json["exit_code"] = static_cast<int>(code);
  json["summary"] = headline(question, summary);
  json["model"] = question.asked.model.name;
  json["object"] = question.object_name;
  json["notion"] = options.notion;
  json["threads"] = question.space.threads;
  json["operations"] = question.space.units;
  json["scenarios"] = summary.scenarios;
  json["histories"] = summary.histories;
  json["assumptions"] = summary.assumptions;
  json["gaps"] = summary.gaps;
  if (summary.found) {
    const Found& found = *summary.found;
    json["scenario"] = to_string(found.planned);
    nlohmann::ordered_json operations = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < found.history.operations.size(); ++i) {
      const history::Operation& operation = found.history.operations[i];
      nlohmann::ordered_json one;
      one["thread"] = operation.thread + 1;
      one["operation"] = operation.method;
      if (operation.argument)
        one["argument"] = *operation.argument;
      if (operation.result)
        one["result"] = *operation.result;
      one["after"] = nlohmann::ordered_json::array();
      for (std::size_t j = 0; j < found.history.operations.size(); ++j)
        if ((found.history.before[i] >> j & 1U) != 0)
          one["after"].push_back(j);
      operations.push_back(std::move(one));
    }
    json["history"] = std::move(operations);
    const report::Subject subject{
        &found.prepared->ground(), question.asked.model, spec::Check{spec::Property::kReach}};
    json["run"] = report::json(found.verdict, subject, {version(), static_cast<int>(code)});
  }
  json["stats"] = {{"seconds", seconds}, {"states", summary.states}};
  return json;
}

} // namespace

Result<ExitCode> run_linearizable(const Options& options, const Console& console) {
  const auto start = std::chrono::steady_clock::now();
  const std::atomic<bool>& interrupted = catch_interrupts();
  Result<LinearizableQuestion> question = understand_linearizable(options);
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

  const std::uint64_t memory = options.memory == 0 ? default_memory_bytes() : options.memory << 20U;
  std::optional<std::chrono::milliseconds> time;
  if (options.time > 0)
    time = std::chrono::milliseconds(static_cast<std::int64_t>(options.time * 1000));
  limit_memory(memory);
  const Budget budget(time, memory, &interrupted);
  Result<std::variant<Summary, Unconfirmed>> checked =
      Checking(*question, options, budget, listener).run();
  console.clear_progress();
  if (!checked)
    return checked.error();
  if (const auto* unconfirmed = std::get_if<Unconfirmed>(&*checked)) {
    console.say(
        fmt::format("heddle: internal error: {}\n"
                    "heddle: this is a bug in Heddle, not in your program; please report it "
                    "with the input",
                    unconfirmed->message));
    return ExitCode::kOurBug;
  }
  const Summary& summary = std::get<Summary>(*checked);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!options.json.empty())
    if (const Status written = report::write_file(
            options.json, report::dump(json_of(*question, options, summary, seconds)));
        !written)
      return written.error();
  const unsigned width = options.width != 0 ? static_cast<unsigned>(options.width)
                         : console.out_is_terminal && console.terminal_width != 0
                             ? console.terminal_width
                             : 100;
  if (const Status printed = print_output(text_of(*question, summary, width), console); !printed)
    return printed.error();
  return exit_code_of(summary);
}

} // namespace heddle::driver
