// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "checker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace heddle::sma {

void Checker::expect(bool holds, const std::string& what) {
  ++(holds ? passed_ : failed_);
  if (holds)
    return;
  std::printf("FAILED %s\n", what.c_str());
  if (stops_at_failure_) {
    std::printf("%u passed, %u failed\n", passed_, failed_);
    std::exit(1);
  }
}

const Abstraction& Checker::abstraction(const std::string& name) {
  const auto found = loaded_.find(name);
  return found != loaded_.end() ? found->second
                                : loaded_.emplace(name, load(folder_, name)).first->second;
}

const Outcomes& Checker::expected(const Program& program, Model model, bool complete) {
  if (expected_of_ != program.text) {
    expected_.clear();
    expected_of_ = program.text;
  }
  const auto found = expected_.find({model, complete});
  if (found != expected_.end())
    return found->second;
  return expected_.emplace(std::pair{model, complete}, reference_outcomes(program, model, complete))
      .first->second;
}

const std::vector<std::string>& abstractions_of(Model model) {
  static const std::vector<std::string> sc = {"sc", "mu", "mu-implicit", "mu-hybrid", "imu-sc"};
  static const std::vector<std::string> tso = {"tso", "etso", "imu-tso"};
  static const std::vector<std::string> pso = {"pso", "epso", "imu-pso"};
  return model == Model::Sc ? sc : model == Model::Tso ? tso : pso;
}

const char* name_of(Model model) {
  return model == Model::Sc ? "sc" : model == Model::Tso ? "tso" : "pso";
}

bool contains(const Outcomes& outcomes, const Program& program, const std::string& registers) {
  std::vector<std::pair<std::size_t, unsigned>> wanted;
  std::istringstream words(registers);
  for (std::string word; words >> word;) {
    const std::size_t sign = word.find('=');
    const auto found =
        std::find(program.registers.begin(), program.registers.end(), word.substr(0, sign));
    wanted.emplace_back(program.threads.size() +
                            static_cast<std::size_t>(found - program.registers.begin()),
                        static_cast<unsigned>(std::stoul(word.substr(sign + 1))));
  }
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
      return outcome.at(one.first) == one.second;
    });
  });
}

} // namespace heddle::sma
