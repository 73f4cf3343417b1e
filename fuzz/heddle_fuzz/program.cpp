// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/program.h"

#include <algorithm>

namespace heddle::fuzz {

namespace {

bool has_barrier(const std::vector<Statement>& statements) {
  return std::any_of(statements.begin(), statements.end(), [](const Statement& statement) {
    return statement.kind == Statement::Kind::kBarrier || has_barrier(statement.body) ||
           has_barrier(statement.other);
  });
}

int count_statements(const std::vector<Statement>& statements) {
  int count = 0;
  for (const Statement& statement : statements)
    count += 1 + count_statements(statement.body) + count_statements(statement.other);
  return count;
}

} // namespace

int Program::barrier_count() const {
  return static_cast<int>(std::count_if(threads.begin(), threads.end(), has_barrier));
}

std::vector<std::string> observed_names(const Program& program) {
  std::vector<std::string> names;
  for (int object = 0; object < program.objects; ++object)
    names.push_back("x" + std::to_string(object));
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    names.push_back("o" + std::to_string(thread));
  if (program.has_nodes)
    names.emplace_back("og");
  return names;
}

int size_of(const Program& program) {
  int count = 0;
  for (const std::vector<Statement>& thread : program.threads)
    count += count_statements(thread);
  return count;
}

const char* name_of(Model model) {
  switch (model) {
  case Model::kSC:
    return "sc";
  case Model::kTSO:
    return "tso";
  case Model::kPSO:
    return "pso";
  }
  return "";
}

} // namespace heddle::fuzz
