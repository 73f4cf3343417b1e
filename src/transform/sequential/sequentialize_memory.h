// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses of shared memory as calls of a shared-memory abstraction: private to
// sequentialize_*.cpp.
#pragma once

#include "transform/sequential/sequentialize_writer.h"
#include "transform/sequential/shared_cells.h"
#include "transform/sequential/sma.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::transform {

class SequentialMemory {
public:
  using Term = program::Term;
  /// The cell an access goes to: a constant or, if it depends on the run, a term of 32 bits.
  struct Place {
    Term cell;
    bool is_constant = false;
  };

  /// Adds the abstraction to the writer's program, which has the objects of the source.
  SequentialMemory(SequentialWriter& writer,
                   const program::Program& source,
                   const std::vector<SequentialThread>& threads,
                   const SharedCells& cells,
                   const Abstraction& abstraction);

  /// Initial values and sma_init.
  void begin();
  /// Puts what every global holds in the end, as the thread sees it, where it would be found in the
  /// source.
  void write_back(std::uint32_t thread);

  [[nodiscard]] bool is_shared(program::ProcedureId procedure, Term source_address) const {
    return cells_.is_shared(procedure, source_address);
  }
  [[nodiscard]] bool is_coarse() const { return added_.is_coarse(); }
  [[nodiscard]] bool has_plain_mutexes() const { return cells_.has_plain_mutexes(); }

  /// Where an access goes, `offset` bytes behind the address. The address of the source tells the
  /// possible places; where it is none of them, the run fails.
  [[nodiscard]] Place place(program::ProcedureId procedure,
                            Term source_address,
                            Term address,
                            std::uint64_t offset,
                            std::uint64_t size);

  [[nodiscard]] Term read(const Place& place, unsigned size, std::uint32_t thread);
  void write(const Place& place, Term value, std::uint32_t thread);
  /// In one step. What was there before.
  [[nodiscard]] Term update(const Place& place,
                            std::uint32_t thread,
                            unsigned size,
                            const std::function<Term(Term old)>& change);
  void lock(const Place& place, std::uint32_t thread);
  void fence(std::uint32_t thread) { call("sma_fence", {number(thread)}); }
  void begin_section(std::uint32_t thread) { call("sma_atomic_begin", {number(thread)}); }
  void end_section(std::uint32_t thread) { call("sma_atomic_end", {number(thread)}); }
  /// Is a section open that is one step of the program, of several accesses?
  [[nodiscard]] bool is_in_step() const { return is_in_step_; }
  void set_in_step(bool is_in_step) { is_in_step_ = is_in_step; }
  void create(std::uint32_t child, std::optional<std::uint32_t> parent);
  void join(std::uint32_t joined, std::uint32_t joiner) {
    call("sma_join", {number(joined), number(joiner)});
  }
  void terminate(std::uint32_t thread) { call("sma_terminate", {number(thread)}); }
  void finish() { call("sma_finish", {}); }
  /// Asynchronous: is the thread interrupted here?
  [[nodiscard]] Term stops(std::uint32_t thread);
  /// Where the thread is in time, for who puts the steps of all threads into an order.
  [[nodiscard]] program::LocalId now(std::uint32_t thread) {
    return call("sma_now", {number(thread)});
  }

  /// Writes the action if it is about shared memory, fences or atomic sections; false if it is not.
  /// `source` is the same before its locals were renamed, of that thread's procedure.
  struct Context {
    std::uint32_t thread = 0;
    program::ProcedureId procedure = {};
    std::uint32_t edge = 0;
    unsigned section = 0; // atomic sections that are open before it
  };
  [[nodiscard]] bool
  write_action(const program::Action& action, const program::Action& source, const Context& at);

private:
  program::LocalId call(const char* operation, std::vector<Term> arguments);
  [[nodiscard]] logic::TermStore& terms() { return writer_.terms(); }
  [[nodiscard]] Term number(std::uint64_t value) { return terms().constant(value, 32); }
  [[nodiscard]] Term fitted(Term value, unsigned width);
  [[nodiscard]] Term narrowed(program::LocalId value, unsigned size);

  void load(const program::Load& action, Term source_address, const Context& at);
  void store(const program::Store& action, Term source_address, const Context& at);
  void modify(const program::ReadModifyWrite& action, Term source_address, const Context& at);
  void exchange(const program::CompareExchange& action, Term source_address, const Context& at);
  void block_size(const program::BlockSize& action);
  void allocate(const program::Allocate& action, const SharedBlock& block, const Context& at);
  [[nodiscard]] bool has_room_for(const SharedBlock& block) const;

  SequentialWriter& writer_;
  const SharedCells& cells_;
  AddedAbstraction added_;
  bool is_in_step_ = false;
  std::optional<std::uint32_t> cell_limit_;
  std::optional<std::uint32_t> allocation_limit_;
  program::LocalId allocations_; // made so far; there is one if they are limited
};

} // namespace heddle::transform
