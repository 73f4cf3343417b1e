// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a small program against an abstraction, with every answer to sma_nondet, and collects the outcomes.
//
// Synchronous: the threads are interleaved in all ways. Asynchronous: of the threads that are created and have not ended, the first one of
// a given order takes the next step, so that each is run once and alone.
#pragma once

#include "abstraction.h"
#include "program.h"
#include "reference.h"

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
  Free,      // every guess
  Guided,    // guesses of sma_init that can be right (guide.h)
  OneWrong,  // the same, but one of them may be any
};

struct Question {
  const Program& program;
  Sizes sizes;
  bool complete = true;  // as in reference_outcomes
  Guessing guessing = Guessing::Guided;
  bool distinct_stamps = true;
  std::vector<unsigned> order;  // asynchronous: the threads; empty: children first, in order
};

struct Answer {
  Outcomes outcomes;
  std::set<unsigned> bounds;  // that were exceeded in some run
  std::string broken;         // an invariant that does not hold
  std::uint64_t states = 0;
};

[[nodiscard]] Answer explore(const Abstraction& abstraction, const Question& question);

}  // namespace heddle::sma
