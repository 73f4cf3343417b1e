// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Events as text, for tests and for people who look into an encoding.
#pragma once

#include "program/events/event_set.h"

#include <string>

namespace heddle::program {

/// A term over events: "r3" is what event 3 read, "c4" what it chose, "d0" a defined variable.
[[nodiscard]] std::string to_text(const EventSet& set, Term term);
/// One event without its number: "R 4 @x if r1 = 0 drains".
[[nodiscard]] std::string to_text(const EventSet& set, const StaticEvent& event);
/// All threads, one event per line, then what relates them.
[[nodiscard]] std::string to_text(const EventSet& set);

} // namespace heddle::program
