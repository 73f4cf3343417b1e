// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/abstractions.h"

#include "frontend/c/load.h"
#include "heddle_fuzz/abstraction_through.h"
#include "heddle_fuzz/generate.h"
#include "heddle_fuzz/print.h"
#include "heddle_fuzz/reference.h"
#include "heddle_fuzz/shrink.h"
#include "heddle_fuzz/to_sma.h"
#include "sma/explore.h"
#include "support/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>

namespace heddle::fuzz {

namespace {

struct Shipped {
  const char* name;
  Model model;
};
constexpr std::array kShipped = {Shipped{"sc", Model::kSC},
                                 Shipped{"tso", Model::kTSO},
                                 Shipped{"pso", Model::kPSO},
                                 Shipped{"etso", Model::kTSO},
                                 Shipped{"epso", Model::kPSO},
                                 Shipped{"mu", Model::kSC},
                                 Shipped{"mu-implicit", Model::kSC},
                                 Shipped{"mu-hybrid", Model::kSC},
                                 Shipped{"mu-coarse", Model::kSC},
                                 Shipped{"mu-coarse-tso", Model::kTSO},
                                 Shipped{"mu-coarse-pso", Model::kPSO},
                                 Shipped{"imu-sc", Model::kSC},
                                 Shipped{"imu-tso", Model::kTSO},
                                 Shipped{"imu-pso", Model::kPSO}};
constexpr std::array kModels = {Model::kSC, Model::kTSO, Model::kPSO};
using ByModel = std::array<std::set<FinalState>, kModels.size()>;

/// Clusters of mu-coarse and points in time of etso and epso cost most: as few as have all
/// outcomes. Only one of so many programs is tried with all points in time any run needs right
/// away.
constexpr std::uint64_t kLargeEvery = 40;
constexpr unsigned kMostClusters = 6;
/// Of one search. Few programs need more; they are counted.
constexpr std::uint64_t kMostMoves = 120000;
constexpr std::uint64_t kMostMovesOfCoarse = 600000; // what memory holds is guessed more often

struct Count {
  std::uint64_t exact = 0;
  std::uint64_t at_most = 0;   // of these: with sizes no run exceeds
  std::uint64_t too_large = 0; // programs that were left out
  std::uint64_t small = 0;
  std::uint64_t fewer = 0; // of these: not all final states
  std::uint64_t through = 0;
  std::uint64_t through_all = 0;      // of these: all final states were found
  std::uint64_t through_complete = 0; // and the tool said that nothing was cut
  std::uint64_t out_of_time = 0;
  double seconds = 0;
  double through_seconds = 0;
};

struct Failure {
  const Shipped* abstraction = nullptr;
  std::string what;
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string text(const FinalState& state) {
  return fmt::format("{:x}", fmt::join(state, " "));
}

/// What is missing or too much, if anything is.
std::optional<std::string>
difference(const std::set<FinalState>& found, const std::set<FinalState>& expected, bool is_exact) {
  for (const FinalState& state : found)
    if (!expected.contains(state))
      return "impossible final state " + text(state);
  if (is_exact)
    for (const FinalState& state : expected)
      if (!found.contains(state))
        return "missing final state " + text(state);
  return std::nullopt;
}

class Fuzzer {
public:
  explicit Fuzzer(const AbstractionRun& run) : run_(run) {
    for (const Shipped& one : kShipped)
      if (run.only.empty() || std::ranges::find(run.only, one.name) != run.only.end())
        tried_.push_back(&one);
  }

  bool run() {
    for (const std::string& name : run_.only)
      if (std::ranges::find(tried_, name, &Shipped::name) == tried_.end()) {
        fmt::print(stderr, "no abstraction is named '{}'\n", name);
        return false;
      }
    if (!compile_all())
      return false;
    for (std::uint64_t seed = run_.seed; seed < run_.seed + run_.count; ++seed)
      one_program(seed);
    return report();
  }

private:
  bool compile_all() {
    const std::optional<std::string> shipped = frontend::abstraction_folder();
    std::string folder =
        (std::filesystem::temp_directory_path() / "heddle-fuzz-sma-XXXXXX").string();
    if ((!shipped && run_.sources.empty()) || mkdtemp(folder.data()) == nullptr) {
      fmt::print("the abstractions are not found, or there is no place to compile them\n");
      return false;
    }
    const std::string sources = run_.sources.empty() ? *shipped : run_.sources;
    bool fine = true;
    for (const Shipped* one : tried_) {
      fine = fine && sma::compile(sources, folder, one->name);
      if (fine)
        loaded_.emplace(one->name, sma::load(folder, one->name));
    }
    std::filesystem::remove_all(folder);
    return fine;
  }

