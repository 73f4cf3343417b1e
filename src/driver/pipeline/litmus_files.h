// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the commands for litmus tests share: finding and reading the files, and the models for them.
#pragma once

#include "driver/options/models.h"
#include "driver/options/options.h"
#include "frontend/litmus/shared/test.h"
#include "program/model/program.h"
#include "support/budget.h"

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::driver {

/// The files themselves; for a folder, its .litmus files; for a name that starts with @, the lines
/// of that file. Files of a program other than its first are left out: they are linked with it.
[[nodiscard]] Result<std::vector<std::string>> litmus_files(const std::vector<std::string>& given);

[[nodiscard]] bool is_litmus(std::string_view file);

/// "sc,tso" is two names.
[[nodiscard]] std::vector<std::string> split_names(const std::string& names);

/// The models that a file is asked under: those of --model; without it, for a litmus test that of
/// its architecture (or of the processor that --target translates it to), for a program sc.
[[nodiscard]] std::vector<std::string>
models_for(const std::string& file, const frontend::litmus::Test& test, const Options& options);

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
  /// Is it written for tests of one vocabulary (or does its file not say), rather than for all?
  [[nodiscard]] bool is_for_one(const std::string& name);

private:
  [[nodiscard]] const std::string& vocabulary_of(const std::string& name);

  bool wants_machine_;
  std::string target_; // the vocabulary that C programs are lowered to; empty: the model's
  std::mutex mutex_;
  AxiomaticModels models_;
  std::map<std::string, std::string> vocabularies_; // by model: what it says it is for
};

} // namespace heddle::driver
