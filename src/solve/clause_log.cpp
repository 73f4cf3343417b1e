// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/clause_log.h"

#include <algorithm>

namespace heddle::solve {

void ClauseLog::add_clause(std::span<const Literal> clause) {
  literals_.insert(literals_.end(), clause.begin(), clause.end());
  literals_.push_back(Literal());
}

std::size_t ClauseLog::tell(Sat& sat, std::size_t known) const {
  while (sat.variable_count() < variables_)
    static_cast<void>(sat.new_variable());
  for (std::size_t begin = known; begin < literals_.size();) {
    const std::span<const Literal> rest = std::span(literals_).subspan(begin);
    const auto end = std::ranges::find(rest, Literal());
    const auto size = static_cast<std::size_t>(end - rest.begin());
    sat.add_clause(rest.first(size));
    begin += size + 1;
  }
  return literals_.size();
}

} // namespace heddle::solve
