// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where fences may be put into a module, and putting them there. A fence at any place can be moved
// back along the code to one of these without allowing more, as long as no store is passed: to
// behind a store, to a place where paths meet, behind a call, or to the start of a function. What
// lies directly before a store is a place of its own although a place further back would do,
// because there a fence costs least: on other paths nobody meets it.
#pragma once

#include "ir/ir.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::transform {

struct FencePlace {
  /// In the order of preference.
  enum class Where : std::uint8_t {
    kBeforeStore,
    kAfterStore,
    kMeeting, // the start of a block with several predecessors
    kAfterCall,
    kStart,     // of the function
    kAtPrivate, // beside a store to a local variable of the function
  };
  Where where = Where::kBeforeStore;
  ir::FunctionId function;
  ir::BlockId block;
  std::uint32_t before = 0; // the instruction that the fence would come before
  SourceLoc loc = {};       // of the store, of the call, or of what follows
  bool operator==(const FencePlace&) const = default;
};

/// Of all functions that have a body, those that are preferred first, otherwise in the order of the
/// module.
[[nodiscard]] std::vector<FencePlace> fence_places(const ir::Module& module);

enum class FenceKind : std::uint8_t {
  kNone,
  kStoreStore, // atomic_thread_fence(memory_order_release)
  kFull,       // atomic_thread_fence(memory_order_seq_cst)
};

/// The module with those fences (one kind per place). With `marks`, steps that do nothing are put
/// at the other places, so that a run shows when it passed them.
[[nodiscard]] ir::Module with_fences(const ir::Module& module,
                                     const std::vector<FencePlace>& places,
                                     const std::vector<FenceKind>& kinds,
                                     bool marks);

/// The place that a mark stands for; nothing if the tags are not a mark's.
[[nodiscard]] std::optional<std::size_t> marked_place(const std::vector<std::string>& tags);

} // namespace heddle::transform
