// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/parse_test.h"

#include "frontend/litmus/asm/assemble.h"
#include "frontend/litmus/asm/dialect.h"
#include "frontend/litmus/asm/parsed_test.h"
#include "frontend/litmus/c/c_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

std::string_view without_start(std::string_view text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  return text;
}

/// From the first line of a comment that begins with "Result:", after the comment's own marks; what
/// says neither of the words ("Maybe") expects nothing.
std::optional<ExpectedResult> find_expected_result(std::string_view text) {
  static constexpr std::string_view kMark = "Result:";
  for (std::size_t at = text.find(kMark); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    if (!without_start(text.substr(begin, at - begin), " \t(*").empty())
      continue;
    std::string_view line = text.substr(at, std::min(text.find('\n', at), text.size()) - at);
    line = without_start(line.substr(kMark.size()), " \t");
    for (const std::string_view word : {"Never", "Sometimes", "Always", "DEADLOCK"})
      if (line.starts_with(word))
        return ExpectedResult{std::string(word), line.find("DATARACE") != std::string_view::npos};
    return std::nullopt;
  }
  return std::nullopt;
}

/// Is it a test of MIPS64? Instructions and types say so.
bool needs_doublewords(const ParsedTest& parsed) {
  const auto is_wide = [](const InitialEntry& entry) {
    if (!entry.type)
      return false;
    const std::optional<ScalarType> scalar = find_scalar(*entry.type, 0);
    return scalar && scalar->bits == 64;
  };
  return std::any_of(parsed.initial.begin(), parsed.initial.end(), is_wide) ||
         std::any_of(parsed.threads.begin(), parsed.threads.end(), [](const CodeColumn& column) {
           return std::any_of(column.lines.begin(), column.lines.end(), [](const CodeLine& line) {
             return needs_mips64(line.text);
           });
         });
}

std::variant<Test, Diagnostics>
parse_parts(const std::string& text, const std::string& file, const ParseOptions& options) {
  Lexer lexer(text);
  Result<Header> header = parse_header(lexer);
  if (!header)
    return Diagnostics{{header.error()}};
  if (header->architecture == "C") {
    std::variant<Test, Diagnostics> result = parse_c_test(*header, lexer, file, options);
    if (auto* test = std::get_if<Test>(&result); test != nullptr && test->vocabulary == "lkmm")
      test->expected = find_expected_result(text);
    return result;
  }
  std::unique_ptr<Dialect> dialect = find_dialect(header->architecture);
  if (!dialect)
    return Diagnostics{
        {Error{ErrorKind::kUnsupported,
               "LIT-004",
               fmt::format("the architecture '{}' is not known; known are X86, X86_64, AArch64, "
                           "PPC, RISCV, ARM, MIPS and C",
                           header->architecture),
               {},
               1,
               1}}};
  const Result<ParsedTest> parsed = parse_body(std::move(*header), lexer);
  if (!parsed)
    return Diagnostics{{parsed.error()}};
  if (parsed->header.architecture == "MIPS" && needs_doublewords(*parsed))
    dialect = make_mips(true);
  return assemble(*parsed, *dialect, file);
}

} // namespace

std::variant<Test, Diagnostics>
parse(const std::string& text, const std::string& file, const ParseOptions& options) {
  std::variant<Test, Diagnostics> result = parse_parts(text, file, options);
  if (auto* diagnostics = std::get_if<Diagnostics>(&result))
    for (Error& error : diagnostics->errors)
      if (error.file.empty())
        error.file = file;
  return result;
}

} // namespace heddle::frontend::litmus
