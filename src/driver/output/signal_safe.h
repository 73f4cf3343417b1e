// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The few things that a signal handler needs to end the process in order. All of it is safe there:
// nothing allocates, takes a lock or uses a stream.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::driver::signal_safe {

/// What this process holds of the machine's memory; 0 if the system does not say.
[[nodiscard]] std::uint64_t resident_bytes();
/// Writes as much as is taken within half a second.
void write(int descriptor, std::string_view text);
/// Puts the file there as a whole or not at all. `temporary` is a name beside it that nobody uses;
/// empty: `path` is no regular file, and is written directly.
void write_file(const char* path, const char* temporary, std::string_view text);
/// The programs that this one started and that still run (not their own children).
void kill_children();

} // namespace heddle::driver::signal_safe
