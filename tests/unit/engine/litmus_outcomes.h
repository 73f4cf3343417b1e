// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What engines say of a litmus test under a model, both given as text.
#pragma once

#include "driver/pipeline/litmus.h"
#include "frontend/litmus/shared/test.h"
#include "memory/model.h"
#include "naive_executions.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::engine_test {

using LitmusTest = frontend::litmus::Test;

[[nodiscard]] std::optional<LitmusTest> parse(const std::string& text);
/// A model from text, for the vocabulary of a test.
[[nodiscard]] std::optional<memory::Model> model_from(const std::string& text,
                                                      const LitmusTest& test);
/// What the engine says of a test under a model, both as text.
[[nodiscard]] std::optional<verdict::Outcomes>
outcomes_of(const std::string& test_text,
            const std::string& model_text,
            const driver::LitmusOptions& options = {});
[[nodiscard]] std::uint64_t total(const verdict::Outcomes& outcomes);
[[nodiscard]] std::uint64_t count_of(const std::string& test, const std::string& model);
[[nodiscard]] NaiveOutcomes as_naive(const verdict::Outcomes& outcomes);
[[nodiscard]] std::string to_text(const NaiveOutcomes& outcomes);

} // namespace heddle::engine_test
