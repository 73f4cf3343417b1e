// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/linearizable_question.h"

#include "frontend/c/load.h"
#include "object/histories/c_specification.h"
#include "object/scenarios/effect_delay.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace heddle::object {

namespace {

using history::Method;
using history::ObjectKind;
using history::Unit;

Error usage(std::string code, std::string message) {
  return Error{ErrorKind::kUsage, std::move(code), std::move(message)};
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t to = std::min(text.find(at, from), text.size());
    if (to > from)
      parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

Result<std::int64_t> whole_number(const std::string& option, const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return usage("USE-020", fmt::format("--{} expects a whole number, got '{}'", option, text));
  return value;
}

Result<history::ResultCodes> result_codes(const driver::Options& options) {
  history::ResultCodes codes;
  Result<std::int64_t> empty = whole_number("empty", options.empty);
  if (!empty)
    return empty.error();
  codes.empty = *empty;
  if (!options.abort.empty()) {
    Result<std::int64_t> abort = whole_number("abort", options.abort);
    if (!abort)
      return abort.error();
    codes.abort = *abort;
  }
  return codes;
}

/// What the object holds at first and has room for. A specification in C says so itself.
Result<history::Contents> read_contents(const driver::Options& options, const ObjectKind& kind) {
  if (!options.spec.empty()) {
    if (!options.initial.empty() || options.capacity != 0)
      return usage(
          "USE-023",
          "--initial and --capacity are for built-in objects: with --spec the variables of "
          "the specification say what there is at first, and its functions when it is full");
    return history::Contents{};
  }
  history::Contents contents;
  for (const std::string& text : split(options.initial, ',')) {
    Result<std::int64_t> number = whole_number("initial", text);
    if (!number)
      return number.error();
    contents.initial.push_back(*number);
  }
  if (options.capacity != 0)
    contents.capacity = static_cast<std::uint64_t>(options.capacity);
  Result<std::int64_t> full = whole_number("full", options.full);
  if (!full)
    return full.error();
  contents.full = *full;
  return history::contents_of(kind, std::move(contents));
}

struct Implemented {
  std::vector<Method> methods;
  std::map<std::string, std::string> functions;
};

/// The names of the operations in --functions.
std::vector<std::string> named_operations(const driver::Options& options) {
  std::vector<std::string> names;
  for (const std::string& entry : split(options.functions, ','))
    if (const std::string name = entry.substr(0, entry.find('='));
        std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return names;
}

/// "push=f,pop=g"; a word without = names both.
Result<Implemented> read_functions(const driver::Options& options, const ObjectKind& kind) {
  Implemented implemented;
  for (const std::string& entry : split(options.functions, ',')) {
    const std::size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    const std::string function = equals == std::string::npos ? entry : entry.substr(equals + 1);
    if (function.empty())
      return usage("USE-021",
                   fmt::format("--functions expects OPERATION=FUNCTION, got '{}'", entry));
    Result<Method> method = history::find_method(kind, name);
    if (!method)
      return method.error();
    if (!implemented.functions.try_emplace(name, function).second)
      return usage("USE-021", fmt::format("--functions names '{}' twice", name));
    implemented.methods.push_back(*method);
  }
  if (implemented.methods.empty())
    return usage(
        "USE-021",
        "--functions is missing: say which functions implement the object's operations, as "
        "in push=f,pop=g");
  return implemented;
}

Result<std::vector<std::vector<Unit>>>
read_roles(const driver::Options& options, const ObjectKind& kind, const Implemented& implemented) {
  std::vector<std::vector<Unit>> roles;
  std::vector<std::string> texts = split(options.roles, '/');
  if (texts.empty()) {
    Result<std::vector<Unit>> units = history::units_of(kind, implemented.methods);
    if (!units)
      return units.error();
    roles.push_back(std::move(*units));
    return roles;
  }
  for (const std::string& text : texts) {
    std::vector<Method> methods;
    for (const std::string& name : split(text, ',')) {
      const auto found = std::ranges::find(implemented.methods, name, &Method::name);
      if (found == implemented.methods.end())
        return usage("USE-022",
                     fmt::format("--roles names '{}', which no function implements", name));
      methods.push_back(*found);
    }
    Result<std::vector<Unit>> units = history::units_of(kind, methods);
    if (!units)
      return units.error();
    roles.push_back(std::move(*units));
  }
  return roles;
}

/// With --spec alone its functions are the operations. With --object as well, the specification
/// says what the operations do, and the object which there are and how threads may use them.
Result<ObjectKind> kind_of(const driver::Options& options,
                           const std::optional<CSpecification>& specification) {
  if (!options.object.empty())
    return history::find_object_kind(options.object);
  ObjectKind kind{"structure like " + options.spec, "", specification->methods};
  for (Method& method : kind.methods)
    if (method.argument != Method::Argument::kNone && options.arguments == "keys")
      method.argument = Method::Argument::kKey;
  return kind;
}

Result<history::Criterion> read_notion(const driver::Options& options, const memory::Model& model) {
  if (options.notion == "tso-to-sc" && model.machine == memory::MachineKind::kSequential)
    return usage("USE-023", "--notion tso-to-sc is for models with store buffers: tso or pso");
  if (options.notion == "tso" && model.machine != memory::MachineKind::kTotalStoreOrder)
    return usage("USE-023", "--notion tso is for --model tso");
  if (options.notion == "tso" && options.alias == "none")
    return usage("USE-023",
                 "--notion tso needs to know which stores others can see: not with --alias none");
  if (options.notion == "tso" && options.unfinished)
    return usage("USE-023",
                 "--notion tso is for histories of runs that end: not with --unfinished");
  if (options.notion == "tso-to-tso" && model.machine != memory::MachineKind::kTotalStoreOrder)
    return usage("USE-023", "--notion tso-to-tso is for --model tso");
  if (options.notion == "tso-to-tso" && options.unfinished)
    return usage("USE-023",
                 "--notion tso-to-tso is for histories of runs that end: not with --unfinished");
  if (options.notion == "tso-to-tso" && options.suggest_fences)
    return usage("USE-023", "--suggest-fences knows no fences for --notion tso-to-tso");
  if (options.notion == "quiescent")
    return history::Criterion::kQuiescent;
  if (options.notion == "sequential")
    return history::Criterion::kSequential;
  return history::Criterion::kLinearizable;
}

/// "pop:31:cas", or "pop:28:read:=-1" and "pop:31:cas:!-1" for calls with certain results.
Result<EffectPlace> read_point(const std::string& text) {
  using How = EffectPlace::How;
  const std::vector<std::string> parts = split(text, ':');
  const std::map<std::string, How> ways = {
      {"read", How::kRead}, {"cas", How::kUpdate}, {"flush", How::kFlush}};
  const Error wrong =
      usage("USE-025",
            fmt::format(
                "--linearization-point expects FUNCTION:LINE:read, cas or flush, and then perhaps "
                ":=N or :!N for the calls that return N or something else; or infer; got '{}'",
                text));
  std::uint32_t line = 0;
  if (parts.size() == 3 || parts.size() == 4)
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), line);
  if (line == 0 || !ways.contains(parts[2]))
    return wrong;
  EffectPlace place{parts[0], line, ways.at(parts[2]), {}};
  if (parts.size() == 3)
    return place;
  const Result<std::int64_t> value = whole_number("linearization-point", parts[3].substr(1));
  if ((parts[3][0] != '=' && parts[3][0] != '!') || !value)
    return wrong;
  place.returns = EffectPlace::Returns{*value, parts[3][0] == '!'};
  return place;
}

bool depends_on_results(const EffectPlace& place) {
  return place.returns.has_value();
}

Result<std::vector<EffectPlace>> read_points(const driver::Options& options,
                                             const memory::Model& model) {
  std::vector<EffectPlace> points;
  if (!options.linearization_point.empty() &&
      (options.notion != "linearizable" || options.unfinished || options.suggest_fences ||
       options.engine == "enumerate"))
    return usage("USE-023",
                 "--linearization-point is for --notion linearizable and the engines explicit and "
                 "axiomatic, without --unfinished and --suggest-fences");
  if (options.linearization_point == std::vector<std::string>{kInferPoints}) {
    if (options.engine != "auto" && options.engine != "explicit")
      return usage("USE-023", "--linearization-point infer is for the explicit engine");
    return points;
  }
  std::optional<std::int64_t> value;
  for (const std::string& text : options.linearization_point) {
    Result<EffectPlace> point = read_point(text);
    if (!point)
      return point.error();
    if (point->how == EffectPlace::How::kFlush &&
        model.machine == memory::MachineKind::kPartialStoreOrder)
      return usage(
          "USE-023",
          "a flush is a linearization point under sc and tso only: the buffers of pso have "
          "no common order");
    if (point->returns) {
      if (value && value != point->returns->value)
        return usage("USE-025", "all results in --linearization-point have to be the same number");
      value = point->returns->value;
    }
    if (std::ranges::find(points, *point) == points.end())
      points.push_back(std::move(*point));
  }
  if (std::ranges::any_of(points, depends_on_results) &&
      (options.engine == "axiomatic" || needs_clock(points, model)))
    return usage("USE-023",
                 "linearization points that depend on results are for the explicit engine, and "
                 "under tso not for flushes");
  return points;
}

/// Engines other than the explicit one know no marks, and no mark tells when a store leaves its
/// buffer.
Result<bool> uses_clock(const driver::Options& options,
                        const std::vector<EffectPlace>& points,
                        const memory::Model& model) {
  const bool is_explicit = options.engine == "auto" || options.engine == "explicit";
  if (is_explicit)
    return options.notion == "tso-to-tso" || needs_clock(points, model);
  if (options.engine != "axiomatic" && options.engine != "enumerate")
    return usage("USE-010",
                 fmt::format("--engine {} does not look at histories; expected auto, explicit, "
                             "axiomatic or enumerate",
                             options.engine));
  const auto refuse = [&](const std::string& what) {
    return usage(
        "USE-023",
        fmt::format("{} is for the explicit engine, not for --engine {}", what, options.engine));
  };
  if (options.unfinished)
    return refuse("--unfinished");
  if (options.suggest_fences)
    return refuse("--suggest-fences");
  return true;
}

} // namespace

