// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The files of the viewer as text; the definitions are made by embed.cmake at build time.
#pragma once

#include <string_view>

namespace heddle::report {

// NOLINTBEGIN(readability-identifier-naming): named after the files
extern const std::string_view kViewer_template;
extern const std::string_view kViewer_style;
extern const std::string_view kViewer_script;
// NOLINTEND(readability-identifier-naming)

} // namespace heddle::report
