// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/vocabulary.h"

#include <array>
#include <utility>

namespace heddle::memory {

namespace {

constexpr std::array<std::pair<Vocabulary, std::string_view>, 9> kNames = {{
    {Vocabulary::kC11, "c11"},
    {Vocabulary::kMachine, "machine"},
    {Vocabulary::kX86, "x86"},
    {Vocabulary::kAArch64, "aarch64"},
    {Vocabulary::kPower, "power"},
    {Vocabulary::kRiscV, "riscv"},
    {Vocabulary::kArm, "arm"},
    {Vocabulary::kMips, "mips"},
    {Vocabulary::kLinux, "lkmm"},
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

} // namespace heddle::memory