  static Program program_of(std::uint64_t seed) {
    Rng rng(mix(seed ^ 0x5a5aULL << 32U));
    return generate(rng, {.for_abstractions = true});
  }

  static std::optional<ByModel> machines(const Program& program) {
    ByModel result;
    for (std::size_t i = 0; i < kModels.size(); ++i) {
      ThroughTool found = by_machine(program, kModels[i]);
      if (!found.error.empty() || !found.is_complete)
        return std::nullopt;
      result[i] = std::move(found.states);
    }
    return result;
  }

  static std::set<FinalState>
  states_of(const Program& program, const sma::Program& operations, const sma::Answer& answer) {
    std::set<FinalState> states;
    for (const sma::Outcome& outcome : answer.outcomes)
      if (std::optional<FinalState> state = final_state(program, operations, outcome))
        states.insert(std::move(*state));
    return states;
  }

  /// The order in which threads are run is any, as far as an abstraction is asynchronous.
  static std::vector<unsigned>
  order_of(const sma::Abstraction& abstraction, const sma::Program& operations, Rng& rng) {
    if (!abstraction.is_asynchronous)
      return {};
    const auto all = sma::orders(operations);
    return all[rng.below(all.size())];
  }

  /// Sizes grow from small ones until all final states are there, at most to those that cut
  /// nothing. Now and then they begin with these.
  std::optional<std::string> check_exact(const Program& program,
                                         const sma::Program& operations,
                                         const sma::Abstraction& abstraction,
                                         const std::set<FinalState>& expected,
                                         Rng& rng,
                                         Count& count) const {
    const sma::Sizes most = largest_sizes(abstraction, operations);
    sma::Question question{.program = operations,
                           .sizes = most,
                           .most_moves = abstraction.is_coarse ? kMostMovesOfCoarse : kMostMoves};
    sma::Sizes& sizes = question.sizes;
    const bool is_coarse = abstraction.is_coarse;
    const bool is_timed = abstraction.name.starts_with("e");
    const bool grows = is_coarse || (is_timed && !rng.chance(1, kLargeEvery));
    if (grows && is_coarse)
      sizes.writes = std::min(2U, most.writes);
    if (grows && is_timed) {
      sizes.queue = std::min(2U, most.queue);
      sizes.clock = std::min(2U, most.clock);
    }
    if (!is_coarse) // there children come first, so that joins take no clusters
      question.order = order_of(abstraction, operations, rng);
    for (;;) {
      const sma::Answer answer = sma::explore(abstraction, question);
      if (answer.gave_up) {
        ++count.too_large;
        return std::nullopt;
      }
      const bool is_enough =
          sizes.writes == most.writes && sizes.queue == most.queue && sizes.clock == most.clock;
      if (is_enough && !is_coarse && !answer.bounds.empty())
        return "a bound is exceeded that is large enough";
      const std::set<FinalState> found = states_of(program, operations, answer);
      if (const auto wrong = difference(found, expected, is_enough))
        return wrong;
      if (found == expected) {
        ++count.exact;
        count.at_most += is_enough ? 1U : 0U;
        return std::nullopt;
      }
      sizes.writes = std::min(sizes.writes + 1, most.writes);
      sizes.queue = std::min(sizes.queue + 1, most.queue);
      sizes.clock = std::min(sizes.clock + 1, most.clock);
    }
  }

  static sma::Sizes largest_sizes(const sma::Abstraction& abstraction,
                                  const sma::Program& operations) {
    sma::Sizes sizes = sma::enough(abstraction, operations);
    if (abstraction.is_coarse)
      sizes.writes = kMostClusters;
    return sizes;
  }

  static sma::Sizes
  small_sizes(const sma::Abstraction& abstraction, const sma::Program& operations, Rng& rng) {
    const sma::Sizes sizes = sma::enough(abstraction, operations);
    const auto smaller = [&](unsigned size, unsigned least) {
      return std::min(size, least + static_cast<unsigned>(rng.below(3)));
    };
    // Nothing is pending in a list of one node.
    return {.writes = abstraction.is_coarse ? 1 + static_cast<unsigned>(rng.below(2))
                                            : smaller(sizes.writes, 1),
            .queue = smaller(sizes.queue, abstraction.name.starts_with("e") ? 2 : 1),
            .clock = smaller(sizes.clock, abstraction.is_asynchronous ? 2 : 1)};
  }

