// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Events that no question depends on, left out before there is a formula. A read matters if what it
// finds takes part in whether or where something happens that matters, or in a value that does; a
// write matters if a read that matters may find it. The rest takes part in no cycle that the others
// are not in anyway, since a read can always find something and a write can always come somewhere.
#pragma once

#include "encode/order/thread_order.h"
#include "program/events/event_set.h"

#include <cstddef>
#include <functional>

namespace heddle::encode {

/// Does a kCheck matter: is there a question whether it fails?
using IsAsked = std::function<bool(const program::StaticEvent& check)>;

/// For questions about single steps (checks, cuts, traps), not about whole runs or states. What
/// does not matter becomes a kBranch, which has no place in the order; indices stay as they are.
/// How many events that were.
std::size_t
leave_out_irrelevant(program::EventSet& set, ThreadOrder order, const IsAsked& is_asked);

} // namespace heddle::encode
