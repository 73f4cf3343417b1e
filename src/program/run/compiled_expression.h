// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Terms compiled for evaluation over the locals of a frame: constants, locals and local plus
// constant directly, anything else as a list of operations on temporaries, shared subterms once.
#pragma once

#include "logic/term.h"

#include <cstdint>
#include <vector>

namespace heddle::program {

/// Where an operation finds an argument: two bits say which table, the rest is the index.
using ArgumentPlace = std::uint32_t;

struct Operation {
  logic::Op op = logic::Op::kConstant;
  std::uint8_t width = 0;          // of the result
  std::uint8_t argument_width = 0; // of the first argument
  std::uint8_t low = 0;            // extract
  ArgumentPlace a = 0;
  ArgumentPlace b = 0;
  ArgumentPlace c = 0;
};

struct Expression {
  enum class Kind : std::uint8_t { kConstant, kLocal, kLocalPlusConstant, kSelf, kOperations };
  Kind kind = Kind::kConstant;
  std::uint32_t local = 0;
  std::uint32_t first = 0; // into ExpressionTable::operations
  std::uint32_t count = 0;
  std::uint64_t constant = 0;
  std::uint64_t mask = ~0ULL; // of the result
};

class ExpressionTable {
public:
  [[nodiscard]] Expression compile(const logic::TermStore& terms, logic::Term term);

  [[nodiscard]] std::uint64_t
  evaluate(const Expression& expression, const std::uint64_t* locals, std::uint64_t self) const {
    switch (expression.kind) {
    case Expression::Kind::kConstant:
      return expression.constant;
    case Expression::Kind::kLocal:
      return locals[expression.local];
    case Expression::Kind::kLocalPlusConstant:
      return (locals[expression.local] + expression.constant) & expression.mask;
    case Expression::Kind::kSelf:
      return self;
    case Expression::Kind::kOperations:
      return evaluate_operations(expression, locals, self);
    }
    return 0;
  }

private:
  [[nodiscard]] std::uint64_t evaluate_operations(const Expression& expression,
                                                  const std::uint64_t* locals,
                                                  std::uint64_t self) const;
  void evaluate_into(const Expression& expression,
                     const std::uint64_t* locals,
                     std::uint64_t self,
                     std::uint64_t* temporaries) const;

  std::vector<Operation> operations_;
  std::vector<std::uint64_t> constants_;
};

} // namespace heddle::program
