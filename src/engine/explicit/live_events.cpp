// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/live_events.h"

#include <algorithm>

namespace heddle::engine {

LiveEvents LiveEvents::decode(const std::vector<std::uint64_t>& words) {
  LiveEvents result;
  if (words.empty())
    return result;
  const std::size_t events = words[0] & 0xffff'ffffU;
  const std::size_t entries = words[0] >> 32U;
  std::size_t i = 1;
  for (std::size_t e = 0; e < entries; ++e, i += 5)
    result.entries.push_back({static_cast<Role>(words[i] & 0xffU),
                              words[i + 1],
                              words[i + 2],
                              words[i + 3],
                              words[i + 4],
                              static_cast<Event>(words[i] >> 8U)});
  result.reach_.assign(events, std::vector<bool>(events));
  for (std::size_t bit = 0; bit < events * events; ++bit)
    result.reach_[bit / events][bit % events] = (words[i + bit / 64] >> (bit % 64) & 1U) != 0;
  return result;
}

std::vector<std::uint64_t> LiveEvents::encode() {
  // The order of entries without their events is canonical: no two entries agree in all of it.
  std::sort(entries.begin(), entries.end());
  std::vector<Event> name(reach_.size(), static_cast<Event>(reach_.size()));
  std::vector<Event> order;
  for (const Entry& entry : entries)
    if (name[entry.event] == reach_.size()) {
      name[entry.event] = static_cast<Event>(order.size());
      order.push_back(entry.event);
    }
  std::vector<std::uint64_t> words{order.size() | std::uint64_t{entries.size()} << 32U};
  for (const Entry& entry : entries) {
    words.push_back(static_cast<std::uint64_t>(entry.role) | std::uint64_t{name[entry.event]}
                                                                 << 8U);
    words.insert(words.end(), {entry.a, entry.b, entry.c, entry.d});
  }
  const std::size_t matrix = words.size();
  words.resize(matrix + (order.size() * order.size() + 63) / 64);
  for (std::size_t x = 0; x < order.size(); ++x)
    for (std::size_t y = 0; y < order.size(); ++y)
      if (reach_[order[x]][order[y]]) {
        const std::size_t bit = x * order.size() + y;
        words[matrix + bit / 64] |= 1ULL << (bit % 64);
      }
  return words;
}

LiveEvents::Event LiveEvents::add_event() {
  for (std::vector<bool>& row : reach_)
    row.push_back(false);
  reach_.emplace_back(reach_.size() + 1, false);
  return static_cast<Event>(reach_.size() - 1);
}

bool LiveEvents::add_edge(Event from, Event to) {
  if (from == to)
    return false;
  const bool makes_cycle = reaches(to, from);
  for (Event x = 0; x < reach_.size(); ++x) {
    if (x != from && !reaches(x, from))
      continue;
    for (Event y = 0; y < reach_.size(); ++y)
      if (y == to || reaches(to, y))
        reach_[x][y] = true;
  }
  return makes_cycle;
}

} // namespace heddle::engine
