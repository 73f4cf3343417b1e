// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::memory {

namespace {

constexpr std::array<std::pair<Vocabulary, std::string_view>, 10> kNames = {{
    {Vocabulary::kC11, "c11"},
    {Vocabulary::kMachine, "machine"},
    {Vocabulary::kX86, "x86"},
    {Vocabulary::kAArch64, "aarch64"},
    {Vocabulary::kPower, "power"},
    {Vocabulary::kRiscV, "riscv"},
    {Vocabulary::kArm, "arm"},
    {Vocabulary::kMips, "mips"},
    {Vocabulary::kLinux, "lkmm"},
    {Vocabulary::kBpf, "bpf"},
}};

} // namespace

std::string_view to_string(Vocabulary vocabulary) {
  for (const auto& [known, name] : kNames)
    if (known == vocabulary)
      return name;
  return "";
}

std::optional<Vocabulary> find_vocabulary(std::string_view name) {
  for (const auto& [vocabulary, known] : kNames)
    if (known == name)
      return vocabulary;
  return std::nullopt;
}

std::vector<Vocabulary> vocabularies_with(std::string_view name) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<Vocabulary> found;
  for (const auto& [vocabulary, known] : kNames) {
    const BaseNames& names = base_names(vocabulary);
    if (has(names.sets) || has(names.relations) || has(names.empty_sets) ||
        has(names.empty_relations) ||
        std::any_of(names.aliases.begin(), names.aliases.end(), [&](const auto& alias) {
          return alias.first == name;
        }))
      found.push_back(vocabulary);
  }
  return found;
}

} // namespace heddle::memory
