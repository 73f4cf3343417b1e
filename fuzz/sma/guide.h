// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which guesses of sma_init can be right, judging by the text of the program: a thread owns at most
// the writes that are in it, in their order. Trying only these makes it possible to try all of
// them. The explorer may also leave the guide, to see that wrong guesses are discarded.
#pragma once

#include "sma/program.h"

#include <optional>
#include <vector>

namespace heddle::sma {

enum class Guesses : unsigned char {
  Sequence, // mu, mu-implicit, mu-hybrid: one sequence of writes
  Lists,    // imu-*: one per cell, with stamps
  Clusters, // mu-coarse*: what each cell holds at the beginning of each
};

class Guide {
public:
  struct Limits {
    unsigned writes = 0;
    unsigned clock = 0;
    bool complete = false;        // only runs in which all threads end are of interest
    bool distinct_stamps = false; // no two writes at the same time, but in atomic sections: enough
                                  // to have all outcomes
  };
  Guide(const Program& program, Guesses guesses, const Limits& limits);

  void restart();
  // The answers to the next guess that can be right; nothing: all of them.
  [[nodiscard]] std::optional<std::vector<unsigned>> options() const;
  void answered(unsigned value);

private:
  enum class Next : unsigned char { Last, Writer, Cell, Stamp, Written, Inside, Start, Nothing };
  struct Write {
    unsigned cell = 0;
    std::optional<unsigned> value; // or what is added to what the cell held
    bool adds = false;
    std::optional<unsigned> needs; // what the cell holds before
    bool is_optional = false;
  };
  [[nodiscard]] std::vector<std::size_t> candidates() const;
  [[nodiscard]] bool concerns(const Write& write) const;
  [[nodiscard]] std::optional<std::vector<unsigned>> what_cell_can_hold() const;
  void cell_holds(unsigned value);
  [[nodiscard]] unsigned writer_meant(unsigned answer) const;
  void next_entry();

  const Guesses guesses_;
  const Limits limits_;
  const unsigned cells_;
  std::vector<std::vector<Write>> writes_;     // of each thread
  std::vector<std::vector<unsigned>> writers_; // of each cell
  std::vector<bool> has_sections_;
  bool all_fits_ = false;

  Next next_ = Next::Last;
  unsigned cell_ = 0; // Lists, Clusters: whose entries are guessed
  unsigned left_ = 0; // entries or clusters to come
  unsigned writer_ = 0;
  unsigned written_ = 0;
  unsigned stamp_ = 0;
  std::vector<unsigned> held_; // by each cell, after the guess so far
  std::vector<bool> used_stamps_;
  // Clusters: of each cell, the values of its writes that have not changed it yet, and how many
  // writes there are of a value that is not known.
  struct Unused {
    std::vector<unsigned> values;
    unsigned unknown = 0;
  };
  std::vector<Unused> unused_;
  std::vector<std::size_t>
      done_; // writes of each thread that are in the guess (Lists: in this cell)
};

} // namespace heddle::sma
