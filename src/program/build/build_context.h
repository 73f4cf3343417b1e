// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of program::build share: which functions and globals are reachable, where they
// went, and the builder of one procedure. Private to build*.cpp.
#pragma once

#include "program/build/build.h"

#include <optional>
#include <vector>

namespace heddle::program {

/// The part of a module its entry can reach through calls, operands and relocations.
struct Reachable {
  IdVector<ir::FunctionId, bool> functions;
  IdVector<ir::GlobalId, bool> globals;
  /// The address is used other than as the callee of a call or the function of a create.
  IdVector<ir::FunctionId, bool> address_taken;
};
[[nodiscard]] Reachable find_reachable(const ir::Module& module,
                                       const std::vector<ir::FunctionId>& roots);

/// Where the module's symbols went; invalid for what is not reachable.
struct Symbols {
  IdVector<ir::GlobalId, ObjectId> objects;
  IdVector<ir::FunctionId, ProcedureId> procedures;
  /// Functions a call through a pointer may mean, in order.
  std::vector<ir::FunctionId> address_taken;
  std::uint64_t next_unit = AddressSpace::kFirstGlobalUnit;
};

/// Puts the reachable globals into units of the address space, with their initial bytes.
[[nodiscard]] Status
lay_out(const ir::Module& module, const Reachable& reachable, Symbols& symbols, Program& program);

/// Adds a frame or heap site.
[[nodiscard]] ObjectId
add_site(Program& program, Object::Kind kind, std::string name, std::uint64_t size, SourceLoc loc);

/// The automaton of one function that has a body.
[[nodiscard]] Procedure build_procedure(const ir::Module& module,
                                        ir::FunctionId function,
                                        const BuildOptions& options,
                                        const Symbols& symbols,
                                        Program& program);
/// Gives the parameters of the procedure the initial thread starts with the values they have there.
[[nodiscard]] Status pass_entry_arguments(const ir::Module& module,
                                          ir::FunctionId entry,
                                          Symbols& symbols,
                                          Program& program);
/// What stands for a function that is only declared but whose address is taken.
[[nodiscard]] Procedure build_stub(const ir::Module& module, const ir::Function& function);

[[nodiscard]] std::string missing_function_message(const ir::Function& function);
inline constexpr const char* kMissingFunctionHelp =
    "give its source as a further input file, or accept it as returning anything with --havoc";

// Conditions under which an operation of C is defined (build_checks.cpp).
[[nodiscard]] Term no_signed_overflow(logic::TermStore& terms, ir::Op op, Term a, Term b);
/// Of a signed division whose divisor is not zero.
[[nodiscard]] Term division_fits(logic::TermStore& terms, Term a, Term b);
[[nodiscard]] Term shift_in_range(logic::TermStore& terms, Term amount);

} // namespace heddle::program
