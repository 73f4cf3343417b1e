// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes a program out of the functions of a sequential specification: one thread that is told,
// again and again, which function to call with which argument. Its state between two calls is the
// state of the object that the functions implement. Where it is to be told it stops at a
// nondeterministic value.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace heddle::object {

inline constexpr const char* kSpecificationEntry = "__heddle_specification";
/// Where the result of the call stands at kSpecificationDone; 0 while no call is under way.
inline constexpr const char* kSpecificationResult = "__heddle_specified";
/// Origins of the nondeterministic values at which it stops, in this order.
inline constexpr const char* kSpecificationOperation =
    "__heddle_operation";                                                  // index of the function
inline constexpr const char* kSpecificationArgument = "__heddle_argument"; // 64 bits
inline constexpr const char* kSpecificationDone = "__heddle_done";         // whatever

/// A function with more than one parameter, or that is not there, is an error (HAR-001, HAR-002).
[[nodiscard]] Result<ir::Module> make_sequential_harness(const ir::Module& module,
                                                         const std::vector<std::string>& functions);

} // namespace heddle::object
