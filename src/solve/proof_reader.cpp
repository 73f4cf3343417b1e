// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/proof_reader.h"

#include <charconv>
#include <limits>

namespace heddle::solve {

using logic::Literal;
using logic::Variable;

namespace {

/// The next number of a line, which is taken off.
template <class Number>
std::optional<Number> take_number(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos)
    return std::nullopt;
  line.remove_prefix(begin);
  Number value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc())
    return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return value;
}

} // namespace

std::optional<ProofStep> ProofReader::next() {
  if (broken_)
    return std::nullopt;
  return format_ == ProofFormat::kText ? next_text() : next_binary();
}

bool ProofReader::read_clause(std::string_view line, std::vector<Literal>& clause) {
  while (const auto value = take_number<int>(line)) {
    if (*value == 0)
      return line.find_first_not_of(' ') == std::string_view::npos;
    if (*value == std::numeric_limits<int>::min())
      return false;
    const auto variable = static_cast<std::size_t>(*value < 0 ? -*value : *value) - 1;
    clause.push_back(Literal::from(Variable{variable}, *value < 0));
  }
  return false;
}

std::optional<ProofStep> ProofReader::next_text() {
  constexpr std::string_view kLemma = "c lemma";
  ProofStep step;
  while (!text_.empty()) {
    const std::size_t end = text_.find('\n');
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    ++line_;
    if (line.starts_with(kLemma)) {
      line.remove_prefix(kLemma.size());
      step.kind = ProofStep::Kind::kLemma;
      step.certificate.clear();
      while (const auto value = take_number<std::uint32_t>(line))
        step.certificate.push_back(*value);
      broken_ = line.find_first_not_of(' ') != std::string_view::npos;
      if (broken_)
        return std::nullopt;
      continue;
    }
    if (line.empty() || line.front() == 'c')
      continue;
    if (line.starts_with("d ")) {
      line.remove_prefix(2);
      broken_ = step.kind == ProofStep::Kind::kLemma;
      step.kind = ProofStep::Kind::kDelete;
    }
    broken_ = broken_ || !read_clause(line, step.clause);
    return broken_ ? std::nullopt : std::optional(std::move(step));
  }
  broken_ = step.kind == ProofStep::Kind::kLemma; // announced, and then nothing
  return std::nullopt;
}

std::optional<std::uint64_t> ProofReader::number() {
  std::uint64_t value = 0;
  constexpr unsigned kMostBits = 63;
  for (unsigned shift = 0; shift < kMostBits && !text_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(text_.front());
    text_.remove_prefix(1);
    value |= std::uint64_t{byte & 127U} << shift;
    if (byte < 128)
      return value;
  }
  broken_ = true;
  return std::nullopt;
}

std::optional<ProofStep> ProofReader::next_binary() {
  ProofStep step;
  while (!text_.empty()) {
    const char kind = text_.front();
    text_.remove_prefix(1);
    broken_ = (kind != 'a' && kind != 'd' && kind != 'l') ||
              (step.kind == ProofStep::Kind::kLemma && kind != 'a');
    while (!broken_) {
      const auto value = number();
      if (!value || *value == 0)
        break;
      broken_ = *value > std::numeric_limits<std::uint32_t>::max() || (kind != 'l' && *value < 2);
      if (kind == 'l')
        step.certificate.push_back(static_cast<std::uint32_t>(*value - 1));
      else
        step.clause.push_back(Literal::from_index(static_cast<std::uint32_t>(*value - 2)));
    }
    if (broken_)
      return std::nullopt;
    if (kind == 'l') {
      step.kind = ProofStep::Kind::kLemma;
      continue;
    }
    if (kind == 'd')
      step.kind = ProofStep::Kind::kDelete;
    return step;
  }
  broken_ = step.kind == ProofStep::Kind::kLemma;
  return std::nullopt;
}

} // namespace heddle::solve
