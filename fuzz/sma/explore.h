// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a small program against an abstraction, with every answer to sma_nondet, and collects the
// outcomes.
//
// Synchronous: the threads are interleaved in all ways. Asynchronous: of the threads that are
// created and have not ended, the first one of a given order takes the next step, so that each is
// run once and alone.
#pragma once

#include "sma/abstraction.h"
#include "sma/program.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace heddle::sma {

struct Sizes {
  unsigned writes = 1;
  unsigned queue = 1;
  unsigned clock = 1;
};

enum class Guessing : unsigned char {
  Free,     // every guess
  Guided,   // guesses of sma_init that can be right (guide.h)
  OneWrong, // the same, but one of them may be any
};

struct Question {
  const Program& program;
  Sizes sizes;
  bool complete = true; // as in reference_outcomes
  Guessing guessing = Guessing::Guided;
  bool distinct_stamps = true;
  std::uint64_t most_moves = 0;     // more are not tried, and there is no answer; 0: all are
  std::vector<unsigned> order = {}; // asynchronous: the threads; empty: children first, in order
};

struct Answer {
  Outcomes outcomes;
  std::set<unsigned> bounds; // that were exceeded in some run
  std::string broken;        // an invariant that does not hold
  std::uint64_t states = 0;
  std::uint64_t moves = 0; // tried, with all answers to what they ask
  bool gave_up = false;
};

// Sizes with which nothing is cut.
[[nodiscard]] Sizes enough(const Abstraction& abstraction, const Program& program);

// All orders in which the threads can be run.
[[nodiscard]] std::vector<std::vector<unsigned>> orders(const Program& program);

[[nodiscard]] Answer explore(const Abstraction& abstraction, const Question& question);

} // namespace heddle::sma
