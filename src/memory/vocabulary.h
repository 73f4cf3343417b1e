// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The vocabularies programs can be written in or lowered to, and the names of the event sets and
// relations that a model for such programs may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::memory {

enum class Vocabulary : std::uint8_t {
  kC11,
  kMachine, // loads, stores, two fences and read-modify-writes of sc, tso and pso
  kX86,
  kAArch64,
  kPower,
  kRiscV,
  kArm,
  kMips,
  kLinux,
};
/// "c11", "machine", "x86", "aarch64", "power", "riscv", "arm", "mips", "lkmm".
[[nodiscard]] std::string_view to_string(Vocabulary vocabulary);
[[nodiscard]] std::optional<Vocabulary> find_vocabulary(std::string_view name);

/// What a name of the model may mean without a definition. A set of a tag is known even if no event
/// has it.
struct BaseNames {
  std::vector<std::string> sets;
  std::vector<std::string> relations;
  /// Known, but no execution of ours ever has members of them (page tables, instruction fetch, …):
  /// they fold away when a model is loaded.
  std::vector<std::string> empty_sets = {};
  std::vector<std::string> empty_relations = {};
  /// Other spellings: a name and the base set it stands for.
  std::vector<std::pair<std::string, std::string>> aliases = {};
};
[[nodiscard]] const BaseNames& base_names(Vocabulary vocabulary);

} // namespace heddle::memory
