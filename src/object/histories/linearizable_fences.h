// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// --suggest-fences of `heddle linearizable`: a smallest set of fences in the object's functions
// with which the scenarios have only histories that can be explained.
#pragma once

#include "driver/pipeline/fence_search.h"
#include "object/histories/linearizable_check.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace heddle::object {

struct SuggestedFences {
  driver::FenceAdvice advice;
  std::vector<transform::FencePlace> places;
};

/// For a question whose answer is no. Puts the question back as it was.
[[nodiscard]] Result<std::variant<SuggestedFences, driver::Unconfirmed>>
suggest_fences(LinearizableQuestion& question,
               const driver::Options& options,
               const Budget& budget,
               const driver::Listener& listener);

/// The advice in words, one line per fence. `how` says what was found of the program with them.
[[nodiscard]] std::string text_of(const SuggestedFences& suggested,
                                  const ir::Module& module,
                                  const std::string& model,
                                  const std::string& how = "holds within the bounds");
[[nodiscard]] nlohmann::ordered_json json_of(const SuggestedFences& suggested,
                                             const ir::Module& module);

/// The places that a run passed while stores of the thread were on their way. What the first thread
/// of a harness does alone before it starts the others is left out: its stores are waited for then.
enum class FirstThread : std::uint8_t { kIsLeftOut, kCounts };
[[nodiscard]] std::set<std::size_t> passed_places(const execution::Run& run,
                                                  FirstThread first = FirstThread::kIsLeftOut);

} // namespace heddle::object
