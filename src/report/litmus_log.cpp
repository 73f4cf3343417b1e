// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The rules of the format, as every expected file at hand shows them: the verdict word and the
// witness counts are about the quantified condition, so a ~exists counts the executions that do not
// satisfy the proposition as positive; the observation is about the proposition alone.
#include "report/litmus_log.h"

#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace heddle::report {

namespace {

using Quantifier = LitmusResult::Quantifier;

/// Bytes; longer ones grow.
constexpr std::size_t kUsualLog = 480;

std::string_view kind(Quantifier quantifier) {
  switch (quantifier) {
  case Quantifier::kExists:
    return "Allowed";
  case Quantifier::kNotExists:
    return "Forbidden";
  case Quantifier::kNone:
  case Quantifier::kForall:
    return "Required";
  }
  HEDDLE_CHECK(false, "no such quantifier");
  return "";
}

/// A test that asks nothing asks for what is always true.
bool satisfies(const LitmusResult& result, const LitmusState& state) {
  return result.quantifier == Quantifier::kNone || state.satisfies;
}

struct Number {
  bool is_negative = false;
  std::uint64_t magnitude = 0;

  static std::optional<Number> read(std::string_view text) {
    Number number;
    number.is_negative = text.starts_with('-');
    if (number.is_negative)
      text.remove_prefix(1);
    int base = 10;
    if (text.starts_with("0x")) {
      base = 16;
      text.remove_prefix(2);
    }
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number.magnitude, base);
    if (error != std::errc() || end != text.data() + text.size())
      return std::nullopt;
    return number;
  }
  bool operator<(const Number& other) const {
    if (is_negative != other.is_negative)
      return is_negative;
    return is_negative ? magnitude > other.magnitude : magnitude < other.magnitude;
  }
};

/// Numbers before names.
bool is_value_less(const std::string& a, const std::string& b) {
  const std::optional<Number> left = Number::read(a);
  const std::optional<Number> right = Number::read(b);
  if (left && right)
    return *left < *right;
  if (left || right)
    return left.has_value();
  return a < b;
}

/// A log has many small parts: they are appended one by one, which is faster than a format.
template <class... Parts>
void append(std::string& out, const Parts&... parts) {
  (out.append(std::string_view(parts)), ...);
}

void append_state(std::string& out, const LitmusState& state) {
  std::string_view gap;
  for (const auto& [name, value] : state.values)
    append(out, std::exchange(gap, " "), name, "=", value, ";");
}

std::string_view condition_of(const LitmusResult& result) {
  return result.condition.empty() ? std::string_view("forall (true)") : result.condition;
}

bool is_undefined(const LitmusResult& result) {
  return result.flags.contains(std::string(kUndefinedFlag));
}

std::string_view verdict_word(const LitmusResult& result) {
  if (is_nothing_known(result))
    return "Unknown";
  if (is_undefined(result))
    return "Undef";
  return holds(result) ? "Ok" : "No";
}

/// Positive and negative witnesses of the quantified condition.
std::pair<std::uint64_t, std::uint64_t> witnesses(const LitmusResult& result) {
  const LitmusCount counted = count(result);
  if (result.quantifier == Quantifier::kNotExists)
    return {counted.others, counted.satisfying};
  return {counted.satisfying, counted.others};
}

} // namespace

LitmusCount count(const LitmusResult& result) {
  LitmusCount counted;
  for (const LitmusState& state : result.states)
    (satisfies(result, state) ? counted.satisfying : counted.others) += state.executions;
  return counted;
}

std::string observation(const LitmusResult& result) {
  const LitmusCount counted = count(result);
  if (counted.satisfying == 0)
    return "Never";
  return counted.others == 0 ? "Always" : "Sometimes";
}

