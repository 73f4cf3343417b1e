// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// heddle-sat: solves a DIMACS file with the core or with CaDiCaL, checks the model it finds, and
// prints one line: the answer, seconds of CPU, conflicts. Exit code 10, 20 or 0, as SAT solvers
// have it.
#include "solve/cadical.h"
#include "solve/core/make_core.h"
#include "solve/proof.h"
#include "solve/proof_check.h"

#include <fmt/core.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle::solve;

struct Formula {
  std::size_t variables = 0;
  std::vector<std::vector<Literal>> clauses;
};

bool read_dimacs(const std::string& path, Formula& formula) {
  std::ifstream in(path);
  if (!in)
    return false;
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<Literal> clause;
  const char* at = text.c_str();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == 'c' || *at == 'p') {
      while (at != end && *at != '\n')
        ++at;
      continue;
    }
    if (*at != '-' && (*at < '0' || *at > '9')) {
      ++at;
      continue;
    }
    char* after = nullptr;
    const long number = std::strtol(at, &after, 10);
    at = after;
    if (number == 0) {
      formula.clauses.push_back(clause);
      clause.clear();
      continue;
    }
    const auto variable = static_cast<std::size_t>(number < 0 ? -number : number);
    formula.variables = std::max(formula.variables, variable);
    clause.push_back(Literal::from(Variable{variable - 1}, number < 0));
  }
  return true;
}

bool is_model(const Sat& sat, const Formula& formula) {
  for (const auto& clause : formula.clauses) {
    bool satisfied = false;
    for (const Literal literal : clause)
      satisfied = satisfied || sat.value(literal);
    if (!satisfied)
      return false;
  }
  return true;
}

struct Arguments {
  std::string file;
  std::string proof;
  bool cadical = false;
  bool check = false;
  long seconds = 0;
  CoreOptions core;
};

bool read_arguments(int count, char** words, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--cadical")
      arguments.cadical = true;
    else if (word == "--check")
      arguments.check = true;
    else if (word.starts_with("--seconds="))
      arguments.seconds = std::stol(std::string(word.substr(10)));
    else if (word.starts_with("--proof="))
      arguments.proof = word.substr(8);
    else if (word == "--no-probe")
      arguments.core.probe = false;
    else if (word == "--no-vivify")
      arguments.core.vivify = false;
    else if (word == "--no-subsume")
      arguments.core.subsume = false;
    else if (word == "--no-eliminate")
      arguments.core.eliminate = false;
    else if (word == "--no-substitute")
      arguments.core.substitute = false;
    else if (word == "--no-walk")
      arguments.core.walk = false;
    else if (word == "--no-modes")
      arguments.core.switch_modes = false;
    else if (!word.starts_with("-") && arguments.file.empty())
      arguments.file = word;
    else
      return false;
  }
  return !arguments.file.empty();
}

} // namespace

int main(int count, char** words) {
  Arguments arguments;
  Formula formula;
  if (!read_arguments(count, words, arguments) || !read_dimacs(arguments.file, formula)) {
    fmt::print(
        stderr,
        "usage: heddle-sat [--cadical] [--seconds=N] [--proof=FILE] [--check] [--no-probe] "
        "[--no-vivify] "
        "[--no-subsume]\n"
        "                  [--no-eliminate] [--no-substitute] [--no-walk] [--no-modes] FILE.cnf\n");
    return 2;
  }
  std::ostringstream proof_text;
  BinaryProof proof(proof_text);
  if (!arguments.proof.empty() || arguments.check)
    arguments.core.proof = &proof;
  const auto sat = arguments.cadical ? make_cadical() : make_core(arguments.core);
  for (std::size_t i = 0; i < formula.variables; ++i)
    (void)sat->new_variable();
  for (const auto& clause : formula.clauses)
    sat->add_clause(clause);
  Budget budget;
  if (arguments.seconds > 0)
    budget =
        Budget(std::chrono::seconds(arguments.seconds), std::numeric_limits<std::uint64_t>::max());
  const Answer answer = sat->solve({}, {.budget = &budget});
  const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  const Statistics counts = sat->statistics();
  if (answer == Answer::kSatisfiable && !is_model(*sat, formula)) {
    fmt::print("WRONG MODEL\n");
    return 1;
  }
  if (!arguments.proof.empty())
    std::ofstream(arguments.proof) << proof_text.str();
  if (arguments.check && answer == Answer::kUnsatisfiable) {
    const auto checked = check_proof(
        {.formula = formula.clauses, .conclusion = {}}, proof_text.str(), ProofFormat::kBinary);
    if (!checked) {
      fmt::print("WRONG PROOF: {}\n", checked.error().to_string());
      return 1;
    }
    fmt::print("proof of {} steps, {} deletions checked\n", checked->added, checked->deleted);
  }
  const char* name = answer == Answer::kSatisfiable     ? "SATISFIABLE"
                     : answer == Answer::kUnsatisfiable ? "UNSATISFIABLE"
                                                        : "UNKNOWN";
  fmt::print("{} {:.3f} conflicts={} decisions={} propagations={} restarts={} eliminated={} "
             "irredundant={} redundant={} MB={}\n",
             name,
             seconds,
             counts.conflicts,
             counts.decisions,
             counts.propagations,
             counts.restarts,
             counts.eliminated,
             counts.irredundant,
             counts.redundant,
             counts.memory_bytes >> 20U);
  return answer == Answer::kSatisfiable ? 10 : answer == Answer::kUnsatisfiable ? 20 : 0;
}
