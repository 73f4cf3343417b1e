// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the memory of a program goes in an export: threads and blocks are finite in number and
// known beforehand, and every scalar that is accessed is one element (a cell) of one array. A
// thread is known by the edge that creates it and by who creates it; so is a block. An edge on a
// cycle gets a pool of blocks. Addresses stay the numbers they are in the program.
#pragma once

#include "program/analyse/cells.h"
#include "program/model/program.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::exports {

/// An instance of an object.
struct Block {
  program::ObjectId object;
  std::uint64_t address = 0;
  std::uint32_t first_cell = 0; // its cells are consecutive
  std::uint32_t cell_count = 0;
  bool is_dynamic = false; // allocated while the program runs
  bool is_frame = false;
  bool is_pooled = false;   // its allocation may be met again
  std::uint32_t thread = 0; // dynamic: whose allocation it is
};

struct PlacedCell {
  std::uint32_t block = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0; // bytes; more than 8: a lock
  std::uint64_t initial = 0;
  std::string name;
};

struct Thread {
  program::ProcedureId procedure;
  std::string name;
  std::map<std::uint32_t, std::uint32_t> created = {};             // by edge: the thread
  std::map<std::uint32_t, std::vector<std::uint32_t>> blocks = {}; // by edge: the pool
};

struct Layout {
  std::vector<Thread> threads; // 0 is the initial one
  std::vector<Block> blocks;
  std::vector<PlacedCell> cells; // those of dynamic blocks last
  std::uint32_t first_dynamic = 0;
};

/// Of a program without calls; `pool` blocks for each allocation on a cycle.
[[nodiscard]] Result<Layout> lay_out(const program::Program& program, std::uint32_t pool);

/// A refusal at a place of the program.
[[nodiscard]] Error
refuse(const program::Program& program, SourceLoc loc, std::string code, std::string message);

} // namespace heddle::exports
