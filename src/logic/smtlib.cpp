// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// SMT-LIB 2 text of terms. Shared subterms are bound by `let`, so the text is as large as the term,
// not as its tree.
#include "logic/term.h"
#include "support/check.h"

#include <fmt/format.h>

#include <unordered_map>
#include <variant>

namespace heddle::logic {

namespace {

std::string smtlib_operator(const Node& node, unsigned argument_width) {
  switch (node.op) {
  case Op::kConstant:
  case Op::kVariable:
    break;
  case Op::kNot:
    return "not";
  case Op::kAnd:
    return "and";
  case Op::kOr:
    return "or";
  case Op::kEqual:
    return "=";
  case Op::kULt:
    return "bvult";
  case Op::kULe:
    return "bvule";
  case Op::kSLt:
    return "bvslt";
  case Op::kSLe:
    return "bvsle";
  case Op::kIte:
    return "ite";
  case Op::kAdd:
    return "bvadd";
  case Op::kSub:
    return "bvsub";
  case Op::kMul:
    return "bvmul";
  case Op::kUDiv:
    return "bvudiv";
  case Op::kURem:
    return "bvurem";
  case Op::kSDiv:
    return "bvsdiv";
  case Op::kSRem:
    return "bvsrem";
  case Op::kBitAnd:
    return "bvand";
  case Op::kBitOr:
    return "bvor";
  case Op::kBitXor:
    return "bvxor";
  case Op::kBitNot:
    return "bvnot";
  case Op::kNegate:
    return "bvneg";
  case Op::kShl:
    return "bvshl";
  case Op::kLShr:
    return "bvlshr";
  case Op::kAShr:
    return "bvashr";
  case Op::kConcat:
    return "concat";
  case Op::kExtract:
    return fmt::format("(_ extract {} {})", node.value + node.sort.width - 1, node.value);
  case Op::kZeroExtend:
    return fmt::format("(_ zero_extend {})", node.sort.width - argument_width);
  case Op::kSignExtend:
    return fmt::format("(_ sign_extend {})", node.sort.width - argument_width);
  }
  HEDDLE_CHECK(false, "a leaf has no operator");
}

std::string smtlib_constant(const Node& node) {
  if (node.sort.is_bool())
    return node.value != 0 ? "true" : "false";
  return fmt::format("(_ bv{} {})", node.value, node.sort.width);
}

} // namespace

std::string
TermStore::to_smtlib(Term term,
                     const std::function<std::string(std::uint64_t number)>& name) const {
  const std::vector<Term> order = postorder(term);
  std::unordered_map<Term, unsigned> uses;
  for (const Term current : order)
    for (const Term part : arguments(current))
      ++uses[part];
  std::unordered_map<Term, std::string> bound; // shared subterms already given a name
  std::string text;
  // `root` in full; below it, names where they exist. An explicit stack of what is still to be
  // written.
  const auto write = [&](Term root) {
    std::vector<std::variant<Term, std::string>> pending = {root};
    while (!pending.empty()) {
      const std::variant<Term, std::string> next = std::move(pending.back());
      pending.pop_back();
      if (const std::string* literal = std::get_if<std::string>(&next)) {
        text += *literal;
        continue;
      }
      const Term current = std::get<Term>(next);
      const Node& node = nodes_[current];
      const auto named = bound.find(current);
      if (named != bound.end()) {
        text += named->second;
      } else if (node.op == Op::kConstant) {
        text += smtlib_constant(node);
      } else if (node.op == Op::kVariable) {
        text += name(node.value);
      } else {
        const std::span<const Term> parts = arguments(current);
        text += '(';
        text += smtlib_operator(node, sort(parts[0]).width);
        pending.emplace_back(")");
        for (std::size_t i = parts.size(); i-- > 0;) {
          pending.emplace_back(parts[i]);
          pending.emplace_back(" ");
        }
      }
    }
  };
  std::size_t open = 0;
  for (const Term current : order) {
    if (current == term || uses[current] < 2 || nodes_[current].argument_count == 0)
      continue;
    const std::string label = fmt::format("?{}", bound.size());
    text += "(let ((" + label + ' ';
    write(current);
    text += ")) ";
    bound.emplace(current, label);
    ++open;
  }
  write(term);
  text.append(open, ')');
  return text;
}

} // namespace heddle::logic
