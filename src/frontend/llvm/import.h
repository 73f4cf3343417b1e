// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// LLVM bitcode (or LLVM's text form) into an ir::Module, instruction by instruction: no
// optimisation pass is run, locals that are never seen from outside become registers, everything
// unsupported becomes a trap at its place. Calls of external functions stay calls; frontend/c gives
// them their meaning. This header shows no LLVM type.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct Imported {
  ir::Module module;
  /// Functions and globals that give way to another definition of the same name (weak, linkonce,
  /// C99 inline).
  std::vector<std::string> weak;
  /// Functions to be run before the entry, in order (__attribute__((constructor))).
  std::vector<std::string> constructors;
  /// Functions whose C type has something that is neither a number of up to 64 bits nor a pointer,
  /// and what: "returns a structure". In the module such values are numbers, or more parameters.
  std::vector<std::pair<std::string, std::string>> other_types = {};
};

/// Whether this build can read bitcode at all.
[[nodiscard]] bool can_import_llvm();

/// `content` is a bitcode file or LLVM text; `name` is used in messages and as the module's name.
[[nodiscard]] Result<Imported> import_bitcode(std::string_view content, const std::string& name);

} // namespace heddle::frontend
