// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions that print. Nobody can observe what they print, but they read it: text that is freed,
// that has no end or that another thread writes meanwhile is as wrong there as anywhere else.
#include "frontend/c/library.h"
#include "frontend/c/print_format.h"

#include <algorithm>

namespace heddle::frontend {

namespace {
using ir::kBit;
const ir::Type kByte = ir::Type::integer(8);
} // namespace

/// The text at a place that is never written, if it has an end.
std::optional<std::string> Library::constant_text(const ir::Operand& operand) const {
  const auto* address = std::get_if<ir::GlobalAddress>(&operand);
  if (address == nullptr || address->offset < 0) {
    return std::nullopt;
  }
  const ir::Global& global = module_.globals[address->global];
  if (!global.is_constant || global.is_declaration) {
    return std::nullopt;
  }
  std::string out;
  for (auto i = static_cast<std::uint64_t>(address->offset); i < global.size; ++i) {
    const std::uint8_t character = i < global.initial.size() ? global.initial[i] : 0;
    if (character == 0) {
      return out;
    }
    out += static_cast<char>(character);
  }
  return std::nullopt;
}

/// Reads bytes one after the other: at most `limit`, and with `is_text` up to a zero.
void Library::read_bytes(Editor& editor,
                         const ir::Operand& start,
                         const std::optional<ir::Operand>& limit,
                         bool is_text) {
  const ir::Type word = editor.word();
  const ir::Operand from = editor.convert(start, ir::Type::pointer());
  const ir::RegisterId count = editor.new_register(word);
  editor.assign(count, ir::Constant{word, 0});
  const ir::BlockId head = editor.new_block("print.next");
  const ir::BlockId read = editor.new_block("print.read");
  const ir::BlockId after = editor.new_block("print.after");
  editor.emit(ir::Jump{head});
  editor.continue_in(head);
  if (limit) {
    editor.emit(ir::Branch{editor.compute(kBit, ir::Op::kULt, {count, *limit}), read, after});
  } else {
    editor.emit(ir::Jump{read});
  }
  editor.continue_in(read);
  const ir::RegisterId value = editor.new_register(kByte);
  editor.emit(
      ir::Load{value, editor.compute(ir::Type::pointer(), ir::Op::kPtrAdd, {from, count}), {}});
  editor.emit(ir::Compute{count, ir::Op::kAdd, {count, ir::Constant{word, 1}}});
  if (is_text) {
    const ir::Operand goes_on = editor.compute(kBit, ir::Op::kNe, {value, ir::Constant{kByte, 0}});
    editor.emit(ir::Branch{goes_on, head, after});
  } else {
    editor.emit(ir::Jump{head});
  }
  editor.continue_in(after);
}

void Library::read_text(Editor& editor, const ir::Operand& text) {
  if (!constant_text(text)) {
    read_bytes(editor, text, std::nullopt, true);
  }
}

/// The format is at `format_at`, what it prints behind it, or somewhere in a va_list.
void Library::print_formatted(Editor& editor,
                              const ir::Call& call,
                              std::size_t format_at,
                              bool is_list) {
  using Kind = PrintedArgument::Kind;
  const ir::Operand format = call.arguments[format_at];
  read_text(editor, format);
  const bool prints_nothing_else = !is_list && call.arguments.size() == format_at + 1;
  const auto text = constant_text(format);
  const auto taken = text ? print_format(*text) : std::nullopt;
  const auto reads_memory = [](const PrintedArgument& argument) {
    return argument.kind != Kind::kValue;
  };
  if (!taken || (is_list && std::ranges::any_of(*taken, reads_memory))) {
    if (!prints_nothing_else) {
      assumed_.insert(
          "what is printed with a format that is not constant, or from a va_list, can be read");
    }
    return;
  }
  for (std::size_t i = 0; i < taken->size() && format_at + 1 + i < call.arguments.size(); ++i) {
    const PrintedArgument& argument = (*taken)[i];
    const ir::Operand& value = call.arguments[format_at + 1 + i];
    if (argument.kind == Kind::kTarget) {
      editor.emit(ir::Trap{"a format of printf with %n", "count in another way"});
    } else if (argument.kind == Kind::kText && !constant_text(value)) {
      std::optional<ir::Operand> limit;
      if (argument.is_limited_by_argument) {
        // A negative one is none, and as an unsigned number it is very large.
        const ir::RegisterId wide = editor.new_register(editor.word());
        const ir::Operand& given = call.arguments[format_at + i];
        const bool is_wide = editor.type_of(given) == editor.word();
        editor.emit(ir::Compute{wide, is_wide ? ir::Op::kCopy : ir::Op::kSExt, {given}});
        limit = wide;
      } else if (argument.limit) {
        limit = ir::Constant{editor.word(), *argument.limit};
      }
      read_bytes(editor, value, limit, true);
    }
  }
}

void Library::print(Editor& editor, const ir::Call& call, Printed what, std::size_t at) {
  const std::size_t taken = what == Printed::kBlock ? 2 : what == Printed::kBlocks ? 3 : 1;
  if (call.arguments.size() < at + taken) {
    return refuse(editor, call, "a library function called with too few arguments", "pass them");
  }
  switch (what) {
  case Printed::kFormat:
  case Printed::kList:
    return print_formatted(editor, call, at, what == Printed::kList);
  case Printed::kText:
    return read_text(editor, call.arguments[at]);
  case Printed::kBlock:
  case Printed::kBlocks: {
    ir::Operand size = editor.convert(call.arguments[at + 1], editor.word());
    if (what == Printed::kBlocks) {
      const ir::Operand count = editor.convert(call.arguments[at + 2], editor.word());
      size = editor.compute(editor.word(), ir::Op::kMul, {size, count});
    }
    return read_bytes(editor, call.arguments[at], size, false);
  }
  }
}

} // namespace heddle::frontend
