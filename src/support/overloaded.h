// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One visitor out of several lambdas, for std::visit over closed families. Never with an `auto`
// case: a new alternative must fail to compile everywhere.
#pragma once

namespace heddle {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace heddle