Result<EffectPlace> read_linearization_point(const std::string& text) {
  return read_point(text);
}

bool needs_clock(const std::vector<EffectPlace>& points, const memory::Model& model) {
  return model.machine != memory::MachineKind::kSequential &&
         std::ranges::find(points, EffectPlace::How::kFlush, &EffectPlace::how) != points.end();
}

std::vector<std::string> warnings_of_late_points(const LinearizableQuestion& question,
                                                 const std::vector<EffectPlace>& points) {
  std::vector<std::string> warnings;
  if (question.asked.model.machine != memory::MachineKind::kTotalStoreOrder)
    return warnings;
  std::vector<std::string> operations;
  for (const auto& [method, function] : question.space.functions)
    operations.push_back(function);
  for (const EffectPlace& place : effects_that_may_be_late(question.module, points, operations))
    warnings.push_back(
        fmt::format("{} may come after the return, and then the operations of a thread may take "
                    "effect in another order: what is shown is TSO linearizability, not TSO-to-SC",
                    to_string(place)));
  return warnings;
}

std::string to_string(const EffectPlace& place) {
  using How = EffectPlace::How;
  const char* how = place.how == How::kRead ? "read" : place.how == How::kUpdate ? "cas" : "flush";
  std::string text = fmt::format("{}:{}:{}", place.function, place.line, how);
  if (place.returns)
    text += fmt::format(":{}{}", place.returns->is_other ? '!' : '=', place.returns->value);
  return text;
}

