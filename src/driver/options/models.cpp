// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/options/models.h"

#include "memory/cat/load_model.h"
#include "memory/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace heddle::driver {

namespace fs = std::filesystem;

fs::path models_folder() {
  // Beside an installed binary, or where the sources are.
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = self.parent_path().parent_path() / "share" / "heddle" / "models";
  if (!error && fs::is_directory(installed, error))
    return installed;
  return HEDDLE_MODELS_DIR;
}

namespace {

/// Of a model: the path of a file rather than a name.
bool is_path(const std::string& name) {
  return fs::path(name).extension() == ".cat" || name.find('/') != std::string::npos;
}

} // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(models_folder(), error))
    if (entry.path().extension() == ".cat" && entry.path().stem() != "common" &&
        entry.path().stem() != "stdlib")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

const std::map<std::string, std::string>& model_aliases() {
  static const std::map<std::string, std::string> aliases = {
      {"aarch64", "armv8"},
      {"arm64", "armv8"},
      {"armv7", "arm"},
      {"linux", "lkmm"},
      {"ppc", "power"},
      {"x86", "x86tso"},
      {"x86-64", "x86tso"},
  };
  return aliases;
}

std::string default_model(std::string_view vocabulary, bool wants_machine) {
  struct Default {
    std::string_view vocabulary;
    std::string_view model;
    std::string_view machine; // the same model as a machine; empty if there is none
  };
  static constexpr std::array<Default, 8> kDefaults = {{
      {"aarch64", "armv8", ""},
      {"arm", "arm", ""},
      {"c11", "rc11", ""},
      {"lkmm", "lkmm", ""},
      {"mips", "mips", ""},
      {"power", "power", ""},
      {"riscv", "riscv", ""},
      {"x86", "x86tso", "tso"},
  }};
  for (const Default& known : kDefaults)
    if (known.vocabulary == vocabulary)
      return std::string(wants_machine && !known.machine.empty() ? known.machine : known.model);
  return "";
}

std::string without_aliases(const std::string& names) {
  std::string result;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t comma = std::min(names.find(',', at), names.size());
    const std::string name = names.substr(at, comma - at);
    const auto alias = model_aliases().find(name);
    result += alias == model_aliases().end() ? name : alias->second;
    if (comma < names.size())
      result += ',';
    at = comma + 1;
  }
  return result;
}

std::string model_title(const std::string& name) {
  std::ifstream in(models_folder() / (name + ".cat"));
  for (std::string line; std::getline(in, line);)
    if (line.size() > 2 && line.front() == '"' && line.back() == '"')
      return line.substr(1, line.size() - 2);
  return "";
}

std::string model_vocabulary(const std::string& name) {
  std::ifstream in(is_path(name) ? fs::path(name) : models_folder() / (name + ".cat"));
  const std::string mark = "vocabulary: ";
  for (std::string line; std::getline(in, line);)
    if (const std::size_t at = line.find(mark); at != std::string::npos)
      return line.substr(at + mark.size(),
                         line.find_first_of(" ,.;", at + mark.size()) - (at + mark.size()));
  return "";
}

std::variant<memory::Model, std::vector<Error>>
AxiomaticModels::find(const std::string& name, memory::Vocabulary vocabulary) {
  const auto key = std::make_pair(name, vocabulary);
  if (const auto known = known_.find(key); known != known_.end())
    return known->second;
  const auto give = [&](std::variant<memory::Model, std::vector<Error>> result) {
    return known_.emplace(key, std::move(result)).first->second;
  };
  fs::path file = name;
  const bool is_file = is_path(name);
  if (!is_file)
    file = models_folder() / (name + ".cat");
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    if (is_file)
      return give(std::vector<Error>{
          Error{ErrorKind::kInput, "MEM-002", fmt::format("cannot read the model '{}'", name)}});
    std::string names;
    for (const std::string& known : model_names())
      names += (names.empty() ? "" : ", ") + known;
    return give(std::vector<Error>{Error{
        ErrorKind::kUsage,
        "MEM-001",
        fmt::format("unknown memory model '{}'; known models: {}; or give the path of a .cat file",
                    name,
                    names)}});
  }
  memory::cat::LoadOptions options;
  for (const std::string& folder : search_path_)
    options.search_path.emplace_back(folder);
  options.search_path.push_back(models_folder());
  options.base_names = &memory::base_names(vocabulary);
  options.variants = variants_;
  options.keeps_accesses_whole = are_for_programs_;
  fs::path bell = file;
  bell.replace_extension(".bell");
  std::variant<memory::Core, memory::cat::Diagnostics> loaded =
      memory::cat::load(file, options, fs::is_regular_file(bell, error) ? bell.string() : "");
  if (auto* diagnostics = std::get_if<memory::cat::Diagnostics>(&loaded))
    return give(std::move(diagnostics->errors));
  memory::Model model;
  model.name = is_file ? file.stem().string() : name;
  model.vocabulary = vocabulary;
  model.is_weak = true;
  auto core = std::make_shared<memory::Core>(std::move(std::get<memory::Core>(loaded)));
  model.description = core->title;
  model.plan = std::make_shared<const memory::EvaluationPlan>(*core, false);
  model.core = std::move(core);
  return give(std::move(model));
}

std::variant<memory::Model, std::vector<Error>>
AxiomaticModels::find_for_c(const std::string& name) {
  using memory::Vocabulary;
  std::variant<memory::Model, std::vector<Error>> as_c = find(name, Vocabulary::kC11);
  if (std::holds_alternative<memory::Model>(as_c))
    return as_c;
  std::vector<memory::Model> of_processors;
  for (const Vocabulary processor : {Vocabulary::kX86,
                                     Vocabulary::kAArch64,
                                     Vocabulary::kPower,
                                     Vocabulary::kRiscV,
                                     Vocabulary::kArm,
                                     Vocabulary::kMips})
    if (auto found = find(name, processor); std::holds_alternative<memory::Model>(found))
      of_processors.push_back(std::get<memory::Model>(std::move(found)));
  if (of_processors.size() == 1)
    return std::move(of_processors.front());
  return as_c;
}

} // namespace heddle::driver
