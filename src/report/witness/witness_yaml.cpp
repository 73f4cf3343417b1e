// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Violations: entry type violation_sequence, in format 2.0 (Ayaziová, Beyer, Lingsch-Rosenfeld,
// Spiessl, Strejček: Software Verification Witnesses 2.0, SPIN 2024), or 2.2 where threads are
// concerned, which adds thread_id. Correctness: entry type invariant_set of format 2.0, without
// invariants.
#include "report/witness/witness_text.h"
#include "support/check.h"

#include <yaml-cpp/yaml.h>

namespace heddle::report {

namespace {

using YAML::BeginMap;
using YAML::BeginSeq;
using YAML::EndMap;
using YAML::EndSeq;
using YAML::Key;
using YAML::Value;

class YamlWriter {
public:
  YamlWriter(const WitnessHead& head, const std::optional<ViolationPath>& path)
      : head_(head), path_(path) {}

  std::string run() {
    out_ << BeginSeq << BeginMap;
    plain("entry_type", path_ ? "violation_sequence" : "invariant_set");
    metadata();
    out_ << Key << "content" << Value;
    if (path_) {
      content();
    } else {
      out_ << YAML::Flow << BeginSeq << EndSeq << YAML::Block;
    }
    out_ << EndMap << EndSeq;
    HEDDLE_CHECK(out_.good(), "a witness that is no YAML");
    return std::string(out_.c_str()) + "\n";
  }

private:
  void plain(const char* key, const char* value) { out_ << Key << key << Value << value; }
  void quoted(const char* key, const std::string& value) {
    out_ << Key << key << Value << YAML::DoubleQuoted << value;
  }

  void metadata() {
    out_ << Key << "metadata" << Value << BeginMap;
    quoted("format_version", path_ && path_->has_threads ? "2.2" : "2.0");
    quoted("uuid", head_.uuid);
    quoted("creation_time", head_.creation_time);
    out_ << Key << "producer" << Value << BeginMap;
    quoted("name", "Heddle");
    quoted("version", head_.producer_version);
    if (!head_.configuration.empty())
      quoted("configuration", head_.configuration);
    out_ << EndMap;
    out_ << Key << "task" << Value << BeginMap;
    out_ << Key << "input_files" << Value << BeginSeq;
    for (const WitnessHead::Input& input : head_.inputs)
      out_ << YAML::DoubleQuoted << input.path;
    out_ << EndSeq;
    out_ << Key << "input_file_hashes" << Value << BeginMap;
    for (const WitnessHead::Input& input : head_.inputs)
      out_ << Key << YAML::DoubleQuoted << input.path << Value << YAML::DoubleQuoted
           << input.sha256;
    out_ << EndMap;
    quoted("specification", head_.specification);
    plain("data_model", head_.is_lp64 ? "LP64" : "ILP32");
    plain("language", "C");
    out_ << EndMap << EndMap;
  }

  void content() {
    out_ << BeginSeq;
    for (const PathItem& item : path_->items) {
      begin_segment();
      waypoint(item);
      end_segment();
    }
    begin_segment();
    for (const PathTarget& target : path_->targets) {
      begin_waypoint("target", target.thread);
      end_waypoint(target.place);
    }
    end_segment();
    out_ << EndSeq;
  }

  void waypoint(const PathItem& item) {
    switch (item.kind) {
    case PathItem::Kind::kStatement:
      begin_waypoint("assumption", item.thread);
      constraint("1", "c_expression");
      break;
    case PathItem::Kind::kCreate:
      begin_waypoint("function_enter", item.thread);
      break;
    case PathItem::Kind::kReturn:
      begin_waypoint("function_return", item.thread);
      constraint("\\result == " + item.value, "ext_c_expression");
      break;
    }
    end_waypoint(item.place);
  }

  void begin_segment() { out_ << BeginMap << Key << "segment" << Value << BeginSeq; }
  void end_segment() { out_ << EndSeq << EndMap; }

  void begin_waypoint(const char* type, unsigned thread) {
    out_ << BeginMap << Key << "waypoint" << Value << BeginMap;
    plain("type", type);
    plain("action", "follow");
    if (path_->has_threads)
      out_ << Key << "thread_id" << Value << thread;
  }

  void constraint(const std::string& value, const char* format) {
    out_ << Key << "constraint" << Value << BeginMap;
    quoted("value", value);
    plain("format", format);
    out_ << EndMap;
  }

  void end_waypoint(const WitnessPlace& place) {
    out_ << Key << "location" << Value << BeginMap;
    quoted("file_name", place.file);
    out_ << Key << "line" << Value << place.line;
    if (place.column != 0)
      out_ << Key << "column" << Value << place.column;
    if (!place.function.empty())
      quoted("function", place.function);
    out_ << EndMap << EndMap << EndMap;
  }

  const WitnessHead& head_;
  const std::optional<ViolationPath>& path_;
  YAML::Emitter out_;
};

} // namespace

std::string yaml_witness(const WitnessHead& head, const std::optional<ViolationPath>& path) {
  return YamlWriter(head, path).run();
}

} // namespace heddle::report
