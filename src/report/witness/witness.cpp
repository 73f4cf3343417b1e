// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/witness/witness.h"

#include "report/witness/witness_path.h"
#include "report/witness/witness_text.h"
#include "support/check.h"
#include "support/overloaded.h"
#include "support/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace heddle::report {

namespace {

std::string check_line(const WitnessTask& task, std::string_view formula) {
  return fmt::format("CHECK( init({}()), LTL({}) )", task.entry, formula);
}

/// The function whose call is the violation, as far as the witness can tell.
std::string error_function(const WitnessTask& task, const verdict::Violation* violation) {
  HEDDLE_CHECK(!task.error_functions.empty(), "a task without an error function");
  if (violation == nullptr || !violation->run)
    return task.error_functions.front();
  const program::Fault& fault = violation->run->fault;
  for (const std::string& function : task.error_functions)
    if (fault.what == function + "() is called")
      return function;
  // A failed assert() of the C library ends in a call of this one.
  return fault.kind == program::FaultKind::kAssertion ? "__assert_fail"
                                                      : task.error_functions.front();
}

std::string date_and_time(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds time{std::chrono::seconds(seconds)};
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
                     static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()),
                     clock.hours().count(),
                     clock.minutes().count(),
                     clock.seconds().count());
}

/// Made from what the witness says, so that the same witness has the same one: version 8 of RFC
/// 9562.
std::string uuid_of(std::string_view content) {
  Sha256 digest = sha256(content);
  digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0fU) | 0x80U);
  digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3fU) | 0x80U);
  const std::string hex = to_hex(digest);
  return fmt::format("{}-{}-{}-{}-{}",
                     hex.substr(0, 8),
                     hex.substr(8, 4),
                     hex.substr(12, 4),
                     hex.substr(16, 4),
                     hex.substr(20, 12));
}

WitnessHead make_head(const Subject& subject, const WitnessTask& task, std::string specification) {
  WitnessHead head;
  head.creation_time = date_and_time(task.creation_time);
  head.producer_version = task.producer_version;
  head.configuration = task.configuration;
  for (const WitnessTask::Input& input : task.inputs)
    head.inputs.push_back({input.path, to_hex(sha256(input.text))});
  head.specification = std::move(specification);
  head.is_lp64 = subject.program->data_model == ir::DataModel::kLP64;
  head.entry = task.entry;
  return head;
}

} // namespace

WitnessFormat witness_format(std::string_view path) {
  return path.ends_with(".graphml") ? WitnessFormat::kGraphml : WitnessFormat::kYaml;
}

std::optional<std::string> specification(spec::Property property,
                                         const WitnessTask& task,
                                         const verdict::Violation* violation) {
  using spec::Property;
  switch (property) {
  case Property::kReach:
    return check_line(task, fmt::format("G ! call({}())", error_function(task, violation)));
  case Property::kRace:
    return check_line(task, "G ! data-race");
  case Property::kDeadlock:
    return check_line(task, "G ! deadlock");
  case Property::kMemory:
    return check_line(task, "G valid-free") + "\n" + check_line(task, "G valid-deref") + "\n" +
           check_line(task, "G valid-memtrack");
  case Property::kCleanup:
    return check_line(task, "G valid-memcleanup");
  case Property::kOverflow:
    return check_line(task, "G ! overflow");
  case Property::kRobustness:
  case Property::kLiveness:
    return std::nullopt;
  }
  HEDDLE_CHECK(false, "no such property");
  return std::nullopt;
}

std::optional<std::string>
witness_obstacle(spec::Property property, const WitnessTask& task, WitnessFormat format) {
  if (!specification(property, task, nullptr))
    return fmt::format("there are no witnesses for the property {}", spec::to_string(property));
  for (const WitnessTask::Input& input : task.inputs)
    if (!input.path.ends_with(".c") && !input.path.ends_with(".i"))
      return fmt::format("witnesses are about C programs, and {} is none", input.path);
  if (format == WitnessFormat::kGraphml && task.inputs.size() != 1)
    return "a GraphML witness is about one input file; choose a name that ends in .yml";
  return std::nullopt;
}

std::optional<std::string> no_witness_reason(const verdict::Answer& answer) {
  using Reason = std::optional<std::string>;
  return std::visit(
      Overloaded{
          [](const verdict::Proved&) -> Reason { return std::nullopt; },
          [](const verdict::Violated&) -> Reason { return std::nullopt; },
          [](const verdict::HoldsWithinBounds&) -> Reason {
            return "what holds within bounds only is not proved";
          },
          [](const verdict::Unknown&) -> Reason { return "there is no verdict"; },
          [](const verdict::Outcomes&) -> Reason { return "a list of final states is no verdict"; },
      },
      answer);
}

Result<Witness> witness(const verdict::Verdict& verdict,
                        const Subject& subject,
                        const WitnessTask& task,
                        WitnessFormat format) {
  HEDDLE_CHECK(!no_witness_reason(verdict.answer), "a verdict without a witness");
  const auto* violated = std::get_if<verdict::Violated>(&verdict.answer);
  const verdict::Violation* violation = violated == nullptr ? nullptr : &violated->violation;
  const auto* check = std::get_if<spec::Check>(&subject.question);
  HEDDLE_CHECK(check != nullptr, "a witness of no property");
  HEDDLE_CHECK(!witness_obstacle(check->property, task, format), "a task without witnesses");

  std::optional<ViolationPath> path;
  if (violation != nullptr) {
    Result<ViolationPath> found = violation_path(*violation, subject, task);
    if (!found)
      return found.error();
    path = std::move(*found);
  }
  WitnessHead head = make_head(subject, task, *specification(check->property, task, violation));
  const auto print = [&] {
    return format == WitnessFormat::kYaml ? yaml_witness(head, path) : graphml_witness(head, path);
  };
  if (format == WitnessFormat::kYaml) {
    // The time is not part of what is said.
    const std::string time = std::exchange(head.creation_time, "");
    head.uuid = uuid_of(print());
    head.creation_time = time;
  }
  Witness result{print()};
  if (path && path->flushes > 0)
    result.note =
        fmt::format("the witness cannot tell of {} that waited in a store buffer: a "
                    "validator that only interleaves threads may reject it",
                    path->flushes == 1 ? "a write" : fmt::format("{} writes", path->flushes));
  return result;
}

} // namespace heddle::report
