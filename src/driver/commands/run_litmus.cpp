// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// litmus and executions: every test (or small program) under every model asked for, in herd's log
// format; tests are shared out among threads, and printed in the order they were given.
#include "driver/commands/commands.h"
#include "driver/commands/litmus_page.h"
#include "driver/options/models.h"
#include "driver/output/limits.h"
#include "driver/pipeline/litmus.h"
#include "driver/pipeline/litmus_files.h"
#include "report/page/dot.h"
#include "report/page/html.h"
#include "report/page/svg.h"
#include "report/write_file.h"
#include "support/budget_watch.h"
#include "support/within_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <ostream>
#include <span>
#include <thread>
#include <utility>

namespace heddle::driver {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadAtOnce = 8; // tests

/// What one test gave: a log for each model, or what is wrong with it.
struct Answered {
  std::vector<report::LitmusResult> results;
  std::vector<std::string> explanations; // of the results, or empty
  std::vector<std::string> gaps;         // why nothing is known of the result, or empty
  std::vector<Error> errors;
  std::optional<Exhausted> exhausted; // before all was seen
  bool names_models = false;          // the log does: nobody said which, or there are several
};

/// Why the condition is never satisfied: "Forbidden by sc (acyclic po | com): a: W[x]=1 -po-> …",
/// with the lines of the events.
std::string explain(const report::Page& page) {
  for (const report::ShownExecution& shown : page.executions) {
    if (shown.status != report::ShownExecution::Status::kForbidden || !shown.satisfies ||
        !shown.picture.highlight)
      continue;
    const report::Highlight& why = *shown.picture.highlight;
    std::string cycle;
    std::string places;
    for (const report::Highlight::Edge& edge : why.edges) {
      const report::Picture::Node& from = shown.picture.nodes[edge.from];
      cycle += fmt::format("{} -{}-> ", from.label(), edge.relation);
      places += fmt::format("  {}  {}\n", from.label(), from.place);
    }
    if (!why.edges.empty())
      cycle += shown.picture.nodes[why.edges.back().to].name;
    return fmt::format("Forbidden by {}{}: {}\n{}",
                       why.title,
                       why.text.empty() || why.text == why.title ? "" : " (" + why.text + ")",
                       cycle,
                       places);
  }
  return "";
}

/// Why not one execution has come to its end, where none has.
std::string why_nothing_is_known(const LitmusAnswer& answer) {
  if (!report::is_nothing_known(answer.result))
    return "";
  std::vector<std::string> cuts;
  for (const Approximation& one : answer.verdict.approximations)
    if (one.kind == Approximation::Kind::kUnder &&
        std::find(cuts.begin(), cuts.end(), one.what) == cuts.end())
      cuts.push_back(one.what);
  return cuts.empty() ? "time or memory was used up before any execution came to its end"
                      : fmt::format("every execution is cut before its end ({}); help: a higher "
                                    "--unroll, or verify",
                                    fmt::join(cuts, "; "));
}

/// For one test and model the path itself, otherwise a file in that folder.
std::string output_path(const std::string& path,
                        const std::string& test,
                        const std::string& model,
                        const char* suffix,
                        bool is_folder) {
  if (!is_folder)
    return path;
  std::string name = test;
  std::replace(name.begin(), name.end(), '/', '_');
  return (std::filesystem::path(path) / fmt::format("{}.{}.{}", name, model, suffix)).string();
}

/// The picture of an execution that satisfies the condition, or else of the first.
const report::Picture* picture_of(const report::Page& page) {
  const report::Picture* first = nullptr;
  for (const report::ShownExecution& shown : page.executions) {
    if (shown.status == report::ShownExecution::Status::kForbidden)
      continue;
    if (shown.satisfies)
      return &shown.picture;
    if (first == nullptr)
      first = &shown.picture;
  }
  return first;
}

Status write_pictures(const EnumerationInput& input,
                      const memory::Model& model,
                      const LitmusOptions& how,
                      const Options& options,
                      bool is_folder) {
  if (options.html.empty() && options.dot.empty() && options.svg.empty())
    return Done{};
  const Result<report::Page> page = litmus_page(input.test, input.program, model, how);
  if (!page)
    return page.error();
  const auto write =
      [&](const std::string& path, const char* suffix, const std::string& text) -> Status {
    if (is_folder) {
      std::error_code error;
      std::filesystem::create_directories(path, error);
    }
    return report::write_file(output_path(path, input.test.name, model.name, suffix, is_folder),
                              text);
  };
  if (!options.html.empty())
    if (Status written = write(options.html, "html", report::html(*page)); !written)
      return written;
  const report::Picture* const picture = picture_of(*page);
  if (picture == nullptr)
    return Done{};
  if (!options.dot.empty())
    if (Status written = write(options.dot, "dot", report::dot(*picture)); !written)
      return written;
  if (!options.svg.empty()) {
    const Result<std::string> drawn = report::svg(*picture);
    if (!drawn)
      return drawn.error();
    if (Status written = write(options.svg, "svg", *drawn); !written)
      return written;
  }
  return Done{};
}

/// `first`: what the first model has; without it as much as every other.
Answered answer(const std::string& file,
                ReadForEnumeration read,
                const Options& options,
                ModelCache& cache,
                bool is_folder,
                unsigned jobs_per_test,
                std::optional<Budget> first,
                Watchdog& watchdog) {
  Answered answered;
  if (auto* errors = std::get_if<std::vector<Error>>(&read)) {
    answered.errors = std::move(*errors);
    if (std::erase_if(answered.errors, is_budget_used_up) != 0)
      answered.exhausted = watchdog.what_ran_out();
    return answered;
  }
  const EnumerationInput& input = std::get<EnumerationInput>(read);
  const std::vector<std::string> models = models_for(file, input.test, options);
  answered.names_models = models.size() > 1 || (options.is_model_open && is_litmus(file));
  LitmusOptions how;
  how.unroll = static_cast<std::uint32_t>(options.unroll);
  how.by_solver = options.engine == "axiomatic";
  how.counts = !options.states && !how.by_solver;
  how.jobs = jobs_per_test;
  how.nondet_bits = static_cast<std::uint32_t>(options.nondet_bits);
  for (const std::string& name : models) {
    const Clock::time_point start = Clock::now();
    how.budget = first ? *std::exchange(first, std::nullopt) : watchdog.restart_time();
    const auto model = cache.find(name, input.test);
    if (const auto* errors = std::get_if<std::vector<Error>>(&model)) {
      answered.errors.insert(answered.errors.end(), errors->begin(), errors->end());
      continue;
    }
    Result<LitmusAnswer> one =
        run_litmus(input.test, input.program, std::get<memory::Model>(model), how);
    if (!one || !one->result.complete)
      if (const std::optional<Exhausted> what = how.budget.exhausted(0))
        answered.exhausted = what;
    if (!one && is_budget_used_up(one.error()))
      continue;
    if (!one) {
      Error error = one.error();
      if (error.file.empty())
        error.file = file;
      answered.errors.push_back(std::move(error));
      continue;
    }
    if (input.test.expected && cache.is_for_one(name))
      one->result.expected = {input.test.expected->observation, input.test.expected->has_race};
    one->result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const report::LitmusCount count = report::count(one->result);
    answered.gaps.push_back(why_nothing_is_known(*one));
    answered.results.push_back(std::move(one->result));
    answered.explanations.emplace_back();
    if (options.explain && count.satisfying == 0) {
      const Result<report::Page> page =
          litmus_page(input.test, input.program, std::get<memory::Model>(model), how);
      if (!page)
        answered.errors.push_back(page.error());
      else
        answered.explanations.back() = explain(*page);
    }
    if (const Status written =
            write_pictures(input, std::get<memory::Model>(model), how, options, is_folder);
        !written)
      answered.errors.push_back(written.error());
  }
  return answered;
}

} // namespace

