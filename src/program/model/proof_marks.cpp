// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/model/proof_marks.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace heddle::program {

bool is_stated_by_program(const std::string& what) {
  constexpr std::array kMade{kTakesEffectOnce, kHasTakenEffect, kSameResult, kCanHappen, kGivesUp};
  return !what.starts_with(kInvariantPrefix) &&
         std::ranges::none_of(kMade, [&](const char* made) { return what.ends_with(made); });
}

Error refuse_in_proof(const Program& program,
                      SourceLoc loc,
                      std::string code,
                      std::string message) {
  Error error{ErrorKind::kUnsupported, std::move(code), std::move(message)};
  if (loc.is_known()) {
    error.file = program.files[loc.file];
    error.line = loc.line;
  }
  return error;
}

bool is_marked_as_effect(const Access& access) {
  return std::ranges::find(access.tags, kEffectTag) != access.tags.end();
}

bool is_client(const Procedure& procedure) {
  return std::ranges::any_of(procedure.edges, [](const Edge& edge) {
    const auto* hint = std::get_if<Hint>(&edge.action);
    return hint != nullptr && hint->kind == ir::Hint::Kind::kOperationBegin;
  });
}

} // namespace heddle::program
