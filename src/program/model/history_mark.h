// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tag of read-modify-writes that record a history (object/scenarios/harness.h). They stand for
// events at the interface of an operation, not for instructions: they act on memory at once, and
// neither look at the thread's store buffer nor wait for it nor empty it.
#pragma once

#include "program/model/action.h"

#include <string_view>

namespace heddle::program {

inline constexpr std::string_view kHistoryMark = "history";

[[nodiscard]] inline bool is_history_mark(const Access& access) {
  return access.tags.size() == 1 && access.tags.front() == kHistoryMark;
}

[[nodiscard]] inline bool is_history_mark(const Action& action) {
  const auto* update = std::get_if<ReadModifyWrite>(&action);
  return update != nullptr && is_history_mark(update->access);
}

} // namespace heddle::program
