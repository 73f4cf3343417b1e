// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small programs for tests, as ir text.
#pragma once

#include <string>

namespace heddle::check_test {

/// Two threads with the given bodies (registers %1 to %4 are i32, %5 is i1, %6 a pointer); main
/// starts both, joins both, and then does `after`. Globals x, y and lock.
inline std::string
two_threads(const std::string& left, const std::string& right, const std::string& after = "") {
  const std::string registers = "  reg %1 : i32 \"a\"\n  reg %2 : i32 \"b\"\n  reg %3 : i32 \"c\"\n"
                                "  reg %4 : i32 \"d\"\n  reg %5 : i1\n  reg %6 : ptr\n";
  return "module lp64\n"
         "file 1 \"test.c\"\n"
         "global @x : 4 align 4 signed 32\n"
         "global @y : 4 align 4 signed 32\n"
         "global @lock : 40 align 8\n"
         "global @other : 40 align 8\n"
         "func @left(%0 : ptr) -> ptr {\n" +
         registers + "block entry:\n" + left +
         "  ret ptr 0 !1:19:1\n}\n"
         "func @right(%0 : ptr) -> ptr {\n" +
         registers + "block entry:\n" + right +
         "  ret ptr 0 !1:29:1\n}\n"
         "func @main() -> i32 {\n"
         "  reg %0 : ptr\n" +
         registers +
         "block entry:\n"
         "  %0 = create(@left, ptr 0) !1:31:1\n"
         "  %6 = create(@right, ptr 0) !1:32:1\n"
         "  %0 = join(%0) !1:33:1\n"
         "  %6 = join(%6) !1:34:1\n" +
         after + "  ret i32 0 !1:39:1\n}\n";
}

/// Store buffering: both reads can give 0 under tso.
inline std::string store_buffering() {
  return two_threads("  store.volatile i32 1, @x !1:11:1\n  %1 = load.volatile @y !1:12:1\n",
                     "  store.volatile i32 1, @y !1:21:1\n  %1 = load.volatile @x !1:22:1\n"
                     "  %5 = ne %1, i32 0 !1:23:1\n  assert %5, \"b != 0\" !1:23:1\n");
}

} // namespace heddle::check_test
