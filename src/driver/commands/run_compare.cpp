// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// compare: which final states of a test or a small program which models allow, and for each state
// on which they differ one execution that ends in it.
#include "driver/commands/commands.h"
#include "driver/output/limits.h"
#include "driver/pipeline/litmus.h"
#include "driver/pipeline/litmus_files.h"
#include "report/write_file.h"
#include "support/budget_watch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>

namespace heddle::driver {

namespace {

using execution::Event;
using execution::Execution;

/// Executions looked through for one that ends in a given state.
constexpr std::uint64_t kWitnesses = 1000;

std::string line_of(const report::LitmusState& state) {
  std::string line;
  for (const auto& [name, value] : state.values)
    line += fmt::format("{}{}={};", line.empty() ? "" : " ", name, value);
  return line;
}

std::string describe(const EnumerationInput& input, const Event& event) {
  const std::string place = print_value(
      input.program, event.address, static_cast<unsigned>(input.program.pointer_bits()), false);
  const std::string value = print_value(input.program, event.value, 8U * event.size, true);
  return fmt::format("{} {}={}", event.kind == Event::Kind::kRead ? "R" : "W", place, value);
}

/// "P0: W x=1; R y=0 (initial)"
std::vector<std::string> describe(const EnumerationInput& input, const Execution& execution) {
  std::map<unsigned, std::string> threads;
  for (std::size_t i = 0; i < execution.events.size(); ++i) {
    const Event& event = execution.events[i];
    if (event.kind != Event::Kind::kRead && event.kind != Event::Kind::kWrite)
      continue;
    std::string& line = threads[event.thread];
    line += (line.empty() ? "" : "; ") + describe(input, event);
    if (event.kind != Event::Kind::kRead)
      continue;
    for (std::size_t write = 0; write < execution.events.size(); ++write)
      if (execution.rf.contains(write, i))
        line += execution.events[write].kind == Event::Kind::kInitialWrite
                    ? " (initial)"
                    : fmt::format(" (from P{})", execution.events[write].thread - 1);
  }
  std::vector<std::string> lines;
  for (const auto& [thread, line] : threads)
    lines.push_back(thread == 0 ? "main: " + line : fmt::format("P{}: {}", thread - 1, line));
  return lines;
}

struct Compared {
  std::vector<std::string> models;
  std::vector<bool> is_incomplete;    // by model
  std::optional<Exhausted> exhausted; // for one of them
  std::vector<bool> has_failures;     // executions in which an assertion fails: they have no state
  std::map<std::string, std::vector<bool>> states; // which models have it
  std::map<std::string, std::vector<std::string>> witnesses;
};

std::variant<Compared, std::vector<Error>> compare(const EnumerationInput& input,
                                                   const std::vector<std::string>& models,
                                                   const Options& options,
                                                   ModelCache& cache,
                                                   const Budget& first,
                                                   Watchdog& watchdog) {
  Compared compared;
  LitmusOptions how;
  how.unroll = static_cast<std::uint32_t>(options.unroll);
  how.counts = !options.states;
  how.kept_executions = kWitnesses;
  how.nondet_bits = static_cast<std::uint32_t>(options.nondet_bits);
  for (std::size_t i = 0; i < models.size(); ++i) {
    how.budget = i == 0 ? first : watchdog.restart_time();
    const auto model = cache.find(models[i], input.test);
    if (const auto* errors = std::get_if<std::vector<Error>>(&model))
      return *errors;
    Result<LitmusAnswer> answer =
        run_litmus(input.test, input.program, std::get<memory::Model>(model), how);
    if (!answer)
      return std::vector<Error>{answer.error()};
    if (!answer->result.complete && !compared.exhausted)
      compared.exhausted = how.budget.exhausted(0);
    compared.models.push_back(answer->result.model);
    compared.is_incomplete.push_back(!answer->result.complete);
    compared.has_failures.push_back(answer->result.failing != 0);
    const auto& outcomes = std::get<verdict::Outcomes>(answer->verdict.answer);
    for (const report::LitmusState& state : answer->result.states) {
      std::vector<bool>& has = compared.states[line_of(state)];
      has.resize(models.size(), false);
      has[i] = true;
    }
    for (const verdict::Outcomes::Kept& kept : outcomes.kept) {
      report::LitmusState state;
      state.values = print_state(input.program, input.test, outcomes.states[kept.state]);
      const std::string line = line_of(state);
      if (!compared.witnesses.contains(line))
        compared.witnesses[line] = describe(input, kept.execution);
    }
  }
  return compared;
}

bool is_any(const std::vector<bool>& bits) {
  return std::find(bits.begin(), bits.end(), true) != bits.end();
}

std::vector<std::string> chosen(const Compared& compared, const std::vector<bool>& bits) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i])
      names.push_back(compared.models[i]);
  return names;
}

