// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A picture as SVG, laid out by Graphviz's program dot.
#pragma once

#include "report/page/graph.h"
#include "support/result.h"

#include <string>

namespace heddle::report {

/// Fails if `program` cannot be run; it is started without a shell.
[[nodiscard]] Result<std::string> svg(const Picture& picture, const std::string& program = "dot");
/// The same of a text that is in Graphviz's language already.
[[nodiscard]] Result<std::string> svg_of_dot(const std::string& text,
                                             const std::string& program = "dot");

} // namespace heddle::report
