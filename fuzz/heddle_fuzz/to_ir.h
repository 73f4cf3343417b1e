// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A generated program as an ir module, built directly: the second road into the tool, which meets
// no C compiler.
#pragma once

#include "heddle_fuzz/program.h"
#include "ir/ir.h"

#include <optional>
#include <set>

namespace heddle::fuzz {

/// What main asserts after it has joined all threads, for engines that check but do not enumerate.
struct FinalAssertion {
  std::set<FinalState> states;
  bool must_be_one_of_them = false; // otherwise: must be none of them
};

[[nodiscard]] ir::Module to_ir(const Program& program,
                               const std::optional<FinalAssertion>& assertion);

} // namespace heddle::fuzz
