// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

namespace heddle::engine {

const Engine* Registry::find(std::string_view name) const {
  for (const std::unique_ptr<Engine>& engine : engines_)
    if (engine->name() == name)
      return engine.get();
  return nullptr;
}

} // namespace heddle::engine
