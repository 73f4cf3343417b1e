// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The machines there are; Machine::make picks one. For machine.cpp and the models' own files.
#pragma once

#include "memory/machine/machine.h"

#include <memory>

namespace heddle::memory {

[[nodiscard]] std::unique_ptr<Machine>
make_sequential_machine(const program::Interpreter& interpreter);
[[nodiscard]] std::unique_ptr<Machine>
make_total_store_order_machine(const program::Interpreter& interpreter);
[[nodiscard]] std::unique_ptr<Machine>
make_partial_store_order_machine(const program::Interpreter& interpreter);

} // namespace heddle::memory
