// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a replay of an execution takes accesses for: the events a model sees of them.
#pragma once

#include "program/events/event_set.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::check {

/// The words that stand for locks, and for starts and ends of threads.
inline constexpr std::uint8_t kWord = 4;

/// The read, the write or the fence of an access.
[[nodiscard]] program::StaticEvent form_of(program::StaticEvent::Kind kind,
                                           const program::Access& access);
/// An access that synchronises, with the tags the vocabulary has for it.
[[nodiscard]] program::Access word_access(program::Order order,
                                          const std::vector<std::string>& tags);
[[nodiscard]] std::uint64_t masked(std::uint64_t value, unsigned bytes);

} // namespace heddle::check
