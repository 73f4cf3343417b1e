// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/shrink.h"

#include <utility>
#include <vector>

namespace heddle::fuzz {

namespace {

using Statements = std::vector<Statement>;

/// Smaller versions of one statement that keep its kind.
std::vector<Statement> simpler(const Statement& statement) {
  std::vector<Statement> results;
  const auto add = [&](auto change) {
    Statement copy = statement;
    change(copy);
    if (!(copy == statement))
      results.push_back(std::move(copy));
  };
  add([](Statement& s) {
    // Only ever downwards in the enumeration, so that shrinking ends.
    s.order = s.order > Order::kRelaxed ? Order::kRelaxed : Order::kPlain;
  });
  add([](Statement& s) { s.size = 4, s.offset = 0; });
  add([](Statement& s) { s.value = {.reg = -1, .constant = 1}; });
  add([](Statement& s) { s.weak = false; });
  add([](Statement& s) { s.reg = 0; });
  return results;
}

/// All ways to make a sequence smaller by one step: drop a statement, put its body in its place,
/// simplify it, or do so somewhere inside.
std::vector<Statements> smaller(const Statements& statements) {
  std::vector<Statements> results;
  for (std::size_t index = 0; index < statements.size(); ++index) {
    const auto at = [&](Statements& copy) {
      return copy.begin() + static_cast<std::ptrdiff_t>(index);
    };
    Statements without = statements;
    without.erase(at(without));
    results.push_back(without);
    for (const Statements* inner : {&statements[index].body, &statements[index].other}) {
      if (inner->empty())
        continue;
      Statements unwrapped = without;
      unwrapped.insert(at(unwrapped), inner->begin(), inner->end());
      results.push_back(std::move(unwrapped));
    }
    for (Statements& body : smaller(statements[index].body)) {
      Statements copy = statements;
      copy[index].body = std::move(body);
      results.push_back(std::move(copy));
    }
    for (Statements& other : smaller(statements[index].other)) {
      Statements copy = statements;
      copy[index].other = std::move(other);
      results.push_back(std::move(copy));
    }
    for (Statement& statement : simpler(statements[index])) {
      Statements copy = statements;
      copy[index] = std::move(statement);
      results.push_back(std::move(copy));
    }
  }
  return results;
}

std::vector<Program> candidates(const Program& program) {
  std::vector<Program> results;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    if (program.threads.size() > 1) {
      Program copy = program;
      copy.threads.erase(copy.threads.begin() + static_cast<std::ptrdiff_t>(thread));
      results.push_back(std::move(copy));
    }
    for (Statements& statements : smaller(program.threads[thread])) {
      Program copy = program;
      copy.threads[thread] = std::move(statements);
      results.push_back(std::move(copy));
    }
  }
  return results;
}

} // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& still_fails) {
  // Every accepted candidate has fewer statements or simpler ones, so this ends.
  for (bool progress = true; progress;) {
    progress = false;
    for (Program& candidate : candidates(program)) {
      if (still_fails(candidate)) {
        program = std::move(candidate);
        progress = true;
        break;
      }
    }
  }
  return program;
}

} // namespace heddle::fuzz
