// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where in memory the answer to an Enumerate question is found.
#pragma once

#include "spec/task.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::spec {

struct ObservedPlace {
  std::string name;
  std::uint64_t address = 0;
  std::uint8_t size = 0; // bytes, at most 8
};

/// In the order asked for, or of the program's objects.
[[nodiscard]] std::vector<ObservedPlace> observed_places(const program::Program& program,
                                                         const Enumerate& question);

} // namespace heddle::spec
