// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The C of litmus tests as trees: values, copied where a macro repeats an argument.
#pragma once

#include "support/source_loc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::frontend::litmus {

/// An integer, or a pointer to one, `pointers` times. Everything a test can declare is one of them:
/// locks and the like are integers that only their own functions touch. One bit is a truth value.
struct CType {
  unsigned bits = 32;
  bool is_signed = true;
  unsigned pointers = 0;
  bool operator==(const CType&) const = default;

  [[nodiscard]] bool is_pointer() const { return pointers > 0; }
  [[nodiscard]] CType pointee() const { return {bits, is_signed, pointers - 1}; }
  [[nodiscard]] CType pointer_to() const { return {bits, is_signed, pointers + 1}; }
  /// Of a value of this type, in bits.
  [[nodiscard]] unsigned width() const { return is_pointer() ? 64 : bits; }
  [[nodiscard]] std::uint64_t bytes() const { return (width() + 7) / 8; }
};

struct CExpression {
  enum class Kind : std::uint8_t {
    kNumber,      // value
    kName,        // text
    kUnary,       // text: - + ~ !
    kBinary,      // text: the operator
    kConditional, // three operands
    kCast,        // type
    kDereference,
    kAddressOf,
    kIndex,     // two operands
    kCall,      // text: the function
    kPrimitive, // text: "__load" and so on; `marks` are its annotations
    kOperator,  // text: an operator as an argument of a primitive
  };
  Kind kind = Kind::kNumber;
  SourceLoc loc = {};
  std::string text = {};
  std::uint64_t value = 0;
  CType type = {};
  std::vector<std::string> marks = {};
  std::vector<CExpression> operands = {};
};

struct CStatement {
  enum class Kind : std::uint8_t {
    kEmpty,
    kBlock,      // statements
    kDeclare,    // type, name, maybe one expression
    kAssign,     // two expressions: where, what
    kExpression, // one expression
    kIf,         // one expression; then and maybe else
    kWhile,      // one expression; body
    kDoWhile,    // one expression; body
    kFor,        // maybe one expression; first, step, body
    kBreak,
    kContinue,
    kReturn,
  };
  Kind kind = Kind::kEmpty;
  SourceLoc loc = {};
  std::string name = {};
  CType type = {};
  std::vector<CExpression> expressions = {};
  std::vector<CStatement> statements = {};
};

struct CParameter {
  CType type;
  std::string name;
  SourceLoc loc = {};
};

struct CThread {
  unsigned number = 0;
  SourceLoc loc = {};
  std::vector<CParameter> parameters = {};
  std::vector<CStatement> body = {};
  std::pair<std::size_t, std::size_t> extent = {}; // of the body in the text, without the braces
  SourceLoc body_loc = {};
};

} // namespace heddle::frontend::litmus
