// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/limits.h"

#include <algorithm>
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

namespace heddle::driver {

namespace {

// The sanitizers map terabytes of address space for their shadow memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasShadowMemory = true;
#elif defined(__has_feature)
constexpr bool kHasShadowMemory =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kHasShadowMemory = false;
#endif

// A signal handler can reach nothing but a static.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void heddle_on_signal(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

} // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, heddle_on_signal);
  std::signal(SIGTERM, heddle_on_signal);
  return interrupted;
}

std::uint64_t default_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0)
    return 1ULL << 32U;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 4 * 3;
}

void limit_memory(std::uint64_t budget_bytes) {
  // The program's code, the stacks and what is not counted by an engine come on top of the budget.
  constexpr std::uint64_t kBeside = 96ULL << 20U;
  rlimit limit = {};
  if (kHasShadowMemory)
    return;
  if (getrlimit(RLIMIT_AS, &limit) != 0)
    return;
  const rlim_t wanted = budget_bytes + budget_bytes / 10 + kBeside;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

} // namespace heddle::driver
