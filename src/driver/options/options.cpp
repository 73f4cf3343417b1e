// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/options/options.h"

#include "driver/options/models.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heddle::driver {

namespace {

struct CommandRow {
  CommandBit bit;
  const char* name;
  const char* text;
  bool takes_files;
};
constexpr CommandRow kCommands[] = {
    {kVerify, "verify", "check a property of a program", true},
    {kOutcomes, "outcomes", "list the final states of a program's globals", true},
    {kLitmus, "litmus", "list the final states and count the executions of litmus tests", true},
    {kCompare,
     "compare",
     "say what differs between models on a litmus test or a small program",
     true},
    {kExecutions, "executions", "list the executions of a small C program", true},
    {kLinearizable,
     "linearizable",
     "check that a concurrent object behaves like a sequential one",
     true},
    {kTranslate, "translate", "print a program in another language", true},
    {kReplay, "replay", "run a violation again that --json saved", true},
    {kRecheck,
     "recheck",
     "check the certificate of a proof that --proof saved: FILE PROGRAM...",
     true},
    {kModels, "models", "list the memory models", false},
    {kEngines, "engines", "list the engines", false},
    {kOptionTable, "options", "print the table of options as Markdown", false},
};

Error usage(std::string code, std::string message) {
  return Error{ErrorKind::kUsage, std::move(code), std::move(message)};
}

std::string plain(std::uint64_t number) {
  return std::to_string(number);
}
std::string plain(double number) {
  return fmt::format("{}", number);
}

/// The texts given for each option, before they are understood.
struct Given {
  std::vector<std::string> values;
  bool is_set = false; // flags
};

Result<std::uint64_t>
number(const std::string& name, const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
    return usage(
        "USE-003",
        fmt::format("--{} expects a whole number from {} to {}, got '{}'", name, low, high, text));
  return value;
}

/// FILE:LINE=N
Result<spec::LoopBound> loop_bound(const std::string& name,
                                   const std::string& text,
                                   std::uint64_t low,
                                   std::uint64_t high) {
  const std::size_t equals = text.rfind('=');
  const std::size_t colon = text.rfind(':', equals);
  if (colon == std::string::npos || colon == 0)
    return usage(
        "USE-010",
        fmt::format("--{} expects FILE:LINE=N for the bound of one loop, got '{}'", name, text));
  spec::LoopBound bound;
  bound.file = text.substr(0, colon);
  const auto line =
      number(name + " FILE:LINE", text.substr(colon + 1, equals - colon - 1), 1, UINT32_MAX);
  if (!line)
    return line.error();
  const auto count = number(name + " FILE:LINE=N", text.substr(equals + 1), low, high);
  if (!count)
    return count.error();
  bound.line = static_cast<std::uint32_t>(*line);
  bound.unwind = static_cast<std::uint32_t>(*count);
  return bound;
}

Result<double> decimal(const std::string& name, const std::string& text, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) ||
      value < low || value > high)
    return usage(
        "USE-003",
        fmt::format("--{} expects a number from {} to {}, got '{}'", name, low, high, text));
  return value;
}

Result<std::string>
choice(const std::string& name, const std::string& text, const std::string& choices) {
  std::size_t from = 0;
  while (from <= choices.size()) {
    const std::size_t to = std::min(choices.find('|', from), choices.size());
    if (choices.compare(from, to - from, text) == 0)
      return text;
    from = to + 1;
  }
  return usage("USE-004", fmt::format("--{} expects {}, got '{}'", name, choices, text));
}

