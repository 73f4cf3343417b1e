// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// heddle-fuzz: random programs through every engine against the reference, and against this
// machine's hardware. A failure is shrunk and saved as a regression. Everything follows from the
// seed.
#include "heddle_fuzz/abstractions.h"
#include "heddle_fuzz/compare.h"
#include "heddle_fuzz/generate.h"
#include "heddle_fuzz/hostile.h"
#include "heddle_fuzz/native.h"
#include "heddle_fuzz/print.h"
#include "heddle_fuzz/reduction.h"
#include "heddle_fuzz/reference.h"
#include "heddle_fuzz/sequential.h"
#include "heddle_fuzz/shrink.h"
#include "support/hash.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace {

using namespace heddle;
using namespace heddle::fuzz;

struct Settings {
  std::uint64_t count = 1000;
  std::uint64_t native = 0;
  std::uint64_t reduction = 0;
  std::uint64_t sequential = 0;
  std::uint64_t seed = 1;
  unsigned jobs = 2;
  std::uint64_t check_every = 10;
  std::uint64_t c_every = 1;
  std::uint64_t state_limit = 60000;
  bool with_nodes = false;
  std::vector<std::string> only;
  std::string save = ".";
  std::string show;
  AbstractionRun abstractions;
  HostileRun hostile;
};

struct Tally {
  std::mutex mutex;
  std::uint64_t programs = 0;
  std::uint64_t too_large = 0;
  std::uint64_t sc_tso_differ = 0;
  std::uint64_t tso_pso_differ = 0;
  std::uint64_t litmus = 0;
  std::uint64_t memory_fails = 0;
  std::uint64_t assertion_fails = 0;
  std::uint64_t failures = 0;
  std::uint64_t hardware_states = 0;
  std::uint64_t weak_on_hardware = 0; // states that are not SC's
  std::uint64_t weak_programs = 0;    // that showed such a state
  std::uint64_t could_be_weak = 0;    // that have one under TSO
  std::map<std::string, std::uint64_t> runs;
  std::map<std::string, std::uint64_t> skipped;
  std::map<std::string, double> seconds;
  std::map<std::string, std::uint64_t> mix;
};

std::set<Comparing> comparisons_of(const Settings& settings) {
  std::set<Comparing> only;
  for (const std::string& name : settings.only)
    only.insert(comparisons().at(name));
  return only;
}

Program program_of(std::uint64_t seed, const GenerateOptions& options) {
  Rng rng(mix(seed));
  return generate(rng, options);
}

std::optional<std::vector<ReferenceResult>> reference_of(const Program& program,
                                                         std::uint64_t limit) {
  std::vector<ReferenceResult> results;
  for (const Model model : {Model::kSC, Model::kTSO, Model::kPSO}) {
    std::optional<ReferenceResult> result = explore(program, model, limit);
    if (!result)
      return std::nullopt;
    results.push_back(std::move(*result));
  }
  return results;
}

const char* family_of(Statement::Kind kind) {
  using Kind = Statement::Kind;
  switch (kind) {
  case Kind::kLoad:
  case Kind::kStore:
    return "load/store";
  case Kind::kExchange:
  case Kind::kFetchAdd:
  case Kind::kFetchOr:
  case Kind::kFetchXor:
  case Kind::kCompareExchange:
    return "read-modify-write";
  case Kind::kFence:
    return "fence";
  case Kind::kAssign:
  case Kind::kChoose:
  case Kind::kAssume:
  case Kind::kAssert:
    return "local";
  case Kind::kIf:
  case Kind::kRepeat:
    return "branch/loop";
  case Kind::kLock:
  case Kind::kTryLock:
  case Kind::kSpinLock:
  case Kind::kReadLock:
  case Kind::kWriteLock:
    return "lock";
  case Kind::kWait:
  case Kind::kSignal:
  case Kind::kBroadcast:
  case Kind::kSemaphorePost:
  case Kind::kSemaphoreWait:
  case Kind::kBarrier:
    return "condition/semaphore/barrier";
  case Kind::kAtomic:
    return "atomic section";
  case Kind::kPointerStore:
  case Kind::kPointerLoad:
  case Kind::kDereferenceLoad:
  case Kind::kDereferenceStore:
    return "pointer";
  case Kind::kPlaceLoad:
  case Kind::kPlaceStore:
  case Kind::kPlaceFetchAdd:
  case Kind::kPointAt:
  case Kind::kHoldNode:
  case Kind::kSamePlace:
  case Kind::kPointerPublish:
  case Kind::kNodePublish:
  case Kind::kNodeTake:
  case Kind::kNodeSwap:
  case Kind::kNodeCompareExchange:
  case Kind::kFieldLoad:
  case Kind::kFieldStore:
  case Kind::kIfPlace:
  case Kind::kIfNode:
    return "private or shared";
  case Kind::kAllocate:
  case Kind::kFree:
    return "heap";
  }
  return "";
}

