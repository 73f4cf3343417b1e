// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Module;
}

namespace heddle::frontend {

/// clang's checks of the bounds of arrays (-fsanitize=array-bounds) are branches to a trap. Each
/// becomes a guard (llvm.experimental.guard) in one block with what follows, as it would be without
/// the check. Where the array is an object of its own there is none: what is out of its bounds is
/// out of the object's, and the access finds that out.
void join_index_checks(llvm::Module& module);

} // namespace heddle::frontend
