// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which objects there is one of in a run, and which two values of a function come from one pointer:
// an end and what walks towards it. Private to build_addresses.cpp.
#pragma once

#include "program/build/build_context.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::program {

class AddressRoots {
public:
  AddressRoots(const ir::Module& module, const Reachable& reachable, ir::FunctionId entry);

  /// Is it called at most once in a run? (It is, if there is one call, outside of all loops, in
  /// such a function.)
  [[nodiscard]] bool runs_once(ir::FunctionId function) const { return once_[function]; }
  [[nodiscard]] bool is_in_loop(ir::FunctionId function, ir::BlockId block) const;
  /// Both are computed by steps from the same parameter, variable, allocation or pointer in memory.
  [[nodiscard]] bool
  have_one_root(ir::FunctionId function, const ir::Operand& a, const ir::Operand& b) const;

private:
  struct Definition {
    const ir::Operation* operation = nullptr;
    ir::BlockId block = {};
    std::uint32_t index = 0;
  };
  void find_definitions(ir::FunctionId function);
  [[nodiscard]] std::optional<std::string> root(ir::FunctionId function,
                                                const ir::Operand& operand,
                                                std::vector<ir::RegisterId>& on_path) const;
  [[nodiscard]] std::string offset_text(ir::FunctionId function, const ir::Operand& address) const;

  const ir::Module& module_;
  IdVector<ir::FunctionId, bool> once_;
  IdVector<ir::FunctionId, std::map<ir::RegisterId, std::vector<Definition>>> definitions_;
};

} // namespace heddle::program
