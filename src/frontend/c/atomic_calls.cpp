// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/atomic_calls.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

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

/// Larger objects than these are rather structures that somebody copies.
constexpr unsigned kMostBytes = 64;

/// Operations on objects that no single access covers: an atomic section of aligned pieces. An
/// update first reads and then exchanges each piece, so that it is an update of each.
class WideOperation {
public:
  /// All outlive this object.
  WideOperation(Editor& editor, const ir::Call& call, const Shape& shape, bool by_pointer)
      : editor_(editor), call_(call), shape_(shape), by_pointer_(by_pointer) {
    unsigned bytes = editor.module().pointer_bits() / 8;
    while (shape.bytes % bytes != 0) {
      bytes /= 2;
    }
    piece_ = ir::Type::integer(8 * bytes);
    count_ = shape.bytes / bytes;
  }

  bool run(ir::Order success, ir::Order failure) {
    // Without pointers a result of two words goes where the first argument points.
    std::size_t next = by_pointer_ ? 1 : 0;
    const bool gives_words = shape_.kind == Kind::kLoad || shape_.kind == Kind::kUpdate;
    const std::size_t fixed = (by_pointer_ ? 1 : 0) + (!by_pointer_ && gives_words ? 1 : 0);
    if (!by_pointer_ && (shape_.bytes != 16 || count_ != 2)) {
      return false;
    }
    const std::size_t values = shape_.kind == Kind::kLoad ? (by_pointer_ ? 1 : 0)
                               : shape_.kind == Kind::kCompareExchange
                                   ? (by_pointer_ ? 2 : 3)
                                   : (by_pointer_ ? (shape_.kind == Kind::kUpdate ? 2 : 1) : 2);
    if (call_.arguments.size() < fixed + 1 + values) {
      return false;
    }
    ir::Operand result;
    if (!by_pointer_ && gives_words) {
      result = call_.arguments[next++];
    }
    object_ = call_.arguments[next++];
    const auto take = [&] {
      Pieces out;
      if (by_pointer_) {
        return load(call_.arguments[next++], {});
      }
      for (unsigned i = 0; i < count_; ++i) {
        out.push_back(editor_.convert(call_.arguments[next++], piece_));
      }
      return out;
    };
    const ir::Access access{ir::AccessKind::kAtomic, success};
    switch (shape_.kind) {
    case Kind::kLoad: {
      const Pieces old = in_section([&] { return load(object_, access); });
      store(by_pointer_ ? call_.arguments[next] : result, old, {});
      return true;
    }
    case Kind::kStore: {
      const Pieces value = take();
      in_section([&] {
        store(object_, value, access);
        return Pieces{};
      });
      return true;
    }
    case Kind::kUpdate: {
      const Pieces value = take();
      const Pieces old = in_section([&] { return update(value, access); });
      store(by_pointer_ ? call_.arguments[next] : result, old, {});
      return true;
    }
    case Kind::kCompareExchange: {
      const ir::Operand expected_at = call_.arguments[next++];
      const Pieces expected = load(expected_at, {});
      const Pieces desired = take();
      compare_exchange(expected_at, expected, desired, access, failure);
      return true;
    }
    }
    return false;
  }

private:
  using Pieces = std::vector<ir::Operand>;

  template <class Steps>
  Pieces in_section(const Steps& steps) {
    editor_.emit(ir::AtomicBegin{});
    Pieces out = steps();
    editor_.emit(ir::AtomicEnd{});
    return out;
  }

  ir::Operand at(const ir::Operand& start, unsigned index) {
    if (index == 0) {
      return start;
    }
    const ir::Constant offset{editor_.word(), std::uint64_t{index} * piece_.bits / 8};
    return editor_.compute(ir::Type::pointer(), ir::Op::kPtrAdd, {start, offset});
  }

  Pieces load(const ir::Operand& from, const ir::Access& access) {
    Pieces out;
    for (unsigned i = 0; i < count_; ++i) {
      const ir::RegisterId value = editor_.new_register(piece_);
      editor_.emit(ir::Load{value, at(from, i), access});
      out.emplace_back(value);
    }
    return out;
  }

  void store(const ir::Operand& to, const Pieces& values, const ir::Access& access) {
    for (unsigned i = 0; i < count_; ++i) {
      editor_.emit(ir::Store{at(to, i), values[i], piece_, access});
    }
  }

