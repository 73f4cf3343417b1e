// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the import of one LLVM module shares between its functions: types, layout, constants, names
// and places. A value of LLVM is a list of *parts* here, each a scalar of ir: one for integers up
// to 64 bits, pointers, float and double (as their bits); several for structs, vectors and wider
// integers.
#pragma once

#include "frontend/llvm/import.h"
#include "ir/ir.h"
#include "support/result.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::frontend {

struct Part {
  ir::Type type;
  std::uint64_t offset = 0; // in bytes, in memory
  bool operator==(const Part&) const = default;
};

/// How a function of LLVM is called in ir.
struct Signature {
  ir::Type result; // none if the result is not one part
  std::vector<Part> returned =
      {}; // the parts that go through a hidden first pointer, if more than one
  std::vector<ir::Type> parameters = {}; // with the hidden one
};

/// A constant that ir can write down: a literal, or the address of something plus an offset.
using SimpleConstant = std::variant<ir::Constant, ir::GlobalAddress, ir::FunctionAddress>;

class ModuleImporter {
public:
  explicit ModuleImporter(const llvm::Module& source);

  [[nodiscard]] Result<Imported> run();

  [[nodiscard]] const llvm::Module& source() const { return source_; }
  [[nodiscard]] const llvm::DataLayout& layout() const { return layout_; }
  [[nodiscard]] ir::Module& module() { return imported_.module; }
  [[nodiscard]] unsigned pointer_bits() const { return imported_.module.pointer_bits(); }
  [[nodiscard]] ir::Type word() const { return ir::Type::integer(pointer_bits()); }

  // types.cpp
  /// The parts of a value of this type; nothing if it has none we can name (functions, scalable
  /// vectors, huge arrays).
  [[nodiscard]] std::optional<std::vector<Part>> parts(llvm::Type* type) const;
  /// The one part, if it is an integer up to 64 bits, a pointer, a float or a double.
  [[nodiscard]] std::optional<ir::Type> scalar(llvm::Type* type) const;
  [[nodiscard]] std::uint64_t store_size(llvm::Type* type) const;
  [[nodiscard]] std::uint64_t alloc_size(llvm::Type* type) const;
  [[nodiscard]] std::optional<Signature> signature(llvm::FunctionType* type) const;

  // globals.cpp
  /// The constant as one operand, if it is one part and needs no computation.
  [[nodiscard]] std::optional<SimpleConstant> simple(const llvm::Constant* constant) const;
  [[nodiscard]] ir::FunctionId function(const llvm::Function* function) const;
  /// Whether its last parameter in ir is the address of its variable arguments (variadic.cpp).
  [[nodiscard]] static bool takes_further_arguments(const llvm::Function& function);
  /// A function that is not in the source: one of the runtime's, declared on first use.
  [[nodiscard]] ir::FunctionId runtime_function(const std::string& name,
                                                ir::Type result,
                                                const std::vector<ir::Type>& parameters);
  /// Why the initial value of this global could not be imported; empty if it could.
  [[nodiscard]] std::string problem_of(ir::GlobalId global) const;

  // debug_names.cpp
  [[nodiscard]] SourceLoc loc(const llvm::DebugLoc& place);
  [[nodiscard]] SourceLoc loc(const llvm::DIFile* file, unsigned line, unsigned column);

private:
  bool add_parts(llvm::Type* type, std::uint64_t offset, std::vector<Part>& out) const;
  void declare_functions();
  void declare_globals();
  void initialise_globals();
  void describe_global(const llvm::GlobalVariable& source, ir::Global& global);
  bool write_constant(const llvm::Constant* constant, std::uint64_t offset, ir::Global& global);
  void
  write_bits(const llvm::APInt& bits, std::uint64_t offset, std::uint64_t size, ir::Global& global);
  void spread_problems();
  void collect_constructors();

  const llvm::Module& source_;
  const llvm::DataLayout& layout_;
  Imported imported_;
  std::unordered_map<const llvm::Function*, ir::FunctionId> functions_;
  std::unordered_map<const llvm::GlobalVariable*, ir::GlobalId> globals_;
  std::map<std::string, ir::FunctionId> runtime_functions_;
  std::map<ir::GlobalId, std::string> problems_;
  std::map<std::string, std::uint32_t> files_;
};

} // namespace heddle::frontend
