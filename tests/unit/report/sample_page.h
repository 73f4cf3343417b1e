// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Executions of store buffering as pages for the tests of pictures, made by hand: no engine needed.
#pragma once

#include "report/page/html.h"

namespace heddle::report_test {

/// Two threads that write one location and read the other; `first` and `second` are what they read.
[[nodiscard]] execution::Execution store_buffering(unsigned first, unsigned second);
/// Its picture, with the program and the sets and relations of a model. If both read 0, the cycle.
[[nodiscard]] report::Picture store_buffering_picture(const execution::Execution& execution);
/// All four executions under sc; the program's text has everything HTML treats specially.
[[nodiscard]] report::Page store_buffering_page();
/// One execution with four threads, fences, updates, register events and many edges.
[[nodiscard]] report::Page large_page();

} // namespace heddle::report_test
