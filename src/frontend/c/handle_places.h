// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the handles of new threads are stored, and who can look there: whether it makes a
// difference that a handle is stored before the new thread runs. Knows nothing of how handles are
// made. Asks of the module as it was linked, with calls of the library still in place.
#pragma once

#include "ir/ir.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace heddle::frontend {

class HandlePlaces {
public:
  explicit HandlePlaces(const ir::Module& module);

  /// Whether only the thread that runs this function (by name) can look at the place while others
  /// exist: a variable of its frame or a block it has allocated whose address goes nowhere, or a
  /// global that no function that another thread may run names. Where it is not known, it is not
  /// private.
  [[nodiscard]] bool is_private(const std::string& function, const ir::Operand& place) const;

  /// The functions whose address is taken, which may be run through a pointer.
  [[nodiscard]] const std::set<ir::FunctionId>& addressed_functions() const { return addressed_; }

private:
  struct Bases {
    std::map<ir::RegisterId, ir::Operand> of; // registers that point into one object
    std::set<ir::SlotId> leaked;
    std::set<ir::RegisterId> leaked_blocks; // by the register that got the address first
  };
  void find_shared(const ir::Module& module);
  [[nodiscard]] Bases find_bases(const ir::Module& module, const ir::Function& function);

  std::map<std::string, Bases> bases_;
  std::set<ir::GlobalId> shared_;
  std::set<ir::FunctionId> addressed_;
};

} // namespace heddle::frontend