/// Fills the struct from what was given.
Status understand(const std::map<std::string, Given>& given, Options& options) {
  const auto value_of = [&](const char* name) -> const std::string* {
    const auto found = given.find(name);
    return found == given.end() || found->second.values.empty() ? nullptr
                                                                : &found->second.values.back();
  };
#define HEDDLE_FLAG(field, name, owner, commands, text)                                            \
  if (const auto found = given.find(name); found != given.end())                                   \
    options.field = found->second.is_set;
#define HEDDLE_TEXT(field, name, initial, placeholder, owner, commands, text)                      \
  if (const std::string* value = value_of(name))                                                   \
    options.field = *value;
#define HEDDLE_CHOICE(field, name, initial, choices, owner, commands, text)                        \
  if (const std::string* value = value_of(name)) {                                                 \
    Result<std::string> understood = choice(name, *value, choices);                                \
    if (!understood)                                                                               \
      return understood.error();                                                                   \
    options.field = *understood;                                                                   \
  }
#define HEDDLE_NUMBER(field, name, initial, low, high, owner, commands, text)                      \
  if (const std::string* value = value_of(name)) {                                                 \
    Result<std::uint64_t> understood = number(name, *value, low, high);                            \
    if (!understood)                                                                               \
      return understood.error();                                                                   \
    options.field = *understood;                                                                   \
  }
#define HEDDLE_DECIMAL(field, name, initial, low, high, owner, commands, text)                     \
  if (const std::string* value = value_of(name)) {                                                 \
    Result<double> understood = decimal(name, *value, low, high);                                  \
    if (!understood)                                                                               \
      return understood.error();                                                                   \
    options.field = *understood;                                                                   \
  }
#define HEDDLE_BOUND(field, name, initial, low, high, owner, commands, text)                       \
  if (const auto found = given.find(name); found != given.end())                                   \
    for (const std::string& value : found->second.values) {                                        \
      if (value.find('=') != std::string::npos) {                                                  \
        Result<spec::LoopBound> understood = loop_bound(name, value, low, high);                   \
        if (!understood)                                                                           \
          return understood.error();                                                               \
        options.field##_loops.push_back(*understood);                                              \
        continue;                                                                                  \
      }                                                                                            \
      Result<std::uint64_t> understood = number(name, value, low, high);                           \
      if (!understood)                                                                             \
        return understood.error();                                                                 \
      options.field = *understood;                                                                 \
    }
#define HEDDLE_LIST(field, name, placeholder, owner, commands, text)                               \
  if (const auto found = given.find(name); found != given.end())                                   \
    options.field = found->second.values;
#include "driver/options/options.def"
#include "driver/options/options_undefine.h"
  return Done{};
}

bool is_command(const std::string& word) {
  return std::ranges::any_of(kCommands, [&](const CommandRow& row) { return word == row.name; });
}

std::string command_list() {
  std::string names;
  for (const CommandRow& row : kCommands)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  return names;
}

const char* const kDescription =
    "heddle verifies concurrent C under sequential consistency and weak memory models";

/// The parser's words, as one sentence of ours.
std::string first_line(std::string text) {
  text.erase(std::min(text.find('\n'), text.size()));
  return text;
}

} // namespace

std::string version() {
  return HEDDLE_VERSION;
}

std::vector<OptionRow> option_table() {
  std::vector<OptionRow> rows;
#define HEDDLE_FLAG(field, name, owner, commands, text)                                            \
  rows.push_back({name, "", "", owner, commands, text});
#define HEDDLE_TEXT(field, name, initial, placeholder, owner, commands, text)                      \
  rows.push_back({name, placeholder, initial, owner, commands, text});
#define HEDDLE_CHOICE(field, name, initial, choices, owner, commands, text)                        \
  rows.push_back({name, choices, initial, owner, commands, text});
#define HEDDLE_NUMBER(field, name, initial, low, high, owner, commands, text)                      \
  rows.push_back({name, "N", plain(std::uint64_t{initial}), owner, commands, text});
#define HEDDLE_DECIMAL(field, name, initial, low, high, owner, commands, text)                     \
  rows.push_back({name, "N", plain(double{initial}), owner, commands, text});
#define HEDDLE_BOUND(field, name, initial, low, high, owner, commands, text)                       \
  rows.push_back({name, "N|FILE:LINE=N", plain(std::uint64_t{initial}), owner, commands, text});
#define HEDDLE_LIST(field, name, placeholder, owner, commands, text)                               \
  rows.push_back({name, placeholder, "", owner, commands, text});
#include "driver/options/options.def"
#include "driver/options/options_undefine.h"
  return rows;
}

