// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Builds the automaton of one function: block by block, instruction by instruction. Pure
// computations whose result is a temporary of the block are folded into the terms that use them
// (`pending_`); everything else becomes an edge. Private to build*.cpp: build_procedure.cpp has
// blocks and terminators, build_compute.cpp folding and checks, build_actions.cpp memory, calls and
// synchronisation.
#pragma once

#include "program/analyse/linear.h"
#include "program/build/build_context.h"
#include "program/build/build_fold.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::program {

class ProcedureBuilder {
public:
  ProcedureBuilder(const ir::Module& module,
                   ir::FunctionId function,
                   const BuildOptions& options,
                   const Symbols& symbols,
                   Program& program);
  Procedure build();

private:
  /// A folded computation. Its terms speak of the locals as they are now; it is written down before
  /// one of them changes.
  struct Pending {
    Term value;
    std::size_t tree_size = 1;
    /// A pointer made by constant steps that nothing has checked yet: where the steps began.
    std::optional<Term> unchecked_from = {};
  };

  // Edges and blocks (build_procedure.cpp).
  void build_block(ir::BlockId block);
  void build_instruction(const ir::Operation& operation);
  void emit(Action&& action);
  void emit_to(LocationId target, Action&& action);
  void emit_end(Action&& action);
  LocationId new_location();
  void allocate_slots();
  void retarget_copies(const std::vector<ir::Instruction>& instructions);
  void finish_block(const ir::Branch& branch);
  void finish_block(const ir::Switch& choice);

  // Registers and terms (build_compute.cpp).
  unsigned width_of(const ir::Operand& operand) const;
  unsigned width_of(ir::RegisterId id) const;
  Term value(const ir::Operand& operand);
  Term condition(const ir::Operand& operand);
  Term address_of(const ir::GlobalAddress& address);
  std::size_t tree_size(const ir::Operand& operand) const;
  LocalId local_of(ir::RegisterId id);
  LocalId temporary(unsigned width);
  Term variable(LocalId local);
  Term adapt(Term term, unsigned width);
  /// The local that is about to change: pending computations that need its old value are written
  /// down first.
  LocalId destination(ir::RegisterId id);
  void materialise(ir::RegisterId id);
  void compute(const ir::Compute& instruction);
  Term compute_term(const ir::Compute& instruction, const std::vector<Term>& operands);
  Term pointer_step(const ir::Compute& instruction, Term base, Term index, Pending& result);
  bool stays_in_neighbourhood(Term base, Term result) const;
  void check_index(Term distance);
  void check_defined(const ir::Compute& instruction, const std::vector<Term>& operands);
  void emit_check(Term condition, CheckKind kind, std::string what);

  // Actions (build_actions.cpp).
  Access access_of(const ir::Access& access, unsigned bits) const;
  void load(const ir::Load& instruction);
  void store(const ir::Store& instruction);
  void store_exclusive(const ir::StoreExclusive& instruction);
  void read_modify_write(const ir::ReadModifyWrite& instruction);
  void compare_exchange(const ir::CompareExchange& instruction);
  void allocate(const ir::Allocate& instruction);
  void call(const ir::Call& instruction);
  void synchronize(const ir::Synchronize& instruction);
  void check_assertion(const ir::Assert& instruction);
  std::vector<Term> arguments_for(const ir::Function& callee,
                                  const std::vector<ir::Operand>& given);
  std::vector<ProcedureId> pointer_targets(std::size_t argument_count) const;

  const ir::Module& module_;
  const ir::Function& function_;
  const BuildOptions& options_;
  const Symbols& symbols_;
  Program& program_;
  logic::TermStore& terms_;
  Procedure procedure_;
  IdVector<ir::RegisterId, RegisterUse> uses_;
  IdVector<ir::RegisterId, LocalId> locals_;
  IdVector<ir::SlotId, LocalId> slots_;
  IdVector<ir::BlockId, LocationId> starts_;
  std::size_t used_locations_ = 0; // of those of the procedure, which are made ahead
  LocationId end_;
  // Where the builder stands.
  LocationId current_;
  SourceLoc loc_;
  std::uint32_t index_ = 0; // of the instruction in its block
  std::map<ir::RegisterId, Pending> pending_;
  /// A temporary that is copied to a register in the next instruction and dies there: it is that
  /// register.
  std::map<ir::RegisterId, ir::RegisterId> retargeted_;
  /// Sums an integer addition made, and sums a checked pointer step made (without their constants):
  /// kept apart, since only the latter are known to stay with their object (alias.h).
  std::set<LinearForm> integer_sums_;
  std::set<LinearForm> pointer_sums_;
};

} // namespace heddle::program
