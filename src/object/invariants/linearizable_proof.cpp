// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/invariants/linearizable_proof.h"

#include "driver/output/limits.h"
#include "driver/output/reporting.h"
#include "driver/pipeline/pipeline.h"
#include "engine/invariants/obligations.h"
#include "object/histories/c_specification.h"
#include "object/histories/linearizable_question.h"
#include "object/invariants/abstract_state.h"
#include "object/invariants/atomic_steps.h"
#include "object/invariants/locks_as_words.h"
#include "report/headline.h"
#include "report/json.h"
#include "report/write_file.h"
#include "support/budget_watch.h"
#include "transform/basic/rewrite.h"
#include "transform/buffers/explicit_buffers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

namespace heddle::object {

namespace {

using engine::invariants::Obligation;

Error usage(std::string code, std::string message) {
  return Error{ErrorKind::kUsage, std::move(code), std::move(message)};
}

/// "push=f,pop=g" in order; a word without = names both.
Result<std::vector<std::pair<std::string, std::string>>> read_names(const std::string& option,
                                                                    const std::string& text) {
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string entry = text.substr(from, to - from);
    from = to + 1;
    const std::size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    std::string function = equals == std::string::npos ? entry : entry.substr(equals + 1);
    if (name.empty() || function.empty())
      return usage("USE-021",
                   fmt::format("--{} expects OPERATION=FUNCTION, got '{}'", option, entry));
    if (std::ranges::find(names, name, &std::pair<std::string, std::string>::first) != names.end())
      return usage("USE-021", fmt::format("--{} names '{}' twice", option, name));
    names.emplace_back(name, std::move(function));
  }
  return names;
}

Result<ClientPlan> read_plan(const driver::Options& options) {
  ClientPlan plan;
  plan.init = options.init;
  plan.invariant = options.invariant;
  const auto functions = read_names("functions", options.functions);
  if (!functions)
    return functions.error();
  if (functions->empty())
    return usage("USE-021",
                 "--functions is missing: say which functions are called, as in push,pop");
  for (const auto& [name, function] : *functions)
    plan.operations.push_back({name, function, {}});
  const auto abstract = read_names("abstract", options.abstract);
  if (!abstract)
    return abstract.error();
  for (const auto& [name, function] : *abstract) {
    const auto operation = std::ranges::find(plan.operations, name, &ClientOperation::name);
    if (operation == plan.operations.end())
      return usage("USE-021",
                   fmt::format("--abstract names '{}', which --functions does not", name));
    operation->abstract = function;
  }
  const bool all_abstract = std::ranges::none_of(
      plan.operations, [](const auto& operation) { return operation.abstract.empty(); });
  if (!abstract->empty() && !all_abstract)
    return usage("USE-021",
                 "--abstract has no function for some operations; without --abstract only the "
                 "invariant and the assertions are proved");
  for (const std::string& text : options.linearization_point) {
    Result<EffectPlace> point = read_linearization_point(text);
    if (!point)
      return point.error();
    plan.effects.push_back(std::move(*point));
  }
  for (const std::string& text : options.auxiliary) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals + 1 == text.size())
      return usage("USE-025",
                   fmt::format("--auxiliary expects FUNCTION:LINE:HOW=FUNCTION, got '{}'", text));
    Result<EffectPlace> place = read_linearization_point(text.substr(0, equals));
    if (!place)
      return place.error();
    plan.auxiliary.push_back({std::move(*place), text.substr(equals + 1)});
  }
  if (!options.abort.empty()) {
    std::int64_t number = 0;
    const char* end = options.abort.data() + options.abort.size();
    const auto [rest, error] = std::from_chars(options.abort.data(), end, number);
    if (error != std::errc{} || rest != end)
      return usage("USE-021", fmt::format("--abort expects a number, got '{}'", options.abort));
    plan.abort = number;
  }
  if (abstract->empty() != plan.effects.empty())
    return usage("USE-037",
                 "--abstract and --linearization-point belong together with --invariant: what the "
                 "operations are to do, and where they do it");
  return plan;
}

