// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's inside: the compiled program, the map of memory, and the steps by topic (local
// steps in interpreter_local.cpp, threads and locks in sync.cpp and its neighbours). Only the
// interpreter's files include this.
#pragma once

#include "program/model/sync_fields.h"
#include "program/model/sync_rules.h"
#include "program/run/compiled_program.h"
#include "program/run/interpreter.h"
#include "program/run/interpreter_layout.h"
#include "program/run/memory_state.h"
#include "support/check.h"

#include <cstring>
#include <string>
#include <vector>

namespace heddle::program {

/// The choice of a weak compare-exchange that fails although it need not, and of a timed operation
/// whose time is up.
inline constexpr std::uint64_t kChoiceFails = 1;
/// The same beside a value chosen for unwritten memory (of at most four bytes).
inline constexpr std::uint64_t kChoiceFailsBit = 1ULL << 63U;

struct Interpreter::Code {
  Code(const Program& given_program, const InterpreterOptions& given_options)
      : program(given_program), options(given_options), compiled(given_program),
        memory(given_program, given_options.check_analyses) {}

  const Program& program;
  InterpreterOptions options;
  CompiledProgram compiled;
  MemoryMap memory;

  // Where a thread stands.
  [[nodiscard]] const CompiledProcedure& procedure(const ThreadState& thread) const {
    return compiled.procedures[layout::procedure(layout::innermost(thread))];
  }
  /// The first out-edge of the thread's location.
  [[nodiscard]] const CompiledEdge& edge(const ThreadState& thread) const {
    const CompiledProcedure& at = procedure(thread);
    return at.edges[at.first_edge[layout::location(layout::innermost(thread))]];
  }
  [[nodiscard]] std::uint64_t
  evaluate(const Expression& expression, const ThreadState& thread, ThreadIndex index) const {
    return compiled.expressions.evaluate(expression, layout::locals(thread), index);
  }
  [[nodiscard]] Fault fault(FaultKind kind, std::string what, const ThreadState& thread) const;
  static void set_local(ThreadState& thread, const CompiledEdge& edge, std::uint64_t value) {
    if (edge.dest != kNoLocal)
      layout::locals(thread)[edge.dest] = value & edge.dest_mask;
  }
  static void advance(ThreadState& thread, const CompiledEdge& edge) {
    layout::set_location(thread.words.back(), edge.to);
  }
  /// Of a thread that stands at a branch.
  [[nodiscard]] const CompiledEdge& branch_taken(const ThreadState& thread,
                                                 ThreadIndex index) const {
    const CompiledProcedure& at = procedure(thread);
    const std::uint32_t location = layout::location(layout::innermost(thread));
    std::uint32_t i = at.first_edge[location];
    const std::uint32_t end = at.first_edge[location + 1];
    while (i < end && evaluate(at.edges[i].a, thread, index) == 0)
      ++i;
    HEDDLE_CHECK(i < end, "no branch of a location can be taken");
    return at.edges[i];
  }
  void zero_dead_locals(ThreadState& thread) const;

  // interpreter_local.cpp
  /// Is the thread's next action one that run_local takes?
  [[nodiscard]] bool
  is_local(const State& state, ThreadIndex thread, const CompiledEdge& edge) const;
  /// Takes one local step; on a fault the state is unchanged.
  [[nodiscard]] Fault step_local(State& state, ThreadIndex thread, const CompiledEdge& edge) const;
  [[nodiscard]] Fault
  local_memory_step(State& state, ThreadIndex thread, const CompiledEdge& edge) const;
  [[nodiscard]] Fault call(State& state, ThreadIndex thread, const CompiledEdge& edge) const;
  [[nodiscard]] Fault check_failed(const ThreadState& thread, const CompiledEdge& edge) const;
  void give_back(State& state, ThreadIndex thread, const CompiledEdge& edge) const;
  [[nodiscard]] std::optional<ProcedureId> function_at(std::uint64_t address) const;

