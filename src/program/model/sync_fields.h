// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the words that a rule of synchronisation names (sync_rules.h) lie in the bytes of an
// object, by the numbers of sync_layout.h: in the machine, and under models with axioms, where all
// that an operation looks at is one access. A field is some bits of a word of some bytes.
#pragma once

#include "program/model/sync_domain.h"
#include "program/model/sync_layout.h"
#include "program/model/sync_rules.h"

#include <array>
#include <cstdint>

namespace heddle::program {

/// A field that is no part of an object has 0 bytes.
struct FieldPlace {
  std::uint8_t offset = 0; // of the word in the object
  std::uint8_t bytes = 0;  // of the word
  std::uint8_t low = 0;    // the field's lowest bit in the word
  std::uint8_t width = 0;  // its bits
};
using FieldPlaces = std::array<FieldPlace, kSyncFields>;

/// The field that lies there in the word, and the word with another value of it.
template <SyncDomain D>
[[nodiscard]] typename D::Word unpack(D& domain, FieldPlace place, typename D::Word word) {
  return domain.field(word, place.low, place.width);
}
template <SyncDomain D>
[[nodiscard]] typename D::Word
pack(D& domain, FieldPlace place, typename D::Word word, typename D::Word value) {
  return domain.with_field(word, place.low, place.width, value);
}

namespace sync_fields {

[[nodiscard]] constexpr FieldPlace word_at(std::uint64_t offset) {
  return {static_cast<std::uint8_t>(offset), 4, 0, 32};
}
[[nodiscard]] constexpr FieldPlace bits_of_wide(unsigned low, unsigned end) {
  return {0, 8, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(end - low)};
}

/// A spin lock, semaphore, condition or pthread_once_t.
inline constexpr FieldPlaces kOneWord = {word_at(0)};

// In the machine.
[[nodiscard]] constexpr FieldPlaces mutex(ir::DataModel model) {
  return {word_at(sync_layout::kMutexOwner),
          word_at(sync_layout::kMutexDepth),
          word_at(sync_layout::mutex_kind(model))};
}
/// As that thread sees it: half a byte says how often it reads beyond the first time.
[[nodiscard]] constexpr FieldPlaces read_write_lock(std::uint32_t thread) {
  return {word_at(sync_layout::kReadWriteWriter),
          word_at(sync_layout::kReadWriteReaders),
          {static_cast<std::uint8_t>(sync_layout::kReadWriteReadersExtra + thread / 2),
           1,
           static_cast<std::uint8_t>(4 * (thread % 2)),
           4}};
}
inline constexpr FieldPlaces kBarrier = {word_at(sync_layout::kBarrierThreshold),
                                         word_at(sync_layout::kBarrierArrived),
                                         word_at(sync_layout::kBarrierGeneration)};

// Under models with axioms. A mutex is as in the machine.
/// Nobody reads twice there; the bits above the writer's count the writers that have gone.
inline constexpr FieldPlaces kReadWriteLockByAxioms = {
    bits_of_wide(sync_layout::kReadWriteWriterBit, sync_layout::kReadWriteTurnBit),
    bits_of_wide(0, sync_layout::kReadWriteWriterBit)};
inline constexpr FieldPlaces kBarrierByAxioms = {
    bits_of_wide(0, sync_layout::kBarrierArrivedBit),
    bits_of_wide(sync_layout::kBarrierArrivedBit, sync_layout::kBarrierGenerationBit),
    bits_of_wide(sync_layout::kBarrierGenerationBit, 64)};

} // namespace sync_fields

} // namespace heddle::program
