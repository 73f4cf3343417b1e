// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/saved_proof.h"

#include "driver/commands/json_fields.h"
#include "driver/commands/saved_run.h"
#include "ir/print.h"
#include "support/overloaded.h"
#include "support/sha256.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace heddle::driver {

namespace {

using Json = nlohmann::ordered_json;

/// The first line: what it is, and the version of the format.
constexpr std::string_view kFirstLine = "heddle-proof 1\n";
constexpr const char* kClosedStates = "closed states";
constexpr const char* kRefutedFormulas = "refuted formulas";

Error malformed(const std::string& path, const std::string& what) {
  return Error{ErrorKind::kInput,
               "RECHECK-002",
               fmt::format("not a certificate that --proof has written: expected {}", what),
               path};
}

/// Nothing looks at these twice.
Json believed(const verdict::Certificate& certificate, const Options& options, const Asked& asked) {
  Json list = Json::array();
  list.push_back("the front end: clang, the import of its bitcode, the meaning of the library");
  list.push_back(fmt::format("how the program is built and lowered for {}", asked.model.name));
  if (options.alias != "none")
    list.push_back("alias and escape analysis: which accesses other threads can see");
  std::visit(Overloaded{[&](const verdict::ClosedStates&) {
                          list.push_back("the interpreter of one step and the machine of " +
                                         asked.model.name);
                        },
                        [&](const verdict::RefutedFormulas&) {
                          list.push_back("how loops are unrolled and calls inlined");
                          list.push_back("that the formula has a model for every execution");
                        }},
             certificate);
  return list;
}

Json bounds_json(const spec::Bounds& bounds) {
  Json json;
  json["unwind"] = bounds.unwind;
  json["loops"] = Json::array();
  for (const spec::LoopBound& loop : bounds.loops)
    json["loops"].push_back({{"file", loop.file}, {"line", loop.line}, {"unwind", loop.unwind}});
  return json;
}

Result<spec::Bounds> bounds_from(const Json& json, const std::string& path) {
  spec::Bounds bounds;
  JsonFields fields(json);
  bounds.unwind = static_cast<std::uint32_t>(fields.number("unwind"));
  for (const Json& entry : fields.list("loops")) {
    JsonFields loop(entry);
    spec::LoopBound bound;
    bound.file = loop.text("file");
    bound.line = static_cast<std::uint32_t>(loop.number("line"));
    bound.unwind = static_cast<std::uint32_t>(loop.number("unwind"));
    if (!loop.missing().empty())
      return malformed(path, fmt::format("the field \"{}\" of a loop", loop.missing()));
    bounds.loops.push_back(std::move(bound));
  }
  if (!fields.missing().empty())
    return malformed(path, fmt::format("the field \"bounds.{}\"", fields.missing()));
  return bounds;
}

/// The payload, part by part.
class Parts {
public:
  Parts(const std::vector<Json>& parts, std::string_view payload, const std::string& path)
      : parts_(parts), payload_(payload), path_(path) {}

  struct Part {
    std::string name;
    std::string clauses;
    std::string content;
  };
  Result<std::vector<Part>> read() {
    std::vector<Part> result;
    for (const Json& entry : parts_) {
      JsonFields fields(entry);
      Part part;
      part.name = fields.text("name");
      const std::uint64_t bytes = fields.number("bytes");
      if (entry.is_object() && entry.contains("clauses"))
        part.clauses = fields.text("clauses");
      if (!fields.missing().empty())
        return malformed(path_, fmt::format("the field \"{}\" of a part", fields.missing()));
      if (bytes > payload_.size())
        return malformed(path_, fmt::format("{} bytes of {}", bytes, part.name));
      part.content = payload_.substr(0, bytes);
      payload_.remove_prefix(bytes);
      result.push_back(std::move(part));
    }
    if (!payload_.empty())
      return malformed(path_, "nothing after the last part");
    return result;
  }

private:
  const std::vector<Json>& parts_;
  std::string_view payload_;
  const std::string& path_;
};

/// As `to_json` of a saved run has written it.
Result<SavedProof>
read_question(const Json& json, const std::string& path, const std::vector<std::string>& files) {
  SavedProof proof;
  JsonFields fields(json);
  Options& options = proof.options;
  options.command = kVerify;
  options.files = files;
  const std::string model = fields.text("model");
  options.model = json.contains("model_option") ? fields.text("model_option") : model;
  if (json.contains("model_option")) {
    options.include = fields.texts("include");
    options.variants = fields.texts("variants");
    options.target = fields.text("target");
  }
  options.property = fields.text("property");
  options.alias = fields.text("alias");
  options.malloc_may_fail = fields.flag("malloc_may_fail");
  options.no_reuse = fields.flag("no_reuse");
  options.nondet_bits = fields.number("nondet_bits");
  options.data_model = fields.text("data_model");
  options.entry = fields.text("entry");
  options.havoc = fields.texts("havoc");
  options.create_stores_late = fields.flag("create_stores_late");
  options.compiler_flags = fields.texts("compiler_flags");
  if (json.contains("pending_at_start"))
    options.pending_at_start = fields.texts("pending_at_start");
  options.macros = fields.text("macros");
  options.no_merge = true; // the certificate speaks of the program as it was lowered
  const std::vector<std::string> error_functions = fields.texts("error_functions");
  const bool assert_is_error = fields.flag("assert_is_error");
  if (!fields.missing().empty())
    return malformed(path, fmt::format("the field \"question.{}\"", fields.missing()));
  Result<Asked> asked = understand_question(options);
  if (!asked)
    return asked.error();
  proof.asked = std::move(*asked);
  proof.asked.load.error_functions = error_functions;
  proof.asked.load.assert_is_error = assert_is_error;
  if (proof.asked.model.name != model)
    return malformed(path, fmt::format("the model {}", model));
  return proof;
}

} // namespace

