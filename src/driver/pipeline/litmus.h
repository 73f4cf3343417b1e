// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One litmus test under one model: from the parsed test to what logs and viewers show.
#pragma once

#include "frontend/litmus/shared/test.h"
#include "memory/model.h"
#include "program/model/program.h"
#include "report/litmus_log.h"
#include "support/budget.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <string>

namespace heddle::driver {

struct LitmusOptions {
  std::uint32_t unroll = 2;
  bool counts = true; // executions, not only final states
  /// By the axiomatic engine instead of the enumerating one; it is slow to count.
  bool by_solver = false;
  std::uint64_t kept_executions = 0;
  std::uint32_t nondet_bits = 8;
  Budget budget;
  unsigned jobs = 1; // threads for one test
};

struct LitmusAnswer {
  report::LitmusResult result;
  verdict::Verdict verdict;
};

/// Makes accesses events even if no other thread can tell: a model may order others by them. Plain
/// accesses only if asked for, or where they touch what others of these touch.
void show_accesses(program::Program& program, bool plain_too);

/// The program of a test, ready for engines that list executions.
[[nodiscard]] Result<program::Program> litmus_program(const frontend::litmus::Test& test,
                                                      std::uint32_t unroll,
                                                      const Budget* budget = nullptr);

/// With a machine of the model's the explicit engine answers, otherwise the axioms. A C program is
/// lowered to the vocabulary of the model.
[[nodiscard]] Result<LitmusAnswer> run_litmus(const frontend::litmus::Test& test,
                                              const program::Program& program,
                                              const memory::Model& model,
                                              const LitmusOptions& options);

/// "x" for an address, otherwise a number.
[[nodiscard]] std::string
print_value(const program::Program& program, std::uint64_t value, unsigned bits, bool is_signed);
/// What is observed of a final state, as logs print it.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
print_state(const program::Program& program,
            const frontend::litmus::Test& test,
            const verdict::Outcome& state);

} // namespace heddle::driver
