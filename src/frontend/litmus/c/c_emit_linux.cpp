// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The primitives that macro definitions are made of: __load{once}(*x), __fence{mb}, … and what
// events they are. A mark becomes a tag of the event. Of a read-modify-write, {acquire} marks the
// read and {release} the write, and {mb} stands for a full barrier before and after; the other half
// is {once}. A compare-exchange or trylock that fails is a read without any order.
#include "frontend/litmus/c/c_emit.h"

#include <algorithm>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

/// Marks are written in capitals by some definition files.
std::string mark_of(const CExpression& call) {
  std::string mark = call.marks.empty() ? "" : call.marks.front();
  for (char& c : mark)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return mark == "relaxed" || mark == "deref" || mark == "lderef" ? "once" : mark;
}

ir::Access marked(ir::Order order, std::vector<std::string> tags) {
  std::sort(tags.begin(), tags.end());
  return {ir::AccessKind::kAtomic, order, std::move(tags)};
}

ir::Access read_access(const std::string& mark) {
  if (mark.empty())
    return {};
  return marked(mark == "acquire" ? ir::Order::kAcquire : ir::Order::kRelaxed, {mark});
}

ir::Access write_access(const std::string& mark) {
  if (mark.empty())
    return {};
  return marked(mark == "release" ? ir::Order::kRelease : ir::Order::kRelaxed, {mark});
}

ir::Access rmw_access(const std::string& mark) {
  if (mark == "acquire")
    return marked(ir::Order::kAcquire, {"R:acquire", "W:once"});
  if (mark == "release")
    return marked(ir::Order::kRelease, {"R:once", "W:release"});
  if (mark == "noreturn")
    return marked(ir::Order::kRelaxed, {"R:noreturn", "W:once"});
  return marked(ir::Order::kRelaxed, {"once"});
}

/// What a fence means to a machine: at least as much as its mark says. A mark that is no fence of
/// the machine (rcu-lock) orders nothing there.
ir::Access fence_access(const std::string& mark) {
  if (mark == "barrier")
    return {ir::AccessKind::kPlain, ir::Order::kNone, {mark}};
  ir::Order order = ir::Order::kSeqCst;
  if (mark == "rmb")
    order = ir::Order::kAcquire;
  else if (mark == "wmb")
    order = ir::Order::kRelease;
  else if (mark == "rcu-lock" || mark == "rcu-unlock")
    order = ir::Order::kRelaxed;
  return marked(order, {mark});
}

std::optional<ir::RmwOp> rmw_of_operator(const std::string& op) {
  if (op == "+")
    return ir::RmwOp::kAdd;
  if (op == "-")
    return ir::RmwOp::kSub;
  if (op == "&")
    return ir::RmwOp::kAnd;
  if (op == "|")
    return ir::RmwOp::kOr;
  if (op == "^")
    return ir::RmwOp::kXor;
  return std::nullopt;
}

} // namespace

CEmitter::Value CEmitter::emit_primitive(const CExpression& call) {
  const std::string mark = mark_of(call);
  const std::string& name = call.text;
  if (name == "__load") {
    if (!has_arguments(call, 1))
      return {};
    const std::optional<Cell> cell = emit_cell(call.operands.front());
    return cell ? load(*cell, read_access(mark), call.loc) : Value{};
  }
  if (name == "__store") {
    if (!has_arguments(call, 2))
      return {};
    const std::optional<Cell> cell = emit_cell(call.operands.front());
    const Value value = emit_expression(call.operands.back());
    if (cell)
      store(*cell, value, write_access(mark), call.loc);
    return {};
  }
  if (name == "__fence") {
    if (!has_arguments(call, 0))
      return {};
    if (mark.empty())
      error(call.loc, "LIT-251", "'__fence' needs a mark, like '__fence{mb}'");
    else
      add(ir::Fence{fence_access(mark)}, call.loc);
    return {};
  }
  if (name == "__xchg") {
    if (!has_arguments(call, 2))
      return {};
    const std::optional<Cell> cell = pointed(call, 0);
    const Value value = emit_expression(call.operands.back());
    if (!cell)
      return {};
    if (mark == "mb")
      full_barrier(call.loc);
    const Value old =
        read_modify_write(ir::RmwOp::kExchange, *cell, value, rmw_access(mark), call.loc);
    if (mark == "mb")
      full_barrier(call.loc);
    return old;
  }
  if (name == "__cmpxchg")
    return has_arguments(call, 3) ? emit_cmpxchg(call, mark) : Value{};
  if (name == "__atomic_op" || name == "__atomic_op_return" || name == "__atomic_fetch_op")
    return has_arguments(call, 3) ? emit_atomic_op(call, mark) : Value{};
  if (name == "__atomic_add_unless" || name == "__atomic_fetch_add_unless")
    return has_arguments(call, 3) ? emit_add_unless(call, name != "__atomic_add_unless") : Value{};
  if (name == "__lock" || name == "__unlock" || name == "__trylock" || name == "__islocked")
    return has_arguments(call, 1) ? emit_lock(call) : Value{};
  if (name == "__srcu") {
    // The grace period has a place but is no access to it: a load by form only, known by its tag.
    if (!has_arguments(call, 1))
      return {};
    const std::optional<Cell> cell = pointed(call, 0);
    if (cell)
      (void)load(*cell, read_access(mark.empty() ? "sync-srcu" : mark), call.loc);
    return {};
  }
  error(call.loc, "LIT-250", "there is no primitive '" + name + "'");
  return {};
}

