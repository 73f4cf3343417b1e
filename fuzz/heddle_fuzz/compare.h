// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs the tool on a generated program, by every engine and every road into it, and compares with
// the reference.
#pragma once

#include "engine/engine.h"
#include "heddle_fuzz/program.h"
#include "heddle_fuzz/reference.h"
#include "ir/ir.h"
#include "program/analyse/analyse.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::fuzz {

/// One way to use the tool: an engine and the switches before it. Adding an engine is adding a line
/// to variants().
struct Variant {
  std::string name;
  std::shared_ptr<const engine::Engine> engine;
  program::AliasAnalysis alias = program::AliasAnalysis::kPointsTo;
  bool merge_local = true;
  bool inline_calls = false;
  bool by_axioms = false;        // under models/*.cat instead of the machines
  bool only_checks = false;      // it lists no final states: each is asked for by an assertion
  bool checks_by_axioms = false; // with by_axioms: it also checks assertions
  /// One of kTurns variants that take turns.
  std::optional<std::uint64_t> turn = {};
};
inline constexpr std::uint64_t kTurns = 3;
[[nodiscard]] const std::vector<Variant>& variants();

/// What can be compared, each by its own name.
enum class Comparing : std::uint8_t {
  kExplicit,   // the explicit engine, in one way
  kSwitches,   // and in all others
  kEnumerate,  // enumeration, under the axioms of sc, tso and pso
  kAxioms,     // the axiomatic engine under the same
  kAxiomatic,  // and under the models with machines
  kProperties, // races and robustness, where the engines must agree
  kWeak,       // rc11 and armv8
  kC,          // all the way through the C front end
  kLitmus,     // and through that for litmus tests
};
/// "explicit", "switches", …
[[nodiscard]] const std::map<std::string, Comparing>& comparisons();

struct CompareOptions {
  std::set<Comparing> only = {}; // empty: everything
  bool through_c = true;         // also print as C and come in by the front end
  bool by_checking = false;      // also treat every engine as one that only checks
  std::uint64_t turn = 0;        // modulo kTurns
  std::string directory;         // for C files; the caller's
};

struct Disagreement {
  std::string variant;
  Model model = Model::kSC;
  std::string what;
};

struct Comparison {
  std::optional<Disagreement> disagreement;
  std::map<std::string, std::uint64_t> runs;    // per variant
  std::map<std::string, std::uint64_t> skipped; // per variant: it is not for the program
  std::map<std::string, double> seconds;        // per variant, of this thread's processor
};

/// `expected` has the reference's result for SC, TSO and PSO, in this order.
[[nodiscard]] Comparison compare(const Program& program,
                                 const std::vector<ReferenceResult>& expected,
                                 const CompareOptions& options);

} // namespace heddle::fuzz
