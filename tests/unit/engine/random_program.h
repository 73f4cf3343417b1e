// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small concurrent programs as ir text, written by hand in a line each or made at random.
#pragma once

#include "support/rng.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::engine_test {

/// What the initial thread does beside starting the others, one after the other.
enum class Main : std::uint8_t {
  kJoinAll,
  kReturnAtOnce,
  kEndAlone,
  kWriteAndJoin, // to y, after each start
  kStartForEver, // all threads, again and again
};

/// One list of operations for each thread, over the variables x y z w, results r0 … r7 and mutexes
/// m n:
///   x=1, r0=x, x+=1 (atomic), x?1=2 (compare-exchange), fence, ax=1 and r0=ax (atomic seq_cst),
///   ax.rel=1, r0=ax.acq, ax.rlx=1, r0=ax.rlx, lock m, unlock m, trylock m, begin, end (atomic
///   section), if x / endif (x is not 0; ?: perhaps), while x / endwhile (… loop as long as x is
///   0), assert r0 (the last value read is not 0), assume, exit, fence.rel, fence.acq, alloc, free,
///   use (a heap block in a global), wait c m, signal c, barrier, post s, take s.
/// With final values, the initial thread asserts at its end that some global has another one.
[[nodiscard]] std::string ir_of(const std::vector<std::vector<std::string>>& threads,
                                Main main,
                                const std::map<std::string, std::uint64_t>& final_values = {});

struct Mix {
  unsigned threads = 3;    // at most
  unsigned operations = 5; // of each, at most
  bool has_locks = true;
  bool has_sections = true;
  bool has_heap = false;
  bool has_conditions = false;
  bool has_asserts = true;
  bool has_loops = true;
  bool has_weak_atomics = false;
};
[[nodiscard]] std::vector<std::vector<std::string>> random_threads(Rng& rng, const Mix& mix);
[[nodiscard]] Main random_main(Rng& rng);

/// For failure messages.
[[nodiscard]] std::string show(const std::vector<std::vector<std::string>>& threads);

} // namespace heddle::engine_test
