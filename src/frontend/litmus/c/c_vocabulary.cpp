// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "frontend/litmus/c/c_vocabulary.h"

#include "frontend/litmus/c/c_test.h"

#include <algorithm>
#include <set>

namespace heddle::frontend::litmus {

namespace {

void collect_calls(const CExpression& expression, std::set<std::string>& names) {
  if (expression.kind == CExpression::Kind::kCall ||
      expression.kind == CExpression::Kind::kPrimitive)
    names.insert(expression.text);
  for (const CExpression& operand : expression.operands)
    collect_calls(operand, names);
}

void collect_calls(const CStatement& statement, std::set<std::string>& names) {
  for (const CExpression& expression : statement.expressions)
    collect_calls(expression, names);
  for (const CStatement& inner : statement.statements)
    collect_calls(inner, names);
}

/// Only C11 has these (atomic_fetch_add and its like are in both).
bool is_c11_only(const std::string& name) {
  return name.ends_with("_explicit") || name == "atomic_load" || name == "atomic_store" ||
         name == "atomic_exchange" || name == "atomic_thread_fence" ||
         name == "atomic_signal_fence" || name == "atomic_init" ||
         name == "atomic_compare_exchange_strong" || name == "atomic_compare_exchange_weak" ||
         name.starts_with("atomic_flag_");
}

bool is_in_both(const std::string& name) {
  return name == "atomic_fetch_add" || name == "atomic_fetch_sub" || name == "atomic_fetch_and" ||
         name == "atomic_fetch_or" || name == "atomic_fetch_xor";
}

} // namespace

std::string find_c_vocabulary(const std::vector<CThread>& threads,
                              const std::vector<InitialEntry>& initial,
                              const CMacros& macros) {
  std::set<std::string> calls;
  for (const CThread& thread : threads)
    for (const CStatement& statement : thread.body)
      collect_calls(statement, calls);
  if (std::any_of(calls.begin(), calls.end(), is_c11_only))
    return "c11";
  if (!std::all_of(calls.begin(), calls.end(), is_in_both)) {
    CMacros known;
    (void)add_macros(linux_definitions(), "", known);
    for (const auto& [key, macro] : known)
      if (calls.contains(key.first) && !is_in_both(key.first))
        return "lkmm";
  }
  const bool has_primitive = std::any_of(
      calls.begin(), calls.end(), [](const std::string& name) { return name.starts_with("__"); });
  const bool user_says_so = std::any_of(macros.begin(), macros.end(), [](const auto& entry) {
    return entry.first.first == "READ_ONCE";
  });
  const bool has_linux_type =
      std::any_of(initial.begin(), initial.end(), [](const InitialEntry& entry) {
        return entry.type && (entry.type->words == "atomic_t" || entry.type->words == "spinlock_t");
      });
  return has_primitive || has_linux_type || user_says_so ? "lkmm" : "c11";
}

} // namespace heddle::frontend::litmus