Result<ExitCode> run_litmus_command(const Options& options, const Console& console) {
  Watchdog watchdog({time_limit(options), default_memory_bytes(), {}, console.err_is_terminal});
  watchdog.know(words_for_tests);
  limit_memory(default_memory_bytes());
  const Result<std::vector<std::string>> files = litmus_files(options.files);
  if (!files)
    return files.error();
  ModelCache cache(options);
  const bool is_folder = files->size() * split_names(options.model).size() > 1;
  std::vector<Answered> answers(files->size());
  std::vector<bool> is_done(files->size(), false);
  std::mutex mutex;
  std::size_t printed = 0;
  std::atomic<std::size_t> next = 0;
  std::optional<ErrorKind> worst; // a wrong question goes before a wrong input
  std::optional<Exhausted> exhausted;
  bool is_as_expected = true;
  bool is_something_unknown = false;
  const bool prints_json = options.log == "json";
  const bool wants_report = prints_json || !options.json.empty();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  // In order: an answer is printed when all before it have been.
  const auto print_ready = [&] {
    for (; printed < answers.size() && is_done[printed]; ++printed) {
      const Answered& one = answers[printed];
      for (const Error& error : one.errors) {
        console.complain(error);
        worst = worst == ErrorKind::kUsage ? worst : error.kind;
      }
      for (std::size_t i = 0; i < one.results.size(); ++i) {
        const report::LitmusResult& result = one.results[i];
        if (const std::optional<std::string> found = report::contradiction(result)) {
          is_as_expected = false;
          console.say(fmt::format("{}: the test says that its result is {}{}; under {} it is {}",
                                  (*files)[printed],
                                  result.expected->observation,
                                  result.expected->has_race ? " with a data race" : "",
                                  result.model,
                                  *found));
        }
        if (wants_report)
          all.push_back(report::litmus_json(result));
        if (!one.gaps[i].empty()) {
          is_something_unknown = true;
          console.say(fmt::format("note: {} under {}: nothing is known, since {}",
                                  result.test,
                                  result.model,
                                  one.gaps[i]));
        }
        if (prints_json)
          continue;
        if (one.names_models)
          console.out << "Model " << result.model << '\n';
        console.out << report::litmus_log(result);
        if (result.failing != 0)
          console.say(fmt::format(
              "note: under {} an assertion fails in {} {}, without a final state; heddle verify "
              "shows how",
              result.model,
              result.failing,
              result.failing == 1 ? "execution" : "executions"));
        if (!one.explanations[i].empty())
          console.out << one.explanations[i] << '\n';
      }
      if (one.exhausted)
        exhausted = one.exhausted;
      answers[printed] = {};
    }
    console.out << std::flush; // whatever becomes of the others
  };
  // What is left when every test has a thread goes to the tests themselves.
  const std::size_t jobs = std::min<std::size_t>(options.jobs, files->size());
  const auto jobs_per_test =
      static_cast<unsigned>(jobs == 0 ? 1 : std::max<std::size_t>(1, options.jobs / jobs));
  // Tests are read a few at a time, but no thread takes more than its share.
  const std::size_t batch =
      std::clamp<std::size_t>(files->size() / (4 * std::max<std::size_t>(jobs, 1)), 1, kReadAtOnce);
  const auto work = [&] {
    for (std::size_t first = next.fetch_add(batch);
         first < files->size() && !watchdog.is_interrupted();
         first = next.fetch_add(batch)) {
      const std::size_t size = std::min(batch, files->size() - first);
      const Budget reading = watchdog.restart_time();
      std::vector<ReadForEnumeration> inputs =
          read_for_enumeration(std::span(*files).subspan(first, size), options, reading);
      for (std::size_t i = 0; i < size && !watchdog.is_interrupted(); ++i) {
        Answered one = within_memory(
            [&] {
              return answer((*files)[first + i],
                            std::move(inputs[i]),
                            options,
                            cache,
                            is_folder,
                            jobs_per_test,
                            size == 1 ? std::optional(reading) : std::nullopt,
                            watchdog);
            },
            [] {
              Answered nothing;
              nothing.exhausted = Exhausted::kMemory;
              return nothing;
            });
        const std::lock_guard lock(mutex);
        answers[first + i] = std::move(one);
        is_done[first + i] = true;
        print_ready();
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < jobs; ++i)
    others.emplace_back(work);
  work();
  for (std::thread& other : others)
    other.join();
  if (printed < answers.size())
    exhausted = watchdog.what_ran_out();
  if (prints_json)
    console.out << all.dump(2) << '\n';
  if (!options.json.empty())
    if (const Status written = report::write_file(options.json, all.dump(2) + "\n"); !written)
      return written.error();
  watchdog.stand_down();
  if (exhausted && !prints_json)
    console.out << words_for_tests(*exhausted).text;
  if (worst)
    return *worst == ErrorKind::kUsage ? ExitCode::kUsage : ExitCode::kInput;
  if (exhausted)
    return static_cast<ExitCode>(words_for_tests(*exhausted).code);
  if (!is_as_expected)
    return ExitCode::kAssertion;
  return is_something_unknown ? ExitCode::kHoldsWithinBounds : ExitCode::kProved;
}

} // namespace heddle::driver
