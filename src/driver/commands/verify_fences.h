// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// --suggest-fences of `heddle verify`: a smallest set of fences in the program with which it has
// the property.
#pragma once

#include "driver/pipeline/pipeline.h"
#include "object/histories/linearizable_fences.h"
#include "support/budget.h"

#include <string>
#include <variant>

namespace heddle::driver {

struct VerifiedFences {
  object::SuggestedFences suggested;
  std::string how; // what the program with them does: "is proved", "holds within the bounds"
};

/// Is there a question to which fences are an answer? USE-038 otherwise.
[[nodiscard]] Status check_fences_asked(const Asked& asked, const Options& options);

/// For a module that violates the property.
[[nodiscard]] Result<std::variant<VerifiedFences, Unconfirmed>>
suggest_fences_to_verify(const ir::Module& module,
                         const Asked& asked,
                         const Options& options,
                         const Budget& budget,
                         const Listener& listener);

} // namespace heddle::driver
