// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// For the reference: what it keeps of a run. Memory is a table of words, each with a number, its
// place; a pointer is a place plus one, and 0 is the null pointer.
#pragma once

#include "heddle_fuzz/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::fuzz {

/// Objects are 0, 1, …; then the shared pointers p and s, the threads' words, their results, and
/// kNodeWords for each node: g, the threads' own, those of the heap in the order of allocation.
constexpr int kPointerPlace = 100;
constexpr int kNodePointerPlace = 101;
constexpr int kLocalPlace = 150;
constexpr int kResultPlace = 200;
constexpr int kNodePlace = 300;
constexpr int kNodeWords = kNodeNumbers + 1; // the last one is the pointer
/// No place: the null pointer moved on.
constexpr int kWildPlace = 100000;

using Pointer = std::uint32_t;
constexpr Pointer pointer_to(int place) {
  return static_cast<Pointer>(place) + 1;
}
constexpr int place_of(Pointer pointer) {
  return static_cast<int>(pointer) - 1;
}
constexpr int first_place_of_node(std::size_t node) {
  return kNodePlace + kNodeWords * static_cast<int>(node);
}
constexpr std::size_t node_at(int place) {
  return static_cast<std::size_t>((place - kNodePlace) / kNodeWords);
}

/// A pending store.
struct Pending {
  int place = 0;
  int offset = 0;
  int size = 4;
  std::uint32_t value = 0;
  int epoch = 0;
};

struct Thread {
  std::size_t pc = 0;
  std::array<std::uint32_t, kRegisters> regs{};
  Pointer pointer = pointer_to(0);       // q
  Pointer node = pointer_to(kNodePlace); // h
  bool has_returned = false;
  int barrier_generation = 0;
  bool took_lock = false; // result of the last trylock
  int atomic_depth = 0;
  int epoch = 0;
  std::vector<Pending> buffer;
};

struct Node {
  std::array<std::uint32_t, kNodeWords> words{};
  bool is_alive = true;
};

struct State {
  std::vector<std::uint32_t> objects;
  Pointer pointer = pointer_to(0); // p
  Pointer node_pointer = 0;        // s
  std::vector<std::uint32_t> locals;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> results;
  std::vector<Thread> threads;
  int mutex = -1;
  int spin = -1;
  int writer = -1;
  std::vector<int> readers; // how often each thread holds the read-write lock for reading
  int semaphore = 0;
  int arrived = 0;
  int generation = 0;
  int atomic = -1;
};

} // namespace heddle::fuzz
