// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include "report/explain_violation.h"
#include "report/fold_rows.h"
#include "report/headline.h"
#include "report/run_cells.h"
#include "report/table.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace heddle::report {

namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kGreen = "\033[1;32m";
constexpr std::string_view kYellow = "\033[1;33m";
constexpr std::string_view kPlain = "\033[0m";

std::string_view colour_of(const verdict::Answer& answer) {
  return std::visit(Overloaded{
                        [](const verdict::Proved&) { return kGreen; },
                        [](const verdict::HoldsWithinBounds&) { return kGreen; },
                        [](const verdict::Violated&) { return kRed; },
                        [](const verdict::Unknown&) { return kYellow; },
                        [](const verdict::Outcomes&) { return kBold; },
                    },
                    answer);
}

void add_wrapped(std::string& out, const std::string& line, unsigned width) {
  for (const std::string& part : wrapped(line, width))
    out += part + "\n";
}

std::string evidence(const verdict::Violation& violation,
                     const Subject& subject,
                     const TextOptions& options,
                     SourceLines& sources) {
  std::string out = "\n";
  if (!violation.run->steps.empty())
    out += layout(folded(run_table(violation, subject, sources), named_steps(violation)),
                  options.width) +
           "\n";
  const std::vector<std::string> more = particulars(violation, subject);
  for (const std::string& line : more)
    add_wrapped(out, line, options.width);
  if (!more.empty())
    out += "\n";
  add_wrapped(out, explanation(violation, subject), options.width);
  return out;
}

std::string states(const verdict::Outcomes& outcomes, const Subject& subject) {
  std::string out;
  for (const verdict::Outcome& state : outcomes.states) {
    std::string line;
    for (const auto& [name, value] : state)
      line += fmt::format("{}{} = {}",
                          line.empty() ? "  " : ", ",
                          name,
                          outcome_value(*subject.program, name, value));
    out += (line.empty() ? "  (no global to observe)" : line) + "\n";
  }
  return out;
}

} // namespace

std::int64_t
outcome_value(const program::Program& program, const std::string& global, std::uint64_t value) {
  for (const program::Object& object : program.objects)
    if (object.name == global && object.scalar_signed && object.scalar_bits != 0)
      return logic::sign_extended(value, object.scalar_bits);
  return static_cast<std::int64_t>(value);
}

std::string text(const verdict::Verdict& verdict,
                 const Subject& subject,
                 const TextOptions& options,
                 SourceLines& sources) {
  const std::string line = headline(verdict, subject);
  // The verdict is one line, whatever the width: scripts read it.
  std::string out = options.colour
                        ? fmt::format("{}{}{}\n", colour_of(verdict.answer), line, kPlain)
                        : line + "\n";
  out +=
      std::visit(Overloaded{
                     [](const verdict::Proved&) { return std::string(); },
                     [](const verdict::HoldsWithinBounds&) { return std::string(); },
                     [&](const verdict::Violated& violated) {
                       return evidence(violated.violation, subject, options, sources);
                     },
                     [](const verdict::Unknown&) { return std::string(); },
                     [&](const verdict::Outcomes& outcomes) { return states(outcomes, subject); },
                 },
                 verdict.answer);
  for (const std::string& note : notes(verdict, subject))
    add_wrapped(out, "note: " + note, options.width);
  return out;
}

} // namespace heddle::report
