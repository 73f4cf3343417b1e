// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads fields of a JSON object and remembers the first that is missing or of another type, so that
// whoever reads a saved file asks once at the end.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::driver {

class JsonFields {
public:
  using Json = nlohmann::ordered_json;

  /// The object outlives it.
  explicit JsonFields(const Json& json) : json_(json) {}

  std::string text(const char* name) { return get<std::string>(name, &Json::is_string); }
  bool flag(const char* name) { return get<bool>(name, &Json::is_boolean); }
  std::uint64_t number(const char* name) {
    return get<std::uint64_t>(name, &Json::is_number_unsigned);
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> list;
    for (const Json& entry : get<std::vector<Json>>(name, &Json::is_array)) {
      if (!entry.is_string()) {
        miss(name);
        return {};
      }
      list.push_back(entry.get<std::string>());
    }
    return list;
  }
  std::vector<Json> list(const char* name) { return get<std::vector<Json>>(name, &Json::is_array); }
  [[nodiscard]] const std::string& missing() const { return missing_; }

private:
  template <class Value>
  Value get(const char* name, bool (Json::*has_type)() const noexcept) {
    const auto found = json_.find(name);
    if (found == json_.end() || !((*found).*has_type)()) {
      miss(name);
      return Value{};
    }
    return found->template get<Value>();
  }
  void miss(const char* name) {
    if (missing_.empty())
      missing_ = name;
  }

  const Json& json_;
  std::string missing_;
};

} // namespace heddle::driver
