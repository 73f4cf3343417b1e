// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for frontend/llvm in builds without LLVM.
#include "frontend/llvm/import.h"

namespace heddle::frontend {

bool can_import_llvm() {
  return false;
}

Result<Imported> import_bitcode(std::string_view /*content*/, const std::string& name) {
  return Error{ErrorKind::kUnsupported,
               "LLVM-004",
               "this build of heddle has no LLVM and reads only .hir files",
               name};
}

} // namespace heddle::frontend
