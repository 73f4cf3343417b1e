// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each place in memory may hold: the first value, and whatever some write of some thread could
// write, given any such values for the reads its value and address are computed from. Whether the
// write happens is not asked here: that it happens because of what is read from it is a cycle of
// control, which only a model can forbid. A value that is computed from itself is another thing: it
// has no beginning, and no candidate comes about that way. More values than any execution has do no
// harm; traces.h leaves out those that no run writes.
#pragma once

#include "engine/enumerate/thread_evaluator.h"
#include "program/events/event_set.h"
#include "support/budget.h"
#include "support/result.h"

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace heddle::engine::enumerate {

/// Reads a value was computed from, by number among all reads.
inline constexpr std::size_t kMostReads = 256;
using ReadSet = std::bitset<kMostReads>;

/// One way to come by a value.
struct Way {
  ReadSet reads = {};      // those it was computed from, also those before others
  std::uint32_t depth = 0; // of them, how many there are on the longest way to it
};

struct Candidate {
  std::uint64_t value = 0;
  bool is_initial = false;
  std::uint64_t writers = 0;   // a bit for each thread that may write it; the last is shared
  std::uint64_t confirmed = 0; // those that some run writes
  /// None has fewer reads and depth than another. Where there are very many, one that is below all.
  std::vector<Way> ways = {};
  bool is_merged = false;

  /// Can a read have it, if no value is computed from itself?
  [[nodiscard]] bool is_for(std::uint32_t read_number) const;
  /// May a thread other than that one write it?
  [[nodiscard]] bool is_from_other(std::uint32_t thread) const;
};

class CandidateValues {
public:
  struct Held {
    std::vector<Candidate> values;
    std::uint64_t version = 0; // grows with what is known
  };
  [[nodiscard]] const Held* find(std::uint64_t address) const;
  /// Is there memory? A place that is met for the first time gets its first value.
  [[nodiscard]] const Held*
  meet(const program::EventSet& set, std::uint64_t address, std::uint8_t size);
  /// Is it news?
  bool add(std::uint64_t address, std::uint64_t value, std::uint32_t thread, const Way& way);
  /// A run writes it.
  void confirm(std::uint64_t address, std::uint64_t value, std::uint32_t thread);
  /// Forgets what no run has written since the last time. Was there any?
  bool forget_unconfirmed();

private:
  std::map<std::uint64_t, Held> places_;
};

/// By event: a number for each read; and by event, for writes, the reads and choices whose values
/// its address and value are computed from.
struct ValueSources {
  std::vector<std::uint32_t> read_number;
  std::uint32_t reads = 0;
  std::vector<std::vector<program::EventIndex>> of_write;
};
[[nodiscard]] ValueSources find_value_sources(const program::EventSet& set);

struct CandidateOptions {
  unsigned choice_bits = 8; // wider choices are refused
  /// Nothing happens because of itself (memory::Coherence::is_grounded): what decides whether a
  /// write happens is one of the things its value is computed from.
  bool is_grounded = false;
};

/// `evaluators` are those of the threads. Fails if a value is chosen out of too many, or there is
/// too much to try.
[[nodiscard]] Result<CandidateValues> find_candidate_values(const program::EventSet& set,
                                                            const ValueSources& sources,
                                                            std::span<ThreadEvaluator> evaluators,
                                                            const CandidateOptions& options,
                                                            const Budget& budget);

/// What stands in the way of trying out all values of a choice.
[[nodiscard]] std::optional<Error>
check_choice(const program::EventSet& set, program::EventIndex choice, unsigned choice_bits);

} // namespace heddle::engine::enumerate
