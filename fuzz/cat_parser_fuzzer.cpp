// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arbitrary bytes never crash the reader of CAT nor its evaluator; what it reads is printed and
// read back to the same tree.
#include "memory/cat/cat_text.h"
#include "memory/cat/load_model.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const memory::cat::Parsed parsed = memory::cat::parse(text, "fuzz.cat");
  if (!parsed.errors.empty())
    return 0;
  const memory::cat::Parsed again =
      memory::cat::parse(memory::cat::print(parsed.file), "printed.cat");
  if (!again.errors.empty() || !memory::cat::equal(parsed.file, again.file))
    std::abort(); // libFuzzer keeps the input
  memory::cat::LoadOptions options;
  options.base_names = &memory::base_names(memory::Vocabulary::kX86);
  static_cast<void>(memory::cat::load_text(std::string(text), "fuzz.cat", options));
  return 0;
}
