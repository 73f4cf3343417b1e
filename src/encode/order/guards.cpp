// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/guards.h"

#include <algorithm>

namespace heddle::encode {

namespace {

/// Terms looked at before the rest of a guard is left.
constexpr int kMostTerms = 256;

} // namespace

const std::vector<logic::Term>& Guards::conjuncts_of(logic::Term guard) {
  const auto [entry, is_new] = conjuncts_.try_emplace(guard.value);
  std::vector<logic::Term>& found = entry->second;
  if (!is_new)
    return found;
  std::vector<logic::Term> pending{guard};
  for (int looked = 0; looked < kMostTerms && !pending.empty(); ++looked) {
    const logic::Term term = pending.back();
    pending.pop_back();
    if (terms_.node(term).op == logic::Op::kAnd)
      for (const logic::Term argument : terms_.arguments(term))
        pending.push_back(argument);
    else
      found.push_back(term);
  }
  // What is left over stands for itself.
  found.insert(found.end(), pending.begin(), pending.end());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool Guards::implies(logic::Term a, logic::Term b) {
  if (terms_.is_constant(b))
    return terms_.node(b).value != 0;
  const std::vector<logic::Term>& of_a = conjuncts_of(a);
  const std::vector<logic::Term>& of_b = conjuncts_of(b);
  return std::includes(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
}

bool Guards::exclude_each_other(logic::Term a, logic::Term b) {
  const std::vector<logic::Term>& of_a = conjuncts_of(a);
  const std::vector<logic::Term>& of_b = conjuncts_of(b);
  return std::any_of(of_a.begin(), of_a.end(), [&](logic::Term term) {
    return std::binary_search(of_b.begin(), of_b.end(), terms_.not_(term));
  });
}

} // namespace heddle::encode