class Proving {
public:
  Proving(const driver::Options& options,
          const driver::Console& console,
          driver::Watchdog& watchdog)
      : given_(options), options_(options), console_(console), watchdog_(watchdog),
        budget_(watchdog.budget()) {}

  Result<driver::ExitCode> run() {
    if (given_.unfinished || given_.suggest_fences || given_.notion != "linearizable" ||
        !given_.spec.empty() || !given_.object.empty() || !given_.roles.empty())
      return usage("USE-037",
                   "--invariant is for --functions, --abstract, --init and --linearization-point; "
                   "not with --object, --spec, --notion, --roles, --unfinished or "
                   "--suggest-fences");
    Result<ClientPlan> plan = read_plan(given_);
    if (!plan)
      return plan.error();
    plan_ = std::move(*plan);
    Result<driver::Asked> asked = driver::understand_question(given_);
    if (!asked)
      return asked.error();
    asked_ = std::move(*asked);
    watchdog_.know([this](Exhausted what) { return stopped(what); });
    asked_.question = spec::Check{spec::Property::kReach};
    if (!asked_.model.machine)
      return usage(
          "USE-037",
          fmt::format("--invariant is for sc, tso and pso, not for '{}'", asked_.model.name));
    // Calls are put where they are made; under TSO and PSO the program becomes one for SC.
    options_.inline_calls = true;
    options_.no_merge = true;
    options_.engine = "explicit";
    has_buffers_ = *asked_.model.machine != memory::MachineKind::kSequential;
    if (has_buffers_ && given_.buffers == "graph")
      options_.via = "store-buffer-graph";
    if (const Status loaded = load(); !loaded)
      return loaded.error();
    if (given_.verbose)
      listener_.tell = [this](const std::string& line) { console_.say("heddle: " + line); };
    if (console_.err_is_terminal)
      listener_.progress = [this](const std::string& line) { console_.show_progress(line); };

    Result<std::optional<driver::ExitCode>> refuted = try_on_few();
    if (!refuted)
      return tell_end(refuted.error());
    if (*refuted)
      return **refuted;
    Result<driver::ExitCode> proved = prove();
    if (!proved)
      return tell_end(proved.error());
    return proved;
  }

private:
  [[nodiscard]] driver::LastWords stopped(Exhausted what) const {
    verdict::Verdict unknown;
    unknown.answer = driver::unknown_after(what, "nothing was proved");
    const driver::ExitCode code = driver::exit_code(unknown);
    const std::string headline = fmt::format(
        "UNKNOWN under {}: {}", asked_.model.name, std::get<verdict::Unknown>(unknown.answer).why);
    return {headline + "\n",
            given_.json.empty() ? std::string()
                                : report::dump(json_head("unknown", code, headline)),
            static_cast<int>(code)};
  }

  /// An error, or the end of the budget.
  Result<driver::ExitCode> tell_end(const Error& error) const {
    if (!is_budget_used_up(error))
      return error;
    const driver::LastWords words = stopped(budget_.exhausted(0).value_or(Exhausted::kTime));
    if (!given_.json.empty())
      if (const Status written = report::write_file(given_.json, words.json); !written)
        return written.error();
    watchdog_.stand_down();
    if (const Status printed = driver::print_output(words.text, console_); !printed)
      return printed.error();
    return static_cast<driver::ExitCode>(words.code);
  }

  Status load() {
    asked_.load.entry.clear();
    for (const ClientOperation& operation : plan_.operations) {
      asked_.load.keep.push_back(operation.function);
      if (!operation.abstract.empty())
        asked_.load.keep.push_back(operation.abstract);
    }
    for (const AuxiliaryUpdate& update : plan_.auxiliary)
      asked_.load.keep.push_back(update.function);
    asked_.load.keep.push_back(plan_.invariant);
    if (!plan_.init.empty())
      asked_.load.keep.push_back(plan_.init);
    Result<frontend::Loaded> loaded = frontend::load(asked_.files, asked_.load);
    if (!loaded)
      return loaded.error();
    if (const Status usable = expect_numbers(*loaded, asked_.load.keep); !usable)
      return usable.error();
    for (const std::string& warning : loaded->warnings)
      console_.say("heddle: warning: " + warning);
    module_ = std::move(loaded->module);
    asked_.load.entry = kClientEntry;
    return Done{};
  }

