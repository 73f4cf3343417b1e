// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Module;
}

namespace heddle::frontend {

/// LLVM does not tell whether a number that is shifted to the left is signed. clang's checks of
/// such shifts (-fsanitize=shift-base), which only signed ones have, do: they are taken away, and
/// the shift behind each gets the mark that signed sums have (nsw). What is then asked is whether
/// the result is what the number times a power of two is; a negative number may be shifted.
void mark_signed_shifts(llvm::Module& module);

} // namespace heddle::frontend
