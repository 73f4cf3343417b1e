// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/event_areas.h"

#include <fmt/format.h>

namespace heddle::program {

std::string bound_of_area(const char* things, std::uint32_t thread) {
  return thread < kMaxThreads
             ? fmt::format("{} per thread", things)
             : fmt::format("{} for each thread and every {}nd after it", things, kMaxThreads);
}

std::string bound_of_reading_threads() {
  return fmt::format("at most {} threads before one that takes a read-write lock for reading",
                     kMostReadingThreads);
}

std::optional<std::string> bound_of_kept_threads(std::uint32_t kept) {
  if (kept + 2 <= kMaxThreads) // itself, and the new one
    return std::nullopt;
  return fmt::format("at most {} threads at a time", kMaxThreads);
}

std::optional<std::string>
broken_bound(const Program& program, const AccessPieces& pieces, std::size_t threads) {
  if (threads > kMostEventThreads)
    return fmt::format("at most {} threads", kMostEventThreads);
  if (threads <= kMaxThreads)
    return std::nullopt;
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    if (program.objects[ObjectId{i}].kind == Object::Kind::kThreadLocal &&
        !pieces.is_followed(ObjectId{i}))
      return fmt::format("at most {} threads with a variable '{}' that others can reach",
                         kMaxThreads,
                         program.objects[ObjectId{i}].name);
  return std::nullopt;
}

} // namespace heddle::program