void count_mix(const std::vector<Statement>& statements,
               std::map<std::string, std::uint64_t>& mix_of) {
  for (const Statement& statement : statements) {
    ++mix_of[family_of(statement.kind)];
    if (statement.size != 4)
      ++mix_of["mixed size"];
    count_mix(statement.body, mix_of);
    count_mix(statement.other, mix_of);
  }
}

/// The shrunk program as a C file and a task with the reference's counts, ready for
/// tests/regress/fuzz.
void save_regression(const Settings& settings,
                     std::uint64_t seed,
                     const Program& program,
                     const Disagreement& found) {
  const std::string base = fmt::format("{}/fuzz_{}", settings.save, seed);
  std::ofstream(base + ".c")
      << fmt::format("// Found by heddle-fuzz --seed {} --count 1: {} under {}: {}\n",
                     seed,
                     found.variant,
                     name_of(found.model),
                     found.what)
      << to_c(program);
  const auto expected = reference_of(program, settings.state_limit);
  std::ofstream task(base + ".yml");
  task << fmt::format("format_version: '2.0'\ninput_files: fuzz_{}.c\nheddle:\n  why: soundness\n",
                      seed);
  if (expected)
    task << fmt::format("  final_states: {{sc: {}, tso: {}, pso: {}}}\n",
                        (*expected)[0].final_states.size(),
                        (*expected)[1].final_states.size(),
                        (*expected)[2].final_states.size());
  fmt::print("saved as {}.c and {}.yml\n", base, base);
}

void one_program(const Settings& settings,
                 std::uint64_t seed,
                 const std::string& directory,
                 Tally& tally) {
  const Program program = program_of(seed, {.with_nodes = settings.with_nodes});
  const auto expected = reference_of(program, settings.state_limit);
  {
    const std::lock_guard lock(tally.mutex);
    ++tally.programs;
    if (!expected) {
      ++tally.too_large;
      return;
    }
    for (const std::vector<Statement>& thread : program.threads)
      count_mix(thread, tally.mix);
    ++tally.mix[fmt::format("{} threads", program.threads.size())];
    tally.sc_tso_differ += (*expected)[0].final_states != (*expected)[1].final_states ? 1U : 0U;
    tally.tso_pso_differ += (*expected)[1].final_states != (*expected)[2].final_states ? 1U : 0U;
    tally.memory_fails += (*expected)[2].memory_fails ? 1U : 0U;
    tally.assertion_fails += (*expected)[2].assertion_fails ? 1U : 0U;
    tally.litmus += to_litmus(program, "fuzz") ? 1U : 0U;
  }
  const CompareOptions options{.only = comparisons_of(settings),
                               .through_c = settings.c_every != 0 && seed % settings.c_every == 0,
                               .by_checking =
                                   settings.check_every != 0 && seed % settings.check_every == 0,
                               .turn = mix(seed),
                               .directory = directory};
  const Comparison comparison = compare(program, *expected, options);
  const std::lock_guard lock(tally.mutex);
  for (const auto& [name, runs] : comparison.runs)
    tally.runs[name] += runs;
  for (const auto& [name, skipped] : comparison.skipped)
    tally.skipped[name] += skipped;
  for (const auto& [name, seconds] : comparison.seconds)
    tally.seconds[name] += seconds;
  if (!comparison.disagreement)
    return;
  ++tally.failures;
  fmt::print("seed {}: {} under {}: {}\n",
             seed,
             comparison.disagreement->variant,
             name_of(comparison.disagreement->model),
             comparison.disagreement->what);
  const Program smallest = shrink(program, [&](const Program& candidate) {
    const auto reference = reference_of(candidate, settings.state_limit);
    if (!reference)
      return false;
    const auto found = compare(candidate, *reference, options).disagreement;
    return found && found->variant == comparison.disagreement->variant &&
           found->model == comparison.disagreement->model &&
           found->what.substr(0, 12) == comparison.disagreement->what.substr(0, 12);
  });
  fmt::print(
      "shrunk from {} to {} statements:\n{}", size_of(program), size_of(smallest), to_c(smallest));
  const auto reference = reference_of(smallest, settings.state_limit);
  const Comparison again = compare(smallest, *reference, options);
  if (again.disagreement) {
    fmt::print("{} under {}: {}\n",
               again.disagreement->variant,
               name_of(again.disagreement->model),
               again.disagreement->what);
    save_regression(settings, seed, smallest, *again.disagreement);
  }
}