  Pieces exchange(const Pieces& values, const ir::Access& access) {
    Pieces out;
    for (unsigned i = 0; i < count_; ++i) {
      const ir::RegisterId old = editor_.new_register(piece_);
      editor_.emit(
          ir::ReadModifyWrite{old, at(object_, i), ir::RmwOp::kExchange, values[i], access});
      out.emplace_back(old);
    }
    return out;
  }

  Pieces update(const Pieces& values, const ir::Access& access) {
    if (shape_.op == ir::RmwOp::kExchange) {
      return exchange(values, access);
    }
    if (shape_.op != ir::RmwOp::kAdd && shape_.op != ir::RmwOp::kSub) {
      Pieces out;
      for (unsigned i = 0; i < count_; ++i) {
        const ir::RegisterId old = editor_.new_register(piece_);
        editor_.emit(ir::ReadModifyWrite{old, at(object_, i), shape_.op, values[i], access});
        out.emplace_back(old);
      }
      return out;
    }
    const Pieces old = load(object_, {ir::AccessKind::kAtomic, ir::Order::kRelaxed});
    return exchange(sum(old, values), access);
  }

  /// Piece by piece, with the carry or borrow from the piece below.
  Pieces sum(const Pieces& left, const Pieces& right) {
    const ir::Type bit = ir::Type::integer(1);
    const bool adds = shape_.op == ir::RmwOp::kAdd;
    const ir::Op op = adds ? ir::Op::kAdd : ir::Op::kSub;
    Pieces out;
    ir::Operand carry = ir::Constant{piece_, 0};
    for (unsigned i = 0; i < count_; ++i) {
      const ir::Operand first = editor_.compute(piece_, op, {left[i], right[i]});
      const ir::Operand second = editor_.compute(piece_, op, {first, carry});
      const auto wraps = [&](const ir::Operand& before, const ir::Operand& after) {
        return adds ? editor_.compute(bit, ir::Op::kULt, {after, before})
                    : editor_.compute(bit, ir::Op::kULt, {before, after});
      };
      const ir::Operand both =
          editor_.compute(bit, ir::Op::kOr, {wraps(left[i], first), wraps(first, second)});
      carry = editor_.convert(both, piece_);
      out.push_back(second);
    }
    return out;
  }

  /// What is found is read with the order for failure; success adds the exchange.
  void compare_exchange(const ir::Operand& expected_at,
                        const Pieces& expected,
                        const Pieces& desired,
                        const ir::Access& success,
                        ir::Order failure) {
    const ir::Type bit = ir::Type::integer(1);
    editor_.emit(ir::AtomicBegin{});
    const Pieces old = load(object_, {ir::AccessKind::kAtomic, failure});
    ir::Operand is_same = ir::Constant{bit, 1};
    for (unsigned i = 0; i < count_; ++i) {
      const ir::Operand here = editor_.compute(bit, ir::Op::kEq, {old[i], expected[i]});
      is_same = i == 0 ? here : editor_.compute(bit, ir::Op::kAnd, {is_same, here});
    }
    const ir::BlockId same = editor_.new_block("exchange.same");
    const ir::BlockId failed = editor_.new_block("exchange.failed");
    const ir::BlockId after = editor_.new_block("exchange.after");
    editor_.emit(ir::Branch{is_same, same, failed});
    editor_.continue_in(same);
    exchange(desired, success);
    editor_.emit(ir::AtomicEnd{});
    editor_.emit(ir::Jump{after});
    editor_.continue_in(failed);
    editor_.emit(ir::AtomicEnd{});
    store(expected_at, old, {});
    editor_.emit(ir::Jump{after});
    editor_.continue_in(after);
    if (call_.dest) {
      editor_.assign(*call_.dest, is_same);
    }
  }

  Editor& editor_;
  const ir::Call& call_;
  const Shape& shape_;
  bool by_pointer_ = false;
  ir::Type piece_;
  unsigned count_ = 0;
  ir::Operand object_;
};

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
  const bool is_wide = shape.bytes != 1 && shape.bytes != 2 && shape.bytes != 4 && shape.bytes != 8;
  if (is_wide && (shape.bytes == 0 || shape.bytes > kMostBytes)) {
    return false;
  }
  const std::size_t last =
      is_wide ? call.arguments.size() - 1
              : argument_count(by_pointer ? Shape{shape.kind, shape.op, 0} : shape) - 1;
  const auto order = order_of(call.arguments[last]);
  const auto success =
      shape.kind == Kind::kCompareExchange ? order_of(call.arguments[last - 1]) : order;
  if (!order || !success) {
    return false;
  }
  if (is_wide) {
    return WideOperation(editor, call, shape, by_pointer).run(*success, *order);
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
