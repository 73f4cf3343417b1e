// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A shared-memory abstraction compiled natively into a shared object. All its state is in static
// variables that are zero at the beginning (the contract says so), so a state is a copy of that
// memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heddle::sma {

// As in runtime/sma/sma.h.
using Value = unsigned long long;
inline constexpr unsigned kNone = ~0u;
inline constexpr unsigned kBoundWrites = 1;
inline constexpr unsigned kBoundQueue = 2;
inline constexpr unsigned kBoundClock = 3;

// What the shared objects are compiled with; sizes below are chosen at run time.
inline constexpr unsigned kMostThreads = 5;
inline constexpr unsigned kMostCells = 4;
inline constexpr unsigned kMostWrites = 8;
inline constexpr unsigned kMostQueue = 6;
inline constexpr unsigned kMostClock = 8;

struct Abstraction {
  std::string name;
  bool is_asynchronous = false;
  bool is_coarse = false;
  std::span<std::byte> state;

  void (*init)() = nullptr;
  unsigned (*address)(unsigned, unsigned) = nullptr;
  Value (*read)(unsigned, unsigned) = nullptr;
  void (*write)(unsigned, Value, unsigned) = nullptr;
  Value (*ind_read)(unsigned, unsigned) = nullptr;
  void (*ind_write)(unsigned, Value, unsigned) = nullptr;
  void (*lock)(unsigned, unsigned) = nullptr;
  void (*unlock)(unsigned, unsigned) = nullptr;
  void (*fence)(unsigned) = nullptr;
  void (*store_fence)(unsigned) = nullptr;
  void (*create)(unsigned, unsigned) = nullptr;
  void (*join)(unsigned, unsigned) = nullptr;
  void (*terminate)(unsigned) = nullptr;
  Value (*compare_exchange)(unsigned, Value, Value, unsigned) = nullptr;
  Value (*update_begin)(unsigned, unsigned) = nullptr;
  void (*update_end)(unsigned, Value, unsigned) = nullptr;
  void (*atomic_begin)(unsigned) = nullptr;
  void (*atomic_end)(unsigned) = nullptr;
  bool (*stops)(unsigned) = nullptr; // asynchronous only
  unsigned (*now)(unsigned) = nullptr;
  void (*finish)() = nullptr;                      // asynchronous only
  const char* (*broken_invariant)(void) = nullptr; // only where a test adds it
};

// Compiles the C file of an abstraction (SOURCES/NAME.c) into FOLDER/NAME.so with the C compiler of
// the system. What is wrong with it, the compiler says.
[[nodiscard]] bool
compile(const std::string& sources, const std::string& folder, const std::string& name);

// Ends the program when something is missing: then there is nothing to test.
[[nodiscard]] Abstraction load(const std::string& folder, const std::string& name);

} // namespace heddle::sma