std::string option_table_markdown() {
  std::string out =
      "# Options\n\n"
      "Made by `heddle options` from `src/driver/options/options.def`; do not edit.\n\n"
      "```\nheddle COMMAND FILE... [OPTIONS] [-- FLAGS FOR THE COMPILER]\n```\n\n"
      "| Command | What it does |\n|---|---|\n";
  for (const CommandRow& row : kCommands)
    out += fmt::format("| `{}` | {} |\n", row.name, row.text);
  out += "\n| Option | Default | Commands | Library | What it does |\n|---|---|---|---|---|\n";
  for (const OptionRow& row : option_table()) {
    std::string commands;
    for (const CommandRow& command : kCommands)
      if ((row.commands & command.bit) != 0)
        commands += fmt::format("{}{}", commands.empty() ? "" : ", ", command.name);
    std::string value = row.value;
    for (std::size_t at = value.find('|'); at != std::string::npos; at = value.find('|', at + 2))
      value.insert(at, "\\");
    out += fmt::format("| `--{}{}` | {} | {} | `{}` | {} |\n",
                       row.name,
                       value.empty() ? "" : " " + value,
                       row.initial.empty() ? "" : "`" + row.initial + "`",
                       commands,
                       row.owner,
                       row.text);
  }
  out +=
      "\nA verdict line says which model was used. A `.yml` task (SV-COMP's format) brings its "
      "files, property and data "
      "model; the model is then `sc`.\n\n"
      "`--time` counts from the start, the compiler included; `litmus`, `executions` and `compare` "
      "give each test and model so much. What does not stop by itself is ended a second and a "
      "tenth after the limit, and a second after an interrupt (Ctrl-C, SIGTERM; at once by the "
      "next one), by a watchdog that prints what is known and leaves with the exit code that "
      "belongs to it: a violation that was confirmed by then, without its run, or what holds "
      "within "
      "the last bounds that were gone through. Memory is limited in every command that takes "
      "`--time`, also in those without `--memory`; what the limit is when it is not given is told "
      "by `-v`, and by an `UNKNOWN` that it causes.\n\n"
      "Bounds that are not given grow as long as they cut runs. With `--time` only time, memory or "
      "the size of the program ends that; another engine that has its turn afterwards "
      "(`--engine auto`) takes over after 64 iterations of a loop. Without `--time` growing ends "
      "at "
      "64 iterations (1,024 in small formulas, and for the bounded engine), 16 rounds, 64 writes, "
      "queues of 16, 128 points in time, 1,024 cells and 256 allocations, and a note says so. A "
      "verdict is about the last bounds that were gone through to their end; where none was, it is "
      "`UNKNOWN`.\n"
      "\n| Exit code | Meaning |\n|---|---|\n"
      "| 0 | proved; all final states listed |\n"
      "| 1 | holds within bounds; `outcomes`, `compare`: states may be missing; `litmus`, "
      "`executions`: a bound cuts every execution |\n"
      "| 2 | wrong usage |\n"
      "| 3 | bad or unsupported input (also a program that no engine takes, or that cannot be "
      "judged "
      "with larger bounds), or an output file that cannot be written |\n"
      "| 10 | assertion or error call; a litmus test that is not what it says it is |\n"
      "| 11 | data race |\n"
      "| 12 | deadlock |\n"
      "| 13 | memory safety, clean-up |\n"
      "| 14 | signed overflow |\n"
      "| 15 | liveness |\n"
      "| 16 | not linearizable |\n"
      "| 17 | not robust |\n"
      "| 30 | unknown, or interrupted |\n"
      "| 31 | unknown: time |\n"
      "| 32 | unknown: memory |\n"
      "| 70 | a bug in Heddle |\n";
  return out;
}

Result<CommandLine> parse_command_line(std::span<const std::string> arguments) {
  CommandLine line;
  std::vector<std::string> words(arguments.begin(), arguments.end());
  if (const auto dashes = std::ranges::find(words, "--"); dashes != words.end()) {
    line.options.compiler_flags.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }

  CLI::App app(kDescription, "heddle");
  app.set_version_flag("--version", "heddle " + version());
  app.require_subcommand(0, 1);
  std::map<std::string, Given> given;
  std::map<CommandBit, CLI::App*> commands;
  for (const CommandRow& row : kCommands) {
    CLI::App* command = app.add_subcommand(row.name, row.text);
    commands[row.bit] = command;
    // The options of a command that is not given are never asked for.
    if (!words.empty() && words.front() != row.name && is_command(words.front()))
      continue;
    if (row.takes_files)
      command->add_option("files", line.options.files, "input files");
    for (const OptionRow& option : option_table()) {
      if ((option.commands & row.bit) == 0)
        continue;
      const std::string name = "--" + option.name + (option.name == "verbose" ? ",-v" : "");
      const std::string text =
          option.text + (option.initial.empty() ? "" : " (default " + option.initial + ")");
      Given& target = given[option.name];
      if (option.value.empty())
        command->add_flag(name, target.is_set, text);
      else
        command->add_option(name, target.values, text)
            ->type_name(option.value)
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false);
    }
  }
  std::ranges::reverse(words);
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    line.print = app.help("");
    for (const auto& [bit, command] : commands)
      if (command->parsed())
        line.print = command->help("heddle");
    return line;
  } catch (const CLI::CallForVersion&) {
    line.print = "heddle " + version() + "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    return usage("USE-001", first_line(error.what()) + "; heddle --help lists the options");
  }
  for (const auto& [bit, command] : commands)
    if (command->parsed())
      line.options.command = bit;
  if (line.options.command == kNone)
    return usage("USE-002", "no command given; expected one of " + command_list());
  if (const Status status = understand(given, line.options); !status)
    return status.error();
  const auto asked = given.find("model");
  line.options.is_model_open = asked == given.end() || asked->second.values.empty();
  line.options.model = without_aliases(line.options.model);
  line.options.models = without_aliases(line.options.models);
  return line;
}

} // namespace heddle::driver
