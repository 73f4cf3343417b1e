// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The command line, read: options.def as a struct, the files and the flags for the compiler.
#pragma once

#include "spec/task.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::driver {

/// Bits, so that the table can say which commands take an option.
enum CommandBit : std::uint16_t {
  kNone = 0,
  kVerify = 1,
  kOutcomes = 2,
  kTranslate = 4,
  kReplay = 8,
  kModels = 16,
  kEngines = 32,
  kOptionTable = 64,
  kLitmus = 128,
  kCompare = 256,
  kExecutions = 512,
  kLinearizable = 1024,
  kRecheck = 2048,
};

struct Options {
#define HEDDLE_FLAG(field, name, owner, commands, text) bool field = false;
#define HEDDLE_TEXT(field, name, initial, placeholder, owner, commands, text)                      \
  std::string field = initial;
#define HEDDLE_CHOICE(field, name, initial, choices, owner, commands, text)                        \
  std::string field = initial;
#define HEDDLE_NUMBER(field, name, initial, low, high, owner, commands, text)                      \
  std::uint64_t field = initial;
#define HEDDLE_DECIMAL(field, name, initial, low, high, owner, commands, text)                     \
  double field = initial;
#define HEDDLE_BOUND(field, name, initial, low, high, owner, commands, text)                       \
  std::uint64_t field = initial;                                                                   \
  std::vector<spec::LoopBound> field##_loops = {};
#define HEDDLE_LIST(field, name, placeholder, owner, commands, text)                               \
  std::vector<std::string> field = {};
#include "driver/options/options.def"
#include "driver/options/options_undefine.h"
  CommandBit command = kNone;
  /// --model was not given: what `model` says holds for programs, and a litmus test has a model of
  /// its own.
  bool is_model_open = false;
  std::vector<std::string> files = {};
  std::vector<std::string> compiler_flags = {}; // after --
};

/// One line of the table, for help texts and documentation.
struct OptionRow {
  std::string name;
  std::string value; // "NAME", "ILP32|LP64", "N"; empty for a flag
  std::string initial;
  std::string owner;
  unsigned commands = 0;
  std::string text;
};
[[nodiscard]] std::vector<OptionRow> option_table();
/// docs/options.md.
[[nodiscard]] std::string option_table_markdown();

/// What the command line asks for: a command to carry out, or a text to print (help, version) and
/// leave.
struct CommandLine {
  Options options;
  std::string print = {};
};
/// `arguments` without the program's name.
[[nodiscard]] Result<CommandLine> parse_command_line(std::span<const std::string> arguments);

/// "0.1.0"
[[nodiscard]] std::string version();

} // namespace heddle::driver