std::optional<std::string> contradiction(const LitmusResult& result) {
  if (!result.expected)
    return std::nullopt;
  const LitmusResult::Expected& expected = *result.expected;
  const bool has_race = result.flags.contains(std::string(kRaceFlag));
  if (has_race && expected.has_race) // what is undefined may give anything
    return std::nullopt;
  if (has_race)
    return "a data race";
  if (expected.has_race && result.complete)
    return "no data race";
  const LitmusCount counted = count(result);
  const bool has_states = counted.satisfying + counted.others > 0;
  const std::string found = has_states ? observation(result) : "no execution that ends";
  const bool is_as_expected =
      expected.observation == "DEADLOCK" ? !has_states : found == expected.observation;
  // More states could turn all of these into another: only what was seen too much stays.
  const bool is_definite = result.complete ||
                           (expected.observation == "Never" && counted.satisfying > 0) ||
                           (expected.observation == "Always" && counted.others > 0) ||
                           (expected.observation == "DEADLOCK" && has_states);
  return is_as_expected || !is_definite ? std::nullopt : std::optional(found);
}

bool holds(const LitmusResult& result) {
  const LitmusCount counted = count(result);
  switch (result.quantifier) {
  case Quantifier::kExists:
    return counted.satisfying > 0;
  case Quantifier::kNotExists:
    return counted.satisfying == 0;
  case Quantifier::kNone:
  case Quantifier::kForall:
    return counted.others == 0;
  }
  HEDDLE_CHECK(false, "no such quantifier");
  return false;
}

bool is_nothing_known(const LitmusResult& result) {
  return !result.complete && result.states.empty() && result.failing == 0;
}

void sort_states(std::vector<LitmusState>& states) {
  std::sort(states.begin(), states.end(), [](const LitmusState& a, const LitmusState& b) {
    for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i) {
      if (a.values[i].second == b.values[i].second)
        continue;
      if (is_value_less(a.values[i].second, b.values[i].second))
        return true;
      if (is_value_less(b.values[i].second, a.values[i].second))
        return false;
    }
    return a.values.size() < b.values.size();
  });
}

std::string litmus_log(const LitmusResult& result) {
  std::vector<LitmusState> states = result.states;
  sort_states(states);
  std::string out;
  out.reserve(kUsualLog);
  append(out, "Test ", result.test, " ", kind(result.quantifier), "\n");
  append(out, "States ", std::to_string(states.size()), "\n");
  for (const LitmusState& state : states) {
    append_state(out, state);
    append(out, "\n");
  }
  const auto [positive, negative] = witnesses(result);
  append(out, result.complete ? "" : "Loop ", verdict_word(result), "\nWitnesses\n");
  append(out, "Positive: ", std::to_string(positive));
  append(out, " Negative: ", std::to_string(negative), "\n");
  for (const auto& [flag, executions] : result.flags)
    append(out, "Flag ", flag, "\n");
  const LitmusCount counted = count(result);
  append(out, "Condition ", condition_of(result), "\n");
  append(out, "Observation ", result.test, " ", observation(result), " ");
  append(out, std::to_string(counted.satisfying), " ", std::to_string(counted.others), "\n");
  append(out, "Time ", result.test, " ", fmt::format("{:.2f}", result.seconds), "\n");
  if (result.hash)
    append(out, "Hash=", *result.hash, "\n");
  append(out, "\n");
  return out;
}

nlohmann::ordered_json litmus_json(const LitmusResult& result) {
  std::vector<LitmusState> states = result.states;
  sort_states(states);
  nlohmann::ordered_json json;
  json["test"] = result.test;
  if (!result.model.empty())
    json["model"] = result.model;
  json["kind"] = kind(result.quantifier);
  json["condition"] = condition_of(result);
  json["verdict"] = verdict_word(result);
  json["complete"] = result.complete;
  json["observation"] = observation(result);
  const auto [positive, negative] = witnesses(result);
  json["positive"] = positive;
  json["negative"] = negative;
  json["states"] = nlohmann::ordered_json::array();
  for (const LitmusState& state : states) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const auto& [name, value] : state.values)
      values[name] = value;
    nlohmann::ordered_json entry;
    entry["values"] = std::move(values);
    entry["executions"] = state.executions;
    entry["satisfies"] = satisfies(result, state);
    json["states"].push_back(std::move(entry));
  }
  json["flags"] = nlohmann::ordered_json::object();
  for (const auto& [flag, executions] : result.flags)
    json["flags"][flag] = executions;
  if (result.expected) {
    json["expected"] = result.expected->observation;
    json["as_expected"] = !contradiction(result).has_value();
  }
  if (result.hash)
    json["hash"] = *result.hash;
  return json;
}

} // namespace heddle::report
