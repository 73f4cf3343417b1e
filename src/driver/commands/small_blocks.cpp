// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// operator new and delete of the heddle command: each thread keeps small blocks it has freed and
// hands them out again. A litmus test builds and drops thousands of small values, which is more
// than the seven of a size that glibc keeps this way; its longer ways were a quarter of all
// instructions. What is kept is bounded, and goes back when the thread ends.
// Not linked into tests but its own, nor into builds with sanitizers, which have an allocator of
// their own.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <utility>

namespace {

struct FreeBlock {
  FreeBlock* next;
};

/// Blocks of class c hold at least 16 c + 8 bytes: what malloc gives without waste. (Those of class
/// 0 hold more; they are few.)
constexpr std::size_t kClasses = 32;
/// Of one class, at most; half a megabyte of the largest.
constexpr std::uint32_t kKept = 1024;

constexpr std::size_t class_for(std::size_t bytes) {
  return (bytes + 7) / 16;
}
constexpr std::size_t bytes_of(std::size_t number) {
  return 16 * number + 8;
}
constexpr std::size_t class_of_block(std::size_t usable) {
  return (usable - 8) / 16;
}
static_assert(bytes_of(class_for(24)) == 24 && bytes_of(class_for(25)) == 40);
static_assert(class_of_block(24) == class_for(24) && class_of_block(39) == class_for(24));

/// Has no destructor: blocks are freed, and asked for, after those of the thread's variables have
/// run.
struct SmallBlocks {
  std::array<FreeBlock*, kClasses> first = {};
  std::array<std::uint32_t, kClasses> room =
      {}; // for more; none before the first free and at the end
  bool was_opened = false;
};

constinit thread_local SmallBlocks blocks; // an allocator has nobody to be passed by

/// Gives all back when the thread ends.
struct ThreadEnd {
  ThreadEnd() = default;
  ThreadEnd(const ThreadEnd&) = delete;
  ThreadEnd& operator=(const ThreadEnd&) = delete;
  ~ThreadEnd() {
    blocks.room.fill(0);
    for (FreeBlock*& list : blocks.first)
      while (list != nullptr)
        std::free(std::exchange(list, list->next));
  }
};

void open_blocks() {
  static constinit std::atomic<bool> was_first = false;
  // The first is the main thread: with it the process ends, and with that all memory.
  if (was_first.exchange(true))
    thread_local const ThreadEnd end;
  blocks.was_opened = true;
  blocks.room.fill(kKept);
}

void* allocate(std::size_t bytes) {
  void* const fresh = std::malloc(bytes == 0 ? 1 : bytes);
  if (fresh == nullptr)
    throw std::bad_alloc();
  return fresh;
}

void keep(void* block, std::size_t number) {
  --blocks.room[number];
  blocks.first[number] = new (block) FreeBlock{blocks.first[number]};
}

[[gnu::noinline]] void give_back_slowly(void* block, std::size_t number) {
  if (!blocks.was_opened)
    open_blocks();
  if (number < kClasses && blocks.room[number] != 0)
    keep(block, number);
  else
    std::free(block);
}

void give_back(void* block, std::size_t number) {
  if (number < kClasses && blocks.room[number] != 0)
    keep(block, number);
  else
    give_back_slowly(block, number);
}

} // namespace

void* operator new(std::size_t bytes) {
  const std::size_t number = class_for(bytes);
  if (number >= kClasses)
    return allocate(bytes);
  SmallBlocks& mine = blocks;
  FreeBlock* const block = mine.first[number];
  if (block == nullptr)
    return allocate(bytes_of(number));
  mine.first[number] = block->next;
  ++mine.room[number];
  return block;
}

void operator delete(void* block) noexcept {
  if (block != nullptr)
    give_back(block, class_of_block(malloc_usable_size(block)));
}

void operator delete(void* block, std::size_t bytes) noexcept {
  if (block != nullptr)
    give_back(block, class_for(bytes)); // it has that much, if not more
}
