// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/parse.h"
#include "program/build/build.h"
#include "program/model/print_program.h"

#include <gtest/gtest.h>

namespace heddle::program {
namespace {

Program built(const std::string& text) {
  const Result<ir::Module> module = ir::parse(text, "print.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  Result<Program> program = build(*module, {});
  EXPECT_TRUE(program.has_value());
  return std::move(program).value();
}

TEST(Print, ShowsAWholeProgram) {
  const Program program = built(R"(
module lp64
file 1 "p.c"
global @x : 4 align 4
global @lock : 40 align 8
func @worker(%0 : ptr "argument") -> ptr {
  reg %1 : i32 "v"
  reg %2 : i1
block entry:
  mutex_lock(@lock) !1:3:1
  %1 = load.atomic.acquire @x !1:4:1
  %2 = slt %1, i32 3
  branch %2, entry, done
block done:
  store.atomic.release i32 %1, @x+2
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "t"
block entry:
  %0 = create(@worker, ptr 0)
  ret i32 0
}
)");
  EXPECT_EQ(to_text(program), R"(global x: 4 bytes
global lock: 40 bytes

procedure worker(argument), entry 0
  loop head:
  0 -> 1: mutex_lock(&lock)    // p.c:3
  1 -> 2: v := load32 [&x] (acquire)    // p.c:4
  2 -> 0: if v < 3
  2 -> 3: if 3 <= v
  3 -> 4: store32 [&x + 2] := v (release)
  4 -> 5: return 0

procedure main(), entry 0
  0 -> 1: t := create(&worker, 0)
  1 -> 2: return 0

thread main: main
thread worker: worker
)");
}

TEST(Print, SumsWithAnAddressNameTheObject) {
  const Program program = built(R"(
module lp64
global @a : 40 align 4
func @main() -> i32 {
  reg %0 : i64 "i"
  reg %1 : ptr
block entry:
  %0 = nondet "i"
  %1 = ptradd @a+4, %0
  store i32 1, %1
  ret i32 0
}
)");
  const Procedure& procedure = program.procedures.back();
  const auto text = [&](std::size_t edge) {
    return to_text(program, procedure, procedure.edges[edge].action);
  };
  EXPECT_EQ(text(1), "check pointer i + &a + 4 from &a + 4");
  EXPECT_EQ(text(2), "store32 [i + &a + 4] := 1");
}

} // namespace
} // namespace heddle::program
