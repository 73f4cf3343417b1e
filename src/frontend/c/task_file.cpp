// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/task_file.h"

#include <yaml-cpp/yaml.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle::frontend {

namespace {

/// Reads the YAML tree; every refusal carries the node's place.
class TaskReader {
public:
  explicit TaskReader(std::string path)
      : path_(std::move(path)), folder_(std::filesystem::path(path_).parent_path()) {}

  Result<TaskFile> run(const YAML::Node& root) {
    if (!root.IsMap()) {
      return fail(root, "expected a mapping with format_version, input_files and properties");
    }
    const std::string version = text_of(root["format_version"]);
    if (version != "1.0" && version != "2.0" && version != "2.1") {
      return fail(root["format_version"] ? root["format_version"] : root,
                  "expected format_version '1.0' or '2.0'");
    }
    TaskFile out;
    if (Status inputs = read_inputs(root["input_files"] ? root["input_files"] : root, out);
        !inputs) {
      return inputs.error();
    }
    if (Status options = read_options(root["options"], out); !options) {
      return options.error();
    }
    const YAML::Node properties = root["properties"];
    if (properties && !properties.IsSequence()) {
      return fail(properties, "expected a list of properties");
    }
    for (const YAML::Node& one : properties) {
      if (Status question = read_question(one, out); !question) {
        return question.error();
      }
    }
    return out;
  }

private:
  [[nodiscard]] Error fail(const YAML::Node& node, const std::string& message) const {
    Error error{ErrorKind::kInput, "TASK-001", message, path_};
    const YAML::Mark mark = node.Mark();
    if (mark.line >= 0) {
      error.line = static_cast<std::uint32_t>(mark.line) + 1;
      error.column = static_cast<std::uint32_t>(mark.column) + 1;
    }
    return error;
  }

  static std::string text_of(const YAML::Node& node) {
    return node && node.IsScalar() ? node.Scalar() : std::string{};
  }

  [[nodiscard]] std::string resolve(const std::string& name) const {
    return (folder_ / name).lexically_normal().string();
  }

  Status read_inputs(const YAML::Node& node, TaskFile& out) const {
    if (node.IsScalar() && !node.Scalar().empty()) {
      out.input_files.push_back(resolve(node.Scalar()));
      return Done{};
    }
    if (!node.IsSequence() || node.size() == 0) {
      return fail(node, "expected input_files to be a file name or a list of them");
    }
    for (const YAML::Node& one : node) {
      if (text_of(one).empty()) {
        return fail(one, "expected a file name");
      }
      out.input_files.push_back(resolve(one.Scalar()));
    }
    return Done{};
  }

  Status read_options(const YAML::Node& node, TaskFile& out) const {
    if (!node) {
      return Done{};
    }
    if (!node.IsMap()) {
      return fail(node, "expected options to be a mapping");
    }
    if (const YAML::Node language = node["language"]) {
      out.language = text_of(language);
      if (out.language != "C") {
        return fail(language, "expected language C");
      }
    }
    if (const YAML::Node model = node["data_model"]) {
      const std::string name = text_of(model);
      if (name != "ILP32" && name != "LP64") {
        return fail(model, "expected data_model ILP32 or LP64");
      }
      out.data_model = name == "ILP32" ? ir::DataModel::kILP32 : ir::DataModel::kLP64;
    }
    return Done{};
  }

  Status read_question(const YAML::Node& node, TaskFile& out) const {
    if (!node.IsMap() || text_of(node["property_file"]).empty()) {
      return fail(node, "expected a property with its property_file");
    }
    const std::string property_path = resolve(node["property_file"].Scalar());
    TaskQuestion question{read_property_file(property_path), property_path};
    if (!question.property && question.property.error().code != "PRP-002") {
      return question.property.error(); // a file that is there and makes no sense
    }
    if (const YAML::Node verdict = node["expected_verdict"]) {
      bool value = false;
      if (!verdict.IsScalar() || !YAML::convert<bool>::decode(verdict, value)) {
        return fail(verdict, "expected expected_verdict to be true or false");
      }
      question.expected_verdict = value;
    }
    question.subproperty = text_of(node["subproperty"]);
    out.questions.push_back(std::move(question));
    return Done{};
  }

  std::string path_;
  std::filesystem::path folder_;
};

} // namespace

Result<TaskFile> read_task(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error{
        ErrorKind::kInput, "TASK-002", std::string("cannot read: ") + std::strerror(errno), path};
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  try {
    return TaskReader(path).run(YAML::Load(text));
  } catch (const YAML::Exception& problem) { // yaml-cpp reports by throwing; nothing else here does
    Error error{ErrorKind::kInput, "TASK-003", problem.msg, path};
    if (problem.mark.line >= 0) {
      error.line = static_cast<std::uint32_t>(problem.mark.line) + 1;
      error.column = static_cast<std::uint32_t>(problem.mark.column) + 1;
    }
    return error;
  }
}

} // namespace heddle::frontend
