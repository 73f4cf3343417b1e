// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/asm/dialect.h"

#include "ir/names.h"

#include <algorithm>

namespace heddle::frontend::litmus {

namespace {

using ir::is_digit;

std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end]))
    ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  while (number.size() > 1 && number[0] == '0')
    number.remove_prefix(1);
  return number;
}

} // namespace

bool Dialect::is_register_before(std::string_view a, std::string_view b) const {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = take_number(a);
      const std::string_view y = take_number(b);
      if (x.size() != y.size())
        return x.size() < y.size();
      if (x != y)
        return x < y;
      continue;
    }
    if (a[0] != b[0])
      return a[0] < b[0];
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

std::optional<RegisterView> find_symbolic_register(std::string_view name, unsigned width) {
  if (name.size() < 2 || name[0] != '%')
    return std::nullopt;
  return RegisterView{std::string(name), width};
}

std::unique_ptr<Dialect> find_dialect(std::string_view architecture) {
  if (architecture == "X86")
    return make_x86(false);
  if (architecture == "X86_64")
    return make_x86(true);
  if (architecture == "AArch64")
    return make_aarch64();
  if (architecture == "PPC")
    return make_power();
  if (architecture == "RISCV")
    return make_riscv();
  if (architecture == "ARM")
    return make_arm();
  if (architecture == "MIPS")
    return make_mips(false);
  return nullptr;
}

} // namespace heddle::frontend::litmus
