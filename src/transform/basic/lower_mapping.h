// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How compilers translate the atomics of C for each processor: one table for each vocabulary, as
// data. The rewriting is in lower_targets.cpp. Tags are those that the litmus front end of the same
// vocabulary puts on the instruction.
#pragma once

#include "memory/vocabulary.h"
#include "program/model/action.h"

#include <array>
#include <string_view>

namespace heddle::transform {

/// The orders an access can have, as columns of a table. Consume is acquire, as all compilers have
/// it.
enum class Strength : std::uint8_t { kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst };
inline constexpr std::size_t kStrengths = 5;

[[nodiscard]] Strength strength_of(program::Order order);
/// A compare-exchange has one instruction for success and failure: it is as strong as both.
[[nodiscard]] Strength stronger(Strength a, Strength b);

/// A fence (by its tag, or none), the access with its tags, and a fence. Tags are separated by
/// blanks; of an update "R:x" marks the read, "W:x" the write, "x" both.
struct Form {
  std::string_view before = {};
  std::string_view tags = {};
  std::string_view after = {};
  /// Between the access and the fence after it lies a branch on what was read.
  bool is_followed_by_branch = false;
};
using Forms = std::array<Form, kStrengths>;

enum class UpdateBy : std::uint8_t {
  kInstruction, // one instruction reads and writes
  kExclusives,  // a loop with a load-exclusive and a store-exclusive
};

struct Mapping {
  Forms load;
  Forms store;
  Forms update;
  Forms compare;
  std::array<std::string_view, kStrengths> fence; // "" is no instruction at all
  UpdateBy update_by = UpdateBy::kInstruction;
  UpdateBy compare_by = UpdateBy::kInstruction;
  bool exchanges_for_seq_cst_store = false;
  // What synchronisations do to their locations.
  Form lock;
  Form release; // unlock, create, end of a thread
  Form acquire; // start of a thread, join
};

/// Null if no lowering from C is known.
[[nodiscard]] const Mapping* find_mapping(memory::Vocabulary vocabulary);
/// The same for threads only, which all programs have, whatever they are written in; null for C.
[[nodiscard]] const Mapping* find_thread_mapping(memory::Vocabulary vocabulary);

} // namespace heddle::transform
