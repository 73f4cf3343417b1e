// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which step wrote each byte: of memory, and of the pending stores of each thread. The replay asks
// it where a read comes from. Not a memory model: it only follows what the machine did.
#pragma once

#include "program/run/state.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heddle::check {

/// The steps a read took its bytes from, lowest byte first; none for a value that was there at the
/// start.
struct Sources {
  std::vector<std::optional<std::uint32_t>> bytes;
  bool from_own_buffer = false;
  /// The latest of them.
  [[nodiscard]] std::optional<std::uint32_t> newest() const;
};

class Provenance {
public:
  struct Pending {
    std::uint32_t step = 0;
    std::uint64_t address = 0;
    std::uint32_t size = 0;
  };

  [[nodiscard]] Sources
  read(program::ThreadIndex thread, std::uint64_t address, std::uint32_t size) const;
  /// The step's store reaches memory at once.
  void write(std::uint32_t step, std::uint64_t address, std::uint32_t size);
  /// The step's store waits in the thread's buffer.
  void delay(program::ThreadIndex thread, Pending store);
  /// The pending store at that place (oldest = 0) reaches memory; the result is it.
  Pending flush(program::ThreadIndex thread, std::size_t index);
  /// The bytes were made new: nobody wrote them.
  void forget(std::uint64_t address, std::uint64_t size);

  [[nodiscard]] const std::vector<Pending>& pending(program::ThreadIndex thread) const;
  /// All stores in the order in which they reached memory.
  [[nodiscard]] const std::vector<Pending>& memory_order() const { return memory_order_; }

private:
  std::map<std::uint64_t, std::uint32_t> memory_; // byte → step
  std::map<program::ThreadIndex, std::vector<Pending>> pending_;
  std::vector<Pending> memory_order_;
  std::vector<Pending> none_;
};

} // namespace heddle::check
