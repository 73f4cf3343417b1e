// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Walks over what an instruction reads, writes and refers to, for passes that treat all
// instructions alike.
#pragma once

#include "ir/ir.h"

#include <functional>

namespace heddle::ir {

void for_each_operand(const Operation& operation, const std::function<void(const Operand&)>& visit);
void for_each_operand(Operation& operation, const std::function<void(Operand&)>& visit);
/// The registers an instruction assigns.
void for_each_result(const Operation& operation, const std::function<void(RegisterId)>& visit);
/// The blocks control may go to next, as often as they are named.
void for_each_target(const Operation& operation, const std::function<void(BlockId)>& visit);

} // namespace heddle::ir