void one_native(const Settings& settings,
                std::uint64_t seed,
                const std::string& directory,
                Tally& tally) {
  const Program program = program_of(seed ^ 0x5eedULL << 32U, {.for_hardware = true});
  const auto sc = explore(program, Model::kSC, settings.state_limit);
  const auto tso = explore(program, Model::kTSO, settings.state_limit);
  if (!sc || !tso)
    return;
  const auto seen = run_on_hardware(program, {.seed = seed}, directory);
  const std::lock_guard lock(tally.mutex);
  ++tally.programs;
  if (!seen) {
    ++tally.failures;
    fmt::print("native seed {}: {}\n", seed, seen.error().to_string());
    return;
  }
  tally.could_be_weak += sc->final_states == tso->final_states ? 0U : 1U;
  bool is_weak = false;
  for (const FinalState& state : *seen) {
    ++tally.hardware_states;
    if (!sc->final_states.contains(state)) {
      ++tally.weak_on_hardware;
      tally.weak_programs += is_weak ? 0U : 1U;
      is_weak = true;
    }
    if (!tso->final_states.contains(state)) {
      ++tally.failures;
      fmt::print(
          "native seed {}: the hardware shows a state TSO does not have:\n{}", seed, to_c(program));
      break;
    }
  }
}

struct ReductionTally {
  std::mutex mutex;
  std::uint64_t programs = 0;
  std::uint64_t ran = 0;
  std::uint64_t compares_addresses = 0;
  std::uint64_t copies_operands = 0;
  std::uint64_t carried_back = 0;
  std::uint64_t states = 0;
  std::uint64_t machine_states = 0;
  std::uint64_t failures = 0;
  std::map<std::string, std::uint64_t> refusals;
};

void one_reduction(const Settings& settings, std::uint64_t seed, ReductionTally& tally) {
  const Program program = program_of(seed ^ 0xb0ffULL << 32U,
                                     {.for_reduction = true, .with_nodes = settings.with_nodes});
  const auto expected = reference_of(program, settings.state_limit);
  if (!expected)
    return;
  const ReductionComparison comparison = compare_reduction(program, *expected);
  const std::lock_guard lock(tally.mutex);
  ++tally.programs;
  tally.ran += comparison.ran ? 1U : 0U;
  if (!comparison.ran)
    ++tally.refusals[comparison.refusal];
  tally.compares_addresses += comparison.ran && comparison.compares_addresses ? 1U : 0U;
  tally.copies_operands += comparison.ran && comparison.copies_operands ? 1U : 0U;
  tally.carried_back += comparison.violations_carried_back;
  tally.states += comparison.states;
  tally.machine_states += comparison.machine_states;
  if (!comparison.disagreement)
    return;
  ++tally.failures;
  const Disagreement found = *comparison.disagreement;
  fmt::print("reduction seed {}: {}: {}\n", seed, name_of(found.model), found.what);
  const Program smallest = shrink(program, [&](const Program& candidate) {
    const auto reference = reference_of(candidate, settings.state_limit);
    if (!reference)
      return false;
    const auto again = compare_reduction(candidate, *reference).disagreement;
    return again && again->model == found.model &&
           again->what.substr(0, 12) == found.what.substr(0, 12);
  });
  fmt::print(
      "shrunk from {} to {} statements:\n{}", size_of(program), size_of(smallest), to_c(smallest));
}