std::string digest_of(const ir::Module& module) {
  ir::Module named = module;
  for (std::string& file : named.files)
    file = std::filesystem::path(file).filename().string();
  return to_hex(sha256(ir::print(named)));
}

std::string to_text(const verdict::Certificate& certificate,
                    const Options& options,
                    const Asked& asked,
                    const Prepared& prepared) {
  Json json;
  json["heddle"] = version();
  std::string payload;
  Json parts = Json::array();
  Json bounds;
  std::visit(Overloaded{[&](const verdict::ClosedStates& states) {
                          json["kind"] = kClosedStates;
                          parts.push_back({{"name", "states"}, {"bytes", states.states.size()}});
                          payload += states.states;
                        },
                        [&](const verdict::RefutedFormulas& refuted) {
                          json["kind"] = kRefutedFormulas;
                          bounds = bounds_json(refuted.bounds);
                          for (const verdict::Refutation& one : refuted.refutations) {
                            parts.push_back({{"name", one.question},
                                             {"clauses", one.clauses},
                                             {"bytes", one.proof.size()}});
                            payload += one.proof;
                          }
                        }},
             certificate);
  json["question"] = to_json(options, asked, 0);
  json["question"]["macros"] = options.macros;
  json["question"].erase("files");
  json["question"].erase("program_hash");
  json["program"] = digest_of(prepared.module);
  json["assumptions"] = Json::array();
  for (const Approximation& approximation : prepared.approximations)
    if (approximation.kind == Approximation::Kind::kAssumed)
      json["assumptions"].push_back(approximation.what);
  json["believed"] = believed(certificate, options, asked);
  if (!bounds.is_null())
    json["bounds"] = bounds;
  json["parts"] = parts;
  return std::string(kFirstLine) + json.dump(-1, ' ', false, Json::error_handler_t::replace) +
         "\n" + payload;
}

Result<SavedProof> read_saved_proof(std::string_view text,
                                    const std::string& path,
                                    const std::vector<std::string>& files) {
  if (!text.starts_with(kFirstLine))
    return malformed(path, "the line \"heddle-proof 1\"");
  text.remove_prefix(kFirstLine.size());
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos)
    return malformed(path, "a line of JSON");
  const Json json = Json::parse(text.substr(0, end), nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return malformed(path, "a line of JSON");
  JsonFields fields(json);
  const std::string kind = fields.text("kind");
  const std::string program = fields.text("program");
  const std::vector<Json> listed = fields.list("parts");
  if (!fields.missing().empty())
    return malformed(path, fmt::format("the field \"{}\"", fields.missing()));
  if (!json.contains("question") || !json["question"].is_object())
    return malformed(path, "the field \"question\"");
  Result<std::vector<Parts::Part>> parts = Parts(listed, text.substr(end + 1), path).read();
  if (!parts)
    return parts.error();
  verdict::Certificate certificate;
  if (kind == kClosedStates) {
    if (parts->size() != 1)
      return malformed(path, "one set of states");
    certificate = verdict::ClosedStates{std::move(parts->front().content)};
  } else if (kind == kRefutedFormulas) {
    Result<spec::Bounds> bounds =
        bounds_from(json.contains("bounds") ? json["bounds"] : Json::object(), path);
    if (!bounds)
      return bounds.error();
    verdict::RefutedFormulas refuted{std::move(*bounds), {}};
    for (Parts::Part& part : *parts)
      refuted.refutations.push_back(
          {std::move(part.name), std::move(part.clauses), std::move(part.content)});
    certificate = std::move(refuted);
  } else {
    return malformed(path, "a kind of certificate that is known");
  }
  Result<SavedProof> proof = read_question(json["question"], path, files);
  if (!proof)
    return proof.error();
  proof->program = program;
  proof->certificate = std::move(certificate);
  return proof;
}

} // namespace heddle::driver
