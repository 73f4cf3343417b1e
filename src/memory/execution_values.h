// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the base names of a model mean on one execution: `R`, `po`, `loc`, the tags of accesses and
// fences. docs/cat-support.md has the table.
#pragma once

#include "execution/execution.h"
#include "program/events/event_set.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::memory {

/// Empty for a name that no event has as a tag: a vocabulary knows more names than a program uses.
[[nodiscard]] relation::BitSet base_set(const execution::Execution& execution,
                                        std::string_view name);
/// rf and co are the execution's own; FW is made from co.
[[nodiscard]] relation::BitMatrix base_relation(const execution::Execution& execution,
                                                std::string_view name);

/// The same, as bits into zeroed words: a row of `stride` words for each event (one row for a set).
void write_base(const execution::Execution& execution,
                std::string_view name,
                bool is_set,
                std::uint64_t* words,
                std::size_t stride);

/// The kind an event of a program has in an execution; nothing for what is no event of one.
[[nodiscard]] std::optional<execution::Event::Kind> event_kind(program::StaticEvent::Kind kind);
/// Tags an event of a program has because of what else is known of it, with that order: "EX", and
/// in C11 the name of the order ("RLX", "ACQ", …) and "A" or "NA".
[[nodiscard]] std::vector<const char*> implied_tags(const std::string& vocabulary,
                                                    const program::StaticEvent& event,
                                                    program::Order order);
/// That event of a program as an execution has it, without address and value; not for what is no
/// event of one. `has_succeeded` decides its order and what follows from it.
[[nodiscard]] execution::Event
event_of(const std::string& vocabulary, const program::StaticEvent& event, bool has_succeeded);
/// Tags of both halves of an update. In assembly the front end says what is atomic ("X").
[[nodiscard]] std::span<const char* const> update_tags(const std::string& vocabulary);
/// Are two events of one thread, `first` before `second` in its list, in program order? The parts
/// of a C access happen in order. Of a machine instruction only what it reads comes before what it
/// writes.
[[nodiscard]] bool are_in_program_order(const std::string& vocabulary,
                                        const execution::Event& first,
                                        const execution::Event& second);
/// Unless it has it already.
void add_tag(execution::Event& event, const char* tag);

} // namespace heddle::memory
