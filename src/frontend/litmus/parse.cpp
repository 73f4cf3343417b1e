// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/assemble.h"
#include "frontend/litmus/c_test.h"
#include "frontend/litmus/dialect.h"
#include "frontend/litmus/print.h"
#include "frontend/litmus/test.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::frontend::litmus {

namespace {

std::variant<Test, Diagnostics>
parse_parts(const std::string& text, const std::string& file, const ParseOptions& options) {
  Lexer lexer(text);
  Result<Header> header = parse_header(lexer);
  if (!header)
    return Diagnostics{{header.error()}};
  if (header->architecture == "C")
    return parse_c_test(*header, lexer, file, options);
  const std::unique_ptr<Dialect> dialect = find_dialect(header->architecture);
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
