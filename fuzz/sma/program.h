// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small concurrent programs written as litmus tests are, for trying shared-memory abstractions
// natively. Thread 0 is main; unless the text says otherwise it creates the others, joins them and
// reads all cells into registers X, Y, …, which then tell all there is to know about a run.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sma {

enum class Kind : unsigned char {
  Read,          // r = x
  ReadIndirect,  // r = *x   (by address)
  Write,         // x = 1, x = r, x = r+1
  WriteIndirect, // *x = 1
  Fence,         // F
  StoreFence,    // S
  Lock,          // lock m
  Unlock,        // unlock m
  Exchange,      // r = cas(x,0,1)
  Add,           // r = add(x,1)
  SectionBegin,  // [
  SectionEnd,    // ]
  Create,        // create 1
  Join,          // join 1
  Assume,        // assume r==1
  Terminate,     // the end of every thread, not written
};

inline constexpr unsigned kNoRegister = ~0u;

struct Operation {
  Kind kind = Kind::Fence;
  unsigned cell = 0;
  unsigned target = kNoRegister; // register that is set
  unsigned source = kNoRegister; // register that is added to `value`, or compared with it
  unsigned value = 0;            // what is written, added, compared, desired
  unsigned expected = 0;         // of an exchange
  bool tells_success = false; // an exchange sets its register to 1 or 0, not to what the cell held
  unsigned thread = 0;        // created or joined
};

struct Program {
  std::string text;
  std::vector<std::vector<Operation>> threads;
  std::vector<std::string> cells;
  std::vector<std::string> registers;
  unsigned values = 2; // 0 .. values - 1 is all that can be in a cell
};

// How far each thread has come, then the registers.
using Outcome = std::vector<unsigned char>;
using Outcomes = std::set<Outcome>;

// Of a program whose threads and cells are set: the values it can have follow from them.
void count_values(Program& program);

[[nodiscard]] bool writes(const Operation& operation);
[[nodiscard]] bool may_not_write(const Operation& operation);
// Of all cells together, of the cell with most, of the thread with most; conditional ones included.
[[nodiscard]] unsigned count_writes(const Program& program);
[[nodiscard]] unsigned most_writes_of_a_cell(const Program& program);
[[nodiscard]] unsigned most_writes_of_a_thread(const Program& program);
// Of one cell: its writes, conditional ones included, and the threads that have them.
[[nodiscard]] unsigned count_writes_of(const Program& program, unsigned cell);
[[nodiscard]] std::vector<unsigned> writers_of(const Program& program, unsigned cell);

// Threads are separated by "||", operations by ";". With `with_main` the first thread is main as it
// stands; otherwise main is made as said above. Names m, m1, m2, … are mutexes, x y z cells, all
// others registers. The text must be right: it is part of a test.
[[nodiscard]] Program parse(std::string_view text, bool with_main = false);

} // namespace heddle::sma
