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
  kBpf,
};
/// "c11", "machine", "x86", "aarch64", "power", "riscv", "arm", "mips", "lkmm", "bpf".
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
  std::string vocabulary = {}; // its name, for messages
};
[[nodiscard]] const BaseNames& base_names(Vocabulary vocabulary);
/// The vocabularies in which a model may use the name without a definition, in their order.
[[nodiscard]] std::vector<Vocabulary> vocabularies_with(std::string_view name);

} // namespace heddle::memory
