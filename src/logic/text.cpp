// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Terms as people write them: infix with C's operators and precedences. Unsigned operations carry a
// `u` ("a <u b"), constants of more than one bit are shown signed, extensions are casts ("(u32)x",
// "(i32)x"), parts of a vector are "x[15:8]". Not for machines: a term whose tree is very large is
// cut off with "…".
#include "logic/term.h"
#include "support/check.h"

#include <fmt/format.h>

#include <variant>

namespace heddle::logic {

namespace {

/// C's precedences; a part of a lower number than its place asks for is put in parentheses.
enum Precedence : int {
  kChoice = 1,
  kDisjunction,
  kConjunction,
  kInclusiveOr,
  kExclusiveOr,
  kBitConjunction,
  kEquality,
  kRelational,
  kJoin,
  kShift,
  kAdditive,
  kMultiplicative,
  kPrefix,
  kPostfix,
};

struct Infix {
  const char* symbol;
  int precedence;
};

Infix infix_of(Op op) {
  switch (op) {
  case Op::kAnd:
    return {"&&", kConjunction};
  case Op::kOr:
    return {"||", kDisjunction};
  case Op::kEqual:
    return {"==", kEquality};
  case Op::kULt:
    return {"<u", kRelational};
  case Op::kULe:
    return {"<=u", kRelational};
  case Op::kSLt:
    return {"<", kRelational};
  case Op::kSLe:
    return {"<=", kRelational};
  case Op::kAdd:
    return {"+", kAdditive};
  case Op::kSub:
    return {"-", kAdditive};
  case Op::kMul:
    return {"*", kMultiplicative};
  case Op::kUDiv:
    return {"/u", kMultiplicative};
  case Op::kURem:
    return {"%u", kMultiplicative};
  case Op::kSDiv:
    return {"/", kMultiplicative};
  case Op::kSRem:
    return {"%", kMultiplicative};
  case Op::kBitAnd:
    return {"&", kBitConjunction};
  case Op::kBitOr:
    return {"|", kInclusiveOr};
  case Op::kBitXor:
    return {"^", kExclusiveOr};
  case Op::kShl:
    return {"<<", kShift};
  case Op::kLShr:
    return {">>u", kShift};
  case Op::kAShr:
    return {">>", kShift};
  case Op::kConcat:
    return {"++", kJoin};
  case Op::kConstant:
  case Op::kVariable:
  case Op::kNot:
  case Op::kIte:
  case Op::kBitNot:
  case Op::kNegate:
  case Op::kExtract:
  case Op::kZeroExtend:
  case Op::kSignExtend:
    break;
  }
  HEDDLE_CHECK(false, "not an infix operation");
}

std::string constant_text(const Node& node) {
  if (node.sort.is_bool())
    return node.value != 0 ? "true" : "false";
  if (node.sort.width == 1)
    return fmt::format("{}", node.value);
  return fmt::format("{}", sign_extended(node.value, node.sort.width));
}

struct Place {
  Term term;
  int precedence = 0; // the lowest that needs no parentheses
};

} // namespace

std::string TermStore::to_text(Term term,
                               const std::function<std::string(std::uint64_t number)>& name) const {
  constexpr std::size_t kLongest =
      20000; // longer than anyone reads; a shared term's tree may be exponential
  std::string text;
  std::vector<std::variant<Place, std::string>> pending = {Place{term, 0}};
  // Pushed in reverse: the last one pushed is written first.
  const auto push = [&](std::variant<Place, std::string> next) {
    pending.push_back(std::move(next));
  };
  while (!pending.empty()) {
    if (text.size() > kLongest)
      return text + "…";
    const std::variant<Place, std::string> next = std::move(pending.back());
    pending.pop_back();
    if (const std::string* literal = std::get_if<std::string>(&next)) {
      text += *literal;
      continue;
    }
    const Place place = std::get<Place>(next);
    const Node& node = nodes_[place.term];
    const auto open = [&](int precedence) {
      if (precedence >= place.precedence)
        return;
      text += '(';
      push(")");
    };
    const auto prefix = [&](const std::string& symbol) {
      open(kPrefix);
      text += symbol;
      push(Place{argument(place.term, 0), kPrefix});
    };
    const auto infix = [&](const char* symbol, int precedence, Term a, Term b) {
      open(precedence);
      push(Place{b, precedence + 1});
      push(fmt::format(" {} ", symbol));
      push(Place{a, precedence});
    };
    switch (node.op) {
    case Op::kConstant:
      text += constant_text(node);
      break;
    case Op::kVariable:
      text += name(node.value);
      break;
    case Op::kNot: {
      const Term inner = argument(place.term, 0);
      if (is(inner, Op::kEqual))
        infix("!=", kEquality, argument(inner, 0), argument(inner, 1));
      else
        prefix("!");
      break;
    }
    case Op::kBitNot:
      prefix("~");
      break;
    case Op::kNegate:
      prefix("-");
      break;
    case Op::kZeroExtend:
      prefix(fmt::format("(u{})", node.sort.width));
      break;
    case Op::kSignExtend:
      prefix(fmt::format("(i{})", node.sort.width));
      break;
    case Op::kExtract:
      if (node.value == 0) {
        prefix(fmt::format("(u{})", node.sort.width));
      } else {
        open(kPostfix);
        push(fmt::format("[{}:{}]", node.value + node.sort.width - 1, node.value));
        push(Place{argument(place.term, 0), kPostfix});
      }
      break;
    case Op::kIte:
      open(kChoice);
      push(Place{argument(place.term, 2), kChoice});
      push(" : ");
      push(Place{argument(place.term, 1), kChoice + 1});
      push(" ? ");
      push(Place{argument(place.term, 0), kChoice + 1});
      break;
    case Op::kAdd: {
      const Term a = argument(place.term, 0);
      const Term b = argument(place.term, 1);
      const std::int64_t offset =
          is_constant(b) && node.sort.width > 1 ? sign_extended(value(b), node.sort.width) : 0;
      if (offset < 0) {
        open(kAdditive);
        push(fmt::format(" - {}", 0 - static_cast<std::uint64_t>(offset)));
        push(Place{a, kAdditive});
      } else {
        infix("+", kAdditive, a, b);
      }
      break;
    }
    case Op::kAnd:
    case Op::kOr:
    case Op::kEqual:
    case Op::kULt:
    case Op::kULe:
    case Op::kSLt:
    case Op::kSLe:
    case Op::kSub:
    case Op::kMul:
    case Op::kUDiv:
    case Op::kURem:
    case Op::kSDiv:
    case Op::kSRem:
    case Op::kBitAnd:
    case Op::kBitOr:
    case Op::kBitXor:
    case Op::kShl:
    case Op::kLShr:
    case Op::kAShr:
    case Op::kConcat: {
      const Infix symbol = infix_of(node.op);
      infix(symbol.symbol, symbol.precedence, argument(place.term, 0), argument(place.term, 1));
      break;
    }
    }
  }
  return text;
}

} // namespace heddle::logic
