// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A set of states of a machine, in full: memories, threads and buffers are kept once each, a state
// is a row of their numbers. It can be written down and read back.
//
// The text is a sequence of numbers (LEB128, seven bits a byte, the lowest first). Memories,
// threads and buffers: for each of the three how many there are, and for each of them how many
// words it has and the words, each as the difference (exclusive or) to the word at that place in
// the one before. Then how many states there are, and for each its row: 1 if the run has ended; the
// owner of the open atomic section plus one, or 0; its memory; how many threads it has; the
// threads; and, if the machine has buffers, their buffers.
#pragma once

#include "check/proof/sequence_table.h"
#include "memory/machine/machine.h"
#include "support/budget.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::check {

class StateSet {
public:
  explicit StateSet(bool has_buffers) : has_buffers_(has_buffers) {}

  [[nodiscard]] std::uint32_t size() const { return rows_.size(); }
  [[nodiscard]] std::optional<std::uint32_t> find(const memory::MachineState& state) const;
  /// The number, and whether it is a new one.
  std::pair<std::uint32_t, bool> insert(const memory::MachineState& state);
  /// One that was inserted, or found by `find`: what else stands in a text need not be a state.
  [[nodiscard]] memory::MachineState state(std::uint32_t id) const;
  [[nodiscard]] std::uint64_t bytes() const;

  [[nodiscard]] std::string to_text() const;
  /// The error (CERT-001) says that it is none.
  [[nodiscard]] static Result<StateSet>
  from_text(std::string_view text, bool has_buffers, const Budget& budget);

private:
  bool has_buffers_;
  SequenceTable<std::uint64_t> memories_;
  SequenceTable<std::uint64_t> threads_;
  SequenceTable<std::uint64_t> buffers_;
  SequenceTable<std::uint32_t> rows_;
};

} // namespace heddle::check
