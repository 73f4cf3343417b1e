// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What turns linked modules into a program that can start: atomic functions, start-up code, calls
// whose arguments do not fit, thread-specific data, standard streams. Each step works on the whole
// module.
#pragma once

#include "frontend/c/load.h"
#include "ir/ir.h"

#include <string>
#include <vector>

namespace heddle::frontend {

/// Functions named __VERIFIER_atomic_… run as one step, from entry to return.
void make_atomic_functions(ir::Module& module);
/// Error functions that are called through a pointer: the body is the violation.
void replace_error_functions(ir::Module& module, const Options& options);
/// Direct calls with too few, too many or differently wide arguments, as legacy C has them.
void adapt_calls(ir::Module& module);

/// Variable arguments of functions that have a body go into a block of the caller's frame, whose
/// address is their last parameter (frontend/llvm/variadic.cpp).
void pack_further_arguments(ir::Module& module);
/// Destructors of thread-specific data run when a thread ends; only if keys are used.
void add_key_destructors(ir::Module& module, const std::string& entry);
/// A thread that ends by pthread_exit has no clean-up handlers left; only if there are any.
void expect_no_cleanup_handlers(ir::Module& module, const std::string& entry);
/// Constructors are called when the entry starts.
void call_constructors(ir::Module& module,
                       const std::string& entry,
                       const std::vector<std::string>& constructors);
/// A failed assert() arrives as a branch to a block that can only fail. This makes it one Assert on
/// the condition, which is evaluated whether it holds or not, so that an assertion never reached
/// can be told from one that always holds.
void join_assertions(ir::Module& module);
/// The standard streams exist. (What any other variable holds that no module defines is for
/// program/build to say.)
void define_streams(ir::Module& module);
/// Drops the blocks no path from the entry of their function reaches, branches on constants being
/// decided.
void drop_unreachable_blocks(ir::Module& module);

} // namespace heddle::frontend
