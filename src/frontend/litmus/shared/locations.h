// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The locations of an assembly test: which there are, how large each is, and what they hold at the
// start.
//
// A location with a type is as large as the type says. Locations without one are cells of one size,
// the largest of the accesses; if nothing has a type and the code accesses them only by words of 32
// and 64 bits, then each access is to the whole cell (ThreadBuilder::widen_accesses), whatever part
// of a register it goes through. As soon as a type, a pair, or an access of a byte or half a word
// says that sizes are meant, or a read-modify-write of 32 bits would come out differently, accesses
// touch the bytes they name.
#pragma once

#include "frontend/litmus/shared/initial_state.h"
#include "frontend/litmus/shared/thread_builder.h"
#include "ir/ir.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::frontend::litmus {

struct LocationShape {
  ScalarType element; // of an array, or all of it
  std::uint64_t elements = 1;
  bool has_type = false; // the test says which
};

class Locations {
public:
  Locations(ir::Module& module, unsigned width) : module_(module), width_(width) {}

  /// To be called first: how wide cells are, from what the code accesses.
  void choose_cells(const std::vector<InitialEntry>& entries,
                    const ThreadBuilder::Footprint& footprint);
  /// For ThreadBuilder::widen_accesses.
  [[nodiscard]] unsigned widened_bits() const { return widened_bits_; }

  /// The entry's location (entries of registers are passed over).
  [[nodiscard]] Status declare(const InitialEntry& entry);
  /// Its initial value. Call it after all are declared: a value may be the address of any.
  [[nodiscard]] Status initialise(const InitialEntry& entry);
  /// The location of that name; a fresh cell if it is new.
  [[nodiscard]] ir::GlobalId find(const std::string& name);
  [[nodiscard]] const LocationShape& shape(const std::string& name);
  /// The address a name stands for in a value.
  [[nodiscard]] Result<ir::GlobalAddress> address(const NameValue& value, SourceLoc loc);
  /// Gives the locations that the code made (ThreadBuilder::address_of) their size.
  void finish();

private:
  [[nodiscard]] Status put(ir::GlobalId global,
                           std::uint64_t index,
                           const LocationShape& shape,
                           const LiteralValue& value);

  ir::Module& module_;
  unsigned width_;
  unsigned cell_bits_ = 32;
  unsigned widened_bits_ = 0;
  std::uint64_t least_bytes_ = 4;
  std::map<std::string, LocationShape> shapes_;
};

/// The initial bytes of `elements` values of `bits` bits, little endian.
void put_bytes(ir::Global& global, std::uint64_t offset, std::uint64_t value, unsigned bits);

/// NULL, null: the number 0.
[[nodiscard]] bool is_null(const NameValue& value);

} // namespace heddle::frontend::litmus
