// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The part of the verifier that looks at one instruction. Internal to ir/.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <optional>

namespace heddle::ir {

/// Whether the type is one the text form can write.
[[nodiscard]] constexpr bool is_canonical(Type type) {
  return type.kind == Type::Kind::kInteger ? type.bits >= 1 && type.bits <= 64 : type.bits == 0;
}

/// The first rule the instruction breaks, if it breaks one. The function's registers have been
/// checked.
[[nodiscard]] std::optional<Error>
verify_instruction(const Module& module, const Function& function, const Instruction& instruction);

} // namespace heddle::ir
