// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/provenance.h"

#include "support/check.h"

#include <algorithm>

namespace heddle::check {

std::optional<std::uint32_t> Sources::newest() const {
  std::optional<std::uint32_t> found;
  for (const std::optional<std::uint32_t>& byte : bytes)
    if (byte && (!found || *byte > *found))
      found = byte;
  return found;
}

Sources
Provenance::read(program::ThreadIndex thread, std::uint64_t address, std::uint32_t size) const {
  Sources sources;
  const std::vector<Pending>& own = pending(thread);
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint64_t byte = address + i;
    const auto newest = std::find_if(own.rbegin(), own.rend(), [byte](const Pending& store) {
      return byte >= store.address && byte - store.address < store.size;
    });
    if (newest != own.rend()) {
      sources.bytes.emplace_back(newest->step);
      sources.from_own_buffer = true;
      continue;
    }
    const auto written = memory_.find(byte);
    sources.bytes.push_back(written == memory_.end() ? std::nullopt
                                                     : std::optional(written->second));
  }
  return sources;
}

void Provenance::write(std::uint32_t step, std::uint64_t address, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i)
    memory_[address + i] = step;
  memory_order_.push_back({step, address, size});
}

void Provenance::delay(program::ThreadIndex thread, Pending store) {
  pending_[thread].push_back(store);
}

Provenance::Pending Provenance::flush(program::ThreadIndex thread, std::size_t index) {
  std::vector<Pending>& own = pending_[thread];
  HEDDLE_CHECK(index < own.size(), "a flush of a store that is not pending");
  const Pending store = own[index];
  own.erase(own.begin() + static_cast<std::ptrdiff_t>(index));
  write(store.step, store.address, store.size);
  return store;
}

void Provenance::forget(std::uint64_t address, std::uint64_t size) {
  memory_.erase(memory_.lower_bound(address), memory_.lower_bound(address + size));
}

const std::vector<Provenance::Pending>& Provenance::pending(program::ThreadIndex thread) const {
  const auto found = pending_.find(thread);
  return found == pending_.end() ? none_ : found->second;
}

} // namespace heddle::check
