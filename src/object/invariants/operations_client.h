// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes a program out of the functions that implement an object: threads that call any of them, in
// any order. Either as often as they like, with any arguments (what a proof is about), or a given
// number of threads and calls, with arguments that differ (what an invariant is tried on first).
// Where a call begins and ends, and which accesses may be its effect, is marked; what is made of
// the marks is up to atomic_steps.h. Records no histories: that is harness.h.
#pragma once

#include "ir/ir.h"
#include "object/scenarios/harness_clock.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::object {

struct ClientOperation {
  std::string name;
  std::string function; // that implements it
  std::string abstract; // that does to the abstract state what the operation is to do, or empty
};

/// A function that only the proof calls, in the step of an access: it writes auxiliary variables.
struct AuxiliaryUpdate {
  EffectPlace place;
  std::string function;
};

struct ClientBounds {
  std::uint32_t threads = 2;
  std::uint32_t calls = 2; // of each thread
};

struct ClientPlan {
  std::vector<ClientOperation> operations;
  std::string init = {};                 // a function that is called first, or empty
  std::string invariant;                 // a function without parameters
  std::vector<EffectPlace> effects = {}; // with abstract functions
  std::vector<AuxiliaryUpdate> auxiliary = {};
  std::optional<std::int64_t> abort = {};  // what a call returns that did nothing
  std::optional<ClientBounds> bounds = {}; // nothing: any number of threads and calls
};

inline constexpr const char* kClientEntry = "__heddle_clients";
/// The threads are called so, with a dot and a number.
inline constexpr const char* kClientThread = "client";
/// A tag of accesses in whose step an auxiliary function is called: with a dot and its index.
inline constexpr const char* kAuxiliaryTag = "Heddle.auxiliary";

/// A module with the entry kClientEntry and only what it reaches; the invariant is asserted before
/// the threads start. Calls are between hints (kOperationBegin with the argument, kOperationEnd
/// with the result as a word) whose name is that of the operation. A function that cannot be called
/// so is an error: HAR-001, HAR-002, and HAR-004 for a place without such an access.
[[nodiscard]] Result<ir::Module> make_client(const ir::Module& module, const ClientPlan& plan);

} // namespace heddle::object
