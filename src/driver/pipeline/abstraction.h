// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which shared-memory abstraction a sequentialization uses, whether it fits the question, and how
// it is made: its C file (runtime/sma, or the user's) compiled for the sizes of one program.
#pragma once

#include "driver/options/options.h"
#include "ir/ir.h"
#include "memory/model.h"
#include "support/result.h"
#include "transform/sequential/sequentialize.h"
#include "transform/sequential/sma.h"

#include <cstdint>
#include <memory>
#include <string>

namespace heddle::driver {

/// Is shared memory to be an abstraction?
[[nodiscard]] bool uses_abstraction(const Options& options);

/// The name of one of ours or a file; what is not given follows from the model. Refuses what does
/// not fit the model.
[[nodiscard]] Result<std::string> choose_abstraction(const Options& options,
                                                     const memory::Model& model);

/// Is it a C file of the user? Then what it says memory does is the user's word.
[[nodiscard]] bool is_users_abstraction(const std::string& name);

/// Cells it has: as many as are needed, or as many as it may have.
[[nodiscard]] std::uint32_t cells_of(const Options& options,
                                     const transform::AbstractionSizes& sizes);

/// Compiles it. Refuses one that lacks an operation, or does not fit the schedule.
[[nodiscard]] Result<std::shared_ptr<const transform::Abstraction>>
make_abstraction(const std::string& name,
                 const Options& options,
                 const transform::AbstractionSizes& sizes,
                 ir::DataModel data_model);

/// Bounds that the user left open, for a first try, by what the abstraction has.
[[nodiscard]] Options with_abstraction_bounds(const Options& options, const std::string& name);

} // namespace heddle::driver
