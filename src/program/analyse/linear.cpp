// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/linear.h"

#include "support/check.h"

#include <vector>

namespace heddle::program {

LinearForm linear_form(const logic::TermStore& terms, logic::Term term) {
  HEDDLE_CHECK(!terms.sort(term).is_bool(), "the linear form of a condition");
  LinearForm form;
  form.width = terms.sort(term).width;
  struct Part {
    logic::Term term;
    std::uint64_t factor;
  };
  std::vector<Part> pending{{term, 1}};
  while (!pending.empty()) {
    const Part part = pending.back();
    pending.pop_back();
    const logic::Node& node = terms.node(part.term);
    const auto arguments = terms.arguments(part.term);
    switch (node.op) {
    case logic::Op::kConstant:
      form.constant += part.factor * node.value;
      continue;
    case logic::Op::kAdd:
      for (const logic::Term argument : arguments)
        pending.push_back({argument, part.factor});
      continue;
    case logic::Op::kSub:
      pending.push_back({arguments[0], part.factor});
      pending.push_back({arguments[1], ~part.factor + 1});
      continue;
    case logic::Op::kNegate:
      pending.push_back({arguments[0], ~part.factor + 1});
      continue;
    case logic::Op::kMul: {
      const bool first = terms.is_constant(arguments[0]);
      if (first || terms.is_constant(arguments[1])) {
        pending.push_back(
            {arguments[first ? 1 : 0], part.factor * terms.node(arguments[first ? 0 : 1]).value});
        continue;
      }
      break;
    }
    case logic::Op::kShl:
      if (terms.is_constant(arguments[1]) && terms.node(arguments[1]).value < form.width) {
        pending.push_back({arguments[0], part.factor << terms.node(arguments[1]).value});
        continue;
      }
      break;
    case logic::Op::kVariable:
    case logic::Op::kNot:
    case logic::Op::kAnd:
    case logic::Op::kOr:
    case logic::Op::kEqual:
    case logic::Op::kULt:
    case logic::Op::kULe:
    case logic::Op::kSLt:
    case logic::Op::kSLe:
    case logic::Op::kIte:
    case logic::Op::kUDiv:
    case logic::Op::kURem:
    case logic::Op::kSDiv:
    case logic::Op::kSRem:
    case logic::Op::kBitAnd:
    case logic::Op::kBitOr:
    case logic::Op::kBitXor:
    case logic::Op::kBitNot:
    case logic::Op::kLShr:
    case logic::Op::kAShr:
    case logic::Op::kConcat:
    case logic::Op::kExtract:
    case logic::Op::kZeroExtend:
    case logic::Op::kSignExtend:
      break;
    }
    form.coefficients[part.term] += part.factor;
  }
  const std::uint64_t mask = logic::mask_of(form.width);
  form.constant &= mask;
  for (auto entry = form.coefficients.begin(); entry != form.coefficients.end();) {
    entry->second &= mask;
    entry = entry->second == 0 ? form.coefficients.erase(entry) : std::next(entry);
  }
  return form;
}

} // namespace heddle::program
