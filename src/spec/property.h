// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Names of properties, as options and reports write them, and which faults violate which.
#pragma once

#include "program/model/fault.h"
#include "spec/task.h"
#include "support/result.h"

#include <span>
#include <string_view>

namespace heddle::spec {

/// Every property there is, in the order reports list them.
[[nodiscard]] std::span<const Property> all_properties();
/// "reach", "race", …; an unknown name gives a usage error that lists the known ones.
[[nodiscard]] Result<Property> parse_property(std::string_view name);
/// For a sentence: "assertion", "data race", …
[[nodiscard]] std::string_view phrase(Property property);

/// Does a run that ends in that fault violate the property? Race, deadlock, robustness and liveness
/// are no faults.
[[nodiscard]] bool violates(Property property, program::FaultKind fault);

} // namespace heddle::spec
