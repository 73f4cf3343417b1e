// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

namespace heddle::engine {

std::string why_grown_enough(const Context& context, std::uint64_t largest) {
  if (context.has_successor)
    return "the time that was left went to another engine";
  return "without --time no loop is followed for more than " + std::to_string(largest) +
         " iterations";
}

Context for_part_of_question(const Context& context) {
  Context part = context;
  part.established = nullptr;
  return part;
}

const Engine* Registry::find(std::string_view name) const {
  for (const std::unique_ptr<Engine>& engine : engines_)
    if (engine->name() == name)
      return engine.get();
  return nullptr;
}

} // namespace heddle::engine
