// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arbitrary bytes never crash the reader of ir text; what it reads and the verifier accepts is
// printed and read back to the same module.
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<ir::Module> module = ir::parse(text, "fuzz.hir");
  if (!module || !ir::verify(*module))
    return 0;
  const Result<ir::Module> again = ir::parse(ir::print(*module), "printed.hir");
  if (!again || !(*again == *module))
    std::abort(); // libFuzzer keeps the input
  return 0;
}
