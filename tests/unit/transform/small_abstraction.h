// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread-synchronous abstraction of sequential consistency with room for four cells, as far as
// programs without locks need one.
#pragma once

#include "transform/sequential/sma.h"
#include "unit/transform/built.h"

namespace heddle::transform {

inline constexpr const char* kSmallAbstraction = R"(module lp64
global @sma_initial : 32 align 8
global @memory : 32 align 8
global @ended : 4 align 1
func @sma_exceeded(%0 : i32) -> void {
block entry:
  ret void
}
func @place(%0 : i32) -> ptr {
  reg %1 : i64
  reg %2 : i64
  reg %3 : ptr
block entry:
  %1 = zext %0
  %2 = mul %1, i64 8
  %3 = ptradd @memory, %2
  ret %3
}
func @sma_init() -> void {
  reg %0 : i64
  reg %1 : i64
block entry:
  %0 = load @sma_initial
  store i64 %0, @memory
  %1 = load @sma_initial+8
  store i64 %1, @memory+8
  ret void
}
func @sma_create(%0 : i32, %1 : i32) -> void {
block entry:
  ret void
}
func @sma_terminate(%0 : i32) -> void {
block entry:
  ret void
}
func @sma_join(%0 : i32, %1 : i32) -> void {
block entry:
  ret void
}
func @sma_read(%0 : i32, %1 : i32) -> i64 {
  reg %2 : ptr
  reg %3 : i64
block entry:
  %2 = call @place(%0)
  %3 = load %2
  ret %3
}
func @sma_write(%0 : i32, %1 : i64, %2 : i32) -> void {
  reg %3 : ptr
block entry:
  %3 = call @place(%0)
  store i64 %1, %3
  ret void
}
)";

inline Abstraction small_abstraction(const program::Program& program) {
  program::BuildOptions options;
  options.entry = "sma_init";
  options.keep = {
      "sma_exceeded", "sma_create", "sma_terminate", "sma_join", "sma_read", "sma_write"};
  options.first_unit = 1000;
  for (const program::Object& object : program.objects)
    options.first_unit += program.space().units_for(object.size);
  Abstraction abstraction;
  abstraction.name = "small";
  abstraction.program = built(kSmallAbstraction, options);
  return abstraction;
}

} // namespace heddle::transform
