// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A memory model as engines see it: what it is called, which vocabulary programs are lowered to for
// it, its axioms, and whether an operational machine defines it. Engines ask these questions; they
// never compare names.
#pragma once

#include "memory/core.h"
#include "memory/vocabulary.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::memory {

class EvaluationPlan; // evaluator.h

/// Which operational machine runs it (memory/machine/machine.h makes it).
enum class MachineKind : std::uint8_t { kSequential, kTotalStoreOrder, kPartialStoreOrder };

struct Model {
  std::string name;
  std::string description;
  Vocabulary vocabulary = Vocabulary::kMachine;
  std::optional<MachineKind> machine;
  bool is_weak = false; // verdicts then say that compiler reordering is out of scope
  bool every_read_has_source = true;
  /// The axiomatic definition, for the vocabulary at hand; null if there is only a machine.
  std::shared_ptr<const Core> core = {};
  /// How to evaluate the core's axioms, for who asks about many programs; may be null.
  std::shared_ptr<const EvaluationPlan> plan = {};
};

/// sc, tso, pso; an unknown name gives a usage error that lists the known ones.
[[nodiscard]] Result<Model> find_model(std::string_view name);
[[nodiscard]] const std::vector<Model>& built_in_models();

} // namespace heddle::memory
