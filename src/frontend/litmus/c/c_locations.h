// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The shared variables of a C test: a global of the module each, with the type that the initial
// state or the threads' parameters give it.
#pragma once

#include "frontend/litmus/c/c_syntax.h"
#include "frontend/litmus/shared/initial_state.h"
#include "ir/ir.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend::litmus {

struct CLocation {
  CType type = {};
  bool has_type = false; // somebody said so
  std::uint64_t elements = 1;
  bool is_array = false;
  ir::GlobalId global = {};
};

/// A test is untyped in its origin: a variable is a cell that holds any number or address, whatever
/// its type says. Types decide the widths here as long as all that is said of a test agrees.
/// Where it does not (an address in an int, an int read as a pointer), `is_wide` makes every
/// integer 64 bits wide.
class CLocations {
public:
  CLocations(ir::Module& module, bool is_wide) : module_(module), is_wide_(is_wide) {}

  /// The type as it is used: wider if need be.
  [[nodiscard]] CType adapt(CType type) const;
  [[nodiscard]] bool is_wide() const { return is_wide_; }
  /// Something does not fit; asks for another translation with all integers wide.
  void demand_wide() { wants_wide_ = true; }
  [[nodiscard]] bool wants_wide() const { return wants_wide_ && !is_wide_; }

  /// What a declaration or parameter says of a location.
  void declare(const std::string& name, CType type, std::uint64_t elements, bool is_array);
  /// It has at least that many elements.
  void enlarge(const std::string& name, std::uint64_t elements, bool is_array);
  /// The location must exist, as an int if nothing else is said.
  void mention(const std::string& name);
  /// Makes the globals; no location may be added afterwards.
  void make_globals();
  /// After make_globals.
  [[nodiscard]] Status initialise(const std::string& name, const LiteralValue& value);
  [[nodiscard]] Status
  initialise_element(const std::string& name, std::uint64_t index, const LiteralValue& value);

  [[nodiscard]] const CLocation* find(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, CLocation>& all() const { return locations_; }
  /// A number or the address of a location, after make_globals.
  [[nodiscard]] Result<ir::Operand> operand(const LiteralValue& value) const;
  /// The type of what an address of unknown type points to, if all locations agree on a width.
  [[nodiscard]] std::optional<CType> common_type() const;

private:
  ir::Module& module_;
  bool is_wide_;
  bool wants_wide_ = false;
  std::map<std::string, CLocation> locations_;
};

} // namespace heddle::frontend::litmus
