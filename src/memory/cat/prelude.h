// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The definitions every model may count on where no stdlib.cat is found.
#pragma once

#include <string_view>

namespace heddle::memory::cat {

[[nodiscard]] std::string_view prelude();
/// cross.cat, where none is found.
[[nodiscard]] std::string_view prelude_cross();
/// cos.cat, where none is found.
[[nodiscard]] std::string_view prelude_cos();
/// That accesses are not torn, for models that know nothing of their pieces.
[[nodiscard]] std::string_view whole_accesses();
/// The definition of a base name that has its meaning from others, and of pco (the part of co that
/// program order and reads show); empty for all other names.
[[nodiscard]] std::string_view prelude_definition(std::string_view name);

} // namespace heddle::memory::cat