bool report(const ReductionTally& tally, const Settings& settings) {
  const auto share = [&](std::uint64_t part) {
    return tally.programs == 0
               ? 0.0
               : 100.0 * static_cast<double>(part) / static_cast<double>(tally.programs);
  };
  fmt::print("store-buffer graphs: {} programs from seed {}; the reduction ran on {:.1f} %, with "
             "addresses compared when the program runs on {:.1f} %, with copied operands on "
             "{:.1f} %\n",
             tally.programs,
             settings.seed,
             share(tally.ran),
             share(tally.compares_addresses),
             share(tally.copies_operands));
  for (const auto& [code, number] : tally.refusals)
    fmt::print("refused with {}: {}\n", code, number);
  fmt::print("{} violations carried back to the machine; {} states of reduced programs, {} of the "
             "machine; {} disagreements\n",
             tally.carried_back,
             tally.states,
             tally.machine_states,
             tally.failures);
  bool fine = tally.failures == 0;
  // Fewer programs say nothing about shares.
  if (tally.programs >= 500 && (share(tally.ran) < 80 || share(tally.compares_addresses) < 30 ||
                                share(tally.copies_operands) < 10)) {
    fmt::print("too few programs need the reduction\n");
    fine = false;
  }
  return fine;
}

struct SequentialTally {
  std::mutex mutex;
  std::uint64_t programs = 0;
  std::uint64_t compared = 0;
  std::uint64_t subsets = 0;
  std::uint64_t carried_back = 0;
  std::uint64_t failures = 0;
  std::map<std::string, std::uint64_t> refusals;
};

void one_sequential(const Settings& settings, std::uint64_t seed, SequentialTally& tally) {
  const Program program = program_of(seed ^ 0x5e9ULL << 32U, {.with_nodes = settings.with_nodes});
  const auto expected = reference_of(program, settings.state_limit);
  if (!expected)
    return;
  const SequentialComparison comparison = compare_sequential(program, *expected);
  const std::lock_guard lock(tally.mutex);
  ++tally.programs;
  tally.compared += comparison.compared;
  tally.subsets += comparison.subsets;
  tally.carried_back += comparison.violations_carried_back;
  if (!comparison.refusal.empty())
    ++tally.refusals[comparison.refusal];
  if (!comparison.disagreement)
    return;
  ++tally.failures;
  const Disagreement found = *comparison.disagreement;
  fmt::print("sequential seed {}: {}: {}\n", seed, name_of(found.model), found.what);
  const Program smallest = shrink(program, [&](const Program& candidate) {
    const auto reference = reference_of(candidate, settings.state_limit);
    if (!reference)
      return false;
    const auto again = compare_sequential(candidate, *reference).disagreement;
    return again && again->model == found.model &&
           again->what.substr(0, 12) == found.what.substr(0, 12);
  });
  fmt::print(
      "shrunk from {} to {} statements:\n{}", size_of(program), size_of(smallest), to_c(smallest));
}

bool report(const SequentialTally& tally, const Settings& settings) {
  fmt::print("lazy sequentialization: {} programs from seed {}; {} times with enough rounds under "
             "a model, {} times with fewer; {} violations carried back; {} disagreements\n",
             tally.programs,
             settings.seed,
             tally.compared,
             tally.subsets,
             tally.carried_back,
             tally.failures);
  for (const auto& [code, number] : tally.refusals)
    fmt::print("refused with {}: {}\n", code, number);
  return tally.failures == 0;
}

