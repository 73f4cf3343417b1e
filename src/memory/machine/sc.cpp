// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sequential consistency: no buffers; a store reaches memory at once.
#include "memory/machine/machines.h"

namespace heddle::memory {

namespace {

class SequentialMachine final : public Machine {
public:
  explicit SequentialMachine(const program::Interpreter& interpreter) : Machine(interpreter) {}
  [[nodiscard]] bool has_buffers() const override { return false; }

protected:
  [[nodiscard]] bool delays_stores() const override { return false; }
  [[nodiscard]] bool may_flush(const StoreBuffer&, std::size_t) const override { return false; }
  void store_store_fence(StoreBuffer&) const override {}
};

} // namespace

std::unique_ptr<Machine> make_sequential_machine(const program::Interpreter& interpreter) {
  return std::make_unique<SequentialMachine>(interpreter);
}

} // namespace heddle::memory
