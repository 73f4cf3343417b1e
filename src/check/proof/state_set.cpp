// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/proof/state_set.h"

#include "support/budget_watch.h"

#include <array>

namespace heddle::check {

namespace {

using Words = std::vector<std::uint64_t>;
using Row = std::vector<std::uint32_t>;

constexpr std::size_t kWordsOfStore = 5;

void buffer_words(const memory::StoreBuffer& buffer, Words& words) {
  words.assign(1, buffer.epoch);
  for (const memory::PendingStore& store : buffer.stores)
    words.insert(words.end(), {store.address, store.value, store.size, store.epoch, store.marks});
}

memory::StoreBuffer buffer_of(std::span<const std::uint64_t> words) {
  memory::StoreBuffer buffer;
  buffer.epoch = static_cast<std::uint32_t>(words[0]);
  for (std::size_t at = 1; at + kWordsOfStore <= words.size(); at += kWordsOfStore)
    buffer.stores.push_back({words[at],
                             words[at + 1],
                             static_cast<std::uint32_t>(words[at + 2]),
                             static_cast<std::uint32_t>(words[at + 3]),
                             static_cast<std::uint8_t>(words[at + 4])});
  return buffer;
}

/// The row of a state, if `number` knows the number of each part.
template <class Number>
bool make_row(const memory::MachineState& state, const Number& number, Row& row) {
  row.clear();
  row.push_back(state.core.has_ended ? 1 : 0);
  row.push_back(static_cast<std::uint32_t>(state.core.atomic_owner + 1));
  Words words;
  const auto add = [&](std::size_t kind, const Words& part) {
    const std::optional<std::uint32_t> id = number(kind, part);
    row.push_back(id.value_or(0));
    return id.has_value();
  };
  bool is_known = add(0, state.core.memory.words);
  row.push_back(static_cast<std::uint32_t>(state.core.threads.size()));
  for (const program::ThreadState& thread : state.core.threads)
    is_known = is_known && add(1, thread.words);
  for (const memory::StoreBuffer& buffer : state.buffers) {
    buffer_words(buffer, words);
    is_known = is_known && add(2, words);
  }
  return is_known;
}

void put(std::string& text, std::uint64_t number) {
  while (number >= 0x80U) {
    text.push_back(static_cast<char>(0x80U | (number & 0x7fU)));
    number >>= 7U;
  }
  text.push_back(static_cast<char>(number));
}

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}
  /// Nothing at the end, or where no number stands.
  std::optional<std::uint64_t> number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == text_.size())
        return std::nullopt;
      const auto byte = static_cast<std::uint8_t>(text_[at_++]);
      if (shift == 63 && byte > 1)
        return std::nullopt;
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80U)
        return value;
    }
    return std::nullopt;
  }
  /// As many things follow, of which each takes a byte at least.
  std::optional<std::uint64_t> count() {
    const std::optional<std::uint64_t> value = number();
    return value && *value <= text_.size() - at_ ? value : std::nullopt;
  }
  [[nodiscard]] bool is_at_end() const { return at_ == text_.size(); }

private:
  std::string_view text_;
  std::size_t at_ = 0;
};

Error not_a_set() {
  return Error{ErrorKind::kInput, "CERT-001", "this is no set of states"};
}

} // namespace

std::optional<std::uint32_t> StateSet::find(const memory::MachineState& state) const {
  const std::array tables{&memories_, &threads_, &buffers_};
  Row row;
  if (!make_row(
          state,
          [&](std::size_t kind, const Words& part) { return tables[kind]->find(part); },
          row))
    return std::nullopt;
  return rows_.find(row);
}

std::pair<std::uint32_t, bool> StateSet::insert(const memory::MachineState& state) {
  const std::array tables{&memories_, &threads_, &buffers_};
  Row row;
  (void)make_row(
      state,
      [&](std::size_t kind, const Words& part) {
        return std::optional(tables[kind]->insert(part).first);
      },
      row);
  return rows_.insert(row);
}

memory::MachineState StateSet::state(std::uint32_t id) const {
  const std::span<const std::uint32_t> row = rows_[id];
  const auto words = [](std::span<const std::uint64_t> part) {
    return Words(part.begin(), part.end());
  };
  memory::MachineState state;
  state.core.has_ended = row[0] != 0;
  state.core.atomic_owner = static_cast<std::int32_t>(row[1]) - 1;
  state.core.memory.words = words(memories_[row[2]]);
  const std::uint32_t count = row[3];
  for (std::uint32_t thread = 0; thread < count; ++thread) {
    state.core.threads.emplace_back().words = words(threads_[row[4 + thread]]);
    if (has_buffers_)
      state.buffers.push_back(buffer_of(buffers_[row[4 + count + thread]]));
  }
  return state;
}

std::uint64_t StateSet::bytes() const {
  return memories_.bytes() + threads_.bytes() + buffers_.bytes() + rows_.bytes();
}

std::string StateSet::to_text() const {
  std::string text;
  for (const auto* table : {&memories_, &threads_, &buffers_}) {
    put(text, table->size());
    std::span<const std::uint64_t> before;
    for (std::uint32_t id = 0; id < table->size(); ++id) {
      const std::span<const std::uint64_t> words = (*table)[id];
      put(text, words.size());
      for (std::size_t i = 0; i < words.size(); ++i)
        put(text, words[i] ^ (i < before.size() ? before[i] : 0));
      before = words;
    }
  }
  put(text, rows_.size());
  for (std::uint32_t id = 0; id < rows_.size(); ++id)
    for (const std::uint32_t number : rows_[id])
      put(text, number);
  return text;
}

Result<StateSet>
StateSet::from_text(std::string_view text, bool has_buffers, const Budget& budget) {
  StateSet set(has_buffers);
  BudgetWatch watch(&budget);
  Reader reader(text);
  for (auto* table : {&set.memories_, &set.threads_, &set.buffers_}) {
    const std::optional<std::uint64_t> count = reader.count();
    if (!count)
      return not_a_set();
    Words words;
    for (std::uint64_t id = 0; id < *count; ++id) {
      const std::optional<std::uint64_t> size = reader.count();
      if (!size)
        return not_a_set();
      words.resize(*size);
      for (std::uint64_t& word : words) {
        const std::optional<std::uint64_t> difference = reader.number();
        if (!difference)
          return not_a_set();
        word ^= *difference;
      }
      if (!table->insert(words).second)
        return not_a_set(); // numbers would not be those that were written
      if (watch.is_used_up())
        return budget_used_up("a set of states is read");
    }
  }
  const std::optional<std::uint64_t> count = reader.count();
  if (!count)
    return not_a_set();
  Row row;
  for (std::uint64_t id = 0; id < *count; ++id) {
    row.clear();
    std::size_t length = 4;
    while (row.size() < length) {
      const std::optional<std::uint64_t> number = reader.number();
      if (!number || *number > 0xffff'ffffU)
        return not_a_set();
      row.push_back(static_cast<std::uint32_t>(*number));
      if (row.size() == 4) {
        if (row[3] > program::kMaxThreads)
          return not_a_set();
        length += std::size_t{row[3]} * (has_buffers ? 2 : 1);
      }
    }
    if (!set.rows_.insert(row).second)
      return not_a_set();
    if (watch.is_used_up())
      return budget_used_up("a set of states is read");
  }
  if (!reader.is_at_end())
    return not_a_set();
  return set;
}

} // namespace heddle::check
