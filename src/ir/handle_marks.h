// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The global in which front ends mark threads whose handle their creator has stored: a byte for
// each handle. Its cells are named by handles, which may differ between two runs of one program.
#pragma once

namespace heddle::ir {

inline constexpr const char* kHandleMarks = "__heddle_handle_is_stored";

} // namespace heddle::ir
