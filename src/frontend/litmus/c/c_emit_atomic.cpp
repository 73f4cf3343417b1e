// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The functions of C11's <stdatomic.h>.
#include "frontend/litmus/c/c_emit.h"

#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

constexpr std::array<std::pair<std::string_view, ir::Order>, 6> kOrders = {
    {{"memory_order_relaxed", ir::Order::kRelaxed},
     {"memory_order_consume", ir::Order::kConsume},
     {"memory_order_acquire", ir::Order::kAcquire},
     {"memory_order_release", ir::Order::kRelease},
     {"memory_order_acq_rel", ir::Order::kAcqRel},
     {"memory_order_seq_cst", ir::Order::kSeqCst}}};

/// The functions that have a form with "_explicit", without it; and their number of operands.
constexpr std::array<std::pair<std::string_view, std::size_t>, 10> kFunctions = {
    {{"atomic_load", 1},
     {"atomic_store", 2},
     {"atomic_exchange", 2},
     {"atomic_fetch_add", 2},
     {"atomic_fetch_sub", 2},
     {"atomic_fetch_and", 2},
     {"atomic_fetch_or", 2},
     {"atomic_fetch_xor", 2},
     {"atomic_flag_test_and_set", 1},
     {"atomic_flag_clear", 1}}};

std::optional<ir::RmwOp> rmw_of(const std::string& name) {
  if (name == "atomic_exchange")
    return ir::RmwOp::kExchange;
  if (name == "atomic_fetch_add")
    return ir::RmwOp::kAdd;
  if (name == "atomic_fetch_sub")
    return ir::RmwOp::kSub;
  if (name == "atomic_fetch_and")
    return ir::RmwOp::kAnd;
  if (name == "atomic_fetch_or")
    return ir::RmwOp::kOr;
  if (name == "atomic_fetch_xor")
    return ir::RmwOp::kXor;
  return std::nullopt;
}

ir::Access atomic(ir::Order order) {
  return {ir::AccessKind::kAtomic, order, {}};
}

} // namespace

bool CEmitter::has_arguments(const CExpression& call, std::size_t count) {
  if (call.operands.size() == count)
    return true;
  error(call.loc,
        "LIT-241",
        "'" + call.text + "' takes " + std::to_string(count) + " arguments, not " +
            std::to_string(call.operands.size()));
  return false;
}

std::optional<CEmitter::Cell> CEmitter::pointed(const CExpression& call, std::size_t argument) {
  return cell_at(emit_expression(call.operands[argument]), call.operands[argument].loc);
}

std::optional<ir::Order> CEmitter::memory_order(const CExpression& expression) {
  if (expression.kind == CExpression::Kind::kName)
    for (const auto& [name, order] : kOrders)
      if (expression.text == name)
        return order;
  error(expression.loc, "LIT-242", "expected a memory order, like 'memory_order_acquire'");
  return std::nullopt;
}

CEmitter::Value CEmitter::emit_call(const CExpression& call) {
  constexpr std::string_view kExplicit = "_explicit";
  const bool is_explicit = call.text.ends_with(kExplicit);
  const std::string name =
      is_explicit ? call.text.substr(0, call.text.size() - kExplicit.size()) : call.text;
  const std::size_t extra = is_explicit ? 1 : 0;

  for (const auto& [function, operands] : kFunctions) {
    if (name != function)
      continue;
    if (!has_arguments(call, operands + extra))
      return {};
    const std::optional<ir::Order> order =
        is_explicit ? memory_order(call.operands.back()) : ir::Order::kSeqCst;
    return order ? emit_atomic(call, name, *order) : Value{};
  }
  if (name == "atomic_compare_exchange_strong" || name == "atomic_compare_exchange_weak") {
    if (!has_arguments(call, 3 + 2 * extra))
      return {};
    const std::optional<ir::Order> yes =
        is_explicit ? memory_order(call.operands[3]) : ir::Order::kSeqCst;
    const std::optional<ir::Order> no =
        is_explicit ? memory_order(call.operands[4]) : ir::Order::kSeqCst;
    return yes && no ? emit_cas(call, name.ends_with("weak"), *yes, *no) : Value{};
  }
  if (call.text == "atomic_thread_fence" || call.text == "atomic_signal_fence") {
    if (!has_arguments(call, 1))
      return {};
    const std::optional<ir::Order> order = memory_order(call.operands.front());
    if (order && call.text == "atomic_thread_fence")
      add(ir::Fence{atomic(*order)}, call.loc);
    return {};
  }
  if (call.text == "atomic_init") {
    if (!has_arguments(call, 2))
      return {};
    const std::optional<Cell> cell = pointed(call, 0);
    const Value value = emit_expression(call.operands[1]);
    if (cell)
      store(*cell, value, ir::Access{}, call.loc);
    return {};
  }
  error(call.loc,
        "LIT-240",
        "there is no function '" + call.text + "' with " + std::to_string(call.operands.size()) +
            " arguments");
  return {};
}

CEmitter::Value
CEmitter::emit_atomic(const CExpression& call, const std::string& name, ir::Order order) {
  const bool reads_only = name == "atomic_load";
  const bool writes_only = name == "atomic_store" || name == "atomic_flag_clear";
  const bool is_wrong =
      (reads_only && (order == ir::Order::kRelease || order == ir::Order::kAcqRel)) ||
      (writes_only && (order == ir::Order::kAcquire || order == ir::Order::kConsume ||
                       order == ir::Order::kAcqRel));
  if (is_wrong) {
    error(call.operands.back().loc,
          "LIT-243",
          std::string(reads_only ? "a load" : "a store") + " cannot have this memory order");
    return {};
  }
  const std::optional<Cell> cell = pointed(call, 0);
  if (!cell)
    return {};
  if (reads_only)
    return load(*cell, atomic(order), call.loc);
  if (name == "atomic_flag_test_and_set")
    return read_modify_write(
        ir::RmwOp::kExchange, *cell, constant(1, CType{}), atomic(order), call.loc);
  if (name == "atomic_flag_clear") {
    store(*cell, constant(0, CType{}), atomic(order), call.loc);
    return {};
  }
  const Value value = emit_expression(call.operands[1]);
  if (writes_only) {
    store(*cell, value, atomic(order), call.loc);
    return {};
  }
  return read_modify_write(*rmw_of(name), *cell, value, atomic(order), call.loc);
}

CEmitter::Value
CEmitter::emit_cas(const CExpression& call, bool weak, ir::Order yes, ir::Order no) {
  if (no == ir::Order::kRelease || no == ir::Order::kAcqRel) {
    error(call.operands.back().loc, "LIT-243", "a load cannot have this memory order");
    return {};
  }
  const std::optional<Cell> object = pointed(call, 0);
  const std::optional<Cell> expected = pointed(call, 1);
  if (!object || !expected)
    return {};
  const Value value = load(*expected, ir::Access{}, call.loc);
  const Value desired = emit_expression(call.operands[2]);
  ir::CompareExchange how;
  how.access = atomic(yes);
  how.failure_order = no;
  how.weak = weak;
  const Exchanged exchanged = compare_exchange(*object, value, desired, std::move(how), call.loc);
  // A failure writes what it saw to where the expected value was.
  const ir::BlockId failed = new_block();
  const ir::BlockId after = new_block();
  branch(exchanged.success, after, failed, call.loc);
  block_ = failed;
  store(*expected, exchanged.old_value, ir::Access{}, call.loc);
  jump(after, call.loc);
  block_ = after;
  return exchanged.success;
}

} // namespace heddle::frontend::litmus
