// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Emits the ir of one assembly thread. Architectural registers are named ir registers of the
// machine's width, so that what flows through them can be followed; temporaries have no name. All
// that one machine instruction emits carries the SourceLoc of that instruction, which is how
// dependencies know an instruction's parts from one another.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::frontend::litmus {

class ThreadBuilder {
public:
  /// `width` is that of the machine's registers and addresses (32 or 64).
  ThreadBuilder(ir::Module& module, std::string function_name, unsigned width);

  /// All that follows belongs to the instruction there.
  void at(SourceLoc loc) { loc_ = loc; }
  /// All that follows is in program order after what this instruction has done so far: as if it
  /// were two.
  void next_part() { ++loc_.column; }
  [[nodiscard]] unsigned width() const { return width_; }
  [[nodiscard]] ir::FunctionId function() const { return function_; }

  /// From here on every narrower access is made that wide: the value is zero-extended on writing
  /// and cut off on reading. For tests whose locations are cells of one size, accessed through
  /// parts of registers. 0: as wide as the instruction says.
  void widen_accesses(unsigned bits) { cell_bits_ = bits; }
  /// What has been accessed so far: the widths of single accesses, in bits, and the bytes from the
  /// accessed address that one instruction needs.
  struct Footprint {
    std::set<unsigned> access_bits;
    std::uint64_t bytes = 0;
    bool has_pairs = false; // an instruction made more than one access
    /// Of the read-modify-writes whose result depends on how many bits they have (a sum that wraps,
    /// a signed maximum): they cannot be made wider.
    std::set<unsigned> arithmetic_bits;
    void merge(const Footprint& other) {
      access_bits.insert(other.access_bits.begin(), other.access_bits.end());
      arithmetic_bits.insert(other.arithmetic_bits.begin(), other.arithmetic_bits.end());
      bytes = std::max(bytes, other.bytes);
      has_pairs = has_pairs || other.has_pairs;
    }
  };
  [[nodiscard]] const Footprint& footprint() const { return footprint_; }
  /// An instruction (load pair) accesses that many bytes in one go, by several accesses.
  void note_extent(std::uint64_t bytes) {
    footprint_.bytes = std::max(footprint_.bytes, bytes);
    footprint_.has_pairs = true;
  }

  // Values. Every operand is an integer of `bits` bits.
  struct Value {
    ir::Operand operand;
    unsigned bits = 64;
  };
  [[nodiscard]] Value constant(std::uint64_t value, unsigned bits) const;
  /// The address of a location of the test; makes the location if it is new.
  [[nodiscard]] Value address_of(const std::string& location, std::int64_t offset = 0);
  /// The low `bits` of an architectural register ("X0", "EAX", "r3", "ZF").
  [[nodiscard]] Value get(const std::string& name, unsigned bits);
  /// Writes all of an architectural register, narrower values zero-extended.
  void set(const std::string& name, Value value);
  /// Writes the low bits only and keeps the rest (x86's AL and AX).
  void set_low(const std::string& name, Value value);

  [[nodiscard]] Value compute(ir::Op op, Value a, Value b); // same width; comparisons give 1 bit
  [[nodiscard]] Value select(Value condition, Value yes, Value no); // condition of 1 bit
  [[nodiscard]] Value zero_extend(Value value, unsigned bits);      // or cuts off, if it is wider
  [[nodiscard]] Value sign_extend(Value value, unsigned bits);      // the same
  [[nodiscard]] Value truncate(Value value, unsigned bits);         // at most as wide as the value

  // Memory. Hardware accesses are atomic; `tags` are the names of the event sets the access is in
  // beside R, W and M ("A", "L", "Q", "X"), and orders say what it is in terms of C11, for
  // machines.
  struct Marks {
    ir::Order order = ir::Order::kRelaxed;
    std::vector<std::string> tags = {};
  };
  [[nodiscard]] Value load(Value address, unsigned bits, const Marks& marks);
  void store(Value address, Value value, const Marks& marks);
  [[nodiscard]] Value load_exclusive(Value address, unsigned bits, const Marks& marks);
  /// 1 bit: did it store?
  [[nodiscard]] Value store_exclusive(Value address, Value value, const Marks& marks);
  /// The old value. `tags` go to both halves; a tag "R:…" only to the read, "W:…" only to the
  /// write.
  [[nodiscard]] Value
  read_modify_write(ir::RmwOp op, Value address, Value value, const Marks& marks);
  struct Exchanged {
    Value old_value;
    Value success; // 1 bit
  };
  [[nodiscard]] Exchanged
  compare_exchange(Value address, Value expected, Value desired, const Marks& marks);
  void fence(const Marks& marks);

