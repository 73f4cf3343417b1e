// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/write_witness.h"

#include "report/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace heddle::driver {

namespace {

Error refusal(std::string message) {
  return Error{ErrorKind::kUsage, "USE-012", std::move(message)};
}

/// Now, or what SOURCE_DATE_EPOCH says, by which builds that are to be repeatable set the time.
Result<std::int64_t> creation_time() {
  const char* fixed = std::getenv("SOURCE_DATE_EPOCH");
  if (fixed == nullptr || *fixed == '\0')
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  constexpr std::int64_t kEndOfYear9999 = 253'402'300'799;
  const std::string_view text = fixed;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || seconds < 0 ||
      seconds > kEndOfYear9999)
    return refusal(fmt::format("SOURCE_DATE_EPOCH is '{}': expected seconds since 1970", text));
  return seconds;
}

Result<std::string> read(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    return Error{ErrorKind::kInput, "LOAD-001", "is a folder, not a file", path};
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return Error{
        ErrorKind::kInput, "LOAD-001", std::string("cannot read: ") + std::strerror(errno), path};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

} // namespace

Result<report::WitnessTask> prepare_witness(const Options& options, const Asked& asked) {
  if (!asked.model.machine)
    return refusal("--witness: the formats know schedules only, and a violation under '" +
                   asked.model.name + "' is an execution; --json and --html have it");
  report::WitnessTask task;
  task.entry = asked.load.entry;
  task.error_functions = asked.load.error_functions;
  task.producer_version = version();
  task.configuration = "--model " + asked.model.name;
  for (const std::string& file : asked.files) {
    Result<std::string> text = read(file);
    if (!text)
      return text.error();
    task.inputs.push_back({file, std::move(*text)});
  }
  if (const std::optional<std::string> obstacle =
          report::witness_obstacle(std::get<spec::Check>(asked.question).property,
                                   task,
                                   report::witness_format(options.witness)))
    return refusal("--witness: " + *obstacle);
  Result<std::int64_t> time = creation_time();
  if (!time)
    return time.error();
  task.creation_time = *time;
  return task;
}

Status write_witness(const Options& options,
                     const report::WitnessTask& task,
                     const verdict::Verdict& verdict,
                     const report::Subject& subject,
                     const Console& console) {
  if (const std::optional<std::string> reason = report::no_witness_reason(verdict.answer)) {
    console.say(fmt::format("heddle: no witness is written to {}: {}", options.witness, *reason));
    return Done{};
  }
  const Result<report::Witness> witness =
      report::witness(verdict, subject, task, report::witness_format(options.witness));
  if (!witness)
    return witness.error();
  if (!witness->note.empty())
    console.say("heddle: note: " + witness->note);
  return report::write_file(options.witness, witness->text);
}

} // namespace heddle::driver