void print(const std::string& name, const Compared& compared, std::ostream& out) {
  out << name << ": ";
  for (std::size_t i = 0; i < compared.models.size(); ++i) {
    const auto count = std::count_if(compared.states.begin(),
                                     compared.states.end(),
                                     [i](const auto& one) { return one.second[i]; });
    out << fmt::format("{}{} {} states", i == 0 ? "" : ", ", compared.models[i], count);
  }
  out << '\n';
  bool differ = false;
  const auto tell = [&](const std::string& what, std::vector<bool> has) {
    if (std::find(has.begin(), has.end(), false) == has.end())
      return false;
    differ = true;
    const std::vector<std::string> yes = chosen(compared, has);
    has.flip();
    out << fmt::format("  {}  allowed by {}; not by {}\n",
                       what,
                       fmt::join(yes, " "),
                       fmt::join(chosen(compared, has), " "));
    return true;
  };
  for (const auto& [state, has] : compared.states) {
    if (!tell(state, has))
      continue;
    if (const auto witness = compared.witnesses.find(state); witness != compared.witnesses.end())
      for (const std::string& line : witness->second)
        out << "    " << line << '\n';
  }
  if (is_any(compared.has_failures) && !tell("a failed assertion", compared.has_failures))
    out << "  an assertion fails under all of them, in executions without a final state\n";
  const bool is_incomplete = is_any(compared.is_incomplete);
  if (!differ)
    out << (is_incomplete ? "  no difference in what was found\n" : "  no difference\n");
  if (is_incomplete)
    out << fmt::format("  states may be missing under {}: a bound was reached; help: a higher "
                       "--unroll, or verify\n",
                       fmt::join(chosen(compared, compared.is_incomplete), " "));
}

nlohmann::ordered_json to_json(const std::string& name, const Compared& compared) {
  nlohmann::ordered_json states = nlohmann::ordered_json::array();
  for (const auto& [state, has] : compared.states) {
    nlohmann::ordered_json one = {{"state", state}, {"allowed by", chosen(compared, has)}};
    if (const auto witness = compared.witnesses.find(state); witness != compared.witnesses.end())
      one["witness"] = witness->second;
    states.push_back(std::move(one));
  }
  return {{"test", name},
          {"models", compared.models},
          {"states", states},
          {"failed assertion", chosen(compared, compared.has_failures)},
          {"incomplete", chosen(compared, compared.is_incomplete)}};
}

} // namespace

Result<ExitCode> run_compare(const Options& options, const Console& console) {
  Watchdog watchdog({time_limit(options), default_memory_bytes(), {}, console.err_is_terminal});
  watchdog.know(words_for_tests);
  limit_memory(default_memory_bytes());
  const Result<std::vector<std::string>> files = litmus_files(options.files);
  if (!files)
    return files.error();
  const std::vector<std::string> models = split_names(options.models);
  ModelCache cache(options);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::optional<ErrorKind> worst; // a wrong question goes before a wrong input
  bool is_incomplete = false;
  std::optional<Exhausted> exhausted;
  for (const std::string& file : *files) {
    if (watchdog.is_interrupted()) {
      exhausted = Exhausted::kInterrupted;
      break;
    }
    const Budget budget = watchdog.restart_time();
    const auto complain = [&](const std::vector<Error>& errors) {
      for (Error error : errors) {
        if (is_budget_used_up(error)) {
          exhausted = watchdog.what_ran_out();
          continue;
        }
        if (error.file.empty() && error.kind != ErrorKind::kUsage)
          error.file = file;
        console.complain(error);
        worst = worst == ErrorKind::kUsage ? worst : error.kind;
      }
    };
    const ReadForEnumeration read = read_for_enumeration(file, options, budget);
    if (const auto* errors = std::get_if<std::vector<Error>>(&read)) {
      complain(*errors);
      continue;
    }
    const EnumerationInput& input = std::get<EnumerationInput>(read);
    const std::variant<Compared, std::vector<Error>> compared =
        compare(input, models, options, cache, budget, watchdog);
    if (const auto* errors = std::get_if<std::vector<Error>>(&compared)) {
      complain(*errors);
      continue;
    }
    print(input.test.name, std::get<Compared>(compared), console.out);
    console.out << std::flush; // whatever becomes of the next one
    is_incomplete = is_incomplete || is_any(std::get<Compared>(compared).is_incomplete);
    if (std::get<Compared>(compared).exhausted)
      exhausted = std::get<Compared>(compared).exhausted;
    if (!options.json.empty())
      all.push_back(to_json(input.test.name, std::get<Compared>(compared)));
  }
  if (!options.json.empty())
    if (const Status written = report::write_file(options.json, all.dump(2) + "\n"); !written)
      return written.error();
  watchdog.stand_down();
  if (exhausted)
    console.out << words_for_tests(*exhausted).text;
  if (worst)
    return *worst == ErrorKind::kUsage ? ExitCode::kUsage : ExitCode::kInput;
  if (exhausted)
    return static_cast<ExitCode>(words_for_tests(*exhausted).code);
  return is_incomplete ? ExitCode::kHoldsWithinBounds : ExitCode::kProved;
}

} // namespace heddle::driver
