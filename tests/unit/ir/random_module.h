// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random modules that verify, with every kind of instruction and every field of every struct: for
// the laws of printing, parsing and linking. They need not make sense as programs.
#pragma once

#include "ir/ir.h"
#include "support/rng.h"

namespace heddle::ir {

[[nodiscard]] Module random_module(Rng& rng);

} // namespace heddle::ir
