// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/ir.h"

#include "support/overloaded.h"

namespace heddle::ir {

bool is_terminator(const Operation& operation) {
  return std::visit(Overloaded{
                        [](const Compute&) { return false; },
                        [](const Nondet&) { return false; },
                        [](const Load&) { return false; },
                        [](const Store&) { return false; },
                        [](const LoadExclusive&) { return false; },
                        [](const StoreExclusive&) { return false; },
                        [](const ReadModifyWrite&) { return false; },
                        [](const CompareExchange&) { return false; },
                        [](const Fence&) { return false; },
                        [](const Allocate&) { return false; },
                        [](const Free&) { return false; },
                        [](const BlockSize&) { return false; },
                        [](const Call&) { return false; },
                        [](const Synchronize&) { return false; },
                        [](const AtomicBegin&) { return false; },
                        [](const AtomicEnd&) { return false; },
                        [](const Assume&) { return false; },
                        [](const Assert&) { return false; },
                        [](const Hint&) { return false; },
                        [](const Trap&) { return false; },
                        [](const Jump&) { return true; },
                        [](const Branch&) { return true; },
                        [](const Switch&) { return true; },
                        [](const Return&) { return true; },
                        [](const ThreadExit&) { return true; },
                        [](const Exit&) { return true; },
                        [](const Unreachable&) { return true; },
                    },
                    operation);
}

std::optional<FunctionId> Module::find_function(const std::string& name) const {
  for (std::size_t i = 0; i < functions.size(); ++i)
    if (functions[FunctionId{i}].name == name)
      return FunctionId{i};
  return std::nullopt;
}

std::optional<GlobalId> Module::find_global(const std::string& name) const {
  for (std::size_t i = 0; i < globals.size(); ++i)
    if (globals[GlobalId{i}].name == name)
      return GlobalId{i};
  return std::nullopt;
}

} // namespace heddle::ir
