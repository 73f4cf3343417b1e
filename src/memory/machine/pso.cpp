// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Partial store order: a pending store may reach memory before older ones of its thread, unless
// they overlap in a byte or a store-store fence stands between them. Fences are epochs: an entry
// waits for all entries of earlier epochs.
#include "memory/machine/machines.h"

namespace heddle::memory {

namespace {

class PartialStoreOrderMachine final : public Machine {
public:
  explicit PartialStoreOrderMachine(const program::Interpreter& interpreter)
      : Machine(interpreter) {}
  [[nodiscard]] bool has_buffers() const override { return true; }

protected:
  [[nodiscard]] bool delays_stores() const override { return true; }
  [[nodiscard]] bool may_flush(const StoreBuffer& buffer, std::size_t index) const override {
    const PendingStore& store = buffer.stores[index];
    for (std::size_t i = 0; i < index; ++i) {
      const PendingStore& older = buffer.stores[i];
      const bool overlaps =
          older.address < store.address + store.size && store.address < older.address + older.size;
      if (overlaps || older.epoch < store.epoch)
        return false;
    }
    return true;
  }
  void store_store_fence(StoreBuffer& buffer) const override {
    // Two fences without a store between them are one.
    if (!buffer.stores.empty() && buffer.stores.back().epoch == buffer.epoch)
      ++buffer.epoch;
  }
};

} // namespace

std::unique_ptr<Machine> make_partial_store_order_machine(const program::Interpreter& interpreter) {
  return std::make_unique<PartialStoreOrderMachine>(interpreter);
}

} // namespace heddle::memory