  /// With all states, since a bound that ends a run keeps it from being complete.
  std::optional<std::string> check_small(const Program& program,
                                         const sma::Program& operations,
                                         const sma::Abstraction& abstraction,
                                         const std::set<FinalState>& expected,
                                         Rng& rng,
                                         Count& count) const {
    const sma::Sizes sizes = small_sizes(abstraction, operations, rng);
    const sma::Answer answer = sma::explore(abstraction,
                                            {.program = operations,
                                             .sizes = sizes,
                                             .complete = false,
                                             .most_moves = kMostMoves,
                                             .order = order_of(abstraction, operations, rng)});
    if (answer.gave_up)
      return std::nullopt;
    const std::set<FinalState> found = states_of(program, operations, answer);
    const std::string with =
        fmt::format(" with writes {}, queue {}, clock {}", sizes.writes, sizes.queue, sizes.clock);
    if (const auto wrong = difference(found, expected, false))
      return *wrong + with;
    ++count.small;
    if (found == expected)
      return std::nullopt;
    ++count.fewer;
    if (answer.bounds.empty())
      return "no bound is named and states are missing" + with;
    return std::nullopt;
  }

  /// Small bounds first, then, unless there is nothing more to find, large ones.
  std::optional<std::string> check_through(const Program& program,
                                           const sma::Program& operations,
                                           const Shipped& one,
                                           const std::set<FinalState>& expected,
                                           Count& count) const {
    const sma::Abstraction& abstraction = loaded_.at(one.name);
    const sma::Sizes sizes = sma::enough(abstraction, operations);
    const auto threads = static_cast<unsigned>(program.threads.size());
    // Besides the writes of the program there is one of each thread, of its registers.
    const ToolBounds large{.rounds = 4,
                           .writes = abstraction.is_coarse ? 4 : sizes.writes + threads,
                           .queue = sizes.queue,
                           .clock = sizes.clock + threads};
    ++count.through;
    for (const ToolBounds& bounds : {ToolBounds{}, large}) {
      const ThroughTool found = through_tool(
          program, one.model, one.name, abstraction.is_asynchronous, bounds, run_.seconds);
      if (!found.error.empty())
        return "through the tool: " + found.error;
      if (const auto wrong = difference(found.states, expected, found.is_complete))
        return "through the tool: " + *wrong;
      if (found.is_complete || found.ran_out || found.states == expected) {
        count.through_all += found.states == expected ? 1U : 0U;
        count.through_complete += found.is_complete ? 1U : 0U;
        count.out_of_time += found.ran_out ? 1U : 0U;
        break;
      }
    }
    return std::nullopt;
  }

  std::optional<Failure> check(const Program& program,
                               const ByModel& expected,
                               std::uint64_t seed,
                               std::map<std::string, Count>& counts) const {
    const std::optional<sma::Program> operations = to_sma(program);
    if (!operations)
      return std::nullopt; // not made by the generator, and no step of shrinking leads to one
    Rng rng(mix(seed));
    for (const Shipped* one : tried_) {
      const sma::Abstraction& abstraction = loaded_.at(one->name);
      const std::set<FinalState>& wanted = expected[static_cast<std::size_t>(one->model)];
      Count& count = counts[one->name];
      const double start = processor_seconds();
      std::optional<std::string> wrong =
          check_exact(program, *operations, abstraction, wanted, rng, count);
      if (!wrong)
        wrong = check_small(program, *operations, abstraction, wanted, rng, count);
      const double middle = processor_seconds();
      if (!wrong && run_.through_every != 0 && seed % run_.through_every == 0)
        wrong = check_through(program, *operations, *one, wanted, count);
      count.seconds += middle - start;
      count.through_seconds += processor_seconds() - middle;
      if (wrong)
        return Failure{one, *wrong};
    }
    return std::nullopt;
  }

