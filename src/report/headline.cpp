// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/headline.h"

#include "report/explain_violation.h"
#include "spec/property.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace heddle::report {

namespace {

std::string certificate_text(const verdict::Proved& proved) {
  if (!proved.certification)
    return "";
  if (!proved.certification->why_none.empty())
    return "; no certificate: " + proved.certification->why_none;
  return proved.certification->is_rechecked ? "; certified" : "; with a certificate";
}

std::string proof_text(const verdict::Proof& proof) {
  return std::visit(
      Overloaded{[](const verdict::StateSpaceExhausted& exhausted) {
                   return with_separators(exhausted.states) +
                          (exhausted.states == 1 ? " state" : " states") +
                          (exhausted.any_number_of_threads ? " for any number of threads" : "");
                 },
                 [](const verdict::NoExecution& none) {
                   return "no execution of " + with_separators(none.events) + " events violates it";
                 },
                 [](const verdict::ByInduction& induction) {
                   return "induction over " + with_separators(induction.turns) +
                          (induction.turns == 1 ? " turn" : " turns") + " of each loop";
                 }},
      proof);
}

bool has_assertions(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (const auto* check = std::get_if<program::Check>(&edge.action);
          check != nullptr && check->kind == program::CheckKind::kAssertion)
        return true;
  return false;
}

/// Is what is asked about at the end of runs, or on the way to it where nothing marks that?
bool is_about_ends(const spec::Check& check, const program::Program& program) {
  switch (check.property) {
  case spec::Property::kDeadlock:
  case spec::Property::kLiveness:
  case spec::Property::kCleanup:
    return true;
  case spec::Property::kReach:
    return !has_assertions(program);
  case spec::Property::kRace: // what is asked about are accesses
  case spec::Property::kMemory:
  case spec::Property::kOverflow:
  case spec::Property::kRobustness:
    return false;
  }
  HEDDLE_CHECK(false, "no such property");
  return false;
}

/// Where bounds let nothing happen that matters, that comes before them.
std::string what_was_missed(const verdict::Verdict& verdict, const Subject& subject) {
  const auto* check = std::get_if<spec::Check>(&subject.question);
  if (!verdict.never_reached || check == nullptr)
    return "";
  const verdict::NeverReached& never = *verdict.never_reached;
  const bool no_assertion = never.no_assertion && check->property == spec::Property::kReach;
  std::vector<std::string> missed;
  if (no_assertion || never.no_thread)
    missed.push_back(fmt::format("{} WAS REACHED",
                                 no_assertion && never.no_thread ? "NO THREAD AND NO ASSERTION"
                                 : no_assertion                  ? "NO ASSERTION"
                                                                 : "NO THREAD"));
  if (never.no_run_completes && is_about_ends(*check, *subject.program))
    missed.emplace_back("NO RUN COMPLETES");
  return missed.empty() ? "" : fmt::format(", BUT {}", fmt::join(missed, " AND "));
}

} // namespace

std::string with_separators(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

std::vector<std::string> assumptions(const verdict::Verdict& verdict) {
  std::vector<std::string> found;
  for (const Approximation& approximation : verdict.approximations)
    if (approximation.kind == Approximation::Kind::kAssumed &&
        std::ranges::find(found, approximation.what) == found.end())
      found.push_back(approximation.what);
  return found;
}

std::string to_string(verdict::Unknown::Reason reason) {
  using Reason = verdict::Unknown::Reason;
  switch (reason) {
  case Reason::kTime:
    return "time";
  case Reason::kMemory:
    return "memory";
  case Reason::kInterrupted:
    return "interrupted";
  case Reason::kUnsupported:
    return "unsupported";
  case Reason::kRefused:
    return "refused";
  case Reason::kUndefinedBehaviour:
    return "undefined behaviour";
  case Reason::kNondeterminism:
    return "nondeterminism";
  case Reason::kApproximation:
    return "approximation";
  case Reason::kNoEngine:
    return "no engine";
  }
  HEDDLE_CHECK(false, "no such reason");
  return "";
}

std::string headline(const verdict::Verdict& verdict, const Subject& subject) {
  const std::vector<std::string> assumed = assumptions(verdict);
  const std::string under =
      "under " + subject.model.name +
      (assumed.empty() ? "" : fmt::format(", assuming {}", fmt::join(assumed, ", ")));
  return std::visit(Overloaded{
                        [&](const verdict::Proved& proved) {
                          return fmt::format("PROVED {}: {}", under, proof_text(proved.proof)) +
                                 certificate_text(proved);
                        },
                        [&](const verdict::HoldsWithinBounds& holds) {
                          return fmt::format("HOLDS WITHIN BOUNDS {}{}: {}",
                                             under,
                                             what_was_missed(verdict, subject),
                                             fmt::join(holds.bounds(), "; "));
                        },
                        [&](const verdict::Violated& violated) {
                          return fmt::format("VIOLATED ({}) {}: {}",
                                             spec::phrase(violated.violation.property),
                                             under,
                                             what_fails(violated.violation, subject));
                        },
                        [&](const verdict::Unknown& unknown) {
                          return fmt::format("UNKNOWN {}: {}{}",
                                             under,
                                             unknown.why,
                                             unknown.help.empty() ? "" : "; help: " + unknown.help);
                        },
                        [&](const verdict::Outcomes& outcomes) {
                          return fmt::format(
                              "{} final {} {}{}",
                              with_separators(outcomes.states.size()),
                              outcomes.states.size() == 1 ? "state" : "states",
                              under,
                              outcomes.complete ? "" : " (not all: a bound or limit was reached)");
                        },
                    },
                    verdict.answer);
}

std::vector<std::string> notes(const verdict::Verdict& verdict, const Subject& subject) {
  std::vector<std::string> lines;
  if (verdict.never_reached) {
    const verdict::NeverReached& never = *verdict.never_reached;
    for (const SourceLoc loc : never.assertions)
      lines.push_back("never reached: assertion at " + subject.program->place(loc));
    for (const std::string& thread : never.threads)
      lines.push_back("never started: thread " + thread);
    if (never.no_run_completes)
      lines.emplace_back(
          "no run completes: every run is cut off, blocked or discarded before its end");
  }
  const auto* holds = std::get_if<verdict::HoldsWithinBounds>(&verdict.answer);
  if (holds != nullptr && !holds->ended().empty())
    lines.push_back("bounds did not grow further: " + holds->ended());
  if (holds == nullptr)
    for (const Approximation& approximation : verdict.approximations)
      if (approximation.kind == Approximation::Kind::kUnder)
        lines.push_back("not covered: " + approximation.what);
  for (const Approximation& approximation : verdict.approximations)
    if (approximation.kind == Approximation::Kind::kOver)
      lines.push_back("over-approximated: " + approximation.what);
  if (subject.model.is_weak)
    lines.push_back(
        fmt::format("{} is about the machine: what a compiler may reorder is not considered",
                    subject.model.name));
  return lines;
}

} // namespace heddle::report
