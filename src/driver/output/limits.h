// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the process as a whole obeys: time, memory, Ctrl-C and SIGTERM. Whatever loops asks the
// budget and stops by itself, with all it has found. What does not come to that is ended from
// outside, a second and a tenth after the limit or a second after the signal: the watchdog prints
// what is known by then and leaves with the exit code that belongs to it.
#pragma once

#include "driver/options/options.h"
#include "report/subject.h"
#include "support/budget.h"
#include "verdict/verdict.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

/// --time, if it was given.
[[nodiscard]] std::optional<std::chrono::milliseconds> time_limit(const Options& options);
/// --memory, or the default.
[[nodiscard]] std::uint64_t memory_limit(const Options& options);
/// A share of what the machine, or the control group the process is in, has.
[[nodiscard]] std::uint64_t default_memory_bytes();
/// "512 MiB, a quarter of the machine's"
[[nodiscard]] std::string describe_default_memory();
/// A little more than the budget; allocations beyond it fail with std::bad_alloc.
void limit_memory(std::uint64_t budget_bytes);

/// What is printed and written where the process is ended from outside. All of it is made before:
/// nothing can be put together then.
struct LastWords {
  std::string text;      // for the standard output
  std::string json = {}; // for the file of --json, if there is one
  int code = 30;
};

/// The last words for a verdict: its line, and with `wants_json` the report without the run of a
/// violation.
[[nodiscard]] LastWords
last_words(const verdict::Verdict& verdict, const report::Subject& subject, bool wants_json);
/// The Unknown of a run that was stopped by that; `established` is what is known all the same.
[[nodiscard]] verdict::Unknown unknown_after(Exhausted what, const std::string& established);

/// For commands that answer several tests: some of them were not answered.
[[nodiscard]] LastWords words_for_tests(Exhausted what);
/// For commands that ask nothing, and as long as the question is not known.
[[nodiscard]] LastWords words_for_nothing(Exhausted what);

struct Known;

/// At most one at a time. It is a timer and its signal (SIGALRM), not a thread: with a second
/// thread every allocation and every shared pointer of the first would cost more.
class Watchdog {
public:
  struct Limits {
    std::optional<std::chrono::milliseconds> time = {};
    std::uint64_t memory_bytes = ~std::uint64_t{0};
    std::string json_path = {};   // where the report for machines goes; empty: nowhere
    bool erases_progress = false; // there is a line of progress on the standard error
  };
  explicit Watchdog(Limits limits);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  /// All that is left, for those that stop by themselves.
  [[nodiscard]] const Budget& budget() const { return budget_; }
  [[nodiscard]] bool is_interrupted() const;
  /// Where something did: an interrupt, or else the time.
  [[nodiscard]] Exhausted what_ran_out() const {
    return is_interrupted() ? Exhausted::kInterrupted : Exhausted::kTime;
  }
  /// For commands that give each of several tests its own time: from now on.
  [[nodiscard]] Budget restart_time();

  /// What is known from now on; `make` is asked for each thing that may run out.
  void know(const std::function<LastWords(Exhausted)>& make);
  /// The same whatever runs out.
  void know(const LastWords& words);
  /// The report for machines has been written, and stays.
  void keep_json();
  /// The report is printed from here on, and no limit ends that. A signal does a second later; the
  /// next one does what it always does.
  void stand_down();

private:
  void publish(std::array<LastWords, 3> words);

  Limits limits_;
  Budget budget_;
  std::vector<std::unique_ptr<Known>> known_; // handlers in other threads may still read the first
  bool has_stood_down_ = false;
};

} // namespace heddle::driver
