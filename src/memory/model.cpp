// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/model.h"

namespace heddle::memory {

const std::vector<Model>& built_in_models() {
  static const std::vector<Model> models = {
      {"sc",
       "sequential consistency: every access takes effect at once",
       Vocabulary::kMachine,
       MachineKind::kSequential,
       false,
       true},
      {"tso",
       "total store order (x86): a store waits in its thread's buffer, first in, first out",
       Vocabulary::kMachine,
       MachineKind::kTotalStoreOrder,
       true,
       true},
      {"pso",
       "partial store order (SPARC): pending stores to different places may overtake each other",
       Vocabulary::kMachine,
       MachineKind::kPartialStoreOrder,
       true,
       true},
  };
  return models;
}

Result<Model> find_model(std::string_view name) {
  std::string known;
  for (const Model& model : built_in_models()) {
    if (model.name == name)
      return model;
    known += (known.empty() ? "" : ", ") + model.name;
  }
  return Error{ErrorKind::kUsage,
               "MEM-001",
               "unknown memory model '" + std::string(name) + "'; known models: " + known};
}

} // namespace heddle::memory
