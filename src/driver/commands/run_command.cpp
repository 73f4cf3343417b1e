// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/run_command.h"

#include "driver/commands/commands.h"
#include "driver/options/models.h"
#include "driver/output/reporting.h"
#include "driver/pipeline/engines.h"
#include "memory/model.h"

#include <fmt/format.h>

#include <ostream>

namespace heddle::driver {

namespace {

Result<ExitCode> run_command(const Options& options, const Console& console) {
  switch (options.command) {
  case kVerify:
  case kOutcomes:
    return run_verify(options, console);
  case kLitmus:
  case kExecutions:
    return run_litmus_command(options, console);
  case kCompare:
    return run_compare(options, console);
  case kLinearizable:
    return run_linearizable(options, console);
  case kTranslate:
    return run_translate(options, console);
  case kReplay:
    return run_replay(options, console);
  case kRecheck:
    return run_recheck(options, console);
  case kModels:
    return run_models(console);
  case kEngines:
    return run_engines(options, console);
  case kOptionTable:
    console.out << option_table_markdown();
    return ExitCode::kProved;
  case kNone:
    break;
  }
  HEDDLE_CHECK(false, "no such command");
  return ExitCode::kOurBug;
}

} // namespace

ExitCode run_models(const Console& console) {
  console.out << "by a machine (verify, outcomes):\n";
  for (const memory::Model& model : memory::built_in_models())
    console.out << fmt::format("  {:<7} {}\n", model.name, model.description);
  console.out << "by axioms (verify, litmus, executions, compare; or any .cat file):\n";
  for (const std::string& name : model_names())
    console.out << fmt::format("  {:<7} {}\n", name, model_title(name));
  console.out << "other names:\n";
  for (const auto& [other, name] : model_aliases())
    console.out << fmt::format("  {:<7} {}\n", other, name);
  return ExitCode::kProved;
}

ExitCode run_engines(const Options& options, const Console& console) {
  const engine::Registry registry = all_engines(options);
  for (const auto& engine : registry.engines())
    console.out << fmt::format("{:<10} {}\n", engine->name(), engine->description());
  return ExitCode::kProved;
}

int run(std::span<const std::string> arguments, const Console& console) {
  Result<CommandLine> line = parse_command_line(arguments);
  if (!line) {
    console.complain(line.error());
    return static_cast<int>(exit_code(line.error()));
  }
  Result<ExitCode> code = ExitCode::kProved;
  if (!line->print.empty())
    console.out << line->print;
  else
    code = run_command(line->options, console);
  if (code)
    if (const Status printed = print_output("", console); !printed)
      code = printed.error();
  if (!code) {
    console.complain(code.error());
    return static_cast<int>(exit_code(code.error()));
  }
  return static_cast<int>(*code);
}

} // namespace heddle::driver
