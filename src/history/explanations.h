// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What results alone say about a history whose order is not known: all ways to explain them, and
// the smallest sets of precedences that leave none. A run has a history that nothing explains
// exactly if it shows one of those sets, so that an engine can be asked for that instead of for all
// its histories.
#pragma once

#include "history/history.h"
#include "history/object.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::history {

/// Something that happens at the interface. With store buffers the call and the return also leave a
/// marker there, and its way to memory is a moment of its own (Burckhardt, Gotsman, Musuvathi and
/// Yang, "Concurrent library correctness on the TSO memory model", ESOP 2012, section 3).
struct Moment {
  enum class What : std::uint8_t {
    kCall,
    kReturn,
    kCallFlushed,
    kReturnFlushed,
    kEffect, // where it is known
  };
  std::uint32_t operation = 0;
  What what = What::kCall;
  auto operator<=>(const Moment&) const = default;
};
/// The first, an end, comes before the second, a beginning. Nothing else counts.
struct Precedence {
  Moment first;
  Moment second;
  auto operator<=>(const Precedence&) const = default;
};
using Precedences = std::vector<Precedence>; // sorted

enum class Timing : std::uint8_t {
  /// An operation takes effect between its call and its return.
  kInterval,
  /// In the order of its thread, at any time.
  kThread,
  /// TSO-to-TSO linearizability, the object being one of single steps on the same machine. An
  /// operation takes effect in one of three ways: by a step of memory between its call and its
  /// return, for which the thread's buffer is empty; if it returns nothing, by an entry of the
  /// buffer, between the markers of its call and of its return; if it changes nothing, by a look
  /// at memory, and at what is in the thread's own buffer, between its call and its return.
  kBuffered,
  /// Where each operation takes effect is known, and that order has to be right.
  kFixed,
  /// TSO linearizability (Derrick, Smith and Dongol 2014): between its call and the moment at which
  /// it has returned and its stores are in memory. So operations of one thread may be swapped.
  kLastFlush,
  /// Only moments without any operation under way count (history/quiescence.h).
  kQuiescent,
};

/// Each explanation is given by what contradicts it: it stands if none of these precedences is
/// there. Nothing if there are more than `most` of them.
[[nodiscard]] std::optional<std::vector<Precedences>>
explanations_of(const std::vector<Operation>& operations,
                const SequentialObject& object,
                Timing timing,
                std::size_t most);

/// The smallest sets of precedences that are possible together and contradict every explanation.
/// If there are no explanations: the empty set. Nothing if it takes more than `most` steps.
[[nodiscard]] std::optional<std::vector<Precedences>>
contradictions_of(const std::vector<Operation>& operations,
                  const std::vector<Precedences>& explanations,
                  std::size_t most);

} // namespace heddle::history