CEmitter::Value CEmitter::emit_cmpxchg(const CExpression& call, const std::string& mark) {
  const SourceLoc loc = call.loc;
  const std::optional<Cell> cell = pointed(call, 0);
  const Value expected = emit_expression(call.operands[1]);
  const Value desired = emit_expression(call.operands[2]);
  if (!cell)
    return {};
  // The read counts as one of a read-modify-write even if no write follows.
  ir::CompareExchange once;
  once.access = marked(ir::Order::kRelaxed, {"R:RMW", "once"});
  once.failure_order = ir::Order::kRelaxed;
  if (mark == "once")
    return compare_exchange(*cell, expected, desired, once, loc).old_value;
  return either(
      call.text + " succeeds",
      cell->type,
      loc,
      [&]() -> Value {
        if (mark == "mb")
          full_barrier(loc);
        ir::CompareExchange how = once;
        how.access = rmw_access(mark);
        const Exchanged result = compare_exchange(*cell, expected, desired, how, loc);
        assume(result.success, loc);
        if (mark == "mb")
          full_barrier(loc);
        return result.old_value;
      },
      [&]() -> Value {
        const Exchanged result = compare_exchange(*cell, expected, desired, once, loc);
        const CType boolean{1, false, 0};
        assume(
            compute(
                ir::Op::kEq, {result.success.operand, constant(0, boolean).operand}, boolean, loc),
            loc);
        return result.old_value;
      });
}

CEmitter::Value CEmitter::emit_atomic_op(const CExpression& call, const std::string& mark) {
  const std::optional<ir::RmwOp> op = rmw_of_operator(call.operands[1].text);
  if (call.operands[1].kind != CExpression::Kind::kOperator || !op) {
    error(call.operands[1].loc, "LIT-252", "expected one of the operators + - & | ^");
    return {};
  }
  const std::optional<Cell> cell = pointed(call, 0);
  const Value value = emit_expression(call.operands[2]);
  if (!cell)
    return {};
  const bool gives_nothing = call.text == "__atomic_op";
  if (mark == "mb")
    full_barrier(call.loc);
  const std::string how = gives_nothing && mark.empty() ? "noreturn" : mark;
  const Value old = read_modify_write(*op, *cell, value, rmw_access(how), call.loc);
  if (mark == "mb")
    full_barrier(call.loc);
  if (call.text != "__atomic_op_return")
    return old;
  return convert(arithmetic(call.operands[1].text, old, value, call.loc), cell->type, call.loc);
}

CEmitter::Value CEmitter::emit_add_unless(const CExpression& call, bool gives_old) {
  const SourceLoc loc = call.loc;
  const std::optional<Cell> cell = pointed(call, 0);
  const Value amount = emit_expression(call.operands[1]);
  const Value unless = emit_expression(call.operands[2]);
  if (!cell)
    return {};
  const CType type = gives_old ? cell->type : locations_.adapt(CType{});
  return either(
      call.text + " adds",
      type,
      loc,
      [&]() -> Value {
        full_barrier(loc);
        const Value old =
            read_modify_write(ir::RmwOp::kAdd, *cell, amount, rmw_access("once"), loc);
        assume(comparison("!=", old, unless, loc), loc);
        full_barrier(loc);
        return gives_old ? old : constant(1, type);
      },
      [&]() -> Value {
        const Value old = load(*cell, marked(ir::Order::kRelaxed, {"RMW", "once"}), loc);
        assume(comparison("==", old, unless, loc), loc);
        return gives_old ? old : constant(0, type);
      });
}

CEmitter::Value CEmitter::emit_lock(const CExpression& call) {
  const SourceLoc loc = call.loc;
  const std::optional<Cell> cell = pointed(call, 0);
  if (!cell)
    return {};
  const CType integer = locations_.adapt(CType{});
  const Value zero = constant(0, cell->type);
  const Value one = constant(1, cell->type);
  const auto take = [&]() -> Value {
    const Value old =
        read_modify_write(ir::RmwOp::kExchange,
                          *cell,
                          one,
                          marked(ir::Order::kAcquire, {"R:LKR", "R:acquire", "W:LKW"}),
                          loc);
    assume(comparison("==", old, zero, loc), loc);
    return constant(1, integer);
  };
  const auto look = [&](const std::string& tag, const std::string& op, std::uint64_t result) {
    const Value old = load(*cell, marked(ir::Order::kRelaxed, {tag}), loc);
    assume(comparison(op, old, zero, loc), loc);
    return constant(result, integer);
  };
  if (call.text == "__lock") {
    (void)take();
    return {};
  }
  if (call.text == "__unlock") {
    store(*cell, zero, marked(ir::Order::kRelease, {"UL", "release"}), loc);
    return {};
  }
  if (call.text == "__trylock")
    return either("the lock is free", integer, loc, take, [&] { return look("LF", "!=", 0); });
  return either(
      "the lock is taken",
      integer,
      loc,
      [&] { return look("RL", "!=", 1); },
      [&] { return look("RU", "==", 0); });
}

} // namespace heddle::frontend::litmus
