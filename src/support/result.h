// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a library returns when the user's input may be wrong or unsupported. Our own bugs go through
// support/check.h.
#pragma once

#include "support/check.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace heddle {

enum class ErrorKind : std::uint8_t {
  kUsage,       // a wrong option or combination of options: exit code 2
  kInput,       // the input is malformed, or cannot be read: exit code 3
  kUnsupported, // well-formed, but nothing we can handle: exit code 3
};

/// A refusal: where, which diagnostic (`code`, e.g. "IR-004"), what was expected and what would
/// help.
struct Error {
  ErrorKind kind = ErrorKind::kInput;
  std::string code;
  std::string message;
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// "file:line:column: message [code]"
  [[nodiscard]] std::string to_string() const;
  bool operator==(const Error&) const = default;
};

template <class Value>
class [[nodiscard]] Result {
public:
  Result(Value value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] Value& value() & {
    HEDDLE_CHECK(has_value(), "value of a failed Result");
    return std::get<0>(content_);
  }
  [[nodiscard]] const Value& value() const& {
    HEDDLE_CHECK(has_value(), "value of a failed Result");
    return std::get<0>(content_);
  }
  [[nodiscard]] Value&& value() && {
    HEDDLE_CHECK(has_value(), "value of a failed Result");
    return std::get<0>(std::move(content_));
  }
  [[nodiscard]] Value& operator*() & { return value(); }
  [[nodiscard]] const Value& operator*() const& { return value(); }
  [[nodiscard]] Value* operator->() { return &value(); }
  [[nodiscard]] const Value* operator->() const { return &value(); }
  [[nodiscard]] const Error& error() const {
    HEDDLE_CHECK(!has_value(), "error of a Result that has a value");
    return std::get<1>(content_);
  }

private:
  std::variant<Value, Error> content_;
};

/// A Result that carries nothing when it succeeds.
struct Done {};
using Status = Result<Done>;

} // namespace heddle