  // interpreter_memory.cpp
  [[nodiscard]] Fault access_fault(const State& state,
                                   ThreadIndex thread,
                                   std::uint64_t address,
                                   std::uint64_t size,
                                   bool writes) const;
  void check_may(const MemoryTarget& target, ObjectSetId may) const;
  void check_touch(State& state,
                   ThreadIndex thread,
                   std::uint64_t address,
                   ObjectSetId may,
                   bool writes,
                   bool is_visible) const;
  [[nodiscard]] std::uint64_t first_frame_unit(ThreadIndex thread) const;
  [[nodiscard]] std::uint32_t frame_units_in_use(const ThreadState& thread) const;
  /// The last of these units that something still points into, for those who may know.
  [[nodiscard]] std::optional<std::uint64_t> last_known_unit(const State& state,
                                                             ThreadIndex thread,
                                                             std::uint64_t first,
                                                             std::uint64_t count) const;
  [[nodiscard]] Fault
  allocate_frame(State& state, ThreadIndex thread, const CompiledEdge& edge) const;
  /// Calls `visit` with every value in which a pointer could be: at each byte of the globals and of
  /// `blocks`, the locals of all frames, and exit values nobody has taken yet.
  template <class Visit>
  void for_each_value(const State& state,
                      const std::vector<MemoryMap::Block>& blocks,
                      const Visit& visit) const {
    for_each_value_in_memory(state.memory, blocks, visit);
    for (const ThreadState& thread : state.threads) {
      if (layout::status(thread) == ThreadStatus::kEnded)
        visit(thread.words[layout::kExtra]);
      for (std::size_t end = thread.words.size(); end > layout::kFrames;) {
        const std::uint32_t count = layout::local_count(thread.words[end - 1]);
        for (std::size_t i = end - 1 - count; i < end - 1; ++i)
          visit(thread.words[i]);
        end -= count + 1;
      }
    }
  }
  template <class Visit>
  void for_each_value_in_memory(const MemoryState& words,
                                const std::vector<MemoryMap::Block>& blocks,
                                const Visit& visit) const {
    const unsigned pointer_bytes = program.pointer_bits() / 8;
    const auto scan = [&](const std::uint8_t* bytes, std::uint64_t size) {
      for (std::uint64_t at = 0; at + pointer_bytes <= size; ++at) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes + at, pointer_bytes);
        visit(value);
      }
    };
    scan(reinterpret_cast<const std::uint8_t*>(words.words.data()), memory.global_bytes());
    for (const MemoryMap::Block& block : blocks)
      scan(block.bytes, block.size);
  }
  /// The values of one thread that it may still read: independent of when dead locals are zeroed.
  template <class Visit>
  void for_each_live_value(const ThreadState& thread, const Visit& visit) const {
    if (layout::status(thread) == ThreadStatus::kEnded)
      visit(thread.words[layout::kExtra]);
    bool is_innermost = true;
    for (std::size_t end = thread.words.size(); end > layout::kFrames;) {
      const std::uint64_t frame = thread.words[end - 1];
      const std::uint32_t count = layout::local_count(frame);
      const CompiledProcedure& at = compiled.procedures[layout::procedure(frame)];
      // A caller stands at its call; what counts is what it reads after that.
      std::uint32_t location = layout::location(frame);
      if (!is_innermost)
        location = at.edges[at.first_edge[location]].to;
      const std::uint64_t* const dead =
          at.dead.data() + static_cast<std::size_t>(location) * at.dead_words;
      for (std::uint32_t i = 0; i < count; ++i)
        if (at.dead_words == 0 || (dead[i / 64] >> (i % 64) & 1U) == 0)
          visit(thread.words[end - 1 - count + i]);
      end -= count + 1;
      is_innermost = false;
    }
  }
  [[nodiscard]] bool looks_at_other_threads() const {
    return compiled.dangling_frames == Object::Dangling::kAnyThread ||
           compiled.has_dangling_thread_locals;
  }
  /// Freed blocks to which something still points.
  [[nodiscard]] std::vector<MemoryMap::Block> freed_blocks(const State& state) const;
  [[nodiscard]] std::optional<std::uint64_t>
  never_used_unit(const State& state, ThreadIndex thread, std::uint64_t size) const;
  /// The first unit of the thread's range that no block has and no pointer points to.
  [[nodiscard]] std::optional<std::uint64_t>
  fresh_heap_unit(const State& state, ThreadIndex thread, std::uint64_t size) const;
  [[nodiscard]] bool allocates_locally(const CompiledEdge& edge) const;
  [[nodiscard]] Fault allocate_heap(State& state,
                                    ThreadIndex thread,
                                    const CompiledEdge& edge,
                                    std::uint64_t unit) const;
  [[nodiscard]] Fault free_block(State& state, ThreadIndex thread, const CompiledEdge& edge) const;
  [[nodiscard]] bool values(unsigned width,
                            std::uint64_t fixed,
                            std::uint64_t free_bits,
                            std::vector<std::uint64_t>& out) const;

  // sync_thread.cpp
  [[nodiscard]] ThreadState new_thread(MemoryState& memory_state,
                                       ThreadIndex index,
                                       ProcedureId entry,
                                       std::uint64_t argument) const;
  /// What the rule for a creation leaves open: the thread itself.
  [[nodiscard]] Fault
  create(State& state, ThreadIndex thread, const CompiledEdge& edge, ThreadIndex index) const;
  [[nodiscard]] ThreadIndex next_thread(const State& state) const;
  void end_thread(State& state, ThreadIndex thread, std::uint64_t value) const;

  // sync.cpp: what a synchronisation finds
  /// Bytes of the object a synchronisation works on.
  [[nodiscard]] std::uint64_t sync_size(SyncOp op) const;
  /// A synchronisation, or a stage of one, and what it finds.
  struct SyncLook {
    SyncLook(SyncOp sync, Stage now, std::uint64_t address, ThreadIndex thread)
        : op(sync), stage(now), object(address) {
      given.me = thread + 1ULL;
    }
    SyncOp op;
    Stage stage;
    std::uint16_t missing = 0; // not 0: the object is no live memory of so many bytes
    FieldPlaces places;        // of words of 4 bytes or 1; none where nothing is read
    std::uint64_t object;      // whose fields these are: an address, or a thread's handle
    Found<Concrete> found;
    Given<Concrete> given;
  };
  [[nodiscard]] SyncLook
  sync_look(const State& state, ThreadIndex thread, const Request& request) const;
  void read_fields(const State& state, SyncLook& look, std::uint64_t size) const;
  void look_at_thread(const State& state, ThreadIndex thread, SyncLook& look) const;
  void write_fields(State& state, const SyncLook& look, const Did<Concrete>& did) const;
  static void write_thread(ThreadState& target, const Did<Concrete>& did);

  // sync_step.cpp: what it does
  [[nodiscard]] Fault
  sync_fault(const State& state, ThreadIndex thread, const Request& request) const;
  [[nodiscard]] std::optional<Wait>
  sync_blocked(const State& state, ThreadIndex thread, const Request& request) const;
  void sync_choices(const State& state,
                    ThreadIndex thread,
                    const Request& request,
                    std::vector<std::uint64_t>& out) const;
  [[nodiscard]] Fault sync_execute(State& state,
                                   ThreadIndex thread,
                                   const Request& request,
                                   std::uint64_t choice) const;
  [[nodiscard]] static Did<Concrete> sync_did(const SyncLook& look);
  [[nodiscard]] Fault misuse_fault(Misuse misuse, const ThreadState& thread) const;
  static void count_holds(ThreadState& self, const Did<Concrete>& did);
  static void begin_stage(ThreadState& self, const Request& request, const Did<Concrete>& did);
  [[nodiscard]] Wait wait_of(const State& state,
                             ThreadIndex thread,
                             const Request& request,
                             const SyncLook& look,
                             WaitsFor what) const;

  // sync_condition.cpp
  [[nodiscard]] bool
  is_waiting_on(const State& state, ThreadIndex thread, std::uint64_t condition) const;
  void wake(State& state, std::uint64_t condition, Wakes whom, std::uint64_t choice) const;
  [[nodiscard]] std::uint32_t
  free_generation(const State& state, std::uint64_t barrier, std::uint64_t last) const;
};

} // namespace heddle::program
