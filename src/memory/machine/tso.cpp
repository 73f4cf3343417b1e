// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Total store order: one first-in-first-out buffer per thread; only the oldest pending store may
// reach memory.
#include "memory/machine/machines.h"

namespace heddle::memory {

namespace {

class TotalStoreOrderMachine final : public Machine {
public:
  explicit TotalStoreOrderMachine(const program::Interpreter& interpreter) : Machine(interpreter) {}
  [[nodiscard]] bool has_buffers() const override { return true; }

protected:
  [[nodiscard]] bool delays_stores() const override { return true; }
  [[nodiscard]] bool may_flush(const StoreBuffer&, std::size_t index) const override {
    return index == 0;
  }
  void store_store_fence(StoreBuffer&) const override {} // stores are in order anyway
};

} // namespace

std::unique_ptr<Machine> make_total_store_order_machine(const program::Interpreter& interpreter) {
  return std::make_unique<TotalStoreOrderMachine>(interpreter);
}

} // namespace heddle::memory
