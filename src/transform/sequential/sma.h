// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A shared-memory abstraction (runtime/sma/sma.h) as a program of its own, and its operations as
// procedures of another program that is to call them. Which abstraction, and with which sizes, is
// for the driver to say.
#pragma once

#include "logic/range.h"
#include "program/model/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::transform {

/// The operations every abstraction has, and those that only thread-asynchronous ones have.
[[nodiscard]] const std::vector<std::string>& abstraction_operations();
[[nodiscard]] const std::vector<std::string>& asynchronous_operations();

/// How many bits its parameters and its result have (0: none), as sma.h declares it.
struct OperationShape {
  std::string name;
  std::vector<unsigned> parameters;
  unsigned result = 0;
};
[[nodiscard]] const OperationShape& shape_of_operation(const std::string& name);

struct Abstraction {
  std::string name;
  /// Its objects lie behind those of the program it is for (BuildOptions::first_unit).
  program::Program program;
  bool is_asynchronous = false;
  /// Asynchronous: it runs threads in the order of the calls at each point in time, and what an
  /// interrupted thread does goes nowhere.
  bool is_coarse = false;
  /// What the verdict says where a bound cut a run, by the number sma_exceeded is given.
  std::map<std::uint32_t, std::string> bounds = {};
  /// Cells it has: memory beyond them is not there, and a run that needs it is cut. None: as many
  /// as the program has.
  std::optional<std::uint32_t> cells = {};
  /// Blocks of shared memory that a run may allocate. None: any number.
  std::optional<std::uint32_t> allocations = {};
};

/// Who writes a cell.
struct CellWriters {
  std::vector<std::uint32_t> threads = {}; // that may
  std::uint32_t most_writes = ~0U;         // of all of them in one run
};
/// By cell; nothing at all for an abstraction that guesses nothing about memory.
struct CellKnowledge {
  std::vector<logic::Range> contents = {};
  std::vector<CellWriters> writers = {};
};

/// Where the operations are in the program they were added to.
class AddedAbstraction {
public:
  /// Adds procedures, objects and files. A call of sma_exceeded becomes a cut, a guess of what a
  /// cell holds one among its contents, and what is asked about writers is answered.
  AddedAbstraction(program::Program& into,
                   const Abstraction& abstraction,
                   const CellKnowledge& known);

  [[nodiscard]] program::ProcedureId operation(const std::string& name) const;
  /// sma_initial: an 8-byte word for each cell.
  [[nodiscard]] program::ObjectId initial_values() const { return initial_; }
  [[nodiscard]] bool is_coarse() const { return is_coarse_; }

private:
  std::map<std::string, program::ProcedureId> operations_;
  program::ObjectId initial_;
  bool is_coarse_;
};

} // namespace heddle::transform
