// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where a program looks at an address as a number, so that what it does may depend on where objects
// lie. C leaves that open but for alignment and disjointness, while address_space.h fixes it: a
// proof then holds for our addresses only, and says so. Private to build*.cpp.
//
// A forward analysis of the module, insensitive to flow and context. A value is a set of "base plus
// offset", where the base is an object, or none for a number, and offsets do not depend on where
// objects lie. Such values stay what they are under sums with numbers, under masks of bits that the
// alignment of the object fixes, and through memory; differences and comparisons of two of one
// object are numbers. What remains (other operations on the number, order of addresses in different
// objects, equality with a number that could be an address) depends on the addresses. It matters
// where control, an address or a size depends on it. It works on ir and not on the program, where
// the addresses of globals are constants and what is computed from them is folded.
#pragma once

#include "program/build/build_context.h"

#include <optional>

namespace heddle::program {

/// The first such place in the order of the source.
struct LookedAt {
  std::optional<SourceLoc> address = {};
  /// The same of handles of threads, whose numbers are ours, too: where one may serve again, which
  /// one does is seen where they are compared.
  std::optional<SourceLoc> handle = {};
};
[[nodiscard]] LookedAt
find_address_as_number(const ir::Module& module, const Reachable& reachable, ir::FunctionId entry);

} // namespace heddle::program
