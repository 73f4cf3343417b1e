// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/atomic_calls.h"

#include <array>
#include <optional>
#include <string_view>

namespace heddle::frontend {

namespace {

enum class Kind : std::uint8_t { kLoad, kStore, kCompareExchange, kUpdate };

struct Shape {
  Kind kind = Kind::kLoad;
  ir::RmwOp op = ir::RmwOp::kExchange;
  unsigned bytes = 0; // 0: the size is the first argument and values go through pointers
};

std::optional<Shape> shape_of(std::string_view name) {
  constexpr std::string_view kPrefix = "__atomic_";
  if (!name.starts_with(kPrefix)) {
    return std::nullopt;
  }
  name.remove_prefix(kPrefix.size());
  Shape shape;
  for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U}) {
    const std::string suffix = "_" + std::to_string(bytes);
    if (name.ends_with(suffix)) {
      shape.bytes = bytes;
      name.remove_suffix(suffix.size());
      break;
    }
  }
  if (name == "load") {
    return shape;
  }
  if (name == "store") {
    shape.kind = Kind::kStore;
    return shape;
  }
  if (name == "compare_exchange") {
    shape.kind = Kind::kCompareExchange;
    return shape;
  }
  shape.kind = Kind::kUpdate;
  if (name == "exchange") {
    return shape;
  }
  struct Named {
    std::string_view name;
    ir::RmwOp op;
  };
  constexpr std::array<Named, 6> kOperations = {{{"add", ir::RmwOp::kAdd},
                                                 {"sub", ir::RmwOp::kSub},
                                                 {"and", ir::RmwOp::kAnd},
                                                 {"or", ir::RmwOp::kOr},
                                                 {"xor", ir::RmwOp::kXor},
                                                 {"nand", ir::RmwOp::kNand}}};
  for (const Named& one : kOperations) {
    if (shape.bytes != 0 && name == "fetch_" + std::string(one.name)) {
      shape.op = one.op;
      return shape;
    }
  }
  return std::nullopt;
}

std::optional<ir::Order> order_of(const ir::Operand& operand) {
  const auto* literal = std::get_if<ir::Constant>(&operand);
  if (literal == nullptr) {
    return std::nullopt;
  }
  switch (literal->value) { // the values of __ATOMIC_RELAXED and its kin
  case 0:
    return ir::Order::kRelaxed;
  case 1:
    return ir::Order::kConsume;
  case 2:
    return ir::Order::kAcquire;
  case 3:
    return ir::Order::kRelease;
  case 4:
    return ir::Order::kAcqRel;
  case 5:
    return ir::Order::kSeqCst;
  default:
    return std::nullopt;
  }
}

std::size_t argument_count(const Shape& shape) {
  const std::size_t size = shape.bytes == 0 ? 1 : 0;
  switch (shape.kind) {
  case Kind::kLoad:
    return size + (shape.bytes == 0 ? 3 : 2);
  case Kind::kStore:
    return size + 3;
  case Kind::kUpdate:
    return size + (shape.bytes == 0 ? 4 : 3);
  case Kind::kCompareExchange:
    return size + 5;
  }
  return 0;
}

} // namespace

bool is_atomic_call(const std::string& name) {
  return shape_of(name).has_value();
}

bool replace_atomic_call(Editor& editor, const ir::Call& call, const std::string& name) {
  Shape shape = *shape_of(name);
  const bool by_pointer = shape.bytes == 0;
  if (call.arguments.size() < argument_count(shape)) {
    return false;
  }
  std::size_t next = 0;
  if (by_pointer) {
    const auto* size = std::get_if<ir::Constant>(&call.arguments[next++]);
    if (size == nullptr) {
      return false;
    }
    shape.bytes = static_cast<unsigned>(size->value);
  }
  if (shape.bytes != 1 && shape.bytes != 2 && shape.bytes != 4 && shape.bytes != 8) {
    return false;
  }
  const std::size_t last =
      argument_count(shape.bytes != 0 && by_pointer ? Shape{shape.kind, shape.op, 0} : shape) - 1;
  const auto order = order_of(call.arguments[last]);
  const auto success =
      shape.kind == Kind::kCompareExchange ? order_of(call.arguments[last - 1]) : order;
  if (!order || !success) {
    return false;
  }
  const ir::Type type = ir::Type::integer(8 * shape.bytes);
  const ir::Access access{ir::AccessKind::kAtomic, *success};
  const ir::Operand object = call.arguments[next++];
  // A value comes as it is, or behind a pointer.
  const auto take = [&]() -> ir::Operand {
    const ir::Operand argument = call.arguments[next++];
    if (!by_pointer) {
      return editor.convert(argument, type);
    }
    const ir::RegisterId value = editor.new_register(type);
    editor.emit(ir::Load{value, argument, {}});
    return value;
  };
  const auto give = [&](const ir::Operand& value) {
    if (by_pointer) {
      editor.emit(ir::Store{call.arguments[next++], value, type, {}});
    } else if (call.dest) {
      editor.assign(*call.dest, value);
    }
  };
  switch (shape.kind) {
  case Kind::kLoad: {
    const ir::RegisterId value = editor.new_register(type);
    editor.emit(ir::Load{value, object, access});
    give(value);
    return true;
  }
  case Kind::kStore:
    editor.emit(ir::Store{object, take(), type, access});
    return true;
  case Kind::kUpdate: {
    const ir::Operand operand = take();
    const ir::RegisterId old = editor.new_register(type);
    editor.emit(ir::ReadModifyWrite{old, object, shape.op, operand, access});
    give(old);
    return true;
  }
  case Kind::kCompareExchange: {
    const ir::Operand expected_at = call.arguments[next++];
    const ir::RegisterId expected = editor.new_register(type);
    editor.emit(ir::Load{expected, expected_at, {}});
    const ir::Operand desired = take();
    const ir::RegisterId old = editor.new_register(type);
    const ir::RegisterId done = editor.new_register(ir::Type::integer(1));
    editor.emit(ir::CompareExchange{old, done, object, expected, desired, access, *order, false});
    const ir::BlockId failed = editor.new_block("exchange.failed");
    const ir::BlockId after = editor.new_block("exchange.after");
    editor.emit(ir::Branch{done, after, failed});
    editor.continue_in(failed);
    editor.emit(ir::Store{expected_at, old, type, {}});
    editor.emit(ir::Jump{after});
    editor.continue_in(after);
    if (call.dest) {
      editor.assign(*call.dest, done);
    }
    return true;
  }
  }
  return false;
}

} // namespace heddle::frontend
