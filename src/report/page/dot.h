// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A picture as a graph for Graphviz: a cluster per thread with program order downwards, the other
// relations across.
#pragma once

#include "report/page/graph.h"

#include <string>

namespace heddle::report {

[[nodiscard]] std::string dot(const Picture& picture);

} // namespace heddle::report
