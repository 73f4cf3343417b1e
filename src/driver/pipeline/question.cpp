// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/question.h"

#include "driver/options/models.h"
#include "driver/pipeline/litmus_files.h"
#include "driver/pipeline/usage.h"
#include "frontend/c/task_file.h"
#include "spec/property.h"
#include "support/check.h"
#include "transform/basic/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::driver {

namespace {

bool ends_with(const std::string& text, std::string_view ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

/// Nothing for what we cannot check at all.
std::optional<spec::Property> property_of(frontend::TaskProperty property) {
  using frontend::TaskProperty;
  switch (property) {
  case TaskProperty::kUnreachCall:
    return spec::Property::kReach;
  case TaskProperty::kNoDataRace:
    return spec::Property::kRace;
  case TaskProperty::kNoOverflow:
    return spec::Property::kOverflow;
  case TaskProperty::kValidMemsafety:
    return spec::Property::kMemory;
  case TaskProperty::kValidMemcleanup:
    return spec::Property::kCleanup;
  case TaskProperty::kNoDeadlock:
    return spec::Property::kDeadlock;
  case TaskProperty::kTermination:
    return std::nullopt;
  }
  HEDDLE_CHECK(false, "no such task property");
  return std::nullopt;
}

/// What a property file says beside the property itself.
void apply(const frontend::PropertyFile& file, const Options& options, frontend::Options& load) {
  if (options.entry == "main")
    load.entry = file.entry;
  if (file.property == frontend::TaskProperty::kUnreachCall && !file.error_function.empty()) {
    load.error_functions = {file.error_function};
    // The competition's reading: a failed assert only ends the program, unless it is what is asked
    // about.
    load.assert_is_error = file.error_function == "__assert_fail";
  }
}

Error unsupported(const std::string& path, const frontend::PropertyFile& file) {
  return Error{ErrorKind::kUnsupported,
               "TASK-020",
               fmt::format("the property {} cannot be checked", frontend::name(file.property)),
               path};
}

/// The question of the task that the command line means.
Result<spec::Property>
choose(const frontend::TaskFile& task, const Options& options, frontend::Options& load) {
  std::optional<spec::Property> wanted;
  if (!options.property.empty()) {
    Result<spec::Property> parsed = spec::parse_property(options.property);
    if (!parsed)
      return parsed.error();
    wanted = *parsed;
  }
  std::vector<const frontend::TaskQuestion*> candidates;
  std::string names;
  for (const frontend::TaskQuestion& question : task.questions) {
    if (!question.property) {
      if (wanted)
        continue; // the property has a name, so that its file is not needed
      return question.property.error();
    }
    const std::optional<spec::Property> property = property_of(question.property->property);
    if (!property || (wanted && *property != *wanted))
      continue;
    candidates.push_back(&question);
    names += (names.empty() ? "" : ", ") + spec::to_string(*property);
  }
  if (candidates.empty()) {
    if (wanted)
      return *wanted; // the task says nothing of it: the program is checked all the same
    if (!task.questions.empty())
      return unsupported(task.questions.front().property_path, *task.questions.front().property);
    return spec::Property::kReach;
  }
  if (candidates.size() > 1 && !wanted)
    return usage("USE-007",
                 fmt::format("{} asks for several properties; choose with --property one of {}",
                             options.files.front(),
                             names));
  apply(*candidates.front()->property, options, load);
  return *property_of(candidates.front()->property->property);
}

Result<spec::Property> read_property(const Options& options, frontend::Options& load) {
  if (options.property.empty())
    return spec::Property::kReach;
  if (!ends_with(options.property, ".prp"))
    return spec::parse_property(options.property);
  Result<frontend::PropertyFile> file = frontend::read_property_file(options.property);
  if (!file)
    return file.error();
  const std::optional<spec::Property> property = property_of(file->property);
  if (!property)
    return unsupported(options.property, *file);
  apply(*file, options, load);
  return *property;
}

/// The test itself, if that is what is asked about.
Result<std::optional<frontend::litmus::Test>> read_test(const Options& options) {
  std::optional<frontend::litmus::Test> none;
  if (std::ranges::none_of(options.files,
                           [](const std::string& file) { return ends_with(file, ".litmus"); }))
    return none;
  if (options.files.size() != 1 || options.command != kVerify)
    return usage("USE-014",
                 options.command == kVerify ? "verify takes one litmus test at a time"
                                            : "litmus tests are for verify, litmus and executions");
  LitmusInput read = read_litmus(options.files.front(), options);
  if (!read.test)
    return read.errors.front();
  return std::move(read.test);
}

/// A machine of that name takes every test; axioms take what is written for them, and C.
Result<memory::Model> model_for_test(const Options& options, const frontend::litmus::Test& test) {
  const std::string name = options.is_model_open
                               ? models_for(options.files.front(), test, options).front()
                               : options.model;
  Result<memory::Model> machine = memory::find_model(name);
  if (machine)
    return machine;
  ModelCache cache(options);
  std::variant<memory::Model, std::vector<Error>> found = cache.find(name, test);
  if (const auto* errors = std::get_if<std::vector<Error>>(&found))
    return errors->front();
  auto& model = std::get<memory::Model>(found);
  // Compilers have no part in tests that are written for the model.
  model.is_weak = memory::to_string(model.vocabulary) != test.vocabulary;
  return std::move(model);
}

/// A machine of that name, or else the axioms, for the vocabulary that the model is for.
Result<memory::Model> model_for_programs(const Options& options) {
  Result<memory::Model> machine = memory::find_model(options.model);
  if (machine || options.command != kVerify)
    return machine;
  const std::string meant = model_vocabulary(options.model);
  const bool is_for_all = meant.empty() || meant == "any";
  const std::string goal = options.target.empty() && !is_for_all ? meant : options.target;
  const std::optional<memory::Vocabulary> known = memory::find_vocabulary(goal);
  if (!is_for_all && goal != meant)
    return usage("USE-013",
                 fmt::format("{} is a model for {}, not for {}", options.model, meant, goal));
  if (!goal.empty() &&
      (!known || (*known != memory::Vocabulary::kC11 && !transform::can_lower_to(*known))))
    return usage("USE-013",
                 fmt::format("{} is a model for {}, and no lowering from C to that is known",
                             options.model,
                             goal));
  AxiomaticModels models(options.include, {options.variants.begin(), options.variants.end()}, true);
  std::variant<memory::Model, std::vector<Error>> found =
      known ? models.find(options.model, *known) : models.find_for_c(options.model);
  if (const auto* errors = std::get_if<std::vector<Error>>(&found))
    return errors->front();
  auto& model = std::get<memory::Model>(found);
  // A model of C is about compilers, too.
  model.is_weak = model.vocabulary != memory::Vocabulary::kC11;
  return std::move(model);
}

} // namespace

Result<Asked> understand_question(const Options& options) {
  if (options.files.empty())
    return usage("USE-005", "no input file given");
  Asked asked;
  asked.files = options.files;
  asked.load.compiler_flags = options.compiler_flags;
  asked.load.havoc = options.havoc;
  asked.load.create_stores_late = options.create_stores_late;
  asked.load.entry = options.entry;
  if (!options.data_model.empty())
    asked.load.data_model =
        options.data_model == "ILP32" ? ir::DataModel::kILP32 : ir::DataModel::kLP64;
  const Result<std::optional<frontend::litmus::Test>> test = read_test(options);
  if (!test)
    return test.error();
  Result<memory::Model> model =
      *test ? model_for_test(options, **test) : model_for_programs(options);
  if (!model)
    return model.error();
  asked.model = std::move(*model);
  if (*test && !asked.model.machine) // machines take assembly for what it says in terms of C
    asked.vocabulary = (*test)->vocabulary;

  spec::Property property = spec::Property::kReach;
  const bool has_task = std::ranges::any_of(options.files, [](const std::string& file) {
    return ends_with(file, ".yml") || ends_with(file, ".yaml");
  });
  if (has_task) {
    if (options.files.size() != 1)
      return usage("USE-006", "a .yml task names its own input files: give it alone");
    Result<frontend::TaskFile> task = frontend::read_task(options.files.front());
    if (!task)
      return task.error();
    asked.files = task->input_files;
    if (!asked.load.data_model)
      asked.load.data_model = task->data_model;
    Options named = options;
    if (ends_with(options.property, ".prp")) {
      Result<spec::Property> read = read_property(options, asked.load);
      if (!read)
        return read.error();
      named.property = spec::to_string(*read);
    }
    Result<spec::Property> chosen = choose(*task, named, asked.load);
    if (!chosen)
      return chosen.error();
    property = *chosen;
  } else {
    Result<spec::Property> read = read_property(options, asked.load);
    if (!read)
      return read.error();
    property = *read;
  }
  if (options.command == kOutcomes)
    asked.question = spec::Enumerate{options.globals};
  else
    asked.question = spec::Check{property};
  return asked;
}

} // namespace heddle::driver