  void one_program(std::uint64_t seed) {
    const Program program = program_of(seed);
    const double start = processor_seconds();
    const std::optional<ByModel> expected = machines(program);
    machine_seconds_ += processor_seconds() - start;
    ++programs_;
    if (!expected) {
      ++failures_;
      fmt::print("abstractions seed {}: no final states by the machines:\n{}", seed, to_c(program));
      return;
    }
    sc_tso_differ_ += (*expected)[0] != (*expected)[1] ? 1U : 0U;
    tso_pso_differ_ += (*expected)[1] != (*expected)[2] ? 1U : 0U;
    if (const std::optional<Failure> failure = check(program, *expected, seed, counts_))
      tell(seed, program, *failure);
  }

  void tell(std::uint64_t seed, const Program& program, const Failure& failure) {
    ++failures_;
    fmt::print("abstractions seed {}: {} under {}: {}\n",
               seed,
               failure.abstraction->name,
               name_of(failure.abstraction->model),
               failure.what);
    std::map<std::string, Count> unused;
    const Program smallest = shrink(program, [&](const Program& candidate) {
      const auto expected = machines(candidate);
      if (!expected)
        return false;
      const auto again = check(candidate, *expected, seed, unused);
      return again && again->abstraction == failure.abstraction &&
             again->what.substr(0, 12) == failure.what.substr(0, 12);
    });
    fmt::print("shrunk from {} to {} statements:\n{}",
               size_of(program),
               size_of(smallest),
               to_c(smallest));
    // A third opinion.
    constexpr std::uint64_t kStates = 1000000;
    const auto expected = machines(smallest);
    const auto naive = explore(smallest, failure.abstraction->model, kStates);
    if (expected && naive)
      fmt::print("the reference {} the machine\n",
                 naive->final_states ==
                         (*expected)[static_cast<std::size_t>(failure.abstraction->model)]
                     ? "agrees with"
                     : "disagrees with");
    std::fflush(stdout);
  }

  [[nodiscard]] bool report() const {
    const auto share = [&](std::uint64_t part) {
      return 100.0 * static_cast<double>(part) /
             static_cast<double>(std::max<std::uint64_t>(programs_, 1));
    };
    fmt::print("shared-memory abstractions: {} programs from seed {}; outcomes differ between SC "
               "and TSO in {:.1f} %, between TSO and PSO in {:.1f} %; machines {:.1f} s\n",
               programs_,
               run_.seed,
               share(sc_tso_differ_),
               share(tso_pso_differ_),
               machine_seconds_);
    bool fine = failures_ == 0;
    for (const Shipped* one : tried_) {
      const auto found = counts_.find(one->name);
      const Count count = found == counts_.end() ? Count{} : found->second;
      fmt::print(
          "{}: exactly {} {} times ({} with sizes no run exceeds), {} left out as too large; "
          "small sizes {} times, {} of them with fewer outcomes; {:.1f} s\n",
          one->name,
          name_of(one->model),
          count.exact,
          count.at_most,
          count.too_large,
          count.small,
          count.fewer,
          count.seconds);
      if (count.through != 0)
        fmt::print("{} through the tool: {} programs, all final states of {}, with nothing cut of "
                   "{}, {} out of time; {:.1f} s\n",
                   one->name,
                   count.through,
                   count.through_all,
                   count.through_complete,
                   count.out_of_time,
                   count.through_seconds);
      if (count.too_large * 20 > programs_) {
        fmt::print("{} leaves out more than 5 %\n", one->name);
        fine = false;
      }
      // Sizes that never hide anything say nothing about what happens when they do.
      if (programs_ >= 500 && count.fewer == 0 && std::string_view(one->name) != "sc") {
        fmt::print("{} is never tried with sizes that are too small\n", one->name);
        fine = false;
      }
    }
    if (programs_ >= 500 && (share(sc_tso_differ_) < 10 || share(tso_pso_differ_) < 10)) {
      fmt::print("too few programs tell the models apart\n");
      fine = false;
    }
    fmt::print("{} disagreements\n", failures_);
    return fine;
  }

  const AbstractionRun& run_;
  std::vector<const Shipped*> tried_;
  std::map<std::string, sma::Abstraction> loaded_;
  std::map<std::string, Count> counts_;
  std::uint64_t programs_ = 0;
  std::uint64_t sc_tso_differ_ = 0;
  std::uint64_t tso_pso_differ_ = 0;
  std::uint64_t failures_ = 0;
  double machine_seconds_ = 0;
};

} // namespace

bool fuzz_abstractions(const AbstractionRun& run) {
  return Fuzzer(run).run();
}

} // namespace heddle::fuzz