template <class Job>
void run_all(const Settings& settings, std::uint64_t count, unsigned jobs, const Job& job) {
  std::atomic<std::uint64_t> next{0};
  std::vector<std::jthread> workers;
  for (unsigned worker = 0; worker < jobs; ++worker)
    workers.emplace_back([&] {
      std::string directory =
          (std::filesystem::temp_directory_path() / "heddle-fuzz-XXXXXX").string();
      if (mkdtemp(directory.data()) == nullptr)
        return;
      for (std::uint64_t index = next++; index < count; index = next++)
        job(settings.seed + index, directory);
      std::filesystem::remove_all(directory);
    });
}

bool report(const Tally& tally, const Settings& settings) {
  const std::uint64_t explored = tally.programs - tally.too_large;
  const auto share = [&](std::uint64_t part) {
    return explored == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(explored);
  };
  fmt::print("{} programs from seed {}, {} left out as too large for the reference\n",
             tally.programs,
             settings.seed,
             tally.too_large);
  fmt::print("mix:");
  for (const auto& [family, number] : tally.mix)
    fmt::print(" {} {};", family, number);
  fmt::print("\noutcomes differ between SC and TSO in {:.1f} %, between TSO and PSO in {:.1f} %; "
             "{:.1f} % can be written as C litmus tests\n",
             share(tally.sc_tso_differ),
             share(tally.tso_pso_differ),
             share(tally.litmus));
  if (settings.with_nodes)
    fmt::print("under PSO memory is unsafe in {:.1f} %, assertions fail in {:.1f} %\n",
               share(tally.memory_fails),
               share(tally.assertion_fails));
  bool fine = tally.failures == 0;
  for (const auto& [name, runs] : tally.runs) {
    const auto entry = tally.skipped.find(name);
    const std::uint64_t skipped = entry == tally.skipped.end() ? 0 : entry->second;
    const auto time = tally.seconds.find(name);
    fmt::print("{}: {} runs, {} skipped{}\n",
               name,
               runs,
               skipped,
               time == tally.seconds.end()
                   ? ""
                   : fmt::format(", {:.1f} s, {:.0f} programs a second",
                                 time->second,
                                 static_cast<double>(explored) / std::max(time->second, 1e-3)));
    // Lost memory is not for all of them, and some properties are only asked where others cannot
    // say.
    const bool may_skip =
        settings.with_nodes &&
        (name.ends_with("(memory)") || name.ends_with("(robustness)") || name.ends_with("(race)"));
    if (skipped * 5 > runs + skipped && !may_skip) {
      fmt::print("{} skips more than 20 %\n", name);
      fine = false;
    }
  }
  // Fewer programs say nothing about shares.
  if (explored >= 500 && (share(tally.sc_tso_differ) < 10 || share(tally.tso_pso_differ) < 10)) {
    fmt::print("too few programs tell the models apart\n");
    fine = false;
  }
  fmt::print("{} disagreements\n", tally.failures);
  return fine;
}

} // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Random concurrent programs through every engine, against a naive reference and the "
               "hardware");
  app.add_option("--count", settings.count, "programs to try");
  app.add_option(
      "--native", settings.native, "programs to run on this machine (x86: against the TSO set)");
  app.add_option("--reduction",
                 settings.reduction,
                 "programs to try through store-buffer graphs, against TSO and PSO");
  app.add_option("--sequential",
                 settings.sequential,
                 "programs to try through lazy sequentialization, against SC, TSO and PSO");
  app.add_option("--abstractions",
                 settings.abstractions.count,
                 "programs to try with each shared-memory abstraction, against the machines");
  app.add_option("--abstraction",
                 settings.abstractions.only,
                 "with --abstractions: only these, with commas between them")
      ->delimiter(',');
  app.add_option("--abstraction-sources",
                 settings.abstractions.sources,
                 "with --abstractions: the folder of their C files, if not runtime/sma");
  app.add_option("--through-every",
                 settings.abstractions.through_every,
                 "with --abstractions: every n-th program also through --via lazy and --via eager "
                 "(0: never)");
  app.add_option("--hostile",
                 settings.hostile.count,
                 "programs with faults, bad synchronisation and the like to ask the tool itself "
                 "about, for every property and model; nothing else is tried then");
  app.add_option("--properties",
                 settings.hostile.properties,
                 "with --hostile: ask each program about so many properties only, in turn");
  app.add_option("--heddle", settings.hostile.binary, "with --hostile: the tool to run");
  app.add_flag("--nodes",
               settings.with_nodes,
               "programs of --count, --reduction and --sequential have pointers to private, shared "
               "and allocated memory, and structs with arrays");
  app.add_option("--seed", settings.seed, "first seed; program n has seed + n");
  app.add_option("--jobs", settings.jobs, "threads to use");
  app.add_option("--check-every",
                 settings.check_every,
                 "every n-th program also by final assertions (0: never)");
  app.add_option(
      "--c-every", settings.c_every, "every n-th program also through the C front end (0: never)");
  app.add_option("--state-limit", settings.state_limit, "states the reference may meet per model");
  std::vector<std::string> names;
  for (const auto& [name, what] : comparisons())
    names.push_back(name);
  app.add_option("--only",
                 settings.only,
                 "compare only these, with commas between them: " +
                     fmt::format("{}", fmt::join(names, ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--save", settings.save, "where shrunk failures go");
  app.add_option("--show",
                 settings.show,
                 "print the program of --seed as c, litmus, native or hostile, and stop");
  CLI11_PARSE(app, argc, argv);

  if (settings.show == "hostile") {
    fmt::print("{}", hostile_program(settings.seed));
    return 0;
  }
  if (settings.hostile.count != 0) {
    settings.hostile.seed = settings.seed;
    settings.hostile.save = settings.save;
    return fuzz_hostile(settings.hostile) ? 0 : 1;
  }
  if (!settings.show.empty()) {
    const Program program = program_of(settings.seed, {.with_nodes = settings.with_nodes});
    if (settings.show == "c")
      fmt::print("{}", to_c(program));
    else if (settings.show == "native")
      fmt::print("{}", to_native_c(program, {.seed = settings.seed}));
    else if (settings.show == "litmus")
      fmt::print(
          "{}",
          to_litmus(program, fmt::format("fuzz{}", settings.seed)).value_or("not a litmus test\n"));
    return 0;
  }

  Tally tally;
  run_all(settings,
          settings.count,
          settings.jobs,
          [&](std::uint64_t seed, const std::string& directory) {
            one_program(settings, seed, directory, tally);
          });
  bool fine = report(tally, settings);
  if (settings.native != 0) {
    Tally native;
    // One at a time: the threads of a program need the processors for themselves.
    run_all(settings, settings.native, 1, [&](std::uint64_t seed, const std::string& directory) {
      one_native(settings, seed, directory, native);
    });
    fmt::print("hardware: {} programs, {} states seen, {} of them not SC (in {} programs of the {} "
               "that can show one), {} failures\n",
               native.programs,
               native.hardware_states,
               native.weak_on_hardware,
               native.weak_programs,
               native.could_be_weak,
               native.failures);
    fine = fine && native.failures == 0;
  }
  if (settings.reduction != 0) {
    ReductionTally reduction;
    run_all(
        settings, settings.reduction, settings.jobs, [&](std::uint64_t seed, const std::string&) {
          one_reduction(settings, seed, reduction);
        });
    fine = report(reduction, settings) && fine;
  }
  if (settings.sequential != 0) {
    SequentialTally sequential;
    run_all(
        settings, settings.sequential, settings.jobs, [&](std::uint64_t seed, const std::string&) {
          one_sequential(settings, seed, sequential);
        });
    fine = report(sequential, settings) && fine;
  }
  if (settings.abstractions.count != 0) {
    settings.abstractions.seed = settings.seed;
    fine = fuzz_abstractions(settings.abstractions) && fine;
  }
  return fine ? 0 : 1;
}
