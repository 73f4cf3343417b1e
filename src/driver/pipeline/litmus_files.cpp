// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/litmus_files.h"

#include "driver/pipeline/litmus.h"
#include "frontend/c/load.h"
#include "frontend/litmus/parse_test.h"
#include "program/analyse/analyse.h"
#include "program/analyse/control_reach.h"
#include "program/build/build.h"
#include "support/budget_watch.h"
#include "transform/basic/inline.h"
#include "transform/basic/transform.h"
#include "transform/basic/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <dirent.h>
#include <filesystem>
#include <memory>
#include <sstream>

namespace heddle::driver {

namespace fs = std::filesystem;

bool is_litmus(std::string_view file) {
  return file.ends_with(".litmus");
}

namespace {

Error cannot_read(const std::string& file) {
  return Error{ErrorKind::kInput, "LIT-001", fmt::format("cannot read '{}'", file)};
}

std::optional<std::string> read(const std::string& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"),
                                                           &std::fclose);
  if (in == nullptr || std::setvbuf(in.get(), nullptr, _IONBF, 0) != 0) // it is read at once
    return std::nullopt;
  std::string text;
  for (std::size_t size = 0;;) {
    text.resize(size + std::max<std::size_t>(size, 4096));
    const std::size_t got = std::fread(text.data() + size, 1, text.size() - size, in.get());
    size += got;
    if (size == text.size())
      continue;
    if (std::ferror(in.get()) != 0) // such as a folder
      return std::nullopt;
    text.resize(size);
    return text;
  }
}

/// The tests of a folder, in the order of their names. A path of the library for each entry would
/// be cut into its parts, which takes longer than to parse some tests.
std::vector<std::string> tests_in(const std::string& folder) {
  std::vector<std::string> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), &closedir);
  if (entries == nullptr)
    return found;
  const std::string prefix = folder.ends_with('/') ? folder : folder + '/';
  while (const dirent* const entry = readdir(entries.get()))
    if (is_litmus(entry->d_name))
      found.push_back(prefix + entry->d_name);
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace

Result<std::vector<std::string>> litmus_files(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  bool has_program = false; // whose other files are linked with the first
  for (const std::string& name : given) {
    std::error_code error;
    if (name.starts_with('@')) {
      const std::optional<std::string> text = read(name.substr(1));
      if (!text)
        return cannot_read(name.substr(1));
      std::istringstream lines(*text);
      const fs::path folder = fs::path(name.substr(1)).parent_path();
      for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#')
          files.push_back((folder / line).string());
    } else if (fs::is_directory(name, error)) {
      const std::vector<std::string> found = tests_in(name);
      if (found.empty())
        return Error{
            ErrorKind::kInput, "LIT-003", fmt::format("there are no .litmus files in '{}'", name)};
      files.insert(files.end(), found.begin(), found.end());
    } else if (is_litmus(name) || !has_program) {
      has_program = has_program || !is_litmus(name);
      files.push_back(name);
    }
  }
  if (given.empty())
    return Error{ErrorKind::kUsage, "USE-005", "no input file given"};
  if (files.empty())
    return Error{ErrorKind::kInput, "LIT-003", "the list names no tests"};
  return files;
}

