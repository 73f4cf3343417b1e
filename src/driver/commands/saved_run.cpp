// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/saved_run.h"

#include "driver/commands/json_fields.h"
#include "ir/print.h"
#include "report/json.h"
#include "spec/property.h"
#include "support/hash.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace heddle::driver {

namespace {

using Json = nlohmann::ordered_json;

Error malformed_run(const std::string& path, const std::string& what) {
  return Error{ErrorKind::kInput,
               "REPLAY-001",
               fmt::format("not a saved violation: expected {}", what),
               path};
}

} // namespace

std::uint64_t hash_of(const ir::Module& module) {
  std::uint64_t hash = 0;
  for (const char c : ir::print(module))
    hash = hash_combine(hash, static_cast<unsigned char>(c));
  return hash;
}

Json to_json(const Options& options, const Asked& asked, std::uint64_t program_hash) {
  Json json;
  json["files"] = asked.files;
  json["compiler_flags"] = asked.load.compiler_flags;
  json["data_model"] = !asked.load.data_model                            ? ""
                       : *asked.load.data_model == ir::DataModel::kILP32 ? "ILP32"
                                                                         : "LP64";
  json["entry"] = asked.load.entry;
  json["havoc"] = asked.load.havoc;
  json["create_stores_late"] = asked.load.create_stores_late;
  json["error_functions"] = asked.load.error_functions;
  json["assert_is_error"] = asked.load.assert_is_error;
  json["model"] = asked.model.name;
  if (!asked.model.machine) { // how it was found
    json["model_option"] = options.model;
    json["include"] = options.include;
    json["variants"] = options.variants;
    json["target"] = options.target;
  }
  const auto* check = std::get_if<spec::Check>(&asked.question);
  json["property"] = check == nullptr ? "" : spec::to_string(check->property);
  json["alias"] = options.alias;
  json["malloc_may_fail"] = options.malloc_may_fail;
  json["no_reuse"] = options.no_reuse;
  json["nondet_bits"] = options.nondet_bits;
  if (!options.pending_at_start.empty())
    json["pending_at_start"] = options.pending_at_start;
  json["program_hash"] = program_hash;
  return json;
}

Result<SavedRun> read_saved_run(const std::string& path) {
  std::ifstream in(path);
  if (!in)
    return Error{ErrorKind::kInput, "REPLAY-002", "cannot read the file", path};
  std::ostringstream content;
  content << in.rdbuf();
  const Json json = Json::parse(content.str(), nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return malformed_run(path, "JSON as --json writes it");
  if (const auto verdict = json.find("verdict"); verdict != json.end() && verdict->is_string() &&
                                                 *verdict != "violated" &&
                                                 !json.contains("violation"))
    return Error{ErrorKind::kInput,
                 "REPLAY-001",
                 fmt::format("the report says \"{}\": only violations can be replayed",
                             verdict->get<std::string>()),
                 path};
  const auto violation = json.find("violation");
  const auto again = json.find("replay");
  if (violation == json.end() || !violation->is_object() || again == json.end() ||
      !again->is_object())
    return malformed_run(path,
                         "a report of a violation, with the fields \"violation\" and \"replay\"");

  SavedRun saved;
  JsonFields reader(*again);
  saved.asked.files = reader.texts("files");
  saved.asked.load.compiler_flags = reader.texts("compiler_flags");
  const std::string data_model = reader.text("data_model");
  if (!data_model.empty())
    saved.asked.load.data_model =
        data_model == "ILP32" ? ir::DataModel::kILP32 : ir::DataModel::kLP64;
  saved.asked.load.entry = reader.text("entry");
  saved.asked.load.havoc = reader.texts("havoc");
  saved.asked.load.create_stores_late = reader.flag("create_stores_late");
  saved.asked.load.error_functions = reader.texts("error_functions");
  saved.asked.load.assert_is_error = reader.flag("assert_is_error");
  const std::string model = reader.text("model");
  const std::string property = reader.text("property");
  saved.options.alias = reader.text("alias");
  saved.options.malloc_may_fail = reader.flag("malloc_may_fail");
  saved.options.no_reuse = reader.flag("no_reuse");
  saved.options.nondet_bits = reader.number("nondet_bits");
  if (again->contains("pending_at_start"))
    saved.options.pending_at_start = reader.texts("pending_at_start");
  saved.program_hash = reader.number("program_hash");
  if (!reader.missing().empty())
    return malformed_run(path, fmt::format("the field \"replay.{}\"", reader.missing()));
  saved.options.no_merge = true; // the schedule is one of the program itself
  saved.options.files = saved.asked.files;

  const bool has_execution = violation->contains("execution");
  if (has_execution) {
    saved.options.command = kVerify;
    saved.options.model = reader.text("model_option");
    saved.options.include = reader.texts("include");
    saved.options.variants = reader.texts("variants");
    saved.options.target = reader.text("target");
    saved.options.property = property;
    if (!reader.missing().empty())
      return malformed_run(path, fmt::format("the field \"replay.{}\"", reader.missing()));
    Result<Asked> asked = understand_question(saved.options);
    if (!asked)
      return asked.error();
    saved.asked.model = std::move(asked->model);
    saved.asked.vocabulary = std::move(asked->vocabulary);
  } else {
    Result<memory::Model> found = memory::find_model(model);
    if (!found)
      return malformed_run(path, "a known model");
    saved.asked.model = std::move(*found);
  }
  Result<spec::Property> parsed = spec::parse_property(property);
  if (!parsed)
    return malformed_run(path, "a known property");
  saved.asked.question = spec::Check{*parsed};

  if (has_execution) {
    Result<execution::Execution> read = report::execution_from_json(violation->at("execution"));
    if (!read)
      return malformed_run(path, "an execution of the violation: " + read.error().message);
    saved.execution = std::move(*read);
  } else {
    const auto schedule = violation->find("schedule");
    Result<execution::Schedule> read =
        report::schedule_from_json(schedule == violation->end() ? Json() : *schedule);
    if (!read)
      return malformed_run(path, "a schedule of the violation");
    saved.schedule = std::move(*read);
  }
  const auto kind = violation->find("kind");
  if (kind == violation->end() || !kind->is_string())
    return malformed_run(path, "the kind of the violation");
  saved.kind = kind->get<std::string>();
  return saved;
}

} // namespace heddle::driver
