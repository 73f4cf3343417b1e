// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store-buffer graphs as specifications for the prover KIV (Weak2SC, section 4.4.2): one operation
// for each edge of each graph.
#pragma once

#include <string>

namespace heddle::exports {} // namespace heddle::exports
