// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arbitrary bytes never crash the reader of litmus tests. What it accepts verifies as ir; what it
// reads of an assembly test is printed and read back the same.
#include "frontend/litmus/asm/parsed_test.h"
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/test.h"
#include "ir/verify.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  using namespace heddle::frontend::litmus;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::variant<Test, Diagnostics> result = parse(text, "fuzz.litmus");
  if (const Test* test = std::get_if<Test>(&result); test != nullptr && !ir::verify(test->module))
    std::abort(); // libFuzzer keeps the input
  if (const auto* wrong = std::get_if<Diagnostics>(&result);
      wrong != nullptr && wrong->errors.empty())
    std::abort();
  const Result<ParsedTest> parsed = parse_syntax(text);
  if (!parsed)
    return 0;
  const Result<ParsedTest> again = parse_syntax(print(*parsed));
  if (!again || !is_same(*again, *parsed))
    std::abort();
  return 0;
}
