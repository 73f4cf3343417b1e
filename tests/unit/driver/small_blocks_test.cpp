// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The operator new and delete of the command, in this test's binary: values of all sizes keep what
// is in them, between threads and after a thread's variables have been destroyed.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#define HEDDLE_HAS_OWN_ALLOCATOR                                                                   \
  (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define HEDDLE_HAS_OWN_ALLOCATOR 0
#endif
#else
#define HEDDLE_HAS_OWN_ALLOCATOR 1
#endif
#if !HEDDLE_HAS_OWN_ALLOCATOR
#include "driver/commands/small_blocks.cpp"
#endif

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace heddle::driver {
namespace {

std::vector<std::string> texts(char letter) {
  std::vector<std::string> made;
  for (std::size_t size = 0; size < 700; ++size)
    made.emplace_back(size, letter);
  return made;
}

TEST(SmallBlocks, KeepWhatIsInThem) {
  std::vector<std::vector<std::string>> made(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < made.size(); ++i)
    threads.emplace_back([&made, i] {
      for (int round = 0; round < 20; ++round)
        made[i] = texts(static_cast<char>('a' + i)); // freed by this thread, the last by another
    });
  for (std::thread& thread : threads)
    thread.join();
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_TRUE(made[i] == texts(static_cast<char>('a' + i)));
}

/// Allocates and frees when the thread is over.
struct Late {
  std::atomic<bool>* is_right;
  ~Late() {
    const std::vector<std::string> first = texts('x');
    const std::vector<std::string> second = texts('y');
    *is_right = first == texts('x') && second == texts('y');
  }
};

TEST(SmallBlocks, AreThereUntilTheThreadIsOver) {
  std::atomic<bool> is_right = false;
  std::thread([&is_right] {
    thread_local std::unique_ptr<Late>
        late; // made first, destroyed after the blocks are given back
    late = std::make_unique<Late>(Late{&is_right});
    static_cast<void>(texts('z'));
  }).join();
  EXPECT_TRUE(is_right);
}

} // namespace
} // namespace heddle::driver