std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> result(1);
  for (const char c : names) {
    if (c == ',')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

std::vector<std::string>
models_for(const std::string& file, const frontend::litmus::Test& test, const Options& options) {
  if (!options.is_model_open || !is_litmus(file))
    return split_names(options.model);
  const bool is_lowered = test.vocabulary == "c11" && !options.target.empty();
  return {
      default_model(is_lowered ? options.target : test.vocabulary, options.engine == "explicit")};
}

LitmusInput read_litmus(const std::string& file, const Options& options) {
  const std::optional<std::string> text = read(file);
  if (!text)
    return {std::nullopt, {cannot_read(file)}};
  frontend::litmus::ParseOptions how;
  if (!options.macros.empty()) {
    const std::optional<std::string> macros = read(options.macros);
    if (!macros)
      return {std::nullopt, {cannot_read(options.macros)}};
    how.macros = *macros;
  }
  std::variant<frontend::litmus::Test, frontend::litmus::Diagnostics> parsed =
      frontend::litmus::parse(*text, file, how);
  if (auto* diagnostics = std::get_if<frontend::litmus::Diagnostics>(&parsed))
    return {std::nullopt, std::move(diagnostics->errors)};
  return {std::move(std::get<frontend::litmus::Test>(parsed)), {}};
}

namespace {

/// A C program as a test: its threads are what main starts, and all scalar globals are observed.
Result<EnumerationInput>
read_program(const std::string& file, const Options& options, const Budget& budget) {
  frontend::Options how;
  how.compiler_flags = options.compiler_flags;
  how.havoc = options.havoc;
  how.create_stores_late = options.create_stores_late;
  how.entry = options.entry;
  if (!options.data_model.empty())
    how.data_model = options.data_model == "ILP32" ? ir::DataModel::kILP32 : ir::DataModel::kLP64;
  std::vector<std::string> files{file};
  if (std::ranges::find(options.files, file) != options.files.end()) {
    for (const std::string& other : options.files)
      if (other != file && !is_litmus(other) && !other.starts_with('@') && !fs::is_directory(other))
        files.push_back(other);
  }
  Result<frontend::Loaded> loaded = frontend::load(files, how, budget);
  if (!loaded)
    return loaded.error();
  EnumerationInput input;
  input.test.name = fs::path(file).filename().string();
  input.test.architecture = "C";
  input.test.vocabulary = "c11";
  input.test.module = std::move(loaded->module);
  for (std::size_t i = 0; i < input.test.module.globals.size(); ++i) {
    const ir::GlobalId id{i};
    const ir::Global& global = input.test.module.globals[id];
    const bool is_named = std::find(options.globals.begin(), options.globals.end(), global.name) !=
                          options.globals.end();
    const bool is_ours = global.name.starts_with("__heddle") || global.name.starts_with(".");
    if (global.scalar_bits == 0 || global.is_thread_local ||
        !(is_named || (options.globals.empty() && !global.is_constant && !is_ours)))
      continue;
    input.test.observed.push_back({global.name, id, 0, global.scalar_bits, global.scalar_signed});
  }
  program::BuildOptions build;
  build.entry = options.entry;
  build.keep_registers = true;
  Result<program::Program> built = program::build(input.test.module, build);
  if (!built)
    return built.error();
  spec::Bounds bounds;
  bounds.unwind = static_cast<std::uint32_t>(options.unroll);
  input.program = std::move(*built);
  program::mark_compiled(input.program);
  program::mark_control(input.program);
  for (const std::unique_ptr<transform::Transform>& transform :
       {transform::direct_calls(),
        transform::inline_calls(transform::InlineSlots::kNone, &budget),
        transform::unroll(transform::NamedLoops::kMustExist, transform::kMostRunOut, &budget)}) {
    program::annotate(input.program, program::AliasAnalysis::kPointsTo);
    Result<transform::Transformed> next = transform->apply(input.program, bounds);
    if (!next)
      return next.error();
    if (budget.exhausted(0))
      return budget_used_up("the program is rewritten");
    input.program = std::move(next->program);
  }
  program::annotate(input.program, program::AliasAnalysis::kPointsTo);
  if (budget.exhausted(0))
    return budget_used_up("the program is analysed");
  show_accesses(input.program, false);
  return input;
}

} // namespace

ReadForEnumeration
read_for_enumeration(const std::string& file, const Options& options, const Budget& budget) {
  return std::move(read_for_enumeration(std::span(&file, 1), options, budget).front());
}

std::vector<ReadForEnumeration> read_for_enumeration(std::span<const std::string> files,
                                                     const Options& options,
                                                     const Budget& budget) {
  std::vector<ReadForEnumeration> inputs;
  inputs.reserve(files.size());
  for (const std::string& file : files) {
    if (is_litmus(file)) {
      LitmusInput read = read_litmus(file, options);
      if (read.test)
        inputs.emplace_back(EnumerationInput{std::move(*read.test), {}});
      else
        inputs.emplace_back(std::move(read.errors));
    } else if (Result<EnumerationInput> input = read_program(file, options, budget); input) {
      inputs.emplace_back(std::move(*input));
    } else {
      inputs.emplace_back(std::vector<Error>{input.error()});
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto* const input = std::get_if<EnumerationInput>(&inputs[i]);
    if (input == nullptr || !is_litmus(files[i]))
      continue;
    Result<program::Program> program =
        litmus_program(input->test, static_cast<std::uint32_t>(options.unroll), &budget);
    if (program)
      input->program = std::move(*program);
    else
      inputs[i] = std::vector<Error>{program.error()};
  }
  return inputs;
}

ModelCache::ModelCache(const Options& options)
    : wants_machine_(options.engine == "explicit"), target_(options.target),
      models_(options.include,
              {options.variants.begin(), options.variants.end()},
              options.command == kExecutions) {}

const std::string& ModelCache::vocabulary_of(const std::string& name) {
  const auto known = vocabularies_.find(name);
  return known != vocabularies_.end()
             ? known->second
             : vocabularies_.emplace(name, model_vocabulary(name)).first->second;
}

bool ModelCache::is_for_one(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return vocabulary_of(name) != "any";
}

std::variant<memory::Model, std::vector<Error>>
ModelCache::find(const std::string& name, const frontend::litmus::Test& test) {
  const auto refuse = [](std::string why) {
    return std::vector<Error>{Error{ErrorKind::kUsage, "LIT-902", std::move(why)}};
  };
  if (wants_machine_) {
    if (!target_.empty())
      return refuse("machines know no processor; leave out --target or --engine explicit");
    Result<memory::Model> model = memory::find_model(name);
    if (model)
      return std::move(*model);
    Error error = model.error();
    if (std::ranges::binary_search(model_names(), name))
      error.message = fmt::format(
          "the model '{}' has axioms only; --engine explicit takes --model sc, tso or pso", name);
    return std::vector<Error>{std::move(error)};
  }
  if (!memory::find_vocabulary(test.vocabulary))
    return std::vector<Error>{
        Error{ErrorKind::kUnsupported,
              "LIT-002",
              fmt::format("{}: no model is known for {}", test.name, test.architecture)}};
  const std::lock_guard lock(mutex_);
  const std::string& meant = vocabulary_of(name);
  const bool is_for_all = meant.empty() || meant == "any";
  const std::string& goal = !target_.empty() ? target_ : is_for_all ? test.vocabulary : meant;
  const std::optional<memory::Vocabulary> vocabulary = memory::find_vocabulary(goal);
  if (!is_for_all && goal != meant)
    return refuse(fmt::format("{} is a model for {}, not for {}", name, meant, goal));
  if (goal != test.vocabulary && test.vocabulary != "c11")
    return refuse(fmt::format("{} is written for {}, and {}",
                              test.name,
                              test.vocabulary,
                              target_.empty() ? fmt::format("{} is a model for {}", name, meant)
                                              : fmt::format("only C is lowered to {}", goal)));
  if (!vocabulary || (goal != test.vocabulary && !transform::can_lower_to(*vocabulary)))
    return refuse(fmt::format("no lowering from C to {} is known; {} is written in C, and {} is a "
                              "model for {}",
                              goal,
                              test.name,
                              name,
                              meant.empty() ? "any" : meant));
  if (is_for_all && target_.empty() && *vocabulary == memory::Vocabulary::kC11)
    return models_.find_for_c(name);
  return models_.find(name, *vocabulary);
}

} // namespace heddle::driver
