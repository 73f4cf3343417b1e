// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the base names of a model mean on one execution: `R`, `po`, `loc`, the tags of accesses and
// fences. docs/cat-support.md has the table.
#pragma once

#include "execution/execution.h"
#include "program/event_set.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <optional>
#include <string_view>

namespace heddle::memory {

/// Empty for a name that no event has as a tag: a vocabulary knows more names than a program uses.
[[nodiscard]] relation::BitSet base_set(const execution::Execution& execution,
                                        std::string_view name);
/// rf and co are the execution's own; FW is made from co.
[[nodiscard]] relation::BitMatrix base_relation(const execution::Execution& execution,
                                                std::string_view name);

/// The kind an event of a program has in an execution; nothing for what is no event of one.
[[nodiscard]] std::optional<execution::Event::Kind> event_kind(program::StaticEvent::Kind kind);
/// The name models of C11 have for an order ("RLX", "ACQ", …); null for none.
[[nodiscard]] const char* order_tag(program::Order order);

} // namespace heddle::memory