  /// The program of the plan, for SC, with atomic steps.
  Result<driver::Prepared> program_of(const ClientPlan& plan) {
    Result<ir::Module> client = make_client(module_, plan);
    if (!client)
      return client.error();
    std::optional<std::string> no_graph;
    driver::Listener listener = listener_;
    listener.warn = [&](const std::string& line) { no_graph = line; };
    Result<driver::Prepared> prepared =
        driver::prepare(std::move(*client), asked_, options_, budget_, listener);
    if (!prepared)
      return prepared.error();
    const bool is_explicit = has_buffers_ && given_.buffers == "explicit";
    if (!is_explicit && prepared->stage_models.back().machine != memory::MachineKind::kSequential)
      return Error{ErrorKind::kUnsupported,
                   "OBL-005",
                   fmt::format("there is no program for sc that behaves like this one under {}: {}",
                               asked_.model.name,
                               no_graph.value_or("no store-buffer graph"))};
    for (std::size_t i = 0; i < prepared->stages.size(); ++i)
      if (prepared->stage_names[i] == "inline")
        if (const Status checked = check_abstract_state(prepared->stages[i]->program, plan);
            !checked)
          return checked.error();
    hints_ = {};
    if (is_explicit) {
      Result<transform::ExplicitBuffers> buffers =
          transform::make_buffers_explicit(prepared->stages.back()->program, *asked_.model.machine);
      if (!buffers)
        return buffers.error();
      hints_ = {std::move(buffers->lemmas),
                std::move(buffers->cases),
                std::move(buffers->entries),
                false};
      prepared->stages.back()->program = std::move(buffers->program);
    }
    hints_.tries_parts = has_locks(module_);
    Result<program::Program> steps = make_steps_atomic(prepared->stages.back()->program, plan);
    if (!steps)
      return steps.error();
    driver::Prepared atomic;
    atomic.module = std::move(prepared->module);
    atomic.approximations = std::move(prepared->approximations);
    atomic.stages.push_back(std::make_unique<transform::Transformed>(
        transform::Transformed{std::move(*steps), transform::same_schedule(), {}}));
    atomic.stage_names.emplace_back("atomic steps");
    atomic.stage_models.push_back(*memory::find_model("sc"));
    return atomic;
  }

