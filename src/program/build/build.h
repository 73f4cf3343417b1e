// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From ir to a Program: lays out objects, folds pure computations of a block into terms, turns
// instructions into actions, and adds the checks that C's undefined behaviour asks for
// (docs/semantics.md). Then alias and escape analysis annotate it (analyse.h).
#pragma once

#include "ir/ir.h"
#include "program/model/program.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::program {

struct BuildOptions {
  std::string entry = "main";
  bool check_overflow = false; // property overflow is asked: signed wrap-around is a Check
  /// Every computation stays an assignment of its own and every branch a branch, so that what each
  /// value was computed from, and what was decided by it, can be followed (event_set.h). Globals
  /// that nothing refers to stay, too.
  bool keep_registers = false;
  /// Functions to build beside what the entry reaches.
  std::vector<std::string> keep = {};
  /// Where globals begin in the address space: behind those of another program, if this one is to
  /// be added to it.
  std::uint64_t first_unit = AddressSpace::kFirstGlobalUnit;
};

[[nodiscard]] Result<Program> build(const ir::Module& module, const BuildOptions& options);

} // namespace heddle::program
