// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hashing of words and word sequences: fast, and the same on every run and machine.
#pragma once

#include <cstdint>
#include <span>

namespace heddle {

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30U;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27U;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t word) {
  return mix(seed ^ (word + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U)));
}

constexpr std::uint64_t hash_words(std::span<const std::uint64_t> words) {
  std::uint64_t hash = 0x2545f4914f6cdd1dULL ^ words.size();
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0x9fb21c651e98df25ULL;
    hash ^= hash >> 32U;
  }
  return mix(hash);
}

} // namespace heddle
