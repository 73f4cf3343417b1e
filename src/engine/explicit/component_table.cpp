// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/component_table.h"

#include "support/check.h"
#include "support/hash.h"

#include <algorithm>
#include <cstring>

namespace heddle::engine {

std::uint64_t hash_record(std::span<const std::uint32_t> words) {
  // Two words at a time; the multiplier is hash_words'. The finaliser makes the upper half, which
  // is the tag, good.
  std::uint64_t hash = 0x2545f4914f6cdd1dULL ^ words.size();
  std::size_t i = 0;
  for (; i + 2 <= words.size(); i += 2) {
    std::uint64_t word = 0;
    std::memcpy(&word, &words[i], sizeof word);
    hash = (hash ^ word) * 0x9fb21c651e98df25ULL;
    hash ^= hash >> 32U;
  }
  if (i < words.size()) {
    hash = (hash ^ words[i]) * 0x9fb21c651e98df25ULL;
    hash ^= hash >> 32U;
  }
  return mix(hash);
}

ComponentTable::ComponentTable(Hash hash) : hash_(hash) {}
ComponentTable::ComponentTable() : ComponentTable(hash_record) {}

std::uint32_t ComponentTable::intern_record(std::uint32_t length,
                                            std::span<const std::uint32_t> content,
                                            std::uint32_t mark) {
  const std::uint64_t hash = hash_(content) + length;
  const std::size_t bytes = content.size() * sizeof(std::uint32_t);
  const auto found = table_.find(hash, [&](std::uint32_t id) {
    const std::uint32_t* record = arena_.at(id);
    return record[0] == length &&
           (bytes == 0 || std::memcmp(record + kHeaderWords, content.data(), bytes) == 0);
  });
  if (found)
    return *found;
  const auto words = static_cast<std::uint32_t>(content.size());
  const std::uint32_t id = arena_.allocate(kHeaderWords + words);
  std::uint32_t* record = arena_.at(id);
  record[0] = length;
  record[1] = mark;
  if (bytes != 0)
    std::memcpy(record + kHeaderWords, content.data(), bytes);
  table_.insert(hash, id);
  return id;
}

std::uint32_t ComponentTable::intern_words(std::span<const std::uint64_t> words,
                                           std::uint32_t mark,
                                           std::uint32_t flag) {
  scratch_.resize(words.size() * 2);
  if (!words.empty())
    std::memcpy(scratch_.data(), words.data(), words.size_bytes());
  return intern_record(flag | static_cast<std::uint32_t>(words.size()), scratch_, mark);
}

std::uint32_t ComponentTable::intern(std::span<const std::uint64_t> words, std::uint32_t mark) {
  if (words.size() <= kChunkWords)
    return intern_words(words, mark, 0);
  chunks_.clear();
  for (std::size_t i = 0; i < words.size(); i += kChunkWords)
    chunks_.push_back(
        intern_words(words.subspan(i, std::min(kChunkWords, words.size() - i)), 0, kChunk));
  return intern_record(kComposite | static_cast<std::uint32_t>(words.size()), chunks_, mark);
}

std::uint32_t ComponentTable::intern_changed(std::span<const std::uint64_t> words,
                                             std::uint32_t before,
                                             std::uint32_t mark) {
  const std::uint32_t* old = arena_.at(before);
  if (words.size() <= kChunkWords) {
    if (old[0] == words.size() &&
        (words.empty() || std::memcmp(old + kHeaderWords, words.data(), words.size_bytes()) == 0))
      return before;
    return intern_words(words, mark, 0);
  }
  if (old[0] != (kComposite | words.size()))
    return intern(words, mark);
  chunks_.clear();
  bool changed = false;
  for (std::size_t i = 0; i < words.size(); i += kChunkWords) {
    const auto part = words.subspan(i, std::min(kChunkWords, words.size() - i));
    const std::uint32_t old_chunk = arena_.at(before)[kHeaderWords + i / kChunkWords];
    if (std::memcmp(arena_.at(old_chunk) + kHeaderWords, part.data(), part.size_bytes()) == 0) {
      chunks_.push_back(old_chunk);
      continue;
    }
    changed = true;
    chunks_.push_back(intern_words(part, 0, kChunk));
  }
  if (!changed)
    return before;
  return intern_record(kComposite | static_cast<std::uint32_t>(words.size()), chunks_, mark);
}

void ComponentTable::read(std::uint32_t id, std::vector<std::uint64_t>& out) const {
  const std::uint32_t* record = arena_.at(id);
  const std::size_t length = record[0] & ~kComposite;
  out.resize(length);
  if ((record[0] & kComposite) == 0) {
    if (length != 0)
      std::memcpy(out.data(), record + kHeaderWords, length * sizeof(std::uint64_t));
    return;
  }
  for (std::size_t i = 0; i < length; i += kChunkWords) {
    const std::uint32_t* chunk = arena_.at(record[kHeaderWords + i / kChunkWords]);
    std::memcpy(
        &out[i], chunk + kHeaderWords, std::min(kChunkWords, length - i) * sizeof(std::uint64_t));
  }
}

} // namespace heddle::engine