std::string to_string(history::Criterion criterion) {
  switch (criterion) {
  case history::Criterion::kLinearizable:
    return "linearizable";
  case history::Criterion::kQuiescent:
    return "quiescently consistent";
  case history::Criterion::kSequential:
    return "sequentially consistent";
  }
  HEDDLE_CHECK(false, "no such criterion");
  return {};
}

Result<LinearizableQuestion> understand_linearizable(const driver::Options& options) {
  if (options.object.empty() && options.spec.empty())
    return usage("USE-019",
                 "--object is missing: say what the functions implement, or give a specification "
                 "in C with --spec");
  Result<driver::Asked> asked = driver::understand_question(options);
  if (!asked)
    return asked.error();
  Result<history::ResultCodes> codes = result_codes(options);
  if (!codes)
    return codes.error();
  std::optional<CSpecification> specification;
  if (!options.spec.empty()) {
    Result<CSpecification> loaded =
        load_specification(options.spec, named_operations(options), *asked, options, *codes);
    if (!loaded)
      return loaded.error();
    specification = std::move(*loaded);
  }
  Result<ObjectKind> kind = kind_of(options, specification);
  if (!kind)
    return kind.error();
  Result<Implemented> implemented = read_functions(options, *kind);
  if (!implemented)
    return implemented.error();
  Result<history::Contents> contents = read_contents(options, *kind);
  if (!contents)
    return contents.error();
  Result<history::Criterion> criterion = read_notion(options, asked->model);
  if (!criterion)
    return criterion.error();

  Result<std::vector<EffectPlace>> points = read_points(options, asked->model);
  if (!points)
    return points.error();
  const Result<bool> by_clock = uses_clock(options, *points, asked->model);
  if (!by_clock)
    return by_clock.error();

  const bool has_markers =
      *by_clock && (options.notion == "tso-to-tso" || options.notion == "tso" || !points->empty());
  if (has_markers && options.threads > kMaxThreadsWithMarkers)
    return usage("USE-024",
                 fmt::format("a scenario has at most {} threads with --notion tso-to-tso, or "
                             "tso by this engine, or flushes as linearization points",
                             kMaxThreadsWithMarkers));

  LinearizableQuestion question;
  question.by_clock = *by_clock;
  question.effects = std::move(*points);
  question.infers_points = options.linearization_point == std::vector<std::string>{kInferPoints};
  if (options.notion == "tso-to-tso")
    question.timing = history::Timing::kBuffered;
  else if (options.notion == "sequential")
    question.timing = history::Timing::kThread;
  else if (!question.effects.empty())
    question.timing = history::Timing::kFixed;
  else if (options.notion == "tso" && question.by_clock)
    question.timing = history::Timing::kLastFlush;
  else if (options.notion == "quiescent" && question.by_clock)
    question.timing = history::Timing::kQuiescent;
  question.asked = std::move(*asked);
  question.asked.load.entry.clear();
  Result<std::vector<std::vector<Unit>>> roles = read_roles(options, *kind, *implemented);
  if (!roles)
    return roles.error();

  for (const auto& [method, function] : implemented->functions)
    question.asked.load.keep.push_back(function);
  if (!options.init.empty())
    question.asked.load.keep.push_back(options.init);
  Result<frontend::Loaded> loaded = frontend::load(question.asked.files, question.asked.load);
  if (!loaded)
    return loaded.error();
  if (const Status usable = expect_numbers(*loaded, question.asked.load.keep); !usable)
    return usable.error();
  question.asked.load.entry = kHarnessEntry;
  question.module = std::move(loaded->module);
  question.warnings = std::move(loaded->warnings);

  question.object_name = kind->name;
  question.codes = *codes;
  question.criterion = *criterion;
  if (options.notion == "tso" && !question.by_clock)
    question.responses = Responses::kAtLastFlush;
  else if (!question.effects.empty() && !question.by_clock)
    question.responses = Responses::kAtEffect;
  else if (options.unfinished)
    question.responses = Responses::kAtReturnSoFar;
  if (specification) {
    question.object = std::move(specification->object);
    question.warnings.insert(
        question.warnings.end(), specification->warnings.begin(), specification->warnings.end());
  } else {
    for (const auto& [method, function] : implemented->functions) {
      const auto id = question.module.find_function(function);
      if (!history::needs_room(*kind, method) || !id)
        continue;
      const bool is_void = question.module.functions[*id].result.is_void();
      if (contents->capacity && is_void)
        return usage("USE-023",
                     fmt::format("--capacity is for functions that say when there is no room: "
                                 "'{}' returns nothing",
                                 function));
      if (!contents->capacity && !codes->abort && !is_void)
        question.unread.push_back(method);
    }
    question.initial = contents->initial;
    // So that an argument is no element that was there from the start.
    for (const std::int64_t there : contents->initial)
      question.space.first_value = std::max(question.space.first_value, there + 1);
    question.object = history::make_object(*kind, *codes, std::move(*contents));
  }
  question.space.roles = std::move(*roles);
  question.space.functions = std::move(implemented->functions);
  question.space.init = options.init;
  question.space.threads = static_cast<std::uint32_t>(options.threads);
  question.space.units = static_cast<std::uint32_t>(options.operations);
  question.space.keys = static_cast<std::uint32_t>(options.keys);
  for (std::string& warning : warnings_of_late_points(question, question.effects))
    question.warnings.push_back(std::move(warning));
  return question;
}

} // namespace heddle::object
