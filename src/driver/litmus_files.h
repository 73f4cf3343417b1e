// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the commands for litmus tests share: finding and reading the files, and the models for them.
#pragma once

#include "driver/models.h"
#include "driver/options.h"
#include "frontend/litmus/test.h"
#include "program/program.h"
#include "support/budget.h"

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace heddle::driver {

/// The files themselves; for a folder, its .litmus files; for a name that starts with @, the lines
/// of that file. Files of a program other than its first are left out: they are linked with it.
[[nodiscard]] Result<std::vector<std::string>> litmus_files(const std::vector<std::string>& given);

/// "sc,tso" is two names.
[[nodiscard]] std::vector<std::string> split_names(const std::string& names);

struct LitmusInput {
  std::optional<frontend::litmus::Test> test;
  std::vector<Error> errors;
};
[[nodiscard]] LitmusInput read_litmus(const std::string& file, const Options& options);

/// A test, or a small C program looked at as one, with the program engines list executions of.
struct EnumerationInput {
  frontend::litmus::Test test;
  program::Program program;
};
using ReadForEnumeration = std::variant<EnumerationInput, std::vector<Error>>;
[[nodiscard]] ReadForEnumeration
read_for_enumeration(const std::string& file, const Options& options, const Budget& budget);
/// All are parsed before programs are built: a processor is faster at doing one thing many times
/// than at doing many things once.
[[nodiscard]] std::vector<ReadForEnumeration> read_for_enumeration(
    std::span<const std::string> files, const Options& options, const Budget& budget);

/// Models for tests of any vocabulary; may be asked by several threads.
class ModelCache {
public:
  explicit ModelCache(const Options& options);
  /// With --engine explicit the machine of that name, otherwise the axioms.
  [[nodiscard]] std::variant<memory::Model, std::vector<Error>>
  find(const std::string& name, const frontend::litmus::Test& test);

private:
  bool wants_machine_;
  std::string target_; // the vocabulary that C programs are lowered to; empty: the model's
  std::mutex mutex_;
  AxiomaticModels models_;
  std::map<std::string, std::string> vocabularies_; // by model: what it says it is for
};

} // namespace heddle::driver
