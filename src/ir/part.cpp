// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/part.h"

#include <fmt/format.h>

namespace heddle::ir {

namespace {

/// Which element of the part holds the byte, if one does.
bool holds(const Part& part, std::uint64_t offset) {
  return offset >= part.offset && part.size != 0 && (offset - part.offset) / part.size < part.count;
}

} // namespace

PartPath part_at(std::span<const Part> parts, std::uint64_t offset, std::uint64_t size) {
  PartPath path;
  path.rest = offset;
  while (size != 0 || path.rest != 0) {
    const Part* inner = nullptr;
    for (const Part& part : parts) {
      if (!holds(part, path.rest))
        continue;
      const std::uint64_t inside = (path.rest - part.offset) % part.size;
      // The fields of a union lie over each other: the first that holds all the bytes is meant.
      if (size <= part.size && inside <= part.size - size) {
        inner = &part;
        break;
      }
    }
    if (inner == nullptr)
      break;
    const std::uint64_t inside = path.rest - inner->offset;
    path.text +=
        inner->field.empty() ? fmt::format("[{}]", inside / inner->size) : "." + inner->field;
    path.rest = inside % inner->size;
    path.part = inner;
    parts = inner->parts;
  }
  return path;
}

} // namespace heddle::ir
