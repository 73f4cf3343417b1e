// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The state of build_system while it works; only its files include this. build_system.cpp has the
// frame and the actions of a thread alone, build_accesses.cpp memory and store buffers,
// build_threads.cpp threads and locks, build_read_write.cpp and build_waiting.cpp the rest of them.
#pragma once

#include "export/build_system.h"
#include "export/layout.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::exports {

/// An element of the memory by the address the program computes: kNoCell where there is none.
struct Place {
  Term cell; // 32 bits
  bool may_be_nothing = true;
  bool may_be_dynamic = false;
};
inline constexpr std::uint32_t kNoCell = 0xffffffffU;

/// What a dynamic cell is, in the array `status`.
enum class CellStatus : std::uint8_t { kNone, kUnwritten, kWritten, kEnded };
/// What a thread is, in its variable.
enum class RunStatus : std::uint8_t { kNotStarted, kRunning, kEnded, kJoined, kDetached };

class Builder {
public:
  Builder(const program::Program& program, const SystemOptions& options, Layout layout);
  Result<System> run();

private:
  // Terms.
  Term number(std::uint64_t value, unsigned width) { return terms().constant(value, width); }
  Term value(VariableId variable) {
    return terms().variable(variable.value, logic::Sort{system_.variables[variable].width});
  }
  Term is(VariableId variable, std::uint64_t number_) {
    return terms().equal(value(variable), number(number_, system_.variables[variable].width));
  }
  /// Cut or filled with zeros.
  Term fitted(Term term, unsigned width);
  /// The program's term for the running thread.
  Term own(Term term);
  logic::TermStore& terms() { return system_.terms; }

  VariableId shared(std::string name, unsigned width);
  VariableId local(std::string name, unsigned width);
  VariableId temporary(unsigned width, const char* name);
  VariableId variable_of(program::LocalId local) { return locals_[local.index()]; }

  // Statements.
  static Statement set(VariableId dest, Term value) { return {Set{dest, value}}; }
  Statement set(VariableId dest, std::uint64_t value_) {
    return set(dest, number(value_, system_.variables[dest].width));
  }
  /// To a local of the program, which may be narrower or wider than the value.
  Statement assign(program::LocalId dest, Term value);
  [[nodiscard]] Statement fail(Fail::Kind kind, const std::string& what) const;
  static void append(Statements& to, Statements more);

  // The frame.
  void add_variables();
  void add_memory();
  Status add_thread(std::uint32_t thread);
  void add_memory_process(std::uint32_t thread);
  /// The addresses of blocks that a thread allocates before anything else.
  void find_fixed();
  Result<Step> step_of(const program::Edge& edge, std::uint32_t index);
  Statements failing(const std::string& what, Fail::Kind kind) const;
  /// May this thread step, when it does something others can tell?
  Term go();
  [[nodiscard]] Error refusal(const char* code, const std::string& message) const;

  // Memory.
  Place place(Term address, std::uint64_t size, program::ObjectSetId may, bool writes);
  /// Of the lock, or the like, whose address is that operand.
  Place lock_place(const program::Synchronize& sync, std::size_t operand = 0);
  /// `then` on the cell, in the variable it is given, if it is live memory.
  Statements
  on_cell(const Place& place,
          bool reads,
          const std::function<Statements(Term cell, std::optional<VariableId> status)>& then);
  /// The value of the cell for this thread into `word`, then `then`.
  Statements fetch(Term cell, std::optional<VariableId> status, bool is_buffered, Statements then);
  Statements put(Term cell, std::optional<VariableId> status, Term value);
  Statements load(const program::Load& load);
  Result<Statements> store(const program::Store& store);
  Statements update(const program::ReadModifyWrite& update);
  Statements exchange(const program::CompareExchange& exchange);
  Result<Statements> allocate(const program::Allocate& allocate, std::uint32_t edge);
  Result<Statements> free(const program::Free& free);
  Term rmw_result(program::RmwOp op, Term old, Term operand);
  [[nodiscard]] bool has_buffers() const {
    return options_.machine != memory::MachineKind::kSequential;
  }
  bool is_delayed(const program::Store& store) const {
    return has_buffers() && store.access.is_visible && !store.access.drains;
  }
  Term is_buffer_empty();

  // Threads and locks.
  Status synchronize(const program::Synchronize& sync, std::uint32_t edge, Step& step);
  Status lock_operation(const program::Synchronize& sync, Step& step);
  Status read_write_operation(const program::Synchronize& sync, Step& step);
  Status once_operation(const program::Synchronize& sync, Step& step);
  Status barrier_operation(const program::Synchronize& sync, Step& step);
  Statements unless_destroyed(const program::Synchronize& sync, Statements then);
  Status condition_operation(const program::Synchronize& sync, Step& step);
  /// What the thread does after it, from a location of its own, before it is where `first` led to.
  /// Valid until the next call.
  Step& second_step(Step& first);
  /// Waiting looks at the cell in the guard; a place that is none is found out by the effects.
  void wait_until(Step& step, const Place& where, const std::function<Term(Term word)>& condition);
  using OnCell = std::function<Statements(Term cell, std::optional<VariableId> status)>;
  Statements on_lock(const Place& where, bool initialises, const OnCell& work);
  Statements create(const program::Synchronize& sync, std::uint32_t created);
  Statements detach(const program::Synchronize& sync);
  void join(const program::Synchronize& sync, Step& step);
  Statements end_thread(Term value);
  Statements end_of_frame();

  struct BufferEntry {
    VariableId cell;
    VariableId value;
    VariableId is_fenced; // PSO: a store-store fence came before it
  };
  struct Buffer {
    VariableId length;
    VariableId fence; // PSO: a store-store fence since the last store
    std::vector<BufferEntry> entries;
  };
  struct ThreadVariables {
    VariableId status;
    VariableId argument;
    VariableId result;
    VariableId waits_at; // with barriers: the cell plus one; 0: it does not wait
    Buffer buffer;
  };

  const program::Program& program_;
  SystemOptions options_;
  Layout layout_;
  System system_;
  ArrayId memory_;
  ArrayId status_;
  unsigned word_bits_ = 32;
  bool has_sections_ = false;
  bool may_be_destroyed_ = false; // is a lock?
  bool has_free_ = false;
  bool detaches_ = false;
  bool has_barriers_ = false;
  VariableId section_; // the thread whose atomic section is open, plus one
  VariableId depth_;
  std::vector<ThreadVariables> threads_;
  // The thread at hand.
  std::uint32_t thread_ = 0;
  const program::Procedure* procedure_ = nullptr;
  SourceLoc loc_ = {};
  std::vector<VariableId> locals_;
  std::vector<Step> second_steps_;
  std::vector<Term> fixed_; // by local: its value, if it never changes once it can be read
  VariableId at_;
  VariableId word_;
  VariableId state_;
  VariableId choice_;
};

} // namespace heddle::exports
