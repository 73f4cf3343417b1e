// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the pipeline answers to a command line that asks for what there is not.
#pragma once

#include "support/result.h"

#include <string>
#include <utility>

namespace heddle::driver {

[[nodiscard]] inline Error usage(std::string code, std::string message) {
  return Error{ErrorKind::kUsage, std::move(code), std::move(message)};
}

} // namespace heddle::driver
