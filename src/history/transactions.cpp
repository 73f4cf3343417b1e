// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/transactions.h"

namespace heddle::history {

namespace {

constexpr std::size_t kMaxReads = 3; // results are signed, and a code for "aborted" must be left

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

} // namespace

bool is_transaction(std::string_view name) {
  if (name.empty() || name.size() % 2 != 0)
    return false;
  std::size_t reads = 0;
  for (std::size_t i = 0; i < name.size(); i += 2) {
    if ((name[i] != 'r' && name[i] != 'w') || !is_digit(name[i + 1]))
      return false;
    reads += name[i] == 'r' ? 1 : 0;
  }
  return reads <= kMaxReads;
}

bool writes_a_cell(std::string_view transaction) {
  return transaction.find('w') != std::string_view::npos;
}

std::int64_t
run_transaction(std::string_view transaction, std::int64_t argument, ObjectState& cells) {
  std::uint64_t result = 0;
  unsigned shift = 0;
  for (std::size_t i = 0; i + 1 < transaction.size(); i += 2) {
    std::int64_t& cell = cells[static_cast<std::size_t>(transaction[i + 1] - '0')];
    if (transaction[i] == 'w') {
      cell = argument;
      continue;
    }
    result |= (static_cast<std::uint64_t>(cell) & 0xffffU) << shift;
    shift += kTransactionReadBits;
  }
  return static_cast<std::int64_t>(result);
}

} // namespace heddle::history
