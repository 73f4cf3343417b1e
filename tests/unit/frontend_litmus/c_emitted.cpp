// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "unit/frontend_litmus/c_emitted.h"

#include "frontend/litmus/parse_test.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string with_names(const std::string& text, const ir::Function& function) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (text[i] == '%' && end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    const std::string part = text.substr(i, end - i);
    const bool is_register = part.size() > 1;
    const ir::RegisterId id{is_register ? std::stoul(part.substr(1)) : 0};
    const bool has_name = is_register && !function.registers[id].name.empty();
    result += has_name ? "%" + function.registers[id].name : part;
    i = end;
  }
  return result;
}

} // namespace

Test parse_right(const std::string& text, const std::string& macros) {
  std::variant<Test, Diagnostics> result = parse(text, "t.litmus", {.macros = macros});
  if (const auto* wrong = std::get_if<Diagnostics>(&result)) {
    for (const Error& error : wrong->errors)
      ADD_FAILURE() << error.to_string();
    return {};
  }
  const Status verified = ir::verify(std::get<Test>(result).module);
  EXPECT_TRUE(verified.has_value()) << verified.error().to_string();
  return std::get<Test>(std::move(result));
}

std::vector<std::string> parse_wrong(const std::string& text, const std::string& macros) {
  const std::variant<Test, Diagnostics> result = parse(text, "t.litmus", {.macros = macros});
  std::vector<std::string> found;
  if (const auto* wrong = std::get_if<Diagnostics>(&result))
    for (const Error& error : wrong->errors)
      found.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + " " +
                      error.code);
  return found;
}

std::string code_of(const Test& test, const std::string& function) {
  const auto id = test.module.find_function(function);
  if (!id)
    return "no function " + function;
  const ir::Function& code = test.module.functions[*id];
  std::string result;
  for (const ir::Block& block : code.blocks) {
    if (&block != &*code.blocks.begin())
      result += block.name + ":\n";
    for (const ir::Instruction& instruction : block.instructions) {
      if (instruction.loc == code.loc && std::holds_alternative<ir::Compute>(instruction.operation))
        continue;
      result += with_names(ir::print(test.module, code, instruction), code) + "\n";
    }
  }
  return result;
}

std::string code_of_body(const std::string& body, const std::string& macros) {
  std::string code = code_of(
      parse_right("C t\n{}\nP0(int *x, int *y, int *z) {\n" + body + "\n}\nexists (x=0)\n", macros),
      "P0");
  // The end is always the same.
  const std::string end = "jump end\nend:\nret ptr 0\n";
  if (code.ends_with(end))
    code.resize(code.size() - end.size());
  return code;
}

} // namespace heddle::frontend::litmus
