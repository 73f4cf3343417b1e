// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store-buffer graphs as specifications for the prover KIV, as O. Travkin's Weak2SC makes them
// (2017, section 4.4.2): one operation for each edge of each graph, one more that invokes each
// function. Locals are numbers or references (numbers in brackets), the memory maps numbers to
// references, the null pointer is [0]. Numbers are those of mathematics: nothing wraps around, and
// operations on bits are refused.
#pragma once

#include "program/model/program.h"
#include "support/result.h"
#include "transform/buffers/store_buffer_graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::exports {

struct KivOptions {
  enum class State : std::uint8_t { kLocal, kGlobal };
  enum class Numbers : std::uint8_t { kInt, kNat };
  State state = State::kLocal;
  Numbers numbers = Numbers::kInt;
};

struct KivFunction {
  program::ProcedureId procedure;
  const transform::StoreBufferGraph* graph = nullptr;
};

/// The specifications PC, Proc, cindex, localstate (or CS) and COP, one after the other.
[[nodiscard]] Result<std::string> to_kiv(const program::Program& program,
                                         const std::vector<KivFunction>& functions,
                                         const KivOptions& options);

/// Does the function do what a specification of one cannot say: start threads or wait for them?
[[nodiscard]] bool handles_threads(const program::Procedure& procedure);

} // namespace heddle::exports
