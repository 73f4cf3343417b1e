// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory models by name or by file: sc, tso and pso have machines, the files of models/ and any
// other .cat file have axioms.
#pragma once

#include "memory/model.h"
#include "support/result.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::driver {

/// The folder of our own models.
[[nodiscard]] std::filesystem::path models_folder();
/// The names of the models there are, sorted.
[[nodiscard]] std::vector<std::string> model_names();
/// Other names of models, mostly those of the architectures: (other name, name).
[[nodiscard]] const std::map<std::string, std::string>& model_aliases();
/// Names with commas between them, other names replaced by the names of the models.
[[nodiscard]] std::string without_aliases(const std::string& names);
/// The model that a litmus test of that vocabulary is judged by if none is asked for
/// (docs/litmus.md); empty if there is none. One with a machine, if there is one and it is wanted.
[[nodiscard]] std::string default_model(std::string_view vocabulary, bool wants_machine);
/// What the file of such a model is called in its text.
[[nodiscard]] std::string model_title(const std::string& name);

/// The vocabulary such a model, or a .cat file, says it is for ("any" for several), or nothing.
[[nodiscard]] std::string model_vocabulary(const std::string& name);

/// Loads the axioms of models, each once for each vocabulary.
class AxiomaticModels {
public:
  /// `are_for_programs`: not for litmus tests, whose accesses are what the model says.
  AxiomaticModels(std::vector<std::string> search_path,
                  std::set<std::string> variants,
                  bool are_for_programs = false)
      : search_path_(std::move(search_path)), variants_(std::move(variants)),
        are_for_programs_(are_for_programs) {}

  /// `name` is one of model_names() or the path of a .cat file. All errors of the file are given.
  [[nodiscard]] std::variant<memory::Model, std::vector<Error>> find(const std::string& name,
                                                                     memory::Vocabulary vocabulary);
  /// A model that does not say what it is for, for programs in C: as a model of C, or, where it
  /// uses names that only the instructions of one processor have, of that processor.
  [[nodiscard]] std::variant<memory::Model, std::vector<Error>> find_for_c(const std::string& name);

private:
  std::vector<std::string> search_path_;
  std::set<std::string> variants_;
  bool are_for_programs_;
  std::map<std::pair<std::string, memory::Vocabulary>,
           std::variant<memory::Model, std::vector<Error>>>
      known_;
};

} // namespace heddle::driver
