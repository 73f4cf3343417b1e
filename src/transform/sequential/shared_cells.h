// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The memory that the threads of a program share, as numbered cells of one scalar each: what a
// shared-memory abstraction (runtime/sma/sma.h) knows of memory. The program has no loops and
// calls any more, so every allocation happens at most once in each thread and has an address that
// is fixed here.
//
// Memory that only one thread touches has no cells; it stays what it is.
#pragma once

#include "program/analyse/alias.h"
#include "program/model/program.h"
#include "support/result.h"
#include "transform/sequential/sequentialize.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::transform {

/// There is no sequentialization of the program.
[[nodiscard]] inline Error refuse(const char* code, std::string what) {
  return Error{ErrorKind::kUnsupported, code, std::move(what)};
}

/// Bytes that lie together: a global, or what one allocation of one thread makes.
struct SharedBlock {
  struct Cell {
    std::uint64_t offset = 0;
    std::uint8_t size = 0;
    bool operator==(const Cell&) const = default;
  };
  program::ObjectId object;
  std::uint64_t base = 0; // the address of its first byte
  std::uint64_t size = 0;
  std::uint32_t first = 0; // the number of its first cell
  std::vector<Cell> cells = {};
  bool is_allocated = false; // false: a global
  bool is_zeroed = true;     // otherwise its content is arbitrary
};

/// One of the places an access can go to.
struct CellPlace {
  std::uint64_t address = 0;
  std::uint32_t cell = 0;
  bool operator==(const CellPlace&) const = default;
};

class SharedCells {
public:
  /// The program outlives the result. Refuses memory that is accessed in pieces of different sizes,
  /// blocks of unknown size and shared thread-local variables, each with its place.
  [[nodiscard]] static Result<SharedCells> find(const program::Program& program,
                                                const std::vector<SequentialThread>& threads);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const std::vector<SharedBlock>& blocks() const { return blocks_; }
  /// The first unit of the address space that neither the program nor a block uses.
  [[nodiscard]] std::uint64_t next_unit() const { return next_unit_; }

  /// No mutex is recursive or checks for errors, so that its owner is all there is to know of it.
  [[nodiscard]] bool has_plain_mutexes() const { return has_plain_mutexes_; }
  /// Does an access with that address touch cells? Otherwise it is private.
  [[nodiscard]] bool is_shared(program::ProcedureId procedure, program::Term address) const;
  /// All places an access of that size can go to, by address. Anything else is undefined.
  [[nodiscard]] std::vector<CellPlace> places(program::ProcedureId procedure,
                                              program::Term address,
                                              std::uint64_t offset,
                                              std::uint64_t size) const;
  /// Everything the address may point to.
  [[nodiscard]] program::AliasValue targets(program::ProcedureId procedure,
                                            program::Term address) const {
    return points_to_.address(procedure, address);
  }
  /// What an allocation makes, if that is shared.
  [[nodiscard]] const SharedBlock* allocated(std::uint32_t thread, std::uint32_t edge) const;
  /// The bytes a cell holds at the beginning; none if they are arbitrary.
  [[nodiscard]] std::optional<std::uint64_t> initial(const SharedBlock& block,
                                                     const SharedBlock::Cell& cell) const;

private:
  struct Use {
    program::ProcedureId procedure;
    program::Term address;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool is_shared = false;
    SourceLoc loc = {};
  };
  explicit SharedCells(const program::Program& program);

  [[nodiscard]] bool are_mutexes_plain(const std::vector<program::ProcedureId>& procedures) const;
  void find_uses(const std::vector<program::ProcedureId>& procedures);
  void add_uses(program::ProcedureId procedure, const program::Edge& edge);
  void find_shared_objects();
  [[nodiscard]] Status cut(const std::vector<SequentialThread>& threads);
  [[nodiscard]] Status cut_object(program::ObjectId object, std::vector<SharedBlock::Cell>& out);
  [[nodiscard]] std::uint64_t first_free_unit() const;
  void add_block(SharedBlock block);
  void find_lock_cells(const std::vector<program::ProcedureId>& procedures);

  const program::Program* program_;
  program::PointsTo points_to_;
  std::vector<Use> uses_;
  std::vector<bool> is_shared_; // by object
  std::vector<SharedBlock> blocks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_allocation_;
  bool has_plain_mutexes_ = false;
  /// Of the first words of locks, by cell: what says that nobody has initialised it.
  std::map<std::uint32_t, std::uint64_t> unused_;
  std::uint32_t count_ = 0;
  std::uint64_t next_unit_ = 0;
};

/// What is assumed where memory is cells.
[[nodiscard]] Approximations approximations_of(const program::Program& program,
                                               const SharedCells& cells,
                                               const std::vector<SequentialThread>& threads);

} // namespace heddle::transform
