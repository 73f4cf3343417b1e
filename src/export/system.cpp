// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "export/system.h"

#include "export/infix.h"
#include "support/overloaded.h"

#include <algorithm>
#include <utility>

namespace heddle::exports {

bool has_choice(const Statements& statements) {
  return std::ranges::any_of(statements, [](const Statement& statement) {
    if (const auto* branch = std::get_if<If>(&statement.what))
      return has_choice(branch->yes) || has_choice(branch->no);
    return std::holds_alternative<Choose>(statement.what);
  });
}

namespace {

void collect(const System& system, const Statements& statements, std::set<VariableId>& found) {
  const auto note = [&](VariableId dest) {
    if (system.variables[dest].is_temporary)
      found.insert(dest);
  };
  for (const Statement& statement : statements)
    std::visit(Overloaded{
                   [&](const Set& set) { note(set.dest); },
                   [&](const Get& get) { note(get.dest); },
                   [](const Put&) {},
                   [&](const Choose& choose) { note(choose.dest); },
                   [&](const If& branch) {
                     collect(system, branch.yes, found);
                     collect(system, branch.no, found);
                   },
                   [](const Fail&) {},
                   [](const Halt&) {},
               },
               statement.what);
}

} // namespace

std::vector<VariableId> temporaries_of(const System& system, const Statements& statements) {
  std::set<VariableId> found;
  collect(system, statements, found);
  return {found.begin(), found.end()};
}

Error refuse(const System& system, const Step& step, std::string code, std::string message) {
  Error error{ErrorKind::kUnsupported, std::move(code), "cannot be exported: " + message};
  if (step.loc.is_known() && step.loc.file < system.files.size()) {
    error.file = system.files[step.loc.file];
    error.line = step.loc.line;
    error.column = step.loc.column;
  }
  return error;
}

namespace {

/// Nodes of a term when it is spelled out. Pointers into hundreds of blocks come near it.
constexpr std::size_t kLongestTerm = 20000;

void visit_terms(const Statements& statements, std::vector<Term>& found) {
  for (const Statement& statement : statements)
    std::visit(Overloaded{
                   [&](const Set& set) { found.push_back(set.value); },
                   [&](const Get& get) { found.push_back(get.index); },
                   [&](const Put& put) { found.insert(found.end(), {put.index, put.value}); },
                   [](const Choose&) {},
                   [&](const If& branch) {
                     found.push_back(branch.condition);
                     visit_terms(branch.yes, found);
                     visit_terms(branch.no, found);
                   },
                   [](const Fail&) {},
                   [](const Halt&) {},
               },
               statement.what);
}

} // namespace

Status check_terms(const System& system) {
  for (const Process& process : system.processes)
    for (const std::vector<Step>& steps : process.locations)
      for (const Step& step : steps) {
        std::vector<Term> terms{step.guard};
        visit_terms(step.effects, terms);
        for (const Term term : terms)
          if (spelled_size(system.terms, term, kLongestTerm) == kLongestTerm)
            return refuse(system, step, "EXP-031", "an expression that would fill pages");
      }
  return Done{};
}

namespace {

void collect_set(const Statements& statements, std::set<std::uint64_t>& found) {
  for (const Statement& statement : statements)
    std::visit(Overloaded{
                   [&](const Set& set) { found.insert(set.dest.value); },
                   [&](const Get& get) { found.insert(get.dest.value); },
                   [](const Put&) {},
                   [&](const Choose& choose) { found.insert(choose.dest.value); },
                   [&](const If& branch) {
                     collect_set(branch.yes, found);
                     collect_set(branch.no, found);
                   },
                   [](const Fail&) {},
                   [](const Halt&) {},
               },
               statement.what);
}

} // namespace

std::set<std::uint64_t> used_variables(const System& system) {
  std::set<std::uint64_t> found;
  for (const Process& process : system.processes)
    for (const std::vector<Step>& steps : process.locations)
      for (const Step& step : steps) {
        collect_set(step.effects, found);
        std::vector<Term> terms{step.guard};
        visit_terms(step.effects, terms);
        for (const Term term : terms)
          for (const std::uint64_t number : system.terms.variables(term))
            found.insert(number);
      }
  found.erase(system.halted.value);
  return found;
}

const char* name_of(Fail::Kind kind) {
  switch (kind) {
  case Fail::Kind::kAssertion:
    return "assertion_failed";
  case Fail::Kind::kUndefined:
    return "undefined_behaviour";
  case Fail::Kind::kNotModelled:
    return "not_modelled";
  case Fail::Kind::kExhausted:
    return "bound_exceeded";
  }
  return "";
}

} // namespace heddle::exports
