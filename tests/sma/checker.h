// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Counts what holds and what does not, and what the parts of the test share.
#pragma once

#include "reference.h"
#include "sma/explore.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::sma {

class Checker {
public:
  explicit Checker(std::string folder) : folder_(std::move(folder)) {}

  // Only this abstraction is tried; the program ends with the first thing that is wrong.
  void try_only(const std::string& name) { only_ = name; }
  void stop_at_failure() { stops_at_failure_ = true; }
  [[nodiscard]] bool tries(const std::string& name) const {
    return only_.empty() || name.starts_with(only_);
  }

  // A check; what is wrong is printed.
  void expect(bool holds, const std::string& what);
  [[nodiscard]] unsigned passed() const { return passed_; }
  [[nodiscard]] unsigned failed() const { return failed_; }

  // Each is loaded once, and the outcomes of a program are computed once.
  [[nodiscard]] const Abstraction& abstraction(const std::string& name);
  [[nodiscard]] const Outcomes& expected(const Program& program, Model model, bool complete);

private:
  std::string folder_;
  std::string only_;
  bool stops_at_failure_ = false;
  std::map<std::string, Abstraction> loaded_;
  std::string expected_of_; // the text of the last program
  std::map<std::pair<Model, bool>, Outcomes> expected_;
  unsigned passed_ = 0;
  unsigned failed_ = 0;
};

// The abstractions of a model, but the coarse one, which has its own tests.
[[nodiscard]] const std::vector<std::string>& abstractions_of(Model model);
[[nodiscard]] const char* name_of(Model model);
[[nodiscard]] inline std::string coarse_of(Model model) {
  return model == Model::Sc ? "mu-coarse" : std::string("mu-coarse-") + name_of(model);
}
inline constexpr Model kModels[] = {Model::Sc, Model::Tso, Model::Pso};

// Does an outcome have these registers ("a=0 b=1")?
[[nodiscard]] bool
contains(const Outcomes& outcomes, const Program& program, const std::string& registers);

// The parts of the test.
void check_shapes(Checker& checker);
void check_features(Checker& checker);
void check_bounds(Checker& checker);
void check_example(Checker& checker);
void check_random(Checker& checker, unsigned count, unsigned seed);

} // namespace heddle::sma
