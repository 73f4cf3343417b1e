// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// SV-COMP task files (.yml, format versions 1.0 and 2.0) and property files (.prp): what is to be
// checked on which inputs, and what answer is expected. Knows nothing of how a property is checked.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

enum class TaskProperty : std::uint8_t {
  kUnreachCall,     // G ! call(f())
  kNoDataRace,      // G ! data-race
  kNoOverflow,      // G ! overflow
  kValidMemsafety,  // G valid-free, valid-deref, valid-memtrack (or some of them)
  kValidMemcleanup, // G valid-memcleanup
  kTermination,     // F end: recognised, so that it can be refused by name
  kNoDeadlock,      // G ! deadlock
};

[[nodiscard]] std::string_view name(TaskProperty property);

/// The content of one property file.
struct PropertyFile {
  TaskProperty property = TaskProperty::kUnreachCall;
  std::string entry = "main";      // from init(…)
  std::string error_function = {}; // of kUnreachCall
  std::vector<std::string> parts =
      {}; // of kValidMemsafety: the valid-* that are asked, in the file's order
};

/// One property of a task with its expected answer, if the task states one.
struct TaskQuestion {
  Result<PropertyFile> property; // an error where the file cannot be read: whoever asks gets it
  std::string property_path;
  std::optional<bool> expected_verdict = {};
  std::string subproperty =
      {}; // which part is violated, if expected_verdict is false and the file says so
};

struct TaskFile {
  std::vector<std::string> input_files; // paths as given, resolved against the task file's folder
  ir::DataModel data_model = ir::DataModel::kILP32;
  std::string language = "C";
  std::vector<TaskQuestion> questions;
};

/// Reads a task and those of the property files it names that are there.
[[nodiscard]] Result<TaskFile> read_task(const std::string& path);
[[nodiscard]] Result<PropertyFile> read_property_file(const std::string& path);
/// `file_name` is used in messages only.
[[nodiscard]] Result<PropertyFile> parse_property(std::string_view text,
                                                  std::string_view file_name);

} // namespace heddle::frontend