  /// An exit code if the invariant, or something else that is asserted, fails there.
  Result<std::optional<driver::ExitCode>> try_on_few() {
    ClientPlan few = plan_;
    few.bounds = ClientBounds{static_cast<std::uint32_t>(given_.threads),
                              static_cast<std::uint32_t>(given_.operations)};
    if (listener_.progress)
      listener_.progress("trying the invariant");
    Result<driver::Prepared> prepared = program_of(few);
    if (!prepared)
      return prepared.error();
    driver::Asked asked = asked_;
    asked.model = prepared->stage_models.back();
    const Budget half = budget_.with_part_of_time(50);
    auto answered = driver::answer(asked, options_, *prepared, half, listener_);
    console_.clear_progress();
    if (!answered)
      return answered.error();
    if (const auto* unconfirmed = std::get_if<driver::Unconfirmed>(&*answered)) {
      console_.say(
          fmt::format("heddle: internal error: {}\nheddle: this is a bug in Heddle, not in "
                      "your program; please report it with the input",
                      unconfirmed->message));
      return std::optional{driver::ExitCode::kOurBug};
    }
    const auto& verdict = std::get<verdict::Verdict>(*answered);
    const std::string scope = fmt::format("{} thread{} with {} call{} each",
                                          given_.threads,
                                          given_.threads == 1 ? "" : "s",
                                          given_.operations,
                                          given_.operations == 1 ? "" : "s");
    if (std::holds_alternative<verdict::Violated>(verdict.answer)) {
      const report::Subject subject{&prepared->ground(), asked.model, asked.question};
      std::string headline = fmt::format(
          "REFUTED under {}: what is asserted does not hold for {}", asked_.model.name, scope);
      if (has_buffers_)
        headline += "; the run is of the program for sc in which stores reach memory by steps of "
                    "their own";
      if (!given_.json.empty()) {
        nlohmann::ordered_json json = json_head("refuted", driver::ExitCode::kAssertion, headline);
        json["run"] = report::json(
            verdict, subject, {driver::version(), static_cast<int>(driver::ExitCode::kAssertion)});
        if (const Status written = report::write_file(given_.json, report::dump(json)); !written)
          return written.error();
      }
      const std::string text =
          headline + "\n" + driver::report_text(verdict, subject, given_, console_);
      watchdog_.stand_down();
      if (const Status printed = driver::print_output(text, console_); !printed)
        return printed.error();
      return std::optional{driver::ExitCode::kAssertion};
    }
    if (const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer))
      tried_ = fmt::format("not decided for {} ({})", scope, unknown->why);
    else
      tried_ = fmt::format("nothing fails for {}", scope);
    return std::optional<driver::ExitCode>{};
  }

  Result<driver::ExitCode> prove() {
    if (listener_.progress)
      listener_.progress("proving");
    Result<driver::Prepared> prepared = program_of(plan_);
    if (!prepared)
      return prepared.error();
    std::set<std::string> assumed;
    for (const Approximation& approximation : prepared->approximations) {
      if (approximation.kind == Approximation::Kind::kUnder)
        return Error{ErrorKind::kUnsupported,
                     "OBL-005",
                     "some runs are missing, so that nothing can be proved: " + approximation.what};
      if (approximation.kind == Approximation::Kind::kAssumed)
        assumed.insert(approximation.what);
    }
    const program::Program& program = prepared->ground();
    std::optional<program::ProcedureId> client;
    std::optional<program::ProcedureId> invariant;
    for (std::size_t i = 0; i < program.procedures.size(); ++i) {
      const program::ProcedureId id{i};
      if (program.procedures[id].name == plan_.invariant)
        invariant = id;
      if (program.procedures[id].name == fmt::format("{}.1", kClientThread))
        client = id;
    }
    HEDDLE_CHECK(client && invariant, "the client and the invariant are procedures");
    for (const program::Edge& edge : program.procedures[*client].edges)
      if (const auto* assumption = std::get_if<program::Assume>(&edge.action);
          assumption != nullptr && !assumption->is_branch)
        assumed.insert("callers keep to what the functions assume");
    Result<engine::invariants::ObligationReport> report =
        engine::invariants::discharge(program, *client, *invariant, hints_, budget_);
    console_.clear_progress();
    if (!report)
      return report.error();
    return tell(*report, program, assumed);
  }

  Result<driver::ExitCode> tell(const engine::invariants::ObligationReport& report,
                                const program::Program& program,
                                const std::set<std::string>& assumed) {
    const auto is_open = [](const Obligation& obligation) {
      return obligation.outcome != Obligation::Outcome::kProved;
    };
    const auto open = std::ranges::count_if(report.obligations, is_open);
    const bool is_refined = !plan_.effects.empty();
    const std::string where =
        fmt::format("under {}{}",
                    asked_.model.name,
                    assumed.empty() ? "" : fmt::format(", assuming {}", fmt::join(assumed, ", ")));
    std::string headline;
    driver::ExitCode code = driver::ExitCode::kProved;
    const auto exhausted = open == 0 ? std::nullopt : budget_.exhausted(0);
    if (open == 0) {
      headline = fmt::format(
          "PROVED {}: {}: '{}' is an invariant for any number of threads and calls; {} obligations",
          where,
          is_refined ? "linearizable" : "no assertion fails",
          plan_.invariant,
          report.obligations.size());
    } else {
      code = driver::ExitCode::kUnknown;
      std::string why = fmt::format("'{}' is not inductive", plan_.invariant);
      if (exhausted) {
        code = *exhausted == Exhausted::kTime     ? driver::ExitCode::kTime
               : *exhausted == Exhausted::kMemory ? driver::ExitCode::kMemory
                                                  : driver::ExitCode::kUnknown;
        why = "the search for what holds at places did not end";
      }
      headline = fmt::format("UNKNOWN {}: {} of {} obligations not proved: {}",
                             where,
                             open,
                             report.obligations.size(),
                             why);
    }
    std::string text = headline + "\n";
    text += fmt::format("tried first: {}\n", tried_);
    text +=
        fmt::format("{} places, {} steps, {} facts of places found, {} questions to the solver\n",
                    report.places,
                    report.steps,
                    report.facts,
                    report.queries);
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Obligation& obligation : report.obligations) {
      const char* outcome = obligation.outcome == Obligation::Outcome::kProved   ? "proved"
                            : obligation.outcome == Obligation::Outcome::kFailed ? "failed"
                                                                                 : "undecided";
      text +=
          fmt::format("  {:9} {}: {}\n", outcome, program.place(obligation.loc), obligation.what);
      if (!obligation.memory.empty())
        text += fmt::format("            in a state with {}\n", fmt::join(obligation.memory, ", "));
      if (!obligation.locals.empty())
        text += fmt::format("            of the thread: {}\n", fmt::join(obligation.locals, ", "));
      nlohmann::ordered_json one;
      one["what"] = obligation.what;
      one["outcome"] = outcome;
      if (obligation.loc.is_known()) {
        one["file"] = program.files[obligation.loc.file];
        one["line"] = obligation.loc.line;
      }
      if (obligation.outcome == Obligation::Outcome::kFailed) {
        one["memory"] = obligation.memory;
        one["thread"] = obligation.locals;
      }
      all.push_back(std::move(one));
    }
    if (open != 0 && !exhausted)
      text +=
          "such a state need not be one that a run comes to: strengthen the invariant to exclude "
          "it, or say more of places by assertions in atomic sections\n";
    if (!given_.json.empty()) {
      nlohmann::ordered_json json = json_head(open == 0 ? "proved" : "unknown", code, headline);
      json["assumptions"] = assumed;
      json["tried"] = tried_;
      json["obligations"] = std::move(all);
      json["stats"] = {{"places", report.places},
                       {"steps", report.steps},
                       {"facts", report.facts},
                       {"queries", report.queries}};
      if (const Status written = report::write_file(given_.json, report::dump(json)); !written)
        return written.error();
    }
    watchdog_.stand_down();
    if (const Status printed = driver::print_output(text, console_); !printed)
      return printed.error();
    return code;
  }

  [[nodiscard]] nlohmann::ordered_json
  json_head(const std::string& verdict, driver::ExitCode code, const std::string& headline) const {
    nlohmann::ordered_json json;
    json["heddle"] = driver::version();
    json["command"] = "linearizable";
    json["verdict"] = verdict;
    json["exit_code"] = static_cast<int>(code);
    json["summary"] = headline;
    json["model"] = asked_.model.name;
    json["invariant"] = plan_.invariant;
    return json;
  }

  const driver::Options& given_;
  driver::Options options_;
  const driver::Console& console_;
  driver::Watchdog& watchdog_;
  const Budget& budget_;
  driver::Listener listener_;
  ClientPlan plan_;
  driver::Asked asked_;
  ir::Module module_;
  std::string tried_;
  bool has_buffers_ = false;
  engine::invariants::FactHints hints_; // of the program made last
};

} // namespace

Result<driver::ExitCode> run_proof(const driver::Options& options, const driver::Console& console) {
  const std::uint64_t memory = driver::memory_limit(options);
  driver::Watchdog watchdog(
      {driver::time_limit(options), memory, options.json, console.err_is_terminal});
  driver::limit_memory(memory);
  return Proving(options, console, watchdog).run();
}

} // namespace heddle::object
