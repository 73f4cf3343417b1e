// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "litmus_outcomes.h"

#include "frontend/litmus/parse_test.h"
#include "memory/cat/load_model.h"

#include <gtest/gtest.h>

namespace heddle::engine_test {

std::optional<LitmusTest> parse(const std::string& text) {
  std::variant<LitmusTest, frontend::litmus::Diagnostics> parsed =
      frontend::litmus::parse(text, "test.litmus");
  if (const auto* wrong = std::get_if<frontend::litmus::Diagnostics>(&parsed)) {
    ADD_FAILURE() << wrong->errors.front().to_string() << "\n" << text;
    return std::nullopt;
  }
  return std::get<LitmusTest>(std::move(parsed));
}

/// A model from text, for the vocabulary of a test.
std::optional<memory::Model> model_from(const std::string& text, const LitmusTest& test) {
  const std::optional<memory::Vocabulary> vocabulary = memory::find_vocabulary(test.vocabulary);
  if (!vocabulary)
    return std::nullopt;
  memory::cat::LoadOptions options;
  options.base_names = &memory::base_names(*vocabulary);
  std::variant<memory::Core, memory::cat::Diagnostics> loaded =
      memory::cat::load_text(text, "test.cat", options);
  if (const auto* wrong = std::get_if<memory::cat::Diagnostics>(&loaded)) {
    ADD_FAILURE() << wrong->errors.front().to_string() << "\n" << text;
    return std::nullopt;
  }
  memory::Model model;
  model.name = "test";
  model.vocabulary = *vocabulary;
  model.core = std::make_shared<memory::Core>(std::get<memory::Core>(std::move(loaded)));
  return model;
}

/// What the engine says of a test under a model, both as text.
std::optional<verdict::Outcomes> outcomes_of(const std::string& test_text,
                                             const std::string& model_text,
                                             const driver::LitmusOptions& options) {
  const std::optional<LitmusTest> test = parse(test_text);
  const std::optional<memory::Model> model = test ? model_from(model_text, *test) : std::nullopt;
  if (!model)
    return std::nullopt;
  const Result<program::Program> program = driver::litmus_program(*test, options.unroll);
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return std::nullopt;
  }
  const Result<driver::LitmusAnswer> answer = driver::run_litmus(*test, *program, *model, options);
  if (!answer) {
    ADD_FAILURE() << answer.error().to_string();
    return std::nullopt;
  }
  return std::get<verdict::Outcomes>(answer->verdict.answer);
}

std::uint64_t total(const verdict::Outcomes& outcomes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : outcomes.executions)
    sum += count;
  return sum;
}

std::uint64_t count_of(const std::string& test, const std::string& model) {
  const std::optional<verdict::Outcomes> found = outcomes_of(test, model);
  return found ? total(*found) : ~std::uint64_t{0};
}

NaiveOutcomes as_naive(const verdict::Outcomes& outcomes) {
  NaiveOutcomes result;
  for (std::size_t i = 0; i < outcomes.states.size(); ++i)
    result.states[outcomes.states[i]] = outcomes.executions.empty() ? 1 : outcomes.executions[i];
  result.flags = outcomes.flags;
  return result;
}

std::string to_text(const NaiveOutcomes& outcomes) {
  std::string text;
  for (const auto& [state, count] : outcomes.states) {
    for (const auto& [name, value] : state)
      text += name + "=" + std::to_string(value) + "; ";
    text += "times " + std::to_string(count) + "\n";
  }
  for (const auto& [flag, count] : outcomes.flags)
    text += "flag " + flag + " times " + std::to_string(count) + "\n";
  return text;
}

} // namespace heddle::engine_test
