// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "sma/abstraction.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

namespace heddle::sma {
namespace {

template <typename Function>
void find(void* object, const char* symbol, Function*& target, bool required = true) {
  target = reinterpret_cast<Function*>(dlsym(object, symbol));
  if (target == nullptr && required) {
    std::fprintf(stderr, "%s is missing\n", symbol);
    std::exit(2);
  }
}

struct Search {
  std::string path;
  std::span<std::byte> found;
};

// The part of the writable segment that is not in the file: what is zero at the beginning.
int find_state(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (search.path != info->dlpi_name)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 &&
        segment.p_memsz > segment.p_filesz)
      search.found = {
          reinterpret_cast<std::byte*>(info->dlpi_addr + segment.p_vaddr + segment.p_filesz),
          segment.p_memsz - segment.p_filesz};
  }
  return 1;
}

} // namespace

bool compile(const std::string& sources, const std::string& folder, const std::string& name) {
  std::string command = "cc -std=c11 -O2 -fPIC -shared -w -I'" + sources + "'";
  const auto size = [&](const char* upper, const char* lower, unsigned most) {
    command += std::string(" -DSMA_MOST_") + upper + "=" + std::to_string(most) + " -DSMA_" +
               upper + "=sma_" + lower;
  };
  size("THREADS", "threads", kMostThreads);
  size("CELLS", "cells", kMostCells);
  size("WRITES", "writes", kMostWrites);
  size("QUEUE", "queue", kMostQueue);
  size("CLOCK", "clock", kMostClock);
  command += " '" + sources + "/" + name + ".c' -o '" + folder + "/" + name + ".so'";
  return std::system(command.c_str()) == 0;
}

Abstraction load(const std::string& folder, const std::string& name) {
  Search search{.path = folder + "/" + name + ".so", .found = {}};
  void* object = dlopen(search.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  dl_iterate_phdr(find_state, &search);
  Abstraction result;
  result.name = name;
  result.state = search.found;
  if (result.state.empty()) {
    std::fprintf(stderr, "%s has no state\n", name.c_str());
    std::exit(2);
  }
  const unsigned* asynchronous = nullptr;
  find(object, "sma_is_asynchronous", asynchronous);
  result.is_asynchronous = *asynchronous != 0;
  result.is_coarse = *asynchronous == 2;
  find(object, "sma_init", result.init);
  find(object, "sma_address", result.address);
  find(object, "sma_read", result.read);
  find(object, "sma_write", result.write);
  find(object, "sma_ind_read", result.ind_read);
  find(object, "sma_ind_write", result.ind_write);
  find(object, "sma_lock", result.lock);
  find(object, "sma_unlock", result.unlock);
  find(object, "sma_fence", result.fence);
  find(object, "sma_store_fence", result.store_fence);
  find(object, "sma_create", result.create);
  find(object, "sma_join", result.join);
  find(object, "sma_terminate", result.terminate);
  find(object, "sma_compare_exchange", result.compare_exchange);
  find(object, "sma_update_begin", result.update_begin);
  find(object, "sma_update_end", result.update_end);
  find(object, "sma_atomic_begin", result.atomic_begin);
  find(object, "sma_atomic_end", result.atomic_end);
  find(object, "sma_now", result.now);
  find(object, "sma_stops", result.stops, result.is_asynchronous);
  find(object, "sma_finish", result.finish, result.is_asynchronous);
  find(object, "sma_broken_invariant", result.broken_invariant, false);
  return result;
}

} // namespace heddle::sma