  // Control. Labels may be used before they are placed.
  /// Whether the label stands somewhere already (it must not be placed twice).
  [[nodiscard]] bool has_label(const std::string& name) const { return placed_.contains(name); }
  void label(const std::string& name);
  void jump(const std::string& label_name);
  /// Goes on with the next instruction if the condition (1 bit) is false.
  void branch_if(Value condition, const std::string& label_name);
  /// This thread is done.
  void finish();

  // Addresses of code. Those of labels are values that nothing is at: code is neither read nor
  // written.
  [[nodiscard]] Value address_of_label(const std::string& name);
  /// The labels whose addresses have been values so far.
  [[nodiscard]] const std::set<std::string>& addressed_labels() const { return addressed_; }
  /// The labels of this thread whose addresses registers and memory may hold.
  void may_hold(std::set<std::string> labels) { held_ = std::move(labels); }
  /// To the label of this thread that has that address; a trap if none has.
  void jump_to(Value address);
  /// The same for a return to the address in that register, which ends the thread if it is to no
  /// label.
  void return_by(const std::string& link_register);
  /// A call: puts the address of what follows into the link register and jumps (to the label, or as
  /// jump_to). `following` labels what follows if the test does not.
  void stands_before(std::string label) { following_ = std::move(label); }
  void call(const std::string& link_register, const std::string& label_name);
  void call_to(const std::string& link_register, Value address);

  /// Stores the registers that are observed to their globals and ends the function. Fails if a
  /// label is used but not placed, at the place of its first use. Registers without an initial
  /// value are 0.
  struct ObservedRegister {
    std::string name;
    unsigned bits = 64;
    ir::GlobalId global;
  };
  [[nodiscard]] Status close(const std::vector<ObservedRegister>& observed,
                             const std::map<std::string, ir::Operand>& initial_registers);

private:
  [[nodiscard]] ir::RegisterId temporary(unsigned bits);
  [[nodiscard]] ir::RegisterId architectural(const std::string& name);
  [[nodiscard]] ir::BlockId new_block(std::string name);
  [[nodiscard]] ir::BlockId label_block(const std::string& name);
  void emit(ir::Operation operation);
  void end_block(ir::Operation terminator, ir::BlockId next);
  [[nodiscard]] unsigned access_width(unsigned bits);
  void jump_to_held(const Value& address);
  /// The label of what follows this instruction, and whether it is still to be placed.
  [[nodiscard]] std::pair<std::string, bool> label_after() const;

  ir::Module& module_;
  ir::FunctionId function_;
  unsigned width_;
  SourceLoc loc_;
  ir::BlockId block_;
  ir::BlockId last_; // where the observed registers are stored
  std::map<std::string, ir::RegisterId> registers_;
  std::map<std::string, ir::BlockId> labels_;
  std::set<std::string> placed_;
  std::map<std::string, SourceLoc> unplaced_;
  std::set<std::string> addressed_;
  std::set<std::string> held_;
  std::string following_; // a label that stands before the next instruction, or empty
  unsigned cell_bits_ = 0;
  unsigned anonymous_blocks_ = 0;
  Footprint footprint_;
};

/// What logs call the address of a label, and so does the global that stands for it.
[[nodiscard]] std::string name_of_code(std::string_view thread, std::string_view label);
[[nodiscard]] bool is_name_of_code(std::string_view name);
/// Of the thread's name and the label, if it is one.
[[nodiscard]] std::optional<std::pair<std::string, std::string>>
thread_and_label(std::string_view name);
/// The global, made if it is new. It has no bytes.
[[nodiscard]] ir::GlobalId find_code(ir::Module& module, const std::string& name);

} // namespace heddle::frontend::litmus
