// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "spec/observed.h"

#include <algorithm>

namespace heddle::spec {

std::vector<ObservedPlace> observed_places(const program::Program& program,
                                           const Enumerate& question) {
  std::vector<ObservedPlace> places;
  const program::AddressSpace space = program.space();
  for (const Enumerate::Part& part : question.parts)
    for (const program::Object& object : program.objects)
      if (object.kind == program::Object::Kind::kGlobal && object.name == part.global)
        places.push_back({part.name, space.base_of(object.unit) + part.offset, part.size});
  if (!question.parts.empty())
    return places;
  for (const program::Object& object : program.objects) {
    const bool is_named =
        std::find(question.globals.begin(), question.globals.end(), object.name) !=
        question.globals.end();
    const bool is_ours = object.name.starts_with("__heddle") || object.name.starts_with(".");
    if (object.kind == program::Object::Kind::kGlobal && object.scalar_bits != 0 &&
        (is_named || (question.globals.empty() && !object.is_constant && !is_ours)))
      places.push_back({object.name,
                        space.base_of(object.unit),
                        static_cast<std::uint8_t>((object.scalar_bits + 7U) / 8U)});
  }
  return places;
}

} // namespace heddle::spec
