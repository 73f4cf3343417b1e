// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/knowledge.h"

#include <algorithm>
#include <iterator>

namespace heddle::engine {

Knowledge Knowledge::decode(const std::vector<std::uint64_t>& words) {
  Knowledge result;
  if (words.empty())
    return result;
  std::size_t i = 0;
  for (std::uint64_t left = words[i++]; left > 0; --left) {
    const std::uint64_t address = words[i++];
    const std::uint64_t rest = words[i++];
    result.records_.push_back({address,
                               static_cast<std::uint32_t>(rest & 0xffffU),
                               static_cast<program::ThreadIndex>(rest >> 16U & 0xffU),
                               (rest >> 24U & 1U) != 0,
                               (rest >> 25U & 1U) != 0,
                               (rest >> 26U & 1U) != 0});
  }
  while (i < words.size()) {
    const auto owner = static_cast<Owner>(words[i] & 0xffU);
    const std::uint64_t count = words[i++] >> 8U;
    const Key key{owner, words[i], words[i + 1]};
    i += 2;
    Set set;
    for (std::uint64_t left = count; left > 0; --left)
      set.push_back(static_cast<std::uint32_t>(words[i++]));
    result.sets_.emplace(key, std::move(set));
  }
  return result;
}

std::vector<std::uint64_t> Knowledge::encode() const {
  std::vector<std::uint64_t> words{records_.size()};
  for (const AccessRecord& record : records_) {
    words.push_back(record.address);
    words.push_back(record.size | std::uint64_t{record.thread} << 16U |
                    (record.writes ? 1ULL << 24U : 0) | (record.is_atomic ? 1ULL << 25U : 0) |
                    (record.in_section ? 1ULL << 26U : 0));
  }
  for (const auto& [key, set] : sets_) {
    words.push_back(static_cast<std::uint64_t>(key.owner) | std::uint64_t{set.size()} << 8U);
    words.push_back(key.a);
    words.push_back(key.b);
    words.insert(words.end(), set.begin(), set.end());
  }
  return words;
}

Knowledge::Set Knowledge::get(Key key) const {
  const auto found = sets_.find(key);
  return found == sets_.end() ? Set{} : found->second;
}

void Knowledge::set(Key key, Set value) {
  if (value.empty())
    sets_.erase(key);
  else
    sets_[key] = std::move(value);
}

Knowledge::Set Knowledge::united(const Set& a, const Set& b) {
  Set result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

void Knowledge::add(Key key, const Set& more) {
  if (!more.empty())
    set(key, united(get(key), more));
}

bool Knowledge::knows(Key key, std::uint32_t record) const {
  const auto found = sets_.find(key);
  return found != sets_.end() &&
         std::binary_search(found->second.begin(), found->second.end(), record);
}

void Knowledge::erase_record(std::uint32_t index) {
  records_.erase(records_.begin() + index);
  for (auto it = sets_.begin(); it != sets_.end();) {
    Set kept;
    for (const std::uint32_t record : it->second)
      if (record != index)
        kept.push_back(record > index ? record - 1 : record);
    it->second = std::move(kept);
    it = it->second.empty() ? sets_.erase(it) : std::next(it);
  }
}

void Knowledge::renew(const AccessRecord& record) {
  const auto place = std::lower_bound(records_.begin(), records_.end(), record);
  const auto index = static_cast<std::uint32_t>(place - records_.begin());
  if (place != records_.end() && *place == record)
    erase_record(index);
  records_.insert(records_.begin() + index, record);
  for (auto& [key, set] : sets_)
    for (std::uint32_t& known : set)
      if (known >= index)
        ++known;
  add({Owner::kThread, record.thread, 0}, {index});
}

void Knowledge::forget_known(std::uint64_t threads) {
  for (auto i = static_cast<std::uint32_t>(records_.size()); i-- > 0;) {
    bool known = true;
    for (std::uint64_t thread = 0; known && threads >> thread != 0; ++thread)
      known = (threads >> thread & 1U) == 0 || knows({Owner::kThread, thread, 0}, i);
    if (known)
      erase_record(i);
  }
}

void Knowledge::forget_place(std::uint64_t address, std::uint64_t size) {
  for (auto i = static_cast<std::uint32_t>(records_.size()); i-- > 0;)
    if (records_[i].address < address + size && address < records_[i].address + records_[i].size)
      erase_record(i);
  std::erase_if(sets_, [&](const auto& entry) {
    const Key& key = entry.first;
    return (key.owner == Owner::kMessage || key.owner == Owner::kReleaseStore) &&
           key.a >= address && key.a - address < size;
  });
}

void Knowledge::remove_pending(program::ThreadIndex thread, std::uint64_t position) {
  std::map<Key, Set> moved;
  for (auto it = sets_.begin(); it != sets_.end();) {
    const Key key = it->first;
    if (key.owner != Owner::kPending || key.a != thread || key.b < position) {
      ++it;
      continue;
    }
    if (key.b > position)
      moved.emplace(Key{Owner::kPending, thread, key.b - 1}, std::move(it->second));
    it = sets_.erase(it);
  }
  sets_.merge(moved);
}

} // namespace heddle::engine
