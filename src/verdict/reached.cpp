// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "verdict/reached.h"

namespace heddle::verdict {

NeverReached never_reached(const program::Program& program, const Reached& reached) {
  NeverReached result;
  result.no_run_completes = !reached.some_run_completes;
  std::set<SourceLoc> assertions; // each once, whatever copies there are of it
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* check = std::get_if<program::Check>(&edge.action);
          check != nullptr && check->kind == program::CheckKind::kAssertion)
        assertions.insert(edge.loc);
  for (const SourceLoc loc : assertions)
    if (!reached.assertions.contains(loc))
      result.assertions.push_back(loc);
  std::size_t threads = 0;
  for (std::size_t i = 1; i < program.templates.size(); ++i, ++threads)
    if (!reached.threads.contains(program.templates[i].name))
      result.threads.push_back(program.templates[i].name);
  result.no_assertion = !assertions.empty() && result.assertions.size() == assertions.size();
  result.no_thread = threads != 0 && result.threads.size() == threads;
  return result;
}

} // namespace heddle::verdict
