// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/state_store.h"

#include <cstring>

namespace heddle::engine {

bool Tuple::operator==(const Tuple& other) const {
  return size == other.size &&
         std::memcmp(words.data(), other.words.data(), size * sizeof words[0]) == 0;
}

StateStore::StateStore(Shape shape, ComponentTable::Hash hash)
    : memories(hash), threads(hash), buffers(hash), monitors(hash), shape_(shape), hash_(hash) {}

std::optional<StateId> StateStore::find(const Tuple& tuple, std::uint64_t hash) const {
  const std::size_t rest = (tuple.size - 1) * sizeof tuple.words[0];
  return table_.find(hash, [&](std::uint32_t id) {
    const std::uint32_t* record = arena_.at(id);
    return (record[1] & Tuple::kIdentityMask) == tuple.words[0] &&
           std::memcmp(record + 2, tuple.words.data() + 1, rest) == 0;
  });
}

StateId
StateStore::insert(const Tuple& tuple, std::uint64_t hash, StateId parent, std::uint32_t streak) {
  const StateId id = arena_.allocate(1 + tuple.size);
  if (id >> Arena::kSegmentBits != segment_ends_.size())
    segment_ends_.push_back(end_);
  end_ = id + 1 + tuple.size;
  std::uint32_t* record = arena_.at(id);
  record[0] = parent;
  record[1] = tuple.words[0] | (streak << 14U);
  std::memcpy(record + 2, tuple.words.data() + 1, (tuple.size - 1) * sizeof tuple.words[0]);
  table_.insert(hash, id);
  ++count_;
  return id;
}

void StateStore::read(StateId id, Tuple& out) const {
  const std::uint32_t* record = arena_.at(id);
  out.words[0] = record[1] & Tuple::kIdentityMask;
  out.size = tuple_size(out.thread_count());
  std::memcpy(out.words.data() + 1, record + 2, (out.size - 1) * sizeof out.words[0]);
}

StateId StateStore::next(StateId id) const {
  std::uint32_t offset = id + record_words(arena_.at(id));
  const std::uint32_t segment = id >> Arena::kSegmentBits;
  if (segment < segment_ends_.size() && offset == segment_ends_[segment])
    offset = (segment + 1) << Arena::kSegmentBits;
  return offset == end_ ? kNoState : offset;
}

std::uint64_t StateStore::bytes() const {
  return arena_.bytes() + table_.bytes() + memories.bytes() + threads.bytes() + buffers.bytes() +
         monitors.bytes();
}

bool StateStore::is_nearly_full() const {
  return arena_.is_nearly_full() || memories.is_nearly_full() || threads.is_nearly_full() ||
         buffers.is_nearly_full() || monitors.is_nearly_full();
}

memory::MachineState& StateCodec::load(const Tuple& tuple) {
  const std::uint32_t count = tuple.thread_count();
  const bool has_buffers = store_.shape().has_buffers;
  auto& threads = state_.core.threads;
  const bool reshaped = loaded_.size == 0 || loaded_.thread_count() != count;
  if (reshaped) {
    threads.resize(count);
    state_.buffers.resize(has_buffers ? count : 0);
  }
  if (reshaped || loaded_.memory() != tuple.memory())
    store_.memories.read(tuple.memory(), state_.core.memory.words);
  for (std::uint32_t t = 0; t < count; ++t) {
    if (reshaped || loaded_.thread(t) != tuple.thread(t))
      store_.threads.read(tuple.thread(t), threads[t].words);
    if (!has_buffers || (!reshaped && loaded_.buffer(t) == tuple.buffer(t)))
      continue;
    store_.buffers.read(tuple.buffer(t), words_);
    memory::StoreBuffer& buffer = state_.buffers[t];
    buffer.epoch = words_.empty() ? 0 : static_cast<std::uint32_t>(words_[0]);
    buffer.stores.clear();
    for (std::size_t i = 1; i + 2 < words_.size(); i += 3)
      buffer.stores.push_back({words_[i],
                               words_[i + 1],
                               static_cast<std::uint8_t>(words_[i + 2]),
                               static_cast<std::uint32_t>(words_[i + 2] >> 32U),
                               static_cast<std::uint8_t>(words_[i + 2] >> 8U)});
  }
  state_.core.atomic_owner = tuple.atomic_owner();
  state_.core.has_ended = tuple.has_ended();
  std::memcpy(loaded_.words.data(), tuple.words.data(), tuple.size * sizeof tuple.words[0]);
  loaded_.size = tuple.size;
  return state_;
}

std::uint32_t StateCodec::intern_thread(const program::ThreadState& thread, std::uint32_t before) {
  const program::ThreadStatus status = thread.status();
  std::uint32_t mark = kLive;
  if (status == program::ThreadStatus::kEnded)
    mark = 0;
  else if (status == program::ThreadStatus::kJoined)
    mark = kJoined;
  return before == kNoState ? store_.threads.intern(thread.words, mark)
                            : store_.threads.intern_changed(thread.words, before, mark);
}

std::uint32_t StateCodec::intern_buffer(const memory::StoreBuffer& buffer, std::uint32_t before) {
  words_.clear();
  if (!buffer.stores.empty() || buffer.epoch != 0) {
    words_.push_back(buffer.epoch);
    for (const memory::PendingStore& pending : buffer.stores) {
      words_.push_back(pending.address);
      words_.push_back(pending.value);
      words_.push_back(pending.size | (std::uint64_t{pending.marks} << 8U) |
                       (std::uint64_t{pending.epoch} << 32U));
    }
  }
  const std::uint32_t mark = static_cast<std::uint32_t>(buffer.stores.size());
  return before == kNoState ? store_.buffers.intern(words_, mark)
                            : store_.buffers.intern_changed(words_, before, mark);
}

void StateCodec::store_local(const Tuple& before, program::ThreadIndex thread, Tuple& after) {
  std::memcpy(after.words.data(), before.words.data(), before.size * sizeof before.words[0]);
  after.size = before.size;
  after.memory() = store_.memories.intern_changed(state_.core.memory.words, before.memory(), 0);
  after.thread(thread) = intern_thread(state_.core.threads[thread], before.thread(thread));
  if (store_.shape().has_buffers)
    after.buffer(thread) = intern_buffer(state_.buffers[thread], before.buffer(thread));
  after.set_owner(state_.core.atomic_owner);
  std::memcpy(loaded_.words.data(), after.words.data(), after.size * sizeof after.words[0]);
}

void StateCodec::store_all(const Tuple& before, Tuple& after) {
  const std::uint32_t old_count = before.thread_count();
  const auto count = static_cast<std::uint32_t>(state_.core.threads.size());
  after.size = store_.tuple_size(count);
  after.set_header(count, state_.core.atomic_owner, state_.core.has_ended);
  after.memory() = store_.memories.intern_changed(state_.core.memory.words, before.memory(), 0);
  for (std::uint32_t t = 0; t < count; ++t) {
    after.thread(t) =
        intern_thread(state_.core.threads[t], t < old_count ? before.thread(t) : kNoState);
    if (store_.shape().has_buffers)
      after.buffer(t) =
          intern_buffer(state_.buffers[t], t < old_count ? before.buffer(t) : kNoState);
  }
  if (store_.shape().has_monitor)
    after.monitor() = before.monitor();
  std::memcpy(loaded_.words.data(), after.words.data(), after.size * sizeof after.words[0]);
  loaded_.size = after.size;
}

void StateCodec::encode(const memory::MachineState& state, Tuple& out) {
  const auto count = static_cast<std::uint32_t>(state.core.threads.size());
  out.size = store_.tuple_size(count);
  out.set_header(count, state.core.atomic_owner, state.core.has_ended);
  out.memory() = store_.memories.intern(state.core.memory.words);
  for (std::uint32_t t = 0; t < count; ++t) {
    out.thread(t) = intern_thread(state.core.threads[t], kNoState);
    if (store_.shape().has_buffers)
      out.buffer(t) = intern_buffer(state.buffers[t], kNoState);
  }
  if (store_.shape().has_monitor)
    out.monitor() = 0;
}

} // namespace heddle::engine
