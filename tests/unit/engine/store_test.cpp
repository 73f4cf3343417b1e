// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Storing loses nothing and confuses nothing, also where every hash is the same.
#include "engine/explicit/component_table.h"
#include "engine/explicit/state_store.h"
#include "support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace heddle::engine {
namespace {

std::uint64_t same_hash(std::span<const std::uint32_t>) {
  return 42;
}
std::uint64_t few_hashes(std::span<const std::uint32_t> words) {
  return words.empty() ? 0 : words[0] % 4;
}

void intern_and_read(ComponentTable::Hash hash, unsigned count) {
  ComponentTable table(hash);
  Rng rng(7);
  std::map<std::vector<std::uint64_t>, std::uint32_t> ids;
  std::uint32_t previous = table.intern({});
  for (unsigned i = 0; i < count; ++i) {
    std::vector<std::uint64_t> words(rng.below(100));
    for (std::uint64_t& word : words)
      word = rng.below(3);
    const std::uint32_t id =
        rng.chance(1, 2) ? table.intern(words) : table.intern_changed(words, previous, 0);
    const auto [place, is_new] = ids.try_emplace(words, id);
    EXPECT_EQ(place->second, id);
    previous = id;
  }
  std::map<std::uint32_t, unsigned> uses;
  for (const auto& [words, id] : ids) {
    std::vector<std::uint64_t> read;
    table.read(id, read);
    EXPECT_EQ(read, words);
    EXPECT_EQ(++uses[id], 1U);
  }
}

TEST(Arena, ARecordMayBeLargerThanASegment) {
  Arena arena;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> records; // offset, words
  for (const std::uint32_t words : {10U,
                                    3 * Arena::kSegmentWords + 5,
                                    7U,
                                    Arena::kSegmentWords,
                                    Arena::kSegmentWords + 1,
                                    Arena::kSegmentWords - 7,
                                    8U}) {
    const std::uint32_t offset = arena.allocate(words);
    std::fill_n(arena.at(offset), words, static_cast<std::uint32_t>(records.size()));
    records.emplace_back(offset, words);
  }
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    const std::uint32_t* record = arena.at(records[i].first);
    EXPECT_EQ(std::count(record, record + records[i].second, i), records[i].second);
  }
}

TEST(ComponentTable, KeepsWhatItIsGiven) {
  intern_and_read(hash_record, 3000);
}
TEST(ComponentTable, DoesNotTrustHashes) {
  intern_and_read(same_hash, 300);
  intern_and_read(few_hashes, 300);
}

TEST(ComponentTable, AChangeOfOneWordOfALargeComponentCostsLittle) {
  ComponentTable table;
  std::vector<std::uint64_t> words(4096);
  std::uint32_t id = table.intern(words);
  const std::uint64_t before = table.bytes();
  for (unsigned i = 0; i < 100; ++i) {
    words[i * 40] = i + 1;
    id = table.intern_changed(words, id, 0);
  }
  EXPECT_LT((table.bytes() - before) / 100, 2000U) << "a full copy is 32 KiB";
  EXPECT_EQ(table.intern(words), id);
}

TEST(ComponentTable, AChunkIsNotTakenForAComponent) {
  ComponentTable table;
  std::vector<std::uint64_t> large(2 * ComponentTable::kChunkWords, 5);
  (void)table.intern(large, 0);
  const std::vector<std::uint64_t> small(ComponentTable::kChunkWords, 5);
  EXPECT_EQ(table.mark(table.intern(small, 1)), 1U);
}

void store_tuples(ComponentTable::Hash hash, unsigned count) {
  StateStore store({true, true}, hash);
  Rng rng(3);
  std::map<std::vector<std::uint32_t>, StateId> ids;
  std::vector<StateId> order;
  for (unsigned i = 0; i < count; ++i) {
    Tuple tuple;
    const auto threads = static_cast<std::uint32_t>(1 + rng.below(4));
    tuple.set_header(threads, static_cast<std::int32_t>(rng.below(2)) - 1, rng.chance(1, 5));
    tuple.size = store.tuple_size(threads);
    for (std::uint32_t w = 1; w < tuple.size; ++w)
      tuple.words[w] = static_cast<std::uint32_t>(rng.below(3));
    const std::vector<std::uint32_t> key(tuple.words.begin(), tuple.words.begin() + tuple.size);
    const std::uint64_t h = store.hash_of(tuple);
    const auto found = store.find(tuple, h);
    ASSERT_EQ(found.has_value(), ids.contains(key));
    if (found) {
      EXPECT_EQ(*found, ids[key]);
      continue;
    }
    const StateId id = store.insert(tuple, h, order.empty() ? kNoState : order.back(), i % 200);
    EXPECT_EQ(store.streak(id), i % 200);
    EXPECT_FALSE(store.is_expanded(id));
    store.set_expanded(id);
    EXPECT_TRUE(store.is_expanded(id));
    ids[key] = id;
    order.push_back(id);
    Tuple read;
    store.read(id, read);
    EXPECT_TRUE(read == tuple);
  }
  // In the order of insertion, each once, across segments.
  std::size_t seen = 0;
  for (StateId id = store.first(); id != kNoState; id = store.next(id), ++seen) {
    ASSERT_LT(seen, order.size());
    EXPECT_EQ(id, order[seen]);
    EXPECT_EQ(store.parent(id), seen == 0 ? kNoState : order[seen - 1]);
  }
  EXPECT_EQ(seen, order.size());
  EXPECT_EQ(store.size(), order.size());
}

TEST(StateStore, KeepsStatesApart) {
  store_tuples(hash_record, 100000);
}
TEST(StateStore, DoesNotTrustHashes) {
  store_tuples(same_hash, 1000);
  store_tuples(few_hashes, 2000);
}

TEST(SlotTable, GrowsInSmallSteps) {
  SlotTable table;
  Rng rng(1);
  std::uint64_t largest_step = 0;
  for (std::uint32_t i = 0; i < 200000; ++i) {
    const std::uint64_t before = table.bytes();
    table.insert(rng.next(), i);
    if (i > 10000)
      largest_step = std::max(largest_step, (table.bytes() - before) * 100 / before);
  }
  EXPECT_LE(largest_step, 2U) << "per cent of the table";
  EXPECT_LE(table.bytes() / 200000, 14U) << "bytes an entry";
}

} // namespace
} // namespace heddle::engine
